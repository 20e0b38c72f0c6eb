"""Straight lines of pieces."""

from __future__ import annotations

from ludeme.check import program
from ludeme.machine.asking import Evaluate
from ludeme.machine.floods import Floods
from ludeme.machine.layout import Cells


class Straight(Floods):
    """Compiles `line` and `run`."""

    def op_line(self, node: program.Op) -> Evaluate:
        length, among = (self.compile(argument) for argument in node.arguments)
        tables, spend = self.tables, self.meter.spend
        known: dict[int, tuple[int, ...]] = {}

        def line(c: Cells) -> bool:
            wanted, sites = length(c), among(c)
            if wanted <= 0:
                return True
            if wanted not in known:
                known[wanted] = tables.lines(wanted)
            spend(len(known[wanted]))
            return any(line & ~sites == 0 for line in known[wanted])

        return line

    def op_run(self, node: program.Op) -> Evaluate:
        site, among = (self.compile(argument) for argument in node.arguments)
        rays, axes = self.tables.rays, self.tables.axes

        def run(c: Cells) -> int:
            where, sites = site(c), among(c)
            if not sites >> where & 1:
                return 0
            best = 1
            for there, back in axes:
                ahead = rays[there][where].until(~sites)[0]
                behind = rays[back][where].until(~sites)[0]
                best = max(best, 1 + (ahead | behind).bit_count())
            return best

        return run
