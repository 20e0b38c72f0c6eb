"""What all lines that write have in common: an effect and its two halves.

An effect has two halves: *read* works out its operands, *write* changes the state. One after the
other they are a plain line; in `for each` all is read before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ludeme.diagnostics import Span
from ludeme.machine.bits import members
from ludeme.machine.expressions import Expressions
from ludeme.machine.layout import Cells

Act = Callable[[Cells], None]
Write = Callable[[Cells, Any], None]
Piece = tuple[int, ...]
PlaceKey = tuple[Any, ...]


@attrs.frozen
class Effect:
    """*read* gives the operands; *touches* the places written and what is written there.

    *narrow* leaves sites out of the operands, where a second effect would not be the same as one.
    """

    read: Callable[[Cells], Any]
    write: Write
    touches: Callable[[Any], list[tuple[PlaceKey, Any]]]
    span: Span
    narrow: Callable[[Any, int], Any] | None = None

    def run(self, cells: Cells) -> None:
        """Read and write at once."""
        self.write(cells, self.read(cells))


@attrs.frozen
class RaiseEffect(Effect):
    """An effect that adds up: in `for each` all are added before the range is looked at."""

    add: Write = attrs.field(kw_only=True)
    check_range: Write = attrs.field(kw_only=True)


class Writing:
    """The ground of `Effects`."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.layout = expressions.layout
        self.program = expressions.program
        self.nobody = len(self.program.players)
        self.spend = expressions.meter.spend
        copied = sum(not v.variable.is_flag for v in self.layout.piece_variables)
        copied += 3 if self.layout.buried is not None else 0
        self.lifting = 10 + copied * len(self.program.board.names) // 20


def touches_tops(what: str) -> Callable[[int], list[tuple[PlaceKey, Any]]]:
    """The places of the top pieces of a set of sites, to which something is done."""
    return lambda mask: [((site, "top"), what) for site in members(mask)]
