"""Expressions of a checked program as Python functions of a state; see `ludeme.machine.asking`."""

from __future__ import annotations

from operator import itemgetter

from ludeme.check import program
from ludeme.machine.asking import CanMove, Evaluate
from ludeme.machine.binders import Binders


class Expressions(Binders):
    """Compiles expressions of one program. *can_move* answers `P can TURN`."""

    def compile(self, node: program.Expression) -> Evaluate:
        """The function that evaluates *node*."""
        match node:
            case program.Constant():
                value = node.value
                return lambda c: value
            case program.Get():
                return itemgetter(self.layout.local(node.local.slot))
            case program.Read():
                return self.read(node)
            case program.Op():
                return self.op(node)
            case program.Apply():
                return self.apply(node)
            case program.Choice():
                return self.choice(node)
            case program.Quantified():
                return self.quantified(node)
            case program.Those():
                return self.those(node)
            case program.Fold():
                return self.fold(node)
            case program.Best():
                return self.best(node)
            case program.Ability():
                return self.ability(node)
        raise AssertionError(node)


__all__ = ["CanMove", "Evaluate", "Expressions"]
