"""A position text as lines of words, and the faults found in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from ludeme.diagnostics import Diagnostic, Note, Source, Span, did_you_mean

MOST_FAULTS = 100
"""A text with more faults is not read further; the messages would help nobody."""

_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"\{\s*\}|-?\w+|[^\w\s]")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


@attrs.frozen
class Word:
    """A word, number or sign."""

    text: str
    span: Span

    @property
    def number(self) -> int | None:
        """The number that it is, if it is one."""
        return int(self.text) if _NUMBER.fullmatch(self.text) else None


Words = Sequence[Word]


@attrs.frozen
class Line:
    """The words before the first colon and those behind it; *rest* is None without a colon."""

    key: tuple[Word, ...]
    rest: tuple[Word, ...] | None
    span: Span

    @property
    def words(self) -> tuple[str, ...]:
        """The texts of the words before the colon."""
        return tuple(word.text for word in self.key)

    @property
    def end(self) -> Span:
        """The empty place behind the last character."""
        return Span(self.span.source, self.span.end, self.span.end)


def lines_of(source: Source) -> Iterator[Line]:
    """The lines that say something, without comments."""
    for found in _LINE.finditer(source.text.replace("\ufeff", " ")):
        text = found.group().partition("--")[0]
        words = [
            Word(
                word.group(), Span(source, found.start() + word.start(), found.start() + word.end())
            )
            for word in _WORD.finditer(text)
        ]
        if words:
            yield _line(words)


def _line(words: list[Word]) -> Line:
    span = span_of(words)
    for place, word in enumerate(words):
        if word.text == ":":
            return Line(tuple(words[:place]), tuple(words[place + 1 :]), span)
    return Line(tuple(words), None, span)


def span_of(words: Words) -> Span:
    """From the first to the last of some words, of which there is at least one."""
    return words[0].span.to(words[-1].span)


def text_of(words: Words) -> str:
    """Some words, of which there is at least one, as they stand in the text."""
    return " ".join(span_of(words).text.split())


def parted(words: Words, sign: str = ",") -> list[list[Word]]:
    """Words parted at a sign that stands outside brackets; no words are no part."""
    parts: list[list[Word]] = [[]]
    depth = 0
    for word in words:
        depth += (word.text == "(") - (word.text == ")")
        if word.text == sign and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if words else []


class TooManyFaultsError(Exception):
    """Reading stops."""


class Faults:
    """Collects what is wrong with a position."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Diagnostic] = []

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        """Collect a fault."""
        self.found.append(Diagnostic(code, span, message, tuple(notes), help))
        if len(self.found) >= MOST_FAULTS:
            raise TooManyFaultsError

    def unknown(self, what: str, word: Word, known: Iterable[str]) -> None:
        """A name that nothing has."""
        names = list(known)
        help_text = did_you_mean(word.text, names)
        if help_text is None and 0 < len(names) <= 8:
            help_text = "known here: " + ", ".join(f"`{name}`" for name in names)
        self.add("unknown-name", word.span, f"no {what} is called `{word.text}`", help_text)

    def twice(self, span: Span, what: str, first: Span) -> None:
        """Something that was said before."""
        self.add(
            "said-twice",
            span,
            f"{what} is said twice",
            "keep one of the two lines" if first.line != span.line else "keep one of the two",
            [Note(first, "first said here")],
        )

    def sorted(self) -> list[Diagnostic]:
        """All faults in the order of the text."""
        return sorted(self.found, key=lambda fault: (fault.span.start, fault.span.end))
