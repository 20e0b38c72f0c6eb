"""What hangs together: groups and chains by links of the board or relations of the file."""

from __future__ import annotations

from collections.abc import Callable

from ludeme.check import program
from ludeme.machine.asking import Evaluate
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells
from ludeme.machine.surroundings import Surroundings
from ludeme.machine.tables import flood


class Floods(Surroundings):
    """Compiles floods."""

    def flooder(self, links: program.Expression) -> Callable[[Cells, int, int], int]:
        """Flood along a relation: (state, start, among) to what is reached."""
        spread, spend = self._flooder(links), self.meter.spend
        steps = 2 + 2 * self.word
        if isinstance(links, program.Links) and links.function is not None:
            steps += 2 * self.nodes(links.function.value)

        def flooded(c: Cells, start: int, among: int) -> int:
            reached = spread(c, start, among)
            spend(reached.bit_count() * steps)
            return reached

        return flooded

    def _flooder(self, links: program.Expression) -> Callable[[Cells, int, int], int]:
        if isinstance(links, program.Links) and links.kind == "defined":
            assert links.function is not None
            return self._flood_by_function(links.function)
        if isinstance(links, program.Links) and links.kind in ("all", "relation"):
            table = (
                self.tables.all_links
                if links.kind == "all"
                else self.tables.relation(links.relation)
            )
            return lambda c, start, among: flood(start, among, table)
        expand = self.expander(links)

        def flood_by(c: Cells, start: int, among: int) -> int:
            reached = frontier = start & among
            while frontier:
                low = frontier & -frontier
                frontier ^= low
                new = expand(c, low.bit_length() - 1) & among & ~reached
                reached |= new
                frontier |= new
            return reached

        return flood_by

    def _flood_by_function(self, function: program.Function) -> Callable[[Cells, int, int], int]:
        holds = self.function(function)
        first, second = (self.slot(parameter) for parameter in function.parameters)
        links = self.tables.all_links

        def flood_by(c: Cells, start: int, among: int) -> int:
            reached = frontier = start & among
            while frontier:
                low = frontier & -frontier
                frontier ^= low
                site = low.bit_length() - 1
                for other in members(links[site] & among & ~reached):
                    c[first], c[second] = site, other
                    if holds(c):
                        reached |= 1 << other
                        frontier |= 1 << other
            return reached

        return flood_by

    def op_group(self, node: program.Op) -> Evaluate:
        site, among = (self.compile(argument) for argument in node.arguments[:2])
        spread = self.flooder(node.arguments[2])
        slots = self.owner_slots
        given = node.arguments[1]
        if not (isinstance(given, program.Constant) and given.value == -1):
            return lambda c: spread(c, 1 << site(c), among(c))

        def group(c: Cells) -> int:
            where = site(c)
            for slot in slots:
                if c[slot] >> where & 1:
                    return spread(c, 1 << where, c[slot])
            return 0

        return group

    def op_groups(self, node: program.Op) -> Evaluate:
        sites = self.compile(node.arguments[0])
        spread = self.flooder(node.arguments[1])

        def groups(c: Cells) -> tuple[int, ...]:
            left = sites(c)
            found = []
            while left:
                part = spread(c, left & -left, left)
                found.append(part)
                left &= ~part
            return tuple(found)

        return groups

    def op_reach(self, node: program.Op) -> Evaluate:
        start, among = (self.compile(argument) for argument in node.arguments[:2])
        spread = self.flooder(node.arguments[2])
        return lambda c: spread(c, start(c), among(c))

    def op_joined(self, node: program.Op) -> Evaluate:
        sites, start, goal = (self.compile(argument) for argument in node.arguments[:3])
        spread = self.flooder(node.arguments[3])

        def joined(c: Cells) -> bool:
            among, to = sites(c), goal(c)
            begin = start(c) & among
            if not begin or not to & among:
                return False
            return bool(spread(c, begin, among) & to)

        return joined
