"""Turns that chance takes, as LLVM IR; the twin of `ludeme.machine.rolls`."""

from __future__ import annotations

from llvmlite import ir

from ludeme.check import program
from ludeme.native import context
from ludeme.native.effects import Effects
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, PTR
from ludeme.native.runs import Counting, Runs
from ludeme.native.values import Values


class Rolls(Runs):
    """One outcome, drawn from the stream that the context names; False if a run was refused."""

    def __init__(self, unit: Unit, effects: Effects, values: Values) -> None:
        super().__init__(unit, effects, self._end(unit), counting=Counting.ALL)
        self.values = values

    @staticmethod
    def _end(unit: Unit) -> ir.Function:
        """The end of a run that was rolled."""
        made = unit.function("rolled", I1, [PTR, PTR], inline=True)
        code = Code(unit, made, made.args[0], made.args[1])
        code.builder.ret(code.truth(True))
        return made

    def choose(
        self, code: Code, line: program.Choose, follows: ir.Function, rest: program.Block
    ) -> None:
        """Go on with one value, each being equally likely."""
        domain = self.fitting(code, line, self.expressions.value(code, line.domain))
        count = self.values.weight(code, line, domain)
        self.require(code, code.builder.icmp_signed(">", count, code.i64(0)))
        stream = code.builder.inttoptr(code.load(context.STREAM, base=code.ctx), PTR)
        number = code.builder.call(self.values.chance.below, [stream, count])
        if line.many:
            value = self.values.unrank(code, line, domain, number)
        else:
            value = self.values.chance.nth(code, domain, number)
        field = self.memory.local(line.local)
        code.store(field, code.fit(value, field.type, signed=False))
        code.builder.ret(self.call(code, follows))

    def fitting(self, code: Code, line: program.Choose, domain: Value) -> Value:
        """The values that the line's condition lets pass."""
        if line.condition is None:
            return domain
        kept = code.slot(domain.type)
        code.builder.store(ir.Constant(domain.type, 0), kept)
        type_ = self.expressions.type_of(line.member.type, line)
        with code.loop(domain) as member:
            code.env[line.member.slot] = code.fit(member, type_, signed=False)
            holds = self.expressions.value(code, line.condition)
            now = code.builder.load(kept, typ=domain.type)
            more = code.builder.or_(now, self.single(code, member, domain.type))
            code.builder.store(code.builder.select(holds, more, now), kept)
        fitting = code.builder.load(kept, typ=domain.type)
        if self.counting is Counting.ALL:
            self.tally.asked_of_each(code, line, domain, fitting)
        return fitting


__all__ = ["Rolls"]
