"""Pages in HTML that stand for themselves: no script, nothing loaded, one style for all media."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root {
  --paper: #fdfcf9; --ink: #22201c; --soft: #6b665d; --line: #dcd7cc; --panel: #f4f1e9;
  --series-1: #3b6ea8; --series-2: #c8501e; --series-3: #2f7f5f; --series-4: #8a4c9e;
  --series-5: #a3761b; --series-6: #5b6470; --good: #2f7f5f; --doubt: #a3761b;
  --cell: #efe9da; --heat: #b3360e; --more: #c8501e; --less: #3b6ea8;
}
@media (prefers-color-scheme: dark) { :root {
  --paper: #191a1c; --ink: #e9e6df; --soft: #a5a098; --line: #3a3b3e; --panel: #222427;
  --series-1: #7fb0ea; --series-2: #f0925f; --series-3: #6cc7a0; --series-4: #cf9be0;
  --series-5: #e0b95e; --series-6: #a9b4c2; --good: #6cc7a0; --doubt: #e0b95e;
  --cell: #2b2d30; --heat: #c4481c; --more: #b3541f; --less: #2f6db0;
} }
@media print { :root {
  --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --panel: #fff;
  --series-1: #2b5a91; --series-2: #b3400f; --series-3: #1f6b4d; --series-4: #763a8a;
  --series-5: #855e0e; --series-6: #444; --good: #1f6b4d; --doubt: #855e0e;
  --cell: #f4f4f4; --heat: #a32c06; --more: #b3400f; --less: #2b5a91;
} }
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.lead { font-size: 1.15rem; }
.note { background: var(--panel); border-left: 4px solid var(--doubt); padding: .5rem .9rem;
  margin: .8rem 0; }
.note ul { margin: .2rem 0; padding-left: 1.1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem;
  font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-weight: 600; color: var(--soft); }
th:first-child, td:first-child { text-align: left; padding-left: 0; min-width: 9rem; }
td.words, th.words { text-align: left; }
td.number { white-space: nowrap; }
tr.group td { font-weight: 600; padding-top: .9rem; color: var(--soft); }
tr.part td:first-child { padding-left: 1.2rem; }
.plots { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
figure { margin: 0; break-inside: avoid; min-width: 0; }
figcaption { font-size: .88rem; color: var(--soft); margin-top: .2rem; }
svg { max-width: 100%; height: auto; display: block; }
svg.plot { width: 100%; }
svg text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif !important; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .35em; }
footer { margin-top: 2.5rem; padding-top: .8rem; border-top: 1px solid var(--line);
  font-size: .88rem; color: var(--soft); }
code { font-size: .92em; overflow-wrap: anywhere; }
@media (max-width: 34rem) { .plots { grid-template-columns: 1fr; } }
@media print { body { padding: 0; max-width: none; font-size: 11pt; } h2 { break-after: avoid; }
  tr { break-inside: avoid; } .scroll { overflow: visible; } }
"""


def tag(name: str, *children: str, **attributes: str) -> str:
    """An element; its children are HTML already. ``class_`` is the attribute ``class``."""
    head = name + "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return f"<{head}>{''.join(children)}</{name}>"


def text(words: str) -> str:
    """Text as content."""
    return escape(words, quote=False)


def p(words: str, class_: str = "") -> str:
    """A paragraph of text."""
    return tag("p", text(words), class_=class_) if class_ else tag("p", text(words))


def points(lines: Iterable[str]) -> str:
    """A list of text."""
    return tag("ul", *(tag("li", text(line)) for line in lines))


def table(head: Sequence[str], rows: Iterable[str]) -> str:
    """A table; *rows* are HTML, as `row` makes them."""
    cells = tag("tr", *(tag("th", text(cell), scope="col") for cell in head))
    inner = tag("table", tag("thead", cells), tag("tbody", *rows))
    return tag("div", inner, class_="scroll")


def row(cells: Sequence[str], class_: str = "", words: Sequence[int] = ()) -> str:
    """A row of text cells; the first and those numbered in *words* are set as words."""
    made = [
        tag("td", text(cell), class_="words" if number in (0, *words) else "number")
        for number, cell in enumerate(cells)
    ]
    return tag("tr", *made, class_=class_) if class_ else tag("tr", *made)


def figure(picture: str, caption: str) -> str:
    """A picture with what it shows."""
    return tag("figure", picture, tag("figcaption", text(caption)))


def page(title: str, *parts: str) -> str:
    """The whole page."""
    head = tag(
        "head",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        tag("title", text(title)),
        tag("style", STYLE),
    )
    return "<!DOCTYPE html>\n" + tag("html", head, tag("body", *parts), lang="en") + "\n"
