"""What lines do to a state, as LLVM IR; the twin of `ludeme.machine.effects`.

A fault is noted in the context and the effect left out, so that play goes on safely to the end of
the decision, where the game is given up and told by the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from llvmlite import ir

from ludeme.check import program
from ludeme.check.limits import LARGEST_NUMBER
from ludeme.machine.layout import VariableSlots
from ludeme.machine.meter import PENDING
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I32, I64
from ludeme.native.refusal import NotNative
from ludeme.native.variables import Variables
from ludeme.native.writing import AtOnce, Say
from ludeme.native.written import Written


class Effects(Written, Variables):
    """Lowers lines without decisions."""

    @contextmanager
    def apart(self, say: Say | None) -> Iterator[None]:
        """Compile something else for a while, which prints by *say* or not at all."""
        before = self.at_once, self.say, self.prints
        self.at_once, self.say = None, say or (lambda code, line: None)
        self.prints = say is not None
        try:
            yield
        finally:
            self.at_once, self.say, self.prints = before

    # ---- lines

    def block(self, code: Code, lines: Sequence[program.Statement]) -> None:
        """Lines one after the other."""
        for line in lines:
            self.act(code, line)

    def branch(self, code: Code, line: program.Statement, which: int, lines: program.Block) -> None:
        """Block number *which* of a line, which may or may not be entered."""
        self.tally.enter(code, line, which)
        self.block(code, lines)

    def act(self, code: Code, line: program.Statement) -> None:
        """One line without decisions."""
        match line:
            case program.Assign() if line.local.type.kind == "family":
                if self.at_once is not None:
                    made = self.expressions.families.made(code, line.value)
                    code.env[line.local.slot] = made
                else:
                    self.expressions.families.keep(code, line.value, line.local)
            case program.Assign():
                value = self.value(code, line.value)
                if line.changes and line.local.type.kind == "number":
                    self.check_between(code, -LARGEST_NUMBER, LARGEST_NUMBER, value)
                self.set_local(code, line.local, value)
            case program.If():
                condition = self.value(code, line.condition)
                code.either(
                    condition,
                    lambda: self.branch(code, line, 0, line.then),
                    lambda: self.branch(code, line, 1, line.otherwise),
                )
            case program.Match():
                self.match(code, line)
            case program.ForEach():
                self.for_each(code, line)
            case program.OneByOne():
                self.one_by_one(code, line)
            case program.Say():
                self.say(code, line)
            case program.Pass():
                code.store(self.memory.fields[self.layout.passing], ir.Constant(I8, 1))
            case program.Again():
                code.store(self.memory.fields[self.layout.again], ir.Constant(I8, 1))
            case program.ClearBoard():
                self.clear_board(code)
            case program.RefillHands():
                self.refill(code)
            case program.Set():
                self.set_variable(code, line)
            case program.Raise():
                self.raise_variable(code, line)
            case program.Mark():
                self.mark(code, line)
            case program.Put():
                self.put(code, line)
            case program.Move():
                self.move(code, line)
            case program.Swap():
                self.swap(code, line)
            case program.Remove():
                self.remove(code, line)
            case program.Change():
                self.change(code, line)
            case program.Give():
                self.give(code, line)
            case _:
                raise NotNative(f"`{line.span.text}`", line.span)

    def set_local(self, code: Code, local: program.Local, value: Value) -> None:
        """Give a local its value; it stays in a register while `for each` runs."""
        if self.at_once is not None:
            code.env[local.slot] = value
            return
        field = self.memory.local(local)
        code.store(field, code.fit(value, field.type, signed=value.type != I1), base=code.write)

    def one_by_one(self, code: Code, line: program.OneByOne) -> None:
        """For each member in order. A family is made of the state before the first."""
        steps = self.expressions.effort.nodes_in(line.body)
        if line.domain.type.kind != "family":
            with self.expressions.each(code, line.domain, line.local, steps):
                self.branch(code, line, 0, line.body)
            return
        self.expressions.families.go_through(code, line.domain)
        state = code.write
        before = code.block(self.memory.size)
        code.copy(before, state, self.memory.size)
        code.read = code.write = before
        with self.expressions.each(code, line.domain, line.local, steps):
            code.read = code.write = state
            self.branch(code, line, 0, line.body)
            code.read = code.write = before
        code.read = code.write = state

    def match(self, code: Code, line: program.Match) -> None:
        """The first row whose values fit."""
        self.rows(code, line, lambda i: self.branch(code, line, i, line.rows[i].body), lambda: None)

    def rows(
        self,
        code: Code,
        line: program.Match,
        act: Callable[[int], None],
        otherwise: Callable[[], None],
    ) -> None:
        """Branch by the rows of a `match`; *act* is given the number of a row."""
        subjects = [self.value(code, subject) for subject in line.subjects]

        def from_row(number: int) -> None:
            if number == len(line.rows):
                otherwise()
                return
            row = line.rows[number]
            fits: Value = code.truth(True)
            for pattern, subject in zip(row.patterns, subjects, strict=False):
                if pattern is not None:
                    wanted = ir.Constant(subject.type, pattern)
                    same = code.builder.icmp_signed("==", subject, wanted)
                    fits = code.builder.and_(fits, same)
            code.either(fits, lambda: act(number), lambda: from_row(number + 1))

        from_row(0)

    # ---- at once

    def for_each(self, code: Code, line: program.ForEach) -> None:
        """All members at once: what is asked is a copy made before anything is written."""
        steps = PENDING + self.expressions.effort.nodes_in(line.body)
        if self.at_once is not None:
            self.loops(code, line.binders, lambda: self.branch(code, line, 0, line.body), steps)
            return
        counter = code.slot(I32)
        code.builder.store(code.i32(0), counter)
        # Whole, since a definition that is asked of it may look at what is carried along (memos).
        snapshot = code.block(self.memory.size)
        code.copy(snapshot, code.write, self.memory.size)
        outer = code.read
        code.read = snapshot
        prepare = code.function.append_basic_block("prepare")
        begin = code.function.append_basic_block("at_once")
        code.builder.branch(prepare)
        code.builder.position_at_end(prepare)
        code.builder.branch(begin)
        code.builder.position_at_end(begin)
        self.at_once = AtOnce(code.i32(0), prepare, {}, [])

        def member() -> None:
            number = code.builder.add(code.builder.load(counter, typ=I32), code.i32(1))
            code.builder.store(number, counter)
            assert self.at_once is not None
            self.at_once.number = number
            self.branch(code, line, 0, line.body)

        self.loops(code, line.binders, member, steps)
        code.read = outer
        raised = self.at_once.raised
        self.at_once = None
        for slots in raised:
            self.check_all(code, slots)

    def loops(
        self,
        code: Code,
        binders: Sequence[tuple[program.Local, program.Expression]],
        body: Callable[[], None],
        steps: int,
    ) -> None:
        """Nested loops, the last binder turning fastest; so many *steps* for each member."""
        if not binders:
            body()
            return
        local, domain = binders[0]
        with self.expressions.each(code, domain, local, steps):
            self.loops(code, binders[1:], body, steps)

    def check_all(self, code: Code, slots: VariableSlots) -> None:
        """After raises at once: every value of the variable must be in its range."""
        variable = slots.variable
        for slot in range(slots.first, slots.first + slots.count):
            field = self.memory.fields[slot]
            if field.count == 1:
                self.check_range(code, variable, code.fit(code.load(field), I64))
                continue
            with code.count_up(code.i64(field.count)) as index:
                self.check_range(code, variable, code.fit(code.load(field, index), I64))


__all__ = ["AtOnce", "Effects", "Say"]
