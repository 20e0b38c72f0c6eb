"""Choices of several things at once, how many being known only in play, or many."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from llvmlite import ir

from ludeme.check.limits import MOST_RUNS
from ludeme.native.chance import I128, Chance
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I1, I64

TOO_MANY = 1 << 62
"""Stands for any number of ways that is as great or greater."""


class Subsets:
    """Counts, numbers and goes through the subsets of a set, small ones first."""

    def __init__(self, unit: Unit, chance: Chance) -> None:
        self.unit = unit
        self.chance = chance
        self._ways: ir.Function | None = None

    # ---- how many

    def ways(self, code: Code, size: Value, count: Value) -> Value:
        """How many subsets of *count* members a set of *size* has, `TOO_MANY` at most."""
        if self._ways is None:
            self._ways = self._make_ways()
        return code.builder.call(self._ways, [size, count])

    def _make_ways(self) -> ir.Function:
        made = self.unit.function("ways", I64, [I64, I64])
        code = Code(self.unit, made, None, None)
        builder = code.builder
        size, count = made.args
        fits = builder.and_(
            builder.icmp_signed("<=", count, size), builder.icmp_signed(">=", count, code.i64(0))
        )
        rest = builder.sub(size, count)
        # The smaller half: from there on the products only rise.
        less = builder.select(builder.icmp_signed("<", rest, count), rest, count)
        less = builder.select(fits, less, code.i64(0))
        total = code.slot(I64)
        builder.store(builder.select(fits, code.i64(1), code.i64(0)), total)
        with code.count_up(less) as index:
            now = builder.load(total, typ=I64)
            factor = builder.sub(size, index)
            # Below the bound the product of two such numbers fits into 128 bits.
            product = builder.mul(builder.zext(now, I128), builder.zext(factor, I128))
            quotient = self._divided(code, product, builder.add(index, code.i64(1)))
            builder.store(quotient, total)
        builder.ret(builder.load(total, typ=I64))
        return made

    def _divided(self, code: Code, product: Value, by: Value) -> Value:
        """A product of at most 74 bits by a small number, `TOO_MANY` at most.

        A division of 128 bits would need a library, so it is done in two of 64.
        """
        builder = code.builder
        low_half = ir.Constant(I128, (1 << 32) - 1)
        high = builder.trunc(builder.lshr(product, ir.Constant(I128, 32)), I64)
        low = builder.trunc(builder.and_(product, low_half), I64)
        upper, rest = builder.udiv(high, by), builder.urem(high, by)
        lower = builder.udiv(builder.or_(builder.shl(rest, code.i64(32)), low), by)
        large = builder.icmp_unsigned(">=", upper, code.i64(TOO_MANY >> 32))
        found = builder.add(builder.shl(upper, code.i64(32)), lower)
        return builder.select(large, code.i64(TOO_MANY), found)

    def total(self, code: Code, size: Value, low: Value, high: Value) -> Value:
        """How many subsets of *low* to *high* members there are, `TOO_MANY` at most."""
        builder = code.builder
        found = code.slot(I64)
        builder.store(code.i64(0), found)
        with self._sizes(code, size, low, high) as count:
            more = builder.add(builder.load(found, typ=I64), self.ways(code, size, count))
            large = builder.icmp_unsigned(">", more, code.i64(TOO_MANY))
            builder.store(builder.select(large, code.i64(TOO_MANY), more), found)
        return builder.load(found, typ=I64)

    def too_many(self, code: Code, size: Value, low: Value, high: Value) -> Value:
        """Whether there are more subsets of one size than are ever gone through."""
        builder = code.builder
        found = code.slot(I1)
        builder.store(code.truth(False), found)
        with self._sizes(code, size, low, high) as count:
            many = builder.icmp_unsigned(">", self.ways(code, size, count), code.i64(MOST_RUNS))
            builder.store(builder.or_(builder.load(found, typ=I1), many), found)
        return builder.load(found, typ=I1)

    def _sizes(
        self, code: Code, size: Value, low: Value, high: Value
    ) -> AbstractContextManager[Value]:
        """For each number of members; *low* is not negative."""
        smaller = code.builder.icmp_signed("<", high, size)
        return code.count_up(code.builder.select(smaller, high, size), low)

    # ---- all of them

    def each(
        self, code: Code, domain: Value, low: Value, high: Value, go_on: Callable[[Value], None]
    ) -> None:
        """Each subset, those of one size in the order of their members."""
        size = code.count(domain)
        with self._sizes(code, size, low, high) as count:
            self._of_size(code, domain, size, count, go_on)

    def _of_size(
        self,
        code: Code,
        domain: Value,
        size: Value,
        count: Value,
        go_on: Callable[[Value], None],
    ) -> None:
        """Each subset of *count* members: by the places of its members, as an odometer."""
        builder = code.builder
        width = domain.type.width
        places = code.block(8 * width)
        with code.count_up(count) as index:
            builder.store(index, builder.gep(places, [index], source_etype=I64))
        head, done = (code.function.append_basic_block(name) for name in ("subset", "all_subsets"))
        builder.branch(head)
        builder.position_at_end(head)
        go_on(self._gathered(code, domain, places, count))
        moved = self._advance(code, places, size, count)
        builder.cbranch(moved, head, done)
        builder.position_at_end(done)

    def _gathered(self, code: Code, domain: Value, places: Value, count: Value) -> Value:
        """The members of a set at some places."""
        builder, type_ = code.builder, domain.type
        chosen = code.slot(type_)
        builder.store(ir.Constant(type_, 0), chosen)
        with code.count_up(count) as index:
            place = builder.load(builder.gep(places, [index], source_etype=I64), typ=I64)
            member = self.chance.nth(code, domain, place)
            bit = builder.shl(ir.Constant(type_, 1), code.fit(member, type_, signed=False))
            builder.store(builder.or_(builder.load(chosen, typ=type_), bit), chosen)
        return builder.load(chosen, typ=type_)

    def _advance(self, code: Code, places: Value, size: Value, count: Value) -> Value:
        """Move to the next places; False if these were the last."""
        builder = code.builder
        turned = code.slot(I64)  # the last place that can still move, from 1; 0 for none
        builder.store(code.i64(0), turned)
        with code.count_up(count) as index:
            place = builder.load(builder.gep(places, [index], source_etype=I64), typ=I64)
            last = builder.add(builder.sub(size, count), index)
            free = builder.icmp_signed("<", place, last)
            now = builder.load(turned, typ=I64)
            builder.store(builder.select(free, builder.add(index, code.i64(1)), now), turned)
        which = builder.load(turned, typ=I64)
        some = builder.icmp_signed(">", which, code.i64(0))

        def move() -> None:
            first = builder.sub(which, code.i64(1))
            at = builder.gep(places, [first], source_etype=I64)
            begun = builder.add(builder.load(at, typ=I64), code.i64(1))
            with code.count_up(builder.sub(count, first)) as index:
                place = builder.gep(places, [builder.add(first, index)], source_etype=I64)
                builder.store(builder.add(begun, index), place)

        code.when(some, move)
        return some

    # ---- one of them

    def unrank(self, code: Code, domain: Value, low: Value, high: Value, rank: Value) -> Value:
        """Subset number *rank*."""
        builder, type_ = code.builder, domain.type
        size = code.count(domain)
        chosen, left, found = code.slot(type_), code.slot(I64), code.slot(I1)
        builder.store(ir.Constant(type_, 0), chosen)
        builder.store(rank, left)
        builder.store(code.truth(False), found)
        with self._sizes(code, size, low, high) as count:

            def look(count: Value = count) -> None:
                number, ways = builder.load(left, typ=I64), self.ways(code, size, count)
                here = builder.icmp_unsigned("<", number, ways)

                def take() -> None:
                    builder.store(code.truth(True), found)
                    self._combination(code, domain, size, count, number, chosen)

                def skip() -> None:
                    builder.store(builder.sub(number, ways), left)

                code.either(here, take, skip)

            code.when(builder.not_(builder.load(found, typ=I1)), look)
        return builder.load(chosen, typ=type_)

    def _combination(
        self, code: Code, domain: Value, size: Value, count: Value, rank: Value, chosen: Value
    ) -> None:
        """Subset number *rank* of *count* members: each place in turn is taken or passed over."""
        builder, type_ = code.builder, domain.type
        left, wanted = code.slot(I64), code.slot(I64)
        builder.store(rank, left)
        builder.store(count, wanted)
        with code.count_up(size) as place:
            more = builder.load(wanted, typ=I64)

            def look(place: Value = place, more: Value = more) -> None:
                behind = builder.sub(builder.sub(size, place), code.i64(1))
                ways = self.ways(code, behind, builder.sub(more, code.i64(1)))
                number = builder.load(left, typ=I64)
                taken = builder.icmp_unsigned("<", number, ways)

                def take() -> None:
                    member = code.fit(self.chance.nth(code, domain, place), type_, signed=False)
                    bit = builder.shl(ir.Constant(type_, 1), member)
                    builder.store(builder.or_(builder.load(chosen, typ=type_), bit), chosen)
                    builder.store(builder.sub(more, code.i64(1)), wanted)

                code.either(taken, take, lambda: builder.store(builder.sub(number, ways), left))

            code.when(builder.icmp_signed(">", more, code.i64(0)), look)


__all__ = ["TOO_MANY", "Subsets"]
