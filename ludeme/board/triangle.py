"""Hexagonal cells in a triangle that points up."""

from __future__ import annotations

from ludeme.board import hexes
from ludeme.board.board import Board
from ludeme.board.lattice import Lattice, Place, assemble, letters
from ludeme.board.shape import Shape


def triangle(side: int) -> Board:
    """Return a triangle with *side* cells along each side; *side* is at least 1."""

    def sides(place: Place) -> list[int]:
        column, row = place
        return [
            number
            for number, here in ((1, column + row == side - 1), (2, row == 0), (3, column == 0))
            if here
        ]

    return assemble(
        Lattice(
            shape="triangle",
            cell="hex",
            places=[(column, row) for row in range(side) for column in range(side - row)],
            name=lambda place: f"{letters(place[1])}{place[0] + 1}",
            point=hexes.point,
            ways=hexes.ADJACENT,
            regions={
                "left": lambda place: 3 in sides(place),
                "right": lambda place: 1 in sides(place),
                "bottom": lambda place: 2 in sides(place),
                "corners": lambda place: len(sides(place)) > 1,
                "rim": lambda place: bool(sides(place)),
            },
            families={
                "row": lambda place: [place[1] + 1],
                "side": sides,
                "shade": lambda place: [hexes.shade(place)],
            },
            row=hexes.row,
        )
    )


def _count(side: int) -> int:
    return side * (side + 1) // 2


SHAPE = Shape(
    name="triangle",
    parameters=(("side", 1, 90),),  # 90 · 91 / 2 = 4095 sites
    least=1,
    most=1,
    count=_count,
    build=triangle,
    doc=(
        "Hexagonal cells in a triangle that points up, labelled by the letter of the row from"
        " the base and the number from the left (a1 is bottom left), with adjacent links"
        " (northeast, east, southeast, southwest, west, northwest), the regions left, right,"
        " bottom, corners and rim, and the families row (from 1), side (1 right, 2 bottom,"
        " 3 left) and shade (three colours, 0 for a1, one more to the east)."
    ),
)
