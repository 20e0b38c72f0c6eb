"""Heat maps on the picture of the board."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ludeme.board import Board
from ludeme.view.colours import INK, LINK
from ludeme.view.elements import element, text_at, words
from ludeme.view.plan import UNIT, Plan, plan_of

MOST_NUMBERED = 64
"""On boards of more sites the numbers would be too small; they show when pointed at."""
DARKEST = 0.75
"""The opacity of the greatest value, so that numbers can be read on it."""
MARGIN = 6.0

Numbers = NDArray[np.float64]


def heat_map(board: Board, title: str, share: Numbers, most: float) -> str:
    """Shares of time, darker for more; *most* is the share that is darkest."""
    return _map(board, title, share, most, lambda value: "var(--heat)", lambda v: f"{100 * v:.0f}")


def change_map(board: Board, title: str, change: Numbers, most: float) -> str:
    """Differences of shares: one colour for more, another for less."""
    return _map(
        board,
        title,
        change,
        most,
        lambda value: "var(--more)" if value > 0 else "var(--less)",
        lambda v: f"{100 * v:+.0f}".replace("-", "−") if round(100 * v) else "0",
    )


def _map(
    board: Board,
    title: str,
    values: Numbers,
    most: float,
    colour: Callable[[float], str],
    number: Callable[[float], str],
) -> str:
    plan = plan_of(board)
    left, top, right, bottom = plan.extent
    box = (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    parts = [element("title", [words(title)]), *plan.links()]
    for site in range(len(board.names)):
        parts.append(_site(plan, site, float(values[site]), most, colour, number))
    parts += plan.rim_labels()
    drawn = element(
        "svg", parts, xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(f"{round(side, 1):g}" for side in box), role="img",
    )  # fmt: skip
    return drawn.replace(INK, "var(--ink)").replace(LINK, "var(--soft)")


def _site(
    plan: Plan,
    site: int,
    value: float,
    most: float,
    colour: Callable[[float], str],
    number: Callable[[float], str],
) -> str:
    name = plan.board.names[site]
    strength = min(1.0, abs(value) / most) if most else 0.0
    parts = [
        element("title", [words(f"{name}: {number(value)}%")]),
        plan.outline(site, fill="var(--cell)"),
        plan.outline(site, fill=colour(value), fill_opacity=round(DARKEST * strength, 3)),
        plan.cell(site, "none"),
    ]
    if len(plan.board.names) <= MOST_NUMBERED:
        x, y = plan.centres[site]
        size = 0.24 * UNIT
        parts.append(
            text_at((x, y + (0 if plan.on_rim else 0.06 * UNIT)), number(value), size, INK)
        )
    return element("g", parts)


__all__ = ["change_map", "heat_map"]
