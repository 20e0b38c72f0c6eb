"""What names mean at a place."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from ludeme.check import program
from ludeme.diagnostics import Span
from ludeme.kernel.types import Type
from ludeme.syntax import tree


@attrs.define
class Place:
    """Where an expression or line stands, and what may be asked and done there.

    *mover*: somebody moves. *abilities*: `can` may be asked. *plans*: only secret orders may be
    written. The ``uses_`` fields are filled in while a definition is checked.
    """

    name: str  # turn, reveal, start, play, end, ranking, define, example, board
    mover: bool = False
    placed: bool = False
    abilities: bool = False
    choices: bool = False
    chance: bool = False
    plans: bool = False
    writes: bool = True
    at_once: bool = False
    in_repeat: bool = False
    uses_mover: bool = False
    uses_placed: bool = False
    uses_ability: bool = False


@attrs.define
class LocalBinding:
    """A name bound by a block; *assignable*: `let` made it, so `set` may change it."""

    local: program.Local
    span: Span
    assignable: bool = False
    used: bool = False
    chosen: bool = False


@attrs.define
class ByName:
    """A ludeme's parameter: the expression given for it, checked anew where it is used."""

    expression: tree.Expression
    scope: Scope
    type: Type


Binding: TypeAlias = LocalBinding | ByName


@attrs.define
class Scope:
    """Names bound here and further out."""

    place: Place
    outer: Scope | None = None
    names: dict[str, Binding] = attrs.field(factory=dict)

    def find(self, name: str) -> Binding | None:
        """What *name* is bound to, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def inside(self) -> Scope:
        """A scope within this one."""
        return Scope(self.place, self)

    def all_names(self) -> set[str]:
        """Every name bound here or further out."""
        names: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            names |= set(scope.names)
            scope = scope.outer
        return names
