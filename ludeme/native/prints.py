"""What a run prints, as a fingerprint and, where it is to be told, as a trail of its values."""

from __future__ import annotations

from llvmlite import ir

from ludeme.check import program
from ludeme.kernel.types import Type
from ludeme.machine.notation import labels
from ludeme.native.chance import I128
from ludeme.native.effects import Effects
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I64, Trail

PRIME = (1 << 61) - 1
BASE = 0x1B873593CC9E2D51 % PRIME


class Prints:
    """What is done where the runs of a turn print; *joiner* stands between the lines of a print."""

    def __init__(self, unit: Unit, effects: Effects, joiner: str) -> None:
        self.unit = unit
        self.memory = unit.memory
        self.effects = effects
        self.expressions = effects.expressions
        self.joiner = joiner

    def say(self, code: Code, line: program.Say) -> None:
        """Carry on the fingerprint of what the run prints, and the trail if one is kept."""
        if self.memory.trail is not None:
            self.leave_trail(code, self.memory.trail, line)
        parts = code.load(self.memory.parts, base=code.write)
        text = code.slot(I64)
        code.builder.store(code.load(self.memory.text, base=code.write), text)
        joiner = self.joiner
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
        self.append(
            code, text, code.i64(pow(BASE, len(data), PRIME)), code.i64(fingerprint_of(data))
        )

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
        prints = [fingerprint_of(name.encode()) for name in names]
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


def fingerprint(text: str) -> int:
    """What `Prints.say` makes of the whole print of a run."""
    return fingerprint_of(text.encode())


def fingerprint_of(data: bytes) -> int:
    """The fingerprint of a text: its bytes as digits, modulo a prime."""
    value = 0
    for byte in data:
        value = (value * BASE + byte + 1) % PRIME
    return value


__all__ = ["Prints", "fingerprint"]
