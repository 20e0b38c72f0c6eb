"""What lies round a site: neighbours, steps, slides, lines of sight, as LLVM IR."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from llvmlite import ir

from ludeme.check import program
from ludeme.native.effort import RAY
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I64
from ludeme.native.slides import SEEN, SLIDE
from ludeme.native.standing import Standing


class Surroundings(Standing):
    """Lowers questions to the board."""

    def relation_table(self, links: program.Expression) -> tuple[int, ...] | None:
        """The neighbours of each site, where a relation does not depend on the state."""
        if not isinstance(links, program.Links) or links.kind == "all":
            return self.tables.all_links
        if links.kind == "relation":
            return self.tables.relation(links.relation)
        if links.kind == "directions":
            directions = links.directions
            if isinstance(directions, program.Constant) and isinstance(directions.value, int):
                return self.tables.directed(directions.value)
        return None

    def expand(self, code: Code, links: program.Expression, site: Value) -> Value:
        """The neighbours that a relation gives to one site."""
        table = self.relation_table(links)
        if table is not None:
            return self.boards.entry(code, table, site)
        assert isinstance(links, program.Links)
        if links.kind == "directions":
            assert links.directions is not None
            return self.directed(code, self.value(code, links.directions), site)
        assert links.function is not None
        holds = self.function(links.function)
        found = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), found)
        with code.loop(self.boards.entry(code, self.tables.all_links, site)) as other:
            linked = code.builder.call(holds, [code.ctx, code.read, site, other])
            now = code.builder.load(found, typ=self.unit.set_type)
            more = code.builder.or_(now, code.bit(other))
            code.builder.store(code.builder.select(linked, more, now), found)
        return code.builder.load(found, typ=self.unit.set_type)

    def directed(self, code: Code, directions: Value, site: Value) -> Value:
        """The sites one step away in directions that are known only in play."""
        found: Value = code.set_constant(0)
        for number, steps in enumerate(self.tables.steps):
            wanted = code.builder.trunc(code.builder.lshr(directions, code.i64(number)), I1)
            step = self.boards.entry(code, steps, site)
            part = code.builder.select(wanted, step, code.set_constant(0))
            found = code.builder.or_(found, part)
        return found

    def op_neighbours(self, code: Code, node: program.Op) -> Value:
        sites, links = node.arguments
        if isinstance(sites, program.Op) and sites.name == "single":
            return self.expand(code, links, self.value(code, sites.arguments[0]))
        start = self.value(code, sites)
        self.spend_each(code, start, self.effort.expanding(links))
        table = self.relation_table(links)
        if table is not None:
            found = self.boards.expand(code, table, start)
        else:
            found = self.union_over(code, start, lambda site: self.expand(code, links, site))
        return code.builder.and_(found, code.builder.not_(start))

    def union_over(self, code: Code, sites: Value, part: Callable[[Value], Value]) -> Value:
        """The union of a set for each site."""
        total = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), total)
        with code.loop(sites) as site:
            found = part(site)
            now = code.builder.load(total, typ=self.unit.set_type)
            code.builder.store(code.builder.or_(now, found), total)
        return code.builder.load(total, typ=self.unit.set_type)

    def op_step(self, code: Code, node: program.Op) -> Value:
        sites, directions = node.arguments
        constant = directions.value if isinstance(directions, program.Constant) else None
        if isinstance(constant, int):
            table = self.tables.directed(constant)
            if isinstance(sites, program.Op) and sites.name == "single":
                return self.boards.entry(code, table, self.value(code, sites.arguments[0]))
            return self.boards.expand(code, table, self.value(code, sites))
        if isinstance(sites, program.Op) and sites.name == "single":
            site = self.value(code, sites.arguments[0])
            return self.directed(code, self.value(code, directions), site)
        start = self.value(code, sites)
        self.spend_each(code, start, self.effort.word * len(self.program.board.directions))
        chosen = self.value(code, directions)
        return self.union_over(code, start, lambda site: self.directed(code, chosen, site))

    def op_slide(self, code: Code, node: program.Op) -> Value:
        return self.along_rays(code, node, SLIDE)

    def op_seen(self, code: Code, node: program.Op) -> Value:
        return self.along_rays(code, node, SEEN)

    def along_rays(self, code: Code, node: program.Op, part: int) -> Value:
        """Slide and look along rays: the sites passed, or the first that blocks."""
        sites, free, directions = node.arguments
        blockers = code.builder.not_(self.value(code, free))
        constant = directions.value if isinstance(directions, program.Constant) else None
        chosen = None if isinstance(constant, int) else self.value(code, directions)

        def along(site: Value, number: int) -> Value:
            return self.boards.ray_until(code, number, site, blockers)[part]

        def from_site(site: Value) -> Value:
            if isinstance(constant, int):
                reached = self.slides.reach(code, site, blockers, constant, part)
                if reached is not None:
                    return reached
            found: Value = code.set_constant(0)
            for number in range(len(self.tables.board.directions)):
                if isinstance(constant, int):
                    if constant >> number & 1:
                        ray = along(site, number)
                        found = code.builder.or_(found, ray)
                    continue
                assert chosen is not None
                wanted = code.builder.trunc(code.builder.lshr(chosen, code.i64(number)), I1)
                ray = code.choose(
                    wanted,
                    partial(along, site, number),
                    lambda: code.set_constant(0),
                )
                found = code.builder.or_(found, ray)
            return found

        if isinstance(sites, program.Op) and sites.name == "single":
            return from_site(self.value(code, sites.arguments[0]))
        start = self.value(code, sites)
        self.spend_each(code, start, RAY * len(self.program.board.directions))
        return self.union_over(code, start, from_site)

    def op_between(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        return code.builder.call(self.boards.between_function(), [a, b])

    def op_path(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        between = code.builder.call(self.boards.between_function(), [a, b])
        joined = code.builder.icmp_signed(">=", self.boards.heading(code, a, b), ir.Constant(I8, 0))
        whole = code.builder.or_(between, code.bit(b))
        return code.builder.select(joined, whole, code.set_constant(0))

    def op_heading(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        direction = self.boards.heading(code, a, b)
        known = code.builder.icmp_signed(">=", direction, ir.Constant(I8, 0))
        safe = code.builder.select(known, direction, ir.Constant(I8, 0))
        single = code.builder.shl(code.i64(1), code.builder.zext(safe, I64))
        return code.builder.select(known, single, code.i64(0))
