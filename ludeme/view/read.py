"""A position text, read."""

from __future__ import annotations

import re
from collections.abc import Callable

from ludeme.check import value_text
from ludeme.diagnostics import DescriptionError, Source, Span
from ludeme.machine import Cells, Machine
from ludeme.machine.layout import blank
from ludeme.view.lines import (
    Faults,
    Line,
    TooManyFaultsError,
    Word,
    lines_of,
    parted,
    span_of,
    text_of,
)
from ludeme.view.read_pieces import PieceReader
from ludeme.view.read_place import PlaceReader
from ludeme.view.read_values import ValueReader
from ludeme.view.write import COUNTERS, EARLIER, plain_title

_KEY = re.compile("k[0-9a-f]{16}")


class Reader:
    """Reads one position; every kind of line has a part of its own."""

    def __init__(self, machine: Machine, text: str) -> None:
        self.machine = machine
        self.program = machine.program
        self.source = Source("position", text)
        self.faults = Faults(self.source)
        self.header: Span | None = None
        self.values = ValueReader(machine, self.faults)
        self.pieces = PieceReader(machine, self.faults, self.values)
        self.place = PlaceReader(machine, self.faults)
        self.phrases: dict[tuple[str, ...], Callable[[Line], None]] = {
            ("to", "move"): self.place.to_move,
            ("game", "over"): self.place.game_over,
        }
        self.earlier: tuple[list[int], Span] | None = None
        self.phrases[tuple(EARLIER.split())] = self.earlier_positions
        for counter, phrase in COUNTERS.items():
            self.phrases[tuple(phrase.split())] = self.values.counter(counter)

    def read(self) -> Cells:
        """The state, or DescriptionError with all faults."""
        try:
            cells = self.cells()
        except TooManyFaultsError:
            cells = []
        if self.faults:
            raise DescriptionError(self.faults.sorted())
        return cells

    def cells(self) -> Cells:
        """The state as far as it can be made out."""
        for line in lines_of(self.source):
            self.line(line)
        cells = blank(self.machine.layout)
        self.values.fill(cells)
        self.pieces.fill(cells)
        if not self.faults:
            self.place.fill(cells, self.values.said)
            self.history(cells)
        return cells

    def history(self, cells: Cells) -> None:
        """The positions that there were: the first is this one unless others are named."""
        slot = self.machine.layout.history
        if slot is None or self.faults:
            return
        if self.earlier is None:
            self.machine.begin_history(cells)
        else:
            cells[slot] = tuple(sorted(self.earlier[0]))

    # ---- lines

    def line(self, line: Line) -> None:
        """Note what one line says."""
        if line.words[:2] == ("position", "of") and line.words[:3] != ("position", "of", ":"):
            self.title(line)
        elif line.rest is None:
            self.without_colon(line)
        elif not line.key:
            self.faults.add("position", line.span, "nothing stands before the colon")
        elif line.words in self.phrases:
            self.phrases[line.words](line)
        elif line.words[:2] == ("hand", "of"):
            self.values.hand(line)
        elif line.words[0] in self.machine.layout.variables:
            self.variable(line)
        elif any(word in self.program.board.index for word in line.words):
            self.pieces.line(line)
        else:
            self.unknown(line)

    def earlier_positions(self, line: Line) -> None:
        """The keys of positions."""
        assert line.rest is not None
        memories = len(self.program.memories)
        if not memories:
            message = "no rule of this game asks for earlier positions"
            self.faults.add("position", line.span, message, "drop this line")
            return
        if self.earlier is not None:
            self.faults.twice(line.span, "what positions there were", self.earlier[1])
            return
        for word in line.rest:
            if not _KEY.fullmatch(word.text):
                self.faults.add(
                    "position", word.span, f"`{word.text}` is no key of an earlier position"
                )
                return
        if not line.rest or len(line.rest) % memories:
            kept = "one key" if memories == 1 else f"{memories} keys"
            self.faults.add("position", line.span, f"there is {kept} for each earlier position")
            return
        self.earlier = [int(word.text[1:], 16) for word in line.rest], line.span

    def variable(self, line: Line) -> None:
        """A line about declared state; a flag of pieces may be said of the top ones by sites."""
        variable = self.machine.layout.variables[line.words[0]].variable
        if variable.owner == "piece":
            self.pieces.variable_line(line, variable)
        else:
            self.values.line(line, variable)

    def without_colon(self, line: Line) -> None:
        """A line that can be none of a position."""
        for words in self.phrases:
            if line.words[: len(words)] == words:
                phrase = " ".join(words)
                self.faults.add("position", line.span, f"`{phrase}` has no colon behind it")
                return
        self.faults.add(
            "position",
            line.span,
            f"`{text_of(line.key)}` is no line of a position: there is no colon in it",
            f"for example `{self.example()}`",
        )

    def example(self) -> str:
        """A line of a position of this game."""
        sites = self.program.board.names
        if not sites or not self.program.kinds:
            return f"to move: {self.program.players[0]}"
        return f"{sites[0]}: {self.pieces.example()}"

    def unknown(self, line: Line) -> None:
        """A line about nothing that there is."""
        word = line.key[0]
        if len(line.key) == 1:
            known = [*self.program.board.names, *self.machine.layout.variables]
            self.faults.unknown("site or variable", word, known)
            return
        phrases = [" ".join(words) for words in self.phrases]
        phrases += [f"hand of {player}" for player in self.program.players]
        whole = Word(text_of(line.key), span_of(line.key))
        self.faults.unknown("line of a position", whole, phrases)

    # ---- the game and its options

    def title(self, line: Line) -> None:
        """The header must name this game and its options."""
        if self.header is not None:
            self.faults.twice(line.span, "what game this is", self.header)
            return
        self.header = line.span
        text = " ".join(line.span.text.split()[2:])
        title = plain_title(self.program)
        rest = text[len(title) :].strip()
        if text[: len(title)].casefold() != title.casefold() or (rest and rest[0] != "("):
            name = text.partition(" (")[0]
            self.faults.add(
                "other-game", line.span, f"this is a position of `{name}`, not of `{title}`"
            )
        elif rest:
            words = [*line.key, *(line.rest or ())]
            opening = max(place for place, word in enumerate(words) if word.text == "(")
            self.options(words[opening + 1 :], line)
        else:
            self.compare_options({}, line)

    def options(self, words: list[Word], line: Line) -> None:
        """The options behind the title, in brackets."""
        if not words or words[-1].text != ")":
            self.faults.add("position", line.end, "the bracket of the options is not closed")
            return
        given: dict[str, list[Word]] = {}
        for part in parted(words[:-1]):
            if len(part) < 3 or part[1].text != "=":
                span = span_of(part) if part else line.span
                self.faults.add("position", span, "an option is written `name = value`")
            elif part[0].text not in {option.name for option in self.program.options}:
                names = [option.name for option in self.program.options]
                self.faults.unknown("option", part[0], names)
            elif part[0].text in given:
                first = given[part[0].text]
                self.faults.twice(span_of(part), f"option `{part[0].text}`", span_of(first))
            else:
                given[part[0].text] = part
        self.compare_options(given, line)

    def compare_options(self, given: dict[str, list[Word]], line: Line) -> None:
        """What the header says must be so, and what it leaves out must have its default."""
        for option in self.program.options:
            here = value_text(option, option.value)
            said = value_text(option, option.default)
            span = line.span
            if option.name in given:
                said, span = text_of(given[option.name][2:]), span_of(given[option.name])
            if said != here:
                self.faults.add(
                    "other-options",
                    span,
                    f"this is a position with {option.name} = {said};"
                    f" the game was loaded with {option.name} = {here}",
                    f"load the game with {option.name} = {said}",
                )
