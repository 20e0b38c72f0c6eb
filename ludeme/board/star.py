"""Hexagonal cells in a star of six points."""

from __future__ import annotations

from ludeme.board import hexes
from ludeme.board.board import Board
from ludeme.board.lattice import Lattice, Place, assemble, letters
from ludeme.board.shape import Shape


def star(side: int) -> Board:
    """Return a star whose six points are triangles with *side* cells a side; at least 1.

    The hexagon within it has *side* + 1 cells a side. A place is counted from the centre.
    """
    places = _places(side)
    first = {row: min(column for column, other in places if other == row) for _, row in places}

    def point(place: Place) -> list[int]:
        return [number for number, inside in enumerate(_points(place, side), start=1) if inside]

    return assemble(
        Lattice(
            shape="star",
            cell="hex",
            places=places,
            name=lambda place: f"{letters(place[1] + 2 * side)}{place[0] - first[place[1]] + 1}",
            point=hexes.point,
            ways=hexes.ADJACENT,
            regions={"centre": lambda place: place == (0, 0)},
            families={
                "row": lambda place: [place[1] + 2 * side + 1],
                "point": point,
                "shade": lambda place: [hexes.shade(place)],
            },
            row=hexes.row,
        )
    )


def _places(side: int) -> list[Place]:
    """Return the places of two triangles that lie across one another, row by row."""
    reach = range(-2 * side, 2 * side + 1)
    return [
        (column, row)
        for row in reach
        for column in reach
        if _in_triangle(column, row, side) or _in_triangle(-column, -row, side)
    ]


def _in_triangle(column: int, row: int, side: int) -> bool:
    return column >= -side and row >= -side and column + row <= side


def _points(place: Place, side: int) -> tuple[bool, ...]:
    """Return in which of the points a place lies, clockwise from the top."""
    column, row = place
    third = -column - row
    return (
        row > side,
        third < -side,
        column > side,
        row < -side,
        third > side,
        column < -side,
    )


def _count(side: int) -> int:
    return 3 * side * (side + 1) + 1 + 3 * side * (side + 1)


SHAPE = Shape(
    name="star",
    parameters=(("side", 1, 25),),  # 6 · 25 · 26 + 1 = 3901 sites
    least=1,
    most=1,
    count=_count,
    build=star,
    doc=(
        "Hexagonal cells in a star of six points, each a triangle of that many cells a side,"
        " labelled by the letter of the row from the bottom and the number from the left (a1 is"
        " the lowest point), with adjacent links (northeast, east, southeast, southwest, west,"
        " northwest), the region centre, and the families row (from 1), point (1 to 6 clockwise"
        " from the top) and shade (three colours, 0 for the centre, one more to the east)."
    ),
)
