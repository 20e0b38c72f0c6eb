"""Where the draw tells whether a player is stuck, games are the interpreter's all the same."""

from __future__ import annotations

import numpy as np
import pytest

import ludeme
from ludeme.game import Game, State, load_text
from ludeme.machine import meter
from ludeme.native.compiled import PERFT, STEPPING, Lowered
from ludeme.play.results import Playouts

from .test_agreement import assert_same

APART = "choose cell from empty\n  put man on cell\n  require no (neighbours(cell) and mine)"
PAIRS = """one of
    - one as "{c}"
        choose c from empty
        put man on c
    - two as "{cc}"
        choose 2 cc from empty
        put man on cc
  require no s in placed has count(neighbours(s) and mine) > 1"""
ENDS = {
    "once everybody is stuck": "draw by blocked when skips = {players}",
    "with who moved last": "mover wins by last when skips = {players}",
    "after a few turns": "next wins by turns when turns >= 9\n  draw by blocked when skips = 2",
    "once one is stuck": "next wins by stuck when skips = 1",
    "with a fault, where all are stuck": "draw by turns when turns > 40",
}


def text(players: int, body: str, end: str, board: str = "square(3)", until: str = "") -> str:
    """A game in which players are often stuck."""
    names = ", ".join(("Ann", "Bob", "Cid")[:players])
    return (
        f'game "Stuck"\nplayers {names}\nboard {board}\npiece man\nturn go\n  {body}\n'
        f"play\n  players alternate go, skipping stuck{until}\n"
        + ("  players alternate go\n" if until else "")
        + f"end\n  {end.format(players=players)}\n"
    )


def both(
    game: Game, games: int, limit: int, start: State | None = None
) -> tuple[Playouts, Playouts]:
    """The same games on both engines."""
    expected = game.playouts(games, seed=5, engine="python", turn_limit=limit, start=start)
    return expected, game.playouts(games, seed=5, engine="native", turn_limit=limit, start=start)


def unasked(game: Game, task: str | None = None) -> int:
    """How many steps leave it to the draw whether a player is stuck."""
    lowered = Lowered(game.machine, False, *([task] if task else []))
    return len(lowered.flow.unasked.steps)


@pytest.mark.parametrize("body", [APART, PAIRS], ids=["one choice", "several"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("players", [2, 3])
def test_games_with_stuck_players_are_the_same(players: int, end: str, body: str) -> None:
    """Wherever the limit cuts a game off, lengths, ends, winners, faults and widths agree."""
    game = load_text(text(players, body, ENDS[end]))
    assert unasked(game) == 1
    for limit in (*range(1, 10), 50):
        assert_same(*both(game, 60, limit), f"{end}, limit {limit}")


def test_stuck_players_are_met() -> None:
    """The games above do come to players who are stuck, and to those who are not."""
    game = load_text(text(2, APART, ENDS["once one is stuck"]))
    expected, _ = both(game, 60, 50)
    assert expected.count("finished") == 60
    lengths = np.unique(expected.decisions)
    assert len(lengths) > 1


def test_an_alternation_may_be_left_at_a_skip() -> None:
    """Its condition is asked again after each player who is passed over."""
    body = text(2, APART, "draw by turns when turns > 12 or skips > 1", until=", until skips > 0")
    game = load_text(body)
    assert_same(*both(game, 60, 50), "until")


def test_who_decides_where_a_game_begins_is_not_passed_over() -> None:
    """A position in which a player must move and cannot is a fault, not a skip."""
    game = load_text(text(2, APART, ENDS["once everybody is stuck"]))
    cells = list(game.machine.start())
    cells[game.machine.layout.owners] = 0b010101010  # Ann's, who is to move
    start = State(game, cells)
    for limit in (1, 50):
        expected, actual = both(game, 40, limit, start)
        assert expected.count("faulty") == 40
        assert_same(expected, actual, "stuck at once")


def test_questions_that_take_long_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the interpreter may give up, machine code gives up too."""
    monkeypatch.setattr(meter, "MOST_STEPS", 4000)
    game = load_text(text(2, PAIRS, ENDS["once everybody is stuck"], board="square(5)"))
    expected, actual = both(game, 40, 60)
    assert_same(expected, actual, "few steps")


def test_what_may_be_a_fault_is_asked() -> None:
    """So is what another task than whole games must know at once."""
    end = ENDS["once everybody is stuck"]
    assert unasked(load_text(text(2, f"{APART} or cell in row(4 / turns)", end))) == 0
    assert unasked(load_text(text(2, APART.replace("empty", "board"), end))) == 0
    game = load_text(text(2, APART, end))
    assert unasked(game) == 1
    assert unasked(game, STEPPING) == unasked(game, PERFT) == 0
    assert unasked(ludeme.load("consta")) == unasked(ludeme.load("consta", size=19)) == 1
