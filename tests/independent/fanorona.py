"""Fanorona on five lines of nine: captures by approach and withdrawal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

PLAYERS = ("White", "Black")
Cell = tuple[int, int]
"""Column and row from 0."""


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{'abcdefghi'[cell[0]]}{cell[1] + 1}"


def ways(cell: Cell) -> list[Cell]:
    """The directions of the lines that meet in a point."""
    straight = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    slanting = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
    return straight + (slanting if sum(cell) % 2 == 0 else [])


def on(cell: Cell, way: Cell) -> Cell:
    """The next point, on the board or not."""
    return (cell[0] + way[0], cell[1] + way[1])


def is_inside(cell: Cell) -> bool:
    """Whether a point is on the board."""
    return 0 <= cell[0] < 9 and 0 <= cell[1] < 5


Board = Mapping[Cell, str]


def row_of(board: Board, cell: Cell, way: Cell, enemy: str) -> list[Cell]:
    """The unbroken row of enemies that begins behind a point."""
    found = []
    cell = on(cell, way)
    while board.get(cell) == enemy:
        found.append(cell)
        cell = on(cell, way)
    return found


def captures(
    board: Board, here: Cell, path: tuple[Cell, ...], last: Cell | None, player: str
) -> Iterator[tuple[str, Board]]:
    """Every way to go on capturing, with the board that it leaves."""
    enemy = PLAYERS[1 - PLAYERS.index(player)]
    for way in ways(here):
        goal = on(here, way)
        if not is_inside(goal) or goal in board or goal in path or way == last:
            continue
        back = (-way[0], -way[1])
        for sign, taken in (
            (">", row_of(board, goal, way, enemy)),
            ("<", row_of(board, here, back, enemy)),
        ):
            if not taken:
                continue
            after = {c: owner for c, owner in board.items() if c not in taken and c != here}
            after[goal] = player
            text = f"{sign}{label(goal)}"
            yield text, after
            for more, end in captures(after, goal, (*path, goal), way, player):
                yield text + more, end


@dataclass(frozen=True)
class State:
    """Who stands where; *known*: the positions that there were, with who had moved."""

    board: Board
    taken: int = 0
    known: tuple[tuple[frozenset[tuple[Cell, str]], int], ...] = ()
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def turns(self, player: str) -> dict[str, Board]:
        """Captures if there are any, else steps."""
        mine = [cell for cell, owner in self.board.items() if owner == player]
        found = {
            label(cell) + text: end
            for cell in mine
            for text, end in captures(self.board, cell, (cell,), None, player)
        }
        if found:
            return found
        for cell in mine:
            for way in ways(cell):
                goal = on(cell, way)
                if is_inside(goal) and goal not in self.board:
                    left = {c: owner for c, owner in self.board.items() if c != cell}
                    found[f"{label(cell)}-{label(goal)}"] = {**left, goal: player}
        return found

    def moves(self, player: str) -> list[str]:
        """The texts of all turns."""
        return list(self.turns(player))

    def play(self, move: str) -> State:
        """Take a turn."""
        me, other = PLAYERS[self.taken % 2], PLAYERS[1 - self.taken % 2]
        board = self.turns(me)[move]
        key = (frozenset(board.items()), self.taken % 2)
        known = (*self.known, key)
        after = replace(self, board=board, taken=self.taken + 1, known=known)
        if other not in board.values():
            return replace(after, outcome=(me, "capture"))
        if not after.turns(other):
            return replace(after, outcome=(me, "blockade"))
        return replace(after, outcome=(None, "repetition")) if known.count(key) == 3 else after


def start() -> State:
    """The middle row begins with Black; the middle point is empty."""
    board: dict[Cell, str] = {}
    for column in range(9):
        for row in range(5):
            board[column, row] = "White" if row < 2 else "Black"
    for column, owner in enumerate("BWBW.BWBW"):
        board[column, 2] = {"B": "Black", "W": "White", ".": ""}[owner]
    del board[4, 2]
    first = (frozenset(board.items()), 1)
    return State(board, known=(first,))
