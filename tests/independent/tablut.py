"""Tablut: the king of the Swedes in the middle, Muscovites round him."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

PLAYERS = ("Muscovites", "Swedes")
Cell = tuple[int, int]
"""Column and row from 0."""

CASTLE = (4, 4)
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{'abcdefghi'[cell[0]]}{cell[1] + 1}"


def beside(cell: Cell) -> list[Cell]:
    """The four cells round one, off the board or not."""
    return [(cell[0] + right, cell[1] + up) for right, up in WAYS]


@dataclass(frozen=True)
class State:
    """Pieces are "M", "s" and "k"."""

    sides: str
    board: Mapping[Cell, str]
    taken: int = 0
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def owner(self, cell: Cell) -> str | None:
        """Whose piece stands there."""
        piece = self.board.get(cell)
        return None if piece is None else PLAYERS[0] if piece == "M" else PLAYERS[1]

    def moves(self, player: str) -> list[str]:
        """As rooks; only the king enters the castle, and nobody else crosses it."""
        found = []
        for cell, piece in self.board.items():
            if self.owner(cell) != player:
                continue
            for right, up in WAYS:
                here = (cell[0] + right, cell[1] + up)
                while 0 <= here[0] < 9 and 0 <= here[1] < 9 and here not in self.board:
                    if here == CASTLE and piece != "k":
                        break
                    found.append(f"{label(cell)}-{label(here)}")
                    here = (here[0] + right, here[1] + up)
        return found

    def play(self, move: str) -> State:
        """Move, take what is closed in, see whether the king is taken or out."""
        origin, goal = ((ord(text[0]) - ord("a"), int(text[1]) - 1) for text in move.split("-"))
        board = dict(self.board)
        board[goal] = board.pop(origin)
        me, other = PLAYERS[self.taken % 2], PLAYERS[1 - self.taken % 2]
        moved = replace(self, board=board)
        taken = []
        for right, up in WAYS:
            victim = (goal[0] + right, goal[1] + up)
            behind = (victim[0] + right, victim[1] + up)
            if moved.owner(victim) != other or moved.owner(behind) != me:
                continue
            at_castle = victim == CASTLE or victim in beside(CASTLE)
            if board[victim] != "k" or (self.sides == "two" and not at_castle):
                taken.append(victim)
        left = {cell: piece for cell, piece in board.items() if cell not in taken}
        after = replace(self, board=left, taken=self.taken + 1)
        king = next((cell for cell, piece in left.items() if piece == "k"), None)
        if king is not None and (king[0] in (0, 8) or king[1] in (0, 8)):
            return replace(after, outcome=("Swedes", "escape"))
        if king is None:
            return replace(after, outcome=("Muscovites", "capture"))
        shut = all(cell == CASTLE or left.get(cell) == "M" for cell in beside(king))
        if me == "Muscovites" and shut:
            return replace(after, outcome=("Muscovites", "capture"))
        if not after.moves(other):
            return replace(after, outcome=(me, "blockade"))
        return after


def start(sides: str = "two") -> State:
    """A cross of Swedes, Muscovites in the middle of each side."""
    board = {}
    for right, up in WAYS:
        for far in (1, 2):
            board[4 + right * far, 4 + up * far] = "s"
        board[4 + right * 3, 4 + up * 3] = "M"
        for across in (-1, 0, 1):
            board[4 + right * 4 + up * across, 4 + up * 4 + right * across] = "M"
    return State(sides, {**board, CASTLE: "k"})
