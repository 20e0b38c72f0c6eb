"""The lines that put, move, take and change pieces, as LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ludeme.check import program
from ludeme.machine.layout import initial_value
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I32, I64, Field
from ludeme.native.stacks import Stacks
from ludeme.native.writing import ARRIVE, LEAVE, PUT, REMOVE, SWAP


class Pieces(Stacks):
    """Lowers what lines do to pieces and hands."""

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

    def shows_only(self, line: program.Put) -> bool:
        """Whether a `put` sets one piece on each site, which shows none."""
        single = isinstance(line.count, program.Constant) and line.count.value == 1
        free = line in self.on_empty
        return single and free and not self.layout.piece_variables

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
