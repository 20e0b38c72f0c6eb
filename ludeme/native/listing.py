"""The list of the runs of a turn, each with the state at its end, as LLVM IR."""

from __future__ import annotations

from ludeme.machine.turns import MOST_KEPT
from ludeme.native import context
from ludeme.native.effects import Effects
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I8, I64
from ludeme.native.places import ROOM, arena_of

MOST_LISTED = 4096


class Listing:
    """Where runs are noted that may print alike, or that are gone through later.

    *has_most*: of those that print numbers only the greatest are kept.
    """

    def __init__(self, unit: Unit, effects: Effects, has_most: bool) -> None:
        self.memory = unit.memory
        self.effects = effects
        self.expressions = effects.expressions
        self.layout = effects.layout
        self.tally = effects.tally
        self.has_most = has_most

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

    @property
    def size(self) -> int:
        """How much room listed runs may take."""
        return (self.most_listed + 1) * self.entry_size

    @property
    def most_listed(self) -> int:
        """How many runs are listed; the interpreter lists what is more."""
        return max(16, min(MOST_LISTED, ROOM // self.entry_size))

    def note_run(self, code: Code) -> None:
        """Add a run to the list unless one that prints alike is there; the two must end alike."""
        runs = code.load(context.COUNT, base=code.ctx)
        most = code.i64(MOST_KEPT // self.words)
        self.effects.fault_if(code, code.builder.icmp_unsigned(">", runs, most))
        self.expressions.spend(code, self.expressions.effort.trying + self.layout.length)
        arena = arena_of(code)
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
