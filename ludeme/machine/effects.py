"""What the lines of a description do to a state; see `ludeme.machine.writing`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludeme.check import program
from ludeme.check.limits import LARGEST_NUMBER
from ludeme.diagnostics import fault
from ludeme.kernel.types import Type
from ludeme.machine.expressions import Evaluate
from ludeme.machine.layout import Cells, fill_hands
from ludeme.machine.meter import PENDING
from ludeme.machine.notation import written
from ludeme.machine.pieces import Pieces
from ludeme.machine.variables import Variables
from ludeme.machine.writing import Act, Effect, PlaceKey, RaiseEffect

Collect = Callable[[Cells, int, list[tuple[int, Effect, Any]], list[str]], None]
"""Adds what a member of `for each` does, and prints, to what is to be done at once."""


class Effects(Pieces, Variables):
    """Compiles lines without decisions."""

    # ---- blocks

    def block(self, lines: Sequence[program.Statement]) -> Act:
        """A block of lines without decisions, one after the other."""
        acts = [self.act(line) for line in lines]
        if len(acts) == 1:
            return acts[0]

        def block(c: Cells) -> None:
            for act in acts:
                act(c)

        return block

    def branch(self, line: program.Statement, which: int, lines: program.Block) -> Act:
        """Block number *which* of a line, which may or may not be entered."""
        return self.block(lines)

    def act(self, line: program.Statement) -> Act:
        """One line without decisions."""
        compile_ = self.expressions.compile
        match line:
            case program.Assign():
                slot, value = self.expressions.slot(line.local), compile_(line.value)
                if line.changes and line.local.type.kind == "number":
                    return self._change_number(line, slot, value)

                def assign(c: Cells) -> None:
                    c[slot] = value(c)

                return assign
            case program.If():
                condition = compile_(line.condition)
                then = self.branch(line, 0, line.then)
                otherwise = self.branch(line, 1, line.otherwise)

                def choose(c: Cells) -> None:
                    if condition(c):
                        then(c)
                    else:
                        otherwise(c)

                return choose
            case program.Match():
                return self._match(line)
            case program.ForEach():
                return self._for_each(line)
            case program.OneByOne():
                return self._one_by_one(line)
            case program.Say():
                return self._say(line)
            case program.Pass():
                return self._raise_flag(self.layout.passing)
            case program.Again():
                return self._raise_flag(self.layout.again)
            case program.ClearBoard():
                return self.clear_board
            case program.RefillHands():
                layout = self.layout
                return lambda c: fill_hands(layout, c)
        return self.effect(line).run

    def _change_number(self, line: program.Assign, slot: int, value: Evaluate) -> Act:
        name, span = line.local.name, line.span

        def change(c: Cells) -> None:
            found = value(c)
            if not -LARGEST_NUMBER <= found <= LARGEST_NUMBER:
                raise fault(
                    "out-of-range",
                    span,
                    f"`{name}` became {found}; numbers go up to {LARGEST_NUMBER}",
                )
            c[slot] = found

        return change

    def _raise_flag(self, slot: int) -> Act:
        def raise_flag(c: Cells) -> None:
            c[slot] = True

        return raise_flag

    def row_finder(self, line: program.Match) -> Callable[[Cells], int]:
        """Which row of a `match` fits; the number of rows if none."""
        subjects = [self.expressions.compile(subject) for subject in line.subjects]
        rows = [row.patterns for row in line.rows]

        def find(c: Cells) -> int:
            values = [int(subject(c)) for subject in subjects]
            for number, patterns in enumerate(rows):
                if all(p is None or p == v for p, v in zip(patterns, values, strict=False)):
                    return number
            return len(rows)

        return find

    def _match(self, line: program.Match) -> Act:
        find = self.row_finder(line)
        bodies = [self.branch(line, i, row.body) for i, row in enumerate(line.rows)]

        def match(c: Cells) -> None:
            number = find(c)
            if number < len(bodies):
                bodies[number](c)

        return match

    def _one_by_one(self, line: program.OneByOne) -> Act:
        each = self.expressions.each(line.domain, self.expressions.nodes_in(line.body))
        slot = self.expressions.slot(line.local)
        body = self.branch(line, 0, line.body)

        def one_by_one(c: Cells) -> None:
            for member in each(c):
                c[slot] = member
                body(c)

        return one_by_one

    def sayer(self, line: program.Say) -> Callable[[Cells], str]:
        """The text that a printed form gives."""
        parts: list[str | tuple[Any, Type]] = [
            part if isinstance(part, str) else (self.expressions.compile(part), part.type)
            for part in line.parts
        ]
        program_ = self.program

        def say(c: Cells) -> str:
            return "".join(
                part if isinstance(part, str) else written(program_, part[1], part[0](c))
                for part in parts
            )

        return say

    def _say(self, line: program.Say) -> Act:
        say, text = self.sayer(line), self.layout.text

        def add(c: Cells) -> None:
            c[text] = (*c[text], say(c))

        return add

    # ---- at once

    def _for_each(self, line: program.ForEach) -> Act:
        loops = self._loops(line)
        collect = self.collector(line, 0, line.body)
        text = self.layout.text

        def for_each(c: Cells) -> None:
            pending: list[tuple[int, Effect, Any]] = []
            texts: list[str] = []
            for number, _ in enumerate(_product(c, loops, 0)):
                collect(c, number, pending, texts)
            if texts:
                c[text] = (*c[text], *texts)
            self._write_all(c, pending)

        return for_each

    def _loops(self, line: program.ForEach) -> list[tuple[int, Any]]:
        """The names of nested loops and what each goes through."""
        steps = PENDING + self.expressions.nodes_in(line.body)
        return [
            (self.expressions.slot(local), self.expressions.each(domain, steps))
            for local, domain in line.binders
        ]

    def collector(self, line: program.Statement, which: int, lines: program.Block) -> Collect:
        """Block number *which* of a line, what it does being collected."""
        steps = [self._collect(line) for line in lines]

        def collect(
            c: Cells, number: int, pending: list[tuple[int, Effect, Any]], texts: list[str]
        ) -> None:
            for step in steps:
                step(c, number, pending, texts)

        return collect

    def _collect(self, line: program.Statement) -> Callable[..., None]:
        compile_ = self.expressions.compile
        match line:
            case program.Assign():
                act = self.act(line)
                return lambda c, number, pending, texts: act(c)
            case program.If():
                condition = compile_(line.condition)
                then = self.collector(line, 0, line.then)
                otherwise = self.collector(line, 1, line.otherwise)

                def choose(c: Cells, number: int, pending: Any, texts: Any) -> None:
                    (then if condition(c) else otherwise)(c, number, pending, texts)

                return choose
            case program.Match():
                find = self.row_finder(line)
                bodies = [self.collector(line, i, row.body) for i, row in enumerate(line.rows)]

                def match(c: Cells, number: int, pending: Any, texts: Any) -> None:
                    row = find(c)
                    if row < len(bodies):
                        bodies[row](c, number, pending, texts)

                return match
            case program.ForEach():
                loops = self._loops(line)
                body = self.collector(line, 0, line.body)

                def inner(c: Cells, number: int, pending: Any, texts: Any) -> None:
                    for _ in _product(c, loops, 0):
                        body(c, number, pending, texts)

                return inner
            case program.Say():
                say = self.sayer(line)
                return lambda c, number, pending, texts: texts.append(say(c))
        effect = self.effect(line)
        return lambda c, number, pending, texts: pending.append((number, effect, effect.read(c)))

    def _write_all(self, c: Cells, pending: list[tuple[int, Effect, Any]]) -> None:
        """Write what was collected; two members that write differently to a place are a fault."""
        written_by: dict[PlaceKey, tuple[int, Any, Effect]] = {}
        raised: list[tuple[Effect, Any]] = []
        for number, effect, operands in pending:
            repeated = 0
            touched = effect.touches(operands)
            for key, value in touched:
                before = written_by.get(key)
                if before is None:
                    written_by[key] = (number, value, effect)
                elif before[0] != number:
                    if before[1] != value:
                        raise fault(
                            "clash",
                            effect.span,
                            "two members of `for each` do different things to one place at once",
                            help="write `one by one` if one comes after the other",
                        )
                    repeated |= 1 << key[0]
            if effect.narrow is not None and repeated:
                operands = effect.narrow(operands, repeated)
            if isinstance(effect, RaiseEffect):
                effect.add(c, operands)
                raised.append((effect, operands))
            else:
                effect.write(c, operands)
        for effect, operands in raised:
            assert isinstance(effect, RaiseEffect)
            effect.check_range(c, operands)

    # ---- single effects

    def effect(self, line: program.Statement) -> Effect:
        """An effect that can stand alone or in `for each`."""
        match line:
            case program.Set():
                return self.set_variable(line)
            case program.Raise():
                return self.raise_variable(line)
            case program.Mark():
                return self.mark(line)
            case program.Put():
                return self.put(line)
            case program.Move():
                return self.move(line)
            case program.Swap():
                return self.swap(line)
            case program.Remove():
                return self.remove(line)
            case program.Change():
                return self.change(line)
            case program.Give():
                return self.give(line)
        raise AssertionError(line)


def _product(c: Cells, loops: list[tuple[int, Any]], depth: int) -> Any:
    """Set the locals of nested loops to each combination in turn."""
    slot, each = loops[depth]
    for member in each(c):
        c[slot] = member
        if depth + 1 < len(loops):
            yield from _product(c, loops, depth + 1)
        else:
            yield None


__all__ = ["Act", "Collect", "Effects"]
