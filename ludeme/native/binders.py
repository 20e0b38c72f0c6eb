"""What is asked of each member of a set: quantifiers, folds, the best of a family, as LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ludeme.check import program
from ludeme.machine.bits import members
from ludeme.native import facts
from ludeme.native.asking import SITES
from ludeme.native.emitter import Code, Value
from ludeme.native.flanks import Flank, flank_of, flanking
from ludeme.native.memory import I1, I64
from ludeme.native.operators import Operators
from ludeme.native.planes import OnBoard, Outline
from ludeme.native.sliced import Site, Sliced

MEMBER = 12
"""Instructions for which a condition is asked of one site, about; fewer are hardly ever enough."""


class Binders(Operators):
    """Lowers what binds a name."""

    def quantified(self, code: Code, node: program.Quantified) -> Value:
        """`some`, `no`, `every` with a condition; stops at the first that settles it."""
        if self.is_at_once(node):
            return self.quantified_at_once(code, node)
        wanted = node.quantifier != "every"
        found = node.quantifier == "some"
        result = code.slot(I1)
        code.builder.store(code.truth(not found), result)
        done = code.function.append_basic_block("settled")
        self.families.go_through(code, node.domain)
        steps = self.effort.word + self.effort.nodes(node.condition)
        free = not facts.may_go_wrong(node.condition)
        with self.each(code, node.domain, node.local, steps, in_any_order=free):
            condition = self.value(code, node.condition)
            if not wanted:
                condition = code.builder.not_(condition)
            hit = code.function.append_basic_block("hit")
            miss = code.function.append_basic_block("miss")
            code.builder.cbranch(condition, hit, miss)
            code.builder.position_at_end(hit)
            code.builder.store(code.truth(found), result)
            code.builder.branch(done)
            code.builder.position_at_end(miss)
        code.builder.branch(done)
        code.builder.position_at_end(done)
        return code.builder.load(result, typ=I1)

    def those(self, code: Code, node: program.Those) -> Value:
        """The members for which a condition holds."""
        if self.is_at_once(node):
            domain = self.value(code, node.domain)
            return code.builder.and_(domain, self.at_once(code, node, domain))
        type_ = self.type_of(node.type, node)
        kept = code.slot(type_)
        code.builder.store(ir.Constant(type_, 0), kept)
        steps = self.effort.word + self.effort.nodes(node.condition)
        with self.each(code, node.domain, node.local, steps):
            member = code.env[node.local.slot]
            condition = self.value(code, node.condition)
            now = code.builder.load(kept, typ=type_)
            single = self.single(code, member, type_)
            more = code.builder.or_(now, single)
            code.builder.store(code.builder.select(condition, more, now), kept)
        return code.builder.load(kept, typ=type_)

    def outline(self, node: program.Quantified | program.Those | program.Choose) -> Outline | None:
        """What it takes to ask a condition of many sites at once; None where that cannot be."""
        if node.condition is None or node.domain.type != SITES:
            return None
        if node not in self._outlines:
            scope = {self.local_of(node).slot: Site(0)}
            self._outlines[node] = self.outlined(node.condition, scope)
        return self._outlines[node]

    def local_of(self, node: program.Quantified | program.Those | program.Choose) -> program.Local:
        """What a condition calls the site that it is asked of."""
        return node.member if isinstance(node, program.Choose) else node.local

    def is_small(self, domain: program.Expression) -> bool:
        """Whether a set hardly ever has more than two members."""
        if isinstance(domain, program.Op) and domain.name == "intersection":
            return any(map(self.is_small, domain.arguments))
        return isinstance(domain, program.Op) and domain.name == "placed"

    def is_at_once(self, node: program.Quantified | program.Those | program.Choose) -> bool:
        """Whether a condition is best asked of all sites at once."""
        frame = self.outline(node)
        members = 2 if self.is_small(node.domain) else self.effort.size(node.domain)
        return frame is not None and frame.size * self.unit.words <= MEMBER * members

    def at_once(
        self, code: Code, node: program.Quantified | program.Those | program.Choose, domain: Value
    ) -> Value:
        """The sites for which a condition holds; beyond *domain* that means nothing."""
        assert node.condition is not None
        self.spend_each(code, domain, self.effort.word + self.effort.nodes(node.condition))
        frame = OnBoard(code, self.memory.sites, self.spend if self.effort.is_counted else None)
        frame.interest = domain
        scope = {self.local_of(node).slot: Site(0)}
        return frame.value(Sliced(self, frame, code).truth(node.condition, scope))

    def quantified_at_once(self, code: Code, node: program.Quantified) -> Value:
        """`some`, `no`, `every` with a condition that is asked of all sites at once."""
        domain = self.value(code, node.domain)

        def ask() -> Value:
            holds = self.at_once(code, node, domain)
            if node.quantifier == "every":
                holds = code.builder.not_(holds)
            found = code.some(code.builder.and_(domain, holds))
            return found if node.quantifier == "some" else code.builder.not_(found)

        nothing = code.truth(node.quantifier != "some")
        return code.choose(code.some(domain), ask, lambda: nothing)

    def fold(self, code: Code, node: program.Fold) -> Value:
        """Sum, union, largest or smallest over a set or family."""
        if self.is_of_groups(node):
            return self.fold_groups(code, node)
        flank = flank_of(node)
        if flank is not None:
            found = self.between_on_lines(code, flank)
            if found is not None:
                self.spend(code, self.effort.value(node))
                return found
        type_ = self.type_of(node.type, node)
        total = code.slot(type_)
        code.builder.store(ir.Constant(type_, 0), total)
        seen = code.slot(I1)
        code.builder.store(code.truth(False), seen)
        steps = self.effort.word + self.effort.nodes(node.value)
        with self.each(code, node.domain, node.local, steps, in_any_order=True):
            value = self.value(code, node.value)
            now = code.builder.load(total, typ=type_)
            if node.kind == "sum":
                code.builder.store(code.builder.add(now, value), total)
            elif node.kind == "union":
                code.builder.store(code.builder.or_(now, value), total)
            else:
                sign = ">" if node.kind == "largest" else "<"
                before = code.builder.load(seen, typ=I1)
                better = code.builder.icmp_signed(sign, value, now)
                take = code.builder.or_(code.builder.not_(before), better)
                code.builder.store(code.builder.select(take, value, now), total)
                code.builder.store(code.truth(True), seen)
        result = code.builder.load(total, typ=type_)
        if node.otherwise is None:
            return result
        otherwise = node.otherwise
        found = code.builder.load(seen, typ=I1)
        return code.choose(found, lambda: result, lambda: self.value(code, otherwise))

    def between_on_lines(self, code: Code, flank: Flank) -> Value | None:
        """The sites of a flank, where the board lets them be found on all lines at once."""
        if self.flanks.lanes(flank.directions, back=False) is None:
            return None
        site = self.get(code, program.Get(flank.site, flank.site.type))
        among, over = self.value(code, flank.among), self.value(code, flank.over)
        return self.flanks.between(code, flank, site, among, over)

    def that_flank(self, code: Code, line: program.Choose) -> Value | None:
        """The sites that meet the condition of a choice, where they can be found all at once."""
        if line.condition is None or line.many or line.domain.type != SITES:
            return None
        flank = flanking(line.condition, line.member)
        if flank is None or self.flanks.lanes(flank.directions, back=True) is None:
            if line.member.slot in code.env or not self.is_at_once(line):
                return None
            return self.at_once(code, line, self.value(code, line.domain))
        among, over = self.value(code, flank.among), self.value(code, flank.over)
        self.spend(code, self.effort.value(line.condition))
        return self.flanks.origins(code, flank, among, over)

    def is_of_groups(self, node: program.Fold) -> bool:
        """Whether a fold looks for the largest or smallest of the groups of some sites."""
        value = node.value
        if node.kind not in ("largest", "smallest"):
            return False
        if not isinstance(value, program.Op) or value.name != "count":
            return False
        group = value.arguments[0]
        if not isinstance(group, program.Op) or group.name != "group":
            return False
        site, among, links = group.arguments
        table = self.relation_table(links)
        return (
            table is not None
            and is_symmetric(table)
            and isinstance(site, program.Get)
            and site.local is node.local
            and isinstance(among, program.Constant)
        )

    def fold_groups(self, code: Code, node: program.Fold) -> Value:
        """The largest or smallest of the groups of some sites, each group looked at once."""
        assert isinstance(node.value, program.Op)
        builder, group = code.builder, node.value.arguments[0]
        total, seen = code.slot(I64), code.slot(I1)
        builder.store(code.i64(0), total)
        builder.store(code.truth(False), seen)

        def whole_group(left: Value) -> Value:
            site = code.lowest(left)
            code.env[node.local.slot] = site
            return builder.or_(self.value(code, group), code.bit(site))

        domain = self.value(code, node.domain)
        each = self.effort.word + self.effort.nodes(node.value) + self.effort.value(node.value)
        self.spend_each(code, domain, each)
        with code.loop_sets(whole_group, domain) as part:
            size = code.count(builder.and_(part, self.occupied(code)))
            now = builder.load(total, typ=I64)
            sign = ">" if node.kind == "largest" else "<"
            first = builder.not_(builder.load(seen, typ=I1))
            take = builder.or_(first, builder.icmp_signed(sign, size, now))
            builder.store(builder.select(take, size, now), total)
            builder.store(code.truth(True), seen)
        result = builder.load(total, typ=I64)
        if node.otherwise is None:
            return result
        otherwise = node.otherwise
        found = builder.load(seen, typ=I1)
        return code.choose(found, lambda: result, lambda: self.value(code, otherwise))

    def best(self, code: Code, node: program.Best) -> Value:
        """The first set of a family whose numbers are greatest, compared in order."""
        type_ = self.unit.set_type
        chosen = code.slot(type_)
        code.builder.store(code.set_constant(0), chosen)
        seen = code.slot(I1)
        code.builder.store(code.truth(False), seen)
        tops = [code.slot(I64) for _ in node.keys]
        for top in tops:
            code.builder.store(code.i64(0), top)
        with self.families.each(code, node.domain) as part:
            code.env[node.local.slot] = part
            self.spend(code, self.effort.word + sum(map(self.effort.nodes, node.keys)))
            keys = [self.value(code, key) for key in node.keys]
            better: Value = code.truth(False)
            equal: Value = code.truth(True)
            for key, top in zip(keys, tops, strict=True):
                now = code.builder.load(top, typ=I64)
                above = code.builder.icmp_signed(">", key, now)
                better = code.builder.or_(better, code.builder.and_(equal, above))
                same = code.builder.icmp_signed("==", key, now)
                equal = code.builder.and_(equal, same)
            before = code.builder.load(seen, typ=I1)
            take = code.builder.or_(code.builder.not_(before), better)
            old = code.builder.load(chosen, typ=type_)
            code.builder.store(code.builder.select(take, part, old), chosen)
            for key, top in zip(keys, tops, strict=True):
                now = code.builder.load(top, typ=I64)
                code.builder.store(code.builder.select(take, key, now), top)
            code.builder.store(code.truth(True), seen)
        return code.builder.load(chosen, typ=type_)

    def ability(self, code: Code, node: program.Ability) -> Value:
        """Whether a player has a legal move in a turn."""
        player = self.value(code, node.player)
        known = code.builder.icmp_unsigned("<", player, code.i32(self.players))
        function = self.any_turn(node.turn)
        can = code.choose(
            known,
            lambda: code.builder.call(function, [code.ctx, code.read, player]),
            lambda: code.truth(False),
        )
        return code.builder.not_(can) if node.negated else can


def is_symmetric(table: Sequence[int]) -> bool:
    """Whether every neighbour of a site has it as a neighbour."""
    return all(
        table[other] >> site & 1
        for site, neighbours in enumerate(table)
        for other in members(neighbours)
    )
