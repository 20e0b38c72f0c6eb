"""Names and calls: what a word stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludeme.check import program
from ludeme.check.environment import (
    Definition,
    LudemeDefinition,
    Table,
    Value,
)
from ludeme.check.limits import (
    LARGEST_NUMBER,
)
from ludeme.check.operations import Operations
from ludeme.check.scope import ByName, LocalBinding, Scope
from ludeme.diagnostics import Span
from ludeme.kernel import OPERATIONS
from ludeme.kernel.types import (
    FAMILY,
    KIND,
    NUMBER,
    PLAYER,
    SITE,
    SITES,
    TRUTH,
    Type,
    choice,
)
from ludeme.syntax import tree


class Expressions(Operations):
    """Checks expressions of all kinds."""

    def _hole(self, node: tree.Hole, scope: Scope) -> program.Expression:
        return self.hole(node.span)

    def _number(self, node: tree.Number, scope: Scope) -> program.Expression:
        if node.value > LARGEST_NUMBER:
            self.report.error(
                "number-size", node.span, f"numbers go up to {LARGEST_NUMBER}; this is larger"
            )
            return self.hole(node.span)
        return program.Constant(node.value, NUMBER, span=node.span)

    def _truth(self, node: tree.Truth, scope: Scope) -> program.Expression:
        return program.Constant(int(node.value), TRUTH, span=node.span)

    def _name(self, node: tree.Name, scope: Scope) -> program.Expression:
        name = node.text
        binding = scope.find(name)
        if isinstance(binding, LocalBinding):
            binding.used = True
            if binding.local.type.kind == "hole":
                return self.hole(node.span)
            return program.Get(binding.local, binding.local.type, span=node.span)
        if isinstance(binding, ByName):
            inner = Scope(scope.place, binding.scope)
            return self.expect(binding.expression, inner, binding.type, f"`{name}`")
        value = self.env.value_word(name)
        if value is not None:
            return program.Constant(value.value, value.type, span=node.span)
        declared = self.env.names.get(name)
        if declared is not None:
            return self._declared(name, declared, node.span, scope)
        operation = OPERATIONS.get(name)
        if operation is not None:
            return self._operation(operation, (), node.span, node.span, scope)
        if name in self.env.board.families:
            self.report.error(
                "call", node.span, f"`{name}` wants a number", help=f"for example `{name}(1)`"
            )
            return self.hole(node.span)
        if name in self.env.later:
            self.report.error(
                "not-constant",
                node.span,
                f"`{name}` is worked out in play, and this must be known before",
                help="only options, words of the board and regions can stand here",
            )
            return self.hole(node.span)
        if name in self.env.turns:
            self.report.error(
                "type",
                node.span,
                f"`{name}` is a turn, not a value",
                help=f"whether a player can take it is asked with `mover can {name}`",
            )
            return self.hole(node.span)
        known = scope.all_names() | self.env.known_names()
        self.report.unknown("thing", name, node.span, known)
        return self.hole(node.span)

    def _declared(self, name: str, declared: Any, span: Span, scope: Scope) -> program.Expression:
        self.env.used.add(name)
        if isinstance(declared, program.Variable):
            return self.read(declared, (), span, span, scope)
        if isinstance(declared, Definition):
            return self.apply(declared, (), span, span, scope)
        if isinstance(declared, Table):
            what = "player" if declared.domain == PLAYER else "kind of piece"
            self.report.error(
                "call",
                span,
                f"`{name}` differs from one {what} to another",
                help=f"say of which, for example `{name}({_example_of(declared)})`",
            )
            return self.hole(span)
        what = "a ludeme" if isinstance(declared, LudemeDefinition) else "a turn"
        self.report.error("type", span, f"`{name}` is {what}, not a value")
        return self.hole(span)

    def _call(self, node: tree.Call, scope: Scope) -> program.Expression:
        name = node.name.text
        declared = self.env.names.get(name)
        if scope.find(name) is not None:
            self.report.error(
                "call", node.name.span, f"`{name}` is a value here and takes nothing in brackets"
            )
            return self.hole(node.span)
        if isinstance(declared, program.Variable):
            self.env.used.add(name)
            return self.read(declared, node.arguments, node.span, node.name.span, scope)
        if isinstance(declared, Definition):
            self.env.used.add(name)
            return self.apply(declared, node.arguments, node.span, node.name.span, scope)
        if isinstance(declared, Table):
            self.env.used.add(name)
            return self.look_up(declared, node, scope)
        if name in self.env.board.families:
            return self.family_member(node, scope)
        operation = OPERATIONS.get(name)
        if operation is not None:
            return self._operation(operation, node.arguments, node.span, node.name.span, scope)
        if self.env.value_word(name) is not None:
            self.report.error("call", node.name.span, f"`{name}` takes nothing in brackets")
            return self.hole(node.span)
        if isinstance(declared, LudemeDefinition):
            self.report.error("type", node.name.span, f"`{name}` is a ludeme, not a value")
            return self.hole(node.span)
        callable_names = {
            other
            for other, what in self.env.names.items()
            if isinstance(what, Definition | Table | program.Variable)
        }
        callable_names |= {o.name for o in OPERATIONS.values() if o.parameters}
        callable_names |= set(self.env.board.families)
        self.report.unknown("thing", name, node.name.span, callable_names)
        for argument in node.arguments:
            self.check(argument.value, scope)
        return self.hole(node.span)

    def read(
        self,
        variable: program.Variable,
        arguments: Sequence[tree.Argument],
        span: Span,
        name_span: Span,
        scope: Scope,
    ) -> program.Expression:
        """The value of a declared variable."""
        if variable.is_flag:
            if arguments:
                shown = arguments[0].value.span.text
                self.report.error(
                    "call",
                    name_span,
                    f"`{variable.name}` is the set of sites that have it",
                    help=f"write `{shown} in {variable.name}`",
                )
                return self.hole(span)
            return program.Read(variable, (), SITES, span=span)
        indices = self.indices(variable, arguments, span, name_span, scope)
        if indices is None:
            return self.hole(span)
        if variable.planned and scope.place.plans and not _is_mover(indices[0]):
            self.report.error(
                "secret",
                span,
                f"a turn taken together may look at the mover's own `{variable.name}` only",
                help=f"write `{variable.name}(mover ...)`",
            )
        return program.Read(variable, indices, variable.type, span=span)

    def indices(
        self,
        variable: program.Variable,
        arguments: Sequence[tree.Argument],
        span: Span,
        name_span: Span,
        scope: Scope,
    ) -> tuple[program.Expression, ...] | None:
        """What a variable is asked of: player, site, or both."""
        types = index_types(variable)
        for argument in arguments:
            if argument.label is not None:
                self.report.error("call", argument.span, f"`{argument.label}` has no place here")
        if len(arguments) != len(types):
            of = " and a ".join(str(type_) for type_ in types)
            form = f"{variable.name}({', '.join(str(type_) for type_ in types)})"
            message = f"`{variable.name}` belongs to a {of}" if types else ""
            if not types:
                message = f"`{variable.name}` belongs to the game and takes nothing in brackets"
            self.report.error("call", name_span, message, help=f"write `{form}`" if types else None)
            return None
        return tuple(
            self.expect(argument.value, scope, type_, f"`{variable.name}`")
            for argument, type_ in zip(arguments, types, strict=True)
        )

    def look_up(self, table: Table, node: tree.Call, scope: Scope) -> program.Expression:
        """A constant of a player or kind."""
        if len(node.arguments) != 1:
            self.report.error("call", node.name.span, f"`{table.name}` wants one {table.domain}")
            return self.hole(node.span)
        index = self.expect(node.arguments[0].value, scope, table.domain, f"`{table.name}`")
        values = program.Constant(table.values, FAMILY)
        return self.op("lookup", [values, index], table.type, node.span)

    def family_member(self, node: tree.Call, scope: Scope) -> program.Expression:
        """A numbered set of sites of the board, such as `row(2)`."""
        name = node.name.text
        members = self.env.board.families[name]
        if len(node.arguments) != 1:
            self.report.error("call", node.name.span, f"`{name}` wants one number")
            return self.hole(node.span)
        index = self.expect(node.arguments[0].value, scope, NUMBER, f"`{name}`")
        highest = max(members)
        if isinstance(index, program.Constant) and index.type == NUMBER:
            assert isinstance(index.value, int)
            written_out = isinstance(node.arguments[0].value, tree.Number | tree.Negative)
            if index.value not in members and written_out:
                low = min(members)
                self.report.error(
                    "range",
                    node.arguments[0].span,
                    f"this board has {name}s {low} to {highest}, and no {name} {index.value}",
                )
                return self.hole(node.span)
            return program.Constant(members.get(index.value, 0), SITES, span=node.span)
        table = tuple(members.get(number, 0) for number in range(highest + 1))
        return self.op("pick", [program.Constant(table, FAMILY), index], SITES, node.span)


def index_types(variable: program.Variable) -> list[Type]:
    """What a variable is asked of, in order."""
    types = []
    if variable.owner == "player":
        types.append(PLAYER)
    elif variable.owner in ("site", "piece"):
        types.append(SITE)
    if variable.index == "site":
        types.append(SITE)
    elif variable.index == "player":
        types.append(PLAYER)
    elif variable.index == "kind":
        types.append(KIND)
    elif variable.index is not None:
        types.append(choice(variable.index))
    return types


def _is_mover(node: program.Expression) -> bool:
    return isinstance(node, program.Op) and node.name == "mover"


def _example_of(table: Table) -> str:
    return "mover" if table.domain == PLAYER else "kind(s)"


__all__ = ["Expressions", "Value", "index_types"]
