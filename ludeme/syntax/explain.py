"""What to tell a designer of a line that cannot be parsed.

Where a small change of the line (another word, a word more, a word less) would make sense of it,
that change is the message: it is tried out on the line and the lines above that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

import attrs
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError
from lark.lexer import PatternStr

from ludeme.diagnostics import Source, Span
from ludeme.syntax import words
from ludeme.syntax.layout import HOLE, Line, is_unfinished
from ludeme.syntax.tables import parser_from_tables

SyntaxFault: TypeAlias = UnexpectedInput | DedentError

_LONGEST_TRIAL = 800
_TOKEN = re.compile(r'"[^"]*"|\w+|\.\.|[<>!]=|\S')


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of the language."""
    return parser_from_tables()


@lru_cache(maxsize=1)
def keywords() -> frozenset[str]:
    """Every word of the language."""
    fixed = [t.pattern.value for t in parser().terminals if isinstance(t.pattern, PatternStr)]
    more = words.literals(["WHO", "RANK", "EXTREME", "TRUTH"])
    return frozenset(word for word in [*fixed, *more] if word.isalpha())


@lru_cache(maxsize=4)
def beginnings(text: str) -> frozenset[str]:
    """The words with which a line may begin where *text* ends, as far as they are fixed."""
    try:
        parser().parse(text, start="item")
    except UnexpectedToken as error:
        return frozenset(word for word in words.literals(error.accepts) if word.isalpha())
    raise AssertionError(text)


@attrs.frozen
class Slip:
    """A mistake: where, what and what to do.

    *line*: the line to leave out so that the rest can be read. *structure*: the line is wrong for
    where it stands, so it helps to see the block in which it stands. *stray*: it begins a block
    that belongs to nothing.
    """

    span: Span
    message: str
    help: str | None
    line: Line
    structure: bool = False
    stray: bool = False


@attrs.frozen
class Passage:
    """The text that was parsed: where it begins in the source, its whole lines, and as what."""

    source: Source
    start: int
    text: str
    lines: tuple[Line, ...]
    rule: Literal["item", "expr"] = "item"

    def line_at(self, offset: int) -> Line:
        """The line that holds the source offset, or the last one before it."""
        found = self.lines[0]
        for line in self.lines:
            if line.start <= offset:
                found = line
        return found

    def line_text(self, line: Line) -> str:
        """The text of a line with its indentation, on one line and without comments."""
        return self.text[line.start - self.start : line.end - self.start]

    def above(self, line: Line) -> list[Line]:
        """The lines in whose blocks *line* stands, outermost first."""
        spine: list[Line] = []
        indent = line.indent
        for other in reversed(self.lines):
            if other.start < line.start and other.indent < indent:
                spine.insert(0, other)
                indent = other.indent
        return spine


def explain(error: SyntaxFault, passage: Passage) -> Slip:
    """What to say of an error that the parser met in *passage*."""
    if isinstance(error, UnexpectedCharacters):
        return _character(error.pos_in_stream or 0, passage, row="ROW" in (error.allowed or ()))
    if isinstance(error, UnexpectedToken):
        return _token(error, passage)
    end = passage.start + len(passage.text.rstrip())
    span = Span(passage.source, end, end)
    return Slip(span, "this item ends too soon", None, passage.line_at(end))


# ---- characters


_CHARACTERS = {
    ".": "a range is written with two dots: `1..6`",
    "x.y": "what belongs to something is written with brackets: `height(s)`",
    "&": "sets and truths are joined with `and`",
    "!": "write `not`, or `!=` between two values",
    "^": "sets and truths are joined with `and`, `or` and `not`",
    "%": "the rest of a division is written `a mod b`",
    "'": 'texts stand in double quotes, "like this"',
    "[": "a set is written in braces: `{a1, b2}`",
    "]": "a set is written in braces: `{a1, b2}`",
    "#": "a comment begins with `--`",
    "/": "a comment begins with `--`",
    "|": "a row of a picture begins with `|`; sets and truths are joined with `or`",
    "\N{LEFT DOUBLE QUOTATION MARK}": 'texts stand in straight quotes, "like this"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": 'texts stand in straight quotes, "like this"',
    "\N{DOUBLE LOW-9 QUOTATION MARK}": 'texts stand in straight quotes, "like this"',
    "\N{EN DASH}": "write `-`, or `--` before a comment",
    "\N{EM DASH}": "write `-`, or `--` before a comment",
    "\N{MINUS SIGN}": "write `-`",
    "\N{MULTIPLICATION SIGN}": "write `*`",
    "\N{NOT EQUAL TO}": "write `!=`",
    "\N{LESS-THAN OR EQUAL TO}": "write `<=`",
    "\N{GREATER-THAN OR EQUAL TO}": "write `>=`",
    "\N{HORIZONTAL ELLIPSIS}": "a range is written with two dots: `1..6`",
}


def _character(place: int, passage: Passage, *, row: bool = False) -> Slip:
    text = passage.text
    char = text[place]
    start = passage.start + place
    span = Span(passage.source, start, start + 1)
    line = passage.line_at(start)
    if row:
        return _no_row(Span(passage.source, start, line.end), line)
    if char == '"':
        help_text = 'put a `"` where the text ends'
        return Slip(span, "this text is not closed on its line", help_text, line)
    if text.startswith("||", place):
        span = Span(passage.source, start, start + 2)
        return Slip(span, "`||` means nothing here", "sets and truths are joined with `or`", line)
    if char.isspace() or not char.isprintable():
        message = f"an invisible character (U+{ord(char):04X}) stands here"
        return Slip(span, message, "type a blank instead, or delete it", line)
    between_names = re.match(r"[^\W\d]\.[^\W\d]", text[max(0, place - 1) :])
    kind = "x.y" if between_names else char
    return Slip(span, f"`{char}` means nothing here", _CHARACTERS.get(kind), line)


def _no_row(span: Span, line: Line) -> Slip:
    message = "a row of a picture begins with `|`"
    return Slip(span, message, "set a `|` before it, below that of the row above", line)


# ---- words and signs


def _token(error: UnexpectedToken, passage: Passage) -> Slip:
    token = error.token
    accepted = set(error.accepts or error.expected or ())
    place = token.start_pos if token.start_pos is not None else len(passage.text)
    if token.type == "_INDENT":
        return _indented(passage.line_at(passage.start + (token.end_pos or place)), passage)
    if token.type in ("_NL", "_DEDENT", "$END"):
        cut = place if token.type != "$END" else len(passage.text)
        end = passage.start + len(passage.text[:cut].rstrip())
        line = passage.line_at(end)
        if "_INDENT" in accepted:
            return _without_block(line, passage)
        fault = _Fault(passage, line, Span(passage.source, end, end), "", accepted)
        what = "line" if passage.rule == "item" else "value"
        message = f"the {what} ends too soon: {words.expected(accepted)} is missing"
        return fault.repair() or fault.slip(message)
    start = passage.start + place
    line = passage.line_at(start)
    if accepted == {"_INDENT"}:
        above = [other for other in passage.lines if other.start < line.start]
        return _without_block(above[-1], passage)
    if accepted == {"ROW"}:
        return _no_row(Span(passage.source, start, line.end), line)
    if token.type == "ROW":
        return _character(place, passage)
    span = Span(passage.source, start, start + len(token))
    return _word(_Fault(passage, line, span, str(token), accepted), token)


def _indented(line: Line, passage: Passage) -> Slip:
    """A line stands further in than the one above, which begins no block."""
    above = [other for other in passage.lines if other.start < line.start]
    head = passage.line_text(above[-1])
    found = _TOKEN.search(head)
    if found is not None and above[-1].indent > 0:
        start = above[-1].start + found.start()
        span = Span(passage.source, start, start + len(found.group()))
        if found.group() in _MISPLACED:
            return Slip(span, *_MISPLACED[found.group()], above[-1], structure=True)
        known = found.group() in keywords()
        for meant in [] if known else words.respelt(found.group(), _BLOCK_WORDS):
            message = f"`{found.group()}` begins no block, but the line below is indented"
            return Slip(span, message, f"did you mean `{meant}`?", above[-1])
    message = "this line is indented further than the one above, which begins no block"
    help_text = "give it the indentation of the lines that it belongs with"
    start = line.start + line.indent
    return Slip(
        Span(passage.source, start, line.end), message, help_text, line, structure=True, stray=True
    )


_BLOCK_WORDS = ("if", "else", "for", "one", "match", "repeat", "otherwise", "phase", "setup")


def _without_block(line: Line, passage: Passage) -> Slip:
    """A line begins a block, and nothing stands in it."""
    swallowed = _swallowed(line, passage)
    if swallowed is not None:
        return swallowed
    start = line.start + line.indent
    first = passage.source.text[start : start + 3]
    help_text = "indent the lines that belong to it by two blanks more"
    if first == "if ":
        help_text += "; a demand on the move is written `require`"
    message = "this line begins a block, but nothing is indented below it"
    return Slip(Span(passage.source, start, line.end), message, help_text, line)


def _swallowed(line: Line, passage: Passage) -> Slip | None:
    """A line that ends in `=` or `and` takes the line below as its rest, block or not."""
    cut = passage.source.text.rfind("\n", line.start, line.end)
    above = passage.text[line.start - passage.start : max(0, cut - passage.start)].rstrip()
    if cut < 0 or not is_unfinished(above):
        return None
    last = above.split()[-1]
    below = passage.text[cut - passage.start : line.end - passage.start]
    start = cut + len(below) - len(below.lstrip())
    message = f"this was read as the rest of the line above, which ends in `{last}`"
    help_text = f"finish the line above; a value is missing after `{last}`"
    return Slip(Span(passage.source, start, line.end), message, help_text, line)


def _word(fault: _Fault, token: Token) -> Slip:
    text = fault.typed
    for special in (_out_of_place, _bracket, _sign, _statement, _choice):
        slip = special(fault)
        if slip is not None:
            return slip
    repaired = fault.repair()
    if repaired is not None:
        return repaired
    value = "INT" in fault.accepted
    if value and token.type in _BETWEEN_VALUES:
        return fault.slip(f"a value is missing before `{text}`")
    message = f"expected {words.expected(fault.accepted)}, but here stands `{text}`"
    return fault.slip(message, _what_to_do(fault, reserved=token.type != "NAME" and not value))


_BETWEEN_VALUES = frozenset(
    ["AND", "OR", "IN", "HAS", "WHERE", "THEN", "ELSE", "EQUAL", "REL", "SCALE", "CAN", "CANNOT"]
)


def _what_to_do(fault: _Fault, reserved: bool) -> str | None:
    text, accepted = fault.typed, fault.accepted
    if reserved and text.isalpha() and "NAME" in accepted:
        return f"`{text}` is a word of the language and cannot be a name; choose another"
    if text == "," and "COMMA_THEN" in accepted:
        return "a further key follows `, then`"
    if text == ";":
        return "several steps stand on one line only behind a `:`; give each its own line"
    if text in _COMPARISONS and "AND" in accepted:
        return "two values are compared at a time; join two comparisons with `and`"
    if "FNAME" in accepted and "INT" not in accepted and text.isidentifier():
        return "a shape has its measures in brackets: `square(8)`"
    return None


_COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")


def _out_of_place(fault: _Fault) -> Slip | None:
    """Lines that stand only below certain others."""
    text = fault.typed
    source, start = fault.span.source.text, fault.span.start
    if source[source.rfind("\n", 0, start) + 1 : start].strip():
        return None
    if text in _MISPLACED:
        return Slip(fault.span, *_MISPLACED[text], fault.line, structure=True)
    if fault.before.strip():
        return None
    if fault.line.indent == 0 and text in beginnings("turn t\n "):
        message = f"a line that begins with `{text}` cannot begin in the first column"
        return fault.slip(message, "indent it below the `turn`, `start` or `ludeme` it belongs to")
    if fault.line.indent > 0 and text in beginnings("") and "CHOOSE" in fault.accepted:
        message = f"`{text}` begins an item, and items begin in the first column"
        return fault.slip(message, structure=True)
    return None


_MISPLACED = {
    "else": (
        "this `else` has no `if` above it at the same indentation",
        "in a `one of` list the last resort is written `otherwise`",
    ),
    "otherwise": (
        "`otherwise` stands only in a `one of` list, below its choices",
        "what is done where an `if` fails follows `else`",
    ),
    "-": ("a line that begins with `-` is a choice, and stands only below `one of`", None),
}


def _bracket(fault: _Fault) -> Slip | None:
    text, before = fault.typed, fault.before.rstrip()
    if text in (")", "}"):
        opener = "(" if text == ")" else "{"
        if before.count(opener) <= before.count(text):
            return fault.slip(f"this `{text}` closes nothing", "leave it out")
        if text == ")" and before.endswith("("):
            return fault.slip(
                "nothing stands in these brackets", "a name that takes nothing has no brackets"
            )
    if text == "(" and re.search(r"\w$", fault.before):
        name = before.split()[-1]
        return fault.slip(f"`{name}` takes nothing in brackets here")
    if text == "(" and re.search(r"\w\s+$", fault.before):
        joined = before + fault.after_start
        if fault.understood(joined):
            name = before.split()[-1]
            return fault.slip(
                f"between `{name}` and its bracket stands a blank", f"write `{name}(` without it"
            )
    return None


_DOUBLED = {
    "==": "two values are compared with one `=`",
    "=<": "write `<=`",
    "=>": "write `>=`",
    "<>": "write `!=`",
    "//": "a comment begins with `--`",
    "/*": "a comment begins with `--`",
    "**": "there is no power; multiply with `*`",
    "++": "write `raise x by 1`",
    "+=": "write `raise x by ...`",
    ":=": "a value is named with `let x = ...`, a variable is changed with `set x to ...`",
}


def _sign(fault: _Fault) -> Slip | None:
    line = fault.before + fault.after_start
    at = len(fault.before)
    for first in (at - 1, at):
        sign = line[first : first + 2] if first >= 0 else ""
        if sign in _DOUBLED:
            start = fault.span.start - (at - first)
            span = Span(fault.span.source, start, start + 2)
            message = f"`{sign}` means nothing here"
            return Slip(span, message, _DOUBLED[sign], fault.line)
    return None


def _statement(fault: _Fault) -> Slip | None:
    """`x = 3` and `x += 3` as lines of their own."""
    begins_line = re.fullmatch(r"\s+\w+(\([^()]*\))?\s*", fault.before)
    if fault.typed == "=" and begins_line and "_NL" in fault.accepted:
        name = fault.before.strip()
        return fault.slip(
            "a line cannot begin with a value and `=`",
            f"a value is named with `let {name} = ...`, a variable is changed with"
            f" `set {name} to ...`, and what must be so is written `require {name} = ...`",
        )
    return None


def _choice(fault: _Fault) -> Slip | None:
    """A line of a `one of` list that is no choice."""
    if not fault.accepted >= {"MINUS", "OTHERWISE"}:
        return None
    message = "each choice of a `one of` list begins with `-` and its name"
    return fault.slip(message, "what a choice does is indented below it", structure=True)


# ---- trials


_WHY = {
    ("where", "has"): "after `some`, `no` and `every` the condition follows `has`",
    ("has", "where"): "after `those` and `choose` the condition follows `where`",
    ("when", "by"): "every end has a name: `next wins by this_name when ...`",
    (":", "="): "a value follows `=`",
    ("=", ":"): "a type, or a row of a table, follows `:`",
}


@attrs.frozen
class _Fault:
    """The place at which a line went wrong, and what could have stood there."""

    passage: Passage
    line: Line
    span: Span
    typed: str
    accepted: set[str]

    @property
    def before(self) -> str:
        """The line up to the fault."""
        return self.passage.line_text(self.line)[: self.span.start - self.line.start]

    @property
    def after_start(self) -> str:
        """The line from the fault on."""
        return self.passage.line_text(self.line)[self.span.start - self.line.start :]

    def slip(self, message: str, help: str | None = None, structure: bool = False) -> Slip:
        return Slip(self.span, message, help, self.line, structure)

    def repair(self) -> Slip | None:
        """The smallest change that makes the line understood, if there is one and no other."""
        text = self.passage.line_text(self.line)
        tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(text)]
        at = self.span.start - self.line.start
        index = sum(1 for start, _ in tokens if start < at)
        trials = [self.other_word, self.other_sign, self.one_more, self.one_less]
        if not self.typed.isidentifier():
            trials.sort(key=lambda trial: trial != self.other_sign)
        return next((slip for trial in trials for slip in trial(text, tokens, index)), None)

    def other_word(self, text: str, tokens: list[tuple[int, int]], index: int) -> Iterator[Slip]:
        """Another word in place of this one, or of one of the two before it."""
        for i in range(min(index, len(tokens) - 1), max(-1, index - 3), -1):
            start, end = tokens[i]
            typed = text[start:end]
            if not typed.isidentifier():
                continue
            for meant in words.respelt(typed, keywords()):
                if self.understood(text[:start] + meant + text[end:]):
                    message = f"`{typed}` is not understood here"
                    why = _WHY.get((typed, meant), f"did you mean `{meant}`?")
                    yield Slip(self.within(start, end), message, why, self.line)

    def other_sign(self, text: str, tokens: list[tuple[int, int]], index: int) -> Iterator[Slip]:
        """What is expected in place of what stands here."""
        if index == len(tokens):
            return
        start, end = tokens[index]
        typed = text[start:end]
        fitting = [
            each
            for each in words.literals(self.accepted)
            if self.understood(f"{text[:start]}{each}{text[end:]}")
        ]
        if len(fitting) == 1:
            message = f"expected `{fitting[0]}`, but here stands `{typed}`"
            why = _WHY.get((typed, fitting[0]))
            yield Slip(self.within(start, end), message, why, self.line)
        elif "STRING" in self.accepted and typed.isidentifier():
            message = f"expected a text in quotes, but here stands `{typed}`"
            yield Slip(self.within(start, end), message, f'write "{typed}"', self.line)

    def one_more(self, text: str, tokens: list[tuple[int, int]], index: int) -> Iterator[Slip]:
        """What is expected before this word, or before the last one."""
        for start, end in reversed(tokens[max(0, index - 1) : index + 1]):
            fitting = [
                each
                for each in words.literals(self.accepted)
                if self.understood(f"{text[:start]}{each} {text[start:]}")
            ]
            if len(fitting) == 1:
                message = f"`{fitting[0]}` is missing before `{text[start:end]}`"
                yield Slip(self.within(start, end), message, None, self.line)

    def one_less(self, text: str, tokens: list[tuple[int, int]], index: int) -> Iterator[Slip]:
        """A word written twice, or a sign too many."""
        for start, end in reversed(tokens[max(0, index - 1) : index + 1]):
            typed = text[start:end]
            twice = text[:start].split()[-1:] == [typed]
            if (twice or typed in ":;,.") and self.understood(text[:start] + text[end:]):
                message = f"`{typed}` stands here once too often"
                if typed == ":":
                    message = "this `:` has nothing behind it"
                help_text = "leave it out" + (
                    "; lines that are indented below need no `:`" if typed == ":" else ""
                )
                yield Slip(self.within(start, end), message, help_text, self.line)

    def within(self, start: int, end: int) -> Span:
        return Span(self.span.source, self.line.start + start, self.line.start + end)

    def understood(self, line_text: str) -> bool:
        """Whether the parser would read to the end of the line if it were *line_text*."""
        above = "".join(
            self.passage.line_text(line) + "\n" for line in self.passage.above(self.line)
        )
        text = above + line_text + ("\n" if self.passage.rule == "item" else "")
        if len(text) > _LONGEST_TRIAL or HOLE in above:
            return False
        try:
            parser().parse(text, start=self.passage.rule)
        except UnexpectedToken as error:
            return self.passage.rule == "item" and error.token.type in ("$END", "_DEDENT")
        except (UnexpectedInput, DedentError):
            return False
        return True
