"""Descriptions spoilt at random, the same ones for the same seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).resolve().parent / "corpus"

_TOKEN = re.compile(r'"[^"\n]*"|--[^\n]*|\w+|\.\.|[<>!]=|[^\w\s]|[ \t]+|\n')
_ODD = (
    "\x00", "\x01", "\x1a", "\x7f", "\x85", "\ufeff", "\u2028", "\u202e", "\ud7ff", "\ufffd",
    "\t", "\r", "\x0b", "\x0c", "é", "ß", "漢", "𝔸", "٣", "²", "½", "\N{NO-BREAK SPACE}", "'", "`",
    "“", "−", "…", "\\", "|", "#", "@", "$", "%", "^", "&", "~", "?", "[", "]", "{", "}", "(", ")",
)  # fmt: skip
_NUMBERS = (
    "0", "1", "2", "3", "7", "16", "17", "64", "65", "255", "256", "1000", "1001", "4095", "4096",
    "4097", "65536", "999999", "1000000", "1000000000", "1000000001", "2147483648",
    "4611686018427387904", "9223372036854775807", "9223372036854775808",
    "1000000000000000000", "1" + "0" * 40, "00", "007", "-1", "- 1", "1.5", "1e9",
)  # fmt: skip
_LETTERS = "abcdefghijklmnopqrstuvwxyz_"


@attrs.frozen
class Mutant:
    """A spoilt description. *number* makes it again: see `mutant`."""

    number: int
    origin: str
    text: str


def origins() -> list[tuple[str, str]]:
    """Name and text of each description to spoil: those shipped and those of the corpus."""
    paths = [*sorted((ROOT / "games").rglob("*.game")), *sorted(CORPUS.glob("*.game"))]
    return [(path.stem, path.read_text(encoding="utf-8")) for path in paths]


def mutant(number: int, texts: Sequence[tuple[str, str]]) -> Mutant:
    """Number *number* of all mutants: one of *texts*, changed in one to four places."""
    rng = random.Random(number)
    name, text = texts[number % len(texts)]
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        text = rng.choice(_CHANGES)(text, rng)
    return Mutant(number, name, text)


def mutants(first: int, count: int) -> Iterator[Mutant]:
    """The mutants from number *first* on."""
    texts = origins()
    return (mutant(number, texts) for number in range(first, first + count))


# ---- words


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _places(tokens: Sequence[str]) -> list[int]:
    """The tokens that are no blanks and no comments."""
    places = [i for i, t in enumerate(tokens) if not t.isspace() and not t.startswith("--")]
    return places or [0]


def _on_tokens(change: Callable[[list[str], int, random.Random], None]) -> _Change:
    def changed(text: str, rng: random.Random) -> str:
        tokens = _tokens(text)
        if not tokens:
            return text
        change(tokens, rng.choice(_places(tokens)), rng)
        return "".join(tokens)

    return changed


def _drop(tokens: list[str], at: int, rng: random.Random) -> None:
    tokens[at] = ""


def _double(tokens: list[str], at: int, rng: random.Random) -> None:
    tokens[at] += rng.choice(("", " ")) + tokens[at]


def _swap(tokens: list[str], at: int, rng: random.Random) -> None:
    other = rng.choice(_places(tokens))
    tokens[at], tokens[other] = tokens[other], tokens[at]


def _swap_near(tokens: list[str], at: int, rng: random.Random) -> None:
    later = [i for i in _places(tokens) if i > at][:2]
    if later:
        other = rng.choice(later)
        tokens[at], tokens[other] = tokens[other], tokens[at]


def _other(tokens: list[str], at: int, rng: random.Random) -> None:
    tokens[at] = tokens[rng.choice(_places(tokens))]


def _other_of_its_kind(tokens: list[str], at: int, rng: random.Random) -> None:
    """Another word for a word, another sign for a sign: often still a description."""
    alike = [i for i in _places(tokens) if tokens[i].isidentifier() == tokens[at].isidentifier()]
    tokens[at] = tokens[rng.choice(alike)]


def _insert(tokens: list[str], at: int, rng: random.Random) -> None:
    tokens[at] += " " + tokens[rng.choice(_places(tokens))]


def _misspell(tokens: list[str], at: int, rng: random.Random) -> None:
    words = [i for i in _places(tokens) if tokens[i].isidentifier() and len(tokens[i]) > 1]
    if not words:
        return
    at = rng.choice(words)
    word = tokens[at]
    i = rng.randrange(len(word) - 1)
    letter = rng.choice(_LETTERS)
    tokens[at] = rng.choice(
        (
            word[:i] + word[i + 1] + word[i] + word[i + 2 :],
            word[:i] + word[i + 1 :],
            word[:i] + letter + word[i:],
            word[:i] + letter + word[i + 1 :],
            word.upper(),
            word + "s",
        )
    )


def _number(tokens: list[str], at: int, rng: random.Random) -> None:
    numbers = [i for i in _places(tokens) if tokens[i].isdecimal()]
    if numbers:
        tokens[rng.choice(numbers)] = rng.choice(_NUMBERS)


def _number_for_anything(tokens: list[str], at: int, rng: random.Random) -> None:
    tokens[at] = rng.choice(_NUMBERS)


# ---- lines


_Change = Callable[[str, random.Random], str]


def _on_lines(change: Callable[[list[str], int, random.Random], None]) -> _Change:
    def changed(text: str, rng: random.Random) -> str:
        lines = text.split("\n")
        change(lines, rng.randrange(len(lines)), rng)
        return "\n".join(lines)

    return changed


def _drop_line(lines: list[str], at: int, rng: random.Random) -> None:
    del lines[at]


def _double_line(lines: list[str], at: int, rng: random.Random) -> None:
    lines.insert(at, lines[at])


def _move_line(lines: list[str], at: int, rng: random.Random) -> None:
    line = lines.pop(at)
    lines.insert(rng.randrange(len(lines) + 1), line)


def _reindent(lines: list[str], at: int, rng: random.Random) -> None:
    indent = rng.choice(("", " ", "  ", "   ", "    ", "      ", "\t", "  \t", " " * 40))
    lines[at] = indent + lines[at].lstrip()


def _shift(lines: list[str], at: int, rng: random.Random) -> None:
    """A block that stands further in than it did."""
    for i in range(at, min(len(lines), at + rng.randrange(1, 6))):
        lines[i] = "  " + lines[i]


def _join_lines(lines: list[str], at: int, rng: random.Random) -> None:
    if at + 1 < len(lines):
        lines[at] += rng.choice((" ", "; ", ": ")) + lines.pop(at + 1).lstrip()


def _cut_line(lines: list[str], at: int, rng: random.Random) -> None:
    lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]


def _repeat_block(lines: list[str], at: int, rng: random.Random) -> None:
    block = lines[at : at + rng.randrange(1, 8)]
    lines[at:at] = block * rng.choice((1, 1, 2, 30))


# ---- characters


def _truncate(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _odd_character(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_ODD) + text[at + rng.randrange(2) :]


def _bytes(text: str, rng: random.Random) -> str:
    """One byte of the file changed; what is no UTF-8 then shows as replacement characters."""
    data = bytearray(text.encode())
    if data:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return data.decode("utf-8", "replace")


def _drop_stretch(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.randrange(1, 60) :]


def _nest(text: str, rng: random.Random) -> str:
    """Many brackets around a word."""
    tokens = _tokens(text)
    if not tokens:
        return text
    at, deep = rng.choice(_places(tokens)), rng.choice((1, 5, 40, 80, 400))
    before, after = rng.choice((("(", ")"), ("{", "}"), ("not ", ""), ("- ", ""), ("count(", ")")))
    tokens[at] = before * deep + tokens[at] + after * deep
    return "".join(tokens)


_CHANGES: tuple[_Change, ...] = (
    *map(_on_tokens, (_drop, _double, _swap, _swap_near, _other, _insert, _misspell)),
    *map(_on_tokens, (_other_of_its_kind,) * 4),
    *map(_on_tokens, (_number, _number, _number, _number_for_anything)),
    *map(_on_lines, (_drop_line, _double_line, _move_line, _reindent, _shift, _join_lines)),
    *map(_on_lines, (_cut_line, _repeat_block)),
    _truncate,
    _odd_character,
    _odd_character,
    _bytes,
    _drop_stretch,
    _nest,
)
