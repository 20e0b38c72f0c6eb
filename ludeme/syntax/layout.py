"""From raw text to items of whole lines.

A file is cut into items (an item begins in the first column), comments are blanked out, and
lines that go on are joined. Every change keeps the length of the text, so that an offset means the
same character before and after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from ludeme.diagnostics import Diagnostic, Note, Source, Span

HOLE = "\x1a"
LONGEST_TEXT = 200_000
DEEPEST_BRACKETS = 60

_TRAILING = re.compile(
    r"(?:[,=+*/<>({-]|\b(?:and|or|not|in|where|has|then|when|until|from|to|over|along|by|through|past"
    r"|with|into|among|around|on|mod))$"
)
_LEADING = re.compile(
    r"(?:[+*/<>=)}]|!=|(?:and|or|where|has|then|else|when|until|from|to|over|along|by|through|past"
    r"|with|into|among|around|on|mod|in)\b)"
)
_CONTROL = re.compile(r"[^\n\t\x20-\x7e\x80-\U0010ffff]|[\x7f-\x9f\u2028\u2029\ufeff]")
LONG_NUMBER = re.compile(r"(?<!\w)[0-9]{19,}")
_FIRST_WORD = re.compile(r"\w+")
# Words that begin a row below a line of this kind, though elsewhere they go on with the line above.
_BEGINS_ROW = {"example": "with", "match": "else"}


@attrs.frozen
class Line:
    """A whole line of an item: offsets of its first and behind its last character."""

    start: int
    end: int
    indent: int


@attrs.frozen
class Chunk:
    """An item before it is parsed: where it begins, its text, and its whole lines."""

    start: int
    text: str
    lines: tuple[Line, ...]


@attrs.frozen
class Comment:
    """A comment: its offset, its text with the dashes, and whether it has a line of its own."""

    start: int
    text: str
    alone: bool


@attrs.frozen
class Layout:
    """What the layout pass found."""

    chunks: tuple[Chunk, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


def normalise(text: str) -> str:
    """The text without byte order mark and with one kind of line end, the last one included."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") or not text else text + "\n"


def is_unfinished(line: str) -> bool:
    """Whether a line ends in what cannot be its end; its last 20 characters are enough."""
    return line.strip() != "-" and _TRAILING.search(line) is not None


def lay_out(source: Source) -> Layout:
    """Cut the text of *source* (already normalised) into items of whole lines."""
    return _Pass(source).run()


class _Pass:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.comments: list[Comment] = []
        self.tabbed: list[tuple[int, int]] = []

    def run(self) -> Layout:
        text = self.source.text
        if len(text) > LONGEST_TEXT:
            message = f"a description may have {LONGEST_TEXT} characters; this has {len(text)}"
            self.report("too-large", 0, 1, message)
            return Layout((), (), tuple(self.diagnostics))
        characters = list(self.clean(text))
        lines = list(self.whole_lines(characters))
        self.report_tabs()
        chunks = tuple(self.chunks("".join(characters), lines))
        return Layout(chunks, tuple(self.comments), tuple(self.diagnostics))

    def report(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        help: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        span = Span(self.source, start, end)
        self.diagnostics.append(Diagnostic(code, span, message, notes, help))

    def clean(self, text: str) -> str:
        """Report what no description may hold, and put a blank in its place."""
        for found in _CONTROL.finditer(text):
            self.report(
                "character",
                found.start(),
                found.end(),
                f"an invisible character (U+{ord(found.group()):04X}) stands here",
                help="delete it; it may have come along when the text was copied",
            )
        return _CONTROL.sub(" ", text)

    def shorten_numbers(self, characters: list[str], start: int, end: int) -> None:
        """Report numbers that no machine word holds, and put zeros in their place."""
        line = "".join(characters[start:end])
        for found in LONG_NUMBER.finditer(line):
            if line.count('"', 0, found.start()) % 2 == 0:
                first, last = start + found.start(), start + found.end()
                self.report("number-size", first, last, "this number has more than 18 digits")
                characters[first:last] = "0" * (last - first)

    def whole_lines(self, characters: list[str]) -> Iterator[Line]:
        """Join physical lines; blank out comments and the line ends that do not count."""
        current: Line | None = None
        brackets: list[int] = []
        for start, end in self.physical_lines("".join(characters)):
            end = self.strip_comment(characters, start, end)
            content = "".join(characters[start:end])
            stripped = content.strip(" \t")
            if not stripped:
                continue
            if not stripped.startswith("|"):
                self.shorten_numbers(characters, start, end)
            indent = self.indent(content, start)
            goes_on = (
                current is not None
                and indent > current.indent
                and not stripped.startswith("|")
                and characters[current.start + current.indent] != "|"
                and (
                    bool(brackets)
                    or self.goes_on_with(characters, current, stripped)
                    or is_unfinished(
                        "".join(characters[max(current.start, current.end - 20) : current.end])
                    )
                )
            )
            if current is not None and goes_on:
                for i in range(current.end, start):
                    characters[i] = " "
                current = Line(current.start, start + len(content.rstrip(" \t")), current.indent)
            else:
                if current is not None:
                    self.report_open(brackets, current)
                    yield current
                brackets = []
                current = Line(start, start + len(content.rstrip(" \t")), indent)
            if not stripped.startswith("|"):
                self.track_brackets(characters, start, current.end, brackets)
        if current is not None:
            self.report_open(brackets, current)
            yield current

    def physical_lines(self, text: str) -> Iterator[tuple[int, int]]:
        start = 0
        while start < len(text):
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            yield start, end
            start = end + 1

    def strip_comment(self, characters: list[str], start: int, end: int) -> int:
        """Blank out the comment of the line, if any; return where the rest of it ends."""
        line = "".join(characters[start:end])
        if line.lstrip(" \t").startswith("|"):
            return end
        quoted = False
        for i, char in enumerate(line):
            if char == '"':
                quoted = not quoted
            elif not quoted and line.startswith("--", i):
                self.comments.append(
                    Comment(start + i, line[i:].rstrip(), not line[:i].strip(" \t"))
                )
                for k in range(start + i, end):
                    characters[k] = " "
                return start + i
        return end

    def indent(self, content: str, start: int) -> int:
        blanks = len(content) - len(content.lstrip(" \t"))
        if "\t" in content[:blanks]:
            self.tabbed.append((start, start + blanks))
        return blanks

    def report_tabs(self) -> None:
        """Tell of the first line that is indented with a tab, and of how many more there are."""
        if self.tabbed:
            more = len(self.tabbed) - 1
            as_well = f", as {'is one more' if more == 1 else f'are {more} more'}" if more else ""
            message = f"this line is indented with a tab{as_well}"
            self.report("tab", *self.tabbed[0], message, "indent with blanks, two for each level")

    def goes_on_with(self, characters: list[str], line: Line, below: str) -> bool:
        """Whether the text *below* begins as only the rest of a line does."""
        begin = line.start + line.indent
        first = _FIRST_WORD.match("".join(characters[begin : begin + 10]))
        row = _BEGINS_ROW.get(first.group()) if first else None
        found = _LEADING.match(below)
        return found is not None and found.group() != row

    def track_brackets(
        self, characters: list[str], start: int, end: int, brackets: list[int]
    ) -> None:
        quoted = False
        for i in range(start, end):
            char = characters[i]
            if char == '"':
                quoted = not quoted
            elif quoted:
                continue
            elif char in "({":
                brackets.append(i)
                if len(brackets) == DEEPEST_BRACKETS + 1:
                    self.report(
                        "too-deep", i, i + 1, f"brackets stand more than {DEEPEST_BRACKETS} deep"
                    )
            elif char in ")}" and brackets:
                brackets.pop()

    def report_open(self, brackets: list[int], line: Line) -> None:
        if not brackets:
            return
        opener = self.source.text[brackets[-1]]
        closer = ")" if opener == "(" else "}"
        self.report(
            "bracket",
            brackets[-1],
            brackets[-1] + 1,
            f"this `{opener}` is not closed",
            help=f"a `{closer}` is missing before the line ends",
        )

    def chunks(self, text: str, lines: list[Line]) -> Iterator[Chunk]:
        begun: list[Line] = []
        for line in lines:
            if line.indent == 0 and begun:
                yield self.chunk(text, begun)
                begun = []
            if line.indent > 0 and not begun:
                self.report(
                    "indent",
                    line.start + line.indent,
                    line.end,
                    "nothing stands above this line that it could belong to",
                    help="begin it in the first column",
                )
                continue
            begun.append(line)
        if begun:
            yield self.chunk(text, begun)

    def chunk(self, text: str, lines: list[Line]) -> Chunk:
        kept: list[Line] = []
        levels = [0]
        characters = list(text[lines[0].start : lines[-1].end].replace("\t", " ") + "\n")
        for line in lines:
            open_levels = [level for level in levels if level <= line.indent]
            if line.indent > open_levels[-1]:
                if not kept or kept[-1].indent >= line.indent:
                    self.misplaced(line)
                    for i in range(line.start, line.end):
                        characters[i - lines[0].start] = " "
                    continue
                open_levels.append(line.indent)
            levels = open_levels
            kept.append(line)
        return Chunk(lines[0].start, "".join(characters), tuple(kept))

    def misplaced(self, line: Line) -> None:
        if self.tabbed:
            return  # Where tabs and blanks are mixed, nobody can tell how far in a line stands.
        self.report(
            "indent",
            line.start + line.indent,
            line.end,
            "this line stands between two levels of indentation",
            help="align it with the lines above it that it belongs with",
        )
