"""Whether a player can move, where that is not asked but left to the draw that follows.

`skipping stuck` asks of whoever is to decide if there is a legal move. In playouts that player
draws a move next, and a draw that finds none says the same; so nothing is asked. Where the draw
finds none, its random numbers are taken back and the player is passed over: nobody decided.

The question itself can be a fault. So it is left out only where evidently no run of the turn is
one, and where the interpreter answers it in time: there the values of the first choice are few.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from llvmlite import ir

from ludeme.machine import meter
from ludeme.native import context, facts
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import PTR

if TYPE_CHECKING:
    from ludeme.native.flow import Decide, Flow


class Unasked:
    """Leaves the question out for the steps of a program; *allowed*: the task knows of it."""

    def __init__(self, flow: Flow, allowed: bool) -> None:
        self.flow = flow
        self.unit = flow.unit
        self.turns = flow.turns
        self.effort = flow.expressions.effort
        self.allowed = allowed
        self._known: dict[str, bool] = {}

    def leaves_out(self, step: Decide) -> bool:
        """Whether a step's question is left to the draw."""
        if not self.allowed or not step.skipping or step.kind != "alternate":
            return False
        if step.turn not in self._known:
            self._known[step.turn] = self.is_harmless(step.turn)
        return self._known[step.turn]

    def is_harmless(self, name: str) -> bool:
        """Whether it is never a fault to ask if a turn can be taken, but for the time it takes."""
        program_ = self.flow.program
        if self.turns.turn(name).forms is None or self.effort.may_circle(program_.play):
            return False
        if not facts.is_harmless(program_, program_.turns[name].body):
            return False
        openings = self.effort.openings(name)
        if not self.effort.is_counted:
            return True
        return openings is not None and not any(map(facts.is_of_run, (o for o, _ in openings)))

    @cached_property
    def steps(self) -> list[tuple[int, Decide]]:
        """The steps whose question is left to the draw, with their numbers."""
        return [(i, step) for i, step in self.flow.decisions() if self.leaves_out(step)]

    def most_steps(self, code: Code, step: Decide) -> Value:
        """The steps that the interpreter takes at most to answer, and took since it began."""
        if not self.effort.is_counted:
            return code.i64(1)
        builder, values = code.builder, self.turns.turn(step.turn).draws.values
        limit = code.i64(meter.MOST_STEPS)
        # Of what was asked before only the larger part is counted.
        most = builder.shl(code.load(context.STEPS, base=code.ctx), code.i64(1))
        for line, steps in self.effort.openings(step.turn) or ():
            domain = self.flow.expressions.value(code, line.domain)
            ways = values.weight(code, line, domain)
            few = builder.icmp_unsigned("<", ways, limit)
            ways = builder.select(few, ways, limit)
            most = builder.add(most, builder.mul(ways, code.i64(steps)))
        return builder.add(most, code.i64(1))

    def can(self, code: Code, step: Decide, player: Value, skipped: Value) -> Value:
        """Whether a player can move, or may be able to; who comes after a stuck one is asked."""

        def ask() -> Value:
            return code.builder.call(self.turns.any(step.turn), [code.ctx, code.read, player])

        if not self.leaves_out(step):
            return ask()
        builder, most = code.builder, self.most_steps(code, step)
        first = builder.icmp_unsigned("==", skipped, code.i32(0))
        in_time = builder.icmp_unsigned("<=", most, code.i64(meter.MOST_STEPS))
        unasked = builder.and_(first, in_time)
        noted = builder.select(unasked, most, code.i64(0))
        code.store(context.UNASKED, noted, base=code.ctx)
        return code.choose(unasked, lambda: code.truth(True), ask)

    def is_open(self, code: Code) -> Value:
        """Whether it was not asked if the player who is to decide can move."""
        return code.some(code.load(context.UNASKED, base=code.ctx))

    def pass_over(self, code: Code, step: Decide, number: int) -> None:
        """Go on where whoever was to decide is stuck."""
        self.flow.expressions.begin_question(code)
        code.store(context.PASSED_OVER, code.i32(1), base=code.ctx)
        if self.effort.is_counted:
            spent = code.load(context.UNASKED, base=code.ctx)
            half = code.builder.lshr(spent, code.i64(1))
            code.store(context.STEPS, half, base=code.ctx)
        over = code.builder.call(self.flow.skip, [code.ctx, code.write])
        goes_on = code.builder.not_(over)
        where, one = code.i32(number), code.i32(1)
        run = self.flow.run
        code.when(goes_on, lambda: code.builder.call(run, [code.ctx, code.write, where, one]))

    @cached_property
    def settle(self) -> ir.Function:
        """Ask what was not asked, where no decision follows: context and state."""
        made = self.unit.function("settle", ir.VoidType(), [PTR, PTR])
        code = Code(self.unit, made, made.args[0], made.args[1])
        nothing = made.append_basic_block("nothing")
        at = code.load(self.flow.field(self.flow.layout.step))
        switch = code.builder.switch(at, nothing)
        for number, step in self.steps:
            block = made.append_basic_block(f"settle_{number}")
            switch.add_case(code.i32(number), block)
            code.builder.position_at_end(block)
            player = code.load(self.flow.field(self.flow.layout.decider))
            self.flow.expressions.begin_question(code)
            can = code.builder.call(self.turns.any(step.turn), [code.ctx, code.read, player])
            stuck = code.builder.not_(can)
            code.when(stuck, partial(self.pass_over, code, step, number))
            code.builder.branch(nothing)
        code.builder.position_at_end(nothing)
        code.builder.ret_void()
        return made
