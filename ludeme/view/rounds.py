"""The loops of `play` over players or numbers, whose names are variables of the state."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ludeme.check import program
from ludeme.machine import Cells, Machine
from ludeme.machine.expressions import Evaluate
from ludeme.machine.flow import NextRound


@attrs.frozen(eq=False)
class Round:
    """A loop: its variable, what it goes through, and the steps of `play` that are inside."""

    variable: program.Variable
    domain: Evaluate
    constant: int | None
    """The domain where it is the same in every state."""
    steps: range


def rounds(machine: Machine) -> list[Round]:
    """The loops, outer ones first."""
    nodes = list(_nodes(machine.program.play))
    again = [
        (index, step)
        for index, step in enumerate(machine.flow.script.steps)
        if isinstance(step, NextRound) and not step.first
    ]
    return [
        Round(node.variable, step.domain, _constant(node.domain), range(index + 1, step.exit))
        for node, (index, step) in zip(nodes, again, strict=True)
    ]


def _nodes(steps: program.Steps) -> Iterator[program.Rounds]:
    for step in steps:
        match step:
            case program.Rounds():
                yield step
                yield from _nodes(step.body)
            case program.Phase() | program.Loop():
                yield from _nodes(step.body)
            case program.IfStep():
                yield from _nodes(step.then)
                yield from _nodes(step.otherwise)


def _constant(domain: program.Expression) -> int | None:
    if isinstance(domain, program.Constant) and isinstance(domain.value, int):
        return domain.value
    return None


def active_rounds(machine: Machine, cells: Cells) -> dict[str, Round]:
    """The loops in which a state stands, by the names of their variables; none if it is over."""
    step = cells[machine.layout.step]
    return {found.variable.name: found for found in rounds(machine) if step in found.steps}
