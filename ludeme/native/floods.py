"""What hangs together: groups and chains by links of the board or relations of the file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, reduce

from llvmlite import ir

from ludeme.check import program
from ludeme.native import facts
from ludeme.native.emitter import Code, Value
from ludeme.native.families import Families
from ludeme.native.memory import I32, I64, PTR
from ludeme.native.planes import Elsewhere, OnBoard, Outline
from ludeme.native.sliced import Scope, Site, Sliced
from ludeme.native.surroundings import Surroundings

MOST_IN_FLOOD = 6000
"""Instructions that are worth it to find for all sites whether a relation holds."""


class Floods(Surroundings):
    """Lowers floods."""

    @cached_property
    def families(self) -> Families:
        """What lowers families, of which many are groups."""
        return Families(self)

    def flooder(
        self, code: Code, links: program.Expression, counting: bool = True
    ) -> Callable[[Value, Value], Value]:
        """The flood along a relation, from start and among."""
        spread = self.spreader(code, links)

        def flood(start: Value, among: Value) -> Value:
            reached = spread(start, among)
            self.spend_each(code, reached, self.effort.flooding(links))
            return reached

        return flood if counting else spread

    def spreader(self, code: Code, links: program.Expression) -> Callable[[Value, Value], Value]:
        """The same, uncounted."""
        table = self.relation_table(links)
        if table is not None:
            return lambda start, among: self.boards.flood(code, table, start, among)
        assert isinstance(links, program.Links)
        if links.kind == "defined":
            assert links.function is not None
            function = self.user_flood(links.function)
            return lambda start, among: code.builder.call(
                function, [code.ctx, code.read, start, among]
            )
        assert links.directions is not None
        directions = self.value(code, links.directions)

        def flood(start: Value, among: Value) -> Value:
            begin = code.builder.and_(start, among)
            return self.boards.grow(
                code,
                begin,
                among,
                lambda frontier: self.directed(code, directions, code.lowest(frontier)),
                whole=False,
            )

        return flood

    def user_flood(self, relation: program.Function) -> ir.Function:
        """The flood along a relation of the file."""
        if relation in self._user_floods:
            return self._user_floods[relation]
        type_ = self.unit.set_type
        made = self.unit.function("flood_" + relation.name, type_, [PTR, PTR, type_, type_])
        self._user_floods[relation] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        builder, (start, among) = code.builder, made.args[2:]
        if self.is_flood_at_once(relation):
            reached = self.flood_at_once(code, relation, start, among)
            self.spend_each(code, reached, self.effort.degree * self.effort.called(relation))
            builder.ret(reached)
            return made
        holds = self.function(relation)
        begin = builder.and_(start, among)
        reached, queue = code.slot(type_), code.block(4 * self.memory.sites)
        passed, waiting = code.slot(I64), code.slot(I64)
        builder.store(begin, reached)
        for counter in (passed, waiting):
            builder.store(code.i64(0), counter)

        def enter(site: Value) -> None:
            last = builder.load(waiting, typ=I64)
            builder.store(site, builder.gep(queue, [last], source_etype=I32))
            builder.store(builder.add(last, code.i64(1)), waiting)

        with code.loop(begin) as site:
            enter(site)
        head, body, done = (made.append_basic_block(n) for n in ("flood", "grow", "still"))
        builder.branch(head)
        builder.position_at_end(head)
        first = builder.load(passed, typ=I64)
        more = builder.icmp_unsigned("<", first, builder.load(waiting, typ=I64))
        builder.cbranch(more, body, done)
        builder.position_at_end(body)
        builder.store(builder.add(first, code.i64(1)), passed)
        site = builder.load(builder.gep(queue, [first], source_etype=I32), typ=I32)
        near = builder.and_(self.boards.entry(code, self.tables.all_links, site), among)
        fresh = builder.and_(near, builder.not_(builder.load(reached, typ=type_)))
        with code.loop(fresh) as other:
            linked = builder.call(holds, [code.ctx, code.read, site, other])

            def reach(other: Value = other) -> None:
                code.add_member(reached, other)
                enter(other)

            code.when(linked, reach)
        builder.branch(head)
        builder.position_at_end(done)
        builder.ret(builder.load(reached, typ=type_))
        return made

    def outlined(self, node: program.Expression, scope: Scope) -> Outline | None:
        """The same of a truth."""
        if facts.may_go_wrong(node):
            return None
        frame = Outline(self.memory.sites)
        try:
            Sliced(self, frame, None).truth(node, scope)
        except Elsewhere:
            return None
        return frame

    def is_flood_at_once(self, relation: program.Function) -> bool:
        """Whether it is best found for all sites at once where a relation of the file holds."""
        size = 0
        for distance, _ in self.boards.shifts(self.tables.all_links) or ((0, 0),):
            frame = self.outlined(relation.value, self.pair(relation, distance))
            if frame is None or distance == 0:
                return False
            size += frame.size * self.unit.words
        return size <= MOST_IN_FLOOD

    def pair(self, relation: program.Function, distance: int) -> Scope:
        """What a relation calls the site in question and the one at a distance."""
        one, other = relation.parameters
        return {one.slot: Site(0), other.slot: Site(distance)}

    def flood_at_once(
        self, code: Code, relation: program.Function, start: Value, among: Value
    ) -> Value:
        """Flood along a relation, all that is reached spreading in every direction at once."""
        builder, type_ = code.builder, self.unit.set_type
        frame = OnBoard(code, self.memory.sites, None)
        sliced = Sliced(self, frame, code)
        joined = []
        for distance, mask in self.boards.shifts(self.tables.all_links) or ():
            holds = sliced.truth(relation.value, self.pair(relation, distance))
            joined.append((distance, frame.value(frame.both(holds, frame.constant(mask)))))
        reached = code.slot(type_)
        builder.store(builder.and_(start, among), reached)
        head = code.function.append_basic_block("flood")
        done = code.function.append_basic_block("still")
        builder.branch(head)
        builder.position_at_end(head)
        now = builder.load(reached, typ=type_)
        parts = [frame.moved(builder.and_(now, link), distance) for distance, link in joined]
        near = builder.and_(reduce(builder.or_, parts), among)
        more = builder.or_(now, near)
        builder.store(more, reached)
        builder.cbranch(builder.icmp_unsigned("!=", more, now), head, done)
        builder.position_at_end(done)
        return more

    def op_group(self, code: Code, node: program.Op) -> Value:
        site, given, links = node.arguments
        where = self.value(code, site)
        flood = self.flooder(code, links)
        start = code.bit(where)
        if not (isinstance(given, program.Constant) and given.value == -1):
            return flood(start, self.value(code, given))
        among: Value = code.set_constant(0)
        first = self.layout.owners
        for player in reversed(range(self.players + 1)):
            theirs = code.load(self.memory.fields[first + player])
            among = code.builder.select(code.has(theirs, where), theirs, among)
        return flood(start, among)

    def op_reach(self, code: Code, node: program.Op) -> Value:
        start, among, links = node.arguments
        flood = self.flooder(code, links)
        return flood(self.value(code, start), self.value(code, among))

    def op_joined(self, code: Code, node: program.Op) -> Value:
        among, start, goal, links = node.arguments
        if self.memos.is_kept_up(node):
            reach = code.load(self.memos.joins[node].reach, self.player_of(code, among))
            return code.some(code.builder.and_(reach, self.value(code, goal)))
        memo = self.memos.joins.get(node)
        if memo is None or code.read is not code.write:
            return self.joined_anew(code, node)
        sites, begin, end = (self.value(code, part) for part in (among, start, goal))
        table = self.relation_table(links)
        near = table if table is not None else self.tables.all_links
        player = self.player_of(code, among)
        joined = self.memos.joined(code, memo, self.boards, near, player, sites, begin, end)
        if table is not None:
            return joined

        def parted() -> Value:
            reach = code.load(memo.reach, player, base=code.write)
            asked = self.effort.degree * self.effort.asking(links)
            self.spend_each(code, reach, self.effort.flooding(links) + asked)
            return code.truth(False)

        # Only neighbours are looked at so far, not whether the relation holds of them.
        return code.choose(joined, lambda: self.joined_anew(code, node), parted)

    def joined_anew(self, code: Code, node: program.Op) -> Value:
        """Whether a chain joins two sets, by a flood."""
        among, start, goal, links = node.arguments
        sites, begin, end = (self.value(code, part) for part in (among, start, goal))
        flood = self.flooder(code, links)
        first = code.builder.and_(begin, sites)
        last = code.builder.and_(end, sites)
        possible = code.builder.and_(code.some(first), code.some(last))
        return code.choose(
            possible,
            lambda: code.some(code.builder.and_(flood(first, sites), last)),
            lambda: code.truth(False),
        )

    def player_of(self, code: Code, sites: program.Expression) -> Value:
        """Whose stones a set is."""
        assert isinstance(sites, program.Op)
        return self.mover(code) if sites.name == "mine" else self.value(code, sites.arguments[0])
