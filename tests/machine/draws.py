"""The tree of a draw, walked whole: what a stream of chosen numbers makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ludeme import State
from ludeme.machine.random import Stream
from ludeme.machine.turns import MOST_ATTEMPTS, TurnMoves


class AnotherNumber(Exception):
    """A draw asked for more numbers than it was given: the attempt before had failed."""


class Chosen(Stream):
    """A stream of chosen numbers, which remembers the bounds that it was asked for."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__(0, 0, 0)
        self.numbers: Iterator[int] = iter(numbers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        """The next chosen number."""
        self.bounds.append(bound)
        for number in self.numbers:
            assert 0 <= number < bound, (number, bound)
            return number
        raise AnotherNumber


def turn_of(state: State) -> TurnMoves:
    """The turn that is to be taken."""
    return state.game.machine.turn(state.cells)


def drawn(state: State, numbers: Iterable[int], player: int = 0) -> tuple[str, int, list[int]]:
    """The move that some numbers draw, its estimate of the width, and the bounds asked for."""
    stream = Chosen(numbers)
    turn = turn_of(state)
    found = turn.draw(state.cells, player, stream)
    assert found is not None
    return turn.text(found.cells), found.width, stream.bounds


def chances(state: State, player: int = 0) -> dict[str, Fraction]:
    """The exact chance of each move that can be drawn.

    Every number of the first attempt is tried. If some of them draw a move, what the later attempts
    draw has the same chances among themselves, and the listing after the last has them too.
    """
    total = _first_bound(state, player)
    hits: Counter[str] = Counter()
    misses = []
    for number in range(total):
        try:
            hits[drawn(state, [number], player)[0]] += 1
        except AnotherNumber:
            misses.append(number)
    if misses:
        last = [misses[0]] * MOST_ATTEMPTS
        _same_after_failures(state, player, misses[0], hits, total)
        listed = _listed_after(state, player, last)
        hits = hits or listed
        assert listed.keys() == hits.keys(), (listed, hits)
    return {text: Fraction(count, sum(hits.values())) for text, count in hits.items()}


def _first_bound(state: State, player: int) -> int:
    stream = Chosen([])
    try:
        turn_of(state).draw(state.cells, player, stream)
    except AnotherNumber:
        return stream.bounds[0]
    raise AssertionError("a move was drawn without a number")


def _same_after_failures(
    state: State, player: int, miss: int, hits: Counter[str], total: int
) -> None:
    """A second attempt is made like the first."""
    again: Counter[str] = Counter()
    for number in range(total):
        try:
            text, width, bounds = drawn(state, [miss, number], player)
        except AnotherNumber:
            continue
        assert (width, bounds) == (0, [total, total])
        again[text] += 1
    assert again == hits


def _listed_after(state: State, player: int, misses: list[int]) -> Counter[str]:
    """What is drawn once all attempts have failed: each move of the list once."""
    moves = turn_of(state).moves(state.cells, player)
    listed = [drawn(state, [*misses, number], player) for number in range(len(moves))]
    assert all(bounds[-1] == len(moves) for _, _, bounds in listed)
    assert [text for text, _, _ in listed] == moves
    return Counter(text for text, _, _ in listed)


def mean_width(state: State, player: int = 0) -> Fraction:
    """The exact mean of the estimate of the number of moves, over all that may be drawn."""
    total = _first_bound(state, player)
    mean, missed = Fraction(0), []
    for number in range(total):
        try:
            mean += Fraction(drawn(state, [number], player)[1], total)
        except AnotherNumber:
            missed.append(number)
    if not missed:
        return mean
    share = Fraction(len(missed), total)
    _, width, _ = drawn(state, [missed[0]] * MOST_ATTEMPTS + [0], player)
    return mean + share**MOST_ATTEMPTS * width
