"""Truths, numbers and sets: the operators."""

from __future__ import annotations

from collections.abc import Callable

from ludeme.check import program
from ludeme.diagnostics import fault
from ludeme.kernel.pure import PURE
from ludeme.machine.asking import Evaluate
from ludeme.machine.layout import Cells
from ludeme.machine.straight import Straight

ALIASES = {"/": "division", "mod": "division"}


class Operators(Straight):
    """Compiles operators; those of the kernel have a method of their name, or mean what it says."""

    def op(self, node: program.Op) -> Evaluate:
        """An operation of the kernel, or an operator."""
        method: Callable[[program.Op], Evaluate] | None = getattr(
            self, f"op_{ALIASES.get(node.name, node.name)}", None
        )
        if method is not None:
            return method(node)
        arguments = [self.compile(argument) for argument in node.arguments]
        special = BINARY.get(node.name)
        if special is not None:
            return special(*arguments)
        meaning = PURE[node.name]
        if len(arguments) == 1:
            (only,) = arguments
            return lambda c: meaning(only(c))
        if len(arguments) == 2:
            a, b = arguments
            return lambda c: meaning(a(c), b(c))
        return lambda c: meaning(*[argument(c) for argument in arguments])

    def op_division(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        meaning, span = PURE[node.name], node.span

        def divide(c: Cells) -> int:
            try:
                return int(meaning(a(c), b(c)))
            except ZeroDivisionError:
                raise fault("division", span, "a number was divided by 0") from None

        return divide

    def choice(self, node: program.Choice) -> Evaluate:
        """`if A then B else C`."""
        condition = self.compile(node.condition)
        then = self.compile(node.then)
        otherwise = self.compile(node.otherwise)
        return lambda c: then(c) if condition(c) else otherwise(c)

    def op_member(self, node: program.Op) -> Evaluate:
        member, whole = (self.compile(argument) for argument in node.arguments)
        if node.arguments[0].type.kind == "number":
            contains = PURE["member"]
            return lambda c: contains(member(c), whole(c))
        return lambda c: whole(c) >> member(c) & 1 == 1

    def op_pick(self, node: program.Op) -> Evaluate:
        table, index = (self.compile(argument) for argument in node.arguments)

        def pick(c: Cells) -> int:
            entries, number = table(c), index(c)
            return entries[number] if 0 <= number < len(entries) else 0

        return pick


BINARY: dict[str, Callable[..., Evaluate]] = {
    "and": lambda a, b: lambda c: a(c) and b(c),
    "or": lambda a, b: lambda c: a(c) or b(c),
    "not": lambda a: lambda c: not a(c),
    "intersection": lambda a, b: lambda c: a(c) & b(c),
    "together": lambda a, b: lambda c: a(c) | b(c),
    "complement": lambda a, everything: lambda c: everything(c) & ~a(c),
    "within": lambda a, b: lambda c: a(c) & ~b(c) == 0,
    "=": lambda a, b: lambda c: a(c) == b(c),
    "single": lambda a: lambda c: 1 << a(c),
    "some": lambda a: lambda c: a(c) != 0,
    "none": lambda a: lambda c: a(c) == 0,
    "count": lambda a: lambda c: a(c).bit_count(),
    "+": lambda a, b: lambda c: a(c) + b(c),
    ">": lambda a, b: lambda c: a(c) > b(c),
}
"""The commonest operators without the detour over `PURE`; a test holds them to it."""
