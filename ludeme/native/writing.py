"""What all lines that write have in common: values, faults, and what happens at once."""

from __future__ import annotations

from collections.abc import Callable

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.machine.layout import VariableSlots
from ludeme.native import facts
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.expressions import Expressions
from ludeme.native.memory import I1, I8, I32, I64, PTR, Field, Memory
from ludeme.native.tally import TallyCode

Say = Callable[[Code, program.Say], None]
"""What is done where a run prints something."""

PUT, LEAVE, ARRIVE, SWAP, REMOVE = (number << 56 for number in range(1, 6))
"""What is done to a site, in front of how; two members of `for each` may do only the same."""


@attrs.define(eq=False)
class AtOnce:
    """A `for each` in the making: the number of the member, and who wrote where."""

    number: Value
    prepare: ir.Block
    tables: dict[tuple[object, ...], tuple[Value, Value]]
    raised: list[VariableSlots]


class Writing:
    """The ground of `Effects`."""

    def __init__(self, unit: Unit, expressions: Expressions, tally: TallyCode) -> None:
        self.unit = unit
        self.expressions = expressions
        self.tally = tally
        self.memory: Memory = unit.memory
        self.layout = expressions.layout
        self.program = expressions.program
        self.players = len(self.program.players)
        self.kinds = len(self.program.kinds)
        self.at_once: AtOnce | None = None
        self.simple = self.memory.pile is None and not self.layout.piece_variables
        self.on_empty = facts.puts_on_empty(self.program)
        self._helpers: dict[str, ir.Function] = {}
        self.say: Say = lambda code, line: None
        self.prints = False

    def value(self, code: Code, node: program.Expression) -> Value:
        """The value of an expression."""
        return self.expressions.value(code, node)

    def fault_if(self, code: Code, condition: Value) -> None:
        """Note a fault."""
        self.expressions.fault_if(code, condition)

    def note(
        self, code: Code, key: tuple[object, ...], size: int, index: Value, value: Value
    ) -> Value:
        """Note who writes what where; whether another member wrote the same there before.

        Two members that write differently to one place are a fault.
        """
        assert self.at_once is not None
        if key not in self.at_once.tables:
            writers = self.zeroed(code, size * 4)
            values = self.zeroed(code, Field(0, value.type, size).size)
            self.at_once.tables[key] = (writers, values)
        writers, values = self.at_once.tables[key]
        builder, number = code.builder, self.at_once.number
        writer_at = builder.gep(writers, [code.wide(index)], source_etype=I32)
        value_at = builder.gep(values, [code.wide(index)], source_etype=value.type)
        writer = builder.load(writer_at, typ=I32)
        before = builder.load(value_at, typ=value.type)
        first = builder.icmp_unsigned("==", writer, code.i32(0))
        builder.store(builder.select(first, number, writer), writer_at)
        builder.store(builder.select(first, value, before), value_at)
        other = builder.icmp_unsigned("!=", writer, number)
        repeated = builder.and_(builder.not_(first), other)
        differs = builder.icmp_unsigned("!=", before, value)
        self.fault_if(code, builder.and_(repeated, differs))
        return repeated

    def zeroed(self, code: Code, size: int) -> Value:
        """Room on the stack of the function, cleared where this `for each` begins."""
        assert self.at_once is not None
        made = code.block(size)
        with code.builder.goto_block(self.at_once.prepare):
            fnty = ir.FunctionType(ir.VoidType(), [PTR, I8, I64, I1])
            clear = self.unit.intrinsic("llvm.memset.p0.i64", [], fnty)
            code.builder.call(clear, [made, ir.Constant(I8, 0), code.i64(size), code.truth(False)])
        return made

    def note_sites(self, code: Code, what: str, mask: Value, value: Value) -> Value:
        """Note a write to each of a set of sites; those that another member wrote alike."""
        repeated = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), repeated)
        with code.loop(mask) as site:
            again = self.note(code, (what,), self.memory.sites, site, value)
            now = code.builder.load(repeated, typ=self.unit.set_type)
            more = code.builder.or_(now, code.bit(site))
            code.builder.store(code.builder.select(again, more, now), repeated)
        return code.builder.load(repeated, typ=self.unit.set_type)
