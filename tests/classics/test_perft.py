"""Counts that others have published: sequences of decisions, and positions that can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import probe
import pytest
from perft.tables import Count, independent_perft, read

from ludeme import State, load

COUNTS = [count for path in sorted(Path(__file__).parent.glob("*.perft")) for count in read(path)]


def _check(count: Count) -> None:
    state = load(count.game, **dict(count.options)).start()
    for decision in count.after.split("; ") if count.after else []:
        state = state.play(decision)
    assert state.perft(count.depth) == count.count, count.label


@pytest.mark.parametrize("count", [c for c in COUNTS if not c.slow], ids=lambda c: c.label)
def test_counts(count: Count) -> None:
    """There are as many sequences as the table says."""
    _check(count)


@pytest.mark.soak
@pytest.mark.parametrize("count", [c for c in COUNTS if c.slow], ids=lambda c: c.label)
def test_slow_counts(count: Count) -> None:
    """There are as many sequences as the table says, deeper down."""
    _check(count)


@pytest.mark.soak
@pytest.mark.parametrize(
    "count", [c for c in COUNTS if c.table == "independent.perft"], ids=lambda c: c.label
)
def test_the_rules_written_apart_count_the_same(count: Count) -> None:
    """No count of that table is the engine's own."""
    start = import_module(f"independent.{count.game}").start(**dict(count.options))
    assert independent_perft(start, count.depth) == count.count


def _layers(game: str, depth: int) -> Iterator[list[State]]:
    """The different positions after 0, 1, … decisions."""
    layer = [load(game).start()]
    yield layer
    for _ in range(depth):
        after = (state.play(move) for state in layer if state.to_move for move in state.moves())
        layer = list({state.key: state for state in after}.values())
        yield layer


def test_connect_four_positions() -> None:
    """Legal positions after n plies: OEIS A212693, after John Tromp."""
    assert [len(layer) for layer in _layers("connect_four", 5)] == [1, 7, 49, 238, 1120, 4263]


@pytest.mark.soak
def test_more_connect_four_positions() -> None:
    """As above, further down."""
    counts = [len(layer) for layer in _layers("connect_four", 8)]
    assert counts[6:] == [16422, 54859, 184275]


def _looks(state: State) -> frozenset[frozenset[tuple[int, int, str]]]:
    """A board of nine cells in all the ways that it can be turned and mirrored."""
    stones = {
        ("abc".index(cell[0]), int(cell[1]) - 1, owner)
        for cell, ((owner, _),) in probe.board(state).items()
    }
    looks = []
    for _ in range(4):
        stones = {(2 - row, column, owner) for column, row, owner in stones}
        looks += [frozenset(stones), frozenset((2 - c, r, owner) for c, r, owner in stones)]
    return frozenset(looks)


def test_tic_tac_toe_positions() -> None:
    """Legal positions after n plies, up to rotation and reflection: OEIS A008907."""
    counts = [len({_looks(state) for state in layer}) for layer in _layers("tic_tac_toe", 9)]
    assert counts == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
