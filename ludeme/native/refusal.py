"""What the native back end says of a construct that it does not know."""

from __future__ import annotations

from ludeme.check.program import Program
from ludeme.diagnostics import NOWHERE, Span


class NotNative(Exception):
    """A construct that is not compiled to machine code; the interpreter plays it."""

    def __init__(self, what: str, span: Span) -> None:
        super().__init__(what, span)
        self.what = what
        self.span = span

    def __str__(self) -> str:
        place = f" ({self.span.place})" if self.span.source.name else ""
        return f"{self.what} is not compiled to machine code{place}"


def refuse(program: Program) -> None:
    """Raise NotNative for what is not compiled."""
    for turn in program.turns.values():
        if turn.chance:
            raise NotNative("a turn that chance takes", turn.span)
    if program.memories:
        raise NotNative("a rule about earlier positions", NOWHERE)
    if not program.board.names:
        raise NotNative("a game without a board", NOWHERE)
