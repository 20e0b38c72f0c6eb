"""Knightthrough: knights that leap ahead only; the far row wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

PLAYERS = ("White", "Black")
Cell = tuple[int, int]
"""Column and row from 0."""


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


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
        """Leaps ahead, not onto one's own."""
        up = 1 if player == "White" else -1
        found = []
        for (column, row), owner in self.board.items():
            for aside, ahead in ((-2, 1), (-1, 2), (1, 2), (2, 1)):
                goal = (column + aside, row + up * ahead)
                inside = all(0 <= number < self.size for number in goal)
                if owner == player and inside and self.board.get(goal) != player:
                    found.append(label((column, row)) + label(goal))
        return found

    def play(self, move: str) -> State:
        """Leap and take."""
        me = PLAYERS[self.taken % 2]
        cut = next(i for i in range(1, len(move)) if move[i].isalpha())
        origin, goal = (
            (ord(text[0]) - ord("a"), int(text[1:]) - 1) for text in (move[:cut], move[cut:])
        )
        board = {cell: owner for cell, owner in self.board.items() if cell != origin}
        board[goal] = me
        after = replace(self, board=board, taken=self.taken + 1)
        if goal[1] == (self.size - 1 if me == "White" else 0):
            return replace(after, outcome=(me, "breakthrough"))
        return after if len(set(board.values())) == 2 else replace(after, outcome=(me, "capture"))


def start(size: int = 8) -> State:
    """Two rows of knights each."""
    board = {}
    for column in range(size):
        for row in (0, 1):
            board[column, row] = "White"
            board[column, size - 1 - row] = "Black"
    return State(size, board)
