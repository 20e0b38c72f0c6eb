"""A comparison as a page of text: words first, then the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from ludeme.lab import words
from ludeme.lab.compare import Comparison, Versus
from ludeme.lab.figures import Sample, balance, lengths, tree_size
from ludeme.lab.measures import Measure, measures_of

WIDTH = 100


def write(comparison: Comparison) -> str:
    """The whole page."""
    blocks = [list(_wrapped(words.heading(comparison)))]
    notes = words.warnings(comparison)
    if notes:
        blocks.append(["Before anything else", *_points(notes)])
    for versus in comparison.versus:
        blocks += _versus(comparison, versus)
    blocks.append(["The figures", *_figures(comparison)])
    blocks.append(list(_wrapped([words.footing(comparison)])))
    return "\n\n".join("\n".join(block) for block in blocks)


def _versus(comparison: Comparison, versus: Versus) -> Iterator[list[str]]:
    label = comparison.variants[versus.other].label
    told = [words.summary(comparison, versus)]
    step = words.in_step(versus)
    if step is not None:
        told.append(step)
    yield [label, *_wrapped(told)]
    if versus.same_meaning:
        return
    found = words.of_verdict(versus, "shown")
    if found:
        yield ["What changed", *_points([words.shown(finding) for finding in found])]
    found = words.of_verdict(versus, "hint")
    if found:
        yield [
            "What may have changed, but could be chance",
            *_points(list(map(words.shown, found))),
        ]
    found = [*found, *words.of_verdict(versus, "open")]
    if found:
        rows = [("", "seen", "range", "as much would be shown by"), *map(words.unsettled, found)]
        yield ["What is open", *words.columns(rows, "<>><")]
    if versus.rules:
        yield ["Rules that fell asleep or woke", *_points(versus.rules)]


def _points(points: Sequence[str]) -> Iterator[str]:
    for point in points:
        yield from wrap(point, WIDTH, initial_indent="  - ", subsequent_indent="    ")


def _wrapped(lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield from wrap(line, WIDTH)


def _figures(comparison: Comparison) -> Iterator[str]:
    head = ["", *(variant.label for variant in comparison.variants), "of"]
    rows = [head, *figure_rows(comparison)]
    yield from words.columns(rows, "<" + ">" * len(comparison.variants) + "<")


def figure_rows(comparison: Comparison) -> Iterator[list[str]]:
    """A row for each measure: its title, what it is for each variant, its denominator."""
    measures: dict[str, Measure] = {}
    for table in comparison.tables:
        setting = (table.details or table.rows).setting
        for measure in measures_of(setting):
            measures.setdefault(measure.key, measure)
    for key, measure in measures.items():
        known = [samples.get(key) for samples in comparison.samples]
        if _tells(known):
            yield [words.title_of(measure), *map(words.with_range, known), measure.over]
        if key == "length":
            yield from _lengths(comparison)
    players = len(comparison.variants[0].game.players)
    balances = [balance(samples, players) for samples in comparison.samples]
    yield ["Balance of the seats", *map(_or_dash, balances), "1 less the widest gap of shares"]
    sizes = [tree_size(samples) for samples in comparison.samples]
    shown = ["-" if size is None else f"10^{size:.0f}" for size in sizes]
    yield ["Size of the game tree", *shown, "order of magnitude"]


def _tells(known: Sequence[Sample | None]) -> bool:
    """Whether a row says anything; that no game was faulty is said by saying nothing."""
    return any(
        sample is not None and (sample.value or sample.measure.key != "faulty") for sample in known
    )


def _lengths(comparison: Comparison) -> Iterator[list[str]]:
    found = [lengths(table.rows) for table in comparison.tables]
    names = {"5%": "5% are no longer than", "50%": "half are no longer than",
             "95%": "95% are no longer than"}  # fmt: skip
    for name, title in names.items():
        cells = ["-" if one is None else words.plain(one[name]) for one in found]
        yield [f"  {title}", *cells, "finished games"]


def _or_dash(value: float | None) -> str:
    return "-" if value is None else words.plain(value)
