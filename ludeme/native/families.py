"""Families of sets as LLVM IR: gone through set by set, and kept where they outlive a question.

A family that is kept stands in a block: how many sets there are, the number of the one that is next
where they are taken one by one, then the sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludeme.check import program
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I64, Family
from ludeme.native.refusal import NotNative

if TYPE_CHECKING:
    from ludeme.native.floods import Floods


class Families:
    """Lowers expressions that are families."""

    def __init__(self, expressions: Floods) -> None:
        self.expressions = expressions
        self.memory = expressions.memory
        self.unit = expressions.unit
        self._given: dict[int, program.Expression] = {}
        self._written_out: list[program.Function] = []

    # ---- set by set

    @contextmanager
    def each(self, code: Code, node: program.Expression) -> Iterator[Value]:
        """For each set of a family."""
        match node:
            case program.Constant():
                assert isinstance(node.value, tuple)
                with code.loop_table(self.unit.set_type, list(node.value)) as part:
                    yield part
            case program.Op() if node.name == "groups":
                with self.groups(code, node) as part:
                    yield part
            case program.Those():
                with self.those(code, node) as part:
                    yield part
            case program.Apply():
                with self.written_out(code, node) as value, self.each(code, value) as part:
                    yield part
            case program.Get() if node.local.slot in code.env:
                with self.each_kept(code, code.env[node.local.slot]) as part:
                    yield part
            case program.Get() if node.local.slot in self._given:
                with self.each(code, self._given[node.local.slot]) as part:
                    yield part
            case program.Get():
                with self.each_kept(code, self.kept(code, node.local)) as part:
                    yield part
            case program.Choice():
                with self.each_kept(code, self.made(code, node)) as part:
                    yield part
            case _:
                raise NotNative(f"the family `{node.span.text}`", node.span)

    @contextmanager
    def groups(self, code: Code, node: program.Op) -> Iterator[Value]:
        """The parts of a set that hang together, those with the lowest members first."""
        asked = self.expressions
        flood = asked.flooder(code, node.arguments[1], counting=False)
        whole = asked.value(code, node.arguments[0])
        # All parts together reach every site once.
        asked.spend_each(code, whole, asked.effort.flooding(node.arguments[1]))

        def next_part(left: Value) -> Value:
            lowest = code.builder.and_(left, code.builder.neg(left))
            return flood(lowest, left)

        with code.loop_sets(next_part, whole) as part:
            yield part

    @contextmanager
    def those(self, code: Code, node: program.Those) -> Iterator[Value]:
        """The sets that meet a condition."""
        with self.each(code, node.domain) as part:
            code.env[node.local.slot] = part
            condition = self.expressions.value(code, node.condition)
            yes = code.function.append_basic_block("kept")
            after = code.function.append_basic_block("next")
            code.builder.cbranch(condition, yes, after)
            code.builder.position_at_end(yes)
            yield part
            code.builder.branch(after)
            code.builder.position_at_end(after)

    @contextmanager
    def written_out(self, code: Code, node: program.Apply) -> Iterator[program.Expression]:
        """The value of a definition, its parameters being bound; families stay expressions.

        Where a definition is given what it makes itself, that is made first.
        """
        function = node.function
        families = [p.slot for p in function.parameters if p.type.kind == "family"]
        before = {slot: (self._given.get(slot), code.env.get(slot)) for slot in families}
        values: list[Value | None] = []
        for parameter, argument in zip(function.parameters, node.arguments, strict=True):
            if parameter.type.kind != "family":
                values.append(self.expressions.value(code, argument))
            else:
                again = function in self._written_out or self.names(argument, set(families))
                values.append(self.made(code, argument) if again else None)
        for parameter, argument, value in zip(
            function.parameters, node.arguments, values, strict=True
        ):
            if value is not None:
                code.env[parameter.slot] = value
            else:
                code.env.pop(parameter.slot, None)
                self._given[parameter.slot] = argument
        self._written_out.append(function)
        yield function.value
        self._written_out.pop()
        for slot, (given, bound) in before.items():
            code.env.pop(slot, None)
            self._given.pop(slot, None)
            if given is not None:
                self._given[slot] = given
            if bound is not None:
                code.env[slot] = bound

    def names(self, node: program.Expression, slots: set[int]) -> bool:
        """Whether a family is made of what some locals name."""
        match node:
            case program.Get():
                given = self._given.get(node.local.slot)
                return node.local.slot in slots or (given is not None and self.names(given, slots))
            case program.Those():
                return self.names(node.domain, slots)
            case program.Choice():
                return self.names(node.then, slots) or self.names(node.otherwise, slots)
            case program.Apply():
                return any(self.names(a, slots) for a in node.arguments)
        return False

    def go_through(self, code: Code, domain: program.Expression) -> None:
        """Work a family out for its faults alone, where what follows may stop early."""
        if domain.type.kind == "family" and self.may_fail(domain):
            with self.each(code, domain):
                pass

    def may_fail(self, node: program.Expression) -> bool:
        """Whether a family is made with a condition, which may go wrong."""
        match node:
            case program.Those() | program.Choice():
                return True
            case program.Apply():
                return self.may_fail(node.function.value) or any(map(self.may_fail, node.arguments))
            case program.Get():
                given = self._given.get(node.local.slot)
                return given is not None and self.may_fail(given)
        return False

    # ---- families that are kept

    def made(self, code: Code, node: program.Expression) -> Value:
        """A block of this function with a family."""
        block = code.block(self.shape.size)
        self.fill(code, block, node)
        return block

    @property
    def shape(self) -> Family:
        """The shape of a block."""
        return Family(0, self.memory.most_sets, self.unit.set_type)

    def fill(self, code: Code, block: Value, node: program.Expression) -> None:
        """Put a family into a block."""
        if isinstance(node, program.Choice):
            condition = self.expressions.value(code, node.condition)
            code.either(
                condition,
                lambda: self.fill(code, block, node.then),
                lambda: self.fill(code, block, node.otherwise),
            )
            return
        total = code.slot(I64)
        code.builder.store(code.i64(0), total)
        with self.each(code, node) as part:
            number = code.builder.load(total, typ=I64)
            code.builder.store(part, self.place(code, block, number))
            code.builder.store(code.builder.add(number, code.i64(1)), total)
        code.builder.store(code.builder.load(total, typ=I64), block)
        self.set_number(code, block, code.i64(0))

    def keep(self, code: Code, node: program.Expression, local: program.Local) -> None:
        """Give a local a family; it is made before the local changes."""
        made = self.made(code, node)
        family = self.memory.families[local.slot]
        code.copy(code.address(code.write, family.block), made, family.size)

    def kept(self, code: Code, local: program.Local) -> Value:
        """The block of a local, which is read where it is written."""
        return code.address(code.write, self.memory.families[local.slot].block)

    @contextmanager
    def each_kept(self, code: Code, block: Value) -> Iterator[Value]:
        """For each set in a block."""
        with code.count_up(self.count(code, block)) as number:
            yield self.set_at(code, block, number)

    def count(self, code: Code, block: Value) -> Value:
        """How many sets there are."""
        return code.builder.load(block, typ=I64)

    def number(self, code: Code, block: Value) -> Value:
        """The number of the set that is next."""
        return code.builder.load(self.number_place(code, block), typ=I64)

    def set_number(self, code: Code, block: Value, number: Value) -> None:
        """Say which set is next."""
        code.builder.store(number, self.number_place(code, block))

    def number_place(self, code: Code, block: Value) -> Value:
        """Where the number of the next one stands."""
        return code.builder.gep(block, [code.i64(8)], source_etype=I8)

    def set_at(self, code: Code, block: Value, number: Value) -> Value:
        """A set by its number."""
        found = code.builder.load(self.place(code, block, number), typ=self.unit.set_type)
        found.align = 8
        return found

    def place(self, code: Code, block: Value, number: Value) -> Value:
        """Where a set stands."""
        first = code.builder.gep(block, [code.i64(Family.SETS)], source_etype=I8)
        return code.builder.gep(first, [number], source_etype=self.unit.set_type)

    def same(self, code: Code, a: program.Expression, b: program.Expression) -> Value:
        """Whether two families hold the same sets in the same order."""
        builder = code.builder
        one, other = self.made(code, a), self.made(code, b)
        count = self.count(code, one)
        equal = code.slot(I1)
        builder.store(builder.icmp_unsigned("==", count, self.count(code, other)), equal)

        def compare() -> None:
            with code.count_up(count) as number:
                left, right = self.set_at(code, one, number), self.set_at(code, other, number)
                now = builder.load(equal, typ=I1)
                same = builder.icmp_unsigned("==", left, right)
                builder.store(builder.and_(now, same), equal)

        code.when(builder.load(equal, typ=I1), compare)
        return builder.load(equal, typ=I1)


__all__ = ["Families"]
