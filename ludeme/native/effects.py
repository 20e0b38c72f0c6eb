"""What lines do to a state, as LLVM IR; the twin of `ludeme.machine.effects`.

A fault is noted in the context and the effect left out, so that play goes on safely to the end of
the decision, where the game is given up and told by the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.check.limits import LARGEST_NUMBER
from ludeme.check.walking import walk
from ludeme.machine.layout import VariableSlots, initial_value
from ludeme.machine.meter import PENDING
from ludeme.native import facts
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.expressions import Expressions
from ludeme.native.memory import I1, I8, I32, I64, PTR, Field, Memory, is_of_sites
from ludeme.native.refusal import NotNative
from ludeme.native.tally import TallyCode

Say = Callable[[Code, program.Say], None]
"""What is done where a run prints something."""

PUT, LEAVE, ARRIVE, SWAP, REMOVE = (number << 56 for number in range(1, 6))
"""What is done to a site, in front of how; two members of `for each` may do only the same."""


@attrs.define(eq=False)
class AtOnce:
    """A `for each` in the making: the number of the member, and who wrote where."""

    number: Value
    prepare: ir.Block
    tables: dict[tuple[object, ...], tuple[Value, Value]]
    raised: list[VariableSlots]


class Effects:
    """Lowers lines without decisions."""

    def __init__(self, unit: Unit, expressions: Expressions, tally: TallyCode) -> None:
        self.unit = unit
        self.expressions = expressions
        self.tally = tally
        self.memory: Memory = unit.memory
        self.layout = expressions.layout
        self.program = expressions.program
        self.players = len(self.program.players)
        self.kinds = len(self.program.kinds)
        self.at_once: AtOnce | None = None
        self.simple = self.memory.pile is None and not self.layout.piece_variables
        self.on_empty = facts.puts_on_empty(self.program)
        self._helpers: dict[str, ir.Function] = {}
        self.say: Say = lambda code, line: None
        self.prints = False

    @contextmanager
    def apart(self, say: Say | None) -> Iterator[None]:
        """Compile something else for a while, which prints by *say* or not at all."""
        before = self.at_once, self.say, self.prints
        self.at_once, self.say = None, say or (lambda code, line: None)
        self.prints = say is not None
        try:
            yield
        finally:
            self.at_once, self.say, self.prints = before

    def value(self, code: Code, node: program.Expression) -> Value:
        """The value of an expression."""
        return self.expressions.value(code, node)

    def fault_if(self, code: Code, condition: Value) -> None:
        """Note a fault."""
        self.expressions.fault_if(code, condition)

    # ---- lines

    def block(self, code: Code, lines: Sequence[program.Statement]) -> None:
        """Lines one after the other."""
        for line in lines:
            self.act(code, line)

    def branch(self, code: Code, line: program.Statement, which: int, lines: program.Block) -> None:
        """Block number *which* of a line, which may or may not be entered."""
        self.tally.enter(code, line, which)
        self.block(code, lines)

    def act(self, code: Code, line: program.Statement) -> None:
        """One line without decisions."""
        match line:
            case program.Assign() if line.local.type.kind == "family":
                if self.at_once is not None:
                    made = self.expressions.families.made(code, line.value)
                    code.env[line.local.slot] = made
                else:
                    self.expressions.families.keep(code, line.value, line.local)
            case program.Assign():
                value = self.value(code, line.value)
                if line.changes and line.local.type.kind == "number":
                    self.check_between(code, -LARGEST_NUMBER, LARGEST_NUMBER, value)
                self.set_local(code, line.local, value)
            case program.If():
                condition = self.value(code, line.condition)
                code.either(
                    condition,
                    lambda: self.branch(code, line, 0, line.then),
                    lambda: self.branch(code, line, 1, line.otherwise),
                )
            case program.Match():
                self.match(code, line)
            case program.ForEach():
                self.for_each(code, line)
            case program.OneByOne():
                self.one_by_one(code, line)
            case program.Say():
                self.say(code, line)
            case program.Pass():
                code.store(self.memory.fields[self.layout.passing], ir.Constant(I8, 1))
            case program.Again():
                code.store(self.memory.fields[self.layout.again], ir.Constant(I8, 1))
            case program.ClearBoard():
                self.clear_board(code)
            case program.RefillHands():
                self.refill(code)
            case program.Set():
                self.set_variable(code, line)
            case program.Raise():
                self.raise_variable(code, line)
            case program.Mark():
                self.mark(code, line)
            case program.Put():
                self.put(code, line)
            case program.Move():
                self.move(code, line)
            case program.Swap():
                self.swap(code, line)
            case program.Remove():
                self.remove(code, line)
            case program.Change():
                self.change(code, line)
            case program.Give():
                self.give(code, line)
            case _:
                raise NotNative(f"`{line.span.text}`", line.span)

    def set_local(self, code: Code, local: program.Local, value: Value) -> None:
        """Give a local its value; it stays in a register while `for each` runs."""
        if self.at_once is not None:
            code.env[local.slot] = value
            return
        field = self.memory.local(local)
        code.store(field, code.fit(value, field.type, signed=value.type != I1), base=code.write)

    def one_by_one(self, code: Code, line: program.OneByOne) -> None:
        """For each member in order. A family is made of the state before the first."""
        steps = self.expressions.effort.nodes_in(line.body)
        if line.domain.type.kind != "family":
            with self.expressions.each(code, line.domain, line.local, steps):
                self.branch(code, line, 0, line.body)
            return
        self.expressions.families.go_through(code, line.domain)
        state = code.write
        before = code.block(self.memory.size)
        code.copy(before, state, self.memory.size)
        code.read = code.write = before
        with self.expressions.each(code, line.domain, line.local, steps):
            code.read = code.write = state
            self.branch(code, line, 0, line.body)
            code.read = code.write = before
        code.read = code.write = state

    def match(self, code: Code, line: program.Match) -> None:
        """The first row whose values fit."""
        self.rows(code, line, lambda i: self.branch(code, line, i, line.rows[i].body), lambda: None)

    def rows(
        self,
        code: Code,
        line: program.Match,
        act: Callable[[int], None],
        otherwise: Callable[[], None],
    ) -> None:
        """Branch by the rows of a `match`; *act* is given the number of a row."""
        subjects = [self.value(code, subject) for subject in line.subjects]

        def from_row(number: int) -> None:
            if number == len(line.rows):
                otherwise()
                return
            row = line.rows[number]
            fits: Value = code.truth(True)
            for pattern, subject in zip(row.patterns, subjects, strict=False):
                if pattern is not None:
                    wanted = ir.Constant(subject.type, pattern)
                    same = code.builder.icmp_signed("==", subject, wanted)
                    fits = code.builder.and_(fits, same)
            code.either(fits, lambda: act(number), lambda: from_row(number + 1))

        from_row(0)

    # ---- what lines write

    def written(self, lines: Sequence[program.Statement]) -> tuple[Field, ...] | None:
        """The fields that lines may change; None if it is better to keep the whole state."""
        found: dict[int, Field] = {}
        for line in walk(tuple(lines)):
            fields = self.written_by(line)
            if fields is None:
                return None
            found.update((field.offset, field) for field in fields)
        whole = sum(field.size for field in found.values())
        return tuple(found.values()) if 2 * whole < self.memory.size else None

    def saved(self, code: Code, fields: Iterable[Field]) -> list[tuple[Field, Value]]:
        """Copies of some fields."""
        found = []
        for field in side_by_side(fields):
            block = code.block(field.size)
            code.copy(block, code.address(code.write, field), field.size)
            found.append((field, block))
        return found

    def put_back(self, code: Code, saved: Iterable[tuple[Field, Value]]) -> None:
        """Give fields the values that they had."""
        for field, block in saved:
            code.copy(code.address(code.write, field), block, field.size)

    def written_by(self, line: program.Statement) -> list[Field] | None:
        """The fields that one line may change, the lines inside it left out."""
        memory, layout = self.memory, self.layout
        match line:
            case program.Choose() | program.OneOf() | program.Repeat() | program.ClearBoard():
                return None
            case program.OneByOne():
                return None
            case program.Assign():
                if line.local.type.kind == "family":
                    return [memory.families[line.local.slot].block]
                return [memory.local(line.local)]
            case program.Set() | program.Raise() | program.Mark():
                slots = layout.variables[line.variable.name]
                numbers = list(range(slots.first, slots.first + slots.count))
                if slots.ages is not None:
                    numbers += range(slots.ages, slots.ages + slots.count)
                return [memory.fields[slot] for slot in numbers]
            case program.Pass():
                return [memory.fields[layout.passing]]
            case program.Again():
                return [memory.fields[layout.again]]
            case program.RefillHands():
                return self.hands()
            case program.Put():
                return self.written_by_put(line)
            case program.Move() | program.Swap() | program.Remove():
                return self.written_to_pieces()
            case program.Change() | program.Give():
                return self.written_to_pieces()
            case program.Say() if self.prints:
                return self.written_by_say()
        return []

    def written_by_say(self) -> list[Field]:
        """The fields that a print changes; behind its count a trail may hold anything."""
        trail = self.memory.trail
        return [self.memory.text, self.memory.parts, *([trail.count] if trail is not None else [])]

    def hands(self) -> list[Field]:
        """The fields of all hands."""
        if not any(self.program.hands):
            return []
        first = self.layout.hands
        return [self.memory.fields[first + i] for i in range(self.players * self.kinds)]

    def written_by_put(self, line: program.Put) -> list[Field] | None:
        """The fields that a `put` may change."""
        hands = self.hands() if line.from_hand else []
        if self.shows_only(line):
            tops = [self.memory.fields[slot] for slot in self.top_slots()]
            memos = self.expressions.memos.fields if self.expressions.memos.grows else []
            return [*tops, *memos, self.memory.fields[self.layout.placed], *hands]
        pieces = self.written_to_pieces()
        return [*pieces, *hands] if pieces is not None else None

    def written_to_pieces(self) -> list[Field] | None:
        """The fields that a move of pieces may change; None where stacks or memos are kept."""
        if not self.simple or self.expressions.memos.grows:
            return None
        tops = [self.memory.fields[slot] for slot in self.top_slots()]
        return [*tops, self.memory.fields[self.layout.placed]]

    def shows_only(self, line: program.Put) -> bool:
        """Whether a `put` sets one piece on each site, which shows none."""
        single = isinstance(line.count, program.Constant) and line.count.value == 1
        free = line in self.on_empty
        return single and free and not self.layout.piece_variables

    # ---- at once

    def for_each(self, code: Code, line: program.ForEach) -> None:
        """All members at once: what is asked is a copy made before anything is written."""
        steps = PENDING + self.expressions.effort.nodes_in(line.body)
        if self.at_once is not None:
            self.loops(code, line.binders, lambda: self.branch(code, line, 0, line.body), steps)
            return
        counter = code.slot(I32)
        code.builder.store(code.i32(0), counter)
        # Whole, since a definition that is asked of it may look at what is carried along (memos).
        snapshot = code.block(self.memory.size)
        code.copy(snapshot, code.write, self.memory.size)
        outer = code.read
        code.read = snapshot
        prepare = code.function.append_basic_block("prepare")
        begin = code.function.append_basic_block("at_once")
        code.builder.branch(prepare)
        code.builder.position_at_end(prepare)
        code.builder.branch(begin)
        code.builder.position_at_end(begin)
        self.at_once = AtOnce(code.i32(0), prepare, {}, [])

        def member() -> None:
            number = code.builder.add(code.builder.load(counter, typ=I32), code.i32(1))
            code.builder.store(number, counter)
            assert self.at_once is not None
            self.at_once.number = number
            self.branch(code, line, 0, line.body)

        self.loops(code, line.binders, member, steps)
        code.read = outer
        raised = self.at_once.raised
        self.at_once = None
        for slots in raised:
            self.check_all(code, slots)

    def loops(
        self,
        code: Code,
        binders: Sequence[tuple[program.Local, program.Expression]],
        body: Callable[[], None],
        steps: int,
    ) -> None:
        """Nested loops, the last binder turning fastest; so many *steps* for each member."""
        if not binders:
            body()
            return
        local, domain = binders[0]
        with self.expressions.each(code, domain, local, steps):
            self.loops(code, binders[1:], body, steps)

    def check_all(self, code: Code, slots: VariableSlots) -> None:
        """After raises at once: every value of the variable must be in its range."""
        variable = slots.variable
        for slot in range(slots.first, slots.first + slots.count):
            field = self.memory.fields[slot]
            if field.count == 1:
                self.check_range(code, variable, code.fit(code.load(field), I64))
                continue
            with code.count_up(code.i64(field.count)) as index:
                self.check_range(code, variable, code.fit(code.load(field, index), I64))

    def note(
        self, code: Code, key: tuple[object, ...], size: int, index: Value, value: Value
    ) -> Value:
        """Note who writes what where; whether another member wrote the same there before.

        Two members that write differently to one place are a fault.
        """
        assert self.at_once is not None
        if key not in self.at_once.tables:
            writers = self.zeroed(code, size * 4)
            values = self.zeroed(code, Field(0, value.type, size).size)
            self.at_once.tables[key] = (writers, values)
        writers, values = self.at_once.tables[key]
        builder, number = code.builder, self.at_once.number
        writer_at = builder.gep(writers, [code.wide(index)], source_etype=I32)
        value_at = builder.gep(values, [code.wide(index)], source_etype=value.type)
        writer = builder.load(writer_at, typ=I32)
        before = builder.load(value_at, typ=value.type)
        first = builder.icmp_unsigned("==", writer, code.i32(0))
        builder.store(builder.select(first, number, writer), writer_at)
        builder.store(builder.select(first, value, before), value_at)
        other = builder.icmp_unsigned("!=", writer, number)
        repeated = builder.and_(builder.not_(first), other)
        differs = builder.icmp_unsigned("!=", before, value)
        self.fault_if(code, builder.and_(repeated, differs))
        return repeated

    def zeroed(self, code: Code, size: int) -> Value:
        """Room on the stack of the function, cleared where this `for each` begins."""
        assert self.at_once is not None
        made = code.block(size)
        with code.builder.goto_block(self.at_once.prepare):
            fnty = ir.FunctionType(ir.VoidType(), [PTR, I8, I64, I1])
            clear = self.unit.intrinsic("llvm.memset.p0.i64", [], fnty)
            code.builder.call(clear, [made, ir.Constant(I8, 0), code.i64(size), code.truth(False)])
        return made

    def note_sites(self, code: Code, what: str, mask: Value, value: Value) -> Value:
        """Note a write to each of a set of sites; those that another member wrote alike."""
        repeated = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), repeated)
        with code.loop(mask) as site:
            again = self.note(code, (what,), self.memory.sites, site, value)
            now = code.builder.load(repeated, typ=self.unit.set_type)
            more = code.builder.or_(now, code.bit(site))
            code.builder.store(code.builder.select(again, more, now), repeated)
        return code.builder.load(repeated, typ=self.unit.set_type)

    # ---- variables

    def place(
        self, code: Code, variable: program.Variable, indices: Sequence[program.Expression]
    ) -> tuple[VariableSlots, Value, Value, Value]:
        """Slots, whether there is such a value, its player and its index."""
        slots = self.layout.variables[variable.name]
        values = [self.value(code, index) for index in indices]
        nought: Value = code.i32(0)
        known: Value = code.truth(True)
        player = nought
        if variable.owner == "player":
            known = code.builder.icmp_unsigned("<", values[0], code.i32(self.players))
            player = code.builder.select(known, values.pop(0), nought)
        index = nought
        if values and not is_of_sites(variable):
            count = code.i32(self.memory.fields[slots.first].count)
            inside = code.builder.icmp_unsigned("<", values[0], count)
            known = code.builder.and_(known, inside)
            index = code.builder.select(inside, values[0], nought)
        elif values:
            index = values[0]
        self.fault_if(code, code.builder.not_(known))
        return slots, known, player, index

    def value_address(
        self, code: Code, slots: VariableSlots, player: Value, index: Value
    ) -> tuple[Value, Field]:
        """Where a value of a variable stands."""
        field = self.memory.fields[slots.first]
        at = code.address(code.write, field)
        if slots.count > 1:
            stride = self.memory.fields[slots.first + 1].offset - field.offset
            shift = code.builder.mul(code.wide(player), code.i64(stride))
            at = code.builder.gep(at, [shift], source_etype=I8)
        if field.count > 1:
            at = code.builder.gep(at, [code.wide(index)], source_etype=field.type)
        return at, field

    def write_value(
        self, code: Code, slots: VariableSlots, player: Value, index: Value, value: Value
    ) -> None:
        """Write a value, and start its age if it does not last."""
        at, field = self.value_address(code, slots, player, index)
        stored = code.builder.store(code.fit(value, field.type, signed=value.type != I1), at)
        stored.align = min(16, field.type.width // 8)
        self.unit.tag(stored, field.group)
        lasting = slots.variable.lasting
        if slots.ages is not None and lasting is not None:
            ages = self.memory.fields[slots.ages]
            index = player if slots.count > 1 else code.i32(0)
            where = code.address(code.write, ages, index)
            started = code.builder.store(ir.Constant(I8, lasting + 1), where)
            self.unit.tag(started, ages.group)

    def check_range(self, code: Code, variable: program.Variable, value: Value) -> Value:
        """Note a number that leaves its range; whether it is inside."""
        return self.check_between(code, variable.low, variable.high, value)

    def check_between(self, code: Code, lowest: int, highest: int, value: Value) -> Value:
        """Note a number that is not between two others; whether it is."""
        low = code.builder.icmp_signed(">=", value, code.i64(lowest))
        high = code.builder.icmp_signed("<=", value, code.i64(highest))
        inside = code.builder.and_(low, high)
        self.fault_if(code, code.builder.not_(inside))
        return inside

    def place_key(
        self, code: Code, slots: VariableSlots, player: Value, index: Value
    ) -> tuple[int, Value]:
        """How many values a variable has, and the number of one of them."""
        field = self.memory.fields[slots.first]
        row = code.builder.mul(player, code.i32(field.count))
        inner = index if field.count > 1 else code.i32(0)
        return slots.count * field.count, code.builder.add(row, inner)

    def set_variable(self, code: Code, line: program.Set) -> None:
        """`set`."""
        slots, known, player, index = self.place(code, line.variable, line.indices)
        value = self.value(code, line.value)
        ok = known
        if line.variable.type.kind == "number":
            ok = code.builder.and_(ok, self.check_range(code, line.variable, value))
        if self.at_once is not None:
            size, key = self.place_key(code, slots, player, index)
            type_ = max(I64, value.type, key=lambda each: each.width)
            wide = code.fit(value, type_, signed=value.type != I1)
            self.note(code, ("set", slots.first), size, key, wide)
        code.when(ok, lambda: self.write_value(code, slots, player, index, value))

    def raise_variable(self, code: Code, line: program.Raise) -> None:
        """`raise` and `lower`."""
        slots, known, player, index = self.place(code, line.variable, line.indices)
        amount = self.value(code, line.amount)
        at, field = self.value_address(code, slots, player, index)
        kept = self.unit.tag(code.builder.load(at, typ=field.type), field.group)
        now = code.fit(kept, I64)
        act = code.builder.sub if line.down else code.builder.add
        changed = act(now, amount)
        ok = known
        if self.at_once is not None:
            if slots not in self.at_once.raised:
                self.at_once.raised.append(slots)
            # On the way a sum may leave even the room that is kept for it.
            kept = code.fit(code.fit(changed, field.type), I64)
            self.fault_if(code, code.builder.icmp_unsigned("!=", kept, changed))
        else:
            ok = code.builder.and_(ok, self.check_range(code, line.variable, changed))
        code.when(ok, lambda: self.write_value(code, slots, player, index, changed))

    def mark(self, code: Code, line: program.Mark) -> None:
        """`mark` and `unmark`."""
        slots = self.layout.variables[line.variable.name]
        mask = self.value(code, line.sites)
        if self.at_once is not None:
            self.note_flags(code, slots.first, mask, line.on)
        if line.variable.owner == "piece":
            mask = code.builder.and_(mask, self.expressions.occupied(code, base=code.write))
        last = slots.first + slots.count - 1
        for slot in [last] if line.on else range(slots.first, last + 1):
            field = self.memory.fields[slot]
            now = code.load(field, base=code.write)
            if line.on:
                code.store(field, code.builder.or_(now, mask))
            else:
                code.store(field, code.builder.and_(now, code.builder.not_(mask)))

    def note_flags(self, code: Code, first: int, mask: Value, on: bool) -> None:
        """Note flags written at once."""
        with code.loop(mask) as site:
            self.note(code, ("flag", first), self.memory.sites, site, code.i64(int(on)))

    # ---- pieces: rows of sets

    def row(self, code: Code, first: int, index: Value) -> Value:
        """The address of one of a row of sets of the state that is written."""
        base = code.address(code.write, self.memory.fields[first])
        return code.builder.gep(base, [code.wide(index)], source_etype=self.unit.set_type)

    def add_to_row(self, code: Code, first: int, index: Value, mask: Value) -> None:
        """Add sites to one of a row of sets."""
        at, group = self.row(code, first, index), self.memory.fields[first].group
        now = self.unit.tag(code.builder.load(at, typ=self.unit.set_type), group)
        self.unit.tag(code.builder.store(code.builder.or_(now, mask), at), group)

    def top_slots(self) -> list[int]:
        """The slots of owners and kinds, as far as they are kept."""
        owners, kinds = self.layout.owners, self.layout.kinds
        return [
            *range(owners, owners + self.memory.owners),
            *range(kinds, kinds + self.memory.kinds),
        ]

    def place_mark(self, code: Code, mask: Value) -> None:
        """Note where this turn put or moved a piece."""
        if not self.memory.keeps_placed:
            return
        field = self.memory.fields[self.layout.placed]
        now = code.load(field, base=code.write)
        code.store(field, code.builder.or_(now, mask))

    # ---- pieces: single ones

    def piece_type(self) -> list[Field]:
        """The fields of a piece that is lifted: owner, kind, then its notes."""
        fields, at = [Field(0, I64), Field(8, I64)], 16
        for slots in self.layout.piece_variables:
            fields.append(Field(at, self.memory.note_type(slots)))
            at += -(-fields[-1].size // 16) * 16
        return fields

    @property
    def piece_size(self) -> int:
        """Room for a piece that is lifted."""
        return 16 + sum(-(-field.size // 16) * 16 for field in self.piece_type()[2:])

    def lift_function(self) -> ir.Function:
        """Lift the top piece off an occupied site into a block; what is below comes up."""
        if "lift" in self._helpers:
            return self._helpers["lift"]
        made = self.unit.function("lift", ir.VoidType(), [PTR, PTR, I32, PTR])
        self._helpers["lift"] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.expressions.spend(code, self.expressions.effort.lifting)
        site, out = made.args[2], made.args[3]
        self.take_top(code, site, out)
        if self.memory.pile is not None:
            height = self.memory.pile.height
            below = code.load(height, site)
            code.when(
                code.builder.icmp_unsigned(">", below, ir.Constant(I8, 0)),
                lambda: self.raise_buried(code, site, below),
            )
        code.builder.ret_void()
        return made

    def take_top(self, code: Code, site: Value, out: Value) -> None:
        """Lift the top piece; what is below stays buried."""
        fields = self.piece_type()
        owner = self.expressions.which(code, site, self.layout.owners, self.players)
        kind = self.expressions.kind_at(code, site)
        code.store(fields[0], owner, base=out)
        code.store(fields[1], kind, base=out)
        keep = code.builder.not_(code.bit(site))
        for slot in self.top_slots():
            field = self.memory.fields[slot]
            code.store(field, code.builder.and_(code.load(field), keep))
        for slots, field in zip(self.layout.piece_variables, fields[2:], strict=True):
            code.store(field, self.take_note(code, slots, site), base=out)

    def take_note(self, code: Code, slots: VariableSlots, site: Value) -> Value:
        """What is noted on the top piece, taken off the site."""
        if slots.variable.is_flag:
            type_ = self.memory.note_type(slots)
            nothing = ir.Constant(type_, 0)
            layers: Value = nothing
            bit = code.bit(site)
            for layer in range(slots.count):
                field = self.memory.fields[slots.first + layer]
                now = code.load(field)
                has = code.some(code.builder.and_(now, bit))
                part = code.builder.select(has, ir.Constant(type_, 1 << layer), nothing)
                layers = code.builder.or_(layers, part)
                code.store(field, code.builder.and_(now, code.builder.not_(bit)))
            return layers
        field = self.memory.fields[slots.first]
        value = code.load(field, site)
        code.store(field, self.constant(field, slots.variable.initial), site)
        return value

    def constant(self, field: Field, value: int) -> Value:
        """A value as a field keeps it."""
        return ir.Constant(field.type, value & (1 << field.type.width) - 1)

    def put_top(self, code: Code, site: Value, piece: Value) -> None:
        """Set a piece from a block onto a site that shows none."""
        fields = self.piece_type()
        bit = code.bit(site)
        owner = code.load(fields[0], base=piece)
        kind = code.load(fields[1], base=piece)
        self.add_to_row(code, self.layout.owners, owner, bit)
        if self.memory.kinds:
            self.add_to_row(code, self.layout.kinds, kind, bit)
        for slots, field in zip(self.layout.piece_variables, fields[2:], strict=True):
            note = code.load(field, base=piece)
            self.put_note(code, slots, site, note)

    def put_note(self, code: Code, slots: VariableSlots, site: Value, note: Value) -> None:
        """Note on the top piece what a block holds."""
        if not slots.variable.is_flag:
            code.store(self.memory.fields[slots.first], note, site)
            return
        bit = code.bit(site)
        for layer in range(slots.count):
            field = self.memory.fields[slots.first + layer]
            shifted = code.builder.lshr(note, ir.Constant(note.type, layer))
            wanted = code.builder.trunc(shifted, I1)
            now = code.load(field)
            code.store(field, code.builder.select(wanted, code.builder.or_(now, bit), now))

    def buried_index(self, code: Code, site: Value, level: Value) -> Value:
        """The place of a buried piece in its columns."""
        assert self.memory.pile is not None
        row = code.builder.mul(site, code.i32(self.memory.pile.levels))
        return code.builder.add(row, code.fit(level, I32, signed=False))

    def raise_buried(self, code: Code, site: Value, below: Value) -> None:
        """Bring the highest buried piece up to the top."""
        pile = self.memory.pile
        assert pile is not None
        level = code.builder.sub(below, ir.Constant(I8, 1))
        code.store(pile.height, level, site)
        index = self.buried_index(code, site, level)
        piece = code.block(self.piece_size)
        for column, field in zip(pile.columns, self.piece_type(), strict=True):
            code.store(field, code.load(column, index), base=piece)
            # What is not a piece is kept at naught, so that equal states have equal blocks.
            code.store(column, ir.Constant(column.type, 0), index)
        self.put_top(code, site, piece)

    def bury_top(self, code: Code, site: Value, below: Value) -> None:
        """Put the top piece below what is to come."""
        pile = self.memory.pile
        assert pile is not None
        piece = code.block(self.piece_size)
        self.take_top(code, site, piece)
        index = self.buried_index(code, site, below)
        for column, field in zip(pile.columns, self.piece_type(), strict=True):
            code.store(column, code.load(field, base=piece), index)
        code.store(pile.height, code.builder.add(below, ir.Constant(I8, 1)), site)

    def add_function(self) -> ir.Function:
        """Put a piece from a block on top of a site; a full site is a fault."""
        if "add" in self._helpers:
            return self._helpers["add"]
        made = self.unit.function("add", ir.VoidType(), [PTR, PTR, I32, PTR])
        self._helpers["add"] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        self.expressions.spend(code, 2 * self.expressions.effort.lifting)
        site, piece = made.args[2], made.args[3]
        stands = code.has(self.expressions.occupied(code), site)
        pile = self.memory.pile
        if pile is None:
            self.fault_if(code, stands)
            code.when(code.builder.not_(stands), lambda: self.put_top(code, site, piece))
        else:
            below = code.load(pile.height, site)
            room = code.builder.icmp_unsigned("<", below, ir.Constant(I8, pile.levels))
            full = code.builder.and_(stands, code.builder.not_(room))
            self.fault_if(code, full)

            def stack() -> None:
                code.when(stands, lambda: self.bury_top(code, site, below))
                self.put_top(code, site, piece)

            code.when(code.builder.not_(full), stack)
        code.builder.ret_void()
        return made

    def new_piece(self, code: Code, owner: Value, kind: Value) -> Value:
        """A block that holds a new piece."""
        piece = code.block(self.piece_size)
        fields = self.piece_type()
        code.store(fields[0], code.fit(owner, I64, signed=False), base=piece)
        code.store(fields[1], code.fit(kind, I64, signed=False), base=piece)
        for slots, field in zip(self.layout.piece_variables, fields[2:], strict=True):
            first = 0 if slots.variable.is_flag else slots.variable.initial
            code.store(field, self.constant(field, first), base=piece)
        return piece

    # ---- pieces: effects

    def put(self, code: Code, line: program.Put) -> None:
        """`put`."""
        mask = self.value(code, line.sites)
        count = self.value(code, line.count)
        owner, kind = self.value(code, line.owner), self.value(code, line.kind)
        known = code.builder.icmp_unsigned("<", kind, code.i32(self.kinds))
        limit = code.i64(self.program.stack_limit)
        few = code.builder.icmp_unsigned("<=", count, limit)
        ok = code.builder.and_(known, few)
        self.fault_if(code, code.builder.not_(ok))
        if self.at_once is not None:
            packed = code.builder.add(self.pack(code, [count, owner, kind]), code.i64(PUT))
            repeated = self.note_sites(code, "top", mask, packed)
            mask = code.builder.and_(mask, code.builder.not_(repeated))

        def act() -> None:
            if line.from_hand:
                self.from_hand(code, owner, kind, count, mask)
            self.put_pieces(code, line, mask, count, owner, kind)
            if self.expressions.memos.grows:
                self.remember(code, line, owner, mask)
            some = code.builder.icmp_signed(">", count, code.i64(0))
            code.when(some, lambda: self.place_mark(code, mask))

        code.when(ok, act)

    def pack(self, code: Code, parts: Sequence[Value]) -> Value:
        """Small values as one number, so that two are equal where all parts are."""
        packed: Value = code.i64(0)
        for part in parts:
            shifted = code.builder.shl(packed, code.i64(16))
            packed = code.builder.or_(shifted, code.fit(part, I64, signed=False))
        return packed

    def from_hand(self, code: Code, owner: Value, kind: Value, count: Value, mask: Value) -> None:
        """Take pieces out of a hand."""
        if not any(self.program.hands):
            self.fault_if(code, code.truth(True))
            return
        known = code.builder.icmp_unsigned("<", owner, code.i32(self.players))
        safe = code.builder.select(known, owner, code.i32(0))
        field = self.memory.fields[self.layout.hands]
        index = code.builder.add(code.builder.mul(safe, code.i32(self.kinds)), kind)
        now = code.fit(code.load(field, index, base=code.write), I64)
        wanted = code.builder.mul(count, code.count(mask))
        enough = code.builder.and_(known, code.builder.icmp_signed(">=", now, wanted))
        self.fault_if(code, code.builder.not_(enough))
        left = code.builder.select(enough, code.builder.sub(now, wanted), now)
        code.store(field, left, index)

    def put_pieces(
        self, code: Code, line: program.Put, mask: Value, count: Value, owner: Value, kind: Value
    ) -> None:
        """New pieces on each site of a set."""
        single = isinstance(line.count, program.Constant) and line.count.value == 1
        if single and self.simple:
            free = mask
            if line not in self.on_empty:
                occupied = self.expressions.occupied(code, base=code.write)
                self.fault_if(code, code.some(code.builder.and_(mask, occupied)))
                free = code.builder.and_(mask, code.builder.not_(occupied))
            self.show(code, free, owner, kind)
            return
        if self.shows_only(line):
            self.show(code, mask, owner, kind)
            return
        add = self.add_function()
        piece = self.new_piece(code, owner, kind)
        with code.loop(mask) as site:
            times = code.i64(1) if single else count
            with code.count_up(times):
                code.builder.call(add, [code.ctx, code.write, site, piece])

    def show(self, code: Code, mask: Value, owner: Value, kind: Value) -> None:
        """New pieces on sites that are empty."""
        self.add_to_row(code, self.layout.owners, owner, mask)
        if self.memory.kinds:
            self.add_to_row(code, self.layout.kinds, kind, mask)

    def remember(self, code: Code, line: program.Put, owner: Value, mask: Value) -> None:
        """Bring the memos up to date after stones were put."""
        memos, asked = self.expressions.memos, self.expressions
        if isinstance(line.sites, program.Op) and line.sites.name == "single":
            memos.put(code, asked, owner, self.value(code, line.sites.arguments[0]))
            return
        with code.loop(mask) as site:
            memos.put(code, asked, owner, site)

    def stands(self, code: Code, site: Value) -> Value:
        """Whether a piece stands on a site of the state that is written."""
        return code.has(self.expressions.occupied(code, base=code.write), site)

    def move(self, code: Code, line: program.Move) -> None:
        """`move`."""
        start, end = self.value(code, line.origin), self.value(code, line.target)
        if self.at_once is not None:
            sites = self.memory.sites
            leave = code.builder.add(code.fit(end, I64, signed=False), code.i64(LEAVE))
            arrive = code.builder.add(code.fit(start, I64, signed=False), code.i64(ARRIVE))
            self.note(code, ("top",), sites, start, leave)
            self.note(code, ("top",), sites, end, arrive)
        stands = self.stands(code, start)
        self.fault_if(code, code.builder.not_(stands))
        differ = code.builder.icmp_unsigned("!=", start, end)
        act = self.move_simple if self.simple else self.move_piece

        def go() -> None:
            act(code, start, end)
            self.place_mark(code, code.bit(end))

        code.when(code.builder.and_(stands, differ), go)

    def move_simple(self, code: Code, start: Value, end: Value) -> None:
        """Move where sites hold one piece without notes."""
        full = self.stands(code, end)
        self.fault_if(code, full)
        from_bit, to_bit = code.bit(start), code.bit(end)
        to_bit = code.builder.select(full, from_bit, to_bit)
        for slot in self.top_slots():
            field = self.memory.fields[slot]
            now = code.load(field, base=code.write)
            has = code.some(code.builder.and_(now, from_bit))
            without = code.builder.and_(now, code.builder.not_(from_bit))
            moved = code.builder.or_(without, to_bit)
            code.store(field, code.builder.select(has, moved, now))

    def move_piece(self, code: Code, start: Value, end: Value) -> None:
        """Move one piece with its notes, onto others if stacks allow it."""
        piece = code.block(self.piece_size)
        code.builder.call(self.lift_function(), [code.ctx, code.write, start, piece])
        code.builder.call(self.add_function(), [code.ctx, code.write, end, piece])

    def swap(self, code: Code, line: program.Swap) -> None:
        """`swap`."""
        a, b = self.value(code, line.left), self.value(code, line.right)
        if self.at_once is not None:
            small = code.builder.select(code.builder.icmp_unsigned("<", a, b), a, b)
            large = code.builder.select(code.builder.icmp_unsigned("<", a, b), b, a)
            packed = code.builder.add(self.pack(code, [small, large]), code.i64(SWAP))
            self.note(code, ("top",), self.memory.sites, a, packed)
            self.note(code, ("top",), self.memory.sites, b, packed)
        first, second = code.block(self.piece_size), code.block(self.piece_size)

        def go() -> None:
            here, there = self.stands(code, a), self.stands(code, b)
            lift, add = self.lift_function(), self.add_function()
            both = [code.ctx, code.write]
            code.when(here, lambda: self.call(code, lift, [*both, a, first]))
            code.when(there, lambda: self.call(code, lift, [*both, b, second]))
            code.when(here, lambda: self.arrive(code, add, b, first))
            code.when(there, lambda: self.arrive(code, add, a, second))

        code.when(code.builder.icmp_unsigned("!=", a, b), go)

    def arrive(self, code: Code, add: ir.Function, site: Value, piece: Value) -> None:
        """A lifted piece comes to a site."""
        code.builder.call(add, [code.ctx, code.write, site, piece])
        self.place_mark(code, code.bit(site))

    def call(self, code: Code, function: ir.Function, arguments: Sequence[Value]) -> None:
        """Call for the effect alone."""
        code.builder.call(function, list(arguments))

    def remove(self, code: Code, line: program.Remove) -> None:
        """`remove`."""
        mask = self.value(code, line.sites)
        if self.at_once is not None:
            repeated = self.note_sites(code, "top", mask, code.i64(REMOVE))
            mask = code.builder.and_(mask, code.builder.not_(repeated))
        if self.simple:
            keep = code.builder.not_(mask)
            for slot in self.top_slots():
                field = self.memory.fields[slot]
                now = code.load(field, base=code.write)
                code.store(field, code.builder.and_(now, keep))
            return
        standing = code.builder.and_(mask, self.expressions.occupied(code, base=code.write))
        piece = code.block(self.piece_size)
        with code.loop(standing) as site:
            code.builder.call(self.lift_function(), [code.ctx, code.write, site, piece])

    def change(self, code: Code, line: program.Change) -> None:
        """`change`."""
        mask, kind = self.value(code, line.sites), self.value(code, line.kind)
        if self.at_once is not None:
            self.note_sites(code, "kind", mask, code.fit(kind, I64))
        known = code.builder.icmp_unsigned("<", kind, code.i32(self.kinds))
        self.fault_if(code, code.builder.not_(known))
        if self.memory.kinds:
            code.when(known, lambda: self.repaint(code, self.layout.kinds, self.kinds, mask, kind))

    def give(self, code: Code, line: program.Give) -> None:
        """`give`."""
        mask, player = self.value(code, line.sites), self.value(code, line.player)
        if self.at_once is not None:
            self.note_sites(code, "owner", mask, code.fit(player, I64))
        self.repaint(code, self.layout.owners, self.memory.owners, mask, player)

    def repaint(self, code: Code, first: int, count: int, mask: Value, wanted: Value) -> None:
        """Move sites from whichever of a row of sets holds them to one of it."""
        mask = code.builder.and_(mask, self.expressions.occupied(code, base=code.write))
        for slot in range(first, first + count):
            field = self.memory.fields[slot]
            now = code.load(field, base=code.write)
            code.store(field, code.builder.and_(now, code.builder.not_(mask)))
        self.add_to_row(code, first, wanted, mask)

    def clear_board(self, code: Code) -> None:
        """`clear board`."""
        for slot in self.top_slots():
            code.store(self.memory.fields[slot], code.set_constant(0))
        pile = self.memory.pile
        if pile is not None:
            for field in (pile.height, *pile.columns):
                self.fill(code, field, 0)
        for slots in self.layout.piece_variables:
            for slot in range(slots.first, slots.first + slots.count):
                field = self.memory.fields[slot]
                first = initial_value(slots.variable, self.program)
                self.fill(code, field, first[0] if isinstance(first, tuple) else first)

    def fill(self, code: Code, field: Field, value: int) -> None:
        """Give every value of a field the same value."""
        constant = self.constant(field, value)
        if field.count == 1:
            code.store(field, constant)
            return
        with code.count_up(code.i64(field.count)) as index:
            code.store(field, constant, index)

    def refill(self, code: Code) -> None:
        """`refill hands`."""
        if not any(self.program.hands):
            return
        for player in range(self.players):
            for kind, count in enumerate(self.program.hands):
                slot = self.layout.hands + player * self.kinds + kind
                code.store(self.memory.fields[slot], ir.Constant(I32, count))


def side_by_side(fields: Iterable[Field]) -> list[Field]:
    """The same bytes in fewer fields, those that adjoin taken together."""
    found: list[Field] = []
    for field in sorted(fields, key=lambda field: field.offset):
        if found and found[-1].offset + found[-1].size == field.offset:
            before = found.pop()
            found.append(Field(before.offset, I8, before.size + field.size))
        else:
            found.append(Field(field.offset, I8, field.size))
    return found


__all__ = ["AtOnce", "Effects"]
