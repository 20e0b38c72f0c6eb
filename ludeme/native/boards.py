"""Questions to the board as machine code: neighbours, rays, floods."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ludeme.machine.tables import Tables
from ludeme.native.embedding import Embedding, embed
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I8, I32, I64, PTR

MOST_SHIFTS = 8
MOST_TABLED = 256
"""Up to so many sites there is a table of the headings between all pairs of them."""


class Boards:
    """Lowers what depends on the board alone."""

    def __init__(self, unit: Unit, tables: Tables) -> None:
        self.unit = unit
        self.tables = tables
        self.sites = len(tables.board.names)
        self._floods: dict[tuple[int, ...], object] = {}

    def entry(self, code: Code, table: Sequence[int], site: Value) -> Value:
        """An entry of a table of sets."""
        made = self.unit.table(self.unit.set_type, table)
        where = code.builder.gep(made, [code.wide(site)], source_etype=self.unit.set_type)
        found = code.builder.load(where, typ=self.unit.set_type)
        found.align = min(16, self.unit.set_type.width // 8)
        return found

    # ---- steps and floods

    def shifts(self, table: Sequence[int]) -> list[tuple[int, int]] | None:
        """A table of neighbours as few shifts of masked sets; None if it would take many."""
        found: dict[int, int] = {}
        for site, neighbours in enumerate(table):
            left = neighbours
            while left:
                other = (left & -left).bit_length() - 1
                left &= left - 1
                found[other - site] = found.get(other - site, 0) | 1 << site
        if len(found) > MOST_SHIFTS:
            return None
        return sorted(found.items())

    def expand(self, code: Code, table: Sequence[int], members: Value) -> Value:
        """All that a table gives for the members of a set."""
        shifts = self.shifts(table)
        everything = (1 << self.sites) - 1
        if shifts is not None:
            found: Value = code.set_constant(0)
            for distance, mask in shifts:
                part = members
                if mask != everything:
                    part = code.builder.and_(part, code.set_constant(mask))
                amount = code.set_constant(abs(distance))
                shift = code.builder.shl if distance > 0 else code.builder.lshr
                found = code.builder.or_(found, shift(part, amount))
            return found
        total = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), total)
        with code.loop(members) as site:
            now = code.builder.load(total, typ=self.unit.set_type)
            code.builder.store(code.builder.or_(now, self.entry(code, table, site)), total)
        return code.builder.load(total, typ=self.unit.set_type)

    def flood(self, code: Code, table: Sequence[int], start: Value, among: Value) -> Value:
        """All of *among* that chains within it join to *start*."""
        function = self.flood_function(tuple(table))
        return code.builder.call(function, [start, among])

    def flood_function(self, table: tuple[int, ...]) -> object:
        """One function for each table of neighbours."""
        if table in self._floods:
            return self._floods[table]
        type_ = self.unit.set_type
        function = self.unit.function("flood", type_, [type_, type_])
        self._floods[table] = function
        code = Code(self.unit, function, None, None)
        start, among = function.args
        begin = code.builder.and_(start, among)
        embedding = self.embedding(table)
        if embedding is not None:
            code.builder.ret(self.flood_embedded(code, embedding, begin, among))
            return function
        if self.shifts(table) is not None:
            found = self.grow(code, begin, among, lambda f: self.expand(code, table, f), whole=True)
        else:
            found = self.grow(
                code, begin, among, lambda f: self.one_step(code, table, f), whole=False
            )
        code.builder.ret(found)
        return function

    def embedding(self, table: Sequence[int]) -> Embedding | None:
        """A layout in which a flood takes few shifts, where it pays."""
        if not self.unit.has_pdep or self.unit.set_type.width != 64:
            return None
        return embed(self.tables.board, table)

    def flood_embedded(self, code: Code, embedding: Embedding, begin: Value, among: Value) -> Value:
        """Flood in another layout."""
        builder, mask = code.builder, ir.Constant(I64, embedding.mask)
        fnty = ir.FunctionType(I64, [I64, I64])
        spread = self.unit.intrinsic("llvm.x86.bmi.pdep.64", [], fnty)
        gather = self.unit.intrinsic("llvm.x86.bmi.pext.64", [], fnty)
        room = builder.call(spread, [among, mask])
        reached = code.slot(I64)
        builder.store(builder.call(spread, [begin, mask]), reached)

        def step(members: Value) -> Value:
            parts = [members]
            for shift in embedding.shifts:
                act = builder.shl if shift > 0 else builder.lshr
                parts.append(act(members, code.i64(abs(shift))))
            while len(parts) > 1:  # in pairs, so that none waits for all before it
                pairs = zip(parts[::2], parts[1::2], strict=False)
                odd = parts[-1:] if len(parts) % 2 else []
                parts = [builder.or_(a, b) for a, b in pairs] + odd
            return builder.and_(parts[0], room)

        head = code.function.append_basic_block("flood")
        done = code.function.append_basic_block("still")
        builder.branch(head)
        builder.position_at_end(head)
        now = builder.load(reached, typ=I64)
        more = step(now)
        builder.store(more, reached)
        builder.cbranch(builder.icmp_unsigned("!=", more, now), head, done)
        builder.position_at_end(done)
        return builder.call(gather, [more, mask])

    def one_step(self, code: Code, table: Sequence[int], frontier: Value) -> Value:
        """The neighbours of the lowest member."""
        return self.entry(code, table, code.lowest(frontier))

    def grow(
        self,
        code: Code,
        begin: Value,
        among: Value,
        step: Callable[[Value], Value],
        whole: bool,
    ) -> Value:
        """Flood; *step* gives what the frontier reaches, wholly or from its lowest member."""
        type_ = self.unit.set_type
        reached, frontier = code.slot(type_), code.slot(type_)
        code.builder.store(begin, reached)
        code.builder.store(begin, frontier)
        head = code.function.append_basic_block("flood")
        body = code.function.append_basic_block("grow")
        done = code.function.append_basic_block("still")
        code.builder.branch(head)
        code.builder.position_at_end(head)
        now = code.builder.load(frontier, typ=type_)
        code.builder.cbranch(code.some(now), body, done)
        code.builder.position_at_end(body)
        so_far = code.builder.load(reached, typ=type_)
        near = code.builder.and_(step(now), among)
        new = code.builder.and_(near, code.builder.not_(so_far))
        code.builder.store(code.builder.or_(so_far, new), reached)
        rest = new if whole else code.builder.or_(code.without_lowest(now), new)
        code.builder.store(rest, frontier)
        code.builder.branch(head)
        code.builder.position_at_end(done)
        return code.builder.load(reached, typ=type_)

    # ---- rays

    def ray_until(
        self, code: Code, direction: int, site: Value, blockers: Value
    ) -> tuple[Value, Value]:
        """The sites before the first blocker on a ray, and that one, as sets."""
        rays = self.tables.rays[direction]
        orders = {ray.order for ray in rays if len(ray.sites) > 1}
        mask = self.entry(code, [ray.mask for ray in rays], site)
        met = code.builder.and_(mask, blockers)
        if orders <= {1}:
            first = code.builder.and_(met, code.builder.neg(met))
            before = code.builder.sub(first, code.set_constant(1))
            return code.builder.and_(mask, before), first
        if orders <= {-1}:
            first = code.highest_bit(met)
            twice = code.builder.shl(first, code.set_constant(1))
            upto = code.builder.sub(twice, code.set_constant(1))
            before = code.builder.select(
                code.none(met), mask, code.builder.and_(mask, code.builder.not_(upto))
            )
            return before, first
        return self.walk_ray(code, direction, site, blockers)

    def walk_ray(
        self, code: Code, direction: int, site: Value, blockers: Value
    ) -> tuple[Value, Value]:
        """The same, site by site, where the numbers along a ray neither rise nor fall."""
        type_ = self.unit.set_type
        passed, first, at = code.slot(type_), code.slot(type_), code.slot(site.type)
        code.builder.store(code.set_constant(0), passed)
        code.builder.store(code.set_constant(0), first)
        code.builder.store(site, at)
        head = code.function.append_basic_block("ray")
        body = code.function.append_basic_block("met")
        further = code.function.append_basic_block("further")
        blocked = code.function.append_basic_block("blocked")
        done = code.function.append_basic_block("end")
        code.builder.branch(head)
        code.builder.position_at_end(head)
        here = code.builder.load(at, typ=site.type)
        there = self.entry(code, self.tables.steps[direction], here)
        start = code.bit(site)
        outside = code.builder.or_(code.none(there), code.some(code.builder.and_(there, start)))
        code.builder.cbranch(outside, done, body)
        code.builder.position_at_end(body)
        code.builder.cbranch(code.some(code.builder.and_(there, blockers)), blocked, further)
        code.builder.position_at_end(blocked)
        code.builder.store(there, first)
        code.builder.branch(done)
        code.builder.position_at_end(further)
        so_far = code.builder.load(passed, typ=type_)
        code.builder.store(code.builder.or_(so_far, there), passed)
        code.builder.store(code.lowest(there), at)
        code.builder.branch(head)
        code.builder.position_at_end(done)
        return (
            code.builder.load(passed, typ=type_),
            code.builder.load(first, typ=type_),
        )

    # ---- two sites

    def heading(self, code: Code, a: Value, b: Value) -> Value:
        """The number of the direction from one site to another, as 8 bits; -1 if there is none."""
        if self.sites > MOST_TABLED:
            return code.builder.call(self.heading_function(), [a, b])
        values = [-1] * (self.sites * self.sites)
        for (first, second), (direction, _) in self.tables.joining.items():
            values[first * self.sites + second] = direction
        table = self.unit.table(I8, values)
        row = code.builder.mul(code.wide(a), code.i64(self.sites))
        index = code.builder.add(row, code.wide(b))
        return code.builder.load(code.builder.gep(table, [index], source_etype=I8), typ=I8)

    def heading_function(self) -> object:
        """The same where a table of all pairs would be too large: the direction that is nearest."""
        key = (-2,)
        if key in self._floods:
            return self._floods[key]
        function = self.unit.function("heading", I8, [I32, I32])
        self._floods[key] = function
        code = Code(self.unit, function, None, None)
        a, b = function.args
        goal = code.bit(b)
        best: Value = code.i64(-1)
        found: Value = ir.Constant(I8, -1)
        for number, rays in enumerate(self.tables.rays):
            mask = self.entry(code, [ray.mask for ray in rays], a)
            leads = code.some(code.builder.and_(mask, goal))
            distance = code.count(self.ray_until(code, number, a, goal)[0])
            nearer = code.builder.icmp_unsigned("<", distance, best)
            take = code.builder.and_(leads, nearer)
            best = code.builder.select(take, distance, best)
            found = code.builder.select(take, ir.Constant(I8, number), found)
        code.builder.ret(found)
        return function

    def between_function(self) -> object:
        """The sites between two sites of one line."""
        key = (-1,)
        if key in self._floods:
            return self._floods[key]
        function = self.unit.function("between", self.unit.set_type, [I32, I32])
        self._floods[key] = function
        code = Code(self.unit, function, None, None)
        a, b = function.args
        direction = self.heading(code, a, b)
        nowhere = code.function.append_basic_block("nowhere")
        switch = code.builder.switch(direction, nowhere)
        for number in range(len(self.tables.board.directions)):
            block = code.function.append_basic_block("along")
            switch.add_case(direction.type(number), block)
            code.builder.position_at_end(block)
            before, _ = self.ray_until(code, number, a, code.bit(b))
            code.builder.ret(before)
        code.builder.position_at_end(nowhere)
        code.builder.ret(code.set_constant(0))
        return function


__all__ = ["PTR", "Boards"]
