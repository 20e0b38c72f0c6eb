"""What all questions to a state have in common: definitions, loops over members, steps, faults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from llvmlite import ir

from ludeme.check import program
from ludeme.kernel.types import Type
from ludeme.machine.layout import Layout
from ludeme.machine.tables import Tables
from ludeme.native import context
from ludeme.native.boards import Boards
from ludeme.native.effort import Effort
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.families import Families
from ludeme.native.flanks import Flanks
from ludeme.native.memory import I32, I64, PTR, Memory
from ludeme.native.memos import Memos
from ludeme.native.planes import Outline
from ludeme.native.slides import Slides
from ludeme.native.subsets import Subsets

SITES = Type("set", Type("site"))
AnyTurn = Callable[[str], ir.Function]
ALIASES = {
    "=": "equal",
    "!=": "differ",
    "<": "less",
    "<=": "at_most",
    ">": "greater",
    ">=": "at_least",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "divide",
    "mod": "modulo",
}
"""What the methods of operators are called: `op_` and this."""


class Remembering(Protocol):
    """What is asked of earlier positions, see `ludeme.native.history`."""

    def repeats(self, code: Code, number: int) -> Value: ...

    def remember(self, code: Code) -> None: ...


class Asking(ABC):
    """The ground of `Expressions`; *any_turn* gives the function that answers `P can TURN`."""

    def __init__(
        self,
        unit: Unit,
        layout: Layout,
        tables: Tables,
        memos: Memos,
        effort: Effort,
        any_turn: AnyTurn,
    ) -> None:
        self.unit = unit
        self.memory: Memory = unit.memory
        self.layout = layout
        self.program = layout.program
        self.tables = tables
        self.boards = Boards(unit, tables)
        self.flanks = Flanks(self.boards, tables)
        self.slides = Slides(unit, tables)
        self.memos = memos
        self.effort = effort
        self.any_turn = any_turn
        self.players = len(self.program.players)
        self.everything = self.program.board.everything
        self.subsets: Subsets
        self.history: Remembering
        """Set by who makes both, since each asks the other."""
        self._functions: dict[program.Function, ir.Function] = {}
        self._user_floods: dict[program.Function, ir.Function] = {}
        self._outlines: dict[program.Node, Outline | None] = {}

    @property
    @abstractmethod
    def families(self) -> Families:
        """What is made of the expressions that are families of sets."""

    @abstractmethod
    def value(self, code: Code, node: program.Expression) -> Value:
        """The value of *node*, worked out at the place where *code* stands."""

    def type_of(self, type_: Type, node: program.Node) -> ir.IntType:
        """The register type of a value."""
        return self.memory.value_type(type_, node.span)

    def operands(self, code: Code, node: program.Op) -> list[Value]:
        """The values of all operands."""
        return [self.value(code, argument) for argument in node.arguments]

    def single(self, code: Code, member: Value, type_: ir.IntType) -> Value:
        """The set of one member."""
        if type_.width == self.unit.set_type.width and type_.width > 64:
            return code.bit(code.fit(member, I32))
        return code.builder.shl(ir.Constant(type_, 1), code.fit(member, type_, signed=False))

    def indexed_set(self, code: Code, first: int, count: int, index: Value) -> Value:
        """One of a row of sets of the state, such as the pieces of each player."""
        if isinstance(index, ir.Constant):
            return code.load(self.memory.fields[first + int(index.constant)])
        field = self.memory.fields[first]
        base = code.address(code.read, field)
        at = code.builder.gep(base, [code.wide(index)], source_etype=self.unit.set_type)
        found = code.builder.load(at, typ=self.unit.set_type)
        found.align = min(16, self.unit.set_type.width // 8)
        return self.unit.tag(found, field.group)

    def apply(self, code: Code, node: program.Apply) -> Value:
        """A definition applied; one that is given a family is written out."""
        if any(p.type.kind == "family" for p in node.function.parameters):
            with self.families.written_out(code, node) as value:
                return self.value(code, value)
        arguments = [self.value(code, argument) for argument in node.arguments]
        function = self.function(node.function)
        return code.builder.call(function, [code.ctx, code.read, *arguments])

    def function(self, function: program.Function) -> ir.Function:
        """A definition as a function of the context, the state and its parameters."""
        if function in self._functions:
            return self._functions[function]
        types = [self.memory.value_type(p.type, function.span) for p in function.parameters]
        result = self.memory.value_type(function.type, function.span)
        made = self.unit.function(function.name, result, [PTR, PTR, *types])
        self._functions[function] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        for parameter, argument in zip(function.parameters, made.args[2:], strict=True):
            code.env[parameter.slot] = argument
        code.builder.ret(self.value(code, function.value))
        return made

    @contextmanager
    def each(
        self,
        code: Code,
        domain: program.Expression,
        local: program.Local,
        steps: int,
        in_any_order: bool = False,
    ) -> Iterator[None]:
        """For each member of a set or family, bound to *local*; so many *steps* each.

        *in_any_order*: it does not matter which comes first.
        """
        if domain.type.kind == "family":
            with self.families.each(code, domain) as part:
                self.spend(code, steps)
                code.env[local.slot] = part
                yield
            return
        pair = pair_of_sites(domain)
        if pair is not None and in_any_order:
            with self.each_of_two(code, pair, local, steps):
                yield
            return
        whole = self.value(code, domain)
        self.spend_each(code, whole, steps)
        with code.loop(whole) as member:
            type_ = self.type_of(local.type, domain)
            code.env[local.slot] = code.fit(member, type_, signed=False)
            yield

    @contextmanager
    def each_of_two(
        self,
        code: Code,
        pair: tuple[program.Expression, program.Expression],
        local: program.Local,
        steps: int,
    ) -> Iterator[None]:
        """The same for two sites that are named, without making a set of them."""
        builder = code.builder
        one, other = (self.value(code, site) for site in pair)
        places = code.block(8)
        for number, site in enumerate((one, other)):
            builder.store(site, builder.gep(places, [code.i64(number)], source_etype=I32))
        differ = builder.zext(builder.icmp_unsigned("!=", one, other), I64)
        count = builder.add(differ, code.i64(1))
        if self.effort.is_counted:
            self.spend(code, builder.mul(count, code.i64(steps)))
        with code.count_up(count) as number:
            where = builder.gep(places, [number], source_etype=I32)
            code.env[local.slot] = builder.load(where, typ=I32)
            yield

    def begin_question(self, code: Code) -> None:
        """Count steps from naught."""
        if self.effort.is_counted:
            code.store(context.STEPS, code.i64(0), base=code.ctx)

    def spend(self, code: Code, steps: int | Value) -> None:
        """Count steps."""
        if not self.effort.is_counted:
            return
        more = code.i64(steps) if isinstance(steps, int) else steps
        now = code.load(context.STEPS, base=code.ctx)
        code.store(context.STEPS, code.builder.add(now, more), base=code.ctx)

    def spend_each(self, code: Code, members: Value, steps: int) -> None:
        """Count steps for each member of a set."""
        if self.effort.is_counted:
            self.spend(code, code.builder.mul(code.count(members), code.i64(steps)))

    def is_overrun(self, code: Code) -> Value:
        """Whether the question takes too many steps."""
        now = code.load(context.STEPS, base=code.ctx)
        return code.builder.icmp_unsigned(">", now, code.i64(self.effort.limit))

    def fault_if(self, code: Code, condition: Value) -> None:
        """Note that the description went wrong; play goes on safely and is thrown away."""

        def note() -> None:
            code.store(context.FAULT, code.i32(1), base=code.ctx)

        code.when(condition, note)


def pair_of_sites(
    node: program.Expression,
) -> tuple[program.Expression, program.Expression] | None:
    """The two sites that a set is written down with."""
    if not isinstance(node, program.Op) or node.name != "together" or node.type != SITES:
        return None
    singles = [a for a in node.arguments if isinstance(a, program.Op) and a.name == "single"]
    sites = [single.arguments[0] for single in singles]
    if len(sites) == 2 and all(site.type.kind == "site" for site in sites):
        return sites[0], sites[1]
    return None
