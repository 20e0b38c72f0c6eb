"""Sets as integers, one bit for each member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb


def members(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def nth(mask: int, index: int) -> int:
    """Member number *index* of a set, from 0, ascending."""
    for _ in range(index):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def combinations_between(size: int, low: int, high: int) -> int:
    """How many subsets of *low* to *high* members a set of *size* members has."""
    return sum(comb(size, chosen) for chosen in range(max(low, 0), min(high, size) + 1))


def unrank(items: Sequence[int], low: int, high: int, rank: int) -> int:
    """Subset number *rank* of *items*: small subsets first, those of one size in order.

    The order of equal sizes is that of `itertools.combinations`.
    """
    size = max(low, 0)
    while rank >= comb(len(items), size):
        rank -= comb(len(items), size)
        size += 1
    mask = 0
    position = 0
    left = size
    while left:
        below = comb(len(items) - position - 1, left - 1)
        if rank < below:
            mask |= 1 << items[position]
            left -= 1
        else:
            rank -= below
        position += 1
    return mask
