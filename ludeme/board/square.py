"""Square cells in columns and rows."""

from __future__ import annotations

from ludeme.board.board import MAX_SITES, Board
from ludeme.board.lattice import (
    Lattice,
    Way,
    assemble,
    by,
    rectangle_name,
    rectangle_places,
    rectangle_regions,
)
from ludeme.board.shape import Shape

_WAYS = (
    Way("orthogonal", "north", "south", by(0, 1)),
    Way("orthogonal", "east", "west", by(1, 0)),
    Way("diagonal", "northeast", "southwest", by(1, 1)),
    Way("diagonal", "southeast", "northwest", by(1, -1)),
)


def square(columns: int, rows: int | None = None) -> Board:
    """Return a board of *columns* by *rows* square cells, as many rows as columns unless said.

    Both are at least 1.
    """
    height = columns if rows is None else rows
    return assemble(
        Lattice(
            shape="square",
            cell="square",
            places=rectangle_places(columns, height),
            name=rectangle_name,
            point=lambda place: (float(place[0]), float(place[1])),
            ways=_WAYS,
            regions=rectangle_regions(columns, height),
            families={
                "row": lambda place: [place[1] + 1],
                "column": lambda place: [place[0] + 1],
                "shade": lambda place: [sum(place) % 2],
            },
            row=lambda place: place[1],
        )
    )


def _count(columns: int, rows: int | None = None) -> int:
    return columns * (columns if rows is None else rows)


SHAPE = Shape(
    name="square",
    parameters=(("columns", 1, MAX_SITES), ("rows", 1, MAX_SITES)),
    least=1,
    most=2,
    count=_count,
    build=square,
    doc=(
        "Square cells, labelled by the letter of the column from the left and the number of"
        " the row from the bottom (a1 is bottom left), with orthogonal links (north, east,"
        " south, west) and diagonal ones (northeast, southeast, southwest, northwest), the"
        " regions top, bottom, left, right, corners and rim, and the families row and column"
        " (from 1) and shade (0 for a1 and its diagonals, else 1)."
    ),
)
