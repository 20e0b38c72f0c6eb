"""Random numbers as LLVM IR; the twin of `ludeme.machine.random`."""

from __future__ import annotations

from llvmlite import ir

from ludeme.machine.random import GAMMA
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I64, PTR

I128 = ir.IntType(128)


class Chance:
    """The functions that a stream needs. A stream is one 64-bit number in memory."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.mix = self._mix()
        self.key = self._key()
        self.below = self._below()
        self.nth64 = self._nth64()

    def _mix(self) -> ir.Function:
        made = self.unit.function("mix", I64, [I64], inline=True)
        code = Code(self.unit, made, None, None)
        builder, value = code.builder, made.args[0]
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            value = builder.xor(value, builder.lshr(value, code.i64(shift)))
            value = builder.mul(value, ir.Constant(I64, factor))
        builder.ret(builder.xor(value, builder.lshr(value, code.i64(31))))
        return made

    def _key(self) -> ir.Function:
        made = self.unit.function("key", I64, [I64, I64, I64], inline=True)
        code = Code(self.unit, made, None, None)
        builder = code.builder
        seed, game, source = made.args
        gamma = ir.Constant(I64, GAMMA)
        value = builder.call(self.mix, [builder.add(seed, gamma)])
        value = builder.call(self.mix, [builder.add(builder.xor(value, game), gamma)])
        builder.ret(builder.call(self.mix, [builder.add(builder.xor(value, source), gamma)]))
        return made

    def next(self, code: Code, stream: Value) -> Value:
        """The next number of a stream."""
        state = code.builder.load(stream, typ=I64)
        following = code.builder.add(state, ir.Constant(I64, GAMMA))
        code.builder.store(following, stream)
        return code.builder.call(self.mix, [following])

    def _below(self) -> ir.Function:
        made = self.unit.function("below", I64, [PTR, I64], inline=True)
        code = Code(self.unit, made, None, None)
        builder = code.builder
        stream, bound = made.args
        wide_bound = builder.zext(bound, I128)
        product = code.slot(I128)

        def draw() -> Value:
            number = builder.zext(self.next(code, stream), I128)
            made_product = builder.mul(number, wide_bound)
            builder.store(made_product, product)
            return builder.trunc(made_product, I64)

        low = draw()

        def redraw() -> None:
            threshold = builder.urem(builder.sub(code.i64(0), bound), bound)
            lowest = code.slot(I64)
            builder.store(low, lowest)
            head = made.append_basic_block("favoured")
            body = made.append_basic_block("again")
            done = made.append_basic_block("fair")
            builder.branch(head)
            builder.position_at_end(head)
            now = builder.load(lowest, typ=I64)
            builder.cbranch(builder.icmp_unsigned("<", now, threshold), body, done)
            builder.position_at_end(body)
            builder.store(draw(), lowest)
            builder.branch(head)
            builder.position_at_end(done)

        code.when(builder.icmp_unsigned("<", low, bound), redraw)
        whole = builder.load(product, typ=I128)
        builder.ret(builder.trunc(builder.lshr(whole, ir.Constant(I128, 64)), I64))
        return made

    # ---- members by number

    def _nth64(self) -> ir.Function:
        """The number of the n-th set bit of a word, which has that many."""
        made = self.unit.function("nth", I64, [I64, I64], inline=True)
        code = Code(self.unit, made, None, None)
        builder = code.builder
        word, index = made.args
        left, count = code.slot(I64), code.slot(I64)
        if self.unit.has_pdep:
            fnty = ir.FunctionType(I64, [I64, I64])
            deposit = self.unit.intrinsic("llvm.x86.bmi.pdep.64", [], fnty)
            single = builder.call(deposit, [builder.shl(code.i64(1), index), word])
            builder.ret(code.fit(code.lowest(single), I64, signed=False))
            return made
        builder.store(word, left)
        builder.store(index, count)
        head = made.append_basic_block("skip")
        body = made.append_basic_block("clear")
        done = made.append_basic_block("found")
        builder.branch(head)
        builder.position_at_end(head)
        now = builder.load(count, typ=I64)
        builder.cbranch(builder.icmp_signed(">", now, code.i64(0)), body, done)
        builder.position_at_end(body)
        builder.store(code.without_lowest(builder.load(left, typ=I64)), left)
        builder.store(builder.sub(now, code.i64(1)), count)
        builder.branch(head)
        builder.position_at_end(done)
        builder.ret(code.fit(code.lowest(builder.load(left, typ=I64)), I64, signed=False))
        return made

    def nth(self, code: Code, members: Value, index: Value) -> Value:
        """The number of a member of a set, counted from 0; 64 bits."""
        width = members.type.width
        if width == 64:
            return code.builder.call(self.nth64, [members, index])
        builder = code.builder
        words = code.words_of(members)
        word, left, base = words[0], index, code.i64(0)
        passed: Value = code.i64(0)
        for i, following in enumerate(words[1:], 1):
            passed = builder.add(passed, code.count(words[i - 1]))
            beyond = builder.icmp_unsigned(">=", index, passed)
            word = builder.select(beyond, following, word)
            left = builder.select(beyond, builder.sub(index, passed), left)
            base = builder.select(beyond, code.i64(64 * i), base)
        return builder.add(base, builder.call(self.nth64, [word, left]))
