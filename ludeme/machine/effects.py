"""What the lines of a description do to a state.

An effect has two halves: *read* works out its operands, *write* changes the state. One after the
other they are a plain line; in `for each` all is read before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ludeme.check import program
from ludeme.check.limits import LARGEST_NUMBER
from ludeme.diagnostics import DescriptionFault, Span, fault
from ludeme.kernel.types import Type
from ludeme.machine.bits import members
from ludeme.machine.expressions import Evaluate, Expressions
from ludeme.machine.layout import (
    Cells,
    VariableSlots,
    fill_hands,
    initial_value,
)
from ludeme.machine.meter import PENDING
from ludeme.machine.notation import written

Act = Callable[[Cells], None]
Write = Callable[[Cells, Any], None]
Piece = tuple[int, ...]
PlaceKey = tuple[Any, ...]


@attrs.frozen
class Effect:
    """*read* gives the operands; *touches* the places written and what is written there.

    *narrow* leaves sites out of the operands, where a second effect would not be the same as one.
    """

    read: Callable[[Cells], Any]
    write: Write
    touches: Callable[[Any], list[tuple[PlaceKey, Any]]]
    span: Span
    narrow: Callable[[Any, int], Any] | None = None

    def run(self, cells: Cells) -> None:
        """Read and write at once."""
        self.write(cells, self.read(cells))


Collect = Callable[[Cells, int, list[tuple[int, Effect, Any]], list[str]], None]
"""Adds what a member of `for each` does, and prints, to what is to be done at once."""


class Effects:
    """Compiles lines without decisions."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.layout = expressions.layout
        self.program = expressions.program
        self.nobody = len(self.program.players)
        self.spend = expressions.meter.spend
        copied = sum(not v.variable.is_flag for v in self.layout.piece_variables)
        copied += 3 if self.layout.buried is not None else 0
        self.lifting = 10 + copied * len(self.program.board.names) // 20

    # ---- blocks

    def block(self, lines: Sequence[program.Statement]) -> Act:
        """A block of lines without decisions, one after the other."""
        acts = [self.act(line) for line in lines]
        if len(acts) == 1:
            return acts[0]

        def block(c: Cells) -> None:
            for act in acts:
                act(c)

        return block

    def branch(self, line: program.Statement, which: int, lines: program.Block) -> Act:
        """Block number *which* of a line, which may or may not be entered."""
        return self.block(lines)

    def act(self, line: program.Statement) -> Act:
        """One line without decisions."""
        compile_ = self.expressions.compile
        match line:
            case program.Assign():
                slot, value = self.expressions.slot(line.local), compile_(line.value)
                if line.changes and line.local.type.kind == "number":
                    return self._change_number(line, slot, value)

                def assign(c: Cells) -> None:
                    c[slot] = value(c)

                return assign
            case program.If():
                condition = compile_(line.condition)
                then = self.branch(line, 0, line.then)
                otherwise = self.branch(line, 1, line.otherwise)

                def choose(c: Cells) -> None:
                    if condition(c):
                        then(c)
                    else:
                        otherwise(c)

                return choose
            case program.Match():
                return self._match(line)
            case program.ForEach():
                return self._for_each(line)
            case program.OneByOne():
                return self._one_by_one(line)
            case program.Say():
                return self._say(line)
            case program.Pass():
                return self._raise_flag(self.layout.passing)
            case program.Again():
                return self._raise_flag(self.layout.again)
            case program.ClearBoard():
                return self.clear_board
            case program.RefillHands():
                layout = self.layout
                return lambda c: fill_hands(layout, c)
        return self.effect(line).run

    def _change_number(self, line: program.Assign, slot: int, value: Evaluate) -> Act:
        name, span = line.local.name, line.span

        def change(c: Cells) -> None:
            found = value(c)
            if not -LARGEST_NUMBER <= found <= LARGEST_NUMBER:
                raise fault(
                    "out-of-range",
                    span,
                    f"`{name}` became {found}; numbers go up to {LARGEST_NUMBER}",
                )
            c[slot] = found

        return change

    def _raise_flag(self, slot: int) -> Act:
        def raise_flag(c: Cells) -> None:
            c[slot] = True

        return raise_flag

    def row_finder(self, line: program.Match) -> Callable[[Cells], int]:
        """Which row of a `match` fits; the number of rows if none."""
        subjects = [self.expressions.compile(subject) for subject in line.subjects]
        rows = [row.patterns for row in line.rows]

        def find(c: Cells) -> int:
            values = [int(subject(c)) for subject in subjects]
            for number, patterns in enumerate(rows):
                if all(p is None or p == v for p, v in zip(patterns, values, strict=False)):
                    return number
            return len(rows)

        return find

    def _match(self, line: program.Match) -> Act:
        find = self.row_finder(line)
        bodies = [self.branch(line, i, row.body) for i, row in enumerate(line.rows)]

        def match(c: Cells) -> None:
            number = find(c)
            if number < len(bodies):
                bodies[number](c)

        return match

    def _one_by_one(self, line: program.OneByOne) -> Act:
        each = self.expressions.each(line.domain, self.expressions.nodes_in(line.body))
        slot = self.expressions.slot(line.local)
        body = self.branch(line, 0, line.body)

        def one_by_one(c: Cells) -> None:
            for member in each(c):
                c[slot] = member
                body(c)

        return one_by_one

    def sayer(self, line: program.Say) -> Callable[[Cells], str]:
        """The text that a printed form gives."""
        parts: list[str | tuple[Any, Type]] = [
            part if isinstance(part, str) else (self.expressions.compile(part), part.type)
            for part in line.parts
        ]
        program_ = self.program

        def say(c: Cells) -> str:
            return "".join(
                part if isinstance(part, str) else written(program_, part[1], part[0](c))
                for part in parts
            )

        return say

    def _say(self, line: program.Say) -> Act:
        say, text = self.sayer(line), self.layout.text

        def add(c: Cells) -> None:
            c[text] = (*c[text], say(c))

        return add

    # ---- at once

    def _for_each(self, line: program.ForEach) -> Act:
        loops = self._loops(line)
        collect = self.collector(line, 0, line.body)
        text = self.layout.text

        def for_each(c: Cells) -> None:
            pending: list[tuple[int, Effect, Any]] = []
            texts: list[str] = []
            for number, _ in enumerate(_product(c, loops, 0)):
                collect(c, number, pending, texts)
            if texts:
                c[text] = (*c[text], *texts)
            self._write_all(c, pending)

        return for_each

    def _loops(self, line: program.ForEach) -> list[tuple[int, Any]]:
        """The names of nested loops and what each goes through."""
        steps = PENDING + self.expressions.nodes_in(line.body)
        return [
            (self.expressions.slot(local), self.expressions.each(domain, steps))
            for local, domain in line.binders
        ]

    def collector(self, line: program.Statement, which: int, lines: program.Block) -> Collect:
        """Block number *which* of a line, what it does being collected."""
        steps = [self._collect(line) for line in lines]

        def collect(
            c: Cells, number: int, pending: list[tuple[int, Effect, Any]], texts: list[str]
        ) -> None:
            for step in steps:
                step(c, number, pending, texts)

        return collect

    def _collect(self, line: program.Statement) -> Callable[..., None]:
        compile_ = self.expressions.compile
        match line:
            case program.Assign():
                act = self.act(line)
                return lambda c, number, pending, texts: act(c)
            case program.If():
                condition = compile_(line.condition)
                then = self.collector(line, 0, line.then)
                otherwise = self.collector(line, 1, line.otherwise)

                def choose(c: Cells, number: int, pending: Any, texts: Any) -> None:
                    (then if condition(c) else otherwise)(c, number, pending, texts)

                return choose
            case program.Match():
                find = self.row_finder(line)
                bodies = [self.collector(line, i, row.body) for i, row in enumerate(line.rows)]

                def match(c: Cells, number: int, pending: Any, texts: Any) -> None:
                    row = find(c)
                    if row < len(bodies):
                        bodies[row](c, number, pending, texts)

                return match
            case program.ForEach():
                loops = self._loops(line)
                body = self.collector(line, 0, line.body)

                def inner(c: Cells, number: int, pending: Any, texts: Any) -> None:
                    for _ in _product(c, loops, 0):
                        body(c, number, pending, texts)

                return inner
            case program.Say():
                say = self.sayer(line)
                return lambda c, number, pending, texts: texts.append(say(c))
        effect = self.effect(line)
        return lambda c, number, pending, texts: pending.append((number, effect, effect.read(c)))

    def _write_all(self, c: Cells, pending: list[tuple[int, Effect, Any]]) -> None:
        """Write what was collected; two members that write differently to a place are a fault."""
        written_by: dict[PlaceKey, tuple[int, Any, Effect]] = {}
        raised: list[tuple[Effect, Any]] = []
        for number, effect, operands in pending:
            repeated = 0
            touched = effect.touches(operands)
            for key, value in touched:
                before = written_by.get(key)
                if before is None:
                    written_by[key] = (number, value, effect)
                elif before[0] != number:
                    if before[1] != value:
                        raise fault(
                            "clash",
                            effect.span,
                            "two members of `for each` do different things to one place at once",
                            help="write `one by one` if one comes after the other",
                        )
                    repeated |= 1 << key[0]
            if effect.narrow is not None and repeated:
                operands = effect.narrow(operands, repeated)
            if isinstance(effect, RaiseEffect):
                effect.add(c, operands)
                raised.append((effect, operands))
            else:
                effect.write(c, operands)
        for effect, operands in raised:
            assert isinstance(effect, RaiseEffect)
            effect.check_range(c, operands)

    # ---- single effects

    def effect(self, line: program.Statement) -> Effect:
        """An effect that can stand alone or in `for each`."""
        match line:
            case program.Set():
                return self._set(line)
            case program.Raise():
                return self._raise(line)
            case program.Mark():
                return self._mark(line)
            case program.Put():
                return self._put(line)
            case program.Move():
                return self._move(line)
            case program.Swap():
                return self._swap(line)
            case program.Remove():
                return self._remove(line)
            case program.Change():
                return self._change(line)
            case program.Give():
                return self._give(line)
        raise AssertionError(line)

    def _place(
        self, variable: program.Variable, indices: Sequence[program.Expression]
    ) -> Callable[[Cells], tuple[int, int | None]]:
        """Slot and position in it of a variable's value; slot -1 if there is none."""
        slots = self.layout.variables[variable.name]
        first, count = slots.first, slots.count
        compiled = [self.expressions.compile(index) for index in indices]
        if variable.owner == "player":
            player = compiled[0]
            inner = compiled[1] if len(compiled) > 1 else None

            def of_player(c: Cells) -> tuple[int, int | None]:
                number = player(c)
                key = inner(c) if inner is not None else None
                known = number < count and (key is None or key < len(c[first]))
                return (first + number if known else -1), key

            return of_player
        if compiled:
            index = compiled[0]

            def of_index(c: Cells) -> tuple[int, int | None]:
                key = index(c)
                return (first if key < len(c[first]) else -1), key

            return of_index
        return lambda c: (first, None)

    def _store(self, slots: VariableSlots) -> Callable[[Cells, int, int | None, Any], None]:
        """Write a value, and start its age if it does not last."""
        lasting, spend = slots.variable.lasting, self.spend

        def store(c: Cells, slot: int, index: int | None, value: Any) -> None:
            if index is None:
                c[slot] = value
            else:
                old = c[slot]
                spend(len(old) // 50)
                c[slot] = (*old[:index], value, *old[index + 1 :])
            if slots.ages is not None and lasting is not None:
                c[slots.ages + slot - slots.first] = lasting + 1

        return store

    def _set(self, line: program.Set) -> Effect:
        variable = line.variable
        place = self._place(variable, line.indices)
        value = self.expressions.compile(line.value)
        store = self._store(self.layout.variables[variable.name])
        check = variable.type.kind == "number"

        def read(c: Cells) -> Any:
            slot, index = place(c)
            found = value(c)
            if check:
                _in_range(variable, found, line.span)
            if slot < 0:
                raise _nobodys(variable, line.span)
            return slot, index, int(found) if isinstance(found, bool) else found

        def write(c: Cells, operands: Any) -> None:
            store(c, *operands)

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            slot, index, found = operands
            return [((slot, index), ("set", found))]

        return Effect(read, write, touches, line.span)

    def _raise(self, line: program.Raise) -> Effect:
        variable = line.variable
        place = self._place(variable, line.indices)
        amount = self.expressions.compile(line.amount)
        sign = -1 if line.down else 1
        store = self._store(self.layout.variables[variable.name])

        def read(c: Cells) -> Any:
            slot, index = place(c)
            if slot < 0:
                raise _nobodys(variable, line.span)
            return slot, index, sign * amount(c)

        def add(c: Cells, operands: Any) -> None:
            slot, index, change = operands
            old = c[slot] if index is None else c[slot][index]
            store(c, slot, index, old + change)

        def check_range(c: Cells, operands: Any) -> None:
            slot, index, _ = operands
            _in_range(variable, c[slot] if index is None else c[slot][index], line.span)

        def write(c: Cells, operands: Any) -> None:
            add(c, operands)
            check_range(c, operands)

        return RaiseEffect(
            read, write, lambda operands: [], line.span, add=add, check_range=check_range
        )

    def _mark(self, line: program.Mark) -> Effect:
        slots = self.layout.variables[line.variable.name]
        sites = self.expressions.compile(line.sites)
        first, last = slots.first, slots.first + slots.count - 1
        of_piece = line.variable.owner == "piece"
        owners, nobody = self.layout.owners, self.nobody
        on = line.on

        def write(c: Cells, mask: int) -> None:
            if of_piece:
                occupied = 0
                for slot in range(owners, owners + nobody + 1):
                    occupied |= c[slot]
                mask &= occupied
            if on:
                c[last] |= mask
            else:
                for slot in range(first, last + 1):
                    c[slot] &= ~mask

        def touches(mask: int) -> list[tuple[PlaceKey, Any]]:
            return [((first, site, "flag"), on) for site in members(mask)]

        return Effect(sites, write, touches, line.span)

    # ---- pieces

    def _take(self, c: Cells, site: int) -> Piece:
        """Lift the top piece off a site: owner, kind, and what is noted on it."""
        layout = self.layout
        self.spend(self.lifting)
        bit = 1 << site
        owner = next(p for p in range(self.nobody + 1) if c[layout.owners + p] & bit)
        kind = next(k for k in range(len(self.program.kinds)) if c[layout.kinds + k] & bit)
        c[layout.owners + owner] &= ~bit
        c[layout.kinds + kind] &= ~bit
        notes = []
        for slots in layout.piece_variables:
            notes.append(self._unnote(c, slots, site))
        piece = (owner, kind, *notes)
        if layout.buried is not None:
            below = c[layout.buried][site]
            if below:
                self._set_buried(c, site, below[:-1])
                self._set_top(c, site, below[-1])
        return piece

    def _unnote(self, c: Cells, slots: VariableSlots, site: int) -> int:
        bit = 1 << site
        if slots.variable.is_flag:
            layers = 0
            for layer in range(slots.count):
                if c[slots.first + layer] & bit:
                    layers |= 1 << layer
                    c[slots.first + layer] &= ~bit
            return layers
        values = c[slots.first]
        initial = slots.variable.initial
        c[slots.first] = (*values[:site], initial, *values[site + 1 :])
        return int(values[site])

    def _set_top(self, c: Cells, site: int, piece: Piece) -> None:
        layout = self.layout
        bit = 1 << site
        c[layout.owners + piece[0]] |= bit
        c[layout.kinds + piece[1]] |= bit
        for slots, note in zip(layout.piece_variables, piece[2:], strict=True):
            if slots.variable.is_flag:
                for layer in members(note):
                    c[slots.first + layer] |= bit
            else:
                values = c[slots.first]
                c[slots.first] = (*values[:site], note, *values[site + 1 :])

    def _set_buried(self, c: Cells, site: int, pieces: tuple[Piece, ...]) -> None:
        assert self.layout.buried is not None
        piles = c[self.layout.buried]
        c[self.layout.buried] = (*piles[:site], pieces, *piles[site + 1 :])

    def is_occupied(self, c: Cells, site: int) -> bool:
        """Whether a piece stands on the site."""
        owners = self.layout.owners
        return any(c[owners + p] >> site & 1 for p in range(self.nobody + 1))

    def add_piece(self, c: Cells, site: int, piece: Piece, span: Span) -> None:
        """Put a piece on top of a site; a full site is a fault."""
        layout = self.layout
        self.spend(self.lifting)
        if self.is_occupied(c, site):
            if layout.buried is None:
                raise self._full(site, 1, span)
            below = c[layout.buried][site]
            if len(below) + 2 > self.program.stack_limit:
                raise self._full(site, len(below) + 1, span)
            top = self._peel(c, site)
            self._set_buried(c, site, (*below, top))
        self._set_top(c, site, piece)

    def _peel(self, c: Cells, site: int) -> Piece:
        """Lift the top piece without what is below coming up."""
        assert self.layout.buried is not None
        below = c[self.layout.buried][site]
        self._set_buried(c, site, ())
        top = self._take(c, site)
        self._set_buried(c, site, below)
        return top

    def _full(self, site: int, height: int, span: Span) -> Exception:
        name = self.program.board.names[site]
        if self.program.stack_limit == 1:
            message = f"a piece was put on {name}, where one stands already"
            return fault("full-site", span, message, "remove what stands there first")
        message = f"a piece was put on {name}, where {height} stand already"
        return fault("full-site", span, message, "`stacks up to` says how many may stand on a site")

    def new_piece(self, owner: int, kind: int) -> Piece:
        """A piece with its first values noted on it."""
        notes = [
            0 if slots.variable.is_flag else slots.variable.initial
            for slots in self.layout.piece_variables
        ]
        return (owner, kind, *notes)

    def _put(self, line: program.Put) -> Effect:
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

    def _move(self, line: program.Move) -> Effect:
        origin = self.expressions.compile(line.origin)
        target = self.expressions.compile(line.target)
        names, placed = self.program.board.names, self.layout.placed

        def write(c: Cells, operands: Any) -> None:
            start, end = operands
            if not self.is_occupied(c, start):
                raise fault("no-piece", line.span, f"there is no piece on {names[start]} to move")
            if start == end:
                return
            piece = self._take(c, start)
            self.add_piece(c, end, piece, line.span)
            c[placed] |= 1 << end

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            start, end = operands
            return [((start, "top"), ("leave", end)), ((end, "top"), ("arrive", start))]

        return Effect(lambda c: (origin(c), target(c)), write, touches, line.span)

    def _swap(self, line: program.Swap) -> Effect:
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
                    pieces.append(self._take(c, site))
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

    def _remove(self, line: program.Remove) -> Effect:
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
                    self._take(c, site)

        return Effect(
            sites, write, _touches_tops("remove"), line.span, lambda mask, done: mask & ~done
        )

    def _change(self, line: program.Change) -> Effect:
        sites, kind = self.expressions.compile(line.sites), self.expressions.compile(line.kind)
        kinds, count = self.layout.kinds, len(self.program.kinds)

        def write(c: Cells, operands: Any) -> None:
            mask, what = operands
            if what >= count:
                raise fault("no-kind", line.span, "there is no kind of piece to change into")
            mask &= _occupied(c, kinds, count)
            for slot in range(kinds, kinds + count):
                c[slot] &= ~mask
            c[kinds + what] |= mask

        def touches(operands: Any) -> list[tuple[PlaceKey, Any]]:
            return [((site, "kind"), operands[1]) for site in members(operands[0])]

        return Effect(lambda c: (sites(c), kind(c)), write, touches, line.span)

    def _give(self, line: program.Give) -> Effect:
        sites, player = self.expressions.compile(line.sites), self.expressions.compile(line.player)
        owners, count = self.layout.owners, self.nobody + 1

        def write(c: Cells, operands: Any) -> None:
            mask, whose = operands
            mask &= _occupied(c, owners, count)
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


@attrs.frozen
class RaiseEffect(Effect):
    """An effect that adds up: in `for each` all are added before the range is looked at."""

    add: Write = attrs.field(kw_only=True)
    check_range: Write = attrs.field(kw_only=True)


def _touches_tops(what: str) -> Callable[[int], list[tuple[PlaceKey, Any]]]:
    return lambda mask: [((site, "top"), what) for site in members(mask)]


def _occupied(cells: Cells, first: int, count: int) -> int:
    found = 0
    for slot in range(first, first + count):
        found |= cells[slot]
    return found


def _product(c: Cells, loops: list[tuple[int, Any]], depth: int) -> Any:
    """Set the locals of nested loops to each combination in turn."""
    slot, each = loops[depth]
    for member in each(c):
        c[slot] = member
        if depth + 1 < len(loops):
            yield from _product(c, loops, depth + 1)
        else:
            yield None


def _nobodys(variable: program.Variable, span: Span) -> DescriptionFault:
    """The fault of writing what nobody, or no kind of piece, has."""
    message = f"`{variable.name}` was written of nobody, or of no kind of piece"
    return fault("nobody", span, message)


def _in_range(variable: program.Variable, value: int, span: Span) -> None:
    if not variable.low <= value <= variable.high:
        raise fault(
            "out-of-range",
            span,
            f"`{variable.name}` became {value}; it goes from {variable.low} to {variable.high}",
        )
