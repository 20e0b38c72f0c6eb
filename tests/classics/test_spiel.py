"""Random games in lock step with OpenSpiel: same moves, same chances, same views, same returns."""

from __future__ import annotations

import importlib.util
from collections import Counter

import pytest

from .pairs import PAIRS, SMALL
from .readings import house, known, last_number, leduc, row_column, same
from .spiel import Pair, Seen, scores, walk, walk_everywhere

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not installed"
)


def _many(pair: Pair, seeds: range) -> Counter[str]:
    met: Counter[str] = Counter()
    seen = Seen()
    for seed in seeds:
        met += walk(pair, seed, seen)
    return met


@pytest.mark.parametrize("pair", [p for p in PAIRS if p.games[0]], ids=lambda pair: pair.label)
def test_a_few_games(pair: Pair) -> None:
    """At every decision both sides know the same moves; at the end, the same returns."""
    met = _many(pair, range(pair.games[0]))
    assert met["games"] + met["unfinished"] == pair.games[0]


@pytest.mark.soak
@pytest.mark.parametrize("pair", [p for p in PAIRS if p.games[1]], ids=lambda pair: pair.label)
def test_many_games(pair: Pair) -> None:
    """As above, many games; the figures are printed."""
    met = _many(pair, range(1000, 1000 + pair.games[1]))
    print(pair.label, dict(sorted(met.items())))
    assert met["games"] + met["unfinished"] == pair.games[1]


@pytest.mark.parametrize(
    ("pair", "games", "sets"), SMALL, ids=lambda each: getattr(each, "label", "")
)
def test_every_game(pair: Pair, games: int, sets: int) -> None:
    """All histories agree; there are as many games and information sets as is known."""
    met, seen = walk_everywhere(pair)
    print(pair.label, dict(sorted(met.items())))
    assert (met["games"], len(seen.decided)) == (games, sets)


DIFFERENT = (
    Pair("y", "y(board_size=7)", same, {"size": 7, "swap": True}),
    Pair("oware", "oware", house, {"slam": "takes_all"}),
    Pair("leduc_poker", "leduc_poker", leduc, {"cap": 3}),
    Pair("phantom_tic_tac_toe", "phantom_ttt(gameversion=abrupt)", row_column),
    Pair("goofspiel", "goofspiel(num_cards=4)", last_number, {"suit": 4, "tied": "carried_over"}),
    Pair("leduc_poker", "leduc_poker", leduc, returns=scores, sight=known),
)
"""Pairs that differ in a rule; in the last, one view is to tell as much as all together."""


@pytest.mark.parametrize("pair", DIFFERENT, ids=lambda pair: pair.label)
def test_a_different_rule_is_noticed(pair: Pair) -> None:
    """The comparison can fail."""
    with pytest.raises(AssertionError):
        _many(pair, range(200))
