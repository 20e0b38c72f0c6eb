"""Answers that are carried along with a state, so that only what is new has to be looked at.

Whether a chain joins two sides, and whether a line of n stands anywhere, is asked after every turn
of many games, while a turn adds a stone or two. Beside the state stands what was found for the
stones of each player when it was last asked. Where stones are gone since, it is found anew; so the
answer is right whatever the rules do, and quick where pieces are only added.

Where it can be seen from the rules that stones are only ever added, to the mover's own and on empty
sites, what is known is brought up to date as each stone is put (`Memos.put`), and before the first
decision for all that stand already (`Memos.prepare`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.machine.tables import Tables
from ludeme.native import facts
from ludeme.native.boards import Boards
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I1, I8, I64, Field, Memory, integer_for

WORTHWHILE = 64
"""Up to so many sites a line is found as quickly without a memo."""


class Asked(Protocol):
    """What the memos ask of the expressions that they are part of."""

    boards: Boards

    def value(self, code: Code, node: program.Expression) -> Value: ...

    def relation_table(self, links: program.Expression) -> tuple[int, ...] | None: ...

    def player_of(self, code: Code, sites: program.Expression) -> Value: ...

    def indexed_set(self, code: Code, first: int, count: int, index: Value) -> Value: ...


@attrs.frozen
class JoinMemo:
    """For each player: the stones seen, those joined to the start, its rim, and the start."""

    seen: Field
    reach: Field
    rim: Field
    start: Field


@attrs.frozen
class EmptyMemo:
    """The empty sites, and how many they are."""

    sites: Field
    count: Field


@attrs.frozen
class LineMemo:
    """For each player: the stones seen, whether a line stood, and each line's stones as bits."""

    seen: Field
    found: Field
    words: Field
    lines: int


def expressions_in(node: program.Expression) -> Iterator[program.Expression]:
    """An expression and all that it is made of, definitions included."""
    yield node
    for part in _parts(node):
        yield from expressions_in(part)


def _parts(node: program.Expression) -> Iterator[program.Expression]:
    match node:
        case program.Op():
            yield from node.arguments
        case program.Apply():
            yield from node.arguments
            yield node.function.value
        case program.Choice():
            yield from (node.condition, node.then, node.otherwise)
        case program.Quantified() | program.Those():
            yield from (node.domain, node.condition)
        case program.Fold():
            yield from (node.domain, node.value)
            if node.otherwise is not None:
                yield node.otherwise
        case program.Best():
            yield from (node.domain, *node.keys)


def whose(sites: program.Expression) -> bool:
    """Whether a set is the stones of one player."""
    return isinstance(sites, program.Op) and sites.name in ("mine", "pieces")


def line_length(node: program.Op) -> int:
    """The length of the line that a question with a memo asks for."""
    length = node.arguments[0]
    assert isinstance(length, program.Constant) and isinstance(length.value, int)
    return length.value


class Memos:
    """Which questions of a program have a memo, and the code that asks them."""

    def __init__(self, memory: Memory, tables: Tables) -> None:
        self.memory = memory
        self.tables = tables
        self.players = memory.players + 1
        self.grows = facts.grows_only(memory.program)
        """Whether memos are kept up as stones are put."""
        self.joins: dict[program.Op, JoinMemo] = {}
        self.lines: dict[program.Op, LineMemo] = {}
        self.empty = self._make_empty()
        for end in memory.program.ends:
            for node in expressions_in(end.condition) if end.condition is not None else ():
                if isinstance(node, program.Op):
                    self._make(node)
        memory.close()

    def _make_empty(self) -> EmptyMemo | None:
        """Room for the empty sites, where they are asked for and take several words."""
        if not self.grows or self.memory.sites <= WORTHWHILE:
            return None
        asked = any(
            isinstance(node, program.Op) and node.name in ("empty", "occupied")
            for node in facts.nodes(self.memory.program)
        )
        if not asked:
            return None
        return EmptyMemo(self.memory.extra(self.memory.set_type, 1), self.memory.extra(I64, 1))

    def _make(self, node: program.Op) -> None:
        if node in self.joins or node in self.lines or not node.arguments:
            return
        if node.name == "joined" and whose(node.arguments[0]):
            links = node.arguments[3]
            if isinstance(links, program.Links) and links.kind in ("all", "relation", "defined"):
                rows = [self.memory.extra(self.memory.set_type, self.players) for _ in range(4)]
                self.joins[node] = JoinMemo(*rows)
        if node.name == "line" and whose(node.arguments[1]):
            length = node.arguments[0]
            if isinstance(length, program.Constant) and self.memory.sites > WORTHWHILE:
                self._make_line(node)

    def _make_line(self, node: program.Op) -> None:
        layout = self.line_layout
        if layout is None:
            return
        lines, longest, _ = layout
        word = integer_for(0, (1 << longest) - 1)
        self.lines[node] = LineMemo(
            self.memory.extra(self.memory.set_type, self.players),
            self.memory.extra(I8, self.players),
            self.memory.extra(word, self.players * lines),
            lines,
        )

    # ---- the lines of a board

    @property
    def line_layout(self) -> tuple[int, int, list[tuple[list[int], list[int]]]] | None:
        """How many straight lines there are, the longest, and by axis each site's line and place.

        None where lines run in circles or are longer than a word.
        """
        count, longest = 0, 0
        axes = []
        for there, back in self.tables.axes:
            number = [0] * self.memory.sites
            place = [0] * self.memory.sites
            seen = 0
            for site, ray in enumerate(self.tables.rays[back]):
                if ray.sites:
                    continue
                line = (site, *self.tables.rays[there][site].sites)
                for position, member in enumerate(line):
                    number[member], place[member] = count, position
                seen += len(line)
                longest = max(longest, len(line))
                count += 1
            if seen != self.memory.sites:
                return None
            axes.append((number, place))
        return (count, longest, axes) if longest <= 31 else None

    # ---- as stones are put

    def is_kept_up(self, node: program.Op) -> bool:
        """Whether the memo of a question is brought up to date as stones are put."""
        if not self.grows:
            return False
        if node in self.joins:
            among, start, _, links = node.arguments
            if isinstance(links, program.Links) and links.kind == "defined":
                return False
            return facts.is_of_turn(among) and facts.depends_on_mover_alone(start)
        return node in self.lines

    @property
    def fields(self) -> list[Field]:
        """The fields that are brought up to date as stones are put."""
        found = [] if self.empty is None else [self.empty.sites, self.empty.count]
        for node in self.kept_up:
            if node in self.lines:
                found += [self.lines[node].found, self.lines[node].words]
            else:
                found += [self.joins[node].reach, self.joins[node].rim]
        return found

    @property
    def kept_up(self) -> list[program.Op]:
        """The questions whose memos are brought up to date as stones are put."""
        return [node for node in (*self.joins, *self.lines) if self.is_kept_up(node)]

    def put(self, code: Code, asked: Asked, player: Value, site: Value) -> None:
        """Bring the memos up to date: the mover has put a stone, which stands already."""
        if self.empty is not None:
            self.fill(code, self.empty, site)
        for node in self.kept_up:
            if node in self.lines:
                memo = self.lines[node]
                words = self.row(code, memo.words, self.first_word(code, memo, player))
                found = self.row(code, memo.found, player)
                self.add_stone(code, memo, line_length(node), words, found, site)
            else:
                self.touch(code, asked, node, player, code.bit(site))

    def fill(self, code: Code, memo: EmptyMemo, site: Value) -> None:
        """Note that a site is empty no more."""
        now = code.load(memo.sites, base=code.write)
        code.store(memo.sites, code.builder.and_(now, code.builder.not_(code.bit(site))))
        count = code.load(memo.count, base=code.write)
        code.store(memo.count, code.builder.sub(count, code.i64(1)))

    def prepare(self, code: Code, asked: Asked) -> None:
        """Bring the memos of a state up to date in which stones may stand."""
        if self.empty is not None:
            everything = (1 << self.memory.sites) - 1
            code.store(self.empty.sites, code.set_constant(everything))
            code.store(self.empty.count, code.i64(self.memory.sites))
        if not self.fields:
            return
        mover = self.memory.fields[self.memory.layout.mover]
        before = code.load(mover)
        for player in range(self.memory.players):
            code.store(mover, code.i32(player))
            self.forget(code, asked, code.i32(player))
        for player in range(self.memory.players):
            stones = code.load(self.memory.fields[self.memory.layout.owners + player])
            with code.loop(stones) as site:
                self.put(code, asked, code.i32(player), site)
        code.store(mover, before)

    def forget(self, code: Code, asked: Asked, player: Value) -> None:
        """Begin the memos as without stones, those that ask of a mover where *player* is it."""
        for node in self.kept_up:
            if node in self.lines:
                memo = self.lines[node]
                code.store(memo.found, ir.Constant(I8, 0), player)
                first = self.first_word(code, memo, player)
                with code.count_up(code.i64(memo.lines)) as index:
                    at = code.builder.add(first, index)
                    code.store(memo.words, ir.Constant(memo.words.type, 0), at)
            else:
                joint = self.joins[node]
                whose = asked.player_of(code, node.arguments[0])
                code.store(joint.reach, code.set_constant(0), whose)
                code.store(joint.rim, asked.value(code, node.arguments[1]), whose)

    def first_word(self, code: Code, memo: LineMemo, player: Value) -> Value:
        """The number of a player's first word."""
        return code.builder.mul(code.wide(player), code.i64(memo.lines))

    def touch(
        self, code: Code, asked: Asked, node: program.Op, player: Value, stone: Value
    ) -> None:
        """Flood on from a new stone if it touches what is joined to the start."""
        memo = self.joins[node]
        rim = code.load(memo.rim, player, base=code.write)

        owners = self.memory.layout.owners

        def flood() -> None:
            # A relation of the file joins neighbours alone, so that what it joins is within this.
            table = asked.relation_table(node.arguments[3]) or self.tables.all_links
            stones = asked.indexed_set(code, owners, self.players, player)
            at = [self.row(code, field, player) for field in (memo.reach, memo.rim)]
            self.flood_on(code, memo, asked.boards, table, stones, stone, *at)

        code.when(code.some(code.builder.and_(rim, stone)), flood)

    # ---- asking

    def row(self, code: Code, field: Field, player: Value) -> Value:
        """The address of a player's value."""
        return code.address(code.write, field, player)

    def joined(
        self,
        code: Code,
        memo: JoinMemo,
        boards: Boards,
        table: tuple[int, ...],
        player: Value,
        sites: Value,
        start: Value,
        goal: Value,
    ) -> Value:
        """Whether a chain joins start and goal; floods on from the new stones alone."""
        type_ = self.memory.set_type
        builder = code.builder
        seen_at, reach_at, rim_at, start_at = (
            self.row(code, field, player) for field in (memo.seen, memo.reach, memo.rim, memo.start)
        )

        def load(at: Value) -> Value:
            found = builder.load(at, typ=type_)
            found.align = 8
            return found

        gone = builder.and_(load(seen_at), builder.not_(sites))
        other = builder.xor(load(start_at), start)

        def anew() -> None:
            for at, value in (
                (seen_at, code.set_constant(0)),
                (reach_at, code.set_constant(0)),
                (rim_at, start),
                (start_at, start),
            ):
                builder.store(value, at)

        code.when(code.some(builder.or_(gone, other)), anew)
        new = builder.and_(sites, builder.not_(load(seen_at)))
        builder.store(sites, seen_at)
        touch = builder.and_(new, load(rim_at))

        def flood() -> None:
            self.flood_on(code, memo, boards, table, sites, touch, reach_at, rim_at)

        code.when(code.some(touch), flood)
        return code.some(builder.and_(load(reach_at), goal))

    def flood_on(
        self,
        code: Code,
        memo: JoinMemo,
        boards: Boards,
        table: tuple[int, ...],
        sites: Value,
        touch: Value,
        reach_at: Value,
        rim_at: Value,
    ) -> None:
        """Flood from stones that touch the rim, and widen the rim."""
        type_ = self.memory.set_type
        builder = code.builder
        tag = code.unit.tag
        reach, rim, front = code.slot(type_), code.slot(type_), code.slot(type_)
        builder.store(
            builder.or_(tag(builder.load(reach_at, typ=type_), memo.reach.group), touch), reach
        )
        builder.store(tag(builder.load(rim_at, typ=type_), memo.rim.group), rim)
        builder.store(touch, front)
        head = code.function.append_basic_block("spread")
        done = code.function.append_basic_block("spread_done")
        builder.branch(head)
        builder.position_at_end(head)
        near = boards.expand(code, table, builder.load(front, typ=type_))
        builder.store(builder.or_(builder.load(rim, typ=type_), near), rim)
        joined = builder.load(reach, typ=type_)
        fresh = builder.and_(builder.and_(near, sites), builder.not_(joined))
        builder.store(builder.or_(joined, fresh), reach)
        builder.store(fresh, front)
        builder.cbranch(code.some(fresh), head, done)
        builder.position_at_end(done)
        tag(builder.store(builder.load(reach, typ=type_), reach_at), memo.reach.group)
        tag(builder.store(builder.load(rim, typ=type_), rim_at), memo.rim.group)

    def line(self, code: Code, memo: LineMemo, length: int, player: Value, sites: Value) -> Value:
        """Whether a line stands; looks at the lines through new stones alone."""
        type_ = self.memory.set_type
        builder = code.builder
        seen_at = self.row(code, memo.seen, player)
        found_at = self.row(code, memo.found, player)
        words_at = self.row(code, memo.words, builder.mul(code.wide(player), code.i64(memo.lines)))
        seen = builder.load(seen_at, typ=type_)
        gone = builder.and_(seen, builder.not_(sites))

        def anew() -> None:
            builder.store(code.set_constant(0), seen_at)
            builder.store(ir.Constant(I8, 0), found_at)
            word = memo.words.type
            with code.count_up(code.i64(memo.lines)) as index:
                at = builder.gep(words_at, [index], source_etype=word)
                builder.store(ir.Constant(word, 0), at)

        code.when(code.some(gone), anew)
        new = builder.and_(sites, builder.not_(builder.load(seen_at, typ=type_)))
        builder.store(sites, seen_at)
        with code.loop(new) as site:
            self.add_stone(code, memo, length, words_at, found_at, site)
        return builder.trunc(builder.load(found_at, typ=I8), I1)

    def add_stone(
        self,
        code: Code,
        memo: LineMemo,
        length: int,
        words_at: Value,
        found_at: Value,
        site: Value,
    ) -> None:
        """Set a stone's bit in each of its lines, and look for a run there."""
        layout = self.line_layout
        assert layout is not None
        builder, word = code.builder, memo.words.type
        # Each line has a bit to spare, so that several lie in one word without touching.
        lanes = max(1, 64 // word.width)
        wide = ir.IntType(lanes * word.width)
        half = max(16, word.width)
        any_run: Value = ir.Constant(wide, 0)
        packed: Value = ir.Constant(wide, 0)
        for axis, (number, place) in enumerate(layout[2]):
            both = [n << half | 1 << p for n, p in zip(number, place, strict=True)]
            found = self.entry(code, ir.IntType(2 * half), both, site)
            bit = builder.trunc(found, word)
            line = builder.lshr(found, ir.Constant(found.type, half))
            at = builder.gep(words_at, [code.wide(line)], source_etype=word)
            group = memo.words.group
            now = code.unit.tag(builder.load(at, typ=word), group)
            stones = builder.or_(now, bit)
            code.unit.tag(builder.store(stones, at), group)
            shift = ir.Constant(wide, axis % lanes * word.width)
            packed = builder.or_(packed, builder.shl(code.fit(stones, wide, signed=False), shift))
            if axis % lanes == lanes - 1 or axis == len(layout[2]) - 1:
                any_run = builder.or_(any_run, self.runs_in(code, packed, length))
                packed = ir.Constant(wide, 0)
        stands = builder.zext(code.some(any_run), I8)
        group = memo.found.group
        before = code.unit.tag(builder.load(found_at, typ=I8), group)
        code.unit.tag(builder.store(builder.or_(before, stands), found_at), group)

    def runs_in(self, code: Code, stones: Value, length: int) -> Value:
        """The ends of the runs of a length among the bits of a word."""
        run, have = stones, 1
        while have < length:
            step = min(have, length - have)
            run = code.builder.and_(run, code.builder.lshr(run, ir.Constant(run.type, step)))
            have += step
        return run

    def entry(self, code: Code, type_: ir.IntType, values: list[int], site: Value) -> Value:
        """An entry of a table for each site."""
        table = code.unit.table(type_, values)
        at = code.builder.gep(table, [code.wide(site)], source_etype=type_)
        return code.builder.load(at, typ=type_)
