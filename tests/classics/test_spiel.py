"""Random games of the library in lock step with OpenSpiel: same turns, same returns."""

from __future__ import annotations

import importlib.util
from collections import Counter

import pytest

from .spiel import Table, walk
from .tables import TABLES, same

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not installed"
)


def _id(table: Table) -> str:
    return f"{table.label}-{table.spiel}"


@pytest.mark.parametrize("table", [t for t in TABLES if t.games[0]], ids=_id)
def test_a_few_games(table: Table) -> None:
    """At every decision both sides know the same whole turns; at the end, the same winner."""
    for seed in range(table.games[0]):
        walk(table, seed)


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES, ids=_id)
def test_many_games(table: Table) -> None:
    """As above, many games."""
    results: Counter[str] = Counter()
    decisions = moves = 0
    for seed in range(1000, 1000 + table.games[1]):
        played = walk(table, seed)
        results[played.result] += 1
        decisions, moves = decisions + played.decisions, moves + played.moves
    print(f"{_id(table)}: {table.games[1]} games, {decisions} decisions, {moves} moves, {results}")


def test_a_different_rule_is_noticed() -> None:
    """The comparison can fail: a game that may be swapped has one move more."""
    table = Table("y", "y(board_size=7)", same, {"size": 7, "swap": True})
    with pytest.raises(AssertionError, match="only"):
        walk(table, 0)
