"""Boards laid out so that the neighbours of all members of a set are a few shifts away.

The rows of a hexagon differ in length, so the step to the row above is another shift in each row.
With gaps between the rows it is the same everywhere; and a gap at the end of each row takes what is
shifted off the board, so that nothing need be masked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from ludeme.board import Board

MOST_SHIFTS = 8
ROOM = 64
"""Bits of the layout at most."""
SHEARS = (0.0, -0.5, 0.5)
"""How much to the right each row is moved: rows of hexagons stand half a cell apart."""


@attrs.frozen
class Embedding:
    """*places*: the bit of each site, in rising order. *shifts*: from a site to its neighbours."""

    places: tuple[int, ...]
    shifts: tuple[int, ...]

    @property
    def mask(self) -> int:
        """The bits that stand for sites."""
        return sum(1 << place for place in self.places)


def embed(board: Board, table: Sequence[int]) -> Embedding | None:
    """The smallest layout for a table of neighbours, if there is any."""
    for places in _layouts(board):
        shifts = _shifts(table, places)
        if shifts is not None:
            return Embedding(places, shifts)
    return None


def _layouts(board: Board) -> Iterator[tuple[int, ...]]:
    """Layouts in rows, the narrow ones first, that keep the order of the sites."""
    levels = sorted({round(y, 4) for _, y in board.points})
    rows = [levels.index(round(y, 4)) for _, y in board.points]
    for width in range(1, ROOM):
        for shear in SHEARS:
            columns = [x + shear * row for (x, _), row in zip(board.points, rows, strict=True)]
            left = min(columns)
            whole = [round(column - left) for column in columns]
            if any(abs(c - left - w) > 0.01 for c, w in zip(columns, whole, strict=True)):
                continue
            places = [row * width + column for row, column in zip(rows, whole, strict=True)]
            places = [place - min(places) for place in places]
            if max(places) < ROOM and places == sorted(set(places)):
                yield tuple(places)


def _shifts(table: Sequence[int], places: Sequence[int]) -> tuple[int, ...] | None:
    """The few shifts that lead from every site to its neighbours and to no other site."""
    found = set()
    for site, neighbours in enumerate(table):
        others = [other for other in range(len(places)) if neighbours >> other & 1]
        found |= {places[other] - places[site] for other in others}
        if len(found) > MOST_SHIFTS:
            return None
    site_at = {place: site for site, place in enumerate(places)}
    for site, neighbours in enumerate(table):
        for shift in found:
            other = site_at.get(places[site] + shift)
            if other is not None and not neighbours >> other & 1:
                return None
    return tuple(sorted(found))
