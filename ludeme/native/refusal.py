"""What the native back end says of a construct that it does not know."""

from __future__ import annotations

from ludeme.diagnostics import Span


class NotNative(Exception):
    """A construct that is not compiled to machine code; the interpreter plays it."""

    def __init__(self, what: str, span: Span) -> None:
        super().__init__(what, span)
        self.what = what
        self.span = span

    def __str__(self) -> str:
        place = f" ({self.span.place})" if self.span.source.name else ""
        return f"{self.what} is not compiled to machine code{place}"
