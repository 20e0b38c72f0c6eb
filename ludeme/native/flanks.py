"""What lies between a site and the sites seen from it, on all lines at once.

``union between(s, f) for f in A and seen(s, over B)``, and the sites for which that has members,
are asked at every turn of games in which pieces are enclosed. Site by site each takes a loop over
lines; here a set is shifted along four lines at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TypeGuard

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.machine.tables import Tables
from ludeme.native import facts
from ludeme.native.boards import Boards
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I64

LANES = 4


@attrs.frozen
class Flank:
    """The sites between *site* and those of *among* that are seen from it over *over*."""

    site: program.Local
    among: program.Expression
    over: program.Expression
    directions: int


@attrs.frozen
class Lane:
    """A direction: how far its step is, and where it can lead."""

    distance: int
    ends: int


def flank_of(node: program.Expression) -> Flank | None:
    """The flank that a union is, if it is one."""
    if not isinstance(node, program.Fold) or node.kind != "union":
        return None
    between, domain = node.value, node.domain
    if not _is_op(between, "between"):
        return None
    if not _is_op(domain, "intersection"):
        return None
    site, other = between.arguments
    if not isinstance(other, program.Get) or other.local is not node.local:
        return None
    for seen, among in (domain.arguments, domain.arguments[::-1]):
        if isinstance(site, program.Get) and _is_op(seen, "seen"):
            start, over, directions = seen.arguments
            if not _is_op(start, "single") or not _gets(start.arguments[0], site.local):
                continue
            if isinstance(directions, program.Constant):
                assert isinstance(directions.value, int)
                flank = Flank(site.local, among, over, directions.value)
                return flank if not _asks(flank, node.local) else None
    return None


def flanking(condition: program.Expression, member: program.Local) -> Flank | None:
    """The flank of a member that a condition asks to be more than nothing."""
    if not _is_op(condition, "some"):
        return None
    inner, local = condition.arguments[0], member
    if isinstance(inner, program.Apply) and len(inner.arguments) == 1:
        if not _gets(inner.arguments[0], member):
            return None
        local, inner = inner.function.parameters[0], inner.function.value
    flank = flank_of(inner)
    if flank is None or flank.site is not local or _asks(flank, local):
        return None
    return flank


def _is_op(node: program.Expression, name: str) -> TypeGuard[program.Op]:
    return isinstance(node, program.Op) and node.name == name


def _gets(node: program.Expression, local: program.Local) -> bool:
    return isinstance(node, program.Get) and node.local is local


def _asks(flank: Flank, local: program.Local) -> bool:
    """Whether the sets of a flank depend on a local."""
    return any(
        isinstance(part, program.Get) and part.local is local
        for node in (flank.among, flank.over)
        for part in facts.parts(node)
    )


class Flanks:
    """Lowers flanks on boards of up to 64 sites on which every step of a direction is as long."""

    def __init__(self, boards: Boards, tables: Tables) -> None:
        self.boards = boards
        self.tables = tables

    def lanes(self, directions: int, back: bool) -> list[list[Lane]] | None:
        """The directions, or those that lead back, side by side; None where they are not so."""
        if self.boards.unit.set_type.width != 64 or not self.lines_part:
            return None
        found: list[Lane] = []
        for number, steps in enumerate(self.tables.steps):
            if directions >> number & 1:
                lane = _lane(_turned_round(steps) if back else steps)
                if lane is None:
                    return None
                found.append(lane)
        up = [lane for lane in found if lane.distance > 0]
        down = [lane for lane in found if lane.distance < 0]
        groups = [side[i : i + LANES] for side in (up, down) for i in range(0, len(side), LANES)]
        return groups or None

    @property
    def lines_part(self) -> bool:
        """Whether no two lines from a site meet again."""
        for site in range(self.boards.sites):
            masks = [rays[site].mask for rays in self.tables.rays]
            if sum(masks) != reduce(int.__or__, masks, 0):
                return False
        return True

    def between(
        self, code: Code, flank: Flank, site: Value, among: Value, over: Value
    ) -> Value | None:
        """The sites of a flank."""
        groups = self.lanes(flank.directions, back=False)
        if groups is None:
            return None
        parts: list[Value] = []
        closing = code.builder.and_(among, code.builder.not_(over))
        for group in groups:
            lines = Lines(code, group)
            run = lines.runs(lines.spread(code.bit(site)), lines.spread(over), self.levels)
            closed = code.builder.and_(lines.step(run), lines.spread(closing))
            none = ir.Constant(lines.type, None)
            ends = code.builder.icmp_unsigned("!=", closed, none)
            parts += lines.each(code.builder.select(ends, run, none))
        return reduce(code.builder.or_, parts)

    def origins(self, code: Code, flank: Flank, among: Value, over: Value) -> Value | None:
        """The sites whose flank has members."""
        groups = self.lanes(flank.directions, back=True)
        if groups is None:
            return None
        parts: list[Value] = []
        closing = code.builder.and_(among, code.builder.not_(over))
        for group in groups:
            lines = Lines(code, group)
            run = lines.runs(lines.spread(closing), lines.spread(over), self.levels)
            parts += lines.each(lines.step(run))
        return reduce(code.builder.or_, parts)

    @property
    def levels(self) -> int:
        """How often a run must be doubled to be as long as any between two sites."""
        return max(0, (self.tables.longest - 3).bit_length())


def _turned_round(steps: Sequence[int]) -> list[int]:
    """For each site those from which a step leads to it."""
    found = [0] * len(steps)
    for site, there in enumerate(steps):
        if there:
            found[there.bit_length() - 1] |= 1 << site
    return found


def _lane(steps: Sequence[int]) -> Lane | None:
    """The steps of a direction if all are as long."""
    if any(there & (there - 1) for there in steps):
        return None
    found = {there.bit_length() - 1 - site for site, there in enumerate(steps) if there}
    if len(found) != 1:
        return None
    return Lane(found.pop(), reduce(int.__or__, steps, 0))


class Lines:
    """Sets that are shifted along several directions at once, all up or all down."""

    def __init__(self, code: Code, lanes: Sequence[Lane]) -> None:
        self.code = code
        self.lanes = lanes
        self.type = ir.VectorType(I64, len(lanes))
        self.ends = ir.Constant(self.type, [ir.Constant(I64, lane.ends) for lane in lanes])

    def spread(self, members: Value) -> Value:
        """The same set in each lane."""
        made: Value = ir.Constant(self.type, ir.Undefined)
        for i in range(len(self.lanes)):
            made = self.code.builder.insert_element(made, members, ir.Constant(I64, i))
        return made

    def each(self, sets: Value) -> list[Value]:
        """The sets of all lanes."""
        indices = [ir.Constant(I64, i) for i in range(len(self.lanes))]
        return [self.code.builder.extract_element(sets, index) for index in indices]

    def shifted(self, sets: Value, times: int) -> Value:
        """So many steps on, wherever that leads."""
        distances = [ir.Constant(I64, times * abs(lane.distance)) for lane in self.lanes]
        amounts = ir.Constant(self.type, distances)
        up = self.lanes[0].distance > 0
        act = self.code.builder.shl if up else self.code.builder.lshr
        return act(sets, amounts)

    def step(self, sets: Value) -> Value:
        """One step on, on the board."""
        return self.code.builder.and_(self.shifted(sets, 1), self.ends)

    def runs(self, start: Value, over: Value, levels: int) -> Value:
        """From the step behind *start* on, all of *over* without a gap."""
        builder = self.code.builder
        open_ = builder.and_(over, self.ends)
        found = builder.and_(self.shifted(start, 1), open_)
        for level in range(levels):
            times = 1 << level
            if times * max(abs(lane.distance) for lane in self.lanes) >= I64.width:
                break
            found = builder.or_(found, builder.and_(self.shifted(found, times), open_))
            if level + 1 < levels:
                open_ = builder.and_(open_, self.shifted(open_, times))
        return found
