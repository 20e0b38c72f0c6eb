"""The places of a draw: where the paths of a turn are weighed, noted one behind the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ludeme.check import program
from ludeme.machine.forms import Form, on_path
from ludeme.machine.turns import MOST_PLACES
from ludeme.native import context
from ludeme.native.effects import Effects
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.memory import I8, I32, I64, PTR, Field

ROOM = 1 << 28
"""Bytes that lists and places may take."""
WEIGHT = Field(0, I64)
PATH = Field(8, I32)
"""The head of a place; behind it come the domain and what is kept."""


def arena_of(code: Code) -> Value:
    """Where places and listed runs are noted."""
    return code.builder.inttoptr(code.load(context.ARENA, base=code.ctx), PTR)


class Places:
    """The places of a turn, whose paths have some forms."""

    def __init__(
        self, unit: Unit, effects: Effects, turn: program.Turn, forms: Sequence[Form]
    ) -> None:
        self.memory = unit.memory
        self.effects = effects
        self.turn = turn
        self.forms = forms

    @property
    def domain_size(self) -> int:
        """Room for the domain of a last choice."""
        return self.memory.widest // 8

    def fields(self, kept: Sequence[program.Local]) -> list[Field]:
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
    def size(self) -> int:
        """The size of a place of the draw: weight, path, domain, and the locals that tell it."""
        size = 16 + self.domain_size
        for form in self.forms:
            for field in self.fields(kept_before(list(self.before_last(form)))):
                size = max(size, field.offset + field.size)
        return -(-size // 16) * 16

    def before_last(self, form: Form) -> Iterator[program.Statement]:
        """The lines of a path before its last choice."""
        for line in on_path(self.turn.body, form.path):
            if isinstance(line, program.Choose) and line.number == form.path.last:
                return
            yield line

    def add(
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
        room = code.builder.icmp_unsigned("<", count, code.i64(self.most))
        if self.most <= MOST_PLACES:
            self.effects.fault_if(code, code.builder.and_(some, code.builder.not_(room)))

        def note() -> None:
            place = self.at(code, count)
            code.store(WEIGHT, weight, base=place)
            code.store(PATH, code.i32(number), base=place)
            code.store(Field(16, domain.type), domain, base=place)
            for local, field in zip(kept, self.fields(kept), strict=True):
                code.store(field, code.load(self.memory.local(local), base=code.write), base=place)
            code.store(context.PLACES, code.builder.add(count, code.i64(1)), base=code.ctx)

        code.when(code.builder.and_(some, room), note)

    def is_full(self, code: Code) -> Value:
        """Whether there are more places than are weighed."""
        count = code.load(context.PLACES, base=code.ctx)
        return code.builder.icmp_unsigned(">", count, code.i64(MOST_PLACES))

    def at(self, code: Code, index: Value) -> Value:
        """Where a place of the draw is noted."""
        shift = code.builder.mul(index, code.i64(self.size))
        return code.builder.gep(arena_of(code), [shift], source_etype=I8)

    def total(self, code: Code, count: Value, begun: Value | None = None) -> Value:
        """The sum of the weights of all places, or of those from one on."""
        total = code.slot(I64)
        code.builder.store(code.i64(0), total)
        first = begun if begun is not None else code.i64(0)
        with code.count_up(code.builder.sub(count, first)) as number:
            index = code.builder.add(first, number)
            weight = code.load(WEIGHT, base=self.at(code, index))
            now = code.builder.load(total, typ=I64)
            code.builder.store(code.builder.add(now, weight), total)
        return code.builder.load(total, typ=I64)

    def find(self, code: Code, rank: Value) -> tuple[Value, Value]:
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
        place = self.at(code, now)
        weight = code.load(WEIGHT, base=place)
        number = code.builder.load(left, typ=I64)
        code.builder.cbranch(code.builder.icmp_unsigned(">=", number, weight), body, done)
        code.builder.position_at_end(body)
        code.builder.store(code.builder.sub(number, weight), left)
        code.builder.store(code.builder.add(now, code.i64(1)), index)
        code.builder.branch(head)
        code.builder.position_at_end(done)
        return place, number

    @property
    def most(self) -> int:
        """How many places of the draw are noted; where more are wanted the game is given up."""
        return max(16, min(MOST_PLACES + 1, ROOM // self.size))


def kept_before(
    before: Sequence[program.Statement], put_off: Sequence[program.Assign] = ()
) -> tuple[program.Local, ...]:
    """The locals that tell a place of the draw, behind so many lines."""
    chosen = [line.local for line in before if isinstance(line, program.Choose)]
    if not is_light(before):
        return tuple(chosen)
    named = [line for line in before if isinstance(line, program.Assign)]
    return (*chosen, *(line.local for line in named if line not in put_off))


def is_light(lines: Sequence[program.Statement]) -> bool:
    """Whether lines change nothing but names of their own, and of these no families."""
    return all(
        isinstance(line, program.Choose | program.Require)
        or (isinstance(line, program.Assign) and line.local.type.kind != "family")
        for line in lines
    )
