"""The pieces of a position, read."""

from __future__ import annotations

import attrs

from ludeme.check.program import Variable
from ludeme.diagnostics import Span
from ludeme.machine import Cells, Machine
from ludeme.machine.layout import VariableSlots
from ludeme.view.lines import Faults, Line, Word, Words, parted, span_of, text_of
from ludeme.view.ownership import ownership
from ludeme.view.pieces import Piece, Pile, first_notes, set_piles
from ludeme.view.read_values import ValueReader, layer_of
from ludeme.view.write import likely_age


@attrs.frozen
class TopNote:
    """What a line about a variable says of the top piece of a site."""

    slots: VariableSlots
    place: int
    """Its place among the notes of a piece."""
    value: int
    span: Span


class PieceReader:
    """Collects the pieces of each site, and writes them into a state."""

    def __init__(self, machine: Machine, faults: Faults, values: ValueReader) -> None:
        self.machine = machine
        self.program = machine.program
        self.layout = machine.layout
        self.faults = faults
        self.values = values
        self.allowed = ownership(machine.program)
        self.piles: dict[int, tuple[Pile, Span]] = {}
        self.unclear: set[int] = set()
        """Sites with pieces that could not be read."""
        self.tops: list[tuple[int, TopNote]] = []
        self.noted: dict[tuple[int, int], Span] = {}
        """Where a site and place among notes are said for the top piece."""
        self.ages: dict[str, tuple[int, Span]] = {}

    # ---- the pieces of sites

    def line(self, line: Line) -> None:
        """The pieces of one or several sites."""
        assert line.rest is not None
        faults = len(self.faults.found)
        pile = self.pile(line)
        is_clear = len(self.faults.found) == faults
        for word in line.key:
            site = self.values.site(word) if word.text != "," else None
            if site is None:
                continue
            if site in self.piles:
                self.faults.twice(word.span, f"what stands on {word.text}", self.piles[site][1])
                continue
            if not is_clear:
                self.unclear.add(site)
            self.piles[site] = (tuple(piece for piece, _ in pile), word.span)
            if pile:
                self.noted.update({(site, place): span for place, span in pile[-1][1].items()})
            self.check_height(word, len(pile))

    def check_height(self, word: Word, height: int) -> None:
        limit = self.program.stack_limit
        if height > limit:
            most = "one piece" if limit == 1 else f"up to {limit} pieces"
            self.faults.add(
                "full-site",
                word.span,
                f"{word.text} has {height} pieces; {most} may stand on a site",
            )

    def pile(self, line: Line) -> list[tuple[Piece, dict[int, Span]]]:
        """The pieces behind the colon, each with where its notes are said."""
        assert line.rest is not None
        if [word.text for word in line.rest] == ["empty"]:
            return []
        if not line.rest:
            self.faults.add(
                "position",
                line.end,
                "this does not say what stands here",
                f"for example `{self.example()}`; leave the line out where a site is empty",
            )
        pile = []
        for part in parted(line.rest):
            if not part:
                self.faults.add("position", line.span, "nothing stands between two commas")
                continue
            pile += self.pieces(part)
        return pile

    def pieces(self, part: Words) -> list[tuple[Piece, dict[int, Span]]]:
        """One piece, or several alike if a number stands before it."""
        words = list(part)
        count = 1
        if words[0].number is not None:
            most = self.program.stack_limit
            read = self.values.number(words[0], "the number of pieces on a site", 1, most)
            count = 1 if read is None else read
            words = words[1:]
        opening = next((i for i, word in enumerate(words) if word.text == "("), len(words))
        who = self.owner_and_kind(words[:opening], part)
        notes, spans = self.notes(words[opening:])
        if who is None:
            return []
        return [(Piece(*who, notes), spans)] * count

    # ---- whose and what

    def owner_and_kind(self, words: Words, part: Words) -> tuple[int, int] | None:
        """The owner and kind of a piece; None if they cannot be made out."""
        nobody = len(self.program.players)
        if not words or len(words) > 2:
            self.faults.add(
                "position",
                span_of(words or part),
                f"`{text_of(words or part)}` is no piece",
                f"a piece is written `{self.example()}`",
            )
            return None
        first, last = words[0], words[-1]
        if len(words) == 1 and first.text in self.program.kinds:
            return self.unowned(first)
        if len(words) == 1 and not self.is_owner(first):
            kinds = [*self.program.players, *self.program.kinds]
            self.faults.unknown("player or kind of piece", first, kinds)
            return None
        owner = nobody if first.text == "nobody" else self.values.player(first)
        kind = self.only_kind(first) if len(words) == 1 else self.values.kind(last)
        if owner is None or kind is None or not self.may_own(owner, kind, span_of(words)):
            return None
        return owner, kind

    def is_owner(self, word: Word) -> bool:
        return word.text in self.program.players or word.text == "nobody"

    def only_kind(self, word: Word) -> int | None:
        """The kind of a piece of which the player alone is named."""
        if len(self.program.kinds) == 1:
            return 0
        self.faults.add(
            "position",
            word.span,
            f"this does not say which piece of {word.text} it is",
            f"the kinds of piece are {', '.join(self.program.kinds)}",
        )
        return None

    def unowned(self, word: Word) -> tuple[int, int] | None:
        """A piece without a player before it: a neutral one."""
        kind = self.program.kinds.index(word.text)
        if self.program.neutral >> kind & 1:
            return len(self.program.players), kind
        self.faults.add(
            "owner",
            word.span,
            f"this does not say whose {word.text} it is",
            f"write `{self.program.players[0]} {word.text}`",
        )
        return None

    def may_own(self, owner: int, kind: int, span: Span) -> bool:
        """Whether the rules can bring about such a piece."""
        neutral = bool(self.program.neutral >> kind & 1)
        name = self.program.kinds[kind]
        if owner == len(self.program.players):
            if neutral or self.allowed.unowned:
                return True
            self.faults.add("owner", span, f"a {name} belongs to a player, never to nobody")
            return False
        if not neutral or self.allowed.owned_neutral:
            return True
        self.faults.add(
            "owner", span, f"a {name} is neutral: it belongs to nobody", f"write `{name}`"
        )
        return False

    def example(self) -> str:
        """A piece of this game as it is written."""
        kind = self.program.kinds[0] if self.program.kinds else "stone"
        neutral = bool(self.program.neutral & 1)
        return kind if neutral else f"{self.program.players[0]} {kind}"

    # ---- notes

    def notes(self, words: Words) -> tuple[tuple[int, ...], dict[int, Span]]:
        """What stands in brackets behind a piece: all notes, and where each is said."""
        found = list(first_notes(self.layout))
        spans: dict[int, Span] = {}
        if not words:
            return tuple(found), spans
        if words[-1].text != ")":
            self.faults.add("position", span_of(words), "a bracket is not closed")
            return tuple(found), spans
        for part in parted(words[1:-1]):
            if part:
                self.note_of(part, found, spans)
        return tuple(found), spans

    def note_of(self, part: Words, found: list[int], spans: dict[int, Span]) -> None:
        """One note: a flag, or a name and its value."""
        names = [slots.variable.name for slots in self.layout.piece_variables]
        if part[0].text not in names:
            self.faults.unknown("variable of pieces", part[0], names)
            return
        place = names.index(part[0].text)
        variable = self.layout.piece_variables[place].variable
        if variable.is_flag:
            turns = self.values.turns_left(part[1:], variable) if len(part) > 1 else None
            bit = 1 << layer_of(variable, turns) if turns is not None or len(part) == 1 else 0
            if found[place] & bit:
                self.faults.twice(span_of(part), f"`{variable.name}`", spans[place])
            found[place] |= bit
        else:
            if place in spans:
                self.faults.twice(span_of(part), f"`{variable.name}`", spans[place])
            end = part[-1].span
            after = Span(end.source, end.end, end.end)
            value = self.values.value(variable.type, variable, part[1:], after)
            found[place] = variable.initial if value is None else value
        spans.setdefault(place, span_of(part))

    # ---- lines about variables of pieces

    def variable_line(self, line: Line, variable: Variable) -> None:
        """A flag or values of the top pieces of sites, or the turns that values have left."""
        assert line.rest is not None
        head = self.values.head(line, variable)
        if head is None:
            return
        _, turns = head
        names = [slots.variable.name for slots in self.layout.piece_variables]
        place = names.index(variable.name)
        slots = self.layout.piece_variables[place]
        if not variable.is_flag and turns is not None:
            self.age(line, variable, turns)
        if not line.rest and (turns is None or variable.is_flag):
            self.values.empty(line, variable)
        if variable.is_flag:
            bit = 1 << layer_of(variable, turns)
            for word in line.rest:
                site = self.values.site(word) if word.text != "," else None
                if site is not None:
                    self.tops.append((site, TopNote(slots, place, bit, word.span)))
            return
        for part in parted(line.rest):
            entry = self.values.entry(variable, part) if part else None
            if entry is not None and entry[1] is not None:
                self.tops.append((entry[0], TopNote(slots, place, entry[1], span_of(part))))

    def age(self, line: Line, variable: Variable, turns: int) -> None:
        if variable.name in self.ages:
            first = self.ages[variable.name][1]
            self.faults.twice(line.span, f"how long `{variable.name}` lasts", first)
        self.ages[variable.name] = (turns, line.span)

    # ---- into a state

    def fill(self, cells: Cells) -> None:
        """Write the pieces into a blank state."""
        found = [self.piles[site][0] if site in self.piles else () for site in self.sites()]
        for site, note in self.tops:
            found[site] = self.with_note(found[site], site, note)
        if self.faults:
            return
        set_piles(self.layout, cells, found)
        for slots in self.layout.piece_variables:
            if slots.ages is not None:
                differs = any(v != slots.variable.initial for v in cells[slots.first])
                said = self.ages.get(slots.variable.name)
                cells[slots.ages] = likely_age(slots, differs) if said is None else said[0]

    def sites(self) -> range:
        """All sites."""
        return range(len(self.program.board.names))

    def with_note(self, pile: Pile, site: int, note: TopNote) -> Pile:
        """The pile with something more noted on its top piece."""
        name = self.program.board.names[site]
        variable = note.slots.variable
        if not pile and site in self.unclear:
            return pile
        if not pile:
            self.faults.add(
                "no-piece",
                note.span,
                f"no piece stands on {name} that could have `{variable.name}`",
                "each piece has it, not each site",
            )
            return pile
        top, place = pile[-1], note.place
        first = self.noted.setdefault((site, place), note.span)
        if first is not note.span and (not variable.is_flag or top.notes[place] & note.value):
            self.faults.twice(note.span, f"`{variable.name}` of {name}", first)
        value = top.notes[place] | note.value if variable.is_flag else note.value
        notes = (*top.notes[:place], value, *top.notes[place + 1 :])
        return (*pile[:-1], attrs.evolve(top, notes=notes))
