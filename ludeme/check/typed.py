"""What all kinds of expressions need: types that fit, constants, names that are free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludeme.check import program
from ludeme.check.environment import (
    Environment,
)
from ludeme.check.limits import (
    DEEPEST_NESTING,
    LARGEST_NUMBER,
    LARGEST_SET_NUMBER,
    MOST_NODES,
)
from ludeme.check.scope import LocalBinding, Scope
from ludeme.diagnostics import Span
from ludeme.kernel.pure import PURE
from ludeme.kernel.types import (
    DIRECTIONS,
    FAMILY,
    HOLE,
    KIND,
    NUMBER,
    SITE,
    SITES,
    Type,
)
from ludeme.syntax import tree


class Typed:
    """Checks nodes by their class; an error yields a hole, which fits everywhere."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.report = env.report

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

    def warn_unused(self, scope: Scope, prelude: bool = False) -> None:
        """Names bound in *scope* that nothing asked for."""
        if prelude:
            return
        for name, binding in scope.names.items():
            if isinstance(binding, LocalBinding) and not binding.used and not binding.chosen:
                self.report.warning("unused", binding.span, f"`{name}` is never used")


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
