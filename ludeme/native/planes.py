"""Truths of many sites at once: a plane holds a bit for each site.

Whether something holds of a site is asked here of all sites together (bit-sliced, as in Knuth, *The
Art of Computer Programming* 4A, 7.1.3). Where site `a` is meant by "the site at distance 3", the
bit of `a` in the plane of a set is whether the set has `a + 3`: the set, shifted. `OnBoard` makes
the code of it; `Outline` makes nothing, and counts what that would take.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from llvmlite import ir

from ludeme.native.emitter import Code, Value
from ludeme.native.memory import Field

Plane: TypeAlias = Value
"""False for nowhere, True for everywhere, else a value of the frame's type."""


class Elsewhere(Exception):
    """Something cannot be put as planes."""


class Frame(ABC):
    """Makes planes; equal ones once only."""

    def __init__(self, sites: int) -> None:
        self.sites = sites
        self.everything = (1 << sites) - 1
        self.interest: Plane = True
        """Where it matters what comes out."""
        self._made: dict[tuple[object, ...], Plane] = {}

    def once(self, key: tuple[object, ...], make: Callable[[], Plane]) -> Plane:
        """What was made of this before, or is now; values in the key live as long as this does."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    # ---- logic

    def both(self, a: Plane, b: Plane) -> Plane:
        """Where two planes are true."""
        if a is False or b is False:
            return False
        if a is True or a is b:
            return b
        if b is True:
            return a
        return self.once(("and", *_in_order(a, b)), lambda: self.emit("and_", a, b))

    def either(self, a: Plane, b: Plane) -> Plane:
        """Where one of two is true."""
        if a is True or b is True:
            return True
        if a is False or a is b:
            return b
        if b is False:
            return a
        return self.once(("or", *_in_order(a, b)), lambda: self.emit("or_", a, b))

    def differ(self, a: Plane, b: Plane) -> Plane:
        """Where only one of two is true."""
        if isinstance(a, bool):
            return self.inverse(b) if a else b
        if isinstance(b, bool):
            return self.inverse(a) if b else a
        if a is b:
            return False
        return self.once(("xor", *_in_order(a, b)), lambda: self.emit("xor", a, b))

    def inverse(self, a: Plane) -> Plane:
        """Where a plane is not true."""
        if isinstance(a, bool):
            return not a
        return self.once(("not", a), lambda: self.emit("not_", a))

    def pick(self, condition: Plane, then: Plane, otherwise: Plane) -> Plane:
        """One plane where a condition holds, else another."""
        if then is otherwise:
            return then
        yes = self.both(condition, then)
        return self.either(yes, self.both(self.inverse(condition), otherwise))

    def any_of(self, planes: Sequence[Plane]) -> Plane:
        """Where at least one is true."""
        return reduce(self.either, planes, False)

    # ---- what the frames make

    def constant(self, mask: int) -> Plane:
        """A plane that is known beforehand."""
        mask &= self.everything
        if mask in (0, self.everything):
            return mask != 0
        return self.once(("constant", mask), lambda: self.known(mask))

    def has(self, key: object, members: Callable[[], Value], distance: int) -> Plane:
        """Where a set has the site at a distance. *key*: what tells sets apart."""
        return self.once(("has", key, distance), lambda: self.shifted(key, members, distance))

    def truth(self, key: object, value: Callable[[], Value]) -> Plane:
        """What is the same everywhere."""
        return self.once(("truth", key), lambda: self.spread(value))

    def kept(self, field: Field, distance: int, bit: int) -> Plane:
        """A bit of the number that the state keeps of the site at a distance."""
        return self.once(
            ("kept", field.offset, distance, bit), lambda: self.sliced(field, distance, bit)
        )

    def where(self, guard: Plane, make: Callable[[], Plane]) -> Plane:
        """A plane that is false outside of *guard*; not worked out where that is nowhere."""
        if guard is False:
            return False
        if guard is True:
            return make()
        known, interest = dict(self._made), self.interest
        self.interest = self.both(interest, guard)
        found = self.branch(self.interest, make)
        self._made, self.interest = known, interest
        return found

    @abstractmethod
    def emit(self, name: str, *planes: Plane) -> Plane:
        """One instruction."""

    @abstractmethod
    def known(self, mask: int) -> Plane:
        """A constant set."""

    @abstractmethod
    def shifted(self, key: object, members: Callable[[], Value], distance: int) -> Plane:
        """See `has`."""

    @abstractmethod
    def spread(self, value: Callable[[], Value]) -> Plane:
        """See `truth`."""

    @abstractmethod
    def sliced(self, field: Field, distance: int, bit: int) -> Plane:
        """See `kept`."""

    @abstractmethod
    def branch(self, guard: Plane, make: Callable[[], Plane]) -> Plane:
        """See `where`."""

    @abstractmethod
    def spend(self, members: Sequence[Plane], steps: int) -> None:
        """Count steps of the interpreter for each site of each plane."""


def _in_order(a: Plane, b: Plane) -> tuple[Plane, Plane]:
    return (a, b) if id(a) < id(b) else (b, a)


class Mark:
    """Stands for a plane."""


class Outline(Frame):
    """Makes nothing; *size* is about how many instructions on words there would be."""

    def __init__(self, sites: int) -> None:
        super().__init__(sites)
        self.size = 0

    def _mark(self, size: int) -> Mark:
        self.size += size
        return Mark()

    def emit(self, name: str, *planes: Plane) -> Plane:
        return self._mark(1)

    def known(self, mask: int) -> Plane:
        return self._mark(0)

    def shifted(self, key: object, members: Callable[[], Value], distance: int) -> Plane:
        return self._mark(2)

    def spread(self, value: Callable[[], Value]) -> Plane:
        return self._mark(1)

    def sliced(self, field: Field, distance: int, bit: int) -> Plane:
        return self._mark(2)

    def branch(self, guard: Plane, make: Callable[[], Plane]) -> Plane:
        made = make()
        return made if isinstance(made, bool) else self._mark(1)

    def spend(self, members: Sequence[Plane], steps: int) -> None:
        """Nothing: counting is not what costs."""


Spend: TypeAlias = Callable[[Code, Value], None]


class OnBoard(Frame):
    """Makes code; what a plane holds beyond the board means nothing."""

    def __init__(self, code: Code, sites: int, spend: Spend | None = None) -> None:
        super().__init__(sites)
        self.code = code
        self.type = code.unit.set_type
        self._spend = spend

    def emit(self, name: str, *planes: Plane) -> Plane:
        return getattr(self.code.builder, name)(*planes)

    def known(self, mask: int) -> Plane:
        return self.code.set_constant(mask)

    def value(self, plane: Plane) -> Value:
        """A plane as a set of sites."""
        return ir.Constant(self.type, -int(plane)) if isinstance(plane, bool) else plane

    def shifted(self, key: object, members: Callable[[], Value], distance: int) -> Plane:
        if distance == 0:
            return members()
        return self.moved(self.has(key, members, 0), -distance)

    def moved(self, plane: Value, distance: int) -> Value:
        """Every member so much further."""
        if abs(distance) >= self.sites:
            return self.code.set_constant(0)
        act = self.code.builder.shl if distance > 0 else self.code.builder.lshr
        return act(plane, self.code.set_constant(abs(distance)))

    def spread(self, value: Callable[[], Value]) -> Plane:
        return self.code.builder.sext(value(), self.type)

    def sliced(self, field: Field, distance: int, bit: int) -> Plane:
        if distance:
            return self.moved(self.kept(field, 0, bit), -distance)
        builder, width = self.code.builder, int(self.type.width)
        # Whole registers are read where what lies behind is still of the state.
        end = field.offset + width * field.stride
        lanes = width if end <= self.code.memory.size else field.count
        kind = ir.VectorType(field.type, lanes)
        row = builder.load(self.code.address(self.code.read, field), typ=kind)
        row.align = field.stride
        one = ir.Constant(kind, [ir.Constant(field.type, 1 << bit)] * lanes)
        found = builder.icmp_unsigned("!=", builder.and_(row, one), ir.Constant(kind, None))
        return self.code.fit(builder.bitcast(found, ir.IntType(lanes)), self.type, signed=False)

    def on_board(self, plane: Plane) -> Value:
        """The sites of the board for which a plane is true."""
        board = self.once(("board",), lambda: self.code.set_constant(self.everything))
        return self.value(self.both(plane, board))

    def branch(self, guard: Plane, make: Callable[[], Plane]) -> Plane:
        return self.code.choose(
            self.code.some(self.on_board(guard)),
            lambda: self.value(make()),
            lambda: self.value(False),
        )

    def spend(self, members: Sequence[Plane], steps: int) -> None:
        if self._spend is None:
            return
        asked = (self.on_board(self.both(self.interest, plane)) for plane in members)
        whole = reduce(self.code.builder.add, map(self.code.count, asked), self.code.i64(0))
        self._spend(self.code, self.code.builder.mul(whole, self.code.i64(steps)))
