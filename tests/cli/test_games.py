"""playout, replay."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import ludeme as library
from tests.cli.commands import ludeme, run, start, written
from tests.play.texts import COIN, RISKY, STUCK, WALK

CONSTA = ("consta", "--option", "size=5")


def change(record: Path, line: int, **fields: Any) -> None:
    """Change fields of a record, of line *line* from 0."""
    lines = record.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | fields)
    record.write_text("\n".join(lines) + "\n")


# ---- playout


def test_playout_prints_a_table() -> None:
    out = ludeme("playout", *CONSTA, "-n", 20, "--seed", 3).output
    assert "Consta (consta) with size = 5\n20 random games, seed 3\n" in out
    for words in ("finished", "unfinished", "faulty", "Black", "White", "draw", "chain", "Speed"):
        assert words in out


def test_playout_as_json_is_what_the_library_finds() -> None:
    figures = json.loads(ludeme("playout", *CONSTA, "-n", 5, "--seed", 3, "--json").output)
    expected = library.load("consta", size=5).playouts(5, seed=3).summary()
    for summary in (figures, expected):
        del summary["speed"]
    assert expected == figures


def test_unfinished_games_end_with_status_0(tmp_path: Path) -> None:
    path = written(tmp_path, WALK)
    out = ludeme("playout", path, "-n", 3, "--turn-limit", 10).output
    assert "stopped at the limit of 10 decisions" in out


def test_the_turn_limit_is_2000_unless_said(tmp_path: Path) -> None:
    path = written(tmp_path, WALK)
    assert json.loads(ludeme("playout", path, "-n", 1, "--json").output)["turn_limit"] == 2000


def test_faulty_games_are_counted_and_the_first_is_told(tmp_path: Path) -> None:
    result = ludeme("playout", written(tmp_path, STUCK), "-n", 3, status=2)
    assert "faulty      3  100.0%" in result.stdout
    assert "fault[stuck]" in result.stderr
    assert "my.game:6:1" in result.stderr
    assert "in game 0, after: " in result.stderr
    figures = json.loads(ludeme("playout", tmp_path / "my.game", "--json", status=2).stdout)
    assert figures["games"]["faulty"] == 1000
    assert figures["fault"]["place"] == "my.game:6:1"


def test_playout_from_a_position() -> None:
    text = ludeme("show", "tic_tac_toe", "--plain", "--after", "a1; b1; a2; b2").output
    figures = json.loads(ludeme("playout", "tic_tac_toe", "--from", text, "--json").output)
    assert figures["length"]["max"] <= 5.0
    assert figures["length"]["min"] == 1.0


@pytest.mark.parametrize(
    "arguments",
    [
        ("-n", 0),
        ("-n", -5),
        ("-n", "x"),
        ("-n", 10**20),
        ("-n", "9" * 5000),
        ("--seed", -1),
        ("--seed", 1 << 64),
        ("--jobs", 0),
        ("--turn-limit", -1),
        ("--engine", "steam"),
    ],
)
def test_numbers_that_cannot_be(arguments: tuple[str, object]) -> None:
    assert "Invalid value" in ludeme("playout", "consta", *arguments, status=2).stderr


def test_the_largest_seed() -> None:
    ludeme("playout", "tic_tac_toe", "-n", 1, "--seed", (1 << 64) - 1)


def test_both_engines_play_the_same_games() -> None:
    figures = []
    for engine in ("python", "native"):
        result = ludeme("playout", *CONSTA, "--engine", engine, "--json")
        found = json.loads(result.stdout)
        assert found.pop("speed")["engine"] == engine
        figures.append(found)
    assert figures[0] == figures[1]


def test_the_same_call_writes_the_same_bytes(tmp_path: Path) -> None:
    calls = {"a": (), "b": (), "c": ("--jobs", 2), "d": ("--engine", "python", "--json")}
    for name, more in calls.items():
        ludeme("playout", "constello", "-n", 6, "--seed", 8, "--save", tmp_path / name, *more)
    assert len({(tmp_path / name).read_bytes() for name in calls}) == 1


@pytest.mark.parametrize(
    ("save", "message"),
    [("/no/such/file", "No such file"), (".", "Is a directory"), ("a\0b", "no file name")],
)
def test_games_that_cannot_be_saved(save: str, message: str) -> None:
    error = ludeme("playout", *CONSTA, "-n", 1, "--save", save, status=2).stderr
    assert "cannot be written" in error
    assert message in error


def test_games_are_not_saved_over_the_description(coin: Path) -> None:
    error = ludeme("playout", coin, "--save", coin, status=2).stderr
    assert "is the description itself" in error
    assert coin.read_text() == COIN


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_quietly(jobs: int, tmp_path: Path) -> None:
    """Sent as soon as the first game has been written down."""
    saved = tmp_path / "games.jsonl"
    process = start("playout", "constello", "-n", 1_000_000, "--jobs", jobs, "--save", saved)
    while not (saved.exists() and saved.stat().st_size):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=30)
    assert (out, error, process.returncode) == ("", "interrupted\n", 130)


def test_no_bar_where_there_is_no_terminal() -> None:
    assert run("playout", "tic_tac_toe", "-n", 10)[1] == ""


# ---- replay


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    ludeme("playout", *CONSTA, "-n", 4, "--seed", 5, "--save", path)
    return path


def test_games_that_replay_the_same(record: Path) -> None:
    assert f"{record}: 4 games replayed, all the same\n" == ludeme("replay", record).output
    assert json.loads(ludeme("replay", record, "--json").output) == {
        "same": 4,
        "differing": 0,
        "refused": 0,
    }
    assert "4 games" in ludeme("replay", "-", input=record.read_bytes()).output


def test_games_from_a_position_replay_the_same(tmp_path: Path) -> None:
    text = ludeme("show", "hex", "--plain", "--after", "a1; b2").output
    path = tmp_path / "games.jsonl"
    ludeme("playout", "hex", "-n", 2, "--from", text, "--save", path)
    assert "2 games replayed, all the same" in ludeme("replay", path).output


@pytest.mark.parametrize("text", [RISKY, STUCK, WALK])
def test_faulty_and_unfinished_games_replay_the_same(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    record = tmp_path / "games.jsonl"
    status = 0 if text == WALK else 2
    ludeme("playout", path, "-n", 9, "--turn-limit", 20, "--save", record, status=status)
    assert "9 games replayed, all the same" in ludeme("replay", record).output


def test_a_changed_move(record: Path) -> None:
    decisions = json.loads(record.read_text().splitlines()[1])["decisions"]
    change(record, 1, decisions=[*decisions[:2], decisions[1], *decisions[3:]])
    result = ludeme("replay", record, status=1)
    assert "games.jsonl:2:" in result.stderr
    assert "game 1 cannot be played again: decision 3" in result.stderr
    assert f"{record}: 3 the same, 1 different\n" == result.stdout


def test_a_changed_outcome(record: Path) -> None:
    change(record, 3, outcome=None)
    result = ludeme("replay", record, status=1)
    assert "games.jsonl:4:" in result.stderr
    assert "and the record says: it is not over" in result.stderr


def test_another_digest(record: Path) -> None:
    change(record, 0, digest="0" * 32)
    result = ludeme("replay", record, status=2)
    assert "games.jsonl:1:" in result.stderr
    assert "0" * 32 in result.stderr
    assert library.load("consta", size=5).digest in result.stderr
    assert "3 the same, 0 different, 1 not replayed" in result.stdout


def test_a_rule_that_has_changed(coin: Path, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    ludeme("playout", coin, "-n", 1, "--save", record)
    coin.write_text("-- Only a comment.\n" + COIN)
    ludeme("replay", record)
    coin.write_text(COIN.replace("b1 in mine", "b2 in mine"))
    error = ludeme("replay", record, status=2).stderr
    assert "another version of `coin.game`: its rules have changed" in error


def test_another_game(record: Path) -> None:
    error = ludeme("replay", record, "--game", "constello", status=2).stderr
    assert "this game is of `consta`" in error
    error = ludeme("replay", record, "--game", "nosuch", status=2).stderr
    assert "no shipped game called `nosuch`" in error


def test_another_game_without_such_options(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    ludeme("playout", "tic_tac_toe", "-n", 1, "--save", record)
    error = ludeme("replay", record, "--game", "hex", status=2).stderr
    assert "this game is of `tic_tac_toe`, not of `hex`" in error


def test_a_description_that_lies_elsewhere(coin: Path, tmp_path: Path) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    record = folder / "games.jsonl"
    ludeme("playout", coin, "-n", 1, "--save", record)
    error = ludeme("replay", record, status=2).stderr
    assert "this game is of `coin.game`, which is neither shipped nor beside the record" in error
    assert "--game" in error
    ludeme("replay", record, "--game", coin)


def test_a_name_that_leads_elsewhere_is_not_followed(record: Path) -> None:
    change(record, 0, game="../../etc/passwd")
    assert "neither shipped nor beside" in ludeme("replay", record, status=2).stderr


def test_options_that_the_game_no_longer_has(record: Path) -> None:
    change(record, 0, options={"size": 99})
    assert "size = 99 was asked for" in ludeme("replay", record, status=2).stderr


def test_a_position_that_cannot_be(record: Path) -> None:
    change(record, 0, position="a1: Purple stone")
    error = ludeme("replay", record, status=2).stderr
    assert "the position of this game cannot be" in error
    assert "`Purple`" in error


def test_broken_lines_are_told_each_by_its_number(record: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(lines[0] + b"{\n" + b"\xff\n" + lines[1][:50] + b"\n" + lines[2])
    result = ludeme("replay", record, status=2)
    for number in (2, 3, 4):
        assert f"games.jsonl:{number}:" in result.stderr
    assert "2 the same, 0 different, 3 not replayed" in result.stdout


def test_a_file_that_is_no_record_at_all(tmp_path: Path) -> None:
    path = written(tmp_path, "no record\n" * 100)
    result = ludeme("replay", path, status=2)
    assert result.stderr.count("error[record]") == 21
    assert "100 not replayed" in result.stdout


def test_what_cannot_be_read(tmp_path: Path) -> None:
    assert "there is no file" in ludeme("replay", "nosuch", status=2).stderr
    assert "cannot be read" in ludeme("replay", tmp_path, status=2).stderr
    assert "no file name" in ludeme("replay", "a\0b", status=2).stderr
