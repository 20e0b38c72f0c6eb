"""Random streams, defined so that every back end draws the same numbers.

A stream is keyed by seed, game number and source, and by nothing else. Number *i* of a stream is
the SplitMix64 finaliser (Steele, Lea and Flood 2014) of its key plus *i* times the golden gamma.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """The finaliser of SplitMix64: a bijection of 64-bit numbers that scatters them."""
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & _MASK
    return value ^ value >> 31


def key(seed: int, game: int, source: int) -> int:
    """The key of a stream. *source*: a player's number; places of chance come behind."""
    value = mix((seed & _MASK) + GAMMA & _MASK)
    value = mix((value ^ game & _MASK) + GAMMA & _MASK)
    return mix((value ^ source) + GAMMA & _MASK)


class Stream:
    """A stream of 64-bit random numbers."""

    __slots__ = ("state",)

    def __init__(self, seed: int, game: int, source: int) -> None:
        self.state = key(seed, game, source)

    def next(self) -> int:
        """The next number, uniform on 64 bits."""
        self.state = (self.state + GAMMA) & _MASK
        return mix(self.state)

    def below(self, bound: int) -> int:
        """A number from 0 to *bound* - 1, exactly uniform.

        The high half of a product, redrawn where the low half would favour small numbers
        (Lemire 2019). Bounds of 2**64 and more take several numbers.
        """
        if bound > _MASK:
            return self._below_large(bound)
        product = self.next() * bound
        low = product & _MASK
        if low < bound:
            threshold = (1 << 64) % bound
            while low < threshold:
                product = self.next() * bound
                low = product & _MASK
        return product >> 64

    def _below_large(self, bound: int) -> int:
        words = (bound.bit_length() + 63) // 64
        limit = (1 << 64 * words) // bound * bound
        while True:
            value = 0
            for _ in range(words):
                value = value << 64 | self.next()
            if value < limit:
                return value % bound
