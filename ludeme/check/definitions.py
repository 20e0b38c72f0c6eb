"""Definitions and relations, and the arguments of what is called."""

from __future__ import annotations

from collections.abc import Sequence

from ludeme.board.errors import counted
from ludeme.check import program
from ludeme.check.environment import (
    Definition,
)
from ludeme.check.operators import Operators
from ludeme.check.scope import Place, Scope
from ludeme.diagnostics import Span, did_you_mean
from ludeme.kernel import Operation, Parameter
from ludeme.kernel.types import (
    BY_NAME,
    HOLE,
    SITE,
)
from ludeme.syntax import tree


class Definitions(Operators):
    """Checks definitions when they are first needed, and where they are applied."""

    def permit(self, name: str, reads: frozenset[str], span: Span, scope: Scope) -> bool:
        """Complain where nobody moves, or nothing was placed."""
        place = scope.place
        place.uses_mover |= "mover" in reads
        place.uses_placed |= "placed" in reads
        if "mover" in reads and not place.mover:
            self.nobody_moves(name, span, place)
            return False
        if "placed" in reads and not place.placed:
            self.report.error("placed", span, "`placed` can be asked only in a turn and in `end`")
            return False
        return True

    def nobody_moves(self, name: str, span: Span, place: Place) -> None:
        """Report a word that speaks of the mover where there is none."""
        where = "before play begins" if place.name == "board" else f"in `{place.name}`"
        advice = {
            "mine": "write `pieces(p)` of a player p",
            "theirs": "write `pieces(p)` of a player p",
        }.get(name, "name the player, for example with `for each player p`")
        self.report.error(
            "mover", span, f"nobody moves {where}, so `{name}` means nothing here", advice
        )

    def match_arguments(
        self,
        name: str,
        parameters: Sequence[Parameter],
        arguments: Sequence[tree.Argument],
        span: Span,
        name_span: Span,
        signature: str,
    ) -> list[tree.Argument | None] | None:
        """Give each parameter its argument: by label, or in order."""
        found: list[tree.Argument | None] = [None] * len(parameters)
        position = 0
        for argument in arguments:
            place = None
            if argument.label is None:
                while position < len(parameters) and found[position] is not None:
                    position += 1
                place = position if position < len(parameters) else None
            else:
                for i, parameter in enumerate(parameters):
                    if parameter.label == argument.label and found[i] is None:
                        place = i
                        break
            if place is None:
                self.no_place(name, parameters, argument, signature)
                return None
            found[place] = argument
        for parameter, given in zip(parameters, found, strict=True):
            if given is None and not parameter.optional:
                wanted = parameter.type.spoken if parameter.type != HOLE else "a value"
                where = f" behind `{parameter.label}`" if parameter.label else ""
                self.report.error(
                    "call",
                    name_span,
                    f"`{name}` needs {wanted}{where}",
                    help=f"write `{signature}`",
                )
                return None
        return found

    def no_place(
        self,
        name: str,
        parameters: Sequence[Parameter],
        argument: tree.Argument,
        signature: str,
    ) -> None:
        """Report an argument that the called thing does not take."""
        if argument.label is None:
            count = len(parameters)
            takes = "nothing" if count == 0 else f"at most {counted(count, 'value')}"
            self.report.error(
                "call",
                argument.span,
                f"`{name}` takes {takes} in brackets",
                help=f"write `{signature}`" if count else None,
            )
            return
        labels = [parameter.label for parameter in parameters if parameter.label]
        taken = ", ".join(f"`{label}`" for label in labels) or "no such words"
        self.report.error(
            "call",
            argument.span,
            f"`{name}` takes {taken}; it has no place for this `{argument.label}`",
            did_you_mean(argument.label, labels) or f"write `{signature}`",
        )

    def apply(
        self,
        definition: Definition,
        arguments: Sequence[tree.Argument],
        span: Span,
        name_span: Span,
        scope: Scope,
    ) -> program.Expression:
        """A definition of the file or prelude, applied."""
        function = self.function(definition, name_span)
        item = definition.item
        parameters = [
            Parameter(p.name.text, self.env.parameter_type(p.type), p.label, p.default is not None)
            for p in item.parameters
        ]
        signature = Operation(item.name.text, tuple(parameters), HOLE, "").signature
        found = self.match_arguments(
            item.name.text, parameters, arguments, span, name_span, signature
        )
        if found is None or function is None:
            return self.hole(span)
        if not self.permit_function(definition, function, name_span, scope):
            return self.hole(span)
        values = []
        for parameter, local, argument in zip(
            item.parameters, function.parameters, found, strict=True
        ):
            given = argument.value if argument is not None else parameter.default
            assert given is not None
            what = f"`{item.name.text}`"
            inner = scope if argument is not None else Scope(scope.place)
            values.append(self.expect(given, inner, local.type, what))
        if any(value.type.kind == "hole" for value in values):
            return self.hole(span)
        if not values and isinstance(function.value, program.Constant):
            return program.Constant(function.value.value, function.type, span=span)
        return program.Apply(function, tuple(values), function.type, span=span)

    def permit_function(
        self, definition: Definition, function: program.Function, span: Span, scope: Scope
    ) -> bool:
        """What a definition asks must be allowed where it is used."""
        place = scope.place
        place.uses_mover |= function.uses_mover
        if function.uses_mover and not place.mover:
            self.nobody_moves(function.name, span, place)
            return False
        if definition.uses_placed and not self.permit("placed", frozenset({"placed"}), span, scope):
            return False
        return not definition.uses_ability or self.permit_ability(span, scope)

    def function(self, definition: Definition, use: Span | None = None) -> program.Function | None:
        """The checked definition; None if it has an error or needs itself."""
        if definition.function is not None or definition.failed:
            fits = self.may_nest(use or definition.item.name.span, definition.height)
            return definition.function if fits else None
        item = definition.item
        if definition.busy:
            self.report.error(
                "recursion",
                use or item.name.span,
                f"`{item.name.text}` needs itself, so it would never end",
                help="a definition can use only what can be worked out without it",
            )
            definition.failed = True
            return None
        definition.busy = True
        outer, self.env.deepest = self.env.deepest, self.env.depth
        made = self._define(definition)
        definition.height = self.env.deepest - self.env.depth
        self.env.deepest = max(outer, self.env.deepest)
        definition.busy = False
        if made.type.kind == "hole":
            definition.failed = True
            return None
        definition.function = made
        self.env.functions.append(made)
        return made

    def _define(self, definition: Definition) -> program.Function:
        item = definition.item
        prelude = item.name.text in self.env.from_prelude
        place = Place("prelude" if prelude else "define", mover=True, placed=True, abilities=True)
        scope = Scope(place)
        parameters = []
        for parameter in item.parameters:
            type_ = self.env.type_named(parameter.type, BY_NAME) or HOLE
            parameters.append(self.bind(parameter.name, type_, scope))
        value = self.check(item.value, scope)
        if item.relation:
            self.check_relation(item, parameters)
            if value.type.kind not in ("truth", "hole"):
                self.wrong_type(item.value.span, "a relation is a truth", value.type)
                value = self.hole(item.value.span)
        definition.uses_placed = place.uses_placed
        definition.uses_ability = place.uses_ability
        self.warn_unused(scope, prelude)
        return program.Function(
            item.name.text,
            tuple(parameters),
            value,
            value.type,
            place.uses_mover,
            item.relation,
            item.span,
        )

    def check_relation(self, item: tree.Define, parameters: list[program.Local]) -> None:
        """A relation is between two sites."""
        for parameter, written in zip(parameters, item.parameters, strict=True):
            if parameter.type not in (SITE, HOLE):
                self.report.error(
                    "type",
                    written.span,
                    "a relation is between two sites",
                    help=f"write `{written.name.text}: site`",
                )
