"""Backgammon beside OpenSpiel: the same throws, and the same positions that a turn can lead to."""

from __future__ import annotations

import random
import re
from typing import Any

import pyspiel
import pytest

from ludeme import Game, State, load

BAR = 100
Counts = tuple[tuple[int, ...], ...]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("backgammon")


def ours(state: State) -> Counts:
    """For each player the checkers on points 1 to 24 and on the bar."""
    piles = {"White": [0] * 25, "Black": [0] * 25}
    for line in state.text.split("\n"):
        site, _, rest = line.partition(": ")
        if " checker" not in rest:
            continue
        if site.endswith("_off"):
            continue
        place = 24 if site.endswith("_bar") else int(site[1:]) - 1
        for piece in rest.split(", "):
            piles[piece.split()[0]][place] += 1
    return tuple(tuple(pile) for pile in piles.values())


def theirs(state: Any) -> Counts:
    """The same of OpenSpiel, whose first player goes up from its point 0, our point 24."""
    return tuple(
        (*(state.board(player, 23 - place) for place in range(24)), state.board(player, BAR))
        for player in (0, 1)
    )


def whole_turns(state: Any) -> dict[Counts, Any]:
    """What a turn can lead to; a double is two turns running there."""
    reached: dict[Counts, Any] = {}
    player = state.current_player()
    waiting = [state]
    while waiting:
        at = waiting.pop()
        for action in at.legal_actions():
            after = at.child(action)
            if after.current_player() == player and not after.is_terminal():
                waiting.append(after)
            else:
                reached[theirs(after)] = after
    return reached


def throw(state: State, other: Any, rng: random.Random) -> tuple[State, Any]:
    """The same throw in both; they are equally likely."""
    wanted: dict[str, tuple[int, float]] = {}
    for action, chance in other.chance_outcomes():
        text = other.action_to_string(action)
        high, low = sorted(re.search(r"roll: (\d)(\d)", text).groups(), reverse=True)  # type: ignore[union-attr]
        starts = re.search(r"(\w) starts", text)
        first = f"{high}-{low}" if starts and starts.group(1) == "X" else f"{low}-{high}"
        name = first if starts else high + low
        wanted[name] = action, chance + wanted.get(name, (0, 0.0))[1]
    moves = {move.text: move for move in state.moves()}
    assert set(moves) == set(wanted)
    for text, move in moves.items():
        assert state.probability(move) == pytest.approx(wanted[text][1])
    text = rng.choice(sorted(moves))
    return state.play(text), other.child(wanted[text][0])


def play_beside(game: Game, seed: int, decisions: int = 2_000) -> None:
    """A random game, its first decisions or all."""
    rng = random.Random(seed)
    state, other = game.start(), pyspiel.load_game("backgammon").new_initial_state()
    for _ in range(decisions):
        if state.outcome is not None:
            break
        assert ours(state) == theirs(other)
        if state.to_move == ("chance",):
            state, other = throw(state, other, rng)
            continue
        assert state.to_move == (("White", "Black")[other.current_player()],)
        reached = whole_turns(other)
        after = {move.text: state.play(move) for move in state.moves()}
        assert {ours(each) for each in after.values()} == set(reached), (state.text, list(after))
        text = rng.choice(sorted(after))
        state, other = after[text], reached[ours(after[text])]
    if state.outcome is None:
        return
    assert other.is_terminal()
    assert other.returns()[0 if state.outcome.winner == "White" else 1] == 1


@pytest.mark.parametrize("seed", range(2))
def test_beside_open_spiel(game: Game, seed: int) -> None:
    play_beside(game, seed, 14)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_many_games_beside_open_spiel(game: Game, first: int) -> None:
    for seed in range(first, first + 10):
        play_beside(game, seed)
