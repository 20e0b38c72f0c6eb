"""Counts what one question to the machine costs, and stops what nobody would wait for.

A step is about what the interpreter does in a ten-millionth of a second, such as working out one
part of an expression. The count depends on description and state alone, never on a clock, so that
the same question has the same answer on a slow machine. How large one evaluation can become at
worst is known before play (`ludeme.check.cost`); what the runs of a turn come to, only here.
"""

from __future__ import annotations

import attrs

from ludeme.check import program
from ludeme.diagnostics import DescriptionFault, Span, fault

MOST_STEPS = 15_000_000
"""Steps of one question: one to two seconds. All openings of the largest Consta take 6 million."""
TRY = 30
"""Steps for a value tried by a choice, beside the words of the state that is copied."""

WRITE = 10
"""Steps for a line that changes or prints something."""
PENDING = 30
"""Steps for a line of `for each` that waits to be written, with the room that it takes."""


class Meter:
    """The steps that are left for the question that is being answered."""

    __slots__ = ("depth", "left", "place")

    def __init__(self) -> None:
        self.left = MOST_STEPS
        self.depth = 0
        self.place: Span | None = None

    def begin(self, place: Span) -> Span | None:
        """A question about *place*, perhaps within another; returns the place of the outer one."""
        if self.depth == 0:
            self.left = MOST_STEPS
        self.depth += 1
        outer, self.place = self.place, place
        return outer

    def end(self, outer: Span | None) -> None:
        """The question is answered, or given up."""
        self.depth -= 1
        self.place = outer

    def spend(self, steps: int) -> None:
        """Count steps. Raises the fault if there are too many."""
        self.left -= steps
        if self.left < 0 and self.depth > 0:
            raise self.overrun()

    def overrun(self) -> DescriptionFault:
        """The fault of a question that takes too many steps."""
        assert self.place is not None
        return fault(
            "too-costly",
            self.place,
            f"working this out takes more than {MOST_STEPS:,} steps in this position",
            help="offer fewer choices at a time, or ask less of each",
        )


def nodes_in(part: object, known: dict[program.Function, int]) -> int:
    """The steps of a line or block, beside those that its loops count themselves."""
    if isinstance(part, tuple):
        return sum(nodes_in(each, known) for each in part)
    if isinstance(part, program.Expression):
        return straight(part, known)
    if isinstance(part, program.Node):
        inside = (getattr(part, field.name) for field in attrs.fields(type(part)))
        own = 3 * WRITE if isinstance(part, program.Say) else WRITE
        return own + sum(nodes_in(each, known) for each in inside)
    return 0


def straight(node: program.Expression, known: dict[program.Function, int]) -> int:
    """The nodes of an expression outside of what its loops work out for each member.

    *known* keeps what has been counted of definitions.
    """
    match node:
        case program.Constant() | program.Get() | program.Links():
            return 1
        case program.Read():
            return 1 + sum(straight(index, known) for index in node.indices)
        case program.Op():
            return 1 + sum(straight(argument, known) for argument in node.arguments)
        case program.Apply():
            if node.function not in known:
                known[node.function] = straight(node.function.value, known)
            own = known[node.function]
            return 1 + own + sum(straight(argument, known) for argument in node.arguments)
        case program.Choice():
            parts = (node.condition, node.then, node.otherwise)
            return 1 + sum(straight(part, known) for part in parts)
        case program.Ability():
            return 1 + straight(node.player, known)
    # Loops count themselves what each member takes.
    otherwise = node.otherwise if isinstance(node, program.Fold) else None
    return 2 + straight(node.domain, known) + (straight(otherwise, known) if otherwise else 0)
