"""Rule coverage as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ludeme.lab.annotated import Line, annotate, share_text
from ludeme.lab.coverage import Coverage
from ludeme.lab.rules import Rule

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfdfb; --dim: #6b6b6b;
  --line: #d9d7d0; --never: #b3261e; --never-paper: #fbe9e7; --idle: #8a5a00;
  --idle-paper: #fff4dc; --bar: #cfe0ea; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #17181a; --dim: #9c9a94;
  --line: #3a3b3d; --never: #ff9d94; --never-paper: #40201d; --idle: #f0c674;
  --idle-paper: #3a2f16; --bar: #2b4450; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p { max-width: 46rem; } .dim { color: var(--dim); }
table { border-collapse: collapse; } td, th { padding: .15rem .7rem .15rem 0; text-align: left; }
th { font-weight: 600; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.source { font: 13px/1.45 ui-monospace, monospace; width: 100%; }
.source td { padding: 0 .6rem 0 0; white-space: pre; vertical-align: top; }
.source td.text { width: 99%; white-space: pre-wrap; }
.source td.share { background: linear-gradient(var(--bar), var(--bar)) right / var(--w, 0%) 100%
  no-repeat; min-width: 5rem; }
tr.never { background: var(--never-paper); } tr.never td.n, .never-word { color: var(--never); }
tr.idle { background: var(--idle-paper); } tr.unreached td { color: var(--dim); }
code { font: .93em ui-monospace, monospace; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } tr { break-inside: avoid; } }
"""


def page(coverage: Coverage) -> str:
    """The page: what never came to pass, what always held, and the text with its counts."""
    title = escape(coverage.game.title)
    parts = [
        "<!doctype html>",
        '<html lang="en"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>Rules of {title} in random play</title>",
        f"<style>{STYLE}</style>",
        f"<h1>{title}</h1>",
        f"<p class=dim>{escape(coverage.heading)}</p>",
        *_never(coverage),
        *_idle(coverage),
        *_sources(coverage),
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _never(coverage: Coverage) -> Iterator[str]:
    yield "<h2>Never came to pass</h2>"
    if not coverage.never:
        yield "<p>Every rule that had a chance came to pass.</p>"
        return
    yield _table(coverage.never, [rule.bound for rule in coverage.never])
    if coverage.games_bound is not None:
        yield f"<p>{escape(coverage.in_games)}</p>"


def _idle(coverage: Coverage) -> Iterator[str]:
    if coverage.idle:
        yield "<h2>Held whenever asked</h2>"
        yield _table(coverage.idle, [rule.refusal_bound for rule in coverage.idle])


def _table(rules: Sequence[Rule], bounds: Iterable[float | None]) -> str:
    rows = [
        "<tr>"
        f"<td><code>{escape(rule.text)}</code></td><td>{escape(rule.within)}</td>"
        f"<td class=n>{rule.span.line}</td><td class=n>{rule.chances:,}</td>"
        f"<td class=n>{share_text(bound) if bound is not None else ''}</td></tr>"
        for rule, bound in zip(rules, bounds, strict=True)
    ]
    head = (
        "<tr><th>rule</th><th>in</th><th class=n>line</th><th class=n>chances</th>"
        "<th class=n>less than</th></tr>"
    )
    return f"<table>{head}{''.join(rows)}</table>"


def _sources(coverage: Coverage) -> Iterator[str]:
    for source, lines in annotate(coverage.rules):
        yield f"<h2>{escape(source.name)}</h2>"
        yield (
            "<table class=source><tr><th class=n>came to pass</th><th class=n>of its chances</th>"
            "<th class=n>line</th><th></th></tr>"
        )
        yield from (_row(line) for line in lines)
        yield "</table>"


def _row(line: Line) -> str:
    passed = "" if line.passed is None else f"{line.passed:,}"
    share = "" if line.share is None else share_text(line.share)
    width = f" style='--w: {100 * line.share:.0f}%'" if line.share else ""
    hint = "; ".join(f"{r.text}: {r.passed:,} of {r.chances:,}" for r in line.rules)
    return (
        f'<tr class="{line.mark}" title="{escape(hint)}"><td class=n>{passed}</td>'
        f"<td class='n share'{width}>{share}</td><td class='n dim'>{line.number}</td>"
        f"<td class=text>{escape(line.text)}</td></tr>"
    )
