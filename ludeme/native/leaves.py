"""What a state keeps, and what is known beforehand, as LLVM IR."""

from __future__ import annotations

from llvmlite import ir

from ludeme.check import program
from ludeme.native.asking import Asking
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, is_of_sites


class Leaves(Asking):
    """Lowers constants, names and variables."""

    def constant(self, code: Code, node: program.Constant) -> Value:
        """A constant."""
        type_ = self.type_of(node.type, node)
        assert isinstance(node.value, int)
        mask = (1 << type_.width) - 1
        return ir.Constant(type_, node.value & mask)

    def get(self, code: Code, node: program.Get) -> Value:
        """A local: in a register if it is bound here, else in the state."""
        bound = code.env.get(node.local.slot)
        if bound is not None:
            return bound
        field = self.memory.local(node.local)
        # Locals belong to the run, so they are read where they are written.
        found = code.load(field, base=code.write)
        return code.fit(found, self.type_of(node.local.type, node))

    def read(self, code: Code, node: program.Read) -> Value:
        """A declared variable."""
        slots = self.layout.variables[node.variable.name]
        if node.variable.is_flag:
            found: Value = code.load(self.memory.fields[slots.first])
            for layer in range(1, slots.count):
                found = code.builder.or_(found, code.load(self.memory.fields[slots.first + layer]))
            return found
        indices = [self.value(code, index) for index in node.indices]
        type_ = self.type_of(node.type, node)
        if node.variable.owner != "player":
            field = self.memory.fields[slots.first]
            if not indices:
                return self.widened(code, code.load(field), type_)
            if is_of_sites(node.variable):
                return self.widened(code, code.load(field, indices[0]), type_)
            known = code.builder.icmp_unsigned("<", indices[0], code.i32(field.count))
            index = code.builder.select(known, indices[0], code.i32(0))
            stored = self.widened(code, code.load(field, index), type_)
            return code.builder.select(known, stored, self.outside(node.variable, type_))
        inner = indices[1] if len(indices) > 1 else None
        return self.of_player(code, slots.first, slots.count, indices[0], inner, node, type_)

    def widened(self, code: Code, stored: Value, type_: ir.IntType) -> Value:
        """A kept value in its register type."""
        if type_ == I1:
            return code.builder.trunc(stored, I1) if stored.type != I1 else stored
        return code.fit(stored, type_)

    def of_player(
        self,
        code: Code,
        first: int,
        count: int,
        player: Value,
        inner: Value | None,
        node: program.Read,
        type_: ir.IntType,
    ) -> Value:
        """A player's variable; the first value for nobody."""
        outside = self.outside(node.variable, type_)
        field = self.memory.fields[first]
        stride = self.memory.fields[first + 1].offset - field.offset if count > 1 else 0

        def inside() -> Value:
            base = code.address(code.read, field)
            shift = code.builder.mul(code.wide(player), code.i64(stride))
            at = code.builder.gep(base, [shift], source_etype=I8)
            if inner is not None:
                at = code.builder.gep(at, [code.wide(inner)], source_etype=field.type)
            stored = code.builder.load(at, typ=field.type)
            stored.align = min(16, field.type.width // 8)
            self.unit.tag(stored, field.group)
            return self.widened(code, stored, type_)

        known = code.builder.icmp_unsigned("<", player, code.i32(count))
        if inner is not None and not is_of_sites(node.variable):
            inside_row = code.builder.icmp_unsigned("<", inner, code.i32(field.count))
            known = code.builder.and_(known, inside_row)
        return code.choose(known, inside, lambda: outside)

    def outside(self, variable: program.Variable, type_: ir.IntType) -> Value:
        """What a variable is of nobody, or of no kind."""
        return ir.Constant(type_, variable.initial & (1 << type_.width) - 1)
