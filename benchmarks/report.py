"""The figures of a run, as tables for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from benchmarks.cases import REFERENCE_RATE
from benchmarks.growth import Growth
from benchmarks.loading import Loading
from benchmarks.threads import Gain


@attrs.frozen
class Row:
    """What was measured of one game; rates are playouts per CPU second."""

    game: str
    native: float
    limit: float | None = None
    interpreter: float | None = None
    spiel: float | None = None
    loading: Loading | None = None


@attrs.frozen
class Report:
    """A whole run. *reference*: the rate of C that tells how fast the machine is."""

    rows: tuple[Row, ...]
    reference: float | None = None
    gain: Gain | None = None
    growths: tuple[Growth, ...] = ()

    def scaled(self, row: Row) -> float | None:
        """The native rate on a machine on which the reference runs at its own rate."""
        return row.native * REFERENCE_RATE / self.reference if self.reference else None


def over(value: float, by: float | None) -> float | None:
    """A ratio, if there is something to compare with."""
    return value / by if by else None


def as_json(report: Report) -> dict[str, Any]:
    """All figures and ratios by name."""
    rows = [
        {
            **attrs.asdict(row),
            "over_limit": over(row.native, row.limit),
            "over_interpreter": over(row.native, row.interpreter),
            "over_spiel": over(row.native, row.spiel),
            "scaled": report.scaled(row),
        }
        for row in report.rows
    ]
    growths = [{**attrs.asdict(growth), "exponent": growth.exponent} for growth in report.growths]
    gain = attrs.asdict(report.gain) | {"share": report.gain.share} if report.gain else None
    return {"reference": report.reference, "games": rows, "threads": gain, "growth": growths}


def as_text(report: Report) -> str:
    """Tables in Markdown."""
    parts = [_games(report)]
    if any(row.loading for row in report.rows):
        parts.append(_loads(report))
    if report.gain is not None:
        parts.append(_threads(report.gain))
    if report.growths:
        parts.append(_growths(report.growths))
    return "\n\n".join(parts)


def _games(report: Report) -> str:
    head = ["game", "native/s", "scaled", "C limit/s", "of C", "interpreter/s", "times it"]
    head += ["OpenSpiel/s", "times it"]
    body = [
        [
            row.game,
            _whole(row.native),
            _whole(report.scaled(row)),
            _whole(row.limit),
            _ratio(over(row.native, row.limit)),
            _whole(row.interpreter),
            _whole(over(row.native, row.interpreter)),
            _whole(row.spiel),
            _ratio(over(row.native, row.spiel), 1),
        ]
        for row in report.rows
    ]
    return "Playouts per CPU second\n\n" + table(head, body)


def _loads(report: Report) -> str:
    body = [
        [row.game, f"{row.loading.cold:.3f}", f"{row.loading.kept:.3f}"]
        for row in report.rows
        if row.loading
    ]
    title = "From load to the end of the first native game, CPU seconds\n\n"
    return title + table(["game", "compiled", "kept"], body)


def _threads(gain: Gain) -> str:
    cells = [_ratio(gain.native), _ratio(gain.limit), _ratio(gain.share)]
    head = ["two threads over one", "two C processes over one", "share"]
    return "A second processor\n\n" + table(head, [cells])


def _growths(growths: Iterable[Growth]) -> str:
    body = [
        [growth.game, str(point.size), str(point.sites), f"{point.nanoseconds:.1f}"]
        for growth in growths
        for point in growth.points
    ]
    lines = [f"{growth.game}: cost ~ sites^{growth.exponent:.2f}" for growth in growths]
    title = "Cost of a decision\n\n"
    return title + table(["game", "size", "sites", "ns"], body) + "\n\n" + "\n".join(lines)


def _whole(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _ratio(value: float | None, places: int = 2) -> str:
    return "" if value is None else f"{value:.{places}f}"


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; all columns but the first are numbers."""
    widths = [max(len(row[i]) for row in (head, *body)) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first = cells[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return "| " + " | ".join([first, *rest]) + " |"

    rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
    return "\n".join([line(head), f"|{rule}|", *(line(row) for row in body)])
