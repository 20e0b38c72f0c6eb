"""Expressions of a checked program as LLVM IR; the twin of `ludeme.machine.expressions`."""

from __future__ import annotations

from collections.abc import Callable

from ludeme.check import program
from ludeme.native.asking import ALIASES
from ludeme.native.binders import Binders
from ludeme.native.emitter import Code, Value
from ludeme.native.refusal import NotNative


class Expressions(Binders):
    """Lowers expressions. *any_turn* gives the function that answers `P can TURN`."""

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
        name = ALIASES.get(node.name, node.name)
        method: Callable[[Code, program.Op], Value] | None = getattr(self, f"op_{name}", None)
        if method is None:
            raise NotNative(f"`{node.name}`", node.span)
        return method(code, node)


__all__ = ["Expressions"]
