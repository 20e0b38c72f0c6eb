"""Where the sites of a board are on a picture, and how their cells look."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import attrs

from ludeme.board import Board
from ludeme.view.colours import CELL, INK, LINK
from ludeme.view.elements import Point, box, circle, element, polygon, text_at

UNIT = 64.0
"""The distance of neighbours on the picture, in pixels."""

_HALF_CELLS = {"square": 0.5, "hex": 1 / math.sqrt(3), "node": 0.42}
"""From the centre of a cell to its farthest side or corner upwards, in units."""


@attrs.frozen(eq=False)
class Plan:
    """A board on a picture: x to the right, y downwards."""

    board: Board
    centres: tuple[Point, ...]

    @property
    def on_rim(self) -> bool:
        """Whether rows and columns are labelled at the rim instead of every cell."""
        return self.board.shape == "square"

    @property
    def piece_radius(self) -> float:
        """The radius of a piece, so that a label above it can be read."""
        if self.on_rim:
            return 0.36 * UNIT
        return (0.25 if self.board.cell == "node" else 0.29) * UNIT

    def piece_centre(self, site: int) -> Point:
        """Where a lone piece stands: below the label if there is one."""
        x, y = self.centres[site]
        return (x, y) if self.on_rim else (x, y + 0.09 * UNIT)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the board with its labels; one point if there is none."""
        if not self.centres:
            return 0.0, 0.0, 0.0, 0.0
        xs, ys = zip(*self.centres, strict=True)
        margin = UNIT * _HALF_CELLS[self.board.cell]
        rim = 0.6 * UNIT if self.on_rim else 0.0
        return min(xs) - margin - rim, min(ys) - margin, max(xs) + margin, max(ys) + margin + rim

    # ---- drawing

    def links(self) -> Iterator[str]:
        """The links between nodes; those of cells are seen from their common sides."""
        if self.board.cell != "node":
            return
        for link in self.board.links:
            (x1, y1), (x2, y2) = self.centres[link.first], self.centres[link.second]
            yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=LINK, stroke_width=3)

    def outline(self, site: int, scale: float = 1.0, **more: str | float) -> str:
        """The outline of a cell, or of a smaller one inside it."""
        x, y = self.centres[site]
        reach = _HALF_CELLS[self.board.cell] * UNIT * scale
        if self.board.cell == "square":
            return box(x - reach, y - reach, 2 * reach, 2 * reach, **more)
        if self.board.cell == "node":
            return circle((x, y), reach, **more)
        corners = [math.radians(60 * corner + 30) for corner in range(6)]
        return polygon(
            [(x + reach * math.cos(a), y + reach * math.sin(a)) for a in corners], **more
        )

    def cell(self, site: int, fill: str = CELL) -> str:
        """A cell with its label."""
        label = "" if self.on_rim else self._label(site)
        return self.outline(site, fill=fill, stroke=LINK, stroke_width=1.5) + label

    def _label(self, site: int) -> str:
        name = self.board.names[site]
        x, y = self.centres[site]
        size = min(0.18, max(0.1, 0.75 / len(name))) * UNIT
        return text_at((x, y - 0.29 * UNIT), name, size, INK)

    def rim_labels(self) -> Iterator[str]:
        """Letters of columns below, numbers of rows at the left."""
        if not self.on_rim:
            return
        left, _, _, bottom = self.extent
        columns: dict[str, float] = {}
        rows: dict[str, float] = {}
        for name, (x, y) in zip(self.board.names, self.centres, strict=True):
            letters = name.rstrip("0123456789")
            columns[letters] = x
            rows[name[len(letters) :]] = y
        size = 0.26 * UNIT
        for letters, x in columns.items():
            yield text_at((x, bottom - 0.3 * UNIT), letters, size, INK)
        for number, y in rows.items():
            yield text_at((left + 0.3 * UNIT, y), number, size, INK)


def plan_of(board: Board) -> Plan:
    """The plan of a board; nodes that stand closer than cells are moved apart."""
    scale = UNIT / (nearest(board.points) if board.cell == "node" else 1.0)
    return Plan(board, tuple((x * scale, -y * scale) for x, y in board.points))


def nearest(points: Sequence[Point]) -> float:
    """The smallest distance between two points that differ; 1 if there are no two."""
    found = math.inf
    ordered = sorted(set(points))
    for place, (x, y) in enumerate(ordered):
        for other_x, other_y in ordered[place + 1 :]:
            if other_x - x >= found:
                break
            found = min(found, math.hypot(other_x - x, other_y - y))
    return found if 0 < found < math.inf else 1.0
