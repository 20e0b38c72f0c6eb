"""Texts that may be broken at given places, and how they are fitted into a line.

The method is Wadler's ("A prettier printer", 2003): a group is written flat if it fits into what
is left of the line, and broken at all of its own breaks if it does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import attrs


@attrs.frozen
class Break:
    """A place where a line may end; *flat* is written where it does not."""

    flat: str = " "


@attrs.frozen
class Nest:
    """A part whose broken lines stand *by* blanks further in."""

    part: Text
    by: int = 2


@attrs.frozen
class Group:
    """A part whose own breaks are all taken or none."""

    part: Text


Text: TypeAlias = str | Break | Nest | Group | tuple["Text", ...]

BREAK = Break()
SOFT = Break("")


def join(separator: Text, parts: Iterable[Text]) -> Text:
    """The *parts* with *separator* between them."""
    joined: list[Text] = []
    for part in parts:
        if joined:
            joined.append(separator)
        joined.append(part)
    return tuple(joined)


def flat(text: Text) -> str:
    """The text on one line."""
    match text:
        case str():
            return text
        case Break():
            return text.flat
        case Nest() | Group():
            return flat(text.part)
        case _:
            return "".join(flat(part) for part in text)


def fit(text: Text, indent: int, width: int) -> str:
    """The text without its first indentation, broken so that lines reach at most to *width*.

    What has no break to take may reach further.
    """
    out: list[str] = []
    column = indent
    rest: list[_Piece] = [(indent, False, text)]
    while rest:
        at, is_flat, part = rest.pop()
        match part:
            case str():
                out.append(part)
                column += len(part)
            case Break() if is_flat:
                out.append(part.flat)
                column += len(part.flat)
            case Break():
                out.append("\n" + " " * at)
                column = at
            case Nest():
                rest.append((at + part.by, is_flat, part.part))
            case Group():
                alone = is_flat or _fits(width - column, [*rest, (at, True, part.part)])
                rest.append((at, alone, part.part))
            case _:
                rest.extend((at, is_flat, piece) for piece in reversed(part))
    return "".join(out)


_Piece: TypeAlias = "tuple[int, bool, Text]"


def _fits(room: int, pieces: list[_Piece]) -> bool:
    """Whether the last of *pieces*, and what follows it up to a break, has room."""
    while room >= 0 and pieces:
        at, is_flat, part = pieces.pop()
        match part:
            case str():
                room -= len(part)
            case Break() if is_flat:
                room -= len(part.flat)
            case Break():
                return True
            case Nest() | Group():
                pieces.append((at, is_flat, part.part))
            case _:
                pieces.extend((at, is_flat, piece) for piece in reversed(part))
    return room >= 0
