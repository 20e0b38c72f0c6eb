"""The lines that put, move, take and change pieces."""

from __future__ import annotations

from typing import Any

from ludeme.check import program
from ludeme.diagnostics import Span, fault
from ludeme.machine.asking import union_of
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells, initial_value
from ludeme.machine.stacks import Stacks
from ludeme.machine.writing import Effect, Piece, PlaceKey, touches_tops


class Pieces(Stacks):
    """Compiles what lines do to pieces and hands."""

    def put(self, line: program.Put) -> Effect:
        """`put`."""
        compile_ = self.expressions.compile
        count, owner, kind = compile_(line.count), compile_(line.owner), compile_(line.kind)
        sites = compile_(line.sites)
        layout, kinds = self.layout, len(self.program.kinds)
        limit = self.program.stack_limit

        def read(c: Cells) -> Any:
            return sites(c), count(c), owner(c), kind(c)

        def write(c: Cells, operands: Any) -> None:
            mask, number, whose, what = operands
            if what >= kinds:
                raise fault("no-kind", line.span, "there is no kind of piece to put")
            if not 0 <= number <= limit:
                raise fault("full-site", line.span, f"{number} pieces were put on one site")
            if line.from_hand:
                self._from_hand(c, whose, what, number * mask.bit_count(), line.span)
            piece = self.new_piece(whose, what)
            if number == 1 and not layout.piece_variables:
                self._put_simple(c, mask, whose, what, piece, line.span)
            else:
                for site in members(mask):
                    for _ in range(number):
                        self.add_piece(c, site, piece, line.span)
            if number:
                c[layout.placed] |= mask

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            mask, number, whose, what = operands
            return [((site, "top"), ("put", number, whose, what)) for site in members(mask)]

        def narrow(operands: Any, sites: int) -> Any:
            return operands[0] & ~sites, *operands[1:]

        return Effect(read, write, touches, line.span, narrow)

    def _put_simple(
        self, c: Cells, mask: int, owner: int, kind: int, piece: Piece, span: Span
    ) -> None:
        """One piece without notes on each site: sets alone where all are empty."""
        owners = self.layout.owners
        occupied = 0
        for slot in range(owners, owners + self.nobody + 1):
            occupied |= c[slot]
        free = mask & ~occupied
        c[owners + owner] |= free
        c[self.layout.kinds + kind] |= free
        for site in members(mask & occupied):
            self.add_piece(c, site, piece, span)

    def _from_hand(self, c: Cells, player: int, kind: int, count: int, span: Span) -> None:
        program_ = self.program
        if player >= self.nobody or not any(program_.hands):
            raise fault("empty-hand", span, "nobody has no hand to take a piece from")
        slot = self.layout.hands + player * len(program_.kinds) + kind
        if c[slot] < count:
            raise fault(
                "empty-hand",
                span,
                f"{program_.players[player]} has {c[slot]} {program_.kinds[kind]} in hand,"
                f" not {count}",
            )
        c[slot] -= count

    def move(self, line: program.Move) -> Effect:
        """`move`."""
        origin = self.expressions.compile(line.origin)
        target = self.expressions.compile(line.target)
        names, placed = self.program.board.names, self.layout.placed

        def write(c: Cells, operands: Any) -> None:
            start, end = operands
            if not self.is_occupied(c, start):
                raise fault("no-piece", line.span, f"there is no piece on {names[start]} to move")
            if start == end:
                return
            piece = self.take(c, start)
            self.add_piece(c, end, piece, line.span)
            c[placed] |= 1 << end

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            start, end = operands
            return [((start, "top"), ("leave", end)), ((end, "top"), ("arrive", start))]

        return Effect(lambda c: (origin(c), target(c)), write, touches, line.span)

    def swap(self, line: program.Swap) -> Effect:
        """`swap`."""
        left = self.expressions.compile(line.left)
        right = self.expressions.compile(line.right)
        placed = self.layout.placed

        def write(c: Cells, operands: Any) -> None:
            a, b = operands
            if a == b:
                return
            pieces = []
            for site in (a, b):
                if self.is_occupied(c, site):
                    pieces.append(self.take(c, site))
                else:
                    pieces.append(())
            for site, piece in ((b, pieces[0]), (a, pieces[1])):
                if piece:
                    self.add_piece(c, site, piece, line.span)
                    c[placed] |= 1 << site

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            pair = frozenset(operands)
            return [((site, "top"), ("swap", pair)) for site in pair]

        return Effect(lambda c: (left(c), right(c)), write, touches, line.span)

    def remove(self, line: program.Remove) -> Effect:
        """`remove`."""
        sites = self.expressions.compile(line.sites)
        layout = self.layout
        simple = layout.buried is None and not layout.piece_variables
        slots = range(layout.owners, layout.kinds + len(self.program.kinds))

        def write(c: Cells, mask: int) -> None:
            if simple:
                keep = ~mask
                for slot in slots:
                    c[slot] &= keep
                return
            for site in members(mask):
                if self.is_occupied(c, site):
                    self.take(c, site)

        return Effect(
            sites, write, touches_tops("remove"), line.span, lambda mask, done: mask & ~done
        )

    def change(self, line: program.Change) -> Effect:
        """`change`."""
        sites, kind = self.expressions.compile(line.sites), self.expressions.compile(line.kind)
        kinds, count = self.layout.kinds, len(self.program.kinds)

        def write(c: Cells, operands: Any) -> None:
            mask, what = operands
            if what >= count:
                raise fault("no-kind", line.span, "there is no kind of piece to change into")
            mask &= union_of(c, range(kinds, kinds + count))
            for slot in range(kinds, kinds + count):
                c[slot] &= ~mask
            c[kinds + what] |= mask

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            return [((site, "kind"), operands[1]) for site in members(operands[0])]

        return Effect(lambda c: (sites(c), kind(c)), write, touches, line.span)

    def give(self, line: program.Give) -> Effect:
        """`give`."""
        sites, player = self.expressions.compile(line.sites), self.expressions.compile(line.player)
        owners, count = self.layout.owners, self.nobody + 1

        def write(c: Cells, operands: Any) -> None:
            mask, whose = operands
            mask &= union_of(c, range(owners, owners + count))
            for slot in range(owners, owners + count):
                c[slot] &= ~mask
            c[owners + whose] |= mask

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            return [((site, "owner"), operands[1]) for site in members(operands[0])]

        return Effect(lambda c: (sites(c), player(c)), write, touches, line.span)

    def clear_board(self, c: Cells) -> None:
        """Take all pieces off the board, with what is noted on them."""
        layout = self.layout
        for slot in range(layout.owners, layout.kinds + len(self.program.kinds)):
            c[slot] = 0
        if layout.buried is not None:
            c[layout.buried] = ((),) * len(self.program.board.names)
        for slots in layout.piece_variables:
            for slot in range(slots.first, slots.first + slots.count):
                c[slot] = initial_value(slots.variable, self.program)
