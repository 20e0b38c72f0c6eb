"""Numbers that stand for values, the same in every process and on every back end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from ludeme.check import program
from ludeme.machine.layout import Cells, Layout, Result
from ludeme.machine.random import GAMMA, mix

MASK = (1 << 64) - 1
PLACE = 0xA0761D6478BD642F


def scatter(place: int, value: object) -> int:
    """A scattered number of a value at a place, 0 for what is naught; to be added up."""
    if not value:
        return 0
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, int):
        total = 0
        sign = 1 if value < 0 else 0
        value = abs(value)
        word = 0
        while value:
            low = value & MASK
            if low:
                seed = (place * PLACE + word * 2 + sign) & MASK
                total += mix((mix(seed) ^ low) & MASK)
            value >>= 64
            word += 1
        return total
    if isinstance(value, str):
        return mix(
            (place * PLACE) & MASK ^ int.from_bytes(blake2b(value.encode(), digest_size=8).digest())
        )
    if isinstance(value, Result):
        winner = -1 if value.winner is None else value.winner + 1
        return scatter(place, (value.name, winner, value.scores or (), value.ranks or ()))
    assert isinstance(value, tuple), value
    # The length counts too: a piece whose owner and kind are both number 0 is not nothing.
    return scatter(place, len(value)) + sum(
        scatter((place * PLACE + index + 1) & MASK, member) for index, member in enumerate(value)
    )


KeyOf = Callable[[Cells], Any]


def memory_key(
    layout: Layout, compile_: Callable[[program.Expression], KeyOf], memory: program.Memory
) -> KeyOf:
    """The function that gives the key of a position under one memory.

    The sum of the scattered numbers of what must be the same, each at its slot: the sets of
    sites of each owner and of each kind, the owners and kinds below the top ones; the hands and
    the mover if the memory is of the whole position; then its values behind the last slot.
    """
    slots = [*range(layout.owners, layout.kinds + len(layout.program.kinds))]
    if memory.whole:
        players, kinds = len(layout.program.players), len(layout.program.kinds)
        slots += range(layout.hands, layout.hands + players * kinds * any(layout.program.hands))
        slots.append(layout.mover)
    values = [compile_(value) for value in memory.values]
    salt = mix((memory.number + 1) * GAMMA & MASK)
    buried, behind = layout.buried, layout.length

    def key(c: Cells) -> int:
        total = salt
        for slot in slots:
            total += scatter(slot, c[slot])
        if buried is not None:
            total += scatter(buried, tuple(tuple(p[:2] for p in pile) for pile in c[buried]))
        for number, value in enumerate(values):
            total += scatter(behind + number, value(c))
        return total & MASK

    return key


def times(known: Sequence[int], key: int) -> int:
    """How often a key is among rising keys."""
    return bisect_right(known, key) - bisect_left(known, key)
