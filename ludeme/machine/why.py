"""Why a move is not legal: the requirements that fail first on the runs that would print it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import attrs

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.diagnostics import DescriptionFault, Diagnostic, Span
from ludeme.kernel.types import Type
from ludeme.machine.bits import members
from ludeme.machine.effects import Act, Effects
from ludeme.machine.layout import Cells
from ludeme.machine.notation import label, labels, written
from ludeme.machine.runs import Go, Runs
from ludeme.machine.turns import TurnMoves

MOST_TRACED = 100_000
MOST_STEPS = 800_000
"""Steps after which no further run is tried: a chain has very many that lead nowhere."""
MOST_REASONS = 8


@attrs.frozen
class Failure:
    """What failed first on a run. *depth*: how many choices and requirements came before it."""

    depth: int
    span: Span
    message: str
    code: str


def reasons(turn: TurnMoves, cells: Cells, player: int, text: str) -> list[Diagnostic]:
    """What fails first on each run that prints *text*, deepest first; none if no run prints it."""
    tracing = _Tracing(turn.effects, turn.turn.joiner, text)
    go = tracing.compile(turn.turn.body)
    found: dict[tuple[Span, str], Failure] = {}
    seen = 0

    def collect(c: Cells) -> bool:
        nonlocal seen
        seen += 1
        failed = c[turn.layout.failed]
        if turn.text(c) == text:
            failure = failed if isinstance(failed, Failure) else _outdone(turn, c)
            if failure is not None:
                known = found.get((failure.span, failure.message))
                if known is None or failure.depth > known.depth:
                    found[failure.span, failure.message] = failure
        return seen >= MOST_TRACED

    tracing.sink = collect
    meter = turn.effects.expressions.meter
    outer = meter.begin(turn.turn.span)
    meter.left = min(meter.left, MOST_STEPS)
    try:
        go(turn.begin(cells, player))
    except (DescriptionFault, RecursionError) as error:
        gave_up = isinstance(error, DescriptionFault) and error.diagnostic.code == "too-costly"
        if not found and not gave_up:
            raise
    finally:
        meter.end(outer)
    ordered = sorted(found.values(), key=lambda f: (-f.depth, f.span.start, f.message))
    return [Diagnostic(f.code, f.span, f.message) for f in ordered[:MOST_REASONS]]


def _outdone(turn: TurnMoves, c: Cells) -> Failure | None:
    for line in walk(turn.turn.body):
        if isinstance(line, program.RequireMost) and c[turn.layout.most]:
            numbers = ", ".join(str(number) for number in c[turn.layout.most])
            message = f"another move makes `{_shown(line.keys[0].span)}` greater than {numbers}"
            return Failure(1000, line.span, message, "require-most")
    return None


class _Tracing(Runs):
    """Runs that go on after a requirement fails, noting the first that did.

    A run whose print the wanted text does not begin with leads nowhere, and is given up.
    """

    def __init__(self, effects: Effects, joiner: str, wanted: str) -> None:
        super().__init__(effects)
        self.joiner = joiner
        self.wanted = wanted
        self.printed = effects.layout.text
        self.failed = effects.layout.failed
        self.program = effects.program

    def fail(self, c: Cells, span: Span, message: str, code: str) -> None:
        """Note a failure, if it is the first of its run."""
        if not isinstance(c[self.failed], Failure):
            c[self.failed] = Failure(c[self.failed] or 0, span, message, code)

    def deeper(self, c: Cells) -> None:
        """Count a choice or a requirement that was met."""
        if not isinstance(c[self.failed], Failure):
            c[self.failed] = (c[self.failed] or 0) + 1

    def may_become_wanted(self, c: Cells) -> bool:
        """Whether the wanted text begins with what was printed so far."""
        return self.wanted.startswith(self.joiner.join(c[self.printed]))

    # ---- plain lines

    def plain(self, line: program.Statement) -> Act:
        act = super().plain(line)

        def lenient(c: Cells) -> None:
            try:
                act(c)
            except DescriptionFault:
                if not isinstance(c[self.failed], Failure):
                    raise

        return lenient

    # ---- choices

    def choose(self, line: program.Choose, go: Go) -> Go:
        domain = self.expressions.compile(line.domain)
        go = self.where(line, go)
        slot = self.expressions.slot(line.local)
        candidates = self.candidates(line)

        def choose(c: Cells) -> bool:
            if not self.may_become_wanted(c):
                return False
            allowed = domain(c)
            for value, chosen in candidates(c, allowed):
                self.spend(self.trying)
                copy = c[:]
                copy[slot] = value
                outside = chosen & ~allowed
                if outside:
                    self.fail(copy, line.domain.span, self.not_in(line, outside), "choose")
                else:
                    self.deeper(copy)
                if go(copy):
                    return True
            return False

        return choose

    def not_in(self, line: program.Choose, outside: int) -> str:
        """The words for values that may not be chosen."""
        names = written(self.program, Type("set", line.member.type), outside)
        verb = "is" if outside.bit_count() == 1 else "are"
        return f"{names} {verb} not in `{_shown(line.domain.span)}`"

    def candidates(self, line: program.Choose) -> Callable[[Cells, int], Iterable[tuple[int, int]]]:
        """Values to try, as the local holds them and as a set: those that the text names."""
        if not line.many:
            return lambda c, allowed: ((m, 1 << m) for m in members(self.named(line, allowed)))
        bounds = self.bounds(line)

        def subsets(c: Cells, allowed: int) -> Iterator[tuple[int, int]]:
            low, high = bounds(c)
            items = list(members(self.named(line, allowed)))
            for size in range(max(low, 0), min(high, len(items)) + 1):
                for chosen in combinations(items, size):
                    mask = sum(1 << member for member in chosen)
                    yield mask, mask

        return subsets

    def named(self, line: program.Choose, allowed: int) -> int:
        """The values that occur in the text; all that are allowed if none does."""
        type_ = line.member.type
        names = labels(self.program, type_)
        if names is None:
            kept = [m for m in members(allowed) if label(self.program, type_, m) in self.wanted]
        else:
            count = len(names) - (1 if type_.kind in ("player", "kind") else 0)
            kept = [m for m in range(count) if names[m] in self.wanted]
        return sum(1 << member for member in kept) or allowed

    def where(self, line: program.Choose, go: Go) -> Go:
        if line.condition is None:
            return go
        member, slot = self.expressions.slot(line.member), self.expressions.slot(line.local)
        return self.checked(line.condition, go, lambda c: c.__setitem__(member, c[slot]), "where")

    # ---- requirements

    def require(self, line: program.Require, go: Go) -> Go:
        return self.checked(line.condition, go, None, "require")

    def checked(
        self,
        node: program.Expression,
        go: Go,
        before: Callable[[Cells], None] | None,
        code: str,
    ) -> Go:
        """Note whether a condition fails, and go on."""
        condition = self.expressions.compile(node)
        describe = Describe(self.effects)

        def check(c: Cells) -> bool:
            if before is not None:
                before(c)
            if isinstance(c[self.failed], Failure):
                return go(c)
            if condition(c):
                self.deeper(c)
            else:
                self.fail(c, *describe.failing(node, c), code)
            return go(c)

        return check

    def one_of(self, line: program.OneOf, go: Go, leave: Go | None) -> Go:
        branches = [(self.block(bullet.body, go, leave), bullet) for bullet in line.bullets]
        strict = Runs(self.effects)
        above = [strict.compile(bullet.body) for bullet in line.bullets if not bullet.otherwise]

        def one_of(c: Cells) -> bool:
            for branch, bullet in branches:
                copy = c[:]
                if bullet.otherwise and any(run(c[:]) for run in above):
                    message = f"`{bullet.name}` is open only if no move above it can be made"
                    self.fail(copy, bullet.span, message, "otherwise")
                if branch(copy):
                    return True
            return False

        return one_of


class Describe:
    """Puts a condition that does not hold into words, with the values that made it so."""

    def __init__(self, effects: Effects) -> None:
        self.expressions = effects.expressions
        self.program = effects.program

    def value(self, node: program.Expression, c: Cells) -> str:
        """The value of an expression in notation."""
        found: Any = self.expressions.compile(node)(c)
        if node.type.kind == "family":
            return f"{len(found)} sets"
        if node.type.kind == "truth":
            return "true" if found else "false"
        return written(self.program, node.type, found) or "nothing"

    def failing(self, node: program.Expression, c: Cells) -> tuple[Span, str]:
        """The part that is to blame, and why it does not hold."""
        if isinstance(node, program.Op):
            if node.name == "and":
                for side in node.arguments:
                    if not self.expressions.compile(side)(c):
                        return self.failing(side, c)
            return node.span, self.operation(node, c)
        if isinstance(node, program.Quantified):
            return node.span, self.quantified(node, c)
        values = self.parameters(node, c)
        return node.span, f"`{_shown(node.span)}` does not hold{values}"

    def operation(self, node: program.Op, c: Cells) -> str:
        shown = _shown(node.span)
        operands = [
            f"{_shown(a.span)} = {self.value(a, c)}"
            for a in node.arguments
            if not isinstance(a, program.Constant) and a.span.source.name and a.type.kind != "truth"
        ]
        tail = f": {', '.join(operands)}" if operands else ""
        return f"`{shown}` does not hold{tail}"

    def quantified(self, node: program.Quantified, c: Cells) -> str:
        shown = _shown(node.span)
        slot = self.expressions.slot(node.local)
        condition = self.expressions.compile(node.condition)
        if node.quantifier == "some" or node.local.type.kind == "set":
            return f"`{shown}` does not hold"
        witnesses = []
        for member in self.expressions.each(node.domain)(c):
            c[slot] = member
            if bool(condition(c)) == (node.quantifier == "no"):
                witnesses.append(label(self.program, node.local.type, member))
        names = ", ".join(witnesses[:8])
        return f"`{shown}` does not hold for {node.local.name} = {names}"

    def parameters(self, node: program.Expression, c: Cells) -> str:
        if not isinstance(node, program.Apply) or not node.arguments:
            return ""
        pairs: Sequence[str] = [
            f"{parameter.name} = {self.value(argument, c)}"
            for parameter, argument in zip(node.function.parameters, node.arguments, strict=True)
        ]
        return f": {', '.join(pairs)}"


def _shown(span: Span) -> str:
    text = " ".join(span.text.split())
    return text if len(text) <= 70 else text[:67] + "..."
