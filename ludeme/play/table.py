"""The table of playouts, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludeme.play.results import STATUSES, Playouts
from ludeme.play.statistics import never_seen

Row = tuple[str, ...]

_WORDS = {
    "finished": "ended by the rules",
    "unfinished": "stopped at the limit of {limit} decisions",
    "faulty": "the description failed in play",
}


def write_table(playouts: Playouts) -> str:
    """The figures as a page of text."""
    summary = playouts.summary()
    blocks = [
        _heading(playouts),
        _statuses(playouts),
        *_of_finished(playouts, summary),
        _rest(playouts, summary),
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def _heading(playouts: Playouts) -> list[str]:
    asked = playouts.asked
    options = ", ".join(f"{name} = {_written(value)}" for name, value in asked.options.items())
    name = f"{asked.title} ({asked.game})" + (f" with {options}" if options else "")
    count = len(playouts)
    numbers = f"{count:,} random game{'s' if count != 1 else ''}, seed {asked.seed}"
    if asked.first:
        numbers += f", from game {asked.first:,} on"
    return [name, numbers]


def _statuses(playouts: Playouts) -> list[str]:
    limit = f"{playouts.asked.turn_limit:,}"
    rows: list[Row] = []
    for status in STATUSES:
        count = playouts.count(status)
        words = _WORDS[status].format(limit=limit) if count else ""
        share = _percent(count / len(playouts)) if count else ""
        rows.append((status, f"{count:,}", share, words))
    return list(_columns(rows, "<>><"))


def _of_finished(playouts: Playouts, summary: Mapping[str, Any]) -> Iterator[list[str]]:
    total = playouts.count("finished")
    if not total:
        yield ["No game was finished, so nothing can be said of winners and lengths."]
        return
    games = f"{total:,} finished games" if total != 1 else "finished game"
    yield [
        f"Who won the {games}, and the range that the true share lies in (95%)",
        *_columns(_shares(summary["winners"]), "<>><"),
    ]
    yield ["What ended them", *_columns(_ends(summary["ends"], total), "<>>")]
    yield ["How long they were, in decisions", *_lengths(summary["length"])]


def _shares(shares: Mapping[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for name, share in shares.items():
        between = f"{_percent(share['low']):>6} to {_percent(share['high']):>6}"
        rows.append((name, f"{share['count']:,}", _percent(share["share"]), between))
    return rows


def _ends(shares: Mapping[str, Any], total: int) -> list[Row]:
    rows: list[Row] = []
    for name, share in shares.items():
        if share["count"]:
            rows.append((name, f"{share['count']:,}", _percent(share["share"])))
        else:
            rows.append((name, "never", f"under {_percent(never_seen(total))}"))
    return rows


_LENGTHS = {
    "min": "shortest",
    "5%": "5% up to",
    "25%": "25% up to",
    "median": "half up to",
    "75%": "75% up to",
    "95%": "95% up to",
    "max": "longest",
    "mean": "mean",
}


def _lengths(lengths: Mapping[str, float]) -> list[str]:
    names = [_LENGTHS[name] for name in lengths]
    numbers = [
        _decimal(value) if name == "mean" else _tidy(value) for name, value in lengths.items()
    ]
    widths = [max(len(a), len(b)) for a, b in zip(names, numbers, strict=True)]
    return [
        "  " + "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        for row in (names, numbers)
    ]


def _rest(playouts: Playouts, summary: Mapping[str, Any]) -> list[str]:
    rows: list[Row] = []
    branching = summary["branching"]
    if branching is not None:
        words = "on average"
        if playouts.asked.joint:
            words += f", or {_decimal(branching['decisions'])} joint choices a decision"
        if branching["estimated"]:
            words += " (estimated from the draws)"
        rows.append(("Legal moves to choose from", f"{_decimal(branching['moves'])} {words}"))
    if summary["scores"] is not None:
        means = ", ".join(f"{name} {_decimal(m)}" for name, m in summary["scores"].items())
        rows.append(("Mean score", means))
    speed = summary["speed"]
    per_wall, per_cpu = speed["games_per_second"], speed["games_per_cpu_second"]
    if per_wall is not None and per_cpu is not None:
        rates = f"{_decimal(per_wall)} games a second, {_decimal(per_cpu)} for each CPU second"
        rows.append(("Speed", f"{rates} ({speed['engine']})"))
    return [line.removeprefix("  ") for line in _columns(rows, "<<")]


# ---- numbers and columns


def _columns(rows: list[Row], align: str) -> Iterator[str]:
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{text:{a}{w}}" for text, a, w in zip(row, align, widths, strict=True)]
        yield "  " + "  ".join(cells).rstrip()


def _percent(share: float) -> str:
    """Of a share between 0 and 1, never rounded to all or nothing."""
    text = f"{100 * share:.1f}%"
    if text == "0.0%" and share > 0:
        return "<0.1%"
    if text == "100.0%" and share < 1:
        return ">99.9%"
    return text


def _decimal(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:,.1f}"


def _tidy(number: float) -> str:
    return f"{number:,.1f}".removesuffix(".0")


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
