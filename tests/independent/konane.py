"""Konane: two stones are lifted, then stones jump in straight lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

PLAYERS = ("Black", "White")
Cell = tuple[int, int]
"""Column and row from 0."""

WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    """The cell of a label."""
    return (ord(text[0]) - ord("a"), int(text[1:]) - 1)


@dataclass(frozen=True)
class State:
    """Who stands where."""

    size: int
    board: Mapping[Cell, str]
    taken: int = 0
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def moves(self, player: str) -> list[str]:
        """A stone of the middle or a corner, one beside the gap, then jumps."""
        mine = [cell for cell, owner in self.board.items() if owner == player]
        if self.taken == 0:
            middle = {(self.size - 1) // 2, self.size // 2}
            ends = {0, self.size - 1}
            return [label(c) for c in mine if set(c) <= middle or (c[0] in ends and c[1] in ends)]
        if self.taken == 1:
            (gap,) = (cell for cell in self._all() if cell not in self.board)
            return [label(c) for c in mine if abs(c[0] - gap[0]) + abs(c[1] - gap[1]) == 1]
        return self.jumps(player)

    def _all(self) -> list[Cell]:
        return [(column, row) for column in range(self.size) for row in range(self.size)]

    def jumps(self, player: str) -> list[str]:
        """Every row of jumps of every stone."""
        found = []
        for cell in [cell for cell, owner in self.board.items() if owner == player]:
            for way in WAYS:
                here = cell
                while True:
                    over = (here[0] + way[0], here[1] + way[1])
                    goal = (over[0] + way[0], over[1] + way[1])
                    inside = 0 <= goal[0] < self.size and 0 <= goal[1] < self.size
                    if self.board.get(over, player) == player or goal in self.board or not inside:
                        break
                    found.append(f"{label(cell)}-{label(goal)}")
                    here = goal
        return found

    def play(self, move: str) -> State:
        """Lift a stone, or jump."""
        board = dict(self.board)
        cells = [cell_of(text) for text in move.split("-")]
        owner = board.pop(cells[0])
        if len(cells) == 2:
            (a, b), (c, d) = cells
            for column in range(min(a, c), max(a, c) + 1):
                for row in range(min(b, d), max(b, d) + 1):
                    board.pop((column, row), None)
            board[c, d] = owner
        after = replace(self, board=board, taken=self.taken + 1)
        if after.taken > 1 and not after.jumps(PLAYERS[after.taken % 2]):
            return replace(after, outcome=(owner, "blockade"))
        return after


def start(size: int = 8) -> State:
    """A full board, dark cells Black's."""
    cells = [(column, row) for column in range(size) for row in range(size)]
    return State(size, {cell: PLAYERS[sum(cell) % 2] for cell in cells})
