"""Small descriptions for the tests of the checker, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

from ludeme.check import check
from ludeme.check.program import Program
from ludeme.diagnostics import Diagnostic
from ludeme.syntax import Parsed, parse

BASE = """game "A game"
players Black, White
{declarations}
board {board}
pieces stone, tower
{more}
turn move
  choose cell from empty
{lines}
  put stone on cell

end
  mover wins by filling when no empty
"""


def game(lines: str = "", more: str = "", board: str = "square(5)", declarations: str = "") -> str:
    """A description with *lines* in its turn and *more* items."""
    return BASE.format(lines=lines, more=more, board=board, declarations=declarations)


def said(text: str, **options: object) -> Sequence[Diagnostic]:
    """Everything that is said of a description."""
    return check(parse(text, "test.game"), _none, options).diagnostics


def codes(text: str, **options: object) -> list[str]:
    """The codes of everything that is said."""
    return [found.code for found in said(text, **options)]


def errors(text: str, **options: object) -> list[str]:
    """The codes of the errors."""
    return [found.code for found in said(text, **options) if found.severity == "error"]


def checked(text: str, **options: object) -> Program:
    """The checked program of a description without errors."""
    found = check(parse(text, "test.game"), _none, options)
    assert found.program is not None, [str(each) for each in found.diagnostics]
    return found.program


def _none(name: str) -> Parsed | None:
    return None
