"""Expressions of a checked program as LLVM IR; the twin of `ludeme.machine.expressions`."""

from __future__ import annotations

from collections.abc import Callable

from ludeme.check import program
from ludeme.machine.layout import Layout
from ludeme.machine.tables import Tables
from ludeme.native.asking import AnyTurn
from ludeme.native.binders import Binders
from ludeme.native.effort import Effort
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.families import Families
from ludeme.native.memos import Memos
from ludeme.native.refusal import NotNative


class Expressions(Binders):
    """Lowers expressions. *any_turn* gives the function that answers `P can TURN`."""

    def __init__(
        self,
        unit: Unit,
        layout: Layout,
        tables: Tables,
        memos: Memos,
        effort: Effort,
        any_turn: AnyTurn,
    ) -> None:
        super().__init__(unit, layout, tables, memos, effort, any_turn)
        self.families = Families(self)

    def value(self, code: Code, node: program.Expression) -> Value:
        """The value of *node*, worked out at the place where *code* stands."""
        match node:
            case program.Constant():
                return self.constant(code, node)
            case program.Get():
                return self.get(code, node)
            case program.Read():
                return self.read(code, node)
            case program.Op():
                return self.op(code, node)
            case program.Apply():
                return self.apply(code, node)
            case program.Choice():
                condition = self.value(code, node.condition)
                return code.choose(
                    condition,
                    lambda: self.value(code, node.then),
                    lambda: self.value(code, node.otherwise),
                )
            case program.Quantified():
                return self.quantified(code, node)
            case program.Those():
                return self.those(code, node)
            case program.Fold():
                return self.fold(code, node)
            case program.Best():
                return self.best(code, node)
            case program.Ability():
                return self.ability(code, node)
        raise NotNative(f"`{node.span.text}`", node.span)

    def op(self, code: Code, node: program.Op) -> Value:
        """An operation of the kernel, or an operator."""
        name = _ALIASES.get(node.name, node.name)
        method: Callable[[Code, program.Op], Value] | None = getattr(self, f"op_{name}", None)
        if method is None:
            raise NotNative(f"`{node.name}`", node.span)
        return method(code, node)


_ALIASES = {
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


__all__ = ["Expressions"]
