"""The values of a choice: how many there are, and which one has a number."""

from __future__ import annotations

from functools import partial

from llvmlite import ir

from ludeme.check import program
from ludeme.native.chance import Chance
from ludeme.native.effects import Effects
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I32, I64
from ludeme.native.runs import Runs, few_at_once
from ludeme.native.subsets import TOO_MANY


class Values:
    """Counts the values of choices and finds them by number."""

    def __init__(self, unit: Unit, effects: Effects, chance: Chance, success: ir.Function) -> None:
        self.memory = unit.memory
        self.effects = effects
        self.expressions = effects.expressions
        self.chance = chance
        self.runs = Runs(unit, effects, success)
        """For what it knows of choices."""

    def weight(self, code: Code, line: program.Choose | None, domain: Value) -> Value:
        """How many values the last choice of a path has."""
        if line is None:
            return code.i64(1)
        whole = line.condition is None
        size = self.expressions.size(code, line.domain, domain) if whole else code.count(domain)
        if not line.many:
            return size
        low, high = self.runs.bounds(code, line)
        most = few_at_once(line)
        if most is None:
            ways = self.expressions.subsets.total(code, size, low, high)
            # Greater numbers are left to the interpreter.
            large = code.builder.icmp_unsigned(">=", ways, code.i64(TOO_MANY))
            self.effects.fault_if(code, large)
            return code.builder.select(large, code.i64(0), ways)
        total: Value = code.i64(0)
        for count in range(most + 1):
            wanted = code.builder.and_(
                code.builder.icmp_signed("<=", low, code.i64(count)),
                code.builder.icmp_signed(">=", high, code.i64(count)),
            )
            ways = choose_count(code, size, count)
            total = code.builder.add(total, code.builder.select(wanted, ways, code.i64(0)))
        return total

    def set_value(
        self, code: Code, line: program.Choose, domain: Value, rank: Value, state: Value
    ) -> None:
        """Give the last choice of a path its value by number."""
        field = self.memory.local(line.local)
        if not line.many:
            value = self.chance.nth(code, domain, rank)
        else:
            read, code.read = code.read, state
            value = self.unrank(code, line, domain, rank)
            code.read = read
        code.store(field, code.fit(value, field.type, signed=False), base=state)

    def unrank(self, code: Code, line: program.Choose, domain: Value, rank: Value) -> Value:
        """Subset number *rank*: small ones first, those of one size in order."""
        low, high = self.runs.bounds(code, line)
        most = few_at_once(line)
        if most is None:
            return self.expressions.subsets.unrank(code, domain, low, high, rank)
        size = code.count(domain)
        chosen = code.slot(domain.type)
        left = code.slot(I64)
        code.builder.store(ir.Constant(domain.type, 0), chosen)
        code.builder.store(rank, left)
        open_ = code.slot(I1)
        code.builder.store(code.truth(True), open_)
        for count in range(most + 1):
            wanted = code.builder.and_(
                code.builder.icmp_signed("<=", low, code.i64(count)),
                code.builder.icmp_signed(">=", high, code.i64(count)),
            )
            wanted = code.builder.and_(wanted, code.builder.load(open_, typ=I1))
            code.when(
                wanted,
                partial(self.unrank_size, code, domain, size, count, left, chosen, open_),
            )
        return code.builder.load(chosen, typ=domain.type)

    def unrank_size(
        self,
        code: Code,
        domain: Value,
        size: Value,
        count: int,
        left: Value,
        chosen: Value,
        open_: Value,
    ) -> None:
        """The same among the subsets of one size, if the number falls among them."""
        ways = choose_count(code, size, count)
        rank = code.builder.load(left, typ=I64)
        here = code.builder.icmp_unsigned("<", rank, ways)

        def take() -> None:
            code.builder.store(code.truth(False), open_)
            self.combination(code, domain, size, count, rank, chosen)

        def skip() -> None:
            code.builder.store(code.builder.sub(rank, ways), left)

        code.either(here, take, skip)

    def combination(
        self, code: Code, domain: Value, size: Value, count: int, rank: Value, chosen: Value
    ) -> None:
        """Combination number *rank* of *count* members, in lexicographic order."""
        at: Value = code.i64(0)
        number = rank
        for more in range(count, 0, -1):
            at, number = self.first_member(code, size, at, number, more)
            member = self.chance.nth(code, domain, at)
            bit = self.runs.single(code, code.builder.trunc(member, I32), domain.type)
            now = code.builder.load(chosen, typ=domain.type)
            code.builder.store(code.builder.or_(now, bit), chosen)
            at = code.builder.add(at, code.i64(1))

    def first_member(
        self, code: Code, size: Value, begun: Value, rank: Value, count: int
    ) -> tuple[Value, Value]:
        """The place of the first of *count* members that stand at *begun* or behind, by number.

        With it the number of the others among those that follow.
        """
        builder = code.builder
        if count == 1:
            return builder.add(begun, rank), code.i64(0)
        if count == 2:
            return self.first_of_two(code, builder.sub(size, begun), begun, rank)
        place, number = code.slot(I64), code.slot(I64)
        builder.store(begun, place)
        builder.store(rank, number)
        head = code.function.append_basic_block("place")
        body = code.function.append_basic_block("later")
        done = code.function.append_basic_block("chosen")
        builder.branch(head)
        builder.position_at_end(head)
        at, now = builder.load(place, typ=I64), builder.load(number, typ=I64)
        rest = builder.sub(builder.sub(size, at), code.i64(1))
        below = choose_count(code, rest, count - 1)
        builder.cbranch(builder.icmp_unsigned(">=", now, below), body, done)
        builder.position_at_end(body)
        builder.store(builder.sub(now, below), number)
        builder.store(builder.add(at, code.i64(1)), place)
        builder.branch(head)
        builder.position_at_end(done)
        return at, now

    def first_of_two(
        self, code: Code, left: Value, begun: Value, rank: Value
    ) -> tuple[Value, Value]:
        """The same of two among *left*, without looking: t places passed over are the first of
        t (2 left - 1 - t) / 2 pairs.

        Where a place begins, the root is a whole number and so exact, and in between it is far
        from one: numbers are small beside what a double holds.
        """
        builder, double = code.builder, ir.DoubleType()
        root = self.effects.unit.intrinsic("llvm.sqrt.f64", [], ir.FunctionType(double, [double]))
        rows = builder.sub(builder.mul(left, code.i64(2)), code.i64(1))
        square = builder.sub(builder.mul(rows, rows), builder.mul(rank, code.i64(8)))
        edge = builder.call(root, [builder.sitofp(square, double)])
        twice = builder.fsub(builder.sitofp(rows, double), edge)
        skipped = builder.fptosi(builder.fmul(twice, ir.Constant(double, 0.5)), I64)
        pairs = builder.mul(skipped, builder.sub(rows, skipped))
        before = builder.lshr(pairs, code.i64(1))
        return builder.add(begun, skipped), builder.sub(rank, before)


def choose_count(code: Code, size: Value, count: int) -> Value:
    """How many subsets of *count* members a set of *size* members has."""
    if count == 0:
        return code.i64(1)
    total: Value = code.i64(1)
    for i in range(count):
        factor = code.builder.sub(size, code.i64(i))
        total = code.builder.sdiv(code.builder.mul(total, factor), code.i64(i + 1))
    enough = code.builder.icmp_signed(">=", size, code.i64(count))
    return code.builder.select(enough, total, code.i64(0))
