"""The lines that write variables: `set`, `raise` and `lower`, `mark` and `unmark`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludeme.check import program
from ludeme.diagnostics import DescriptionFault, Span, fault
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells, VariableSlots
from ludeme.machine.writing import Effect, PlaceKey, RaiseEffect, Writing


class Variables(Writing):
    """Compiles what lines do to variables."""

    def _place(
        self, variable: program.Variable, indices: Sequence[program.Expression]
    ) -> Callable[[Cells], tuple[int, int | None]]:
        """Slot and position in it of a variable's value; slot -1 if there is none."""
        slots = self.layout.variables[variable.name]
        first, count = slots.first, slots.count
        compiled = [self.expressions.compile(index) for index in indices]
        if variable.owner == "player":
            player = compiled[0]
            inner = compiled[1] if len(compiled) > 1 else None

            def of_player(c: Cells) -> tuple[int, int | None]:
                number = player(c)
                key = inner(c) if inner is not None else None
                known = number < count and (key is None or key < len(c[first]))
                return (first + number if known else -1), key

            return of_player
        if compiled:
            index = compiled[0]

            def of_index(c: Cells) -> tuple[int, int | None]:
                key = index(c)
                return (first if key < len(c[first]) else -1), key

            return of_index
        return lambda c: (first, None)

    def _store(self, slots: VariableSlots) -> Callable[[Cells, int, int | None, Any], None]:
        """Write a value, and start its age if it does not last."""
        lasting, spend = slots.variable.lasting, self.spend

        def store(c: Cells, slot: int, index: int | None, value: Any) -> None:
            if index is None:
                c[slot] = value
            else:
                old = c[slot]
                spend(len(old) // 50)
                c[slot] = (*old[:index], value, *old[index + 1 :])
            if slots.ages is not None and lasting is not None:
                c[slots.ages + slot - slots.first] = lasting + 1

        return store

    def set_variable(self, line: program.Set) -> Effect:
        """`set`."""
        variable = line.variable
        place = self._place(variable, line.indices)
        value = self.expressions.compile(line.value)
        store = self._store(self.layout.variables[variable.name])
        check = variable.type.kind == "number"

        def read(c: Cells) -> Any:
            slot, index = place(c)
            found = value(c)
            if check:
                _in_range(variable, found, line.span)
            if slot < 0:
                raise _nobodys(variable, line.span)
            return slot, index, int(found) if isinstance(found, bool) else found

        def write(c: Cells, operands: Any) -> None:
            store(c, *operands)

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            slot, index, found = operands
            return [((slot, index), ("set", found))]

        return Effect(read, write, touches, line.span)

    def raise_variable(self, line: program.Raise) -> Effect:
        """`raise` and `lower`."""
        variable = line.variable
        place = self._place(variable, line.indices)
        amount = self.expressions.compile(line.amount)
        sign = -1 if line.down else 1
        store = self._store(self.layout.variables[variable.name])

        def read(c: Cells) -> Any:
            slot, index = place(c)
            if slot < 0:
                raise _nobodys(variable, line.span)
            return slot, index, sign * amount(c)

        def add(c: Cells, operands: Any) -> None:
            slot, index, change = operands
            old = c[slot] if index is None else c[slot][index]
            store(c, slot, index, old + change)

        def check_range(c: Cells, operands: Any) -> None:
            slot, index, _ = operands
            _in_range(variable, c[slot] if index is None else c[slot][index], line.span)

        def write(c: Cells, operands: Any) -> None:
            add(c, operands)
            check_range(c, operands)

        return RaiseEffect(
            read, write, lambda operands: [], line.span, add=add, check_range=check_range
        )

    def mark(self, line: program.Mark) -> Effect:
        """`mark` and `unmark`."""
        slots = self.layout.variables[line.variable.name]
        sites = self.expressions.compile(line.sites)
        first, last = slots.first, slots.first + slots.count - 1
        of_piece = line.variable.owner == "piece"
        owners, nobody = self.layout.owners, self.nobody
        on = line.on

        def write(c: Cells, mask: int) -> None:
            if of_piece:
                occupied = 0
                for slot in range(owners, owners + nobody + 1):
                    occupied |= c[slot]
                mask &= occupied
            if on:
                c[last] |= mask
            else:
                for slot in range(first, last + 1):
                    c[slot] &= ~mask

        def touches(mask: int) -> list[tuple[PlaceKey, Any]]:
            return [((first, site, "flag"), on) for site in members(mask)]

        return Effect(sites, write, touches, line.span)


def _nobodys(variable: program.Variable, span: Span) -> DescriptionFault:
    """The fault of writing what nobody, or no kind of piece, has."""
    message = f"`{variable.name}` was written of nobody, or of no kind of piece"
    return fault("nobody", span, message)


def _in_range(variable: program.Variable, value: int, span: Span) -> None:
    if not variable.low <= value <= variable.high:
        raise fault(
            "out-of-range",
            span,
            f"`{variable.name}` became {value}; it goes from {variable.low} to {variable.high}",
        )
