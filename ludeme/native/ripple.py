"""Numbers of many sites at once, a plane for each bit; see `ludeme.native.planes`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import attrs

from ludeme.native.planes import Elsewhere, Frame, Plane

WIDEST = 20
"""The bits of a number at most."""


@attrs.frozen(eq=False)
class Number:
    """The bits of a number in two's complement, the lowest first and the sign last."""

    bits: Sequence[Plane]


class Numbers:
    """Reckons with numbers by their bits, those of all sites side by side."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def less(self, a: Number, b: Number) -> Plane:
        """Where one number is smaller, bit by bit from the lowest."""
        frame = self.frame
        *pairs, (sign, other) = side_by_side(a, b)
        found: Plane = False
        for x, y in [*pairs, (other, sign)]:
            unlike = frame.differ(x, y)
            found = frame.pick(unlike, y, found)
        return found

    def same(self, a: Number, b: Number) -> Plane:
        """Where two numbers are equal."""
        unlike = [self.frame.differ(x, y) for x, y in side_by_side(a, b)]
        return self.frame.inverse(self.frame.any_of(unlike))

    def picked(self, condition: Plane, then: Number, otherwise: Number) -> Number:
        """One number or another."""
        pairs = side_by_side(then, otherwise)
        return Number([self.frame.pick(condition, a, b) for a, b in pairs])

    def complement(self, a: Number) -> Number:
        """Every bit turned round."""
        return Number([self.frame.inverse(bit) for bit in a.bits])

    def sum(self, a: Number, b: Number, carry: Plane = False) -> Number:
        """The sum of two numbers, and one more with a carry."""
        frame, bits = self.frame, []
        # One bit more, so that the sign is right.
        longest = max(len(a.bits), len(b.bits)) + 1
        for x, y in zip(extended(a, longest), extended(b, longest), strict=True):
            unlike = frame.differ(x, y)
            bits.append(frame.differ(unlike, carry))
            carry = frame.either(frame.both(x, y), frame.both(unlike, carry))
        return shortened(bits)

    def total(self, numbers: Sequence[Number]) -> Number:
        """The sum of many, in pairs."""
        if not numbers:
            return constant(0)
        while len(numbers) > 1:
            pairs = zip_longest(numbers[::2], numbers[1::2])
            numbers = [a if b is None else self.sum(a, b) for a, b in pairs]
        return numbers[0]


def width_of(low: int, high: int) -> int:
    """The bits of numbers in a range, with their sign."""
    width = 1 + max(max(high, 0).bit_length(), (~min(low, -1)).bit_length())
    if width > WIDEST:
        raise Elsewhere
    return width


def constant(value: int) -> Number:
    """A number that is known beforehand."""
    width = width_of(value, value)
    return Number([bool(value >> i & 1) for i in range(width)])


def extended(number: Number, length: int) -> list[Plane]:
    """The same number with more bits."""
    return [*number.bits, *[number.bits[-1]] * (length - len(number.bits))]


def side_by_side(a: Number, b: Number) -> list[tuple[Plane, Plane]]:
    """The bits of two numbers, as many of each."""
    length = max(len(a.bits), len(b.bits))
    return list(zip(extended(a, length), extended(b, length), strict=True))


def shortened(bits: Sequence[Plane]) -> Number:
    """A number without signs that only repeat."""
    bits = list(bits)
    while len(bits) > 1 and bits[-1] is bits[-2]:
        bits.pop()
    if len(bits) > WIDEST:
        raise Elsewhere
    return Number(bits)
