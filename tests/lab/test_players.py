"""The reference players choose what they should."""

from __future__ import annotations

import numpy as np
import pytest

import ludeme
from ludeme.lab.play import Plan, play
from ludeme.lab.players import read_players, seat_players
from ludeme.lab.values import Rollouts, read_evaluator
from ludeme.machine import Stream


def chosen(game: ludeme.Game, name: str, moves: str, seat: int, tries: int = 10) -> set[str]:
    """The moves that a player makes after some moves, over some games."""
    state = game.start()
    for move in moves.split("; "):
        state = state.play(move)
    (player,) = seat_players(game.machine, [name], None, 200)
    found = set()
    for number in range(tries):
        streams = [Stream(0, number, s) for s in range(len(game.players))]
        end = player.choose(state.cells, seat, streams)
        found.add(game.machine.text(state.cells, end))
    return found


def test_greedy_takes_a_win_at_once() -> None:
    """X has a1 and b1, O has a3 and b3: X wins on c1, and c3 would only stop O."""
    assert chosen(ludeme.load("tic_tac_toe"), "greedy", "a1; a3; b1; b3", 0) == {"c1"}


def test_monte_carlo_stops_a_loss_that_comes_next() -> None:
    """O threatens c3, and greedy, who looks one decision ahead, does not see it."""
    game = ludeme.load("tic_tac_toe")
    assert chosen(game, "montecarlo:2000", "a1; a3; b2; c1; a2; b3", 0, 3) <= {"c2", "c3"}
    assert chosen(game, "montecarlo:2000", "a1; a3; c2; b3", 0, 3) == {"c3"}
    assert len(chosen(game, "greedy", "a1; a3; c2; b3", 0, 30)) > 1


def test_greedy_takes_what_scores_most() -> None:
    """Reversi: after d3 c3 b3 b2 b1 only e3 turns two of Black's discs, all other moves one."""
    assert chosen(ludeme.load("reversi"), "greedy", "d3; c3; b3; b2; b1", 1) == {"e3"}


@pytest.mark.parametrize("name", ["greedy", "montecarlo:30"])
def test_thinking_players_beat_random_ones(name: str) -> None:
    """The second seat of noughts and crosses wins 28.8% at random: 17 of 60, and 27 hardly ever."""
    game = ludeme.load("tic_tac_toe")
    table = play(Plan(game, seed=3, seats=("random", name)), range(60))
    wins = np.bincount(table["winner"] + 1, minlength=3)
    assert wins[2] >= 27


def test_a_game_of_thinkers_depends_on_its_number_alone() -> None:
    game = ludeme.load("tic_tac_toe")
    plan = Plan(game, seed=3, seats=("greedy", "montecarlo:20"))
    whole, later = play(plan, range(8)), play(plan, range(5, 8))
    for name in ("number", "decisions", "winner"):
        assert np.array_equal(whole[name][5:], later[name])


def test_those_who_decide_together_do_not_know_each_other() -> None:
    """Black chooses alike whatever White will draw."""
    game = ludeme.load("constello")
    (player,) = seat_players(game.machine, ["greedy"], None, 200)
    start = game.start().cells
    texts = []
    for white in (7, 8):
        streams = [Stream(1, 0, 0), Stream(white, 0, 1)]
        texts.append(game.machine.text(start, player.choose(start, 0, streams)))
    assert texts[0] == texts[1]


def test_random_games_from_a_state_are_counted() -> None:
    """X wins at once or O does: of five empty cells one wins for X on the spot."""
    game = ludeme.load("tic_tac_toe")
    state = game.start()
    for move in ["a1", "a3", "b1", "b3", "c2", "c1", "b2"]:
        state = state.play(move)
    # a2 and c3 are left, O to move: c3 wins for O; a2 lets X take c3, which makes the diagonal.
    values = Rollouts(game.machine, None, 200).value(state.cells, 5, 2000)
    assert values[0] == pytest.approx(0.5, abs=0.05)
    assert sum(values) == pytest.approx(1)


@pytest.mark.parametrize(
    "text", ["smart", "greedy:3", "montecarlo:0", "montecarlo:x", "random,random,random"]
)
def test_unknown_players_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition(":")[0]):
        read_players(text, 2)


def test_names_of_players_and_evaluators() -> None:
    assert read_players("greedy", 2) == ("greedy", "greedy")
    assert read_players("random, montecarlo", 2) == ("random", "montecarlo:200")
    assert read_evaluator("playouts") == "playouts:100"
    with pytest.raises(ValueError, match="clever"):
        read_evaluator("clever")
