"""The lines that write variables: `set`, `raise` and `lower`, `mark` and `unmark`, as LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ludeme.check import program
from ludeme.machine.layout import VariableSlots
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I64, Field, is_of_sites
from ludeme.native.writing import Writing


class Variables(Writing):
    """Lowers what lines do to variables."""

    def place(
        self, code: Code, variable: program.Variable, indices: Sequence[program.Expression]
    ) -> tuple[VariableSlots, Value, Value, Value]:
        """Slots, whether there is such a value, its player and its index."""
        slots = self.layout.variables[variable.name]
        values = [self.value(code, index) for index in indices]
        nought: Value = code.i32(0)
        known: Value = code.truth(True)
        player = nought
        if variable.owner == "player":
            known = code.builder.icmp_unsigned("<", values[0], code.i32(self.players))
            player = code.builder.select(known, values.pop(0), nought)
        index = nought
        if values and not is_of_sites(variable):
            count = code.i32(self.memory.fields[slots.first].count)
            inside = code.builder.icmp_unsigned("<", values[0], count)
            known = code.builder.and_(known, inside)
            index = code.builder.select(inside, values[0], nought)
        elif values:
            index = values[0]
        self.fault_if(code, code.builder.not_(known))
        return slots, known, player, index

    def value_address(
        self, code: Code, slots: VariableSlots, player: Value, index: Value
    ) -> tuple[Value, Field]:
        """Where a value of a variable stands."""
        field = self.memory.fields[slots.first]
        at = code.address(code.write, field)
        if slots.count > 1:
            stride = self.memory.fields[slots.first + 1].offset - field.offset
            shift = code.builder.mul(code.wide(player), code.i64(stride))
            at = code.builder.gep(at, [shift], source_etype=I8)
        if field.count > 1:
            at = code.builder.gep(at, [code.wide(index)], source_etype=field.type)
        return at, field

    def write_value(
        self, code: Code, slots: VariableSlots, player: Value, index: Value, value: Value
    ) -> None:
        """Write a value, and start its age if it does not last."""
        at, field = self.value_address(code, slots, player, index)
        stored = code.builder.store(code.fit(value, field.type, signed=value.type != I1), at)
        stored.align = min(16, field.type.width // 8)
        self.unit.tag(stored, field.group)
        lasting = slots.variable.lasting
        if slots.ages is not None and lasting is not None:
            ages = self.memory.fields[slots.ages]
            index = player if slots.count > 1 else code.i32(0)
            where = code.address(code.write, ages, index)
            started = code.builder.store(ir.Constant(I8, lasting + 1), where)
            self.unit.tag(started, ages.group)

    def check_range(self, code: Code, variable: program.Variable, value: Value) -> Value:
        """Note a number that leaves its range; whether it is inside."""
        return self.check_between(code, variable.low, variable.high, value)

    def check_between(self, code: Code, lowest: int, highest: int, value: Value) -> Value:
        """Note a number that is not between two others; whether it is."""
        low = code.builder.icmp_signed(">=", value, code.i64(lowest))
        high = code.builder.icmp_signed("<=", value, code.i64(highest))
        inside = code.builder.and_(low, high)
        self.fault_if(code, code.builder.not_(inside))
        return inside

    def place_key(
        self, code: Code, slots: VariableSlots, player: Value, index: Value
    ) -> tuple[int, Value]:
        """How many values a variable has, and the number of one of them."""
        field = self.memory.fields[slots.first]
        row = code.builder.mul(player, code.i32(field.count))
        inner = index if field.count > 1 else code.i32(0)
        return slots.count * field.count, code.builder.add(row, inner)

    def set_variable(self, code: Code, line: program.Set) -> None:
        """`set`."""
        slots, known, player, index = self.place(code, line.variable, line.indices)
        value = self.value(code, line.value)
        ok = known
        if line.variable.type.kind == "number":
            ok = code.builder.and_(ok, self.check_range(code, line.variable, value))
        if self.at_once is not None:
            size, key = self.place_key(code, slots, player, index)
            type_ = max(I64, value.type, key=lambda each: each.width)
            wide = code.fit(value, type_, signed=value.type != I1)
            self.note(code, ("set", slots.first), size, key, wide)
        code.when(ok, lambda: self.write_value(code, slots, player, index, value))

    def raise_variable(self, code: Code, line: program.Raise) -> None:
        """`raise` and `lower`."""
        slots, known, player, index = self.place(code, line.variable, line.indices)
        amount = self.value(code, line.amount)
        at, field = self.value_address(code, slots, player, index)
        kept = self.unit.tag(code.builder.load(at, typ=field.type), field.group)
        now = code.fit(kept, I64)
        act = code.builder.sub if line.down else code.builder.add
        changed = act(now, amount)
        ok = known
        if self.at_once is not None:
            if slots not in self.at_once.raised:
                self.at_once.raised.append(slots)
            # On the way a sum may leave even the room that is kept for it.
            kept = code.fit(code.fit(changed, field.type), I64)
            self.fault_if(code, code.builder.icmp_unsigned("!=", kept, changed))
        else:
            ok = code.builder.and_(ok, self.check_range(code, line.variable, changed))
        code.when(ok, lambda: self.write_value(code, slots, player, index, changed))

    def mark(self, code: Code, line: program.Mark) -> None:
        """`mark` and `unmark`."""
        slots = self.layout.variables[line.variable.name]
        mask = self.value(code, line.sites)
        if self.at_once is not None:
            self.note_flags(code, slots.first, mask, line.on)
        if line.variable.owner == "piece":
            mask = code.builder.and_(mask, self.expressions.occupied(code, base=code.write))
        last = slots.first + slots.count - 1
        for slot in [last] if line.on else range(slots.first, last + 1):
            field = self.memory.fields[slot]
            now = code.load(field, base=code.write)
            if line.on:
                code.store(field, code.builder.or_(now, mask))
            else:
                code.store(field, code.builder.and_(now, code.builder.not_(mask)))

    def note_flags(self, code: Code, first: int, mask: Value, on: bool) -> None:
        """Note flags written at once."""
        with code.loop(mask) as site:
            self.note(code, ("flag", first), self.memory.sites, site, code.i64(int(on)))
