"""What boards of hexagonal cells have in common.

A place is (column, row), both from the cell called a1: one column more is one
cell to the east, one row more one cell to the northeast.
"""

from __future__ import annotations

import math

from ludeme.board.board import Point
from ludeme.board.lattice import Place, Way, by

ADJACENT = (
    Way("adjacent", "northeast", "southwest", by(0, 1)),
    Way("adjacent", "east", "west", by(1, 0)),
    Way("adjacent", "southeast", "northwest", by(1, -1)),
)

# Rows of hexes whose centres are 1 apart along the row.
ROW_HEIGHT = math.sqrt(3) / 2


def point(place: Place) -> Point:
    """Return where a place is; a1 is at (0, 0)."""
    column, row = place
    return column + row / 2, row * ROW_HEIGHT


def shade(place: Place) -> int:
    """Return the lattice colour of a place: 0, 1 or 2, with 0 for a1.

    It grows by one to the east, so that no two neighbours have the same.
    """
    column, row = place
    return (column + 2 * row) % 3


def row(place: Place) -> int:
    """Return the row of a place, from 0 at the bottom."""
    return place[1]
