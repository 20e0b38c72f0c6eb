"""Variants: the items of a description laid over those of the one that it extends."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ludeme.check.report import Report
from ludeme.diagnostics import Note, Span
from ludeme.syntax import Parsed, tree

MOST_BASES = 8
Key = tuple[str, str]
Loader = Callable[[str], "Parsed | None"]


@attrs.frozen
class Merged:
    """One list of items, as if they stood in one file; *tainted* as in `Parsed`."""

    header: tree.Header | None
    items: tuple[tree.Item, ...]
    tainted: frozenset[str]
    broken: bool


def key_of(item: tree.Item) -> Key | None:
    """Kind and name of an item that can stand once; None for examples."""
    match item:
        case tree.Option():
            return "option", item.name.text
        case tree.Pieces():
            return "piece", item.names[0].text
        case tree.Region() | tree.Regions():
            return "region", item.name.text
        case tree.Variable():
            return "state", item.names[0].text
        case tree.Define() | tree.Ludeme():
            return "define", item.name.text
        case tree.Turn():
            return "turn", item.name.text if item.name else "move"
        case tree.Reveal():
            return "reveal", item.turn.text if item.turn else ""
        case tree.Example() | tree.Replace() | tree.Drop():
            return None
    return _SINGLE[type(item)], ""


_SINGLE: dict[type, str] = {
    tree.Header: "game",
    tree.Author: "by",
    tree.Players: "players",
    tree.Board: "board",
    tree.Stacks: "stacks",
    tree.Holds: "holds",
    tree.Sight: "sight",
    tree.Start: "start",
    tree.Play: "play",
    tree.Ranking: "ranking",
    tree.Ends: "end",
}
_DROP_KINDS = {"relation": "define", "ludeme": "define", "pieces": "piece", "regions": "region"}


def merge(parsed: Parsed, load: Loader, report: Report) -> Merged:
    """The items of *parsed* over those of its bases; examples come from *parsed* alone."""
    return _merge(parsed, load, report, ())


def _merge(parsed: Parsed, load: Loader, report: Report, above: tuple[str, ...]) -> Merged:
    report.diagnostics.extend(parsed.diagnostics)
    report.tainted |= parsed.tainted
    headers = [item for item in parsed.file.items if isinstance(item, tree.Header)]
    header = headers[0] if headers else None
    base: dict[Key, tree.Item] = {}
    broken = any(d.severity == "error" for d in parsed.diagnostics)
    extends = header.extends if header else None
    if extends is not None:
        merged = _base(extends, load, report, above)
        if merged is None:
            broken = True
        else:
            broken = broken or merged.broken
            for item in merged.items:
                key = key_of(item)
                if key is not None and not isinstance(item, tree.Header):
                    base[key] = item
    items, examples = _lay_over(parsed.file.items, base, extends, report, broken)
    return Merged(header, tuple(items.values()) + tuple(examples), report.tainted, broken)


def _base(
    extends: tree.Word, load: Loader, report: Report, above: tuple[str, ...]
) -> Merged | None:
    name = extends.text
    if name in above or len(above) >= MOST_BASES:
        message = f"`{name}` would extend itself" if name in above else "too many bases"
        report.error("extends", extends.span, message)
        return None
    base = load(name)
    if base is None:
        report.error(
            "extends",
            extends.span,
            f"no shipped game and no file beside this one is called `{name}`",
            help=f"`ludeme list` shows the shipped games; a file would be `{name}.game`",
        )
        return None
    return _merge(base, load, report, (*above, name))


def _lay_over(
    own: tuple[tree.Item, ...],
    base: dict[Key, tree.Item],
    extends: tree.Word | None,
    report: Report,
    broken: bool,
) -> tuple[dict[Key, tree.Item], list[tree.Item]]:
    items = dict(base)
    mine: dict[Key, tree.Item] = {}
    examples: list[tree.Item] = []
    base = dict(base)
    for item in own:
        if isinstance(item, tree.Drop):
            base.pop(_drop(item, items, extends, report), None)
            continue
        replaces = isinstance(item, tree.Replace)
        inner = item.item if isinstance(item, tree.Replace) else item
        key = key_of(inner)
        if key is None:
            examples.append(inner)
            continue
        if key in mine:
            _twice(key, inner.span, mine[key].span, report)
            continue
        if replaces and key not in base and not broken:
            _nothing_to_replace(key, item.span, base, extends, report)
        if not replaces and key in base and key[0] not in ("game", "by"):
            _already_there(key, inner.span, base[key].span, extends, report)
        items[key] = inner
        mine[key] = inner
    return items, examples


def spoken(key: Key) -> str:
    """An item in words, such as ``turn build``."""
    return "turn" if key == ("turn", "move") else " ".join(part for part in key if part)


def _twice(key: Key, span: Span, first: Span, report: Report) -> None:
    report.error(
        "declared-twice",
        span,
        f"`{spoken(key)}` stands here a second time",
        notes=[Note(first, "it first stands here")],
    )


def _drop(
    item: tree.Drop, items: dict[Key, tree.Item], extends: tree.Word | None, report: Report
) -> Key:
    kind = _DROP_KINDS.get(item.kind.text, item.kind.text)
    unnamed = "move" if kind == "turn" else ""
    key = (kind, item.name.text if item.name else unnamed)
    if key not in items:
        known = [spoken(k) for k in items if k[0] == kind] or [spoken(k) for k in items]
        where = f" in `{extends.text}`" if extends else "; this file extends no other"
        names = ", ".join(f"`{name}`" for name in known[:8])
        report.error(
            "replace",
            item.span,
            f"there is no `{spoken(key)}` to drop{where}",
            help=f"there is {names}" if extends and known else None,
        )
        return key
    del items[key]
    return key


def _nothing_to_replace(
    key: Key, span: Span, base: dict[Key, tree.Item], extends: tree.Word | None, report: Report
) -> None:
    if extends is None:
        report.error(
            "replace",
            span,
            "`replace` belongs in a file that extends another",
            help='leave out `replace`, or begin with `game "..." extends NAME`',
        )
        return
    known = [spoken(k) for k in base if k[0] == key[0]]
    names = ", ".join(f"`{name}`" for name in known)
    report.error(
        "replace",
        span,
        f"there is no `{spoken(key)}` in `{extends.text}` to replace",
        help=f"there is {names}" if known else "leave out `replace` to add it",
    )


def _already_there(
    key: Key, span: Span, first: Span, extends: tree.Word | None, report: Report
) -> None:
    base = extends.text if extends else "the base"
    report.error(
        "replace",
        span,
        f"`{spoken(key)}` is already there in `{base}`",
        help=f"write `replace {spoken(key)} ...` to put yours in its place",
        notes=[Note(first, "it stands here")],
    )
