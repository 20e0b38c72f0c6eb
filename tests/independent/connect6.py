"""Connect6: one stone, then two a turn; six or more in a row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

PLAYERS = ("Black", "White")
Cell = tuple[int, int]
"""Row and column from 0; sorting gives board order."""


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


@dataclass(frozen=True)
class State:
    """The stones of both players; *taken* turns have been taken."""

    size: int
    stones: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    taken: int = 0
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def free(self) -> list[Cell]:
        """The empty cells."""
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [cell for cell in cells if cell not in self.stones[0] | self.stones[1]]

    def moves(self, player: str) -> list[str]:
        """One cell at first, then any two."""
        number = 1 if self.taken == 0 else 2
        return [" ".join(map(label, cells)) for cells in combinations(self.free(), number)]

    def play(self, move: str) -> State:
        """Put the stones and look for a line."""
        new = {cell for cell in self.free() if label(cell) in move.split(" ")}
        mine = self.stones[self.taken % 2] | new
        stones = (mine, self.stones[1]) if self.taken % 2 == 0 else (self.stones[0], mine)
        after = replace(self, stones=stones, taken=self.taken + 1)
        if any(_length(mine, cell, step) >= 6 for cell in mine for step in _STEPS):
            return replace(after, outcome=(PLAYERS[self.taken % 2], "line"))
        return replace(after, outcome=(None, "filling")) if len(after.free()) < 2 else after


_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def _length(stones: frozenset[Cell], cell: Cell, step: Cell) -> int:
    """How many stones follow one another from a cell on."""
    length = 0
    while cell in stones:
        length += 1
        cell = (cell[0] + step[0], cell[1] + step[1])
    return length


def start(size: int = 19) -> State:
    """An empty board."""
    return State(size)
