"""From text to syntax tree, going on after mistakes.

An item is parsed on its own. Where a line cannot be understood it is reported, a hole is put in its
place, and the item is parsed again, so that one run tells of every bad line.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, cast

import attrs
from lark import Lark, Token
from lark.exceptions import (
    UnexpectedCharacters,
    UnexpectedEOF,
    UnexpectedInput,
    UnexpectedToken,
)
from lark.indenter import DedentError

from ludeme.diagnostics import Diagnostic, Note, Source, Span, near
from ludeme.syntax import tree, words
from ludeme.syntax.build import Builder
from ludeme.syntax.layout import HOLE, Chunk, Comment, Line, lay_out, normalise
from ludeme.syntax.tables import parser_from_tables

MOST_ERRORS = 25
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


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return parser_from_tables()


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
        """Parse an item, dropping bad lines; None if its first line is bad."""
        text = chunk.text
        lines = list(chunk.lines)
        for _ in range(MOST_ERRORS):
            try:
                parsed = _parser().parse(text, start="item")
                builder = Builder(self.source, chunk.start, self.template)
                return cast("tree.Item", builder.transform(parsed))
            except (UnexpectedInput, DedentError) as error:
                bad = self.explain(error, chunk, lines, text)
            first = lines.index(bad)
            last = first + 1
            while last < len(lines) and lines[last].indent > bad.indent:
                last += 1
            for line in lines[first:last]:
                self.tainted.update(_WORD.findall(self.source.text[line.start : line.end]))
            if bad.indent == 0 or text[bad.start + bad.indent - chunk.start] == HOLE:
                self.tainted.update(_WORD.findall(chunk.text))
                return None
            text = self.dig(text, chunk.start, lines[first:last])
            lines[first:last] = [bad]
        return None

    def dig(self, text: str, offset: int, lines: list[Line]) -> str:
        """Put a hole where the first of *lines* began; blank out the rest."""
        characters = list(text)
        for line in lines:
            for i in range(line.start, line.end):
                characters[i - offset] = " "
        characters[lines[0].start + lines[0].indent - offset] = HOLE
        return "".join(characters)

    def expression(self, span: Span) -> tree.Expression | None:
        """Parse the text under *span*, of one line, as an expression."""
        text = self.source.text[span.start : span.end]
        if not text.strip():
            self.report("syntax", span, "a value is missing between the braces")
            return None
        try:
            parsed = _parser().parse(text, start="expr")
        except (UnexpectedInput, DedentError) as error:
            place, message, help_text = self.describe(error, text, span.start)
            self.report("syntax", place, message, help_text)
            return None
        builder = Builder(self.source, span.start, self.template)
        built = parsed if isinstance(parsed, Token) else builder.transform(parsed)
        return cast("tree.Expression", built)

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

    def explain(
        self, error: UnexpectedInput | DedentError, chunk: Chunk, lines: list[Line], text: str
    ) -> Line:
        """Report a syntax error; return the line at fault."""
        span, message, help_text = self.describe(error, text, chunk.start)
        bad = lines[0]
        for line in lines:
            if line.start <= span.start:
                bad = line
        notes: tuple[Note, ...] = ()
        already = any(
            d.code == "bracket" and bad.start <= d.span.start <= bad.end for d in self.diagnostics
        )
        if bad is not lines[0] and not already:
            opener = self.opener(lines, bad)
            if opener is not None:
                place = Span(self.source, opener.start + opener.indent, opener.end)
                notes = (Note(place, "in the block that begins here"),)
        if not already:
            self.report("syntax", span, message, help_text, notes)
        return bad

    def opener(self, lines: list[Line], bad: Line) -> Line | None:
        above = [line for line in lines if line.start < bad.start and line.indent < bad.indent]
        return above[-1] if above else None

    def describe(
        self, error: UnexpectedInput | DedentError, text: str, offset: int
    ) -> tuple[Span, str, str | None]:
        if isinstance(error, UnexpectedCharacters):
            return self.describe_character(error, text, offset)
        if isinstance(error, UnexpectedToken):
            return self.describe_token(error, text, offset)
        if isinstance(error, UnexpectedEOF):
            accepted = set(error.expected)
        else:
            accepted = set()
        end = Span(self.source, offset + len(text.rstrip()), offset + len(text.rstrip()))
        return end, f"the item ends too soon: {words.expected(accepted)} is missing", None

    def describe_character(
        self, error: UnexpectedCharacters, text: str, offset: int
    ) -> tuple[Span, str, str | None]:
        place = error.pos_in_stream
        char = text[place]
        span = Span(self.source, offset + place, offset + place + 1)
        if char == '"' and '"' not in text[place + 1 :].split("\n", 1)[0]:
            return span, "this text is not closed on its line", 'a `"` is missing at its end'
        known = _CHARACTER_HELP.get(char)
        if char == "|" and text[place + 1 : place + 2] == "|":
            known = "write `or`"
        return span, f"`{char}` means nothing here", known

    def describe_token(
        self, error: UnexpectedToken, text: str, offset: int
    ) -> tuple[Span, str, str | None]:
        token = error.token
        accepted = set(error.accepts or error.expected or ())
        place = token.start_pos if token.start_pos is not None else len(text)
        if token.type in ("_NL", "$END", "_DEDENT"):
            before = len(text[:place].rstrip()) if token.type == "_NL" else len(text.rstrip())
            if token.type == "_DEDENT":
                before = len(text[:place].rstrip())
            span = Span(self.source, offset + before, offset + before)
            return span, f"the line ends too soon: {words.expected(accepted)} is missing", None
        if token.type == "_INDENT":
            line_end = text.find("\n", place + 1)
            start = place + 1 + len(text[place + 1 :]) - len(text[place + 1 :].lstrip())
            start = text.rfind("\n", 0, place + len(token) + 1) + 1 if start < place else start
            begin = len(text[:start]) + len(text[start:]) - len(text[start:].lstrip())
            span = Span(self.source, offset + begin, offset + (line_end if line_end > begin else begin + 1))
            message = "this line is indented further than the one above, which opens no block"
            return span, message, None
        end = token.end_pos if token.end_pos is not None else place + 1
        span = Span(self.source, offset + place, offset + end)
        return self.describe_word(span, token, accepted)

    def describe_word(
        self, span: Span, token: Token, accepted: set[str]
    ) -> tuple[Span, str, str | None]:
        if token.type == "HOLE":
            return span, "this line cannot stand here", None
        message = f"expected {words.expected(accepted)}, but here stands `{token}`"
        help_text = _slip(token, accepted)
        close = near(str(token), words.keywords(accepted)) if token.type in ("NAME", "FNAME") else []
        if help_text is None and close and close[0] != str(token):
            help_text = f"did you mean `{close[0]}`?"
        if help_text is None and "NAME" in accepted and token.type.isalpha() and token.isalpha():
            help_text = f"`{token}` is a word of the language and cannot be a name; choose another"
        return span, message, help_text


_CHARACTER_HELP = {
    "&": "sets and truths are joined with `and`",
    "!": "write `not`, or `!=` between two values",
    "^": "sets and truths are joined with `and`, `or` and `not`",
    "%": "the rest of a division is `a mod b`",
    "'": 'texts stand in double quotes, "like this"',
    "[": "a set is written in braces: `{a1, b2}`",
    "]": "a set is written in braces: `{a1, b2}`",
    "#": "a comment begins with `--`",
    "/": "a comment begins with `--`",
    "?": None,
    ".": "a range is written with two dots: `1..6`",
}


def _slip(token: Token, accepted: set[str]) -> str | None:
    """Help for what people from other languages type."""
    text = str(token)
    if text == ":" and "EQUAL" in accepted:
        return "write `=` here"
    if text == "=" and "EQUAL" not in accepted and "TO" in accepted:
        return "a variable is changed with `set NAME to VALUE`"
    if text == "=" and accepted & {"NAME", "INT"}:
        return "a comparison needs one `=`"
    if text in ("is", "equals", "==") and "EQUAL" in accepted:
        return "two values are compared with `=`; whether a set holds something, with `in`"
    if text == "of" and "EQUAL" in accepted:
        return "what a value is of stands in brackets: `owner(s)`"
    if text in ("any", "all") and accepted & {"NAME", "SOME"}:
        return "write `some`, `no` or `every`"
    if text == "if" and "REQUIRE" in accepted:
        return "what a move must fulfil is written `require ...`"
    if text == "when" and ("IF" in accepted or "REQUIRE" in accepted):
        return "write `if` for an effect that depends on something, `require` for a demand"
    if text == "where" and "HAS" in accepted:
        return "after `some`, `no` and `every` the condition follows `has`"
    if text == "has" and "WHERE" in accepted:
        return "after `those` the condition follows `where`"
    if text == "," and "COMMA_THEN" in accepted:
        return "write `, then`"
    return None


__all__ = ["Any", "Parsed", "parse", "parse_expression"]
