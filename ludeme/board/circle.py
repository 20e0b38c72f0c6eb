"""Points on a circle, for boards that are not made of rows."""

from __future__ import annotations

import math

from ludeme.board.board import Point


def on_circle(angle: float, radius: float) -> Point:
    """Return the point at *angle* radians clockwise from the top of a circle round (0, 0).

    Rounded, so that what lies on an axis has a coordinate of exactly 0.
    """
    x, y = radius * math.sin(angle), radius * math.cos(angle)
    return round(x, 9) + 0.0, round(y, 9) + 0.0  # adding 0.0 turns -0.0 into 0.0
