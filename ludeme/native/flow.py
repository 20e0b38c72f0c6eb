"""The flow of a game as LLVM IR; the twin of `ludeme.machine.flow`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from llvmlite import ir

from ludeme.check import program
from ludeme.machine.flow import MOST_STEPS
from ludeme.machine.layout import OVER, initial_value
from ludeme.machine.tally import LEFT, PASSED, SKIPPED
from ludeme.native import context, facts
from ludeme.native.effects import Effects
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I8, I32, I64, PTR, Field
from ludeme.native.turns import Turns
from ludeme.native.unasked import Unasked


class Decide:
    """A step at which somebody decides."""

    def __init__(self, turn: str, kind: str) -> None:
        self.turn = turn
        self.kind = kind
        self.player: program.Expression | None = None
        self.skipping = False
        self.until: program.Expression | None = None
        self.exit = 0


class Jump:
    """Go on elsewhere; with a condition, only where it does not hold (or does, if *negated*)."""

    def __init__(self, condition: program.Expression | None = None, negated: bool = False) -> None:
        self.target = 0
        self.condition = condition
        self.negated = negated


class Round:
    """Give the name of a loop its next value, or leave the loop."""

    def __init__(self, step: program.Rounds, first: bool) -> None:
        self.step = step
        self.first = first
        self.exit = 0


Step = Decide | Jump | Round | program.Alternate | program.EffectStep | program.End


class Script:
    """The numbered steps of `play`, in the numbers of the interpreter's script."""

    def __init__(self, steps: program.Steps) -> None:
        self.steps: list[Step] = []
        self.phases: dict[str, int] = {}
        self.jumps: list[tuple[Jump, str]] = []
        self.add_all(steps)
        for jump, name in self.jumps:
            jump.target = self.phases[name]

    def add_all(self, steps: program.Steps) -> None:
        for step in steps:
            self.add(step)

    def add(self, step: program.Step) -> None:
        match step:
            case program.Takes():
                made = Decide(step.turn, "takes")
                made.player = step.player
                self.steps.append(made)
            case program.Alternate():
                self.steps.append(step)
                made = Decide(step.turn, "alternate")
                made.skipping, made.until = step.skipping, step.until
                self.steps.append(made)
                made.exit = len(self.steps)
            case program.Together():
                self.steps.append(Decide(step.turn, "together"))
            case program.Rolled():
                self.steps.append(Decide(step.turn, "chance"))
            case program.Phase():
                self.phases[step.name] = len(self.steps)
                self.add_all(step.body)
            case program.GoTo():
                jump = Jump()
                self.jumps.append((jump, step.phase))
                self.steps.append(jump)
            case program.Loop():
                self.loop(step)
            case program.Rounds():
                self.rounds(step)
            case program.IfStep():
                self.if_step(step)
            case program.EffectStep() | program.End():
                self.steps.append(step)

    def loop(self, step: program.Loop) -> None:
        begin = len(self.steps)
        leave = None
        if step.until is not None:
            leave = Jump(step.until, negated=True)
            self.steps.append(leave)
        self.add_all(step.body)
        back = Jump()
        back.target = begin
        self.steps.append(back)
        if leave is not None:
            leave.target = len(self.steps)

    def rounds(self, step: program.Rounds) -> None:
        first, again = Round(step, True), Round(step, False)
        self.steps.append(first)
        over = Jump()
        over.target = len(self.steps) + 2
        self.steps.append(over)
        begin = len(self.steps)
        self.steps.append(again)
        self.add_all(step.body)
        back = Jump()
        back.target = begin
        self.steps.append(back)
        first.exit = again.exit = len(self.steps)

    def if_step(self, step: program.IfStep) -> None:
        skip = Jump(step.condition)
        self.steps.append(skip)
        self.add_all(step.then)
        if not step.otherwise:
            skip.target = len(self.steps)
            return
        leave = Jump()
        self.steps.append(leave)
        skip.target = len(self.steps)
        self.add_all(step.otherwise)
        leave.target = len(self.steps)


class Flow:
    """Compiles what happens between decisions.

    *leaves_out*: whether a player can move may be left to the draw, see `ludeme.native.unasked`.
    """

    def __init__(
        self, unit: Unit, effects: Effects, turns: Turns, leaves_out: bool = False
    ) -> None:
        self.unit = unit
        self.effects = effects
        self.expressions = effects.expressions
        self.turns = turns
        self.counting = effects.tally
        self.history = effects.expressions.history
        self.memory = unit.memory
        self.layout = effects.layout
        self.program = effects.program
        self.players = len(self.program.players)
        self.shape = context.Shape(self.players)
        self.rolled = [turn.name for turn in self.program.turns.values() if turn.chance]
        self.sources = self.players + len(self.rolled)
        """How many random streams there are: of each player, and of each turn of chance."""
        self.script = Script(self.program.play)
        self.passed = {id(step) for step in facts.steps_passed(self.program)}
        self.played = facts.turns_played(self.program)
        self.ends = [*self.program.ends, *self.finishing()]
        self.unasked = Unasked(self, leaves_out)
        self.told: Callable[[Code, int, Value], None] = lambda code, number, end: None
        """What is done with the state at the end of each run that is drawn, at a step of a number.
        """

    def is_shut_off(self, step: Step) -> bool:
        """Whether an option shuts a step off, so that nothing is known of what it does."""
        if isinstance(step, Decide):
            return step.turn not in self.played
        return isinstance(step, program.EffectStep) and id(step) not in self.passed

    def decisions(self) -> list[tuple[int, Decide]]:
        """The steps at which somebody decides, but those that an option shuts off."""
        steps = enumerate(self.script.steps)
        return [(i, s) for i, s in steps if isinstance(s, Decide) and s.turn in self.played]

    def finishing(self) -> list[program.End]:
        """The ends that `play` itself comes to."""
        return [step for step in self.script.steps if isinstance(step, program.End)]

    def field(self, slot: int) -> Field:
        """The place of a slot."""
        return self.memory.fields[slot]

    # ---- forward

    @cached_property
    def run(self) -> ir.Function:
        """Go on from a step to the next decision, or to the end.

        Takes context, state, step, and how many players have just been skipped.
        """
        made = self.unit.function("run", ir.VoidType(), [PTR, PTR, I32, I32])
        code = Code(self.unit, made, made.args[0], made.args[1])
        index, passed, skipped = code.slot(I32), code.slot(I32), code.slot(I32)
        code.builder.store(made.args[2], index)
        code.builder.store(code.i32(0), passed)
        code.builder.store(made.args[3], skipped)
        head = made.append_basic_block("step")
        lost = made.append_basic_block("lost")
        code.builder.branch(head)
        code.builder.position_at_end(head)
        count = code.builder.add(code.builder.load(passed, typ=I32), code.i32(1))
        code.builder.store(count, passed)
        open_ = made.append_basic_block("open")
        too_many = code.builder.icmp_unsigned(">", count, code.i32(MOST_STEPS))
        if self.expressions.effort.is_counted:
            too_many = code.builder.or_(too_many, self.expressions.is_overrun(code))
        code.builder.cbranch(too_many, lost, open_)
        code.builder.position_at_end(open_)
        switch = code.builder.switch(code.builder.load(index, typ=I32), lost)
        for number, step in enumerate(self.script.steps):
            block = made.append_basic_block(f"step_{number}")
            switch.add_case(code.i32(number), block)
            code.builder.position_at_end(block)
            self.pass_step(code, step, number, index, head, skipped)
        code.builder.position_at_end(lost)
        code.store(context.FAULT, code.i32(1), base=code.ctx)
        code.builder.ret_void()
        return made

    def go(self, code: Code, index: Value, head: ir.Block, target: int | Value) -> None:
        """Go on at a step."""
        where = code.i32(target) if isinstance(target, int) else target
        code.builder.store(where, index)
        code.builder.branch(head)

    def pass_step(
        self, code: Code, step: Step, number: int, index: Value, head: ir.Block, skipped: Value
    ) -> None:
        """Carry out one step."""
        if self.is_shut_off(step):
            code.store(context.FAULT, code.i32(1), base=code.ctx)
            code.builder.ret_void()
            return
        if isinstance(step, Decide):
            self.arrive(code, step, number, index, head, skipped)
            return
        self.counting.step(code, number, PASSED)
        match step:
            case program.Alternate():
                player = self.expressions.value(code, step.start)
                self.check_player(code, player)
                code.store(self.field(self.layout.decider), player)
            case program.EffectStep():
                self.turns.clear_scratch(code, code.write)
                self.effects.block(code, step.body)
            case Jump():
                self.jump(code, step, number, index, head)
                return
            case Round():
                self.next_round(code, step, number, index, head)
                return
            case program.End():
                player_of = step.player
                player = self.expressions.value(code, player_of) if player_of is not None else None
                self.counting.held(code, step, single=True)
                self.finish(code, step, player)
                code.builder.ret_void()
                return
        self.go(code, index, head, number + 1)

    def check_player(self, code: Code, player: Value) -> None:
        """Nobody can neither begin nor win."""
        nobody = code.builder.icmp_unsigned(">=", player, code.i32(self.players))
        self.effects.fault_if(code, nobody)

    def jump(self, code: Code, step: Jump, number: int, index: Value, head: ir.Block) -> None:
        """A jump, perhaps with a condition."""
        if step.condition is None:
            if step.target != number + 1:
                self.counting.step(code, number, LEFT)
            self.go(code, index, head, step.target)
            return
        condition = self.expressions.value(code, step.condition)
        stay, away = code.i32(number + 1), code.i32(step.target)
        self.counting.left(code, number, condition, step.negated)
        if step.negated:
            stay, away = away, stay
        self.go(code, index, head, code.builder.select(condition, stay, away))

    def next_round(
        self, code: Code, step: Round, number: int, index: Value, head: ir.Block
    ) -> None:
        """The next value of a loop."""
        slot = self.layout.variables[step.step.variable.name].first
        field = self.field(slot)
        domain = self.expressions.value(code, step.step.domain)
        if not step.first:
            type_ = domain.type
            done = code.fit(code.load(field), type_, signed=False)
            upto = code.builder.shl(ir.Constant(type_, 2), done)
            keep = code.builder.not_(code.builder.sub(upto, ir.Constant(type_, 1)))
            domain = code.builder.and_(domain, keep)
        more = code.function.append_basic_block("round")
        over = code.function.append_basic_block("rounds_over")
        code.builder.cbranch(code.some(domain), more, over)
        code.builder.position_at_end(over)
        self.counting.step(code, number, LEFT)
        self.go(code, index, head, step.exit)
        code.builder.position_at_end(more)
        code.store(field, code.lowest(domain))
        self.go(code, index, head, number + 1)

    def arrive(
        self, code: Code, step: Decide, number: int, index: Value, head: ir.Block, skipped: Value
    ) -> None:
        """Come to a decision: leave the alternation, skip who is stuck, or stand here."""
        decider = self.field(self.layout.decider)
        if step.kind == "takes":
            assert step.player is not None
            player = self.expressions.value(code, step.player)
            self.check_player(code, player)
            code.store(decider, player)
        if step.until is not None:
            self.turns.clear_scratch(code, code.write)
            code.store(self.field(self.layout.mover), code.load(decider))
            leaves = self.expressions.value(code, step.until)
            away = code.function.append_basic_block("leaves")
            stay = code.function.append_basic_block("stays")
            code.builder.cbranch(leaves, away, stay)
            code.builder.position_at_end(away)
            self.counting.step(code, number, LEFT)
            self.go(code, index, head, step.exit)
            code.builder.position_at_end(stay)
        code.store(self.field(self.layout.step), code.i32(number))
        if step.skipping:
            self.skip_stuck(code, step, number, index, head, skipped)
        if step.kind in ("together", "chance"):
            code.store(decider, code.i32(self.players))
        code.builder.ret_void()

    def skip_stuck(
        self, code: Code, step: Decide, number: int, index: Value, head: ir.Block, skipped: Value
    ) -> None:
        """Pass over a player without a move."""
        decider = code.load(self.field(self.layout.decider))
        can = self.unasked.can(code, step, decider, code.builder.load(skipped, typ=I32))
        stuck = code.function.append_basic_block("stuck")
        free = code.function.append_basic_block("free")
        code.builder.cbranch(can, free, stuck)
        code.builder.position_at_end(stuck)
        self.counting.step(code, number, SKIPPED)
        times = code.builder.add(code.builder.load(skipped, typ=I32), code.i32(1))
        code.builder.store(times, skipped)
        lost = code.builder.icmp_unsigned(">", times, code.i32(self.players))
        self.effects.fault_if(code, lost)
        over = code.builder.call(self.skip, [code.ctx, code.write])
        done = code.function.append_basic_block("done")
        again = code.function.append_basic_block("again")
        code.builder.cbranch(code.builder.or_(over, lost), done, again)
        code.builder.position_at_end(done)
        code.builder.ret_void()
        code.builder.position_at_end(again)
        self.go(code, index, head, number)
        code.builder.position_at_end(free)

    @cached_property
    def skip(self) -> ir.Function:
        """Pass over the player to move; whether that ends the game."""
        made = self.unit.function("skip", I1, [PTR, PTR])
        code = Code(self.unit, made, made.args[0], made.args[1])
        decider = self.field(self.layout.decider)
        player = code.load(decider)
        self.turns.clear_scratch(code, code.write)
        code.store(self.field(self.layout.mover), player)
        self.count_turn(code, skipped=True)
        self.expire(code)
        over = code.builder.call(self.test_ends(True), [code.ctx, code.write])
        self.return_if(code, over)
        self.history.remember(code)
        code.store(decider, self.following(code, player))
        code.builder.ret(code.truth(False))
        return made

    def return_if(self, code: Code, over: Value) -> None:
        """Answer that the game is over."""
        yes = code.function.append_basic_block("over")
        no = code.function.append_basic_block("on")
        code.builder.cbranch(over, yes, no)
        code.builder.position_at_end(yes)
        if code.function.ftype.return_type == I1:
            code.builder.ret(code.truth(True))
        else:
            code.builder.ret_void()
        code.builder.position_at_end(no)

    def following(self, code: Code, player: Value) -> Value:
        """The next player in seat order."""
        more = code.builder.add(player, code.i32(1))
        wraps = code.builder.icmp_unsigned(">=", more, code.i32(self.players))
        return code.builder.select(wraps, code.i32(0), more)

    def decided(self, step: Decide, number: int) -> ir.Function:
        """What follows a decision at a step: counters, ends, expiry, and on."""
        if number not in self._decided:
            self._decided[number] = self.follow(step, number)
        return self._decided[number]

    @cached_property
    def _decided(self) -> dict[int, ir.Function]:
        return {}

    def follow(self, step: Decide, number: int) -> ir.Function:
        """The function that `decided` gives."""
        made = self.unit.function("decided", ir.VoidType(), [PTR, PTR])
        self.unit.often.append(made)
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.counting.step(code, number, PASSED)
        if step.kind == "chance":
            over = code.builder.call(self.test_ends(False), [code.ctx, code.write])
            self.return_if(code, over)
            where, nobody = code.i32(number + 1), code.i32(0)
            code.builder.call(self.run, [code.ctx, code.write, where, nobody])
            code.builder.ret_void()
            return made
        self.count_turn(code, skipped=False)
        single = step.kind != "together"
        self.expire(code)
        over = code.builder.call(self.test_ends(single), [code.ctx, code.write])
        self.return_if(code, over)
        self.history.remember(code)
        again: Value = code.truth(False)
        if self.memory.keeps_again:
            again = code.some(code.load(self.field(self.layout.again)))
        index: Value = code.i32(number)
        if step.kind == "alternate":
            decider = self.field(self.layout.decider)
            player = code.load(decider)
            code.store(decider, code.builder.select(again, player, self.following(code, player)))
            if step.until is None and not step.skipping:
                code.builder.ret_void()  # the next one stands at this very step
                return made
        else:
            index = code.builder.select(again, index, code.i32(number + 1))
        code.builder.call(self.run, [code.ctx, code.write, index, code.i32(0)])
        code.builder.ret_void()
        return made

    def count_turn(self, code: Code, skipped: bool) -> None:
        """Keep the counters that the description asks for."""
        counters = self.layout.counters
        passing: Value = code.truth(False)
        if self.memory.keeps_passing:
            passing = code.some(code.load(self.field(self.layout.passing)))

        def bump(name: str, condition: Value | None) -> None:
            field = self.field(counters[name])
            more = code.builder.add(code.load(field), code.i32(1))
            if condition is not None:
                more = code.builder.select(condition, more, code.i32(0))
            code.store(field, more)

        if "turns" in counters:
            bump("turns", None)
        if "skips" in counters:
            bump("skips", code.truth(skipped))
        if "passes" in counters and not skipped:
            bump("passes", passing)
        if "passed" in counters and not skipped:
            mover = code.load(self.field(self.layout.mover))
            known = code.builder.icmp_unsigned("<", mover, code.i32(self.players))
            field = self.field(counters["passed"])
            code.when(known, lambda: code.store(field, code.fit(passing, I32), mover))

    def expire(self, code: Code) -> None:
        """One turn less for everything that does not last."""
        for slots in self.layout.variables.values():
            variable = slots.variable
            if variable.lasting is None:
                continue
            if variable.is_flag:
                for layer in range(slots.count - 1):
                    above = code.load(self.field(slots.first + layer + 1))
                    code.store(self.field(slots.first + layer), above)
                code.store(self.field(slots.first + slots.count - 1), code.set_constant(0))
                if variable.owner == "piece":
                    self.expire_buried(code, variable)
                continue
            assert slots.ages is not None
            for i in range(slots.count):
                self.age(code, slots.first + i, slots.ages + i, variable)

    def expire_buried(self, code: Code, variable: program.Variable) -> None:
        """One turn less for a flag of the pieces that lie below others."""
        pile = self.memory.pile
        if pile is None:
            return
        noted = [slots.variable for slots in self.layout.piece_variables]
        column = pile.columns[2 + noted.index(variable)]
        with code.count_up(code.i64(column.count)) as index:
            layers = code.builder.lshr(code.load(column, index), ir.Constant(column.type, 1))
            code.store(column, layers, index)

    def age(self, code: Code, slot: int, age_slot: int, variable: program.Variable) -> None:
        """One turn less for one value."""
        age = code.load(self.field(age_slot))
        field = self.field(slot)
        first = initial_value(variable, self.program)
        value = first[0] if isinstance(first, tuple) else first
        last = code.builder.icmp_unsigned("==", age, ir.Constant(I8, 1))
        code.when(last, lambda: self.effects.fill(code, field, int(value)))
        none = code.builder.icmp_unsigned("==", age, ir.Constant(I8, 0))
        less = code.builder.sub(age, ir.Constant(I8, 1))
        code.store(self.field(age_slot), code.builder.select(none, age, less))

    # ---- ends

    def test_ends(self, single: bool) -> ir.Function:
        """Ask the ends in order; whether one decided the game."""
        name = "ends_single" if single else "ends_together"
        if name in self._ends:
            return self._ends[name]
        made = self.unit.function(name, I1, [PTR, PTR])
        self._ends[name] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.counting.tested(code, single)
        for end in self.program.ends:
            if end.needs_mover and not single:
                continue
            holds: Value = code.truth(True)
            if end.condition is not None:
                holds = self.expressions.value(code, end.condition)
            yes = code.function.append_basic_block("end")
            no = code.function.append_basic_block("no_end")
            code.builder.cbranch(holds, yes, no)
            code.builder.position_at_end(yes)
            player = self.expressions.value(code, end.player) if end.player is not None else None
            self.counting.held(code, end, single)
            self.finish(code, end, player)
            code.builder.ret(code.truth(True))
            code.builder.position_at_end(no)
        code.builder.ret(code.truth(False))
        return made

    @cached_property
    def _ends(self) -> dict[str, ir.Function]:
        return {}

    def finish(self, code: Code, end: program.End, player: Value | None) -> None:
        """Write down how the game ended."""
        winner: Value = code.i32(self.players)
        if player is not None:
            self.check_player(code, player)
            winner = player
            if end.kind == "loses":
                winner = (
                    code.builder.xor(player, code.i32(1))
                    if self.players == 2
                    else code.i32(self.players)
                )
        elif end.kind == "decides":
            winner = self.rank(code)
        code.store(context.END, code.i32(self.ends.index(end)), base=code.ctx)
        code.store(context.WINNER, winner, base=code.ctx)
        code.store(self.field(self.layout.step), code.i32(OVER))
        code.store(self.field(self.layout.decider), code.i32(self.players))

    def rank(self, code: Code) -> Value:
        """Scores and ranks into the context; the single best player or none."""
        numbers = self.rank_numbers(code)
        best: Value = code.i32(self.players)
        for player in reversed(range(self.players)):
            above: Value = code.i64(0)
            equal: Value = code.i64(0)
            for other in range(self.players):
                if other == player:
                    continue
                greater, same = self.compare(code, numbers[other], numbers[player])
                above = code.builder.add(above, code.builder.zext(greater, I64))
                equal = code.builder.add(equal, code.builder.zext(same, I64))
            rank = code.builder.add(above, code.i64(1))
            code.store(self.shape.ranks, rank, code.i32(player), base=code.ctx)
            first = code.builder.icmp_signed("==", above, code.i64(0))
            alone = code.builder.icmp_signed("==", equal, code.i64(0))
            wins = code.builder.and_(first, alone)
            best = code.builder.select(wins, code.i32(player), best)
        return best

    def rank_numbers(self, code: Code) -> Sequence[Sequence[Value]]:
        """What the ranking goes by, for each player, greater being better."""
        numbers = []
        for player in range(self.players):
            row = []
            for i, rank in enumerate(self.program.ranking):
                code.env[rank.local.slot] = code.i32(player)
                value = self.expressions.value(code, rank.value)
                if i == 0:
                    code.store(self.shape.scores, value, code.i32(player), base=code.ctx)
                row.append(value if rank.highest else code.builder.neg(value))
            numbers.append(row)
        return numbers

    def compare(self, code: Code, a: Sequence[Value], b: Sequence[Value]) -> tuple[Value, Value]:
        """Whether one list of numbers is greater than another, and whether they are equal."""
        greater: Value = code.truth(False)
        equal: Value = code.truth(True)
        for x, y in zip(a, b, strict=True):
            above = code.builder.and_(equal, code.builder.icmp_signed(">", x, y))
            greater = code.builder.or_(greater, above)
            equal = code.builder.and_(equal, code.builder.icmp_signed("==", x, y))
        return greater, equal

    # ---- one decision

    def prepare(self, code: Code) -> None:
        """Find what is carried along with a state that comes from elsewhere."""
        self.expressions.memos.prepare(code, self.expressions)

    def reset(self, code: Code) -> None:
        """Forget what the context holds of the game before; note where the stack must end."""
        here = code.builder.ptrtoint(code.slot(I64), I64)
        budget = code.load(context.BUDGET, base=code.ctx)
        code.store(context.STACK, code.builder.sub(here, budget), base=code.ctx)
        code.store(context.STEPS, code.i64(0), base=code.ctx)
        code.store(context.FAULT, code.i32(0), base=code.ctx)
        code.store(context.END, code.i32(-1), base=code.ctx)
        for field in (context.MOVES, context.WIDTHS, context.JOINT_WIDTHS):
            code.store(field, code.i64(0), base=code.ctx)
        self.counting.begin_game(code)

    @cached_property
    def decide(self) -> ir.Function:
        """Take one decision at random: context, state, streams of the players.

        A player without a legal move is a fault.
        """
        made = self.unit.function("decide", ir.VoidType(), [PTR, PTR, PTR])
        code = Code(self.unit, made, made.args[0], made.args[1])
        streams = made.args[2]
        nowhere = made.append_basic_block("nowhere")
        switch = code.builder.switch(code.load(self.field(self.layout.step)), nowhere)
        for number, step in self.decisions():
            block = made.append_basic_block(f"decide_{number}")
            switch.add_case(code.i32(number), block)
            code.builder.position_at_end(block)
            decided = self.decided(step, number)
            if step.kind == "together":
                self.decide_together(code, step, number, streams)
                code.builder.call(decided, [code.ctx, code.write])
                code.builder.ret_void()
            elif step.kind == "chance":
                self.roll(code, step, number, streams, decided)
            else:
                self.decide_single(code, step, number, streams, decided)
        code.builder.position_at_end(nowhere)
        code.store(context.FAULT, code.i32(1), base=code.ctx)
        code.builder.ret_void()
        return made

    def stuck_if_none(self, code: Code, found: Value) -> None:
        """A player who must move and cannot."""
        stuck = code.function.append_basic_block("stuck")
        drawn = code.function.append_basic_block("drawn")
        code.builder.cbranch(found, drawn, stuck)
        code.builder.position_at_end(stuck)
        code.store(context.FAULT, code.i32(1), base=code.ctx)
        code.builder.ret_void()
        code.builder.position_at_end(drawn)

    def pass_over_if_none(
        self, code: Code, step: Decide, number: int, found: Value, stream: Value, before: Value
    ) -> None:
        """A player of whom it was not asked if they can move, and who cannot."""
        stuck = code.function.append_basic_block("stuck")
        drawn = code.function.append_basic_block("drawn")
        code.builder.cbranch(found, drawn, stuck)
        code.builder.position_at_end(stuck)
        code.builder.store(before, stream)
        code.either(
            self.unasked.is_open(code),
            lambda: self.unasked.pass_over(code, step, number),
            lambda: code.store(context.FAULT, code.i32(1), base=code.ctx),
        )
        code.builder.ret_void()
        code.builder.position_at_end(drawn)

    def roll(
        self, code: Code, step: Decide, number: int, streams: Value, decided: ir.Function
    ) -> None:
        """Chance decides; no move of a player is counted."""
        source = code.i64(self.players + self.rolled.index(step.turn))
        stream = code.builder.gep(streams, [source], source_etype=I64)
        draw, nobody = self.turns.turn(step.turn).draw, code.i32(self.players)
        found = code.builder.call(draw, [code.ctx, code.write, nobody, stream])
        self.stuck_if_none(code, found)
        double = ir.DoubleType()
        self.tally(code, 0, ir.Constant(double, 0.0), ir.Constant(double, 1.0))
        self.told(code, number, code.write)
        self.expressions.begin_question(code)
        code.builder.call(decided, [code.ctx, code.write])
        code.builder.ret_void()

    def decide_single(
        self, code: Code, step: Decide, number: int, streams: Value, decided: ir.Function
    ) -> None:
        """One player draws a move, and what follows; each of two players by code of their own."""
        player = code.load(self.field(self.layout.decider))
        if self.players != 2:
            self.decide_of(code, step, number, streams, player, decided)
            return
        first = code.builder.icmp_unsigned("==", player, code.i32(0))
        blocks = [code.function.append_basic_block(name) for name in self.program.players]
        code.builder.cbranch(first, *blocks)
        for which, block in enumerate(blocks):
            code.builder.position_at_end(block)
            self.decide_of(code, step, number, streams, code.i32(which), decided)

    def decide_of(
        self,
        code: Code,
        step: Decide,
        number: int,
        streams: Value,
        player: Value,
        decided: ir.Function,
    ) -> None:
        """A player draws a move, and what follows."""
        stream = code.builder.gep(streams, [code.wide(player)], source_etype=I64)
        draw = self.turns.turn(step.turn).draw
        leaves_out = self.unasked.leaves_out(step)
        before = code.builder.load(stream, typ=I64) if leaves_out else None
        found = code.builder.call(draw, [code.ctx, code.write, player, stream])
        if leaves_out:
            self.pass_over_if_none(code, step, number, found, stream, before)
        else:
            self.stuck_if_none(code, found)
        width = self.double(code, code.load(context.WIDTH, base=code.ctx))
        self.tally(code, 1, width, width)
        self.told(code, number, code.write)
        self.expressions.begin_question(code)
        code.builder.call(decided, [code.ctx, code.write])
        code.builder.ret_void()

    def double(self, code: Code, value: Value) -> Value:
        """A number as a double."""
        return code.builder.sitofp(value, ir.DoubleType())

    def tally(self, code: Code, moves: int, widths: Value, joint: Value) -> None:
        """Count the moves of a decision, and what the draws told of their number."""
        made = code.load(context.MOVES, base=code.ctx)
        code.store(context.MOVES, code.builder.add(made, code.i64(moves)), base=code.ctx)
        for field, more in ((context.WIDTHS, widths), (context.JOINT_WIDTHS, joint)):
            at = code.address(code.ctx, field)
            now = code.builder.load(at, typ=ir.DoubleType())
            code.builder.store(code.builder.fadd(now, more), at)

    def decide_together(self, code: Code, step: Decide, number: int, streams: Value) -> None:
        """All players draw against the same state; then all is revealed."""
        draw = self.turns.turn(step.turn).draw
        outs = [code.block(self.memory.size) for _ in range(self.players)]
        widths: Value = ir.Constant(ir.DoubleType(), 0.0)
        joint: Value = ir.Constant(ir.DoubleType(), 1.0)
        for player, out in enumerate(outs):
            stream = code.builder.gep(streams, [code.i64(player)], source_etype=I64)
            code.copy(out, code.write, self.memory.size)
            found = code.builder.call(draw, [code.ctx, out, code.i32(player), stream])
            self.stuck_if_none(code, found)
            width = self.double(code, code.load(context.WIDTH, base=code.ctx))
            widths = code.builder.fadd(widths, width)
            joint = code.builder.fmul(joint, width)
            self.told(code, number, out)
        self.tally(code, self.players, widths, joint)
        self.reveal(code, step, outs)

    def reveal(self, code: Code, step: Decide, outs: Sequence[Value]) -> None:
        """Carry out what all have planned, each in a state of their own."""
        turn = self.program.turns[step.turn]
        before = code.block(self.memory.size)
        code.copy(before, code.write, self.memory.size)
        planned = [s for s in self.layout.variables.values() if s.variable.planned]
        for player, out in enumerate(outs):
            for slots in planned:
                self.copy_field(code, slots.first + player, out)
        self.turns.clear_scratch(code, code.write)
        self.expressions.begin_question(code)
        self.effects.block(code, turn.reveal)
        for slots in planned:
            for slot in range(slots.first, slots.first + slots.count):
                self.copy_field(code, slot, before)
        passed = [code.load(self.field(self.layout.passing), base=out) for out in outs]
        every: Value = passed[0]
        for one in passed[1:]:
            every = code.builder.and_(every, one)
        code.store(self.field(self.layout.passing), every)
        if "passed" in self.layout.counters:
            field = self.field(self.layout.counters["passed"])
            for player, one in enumerate(passed):
                code.store(field, code.fit(one, I32, signed=False), code.i32(player))

    def copy_field(self, code: Code, slot: int, source: Value) -> None:
        """Take a slot of another state over."""
        field = self.field(slot)
        code.copy(code.address(code.write, field), code.address(source, field), field.size)


__all__ = ["Decide", "Flow", "Script"]
