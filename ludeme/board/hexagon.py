"""Hexagonal cells in a hexagon that stands on a side."""

from __future__ import annotations

from ludeme.board import hexes
from ludeme.board.board import Board
from ludeme.board.lattice import Lattice, Place, assemble, letters
from ludeme.board.shape import Shape


def hexagon(side: int) -> Board:
    """Return a hexagon with *side* cells along each side; *side* is at least 1.

    Its widest row is the row *side*, from 1; the centre is in column 0 of it.
    """
    middle = side - 1

    def sides(place: Place) -> list[int]:
        return _sides(place, middle)

    def shade(place: Place) -> int:
        return hexes.shade((place[0], place[1] - middle))

    return assemble(
        Lattice(
            shape="hexagon",
            cell="hex",
            places=_places(side),
            name=lambda place: f"{letters(place[1])}{_number(place)}",
            point=hexes.point,
            ways=hexes.ADJACENT,
            regions={
                "top": lambda place: 1 in sides(place),
                "bottom": lambda place: 4 in sides(place),
                "corners": lambda place: len(sides(place)) > 1,
                "centre": lambda place: place == (0, middle),
                "rim": lambda place: bool(sides(place)),
            },
            families={
                "row": lambda place: [place[1] + 1],
                "side": sides,
                "shade": lambda place: [shade(place)],
            },
            row=hexes.row,
        )
    )


def _places(side: int) -> list[Place]:
    """Return the places by row and number; a row starts at 1 up to the middle, then later."""
    return [
        (number - 1 - row, row)
        for row in range(2 * side - 1)
        for number in range(max(1, row - side + 2), min(2 * side - 1, side + row) + 1)
    ]


def _number(place: Place) -> int:
    """Return the number in a label: it stays the same to the northwest, as in Abalone."""
    column, row = place
    return column + row + 1


def _sides(place: Place, middle: int) -> list[int]:
    """Return the sides that a place is on, 1 to 6 clockwise from the top."""
    column, row = place
    here = (
        row == 2 * middle,
        column + row == 2 * middle,
        column == middle,
        row == 0,
        column + row == 0,
        column == -middle,
    )
    return [number for number, on_side in enumerate(here, start=1) if on_side]


def _count(side: int) -> int:
    return 3 * side * (side - 1) + 1


SHAPE = Shape(
    name="hexagon",
    parameters=(("side", 1, 37),),  # 3 · 37 · 36 + 1 = 3997 sites
    least=1,
    most=1,
    count=_count,
    build=hexagon,
    doc=(
        "Hexagonal cells in a hexagon, labelled by the letter of the row from the bottom and"
        " the number along the axis that runs up and to the right (side 5: a1 to a5, e1 to e9,"
        " i5 to i9), with adjacent links (northeast, east, southeast, southwest, west,"
        " northwest), the regions top, bottom, corners, centre and rim, and the families row"
        " (from 1), side (1 to 6 clockwise from the top) and shade (three colours, 0 for the"
        " centre, one more to the east)."
    ),
)
