"""Go beside OpenSpiel, and the rules against repetition on a board of two points."""

from __future__ import annotations

import random
from pathlib import Path

import pyspiel
import pytest

from ludeme import Game, load
from ludeme.game import load_text

LETTERS = "abcdefghjklmnopqrst"  # OpenSpiel leaves out the i


def their_name(text: str, player: str) -> str:
    """A move as OpenSpiel writes it."""
    if text == "pass":
        return f"{player[0]} PASS"
    return f"{player[0]} {LETTERS[ord(text[0]) - ord('a')]}{text[1:]}"


def play_beside(game: Game, size: int, seed: int) -> bool:
    """A random game; False if OpenSpiel ended it because a position came again."""
    rng = random.Random(seed)
    theirs = pyspiel.load_game("go", {"board_size": size, "max_game_length": 5000})
    theirs = theirs.new_initial_state()
    state = game.start()
    boards = {str(theirs).split("\n", 1)[1]}
    while state.outcome is None:
        if theirs.is_terminal():
            return False  # a position came again, which ends the game there
        (player,) = state.to_move
        actions = {theirs.action_to_string(a): a for a in theirs.legal_actions()}
        listed = {their_name(move.text, player): move for move in state.moves()}
        assert set(listed) == set(actions), str(theirs)
        # Passes are rarer than by chance, so that the board fills.
        names = sorted(listed)
        name = rng.choice([n for n in names if "PASS" not in n] or names)
        if rng.random() < 0.02:
            name = their_name("pass", player)
        state = state.play(listed[name])
        theirs.apply_action(actions[name])
        boards.add(str(theirs).split("\n", 1)[1])
    assert theirs.is_terminal()
    winner = 0 if state.outcome.winner == "Black" else 1
    assert theirs.returns()[winner] == 1
    return True


@pytest.mark.parametrize("size", [5, 7, 9])
def test_beside_open_spiel(size: int) -> None:
    game = load("go", size=size, ko="simple")
    finished = [play_beside(game, size, seed) for seed in range(4)]
    assert any(finished)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 500, 50))
def test_many_games_beside_open_spiel(first: int) -> None:
    game = load("go", size=7, ko="simple")
    finished = [play_beside(game, 7, seed) for seed in range(first, first + 50)]
    assert any(finished)


NARROW = """game "Narrow" extends go
replace board square(2, 1)
  cut diagonal links at board
drop start
drop define low
drop define high
drop define middle
"""
ALL = ("none", "simple", "positional", "situational")


def narrow(**options: object) -> Game:
    """Go on two points side by side."""
    return load_text(NARROW, size=2, komi=0, **options)


@pytest.mark.parametrize(
    ("ko", "legal"),
    [("none", True), ("simple", False), ("positional", False), ("situational", False)],
)
def test_a_stone_that_has_just_taken_one(ko: str, legal: bool) -> None:
    """Taking back would bring about the position that Black left before."""
    state = narrow(ko=ko).start().play("a1").play("b1")
    assert ("a1" in [str(move) for move in state.moves()]) == legal


@pytest.mark.parametrize(
    ("ko", "legal"),
    [("none", True), ("simple", True), ("positional", False), ("situational", False)],
)
def test_after_a_pass_of_each(ko: str, legal: bool) -> None:
    """A simple ko is open again after one turn; a position that was there is not."""
    state = narrow(ko=ko, suicide=True).start()
    for move in ("a1", "b1", "pass", "a1"):
        # White takes, Black passes, and White's own two stones would be taken: the empty board.
        if move == "a1" and state.to_move == ("White",):
            assert (move in [str(each) for each in state.moves()]) == legal
            return
        state = state.play(move)


@pytest.mark.parametrize(
    ("ko", "legal"),
    [("none", True), ("simple", True), ("positional", False), ("situational", True)],
)
def test_the_empty_board_left_by_the_other_player(ko: str, legal: bool) -> None:
    """It was there before Black's first move, so as left by White; now Black would leave it."""
    state = narrow(ko=ko, suicide=True).start().play("a1").play("pass")
    assert ("b1" in [str(move) for move in state.moves()]) == legal


def test_a_pass_may_leave_what_was_there() -> None:
    state = narrow(ko="positional").start().play("pass")
    assert "pass" in [str(move) for move in state.moves()]


def test_the_same_picture_with_another_past_is_another_position() -> None:
    """What may not be repeated belongs to the position; the text of a position tells it."""
    game = load("go", size=5)
    one = game.start()
    for move in ("a1", "b2", "c3", "pass"):
        one = one.play(move)
    other = game.start()
    for move in ("c3", "b2", "a1", "pass"):
        other = other.play(move)
    assert str(one) == str(other)
    assert one != other
    assert one.key != other.key
    assert game.position(one.text) == one
    assert game.position(other.text) == other


def test_the_order_of_what_was_there_does_not_matter() -> None:
    game = load("go", size=5)
    paths = (("a1", "b2", "pass", "pass"), ("a1", "b2", "pass", "pass"))
    ends = []
    for path in paths:
        state = game.start()
        for move in path:
            state = state.play(move)
        ends.append(state)
    assert ends[0] == ends[1]
    assert hash(ends[0]) == hash(ends[1])


def test_the_description_is_a_model(tmp_path: Path) -> None:
    """A variant of it is a few lines."""
    path = tmp_path / "small_go.game"
    path.write_text('game "Small Go" extends go\nreplace option size = 9 from 2..9\n')
    assert load(path).options["size"] == 9
