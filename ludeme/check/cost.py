"""How large numbers may become, and how long a description may take to work something out.

A description comes from anyone. Before it is played, each expression is looked through once with
the most that its parts can be: the least and greatest number, the most members of a set. That gives
the most work that one evaluation can be, in steps of the interpreter of about a ten-millionth of a
second. What may pass the limits is refused; the limits leave room for a test of every pair of sites
on the largest board. What a turn really does is counted in play (`ludeme.machine.meter`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import comb
from typing import Any

import attrs

from ludeme.check import program
from ludeme.check.bounds import ARITHMETIC, Bounds
from ludeme.check.limits import LARGEST_NUMBER, LARGEST_RESULT, LARGEST_SET_NUMBER, MOST_RUNS
from ludeme.check.report import Report
from ludeme.check.walking import operands, walk
from ludeme.diagnostics import Span
from ludeme.kernel.types import Type

MOST_WORK = 1_000_000_000
"""Steps of one evaluation at worst, were all sets as large as they can be; they hardly ever are."""
MOST_LOOKS = 100_000
"""Nodes looked at exactly; beyond that, what is given to a definition is not told apart."""
MOST_STATE = 1_000_000
"""Values of declared variables, one for each site, player or kind that has one."""
ABILITY = 1_000_000
"""Steps that `can` counts for: it goes through the runs of a turn."""
PENDING = 30
"""Steps for an effect that waits in `for each`, with the room that it takes."""


@attrs.frozen
class Estimate:
    """What an expression can be, and the most steps that it takes to find out."""

    bounds: Bounds
    work: int


def look_through(made: program.Program, report: Report) -> None:
    """Report everything in a checked program that may be too large or take too long."""
    _Costs(made, report).all()


class _Costs:
    def __init__(self, made: program.Program, report: Report) -> None:
        self.program = made
        self.report = report
        self.board = made.board
        self.sites = len(made.board.names)
        self.word = 1 + self.sites // 1024  # steps for one operation on a set of sites
        self.place = made.turns[next(iter(made.turns))].span if made.turns else _nowhere(made)
        self.locals: dict[program.Local, Bounds] = {}
        self.known: dict[tuple[program.Function, tuple[Bounds, ...]], Estimate] = {}
        self.looks = 0
        self.told = False
        self.changed = _changed(made)

    def all(self) -> None:
        """Everything that is ever worked out."""
        made = self.program
        self.state()
        self.part("`start`", self.block(made.start))
        for turn in made.turns.values():
            self.place = turn.span
            self.part(f"turn `{turn.name}`", self.block(turn.body))
            self.part("`reveal`", self.block(turn.reveal))
        self.steps(made.play)
        self.part("`end`", sum(self.end(end) for end in made.ends))
        for rank in made.ranking:
            self.locals[rank.local] = Bounds()
            work = self.value(rank.value).work * max(1, len(made.players))
            self.part("`ranking`", work)
        for example in made.examples:
            for fact in example.facts:
                self.place = fact.span
                self.part("this example", self.block(fact.block))
                if fact.condition is not None:
                    self.value(fact.condition)

    def state(self) -> None:
        """Refuse more state than can be copied and compared at every move."""
        counts = {"site": self.sites, "player": len(self.program.players)}
        counts["kind"] = len(self.program.kinds)
        size = 0
        for variable in self.program.variables:
            if variable.is_flag:
                size += self.sites // 64
                continue
            of = self.sites if variable.owner == "piece" else counts.get(variable.owner, 1)
            size += of * (counts.get(variable.index, 1) if variable.index else 1)
            if size > MOST_STATE:
                self.report.error(
                    "too-large",
                    variable.span,
                    f"with `{variable.name}` there are more than {MOST_STATE:,} values to keep",
                    help="note fewer things for each site, or use a smaller board",
                )
                return

    def part(self, what: str, work: int) -> None:
        """Refuse a part of the description that as a whole takes too long."""
        self.limit(work, self.place, what)
        self.told = False

    def limit(self, work: int, span: Span, what: str) -> int:
        """Report too much work once, at the innermost place; return what to go on with."""
        if work <= MOST_WORK:
            return work
        if not self.told:
            self.told = True
            self.report.error(
                "too-costly",
                span,
                f"{what} may take {_about(work)} steps to work out, which nobody would wait for",
                help="go through fewer things, for example `neighbours(s)` instead of `board`,"
                " or work out once with `let` what is the same each time",
            )
        return MOST_WORK

    # ---- flow

    def steps(self, steps: program.Steps) -> None:
        for step in steps:
            self.place = step.span if step.span.source.name else self.place
            match step:
                case program.Takes():
                    self.value(step.player)
                case program.Alternate():
                    self.value(step.start)
                    if step.until is not None:
                        self.value(step.until)
                case program.Phase():
                    self.steps(step.body)
                case program.Loop():
                    if step.until is not None:
                        self.value(step.until)
                    self.steps(step.body)
                case program.Rounds():
                    self.value(step.domain)
                    self.steps(step.body)
                case program.IfStep():
                    self.value(step.condition)
                    self.steps(step.then)
                    self.steps(step.otherwise)
                case program.EffectStep():
                    self.part("this", self.block(step.body))
                case program.End():
                    self.end(step)
            self.told = False

    def end(self, end: program.End) -> int:
        self.place = end.span
        parts = [part for part in (end.condition, end.player) if part is not None]
        return sum(self.value(part).work for part in parts)

    # ---- lines

    def block(self, block: program.Block, times: int = 1) -> int:
        """The most steps that one pass takes. *times*: passes that are written at once."""
        return sum(self.line(line, times) for line in block)

    def line(self, line: program.Statement, times: int) -> int:
        if line.span.source.name:
            self.place = line.span
        place = self.place
        work = self.line_work(line, times)
        self.place = place
        return self.limit(work, place, "this")

    def line_work(self, line: program.Statement, times: int) -> int:
        match line:
            case program.Choose():
                return self.choose(line)
            case program.Assign():
                found = self.value(line.value)
                self.assign(line.local, found.bounds)
                return found.work + 1
            case program.If():
                condition = self.value(line.condition).work
                then, otherwise = self.block(line.then, times), self.block(line.otherwise, times)
                return condition + max(then, otherwise)
            case program.Match():
                subjects = sum(self.value(subject).work for subject in line.subjects)
                rows = [self.block(row.body, times) for row in line.rows]
                return subjects + len(rows) + max(rows, default=0)
            case program.OneOf():
                return sum(self.block(bullet.body, times) for bullet in line.bullets)
            case program.ForEach():
                return self.for_each(line, times)
            case program.OneByOne():
                domain = self.value(line.domain)
                self.locals[line.local] = self.member(line.domain.type, domain.bounds)
                return domain.work + domain.bounds.size * (3 + self.block(line.body, times))
            case program.Repeat():
                return line.high * (3 + self.block(line.body, times))
            case program.Raise():
                amount = self.value(line.amount)
                most = max(abs(amount.bounds.low), abs(amount.bounds.high)) * times
                self.number(line.amount, Bounds(-most, most))
        estimates = [self.value(operand) for operand in operands(line)]
        touched = max((each.bounds.size for each in estimates), default=1)
        return sum(each.work for each in estimates) + self.writing(line, touched)

    def writing(self, line: program.Statement, touched: int) -> int:
        """The steps of writing to *touched* sites; what is noted for each site is copied whole."""
        whole = self.sites // 20
        notes = sum(v.owner == "piece" and not v.is_flag for v in self.program.variables)
        match line:
            case program.Put() | program.Move() | program.Swap() | program.Remove():
                piles = 3 if self.program.stack_limit > 1 else 0
                return 10 + touched * (10 + (piles + notes) * whole)
            case program.Set() | program.Raise():
                return 10 + whole
        return 10

    def choose(self, line: program.Choose) -> int:
        domain = self.value(line.domain)
        work = domain.work
        member = self.member(line.domain.type, domain.bounds)
        self.locals[line.member] = member
        if line.condition is not None:
            work += self.value(line.condition).work
        if not line.many:
            self.locals[line.local] = member
            return work
        assert line.low is not None and line.high is not None
        low, high = self.value(line.low).bounds, self.value(line.high).bounds
        most = max(0, min(high.high, domain.bounds.size))
        self.locals[line.local] = attrs.evolve(domain.bounds, size=most)
        if isinstance(line.domain, program.Constant):
            self.ways(line, domain.bounds.size, low.high, high.low)
        return work

    def ways(self, line: program.Choose, size: int, low: int, high: int) -> None:
        """Refuse a choice from a set known beforehand that has too many ways."""
        count = sum(comb(size, chosen) for chosen in range(max(low, 0), min(high, size) + 1))
        if count > MOST_RUNS and low <= high:
            self.report.error(
                "too-costly",
                line.span,
                f"there are {_about(count)} ways to choose this, more than can be gone through",
                help="choose fewer things at a time, or from a smaller set",
            )

    def for_each(self, line: program.ForEach, times: int) -> int:
        work, together = 0, 1
        for local, domain in line.binders:
            found = self.value(domain)
            self.locals[local] = self.member(domain.type, found.bounds)
            work += found.work * together
            together *= found.bounds.size
        return work + together * (PENDING + self.block(line.body, times * max(1, together)))

    def assign(self, local: program.Local, bounds: Bounds) -> None:
        """A name made by `let`; what `set` gives it later may be anything that it can hold."""
        if local in self.changed:
            bounds = bounds.join(self.of_type(local.type))
        self.locals[local] = bounds

    # ---- expressions

    def value(self, node: program.Expression) -> Estimate:
        """What an expression can be, and how long it may take."""
        self.looks += 1
        if node.span.source.name and not node.span.source.name.endswith(".ludeme"):
            self.place = node.span
        place = self.place
        found = self.estimate(node)
        self.place = place
        return Estimate(found.bounds, self.limit(found.work, place, "this"))

    def estimate(self, node: program.Expression) -> Estimate:
        match node:
            case program.Constant():
                return Estimate(self.constant(node.value, node.type), 1)
            case program.Get():
                known = self.locals.get(node.local)
                return Estimate(known if known is not None else self.of_type(node.type), 1)
            case program.Read():
                return self.read(node)
            case program.Links():
                return Estimate(Bounds(), 1)
            case program.Op():
                return self.op(node)
            case program.Apply():
                return self.apply(node)
            case program.Choice():
                condition = self.value(node.condition)
                then, otherwise = self.value(node.then), self.value(node.otherwise)
                work = 1 + condition.work + max(then.work, otherwise.work)
                return Estimate(then.bounds.join(otherwise.bounds), work)
            case program.Ability():
                return Estimate(Bounds(0, 1), ABILITY + self.value(node.player).work)
        return self.binder(node)

    def binder(
        self, node: program.Quantified | program.Those | program.Fold | program.Best
    ) -> Estimate:
        domain = self.value(node.domain)
        size = domain.bounds.size
        self.locals[node.local] = self.member(node.domain.type, domain.bounds)
        around = domain.work + size * (2 + self.word)
        match node:
            case program.Quantified():
                return Estimate(Bounds(0, 1), around + size * self.value(node.condition).work)
            case program.Those():
                return Estimate(domain.bounds, around + size * self.value(node.condition).work)
            case program.Best():
                keys = sum(self.value(key).work for key in node.keys)
                return Estimate(self.sites_of(domain.bounds.part), around + size * keys)
        return self.fold(node, around, size)

    def fold(self, node: program.Fold, around: int, size: int) -> Estimate:
        value = self.value(node.value)
        work = around + size * value.work
        if node.kind == "union":
            return Estimate(self.sites_of(size * value.bounds.size), work)
        if node.kind == "sum":
            low, high = min(0, size * value.bounds.low), max(0, size * value.bounds.high)
            return Estimate(self.number(node, Bounds(low, high)), work)
        assert node.otherwise is not None
        otherwise = self.value(node.otherwise)
        return Estimate(value.bounds.join(otherwise.bounds), work + otherwise.work)

    def constant(self, value: int | tuple[Any, ...], type_: Type) -> Bounds:
        if isinstance(value, tuple):
            masks = [each for each in value if isinstance(each, int)]
            return Bounds(size=len(value), part=max(map(int.bit_count, masks), default=0))
        if type_.kind == "number":
            return Bounds(value, value)
        if type_.kind == "set":
            if value < 0:  # stands for "all pieces of an owner"
                return self.of_type(type_)
            low = (value & -value).bit_length() - 1 if value else 0
            return Bounds(low, max(0, value.bit_length() - 1), value.bit_count())
        return Bounds()

    def of_type(self, type_: Type) -> Bounds:
        """The most that a value of a type can be."""
        if type_.kind == "number":
            return Bounds(-LARGEST_NUMBER, LARGEST_NUMBER)
        if type_.kind == "family":
            return Bounds(size=self.sites, part=self.sites)
        if type_.kind == "set":
            assert type_.element is not None
            if type_.element.kind == "number":
                return Bounds(0, LARGEST_SET_NUMBER, LARGEST_SET_NUMBER + 1)
            return Bounds(size=self.universe(type_.element))
        return Bounds()

    def universe(self, element: Type) -> int:
        made = self.program
        sizes = {
            "site": self.sites,
            "player": len(made.players),
            "kind": len(made.kinds),
            "direction": len(self.board.directions),
            "truth": 2,
        }
        if element.kind == "choice":
            return len(made.choices[element.name])
        return sizes.get(element.kind, self.sites)

    def member(self, domain: Type, bounds: Bounds) -> Bounds:
        """What a member of a set or family can be."""
        if domain.kind == "family":
            return self.sites_of(bounds.part)
        if domain.element is not None and domain.element.kind == "number":
            return Bounds(bounds.low, bounds.high)
        return Bounds()

    def sites_of(self, size: int) -> Bounds:
        return Bounds(size=min(size, self.sites))

    def number(self, node: program.Expression, bounds: Bounds) -> Bounds:
        """Refuse a number that may become too large for a machine word."""
        most = max(abs(bounds.low), abs(bounds.high))
        if most <= LARGEST_RESULT:
            return bounds
        self.report.error(
            "number-size",
            node.span if node.span.source.name else self.place,
            f"this number may become too large: it can reach {_about(most)}",
            help="no number may pass 4,611,686,018,427,387,904;"
            " limit what goes into it, for example with `min(..., 1000)`",
        )
        return Bounds()  # so that what it is used for is not told of as well

    def read(self, node: program.Read) -> Estimate:
        indices = [self.value(index) for index in node.indices]
        work = 2 + sum(index.work for index in indices)
        variable = node.variable
        if variable.type.kind == "number":
            return Estimate(Bounds(variable.low, variable.high), work)
        if variable.is_flag:
            return Estimate(self.sites_of(self.sites), work + (variable.lasting or 0))
        return Estimate(self.of_type(node.type), work)

    def apply(self, node: program.Apply) -> Estimate:
        given = [self.value(argument) for argument in node.arguments]
        found = self.called(node.function, [each.bounds for each in given])
        work = 2 + len(given) + sum(each.work for each in given) + found.work
        return Estimate(found.bounds, work)

    def called(self, function: program.Function, given: Sequence[Bounds]) -> Estimate:
        """A definition of what is at most *given*."""
        if self.looks > MOST_LOOKS:
            given = [self.of_type(parameter.type) for parameter in function.parameters]
        key = (function, tuple(given))
        known = self.known.get(key)
        if known is None:
            for parameter, bounds in zip(function.parameters, given, strict=True):
                self.locals[parameter] = bounds
            known = self.known[key] = self.value(function.value)
        return known

    # ---- operations

    def op(self, node: program.Op) -> Estimate:
        found = [self.value(argument) for argument in node.arguments]
        work = sum(each.work for each in found)
        bounds = [each.bounds for each in found]
        arithmetic = ARITHMETIC.get(node.name)
        if arithmetic is not None:
            return Estimate(self.number(node, arithmetic(*bounds)), work + 1)
        method: Callable[[program.Op, list[Bounds]], tuple[Bounds, int]] | None = getattr(
            self, f"op_{node.name}", None
        )
        if method is None:
            return Estimate(self.of_type(node.type), work + self.word)
        result, own = method(node, bounds)
        return Estimate(result, work + own)

    def op_count(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, given[0].size), self.word

    op_family_count = op_count

    def op_height(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, self.program.stack_limit), 3

    def op_held(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, max(self.program.hands, default=0)), 2

    def _counter(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, LARGEST_NUMBER), 1

    op_turns = op_skips = op_passes = _counter

    def op_run(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, self.sites), len(self.board.directions) * (4 + self.word)

    def op_line(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, 1), len(self.board.directions) * self.sites * (1 + self.word)

    def op_owner(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(), 2 + len(self.program.players)

    def op_kind(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(), 2 + len(self.program.kinds)

    def op_lookup(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        table = node.arguments[0]
        assert isinstance(table, program.Constant) and isinstance(table.value, tuple)
        entries = [self.constant(entry, node.type) for entry in table.value]
        result = entries[0]
        for entry in entries[1:]:
            result = result.join(entry)
        return result, 2

    def op_pick(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return self.sites_of(given[0].part), 3

    def op_single(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        if node.arguments[0].type.kind == "number":
            self.set_numbers(node.arguments[0], given[0].low, given[0].high)
        return attrs.evolve(given[0], size=1), 1

    def op_range(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        low, high = given[0].low, given[1].high
        self.set_numbers(node, low, high)
        low, high = max(low, 0), min(high, LARGEST_SET_NUMBER)
        return Bounds(low, max(low, high), max(0, high - low + 1)), 2

    def set_numbers(self, node: program.Expression, low: int, high: int) -> None:
        """Refuse numbers that no set can hold."""
        if low < 0 or high > LARGEST_SET_NUMBER:
            wrong = low if low < 0 else high
            self.report.error(
                "range",
                node.span if node.span.source.name else self.place,
                f"sets hold numbers from 0 to {LARGEST_SET_NUMBER}; this can be {_exact(wrong)}",
                help="compare numbers with `<` and `>`, or limit this with `max(0, ...)`"
                f" and `min({LARGEST_SET_NUMBER}, ...)`",
            )

    def op_intersection(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        a, b = given
        low, high = max(a.low, b.low), min(a.high, b.high)
        return Bounds(min(low, high), max(low, high), min(a.size, b.size)), self.word

    def op_together(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        a, b = given
        size = min(a.size + b.size, self.of_type(node.type).size)
        return attrs.evolve(a.join(b), size=size), self.word

    # ---- the board

    @cached_property
    def degrees(self) -> dict[str, int]:
        """The most neighbours that a site has by each relation."""
        return {
            relation: max(map(int.bit_count, masks), default=0)
            for relation, masks in self.board.neighbours.items()
        }

    def links(self, node: program.Expression) -> tuple[int, int]:
        """The most neighbours of a site by a relation, and the steps to find them."""
        if not isinstance(node, program.Links) or node.kind == "all":
            return self.degrees["links"], self.word
        if node.kind == "relation":
            return self.degrees[node.relation], self.word
        if node.kind == "directions":
            assert node.directions is not None
            directions = self.value(node.directions)
            size = directions.bounds.size
            return size, directions.work + size * (2 + self.word)
        assert node.function is not None
        holds = self.called(node.function, [Bounds(), Bounds()])
        degree = self.degrees["links"]
        return degree, degree * (4 + 2 * self.word + holds.work)

    def op_neighbours(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        degree, steps = self.links(node.arguments[1])
        return self.sites_of(given[0].size * degree), given[0].size * (2 + 3 * self.word + steps)

    def op_step(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return self.rays(given, given[1].size, 1)

    def op_slide(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return self.rays(given, given[2].size, self.sites)

    def op_seen(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return self.rays(given, given[2].size, 1)

    def rays(self, given: list[Bounds], directions: int, length: int) -> tuple[Bounds, int]:
        count = given[0].size * directions
        return self.sites_of(count * length), 3 + count * (5 + 3 * self.word)

    def _between(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        steps = 5 + 3 * len(self.board.directions)
        return self.of_type(node.type), steps

    op_between = op_path = op_heading = _between

    def flood(self, among: int, links: program.Expression) -> int:
        return 3 + among * (3 + 5 * self.word + self.links(links)[1])

    def op_group(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return self.sites_of(given[1].size), self.flood(given[1].size, node.arguments[2])

    def op_groups(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        size = given[0].size
        return Bounds(size=size, part=size), self.flood(size, node.arguments[1])

    def op_reach(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return self.sites_of(given[1].size), self.flood(given[1].size, node.arguments[2])

    def op_joined(self, node: program.Op, given: list[Bounds]) -> tuple[Bounds, int]:
        return Bounds(0, 1), self.flood(given[0].size, node.arguments[3])


def _nowhere(made: program.Program) -> Span:
    return next((end.span for end in made.ends), program.Node().span)


def _changed(made: program.Program) -> frozenset[program.Local]:
    """The names that `set` gives another value."""
    blocks = [made.start]
    for turn in made.turns.values():
        blocks += [turn.body, turn.reveal]
    blocks += [fact.block for example in made.examples for fact in example.facts]
    blocks += list(_play_blocks(made.play))
    return frozenset(
        line.local
        for block in blocks
        for line in walk(block)
        if isinstance(line, program.Assign) and line.changes
    )


def _play_blocks(steps: program.Steps) -> Iterator[program.Block]:
    for step in steps:
        match step:
            case program.EffectStep():
                yield step.body
            case program.Phase() | program.Loop() | program.Rounds():
                yield from _play_blocks(step.body)
            case program.IfStep():
                yield from _play_blocks(step.then)
                yield from _play_blocks(step.otherwise)


def _about(number: int) -> str:
    """A large number as it is said."""
    if number >= 10**15:
        return (
            f"about 10 to the power of {len(str(number)) - 1}" if number < 10**3000 else "countless"
        )
    for size, name in (
        (10**12, "million million"),
        (10**9, "thousand million"),
        (10**6, "million"),
    ):
        if number >= size:
            return f"about {number // size:,} {name}"
    return f"{number:,}"


def _exact(number: int) -> str:
    return (
        f"{number:,}" if abs(number) < 10**15 else ("-" if number < 0 else "") + _about(abs(number))
    )
