"""What can be wrong with a board, in the words of the person who describes it."""

from __future__ import annotations

from collections.abc import Callable


class BoardError(ValueError):
    """A board that cannot be made, or a name or picture that does not fit one."""


class PictureError(BoardError):
    """A picture that does not fit its board.

    `line` and `column` are 0-based and count in the lines as they were given,
    blank ones included; they show the first mark too many, or the end of the
    text where one is missing.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Callable[..., PictureError], tuple[str, int, int]]:
        """Pickle all three facts; an exception alone would pass on only its text."""
        return type(self), (self.message, self.line, self.column)


def listed(names: list[str], most: int = 8) -> str:
    """Return *names* for a message: the first *most* of them and how many more there are."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def counted(number: int, noun: str) -> str:
    """Return *number* with *noun*, a plural if the number is not 1."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
