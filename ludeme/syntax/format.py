"""The one layout of a description.

The layout follows from the tree, the comments, and three choices that stay the author's: whether a
short block stands behind its colon, where a blank line parts the lines of an item, and which short
items stand together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import pairwise, repeat
from typing import Any

import attrs

from ludeme.diagnostics import Source
from ludeme.syntax import tree
from ludeme.syntax.format_expressions import expression, listed, template
from ludeme.syntax.format_lines import assigned, line, names, parameters, shape
from ludeme.syntax.layout import Comment, Line, lay_out
from ludeme.syntax.parser import Parsed
from ludeme.syntax.wrapping import BREAK, Group, Nest, Text, fit, flat, join

WIDTH = 88
INDENT = 2


def format_file(parsed: Parsed) -> str:
    """The description in the one layout; parses to an equal tree and is its own layout.

    ValueError if the text has errors, as what was not understood cannot be laid out.
    """
    if any(diagnostic.severity == "error" for diagnostic in parsed.diagnostics):
        raise ValueError("a description with errors has no layout")
    source_lines = _SourceLines(parsed.source)
    writer = _Writer(source_lines)
    for item in parsed.file.items:
        writer.item(item)
    entries = list(_with_comments(writer.rows, parsed.comments, source_lines))
    return "".join(f"{text}\n" for text in _with_blanks(entries))


def format_part(part: tree.Item | tree.Bullet) -> str:
    """An item or a bullet in the one layout, without comments and without a last newline.

    Nothing in it may be a hole.
    """
    source_lines = _SourceLines(part.span.source)
    writer = _Writer(source_lines)
    if isinstance(part, tree.Bullet):
        writer.bullet(0, part)
    else:
        writer.item(part)
    entries = list(_with_comments(writer.rows, (), source_lines))
    return "\n".join(entry.text for entry in entries)


def dump(file: tree.File) -> str:
    """The tree as indented text, a node a line, for those who work on the parser."""
    return "\n".join(_dumped("", file, 0)) + "\n"


def _dumped(label: str, value: Any, depth: int) -> Iterator[str]:
    margin = "  " * depth + label
    if isinstance(value, tuple) and value:
        yield margin.rstrip(" =") + ":"
        for each in value:
            yield from _dumped("", each, depth + 1)
    elif isinstance(value, tree.Node) and not isinstance(value, tree.Word):
        yield f"{margin}{type(value).__name__}"
        for field in attrs.fields(type(value)):
            if field.name != "span":
                yield from _dumped(f"{field.name} = ", getattr(value, field.name), depth + 1)
    else:
        yield margin + repr(value.text if isinstance(value, tree.Word) else value)


class _SourceLines:
    """The whole lines of a source, to be found by an offset within them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines = [each for chunk in lay_out(source).chunks for each in chunk.lines]
        self.starts = [each.start for each in self.lines]

    def at(self, offset: int) -> int:
        """The number of the whole line in which *offset* stands."""
        return bisect_right(self.starts, offset) - 1

    def number(self, offset: int) -> int:
        """The number of the physical line, from 1."""
        return self.source.line_and_column(offset)[0]


@attrs.frozen
class _Row:
    """A line of the layout, perhaps broken, and the whole source lines from which it comes.

    *item*: which item of the file it belongs to; *header*: that item may stand close to others.
    """

    indent: int
    text: str
    first: Line
    last: Line
    item: int
    header: bool


_HEADERS = (
    tree.Header,
    tree.Author,
    tree.Players,
    tree.Option,
    tree.Board,
    tree.Pieces,
    tree.Stacks,
    tree.Variable,
    tree.Holds,
    tree.Sight,
    tree.Drop,
)
_Branching = tree.If | tree.IfStep


class _Writer:
    """Gathers the rows of a file, item by item."""

    def __init__(self, source_lines: _SourceLines) -> None:
        self.source_lines = source_lines
        self.rows: list[_Row] = []
        self.items = 0
        self.header = False
        self.prefix = ""

    # ---- rows

    def add(self, depth: int, text: Text, at: int, *, before: int | None = None) -> None:
        """Add a row for the source line at offset *at*, or the lines from *before* to *at*."""
        lines = self.source_lines
        indent = depth * INDENT
        written = fit((self.prefix, Nest(text)), indent, WIDTH)
        self.prefix = ""
        last = lines.lines[lines.at(at)]
        first = last if before is None else lines.lines[lines.at(before)]
        self.rows.append(_Row(indent, written, first, last, self.items, self.header))

    def line(self, depth: int, node: tree.Node) -> None:
        """Add a node that is one row."""
        self.add(depth, line(node), node.span.start)

    def head(
        self,
        depth: int,
        text: Text,
        at: int,
        body: tree.Block,
        *,
        before: int | None = None,
        deeper: int = 1,
    ) -> None:
        """Add the head of a block and the block, behind a colon if the author has it there."""
        if self.stands_behind_colon(body):
            inline = flat((self.prefix, text, ": ", join("; ", map(line, body))))
            if depth * INDENT + len(inline) <= WIDTH:
                self.prefix = ""
                self.add(depth, inline, at, before=before)
                return
        self.add(depth, Nest(text), at, before=before)
        for statement in body:
            self.statement(depth + deeper, statement)

    def stands_behind_colon(self, body: tree.Block) -> bool:
        start = body[0].span.start
        before = self.source_lines.source.text[:start].rstrip(" \t")
        return before.endswith(":")

    def picture(self, depth: int, picture: tree.Picture) -> None:
        for row in picture.rows:
            self.add(depth, row.text, row.span.start)

    # ---- statements and steps

    def statement(self, depth: int, node: tree.Statement) -> None:
        start = node.span.start
        match node:
            case tree.If():
                self.branches(depth, node, self.head)
            case tree.ForEach():
                self.head(depth, _for_each(node), start, node.body)
            case tree.OneByOne():
                text = (f"one by one {node.variable.text} in ", expression(node.domain))
                self.head(depth, text, start, node.body)
            case tree.OneOf():
                self.add(depth, "one of", start)
                for bullet in node.bullets:
                    self.bullet(depth + 1, bullet)
            case tree.Match():
                self.match(depth, node)
            case tree.Repeat():
                manner = " times or stop" if node.may_stop else " times while possible"
                self.head(depth, ("repeat ", expression(node.times), manner), start, node.body)
            case tree.Setup():
                self.add(depth, "setup", start)
                self.picture(depth + 1, node.picture)
            case _:
                self.line(depth, node)

    def bullet(self, depth: int, node: tree.Bullet) -> None:
        printed = f" as {template(node.template)}" if node.template else ""
        mark = "otherwise" if node.otherwise else "-"
        text = f"{mark} {node.name.text}{printed}"
        self.head(depth, text, node.span.start, node.body, deeper=2)

    def match(self, depth: int, node: tree.Match) -> None:
        # Flat, as an `else` that begins a line below `match` is a row.
        self.add(depth, flat(("match ", listed(map(expression, node.subjects)))), node.span.start)
        for row in node.rows:
            patterns = ", ".join(map(_pattern, row.patterns)) or "else"
            self.head(depth + 1, patterns, row.span.start, row.body)

    def branches(self, depth: int, node: _Branching, head: Callable[..., None]) -> None:
        """An `if` with all that hangs on it; *head* writes a line and its block."""
        head(depth, ("if ", expression(node.condition)), node.span.start, node.then)
        while len(node.otherwise) == 1 and isinstance(node.otherwise[0], type(node)):
            node = node.otherwise[0]
            text = ("else if ", expression(node.condition))
            head(depth, text, node.span.start, node.then, before=self.else_of(node.span.start))
        if node.otherwise:
            head(depth, "else", self.else_of(node.otherwise[0].span.start), node.otherwise)

    def else_of(self, start: int) -> int:
        """Where the line begins that holds the `else` before the statement at *start*."""
        lines = self.source_lines
        here = lines.at(start)
        text = lines.source.text[lines.starts[here] :].lstrip(" \t")
        return lines.starts[here if re.match(r"else\b", text) else here - 1]

    def step(self, depth: int, node: tree.Step) -> None:
        start = node.span.start
        match node:
            case tree.Phase():
                self.steps(depth, f"phase {node.name.text}", start, node.body)
            case tree.Loop():
                until: Text = (" until ", expression(node.until)) if node.until else ""
                self.steps(depth, ("repeat", until), start, node.body)
            case tree.Rounds():
                text = (f"for {node.variable.text} in ", expression(node.domain))
                self.steps(depth, text, start, node.body)
            case tree.IfStep():
                self.branches(depth, node, self.steps)
            case tree.ForEach():
                self.statement(depth, node)
            case _:
                self.line(depth, node)

    def steps(
        self, depth: int, text: Text, at: int, body: tree.Steps, *, before: int | None = None
    ) -> None:
        self.add(depth, Nest(text), at, before=before)
        for step in body:
            self.step(depth + 1, step)

    # ---- items

    def item(self, node: tree.Item) -> None:
        """Add the rows of an item."""
        self.items += 1
        start = node.span.start
        while isinstance(node, tree.Replace):
            self.prefix += "replace "
            node = node.item
        self.header = isinstance(node, _HEADERS)
        match node:
            case tree.Players():
                seats: Text = (expression(node.seats), " of ") if node.seats else ""
                self.lines(("players ", seats, names(node.names)), start, node.table)
            case tree.Pieces():
                self.lines(_pieces(node), start, node.table)
            case tree.Board():
                built = "sites" if node.shape is None else shape(node.shape)
                self.lines(("board ", built), start, (*node.lines, *node.changes))
            case tree.Region():
                self.region(node, start)
            case tree.Regions():
                self.regions(node, start)
            case tree.Ludeme():
                text = ("ludeme ", parameters(node.name.text, node.parameters, node.bracketed))
                self.head(0, text, start, node.body)
            case tree.Start():
                self.head(0, "start", start, node.body)
            case tree.Turn():
                self.head(0, _turn(node), start, node.body)
            case tree.Reveal():
                name = f" {node.turn.text}" if node.turn else ""
                self.head(0, f"reveal{name}", start, node.body)
            case tree.Play():
                self.steps(0, "play", start, node.steps)
            case tree.Sight():
                self.lines("sight", start, node.parts)
            case tree.Ends():
                self.lines("end", start, node.finishes)
            case tree.Example():
                self.example(node, start)
            case _:
                self.add(0, line(node), start)

    def lines(self, text: Text, start: int, nodes: tuple[tree.Node, ...]) -> None:
        """A head, and below it nodes of a row each."""
        self.add(0, text, start)
        for node in nodes:
            self.line(1, node)

    def region(self, node: tree.Region, start: int) -> None:
        head = f"region {node.name.text}"
        if node.sites is not None:
            self.add(0, assigned(head, node.sites), start)
        if node.picture is not None:
            self.add(0, head, start)
            self.picture(1, node.picture)

    def regions(self, node: tree.Regions, start: int) -> None:
        self.add(0, f"regions {node.name.text}", start)
        for member in node.members:
            self.add(1, member.name.text, member.span.start)
            self.picture(2, member.picture)

    def example(self, node: tree.Example, start: int) -> None:
        self.add(0, f'example "{node.title}"', start)
        for fact in node.facts:
            if isinstance(fact, tree.Given):
                self.head(1, "given", fact.span.start, fact.body)
            else:
                self.line(1, fact)


def _pieces(node: tree.Pieces) -> Text:
    neutral = "neutral " if node.neutral else ""
    word = "piece " if len(node.names) == 1 else "pieces "
    return (neutral, word, names(node.names))


def _turn(node: tree.Turn) -> str:
    name = f" {node.name.text}" if node.name else ""
    together = " together" if node.together else ""
    printed = f" as {template(node.template)}" if node.template else ""
    joiner = f' joined by "{node.joiner}"' if node.joiner is not None else ""
    return f"turn{name}{together}{printed}{joiner}"


def _for_each(node: tree.ForEach) -> Text:
    return ("for each ", Group(join((",", BREAK, "each "), map(_binder, node.binders))))


def _binder(node: tree.Binder) -> Text:
    if node.domain is None:
        return f"player {node.variable.text}"
    return (f"{node.variable.text} in ", expression(node.domain))


def _pattern(node: tree.Pattern) -> str:
    return "any" if node.value is None else str(node.value)


# ---- comments and blank lines


@attrs.frozen
class _Entry:
    """A row or comment with its indentation, and between which source lines it stands."""

    text: str
    top: int
    bottom: int
    item: int
    row: _Row | None = None


def _with_comments(
    rows: list[_Row], comments: tuple[Comment, ...], lines: _SourceLines
) -> Iterator[_Entry]:
    """The rows, with each comment before or behind the row that it stood at."""
    left = deque(comments)
    for i, row in enumerate(rows):
        while left and left[0].start < row.first.start:
            yield _above(left.popleft(), rows[:i], row, lines)
        top, bottom = lines.number(row.first.start), lines.number(row.last.end)
        behind = ""
        while left and lines.number(left[0].start) <= bottom:
            comment = left.popleft()
            if lines.number(comment.start) == bottom:
                behind = f"  {comment.text}"
            else:  # It stood between the parts of a broken line.
                yield _Entry(" " * row.indent + comment.text, top, top, row.item)
        yield _Entry(" " * row.indent + row.text + behind, top, bottom, row.item, row)
    for comment in left:
        yield _above(comment, rows, None, lines)


def _above(comment: Comment, before: list[_Row], after: _Row | None, lines: _SourceLines) -> _Entry:
    """A comment on a line of its own, at the indentation of what it belongs to.

    That is the line below, unless the comment stands further in, as the last thing of a block.
    """
    number, column = lines.source.line_and_column(comment.start)
    least = after.first.indent if after else 0
    home = after
    for row in reversed(before):
        if row.first.indent <= least:
            break
        if row.first.indent < column:
            home = row
            break
    indent = home.indent if home else 0
    item = home.item if home else before[-1].item + 1 if before else 0
    return _Entry(" " * indent + comment.text, number, number, item)


def _with_blanks(entries: list[_Entry]) -> Iterator[str]:
    """The texts with the blank lines that the author set, one at most, and those between items."""
    large = {number for number, count in Counter(_item_of_each_line(entries)).items() if count > 1}
    headers = {each.item for each in entries if each.row and each.row.header}
    gaps = [below.top - above.bottom > 1 for above, below in pairwise(entries)]
    for i, entry in enumerate(entries):
        if i > 0:
            pair = {entries[i - 1].item, entry.item}
            parted = len(pair) == 2 and bool(pair & large) and not pair <= headers
            if gaps[i - 1] or (parted and not _gap_above_item(entries, gaps, i)):
                yield ""
        yield entry.text


def _item_of_each_line(entries: list[_Entry]) -> Iterator[int]:
    for entry in entries:
        if entry.row is not None:
            yield from repeat(entry.item, entry.text.count("\n") + 1)


def _gap_above_item(entries: list[_Entry], gaps: list[bool], first: int) -> bool:
    """Whether the author parts the item from the one above it, perhaps below a comment."""
    i = first
    while i < len(entries) and entries[i].row is None:
        i += 1
    return any(gaps[first - 1 : i])
