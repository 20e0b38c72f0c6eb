"""Hands, counters and variables of a position, read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ludeme.check.program import Variable
from ludeme.diagnostics import Note, Span
from ludeme.kernel.types import Type
from ludeme.machine import Cells, Machine
from ludeme.machine.layout import VariableSlots
from ludeme.machine.notation import labels
from ludeme.view.lines import Faults, Line, Word, Words, parted, span_of, text_of
from ludeme.view.write import COUNTERS, empty_word, index_labels, is_member, likely_age

MOST_IN_HAND = 4096
MOST_COUNTED = 10**9


@attrs.frozen
class Said:
    """A value and where it is said. *turns*: how many it has left, if that is said."""

    value: int
    span: Span
    turns: int | None


class ValueReader:
    """Collects what lines say of hands, counters and variables, and writes it into a state."""

    def __init__(self, machine: Machine, faults: Faults) -> None:
        self.machine = machine
        self.program = machine.program
        self.layout = machine.layout
        self.faults = faults
        self.said: dict[tuple[str, int, int | None], Said] = {}
        """By variable, number of its slot, and index in it."""
        self.flags: dict[tuple[str, int, int], Span] = {}
        """By variable, layer and site."""
        self.ages: dict[tuple[str, int], tuple[int, Span]] = {}
        self.hands: dict[int, tuple[dict[int, int], Span]] = {}
        self.counters: dict[str, tuple[tuple[int, ...], Span]] = {}

    # ---- names

    def player(self, word: Word) -> int | None:
        """The player that a word names."""
        if word.text in self.program.players:
            return self.program.players.index(word.text)
        self.faults.unknown("player", word, self.program.players)
        return None

    def kind(self, word: Word) -> int | None:
        """The kind of piece that a word names."""
        if word.text in self.program.kinds:
            return self.program.kinds.index(word.text)
        self.faults.unknown("kind of piece", word, self.program.kinds)
        return None

    def site(self, word: Word) -> int | None:
        """The site that a word names."""
        site = self.program.board.index.get(word.text)
        if site is None:
            self.faults.unknown("site", word, self.program.board.names)
        return site

    # ---- values

    def value(self, type_: Type, variable: Variable, words: Words, place: Span) -> int | None:
        """The value that some words are; *place* is where it is missed if there are none."""
        if type_.kind == "set":
            return self.set_value(type_, variable, words, place)
        if not words:
            self.faults.add("position", place, f"a value of `{variable.name}` is missing here")
            return None
        if len(words) > 1:
            self.faults.add(
                "position",
                span_of(words),
                f"`{text_of(words)}` is more than one value",
                "part values by commas",
            )
            return None
        return self.single(type_, variable, words[0])

    def single(self, type_: Type, variable: Variable, word: Word) -> int | None:
        """The value of one word."""
        if type_.kind == "number":
            return self.number(word, f"`{variable.name}`", variable.low, variable.high)
        known = ("false", "true") if type_.kind == "truth" else labels(self.program, type_)
        assert known is not None, type_
        if word.text in known:
            return known.index(word.text)
        what = type_.name if type_.kind == "choice" else type_.kind
        self.faults.unknown(f"value of `{what}`" if type_.kind == "choice" else what, word, known)
        return None

    def number(self, word: Word, what: str, low: int, high: int) -> int | None:
        """A number within its bounds; *what* is how messages call it."""
        number = word.number
        if number is None:
            self.faults.add("position", word.span, f"{what} is a number, and `{word.text}` is none")
        elif not low <= number <= high:
            self.faults.add(
                "range", word.span, f"{what} goes from {low} to {high}; {number} is outside"
            )
            return None
        return number

    def set_value(self, type_: Type, variable: Variable, words: Words, place: Span) -> int | None:
        """A set: its members one after the other."""
        element = type_.element
        assert element is not None
        empty = empty_word(lambda word: is_member(self.program, type_, word))
        if [word.text for word in words] == [empty]:
            return 0
        if not words:
            self.faults.add(
                "position",
                place,
                f"a value of `{variable.name}` is missing here",
                f"the empty set is written `{empty}`",
            )
            return None
        bounds = attrs.evolve(variable, low=0, high=MOST_IN_HAND - 1)
        members = [self.single(element, bounds, word) for word in words]
        if any(member is None for member in members):
            return None
        return sum(1 << member for member in {m for m in members if m is not None})

    # ---- variables

    def line(self, line: Line, variable: Variable) -> None:
        """What a line says of a variable of the game, of players or of sites."""
        assert line.rest is not None
        if variable.planned:
            self.faults.add(
                "position",
                line.span,
                f"`{variable.name}` is planned within a turn; there is nothing in it when the turn"
                " begins",
            )
            return
        head = self.head(line, variable)
        if head is None:
            return
        number, turns = head
        if variable.is_flag:
            self.flag(line, variable, turns)
        elif variable.owner == "game" and variable.index is None:
            value = self.value(variable.type, variable, line.rest, line.end)
            self.note(variable, 0, None, value, line.span, turns)
        else:
            self.entries(line, variable, number, turns)

    def head(self, line: Line, variable: Variable) -> tuple[int | None, int | None] | None:
        """Whose values a line gives, and the turns that they have left; None if it is wrong."""
        words = list(line.key[1:])
        number: int | None = None
        indexed = variable.owner == "player" and variable.index is not None
        if len(words) >= 2 and words[0].text == "of" and indexed:
            number = self.player(words[1])
            if number is None:
                return None
            words = words[2:]
        elif indexed:
            self.faults.add(
                "position",
                span_of(line.key),
                f"this does not say whose `{variable.name}` it is",
                f"for example `{variable.name} of {self.program.players[0]}: ...`",
            )
            return None
        if not words:
            return number, None
        turns = self.turns_left(words, variable)
        return None if turns is None else (number, turns)

    def turns_left(self, words: Words, variable: Variable) -> int | None:
        """The number in ``, 2 turns left`` or ``2 turns left``."""
        rest = list(words[1:]) if words[0].text == "," else list(words)
        texts = [word.text for word in rest]
        if len(rest) != 3 or texts[1] not in ("turn", "turns") or texts[2] != "left":
            self.faults.add(
                "position",
                span_of(words),
                f"`{text_of(words)}` cannot be understood behind `{variable.name}`",
                f"for example `{variable.name}, 1 turn left`"
                if variable.lasting is not None
                else f"write `{variable.name}: ...`",
            )
            return None
        if variable.lasting is None:
            self.faults.add(
                "position", span_of(rest), f"`{variable.name}` lasts; it has no turns left"
            )
            return None
        least = 0 if variable.owner == "piece" and not variable.is_flag else 1
        number = rest[0].number
        if number is None or not least <= number <= variable.lasting + 1:
            self.faults.add(
                "range",
                rest[0].span,
                f"`{variable.name}` has {least} to {variable.lasting + 1} turns left",
            )
            return None
        return number

    def flag(self, line: Line, variable: Variable, turns: int | None) -> None:
        """The sites of a flag, parted by blanks or commas."""
        assert line.rest is not None
        layer = layer_of(variable, turns)
        for word in line.rest:
            site = self.site(word) if word.text != "," else None
            if site is None:
                continue
            place = (variable.name, layer, site)
            if place in self.flags:
                self.faults.twice(word.span, f"`{variable.name}` of {word.text}", self.flags[place])
            self.flags[place] = word.span
        self.empty(line, variable)

    def empty(self, line: Line, variable: Variable) -> None:
        if not line.rest:
            self.faults.add("position", line.end, f"the sites of `{variable.name}` are missing")

    def entries(
        self, line: Line, variable: Variable, number: int | None, turns: int | None
    ) -> None:
        """Values, each behind what it belongs to."""
        assert line.rest is not None
        for part in parted(line.rest):
            if not part:
                self.faults.add("position", line.span, "nothing stands between two commas")
                continue
            entry = self.entry(variable, part)
            if entry is None:
                continue
            key, value = entry
            if variable.owner == "player" and variable.index is None:
                self.note(variable, key, None, value, span_of(part), turns)
            else:
                self.note(variable, number or 0, key, value, span_of(part), turns)
        if variable.owner == "player" and variable.index is None:
            self.missing_entries(line, variable)
        elif line.rest or turns is not None:
            self.age(variable, number or 0, turns, line.span)
        else:
            self.missing_entries(line, variable)

    def missing_entries(self, line: Line, variable: Variable) -> None:
        if not line.rest:
            self.faults.add("position", line.end, f"the values of `{variable.name}` are missing")

    def entry(self, variable: Variable, part: Words) -> tuple[int, int | None] | None:
        """The index and the value of one entry."""
        keys = index_labels(self.program, variable)
        if part[0].text not in keys:
            what = "site" if keys is self.program.board.names else "player"
            what = "kind of piece" if variable.index == "kind" else what
            self.faults.unknown(what, part[0], keys)
            return None
        if variable.type.kind == "truth" and len(part) == 1:
            return keys.index(part[0].text), 1
        after = Span(part[0].span.source, part[0].span.end, part[0].span.end)
        value = self.value(variable.type, variable, part[1:], after)
        return keys.index(part[0].text), value

    def note(
        self,
        variable: Variable,
        number: int,
        index: int | None,
        value: int | None,
        span: Span,
        turns: int | None,
    ) -> None:
        """Keep a value, unless it is said already; None is one that could not be read."""
        place = (variable.name, number, index)
        if place in self.said:
            self.faults.twice(span, self.spoken(variable, number, index), self.said[place].span)
        elif value is not None:
            self.said[place] = Said(value, span, turns)

    def spoken(self, variable: Variable, number: int, index: int | None) -> str:
        """A variable with what it is of."""
        text = f"`{variable.name}`"
        if variable.owner == "player":
            text += f" of {self.program.players[number]}"
        if index is not None:
            text += f" of {index_labels(self.program, variable)[index]}"
        return text

    def age(self, variable: Variable, number: int, turns: int | None, span: Span) -> None:
        """The turns that all values in one slot have left."""
        if turns is None:
            return
        before = self.ages.get((variable.name, number))
        if before is not None and before[0] != turns:
            self.faults.add(
                "said-twice",
                span,
                f"all that `{variable.name}` holds has the same number of turns left",
                None,
                [Note(before[1], f"here it is {before[0]}")],
            )
        self.ages[variable.name, number] = (turns, span)

    # ---- hands and counters

    def hand(self, line: Line) -> None:
        """The whole hand of a player."""
        assert line.rest is not None
        if not any(self.program.hands):
            self.faults.add("position", line.span, "no player has a hand in this game")
            return
        if len(line.key) != 3:
            self.faults.add(
                "position",
                span_of(line.key),
                "this does not say whose hand it is",
                f"for example `hand of {self.program.players[0]}: ...`",
            )
            return
        player = self.player(line.key[2])
        if player is None:
            return
        if player in self.hands:
            name = self.program.players[player]
            self.faults.twice(span_of(line.key), f"the hand of {name}", self.hands[player][1])
            return
        held: dict[int, int] = {}
        if [word.text for word in line.rest] != ["nothing"]:
            self.holdings(line, held)
        self.hands[player] = (held, span_of(line.key))

    def holdings(self, line: Line, held: dict[int, int]) -> None:
        assert line.rest is not None
        if not line.rest:
            self.faults.add(
                "position",
                line.end,
                "this does not say what is in the hand",
                "an empty hand is written `nothing`",
            )
        spans: dict[int, Span] = {}
        for part in parted(line.rest):
            if len(part) != 2:
                span = span_of(part) if part else line.span
                self.faults.add("position", span, "a hand is written `3 ring, 1 small`")
                continue
            count = self.number(part[0], "what a hand holds of a kind", 0, MOST_IN_HAND)
            kind = self.kind(part[1])
            if kind is None:
                continue
            if kind in spans:
                self.faults.twice(span_of(part), f"the count of {part[1].text}", spans[kind])
            spans[kind] = span_of(part)
            held[kind] = count or 0

    def counter(self, name: str) -> Callable[[Line], None]:
        """What reads the lines of one counter."""

        def read(line: Line) -> None:
            assert line.rest is not None
            phrase = COUNTERS[name]
            if name not in self.layout.counters:
                self.faults.add(
                    "position",
                    line.span,
                    f"no rule of this game asks for `{phrase}`",
                    "drop this line",
                )
                return
            if name in self.counters:
                self.faults.twice(line.span, f"`{phrase}`", self.counters[name][1])
                return
            values = self.passed(line) if name == "passed" else self.count(line, name)
            self.counters[name] = (values, line.span)

        return read

    def count(self, line: Line, name: str) -> tuple[int, ...]:
        assert line.rest is not None
        if len(line.rest) != 1:
            span = span_of(line.rest) if line.rest else line.end
            self.faults.add("position", span, f"`{COUNTERS[name]}` is one number")
            return (0,)
        # Each player in turn can be passed over once before somebody must have a move.
        most = len(self.program.players) if name == "skips" else MOST_COUNTED
        return (self.number(line.rest[0], f"`{COUNTERS[name]}`", 0, most) or 0,)

    def passed(self, line: Line) -> tuple[int, ...]:
        assert line.rest is not None
        values = [0] * len(self.program.players)
        if not line.rest:
            self.faults.add("position", line.end, "this does not say who passed")
        for word in line.rest:
            player = self.player(word) if word.text != "," else None
            if player is not None:
                values[player] = 1
        return tuple(values)

    # ---- into a state

    def fill(self, cells: Cells) -> None:
        """Write what was said into a blank state."""
        for player, (held, _) in self.hands.items():
            kinds = len(self.program.kinds)
            first = self.layout.hands + player * kinds
            cells[first : first + kinds] = [held.get(kind, 0) for kind in range(kinds)]
        for counter, (values, _) in self.counters.items():
            slot = self.layout.counters[counter]
            cells[slot : slot + len(values)] = values
        for name, layer, site in self.flags:
            cells[self.layout.variables[name].first + layer] |= 1 << site
        for (name, number, index), said in self.said.items():
            slot = self.layout.variables[name].first + number
            cells[slot] = _with(cells[slot], index, said.value)
        for slots in self.layout.variables.values():
            if slots.ages is not None and slots.variable.owner != "piece":
                self.fill_ages(cells, slots)

    def fill_ages(self, cells: Cells, slots: VariableSlots) -> None:
        """The turns left of each slot: what is said, else what the description gives."""
        assert slots.ages is not None
        variable = slots.variable
        for number in range(slots.count):
            value = cells[slots.first + number]
            values = value if isinstance(value, tuple) else (value,)
            said = self.said.get((variable.name, number, None))
            turns = said.turns if said is not None else None
            if (variable.name, number) in self.ages:
                turns = self.ages[variable.name, number][0]
            likely = likely_age(slots, any(v != variable.initial for v in values))
            cells[slots.ages + number] = likely if turns is None else turns


def layer_of(variable: Variable, turns: int | None) -> int:
    """The layer of a flag that has so many turns left; None: as many as the description gives."""
    if variable.lasting is None:
        return 0
    return (variable.lasting if turns is None else turns) - 1


def _with(old: Any, index: int | None, value: int) -> Any:
    return value if index is None else (*old[:index], value, *old[index + 1 :])
