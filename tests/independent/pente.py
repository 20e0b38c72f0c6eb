"""Pente: five in a row, or five pairs taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

PLAYERS = ("White", "Black")
Cell = tuple[int, int]
"""Row and column from 0."""

WAYS = [(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if (up, right) != (0, 0)]


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


@dataclass(frozen=True)
class State:
    """Who stands where, the pairs taken and how many turns there were."""

    size: int
    tournament: bool
    board: Mapping[Cell, str] = field(default_factory=dict)
    pairs: tuple[int, int] = (0, 0)
    taken: int = 0
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def moves(self, player: str) -> list[str]:
        """White begins in the middle, and keeps away from it once."""
        middle = (self.size - 1) // 2
        found = []
        for row in range(self.size):
            for column in range(self.size):
                away = max(abs(row - middle), abs(column - middle))
                if (row, column) in self.board or (self.taken == 0 and away > 0):
                    continue
                if self.taken == 2 and self.tournament and away < 3:
                    continue
                found.append(label((row, column)))
        return found

    def play(self, move: str) -> State:
        """Put a stone, take pairs, look for five."""
        me = PLAYERS[self.taken % 2]
        cell = (int(move[1:]) - 1, ord(move[0]) - ord("a"))
        board = {**self.board, cell: me}
        pairs = list(self.pairs)
        for up, right in WAYS:
            line = [(cell[0] + up * n, cell[1] + right * n) for n in (1, 2, 3)]
            owners = [board.get(one) for one in line]
            if owners == [PLAYERS[1 - self.taken % 2]] * 2 + [me]:
                del board[line[0]], board[line[1]]
                pairs[self.taken % 2] += 1
        after = replace(self, board=board, pairs=(pairs[0], pairs[1]), taken=self.taken + 1)
        if self._five(board, cell, me):
            return replace(after, outcome=(me, "line"))
        if pairs[self.taken % 2] >= 5:
            return replace(after, outcome=(me, "captures"))
        full = len(board) == self.size**2
        return replace(after, outcome=(None, "filling")) if full else after

    @staticmethod
    def _five(board: Mapping[Cell, str], cell: Cell, me: str) -> bool:
        for up, right in WAYS[:4]:
            length = 1
            for sign in (1, -1):
                n = sign
                while board.get((cell[0] + up * n, cell[1] + right * n)) == me:
                    length += 1
                    n += sign
            if length >= 5:
                return True
        return False


def start(size: int = 19, tournament: bool = True) -> State:
    """An empty board."""
    return State(size, tournament)
