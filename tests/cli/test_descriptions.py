"""list, check, test, fmt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludeme.game import shipped
from tests.cli.commands import ludeme, run, written
from tests.play.texts import COIN, STUCK, WALK

BLOCKED = """\
game "Blocked"
players A, B
board square(1)
piece p
start
  put B p on a1
turn as "{c}"
  choose c from empty
  put p on c
end
  mover wins by filling when true
"""
OPTIONS = COIN.replace("players", 'option n = 1 from 0..2 "a number"\nplayers').replace(
    "  choose c from empty\n", "  choose c from empty\n  require n >= 0\n"
)


# ---- the program


def test_version() -> None:
    assert "ludeme " in ludeme("--version").stdout
    assert "ludeme " in run("--version")[0]


def test_help_names_every_command() -> None:
    text = ludeme("--help").stdout
    for name in ("list", "check", "test", "fmt", "show", "moves", "why", "perft", "playout"):
        assert f"  {name}" in text
        assert "Usage" in ludeme(name, "--help").stdout


@pytest.mark.parametrize("arguments", [["nosuch"], ["check"], ["check", "--nosuch", "consta"]])
def test_a_call_that_is_none(arguments: list[str]) -> None:
    assert "Usage" in ludeme(*arguments, status=2).stderr


def test_commands_need_no_numpy_no_networkx_no_rich_to_check() -> None:
    script = (
        "import sys; from ludeme.cli import main\n"
        "main(['check', 'consta'], standalone_mode=False)\n"
        "print([name for name in ('numpy', 'networkx', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split("\n")[1] == "[]", done


# ---- list


def test_list_has_a_line_for_each_shipped_game() -> None:
    lines = ludeme("list").stdout.splitlines()
    assert list(shipped()) == [line.split()[0] for line in lines]
    line = next(line for line in lines if line.startswith("constellation"))
    assert "Light, Dark" in line
    assert line.endswith("As Astralesce, but a disc stops at the first enemy that it meets.")


# ---- check


@pytest.mark.parametrize("name", shipped())
def test_shipped_games_are_free_of_errors_and_warnings(name: str) -> None:
    assert f"{name}: no errors, no warnings\n" == ludeme("check", name).output


def test_check_tells_all_errors_of_all_files(tmp_path: Path) -> None:
    one = written(tmp_path, COIN.replace("empty", "emty").replace("p on c", "p on d"), "one.game")
    two = written(tmp_path, COIN.replace("put p", "put q"), "two.game")
    result = ludeme("check", one, "consta", two, "nosuch", status=2)
    assert "one.game:8:17" in result.stderr
    assert "did you mean `empty`?" in result.stderr
    assert "one.game:9:12" in result.stderr
    assert "two.game:9:7" in result.stderr
    assert "no shipped game called `nosuch`" in result.stderr
    lines = result.stdout.splitlines()
    assert [f"{one}: 2 errors", "consta: no errors, no warnings"] == lines[:2]
    assert [f"{two}: 1 error", "nosuch: 1 error"] == lines[2:]


def test_warnings_end_with_status_0(tmp_path: Path) -> None:
    path = written(tmp_path, WALK)
    result = ludeme("check", path)
    assert "warning[cannot-win]" in result.stderr
    assert f"{path}: 1 warning\n" == result.stdout


def test_a_first_player_who_cannot_move_is_warned_of(tmp_path: Path) -> None:
    result = ludeme("check", written(tmp_path, BLOCKED))
    assert "warning[stuck]: A has no legal move" in result.stderr
    assert "my.game:7:1" in result.stderr


def test_a_fault_on_the_way_to_the_first_state_is_an_error(tmp_path: Path) -> None:
    text = COIN.replace("turn as", "start\n  put 2 A p on a1\nturn as")
    result = ludeme("check", written(tmp_path, text), status=2)
    assert "error[" in result.stderr
    assert "my.game:8:3" in result.stderr


def test_errors_that_only_the_options_of_an_example_show(tmp_path: Path) -> None:
    text = COIN.replace("players", 'option n = 2 from 1..3 "side"\nplayers')
    text = text.replace("square(2)", "square(n)")
    path = written(tmp_path, text + 'example "small"\n  with n = 1\n  moves 1\n')
    result = ludeme("check", path, status=2)
    assert "(with n = 1)" in result.stderr
    assert "2 errors" in result.stdout or "error" in result.stdout
    assert "(with n = 1)" in ludeme("test", path, status=2).stderr


@pytest.mark.parametrize("command", ["check", "test"])
@pytest.mark.parametrize(
    ("line", "message"),
    [("n = 9", "n = 9 was asked for"), ("m = 1", "no option of this game is called `m`")],
)
def test_a_wrong_option_is_shown_where_an_example_asks_for_it(
    command: str, line: str, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, OPTIONS + f'example "it"\n  with {line}\n  moves 4\n')
    result = ludeme(command, path, status=2)
    assert message in result.stderr
    assert "my.game:19:3" in result.stderr


def test_what_every_option_shows_is_told_once(tmp_path: Path) -> None:
    text = OPTIONS.replace("players", "define spare = 3\nplayers")
    path = written(tmp_path, text + 'example "it"\n  with n = 0\n  moves 4\n')
    result = ludeme("check", path)
    assert result.stderr.count("`spare` is never used") == 1


def test_check_reads_standard_input() -> None:
    result = ludeme("check", "-", input=COIN.replace("empty", "emty"), status=2)
    assert "standard input:8:17" in result.stderr
    assert ludeme("check", "-", input=COIN).output == "-: no errors, no warnings\n"


def test_standard_input_that_is_no_text() -> None:
    assert "not text in UTF-8" in ludeme("check", "-", input=b"\xff", status=2).stderr


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("size", "write `--option name=value`"),
        ("size=", "write `--option name=value`"),
        ("=3", "write `--option name=value`"),
        ("siz=3", "did you mean `size`?"),
        ("size=2", "from 3 to 19"),
        ("size=big", "from 3 to 19"),
        ("size=-3", "from 3 to 19"),
        (f"size={10**18}", "from 3 to 19"),
        (f"size={'9' * 5000}", "from 3 to 19"),
    ],
)
@pytest.mark.parametrize("command", ["check", "test", "show", "moves", "playout"])
def test_options_that_cannot_be(command: str, option: str, message: str) -> None:
    assert message in ludeme(command, "consta", "--option", option, status=2).stderr


def test_an_option_twice() -> None:
    arguments = ("check", "consta", "--option", "size=3", "--option", "size=4")
    assert "`size` is set twice" in ludeme(*arguments, status=2).stderr


def test_truths_are_options(tmp_path: Path) -> None:
    assert "no errors" in ludeme("check", "constructo", "--option", "same_pattern=true").stdout


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", ".", "no/such/folder.game", ""])
def test_what_is_no_file(name: str) -> None:
    assert "error[no-file]" in ludeme("check", name, status=2).stderr


def test_a_near_file_is_named(coin: Path) -> None:
    bare = str(coin).removesuffix(".game")
    assert f"did you mean `{coin}`?" in ludeme("check", bare, status=2).stderr


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = written(tmp_path, "-- " + "x" * 3_000_000)
    assert "too large" in ludeme("check", path, status=2).stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_file_that_may_not_be_read(coin: Path) -> None:
    coin.chmod(0)
    assert "cannot be read: Permission denied" in ludeme("check", coin, status=2).stderr


# ---- test


def test_examples_that_hold(coin: Path) -> None:
    coin.write_text(COIN + 'example "it"\n  moves 4\n')
    assert f"{coin}: 1 example holds\n" == ludeme("test", coin).output
    assert "all hold" in ludeme("test", "consta").stdout


def test_no_examples(coin: Path) -> None:
    assert f"{coin}: no examples\n" == ludeme("test", coin).output


def test_an_example_that_fails(coin: Path) -> None:
    coin.write_text(COIN + 'example "one"\n  moves 4\nexample "two"\n  moves 5\n')
    result = ludeme("test", coin, "consta", status=1)
    assert "error[example]: there are 4 legal moves of A, not 5" in result.stderr
    assert "coin.game:19:3" in result.stderr
    assert f"{coin}: 1 of 2 examples failed\n" in result.stdout
    assert "consta: " in result.stdout


def test_an_error_is_worse_than_an_example_that_fails(coin: Path, tmp_path: Path) -> None:
    coin.write_text(COIN + 'example "one"\n  moves 5\n')
    broken = written(tmp_path, COIN.replace("empty", "emty"))
    result = ludeme("test", broken, coin, status=2)
    assert "1 of 1 example failed" in result.stdout
    assert "did you mean `empty`?" in result.stderr


def test_examples_as_json(coin: Path) -> None:
    coin.write_text(COIN + 'example "one"\n  moves 5\n')
    figures = json.loads(ludeme("test", coin, "--json", status=1).stdout)
    assert [{"file": str(coin), "examples": 1, "failed": ["one"]}] == figures


# ---- fmt


UGLY = COIN.replace("  choose c from empty", "     choose   c from   empty").replace(
    "  put p on c", "     put p on c"
)


def test_fmt_lays_out_in_place(tmp_path: Path) -> None:
    path = written(tmp_path, UGLY)
    assert f"{path}: laid out anew\n" == ludeme("fmt", path).output
    assert path.read_text() == COIN
    assert ludeme("fmt", path).output == ""


def test_fmt_check_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, UGLY)
    assert f"{path}: not in the one layout\n" == ludeme("fmt", "--check", path, status=1).output
    assert path.read_text() == UGLY
    assert ludeme("fmt", "--check", written(tmp_path, COIN)).output == ""


def test_fmt_prints_what_it_cannot_change_in_place() -> None:
    assert ludeme("fmt", "-", input=UGLY).stdout == COIN
    assert ludeme("fmt", "hex").stdout.startswith("-- Join your two sides")


def test_fmt_leaves_a_file_with_errors_alone(tmp_path: Path) -> None:
    text = STUCK.replace("from empty", "out of empty")
    path = written(tmp_path, text)
    assert "my.game:7:16" in ludeme("fmt", path, status=2).stderr
    assert text == path.read_text()


def test_fmt_tells_of_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "my.game"
    path.write_bytes(COIN.replace("\n", "\r\n").encode())
    ludeme("fmt", path)
    assert COIN.encode() == path.read_bytes()
