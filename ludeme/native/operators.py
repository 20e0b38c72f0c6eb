"""Truths, numbers and sets: the operators, as LLVM IR."""

from __future__ import annotations

from llvmlite import ir

from ludeme.check import program
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I64
from ludeme.native.straight import Straight


class Operators(Straight):
    """Lowers operators."""

    def op_and(self, code: Code, node: program.Op) -> Value:
        left, right = node.arguments
        return code.choose(
            self.value(code, left), lambda: self.value(code, right), lambda: code.truth(False)
        )

    def op_or(self, code: Code, node: program.Op) -> Value:
        left, right = node.arguments
        return code.choose(
            self.value(code, left), lambda: code.truth(True), lambda: self.value(code, right)
        )

    def op_not(self, code: Code, node: program.Op) -> Value:
        return code.builder.not_(self.value(code, node.arguments[0]))

    def op_intersection(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        return code.builder.and_(a, b)

    def op_together(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        return code.builder.or_(a, b)

    def op_complement(self, code: Code, node: program.Op) -> Value:
        members_, everything = self.operands(code, node)
        return code.builder.and_(everything, code.builder.not_(members_))

    def op_member(self, code: Code, node: program.Op) -> Value:
        member, whole = self.operands(code, node)
        if node.arguments[0].type.kind == "number":
            inside = code.builder.icmp_unsigned("<", member, code.i64(whole.type.width))
            safe = code.builder.select(inside, member, code.i64(0))
            return code.builder.and_(inside, code.has(whole, safe))
        return code.has(whole, member)

    def op_within(self, code: Code, node: program.Op) -> Value:
        part, whole = self.operands(code, node)
        return code.none(code.builder.and_(part, code.builder.not_(whole)))

    def _compare(self, code: Code, node: program.Op) -> Value:
        if self.asks_for_one_group(node):
            return self.is_one_group(code, node)
        if node.arguments[0].type.kind == "family":
            same = self.families.same(code, *node.arguments)
            return same if node.name == "=" else code.builder.not_(same)
        a, b = self.operands(code, node)
        sign = {"=": "=="}.get(node.name, node.name)
        return code.builder.icmp_signed(sign, a, b)

    def asks_for_one_group(self, node: program.Op) -> bool:
        """Whether a comparison asks if all of a set hangs together."""
        number, one = node.arguments
        if not (isinstance(number, program.Op) and number.name == "family_count"):
            return False
        groups = number.arguments[0]
        return (
            node.name == "="
            and isinstance(one, program.Constant)
            and one.value == 1
            and isinstance(groups, program.Op)
            and groups.name == "groups"
        )

    def is_one_group(self, code: Code, node: program.Op) -> Value:
        """Whether a flood from one member reaches all."""
        builder = code.builder
        assert isinstance(node.arguments[0], program.Op)
        groups = node.arguments[0].arguments[0]
        assert isinstance(groups, program.Op)
        whole, links = self.value(code, groups.arguments[0]), groups.arguments[1]
        self.spend_each(code, whole, self.effort.flooding(links))
        flood = self.flooder(code, links, counting=False)
        lowest = builder.and_(whole, builder.neg(whole))
        reached = flood(lowest, whole)
        return builder.and_(code.some(whole), builder.icmp_unsigned("==", reached, whole))

    op_equal = op_differ = op_less = op_at_most = op_greater = op_at_least = _compare

    def _arithmetic(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        act = {"+": code.builder.add, "-": code.builder.sub, "*": code.builder.mul}[node.name]
        return act(a, b)

    op_plus = op_minus = op_times = _arithmetic

    def _division(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        zero = code.builder.icmp_signed("==", b, code.i64(0))
        self.fault_if(code, zero)
        safe = code.builder.select(zero, code.i64(1), b)
        quotient = code.builder.sdiv(a, safe)
        rest = code.builder.srem(a, safe)
        # Round down: where the rest is not naught and has the other sign than the divisor.
        uneven = code.builder.icmp_signed("!=", rest, code.i64(0))
        signs = code.builder.icmp_signed("<", code.builder.xor(rest, safe), code.i64(0))
        adjust = code.builder.and_(uneven, signs)
        if node.name == "mod":
            return code.builder.select(adjust, code.builder.add(rest, safe), rest)
        return code.builder.select(adjust, code.builder.sub(quotient, code.i64(1)), quotient)

    op_divide = op_modulo = _division

    def op_negative(self, code: Code, node: program.Op) -> Value:
        return code.builder.neg(self.value(code, node.arguments[0]))

    def _extreme(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        sign = "<" if node.name == "min" else ">"
        return code.builder.select(code.builder.icmp_signed(sign, a, b), a, b)

    op_min = op_max = _extreme

    def op_abs(self, code: Code, node: program.Op) -> Value:
        a = self.value(code, node.arguments[0])
        below = code.builder.icmp_signed("<", a, code.i64(0))
        return code.builder.select(below, code.builder.neg(a), a)

    def op_count(self, code: Code, node: program.Op) -> Value:
        return self.size(code, node.arguments[0], self.value(code, node.arguments[0]))

    def size(self, code: Code, node: program.Expression, members: Value) -> Value:
        """How many members a set has, the value of an expression."""
        if self.memos.empty is not None and isinstance(node, program.Op) and node.name == "empty":
            return code.load(self.memos.empty.count)
        return code.count(members)

    def op_family_count(self, code: Code, node: program.Op) -> Value:
        total = code.slot(I64)
        code.builder.store(code.i64(0), total)
        with self.families.each(code, node.arguments[0]):
            now = code.builder.load(total, typ=I64)
            code.builder.store(code.builder.add(now, code.i64(1)), total)
        return code.builder.load(total, typ=I64)

    def op_some(self, code: Code, node: program.Op) -> Value:
        return code.some(self.value(code, node.arguments[0]))

    def op_none(self, code: Code, node: program.Op) -> Value:
        return code.none(self.value(code, node.arguments[0]))

    def op_single(self, code: Code, node: program.Op) -> Value:
        member = self.value(code, node.arguments[0])
        if node.arguments[0].type.kind == "site":
            return code.bit(member)
        if node.arguments[0].type.kind == "number":
            return self.numbers(code, member, member)
        return self.single(code, member, self.type_of(node.type, node))

    def op_range(self, code: Code, node: program.Op) -> Value:
        return self.numbers(code, *self.operands(code, node))

    def numbers(self, code: Code, low: Value, high: Value) -> Value:
        """The numbers from one to another.

        The game is given up if one is greater than all sets of numbers that are written down.
        """
        builder, type_ = code.builder, self.memory.numbers_type
        greatest, one = code.i64(type_.width - 1), ir.Constant(type_, 1)
        some = builder.icmp_signed("<=", low, high)
        above = builder.icmp_signed(">", high, greatest)
        self.fault_if(code, builder.and_(some, above))
        below_all = builder.icmp_signed("<", high, code.i64(0))
        last = builder.select(builder.or_(above, below_all), greatest, high)
        twice = builder.shl(ir.Constant(type_, 2), code.fit(last, type_, signed=False))
        upto = builder.sub(twice, one)
        first = builder.select(some, low, code.i64(0))
        first = builder.select(builder.icmp_signed("<", first, code.i64(0)), code.i64(0), first)
        first = builder.select(builder.icmp_signed(">", first, greatest), code.i64(0), first)
        below = builder.sub(builder.shl(one, code.fit(first, type_, signed=False)), one)
        numbers = builder.and_(upto, builder.not_(below))
        return builder.select(some, numbers, ir.Constant(type_, 0))

    def op_lookup(self, code: Code, node: program.Op) -> Value:
        table, index = node.arguments
        assert isinstance(table, program.Constant) and isinstance(table.value, tuple)
        type_ = self.type_of(node.type, node)
        if type_ == I1:
            made = self.unit.table(I8, list(table.value))
            at = code.builder.gep(made, [code.wide(self.value(code, index))], source_etype=I8)
            return code.builder.trunc(code.builder.load(at, typ=I8), I1)
        made = self.unit.table(type_, list(table.value))
        at = code.builder.gep(made, [code.wide(self.value(code, index))], source_etype=type_)
        return code.builder.load(at, typ=type_)

    def op_pick(self, code: Code, node: program.Op) -> Value:
        table, index = node.arguments
        assert isinstance(table, program.Constant) and isinstance(table.value, tuple)
        number = self.value(code, index)
        size = len(table.value)
        inside = code.builder.icmp_unsigned("<", number, code.i64(size))
        made = self.unit.table(self.unit.set_type, list(table.value))
        safe = code.builder.select(inside, number, code.i64(0))
        at = code.builder.gep(made, [safe], source_etype=self.unit.set_type)
        found = code.builder.load(at, typ=self.unit.set_type)
        return code.builder.select(inside, found, code.set_constant(0))
