"""Nodes on rings crossed by spokes."""

from __future__ import annotations

import math

from ludeme.board.board import MAX_SITES, Board, Point
from ludeme.board.circle import on_circle
from ludeme.board.lattice import Lattice, Place, Way, assemble, by, letters
from ludeme.board.shape import Shape

# Fewer would join two nodes of a ring twice, or a node to itself.
_LEAST_SPOKES = 3


def wheel(spokes: int, rings: int) -> Board:
    """Return *rings* closed rings of *spokes* nodes, ring r having the radius r.

    There are at least 3 spokes and 1 ring; no node is at the centre. A place is
    (spoke, ring), both from 0.
    """

    def point(place: Place) -> Point:
        spoke, ring = place
        angle = 2 * math.pi * spoke / spokes
        return on_circle(angle, ring + 1)

    return assemble(
        Lattice(
            shape="wheel",
            cell="node",
            places=[(spoke, ring) for spoke in range(spokes) for ring in range(rings)],
            name=lambda place: f"{letters(place[0])}{place[1] + 1}",
            point=point,
            ways=(
                Way(
                    "ring",
                    "clockwise",
                    "counterclockwise",
                    lambda place: ((place[0] + 1) % spokes, place[1]),
                ),
                Way("spoke", "outward", "inward", by(0, 1)),
            ),
            regions={},
            families={
                "ring": lambda place: [place[1] + 1],
                "spoke": lambda place: [place[0] + 1],
            },
            row=None,
        )
    )


def _count(spokes: int, rings: int) -> int:
    return spokes * rings


SHAPE = Shape(
    name="wheel",
    parameters=(
        ("spokes", _LEAST_SPOKES, MAX_SITES),
        ("rings", 1, MAX_SITES // _LEAST_SPOKES),
    ),
    least=2,
    most=2,
    count=_count,
    build=wheel,
    doc=(
        "Nodes on closed rings crossed by spokes, labelled by the letter of the spoke,"
        " clockwise from the top, and the number of the ring from the inside (a1 is the top"
        " node of the inner ring), with ring links (clockwise, counterclockwise) and spoke"
        " links (outward, inward), no regions, and the families ring and spoke (from 1)."
    ),
)
