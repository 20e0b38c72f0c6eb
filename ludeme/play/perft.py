"""Counting sequences of decisions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from ludeme.diagnostics import DescriptionFault
from ludeme.machine import Cells, Machine
from ludeme.play.compiling import Compiling

if TYPE_CHECKING:
    from ludeme.native.counter import Counter


def perft(
    machine: Machine, cells: Cells, depth: int, counting: Compiling[Counter] | None = None
) -> int:
    """The number of sequences of exactly *depth* decisions.

    A game that is over sooner counts nothing; a decision taken together counts its joint choices.
    The last decision is counted, not played. 1 at depth 0. A fault of the description is raised
    with the decisions that led to it. *counting*: what may count in place of the interpreter.
    """
    if depth <= 0:
        return 1
    if machine.is_over(cells):
        return 0
    code = counting.code if counting is not None else None
    found = code.perft(cells, depth) if code is not None else None
    if found is not None:
        return found
    # Where machine code comes upon a fault, the way down to it is gone by the interpreter.
    if depth == 1:
        total = 1
        for player in machine.deciders(cells):
            total *= machine.count(cells, player)
        return total
    return sum(divide(machine, cells, depth, counting).values())


def divide(
    machine: Machine, cells: Cells, depth: int, counting: Compiling[Counter] | None = None
) -> dict[str, int]:
    """The count below each decision, by its text; see `perft`."""
    if depth <= 0 or machine.is_over(cells):
        return {}
    counts = {}
    for text, after in decisions(machine, cells):
        try:
            counts[text] = perft(machine, after, depth - 1, counting)
        except DescriptionFault as error:
            raise error.after(f"{text}; {error.moves}" if error.moves else text) from None
    return counts


def decisions(machine: Machine, cells: Cells) -> Iterator[tuple[str, Cells]]:
    """Every decision that can be taken, with the state after it."""
    deciders = machine.deciders(cells)
    listed = [
        [(text, machine.find(cells, player, text)) for text in machine.moves(cells, player)]
        for player in deciders
    ]
    for joint in product(*listed):
        ends = [end for _, end in joint if end is not None]
        assert len(ends) == len(joint), joint
        yield " | ".join(text for text, _ in joint), machine.play(cells, ends)
