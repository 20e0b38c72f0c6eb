"""The prints of runs, from the trails that machine code leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludeme.check import program
from ludeme.kernel.types import Type
from ludeme.machine.bits import members
from ludeme.machine.notation import label, labels
from ludeme.native.memory import Memory

Value = Callable[[Sequence[int], int], str]
"""What makes the text of a value, from the words of a trail and the place of the value's own."""
Line = Callable[[Sequence[int], int], str]
"""What makes the text of a printed line, from the words and the place of the line's head."""


class Words:
    """Writes trails out as texts."""

    def __init__(self, memory: Memory) -> None:
        assert memory.trail is not None
        self.memory = memory
        found = [self._line(line) for line in memory.trail.says]
        self.sizes = [size for size, _ in found]
        self.lines = [line for _, line in found]

    def text(self, words: Sequence[int], start: int, stop: int, joiner: str) -> str:
        """The print of the run whose trail stands from *start* to *stop*."""
        if start == stop:
            return ""
        number = words[start]
        text, start = self.lines[number](words, start), start + self.sizes[number]
        while start < stop:
            number = words[start]
            text += joiner + self.lines[number](words, start)
            start += self.sizes[number]
        return text

    def _line(self, line: program.Say) -> tuple[int, Line]:
        """How many words a printed line takes, its own number included, and what writes it."""
        place = 1
        texts, values, places = [""], [], []
        for part in line.parts:
            if isinstance(part, str):
                texts[-1] += part
                continue
            size = self.memory.print_size(part)
            values.append(self._value(part.type, size))
            places.append(place)
            texts.append("")
            place += size
        return place, _written(texts, values, places)

    def _value(self, type_: Type, size: int) -> Value:
        """What writes a value that takes so many words."""
        described = self.memory.program
        if type_.kind == "set":
            element = type_.element
            assert element is not None

            def whole(words: Sequence[int], at: int) -> str:
                mask = 0
                for number in range(size):
                    mask |= (words[at + number] & (1 << 64) - 1) << 64 * number
                return " ".join(label(described, element, member) for member in members(mask))

            return whole
        names = labels(described, type_)
        if type_.kind == "truth":
            names = ("false", "true")
        if names is None:
            return lambda words, at: str(words[at])
        known = names
        return lambda words, at: known[words[at]]


def _written(texts: Sequence[str], values: Sequence[Value], places: Sequence[int]) -> Line:
    """What writes texts with values between them; quick for lines of few values."""
    if not values:
        return lambda words, at: texts[0]
    if len(values) == 1:
        (before, after), (value,), (place,) = texts, values, places
        return lambda words, at: before + value(words, at + place) + after

    def line(words: Sequence[int], at: int) -> str:
        text = texts[0]
        for value, place, after in zip(values, places, texts[1:], strict=True):
            text += value(words, at + place) + after
        return text

    return line


__all__ = ["Words"]
