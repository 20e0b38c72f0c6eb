"""Names, types and constants of expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ludeme.board import BoardError
from ludeme.board.errors import counted
from ludeme.check import geometry, program
from ludeme.check.environment import (
    Definition,
    Environment,
    LudemeDefinition,
    Table,
    Value,
)
from ludeme.check.limits import (
    DEEPEST_NESTING,
    LARGEST_NUMBER,
    LARGEST_SET_NUMBER,
    MOST_NODES,
)
from ludeme.check.scope import ByName, LocalBinding, Place, Scope
from ludeme.diagnostics import Span, did_you_mean
from ludeme.kernel import OPERATIONS, Operation, Parameter
from ludeme.kernel.pure import PURE
from ludeme.kernel.types import (
    BY_NAME,
    DIRECTIONS,
    FAMILY,
    HOLE,
    KIND,
    LINKS,
    NUMBER,
    NUMBERS,
    PLAYER,
    SITE,
    SITES,
    TRUTH,
    Type,
    choice,
    set_of,
)
from ludeme.syntax import tree


class Expressions:
    """Checks expressions; an error yields a hole, which fits everywhere and says nothing more."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.report = env.report

    # ---- entry points

    def check(self, node: tree.Expression, scope: Scope) -> program.Expression:
        """The checked form of *node*."""
        env = self.env
        env.node_count += 1
        if env.is_full:
            if env.node_count == MOST_NODES + 1:
                self.report.error(
                    "too-large",
                    node.span,
                    "the description is too large once its ludemes are written out",
                    help="let ludemes use fewer other ludemes, or use them in fewer places",
                )
            return self.hole(node.span)
        if not self.may_nest(node.span, 1):
            return self.hole(node.span)
        method: Callable[[Any, Scope], program.Expression] = getattr(
            self, "_" + type(node).__name__.lower()
        )
        env.depth += 1
        try:
            return method(node, scope)
        finally:
            env.depth -= 1

    def may_nest(self, span: Span, levels: int) -> bool:
        """Whether so many more levels fit below what is being checked; reports it if not."""
        env = self.env
        env.deepest = max(env.deepest, env.depth + levels)
        if env.depth + levels <= DEEPEST_NESTING:
            return True
        if not any(d.code == "too-deep" for d in self.report.diagnostics):
            self.report.error(
                "too-deep",
                span,
                "this stands too deep within other things, definitions counted in",
                help="give parts of it names with `let`, or let fewer definitions use one another",
            )
        return False

    def expect(
        self, node: tree.Expression, scope: Scope, wanted: Type, what: str
    ) -> program.Expression:
        """Check *node* and fit it to a type; *what* names the place in the message."""
        return self.fit(self.check(node, scope), wanted, node.span, what)

    def truth(self, node: tree.Expression, scope: Scope, what: str) -> program.Expression:
        """Check a condition."""
        checked = self.check(node, scope)
        if checked.type.kind not in ("truth", "hole"):
            help_text = None
            if checked.type.kind == "number":
                help_text = "compare it, for example `... > 0`"
            elif checked.type.kind in ("set", "family"):
                help_text = "ask `some ...` or `no ...` of a set"
            elif checked.type.kind in ("site", "player", "kind", "choice"):
                help_text = f"ask something of it, for example `{node.span.text} = ...`"
            self.wrong_type(node.span, f"{what} wants a truth", checked.type, help_text)
            return self.hole(node.span)
        return checked

    def set_like(self, node: tree.Expression, scope: Scope, what: str) -> program.Expression:
        """Check a set or family to go through; a site or kind counts as the set of itself."""
        checked = self.check(node, scope)
        if checked.type.kind in ("site", "kind"):
            return self.fit(checked, SITES, node.span, what)
        if self.is_region(checked.type):
            return self.fit(checked, SITES, node.span, what)
        if checked.type.kind not in ("set", "family", "hole"):
            help_text = None
            if checked.type.kind == "number":
                help_text = "a range is written `1..6`"
            self.wrong_type(node.span, f"{what} wants a set", checked.type, help_text)
            return self.hole(node.span)
        return checked

    def constant(self, node: tree.Expression, scope: Scope, wanted: Type, what: str) -> Any:
        """The value of an expression that must be known before play; None after an error."""
        checked = self.expect(node, scope, wanted, what)
        if checked.type.kind == "hole":
            return None
        if not isinstance(checked, program.Constant):
            self.report.error(
                "not-constant",
                node.span,
                f"{what} must be known before play begins",
                help="numbers, options and words of the board can stand here",
            )
            return None
        return checked.value

    # ---- helpers

    def hole(self, span: Span) -> program.Constant:
        """Stands for what could not be checked."""
        return program.Constant(0, HOLE, span=span)

    def wrong_type(self, span: Span, wants: str, found: Type, help_text: str | None = None) -> None:
        """Report a type that does not fit."""
        text = span.text if "\n" not in span.text and len(span.text) < 60 else "this"
        shown = f"`{text}`" if text != "this" else text
        self.report.error("type", span, f"{wants}; {shown} is {found.spoken}", help_text)

    def is_region(self, type_: Type) -> bool:
        """Whether a type is a list of regions, whose values stand for sites."""
        return type_.kind == "choice" and type_.name in self.env.region_masks

    def op(
        self, name: str, arguments: Sequence[program.Expression], type_: Type, span: Span
    ) -> program.Expression:
        """An operation, folded if all its operands are known."""
        if any(argument.type.kind == "hole" for argument in arguments):
            return self.hole(span)
        values = [a.value for a in arguments if isinstance(a, program.Constant)]
        if name in PURE and len(values) == len(arguments):
            try:
                value = PURE[name](*values)
            except (ZeroDivisionError, IndexError):
                value = None
            if value is not None and self.is_small(value, type_):
                return program.Constant(
                    int(value) if isinstance(value, bool) else value, type_, span=span
                )
        return program.Op(name, tuple(arguments), type_, span=span)

    def is_small(self, value: Any, type_: Type) -> bool:
        """Whether a folded number is one that the language has."""
        return type_.kind != "number" or abs(value) <= LARGEST_NUMBER**2

    def fit(
        self, node: program.Expression, wanted: Type, span: Span, what: str
    ) -> program.Expression:
        """*node* as a value of type *wanted*, turning a site, kind or region into sites."""
        have = node.type
        if have == wanted or have.kind == "hole" or wanted.kind == "hole":
            return node
        if wanted == SITES:
            if have == SITE:
                return self.op("single", [node], SITES, span)
            if have == KIND:
                self.env.operations.add("kind")
                return self.op("of_kind", [node], SITES, span)
            if self.is_region(have):
                table = program.Constant(self.env.region_masks[have.name], FAMILY)
                return self.op("lookup", [table, node], SITES, span)
        if wanted.kind == "set" and have == wanted.element:
            if have == NUMBER and not self.in_set_range(node):
                return self.hole(span)
            return self.op("single", [node], wanted, span)
        if wanted.kind == "set" and have.kind == "set" and HOLE in (wanted.element, have.element):
            return node
        help_text = self.instead(wanted, have, span)
        self.wrong_type(span, f"{what} wants {wanted.spoken}", have, help_text)
        return self.hole(span)

    def instead(self, wanted: Type, have: Type, span: Span) -> str | None:
        """What may have been meant by a value of another type than the one wanted."""
        text = span.text if "\n" not in span.text and len(span.text) < 40 else "..."
        form = _INSTEAD.get((wanted.kind, have.kind))
        if form is not None and not (wanted.kind == "set" and wanted != SITES):
            return form.format(text)
        known: Sequence[str] = ()
        match wanted.kind:
            case "player":
                known = self.env.players
            case "kind":
                known = self.env.kinds
            case "choice":
                known = self.env.choices[wanted.name]
            case "direction":
                known = self.env.board.directions
            case "set" if wanted == DIRECTIONS:
                known = (*self.env.board.direction_sets, *self.env.board.directions)
        if known:
            return "write one of " + ", ".join(f"`{name}`" for name in known[:8])
        return None

    def element_of(self, type_: Type) -> Type:
        """What the members of a set or family are."""
        if type_.kind == "family":
            return SITES
        return type_.element or HOLE

    def bind(
        self, word: tree.Word, type_: Type, scope: Scope, assignable: bool = False
    ) -> program.Local:
        """Bind a new name in *scope*."""
        self.check_free(word, scope)
        local = self.env.local(word.text, type_)
        scope.names[word.text] = LocalBinding(local, word.span, assignable)
        return local

    def check_free(self, word: tree.Word, scope: Scope) -> None:
        """A name bound in a block may not hide another."""
        found = scope.find(word.text)
        if isinstance(found, LocalBinding):
            self.report.error(
                "declared-twice",
                word.span,
                f"`{word.text}` is a name here already",
                help="choose another name",
            )
        elif scope.place.name != "prelude" and word.text not in self.env.board.families:
            self.env.is_taken(word)

    # ---- names and calls

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
            if not isinstance(index.value, int) or index.value not in members:
                low = min(members)
                self.report.error(
                    "range",
                    node.arguments[0].span,
                    f"this board has {name}s {low} to {highest}, and no {name} {index.value}",
                )
                return self.hole(node.span)
            return program.Constant(members[index.value], SITES, span=node.span)
        table = tuple(members.get(number, 0) for number in range(highest + 1))
        return self.op("pick", [program.Constant(table, FAMILY), index], SITES, node.span)

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

    # ---- definitions

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

    def warn_unused(self, scope: Scope, prelude: bool = False) -> None:
        """Names bound in *scope* that nothing asked for."""
        if prelude:
            return
        for name, binding in scope.names.items():
            if isinstance(binding, LocalBinding) and not binding.used and not binding.chosen:
                self.report.warning("unused", binding.span, f"`{name}` is never used")

    # ---- operators

    def _setof(self, node: tree.SetOf, scope: Scope) -> program.Expression:
        members = [self.check(member, scope) for member in node.members]
        if any(member.type.kind == "hole" for member in members):
            return self.hole(node.span)
        types = {member.type for member in members}
        if types <= {SITE, SITES} or (any(self.is_region(t) for t in types) and SITES in types):
            wanted = SITES
        elif len(types) == 1 and members[0].type.kind in (
            "site", "player", "kind", "direction", "number", "choice", "set",
        ):  # fmt: skip
            first = members[0].type
            wanted = first if first.kind == "set" else set_of(first)
        else:
            listed = " and ".join(sorted(type_.spoken for type_ in types))
            self.report.error(
                "type", node.span, f"this set has {listed} in it; all must be of one type"
            )
            return self.hole(node.span)
        if wanted == NUMBERS and not all(self.in_set_range(m) for m in members):
            return self.hole(node.span)
        result = self.fit(members[0], wanted, node.members[0].span, "a set")
        for member, written in zip(members[1:], node.members[1:], strict=True):
            fitted = self.fit(member, wanted, written.span, "a set")
            result = self.op("together", [result, fitted], wanted, node.span)
        return result

    def in_set_range(self, member: program.Expression) -> bool:
        """Whether a number may be in a set of numbers."""
        if isinstance(member, program.Constant) and member.type == NUMBER:
            value = int(member.value) if isinstance(member.value, int) else 0
            if not 0 <= value <= LARGEST_SET_NUMBER:
                self.report.error(
                    "range",
                    member.span,
                    f"sets hold numbers from 0 to {LARGEST_SET_NUMBER}, not {value}",
                    help="compare numbers with `<` and `>`",
                )
                return False
        return True

    def _range(self, node: tree.Range, scope: Scope) -> program.Expression:
        low = self.expect(node.low, scope, NUMBER, "a range")
        high = self.expect(node.high, scope, NUMBER, "a range")
        if not self.in_set_range(low) or not self.in_set_range(high):
            return self.hole(node.span)
        return self.op("range", [low, high], NUMBERS, node.span)

    def _not(self, node: tree.Not, scope: Scope) -> program.Expression:
        operand = self.check(node.operand, scope)
        if operand.type == TRUTH:
            return self.op("not", [operand], TRUTH, node.span)
        sites = self.sites_like(operand, node.operand.span)
        if sites is not None:
            everything = program.Constant(self.env.board.everything, SITES)
            return self.op("complement", [sites, everything], SITES, node.span)
        if operand.type.kind == "set" and operand.type.element is not None:
            size = self.env.universe(operand.type.element)
            whole = program.Constant((1 << size) - 1, operand.type)
            return self.op("complement", [operand, whole], operand.type, node.span)
        if operand.type.kind != "hole":
            help_text = "compare it, for example `... = 0`" if operand.type == NUMBER else None
            self.wrong_type(
                node.operand.span, "`not` wants a truth or a set", operand.type, help_text
            )
        return self.hole(node.span)

    def sites_like(self, node: program.Expression, span: Span) -> program.Expression | None:
        """*node* as a set of sites if it can be one, else None."""
        if node.type in (SITES, SITE, KIND) or self.is_region(node.type):
            return self.fit(node, SITES, span, "a set")
        return None

    def _both(self, node: tree.Both, scope: Scope) -> program.Expression:
        return self.connective("and", "intersection", node, scope)

    def _either(self, node: tree.Either, scope: Scope) -> program.Expression:
        return self.connective("or", "together", node, scope)

    def connective(
        self, word: str, on_sets: str, node: tree.Both | tree.Either, scope: Scope
    ) -> program.Expression:
        """`and` and `or`, of truths or of sets."""
        left = self.check(node.left, scope)
        right = self.check(node.right, scope)
        if "hole" in (left.type.kind, right.type.kind):
            return self.hole(node.span)
        if left.type == TRUTH and right.type == TRUTH:
            return self.op(word, [left, right], TRUTH, node.span)
        left_sites = self.sites_like(left, node.left.span)
        right_sites = self.sites_like(right, node.right.span)
        if left_sites is not None and right_sites is not None:
            return self.op(on_sets, [left_sites, right_sites], SITES, node.span)
        if left.type.kind == "set" and left.type == right.type:
            return self.op(on_sets, [left, right], left.type, node.span)
        self.mixed(word, node, left, right)
        return self.hole(node.span)

    def mixed(
        self,
        word: str,
        node: tree.Both | tree.Either,
        left: program.Expression,
        right: program.Expression,
    ) -> None:
        """Report a truth joined with a set, saying how it may have been meant."""
        help_text = None
        if left.type == TRUTH and self.sites_like(right, right.span) is not None:
            inner = node.left
            if isinstance(inner, tree.Any):
                asked = "no" if inner.negated else "some"
                both = f"{inner.operand.span.text} {word} {node.right.span.text}"
                help_text = f"write `{asked} ({both})`"
            elif isinstance(inner, tree.Within):
                subject, first = inner.left.span.text, inner.right.span.text
                negated = " not" if inner.negated else ""
                second = node.right.span.text
                help_text = f"write `{subject}{negated} in ({first} {word} {second})`"
            else:
                help_text = "ask `some ...` or `no ...` of the set, or put brackets"
        self.report.error(
            "type",
            node.span,
            f"`{word}` joins {left.type.spoken} with {right.type.spoken}",
            help_text or "join two truths, or two sets of the same things",
        )

    def _compare(self, node: tree.Compare, scope: Scope) -> program.Expression:
        left = self.check(node.left, scope)
        right = self.check(node.right, scope)
        if "hole" in (left.type.kind, right.type.kind):
            return self.hole(node.span)
        if node.operator not in ("=", "!="):
            for side, written in ((left, node.left), (right, node.right)):
                if side.type != NUMBER:
                    help_text = None
                    if side.type.kind in ("set", "family"):
                        help_text = f"write `count({written.span.text})`"
                    self.wrong_type(
                        written.span, f"`{node.operator}` compares numbers", side.type, help_text
                    )
                    return self.hole(node.span)
            return self.op(node.operator, [left, right], TRUTH, node.span)
        if left.type != right.type:
            fitted = self.same_type(left, right, node)
            if fitted is None:
                return self.hole(node.span)
            left, right = fitted
        return self.op(node.operator, [left, right], TRUTH, node.span)

    def same_type(
        self, left: program.Expression, right: program.Expression, node: tree.Compare
    ) -> tuple[program.Expression, program.Expression] | None:
        """Both sides of an equality as one type; None and a report if there is none."""
        if SITES in (left.type, right.type):
            left_sites = self.sites_like(left, node.left.span)
            right_sites = self.sites_like(right, node.right.span)
            if left_sites is not None and right_sites is not None:
                return left_sites, right_sites
        help_text = None
        in_form = f"{node.left.span.text} in {node.right.span.text}"
        if left.type == SITE and right.type == KIND:
            help_text = f"write `kind({node.left.span.text}) = {node.right.span.text}`"
        elif left.type == SITE and right.type == PLAYER:
            help_text = f"write `owner({node.left.span.text}) = {node.right.span.text}`"
        elif right.type.kind == "set" and left.type == right.type.element:
            help_text = f"whether a set holds something is asked with `in`: `{in_form}`"
        elif NUMBER in (left.type, right.type) and "set" in (left.type.kind, right.type.kind):
            help_text = "ask for `count(...)` of the set"
        self.report.error(
            "type",
            node.span,
            f"`{node.operator}` compares {left.type.spoken} with {right.type.spoken}",
            help_text,
        )
        return None

    def _within(self, node: tree.Within, scope: Scope) -> program.Expression:
        left = self.check(node.left, scope)
        right = self.set_like(node.right, scope, "`in`")
        if "hole" in (left.type.kind, right.type.kind):
            return self.hole(node.span)
        if right.type.kind == "family":
            each = f"some g in {node.right.span.text} has {node.left.span.text} in g"
            self.wrong_type(node.right.span, "`in` wants a set", right.type, f"write `{each}`")
            return self.hole(node.span)
        if left.type == right.type.element:
            result = self.op("member", [left, right], TRUTH, node.span)
        else:
            whole = self.fit(left, right.type, node.left.span, "`in`")
            result = self.op("within", [whole, right], TRUTH, node.span)
        return self.op("not", [result], TRUTH, node.span) if node.negated else result

    def _ability(self, node: tree.Ability, scope: Scope) -> program.Expression:
        self.permit_ability(node.span, scope)
        player = self.expect(node.player, scope, PLAYER, "`can`")
        name = node.turn.text
        turn = self.env.turns.get(name)
        if turn is None:
            self.report.unknown("turn", name, node.turn.span, self.env.turns)
            return self.hole(node.span)
        self.env.used.add(f"turn {name}")
        self.env.operations.add("can")
        return program.Ability(player, name, node.negated, TRUTH, span=node.span)

    def permit_ability(self, span: Span, scope: Scope) -> bool:
        """`can` may not be asked inside a turn, which would ask itself."""
        scope.place.uses_ability = True
        if scope.place.abilities:
            return True
        self.report.error(
            "ability",
            span,
            f"whether a player can move cannot be asked in `{scope.place.name}`",
            help="ask it in `end`, in `until`, or use `otherwise`",
        )
        return False

    def _arithmetic(self, node: tree.Arithmetic, scope: Scope) -> program.Expression:
        operands = []
        for written in (node.left, node.right):
            operand = self.check(written, scope)
            if operand.type not in (NUMBER, HOLE):
                help_text = None
                if operand.type.kind in ("set", "family"):
                    help_text = "sets are joined with `and`, `or`, `not`; `count(...)` is a number"
                self.wrong_type(
                    written.span, f"`{node.operator}` wants numbers", operand.type, help_text
                )
                return self.hole(node.span)
            operands.append(operand)
        if (
            node.operator in ("/", "mod")
            and isinstance(operands[1], program.Constant)
            and operands[1].value == 0
            and operands[1].type == NUMBER
        ):
            self.report.error("range", node.right.span, "nothing can be divided by 0")
            return self.hole(node.span)
        return self.op(node.operator, operands, NUMBER, node.span)

    def _negative(self, node: tree.Negative, scope: Scope) -> program.Expression:
        operand = self.expect(node.operand, scope, NUMBER, "`-`")
        return self.op("negative", [operand], NUMBER, node.span)

    def _any(self, node: tree.Any, scope: Scope) -> program.Expression:
        word = "no" if node.negated else "some"
        operand = self.set_like(node.operand, scope, f"`{word}`")
        if operand.type.kind == "family":
            operand = self.op("family_count", [operand], NUMBER, node.span)
            zero = program.Constant(0, NUMBER)
            return self.op("=" if node.negated else ">", [operand, zero], TRUTH, node.span)
        return self.op("none" if node.negated else "some", [operand], TRUTH, node.span)

    # ---- binders

    def domain(
        self, variable: tree.Word, domain: tree.Expression, scope: Scope, what: str
    ) -> tuple[program.Expression, program.Local, Scope]:
        """A set to go through and the name of its members, in a scope of its own."""
        checked = self.set_like(domain, scope, what)
        inner = scope.inside()
        local = self.bind(variable, self.element_of(checked.type), inner)
        return checked, local, inner

    def _quantified(self, node: tree.Quantified, scope: Scope) -> program.Expression:
        domain, local, inner = self.domain(
            node.variable, node.domain, scope, f"`{node.quantifier}`"
        )
        condition = self.truth(node.condition, inner, "`has`")
        self.warn_unused(inner, scope.place.name == "prelude")
        if "hole" in (domain.type.kind, condition.type.kind):
            return self.hole(node.span)
        self.env.operations.add(node.quantifier)
        return program.Quantified(node.quantifier, local, domain, condition, TRUTH, span=node.span)

    def _those(self, node: tree.Those, scope: Scope) -> program.Expression:
        domain, local, inner = self.domain(node.variable, node.domain, scope, "`those`")
        condition = self.truth(node.condition, inner, "`where`")
        self.warn_unused(inner, scope.place.name == "prelude")
        if "hole" in (domain.type.kind, condition.type.kind):
            return self.hole(node.span)
        self.env.operations.add("those")
        return program.Those(local, domain, condition, domain.type, span=node.span)

    def _fold(self, node: tree.Fold, scope: Scope) -> program.Expression:
        what = f"`{node.kind}`"
        domain, local, inner = self.domain(node.variable, node.domain, scope, what)
        wanted = SITES if node.kind == "union" else NUMBER
        value = self.expect(node.value, inner, wanted, what)
        otherwise = None
        if node.otherwise is not None:
            otherwise = self.expect(node.otherwise, scope, NUMBER, "`else`")
        self.env.operations.add(node.kind)
        parts = [domain, value] + ([otherwise] if otherwise else [])
        if any(part.type.kind == "hole" for part in parts):
            return self.hole(node.span)
        return program.Fold(node.kind, local, domain, value, otherwise, wanted, span=node.span)

    def _best(self, node: tree.Best, scope: Scope) -> program.Expression:
        domain, local, inner = self.domain(node.variable, node.domain, scope, "`best`")
        keys = tuple(self.expect(key, inner, NUMBER, "`by`") for key in node.keys)
        if domain.type.kind not in ("family", "hole"):
            self.wrong_type(
                node.domain.span,
                "`best` chooses from a family of sets",
                domain.type,
                "for example `best g in groups(mine) by count(g)`",
            )
            return self.hole(node.span)
        self.env.operations.add("best")
        if any(part.type.kind == "hole" for part in (domain, *keys)):
            return self.hole(node.span)
        return program.Best(local, domain, keys, SITES, span=node.span)

    def _conditional(self, node: tree.Conditional, scope: Scope) -> program.Expression:
        condition = self.truth(node.condition, scope, "`if`")
        then = self.check(node.then, scope)
        otherwise = self.check(node.otherwise, scope)
        if "hole" in (condition.type.kind, then.type.kind, otherwise.type.kind):
            return self.hole(node.span)
        if then.type != otherwise.type:
            left = self.sites_like(then, node.then.span)
            right = self.sites_like(otherwise, node.otherwise.span)
            if left is None or right is None:
                self.report.error(
                    "type",
                    node.span,
                    f"`then` is {then.type.spoken} and `else` is {otherwise.type.spoken}",
                    help="both must be of one type",
                )
                return self.hole(node.span)
            then, otherwise = left, right
        if isinstance(condition, program.Constant):
            return then if condition.value else otherwise
        return program.Choice(condition, then, otherwise, then.type, span=node.span)


_BY_TABLE: dict[str, Callable[..., tuple[int, ...]]] = {
    "leap": geometry.leaps,
    "mirrored": geometry.mirror,
    "flanks": geometry.flanks,
    "opposite": geometry.opposites,
}
"""Operations whose answer for each site or direction is known before play."""

_INSTEAD = {
    ("site", "set"): "a set may hold several sites; name one with `choose x from ...`"
    " or ask about all with `some x in ... has ...`",
    ("site", "kind"): "name one site, for example with `choose x from ...`",
    ("site", "number"): "sites have names, such as `a1`",
    ("set", "truth"): "sets and truths cannot be mixed; brackets may be missing",
    ("set", "player"): "write `pieces({})` for the sites of a player's pieces",
    ("set", "number"): "sites have names, such as `a1`",
    ("set", "family"): "these are several sets; write `union g for g in {}` for all their sites",
    ("number", "set"): "write `count({})`",
    ("number", "family"): "write `count({})`",
    ("number", "truth"): "write `if {} then 1 else 0`",
    ("number", "site"): "a number of a site is asked with brackets, such as `height({})`",
    ("kind", "site"): "write `kind({})`",
    ("player", "site"): "write `owner({})`",
}
"""What to write for a value of the first kind where one of the second kind stands."""


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


def _is_relation(declared: object) -> bool:
    return isinstance(declared, Definition) and declared.item.relation


def _is_mover(node: program.Expression) -> bool:
    return isinstance(node, program.Op) and node.name == "mover"


def _example_of(table: Table) -> str:
    return "mover" if table.domain == PLAYER else "kind(s)"


__all__ = ["Expressions", "Value", "attrs", "index_types"]
