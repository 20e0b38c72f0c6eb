"""Words for what there is now: pieces, hands, whose turn it is."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from ludeme.check import program
from ludeme.machine.asking import Evaluate, union_of
from ludeme.machine.keys import memory_key, times
from ludeme.machine.layout import Cells
from ludeme.machine.leaves import Leaves


class Standing(Leaves):
    """Compiles what asks of pieces and players."""

    def op_empty(self, node: program.Op) -> Evaluate:
        occupied, everything = self.occupied, self.everything
        return lambda c: everything & ~occupied(c)

    def op_occupied(self, node: program.Op) -> Evaluate:
        return self.occupied

    @property
    def occupied(self) -> Evaluate:
        """The sites with a piece."""
        slots = self.owner_slots
        if self.players == 2:
            a, b, c_ = slots
            return lambda c: c[a] | c[b] | c[c_]
        return lambda c: union_of(c, slots)

    def op_mine(self, node: program.Op) -> Evaluate:
        owners, mover = self.layout.owners, self.layout.mover
        return lambda c: c[owners + c[mover]]

    def op_theirs(self, node: program.Op) -> Evaluate:
        owners, mover, players = self.layout.owners, self.layout.mover, self.players
        if players == 2:
            return lambda c: c[owners + 1 - c[mover]] if c[mover] < 2 else c[owners] | c[owners + 1]
        slots = range(owners, owners + players)
        return lambda c: union_of(c, slots) & ~(c[owners + c[mover]] if c[mover] < players else 0)

    def op_placed(self, node: program.Op) -> Evaluate:
        return itemgetter(self.layout.placed)

    def op_mover(self, node: program.Op) -> Evaluate:
        return itemgetter(self.layout.mover)

    def op_next(self, node: program.Op) -> Evaluate:
        mover, players = self.layout.mover, self.players
        return lambda c: (c[mover] + 1) % players if c[mover] < players else players

    def op_repeats(self, node: program.Op) -> Evaluate:
        number = node.arguments[0]
        assert isinstance(number, program.Constant) and isinstance(number.value, int)
        memory = self.program.memories[number.value]
        key, history = memory_key(self.layout, self.compile, memory), self.layout.history
        spend, steps = self.meter.spend, 20 + len(self.program.board.names) // 8
        assert history is not None

        def repeats(c: Cells) -> int:
            spend(steps)
            return times(c[history], key(c))

        return repeats

    def _counter(self, node: program.Op) -> Evaluate:
        return itemgetter(self.layout.counters[node.name])

    op_turns = op_skips = op_passes = _counter

    def op_passed(self, node: program.Op) -> Evaluate:
        player, first = self.compile(node.arguments[0]), self.layout.counters["passed"]
        players = self.players

        def passed(c: Cells) -> bool:
            number = player(c)
            return number < players and bool(c[first + number])

        return passed

    def op_pieces(self, node: program.Op) -> Evaluate:
        player, owners = self.compile(node.arguments[0]), self.layout.owners
        return lambda c: c[owners + player(c)]

    def op_of_kind(self, node: program.Op) -> Evaluate:
        kind, kinds = self.compile(node.arguments[0]), self.layout.kinds
        none = len(self.program.kinds)

        def of_kind(c: Cells) -> Any:
            number = kind(c)
            return c[kinds + number] if number < none else 0

        return of_kind

    def op_owner(self, node: program.Op) -> Evaluate:
        site, owners, players = self.compile(node.arguments[0]), self.layout.owners, self.players

        def owner(c: Cells) -> int:
            where = site(c)
            for player in range(players):
                if c[owners + player] >> where & 1:
                    return player
            return players

        return owner

    def op_kind(self, node: program.Op) -> Evaluate:
        site, kinds, count = (
            self.compile(node.arguments[0]),
            self.layout.kinds,
            len(self.program.kinds),
        )

        def kind(c: Cells) -> int:
            where = site(c)
            for number in range(count):
                if c[kinds + number] >> where & 1:
                    return number
            return count

        return kind

    def op_height(self, node: program.Op) -> Evaluate:
        site, occupied, buried = self.compile(node.arguments[0]), self.occupied, self.layout.buried

        def height(c: Cells) -> int:
            where = site(c)
            if not occupied(c) >> where & 1:
                return 0
            return 1 if buried is None else 1 + len(c[buried][where])

        return height

    def op_hand(self, node: program.Op) -> Evaluate:
        player, hands, kinds = (
            self.compile(node.arguments[0]),
            self.layout.hands,
            len(self.program.kinds),
        )
        players = self.players
        if not any(self.program.hands):
            return lambda c: 0

        def hand(c: Cells) -> int:
            number = player(c)
            if number >= players:
                return 0
            first = hands + number * kinds
            return sum(1 << kind for kind in range(kinds) if c[first + kind])

        return hand

    def op_held(self, node: program.Op) -> Evaluate:
        player, kind = (self.compile(argument) for argument in node.arguments)
        hands, kinds = self.layout.hands, len(self.program.kinds)
        if not any(self.program.hands):
            return lambda c: 0
        players = self.players

        def held(c: Cells) -> Any:
            number, what = player(c), kind(c)
            return c[hands + number * kinds + what] if number < players and what < kinds else 0

        return held

    def op_rival(self, node: program.Op) -> Evaluate:
        player = self.compile(node.arguments[0])

        def rival(c: Cells) -> int:
            number: int = player(c)
            return 1 - number if number < 2 else number

        return rival
