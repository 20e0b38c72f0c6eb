"""Words for what there is now: pieces, hands, whose turn it is, as LLVM IR."""

from __future__ import annotations

from llvmlite import ir

from ludeme.check import program
from ludeme.native.emitter import Code, Value
from ludeme.native.leaves import Leaves
from ludeme.native.memory import I1, I64


class Standing(Leaves):
    """Lowers what asks of pieces and players."""

    def occupied(self, code: Code, base: Value | None = None) -> Value:
        """The sites with a piece."""
        first = self.layout.owners
        found: Value = code.load(self.memory.fields[first], base=base)
        for player in range(1, self.memory.owners):
            field = self.memory.fields[first + player]
            found = code.builder.or_(found, code.load(field, base=base))
        return found

    def op_empty(self, code: Code, node: program.Op) -> Value:
        if self.memos.empty is not None:
            return code.load(self.memos.empty.sites)
        return code.complement(self.occupied(code), self.everything)

    def op_occupied(self, code: Code, node: program.Op) -> Value:
        if self.memos.empty is not None:
            return code.complement(code.load(self.memos.empty.sites), self.everything)
        return self.occupied(code)

    def mover(self, code: Code) -> Value:
        """Who moves."""
        return code.load(self.memory.fields[self.layout.mover])

    def op_mover(self, code: Code, node: program.Op) -> Value:
        return self.mover(code)

    def op_mine(self, code: Code, node: program.Op) -> Value:
        return self.indexed_set(code, self.layout.owners, self.players + 1, self.mover(code))

    def op_theirs(self, code: Code, node: program.Op) -> Value:
        mover = self.mover(code)
        if self.players == 2:
            # Where nobody moves the word is refused by the checker.
            other = code.builder.xor(mover, code.i32(1))
            return self.indexed_set(code, self.layout.owners, 3, other)
        found: Value = code.set_constant(0)
        for player in range(self.players):
            theirs = code.load(self.memory.fields[self.layout.owners + player])
            own = code.builder.icmp_unsigned("==", mover, code.i32(player))
            part = code.builder.select(own, code.set_constant(0), theirs)
            found = code.builder.or_(found, part)
        return found

    def op_placed(self, code: Code, node: program.Op) -> Value:
        return code.load(self.memory.fields[self.layout.placed])

    def op_next(self, code: Code, node: program.Op) -> Value:
        mover = self.mover(code)
        more = code.builder.add(mover, code.i32(1))
        wraps = code.builder.icmp_unsigned("==", more, code.i32(self.players))
        following = code.builder.select(wraps, code.i32(0), more)
        known = code.builder.icmp_unsigned("<", mover, code.i32(self.players))
        return code.builder.select(known, following, code.i32(self.players))

    def _counter(self, code: Code, node: program.Op) -> Value:
        slot = self.layout.counters[node.name]
        return code.fit(code.load(self.memory.fields[slot]), I64)

    def op_repeats(self, code: Code, node: program.Op) -> Value:
        self.spend(code, self.effort.remembering)
        return self.history.repeats(code, self.effort.memory_of(node).number)

    op_turns = op_skips = op_passes = _counter

    def op_passed(self, code: Code, node: program.Op) -> Value:
        player = self.value(code, node.arguments[0])
        field = self.memory.fields[self.layout.counters["passed"]]
        known = code.builder.icmp_unsigned("<", player, code.i32(self.players))
        found = code.load(field, code.builder.select(known, player, code.i32(0)))
        return code.builder.and_(known, code.builder.trunc(found, I1))

    def op_pieces(self, code: Code, node: program.Op) -> Value:
        player = self.value(code, node.arguments[0])
        return self.indexed_set(code, self.layout.owners, self.players + 1, player)

    def op_of_kind(self, code: Code, node: program.Op) -> Value:
        kind, count = self.value(code, node.arguments[0]), len(self.program.kinds)
        if count == 1:
            known = code.builder.icmp_unsigned("<", kind, code.i32(1))
            return code.builder.select(known, self.occupied(code), code.set_constant(0))
        if isinstance(kind, ir.Constant):
            return self.indexed_set(code, self.layout.kinds, count, kind)
        known = code.builder.icmp_unsigned("<", kind, code.i32(count))
        return code.choose(
            known,
            lambda: self.indexed_set(code, self.layout.kinds, count, kind),
            lambda: code.set_constant(0),
        )

    def which(self, code: Code, site: Value, first: int, count: int) -> Value:
        """Which of a row of sets holds a site; *count* if none does."""
        found: Value = code.i32(count)
        for number in reversed(range(count)):
            holds = code.has(code.load(self.memory.fields[first + number]), site)
            found = code.builder.select(holds, code.i32(number), found)
        return found

    def op_owner(self, code: Code, node: program.Op) -> Value:
        site = self.value(code, node.arguments[0])
        return self.which(code, site, self.layout.owners, self.players)

    def op_kind(self, code: Code, node: program.Op) -> Value:
        site = self.value(code, node.arguments[0])
        return self.kind_at(code, site)

    def kind_at(self, code: Code, site: Value) -> Value:
        """The kind of the top piece of a site."""
        if self.memory.kinds:
            return self.which(code, site, self.layout.kinds, self.memory.kinds)
        stands = code.has(self.occupied(code), site)
        return code.builder.select(stands, code.i32(0), code.i32(len(self.program.kinds)))

    def op_height(self, code: Code, node: program.Op) -> Value:
        site = self.value(code, node.arguments[0])
        stands = code.has(self.occupied(code), site)
        if self.memory.pile is None:
            return code.builder.zext(stands, I64)
        below = code.fit(code.load(self.memory.pile.height, site), I64, signed=False)
        height = code.builder.add(below, code.i64(1))
        return code.builder.select(stands, height, code.i64(0))

    def held(self, code: Code, player: Value, kind: Value) -> Value:
        """How many pieces of a kind a player has in hand, 64 bits."""
        if not any(self.program.hands):
            return code.i64(0)
        field, kinds = self.memory.fields[self.layout.hands], len(self.program.kinds)
        somebody = code.builder.icmp_unsigned("<", player, code.i32(self.players))
        something = code.builder.icmp_unsigned("<", kind, code.i32(kinds))
        known = code.builder.and_(somebody, something)
        row = code.builder.mul(player, code.i32(kinds))
        index = code.builder.select(known, code.builder.add(row, kind), code.i32(0))
        found = code.fit(code.load(field, index), I64)
        return code.builder.select(known, found, code.i64(0))

    def op_held(self, code: Code, node: program.Op) -> Value:
        return self.held(code, *self.operands(code, node))

    def op_hand(self, code: Code, node: program.Op) -> Value:
        player = self.value(code, node.arguments[0])
        found: Value = code.i64(0)
        for kind in range(len(self.program.kinds)):
            count = self.held(code, player, code.i32(kind))
            has = code.builder.icmp_signed(">", count, code.i64(0))
            part = code.builder.select(has, code.i64(1 << kind), code.i64(0))
            found = code.builder.or_(found, part)
        return found

    def op_rival(self, code: Code, node: program.Op) -> Value:
        player = self.value(code, node.arguments[0])
        known = code.builder.icmp_unsigned("<", player, code.i32(2))
        return code.builder.select(known, code.builder.xor(player, code.i32(1)), player)

    def op_others(self, code: Code, node: program.Op) -> Value:
        player, everybody = self.operands(code, node)
        own = code.builder.shl(code.i64(1), code.wide(player))
        return code.builder.and_(everybody, code.builder.not_(own))
