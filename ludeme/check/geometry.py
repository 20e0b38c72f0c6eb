"""Tables for operations that depend on the board alone."""

from __future__ import annotations

from ludeme.board import Board, BoardError
from ludeme.board.board import COMPASS


def leaps(board: Board, far: int, aside: int) -> tuple[int, ...]:
    """For each site the sites *far* cells away one way and *aside* cells the other, in any turn.

    BoardError if the board is not made of square cells.
    """
    if board.cell != "square":
        raise BoardError("only boards of square cells have leaps")
    at = {(round(x), round(y)): site for site, (x, y) in enumerate(board.points)}
    steps = {
        (dx * sx, dy * sy)
        for dx, dy in ((far, aside), (aside, far))
        for sx in (1, -1)
        for sy in (1, -1)
    }
    return tuple(
        sum(1 << at[x + dx, y + dy] for dx, dy in steps if (x + dx, y + dy) in at) & ~(1 << site)
        for (x, y), site in at.items()
    )


def mirror(board: Board) -> tuple[int, ...]:
    """For each site the one with its row and column exchanged, as a set; empty if there is none.

    BoardError if the board has no rows and columns.
    """
    families = board.families
    if "row" not in families or "column" not in families:
        raise BoardError("only boards of rows and columns can be mirrored")
    rows, columns = families["row"], families["column"]
    return tuple(
        sum(
            rows.get(column, 0) & columns.get(row, 0)
            for row, in_row in rows.items()
            for column, in_column in columns.items()
            if in_row & in_column & 1 << site
        )
        for site in range(len(board.names))
    )


def flanks(board: Board) -> tuple[int, ...]:
    """For each direction the two beside it. BoardError if they do not lie round a compass."""
    names = board.directions
    if not names or any(name not in COMPASS for name in names):
        raise BoardError("the directions of this board do not lie side by side")
    count = len(names)
    return tuple((1 << (i + 1) % count | 1 << (i - 1) % count) & ~(1 << i) for i in range(count))


def opposites(board: Board) -> tuple[int, ...]:
    """For each direction the one that leads back, as a set; empty if there is none."""
    names = board.directions
    return tuple(
        1 << names.index(board.opposite[name]) if name in board.opposite else 0 for name in names
    )
