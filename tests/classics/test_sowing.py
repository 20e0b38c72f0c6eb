"""Kalah and Oware beside rules written apart, with every option that OpenSpiel has not."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from independent import sowing

from ludeme import Game, State, load

Setting = tuple[Game, sowing.State]
SETTINGS: list[Setting] = [
    (load("kalah", seeds=seeds, capture_alone=alone), sowing.kalah(seeds, alone))
    for seeds, alone in product((1, 3, 4, 6), (False, True))
]
SETTINGS += [
    (load("oware", slam=slam, cycle=cycle), sowing.oware(slam, cycle))
    for slam, cycle in product(("takes_nothing", "is_forbidden", "takes_all"), (2, 3))
]


def _name(setting: Setting) -> str:
    return repr(setting[0]).removeprefix("ludeme.load")


def _walk(ours: State, theirs: sowing.State, rng: random.Random) -> Counter[str]:
    """Play a game; raises AssertionError at the first difference."""
    met: Counter[str] = Counter()
    while True:
        over = ours.outcome
        assert (over and (over.winner, over.reason)) == theirs.outcome, repr(ours)
        assert ours.to_move == theirs.to_move, repr(ours)
        if over is not None:
            assert over.scores == dict(zip(sowing.PLAYERS, theirs.points, strict=True)), repr(ours)
            met[f"{over.winner or 'draw'} by {over.reason}"] += 1
            return met
        listed = theirs.moves(*theirs.to_move)
        assert sorted(move.text for move in ours.moves()) == sorted(listed), repr(ours)
        met["decisions"] += 1
        text = rng.choice(listed)
        ours, theirs = ours.play(text), theirs.play(text)


def _many(setting: Setting, seeds: range) -> Counter[str]:
    game, theirs = setting
    met: Counter[str] = Counter()
    for seed in seeds:
        met += _walk(game.start(), theirs, random.Random(seed))
    return met


@pytest.mark.parametrize("setting", SETTINGS, ids=_name)
def test_random_games_agree(setting: Setting) -> None:
    """Moves, ends, winners and scores."""
    _many(setting, range(3))


@pytest.mark.soak
@pytest.mark.parametrize("setting", SETTINGS, ids=_name)
def test_many_random_games_agree(setting: Setting) -> None:
    """As above; the figures are printed."""
    print(_name(setting), dict(sorted(_many(setting, range(100, 300)).items())))


def _perft(state: sowing.State, depth: int) -> int:
    moves = state.moves(*state.to_move) if state.to_move else []
    if depth == 1:
        return len(moves)
    return sum(_perft(state.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize("setting", [SETTINGS[4], SETTINGS[8]], ids=_name)
def test_counts(setting: Setting) -> None:
    """As many sequences of five decisions."""
    game, theirs = setting
    assert game.start().perft(5) == _perft(theirs, 5)
