"""Counting sequences of decisions in machine code; the twin of `ludeme.play.perft`."""

from __future__ import annotations

from llvmlite import ir

from ludeme.check.limits import MOST_RUNS
from ludeme.machine.layout import OVER
from ludeme.native import context
from ludeme.native.chance import I128
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.flow import Decide, Flow
from ludeme.native.memory import I1, I64, PTR
from ludeme.native.turns import TurnCode

LARGEST = (1 << 63) - 1


class PerftCode:
    """Compiles ``perft``: context, state and depth; the number of sequences of decisions.

    Where no two runs of a turn print alike, each run is gone on from at its end while the others
    wait; else, and where all decide together, the runs are listed first, behind the lists of the
    decisions before. The context's fault is set where something goes wrong or cannot be told.
    """

    def __init__(self, unit: Unit, flow: Flow) -> None:
        self.unit = unit
        self.flow = flow
        self.turns = flow.turns
        self.memory = unit.memory
        self.players = unit.memory.players
        self.step = self.memory.fields[self.memory.layout.step]
        self.decisions = flow.decisions()
        # These two call each other, by way of turns and steps.
        self.below = unit.function("below", I64, [PTR, PTR, I64])
        self.deeper = unit.function("deeper", I1, [PTR, PTR])
        self.turns.modes[context.DEEPER] = self.at_end
        self.turns.keeps_runs = any(step.kind == "together" for _, step in self.decisions)

    def compile(self) -> None:
        """Make the function."""
        fnty = ir.FunctionType(I64, [PTR, PTR, I64])
        made = ir.Function(self.unit.module, fnty, "perft")
        ctx, state, depth = made.args
        code = Code(self.unit, made, ctx, state)
        self.flow.reset(code)
        self.flow.prepare(code)
        code.builder.ret(code.builder.call(self.below, [ctx, state, depth]))
        self.from_state()
        self.from_end()

    def arena_size(self) -> int:
        """How much room the lists of one decision may take."""
        sizes = [0]
        for _, step in self.decisions:
            turn = self.turns.turn(step.turn)
            if step.kind == "together":
                sizes.append(self.players * turn.listing.size)
            elif turn.forms is None:
                sizes.append(turn.listing.size)
        return max(sizes)

    # ---- one state

    def from_state(self) -> None:
        """`below`: the number of sequences of one decision or more from a state."""
        made = self.below
        ctx, state, depth = made.args
        code = Code(self.unit, made, ctx, state)
        here = code.builder.ptrtoint(code.slot(I64), I64)
        lowest = code.load(context.STACK, base=ctx)
        self.give_up_if(code, code.builder.icmp_unsigned("<", here, lowest))
        last = code.builder.icmp_signed("<=", depth, code.i64(1))
        over = made.append_basic_block("over")
        switch = code.builder.switch(code.load(self.step), over)
        for number, step in self.decisions:
            at, one, more = (made.append_basic_block(name) for name in ("at", "last", "more"))
            switch.add_case(code.i32(number), at)
            code.builder.position_at_end(at)
            code.builder.cbranch(last, one, more)
            code.builder.position_at_end(one)
            code.builder.ret(self.count(code, step))
            code.builder.position_at_end(more)
            code.builder.ret(code.builder.call(self.walk(number, step), [ctx, state, depth]))
        code.builder.position_at_end(over)
        finished = code.builder.icmp_signed("==", code.load(self.step), code.i32(OVER))
        self.give_up_if(code, code.builder.not_(finished))
        code.builder.ret(code.i64(0))

    def give_up_if(self, code: Code, condition: Value) -> None:
        """Note a fault and answer at once, which number does not matter."""
        lost = code.function.append_basic_block("lost")
        more = code.function.append_basic_block("more")
        code.builder.cbranch(condition, lost, more)
        code.builder.position_at_end(lost)
        code.store(context.FAULT, code.i32(1), base=code.ctx)
        result = code.function.ftype.return_type
        code.builder.ret(ir.Constant(result, 1))
        code.builder.position_at_end(more)

    def is_faulty(self, code: Code) -> Value:
        """Whether something went wrong."""
        return code.some(code.load(context.FAULT, base=code.ctx))

    def decider(self, code: Code) -> Value:
        """Who is to move."""
        return code.load(self.memory.fields[self.memory.layout.decider])

    # ---- the last decision, which is counted and not played

    def count(self, code: Code, step: Decide) -> Value:
        """The number of decisions that can be taken."""
        counter = self.turns.turn(step.turn).count
        if step.kind != "together":
            found = code.builder.call(counter, [code.ctx, code.read, self.decider(code)])
            self.give_up_if(code, code.none(found))
            return found
        total: Value = code.i64(1)
        for player in range(self.players):
            found = code.builder.call(counter, [code.ctx, code.read, code.i32(player)])
            self.give_up_if(code, code.none(found))
            product = code.builder.mul(code.fit(total, I128), code.fit(found, I128))
            large = code.builder.icmp_unsigned(">", product, ir.Constant(I128, LARGEST))
            self.give_up_if(code, large)
            total = code.builder.trunc(product, I64)
        return total

    # ---- the others

    def walk(self, number: int, step: Decide) -> ir.Function:
        """The number of sequences from a decision: context, state, depth of two or more."""
        made = self.unit.function("walk_" + step.turn, I64, [PTR, PTR, I64])
        code = Code(self.unit, made, made.args[0], made.args[1])
        turn = self.turns.turn(step.turn)
        if step.kind == "together":
            total = self.listed_together(code, number, step, turn, made.args[2])
        elif turn.forms is None:
            total = self.listed(code, number, step, turn, made.args[2])
        else:
            total = self.followed(code, turn, made.args[2])
        code.builder.ret(total)
        return made

    def followed(self, code: Code, turn: TurnCode, depth: Value) -> Value:
        """Go on from the end of each run while it stands there."""
        begun = code.block(self.memory.size)
        self.turns.begin(code, begun, code.read, self.decider(code))
        for field, value in ((context.DEPTH, depth), (context.TOTAL, code.i64(0))):
            code.store(field, value, base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        code.store(context.MODE, code.i32(context.DEEPER), base=code.ctx)
        self.flow.expressions.begin_question(code)
        code.builder.call(turn.enumerate, [code.ctx, begun])
        runs = code.load(context.COUNT, base=code.ctx)
        self.give_up_if(code, code.none(runs))
        many = code.builder.icmp_unsigned(">", runs, code.i64(MOST_RUNS))
        self.give_up_if(code, many)
        return code.load(context.TOTAL, base=code.ctx)

    def at_end(self, code: Code) -> None:
        """What the end of a run does in mode DEEPER."""
        code.builder.ret(code.builder.call(self.deeper, [code.ctx, code.write]))

    def from_end(self) -> None:
        """`deeper`: go on from the end of a run; whether something went wrong."""
        made = self.deeper
        made.attributes.add("noinline")  # its frame is not wanted where a run is only counted
        code = Code(self.unit, made, made.args[0], made.args[1])
        waiting = (context.DEPTH, context.TOTAL, context.COUNT, context.STEPS)
        depth, total, count, steps = (code.load(field, base=code.ctx) for field in waiting)
        child = code.block(self.memory.size)
        code.copy(child, code.read, self.memory.size)
        lost, switch_from = made.append_basic_block("lost"), code.load(self.step)
        after = made.append_basic_block("decided")
        switch = code.builder.switch(switch_from, lost)
        for number, step in self.decisions:
            if step.kind == "together" or self.turns.turn(step.turn).forms is None:
                continue
            block = made.append_basic_block("decide")
            switch.add_case(code.i32(number), block)
            code.builder.position_at_end(block)
            self.decide(code, number, step, child)
            code.builder.branch(after)
        code.builder.position_at_end(lost)
        code.store(context.FAULT, code.i32(1), base=code.ctx)
        code.builder.branch(after)
        code.builder.position_at_end(after)
        more = self.further(code, child, depth)
        total = self.sum(code, total, more)
        for field, value in zip(waiting, (depth, total, count, steps), strict=True):
            code.store(field, value, base=code.ctx)
        code.store(context.MODE, code.i32(context.DEEPER), base=code.ctx)
        code.builder.ret(self.is_faulty(code))

    def decide(self, code: Code, number: int, step: Decide, child: Value) -> None:
        """What follows a decision, in a state that stands at its end."""
        self.flow.expressions.begin_question(code)
        code.builder.call(self.flow.decided(step, number), [code.ctx, child])

    def further(self, code: Code, child: Value, depth: Value) -> Value:
        """The number of sequences from a state that a decision led to."""
        less = code.builder.sub(depth, code.i64(1))
        return code.choose(
            self.is_faulty(code),
            lambda: code.i64(0),
            lambda: code.builder.call(self.below, [code.ctx, child, less]),
        )

    def sum(self, code: Code, total: Value, more: Value) -> Value:
        """A sum, if it is a number that can be kept."""
        found = code.builder.add(total, more)
        self.give_up_if(code, code.builder.icmp_signed("<", found, code.i64(0)))
        return found

    def listed(self, code: Code, number: int, step: Decide, turn: TurnCode, depth: Value) -> Value:
        """List the runs, then go on from each."""
        arena = code.load(context.ARENA, base=code.ctx)
        runs = self.list_runs(code, turn, self.decider(code))
        total, child = self.zero(code), code.block(self.memory.size)
        with code.count_up(runs) as index:
            code.copy(child, self.run(code, turn, arena, index), self.memory.size)
            self.decide(code, number, step, child)
            self.tally(code, total, self.further(code, child, depth))
        code.store(context.ARENA, arena, base=code.ctx)
        return code.builder.load(total, typ=I64)

    def listed_together(
        self, code: Code, number: int, step: Decide, turn: TurnCode, depth: Value
    ) -> Value:
        """List the runs of every player, then go on from each of their joint choices."""
        arena = code.load(context.ARENA, base=code.ctx)
        lists = []
        for player in range(self.players):
            first = code.load(context.ARENA, base=code.ctx)
            lists.append((first, self.list_runs(code, turn, code.i32(player))))
        total, child = self.zero(code), code.block(self.memory.size)
        state = code.read

        def choose(outs: list[Value]) -> None:
            if len(outs) < self.players:
                first, runs = lists[len(outs)]
                with code.count_up(runs) as index:
                    choose([*outs, self.run(code, turn, first, index)])
                return
            code.copy(child, state, self.memory.size)
            code.read = code.write = child
            self.flow.expressions.begin_question(code)
            self.flow.reveal(code, step, outs)
            code.builder.call(self.flow.decided(step, number), [code.ctx, child])
            self.tally(code, total, self.further(code, child, depth))
            code.read = code.write = state

        choose([])
        code.store(context.ARENA, arena, base=code.ctx)
        return code.builder.load(total, typ=I64)

    def zero(self, code: Code) -> Value:
        """Where a sum is kept."""
        total = code.slot(I64)
        code.builder.store(code.i64(0), total)
        return total

    def tally(self, code: Code, total: Value, more: Value) -> None:
        """Add to a sum; give up if something went wrong."""
        self.give_up_if(code, self.is_faulty(code))
        code.builder.store(self.sum(code, code.builder.load(total, typ=I64), more), total)

    def list_runs(self, code: Code, turn: TurnCode, player: Value) -> Value:
        """List the runs of a player where the arena stands, and move it behind them."""
        turn.list_runs(code, code.block(self.memory.size), player)
        self.give_up_if(code, self.is_faulty(code))
        runs = code.load(context.PLACES, base=code.ctx)
        self.give_up_if(code, code.none(runs))
        size = code.builder.mul(runs, code.i64(turn.listing.entry_size))
        arena = code.load(context.ARENA, base=code.ctx)
        code.store(context.ARENA, code.builder.add(arena, size), base=code.ctx)
        return runs

    def run(self, code: Code, turn: TurnCode, first: Value, index: Value) -> Value:
        """The state at the end of a run that was listed."""
        return turn.listing.run_at(code, code.builder.inttoptr(first, PTR), index)


__all__ = ["PerftCode"]
