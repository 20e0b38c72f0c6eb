"""What lines may change in a state, and the copies that put it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I8, Field
from ludeme.native.pieces import Pieces


class Written(Pieces):
    """Tells what lines write."""

    def written(self, lines: Sequence[program.Statement]) -> tuple[Field, ...] | None:
        """The fields that lines may change; None if it is better to keep the whole state."""
        found: dict[int, Field] = {}
        for line in walk(tuple(lines)):
            fields = self.written_by(line)
            if fields is None:
                return None
            found.update((field.offset, field) for field in fields)
        whole = sum(field.size for field in found.values())
        return tuple(found.values()) if 2 * whole < self.memory.size else None

    def saved(self, code: Code, fields: Iterable[Field]) -> list[tuple[Field, Value]]:
        """Copies of some fields."""
        found = []
        for field in side_by_side(fields):
            block = code.block(field.size)
            code.copy(block, code.address(code.write, field), field.size)
            found.append((field, block))
        return found

    def put_back(self, code: Code, saved: Iterable[tuple[Field, Value]]) -> None:
        """Give fields the values that they had."""
        for field, block in saved:
            code.copy(code.address(code.write, field), block, field.size)

    def written_by(self, line: program.Statement) -> list[Field] | None:
        """The fields that one line may change, the lines inside it left out."""
        memory, layout = self.memory, self.layout
        match line:
            case program.Choose() | program.OneOf() | program.Repeat() | program.ClearBoard():
                return None
            case program.OneByOne():
                return None
            case program.Assign():
                if line.local.type.kind == "family":
                    return [memory.families[line.local.slot].block]
                return [memory.local(line.local)]
            case program.Set() | program.Raise() | program.Mark():
                slots = layout.variables[line.variable.name]
                numbers = list(range(slots.first, slots.first + slots.count))
                if slots.ages is not None:
                    numbers += range(slots.ages, slots.ages + slots.count)
                return [memory.fields[slot] for slot in numbers]
            case program.Pass():
                return [memory.fields[layout.passing]]
            case program.Again():
                return [memory.fields[layout.again]]
            case program.RefillHands():
                return self.hands()
            case program.Put():
                return self.written_by_put(line)
            case program.Move() | program.Swap() | program.Remove():
                return self.written_to_pieces()
            case program.Change() | program.Give():
                return self.written_to_pieces()
            case program.Say() if self.prints:
                return self.written_by_say()
        return []

    def written_by_say(self) -> list[Field]:
        """The fields that a print changes; behind its count a trail may hold anything."""
        trail = self.memory.trail
        return [self.memory.text, self.memory.parts, *([trail.count] if trail is not None else [])]

    def hands(self) -> list[Field]:
        """The fields of all hands."""
        if not any(self.program.hands):
            return []
        first = self.layout.hands
        return [self.memory.fields[first + i] for i in range(self.players * self.kinds)]

    def written_by_put(self, line: program.Put) -> list[Field] | None:
        """The fields that a `put` may change."""
        hands = self.hands() if line.from_hand else []
        if self.shows_only(line):
            tops = [self.memory.fields[slot] for slot in self.top_slots()]
            memos = self.expressions.memos.fields if self.expressions.memos.grows else []
            return [*tops, *memos, self.memory.fields[self.layout.placed], *hands]
        pieces = self.written_to_pieces()
        return [*pieces, *hands] if pieces is not None else None

    def written_to_pieces(self) -> list[Field] | None:
        """The fields that a move of pieces may change; None where stacks or memos are kept."""
        if not self.simple or self.expressions.memos.grows:
            return None
        tops = [self.memory.fields[slot] for slot in self.top_slots()]
        return [*tops, self.memory.fields[self.layout.placed]]


def side_by_side(fields: Iterable[Field]) -> list[Field]:
    """The same bytes in fewer fields, those that adjoin taken together."""
    found: list[Field] = []
    for field in sorted(fields, key=lambda field: field.offset):
        if found and found[-1].offset + found[-1].size == field.offset:
            before = found.pop()
            found.append(Field(before.offset, I8, before.size + field.size))
        else:
            found.append(Field(field.offset, I8, field.size))
    return found
