"""Slither: perhaps a move, then a stone, and no bare diagonals at the end of the turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

PLAYERS = ("Black", "White")
Cell = tuple[int, int]
"""Column and row from 0."""


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    """The cell of a label."""
    return (ord(text[0]) - ord("a"), int(text[1:]) - 1)


def is_clean(stones: frozenset[Cell]) -> bool:
    """Whether any two stones that touch at a corner have a third beside both."""
    for column, row in stones:
        for side in (-1, 1):
            if (column + side, row + 1) in stones:
                if not {(column + side, row), (column, row + 1)} & stones:
                    return False
    return True


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

    def _free(self, *used: frozenset[Cell]) -> list[Cell]:
        cells = [(column, row) for column in range(self.size) for row in range(self.size)]
        return [cell for cell in cells if not any(cell in stones for stones in used)]

    def turns(self) -> Iterator[tuple[str, frozenset[Cell]]]:
        """Every turn with the stones that it leaves, clean or not."""
        mine, theirs = self.stones[self.taken % 2], self.stones[1 - self.taken % 2]
        for cell in self._free(mine, theirs):
            yield label(cell), mine | {cell}
        for origin in mine:
            for goal in self._free(mine, theirs):
                if max(abs(origin[0] - goal[0]), abs(origin[1] - goal[1])) == 1:
                    moved = mine - {origin} | {goal}
                    for cell in self._free(moved, theirs):
                        yield f"{label(origin)}-{label(goal)} {label(cell)}", moved | {cell}

    def moves(self, player: str) -> list[str]:
        """Turns that leave no bare diagonal; a pass if there is none."""
        found = [text for text, stones in self.turns() if is_clean(stones)]
        if self.swap and self.taken == 1:
            found.append("swap")
        return found or ["pass"]

    def play(self, move: str) -> State:
        """Take a turn; a chain from side to side wins."""
        me = self.taken % 2
        if move == "swap":
            ((column, row),) = self.stones[0]
            return replace(self, stones=(frozenset(), frozenset({(row, column)})), taken=2)
        both = list(self.stones)
        if move != "pass":
            both[me] = dict(self.turns())[move]
        after = replace(self, stones=(both[0], both[1]), taken=self.taken + 1)
        return replace(after, outcome=(PLAYERS[me], "chain")) if after.joined(me) else after

    def joined(self, player: int) -> bool:
        """Whether a chain leads from bottom to top (Black) or from left to right (White)."""
        stones = self.stones[player]
        axis = 1 if player == 0 else 0
        todo = [cell for cell in stones if cell[axis] == 0]
        seen = set(todo)
        while todo:
            column, row = todo.pop()
            for near in (
                (column + 1, row),
                (column - 1, row),
                (column, row + 1),
                (column, row - 1),
            ):
                if near in stones and near not in seen:
                    seen.add(near)
                    todo.append(near)
        return any(cell[axis] == self.size - 1 for cell in seen)


def start(size: int = 8, swap: bool = True) -> State:
    """An empty board."""
    return State(size, swap)
