"""Yavalath: four in a row win, three lose."""

from __future__ import annotations

from dataclasses import dataclass, replace

PLAYERS = ("White", "Black")
Cell = tuple[int, int]
"""Row from the bottom and place along the axis up and to the right, both from 0."""


def label(cell: Cell) -> str:
    """Row letter and number."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def cells(size: int) -> list[Cell]:
    """All cells of a hexagon."""
    span = range(2 * size - 1)
    return [(row, place) for row in span for place in span if abs(row - place) < size]


@dataclass(frozen=True)
class State:
    """The stones of both players."""

    size: int
    swap: bool
    stones: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    taken: int = 0
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def moves(self, player: str) -> list[str]:
        """Any empty cell; once the stone of the other."""
        used = self.stones[0] | self.stones[1]
        found = [label(cell) for cell in cells(self.size) if cell not in used]
        return [*found, "swap"] if self.swap and self.taken == 1 else found

    def play(self, move: str) -> State:
        """Put a stone, and count lines through it."""
        if move == "swap":
            return replace(self, stones=self.stones[::-1], taken=2)
        cell = (ord(move[0]) - ord("a"), int(move[1:]) - 1)
        both = list(self.stones)
        both[self.taken % 2] |= {cell}
        after = replace(self, stones=(both[0], both[1]), taken=self.taken + 1)
        longest = max(_length(both[self.taken % 2], cell, way) for way in ((0, 1), (1, 0), (1, 1)))
        if longest >= 4:
            return replace(after, outcome=(PLAYERS[self.taken % 2], "line"))
        if longest == 3:
            return replace(after, outcome=(PLAYERS[1 - self.taken % 2], "short_line"))
        full = len(both[0] | both[1]) == len(cells(self.size))
        return replace(after, outcome=(None, "filling")) if full else after


def _length(stones: frozenset[Cell], cell: Cell, way: Cell) -> int:
    """How many stones stand in a row through a cell."""
    length = 1
    for sign in (1, -1):
        n = sign
        while (cell[0] + way[0] * n, cell[1] + way[1] * n) in stones:
            length += 1
            n += sign
    return length


def start(size: int = 5, swap: bool = True) -> State:
    """An empty board."""
    return State(size, swap)
