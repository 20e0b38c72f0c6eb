"""Plots as SVG for a page: matplotlib draws, the page's style sheet gives the colours.

matplotlib writes colours into the picture; here they are stand-ins that are then replaced by the
variables of the page, so that one picture reads on light and dark paper and in print.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.lab.course import Course
from ludeme.view.elements import element, words

_INK, _SOFT, _LINE = "#010203", "#020304", "#030405"
_SERIES = ("#040506", "#050607", "#060708", "#070809", "#08090a", "#090a0b")
_VARIABLES = {
    _INK: "var(--ink)",
    _SOFT: "var(--soft)",
    _LINE: "var(--line)",
} | {colour: f"var(--series-{number})" for number, colour in enumerate(_SERIES, start=1)}
_DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1)), (0, (8, 2)))
"""Lines differ by their dashes as well, for those who do not see the colours."""

MOST_SERIES = len(_SERIES)


@attrs.frozen(eq=False)
class Line:
    """A named line of a plot."""

    label: str
    x: NDArray[Any]
    y: NDArray[Any]


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.08))
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(_SOFT)
    axes.tick_params(colors=_SOFT, labelcolor=_INK, labelsize=9)
    axes.grid(True, color=_LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _written(figure: Any, title: str) -> str:
    """The SVG element, its colours those of the page."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Date", "Creator")))
    text = buffer.getvalue()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text)
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, variable)
    label = element("title", [words(title)])
    return re.sub(r"(<svg[^>]*)>", rf'\1 role="img" class="plot">{label}', text, count=1)


def _labelled(axes: Any, across: str, up: str) -> None:
    axes.set_xlabel(across, color=_INK, fontsize=10)
    axes.set_ylabel(up, color=_INK, fontsize=10)


def _legend(axes: Any, **where: Any) -> None:
    legend = axes.legend(frameon=False, fontsize=9, **where)
    for text in legend.get_texts():
        text.set_color(_INK)


def histogram(
    title: str, edges: NDArray[Any], shares: Mapping[str, NDArray[Any]], across: str
) -> str:
    """The shares of classes, a stepped line for each series."""
    figure, axes = _figure(7, 2.9)
    for number, (label, share) in enumerate(shares.items()):
        axes.stairs(
            100 * share, edges, color=_SERIES[number], label=label, linewidth=1.8,
            linestyle=_DASHES[number],
        )  # fmt: skip
    _labelled(axes, across, "% of games")
    axes.set_ylim(bottom=0)
    _legend(axes)
    return _written(figure, title)


def lines(title: str, series: Sequence[Line], across: str, up: str) -> str:
    """A line for each series."""
    figure, axes = _figure(7, 2.9)
    for number, line in enumerate(series):
        marker = "o" if len(line.x) < 20 else None
        axes.plot(
            line.x, line.y, color=_SERIES[number], label=line.label, linewidth=1.8,
            linestyle=_DASHES[number], marker=marker, markersize=4,
        )  # fmt: skip
    _labelled(axes, across, up)
    ys = np.concatenate([line.y for line in series]) if series else np.zeros(1)
    if len(ys) and ys.min() >= 0:
        axes.set_ylim(bottom=0)
    _legend(axes)
    return _written(figure, title)


def courses(title: str, found: Mapping[str, Course], across: str, up: str) -> str:
    """A number in the course of games."""
    return lines(
        title, [Line(label, course.at + 1, course.mean) for label, course in found.items()],
        across, up,
    )  # fmt: skip


@attrs.frozen(eq=False)
class Ranged:
    """A named line over values that are written out, each with its range."""

    label: str
    x: Sequence[str]
    y: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]


def ranges(
    title: str, series: Sequence[Ranged], across: str, up: str, values: Sequence[str]
) -> str:
    """Lines with ranges along the values of an option, in the order of *values*."""
    figure, axes = _figure(7, 2.7)
    for number, line in enumerate(series):
        at = [values.index(value) for value in line.x]
        axes.fill_between(at, line.low, line.high, color=_SERIES[number], alpha=0.18, linewidth=0)
        axes.plot(
            at, line.y, color=_SERIES[number], label=line.label, linewidth=1.8, marker="o",
            markersize=4, linestyle=_DASHES[number],
        )  # fmt: skip
    axes.set_xticks(range(len(values)), values)
    _labelled(axes, across, up)
    if all(line.low.min() >= 0 for line in series):
        axes.set_ylim(bottom=0)
    if len(series) > 1:
        _legend(axes)
    return _written(figure, title)


def bars(title: str, names: Sequence[str], shares: Mapping[str, Sequence[float]]) -> str:
    """Shares by name, a bar for each series."""
    thick = 0.8 / max(1, len(shares))
    figure, axes = _figure(7, 0.7 + (0.22 * len(shares) + 0.12) * len(names))
    places = np.arange(len(names))
    for number, (label, share) in enumerate(shares.items()):
        at = places + (number - (len(shares) - 1) / 2) * thick
        axes.barh(at, [100 * s for s in share], thick * 0.88, color=_SERIES[number], label=label)
        for y, value in zip(at, share, strict=True):
            axes.text(100 * value + 1, y, f"{100 * value:.1f}", va="center", fontsize=8, color=_INK)
    axes.set_yticks(places, names)
    axes.set_xlim(0, 112)
    axes.set_xticks(range(0, 101, 20))
    axes.invert_yaxis()
    axes.grid(False, axis="y")
    _labelled(axes, "% of games", "")
    _legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _written(figure, title)


__all__ = ["MOST_SERIES", "Line", "Ranged", "bars", "courses", "histogram", "lines", "ranges"]
