"""The operations of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludeme.board import BoardError
from ludeme.check import geometry, program
from ludeme.check.definitions import Definitions
from ludeme.check.environment import (
    Definition,
)
from ludeme.check.scope import Place, Scope
from ludeme.diagnostics import Span
from ludeme.kernel import Operation, Parameter
from ludeme.kernel.types import (
    BY_NAME,
    FAMILY,
    LINKS,
    NUMBER,
    PLAYER,
    SITES,
)
from ludeme.syntax import tree


class Operations(Definitions):
    """Checks what is asked with a word of the language."""

    def _operation(
        self,
        operation: Operation,
        arguments: Sequence[tree.Argument],
        span: Span,
        name_span: Span,
        scope: Scope,
    ) -> program.Expression:
        if scope.place.name == "example" and operation.name not in self.env.operations:
            self.must_be_kept(operation, name_span)
        self.env.operations.add(operation.name)
        if not self.permit(operation.name, operation.reads, name_span, scope):
            return self.hole(span)
        if operation.name == "repeats" and arguments:
            return self.repeats(operation, arguments, span, scope)
        if operation.parameters and not arguments:
            self.report.error(
                "call",
                name_span,
                f"`{operation.name}` is asked of something",
                help=f"write `{operation.signature}`",
            )
            return self.hole(span)
        found = self.match_arguments(
            operation.name, operation.parameters, arguments, span, name_span, operation.signature
        )
        if found is None:
            for argument in arguments:
                self.check(argument.value, scope)
            return self.hole(span)
        values = []
        for parameter, given in zip(operation.parameters, found, strict=True):
            values.append(self.operand(operation, parameter, given, span, scope))
        return self.special(operation, values, span)

    def repeats(
        self,
        operation: Operation,
        arguments: Sequence[tree.Argument],
        span: Span,
        scope: Scope,
    ) -> program.Expression:
        """How often there was such a position; what makes two alike is remembered of each."""
        what = arguments[0].value
        if not (isinstance(what, tree.Name) and what.text in ("board", "position")):
            self.report.error(
                "call",
                what.span,
                "`repeats` is asked of the `board` or of the `position`",
                help=f"write `{operation.signature}`",
            )
            return self.hole(span)
        whole = what.text == "position"
        if whole and not scope.place.mover:
            self.nobody_moves("repeats(position)", span, scope.place)
            return self.hole(span)
        scope.place.uses_mover |= whole
        asked = Scope(Place("repeats", mover=scope.place.mover))
        values = [self.check(argument.value, asked) for argument in arguments[1:]]
        scope.place.uses_mover |= asked.place.uses_mover
        for argument, value in zip(arguments[1:], values, strict=True):
            if value.type.kind in ("family", "relation"):
                self.wrong_type(argument.span, "`repeats` wants values", value.type)
                return self.hole(span)
        if any(value.type.kind == "hole" for value in values):
            return self.hole(span)
        memory = program.Memory(len(self.env.memories), whole, tuple(values))
        self.env.memories.append(memory)
        number = program.Constant(memory.number, NUMBER)
        return program.Op("repeats", (number, *values), NUMBER, span=span)

    def must_be_kept(self, operation: Operation, span: Span) -> None:
        """A counter is part of a position only if the rules ask for it."""
        if operation.reads & {"flow", "history"}:
            self.report.error(
                "not-kept",
                span,
                f"no rule of this game asks for `{operation.name}`, so it is not kept",
                help="what a position holds may not depend on its examples",
            )

    def special(
        self, operation: Operation, values: list[program.Expression], span: Span
    ) -> program.Expression:
        """Operations that have constants for operands, or several forms."""
        name = operation.name
        board = self.env.board
        if name == "board":
            return program.Constant(board.everything, SITES, span=span)
        if name == "nothing":
            return program.Constant(0, SITES, span=span)
        if name == "nobody":
            return program.Constant(len(self.env.players), PLAYER, span=span)
        if name == "players":
            everybody = (1 << len(self.env.players)) - 1
            return program.Constant(everybody, operation.result, span=span)
        if name == "count":
            if values[0].type.kind == "family":
                return self.op("family_count", values, NUMBER, span)
            return self.op("count", values, NUMBER, span)
        if name in _BY_TABLE:
            return self.by_table(operation, values, span)
        if name == "others":
            everybody = (1 << len(self.env.players)) - 1
            values.append(program.Constant(everybody, operation.result))
        if name == "rival" and len(self.env.players) != 2:
            self.report.error(
                "players",
                span,
                f"only two players are rivals; this game has {len(self.env.players)}",
                help="write `others(p)`",
            )
        return self.op(name, values, operation.result, span)

    def by_table(
        self, operation: Operation, values: Sequence[program.Expression], span: Span
    ) -> program.Expression:
        """The union of what a table of the board has for each member of a set."""
        numbers = [
            v.value
            for v in values[1:]
            if isinstance(v, program.Constant) and isinstance(v.value, int)
        ]
        if any(value.type.kind == "hole" for value in values):
            return self.hole(span)
        if len(numbers) < len(values) - 1 or any(abs(n) > 4096 for n in numbers):
            self.report.error(
                "not-constant", span, f"`{operation.name}` wants small numbers known before play"
            )
            return self.hole(span)
        try:
            table = _BY_TABLE[operation.name](self.env.board, *numbers)
        except BoardError as error:
            self.report.error("board", span, str(error))
            return self.hole(span)
        given = values[0]
        if isinstance(given, program.Constant) and isinstance(given.value, int):
            found = 0
            for at, entry in enumerate(table):
                found |= entry if given.value >> at & 1 else 0
            return program.Constant(found, operation.result, span=span)
        made = program.Constant(table, FAMILY, span=span)
        if isinstance(given, program.Op) and given.name == "single":
            return self.op("lookup", [made, given.arguments[0]], operation.result, span)
        member = self.env.local("member", self.element_of(given.type))
        index = program.Get(member, member.type, span=span)
        value = program.Op("lookup", (made, index), operation.result, span=span)
        return program.Fold("union", member, given, value, None, operation.result, span=span)

    def operand(
        self,
        operation: Operation,
        parameter: Parameter,
        argument: tree.Argument | None,
        span: Span,
        scope: Scope,
    ) -> program.Expression:
        """One operand of an operation, or what stands for it when left out."""
        what = f"`{operation.name}`"
        if argument is None:
            return self.left_out(operation, parameter, span)
        if parameter.type == LINKS:
            return self.links(argument.value, scope)
        if operation.name == "count":
            return self.set_like(argument.value, scope, what)
        return self.expect(argument.value, scope, parameter.type, what)

    def left_out(
        self, operation: Operation, parameter: Parameter, span: Span
    ) -> program.Expression:
        """What stands for an optional operand that is not given."""
        if parameter.type == LINKS:
            return program.Links("all", span=span)
        if parameter.name == "directions":
            every = (1 << len(self.env.board.directions)) - 1
            return program.Constant(every, parameter.type, span=span)
        # `group` without `among`: minus one says the pieces of the site's owner.
        return program.Constant(-1, SITES, span=span)

    def links(self, node: tree.Expression, scope: Scope) -> program.Expression:
        """A relation of the board or of the file, or directions."""
        board = self.env.board
        if isinstance(node, tree.Name) and scope.find(node.text) is None:
            declared = self.env.names.get(node.text)
            if isinstance(declared, Definition) and declared.item.relation:
                self.env.used.add(node.text)
                function = self.function(declared, node.span)
                if function is None:
                    return self.hole(node.span)
                self.permit_function(declared, function, node.span, scope)
                return program.Links("defined", function=function, span=node.span)
            if node.text in board.relations:
                return program.Links("relation", relation=node.text, span=node.span)
            if self.means_nothing(node.text):
                known = {n for n, d in self.env.names.items() if _is_relation(d)}
                known |= {*board.relations, *board.directions, *board.direction_sets}
                self.report.unknown("relation or direction", node.text, node.span, known)
                return self.hole(node.span)
        checked = self.check(node, scope)
        if checked.type.kind == "hole":
            return checked
        wanted = BY_NAME["directions"]
        if checked.type not in (wanted, BY_NAME["direction"]):
            relations = ", ".join(f"`{name}`" for name in board.relations)
            self.wrong_type(
                node.span,
                "a relation is wanted here",
                checked.type,
                f"this board has {relations}; a file can declare its own with `relation`",
            )
            return self.hole(node.span)
        directions = self.fit(checked, wanted, node.span, "a relation")
        return program.Links("directions", directions=directions, span=node.span)

    def means_nothing(self, name: str) -> bool:
        """Whether a name is not known at all."""
        env = self.env
        return not (
            name in env.names or name in env.choices or env.owner_of(name) or name in env.turns
        )


_BY_TABLE: dict[str, Callable[..., tuple[int, ...]]] = {
    "leap": geometry.leaps,
    "mirrored": geometry.mirror,
    "flanks": geometry.flanks,
    "opposite": geometry.opposites,
}
"""Operations whose answer for each site or direction is known before play."""


def _is_relation(declared: object) -> bool:
    return isinstance(declared, Definition) and declared.item.relation
