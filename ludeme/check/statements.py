"""The lines of turns, `start`, `reveal` and examples; ludemes are written out here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ludeme.board.errors import counted
from ludeme.check import program
from ludeme.check.effects import Effects
from ludeme.check.environment import LudemeDefinition
from ludeme.check.scope import ByName, LocalBinding, Scope
from ludeme.diagnostics import Span
from ludeme.kernel import EFFECTS, Parameter
from ludeme.kernel.types import (
    BY_NAME,
    HOLE,
    KIND,
    NUMBER,
    PLAYER,
    SITE,
    SITES,
    TRUTH,
    Type,
    set_of,
)
from ludeme.syntax import tree

MOST_LINKS = 1000
MOST_CHOSEN = 64
DEEPEST_LUDEMES = 20

_NOT_AT_ONCE = {
    tree.Choose: "choose",
    tree.Require: "require",
    tree.RequireMost: "require most",
    tree.OneOf: "one of",
    tree.OneByOne: "one by one",
    tree.Repeat: "repeat",
    tree.Stop: "stop",
    tree.Pass: "pass",
    tree.Again: "again",
    tree.Setup: "setup",
    tree.ClearBoard: "clear board",
    tree.RefillHands: "refill hands",
}
_NOT_BY_CHANCE = {
    tree.RequireMost: "require most",
    tree.OneOf: "one of",
    tree.Repeat: "repeat",
    tree.Pass: "pass",
    tree.Again: "again",
}
_NO_RUNS = (tree.Choose, tree.Require, tree.RequireMost, tree.OneOf, tree.Repeat)


class Statements(Effects):
    """Checks blocks of lines."""

    def block(self, lines: Sequence[tree.Statement], scope: Scope) -> program.Block:
        """Check a block; names bound in it stay in *scope*."""
        checked: list[program.Statement] = []
        for number, line in enumerate(lines):
            checked.extend(self.line(line, scope))
            following = lines[number + 1 :]
            if isinstance(line, tree.Stop) and following:
                self.report.warning(
                    "unreachable", following[0].span, "nothing comes here after `stop`"
                )
            if isinstance(line, tree.Require) and always(line.condition) is False:
                self.never(following, f"`{line.condition.span.text}`")
        return tuple(checked)

    def inner_block(self, lines: Sequence[tree.Statement], scope: Scope) -> program.Block:
        """Check a block whose names end with it."""
        inner = scope.inside()
        checked = self.block(lines, inner)
        self.expressions.warn_unused(inner, scope.place.name == "prelude")
        return checked

    def line(self, line: tree.Statement, scope: Scope) -> Sequence[program.Statement]:
        """Check one line; a ludeme gives several."""
        if isinstance(line, tree.Hole) or self.env.is_full:
            return ()
        if not self.expressions.may_nest(line.span, 1):
            return ()
        self.env.depth += 1
        try:
            return self.allowed_line(line, scope)
        finally:
            self.env.depth -= 1

    def allowed_line(self, line: tree.Statement, scope: Scope) -> Sequence[program.Statement]:
        """Check one line where its place allows it."""
        place = scope.place
        word = _NOT_AT_ONCE.get(type(line))
        if place.at_once and word is not None:
            self.report.error(
                "at-once",
                line.span,
                f"`{word}` cannot stand in `for each`, where all happens at once",
                help="write `one by one x in S` for one after the other",
            )
            return ()
        if place.chance and not self.may_be_chance(line):
            return ()
        if isinstance(line, _NO_RUNS) and not place.choices:
            name = "roll" if isinstance(line, tree.Choose) and line.chance else word
            self.report.error(
                "place", line.span, f"`{name}` belongs in a turn, not in `{place.name}`"
            )
            return ()
        method: Callable[[Any, Scope], Sequence[program.Statement]] = getattr(
            self, "_" + type(line).__name__.lower()
        )
        return method(line, scope)

    def may_be_chance(self, line: tree.Statement) -> bool:
        """Whether a line can stand in a turn that chance takes; reports one that cannot."""
        if isinstance(line, tree.Choose) and not line.chance:
            self.report.error(
                "chance",
                line.span,
                "this turn is taken by chance, which rolls and does not choose",
                help="let a player choose in a turn of its own",
            )
            return False
        word = _NOT_BY_CHANCE.get(type(line))
        if word is not None:
            self.report.error("chance", line.span, f"`{word}` belongs in a turn of a player")
        return word is None

    # ---- decisions

    def _choose(self, line: tree.Choose, scope: Scope) -> Sequence[program.Statement]:
        word = "roll" if line.chance else "choose"
        if line.chance and not scope.place.chance:
            self.report.error(
                "chance",
                line.span,
                "dice are rolled in a turn of their own, in which no player chooses",
                help="move this into another turn, and write `chance takes` it in `play`",
            )
        self.env.operations.add(word)
        domain = self.expressions.set_like(line.domain, scope, f"`{word}`")
        if domain.type.kind == "family":
            self.expressions.wrong_type(
                line.domain.span,
                "`choose` wants a set",
                domain.type,
                f"for a site of any of them, write `union g for g in {line.domain.span.text}`",
            )
            domain = self.expressions.hole(line.domain.span)
        element = self.expressions.element_of(domain.type)
        low, high = self.quantity(line, scope)
        many = line.quantity is not None
        condition = None
        member = self.env.local(line.variable.text, element)
        if line.condition is not None:
            if many:
                self.report.error(
                    "choose",
                    line.condition.span,
                    "`where` speaks of one thing; several are chosen here",
                    help="write `from (those x in ... where ...)`",
                )
            inner = scope.inside()
            self.expressions.check_free(line.variable, scope)
            inner.names[line.variable.text] = LocalBinding(member, line.variable.span)
            condition = self.expressions.truth(line.condition, inner, "`where`")
        type_ = set_of(element) if many else element
        local = self.expressions.bind(line.variable, type_, scope)
        binding = scope.names[line.variable.text]
        assert isinstance(binding, LocalBinding)
        binding.chosen = True
        return (
            program.Choose(
                self.env.number(), local, many, low, high, domain, condition, member,
                line.chance, span=line.span,
            ),
        )  # fmt: skip

    def quantity(
        self, line: tree.Choose, scope: Scope
    ) -> tuple[program.Expression | None, program.Expression | None]:
        if line.quantity is None:
            return None, None
        low = self.expressions.expect(line.quantity.low, scope, NUMBER, "how many")
        if line.quantity.high is None:
            high = low
        else:
            high = self.expressions.expect(line.quantity.high, scope, NUMBER, "how many")
        for bound in (low, high):
            if isinstance(bound, program.Constant) and bound.type == NUMBER:
                value = bound.value
                if not isinstance(value, int) or not 0 <= value <= MOST_CHOSEN:
                    self.report.error(
                        "range", bound.span, f"a line chooses 0 to {MOST_CHOSEN} things"
                    )
        low_value, high_value = _number(low), _number(high)
        if low_value is not None and high_value is not None:
            self.rises(low_value, high_value, line.quantity.span)
        return low, high

    def rises(self, low: int, high: int, span: Span) -> bool:
        """Whether a range holds anything; reports one that does not."""
        if low > high:
            self.report.empty_range(span, low, high)
        return low <= high

    def _require(self, line: tree.Require, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("require")
        condition = self.expressions.truth(line.condition, scope, "`require`")
        return (program.Require(condition, span=line.span),)

    def _requiremost(self, line: tree.RequireMost, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("require most")
        keys = tuple(
            self.expressions.expect(key, scope, NUMBER, "`require most`") for key in line.keys
        )
        return (program.RequireMost(keys, span=line.span),)

    def _let(self, line: tree.Let, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("let")
        value = self.expressions.check(line.value, scope)
        type_ = value.type
        if type_.kind == "set" and type_.element == HOLE:
            type_ = SITES
        local = self.expressions.bind(line.variable, type_, scope, assignable=True)
        return (program.Assign(local, value, span=line.span),)

    # ---- the flow of a turn

    def _pass(self, line: tree.Pass, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("pass")
        if not scope.place.choices:
            self.report.error("place", line.span, "`pass` belongs in a turn")
            return ()
        return (program.Pass(span=line.span), program.Say(("pass",), span=line.span))

    def _again(self, line: tree.Again, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("again")
        if not scope.place.choices or scope.place.plans:
            self.report.error("place", line.span, "`again` belongs in a turn that one player takes")
            return ()
        return (program.Again(span=line.span),)

    def _stop(self, line: tree.Stop, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("stop")
        if not scope.place.in_repeat:
            self.report.error("place", line.span, "`stop` leaves a `repeat`; there is none here")
            return ()
        return (program.Stop(span=line.span),)

    # ---- blocks

    def _if(self, line: tree.If, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("if")
        condition = self.expressions.truth(line.condition, scope, "`if`")
        if always(line.condition) is not None:
            skipped = line.otherwise if always(line.condition) else line.then
            self.never(skipped, f"`{line.condition.span.text}`")
        then = self.inner_block(line.then, scope)
        otherwise = self.inner_block(line.otherwise, scope)
        return (program.If(self.env.number(), condition, then, otherwise, span=line.span),)

    def never(self, lines: Sequence[tree.Statement], what: str) -> None:
        """Warn of lines that a condition shuts out whatever happens."""
        if lines:
            self.report.warning(
                "unreachable",
                lines[0].span,
                f"nothing comes here, for {what} is always the same",
            )

    def _foreach(self, line: tree.ForEach, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("for each")
        inner = scope.inside()
        binders: list[tuple[program.Local, program.Expression]] = []
        for binder in line.binders:
            domain: program.Expression
            if binder.domain is None:
                everybody = (1 << len(self.env.players)) - 1
                domain = program.Constant(everybody, BY_NAME["players"], span=binder.span)
            else:
                domain = self.expressions.set_like(binder.domain, inner, "`for each`")
            element = self.expressions.element_of(domain.type)
            binders.append((self.expressions.bind(binder.variable, element, inner), domain))
        place = scope.place
        before, place.at_once = place.at_once, True
        body = self.block(line.body, inner)
        place.at_once = before
        self.expressions.warn_unused(inner, place.name == "prelude")
        return (program.ForEach(tuple(binders), body, span=line.span),)

    def _onebyone(self, line: tree.OneByOne, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("one by one")
        domain = self.expressions.set_like(line.domain, scope, "`one by one`")
        inner = scope.inside()
        element = self.expressions.element_of(domain.type)
        local = self.expressions.bind(line.variable, element, inner)
        rest = self.env.local("", domain.type)
        body = self.block(line.body, inner)
        self.expressions.warn_unused(inner, scope.place.name == "prelude")
        return (program.OneByOne(local, rest, domain, body, span=line.span),)

    def _oneof(self, line: tree.OneOf, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("one of")
        bullets = []
        names: set[str] = set()
        for number, bullet in enumerate(line.bullets):
            if bullet.name.text in names:
                self.report.error(
                    "declared-twice", bullet.name.span, "two bullets cannot have one name"
                )
            names.add(bullet.name.text)
            if bullet.otherwise and (number == 0 or number + 1 < len(line.bullets)):
                where = "first" if number == 0 else "last but one"
                self.report.error(
                    "otherwise",
                    bullet.span,
                    "`otherwise` stands last, below the bullets that come before it"
                    if where != "first"
                    else "nothing stands above this `otherwise`",
                    help="it is what is done if none of the bullets above it can be",
                )
            bullets.append(self.bullet(bullet, scope))
        return (program.OneOf(self.env.number(), tuple(bullets), span=line.span),)

    def bullet(self, bullet: tree.Bullet, scope: Scope) -> program.Bullet:
        inner = scope.inside()
        body = self.block(bullet.body, inner)
        if bullet.template is not None:
            self.env.operations.add("as")
            body += (self.template(bullet.template, inner),)
        self.expressions.warn_unused(inner, scope.place.name == "prelude")
        return program.Bullet(bullet.name.text, body, bullet.otherwise, span=bullet.span)

    def _match(self, line: tree.Match, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("match")
        subjects = tuple(self.expressions.check(subject, scope) for subject in line.subjects)
        for subject in subjects:
            if subject.type.kind not in ("choice", "number", "kind", "player", "truth", "hole"):
                self.expressions.wrong_type(
                    subject.span, "`match` compares single values, not sites or sets", subject.type
                )
                return ()
        rows = []
        seen: set[tuple[int | None, ...]] = set()
        for row in line.rows:
            patterns = self.patterns(row, subjects, line)
            if patterns is None:
                continue
            if patterns in seen:
                self.report.warning("unreachable", row.span, "a row above fits all that this fits")
            seen.add(patterns)
            rows.append(
                program.MatchRow(patterns, self.inner_block(row.body, scope), span=row.span)
            )
        return (program.Match(subjects, tuple(rows), span=line.span),)

    def patterns(
        self, row: tree.MatchRow, subjects: Sequence[program.Expression], line: tree.Match
    ) -> tuple[int | None, ...] | None:
        if not row.patterns:
            return ()
        if len(row.patterns) != len(subjects):
            self.report.error(
                "match",
                row.patterns[0].span.to(row.patterns[-1].span),
                f"this row has {counted(len(row.patterns), 'value')};"
                f" `match` looks at {len(subjects)}",
            )
            return None
        values: list[int | None] = []
        for pattern, subject in zip(row.patterns, subjects, strict=True):
            if pattern.value is None:
                values.append(None)
                continue
            value = self.pattern(pattern, subject.type)
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def pattern(self, pattern: tree.Pattern, type_: Type) -> int | None:
        if type_.kind == "hole":
            return 0
        if isinstance(pattern.value, int):
            if type_ != NUMBER:
                self.report.error("type", pattern.span, f"a number stands here for {type_.spoken}")
                return None
            return pattern.value
        assert pattern.value is not None
        if type_ == TRUTH and pattern.value in ("true", "false"):
            return int(pattern.value == "true")
        names: dict[str, int] = {}
        if type_.kind == "choice":
            names = {n: i for i, n in enumerate(self.env.choices[type_.name])}
        elif type_ == KIND:
            names = {n: i for i, n in enumerate(self.env.kinds)}
        elif type_ == PLAYER:
            names = {n: i for i, n in enumerate((*self.env.players, "nobody"))}
        if type_ == NUMBER:
            self.report.error(
                "type",
                pattern.span,
                f"a number is wanted here, such as 3; `{pattern.value}` is a name",
            )
            return None
        if pattern.value in names:
            self.env.used.add(pattern.value)
            return names[pattern.value]
        self.report.unknown(f"value of {type_}", pattern.value, pattern.span, names)
        return None

    def _repeat(self, line: tree.Repeat, scope: Scope) -> Sequence[program.Statement]:
        self.env.operations.add("repeat")
        place = scope.place
        bounds = []
        parts = (
            (line.times.low, line.times.high)
            if isinstance(line.times, tree.Range)
            else (line.times, line.times)
        )
        for part in parts:
            value = self.expressions.constant(part, scope, NUMBER, "how often to repeat")
            if value is None:
                return ()
            if not 0 <= value <= MOST_LINKS:
                self.report.error("range", part.span, f"a chain has 0 to {MOST_LINKS} steps")
                return ()
            bounds.append(value)
        if not self.rises(bounds[0], bounds[1], line.times.span):
            return ()
        counter = self.env.local("", NUMBER)
        before, place.in_repeat = place.in_repeat, True
        body = self.inner_block(line.body, scope)
        place.in_repeat = before
        return (
            program.Repeat(
                self.env.number(), bounds[0], bounds[1], line.may_stop, counter, body,
                span=line.span,
            ),
        )  # fmt: skip

    # ---- ludemes

    def _invoke(self, line: tree.Invoke, scope: Scope) -> Sequence[program.Statement]:
        name = line.name.text
        declared = self.env.names.get(name)
        if not isinstance(declared, LudemeDefinition):
            known = {n for n, d in self.env.names.items() if isinstance(d, LudemeDefinition)}
            known |= {effect.split()[0] for effect in EFFECTS}
            if name in self.env.known_names() or scope.find(name) is not None:
                self.report.error(
                    "ludeme",
                    line.name.span,
                    f"a line cannot begin with `{name}`, which is a value",
                    help="a line begins with what happens, such as `choose`, `put` or `require`",
                )
            else:
                self.report.unknown("ludeme", name, line.name.span, known)
            for argument in line.arguments:
                self.expressions.check(argument.value, scope)
            return ()
        self.env.used.add(name)
        self.depth += 1
        try:
            if self.depth > DEEPEST_LUDEMES:
                self.report.error(
                    "recursion",
                    line.span,
                    f"`{name}` would go on for ever",
                    help="a ludeme cannot use itself; a chain is written `repeat 1..n times ...`",
                )
                return ()
            return self.write_out(declared.item, line, scope)
        finally:
            self.depth -= 1

    def write_out(
        self, item: tree.Ludeme, line: tree.Invoke, scope: Scope
    ) -> Sequence[program.Statement]:
        """The lines of a ludeme; its parameters are what the call gives, read where they stand."""
        parameters = [
            Parameter(p.name.text, self.env.parameter_type(p.type), p.label, p.default is not None)
            for p in item.parameters
        ]
        form = " ".join(
            [item.name.text]
            + [
                f"[{p.label + ' ' if p.label else ''}{p.name}]" if p.optional
                else f"{p.label + ' ' if p.label else ''}{p.name}"
                for p in parameters
            ]
        )  # fmt: skip
        found = self.expressions.match_arguments(
            item.name.text, parameters, line.arguments, line.span, line.name.span, form
        )
        if found is None:
            return ()
        inner = Scope(scope.place)
        for parameter, given, wanted in zip(item.parameters, found, parameters, strict=True):
            expression = given.value if given is not None else parameter.default
            assert expression is not None
            source = scope if given is not None else Scope(scope.place)
            inner.names[parameter.name.text] = ByName(expression, source, wanted.type)
        outer_names = set(inner.names)
        checked = self.block(item.body, inner)
        if item.name.text in self.env.from_prelude:
            # What a designer sees of it is the line that calls it.
            checked = tuple(attrs.evolve(each, span=line.span) for each in checked)
        for left, binding in inner.names.items():
            if left in outer_names or not isinstance(binding, LocalBinding):
                continue
            word = tree.Word(left, span=line.name.span)
            if scope.find(left) is not None:
                self.report.error(
                    "declared-twice",
                    line.name.span,
                    f"`{item.name.text}` leaves the name `{left}`, which is taken here",
                    help="write this move with `choose ...` and names of your own",
                )
                continue
            scope.names[left] = LocalBinding(binding.local, word.span, used=True, chosen=True)
        return checked


def always(node: tree.Expression) -> bool | None:
    """What a condition always is that is written out with `true` and `false`, else None."""
    match node:
        case tree.Truth():
            return node.value
        case tree.Not():
            operand = always(node.operand)
            return None if operand is None else not operand
        case tree.Both() | tree.Either():
            sides = (always(node.left), always(node.right))
            decisive = isinstance(node, tree.Either)
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
    return None


def _number(node: program.Expression) -> int | None:
    """The number that an expression is known to be."""
    if isinstance(node, program.Constant) and node.type == NUMBER and isinstance(node.value, int):
        return node.value
    return None


__all__ = ["SITE", "Statements"]
