"""What changes from one description to another, item by item, as a designer reads it.

Variants are compared as they are played: the items of a file laid over those of the file that it
extends. Items belong together by kind and name (`turn build`, `option size`), and are changed if
their trees differ; comments and layout are no change.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs

from ludeme.check.merge import Key, key_of, merge, spoken
from ludeme.check.report import Report
from ludeme.game import Game, Sources
from ludeme.syntax import tree
from ludeme.syntax.format import format_part
from ludeme.syntax.format_expressions import expression
from ludeme.syntax.format_lines import line
from ludeme.syntax.wrapping import flat

Kind = Literal["added", "removed", "changed"]

ORDER = (
    "game",
    "by",
    "players",
    "option",
    "board",
    "region",
    "piece",
    "stacks",
    "holds",
    "state",
    "define",
    "start",
    "turn",
    "reveal",
    "sight",
    "play",
    "end",
    "ranking",
    "example",
)
"""The kinds of item, in the order in which a designer meets them in a file."""


@attrs.frozen
class Part:
    """What changed inside an item: a bullet of a turn, an end, a value of an option.

    *before* and *after* are texts in the one layout, None where there is none.
    """

    kind: str
    name: str
    before: str | None
    after: str | None

    @property
    def change(self) -> Kind:
        """What became of it."""
        return _change(self.before, self.after)


@attrs.frozen
class Change:
    """An item that differs: its kind and name as in `ludeme.check.merge`, and its two texts."""

    kind: str
    name: str
    before: str | None
    after: str | None
    parts: tuple[Part, ...] = ()

    @property
    def change(self) -> Kind:
        """What became of it."""
        return _change(self.before, self.after)

    @property
    def title(self) -> str:
        """The item in words, such as ``turn build``."""
        return spoken((self.kind, self.name))

    def lines(self) -> Iterator[tuple[str, str]]:
        """The text line by line: each with ``-``, ``+`` or a blank, as a diff has them."""
        before, after = (self.before or "").split("\n"), (self.after or "").split("\n")
        if self.before is None or self.after is None:
            sign, only = ("+", after) if self.before is None else ("-", before)
            yield from ((sign, text) for text in only)
            return
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for _, first, last, other_first, other_last in matcher.get_opcodes():
            if before[first:last] == after[other_first:other_last]:
                yield from ((" ", text) for text in before[first:last])
                continue
            yield from (("-", text) for text in before[first:last])
            yield from (("+", text) for text in after[other_first:other_last])

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "kind": self.kind,
            "name": self.name,
            "change": self.change,
            "before": self.before,
            "after": self.after,
            "parts": [
                {
                    "kind": part.kind,
                    "name": part.name,
                    "change": part.change,
                    "before": part.before,
                    "after": part.after,
                }
                for part in self.parts
            ],
        }


def _change(before: str | None, after: str | None) -> Kind:
    if before is None:
        return "added"
    return "removed" if after is None else "changed"


@attrs.frozen(eq=False)
class Difference:
    """How *variant* differs from *base*; *extends*: it is written as a variant of it."""

    base: Game
    variant: Game
    extends: bool
    changes: tuple[Change, ...]

    @property
    def same_meaning(self) -> bool:
        """Whether no game can go otherwise: the digests are equal, and the options can be the same.

        Title, author and examples take no part.
        """
        return self.base.digest == self.variant.digest and _can_be(self.base) == _can_be(
            self.variant
        )

    @property
    def verdict(self) -> str:
        """In a sentence, whether the rules are the same."""
        rules = [change for change in self.changes if change.kind not in _NO_RULES]
        if self.same_meaning:
            same = not self.changes
            return "No rule differs." if same else "No rule differs: any game can go the same way."
        if not rules:
            return (
                "The items are the same and stand in another order; for records that is another"
                " meaning."
            )
        kinds = ("changed", "added", "removed")
        counts = {kind: sum(change.change == kind for change in rules) for kind in kinds}
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"The rules differ: {told}."

    def text(self) -> str:
        """The differences between the two as they are played, as a unified diff."""
        before, after = map(_whole, _both(self.base, self.variant))
        names = self.base.name, self.variant.name
        lines = difflib.unified_diff(before, after, *names, lineterm="")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "base": _about(self.base),
            "variant": _about(self.variant),
            "extends": self.extends,
            "same_meaning": self.same_meaning,
            "changes": [change.as_dict() for change in self.changes],
            "text": self.text(),
        }


_NO_RULES = ("game", "by", "example")


def diff(base: Game, variant: Game) -> Difference:
    """What changes from *base* to *variant*.

    Examples are those of each file itself; where *variant* extends *base*, whose examples it does
    not take over, only its own are told.
    """
    before, after = _both(base, variant)
    changes = []
    for key in sorted({**before, **after}, key=lambda key: _place(key, before, after)):
        found = _compare(key, before.get(key), after.get(key))
        if found is not None:
            changes.append(found)
    return Difference(base, variant, _extends(variant, base), tuple(changes))


# ---- items


def _items(sources: Sources) -> dict[Key, tree.Item]:
    """The items of a description as it is played, by kind and name."""
    parsed = sources.parsed(sources.name)
    assert parsed is not None
    found: dict[Key, tree.Item] = {}
    for item in merge(parsed, sources.parsed, Report()).items:
        key = ("example", item.title) if isinstance(item, tree.Example) else key_of(item)
        if key is not None:
            found[key] = item
    return found


def _both(base: Game, variant: Game) -> tuple[dict[Key, tree.Item], dict[Key, tree.Item]]:
    """The items of both; examples that a variant could not take over are left out."""
    before, after = _items(base.sources), _items(variant.sources)
    if _extends(variant, base):
        before = {k: item for k, item in before.items() if k[0] != "example" or k in after}
    return before, after


def _extends(variant: Game, base: Game) -> bool:
    """Whether a description extends another one, perhaps by way of a third."""
    texts = variant.sources.texts
    return base.name != variant.name and texts.get(base.name) == base.sources.texts[base.name]


def _place(
    key: Key, before: Mapping[Key, tree.Item], after: Mapping[Key, tree.Item]
) -> tuple[int, int]:
    """Kinds in their order; within one, as the variant has them and then what it has no more."""
    keys = [*after, *(key for key in before if key not in after)]
    return ORDER.index(key[0]), keys.index(key)


def _compare(key: Key, before: tree.Item | None, after: tree.Item | None) -> Change | None:
    if _as_header(before) == _as_header(after):
        return None
    texts = [None if item is None else _text(item) for item in (before, after)]
    parts = tuple(_parts(before, after)) if before is not None and after is not None else ()
    return Change(key[0], key[1], texts[0], texts[1], parts)


def _as_header(item: tree.Item | None) -> object:
    """An item as it is compared: of a header only the title, for what is extended is laid open."""
    return item.title if isinstance(item, tree.Header) else item


def _text(item: tree.Item) -> str:
    if isinstance(item, tree.Header):
        return f'game "{item.title}"'
    return format_part(item)


def _whole(items: Mapping[Key, tree.Item]) -> list[str]:
    """The lines of a description as it is played, its items in order and apart."""
    lines: list[str] = []
    for key in sorted(items, key=lambda key: ORDER.index(key[0])):
        text = _text(items[key]).split("\n")
        if len(text) > 1 and lines and lines[-1]:
            lines.append("")
        lines.extend(text)
        if len(text) > 1:
            lines.append("")
    return lines


# ---- inside items


def _parts(before: tree.Item, after: tree.Item) -> Iterator[Part]:
    """What changed inside an item, where its parts have names."""
    match before, after:
        case tree.Turn(), tree.Turn():
            yield from _paired("bullet", _bullets(before.body), _bullets(after.body))
        case tree.Ends(), tree.Ends():
            yield from _paired("end", _finishes(before), _finishes(after))
        case tree.Option(), tree.Option():
            yield from _paired("value", _values(before), _values(after))
        case tree.Regions(), tree.Regions():
            yield from _paired("region", _pictures(before), _pictures(after))
        case tree.Players(), tree.Players():
            names = [[word.text for word in item.names] for item in (before, after)]
            yield from _paired("player", *({name: name for name in each} for each in names))


def _paired(kind: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Part]:
    for name in [*after, *(name for name in before if name not in after)]:
        if before.get(name) != after.get(name):
            yield Part(kind, name, before.get(name), after.get(name))


def _bullets(block: Sequence[tree.Node]) -> dict[str, str]:
    """The bullets of a turn by name, those within others too."""
    bullets = (node for node in _walk(block) if isinstance(node, tree.Bullet))
    return {bullet.name.text: format_part(bullet) for bullet in bullets}


def _walk(nodes: Iterable[object]) -> Iterator[tree.Node]:
    """All nodes below some, in the order of the text."""
    for node in nodes:
        if isinstance(node, tuple):
            yield from _walk(node)
        elif isinstance(node, tree.Node):
            yield node
            yield from _walk(getattr(node, field.name) for field in attrs.fields(type(node)))


def _finishes(item: tree.Ends) -> dict[str, str]:
    return {finish.name.text: flat(line(finish)) for finish in item.finishes}


def _pictures(item: tree.Regions) -> dict[str, str]:
    return {
        member.name.text: "\n".join(row.text for row in member.picture.rows)
        for member in item.members
    }


def _values(item: tree.Option) -> dict[str, str]:
    found = {"default": flat(expression(item.value))}
    if item.choices:
        found["values"] = ", ".join(flat(expression(choice)) for choice in item.choices)
    if item.help:
        found["help"] = item.help
    return found


# ---- options


def _can_be(game: Game) -> dict[str, tuple[object, ...]]:
    """The options and what they can be, help left out."""
    return {o.name: (str(o.type), o.default, o.values) for o in game.program.options}


def _about(game: Game) -> dict[str, Any]:
    return {
        "game": game.record_name,
        "title": game.title,
        "digest": game.digest,
        "options": dict(game.options),
    }
