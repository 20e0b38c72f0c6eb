"""The runs of a choice program.

A block is compiled backwards: each line becomes a function of the state that does its part and
goes on with the function of what follows. A choice copies the state for each of its values; a
requirement that fails goes no further; at the end of a run the *sink* is given the state. A
function answers True when the sink has seen enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb

import attrs

from ludeme.check import program
from ludeme.check.limits import MOST_RUNS
from ludeme.check.walking import walk
from ludeme.diagnostics import fault
from ludeme.machine.bits import members
from ludeme.machine.effects import Act, Effects
from ludeme.machine.layout import Cells
from ludeme.machine.meter import TRY

Go = Callable[[Cells], bool]

_DECIDING = (
    program.Choose,
    program.Require,
    program.RequireMost,
    program.OneOf,
    program.Repeat,
    program.Stop,
)


def is_plain(line: program.Statement) -> bool:
    """Whether a line decides nothing: nothing in it chooses, requires or branches."""
    return not any(isinstance(inner, _DECIDING) for inner in walk((line,)))


@attrs.frozen
class Path:
    """One way through the branches of a program, for the uniform draw.

    *branches*: which way each `one of` (by bullet) and `if` (0 or 1) goes. *last*: the number of
    the last choice, where the draw is given the state and the domain instead of going on. *first*
    and *bound*: where the last choice has a known number of values at most, the number of the
    choice before it and how many; the draw then stops there as well. *always*: so few that it does
    so however many values the choice before has.
    """

    branches: Mapping[int, int]
    last: int | None
    first: int | None = None
    bound: int = 0
    always: bool = False

    @property
    def to_last(self) -> Path:
        """The same way, followed to its last choice alone."""
        return attrs.evolve(self, first=None, bound=0, always=False)


class Runs:
    """Compiles one program for running; see the module."""

    def __init__(self, effects: Effects, path: Path | None = None) -> None:
        self.effects = effects
        self.expressions = effects.expressions
        self.layout = effects.layout
        self.spend = effects.spend
        self.trying = TRY + self.layout.length // 4
        self.path = path
        self.sink: Go = lambda c: True
        self.completed = 0
        self.at_last: Callable[[Cells, int], bool] = lambda c, domain: False
        self.after_last: Go = self._end
        self.at_first: Callable[[Cells, int], bool] = lambda c, domain: False
        self.after_first: Go = self._end

    def compile(self, body: program.Block) -> Go:
        """The function that goes through all runs of *body*."""
        return self.block(body, self._end, None)

    def _end(self, c: Cells) -> bool:
        self.completed += 1
        return self.sink(c)

    def block(self, lines: Sequence[program.Statement], go: Go, leave: Go | None) -> Go:
        """*lines*, then *go*; `stop` goes on with *leave*."""
        plain: list[Act] = []
        steps = 0
        for line in reversed(lines):
            if is_plain(line):
                plain.append(self.plain(line))
                steps += self.expressions.nodes_in((line,))
                continue
            go = self.after_acts(plain[::-1], go, steps)
            plain, steps = [], 0
            go = self.line(line, go, leave)
        return self.after_acts(plain[::-1], go, steps)

    def branch(
        self,
        line: program.Statement,
        which: int,
        lines: program.Block,
        go: Go,
        leave: Go | None,
    ) -> Go:
        """Block number *which* of a line, which may or may not be entered, then *go*."""
        return self.block(lines, go, leave)

    def plain(self, line: program.Statement) -> Act:
        """A line that decides nothing."""
        return self.effects.act(line)

    def after_acts(self, acts: Sequence[Act], go: Go, steps: int) -> Go:
        """Plain lines of so many *steps*, then *go*."""
        if not acts:
            return go
        if steps > 2 * TRY:
            acts = [lambda c: self.spend(steps), *acts]
        if len(acts) == 1:
            act = acts[0]

            def after_one(c: Cells) -> bool:
                act(c)
                return go(c)

            return after_one

        def after_all(c: Cells) -> bool:
            for act in acts:
                act(c)
            return go(c)

        return after_all

    def line(self, line: program.Statement, go: Go, leave: Go | None) -> Go:
        """One line that decides, then *go*."""
        match line:
            case program.Choose():
                return self.choose(line, go)
            case program.Require():
                return self.require(line, go)
            case program.RequireMost():
                return self.require_most(line, go)
            case program.Stop():
                assert leave is not None, line
                return leave
            case program.If():
                return self.if_(line, go, leave)
            case program.OneOf():
                return self.one_of(line, go, leave)
            case program.OneByOne():
                return self.one_by_one(line, go, leave)
            case program.Match():
                return self.match(line, go, leave)
            case program.Repeat():
                return self.repeat(line, go)
        raise AssertionError(line)

    # ---- choices

    def choose(self, line: program.Choose, go: Go) -> Go:
        """Go on with each value of a choice."""
        domain = self.expressions.compile(line.domain)
        go = self.where(line, go)
        slot = self.expressions.slot(line.local)
        if self.path is not None and self.path.last == line.number:
            return self.last_choice(domain, slot, go)
        if self.path is not None and self.path.first == line.number:
            return self.first_choice(domain, go)
        values = self.values(line)
        spend, steps = self.spend, self.trying

        def choose(c: Cells) -> bool:
            for value in values(c, domain(c)):
                spend(steps)
                copy = c[:]
                copy[slot] = value
                if go(copy):
                    return True
            return False

        return choose

    def values(self, line: program.Choose) -> Callable[[Cells, int], Iterable[int]]:
        """The values that a choice takes in a state, in order, given its domain."""
        if not line.many:
            return lambda c, domain: members(domain)
        bounds = self.bounds(line)

        def subsets(c: Cells, domain: int) -> Iterator[int]:
            low, high = bounds(c)
            self.look_ahead(line, domain.bit_count(), low, high)
            items = [1 << member for member in members(domain)]
            for size in range(max(low, 0), min(high, len(items)) + 1):
                for chosen in combinations(items, size):
                    yield sum(chosen)

        return subsets

    def look_ahead(self, line: program.Choose, size: int, low: int, high: int) -> None:
        """Give up at once where so many things can be chosen that listing has no end."""
        if any(
            comb(size, chosen) > MOST_RUNS for chosen in range(max(low, 0), min(high, size) + 1)
        ):
            raise fault(
                "too-many-moves",
                line.span,
                f"there are more than {MOST_RUNS:,} ways to choose this",
                help="choose fewer things at a time, or from a smaller set",
            )

    def bounds(self, line: program.Choose) -> Callable[[Cells], tuple[int, int]]:
        """How few and how many members a choice takes."""
        assert line.low is not None and line.high is not None
        low, high = self.expressions.compile(line.low), self.expressions.compile(line.high)
        return lambda c: (low(c), high(c))

    def where(self, line: program.Choose, go: Go) -> Go:
        """The condition on a chosen value."""
        if line.condition is None:
            return go
        condition = self.expressions.compile(line.condition)
        member, slot = self.expressions.slot(line.member), self.expressions.slot(line.local)

        def where(c: Cells) -> bool:
            c[member] = c[slot]
            return bool(condition(c)) and go(c)

        return where

    def last_choice(self, domain: Callable[[Cells], int], slot: int, go: Go) -> Go:
        """Where the draw stops to weigh; `after_last` goes on from there."""
        self.after_last = go

        def last_choice(c: Cells) -> bool:
            return self.at_last(c, domain(c))

        return last_choice

    def first_choice(self, domain: Callable[[Cells], int], go: Go) -> Go:
        """Where the draw stops at the last choice but one; `after_first` goes on from there."""
        self.after_first = go

        def first_choice(c: Cells) -> bool:
            return self.at_first(c, domain(c))

        return first_choice

    # ---- requirements

    def require(self, line: program.Require, go: Go) -> Go:
        """Go on only if the condition holds."""
        condition = self.expressions.compile(line.condition)
        steps = self.expressions.nodes(line.condition)
        if steps <= TRY:
            return lambda c: bool(condition(c)) and go(c)
        spend = self.spend

        def require(c: Cells) -> bool:
            spend(steps)
            return bool(condition(c)) and go(c)

        return require

    def require_most(self, line: program.RequireMost, go: Go) -> Go:
        """Note the numbers that are to be greatest; the listing compares them."""
        keys = [self.expressions.compile(key) for key in line.keys]
        most = self.layout.most

        def require_most(c: Cells) -> bool:
            c[most] = (*c[most], *(key(c) for key in keys))
            return go(c)

        return require_most

    # ---- branches

    def if_(self, line: program.If, go: Go, leave: Go | None) -> Go:
        """One block or the other; on a path, the block that the path takes or nothing."""
        condition = self.expressions.compile(line.condition)
        then = self.branch(line, 0, line.then, go, leave)
        otherwise = self.branch(line, 1, line.otherwise, go, leave)
        if self.path is not None and line.number in self.path.branches:
            wanted = self.path.branches[line.number] == 0
            chosen = then if wanted else otherwise
            return lambda c: bool(condition(c)) is wanted and chosen(c)
        return lambda c: then(c) if condition(c) else otherwise(c)

    def one_of(self, line: program.OneOf, go: Go, leave: Go | None) -> Go:
        """Each bullet in turn; `otherwise` if no run through those above was completed."""
        if self.path is not None and line.number in self.path.branches:
            taken = self.path.branches[line.number]
            return self.branch(line, taken, line.bullets[taken].body, go, leave)
        branches = [
            (self.branch(line, i, bullet.body, go, leave), bullet.otherwise)
            for i, bullet in enumerate(line.bullets)
        ]

        spend, steps = self.spend, self.trying

        def one_of(c: Cells) -> bool:
            before = self.completed
            for branch, otherwise in branches:
                if otherwise and self.completed != before:
                    continue
                spend(steps)
                if branch(c[:]):
                    return True
            return False

        return one_of

    def match(self, line: program.Match, go: Go, leave: Go | None) -> Go:
        """The first row that fits."""
        find = self.effects.row_finder(line)
        bodies = [self.branch(line, i, row.body, go, leave) for i, row in enumerate(line.rows)]

        def match(c: Cells) -> bool:
            row = find(c)
            return bodies[row](c) if row < len(bodies) else go(c)

        return match

    # ---- chains

    def one_by_one(self, line: program.OneByOne, go: Go, leave: Go | None) -> Go:
        """A block with decisions for each member in order."""
        domain = self.expressions.compile(line.domain)
        slot, rest = self.expressions.slot(line.local), self.expressions.slot(line.rest)
        family = line.domain.type.kind == "family"
        spend = self.spend

        def step(c: Cells) -> bool:
            spend(TRY)
            left = c[rest]
            if not left:
                return go(c)
            if family:
                c[slot], c[rest] = left[0], left[1:]
            else:
                low = left & -left
                c[slot], c[rest] = low.bit_length() - 1, left ^ low
            return body(c)

        body = self.branch(line, 0, line.body, step, leave)

        def begin(c: Cells) -> bool:
            c[rest] = domain(c)
            return step(c)

        return begin

    def repeat(self, line: program.Repeat, go: Go) -> Go:
        """A chain: while a further step can be completed it must be taken, or may be."""
        counter = self.expressions.slot(line.counter)
        low, high, may_stop = line.low, line.high, line.may_stop
        spend, steps = self.spend, self.trying

        def step(c: Cells) -> bool:
            spend(steps)
            done = c[counter]
            if done >= high:
                return go(c)
            if may_stop and done >= low and go(c[:]):
                return True
            before = self.completed
            further = c[:]
            further[counter] = done + 1
            if body(further):
                return True
            if not may_stop and done >= low and self.completed == before:
                return go(c)
            return False

        body = self.branch(line, 0, line.body, step, go)

        def begin(c: Cells) -> bool:
            c[counter] = 0
            return step(c)

        return begin
