"""A comparison as one page: words first, plots, then every figure."""

from __future__ import annotations

from collections.abc import Iterator

from ludeme.lab import charts, course, html, words
from ludeme.lab.compare import Comparison, Finding, Versus
from ludeme.lab.course import Heat
from ludeme.lab.games import Games
from ludeme.lab.maps import change_map, heat_map
from ludeme.lab.terminal import figure_rows


def write_page(comparison: Comparison) -> str:
    """The page as text; it needs nothing else."""
    title, *more = words.heading(comparison)
    parts = [
        html.tag("h1", html.text(title)),
        *(html.p(line, "soft") for line in more),
        *_notes(comparison),
    ]
    for versus in comparison.versus:
        parts += _versus(comparison, versus)
    parts += [*_plots(comparison), *_maps(comparison), *_figures(comparison), _footer(comparison)]
    return html.page(title, *parts)


def _notes(comparison: Comparison) -> Iterator[str]:
    notes = words.warnings(comparison)
    if notes:
        inner = html.tag("strong", "Before anything else") + html.points(notes)
        yield html.tag("div", inner, class_="note")


# ---- findings


def _versus(comparison: Comparison, versus: Versus) -> Iterator[str]:
    label = comparison.variants[versus.other].label
    yield html.tag("h2", html.text(label))
    yield html.p(words.summary(comparison, versus), "lead")
    step = words.in_step(versus)
    if step is not None:
        yield html.p(step, "soft")
    if versus.same_meaning:
        return
    for title, verdict in (
        ("What changed", "shown"),
        ("What may have changed, but could be chance", "hint"),
    ):
        found = [finding for finding in versus.findings if finding.verdict == verdict]
        if found:
            yield html.tag("h3", html.text(title))
            yield _findings(comparison, versus, found)
    found = [finding for finding in versus.findings if finding.verdict != "shown"]
    if found:
        yield html.tag("h3", "What is open")
        head = ("", "seen", "range", "as much would be shown by")
        yield html.table(head, (html.row(words.unsettled(f)) for f in found))
    if versus.rules:
        yield html.tag("h3", "Rules that fell asleep or woke")
        yield html.points(versus.rules)


def _findings(comparison: Comparison, versus: Versus, found: list[Finding]) -> str:
    base = comparison.variants[versus.base].label
    other = comparison.variants[versus.other].label
    head = ("", base, other, "difference (range)", "effect", "p")
    return html.table(head, (html.row(_finding(f)) for f in found))


def _finding(finding: Finding) -> list[str]:
    found = finding.contrast
    unit = found.measure.unit
    strength = words.effect(finding).partition(",")[0].removeprefix("a ").removesuffix(" effect")
    return [
        words.direction(finding),
        *words.pair(found.base, found.other, unit),
        f"{words.signed(found.difference, unit)}"
        f" ({words.signed(found.low, unit)} to {words.signed(found.high, unit)})",
        strength,
        words.chance(finding.p).removeprefix("p ").removeprefix("= "),
    ]


# ---- plots


def _plots(comparison: Comparison) -> Iterator[str]:
    pictures = list(_pictures(comparison))
    if pictures:
        yield html.tag("h2", "How games go")
        yield html.tag("div", *pictures, class_="plots")


def _pictures(comparison: Comparison) -> Iterator[str]:
    labels = [variant.label for variant in comparison.variants][: charts.MOST_SERIES]
    rows = {label: t.rows for label, t in zip(labels, comparison.tables, strict=False)}
    if any(games.finished.any() for games in rows.values()):
        edges = course.length_edges(list(rows.values()))
        shares = {label: course.length_counts(games, edges) for label, games in rows.items()}
        yield html.figure(
            charts.histogram("Lengths of games", edges, shares, "decisions in a game"),
            "Lengths of the finished games.",
        )
        yield from _ends(rows)
    details = {
        label: t.details
        for label, t in zip(labels, comparison.tables, strict=False)
        if t.details is not None and len(t.details)
    }
    if details:
        found = {label: course.branching(games) for label, games in details.items()}
        yield html.figure(
            charts.courses("Choice in the course of games", found, "decision", "legal moves"),
            "Legal moves to choose from at each decision: the mean over the observed games that"
            " still go on, as far as there are five.",
        )


def _ends(rows: dict[str, Games]) -> Iterator[str]:
    """How games end, and who wins them."""
    setting = next(iter(rows.values())).setting
    names = list(dict.fromkeys(name for games in rows.values() for name in games.setting.ends))
    ends = {label: [_ended(games, name) for name in names] for label, games in rows.items()}
    if len(names) > 1:
        yield html.figure(charts.bars("Ends", names, ends), "What ended the finished games.")
    seats = {label: [*_wins(games), _ended_drawn(games)] for label, games in rows.items()}
    yield html.figure(
        charts.bars("Winners", [*setting.players, "drawn"], seats), "Who won the finished games."
    )


def _ended(games: Games, name: str) -> float:
    if name not in games.setting.ends:
        return 0.0
    finished = games.finished
    return float((games["end"][finished] == games.setting.ends.index(name)).mean())


def _wins(games: Games) -> list[float]:
    winners = games["winner"][games.finished]
    return [float((winners == seat).mean()) for seat in range(len(games.setting.players))]


def _ended_drawn(games: Games) -> float:
    return float((games["winner"][games.finished] < 0).mean())


# ---- heat maps


def _maps(comparison: Comparison) -> Iterator[str]:
    found = [
        {(h.owner, h.kind): h for h in course.heat(table.details)}
        if table.details is not None and len(table.details)
        else {}
        for table in comparison.tables
    ]
    keys = list(dict.fromkeys(key for maps in found for key in maps))
    if not keys:
        return
    yield html.tag("h2", "Where pieces stand")
    error = max(heat.error for maps in found for heat in maps.values())
    yield html.p(
        "The share of all states of the observed games in which a site was theirs, in per cent;"
        " the darkest sites of a row have the greatest share in it. So many games tell each of them"
        f" to ±{100 * error:.0f} points or better.",
        "soft",
    )
    for key in keys:
        yield html.tag("h3", html.text(" ".join(filter(None, key)).strip()))
        yield html.tag("div", *_row_of_maps(comparison, [maps.get(key) for maps in found]),
                       class_="maps")  # fmt: skip


def _row_of_maps(comparison: Comparison, maps: list[Heat | None]) -> Iterator[str]:
    most = max((float(h.share.max()) for h in maps if h is not None), default=0.0)
    boards = [variant.game.board for variant in comparison.variants]
    labels = [variant.label for variant in comparison.variants]
    for board, label, found in zip(boards, labels, maps, strict=True):
        if found is None:
            continue
        yield html.figure(heat_map(board, label, found.share, most), label)
    base = maps[0]
    for board, label, found in zip(boards[1:], labels[1:], maps[1:], strict=True):
        if base is None or found is None or board.names != boards[0].names:
            continue
        change = found.share - base.share
        greatest = float(abs(change).max())
        yield html.figure(
            change_map(board, f"{label} less {labels[0]}", change, greatest),
            f"{label} less {labels[0]}: orange where more, blue where less, at most"
            f" {100 * greatest:.0f} points",
        )


# ---- figures


def _figures(comparison: Comparison) -> Iterator[str]:
    yield html.tag("h2", "The figures")
    head = ["", *(variant.label for variant in comparison.variants), "of"]
    last = len(head) - 1
    yield html.table(
        head,
        (
            html.row(
                [cells[0].strip(), *cells[1:]],
                "part" if cells[0].startswith(" ") else "",
                words=(last,),
            )
            for cells in figure_rows(comparison)
        ),
    )


def _footer(comparison: Comparison) -> str:
    from ludeme import __version__

    lines = [html.p(words.footing(comparison))]
    for variant in comparison.variants:
        options = ", ".join(f"{name} = {value}" for name, value in variant.game.options.items())
        tail = f" with {options}" if options else ""
        lines.append(
            html.tag(
                "p",
                html.text(f"{variant.label}{tail}: digest "),
                html.tag("code", html.text(variant.game.digest)),
            )
        )
    question = comparison.question
    lines.append(
        html.p(
            f"Ludeme {__version__}, seed {question.seed}, at most {question.turn_limit:,} decisions"
            " a game."
        )
    )
    return html.tag("footer", *lines)
