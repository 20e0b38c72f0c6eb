"""Hexagonal cells in columns and rows, each row half a cell further to the right."""

from __future__ import annotations

from ludeme.board import hexes
from ludeme.board.board import MAX_SITES, Board
from ludeme.board.lattice import (
    Lattice,
    assemble,
    rectangle_name,
    rectangle_places,
    rectangle_regions,
)
from ludeme.board.shape import Shape


def parallelogram(columns: int, rows: int | None = None) -> Board:
    """Return a board of *columns* by *rows* hexes, as many rows as columns unless said.

    Both are at least 1.
    """
    height = columns if rows is None else rows
    return assemble(
        Lattice(
            shape="parallelogram",
            cell="hex",
            places=rectangle_places(columns, height),
            name=rectangle_name,
            point=hexes.point,
            ways=hexes.ADJACENT,
            regions=rectangle_regions(columns, height),
            families={
                "row": lambda place: [place[1] + 1],
                "column": lambda place: [place[0] + 1],
                "shade": lambda place: [hexes.shade(place)],
            },
            row=hexes.row,
        )
    )


def _count(columns: int, rows: int | None = None) -> int:
    return columns * (columns if rows is None else rows)


SHAPE = Shape(
    name="parallelogram",
    parameters=(("columns", 1, MAX_SITES), ("rows", 1, MAX_SITES)),
    least=1,
    most=2,
    count=_count,
    build=parallelogram,
    doc=(
        "Hexagonal cells in rows that lean to the right, labelled by the letter of the column"
        " from the left and the number of the row from the bottom (a1 is bottom left), with"
        " adjacent links (northeast, east, southeast, southwest, west, northwest), the regions"
        " top, bottom, left, right, corners and rim, and the families row and column (from 1)"
        " and shade (three colours, 0 for a1, one more to the east)."
    ),
)
