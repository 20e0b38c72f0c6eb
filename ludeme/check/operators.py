"""Operators, sets written out, and what goes through the members of a set."""

from __future__ import annotations

from ludeme.check import program
from ludeme.check.scope import Scope
from ludeme.check.typed import Typed
from ludeme.diagnostics import Span
from ludeme.kernel.types import (
    HOLE,
    KIND,
    NUMBER,
    NUMBERS,
    PLAYER,
    SITE,
    SITES,
    TRUTH,
    set_of,
)
from ludeme.syntax import tree


class Operators(Typed):
    """Checks what is made of other expressions by signs and words."""

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

    # ---- through the members of a set

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
