"""How long the interpreter would take at most, so that machine code gives up where it does.

The interpreter counts steps and stops a question that takes too many (`ludeme.machine.meter`). Most
descriptions cannot come near that limit, and nothing need be counted for them. For the others the
compiled code counts the larger part of the same steps, and a game that passes half the limit is
given up; the interpreter plays it and says whether something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import comb

import attrs

from ludeme.check import program
from ludeme.check.walking import blocks_of, walk
from ludeme.machine import meter
from ludeme.machine.flow import MOST_STEPS as LONGEST_WAY
from ludeme.machine.forms import most_members
from ludeme.machine.layout import Layout
from ludeme.machine.runs import is_plain
from ludeme.machine.tables import Tables
from ludeme.machine.turns import DEEPEST
from ludeme.native import facts

ENDLESS = 1 << 62
"""A bound that says nothing."""
RAY = 10
"""Steps for a ray."""
FRAMES = 3
"""Python's calls for a line of a turn at most, within one another."""


class Effort:
    """Bounds for one program; *limit* is the interpreter's."""

    def __init__(self, layout: Layout, tables: Tables) -> None:
        self.layout = layout
        self.program = layout.program
        self.tables = tables
        self.limit = meter.MOST_STEPS // 2
        self.sites = len(self.program.board.names)
        names = facts.turns_played(self.program)
        self.played = {n: turn for n, turn in self.program.turns.items() if n in names}
        self.numbers = facts.numbers_width(self.program)
        self.word = 1 + self.sites // 512
        self.trying = meter.TRY + layout.length // 4
        copied = sum(not v.variable.is_flag for v in layout.piece_variables)
        copied += 3 if layout.buried is not None else 0
        self.lifting = 10 + copied * self.sites // 20
        self._straight: dict[program.Function, int] = {}
        self._functions: dict[tuple[program.Function, tuple[int, ...]], int] = {}
        self._most: dict[int, int] = self.most_chosen()
        self.most_placed = self.sites  # as long as it is looked for: who puts may ask of it
        self.most_placed = self.find_most_placed()
        self.on_empty = facts.puts_on_empty(self.program)
        self._turns: dict[str, int] = {}
        self.is_counted = max(self.turns(), self.flow()) > self.limit
        self.is_deep = self.frames() > DEEPEST // 2

    # ---- steps of the interpreter, as it counts them

    def nodes(self, node: program.Expression) -> int:
        """The nodes of an expression, each loop gone through once."""
        return meter.straight(node, self._straight)

    def nodes_in(self, block: program.Block) -> int:
        """The same of all that a block works out."""
        return meter.nodes_in(block, self._straight)

    def expanding(self, links: program.Expression) -> int:
        """Steps to find the neighbours of one site."""
        if isinstance(links, program.Links) and links.function is not None:
            return 3 + 4 * self.nodes(links.function.value)
        return 3

    def flooding(self, links: program.Expression) -> int:
        """Steps for each site that a flood reaches."""
        if isinstance(links, program.Links) and links.function is not None:
            return 4 + 2 * self.nodes(links.function.value)
        return 4

    # ---- the most that sets have

    def most_chosen(self) -> dict[int, int]:
        """How many members the sets have at most that turns choose, by the slots of their names."""
        lines = [line for turn in self.played.values() for line in walk(turn.body)]
        changed = {line.local.slot for line in lines if isinstance(line, program.Assign)}
        return {
            line.local.slot: line.high.value
            for line in lines
            if isinstance(line, program.Choose) and line.many and line.local.slot not in changed
            if isinstance(line.high, program.Constant) and isinstance(line.high.value, int)
        }

    def find_most_placed(self) -> int:
        """Where a turn puts or moves pieces at most."""
        blocks = (block for turn in self.played.values() for block in (turn.body, turn.reveal))
        return max(map(self.placed_by, blocks), default=0)

    def placed_by(self, block: program.Block) -> int:
        """The same for a block; all sites where lines are gone through again and again."""
        found = 0
        for line in block:
            match line:
                case program.Put():
                    found += self.size(line.sites)
                case program.Move():
                    found += 1
                case program.Swap():
                    found += 2
                case program.ForEach() | program.OneByOne() | program.Repeat():
                    return self.sites
                case _:
                    found += max(map(self.placed_by, blocks_of(line)), default=0)
        return min(self.sites, found)

    def size(self, node: program.Expression) -> int:
        """The members of a set or family at most."""
        if node.type.kind == "family":
            return self.sets_in(node)
        known = most_members(self.program, node)
        least = min(self.universe(node), self.shape(node))
        return least if known is None else min(known, least)

    def shape(self, node: program.Expression) -> int:
        """The members of a set at most, by the form of the expression."""
        match node:
            case program.Get():
                return self._most.get(node.local.slot, ENDLESS)
            case program.Apply():
                return self.size(node.function.value)
            case program.Choice():
                return max(self.size(node.then), self.size(node.otherwise))
            case program.Those():
                return self.size(node.domain)
            case program.Fold() if node.kind == "union":
                return self.size(node.domain) * self.size(node.value)
            case program.Op():
                sizes = [self.size(a) for a in node.arguments if a.type.kind == "set"]
                match node.name:
                    case "intersection":
                        return min(sizes)
                    case "together":
                        return sum(sizes)
                    case "seen" | "step":
                        return sizes[0] * sizes[-1]
                    case "slide":
                        return sizes[0] * sizes[-1] * self.tables.longest
                    case "neighbours":
                        return sizes[0] * self.degree_of(node.arguments[1])
                    case "placed":
                        return self.most_placed
                    case "between" | "path":
                        return self.tables.longest
                    case "heading":
                        return 1
        return ENDLESS

    def universe(self, node: program.Expression) -> int:
        """How many things a set of this type can be made of."""
        element = node.type.element.kind if node.type.element is not None else "site"
        match element:
            case "player":
                return 1 + len(self.program.players)
            case "kind":
                return 1 + len(self.program.kinds)
            case "direction":
                return len(self.program.board.directions)
            case "number":
                return self.numbers
            case "choice":
                assert node.type.element is not None
                return len(self.program.choices[node.type.element.name])
        return self.sites

    def sets_in(self, node: program.Expression) -> int:
        """The sets of a family at most."""
        if isinstance(node, program.Constant) and isinstance(node.value, tuple):
            return len(node.value)
        return self.sites

    # ---- expressions

    def value(self, node: program.Expression) -> int:
        """The most steps that are counted while an expression is worked out."""
        match node:
            case program.Constant() | program.Get():
                return 0
            case program.Links():
                return 0 if node.directions is None else self.value(node.directions)
            case program.Read():
                return sum(map(self.value, node.indices))
            case program.Op():
                return self.op(node) + sum(map(self.value, node.arguments))
            case program.Apply():
                return self.applied(node) + sum(map(self.value, node.arguments))
            case program.Choice():
                return sum(map(self.value, (node.condition, node.then, node.otherwise)))
            case program.Ability():
                return self.turn(node.turn) + self.value(node.player)
            case program.Quantified() | program.Those():
                return self.loop(node.domain, (node.condition,))
            case program.Best():
                return self.loop(node.domain, node.keys)
        otherwise = self.value(node.otherwise) if node.otherwise is not None else 0
        return self.loop(node.domain, (node.value,)) + otherwise

    def loop(self, domain: program.Expression, parts: Sequence[program.Expression]) -> int:
        """Each member of a set or family."""
        inside = sum(self.nodes(part) + self.value(part) for part in parts)
        return self.value(domain) + self.size(domain) * (self.word + inside)

    def applied(self, node: program.Apply) -> int:
        """A definition that is given sets of known sizes."""
        parameters = zip(node.function.parameters, node.arguments, strict=True)
        sets = [(p.slot, self.size(a)) for p, a in parameters if p.type.kind == "set"]
        before = dict(self._most)
        self._most.update(sets)
        found = self.called(node.function, tuple(size for _, size in sets))
        self._most = before
        return found

    def called(self, function: program.Function, sizes: tuple[int, ...] = ()) -> int:
        """A definition; *sizes*: of the sets that it is given."""
        if (function, sizes) not in self._functions:
            self._functions[function, sizes] = self.value(function.value)
        return self._functions[function, sizes]

    def op(self, node: program.Op) -> int:
        """An operation, its operands left aside."""
        match node.name:
            case "neighbours":
                links = node.arguments[1]
                asked = self.size(node.arguments[0]) * self.degree * self.asking(links)
                return self.size(node.arguments[0]) * self.expanding(links) + asked
            case "step":
                return self.size(node.arguments[0]) * 3
            case "slide" | "seen":
                return self.size(node.arguments[0]) * self.size(node.arguments[2]) * RAY
            case "between" | "path" | "heading":
                return 3 * len(self.program.board.directions)
            case "group" | "groups" | "reach" | "joined":
                links = node.arguments[-1]
                return self.sites * (self.flooding(links) + self.degree * self.asking(links))
            case "line":
                return self.sites * len(self.tables.axes)
            case "repeats":
                return self.remembering + sum(map(self.value, self.memory_of(node).values))
        return 0

    @property
    def remembering(self) -> int:
        """Steps to look whether a position was there before."""
        return 20 + self.sites // 8

    def memory_of(self, node: program.Op) -> program.Memory:
        """What `repeats` asks for."""
        number = node.arguments[0]
        assert isinstance(number, program.Constant) and isinstance(number.value, int)
        return self.program.memories[number.value]

    @property
    def degree(self) -> int:
        """The most neighbours that a site has."""
        return max(map(int.bit_count, self.tables.all_links), default=0)

    def degree_of(self, links: program.Expression) -> int:
        """The most neighbours that a site has by a relation of the board."""
        if isinstance(links, program.Links) and links.kind == "relation":
            return max(map(int.bit_count, self.tables.relation(links.relation)), default=0)
        return self.degree

    def asking(self, links: program.Expression) -> int:
        """Asking a relation of the file of one pair."""
        if isinstance(links, program.Links) and links.function is not None:
            return self.called(links.function)
        return self.value(links)

    # ---- lines

    def act(self, line: program.Statement) -> int:
        """A line without decisions."""
        match line:
            case program.If():
                blocks = (line.then, line.otherwise)
                return self.value(line.condition) + sum(map(self.plain, blocks))
            case program.Match():
                rows = sum(self.plain(row.body) for row in line.rows)
                return sum(map(self.value, line.subjects)) + rows
            case program.ForEach():
                return self.for_each(line)
            case program.OneByOne():
                inside = self.nodes_in(line.body) + self.plain(line.body)
                return self.value(line.domain) + self.size(line.domain) * inside
            case program.Say():
                return sum(self.value(p) for p in line.parts if not isinstance(p, str))
        return self.operands(line) + self.writing(line)

    def operands(self, line: program.Statement) -> int:
        """What a single effect asks."""
        found = 0
        for field in attrs.fields(type(line)):
            part = getattr(line, field.name)
            parts = part if isinstance(part, tuple) else (part,)
            found += sum(self.value(p) for p in parts if isinstance(p, program.Expression))
        return found

    def writing(self, line: program.Statement) -> int:
        """What a single effect writes."""
        match line:
            case program.Put():
                return self.putting(line)
            case program.Remove():
                return self.size(line.sites) * self.lifting
            case program.Move() | program.Swap():
                return 8 * self.lifting
            case program.Set() | program.Raise():
                return self.sites // 50
        return 0

    def putting(self, line: program.Put) -> int:
        """What it takes to put pieces; single ones on empty sites are sets that are joined."""
        number = line.count.value if isinstance(line.count, program.Constant) else None
        if not isinstance(number, int):
            number = self.program.stack_limit
        if number == 1 and not self.layout.piece_variables and line in self.on_empty:
            return 0
        return 2 * self.size(line.sites) * self.lifting * number

    def plain(self, block: program.Block) -> int:
        """A block of lines without decisions."""
        return sum(map(self.act, block))

    def for_each(self, line: program.ForEach) -> int:
        """All members at once."""
        found, times = 0, 1
        each = meter.PENDING + self.nodes_in(line.body)
        for _, domain in line.binders:
            size = self.size(domain)
            found += times * (self.value(domain) + size * each)
            times *= size
        return found + times * self.plain(line.body)

    # ---- turns

    def turns(self) -> int:
        """The most that all runs of a turn, and of what they ask, may take."""
        reveals = [self.plain(turn.reveal) for turn in self.played.values()]
        return max([*map(self.turn, self.played), *reveals], default=0)

    def turn(self, name: str) -> int:
        """The most that all runs of a turn may take."""
        if name not in self._turns:
            body = self.program.turns[name].body
            self._turns[name] = self.runs(body, lambda: 0, lambda: 0)
        return self._turns[name]

    def openings(self, name: str) -> list[tuple[program.Choose, int]] | None:
        """The choices that a turn begins with, and the most that each of their values takes.

        None where it begins with something else.
        """
        body = self.program.turns[name].body
        first = body[0] if body else None
        ways = [b.body for b in first.bullets] if isinstance(first, program.OneOf) else [()]
        rest = body[1:] if isinstance(first, program.OneOf) else body
        found = []
        for way in ways:
            lines = (*way, *rest)
            line = lines[0] if lines else None
            if not isinstance(line, program.Choose):
                return None
            where = self.value(line.condition) if line.condition is not None else 0
            behind = self.runs(lines[1:], lambda: 0, lambda: 0)
            found.append((line, self.value(line.domain) + self.trying + where + behind))
        return found

    def runs(
        self,
        lines: Sequence[program.Statement],
        go: Callable[[], int],
        leave: Callable[[], int],
    ) -> int:
        """*lines*, and after each run of them what *go* takes; never more than it matters."""
        if not lines:
            return go()
        line, rest = lines[0], lines[1:]
        known: list[int] = []

        def follows() -> int:
            if not known:
                known.append(self.runs(rest, go, leave))
            return known[0]

        return min(ENDLESS, self.run(line, follows, leave))

    def run(
        self, line: program.Statement, follows: Callable[[], int], leave: Callable[[], int]
    ) -> int:
        """One line and what follows it."""
        if is_plain(line):
            return self.act(line) + self.nodes_in((line,)) + follows()
        match line:
            case program.Choose():
                where = self.value(line.condition) if line.condition is not None else 0
                return self.value(line.domain) + self.ways(line) * (self.trying + where + follows())
            case program.Require():
                return self.nodes(line.condition) + self.value(line.condition) + follows()
            case program.RequireMost():
                return sum(map(self.value, line.keys)) + follows()
            case program.Stop():
                return leave()
            case program.If():
                ways = (self.runs(block, follows, leave) for block in (line.then, line.otherwise))
                return self.value(line.condition) + sum(ways)
            case program.Match():
                ways = (self.runs(row.body, follows, leave) for row in line.rows)
                return sum(map(self.value, line.subjects)) + sum(ways) + follows()
            case program.OneOf():
                return sum(self.runs(bullet.body, follows, leave) for bullet in line.bullets)
            case program.Repeat():
                return self.chain(line.body, line.high, self.trying, follows, follows)
            case program.OneByOne():
                size = self.size(line.domain)
                begun = self.value(line.domain)
                return begun + self.chain(line.body, size, meter.TRY, follows, leave)
        raise AssertionError(line)

    def chain(
        self,
        body: program.Block,
        times: int,
        step: int,
        follows: Callable[[], int],
        leave: Callable[[], int],
    ) -> int:
        """A body several times, after each of which the run may go on behind the chain."""
        found = step + follows()
        for _ in range(times):
            if found > self.limit:
                return ENDLESS
            further = found
            found = step + self.runs(body, partial(int, further), leave) + follows()
        return found

    def ways(self, line: program.Choose) -> int:
        """How many values a choice has at most."""
        size = self.size(line.domain)
        if not line.many:
            return size
        high = line.high.value if isinstance(line.high, program.Constant) else size
        assert isinstance(high, int)
        return min(ENDLESS, sum(comb(size, count) for count in range(min(size, high, 64) + 1)))

    # ---- flow

    def flow(self) -> int:
        """The most that may happen between two decisions, as far as that shows."""
        ends = 0
        for end in self.program.ends:
            ends += sum(self.value(p) for p in (end.condition, end.player) if p is not None)
        ranking = sum(self.value(rank.value) for rank in self.program.ranking)
        ends += ranking * len(self.program.players) * (1 + len(self.program.ends))
        steps = self.steps(self.program.play)
        times = LONGEST_WAY if self.may_circle(self.program.play) else 1
        return (ends + steps) * times * (2 + len(self.program.players))

    def may_circle(self, steps: program.Steps) -> bool:
        """Whether play may come back to a step again and again without anybody deciding."""
        for step in steps:
            match step:
                case program.GoTo():
                    return True
                case program.Loop():
                    if not self.decides(step.body) or self.may_circle(step.body):
                        return True
                case program.Phase() | program.Rounds():
                    if self.may_circle(step.body):
                        return True
                case program.IfStep():
                    if self.may_circle(step.then) or self.may_circle(step.otherwise):
                        return True
        return False

    def decides(self, steps: program.Steps) -> bool:
        """Whether somebody decides on the way through, or the game ends, whatever happens."""
        return any(map(self.step_decides, steps))

    def step_decides(self, step: program.Step) -> bool:
        """The same of one step."""
        match step:
            case program.Takes() | program.Together() | program.End():
                return True
            case program.Alternate():
                return step.until is None
            case program.Phase():
                return self.decides(step.body)
            case program.IfStep():
                return self.decides(step.then) and self.decides(step.otherwise)
            case program.Loop():
                return step.until is None and self.decides(step.body)
        return False

    def steps(self, steps: program.Steps) -> int:
        """All steps of play once."""
        return sum(map(self.step, steps))

    def step(self, step: program.Step) -> int:
        """One step of play."""
        match step:
            case program.Takes():
                return self.value(step.player)
            case program.Alternate():
                until = self.value(step.until) if step.until is not None else 0
                stuck = self.turn(step.turn) if step.skipping else 0
                return self.value(step.start) + until + stuck
            case program.Phase():
                return self.steps(step.body)
            case program.Loop():
                until = self.value(step.until) if step.until is not None else 0
                return until + self.steps(step.body)
            case program.Rounds():
                size = self.size(step.domain)
                return (1 + size) * (self.value(step.domain) + self.steps(step.body))
            case program.IfStep():
                ways = self.steps(step.then) + self.steps(step.otherwise)
                return self.value(step.condition) + ways
            case program.EffectStep():
                return self.plain(step.body)
        return 0

    # ---- depth

    def frames(self) -> int:
        """The calls within one another that the interpreter may need for a run."""
        bodies = (turn.body for turn in self.played.values())
        return max((self.frames_of(body) for body in bodies), default=0)

    def frames_of(self, block: program.Block) -> int:
        """The same for a block."""
        return sum(map(self.frames_of_line, block))

    def frames_of_line(self, line: program.Statement) -> int:
        """The same for a line."""
        match line:
            case program.Repeat():
                return FRAMES + line.high * self.frames_of_link(line)
            case program.OneByOne() if not is_plain(line):
                return FRAMES + self.size(line.domain) * self.frames_of_link(line)
            case program.If() if not is_plain(line):
                return FRAMES + max(map(self.frames_of, (line.then, line.otherwise)))
            case program.Match() if not is_plain(line):
                return FRAMES + max((self.frames_of(row.body) for row in line.rows), default=0)
            case program.OneOf():
                return FRAMES + max(self.frames_of(bullet.body) for bullet in line.bullets)
        return FRAMES

    def frames_of_link(self, line: program.Repeat | program.OneByOne) -> int:
        """The same for one step of a chain, chains within it left aside: they count themselves."""
        return (
            FRAMES
            + sum(
                self.frames_of_line(each)
                for each in line.body
                if not isinstance(each, program.Repeat | program.OneByOne)
            )
            + FRAMES * len(line.body)
        )


__all__ = ["Effort"]
