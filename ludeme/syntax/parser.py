"""From text to syntax tree, going on after mistakes.

An item is parsed on its own. Where a line cannot be understood it is reported, a hole is put in its
place, and the item is parsed again, so that one run tells of every bad line.
"""

from __future__ import annotations

import re
from typing import cast

import attrs
from lark import Token, Tree
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from ludeme.diagnostics import Diagnostic, Note, Source, Span
from ludeme.syntax import tree
from ludeme.syntax.build import Builder, span_of
from ludeme.syntax.explain import Passage, Slip, explain, parser
from ludeme.syntax.layout import (
    HOLE,
    LONG_NUMBER,
    Chunk,
    Comment,
    Line,
    lay_out,
    normalise,
)

MOST_ERRORS = 25
DEEPEST_TREE = 150
_WORD = re.compile(r"[^\W\d]\w*")


@attrs.frozen
class Parsed:
    """A syntax tree and what was wrong on the way to it.

    *tainted*: names that stand in lines which could not be understood. Nothing is said of a name
    that is unknown only because its line was left out.
    """

    source: Source
    file: tree.File
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    tainted: frozenset[str]


def parse(text: str, name: str = "") -> Parsed:
    """Parse a description. Never raises for a mistake in *text*."""
    source = Source(name, normalise(text))
    layout = lay_out(source)
    reader = _Reader(source, list(layout.diagnostics))
    items = []
    for chunk in layout.chunks:
        item = reader.item(chunk)
        if item is not None:
            items.append(item)
        if len(reader.diagnostics) >= MOST_ERRORS:
            break
    reader.diagnostics.sort(key=lambda d: (d.span.start, d.span.end))
    return Parsed(
        source,
        tree.File(tuple(items), span=Span(source, 0, len(source.text))),
        layout.comments,
        tuple(reader.diagnostics[:MOST_ERRORS]),
        frozenset(reader.tainted),
    )


def parse_expression(text: str, name: str = "") -> tuple[tree.Expression | None, Parsed]:
    """Parse one expression, as in the value of an option; None where it is wrong."""
    source = Source(name, normalise(text))
    reader = _Reader(source, [])
    value = reader.expression(Span(source, 0, len(text)))
    empty = tree.File(())
    return value, Parsed(source, empty, (), tuple(reader.diagnostics), frozenset())


class _Reader:
    def __init__(self, source: Source, diagnostics: list[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.tainted: set[str] = set()

    def item(self, chunk: Chunk) -> tree.Item | None:
        """Parse an item, leaving out bad lines; None if its first line is bad."""
        passage = Passage(self.source, chunk.start, chunk.text, chunk.lines)
        for _ in range(MOST_ERRORS):
            try:
                parsed = parser().parse(passage.text, start="item")
            except (UnexpectedInput, DedentError) as error:
                smaller = self.without_bad_line(explain(error, passage), passage)
                if smaller is None:
                    self.tainted.update(_WORD.findall(chunk.text))
                    return None
                passage = smaller
            else:
                return cast("tree.Item | None", self.build(parsed, chunk.start))
        return None

    def build(self, parsed: Tree[Token], offset: int) -> tree.Node | None:
        """The syntax tree of what was parsed; None if it is too deep for what comes after."""
        deepest = _deepest(parsed)
        if deepest is not None:
            span = span_of(self.source, offset, deepest.meta)
            message = "too much hangs together on this line"
            self.report("too-deep", span, message, "name parts of it with `define`")
            return None
        return cast("tree.Node", Builder(self.source, offset, self.template).transform(parsed))

    def without_bad_line(self, slip: Slip, passage: Passage) -> Passage | None:
        """Report *slip* and put a hole in place of its line; None if nothing is left."""
        bad = slip.line
        if passage.text[bad.start + bad.indent - passage.start] == HOLE:
            # No hole may stand here, so the line above that it belongs to goes as well.
            bad = passage.above(bad)[-1]
        else:
            self.report_slip(slip, passage)
        if bad.indent == 0:
            return None
        gone = _with_what_hangs_on(bad, slip.stray, passage)
        for line in gone:
            self.tainted.update(_WORD.findall(self.source.text[line.start : line.end]))
        return _dig(passage, bad, gone, leave_hole=not slip.stray)

    def report_slip(self, slip: Slip, passage: Passage) -> None:
        line = slip.line
        for known in self.diagnostics:
            if known.code in ("bracket", "tab") and line.start <= known.span.start < line.end:
                return  # What follows from an open bracket need not be told.
        above = passage.above(line)
        notes: tuple[Note, ...] = ()
        if slip.structure and above:
            place = Span(self.source, above[-1].start + above[-1].indent, above[-1].end)
            notes = (Note(place, "in the block that begins here"),)
        self.report("syntax", slip.span, slip.message, slip.help, notes)

    def expression(self, span: Span) -> tree.Expression | None:
        """Parse the text under *span*, of one line, as an expression."""
        text = self.source.text[span.start : span.end]
        if not text.strip():
            self.report("syntax", span, "a value is missing between the braces")
            return None
        if LONG_NUMBER.search(text):
            self.report("number-size", span, "a number here has more than 18 digits")
            return None
        line = Line(span.start, span.end, 0)
        try:
            parsed = parser().parse(text, start="expr")
        except (UnexpectedInput, DedentError) as error:
            slip = explain(error, Passage(self.source, span.start, text, (line,), "expr"))
            self.report("syntax", slip.span, slip.message, slip.help)
            return None
        return cast("tree.Expression | None", self.build(parsed, span.start))

    def template(self, span: Span) -> tree.Template:
        """The printed form under *span*, quotes included."""
        parts: list[str | tree.Expression] = []
        at, end = span.start + 1, span.end - 1
        text = self.source.text
        while at < end:
            opened = text.find("{", at, end)
            if opened < 0:
                parts.append(text[at:end])
                break
            if opened > at:
                parts.append(text[at:opened])
            closed = text.find("}", opened, end)
            if closed < 0:
                hole = Span(self.source, opened, opened + 1)
                self.report("template", hole, "this `{` is not closed in the printed form")
                break
            value = self.expression(Span(self.source, opened + 1, closed))
            parts.append(value if value is not None else tree.Hole())
            at = closed + 1
        return tree.Template(tuple(parts), span=span)

    # ---- explaining

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.diagnostics.append(Diagnostic(code, span, message, notes, help))


def _deepest(parsed: Tree[Token]) -> Tree[Token] | None:
    """A part that lies too deep in the parse tree, or None."""
    level = [parsed]
    for _ in range(DEEPEST_TREE):
        level = [child for each in level for child in each.children if isinstance(child, Tree)]
        if not level:
            return None
    return level[0]


def _with_what_hangs_on(bad: Line, stray: bool, passage: Passage) -> list[Line]:
    """The line, its block, and what cannot stay without it.

    That is an `else` that would lose its `if`, or all beside a line that begins a *stray* block.
    """
    gone = [bad]
    for line in passage.lines[passage.lines.index(bad) + 1 :]:
        beside = line.indent == bad.indent
        text = passage.line_text(line).strip()
        if line.indent < bad.indent or (beside and not stray and not re.match(r"else\b", text)):
            break
        gone.append(line)
    return gone


def _dig(passage: Passage, bad: Line, gone: list[Line], leave_hole: bool) -> Passage:
    """The passage without the lines that are *gone*, and perhaps a hole where *bad* began."""
    characters = list(passage.text)
    for line in gone:
        for i in range(line.start - passage.start, line.end - passage.start):
            characters[i] = " "
    if leave_hole:
        characters[bad.start + bad.indent - passage.start] = HOLE
    left = [line for line in passage.lines if line not in gone or (leave_hole and line is bad)]
    return attrs.evolve(passage, text="".join(characters), lines=tuple(left))
