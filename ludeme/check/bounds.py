"""The least and greatest that a value can be, and what arithmetic makes of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs


@attrs.frozen
class Bounds:
    """The most that a value can be.

    *low* and *high*: of a number, or of the numbers in a set. *size*: members of a set or family.
    *part*: members of each set of a family.
    """

    low: int = 0
    high: int = 0
    size: int = 1
    part: int = 0

    def join(self, other: Bounds) -> Bounds:
        """Either of two."""
        return Bounds(
            min(self.low, other.low),
            max(self.high, other.high),
            max(self.size, other.size),
            max(self.part, other.part),
        )


def _corners(
    a: Bounds, b: Bounds, operate: Callable[[int, int], int], seconds: Iterable[int]
) -> Bounds:
    values = [operate(x, y) for x in (a.low, a.high) for y in seconds]
    return Bounds(min(values), max(values))


def _times(a: Bounds, b: Bounds) -> Bounds:
    return _corners(a, b, lambda x, y: x * y, (b.low, b.high))


def _divided(a: Bounds, b: Bounds) -> Bounds:
    divisors = [d for d in {b.low, b.high, -1, 1} if d and b.low <= d <= b.high]
    return _corners(a, b, lambda x, y: x // y, divisors or [1])


def _rest(a: Bounds, b: Bounds) -> Bounds:
    high = max(0, b.high - 1)
    if a.low >= 0 and b.low >= 0:
        high = min(high, a.high)
    return Bounds(min(0, b.low + 1), high)


def _absolute(a: Bounds) -> Bounds:
    least = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Bounds(least, max(abs(a.low), abs(a.high)))


ARITHMETIC: dict[str, Callable[..., Bounds]] = {
    "+": lambda a, b: Bounds(a.low + b.low, a.high + b.high),
    "-": lambda a, b: Bounds(a.low - b.high, a.high - b.low),
    "*": _times,
    "/": _divided,
    "mod": _rest,
    "negative": lambda a: Bounds(-a.high, -a.low),
    "min": lambda a, b: Bounds(min(a.low, b.low), min(a.high, b.high)),
    "max": lambda a, b: Bounds(max(a.low, b.low), max(a.high, b.high)),
    "abs": _absolute,
}
"""The bounds of a result of each operator, from those of its operands."""
