"""Single pieces and what lies below them: lifted off a site, set on top of it, as LLVM IR."""

from __future__ import annotations

from llvmlite import ir

from ludeme.machine.layout import VariableSlots
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I32, I64, PTR, Field
from ludeme.native.writing import Writing


class Stacks(Writing):
    """Lowers what happens to single pieces."""

    # ---- rows of sets

    def row(self, code: Code, first: int, index: Value) -> Value:
        """The address of one of a row of sets of the state that is written."""
        base = code.address(code.write, self.memory.fields[first])
        return code.builder.gep(base, [code.wide(index)], source_etype=self.unit.set_type)

    def add_to_row(self, code: Code, first: int, index: Value, mask: Value) -> None:
        """Add sites to one of a row of sets."""
        at, group = self.row(code, first, index), self.memory.fields[first].group
        now = self.unit.tag(code.builder.load(at, typ=self.unit.set_type), group)
        self.unit.tag(code.builder.store(code.builder.or_(now, mask), at), group)

    def top_slots(self) -> list[int]:
        """The slots of owners and kinds, as far as they are kept."""
        owners, kinds = self.layout.owners, self.layout.kinds
        return [
            *range(owners, owners + self.memory.owners),
            *range(kinds, kinds + self.memory.kinds),
        ]

    def place_mark(self, code: Code, mask: Value) -> None:
        """Note where this turn put or moved a piece."""
        if not self.memory.keeps_placed:
            return
        field = self.memory.fields[self.layout.placed]
        now = code.load(field, base=code.write)
        code.store(field, code.builder.or_(now, mask))

    # ---- single pieces

    def piece_type(self) -> list[Field]:
        """The fields of a piece that is lifted: owner, kind, then its notes."""
        fields, at = [Field(0, I64), Field(8, I64)], 16
        for slots in self.layout.piece_variables:
            fields.append(Field(at, self.memory.note_type(slots)))
            at += -(-fields[-1].size // 16) * 16
        return fields

    @property
    def piece_size(self) -> int:
        """Room for a piece that is lifted."""
        return 16 + sum(-(-field.size // 16) * 16 for field in self.piece_type()[2:])

    def lift_function(self) -> ir.Function:
        """Lift the top piece off an occupied site into a block; what is below comes up."""
        if "lift" in self._helpers:
            return self._helpers["lift"]
        made = self.unit.function("lift", ir.VoidType(), [PTR, PTR, I32, PTR])
        self._helpers["lift"] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.expressions.spend(code, self.expressions.effort.lifting)
        site, out = made.args[2], made.args[3]
        self.take_top(code, site, out)
        if self.memory.pile is not None:
            height = self.memory.pile.height
            below = code.load(height, site)
            code.when(
                code.builder.icmp_unsigned(">", below, ir.Constant(I8, 0)),
                lambda: self.raise_buried(code, site, below),
            )
        code.builder.ret_void()
        return made

    def take_top(self, code: Code, site: Value, out: Value) -> None:
        """Lift the top piece; what is below stays buried."""
        fields = self.piece_type()
        owner = self.expressions.which(code, site, self.layout.owners, self.players)
        kind = self.expressions.kind_at(code, site)
        code.store(fields[0], owner, base=out)
        code.store(fields[1], kind, base=out)
        keep = code.builder.not_(code.bit(site))
        for slot in self.top_slots():
            field = self.memory.fields[slot]
            code.store(field, code.builder.and_(code.load(field), keep))
        for slots, field in zip(self.layout.piece_variables, fields[2:], strict=True):
            code.store(field, self.take_note(code, slots, site), base=out)

    def take_note(self, code: Code, slots: VariableSlots, site: Value) -> Value:
        """What is noted on the top piece, taken off the site."""
        if slots.variable.is_flag:
            type_ = self.memory.note_type(slots)
            nothing = ir.Constant(type_, 0)
            layers: Value = nothing
            bit = code.bit(site)
            for layer in range(slots.count):
                field = self.memory.fields[slots.first + layer]
                now = code.load(field)
                has = code.some(code.builder.and_(now, bit))
                part = code.builder.select(has, ir.Constant(type_, 1 << layer), nothing)
                layers = code.builder.or_(layers, part)
                code.store(field, code.builder.and_(now, code.builder.not_(bit)))
            return layers
        field = self.memory.fields[slots.first]
        value = code.load(field, site)
        code.store(field, self.constant(field, slots.variable.initial), site)
        return value

    def constant(self, field: Field, value: int) -> Value:
        """A value as a field keeps it."""
        return ir.Constant(field.type, value & (1 << field.type.width) - 1)

    def put_top(self, code: Code, site: Value, piece: Value) -> None:
        """Set a piece from a block onto a site that shows none."""
        fields = self.piece_type()
        bit = code.bit(site)
        owner = code.load(fields[0], base=piece)
        kind = code.load(fields[1], base=piece)
        self.add_to_row(code, self.layout.owners, owner, bit)
        if self.memory.kinds:
            self.add_to_row(code, self.layout.kinds, kind, bit)
        for slots, field in zip(self.layout.piece_variables, fields[2:], strict=True):
            note = code.load(field, base=piece)
            self.put_note(code, slots, site, note)

    def put_note(self, code: Code, slots: VariableSlots, site: Value, note: Value) -> None:
        """Note on the top piece what a block holds."""
        if not slots.variable.is_flag:
            code.store(self.memory.fields[slots.first], note, site)
            return
        bit = code.bit(site)
        for layer in range(slots.count):
            field = self.memory.fields[slots.first + layer]
            shifted = code.builder.lshr(note, ir.Constant(note.type, layer))
            wanted = code.builder.trunc(shifted, I1)
            now = code.load(field)
            code.store(field, code.builder.select(wanted, code.builder.or_(now, bit), now))

    def buried_index(self, code: Code, site: Value, level: Value) -> Value:
        """The place of a buried piece in its columns."""
        assert self.memory.pile is not None
        row = code.builder.mul(site, code.i32(self.memory.pile.levels))
        return code.builder.add(row, code.fit(level, I32, signed=False))

    def raise_buried(self, code: Code, site: Value, below: Value) -> None:
        """Bring the highest buried piece up to the top."""
        pile = self.memory.pile
        assert pile is not None
        level = code.builder.sub(below, ir.Constant(I8, 1))
        code.store(pile.height, level, site)
        index = self.buried_index(code, site, level)
        piece = code.block(self.piece_size)
        for column, field in zip(pile.columns, self.piece_type(), strict=True):
            code.store(field, code.load(column, index), base=piece)
            # What is not a piece is kept at naught, so that equal states have equal blocks.
            code.store(column, ir.Constant(column.type, 0), index)
        self.put_top(code, site, piece)

    def bury_top(self, code: Code, site: Value, below: Value) -> None:
        """Put the top piece below what is to come."""
        pile = self.memory.pile
        assert pile is not None
        piece = code.block(self.piece_size)
        self.take_top(code, site, piece)
        index = self.buried_index(code, site, below)
        for column, field in zip(pile.columns, self.piece_type(), strict=True):
            code.store(column, code.load(field, base=piece), index)
        code.store(pile.height, code.builder.add(below, ir.Constant(I8, 1)), site)

    def add_function(self) -> ir.Function:
        """Put a piece from a block on top of a site; a full site is a fault."""
        if "add" in self._helpers:
            return self._helpers["add"]
        made = self.unit.function("add", ir.VoidType(), [PTR, PTR, I32, PTR])
        self._helpers["add"] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.expressions.spend(code, 2 * self.expressions.effort.lifting)
        site, piece = made.args[2], made.args[3]
        stands = code.has(self.expressions.occupied(code), site)
        pile = self.memory.pile
        if pile is None:
            self.fault_if(code, stands)
            code.when(code.builder.not_(stands), lambda: self.put_top(code, site, piece))
        else:
            below = code.load(pile.height, site)
            room = code.builder.icmp_unsigned("<", below, ir.Constant(I8, pile.levels))
            full = code.builder.and_(stands, code.builder.not_(room))
            self.fault_if(code, full)

            def stack() -> None:
                code.when(stands, lambda: self.bury_top(code, site, below))
                self.put_top(code, site, piece)

            code.when(code.builder.not_(full), stack)
        code.builder.ret_void()
        return made

    def new_piece(self, code: Code, owner: Value, kind: Value) -> Value:
        """A block that holds a new piece."""
        piece = code.block(self.piece_size)
        fields = self.piece_type()
        code.store(fields[0], code.fit(owner, I64, signed=False), base=piece)
        code.store(fields[1], code.fit(kind, I64, signed=False), base=piece)
        for slots, field in zip(self.layout.piece_variables, fields[2:], strict=True):
            first = 0 if slots.variable.is_flag else slots.variable.initial
            code.store(field, self.constant(field, first), base=piece)
        return piece
