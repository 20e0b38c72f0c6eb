"""The positions that there were, as LLVM IR; the twin of `ludeme.machine.history`.

The keys stand in one row beside the context, in the order in which they came; a state holds only
how many of them are its own. That is enough, since states that are in use at one time lie on one
way from the first to the latest, and each finds its own keys as it left them.
"""

from __future__ import annotations

from collections.abc import Iterator

from llvmlite import ir

from ludeme.check import program
from ludeme.machine.keys import MASK, PLACE
from ludeme.machine.random import GAMMA, mix
from ludeme.native import context
from ludeme.native.chance import Chance
from ludeme.native.emitter import Code, Value
from ludeme.native.expressions import Expressions
from ludeme.native.memory import I64, PTR


class HistoryCode:
    """Lowers what remembers positions, and what asks for them."""

    def __init__(self, expressions: Expressions, chance: Chance) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.memory = expressions.memory
        self.layout = expressions.layout
        self.program = expressions.program
        self.mix = chance.mix
        self._keys: dict[int, ir.Function] = {}
        self._times: ir.Function | None = None

    # ---- remembering and counting

    def remember(self, code: Code) -> None:
        """Note the position that is left; a fault if there is no room for more."""
        count = self.memory.history
        if count is None:
            return
        known = code.load(count)
        more = code.builder.add(known, code.i64(len(self.program.memories)))
        room = code.load(context.HISTORY_ROOM, base=code.ctx)
        fits = code.builder.icmp_unsigned("<=", more, room)
        self.expressions.fault_if(code, code.builder.not_(fits))

        def note() -> None:
            keys = self.keys(code)
            for memory in self.program.memories:
                key = code.builder.call(self.key(memory), [code.ctx, code.write])
                place = code.builder.add(known, code.i64(memory.number))
                code.builder.store(key, code.builder.gep(keys, [place], source_etype=I64))
            code.store(count, more)

        code.when(fits, note)

    def keys(self, code: Code) -> Value:
        """Where the keys stand."""
        return code.builder.inttoptr(code.load(context.HISTORY, base=code.ctx), PTR)

    def repeats(self, code: Code, number: int) -> Value:
        """How often a position was there before."""
        count = self.memory.history
        assert count is not None
        key = code.builder.call(self.key(self.program.memories[number]), [code.ctx, code.read])
        return code.builder.call(self.times(), [self.keys(code), code.load(count), key])

    def times(self) -> ir.Function:
        """How often a key is among others: where they stand, how many, and the key."""
        if self._times is None:
            self._times = made = self.unit.function("times", I64, [PTR, I64, I64])
            keys, count, key = made.args
            code = Code(self.unit, made, None, None)
            total = code.slot(I64)
            code.builder.store(code.i64(0), total)
            with code.count_up(count) as index:
                other = code.builder.load(
                    code.builder.gep(keys, [index], source_etype=I64), typ=I64
                )
                same = code.builder.zext(code.builder.icmp_unsigned("==", other, key), I64)
                now = code.builder.load(total, typ=I64)
                code.builder.store(code.builder.add(now, same), total)
            code.builder.ret(code.builder.load(total, typ=I64))
        return self._times

    # ---- keys

    def key(self, memory: program.Memory) -> ir.Function:
        """The key of a position under one memory; see `ludeme.machine.keys.memory_key`."""
        if memory.number not in self._keys:
            made = self.unit.function("position_key", I64, [PTR, PTR])
            self._keys[memory.number] = made
            code = Code(self.unit, made, made.args[0], made.args[1])
            total: Value = code.i64(mix((memory.number + 1) * GAMMA & MASK))
            for part in self.parts(code, memory):
                total = code.builder.add(total, part)
            code.builder.ret(total)
        return self._keys[memory.number]

    def parts(self, code: Code, memory: program.Memory) -> Iterator[Value]:
        """The scattered numbers of all that must be the same."""
        layout, kept = self.layout, self.memory
        for owner in range(kept.owners):
            yield self.of_set(
                code, layout.owners + owner, code.load(kept.fields[layout.owners + owner])
            )
        if kept.kinds:
            for kind in range(kept.kinds):
                slot = layout.kinds + kind
                yield self.of_set(code, slot, code.load(kept.fields[slot]))
        elif self.program.kinds:
            yield self.of_set(code, layout.kinds, self.expressions.occupied(code))
        if memory.whole:
            if any(self.program.hands):
                hands = len(self.program.players) * len(self.program.kinds)
                for slot in range(layout.hands, layout.hands + hands):
                    held = code.fit(code.load(kept.fields[slot]), I64)
                    yield self.of_number(code, code.i64(slot), held)
            mover = code.fit(code.load(kept.fields[layout.mover]), I64)
            yield self.of_number(code, code.i64(layout.mover), mover)
        if kept.pile is not None and layout.buried is not None:
            yield self.of_piles(code, layout.buried)
        for number, value in enumerate(memory.values):
            yield self.of_value(code, layout.length + number, value)

    def of_value(self, code: Code, place: int, node: program.Expression) -> Value:
        """A value at a known place."""
        value = self.expressions.value(code, node)
        if node.type.kind == "set":
            return self.of_set(code, place, value)
        signed = node.type.kind == "number"
        return self.of_number(code, code.i64(place), code.fit(value, I64, signed=signed))

    def of_set(self, code: Code, place: int, members: Value) -> Value:
        """A set at a known place, word by word."""
        total: Value = code.i64(0)
        for number, word in enumerate(code.words_of(members)):
            seed = (place * PLACE + number * 2) & MASK
            total = code.builder.add(total, self.scattered(code, code.i64(mix(seed)), word))
        return total

    def scattered(self, code: Code, seed: Value, word: Value) -> Value:
        """A scattered word, naught for naught."""
        found = code.builder.call(self.mix, [code.builder.xor(seed, word)])
        return code.builder.select(code.some(word), found, code.i64(0))

    def of_number(self, code: Code, place: Value, value: Value) -> Value:
        """A number at a place that may be known only in play."""
        builder = code.builder
        negative = builder.icmp_signed("<", value, code.i64(0))
        size = builder.select(negative, builder.neg(value), value)
        seed = builder.mul(place, ir.Constant(I64, PLACE))
        seed = builder.add(seed, builder.zext(negative, I64))
        return self.scattered(code, builder.call(self.mix, [seed]), size)

    def of_piles(self, code: Code, slot: int) -> Value:
        """The owners and kinds of the pieces that lie below others, site by site."""
        builder, pile = code.builder, self.memory.pile
        assert pile is not None
        total = code.slot(I64)
        sites = self.memory.sites
        builder.store(self.of_number(code, code.i64(slot), code.i64(sites)), total)

        def add(part: Value) -> None:
            builder.store(builder.add(builder.load(total, typ=I64), part), total)

        with code.count_up(code.i64(sites)) as site:
            height = code.fit(code.load(pile.height, site), I64, signed=False)
            place = self.inside(code, code.i64(slot), site)
            add(self.of_number(code, place, height))
            with code.count_up(height) as level:
                piece = self.inside(code, place, level)
                # A piece is a pair, and how long it is counts as well.
                add(self.of_number(code, piece, code.i64(2)))
                index = builder.add(builder.mul(site, code.i64(pile.levels)), level)
                for number, column in enumerate(pile.columns[:2]):
                    value = code.fit(code.load(column, index), I64, signed=False)
                    add(self.of_number(code, self.inside(code, piece, code.i64(number)), value))
        return builder.load(total, typ=I64)

    def inside(self, code: Code, place: Value, index: Value) -> Value:
        """The place of a member of a list."""
        row = code.builder.mul(place, ir.Constant(I64, PLACE))
        return code.builder.add(code.builder.add(row, index), code.i64(1))


__all__ = ["HistoryCode"]
