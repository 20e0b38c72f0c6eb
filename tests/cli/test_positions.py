"""show, moves, why, perft."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ludeme as library
from tests.cli.commands import ludeme, run
from tests.play.texts import BOTH, COIN, STUCK

CONSTA = ("consta", "--option", "size=5")


# ---- show


def test_show_draws_the_board() -> None:
    game = library.load("consta", size=5)
    assert f"{game.start().play('c3')}\n" == ludeme("show", *CONSTA, "--after", "c3").output


def test_show_plain_round_trips(tmp_path: Path) -> None:
    """Through a file, an argument and standard input."""
    text = ludeme("show", *CONSTA, "--after", "c3; a1 b1", "--plain").output
    path = tmp_path / "position.txt"
    path.write_text(text)
    for position, given in ((path, None), (text, None), ("-", text)):
        result = ludeme("show", *CONSTA, "--plain", "--from", position, input=given)
        assert text == result.output


def test_show_draws_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert ludeme("show", *CONSTA, "-o", path).output == ""
    assert "<svg" in path.read_text()
    assert path.read_text() == ludeme("show", *CONSTA, "-o", "-").stdout


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("board.png", "write `-o board.svg`"),
        ("/no/such/board.svg", "cannot be written: No such file"),
        ("a\0.svg", "this is no file name"),
    ],
)
def test_pictures_that_cannot_be_written(output: str, message: str) -> None:
    assert message in ludeme("show", *CONSTA, "-o", output, status=2).stderr


def test_show_does_one_thing(tmp_path: Path) -> None:
    arguments = ("show", *CONSTA, "--plain", "-o", tmp_path / "x.svg")
    assert "ask for one of them" in ludeme(*arguments, status=2).stderr


# ---- --from and --after


@pytest.mark.parametrize(
    ("after", "place", "message"),
    [
        ("c3; c3 d4", "--after:1:5", "`c3 d4` is not legal"),
        ("zz", "--after:1:1", "`zz` is no move here"),
        ("c3;;d4 d5", "--after:1:4", "a move is missing"),
        (";", "--after:1:1", "a move is missing"),
        ("c3; d4 a1", "--after:1:5", "not how this move is written: `a1 d4`"),
        ("C3", "--after:1:1", "not how this move is written: `c3`"),
        ("c3 | c3", "--after:1:1", "one move, without `|`"),
    ],
)
def test_moves_that_cannot_be_played(after: str, place: str, message: str) -> None:
    error = ludeme("moves", *CONSTA, "--after", after, status=2).stderr
    assert place in error
    assert message in error


def test_a_refused_move_is_told_with_its_reason() -> None:
    error = ludeme("show", *CONSTA, "--after", "c3; c3 d4", status=2).stderr
    assert "note: c3 is not in `empty`" in error
    assert "consta.game:" in error


def test_blanks_round_separators_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "both.game"
    path.write_text(BOTH)
    one = ludeme("show", path, "--plain", "--after", "low | low; low | top").output
    assert one == ludeme("show", path, "--plain", "--after", " low|low ;low  |  top ").output
    assert one != ludeme("show", path, "--plain", "--after", "").output


def test_moves_after_the_end(coin: Path) -> None:
    assert "the game is over" in ludeme("moves", coin, "--after", "a1; b1", status=2).stderr


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("nosuch.txt", "there is no file `nosuch.txt`"),
        ("a1: Purple stone", "no player is called `Purple`"),
        ("a1: Black stone\nzz: Black stone", "position:2:1"),
        ("x" * 5000, "cannot be read"),
        ("a\0b", "there is no file"),
    ],
)
def test_positions_that_cannot_be(position: str, message: str) -> None:
    assert message in ludeme("moves", *CONSTA, "--from", position, status=2).stderr


def test_a_position_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_bytes(b"\xff\xfe")
    assert "not text in UTF-8" in ludeme("moves", *CONSTA, "--from", path, status=2).stderr


def test_a_position_that_is_a_folder(tmp_path: Path) -> None:
    assert "Is a directory" in ludeme("moves", *CONSTA, "--from", tmp_path, status=2).stderr


def test_standard_input_is_read_once() -> None:
    result = ludeme("show", "-", "--from", "-", input=COIN, status=2)
    assert "cannot both be on standard input" in result.stderr


# ---- moves


def test_moves_as_text() -> None:
    lines = ludeme("moves", *CONSTA).output.splitlines()
    assert lines[0] == "Black: 25 moves"
    assert [lines[1], lines[2], lines[-1]] == ["  a1", "  b1", "  e5"]


def test_moves_as_json() -> None:
    figures = json.loads(ludeme("moves", *CONSTA, "--json").output)
    assert list(figures) == ["to_move", "moves", "outcome"]
    assert figures["to_move"] == ["Black"]
    assert list(figures["moves"]) == ["Black"]
    assert len(figures["moves"]["Black"]) == 25
    assert None is figures["outcome"]


def test_moves_of_several(tmp_path: Path) -> None:
    path = tmp_path / "both.game"
    path.write_text(BOTH)
    figures = json.loads(ludeme("moves", path, "--json").output)
    plans = ["low", "high", "top"]
    assert {"to_move": ["A", "B"], "moves": {"A": plans, "B": plans}, "outcome": None} == figures


def test_moves_after_an_end_that_is_asked_for(coin: Path) -> None:
    figures = json.loads(ludeme("moves", coin, "--after", "b1", "--json").output)
    outcome = {"winner": None, "reason": "corner", "scores": None, "ranks": None}
    assert {"to_move": [], "moves": {}, "outcome": outcome} == figures
    assert ludeme("moves", coin, "--after", "b1").output == "The game is over: draw by corner.\n"


def test_a_fault_is_told_with_the_moves(tmp_path: Path) -> None:
    path = tmp_path / "stuck.game"
    path.write_text(STUCK)
    error = ludeme("moves", path, "--after", "a1; a2; b1; b2", status=2).stderr
    assert "fault[stuck]: A has no legal move" in error
    assert "stuck.game:6:1" in error
    assert "after: a1; a2; b1; b2" in error


# ---- why


def test_why_of_a_legal_move() -> None:
    assert ludeme("why", *CONSTA, "c3").output == "`c3` is a legal move of Black.\n"


def test_why_of_a_text_that_is_no_move() -> None:
    error = ludeme("why", "constello", "--player", "White", "plce a1", status=2).stderr
    assert "`plce a1` is no move here; did you mean" in error
    assert "MOVE:1:1" in error
    assert "`a1 c3`" in ludeme("why", *CONSTA, "--after", "b2", "c3 a1", status=2).stderr
    ludeme("why", *CONSTA, "", status=2)


def test_why_of_a_move_that_is_not_legal() -> None:
    """The crosscut c3, d4 against c4, d3 with equal pairs."""
    result = ludeme("why", *CONSTA, "--after", "c3; d3 c4", "a1 d4")
    assert "`a1 d4` is not legal for Black" in result.stdout
    assert "no s in placed has tied(s)" in result.stdout
    assert "consta.game:" in result.stdout
    assert result.stderr == ""


def test_why_where_several_decide() -> None:
    error = ludeme("why", "constello", "place a1", status=2).stderr
    assert "say whose move it is" in error
    assert "`--player Black`" in error
    result = ludeme("why", "constello", "place a1", "--player", "White")
    assert result.output == "`place a1` is a legal move of White.\n"
    result = ludeme("why", "constello", "place a1 | pass")
    assert "`place a1` is a legal move of Black." in result.output
    assert "`pass` is not legal for White" in result.output
    assert "supply(mover) = 24" in result.output


def test_why_of_an_unknown_player() -> None:
    error = ludeme("why", "constello", "place a1", "--player", "Blck", status=2).stderr
    assert "did you mean `Black`?" in error


def test_why_of_one_who_does_not_decide() -> None:
    result = ludeme("why", *CONSTA, "c3", "--player", "White")
    assert "White does not decide now" in result.output


def test_why_after_the_end(coin: Path) -> None:
    result = ludeme("why", coin, "--after", "a1", "b1")
    assert "the game is over" in result.output


# ---- perft


def test_perft_prints_the_total_alone_on_its_last_line() -> None:
    assert ludeme("perft", "tic_tac_toe", 1).output == "9\n"
    assert ludeme("perft", "tic_tac_toe", 5).output == "15120\n"
    assert ludeme("perft", "tic_tac_toe", 0).output == "1\n"


def test_perft_divide() -> None:
    lines = ludeme("perft", "tic_tac_toe", 2, "--divide").output.splitlines()
    assert len(lines) == 9 + 1
    assert lines[0] == "a1: 8"
    assert lines[-1] == "72"
    assert ludeme("perft", "tic_tac_toe", 0, "--divide").output == "1\n"


def test_perft_as_json() -> None:
    figures = json.loads(ludeme("perft", "tic_tac_toe", 1, "--json").output)
    assert figures == {"game": "tic_tac_toe", "depth": 1, "total": 9}
    figures = json.loads(ludeme("perft", "tic_tac_toe", 1, "--divide", "--json").output)
    assert dict.fromkeys(figures["divide"], 1) == figures["divide"]


def test_perft_from_a_position(tmp_path: Path) -> None:
    text = ludeme("show", "tic_tac_toe", "--plain", "--after", "a1; b2").output
    assert ludeme("perft", "tic_tac_toe", 1, "--from", text).output == "7\n"
    assert ludeme("perft", "tic_tac_toe", 1, "--from", text, "--after", "c3").output == "6\n"


def test_perft_counts_joint_choices_and_no_game_that_is_over(tmp_path: Path) -> None:
    """Of nine joint choices three go on."""
    path = tmp_path / "both.game"
    path.write_text(BOTH)
    assert ludeme("perft", path, 1).output == "9\n"
    assert ludeme("perft", path, 2).output == "27\n"


@pytest.mark.parametrize("depth", ["-1", "201", "x", "9" * 5000, "1.5"])
def test_depths_that_cannot_be(depth: str) -> None:
    assert "Usage" in ludeme("perft", "tic_tac_toe", "--", depth, status=2).stderr


def test_a_fault_below_is_told_with_the_moves(tmp_path: Path) -> None:
    path = tmp_path / "stuck.game"
    path.write_text(STUCK)
    for more in ((), ("--divide",)):
        error = ludeme("perft", path, 4, "--after", "b2", *more, status=2).stderr
        assert "after: b2; a1; b1; a2" in error


# ---- processes


def test_a_reader_that_goes_away() -> None:
    """As `ludeme moves consta | head -1` does."""
    script = "{} -m ludeme moves consta --after f6 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script.format(sys.executable)], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr, done.returncode) == ("White: 7,260 moves\n", "", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_output_that_is_full() -> None:
    with Path("/dev/full").open("w") as full:
        _, error = run("moves", "tic_tac_toe", stdout=full, status=2)
    assert "the output cannot be written: No space left on device" in error


def test_names_that_the_terminal_cannot_print() -> None:
    out, error = run("check", "a→b", status=2, env={"PYTHONIOENCODING": "latin-1"})
    assert "a\\u2192b" in error
    assert "a\\u2192b" in out


def test_colours_only_on_a_terminal() -> None:
    assert "\x1b" not in run("check", "nosuch", status=2)[1]
