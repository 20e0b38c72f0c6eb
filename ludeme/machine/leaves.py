"""What a state keeps: variables."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from ludeme.check import program
from ludeme.machine.asking import Asking, Evaluate, union_of
from ludeme.machine.layout import Cells


class Leaves(Asking):
    """Compiles what reads variables."""

    def read(self, node: program.Read) -> Evaluate:
        """A variable."""
        slots = self.layout.variables[node.variable.name]
        first = slots.first
        if node.variable.is_flag:
            layers = range(first, first + slots.count)
            return itemgetter(first) if slots.count == 1 else lambda c: union_of(c, layers)
        indices = [self.compile(index) for index in node.indices]
        if node.variable.owner != "player":
            if not indices:
                return itemgetter(first)
            (index,) = indices
            if node.variable.owner in ("site", "piece") or node.variable.index == "site":
                return lambda c: c[first][index(c)]
            initial = node.variable.initial

            def of_index(c: Cells) -> Any:
                key = index(c)
                return c[first][key] if key < len(c[first]) else initial

            return of_index
        outside = node.variable.initial
        count = slots.count
        player = indices[0]

        def of_player(c: Cells) -> Any:
            number = player(c)
            return c[first + number] if number < count else outside

        if len(indices) == 1:
            return of_player
        inner = indices[1]

        def of_player_and_index(c: Cells) -> Any:
            number, key = player(c), inner(c)
            if number >= count or key >= len(c[first]):
                return outside
            return c[first + number][key]

        return of_player_and_index
