"""Tumbleweed: stacks as high as the friends that see their cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

PLAYERS = ("White", "Red")
Cell = tuple[int, int]
"""Row from the bottom and place along the axis up and to the right, both from 0."""

Stack = tuple[str | None, int]
"""Owner, nobody for the stack in the middle, and height."""

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))


def label(cell: Cell) -> str:
    """Row letter and number."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    """The cell of a label."""
    return (ord(text[0]) - ord("a"), int(text[1:]) - 1)


def cells(size: int) -> list[Cell]:
    """All cells of a hexagon."""
    span = range(2 * size - 1)
    return [(row, place) for row in span for place in span if abs(row - place) < size]


@dataclass(frozen=True)
class State:
    """The stacks, and how many players have passed running."""

    size: int
    board: Mapping[Cell, Stack]
    taken: int = 0
    passes: int = 0
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def seen_by(self, player: str, cell: Cell) -> int:
        """How many stacks of a player see a cell."""
        count = 0
        for up, along in WAYS:
            here = (cell[0] + up, cell[1] + along)
            while here in self._board and here not in self.board:
                here = (here[0] + up, here[1] + along)
            count += self.board.get(here, (None, 0))[0] == player
        return count

    @property
    def _board(self) -> set[Cell]:
        return set(cells(self.size))

    def moves(self, player: str) -> list[str]:
        """Two first stacks; then new stacks, a swap once, or a pass."""
        if self.taken == 0:
            free = [cell for cell in cells(self.size) if cell not in self.board]
            return [f"{label(a)} {label(b)}" for a in free for b in free if a != b]
        found = [
            label(cell)
            for cell in cells(self.size)
            if self.seen_by(player, cell) > self.board.get(cell, (None, 0))[1]
        ]
        return [*found, *(["swap"] if self.taken == 1 else []), "pass"]

    def play(self, move: str) -> State:
        """Put stacks, change sides or pass."""
        me = PLAYERS[self.taken % 2]
        board = dict(self.board)
        passes = 0
        if self.taken == 0:
            for player, text in zip(PLAYERS, move.split(" "), strict=True):
                board[cell_of(text)] = (player, 1)
        elif move == "swap":
            other = {"White": "Red", "Red": "White", None: None}
            board = {cell: (other[owner], height) for cell, (owner, height) in board.items()}
        elif move == "pass":
            passes = self.passes + 1
        else:
            cell = cell_of(move)
            board[cell] = (me, self.seen_by(me, cell))
        after = replace(self, board=board, taken=self.taken + 1, passes=passes)
        if passes < 2:
            return after
        white, red = (after.score(player) for player in PLAYERS)
        winner = None if white == red else PLAYERS[0] if white > red else PLAYERS[1]
        return replace(after, outcome=(winner, "passing"))

    def score(self, player: str) -> int:
        """Cells that a player holds, and empty ones that more of its stacks see."""
        rival = PLAYERS[1 - PLAYERS.index(player)]
        held = sum(owner == player for owner, _ in self.board.values())
        free = [cell for cell in cells(self.size) if cell not in self.board]
        return held + sum(self.seen_by(player, c) > self.seen_by(rival, c) for c in free)


def start(size: int = 8) -> State:
    """Two neutral stones in the middle."""
    return State(size, {(size - 1, size - 1): (None, 2)})
