"""Spans of source text, and what we tell a designer about them.

A mistake in a file is a value, not an exception in flight: it is collected, and printed when all
are known. Lines and columns are worked out only when a diagnostic is printed.
"""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

import attrs

Severity = Literal["error", "warning", "fault"]


@attrs.define(eq=False, slots=False)
class Source:
    """A text and the name that messages give it (a file name without its folder)."""

    name: str
    text: str = attrs.field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return starts

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Both from 1, in characters."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its line end."""
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)]


@attrs.frozen
class Span:
    """A stretch of a source: offsets in characters, end exclusive."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.source.line_and_column(self.start)[1]

    @property
    def text(self) -> str:
        """The characters that the span covers."""
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """File, line and column, as editors understand them."""
        return f"{self.source.name}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """From the beginning of this span to the end of *other*."""
        return Span(self.source, self.start, max(self.end, other.end))


NOWHERE = Span(Source("", ""), 0, 0)


@attrs.frozen
class Note:
    """A second place that helps to understand a diagnostic."""

    span: Span
    message: str


@attrs.frozen
class Diagnostic:
    """What is wrong, where, and what to do.

    *code* is stable and documented; the words may change. *message* is one sentence in a
    designer's words. *help* says what to do, often with a near name.
    """

    code: str
    span: Span
    message: str
    notes: tuple[Note, ...] = ()
    help: str | None = None
    severity: Severity = "error"

    def __str__(self) -> str:
        return render(self)


class DescriptionError(Exception):
    """A description that cannot be given a meaning; carries every diagnostic."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(tuple(diagnostics))
        self.diagnostics = tuple(diagnostics)

    def __str__(self) -> str:
        return "\n\n".join(render(d) for d in self.diagnostics)

    def __reduce__(self) -> tuple[type[DescriptionError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class DescriptionFault(Exception):
    """A description that went wrong in play: no legal move, a number out of its range, ...

    *diagnostic* says what and where, *moves* the moves that led there, as for ``--after``.
    """

    def __init__(self, diagnostic: Diagnostic, moves: str = "") -> None:
        super().__init__(diagnostic, moves)
        self.diagnostic = diagnostic
        self.moves = moves

    def after(self, moves: str) -> DescriptionFault:
        """The same fault, told with the moves that led there."""
        return DescriptionFault(self.diagnostic, moves)

    def __str__(self) -> str:
        shown = render(self.diagnostic)
        return f"{shown}\n  after: {self.moves or 'no move'}"

    def __reduce__(self) -> tuple[type[DescriptionFault], tuple[Diagnostic, str]]:
        return type(self), (self.diagnostic, self.moves)


def fault(code: str, span: Span, message: str, help: str | None = None) -> DescriptionFault:
    """A fault at a place of the description."""
    return DescriptionFault(Diagnostic(code, span, message, (), help, "fault"))


def render(diagnostic: Diagnostic) -> str:
    """The diagnostic as a compiler prints it: heading, the line, a caret, notes and help."""
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    if diagnostic.span.source.name:
        lines.extend(_picture(diagnostic.span, "-->"))
    for note in diagnostic.notes:
        lines.append(f"  note: {note.message}")
        lines.extend(_picture(note.span, "-->"))
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)


_WIDEST = 120


def _picture(span: Span, arrow: str) -> list[str]:
    line, column = span.source.line_and_column(span.start)
    text = span.source.line_text(line).replace("\t", " ")
    offset = column - 1
    width = max(1, min(span.end - span.start, len(text) - offset))
    if len(text) > _WIDEST:
        cut = max(0, offset - 20)
        text, offset = text[cut : cut + _WIDEST], offset - cut
        width = max(1, min(width, _WIDEST - offset))
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    number = str(line)
    gap = " " * len(number)
    return [
        f" {gap}{arrow} {span.place}",
        f" {number} | {text}",
        f" {gap} | {' ' * offset}{'^' * width}",
    ]


def shortened(text: str, most: int = 40) -> str:
    """A text as a message quotes it: its beginning, if it is long."""
    return text if len(text) <= most else text[: most - 3] + "..."


def near(name: str, known: Iterable[str], count: int = 1) -> list[str]:
    """The *count* known names that are most like *name*, best first; empty if none is near."""
    return difflib.get_close_matches(name, sorted(set(known)), n=count, cutoff=0.6)


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A line of help with the nearest known name, or None."""
    close = near(name, known)
    return f"did you mean `{close[0]}`?" if close else None
