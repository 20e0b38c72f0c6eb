"""What all questions to a state have in common: definitions, members one by one, steps.

Each node of an expression becomes one small function of a state. Locals live in the state's own
list, so a copied state carries them along.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from ludeme.check import program
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells, Layout
from ludeme.machine.meter import Meter, nodes_in, straight
from ludeme.machine.tables import Tables

Evaluate = Callable[[Cells], Any]
CanMove = Callable[[Cells, int, str], bool]
Expand = Callable[[Cells, int], int]


class Asking(ABC):
    """The ground of `Expressions`. *can_move* answers `P can TURN`."""

    def __init__(self, layout: Layout, tables: Tables, can_move: CanMove) -> None:
        self.layout = layout
        self.program = layout.program
        self.tables = tables
        self.can_move = can_move
        self.meter = Meter()
        self.word = 1 + len(self.program.board.names) // 1024  # steps to take a member of a set
        self._straight: dict[program.Function, int] = {}
        self._functions: dict[program.Function, Evaluate] = {}
        self.everything = self.program.board.everything
        self.players = len(self.program.players)
        first = layout.owners
        self.owner_slots = range(first, first + self.players + 1)

    @abstractmethod
    def compile(self, node: program.Expression) -> Evaluate:
        """The function that evaluates *node*."""

    def slot(self, local: program.Local) -> int:
        """Where a local stands."""
        return self.layout.local(local.slot)

    def apply(self, node: program.Apply) -> Evaluate:
        """A definition applied."""
        body = self.function(node.function)
        slots = [self.slot(parameter) for parameter in node.function.parameters]
        arguments = [self.compile(argument) for argument in node.arguments]
        if not slots:
            return body
        if len(slots) == 1:
            slot, argument = slots[0], arguments[0]

            def apply_one(c: Cells) -> Any:
                c[slot] = argument(c)
                return body(c)

            return apply_one
        if len(slots) == 2:
            slot_a, slot_b = slots
            first, second = arguments

            def apply_two(c: Cells) -> Any:
                a = first(c)
                c[slot_b] = second(c)
                c[slot_a] = a
                return body(c)

            return apply_two

        def apply(c: Cells) -> Any:
            values = [argument(c) for argument in arguments]
            for slot, value in zip(slots, values, strict=True):
                c[slot] = value
            return body(c)

        return apply

    def function(self, function: program.Function) -> Evaluate:
        """The value of a definition, its parameters being set."""
        if function not in self._functions:
            self._functions[function] = self.compile(function.value)
        return self._functions[function]

    def nodes(self, node: program.Expression) -> int:
        """The steps of an expression, beside those that its loops count themselves."""
        return straight(node, self._straight)

    def nodes_in(self, block: program.Block) -> int:
        """As `nodes`, of all that a block works out."""
        return nodes_in(block, self._straight)

    def each(self, domain: program.Expression, steps: int = 1) -> Callable[[Cells], Any]:
        """The members of a set or family, in order. *steps*: what each of them will take."""
        evaluate = self.compile(domain)
        meter = self.meter
        steps += self.word
        if domain.type.kind == "family":

            def each_set(c: Cells) -> tuple[int, ...]:
                family: tuple[int, ...] = evaluate(c)
                meter.spend(len(family) * steps)
                return family

            return each_set

        def each_member(c: Cells) -> Iterator[int]:
            mask = evaluate(c)
            meter.spend(mask.bit_count() * steps)
            return members(mask)

        return each_member


def union_of(cells: Cells, slots: range) -> int:
    """All that a row of sets holds."""
    found = 0
    for slot in slots:
        found |= cells[slot]
    return found
