"""What lies round a site: neighbours, steps, slides, lines of sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludeme.check import program
from ludeme.machine.asking import Evaluate, Expand
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells
from ludeme.machine.standing import Standing


class Surroundings(Standing):
    """Compiles questions to the board."""

    def expander(self, links: program.Expression) -> Expand:
        """The function from state and site to the neighbours that a relation gives."""
        if not isinstance(links, program.Links) or links.kind == "all":
            return _by_table(self.tables.all_links)
        if links.kind == "relation":
            return _by_table(self.tables.relation(links.relation))
        if links.kind == "directions":
            assert links.directions is not None
            if isinstance(links.directions, program.Constant):
                assert isinstance(links.directions.value, int)
                return _by_table(self.tables.directed(links.directions.value))
            return self._by_directions(self.compile(links.directions))
        assert links.function is not None
        return self._by_function(links.function)

    def _by_directions(self, directions: Evaluate) -> Expand:
        steps = self.tables.steps

        def expand(c: Cells, site: int) -> int:
            found = 0
            for direction in members(directions(c)):
                found |= steps[direction][site]
            return found

        return expand

    def _by_function(self, function: program.Function) -> Expand:
        holds = self.function(function)
        first, second = (self.slot(parameter) for parameter in function.parameters)
        links = self.tables.all_links

        def expand(c: Cells, site: int) -> int:
            found = 0
            for other in members(links[site]):
                c[first], c[second] = site, other
                if holds(c):
                    found |= 1 << other
            return found

        return expand

    def op_neighbours(self, node: program.Op) -> Evaluate:
        sites = self.compile(node.arguments[0])
        expand = self.expander(node.arguments[1])
        one = _single_site(node.arguments[0])
        if one is not None:
            site = self.compile(one)
            return lambda c: expand(c, site(c))
        spend, steps = self.meter.spend, self._expanding(node.arguments[1])

        def neighbours(c: Cells) -> int:
            found = 0
            start: int = sites(c)
            spend(start.bit_count() * steps)
            for site in members(start):
                found |= expand(c, site)
            return found & ~start

        return neighbours

    def _expanding(self, links: program.Expression) -> int:
        """Steps to find the neighbours of one site."""
        if isinstance(links, program.Links) and links.function is not None:
            return 3 + 4 * self.nodes(links.function.value)
        return 3

    def op_step(self, node: program.Op) -> Evaluate:
        sites = self.compile(node.arguments[0])
        expand = self._directed(node.arguments[1])
        spend = self.meter.spend

        def step(c: Cells) -> int:
            found = 0
            start: int = sites(c)
            spend(start.bit_count() * 3)
            for site in members(start):
                found |= expand(c, site)
            return found

        return step

    def _directed(self, directions: program.Expression) -> Expand:
        if isinstance(directions, program.Constant):
            assert isinstance(directions.value, int)
            return _by_table(self.tables.directed(directions.value))
        return self._by_directions(self.compile(directions))

    def op_slide(self, node: program.Op) -> Evaluate:
        return self._along_rays(node, 0)

    def op_seen(self, node: program.Op) -> Evaluate:
        return self._along_rays(node, 1)

    def _along_rays(self, node: program.Op, part: int) -> Evaluate:
        sites, free, directions = (self.compile(argument) for argument in node.arguments)
        rays, spend = self.tables.rays, self.meter.spend
        steps = 4 + self.word + self.tables.winding // 8

        def along_rays(c: Cells) -> int:
            blockers = ~free(c)
            chosen = list(members(directions(c)))
            found = 0
            start: int = sites(c)
            spend(start.bit_count() * len(chosen) * steps)
            for site in members(start):
                for direction in chosen:
                    found |= rays[direction][site].until(blockers)[part]
            return found

        return along_rays

    def _looker(self) -> Callable[[], None]:
        """Counts the steps of looking along all lines from a site."""
        spend, steps = self.meter.spend, 3 * len(self.program.board.directions)
        return lambda: spend(steps)

    def op_between(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        join, look = self.tables.join, self._looker()

        def between(c: Cells) -> int:
            look()
            found = join(a(c), b(c))
            return found[1] if found else 0

        return between

    def op_path(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        join, look = self.tables.join, self._looker()

        def path(c: Cells) -> int:
            look()
            end = b(c)
            found = join(a(c), end)
            return found[1] | 1 << end if found else 0

        return path

    def op_heading(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        join, look = self.tables.join, self._looker()

        def heading(c: Cells) -> int:
            look()
            found = join(a(c), b(c))
            return 1 << found[0] if found else 0

        return heading


def _by_table(table: Sequence[int]) -> Expand:
    return lambda c, site: table[site]


def _single_site(node: program.Expression) -> program.Expression | None:
    if isinstance(node, program.Op) and node.name == "single":
        return node.arguments[0]
    return None
