"""The draw of a turn as LLVM IR: a move by random numbers; the twin of `ludeme.machine.turns`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from llvmlite import ir

from ludeme.check import program
from ludeme.check.limits import MOST_RUNS
from ludeme.check.walking import walk
from ludeme.machine.forms import without_otherwise
from ludeme.machine.turns import MOST_ATTEMPTS, MOST_PLACES
from ludeme.native import context
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I32, I64, PTR, Field
from ludeme.native.paths import PathDraw, Paths
from ludeme.native.places import PATH, Places, arena_of
from ludeme.native.rolls import Rolls
from ludeme.native.runs import Runs
from ludeme.native.values import Values

if TYPE_CHECKING:
    from ludeme.native.turns import TurnCode, Turns


class Draws:
    """Compiles the draw of one turn."""

    def __init__(self, turns: Turns, turn_code: TurnCode) -> None:
        self.turns = turns
        self.turn_code = turn_code
        self.turn = turn_code.turn
        self.unit = turns.unit
        self.memory = turns.memory
        self.layout = turns.layout
        self.effects = turns.effects
        self.expressions = turns.effects.expressions
        self.tally = turns.tally
        self.chance = turns.chance
        self.places = Places(self.unit, self.effects, self.turn, turn_code.forms or ())
        self.values = Values(self.unit, self.effects, self.chance, self.success)
        self.paths = Paths(
            self.unit,
            self.effects,
            self.places,
            self.values,
            self.success,
            turns.scratch,
            turn_code.sayer,
        )

    @cached_property
    def success(self) -> ir.Function:
        """The end of a run that was drawn."""
        made = self.unit.function("success", I1, [PTR, PTR], inline=True)
        code = Code(self.unit, made, made.args[0], made.args[1])
        code.builder.ret(code.truth(True))
        return made

    @property
    def room(self) -> int:
        """How much room places or listed runs may take."""
        if self.turn_code.forms is None:
            return self.turn_code.listing.size
        return (self.places.most + 1) * self.places.size

    @cached_property
    def draw(self) -> ir.Function:
        """Draw a move: from context, state, player and stream; whether there is one.

        The state becomes that at the end of the run; the context's width tells of the number of
        moves.
        """
        made = self.unit.function("draw_" + self.turn.name, I1, [PTR, PTR, I32, PTR])
        self.unit.often.append(made)
        ctx, state, player, stream = made.args
        code = Code(self.unit, made, ctx, state)
        self.turns.clear_scratch(code, state)
        code.store(self.memory.fields[self.layout.mover], player)
        if self.turn.chance:
            self.draw_rolled(code, stream)
            return made
        if self.turn_code.forms is None:
            code.builder.ret(code.builder.call(self.listed, [ctx, state, player, stream]))
            return made
        if self.paths.all_single:
            self.draw_single(code, stream)
            if not any(path.fails for path in self.paths.ways) and not self.has_otherwise:
                code.builder.ret(code.truth(False))  # nothing to list where nothing was weighed
                return made
        else:
            self.draw_weighed(code, stream)
        code.builder.ret(code.builder.call(self.nth, [ctx, state, player, stream]))
        return made

    @property
    def has_otherwise(self) -> bool:
        """Whether some runs are open only if no other is."""
        branches = (line for line in walk(self.turn.body) if isinstance(line, program.OneOf))
        return any(bullet.otherwise for line in branches for bullet in line.bullets)

    # ---- turns of chance

    def draw_rolled(self, code: Code, stream: Value) -> None:
        """Roll until a run succeeds; the interpreter looks further where none does for long."""
        rolls = Rolls(self.unit, self.effects, self.values)
        with self.effects.apart(self.turn_code.sayer):
            roll = rolls.compile(self.turn.body, "roll_" + self.turn.name)
        code.store(context.STREAM, code.builder.ptrtoint(stream, I64), base=code.ctx)
        before = code.block(self.memory.size)
        code.copy(before, code.write, self.memory.size)
        with code.count_up(code.i64(MOST_ATTEMPTS)):
            self.expressions.begin_question(code)
            done = code.builder.call(roll, [code.ctx, code.write])

            def succeed() -> None:
                self.tally.count_entered(code, self.turn)
                code.builder.ret(code.truth(True))

            code.when(done, succeed)
            code.copy(code.write, before, self.memory.size)
        code.builder.ret(code.truth(False))

    # ---- turns of one choice

    def draw_single(self, code: Code, stream: Value) -> None:
        """Rules 1 and 2 where every path has one choice: weights stand side by side."""
        weights = []
        for path in self.paths.all:
            if path.weigh is None:
                weights.append(code.i64(1))
                continue
            field = self.paths.path_weight(path.number)
            code.store(field, code.i64(0), base=code.ctx)
            code.builder.call(path.weigh, [code.ctx, code.write])
            weights.append(code.load(field, base=code.ctx))
        total = weights[0]
        for weight in weights[1:]:
            total = code.builder.add(total, weight)
        some = code.builder.icmp_signed(">", total, code.i64(0))

        def attempt(first: Value) -> None:
            self.expressions.begin_question(code)
            rank = code.builder.call(self.chance.below, [stream, total])
            self.take_path(code, rank, weights, total, first)

        self.attempt(code, some, attempt)

    def attempt(self, code: Code, some: Value, act: Callable[[Value], None]) -> None:
        """Try to draw: once if no run can fail behind its last choice, else up to the limit."""
        if not any(path.fails for path in self.paths.ways):
            code.when(some, lambda: act(code.truth(True)))
            return

        def tries() -> None:
            with code.count_up(code.i64(MOST_ATTEMPTS)) as number:
                act(code.builder.icmp_unsigned("==", number, code.i64(0)))

        code.when(some, tries)
        code.store(context.TRIED, code.builder.zext(some, I32), base=code.ctx)

    def take_path(
        self, code: Code, rank: Value, weights: Sequence[Value], total: Value, first: Value
    ) -> None:
        """Go the path that a number falls on."""

        def from_path(number: int, left: Value) -> None:
            path = self.paths.all[number]

            def take() -> None:
                self.finish(code, path, left, None, total, first)

            if number + 1 == len(self.paths.all):
                take()
                return
            here = code.builder.icmp_unsigned("<", left, weights[number])
            less = code.builder.sub(left, weights[number])
            code.either(here, take, lambda: from_path(number + 1, less))

        from_path(0, rank)

    def finish(
        self,
        code: Code,
        path: PathDraw,
        rank: Value,
        place: Value | None,
        total: Value,
        first: Value,
    ) -> None:
        """Carry out the rest of a run; returns from the function if it succeeds."""
        saved = self.effects.saved(code, self.undone(path))
        if place is not None:
            for local, field in zip(path.kept, self.places.fields(path.kept), strict=True):
                code.store(self.memory.local(local), code.load(field, base=place))
        if path.bound is not None:
            bound = code.i64(path.bound)
            code.store(context.SLOT, code.builder.urem(rank, bound), base=code.ctx)
            rank = code.builder.udiv(rank, bound)
        if path.light:
            self.effects.block(code, path.put_off)
            self.set_last(code, path, rank, place)
        else:
            code.store(context.WANTED, rank, base=code.ctx)
        if self.memory.trail is not None:
            # What a draw that was refused has printed.
            for printed in (self.memory.trail.count, self.memory.text, self.memory.parts):
                code.store(printed, code.i64(0))
        done = code.builder.call(path.finish, [code.ctx, code.write])

        def succeed() -> None:
            width = code.builder.select(first, total, code.i64(0))
            code.store(context.WIDTH, width, base=code.ctx)
            self.tally.count_path(code, self.turn, path.form.path)
            code.builder.ret(code.truth(True))

        if path.fails:
            code.when(done, succeed)
            self.effects.put_back(code, saved)
        else:
            succeed()

    def undone(self, path: PathDraw) -> tuple[Field, ...]:
        """What has to be put back where the rest of a run is refused."""
        if not path.fails or not path.late:
            return ()
        return path.written if path.written is not None else (Field(0, I8, self.memory.size),)

    def set_last(self, code: Code, path: PathDraw, rank: Value, place: Value | None) -> None:
        """Give the choice at which a path was weighed its value."""
        if path.line is None:
            return
        type_ = self.expressions.type_of(path.line.domain.type, path.line)
        if place is None:
            domain = code.load(self.paths.path_domain(path.number, type_), base=code.ctx)
        else:
            domain = code.load(Field(16, type_), base=place)
        self.values.set_value(code, path.line, domain, rank, code.write)

    # ---- turns of several choices

    def draw_weighed(self, code: Code, stream: Value) -> None:
        """Rules 1 and 2 of the draw; comes out where the moves have to be listed."""
        code.store(context.PLACES, code.i64(0), base=code.ctx)
        for path in self.paths.all:
            self.expressions.begin_question(code)
            if path.weigh is None:
                self.places.add(code, path.number, code.i64(1), code.set_constant(0), [])
                continue
            if self.tally.tally is None:
                self.weigh(code, path)
                continue
            # A path that comes behind too many places asks nothing in the interpreter.
            room = code.builder.not_(self.places.is_full(code))
            code.when(room, partial(self.weigh, code, path))
        count = code.load(context.PLACES, base=code.ctx)
        total = self.places.total(code, count)
        few = code.builder.icmp_unsigned("<=", count, code.i64(MOST_PLACES))
        some = code.builder.icmp_signed(">", total, code.i64(0))

        def attempt(first: Value) -> None:
            self.expressions.begin_question(code)
            rank = code.builder.call(self.chance.below, [stream, total])
            place, left = self.places.find(code, rank)
            if len(self.paths.ways) == 1:
                self.finish(code, self.paths.ways[0], left, place, total, first)
                return
            number = code.load(PATH, base=place)
            after = code.function.append_basic_block("tried")
            switch = code.builder.switch(number, after)
            for path in self.paths.ways:
                block = code.function.append_basic_block("path")
                switch.add_case(code.i32(path.number), block)
                code.builder.position_at_end(block)
                self.finish(code, path, left, place, total, first)
                if not code.builder.block.is_terminated:
                    code.builder.branch(after)
            code.builder.position_at_end(after)

        self.attempt(code, code.builder.and_(few, some), attempt)

    def weigh(self, code: Code, path: PathDraw) -> None:
        """Note the places of one path."""
        if path.wide is None:
            self.follow(code, path)
            return
        begun = code.load(context.PLACES, base=code.ctx)
        self.follow(code, path.wide)
        total = self.places.total(code, code.load(context.PLACES, base=code.ctx), begun)
        assert path.wide.bound is not None
        enough = -(-(path.wide.bound**2) // 2)
        few = code.builder.icmp_unsigned("<", total, code.i64(enough))

        def closer() -> None:
            code.store(context.PLACES, begun, base=code.ctx)
            self.expressions.begin_question(code)
            self.follow(code, path)

        code.when(few, closer)

    def follow(self, code: Code, path: PathDraw) -> None:
        """Follow a path to where it is weighed."""
        trial = code.write
        if not path.light:
            trial = code.block(self.memory.size)
            code.copy(trial, code.write, self.memory.size)
        code.builder.call(path.weigh, [code.ctx, trial])

    # ---- by listing

    @cached_property
    def nth(self) -> ir.Function:
        """Rule 3 for runs that print apart: count them, then go to the one drawn."""
        made = self.unit.function("nth_" + self.turn.name, I1, [PTR, PTR, I32, PTR])
        ctx, state, player, stream = made.args
        code = Code(self.unit, made, ctx, state)
        begun = code.block(self.memory.size)
        self.turns.begin(code, begun, code.read, player)
        refused = self.refused(code, begun)
        self.turns.begin(code, begun, code.read, player)
        code.store(context.MODE, code.i32(context.COUNTING), base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        self.expressions.begin_question(code)
        code.builder.call(self.turn_code.drawn_from, [code.ctx, begun])
        total = code.load(context.COUNT, base=code.ctx)
        self.return_none(code, total)
        self.effects.fault_if(code, code.builder.icmp_unsigned(">", total, code.i64(MOST_RUNS)))
        rank = code.builder.call(self.chance.below, [stream, total])
        code.store(context.MODE, code.i32(context.NTH), base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        code.store(context.WANTED, rank, base=code.ctx)
        code.store(context.RESULT, code.builder.ptrtoint(code.write, I64), base=code.ctx)
        self.turns.begin(code, begun, code.read, player)
        self.expressions.begin_question(code)
        code.builder.call(self.turn_code.retraced, [code.ctx, begun])
        self.tally.count_entered(code, self.turn)
        # Where an attempt could have succeeded, its width alone makes the mean right.
        width = code.builder.select(refused, code.i64(0), total)
        code.store(context.WIDTH, width, base=code.ctx)
        code.builder.ret(code.truth(True))
        return made

    def refused(self, code: Code, begun: Value) -> Value:
        """Whether the draw had something to draw that could have succeeded, but did not."""
        if not any(path.fails for path in self.paths.ways):
            return code.truth(False)
        tried = code.some(code.load(context.TRIED, base=code.ctx))
        if not self.has_otherwise:
            return tried
        return code.choose(
            tried,
            lambda: code.builder.call(self.above, [code.ctx, begun]),
            lambda: code.truth(False),
        )

    @cached_property
    def above(self) -> ir.Function:
        """Whether a run can be completed that goes below no `otherwise`."""
        runs = Runs(self.unit, self.effects, self.success)
        return runs.compile(without_otherwise(self.turn.body), "above_" + self.turn.name)

    def return_none(self, code: Code, total: Value) -> None:
        """Answer that there is no move."""
        none = code.function.append_basic_block("none")
        some = code.function.append_basic_block("some")
        code.builder.cbranch(code.builder.icmp_signed("==", total, code.i64(0)), none, some)
        code.builder.position_at_end(none)
        code.builder.ret(code.truth(False))
        code.builder.position_at_end(some)

    @cached_property
    def listed(self) -> ir.Function:
        """Rule 3 for runs that may print alike: list them, then take the one drawn."""
        made = self.unit.function("listed_" + self.turn.name, I1, [PTR, PTR, I32, PTR])
        ctx, state, player, stream = made.args
        code = Code(self.unit, made, ctx, state)
        begun = code.block(self.memory.size)
        self.tally.begin_list(code)
        self.turn_code.list_runs(code, begun, player, self.turn_code.drawn_from)
        if self.turn_code.has_most:
            ended = code.load(context.COUNT, base=code.ctx)
            self.tally.end_list(code, self.turn, ended)
        total = code.load(context.PLACES, base=code.ctx)
        self.return_none(code, total)
        rank = code.builder.call(self.chance.below, [stream, total])
        found = self.turn_code.listing.run_at(code, arena_of(code), rank)
        code.copy(code.write, found, self.memory.size)
        self.tally.count_entered(code, self.turn)
        code.store(context.WIDTH, total, base=code.ctx)
        code.builder.ret(code.truth(True))
        return made
