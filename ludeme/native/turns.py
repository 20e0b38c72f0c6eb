"""Turns as LLVM IR: any, count and all runs; see `ludeme.machine.turns`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from llvmlite import ir

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.machine.forms import told_apart
from ludeme.native import context
from ludeme.native.chance import Chance
from ludeme.native.draws import Draws
from ludeme.native.effects import Effects, Say
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.listing import Listing
from ludeme.native.memory import I1, I8, I32, I64, PTR
from ludeme.native.places import arena_of
from ludeme.native.prints import Prints
from ludeme.native.runs import Counting, Guide, Runs


class Turns:
    """Compiles the turns of a program as they are asked for."""

    def __init__(self, unit: Unit, effects: Effects, chance: Chance) -> None:
        self.unit = unit
        self.effects = effects
        self.memory = unit.memory
        self.layout = effects.layout
        self.chance = chance
        turns = effects.expressions.effort.played.values()
        self.lists = any(told_apart(self.effects.program, turn) is None for turn in turns)
        """Whether a turn is drawn from the list of its moves."""
        self.made: dict[str, TurnCode] = {}
        self._any: dict[str, ir.Function] = {}
        self.tally = effects.tally
        self.scratch = self.tally.start + self.tally.size
        """Where in the context the weights of paths stand."""
        self.modes: dict[int, Callable[[Code], None]] = {}
        """What the end of a run does in further modes of the context."""
        self.guide: Guide | None = None
        """What narrows choices where all runs are gone through."""
        self.keeps_runs = False
        """Whether the runs of every turn are listed with their states, not only where they may
        print alike."""

    @property
    def context_size(self) -> int:
        """The size of a thread's context, once all turns are compiled."""
        paths = (turn.draws.paths.scratch_size for turn in self.made.values())
        return self.scratch + max(paths, default=0)

    def turn(self, name: str) -> TurnCode:
        """The code of a turn."""
        if name not in self.made:
            self.made[name] = TurnCode(self, self.effects.program.turns[name])
        return self.made[name]

    def any(self, name: str) -> ir.Function:
        """Whether a player can take a turn, from context, state and player."""
        if name in self._any:
            return self._any[name]
        made = self.unit.function("any_" + name, I1, [PTR, PTR, I32])
        self._any[name] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        mode = code.load(context.MODE, base=code.ctx)
        count = code.load(context.COUNT, base=code.ctx)
        code.store(context.MODE, code.i32(context.ANY), base=code.ctx)
        turn = self.turn(name)
        runs = turn.enumerate
        if turn.spoils:
            begun = code.block(self.memory.size)
            self.begin(code, begun, made.args[1], made.args[2])
            found = code.builder.call(runs, [code.ctx, begun])
        else:
            found = self.in_place(code, runs, made.args[2])
        code.store(context.MODE, mode, base=code.ctx)
        code.store(context.COUNT, count, base=code.ctx)
        code.builder.ret(found)
        return made

    def in_place(self, code: Code, runs: ir.Function, player: Value) -> Value:
        """Go through runs that change nothing of the state but what a turn notes for itself."""
        size = self.memory.locals_end - self.memory.state_size
        notes = code.builder.gep(code.write, [code.i64(self.memory.state_size)], source_etype=I8)
        kept = code.block(size)
        code.copy(kept, notes, size)
        self.clear_scratch(code, code.write)
        code.store(self.memory.fields[self.layout.mover], player)
        found = code.builder.call(runs, [code.ctx, code.write])
        code.copy(notes, kept, size)
        return found

    def begin(self, code: Code, target: Value, source: Value, player: Value) -> None:
        """A copy of a state in which a player begins a turn."""
        code.copy(target, source, self.memory.size)
        self.clear_scratch(code, target)
        code.store(self.memory.fields[self.layout.mover], player, base=target)

    def clear_scratch(self, code: Code, base: Value) -> None:
        """Forget the turn that was in progress."""
        fields = self.memory.fields
        players = code.i32(self.memory.players)
        code.store(fields[self.layout.mover], players, base=base)
        self.tally.clear(code, base)
        if self.memory.keeps_placed:
            code.store(fields[self.layout.placed], code.set_constant(0), base=base)
        if self.memory.keeps_again:
            code.store(fields[self.layout.again], ir.Constant(I8, 0), base=base)
        if self.memory.keeps_passing:
            code.store(fields[self.layout.passing], ir.Constant(I8, 0), base=base)
        if self.effects.expressions.effort.is_deep:
            code.store(self.memory.depth, code.i32(0), base=base)
        if self.memory.trail is not None:
            code.store(self.memory.trail.count, code.i64(0), base=base)
        if self.lists or self.memory.trail is not None:
            code.store(self.memory.text, code.i64(0), base=base)
            code.store(self.memory.parts, code.i32(0), base=base)
            code.store(self.memory.most_count, code.i32(0), base=base)
            for index in range(self.memory.most.count):
                # Less than any number: a run that notes none, or fewer, comes behind.
                least = ir.Constant(I64, -(1 << 63))
                code.store(self.memory.most, least, code.i32(index), base=base)


class TurnCode:
    """One turn."""

    def __init__(self, turns: Turns, turn: program.Turn) -> None:
        self.turns = turns
        self.turn = turn
        self.unit = turns.unit
        self.memory = turns.memory
        self.effects = turns.effects
        self.expressions = turns.effects.expressions
        self.forms = told_apart(turns.effects.program, turn)
        self.has_most = any(isinstance(line, program.RequireMost) for line in walk(turn.body))
        self.tally = turns.effects.tally
        self.prints = Prints(self.unit, self.effects, turn.joiner)
        self.listing = Listing(self.unit, self.effects, self.has_most)
        self.spoils = True
        """Whether going through all runs changes more of the state than names."""

    @cached_property
    def draws(self) -> Draws:
        """What draws a move."""
        return Draws(self.turns, self)

    @property
    def draw(self) -> ir.Function:
        """Draw a move: from context, state, player and stream; whether there is one."""
        return self.draws.draw

    # ---- all runs

    @cached_property
    def enumerate(self) -> ir.Function:
        """All runs of the turn; what the end of one does is the context's mode."""
        made, self.spoils = self.enumerated(Counting.NOTHING)
        return made

    @cached_property
    def retraced(self) -> ir.Function:
        """The same, where the run that is wanted notes the blocks that it enters."""
        return self.enumerate if self.tally.tally is None else self.enumerated(Counting.BLOCKS)[0]

    @cached_property
    def drawn_from(self) -> ir.Function:
        """The same, to list the moves from which one is drawn."""
        return self.enumerate if self.tally.tally is None else self.enumerated(Counting.ALL)[0]

    def enumerated(self, counting: Counting) -> tuple[ir.Function, bool]:
        """All runs of the turn, and whether they change more of the state than names."""
        runs = Runs(self.unit, self.effects, self.end, counting=counting)
        runs.guide = self.turns.guide
        # Another turn, or a `for each`, may be in the making, which asks whether this one can be
        # taken.
        with self.effects.apart(self.sayer):
            made = runs.compile(self.turn.body, "runs_" + self.turn.name)
        return made, runs.changes[made] != ()

    @cached_property
    def end(self) -> ir.Function:
        """The end of a run."""
        made = self.unit.function("end_" + self.turn.name, I1, [PTR, PTR])
        code = Code(self.unit, made, made.args[0], made.args[1])
        count = code.load(context.COUNT, base=code.ctx)
        code.store(context.COUNT, code.builder.add(count, code.i64(1)), base=code.ctx)
        mode = code.load(context.MODE, base=code.ctx)
        any_, nth, listing, other = (
            made.append_basic_block(name) for name in ("any", "nth", "listing", "counting")
        )
        switch = code.builder.switch(mode, other)
        switch.add_case(code.i32(context.ANY), any_)
        switch.add_case(code.i32(context.NTH), nth)
        switch.add_case(code.i32(context.LISTING), listing)
        for number, act in self.turns.modes.items():
            block = made.append_basic_block("mode")
            switch.add_case(code.i32(number), block)
            code.builder.position_at_end(block)
            act(code)
        code.builder.position_at_end(any_)
        code.builder.ret(code.truth(True))
        code.builder.position_at_end(other)
        code.builder.ret(code.truth(False))
        code.builder.position_at_end(nth)
        wanted = code.load(context.WANTED, base=code.ctx)
        here = code.builder.icmp_unsigned("==", count, wanted)
        runs_copy = made.append_basic_block("wanted")
        code.builder.cbranch(here, runs_copy, other)
        code.builder.position_at_end(runs_copy)
        result = code.builder.inttoptr(code.load(context.RESULT, base=code.ctx), PTR)
        code.copy(result, code.read, self.memory.size)
        code.builder.ret(code.truth(True))
        code.builder.position_at_end(listing)
        if self.forms is None:
            self.listing.note_run(code)
        elif self.turns.keeps_runs:
            self.listing.add_run(code, arena_of(code), code.load(context.PLACES, base=code.ctx))
        # Where the game is lost there is nothing more to list.
        fault = code.load(context.FAULT, base=code.ctx)
        code.builder.ret(code.builder.icmp_signed("!=", fault, code.i32(0)))
        return made

    @property
    def sayer(self) -> Say | None:
        """What is done where a run prints something."""
        return self.prints.say if self.forms is None or self.memory.trail is not None else None

    def list_runs(
        self, code: Code, begun: Value, player: Value, runs: ir.Function | None = None
    ) -> None:
        """List the runs of a player, each print once; *runs*: what goes through them."""
        self.turns.begin(code, begun, code.read, player)
        code.store(context.MODE, code.i32(context.LISTING), base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        code.store(context.PLACES, code.i64(0), base=code.ctx)
        self.expressions.begin_question(code)
        code.builder.call(runs or self.enumerate, [code.ctx, begun])

    @cached_property
    def count(self) -> ir.Function:
        """How many legal moves a player has, from context, state and player."""
        made = self.unit.function("count_" + self.turn.name, I64, [PTR, PTR, I32])
        code = Code(self.unit, made, made.args[0], made.args[1])
        begun = code.block(self.memory.size)
        if self.forms is None:
            self.list_runs(code, begun, made.args[2])
            code.builder.ret(code.load(context.PLACES, base=code.ctx))
            return made
        self.turns.begin(code, begun, code.read, made.args[2])
        code.store(context.MODE, code.i32(context.COUNTING), base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        self.expressions.begin_question(code)
        code.builder.call(self.enumerate, [code.ctx, begun])
        code.builder.ret(code.load(context.COUNT, base=code.ctx))
        return made
