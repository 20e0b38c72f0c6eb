"""A state as one flat block of memory, and the way there and back from the interpreter's list.

Every slot of `ludeme.machine.layout` has a place in the block, so the two back ends speak of the
same state. Sets of sites are integers of whole 64-bit words; what is kept for each site is an array
of the smallest integers that hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.check.walking import blocks_of, walk
from ludeme.diagnostics import Span
from ludeme.kernel.types import Type
from ludeme.machine.layout import Cells, Layout, VariableSlots
from ludeme.native import facts
from ludeme.native.refusal import NotNative

I1, I8, I16, I32, I64 = (ir.IntType(width) for width in (1, 8, 16, 32, 64))
PTR = ir.PointerType()
MOST_KEYS = 1024
"""Numbers that `require most` may note in a run."""
LONGEST_TRAIL = 256
"""Words of what a run prints at most, where loops print."""


def integer_for(low: int, high: int) -> ir.IntType:
    """The smallest signed integer type for a range."""
    for width in (8, 16, 32):
        if -(1 << width - 1) <= low and high < 1 << width - 1:
            return ir.IntType(width)
    return I64


@attrs.frozen
class Field:
    """A place in the block: *count* values of *type* from byte *offset*.

    *signed*: whether the highest bit is a sign, as of numbers, or a member, as of sets.
    *group*: which values a number known only in play may reach from here; what lies in another
    group is not touched by a write. 0: anything.
    """

    offset: int
    type: ir.IntType
    count: int = 1
    signed: bool = True
    group: int = 0

    @cached_property
    def stride(self) -> int:
        """From one value to the next in bytes, as LLVM lays out an array of them."""
        size = int(self.type.width) // 8
        step = min(16, size)
        return -(-size // step) * step

    @cached_property
    def size(self) -> int:
        """In bytes."""
        return self.stride * self.count


@attrs.frozen
class Pile:
    """Where the pieces below the top ones lie: level by level for each site.

    *height*: how many lie on a site, the top one left out. *columns*: owner, kind, then each thing
    that is noted on pieces.
    """

    height: Field
    columns: tuple[Field, ...]
    levels: int


@attrs.frozen
class Trail:
    """What a run has printed so far: the number of a line of *says*, then its values; and on."""

    says: tuple[program.Say, ...]
    count: Field
    words: Field


def is_of_sites(variable: program.Variable) -> bool:
    """Whether a variable has a value for each site."""
    return variable.owner in ("site", "piece") or variable.index == "site"


@attrs.frozen
class Family:
    """Where a family of sets stands: how many there are, then the sets, from a multiple of 16."""

    offset: int
    sets: int
    set_type: ir.IntType

    SETS = 16
    """Where the sets begin."""

    @property
    def size(self) -> int:
        """In bytes."""
        return self.SETS + -(-Field(0, self.set_type, self.sets).size // 16) * 16

    @property
    def block(self) -> Field:
        """All of it."""
        return Field(self.offset, I8, self.size)


def locals_of(line: program.Statement) -> Iterator[program.Local]:
    """The locals that a line gives a value which outlives it."""
    match line:
        case program.Choose():
            yield line.local
            yield line.member
        case program.Assign():
            yield line.local
        case program.OneByOne():
            yield line.local
            yield line.rest
        case program.Repeat():
            yield line.counter


class Memory:
    """The block of a program's states.

    *tells*: a run notes what it prints, so that it can be told in words. *noted*: so many blocks of
    a turn can be noted as entered.
    """

    def __init__(self, layout: Layout, tells: bool = False, noted: int = 0) -> None:
        self.layout = layout
        self.program = layout.program
        self.sites = len(self.program.board.names)
        self.set_type = ir.IntType(64 * max(1, -(-self.sites // 64)))
        self.numbers_type = ir.IntType(facts.numbers_width(self.program))
        self.players = len(self.program.players)
        self.fields: dict[int, Field] = {}
        self._next = 0
        self._group = 0
        self._in_row = False
        self._place_state()
        self.state_size = self._aligned()
        self._place_scratch()
        self.trail = self._place_trail() if tells else None
        self.entered = self._add(I32, noted) if noted else None
        self._place_locals()
        self.size = self.locals_end = self._aligned()

    def extra(self, type_: ir.IntType, count: int) -> Field:
        """Room beside the state for what is carried along with it."""
        return self._add(type_, count)

    def close(self) -> None:
        """No more room is asked for."""
        self.size = self._aligned()

    # ---- places

    @contextmanager
    def _row(self) -> Iterator[None]:
        """Fields placed here are reached from the first of them by a number."""
        self._group += 1
        self._in_row = True
        yield
        self._in_row = False

    def _aligned(self) -> int:
        self._next = -(-self._next // 16) * 16
        return self._next

    def _add(self, type_: ir.IntType, count: int = 1, signed: bool = True) -> Field:
        step = min(16, type_.width // 8)
        self._next = -(-self._next // step) * step
        if not self._in_row:
            self._group += 1
        made = Field(self._next, type_, count, signed, self._group)
        self._next += made.size
        return made

    def _place_state(self) -> None:
        layout, kinds = self.layout, len(self.program.kinds)
        self.owners = self.players + 1 if facts.may_be_nobodys(self.program) else self.players
        with self._row():
            for slot in range(layout.owners, layout.owners + self.players + 1):
                self.fields[slot] = self._add(self.set_type, signed=False)
        # Of a single kind nothing is kept: it stands wherever a piece stands.
        self.kinds = kinds if kinds > 1 else 0
        with self._row():
            for slot in range(layout.kinds, layout.kinds + self.kinds):
                self.fields[slot] = self._add(self.set_type, signed=False)
        for slots in layout.variables.values():
            with self._row():
                self._place_variable(slots)
        if any(self.program.hands):
            with self._row():
                for slot in range(layout.hands, layout.hands + self.players * kinds):
                    self.fields[slot] = self._add(I16)
        self.pile = self._place_pile()
        self.fields[layout.step] = self._add(I32)
        self.fields[layout.decider] = self._add(I32)
        for name, slot in layout.counters.items():
            with self._row():
                for i in range(self.players if name == "passed" else 1):
                    self.fields[slot + i] = self._add(I32)
        # Of the keys of earlier positions a state holds only how many there are.
        self.history = self._add(I64) if layout.history is not None else None

    def _place_variable(self, slots: VariableSlots) -> None:
        variable = slots.variable
        for slot in range(slots.first, slots.first + slots.count):
            if variable.is_flag:
                self.fields[slot] = self._add(self.set_type, signed=False)
                continue
            is_set = variable.type.kind == "set"
            self.fields[slot] = self._add(
                self.stored(variable), self.length(variable), signed=not is_set
            )
        if slots.ages is not None:
            for slot in range(slots.ages, slots.ages + slots.count):
                self.fields[slot] = self._add(I8)

    def length(self, variable: program.Variable) -> int:
        """How many values one slot of a variable holds."""
        if is_of_sites(variable):
            return self.sites
        if variable.index == "player":
            return self.players
        if variable.index == "kind":
            return len(self.program.kinds)
        return 1

    def stored(self, variable: program.Variable) -> ir.IntType:
        """The type in which a value of a variable is kept."""
        if variable.type.kind == "number":
            # Room for what several raises at once may add before the range is looked at.
            return integer_for(4 * min(variable.low, 0) - 64, 4 * max(variable.high, 0) + 63)
        if variable.type.kind == "site":
            return I16
        if variable.type.kind in ("player", "kind", "direction", "truth"):
            return I8
        if variable.type.kind == "choice":
            return integer_for(0, len(self.program.choices[variable.type.name]))
        return self.value_type(variable.type, variable.span)

    def _place_pile(self) -> Pile | None:
        levels = self.program.stack_limit - 1
        if levels == 0:
            return None
        columns = [self._add(I8, self.sites * levels), self._add(I8, self.sites * levels)]
        for slots in self.layout.piece_variables:
            kind = self.note_type(slots)
            is_number = slots.variable.type.kind == "number"
            columns.append(self._add(kind, self.sites * levels, signed=is_number))
        return Pile(self._add(I8, self.sites, signed=False), tuple(columns), levels)

    def note_type(self, slots: VariableSlots) -> ir.IntType:
        """The type of what is noted on a piece; of a flag, a bit for each of its layers."""
        if not slots.variable.is_flag:
            return self.stored(slots.variable)
        return next(ir.IntType(w) for w in (8, 16, 32, 64, 128) if slots.count <= w)

    def _place_scratch(self) -> None:
        layout = self.layout
        # What nobody asks is not kept up.
        self.keeps_placed = "placed" in self.program.uses
        self.keeps_again = facts.has_line(self.program, program.Again)
        self.keeps_passing = facts.has_line(self.program, program.Pass)
        self.fields[layout.mover] = self._add(I32)
        self.fields[layout.placed] = self._add(self.set_type, signed=False)
        self.fields[layout.again] = self._add(I8)
        self.fields[layout.passing] = self._add(I8)
        self.text = self._add(I64)
        self.parts = self._add(I32)
        self.most = self._add(I64, max(1, self._most_keys()))
        self.most_count = self._add(I32)
        self.depth = self._add(I32)

    def _place_trail(self) -> Trail:
        """Room for the longest print."""
        turns = self.program.turns.values()
        says = [line for turn in turns for line in walk(turn.body) if isinstance(line, program.Say)]
        most = max((self._words_of(turn.body) for turn in turns), default=0)
        count = self._add(I64)
        return Trail(tuple(says), count, self._add(I64, max(1, most)))

    def _words_of(self, block: program.Block) -> int:
        """How many words the prints of a block take at most."""
        total = 0
        for line in walk(block):
            if isinstance(line, program.ForEach | program.OneByOne | program.Repeat):
                if any(isinstance(inner, program.Say) for inner in walk((line,))):
                    return LONGEST_TRAIL
            if isinstance(line, program.Say):
                total += 1 + sum(self.print_size(part) for part in line.parts)
        return min(total, LONGEST_TRAIL)

    def print_size(self, part: str | program.Expression) -> int:
        """How many words a part of a print takes."""
        if isinstance(part, str):
            return 0
        kind = self.value_type(part.type, part.span)
        return max(1, int(kind.width) // 64)

    def _most_keys(self) -> int:
        """The most numbers that `require most` may note in a run; beyond that it is given up."""
        turns = self.program.turns.values()
        return min(MOST_KEYS, max(self._keys_in(turn.body) for turn in turns))

    def _keys_in(self, block: program.Block) -> int:
        """The same for a block."""
        total = 0
        for line in block:
            inside = sum(map(self._keys_in, blocks_of(line)))
            if isinstance(line, program.RequireMost):
                total += len(line.keys)
            elif isinstance(line, program.Repeat):
                total += line.high * inside
            elif isinstance(line, program.OneByOne):
                total += self.most_sets * inside
            else:
                total += inside
        return total

    def _place_locals(self) -> None:
        self.locals: dict[int, Field] = {}
        self.families: dict[int, Family] = {}
        for block in facts.blocks(self.program):
            for line in walk(block):
                for local in locals_of(line):
                    if local.type.kind == "family":
                        self._place_family(local)
                    else:
                        self.local(local, line.span)

    def _place_family(self, local: program.Local) -> None:
        """Room for as many sets as there can be."""
        if local.slot not in self.families:
            family = Family(self._aligned(), self.most_sets, self.set_type)
            self.families[local.slot] = family
            self._add(I8, family.size)

    @property
    def most_sets(self) -> int:
        """How many sets a family has at most: groups part the sites, others are written down."""
        written = (
            len(node.value)
            for node in facts.nodes(self.program)
            if isinstance(node, program.Constant) and isinstance(node.value, tuple)
        )
        return max(self.sites, *written, 1)

    def local(self, local: program.Local, span: Span | None = None) -> Field:
        """The place of a local; *span*: where it gets its value."""
        if local.slot not in self.locals:
            kind = self.value_type(local.type, span or self.nowhere)
            self.locals[local.slot] = self._add(I8 if kind == I1 else kind)
        return self.locals[local.slot]

    @property
    def stack_size(self) -> int:
        """Bytes of the stack that a decision may need beside its runs, generously."""
        made = Family(0, self.most_sets, self.set_type).size if self.has_families else 0
        return (self.size + made) * (16 + 4 * self.players)

    @property
    def has_families(self) -> bool:
        """Whether a question or line may make a family of its own."""
        return any(
            isinstance(node, program.Expression) and node.type.kind == "family"
            for node in facts.nodes(self.program)
        )

    # ---- types

    @property
    def nowhere(self) -> Span:
        """A span for what has none of its own."""
        return next(iter(self.program.turns.values())).span

    def value_type(self, type_: Type, span: Span) -> ir.IntType:
        """The type of a value in a register."""
        match type_.kind:
            case "number":
                return I64
            case "truth":
                return I1
            case "site" | "player" | "kind" | "direction" | "choice":
                return I32
            case "set" if type_.element is not None:
                return self.set_of(type_.element)
        raise NotNative(f"a value of type {type_}", span)

    def set_of(self, element: Type) -> ir.IntType:
        """The type of a set of things of a type."""
        match element.kind:
            case "site":
                return self.set_type
            case "number":
                return self.numbers_type
            case "choice":
                count = len(self.program.choices[element.name])
            case "kind":
                count = 1 + len(self.program.kinds)
            case _:
                count = 1
        return ir.IntType(64 * -(-count // 64))

    @property
    def widest(self) -> int:
        """The bits of the largest set that a turn may choose from."""
        domains = (
            int(self.set_of(line.member.type).width)
            for turn in self.program.turns.values()
            for line in walk(turn.body)
            if isinstance(line, program.Choose)
        )
        return max(128, *domains, 0)

    # ---- to and from the interpreter

    def pack(self, cells: Cells) -> bytes:
        """The block of a state as the interpreter has it, scratch and locals cleared."""
        block = bytearray(self.size)
        layout = self.layout
        for slot, field in self.fields.items():
            value = cells[slot]
            if slot >= layout.size and slot != layout.mover:
                value = 0
            if not isinstance(value, tuple):
                self._store(block, field, 0, int(value))
            elif any(value):
                for i, part in enumerate(value):
                    self._store(block, field, i, int(part))
        if self.pile is not None and layout.buried is not None:
            self._pack_pile(block, cells[layout.buried])
        if self.history is not None and layout.history is not None:
            self._store(block, self.history, 0, len(cells[layout.history]))
        return bytes(block)

    def _store(self, block: bytearray, field: Field, index: int, value: int) -> None:
        width = field.type.width // 8
        at = field.offset + index * field.stride
        block[at : at + width] = (value & (1 << width * 8) - 1).to_bytes(width, "little")

    def _pack_pile(self, block: bytearray, piles: tuple[tuple[tuple[int, ...], ...], ...]) -> None:
        assert self.pile is not None
        for site, pieces in enumerate(piles):
            if pieces:
                self._store(block, self.pile.height, site, len(pieces))
            for level, piece in enumerate(pieces):
                for column, value in zip(self.pile.columns, piece, strict=True):
                    self._store(block, column, site * self.pile.levels + level, value)

    def unpack(self, block: bytes, cells: Cells) -> None:
        """Write the block's state into a list that the interpreter made."""
        layout = self.layout
        for slot, field in self.fields.items():
            if slot >= layout.size:
                continue
            if isinstance(cells[slot], tuple):
                cells[slot] = tuple(self._load(block, field, i) for i in range(field.count))
            else:
                cells[slot] = self._load(block, field, 0)
        if self.kinds == 0 and self.program.kinds:
            owners = range(layout.owners, layout.owners + self.players + 1)
            cells[layout.kinds] = sum(cells[slot] for slot in owners)
        if self.pile is not None and layout.buried is not None:
            cells[layout.buried] = self._unpack_pile(block)

    def scratch(self, block: bytes, slot: int) -> int:
        """What a block says of the turn in progress."""
        return self._load(block, self.fields[slot], 0)

    def _load(self, block: bytes, field: Field, index: int) -> int:
        width = field.type.width // 8
        at = field.offset + index * field.stride
        return int.from_bytes(block[at : at + width], "little", signed=field.signed)

    def _unpack_pile(self, block: bytes) -> tuple[Any, ...]:
        assert self.pile is not None
        pile = self.pile
        piles: list[tuple[tuple[int, ...], ...]] = []
        heights = block[pile.height.offset : pile.height.offset + self.sites]
        for site, height in enumerate(heights):
            piles.append(
                tuple(
                    tuple(
                        self._load(block, column, site * pile.levels + level)
                        for column in pile.columns
                    )
                    for level in range(height)
                )
            )
        return tuple(piles)
