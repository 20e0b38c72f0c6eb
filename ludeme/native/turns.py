"""Turns as LLVM IR: any, count, the n-th run, and the uniform draw; see `ludeme.machine.turns`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.check.limits import MOST_RUNS
from ludeme.check.walking import walk
from ludeme.kernel.types import Type
from ludeme.machine.forms import Form, on_path, told_apart, without_otherwise
from ludeme.machine.notation import labels
from ludeme.machine.runs import Path, is_plain
from ludeme.machine.turns import MOST_ATTEMPTS, MOST_KEPT, MOST_PLACES
from ludeme.native import context, facts
from ludeme.native.chance import I128, Chance
from ludeme.native.effects import Effects, Say
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I8, I32, I64, PTR, Field, Trail
from ludeme.native.refusal import NotNative
from ludeme.native.rolls import Rolls
from ludeme.native.runs import Counting, Guide, Runs, Stop, few_at_once
from ludeme.native.subsets import TOO_MANY

MOST_LISTED = 4096
ROOM = 1 << 28
"""Bytes that lists and places may take."""
PRIME = (1 << 61) - 1
BASE = 0x1B873593CC9E2D51 % PRIME


WEIGHT = Field(0, I64)
PATH = Field(8, I32)
"""The head of a place of the draw; behind it come the domain and what is kept."""


@attrs.define(eq=False)
class PathDraw:
    """A path of the draw.

    *weigh* follows it to its last choice *line*, *finish* goes on from there; a path without a
    choice has only *finish*. *light*: nothing but locals changes before it, which are *kept*; else
    the choices alone are kept, and *finish* begins with the turn. *fails*: the rest may be refused;
    *late*: even after something was changed, which is *written* if it can be told.
    *bound*: *line* is the last choice but one, and the last has so many values at most.
    *put_off*: names that get their values once the place is drawn. *wide*: the same path followed
    to the choice before its last, from which is drawn if that has half as many values as the bound.
    """

    form: Form
    number: int
    weigh: ir.Function | None
    line: program.Choose | None
    finish: ir.Function
    kept: tuple[program.Local, ...]
    light: bool
    fails: bool
    late: bool
    written: tuple[Field, ...] | None
    bound: int | None
    put_off: tuple[program.Assign, ...] = ()
    wide: PathDraw | None = None


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
        return self.scratch + max((turn.scratch_size() for turn in self.made.values()), default=0)

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
        self.layout = turns.layout
        self.effects = turns.effects
        self.expressions = turns.effects.expressions
        self.forms = told_apart(turns.effects.program, turn)
        self.has_most = any(isinstance(line, program.RequireMost) for line in walk(turn.body))
        self.tally = turns.effects.tally
        self.spoils = True
        """Whether going through all runs changes more of the state than names."""

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
            self.note_run(code)
        elif self.turns.keeps_runs:
            self.add_run(code, self.arena(code), code.load(context.PLACES, base=code.ctx))
        # Where the game is lost there is nothing more to list.
        fault = code.load(context.FAULT, base=code.ctx)
        code.builder.ret(code.builder.icmp_signed("!=", fault, code.i32(0)))
        return made

    # ---- listing runs that may print alike

    @property
    def sayer(self) -> Say | None:
        """What is done where a run prints something."""
        return self.say if self.forms is None or self.memory.trail is not None else None

    def say(self, code: Code, line: program.Say) -> None:
        """Carry on the fingerprint of what the run prints, and the trail if one is kept."""
        if self.memory.trail is not None:
            self.leave_trail(code, self.memory.trail, line)
        parts = code.load(self.memory.parts, base=code.write)
        text = code.slot(I64)
        code.builder.store(code.load(self.memory.text, base=code.write), text)
        joiner = self.turn.joiner
        if joiner:
            later = code.builder.icmp_unsigned(">", parts, code.i32(0))
            code.when(later, lambda: self.say_text(code, text, joiner))
        for part in line.parts:
            if isinstance(part, str):
                self.say_text(code, text, part)
            else:
                self.say_value(code, text, part.type, self.expressions.value(code, part))
        code.store(self.memory.text, code.builder.load(text, typ=I64), base=code.write)
        more = code.builder.add(parts, code.i32(1))
        code.store(self.memory.parts, more, base=code.write)

    def leave_trail(self, code: Code, trail: Trail, line: program.Say) -> None:
        """Note the line and its values; a print that is too long gives the game up."""
        words = [code.i64(trail.says.index(line))]
        for part in line.parts:
            if not isinstance(part, str):
                value = self.expressions.value(code, part)
                if value.type.width > 64:
                    words += code.words_of(value)
                else:
                    words.append(code.fit(value, I64, signed=part.type.kind == "number"))
        done = code.load(trail.count, base=code.write)
        more = code.builder.add(done, code.i64(len(words)))
        room = code.builder.icmp_unsigned("<=", more, code.i64(trail.words.count))
        self.effects.fault_if(code, code.builder.not_(room))

        def note() -> None:
            for number, word in enumerate(words):
                code.store(trail.words, word, code.builder.add(done, code.i64(number)))
            code.store(trail.count, more)

        code.when(room, note)

    def say_text(self, code: Code, text: Value, words: str) -> None:
        """A known text."""
        data = words.encode()
        self.append(code, text, code.i64(pow(BASE, len(data), PRIME)), code.i64(_print(data)))

    def say_value(self, code: Code, text: Value, type_: Type, value: Value) -> None:
        """A value in the notation of its type."""
        if type_.kind == "set":
            assert type_.element is not None
            element = type_.element
            first = code.slot(I1)
            code.builder.store(code.truth(True), first)
            with code.loop(value) as member:
                begun = code.builder.not_(code.builder.load(first, typ=I1))
                code.when(begun, lambda: self.say_text(code, text, " "))
                code.builder.store(code.truth(False), first)
                self.say_value(code, text, element, member)
            return
        names = labels(self.effects.program, type_)
        if type_.kind == "truth":
            names = ("false", "true")
        if names is None:
            self.say_number(code, text, value)
            return
        prints = [_print(name.encode()) for name in names]
        powers = [pow(BASE, len(name.encode()), PRIME) for name in names]
        index = code.wide(value)
        found = []
        for table in (powers, prints):
            made = self.unit.table(I64, table)
            at = code.builder.gep(made, [index], source_etype=I64)
            found.append(code.builder.load(at, typ=I64))
        self.append(code, text, *found)

    def say_number(self, code: Code, text: Value, value: Value) -> None:
        """A number, digit by digit from the last one: it may stand beside other digits."""
        builder = code.builder
        wide = code.fit(value, I64)
        sign = builder.icmp_signed("<", wide, code.i64(0))
        left, power, prints = code.slot(I64), code.slot(I64), code.slot(I64)
        builder.store(builder.select(sign, builder.neg(wide), wide), left)
        builder.store(code.i64(1), power)
        builder.store(code.i64(0), prints)
        head = code.function.append_basic_block("digit")
        done = code.function.append_basic_block("digits")
        builder.branch(head)
        builder.position_at_end(head)
        now = builder.load(left, typ=I64)
        digit = builder.add(builder.urem(now, code.i64(10)), code.i64(ord("0") + 1))
        self.prepend(code, digit, power, prints)
        rest = builder.udiv(now, code.i64(10))
        builder.store(rest, left)
        builder.cbranch(builder.icmp_unsigned("!=", rest, code.i64(0)), head, done)
        builder.position_at_end(done)
        code.when(sign, lambda: self.prepend(code, code.i64(ord("-") + 1), power, prints))
        self.append(code, text, builder.load(power, typ=I64), builder.load(prints, typ=I64))

    def prepend(self, code: Code, byte: Value, power: Value, prints: Value) -> None:
        """Put a byte before what is printed."""
        now = code.builder.load(power, typ=I64)
        printed = self.scaled(code, now, byte, code.builder.load(prints, typ=I64))
        code.builder.store(printed, prints)
        code.builder.store(self.scaled(code, now, code.i64(BASE), code.i64(0)), power)

    def append(self, code: Code, text: Value, power: Value, fingerprint: Value) -> None:
        """text := text * power + fingerprint, modulo a prime."""
        now = code.builder.load(text, typ=I64)
        code.builder.store(self.scaled(code, now, power, fingerprint), text)

    def scaled(self, code: Code, now: Value, power: Value, fingerprint: Value) -> Value:
        """now * power + fingerprint, modulo a prime."""
        product = code.builder.mul(code.builder.zext(now, I128), code.builder.zext(power, I128))
        total = code.builder.add(product, code.builder.zext(fingerprint, I128))
        # Modulo 2**61 - 1 by folding; a division of 128 bits would need a library.
        mask = code.i64(PRIME)
        low = code.builder.and_(code.builder.trunc(total, I64), mask)
        high = code.builder.trunc(code.builder.lshr(total, ir.Constant(I128, 61)), I64)
        folded = code.builder.add(low, high)
        folded = code.builder.add(
            code.builder.and_(folded, mask), code.builder.lshr(folded, code.i64(61))
        )
        above = code.builder.icmp_unsigned(">=", folded, mask)
        return code.builder.select(above, code.builder.sub(folded, mask), folded)

    @property
    def entry_size(self) -> int:
        """The size of a run in the list: its fingerprint, then its state."""
        return 16 + self.memory.size

    @property
    def words(self) -> int:
        """About how many words the interpreter keeps of a state at most."""
        fields = self.memory.fields.values()
        pile = self.memory.pile
        buried = 0 if pile is None else self.memory.sites * (1 + pile.levels)
        return self.layout.length + sum(f.count for f in fields if f.count > 1) + buried

    def note_run(self, code: Code) -> None:
        """Add a run to the list unless one that prints alike is there; the two must end alike."""
        runs = code.load(context.COUNT, base=code.ctx)
        most = code.i64(MOST_KEPT // self.words)
        self.effects.fault_if(code, code.builder.icmp_unsigned(">", runs, most))
        self.expressions.spend(code, self.expressions.effort.trying + self.layout.length)
        arena = code.builder.inttoptr(code.load(context.ARENA, base=code.ctx), PTR)
        if self.has_most:
            self.keep_most(code, arena)
        count = code.load(context.PLACES, base=code.ctx)
        text = code.load(self.memory.text)
        same = code.slot(I64)
        code.builder.store(code.i64(-1), same)
        with code.count_up(count) as index:
            entry = self.entry(code, arena, index)
            other = code.builder.load(entry, typ=I64)
            alike = code.builder.icmp_unsigned("==", other, text)
            before = code.builder.load(same, typ=I64)
            code.builder.store(code.builder.select(alike, index, before), same)
        found = code.builder.load(same, typ=I64)
        known = code.builder.icmp_signed(">=", found, code.i64(0))
        code.either(
            known,
            lambda: self.compare(code, self.run_at(code, arena, found)),
            lambda: self.add_run(code, arena, count, text),
        )

    def entry(self, code: Code, arena: Value, index: Value) -> Value:
        """The place of a run in the list."""
        shift = code.builder.mul(index, code.i64(self.entry_size))
        return code.builder.gep(arena, [shift], source_etype=I8)

    def run_at(self, code: Code, arena: Value, index: Value) -> Value:
        """The state at the end of a run in the list."""
        return code.builder.gep(self.entry(code, arena, index), [code.i64(16)], source_etype=I8)

    def add_run(self, code: Code, arena: Value, count: Value, text: Value | None = None) -> None:
        """Add a run; a list that is full gives the game up, and the interpreter plays it."""
        room = code.builder.icmp_unsigned("<", count, code.i64(self.most_listed))
        self.effects.fault_if(code, code.builder.not_(room))

        def add() -> None:
            entry = self.entry(code, arena, count)
            if text is not None:
                code.builder.store(text, entry)
            state = code.builder.gep(entry, [code.i64(16)], source_etype=I8)
            code.copy(state, code.read, self.memory.size)
            code.store(context.PLACES, code.builder.add(count, code.i64(1)), base=code.ctx)

        code.when(room, add)

    def compare(self, code: Code, other: Value) -> None:
        """Two runs that print alike must end alike; what else they do is a fault."""
        differs = code.slot(I1)
        code.builder.store(code.truth(False), differs)
        with code.count_up(code.i64(self.memory.state_size // 8)) as word:
            a = code.builder.load(code.builder.gep(code.read, [word], source_etype=I64), typ=I64)
            b = code.builder.load(code.builder.gep(other, [word], source_etype=I64), typ=I64)
            unlike = code.builder.icmp_unsigned("!=", a, b)
            now = code.builder.load(differs, typ=I1)
            code.builder.store(code.builder.or_(now, unlike), differs)
        unlike = code.builder.load(differs, typ=I1)
        for slot in (self.layout.again, self.layout.passing):
            field = self.memory.fields[slot]
            mine, theirs = code.load(field), code.load(field, base=other)
            unlike = code.builder.or_(unlike, code.builder.icmp_unsigned("!=", mine, theirs))
        self.effects.fault_if(code, unlike)

    def keep_most(self, code: Code, arena: Value) -> None:
        """Forget the list if this run has greater numbers; leave the run out if it has smaller."""
        count = code.load(context.PLACES, base=code.ctx)
        best = self.run_at(code, arena, code.i64(0))
        field = self.memory.most
        less, greater = code.slot(I1), code.slot(I1)
        code.builder.store(code.truth(False), less)
        code.builder.store(code.truth(False), greater)
        some = code.builder.icmp_unsigned(">", count, code.i64(0))

        def compare() -> None:
            with code.count_up(code.i64(field.count)) as index:
                mine = code.load(field, index)
                theirs = code.load(field, index, base=best)
                settled = code.builder.or_(
                    code.builder.load(less, typ=I1), code.builder.load(greater, typ=I1)
                )
                open_ = code.builder.not_(settled)
                below = code.builder.icmp_signed("<", mine, theirs)
                above = code.builder.icmp_signed(">", mine, theirs)
                for slot, found in ((less, below), (greater, above)):
                    now = code.builder.load(slot, typ=I1)
                    code.builder.store(code.builder.or_(now, code.builder.and_(open_, found)), slot)

        code.when(some, compare)
        out = code.function.append_basic_block("less")
        keep = code.function.append_basic_block("most")
        code.builder.cbranch(code.builder.load(less, typ=I1), out, keep)
        code.builder.position_at_end(out)
        code.builder.ret(code.truth(False))
        code.builder.position_at_end(keep)
        better = code.builder.load(greater, typ=I1)
        self.tally.keep_run(code, better)
        code.when(better, lambda: code.store(context.PLACES, code.i64(0), base=code.ctx))

    # ---- the draw

    @cached_property
    def paths(self) -> list[PathDraw]:
        """The paths of the draw, compiled."""
        with self.effects.apart(self.sayer):
            return [self.path(form, number) for number, form in enumerate(self.forms or ())]

    @property
    def ways(self) -> list[PathDraw]:
        """All that a place may belong to."""
        wide = [path.wide for path in self.paths if path.wide is not None]
        return [*self.paths, *wide]

    def path(self, form: Form, number: int) -> PathDraw:
        """Compile a path of the draw."""
        lines = list(on_path(self.turn.body, form.path))
        last = next(
            (
                place
                for place, found in enumerate(lines)
                if isinstance(found, program.Choose) and found.number == form.path.last
            ),
            None,
        )
        if last is None:
            go = Runs(self.unit, self.effects, self.success, form.path, counting=Counting.ALL)
            whole = go.compile(self.turn.body, "path_" + self.turn.name)
            return PathDraw(form, number, None, None, whole, (), True, True, True, None, None)
        before, line, after = lines[:last], lines[last], lines[last + 1 :]
        assert isinstance(line, program.Choose)
        chosen = [each for each in before if isinstance(each, program.Choose)]
        light = is_light(before)
        put_off: tuple[program.Assign, ...] = ()
        if chosen and light:
            put_off = facts.put_off(before, line)
        kept = self.kept(before, put_off)
        fails = line.condition is not None or any(
            isinstance(each, program.Require)
            or (isinstance(each, program.If) and not is_plain(each))
            for each in after
        )
        branched = any(
            isinstance(each, program.If) and each.number in form.path.branches
            for each in walk(self.turn.body)
        )
        late = branched or fails_late(after)
        wide = None
        if form.path.first is not None:
            wide = self.bounded_path(form, number, lines, late)
            if form.path.always:
                return wide
        single = not chosen and light
        stop = self.at_last(number, single, kept)
        path = form.path.to_last
        runs = Runs(self.unit, self.effects, self.success, path, stop, counting=Counting.ALL)
        runs.put_off = put_off
        weigh = runs.compile(self.turn.body, "weigh_" + self.turn.name)
        finish = runs.after_last if light else self.replayed(path, before, at_last=self.pick)
        assert finish is not None
        return PathDraw(
            form,
            number,
            weigh,
            line,
            finish,
            kept,
            light,
            fails or branched,
            late or not light,
            self.written(after if light else lines),
            None,
            put_off,
            wide,
        )

    def kept(
        self, before: Sequence[program.Statement], put_off: Sequence[program.Assign] = ()
    ) -> tuple[program.Local, ...]:
        """The locals that tell a place of the draw, behind so many lines."""
        chosen = [line.local for line in before if isinstance(line, program.Choose)]
        if not is_light(before):
            return tuple(chosen)
        named = [line for line in before if isinstance(line, program.Assign)]
        return (*chosen, *(line.local for line in named if line not in put_off))

    def replayed(
        self,
        path: Path,
        given: Sequence[program.Statement],
        at_last: Stop,
        at_first: Stop | None = None,
    ) -> ir.Function:
        """A path from the beginning, of which the choices of some lines are known."""
        runs = Runs(
            self.unit, self.effects, self.success, path, at_last, at_first, counting=Counting.ALL
        )
        runs.given = tuple(given)
        return runs.compile(self.turn.body, "replay_" + self.turn.name)

    def pick(self, code: Code, line: program.Choose, domain: Value, follows: ir.Function) -> Value:
        """Give a choice the value that was drawn, and go on."""
        rank = code.load(context.WANTED, base=code.ctx)
        self.set_value(code, line, domain, rank, code.write)
        return code.builder.call(follows, [code.ctx, code.write])

    def written(self, lines: Sequence[program.Statement]) -> tuple[Field, ...] | None:
        """What lines change, with the blocks that they note; None if it cannot be told.

        The values of choices are left out.
        """
        plain = [line for line in lines if not isinstance(line, program.Choose)]
        found, entered = self.effects.written(plain), self.memory.entered
        return found if found is None or entered is None else (*found, entered)

    def bounded_path(
        self, form: Form, number: int, lines: Sequence[program.Statement], late: bool
    ) -> PathDraw:
        """Compile a path whose last choice has few values: the draw names the last two at once."""
        path, bound = form.path, form.path.bound
        choices = [line for line in lines if isinstance(line, program.Choose)]
        first = next(line for line in choices if line.number == path.first)
        before = lines[: lines.index(first)]
        light, kept = is_light(before), self.kept(before)
        between = lines[len(before) : lines.index(choices[-1])]
        late = late or not is_light(between) or any(map(_changes_a_name, between))
        if not path.always:
            number += len(self.forms or ())

        def at_first(
            code: Code, line: program.Choose, domain: Value, follows: ir.Function
        ) -> Value:
            weight = code.builder.mul(code.count(domain), code.i64(bound))
            if self.all_single:
                self.note_path(code, number, weight, domain)
                return code.truth(False)
            self.add_place(code, number, weight, domain, kept)
            return self.is_full(code)

        def at_last(code: Code, line: program.Choose, domain: Value, follows: ir.Function) -> Value:
            wanted = code.load(context.SLOT, base=code.ctx)
            has = code.builder.icmp_unsigned("<", wanted, code.count(domain))

            def go_on() -> Value:
                value = self.turns.chance.nth(code, domain, wanted)
                field = self.memory.local(line.local)
                code.store(field, code.fit(value, field.type, signed=False), base=code.write)
                return code.builder.call(follows, [code.ctx, code.write])

            return code.choose(has, go_on, lambda: code.truth(False))

        runs = Runs(
            self.unit,
            self.effects,
            self.success,
            form.path,
            at_last,
            at_first,
            counting=Counting.ALL,
        )
        weigh = runs.compile(self.turn.body, "weigh_" + self.turn.name)
        finish = runs.after_first if light else self.replayed(path, before, at_last, self.pick)
        assert finish is not None
        return PathDraw(
            form,
            number,
            weigh,
            first,
            finish,
            kept,
            light,
            True,
            late or not light,
            self.written(lines[len(before) :] if light else lines),
            bound,
        )

    def note_path(self, code: Code, number: int, weight: Value, domain: Value) -> None:
        """Note the weight and domain of a path of one choice, or of the first of two."""
        code.store(self.path_weight(number), weight, base=code.ctx)
        code.store(self.path_domain(number, domain.type), domain, base=code.ctx)

    def at_last(self, number: int, single: bool, kept: Sequence[program.Local]) -> Stop:
        """What is done where a path comes to its last choice."""

        def note(code: Code, line: program.Choose, domain: Value, follows: ir.Function) -> Value:
            weight = self.weight(code, line, domain)
            if single and self.all_single:
                self.note_path(code, number, weight, domain)
                return code.truth(False)
            self.add_place(code, number, weight, domain, kept)
            return self.is_full(code)

        return note

    @cached_property
    def all_single(self) -> bool:
        """Whether every path has one choice at most, with no effect before it."""
        for form in self.forms or ():
            before = []
            for line in on_path(self.turn.body, form.path):
                if isinstance(line, program.Choose):
                    if line.number == form.path.last or form.path.always:
                        break
                    return False
                before.append(line)
            if form.path.last is not None and not is_light(before):
                return False
        return True

    def path_weight(self, number: int) -> Field:
        """Where the weight of a path stands in the context."""
        return Field(self.turns.scratch + number * self.path_size, I64)

    def path_domain(self, number: int, type_: ir.IntType) -> Field:
        """Where the domain of a path's last choice stands in the context."""
        return Field(self.turns.scratch + number * self.path_size + 16, type_)

    @property
    def path_size(self) -> int:
        """Room for the weight and domain of a path."""
        return 16 + -(-self.domain_size // 16) * 16

    @cached_property
    def success(self) -> ir.Function:
        """The end of a run that was drawn."""
        made = self.unit.function("success", I1, [PTR, PTR], inline=True)
        code = Code(self.unit, made, made.args[0], made.args[1])
        code.builder.ret(code.truth(True))
        return made

    @property
    def domain_size(self) -> int:
        """Room for the domain of a last choice."""
        return self.memory.widest // 8

    def place_fields(self, kept: Sequence[program.Local]) -> list[Field]:
        """Where the locals that a place keeps stand in it."""
        fields, at = [], 16 + self.domain_size
        for local in kept:
            type_ = self.memory.local(local).type
            step = min(16, type_.width // 8)
            at = -(-at // step) * step
            fields.append(Field(at, type_))
            at += type_.width // 8
        return fields

    @cached_property
    def place_size(self) -> int:
        """The size of a place of the draw: weight, path, domain, and the locals that tell it."""
        size = 16 + self.domain_size
        for form in self.forms or ():
            for field in self.place_fields(self.kept(list(self.before_last(form)))):
                size = max(size, field.offset + field.size)
        return -(-size // 16) * 16

    def before_last(self, form: Form) -> Iterator[program.Statement]:
        """The lines of a path before its last choice."""
        for line in on_path(self.turn.body, form.path):
            if isinstance(line, program.Choose) and line.number == form.path.last:
                return
            yield line

    def add_place(
        self,
        code: Code,
        number: int,
        weight: Value,
        domain: Value,
        kept: Sequence[program.Local],
    ) -> None:
        """Note a place of the draw with its weight; *kept*: the locals that tell it."""
        some = code.builder.icmp_signed(">", weight, code.i64(0))
        count = code.load(context.PLACES, base=code.ctx)
        room = code.builder.icmp_unsigned("<", count, code.i64(self.most_places))
        if self.most_places <= MOST_PLACES:
            self.effects.fault_if(code, code.builder.and_(some, code.builder.not_(room)))

        def add() -> None:
            place = self.place(code, count)
            code.store(WEIGHT, weight, base=place)
            code.store(PATH, code.i32(number), base=place)
            code.store(Field(16, domain.type), domain, base=place)
            for local, field in zip(kept, self.place_fields(kept), strict=True):
                code.store(field, code.load(self.memory.local(local), base=code.write), base=place)
            code.store(context.PLACES, code.builder.add(count, code.i64(1)), base=code.ctx)

        code.when(code.builder.and_(some, room), add)

    def is_full(self, code: Code) -> Value:
        """Whether there are more places than are weighed."""
        count = code.load(context.PLACES, base=code.ctx)
        return code.builder.icmp_unsigned(">", count, code.i64(MOST_PLACES))

    def weight(self, code: Code, line: program.Choose | None, domain: Value) -> Value:
        """How many values the last choice of a path has."""
        if line is None:
            return code.i64(1)
        whole = line.condition is None
        size = self.expressions.size(code, line.domain, domain) if whole else code.count(domain)
        if not line.many:
            return size
        low, high = self.runs_helper.bounds(code, line)
        most = few_at_once(line)
        if most is None:
            ways = self.expressions.subsets.total(code, size, low, high)
            # Greater numbers are left to the interpreter.
            large = code.builder.icmp_unsigned(">=", ways, code.i64(TOO_MANY))
            self.effects.fault_if(code, large)
            return code.builder.select(large, code.i64(0), ways)
        total: Value = code.i64(0)
        for count in range(most + 1):
            wanted = code.builder.and_(
                code.builder.icmp_signed("<=", low, code.i64(count)),
                code.builder.icmp_signed(">=", high, code.i64(count)),
            )
            ways = choose_count(code, size, count)
            total = code.builder.add(total, code.builder.select(wanted, ways, code.i64(0)))
        return total

    @cached_property
    def runs_helper(self) -> Runs:
        """For what it knows of choices."""
        return Runs(self.unit, self.effects, self.success)

    def arena(self, code: Code) -> Value:
        """Where places and listed runs are noted."""
        return code.builder.inttoptr(code.load(context.ARENA, base=code.ctx), PTR)

    def place(self, code: Code, index: Value) -> Value:
        """Where a place of the draw is noted."""
        shift = code.builder.mul(index, code.i64(self.place_size))
        return code.builder.gep(self.arena(code), [shift], source_etype=I8)

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
        if self.forms is None:
            code.builder.ret(code.builder.call(self.listed, [ctx, state, player, stream]))
            return made
        if self.all_single:
            self.draw_single(code, stream)
            if not any(path.fails for path in self.ways) and not self.has_otherwise:
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
        rolls = Rolls(self.unit, self.effects, self.turns.chance, self.weight, self.unrank)
        with self.effects.apart(self.sayer):
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
        for path in self.paths:
            if path.weigh is None:
                weights.append(code.i64(1))
                continue
            field = self.path_weight(path.number)
            code.store(field, code.i64(0), base=code.ctx)
            code.builder.call(path.weigh, [code.ctx, code.write])
            weights.append(code.load(field, base=code.ctx))
        total = weights[0]
        for weight in weights[1:]:
            total = code.builder.add(total, weight)
        some = code.builder.icmp_signed(">", total, code.i64(0))

        def attempt(first: Value) -> None:
            self.expressions.begin_question(code)
            rank = code.builder.call(self.turns.chance.below, [stream, total])
            self.take_path(code, rank, weights, total, first)

        self.attempt(code, some, attempt)

    def attempt(self, code: Code, some: Value, act: Callable[[Value], None]) -> None:
        """Try to draw: once if no run can fail behind its last choice, else up to the limit."""
        if not any(path.fails for path in self.ways):
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
            path = self.paths[number]

            def take() -> None:
                self.finish(code, path, left, None, total, first)

            if number + 1 == len(self.paths):
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
            for local, field in zip(path.kept, self.place_fields(path.kept), strict=True):
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
            domain = code.load(self.path_domain(path.number, type_), base=code.ctx)
        else:
            domain = code.load(Field(16, type_), base=place)
        self.set_value(code, path.line, domain, rank, code.write)

    # ---- turns of several choices

    def draw_weighed(self, code: Code, stream: Value) -> None:
        """Rules 1 and 2 of the draw; comes out where the moves have to be listed."""
        code.store(context.PLACES, code.i64(0), base=code.ctx)
        for path in self.paths:
            self.expressions.begin_question(code)
            if path.weigh is None:
                self.add_place(code, path.number, code.i64(1), code.set_constant(0), [])
                continue
            if self.tally.tally is None:
                self.weigh(code, path)
                continue
            # A path that comes behind too many places asks nothing in the interpreter.
            room = code.builder.not_(self.is_full(code))
            code.when(room, lambda path=path: self.weigh(code, path))  # type: ignore[misc]
        count = code.load(context.PLACES, base=code.ctx)
        total = self.total(code, count)
        few = code.builder.icmp_unsigned("<=", count, code.i64(MOST_PLACES))
        some = code.builder.icmp_signed(">", total, code.i64(0))

        def attempt(first: Value) -> None:
            self.expressions.begin_question(code)
            rank = code.builder.call(self.turns.chance.below, [stream, total])
            place, left = self.find_place(code, rank)
            if len(self.ways) == 1:
                self.finish(code, self.ways[0], left, place, total, first)
                return
            number = code.load(PATH, base=place)
            after = code.function.append_basic_block("tried")
            switch = code.builder.switch(number, after)
            for path in self.ways:
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
        total = self.total(code, code.load(context.PLACES, base=code.ctx), begun)
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

    def total(self, code: Code, count: Value, begun: Value | None = None) -> Value:
        """The sum of the weights of all places, or of those from one on."""
        total = code.slot(I64)
        code.builder.store(code.i64(0), total)
        first = begun if begun is not None else code.i64(0)
        with code.count_up(code.builder.sub(count, first)) as number:
            index = code.builder.add(first, number)
            weight = code.load(WEIGHT, base=self.place(code, index))
            now = code.builder.load(total, typ=I64)
            code.builder.store(code.builder.add(now, weight), total)
        return code.builder.load(total, typ=I64)

    def find_place(self, code: Code, rank: Value) -> tuple[Value, Value]:
        """The place that a number falls on, and what is left of the number."""
        index, left = code.slot(I64), code.slot(I64)
        code.builder.store(code.i64(0), index)
        code.builder.store(rank, left)
        head = code.function.append_basic_block("place")
        body = code.function.append_basic_block("pass")
        done = code.function.append_basic_block("here")
        code.builder.branch(head)
        code.builder.position_at_end(head)
        now = code.builder.load(index, typ=I64)
        place = self.place(code, now)
        weight = code.load(WEIGHT, base=place)
        number = code.builder.load(left, typ=I64)
        code.builder.cbranch(code.builder.icmp_unsigned(">=", number, weight), body, done)
        code.builder.position_at_end(body)
        code.builder.store(code.builder.sub(number, weight), left)
        code.builder.store(code.builder.add(now, code.i64(1)), index)
        code.builder.branch(head)
        code.builder.position_at_end(done)
        return place, number

    def set_value(
        self, code: Code, line: program.Choose, domain: Value, rank: Value, state: Value
    ) -> None:
        """Give the last choice of a path its value by number."""
        field = self.memory.local(line.local)
        if not line.many:
            value = self.turns.chance.nth(code, domain, rank)
        else:
            read, code.read = code.read, state
            value = self.unrank(code, line, domain, rank)
            code.read = read
        code.store(field, code.fit(value, field.type, signed=False), base=state)

    def unrank(self, code: Code, line: program.Choose, domain: Value, rank: Value) -> Value:
        """Subset number *rank*: small ones first, those of one size in order."""
        low, high = self.runs_helper.bounds(code, line)
        most = few_at_once(line)
        if most is None:
            return self.expressions.subsets.unrank(code, domain, low, high, rank)
        size = code.count(domain)
        chosen = code.slot(domain.type)
        left = code.slot(I64)
        code.builder.store(ir.Constant(domain.type, 0), chosen)
        code.builder.store(rank, left)
        open_ = code.slot(I1)
        code.builder.store(code.truth(True), open_)
        for count in range(most + 1):
            wanted = code.builder.and_(
                code.builder.icmp_signed("<=", low, code.i64(count)),
                code.builder.icmp_signed(">=", high, code.i64(count)),
            )
            wanted = code.builder.and_(wanted, code.builder.load(open_, typ=I1))
            code.when(
                wanted,
                lambda n=count: self.unrank_size(code, domain, size, n, left, chosen, open_),  # type: ignore[misc]
            )
        return code.builder.load(chosen, typ=domain.type)

    def unrank_size(
        self,
        code: Code,
        domain: Value,
        size: Value,
        count: int,
        left: Value,
        chosen: Value,
        open_: Value,
    ) -> None:
        """The same among the subsets of one size, if the number falls among them."""
        ways = choose_count(code, size, count)
        rank = code.builder.load(left, typ=I64)
        here = code.builder.icmp_unsigned("<", rank, ways)

        def take() -> None:
            code.builder.store(code.truth(False), open_)
            self.combination(code, domain, size, count, rank, chosen)

        def skip() -> None:
            code.builder.store(code.builder.sub(rank, ways), left)

        code.either(here, take, skip)

    def combination(
        self, code: Code, domain: Value, size: Value, count: int, rank: Value, chosen: Value
    ) -> None:
        """Combination number *rank* of *count* members, in lexicographic order."""
        builder = code.builder
        position, number = code.slot(I64), code.slot(I64)
        builder.store(code.i64(0), position)
        builder.store(rank, number)
        for more in range(count, 0, -1):
            head = code.function.append_basic_block("position")
            body = code.function.append_basic_block("later")
            done = code.function.append_basic_block("chosen")
            builder.branch(head)
            builder.position_at_end(head)
            at = builder.load(position, typ=I64)
            now = builder.load(number, typ=I64)
            rest = builder.sub(builder.sub(size, at), code.i64(1))
            below = choose_count(code, rest, more - 1)
            builder.cbranch(builder.icmp_unsigned(">=", now, below), body, done)
            builder.position_at_end(body)
            builder.store(builder.sub(now, below), number)
            builder.store(builder.add(at, code.i64(1)), position)
            builder.branch(head)
            builder.position_at_end(done)
            member = self.turns.chance.nth(code, domain, at)
            bit = self.runs_helper.single(code, builder.trunc(member, I32), domain.type)
            builder.store(builder.or_(builder.load(chosen, typ=domain.type), bit), chosen)
            builder.store(builder.add(at, code.i64(1)), position)

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
        code.builder.call(self.drawn_from, [code.ctx, begun])
        total = code.load(context.COUNT, base=code.ctx)
        self.return_none(code, total)
        self.effects.fault_if(code, code.builder.icmp_unsigned(">", total, code.i64(MOST_RUNS)))
        rank = code.builder.call(self.turns.chance.below, [stream, total])
        code.store(context.MODE, code.i32(context.NTH), base=code.ctx)
        code.store(context.COUNT, code.i64(0), base=code.ctx)
        code.store(context.WANTED, rank, base=code.ctx)
        code.store(context.RESULT, code.builder.ptrtoint(code.write, I64), base=code.ctx)
        self.turns.begin(code, begun, code.read, player)
        self.expressions.begin_question(code)
        code.builder.call(self.retraced, [code.ctx, begun])
        self.tally.count_entered(code, self.turn)
        # Where an attempt could have succeeded, its width alone makes the mean right.
        width = code.builder.select(refused, code.i64(0), total)
        code.store(context.WIDTH, width, base=code.ctx)
        code.builder.ret(code.truth(True))
        return made

    def refused(self, code: Code, begun: Value) -> Value:
        """Whether the draw had something to draw that could have succeeded, but did not."""
        if not any(path.fails for path in self.ways):
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
        self.list_runs(code, begun, player, self.drawn_from)
        if self.has_most:
            ended = code.load(context.COUNT, base=code.ctx)
            self.tally.end_list(code, self.turn, ended)
        total = code.load(context.PLACES, base=code.ctx)
        self.return_none(code, total)
        rank = code.builder.call(self.turns.chance.below, [stream, total])
        found = self.run_at(code, self.arena(code), rank)
        code.copy(code.write, found, self.memory.size)
        self.tally.count_entered(code, self.turn)
        code.store(context.WIDTH, total, base=code.ctx)
        code.builder.ret(code.truth(True))
        return made

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

    def scratch_size(self) -> int:
        """Room for the weights of paths."""
        return len(self.forms or ()) * self.path_size

    @property
    def list_size(self) -> int:
        """How much room listed runs may take."""
        return (self.most_listed + 1) * self.entry_size

    @property
    def most_listed(self) -> int:
        """How many runs are listed; the interpreter lists what is more."""
        return max(16, min(MOST_LISTED, ROOM // self.entry_size))

    @property
    def most_places(self) -> int:
        """How many places of the draw are noted; where more are wanted the game is given up."""
        return max(16, min(MOST_PLACES + 1, ROOM // self.place_size))

    def arena_size(self) -> int:
        """How much room places or listed runs may take."""
        if self.forms is None:
            return self.list_size
        return (self.most_places + 1) * self.place_size


def is_light(lines: Sequence[program.Statement]) -> bool:
    """Whether lines change nothing but names of their own, and of these no families."""
    return all(
        isinstance(line, program.Choose | program.Require)
        or (isinstance(line, program.Assign) and line.local.type.kind != "family")
        for line in lines
    )


def _changes_a_name(line: program.Statement) -> bool:
    return isinstance(line, program.Assign) and line.changes


def fails_late(lines: Sequence[program.Statement]) -> bool:
    """Whether a run may be refused after it has changed more than names of its own."""
    changed = False
    for line in lines:
        if isinstance(line, program.Say | program.Choose):
            continue
        if isinstance(line, program.Require):
            if changed:
                return True
        elif not is_plain(line):
            return True
        elif not isinstance(line, program.Assign) or line.changes:
            changed = True
    return False


def choose_count(code: Code, size: Value, count: int) -> Value:
    """How many subsets of *count* members a set of *size* members has."""
    if count == 0:
        return code.i64(1)
    total: Value = code.i64(1)
    for i in range(count):
        factor = code.builder.sub(size, code.i64(i))
        total = code.builder.sdiv(code.builder.mul(total, factor), code.i64(i + 1))
    enough = code.builder.icmp_signed(">=", size, code.i64(count))
    return code.builder.select(enough, total, code.i64(0))


def fingerprint(text: str) -> int:
    """What `TurnCode.say` makes of the whole print of a run."""
    return _print(text.encode())


def _print(data: bytes) -> int:
    """The fingerprint of a text: its bytes as digits, modulo a prime."""
    value = 0
    for byte in data:
        value = (value * BASE + byte + 1) % PRIME
    return value


__all__ = ["NotNative", "PathDraw", "TurnCode", "Turns"]
