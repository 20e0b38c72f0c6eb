"""Building LLVM IR at the level of the rules: loads and stores of a state, loops over sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, TypeAlias

from llvmlite import ir

from ludeme.native.memory import I1, I8, I32, I64, PTR, Field, Memory

Value: TypeAlias = Any  # llvmlite comes without types


class Unit:
    """A module in the making: constant tables, helper functions, intrinsics."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.module = ir.Module(name="game")
        self.set_type = memory.set_type
        self.words: int = memory.set_type.width // 64
        self._tables: dict[tuple[str, tuple[int, ...]], ir.GlobalVariable] = {}
        self._names = 0
        self._tags: dict[int, Value] = {}
        self.often: list[ir.Function] = []
        """What every decision goes through, and nothing else does."""
        self.has_pdep = False

    def name(self, stem: str) -> str:
        """A name that is not taken."""
        self._names += 1
        return f"{stem}.{self._names}"

    def table(self, type_: ir.IntType, values: Sequence[int]) -> ir.GlobalVariable:
        """A constant array."""
        key = (str(type_), tuple(values))
        if key not in self._tables:
            array = ir.ArrayType(type_, max(1, len(values)))
            made = ir.GlobalVariable(self.module, array, self.name("table"))
            made.type = PTR
            made.global_constant = True
            made.linkage = "internal"
            made.align = 16
            mask = (1 << type_.width) - 1
            made.initializer = ir.Constant(array, [v & mask for v in values] or [0])
            self._tables[key] = made
        return self._tables[key]

    def tag(self, access: Value, group: int) -> Value:
        """Tell LLVM that a load or store touches fields of one group alone."""
        if group:
            if group not in self._tags:
                root = self.module.add_metadata(["state"])
                kind = self.module.add_metadata([f"group {group}", root, ir.Constant(I64, 0)])
                self._tags[group] = self.module.add_metadata([kind, kind, ir.Constant(I64, 0)])
            access.set_metadata("tbaa", self._tags[group])
        return access

    def function(
        self, stem: str, result: ir.Type, parameters: Sequence[ir.Type], inline: bool = False
    ) -> ir.Function:
        """A function of this module alone."""
        made = ir.Function(self.module, ir.FunctionType(result, list(parameters)), self.name(stem))
        made.linkage = "internal"
        if inline:
            made.attributes.add("alwaysinline")
        if list(parameters[:2]) == [PTR, PTR]:
            # A context and a state, which never overlap.
            made.args[0].add_attribute("noalias")
            made.args[1].add_attribute("noalias")
        return made

    def merge_often(self) -> None:
        """Have the functions of every decision merged into their callers."""
        for function in self.often:
            function.attributes.add("alwaysinline")

    def intrinsic(self, name: str, types: Sequence[ir.Type], fnty: ir.FunctionType) -> ir.Function:
        """An intrinsic of LLVM by its whole name."""
        if name in self.module.globals:
            found = self.module.globals[name]
            assert isinstance(found, ir.Function)
            return found
        return ir.Function(self.module, fnty, name)


class Code:
    """A function body in the making.

    *ctx* is the thread's context, *read* the state that is asked and *write* the state that is
    changed; the two differ only while `for each` collects what happens at once.
    """

    def __init__(self, unit: Unit, function: ir.Function, ctx: Value, state: Value) -> None:
        self.unit = unit
        self.memory = unit.memory
        self.function = function
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.ctx = ctx
        self.read = state
        self.write = state
        self.env: dict[int, Value] = {}

    # ---- constants

    def set_constant(self, mask: int) -> ir.Constant:
        """A set of sites."""
        return ir.Constant(self.unit.set_type, mask & (1 << self.unit.set_type.width) - 1)

    def i32(self, value: int) -> ir.Constant:
        """A small value."""
        return ir.Constant(I32, value)

    def i64(self, value: int) -> ir.Constant:
        """A number."""
        return ir.Constant(I64, value)

    def truth(self, value: bool) -> ir.Constant:
        """True or false."""
        return ir.Constant(I1, int(value))

    # ---- memory

    def address(self, base: Value, field: Field, index: Value | None = None) -> Value:
        """Where a field stands, or one value of it."""
        at = self.builder.gep(base, [self.i64(field.offset)], source_etype=I8)
        if index is None:
            return at
        return self.builder.gep(at, [self.wide(index)], source_etype=field.type)

    def wide(self, index: Value) -> Value:
        """An index as 64 bits, without sign."""
        if index.type.width == 64:
            return index
        return self.builder.zext(index, I64)

    def load(self, field: Field, index: Value | None = None, base: Value | None = None) -> Value:
        """A value of the state that is asked, as it is kept."""
        where = self.address(self.read if base is None else base, field, index)
        made = self.builder.load(where, typ=field.type)
        made.align = min(16, field.type.width // 8)
        return self.unit.tag(made, field.group)

    def store(
        self, field: Field, value: Value, index: Value | None = None, base: Value | None = None
    ) -> None:
        """Change a value of the state that is written; *value* is cut or widened to fit."""
        where = self.address(self.write if base is None else base, field, index)
        made = self.builder.store(self.fit(value, field.type), where)
        made.align = min(16, field.type.width // 8)
        self.unit.tag(made, field.group)

    def fit(self, value: Value, type_: ir.IntType, signed: bool = True) -> Value:
        """*value* in another integer type."""
        width = value.type.width
        if width == type_.width:
            return value
        if width > type_.width:
            return self.builder.trunc(value, type_)
        if width == 1 or not signed:
            return self.builder.zext(value, type_)
        return self.builder.sext(value, type_)

    def copy(self, target: Value, source: Value, size: int) -> None:
        """Copy *size* bytes between blocks that do not overlap."""
        self.builder.call(self.memcpy(), [target, source, self.i64(size), self.truth(False)])

    def memcpy(self) -> ir.Function:
        """LLVM's own copy, which it turns into moves of the right width."""
        fnty = ir.FunctionType(ir.VoidType(), [PTR, PTR, I64, I1])
        return self.unit.intrinsic("llvm.memcpy.p0.p0.i64", [], fnty)

    def block(self, size: int) -> Value:
        """Room for a block on the stack of this function."""
        with self.builder.goto_entry_block():
            made = self.builder.alloca(I8, size=self.i64(size))
            made.align = 16
            made.type = PTR  # llvmlite still gives it a typed pointer, which LLVM has no more
        return made

    def slot(self, type_: ir.Type) -> Value:
        """Room for one value on the stack of this function."""
        with self.builder.goto_entry_block():
            made = self.builder.alloca(type_)
            made.type = PTR
        return made

    # ---- sets

    def bit(self, site: Value) -> Value:
        """The set of one site."""
        width = self.unit.set_type.width
        if width == 64:
            return self.builder.shl(self.i64(1), self.wide(site))
        return self.bit_of_words(site)

    def bit_of_words(self, site: Value) -> Value:
        """The set of one site, word by word."""
        type_, builder = self.unit.set_type, self.builder
        wide = self.wide(site)
        single = builder.shl(self.i64(1), builder.and_(wide, self.i64(63)))
        number = builder.lshr(wide, self.i64(6))
        found: Value = ir.Constant(type_, 0)
        for i in range(type_.width // 64):
            here = builder.icmp_unsigned("==", number, self.i64(i))
            word = builder.zext(builder.select(here, single, self.i64(0)), type_)
            found = builder.or_(found, builder.shl(word, ir.Constant(type_, 64 * i)))
        return found

    def has(self, members: Value, member: Value) -> Value:
        """Whether a set holds a member."""
        if members.type.width == 64 or members.type.width != self.unit.set_type.width:
            wide = self.fit(member, members.type, signed=False)
            return self.builder.trunc(self.builder.lshr(members, wide), I1)
        builder, wide = self.builder, self.wide(member)
        number = builder.lshr(wide, self.i64(6))
        words = self.words_of(members)
        word = words[0]
        for i, other in enumerate(words[1:], 1):
            here = builder.icmp_unsigned("==", number, self.i64(i))
            word = builder.select(here, other, word)
        return builder.trunc(builder.lshr(word, builder.and_(wide, self.i64(63))), I1)

    def add_member(self, place: Value, member: Value) -> None:
        """Add a member to the set that stands at a place."""
        wide = self.wide(member)
        number = self.builder.lshr(wide, self.i64(6))
        at = self.builder.gep(place, [number], source_etype=I64)
        single = self.builder.shl(self.i64(1), self.builder.and_(wide, self.i64(63)))
        now = self.builder.load(at, typ=I64)
        self.builder.store(self.builder.or_(now, single), at)

    def some(self, members: Value) -> Value:
        """Whether a set has a member."""
        return self.builder.icmp_unsigned("!=", members, ir.Constant(members.type, 0))

    def none(self, members: Value) -> Value:
        """Whether a set is empty."""
        return self.builder.icmp_unsigned("==", members, ir.Constant(members.type, 0))

    def complement(self, members: Value, everything: int) -> Value:
        """All of *everything* that is not in a set."""
        whole = ir.Constant(members.type, everything)
        return self.builder.and_(whole, self.builder.not_(members))

    def count(self, members: Value) -> Value:
        """How many members a set has, 64 bits."""
        fnty = ir.FunctionType(I64, [I64])
        counter = self.unit.intrinsic("llvm.ctpop.i64", [], fnty)
        counts = [self.builder.call(counter, [word]) for word in self.words_of(members)]
        return reduce(self.builder.add, counts)

    def words_of(self, members: Value) -> list[Value]:
        """The 64-bit words of a set, those of the lowest members first."""
        type_ = members.type
        if type_.width == 64:
            return [members]
        shifts = [ir.Constant(type_, at) for at in range(0, type_.width, 64)]
        return [self.builder.trunc(self.builder.lshr(members, shift), I64) for shift in shifts]

    def set_of_words(self, words: Sequence[Value]) -> Value:
        """The set of the board's sites that such words make."""
        type_ = self.unit.set_type
        if len(words) == 1:
            return words[0]
        parts = [
            self.builder.shl(self.builder.zext(word, type_), ir.Constant(type_, 64 * number))
            for number, word in enumerate(words)
        ]
        return reduce(self.builder.or_, parts)

    def lowest(self, members: Value) -> Value:
        """The number of the lowest member, 32 bits; the set is not empty."""
        type_ = members.type
        fnty = ir.FunctionType(type_, [type_, I1])
        zeros = self.unit.intrinsic(f"llvm.cttz.i{type_.width}", [], fnty)
        found = self.builder.call(zeros, [members, self.truth(True)])
        return self.fit(found, I32, signed=False)

    def without_lowest(self, members: Value) -> Value:
        """A set without its lowest member."""
        less = self.builder.sub(members, ir.Constant(members.type, 1))
        return self.builder.and_(members, less)

    def highest_bit(self, members: Value) -> Value:
        """The highest member as a set; empty for the empty set."""
        type_ = members.type
        fnty = ir.FunctionType(type_, [type_, I1])
        zeros = self.unit.intrinsic(f"llvm.ctlz.i{type_.width}", [], fnty)
        lead = self.builder.call(zeros, [members, self.truth(False)])
        top, nothing = ir.Constant(type_, 1 << type_.width - 1), ir.Constant(type_, 0)
        empty = self.none(members)
        shifted = self.builder.lshr(top, self.builder.select(empty, nothing, lead))
        return self.builder.select(empty, nothing, shifted)

    # ---- loops and branches

    @contextmanager
    def loop(self, members: Value) -> Iterator[Value]:
        """For each member of a set, ascending."""
        if members.type.width > 64:
            with self.loop_by_words(members) as member:
                yield member
            return
        left = self.slot(members.type)
        self.builder.store(members, left)
        head = self.function.append_basic_block("each")
        body = self.function.append_basic_block("member")
        done = self.function.append_basic_block("done")
        self.builder.branch(head)
        self.builder.position_at_end(head)
        now = self.builder.load(left, typ=members.type)
        self.builder.cbranch(self.some(now), body, done)
        self.builder.position_at_end(body)
        self.builder.store(self.without_lowest(now), left)
        yield self.lowest(now)
        if not self.builder.block.is_terminated:
            self.builder.branch(head)
        self.builder.position_at_end(done)

    @contextmanager
    def loop_by_words(self, members: Value) -> Iterator[Value]:
        """The same of a set of several words, one word after the other."""
        builder, count = self.builder, members.type.width // 64
        words, number, left = self.slot(members.type), self.slot(I64), self.slot(I64)
        builder.store(members, words)
        builder.store(self.i64(0), number)
        names = ("words", "word", "each", "member", "next_word", "done")
        head, word, each, body, following, done = (
            self.function.append_basic_block(name) for name in names
        )
        builder.branch(head)
        builder.position_at_end(head)
        now = builder.load(number, typ=I64)
        builder.cbranch(builder.icmp_unsigned("<", now, self.i64(count)), word, done)
        builder.position_at_end(word)
        at = builder.gep(words, [now], source_etype=I64)
        builder.store(builder.load(at, typ=I64), left)
        builder.branch(each)
        builder.position_at_end(each)
        rest = builder.load(left, typ=I64)
        builder.cbranch(self.some(rest), body, following)
        builder.position_at_end(body)
        builder.store(self.without_lowest(rest), left)
        first = builder.shl(builder.load(number, typ=I64), self.i64(6))
        place = builder.add(first, self.fit(self.lowest(rest), I64, signed=False))
        yield self.fit(place, I32)
        if not builder.block.is_terminated:
            builder.branch(each)
        builder.position_at_end(following)
        more = builder.add(builder.load(number, typ=I64), self.i64(1))
        builder.store(more, number)
        builder.branch(head)
        builder.position_at_end(done)

    @contextmanager
    def loop_sets(self, next_set: Callable[[Value], Value], members: Value) -> Iterator[Value]:
        """For each part of a set that *next_set* takes off what is left of it."""
        left = self.slot(members.type)
        self.builder.store(members, left)
        head = self.function.append_basic_block("parts")
        body = self.function.append_basic_block("part")
        done = self.function.append_basic_block("done")
        self.builder.branch(head)
        self.builder.position_at_end(head)
        now = self.builder.load(left, typ=members.type)
        self.builder.cbranch(self.some(now), body, done)
        self.builder.position_at_end(body)
        part = next_set(now)
        self.builder.store(self.builder.and_(now, self.builder.not_(part)), left)
        yield part
        if not self.builder.block.is_terminated:
            self.builder.branch(head)
        self.builder.position_at_end(done)

    @contextmanager
    def loop_table(self, type_: ir.IntType, values: Sequence[int]) -> Iterator[Value]:
        """For each entry of a constant table."""
        table = self.unit.table(type_, values)
        with self.count_up(self.i64(len(values))) as index:
            where = self.builder.gep(table, [index], source_etype=type_)
            yield self.builder.load(where, typ=type_)

    @contextmanager
    def count_up(self, bound: Value, first: Value | None = None) -> Iterator[Value]:
        """For each number from 0 below *bound*; with *first*, from there to *bound* itself."""
        counter = self.slot(bound.type)
        self.builder.store(ir.Constant(bound.type, 0) if first is None else first, counter)
        head = self.function.append_basic_block("count")
        body = self.function.append_basic_block("turn")
        done = self.function.append_basic_block("done")
        self.builder.branch(head)
        self.builder.position_at_end(head)
        now = self.builder.load(counter, typ=bound.type)
        test = "<" if first is None else "<="
        self.builder.cbranch(self.builder.icmp_signed(test, now, bound), body, done)
        self.builder.position_at_end(body)
        self.builder.store(self.builder.add(now, ir.Constant(bound.type, 1)), counter)
        yield now
        if not self.builder.block.is_terminated:
            self.builder.branch(head)
        self.builder.position_at_end(done)

    def choose(
        self, condition: Value, then: Callable[[], Value], other: Callable[[], Value]
    ) -> Value:
        """One of two values, only that one being worked out."""
        yes = self.function.append_basic_block("then")
        no = self.function.append_basic_block("else")
        after = self.function.append_basic_block("after")
        self.builder.cbranch(condition, yes, no)
        self.builder.position_at_end(yes)
        first = then()
        yes_end = self.builder.block
        self.builder.branch(after)
        self.builder.position_at_end(no)
        second = other()
        no_end = self.builder.block
        self.builder.branch(after)
        self.builder.position_at_end(after)
        joined = self.builder.phi(first.type)
        joined.add_incoming(first, yes_end)
        joined.add_incoming(second, no_end)
        return joined

    def when(self, condition: Value, then: Callable[[], None]) -> None:
        """Do something only if a condition holds."""
        yes = self.function.append_basic_block("when")
        after = self.function.append_basic_block("after")
        self.builder.cbranch(condition, yes, after)
        self.builder.position_at_end(yes)
        then()
        if not self.builder.block.is_terminated:
            self.builder.branch(after)
        self.builder.position_at_end(after)

    def either(self, condition: Value, then: Callable[[], None], other: Callable[[], None]) -> None:
        """Do one of two things."""
        yes = self.function.append_basic_block("then")
        no = self.function.append_basic_block("else")
        after = self.function.append_basic_block("after")
        self.builder.cbranch(condition, yes, no)
        for block, act in ((yes, then), (no, other)):
            self.builder.position_at_end(block)
            act()
            if not self.builder.block.is_terminated:
                self.builder.branch(after)
        self.builder.position_at_end(after)
