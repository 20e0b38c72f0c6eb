"""A sweep as one page: the table, and a plot for each figure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludeme.lab import charts, html
from ludeme.lab import sweep as sweeping
from ludeme.lab.sweep import SHOWN, Cell, Sweep


def write_page(found: Sweep) -> str:
    """The page as text; it needs nothing else."""
    title, *more = sweeping.heading(found)
    told = list(sweeping.notes(found))
    note = html.tag("strong", "Before anything else") + html.points(told)
    return html.page(
        title,
        html.tag("h1", html.text(title)),
        *(html.p(line, "soft") for line in more),
        html.tag("div", note, class_="note") if told else "",
        html.tag("h2", "The figures"),
        html.table(sweeping.head(found), (html.row(row) for row in sweeping.rows(found))),
        html.p(
            "± bounds the true figure with 95%, each for itself; nothing is tested here.", "soft"
        ),
        html.tag("h2", f"Along {next(iter(found.over))}"),
        html.tag("div", *_plots(found), class_="plots"),
    )


def _plots(found: Sweep) -> Iterator[str]:
    """A plot for each measure: along the first option, a line for each choice of the others."""
    first = next(iter(found.over))
    for key, name in SHOWN:
        series = [
            line
            for label, cells in _lines(found).items()
            if (line := _line(label, cells, first, key)) is not None
        ]
        if not any(line.y.any() for line in series):
            continue
        measure = next(c.samples[key].measure for c in found.cells if key in c.samples)
        unit = "%" if measure.unit == "share" else measure.unit
        picture = charts.ranges(f"{name} along {first}", series, first, unit, found.over[first])
        yield html.figure(
            picture, f"{measure.title[:1].upper()}{measure.title[1:]} ({measure.over})."
        )


def _lines(found: Sweep) -> dict[str, list[Cell]]:
    lines: dict[str, list[Cell]] = {}
    for cell in found.cells:
        rest = list(cell.options.items())[1:]
        label = ", ".join(f"{name} {value}" for name, value in rest)
        lines.setdefault(label, []).append(cell)
    return dict(list(lines.items())[: charts.MOST_SERIES])


def _line(label: str, cells: list[Cell], first: str, key: str) -> charts.Ranged | None:
    known = [cell for cell in cells if key in cell.samples]
    if not known:
        return None
    samples = [cell.samples[key] for cell in known]
    scale = 100 if samples[0].measure.unit == "share" else 1
    intervals = [sample.interval() or (sample.value, sample.value) for sample in samples]
    return charts.Ranged(
        label,
        [cell.options[first] for cell in known],
        scale * np.array([sample.value for sample in samples]),
        scale * np.array([low for low, _ in intervals]),
        scale * np.array([high for _, high in intervals]),
    )
