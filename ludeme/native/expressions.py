"""Expressions of a checked program as LLVM IR; the twin of `ludeme.machine.expressions`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, Protocol

from llvmlite import ir

from ludeme.check import program
from ludeme.kernel.types import Type
from ludeme.machine.bits import members
from ludeme.machine.layout import Layout
from ludeme.machine.tables import Tables
from ludeme.native import context, facts
from ludeme.native.boards import Boards
from ludeme.native.effort import RAY, Effort
from ludeme.native.emitter import Code, Unit, Value
from ludeme.native.families import Families
from ludeme.native.flanks import Flank, Flanks, flank_of, flanking
from ludeme.native.memory import I1, I8, I32, I64, PTR, Memory, is_of_sites
from ludeme.native.memos import Memos
from ludeme.native.planes import Elsewhere, OnBoard, Outline
from ludeme.native.refusal import NotNative
from ludeme.native.sliced import Scope, Site, Sliced
from ludeme.native.slides import SEEN, SLIDE, Slides
from ludeme.native.subsets import Subsets

SITES = Type("set", Type("site"))
AnyTurn = Callable[[str], ir.Function]
MEMBER = 12
"""Instructions for which a condition is asked of one site, about; fewer are hardly ever enough."""
MOST_IN_FLOOD = 6000
"""Instructions that are worth it to find for all sites whether a relation holds."""


class Remembering(Protocol):
    """What is asked of earlier positions, see `ludeme.native.history`."""

    def repeats(self, code: Code, number: int) -> Value: ...

    def remember(self, code: Code) -> None: ...


class Expressions:
    """Lowers expressions. *any_turn* gives the function that answers `P can TURN`."""

    def __init__(
        self,
        unit: Unit,
        layout: Layout,
        tables: Tables,
        memos: Memos,
        effort: Effort,
        any_turn: AnyTurn,
    ) -> None:
        self.unit = unit
        self.memory: Memory = unit.memory
        self.layout = layout
        self.program = layout.program
        self.tables = tables
        self.boards = Boards(unit, tables)
        self.flanks = Flanks(self.boards, tables)
        self.slides = Slides(unit, tables)
        self.memos = memos
        self.effort = effort
        self.any_turn = any_turn
        self.players = len(self.program.players)
        self.everything = self.program.board.everything
        self.subsets: Subsets
        self.history: Remembering
        """Set by who makes both, since each asks the other."""
        self._functions: dict[program.Function, ir.Function] = {}
        self._user_floods: dict[program.Function, ir.Function] = {}
        self._outlines: dict[program.Node, Outline | None] = {}
        self.families = Families(self)

    def value(self, code: Code, node: program.Expression) -> Value:
        """The value of *node*, worked out at the place where *code* stands."""
        match node:
            case program.Constant():
                return self.constant(code, node)
            case program.Get():
                return self.get(code, node)
            case program.Read():
                return self.read(code, node)
            case program.Op():
                return self.op(code, node)
            case program.Apply():
                return self.apply(code, node)
            case program.Choice():
                condition = self.value(code, node.condition)
                return code.choose(
                    condition,
                    lambda: self.value(code, node.then),
                    lambda: self.value(code, node.otherwise),
                )
            case program.Quantified():
                return self.quantified(code, node)
            case program.Those():
                return self.those(code, node)
            case program.Fold():
                return self.fold(code, node)
            case program.Best():
                return self.best(code, node)
            case program.Ability():
                return self.ability(code, node)
        raise NotNative(f"`{node.span.text}`", node.span)

    def type_of(self, type_: Type, node: program.Node) -> ir.IntType:
        """The register type of a value."""
        return self.memory.value_type(type_, node.span)

    # ---- leaves

    def constant(self, code: Code, node: program.Constant) -> Value:
        """A constant."""
        type_ = self.type_of(node.type, node)
        assert isinstance(node.value, int)
        mask = (1 << type_.width) - 1
        return ir.Constant(type_, node.value & mask)

    def get(self, code: Code, node: program.Get) -> Value:
        """A local: in a register if it is bound here, else in the state."""
        bound = code.env.get(node.local.slot)
        if bound is not None:
            return bound
        field = self.memory.local(node.local)
        # Locals belong to the run, so they are read where they are written.
        found = code.load(field, base=code.write)
        return code.fit(found, self.type_of(node.local.type, node))

    def read(self, code: Code, node: program.Read) -> Value:
        """A declared variable."""
        slots = self.layout.variables[node.variable.name]
        if node.variable.is_flag:
            found: Value = code.load(self.memory.fields[slots.first])
            for layer in range(1, slots.count):
                found = code.builder.or_(found, code.load(self.memory.fields[slots.first + layer]))
            return found
        indices = [self.value(code, index) for index in node.indices]
        type_ = self.type_of(node.type, node)
        if node.variable.owner != "player":
            field = self.memory.fields[slots.first]
            if not indices:
                return self.widened(code, code.load(field), type_)
            if is_of_sites(node.variable):
                return self.widened(code, code.load(field, indices[0]), type_)
            known = code.builder.icmp_unsigned("<", indices[0], code.i32(field.count))
            index = code.builder.select(known, indices[0], code.i32(0))
            stored = self.widened(code, code.load(field, index), type_)
            return code.builder.select(known, stored, self.outside(node.variable, type_))
        inner = indices[1] if len(indices) > 1 else None
        return self.of_player(code, slots.first, slots.count, indices[0], inner, node, type_)

    def widened(self, code: Code, stored: Value, type_: ir.IntType) -> Value:
        """A kept value in its register type."""
        if type_ == I1:
            return code.builder.trunc(stored, I1) if stored.type != I1 else stored
        return code.fit(stored, type_)

    def of_player(
        self,
        code: Code,
        first: int,
        count: int,
        player: Value,
        inner: Value | None,
        node: program.Read,
        type_: ir.IntType,
    ) -> Value:
        """A player's variable; the first value for nobody."""
        outside = self.outside(node.variable, type_)
        field = self.memory.fields[first]
        stride = self.memory.fields[first + 1].offset - field.offset if count > 1 else 0

        def inside() -> Value:
            base = code.address(code.read, field)
            shift = code.builder.mul(code.wide(player), code.i64(stride))
            at = code.builder.gep(base, [shift], source_etype=I8)
            if inner is not None:
                at = code.builder.gep(at, [code.wide(inner)], source_etype=field.type)
            stored = code.builder.load(at, typ=field.type)
            stored.align = min(16, field.type.width // 8)
            self.unit.tag(stored, field.group)
            return self.widened(code, stored, type_)

        known = code.builder.icmp_unsigned("<", player, code.i32(count))
        if inner is not None and not is_of_sites(node.variable):
            inside_row = code.builder.icmp_unsigned("<", inner, code.i32(field.count))
            known = code.builder.and_(known, inside_row)
        return code.choose(known, inside, lambda: outside)

    def outside(self, variable: program.Variable, type_: ir.IntType) -> Value:
        """What a variable is of nobody, or of no kind."""
        return ir.Constant(type_, variable.initial & (1 << type_.width) - 1)

    def indexed_set(self, code: Code, first: int, count: int, index: Value) -> Value:
        """One of a row of sets of the state, such as the pieces of each player."""
        if isinstance(index, ir.Constant):
            return code.load(self.memory.fields[first + int(index.constant)])
        field = self.memory.fields[first]
        base = code.address(code.read, field)
        at = code.builder.gep(base, [code.wide(index)], source_etype=self.unit.set_type)
        found = code.builder.load(at, typ=self.unit.set_type)
        found.align = min(16, self.unit.set_type.width // 8)
        return self.unit.tag(found, field.group)

    # ---- definitions

    def apply(self, code: Code, node: program.Apply) -> Value:
        """A definition applied; one that is given a family is written out."""
        if any(p.type.kind == "family" for p in node.function.parameters):
            with self.families.written_out(code, node) as value:
                return self.value(code, value)
        arguments = [self.value(code, argument) for argument in node.arguments]
        function = self.function(node.function)
        return code.builder.call(function, [code.ctx, code.read, *arguments])

    def function(self, function: program.Function) -> ir.Function:
        """A definition as a function of the context, the state and its parameters."""
        if function in self._functions:
            return self._functions[function]
        types = [self.memory.value_type(p.type, function.span) for p in function.parameters]
        result = self.memory.value_type(function.type, function.span)
        made = self.unit.function(function.name, result, [PTR, PTR, *types])
        self._functions[function] = made
        code = Code(self.unit, made, made.args[0], made.args[1])
        for parameter, argument in zip(function.parameters, made.args[2:], strict=True):
            code.env[parameter.slot] = argument
        code.builder.ret(self.value(code, function.value))
        return made

    @contextmanager
    def each(
        self,
        code: Code,
        domain: program.Expression,
        local: program.Local,
        steps: int,
        in_any_order: bool = False,
    ) -> Iterator[None]:
        """For each member of a set or family, bound to *local*; so many *steps* each.

        *in_any_order*: it does not matter which comes first.
        """
        if domain.type.kind == "family":
            with self.families.each(code, domain) as part:
                self.spend(code, steps)
                code.env[local.slot] = part
                yield
            return
        pair = pair_of_sites(domain)
        if pair is not None and in_any_order:
            with self.each_of_two(code, pair, local, steps):
                yield
            return
        whole = self.value(code, domain)
        self.spend_each(code, whole, steps)
        with code.loop(whole) as member:
            type_ = self.type_of(local.type, domain)
            code.env[local.slot] = code.fit(member, type_, signed=False)
            yield

    @contextmanager
    def each_of_two(
        self,
        code: Code,
        pair: tuple[program.Expression, program.Expression],
        local: program.Local,
        steps: int,
    ) -> Iterator[None]:
        """The same for two sites that are named, without making a set of them."""
        builder = code.builder
        one, other = (self.value(code, site) for site in pair)
        places = code.block(8)
        for number, site in enumerate((one, other)):
            builder.store(site, builder.gep(places, [code.i64(number)], source_etype=I32))
        differ = builder.zext(builder.icmp_unsigned("!=", one, other), I64)
        count = builder.add(differ, code.i64(1))
        if self.effort.is_counted:
            self.spend(code, builder.mul(count, code.i64(steps)))
        with code.count_up(count) as number:
            where = builder.gep(places, [number], source_etype=I32)
            code.env[local.slot] = builder.load(where, typ=I32)
            yield

    # ---- binders

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

    # ---- conditions asked of many sites at once

    def outline(self, node: program.Quantified | program.Those | program.Choose) -> Outline | None:
        """What it takes to ask a condition of many sites at once; None where that cannot be."""
        if node.condition is None or node.domain.type != SITES:
            return None
        if node not in self._outlines:
            scope = {self.local_of(node).slot: Site(0)}
            self._outlines[node] = self.outlined(node.condition, scope)
        return self._outlines[node]

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

    def single(self, code: Code, member: Value, type_: ir.IntType) -> Value:
        """The set of one member."""
        if type_.width == self.unit.set_type.width and type_.width > 64:
            return code.bit(code.fit(member, I32))
        return code.builder.shl(ir.Constant(type_, 1), code.fit(member, type_, signed=False))

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

    # ---- operations

    def op(self, code: Code, node: program.Op) -> Value:
        """An operation of the kernel, or an operator."""
        name = _ALIASES.get(node.name, node.name)
        method: Callable[[Code, program.Op], Value] | None = getattr(self, f"op_{name}", None)
        if method is None:
            raise NotNative(f"`{node.name}`", node.span)
        return method(code, node)

    def operands(self, code: Code, node: program.Op) -> list[Value]:
        """The values of all operands."""
        return [self.value(code, argument) for argument in node.arguments]

    def op_and(self, code: Code, node: program.Op) -> Value:
        left, right = node.arguments
        return code.choose(
            self.value(code, left), lambda: self.value(code, right), lambda: code.truth(False)
        )

    def op_or(self, code: Code, node: program.Op) -> Value:
        left, right = node.arguments
        return code.choose(
            self.value(code, left), lambda: code.truth(True), lambda: self.value(code, right)
        )

    def op_not(self, code: Code, node: program.Op) -> Value:
        return code.builder.not_(self.value(code, node.arguments[0]))

    def op_intersection(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        return code.builder.and_(a, b)

    def op_together(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        return code.builder.or_(a, b)

    def op_complement(self, code: Code, node: program.Op) -> Value:
        members_, everything = self.operands(code, node)
        return code.builder.and_(everything, code.builder.not_(members_))

    def op_member(self, code: Code, node: program.Op) -> Value:
        member, whole = self.operands(code, node)
        if node.arguments[0].type.kind == "number":
            inside = code.builder.icmp_unsigned("<", member, code.i64(whole.type.width))
            safe = code.builder.select(inside, member, code.i64(0))
            return code.builder.and_(inside, code.has(whole, safe))
        return code.has(whole, member)

    def op_within(self, code: Code, node: program.Op) -> Value:
        part, whole = self.operands(code, node)
        return code.none(code.builder.and_(part, code.builder.not_(whole)))

    def _compare(self, code: Code, node: program.Op) -> Value:
        if self.asks_for_one_group(node):
            return self.is_one_group(code, node)
        if node.arguments[0].type.kind == "family":
            same = self.families.same(code, *node.arguments)
            return same if node.name == "=" else code.builder.not_(same)
        a, b = self.operands(code, node)
        sign = {"=": "=="}.get(node.name, node.name)
        return code.builder.icmp_signed(sign, a, b)

    def asks_for_one_group(self, node: program.Op) -> bool:
        """Whether a comparison asks if all of a set hangs together."""
        number, one = node.arguments
        if not (isinstance(number, program.Op) and number.name == "family_count"):
            return False
        groups = number.arguments[0]
        return (
            node.name == "="
            and isinstance(one, program.Constant)
            and one.value == 1
            and isinstance(groups, program.Op)
            and groups.name == "groups"
        )

    def is_one_group(self, code: Code, node: program.Op) -> Value:
        """Whether a flood from one member reaches all."""
        builder = code.builder
        assert isinstance(node.arguments[0], program.Op)
        groups = node.arguments[0].arguments[0]
        assert isinstance(groups, program.Op)
        whole, links = self.value(code, groups.arguments[0]), groups.arguments[1]
        self.spend_each(code, whole, self.effort.flooding(links))
        flood = self.flooder(code, links, counting=False)
        lowest = builder.and_(whole, builder.neg(whole))
        reached = flood(lowest, whole)
        return builder.and_(code.some(whole), builder.icmp_unsigned("==", reached, whole))

    op_equal = op_differ = op_less = op_at_most = op_greater = op_at_least = _compare

    def _arithmetic(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        act = {"+": code.builder.add, "-": code.builder.sub, "*": code.builder.mul}[node.name]
        return act(a, b)

    op_plus = op_minus = op_times = _arithmetic

    def _division(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        zero = code.builder.icmp_signed("==", b, code.i64(0))
        self.fault_if(code, zero)
        safe = code.builder.select(zero, code.i64(1), b)
        quotient = code.builder.sdiv(a, safe)
        rest = code.builder.srem(a, safe)
        # Round down: where the rest is not naught and has the other sign than the divisor.
        uneven = code.builder.icmp_signed("!=", rest, code.i64(0))
        signs = code.builder.icmp_signed("<", code.builder.xor(rest, safe), code.i64(0))
        adjust = code.builder.and_(uneven, signs)
        if node.name == "mod":
            return code.builder.select(adjust, code.builder.add(rest, safe), rest)
        return code.builder.select(adjust, code.builder.sub(quotient, code.i64(1)), quotient)

    op_divide = op_modulo = _division

    def op_negative(self, code: Code, node: program.Op) -> Value:
        return code.builder.neg(self.value(code, node.arguments[0]))

    def _extreme(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        sign = "<" if node.name == "min" else ">"
        return code.builder.select(code.builder.icmp_signed(sign, a, b), a, b)

    op_min = op_max = _extreme

    def op_abs(self, code: Code, node: program.Op) -> Value:
        a = self.value(code, node.arguments[0])
        below = code.builder.icmp_signed("<", a, code.i64(0))
        return code.builder.select(below, code.builder.neg(a), a)

    def op_count(self, code: Code, node: program.Op) -> Value:
        return self.size(code, node.arguments[0], self.value(code, node.arguments[0]))

    def size(self, code: Code, node: program.Expression, members: Value) -> Value:
        """How many members a set has, the value of an expression."""
        if self.memos.empty is not None and isinstance(node, program.Op) and node.name == "empty":
            return code.load(self.memos.empty.count)
        return code.count(members)

    def op_family_count(self, code: Code, node: program.Op) -> Value:
        total = code.slot(I64)
        code.builder.store(code.i64(0), total)
        with self.families.each(code, node.arguments[0]):
            now = code.builder.load(total, typ=I64)
            code.builder.store(code.builder.add(now, code.i64(1)), total)
        return code.builder.load(total, typ=I64)

    def op_some(self, code: Code, node: program.Op) -> Value:
        return code.some(self.value(code, node.arguments[0]))

    def op_none(self, code: Code, node: program.Op) -> Value:
        return code.none(self.value(code, node.arguments[0]))

    def op_single(self, code: Code, node: program.Op) -> Value:
        member = self.value(code, node.arguments[0])
        if node.arguments[0].type.kind == "site":
            return code.bit(member)
        if node.arguments[0].type.kind == "number":
            return self.numbers(code, member, member)
        return self.single(code, member, self.type_of(node.type, node))

    def op_range(self, code: Code, node: program.Op) -> Value:
        return self.numbers(code, *self.operands(code, node))

    def numbers(self, code: Code, low: Value, high: Value) -> Value:
        """The numbers from one to another.

        The game is given up if one is greater than all sets of numbers that are written down.
        """
        builder, type_ = code.builder, self.memory.numbers_type
        greatest, one = code.i64(type_.width - 1), ir.Constant(type_, 1)
        some = builder.icmp_signed("<=", low, high)
        above = builder.icmp_signed(">", high, greatest)
        self.fault_if(code, builder.and_(some, above))
        below_all = builder.icmp_signed("<", high, code.i64(0))
        last = builder.select(builder.or_(above, below_all), greatest, high)
        twice = builder.shl(ir.Constant(type_, 2), code.fit(last, type_, signed=False))
        upto = builder.sub(twice, one)
        first = builder.select(some, low, code.i64(0))
        first = builder.select(builder.icmp_signed("<", first, code.i64(0)), code.i64(0), first)
        first = builder.select(builder.icmp_signed(">", first, greatest), code.i64(0), first)
        below = builder.sub(builder.shl(one, code.fit(first, type_, signed=False)), one)
        numbers = builder.and_(upto, builder.not_(below))
        return builder.select(some, numbers, ir.Constant(type_, 0))

    def op_lookup(self, code: Code, node: program.Op) -> Value:
        table, index = node.arguments
        assert isinstance(table, program.Constant) and isinstance(table.value, tuple)
        type_ = self.type_of(node.type, node)
        if type_ == I1:
            made = self.unit.table(I8, list(table.value))
            at = code.builder.gep(made, [code.wide(self.value(code, index))], source_etype=I8)
            return code.builder.trunc(code.builder.load(at, typ=I8), I1)
        made = self.unit.table(type_, list(table.value))
        at = code.builder.gep(made, [code.wide(self.value(code, index))], source_etype=type_)
        return code.builder.load(at, typ=type_)

    def op_pick(self, code: Code, node: program.Op) -> Value:
        table, index = node.arguments
        assert isinstance(table, program.Constant) and isinstance(table.value, tuple)
        number = self.value(code, index)
        size = len(table.value)
        inside = code.builder.icmp_unsigned("<", number, code.i64(size))
        made = self.unit.table(self.unit.set_type, list(table.value))
        safe = code.builder.select(inside, number, code.i64(0))
        at = code.builder.gep(made, [safe], source_etype=self.unit.set_type)
        found = code.builder.load(at, typ=self.unit.set_type)
        return code.builder.select(inside, found, code.set_constant(0))

    # ---- words for what there is now

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

    # ---- pieces and players

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

    # ---- the board

    def relation_table(self, links: program.Expression) -> tuple[int, ...] | None:
        """The neighbours of each site, where a relation does not depend on the state."""
        if not isinstance(links, program.Links) or links.kind == "all":
            return self.tables.all_links
        if links.kind == "relation":
            return self.tables.relation(links.relation)
        if links.kind == "directions":
            directions = links.directions
            if isinstance(directions, program.Constant) and isinstance(directions.value, int):
                return self.tables.directed(directions.value)
        return None

    def expand(self, code: Code, links: program.Expression, site: Value) -> Value:
        """The neighbours that a relation gives to one site."""
        table = self.relation_table(links)
        if table is not None:
            return self.boards.entry(code, table, site)
        assert isinstance(links, program.Links)
        if links.kind == "directions":
            assert links.directions is not None
            return self.directed(code, self.value(code, links.directions), site)
        assert links.function is not None
        holds = self.function(links.function)
        found = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), found)
        with code.loop(self.boards.entry(code, self.tables.all_links, site)) as other:
            linked = code.builder.call(holds, [code.ctx, code.read, site, other])
            now = code.builder.load(found, typ=self.unit.set_type)
            more = code.builder.or_(now, code.bit(other))
            code.builder.store(code.builder.select(linked, more, now), found)
        return code.builder.load(found, typ=self.unit.set_type)

    def directed(self, code: Code, directions: Value, site: Value) -> Value:
        """The sites one step away in directions that are known only in play."""
        found: Value = code.set_constant(0)
        for number, steps in enumerate(self.tables.steps):
            wanted = code.builder.trunc(code.builder.lshr(directions, code.i64(number)), I1)
            step = self.boards.entry(code, steps, site)
            part = code.builder.select(wanted, step, code.set_constant(0))
            found = code.builder.or_(found, part)
        return found

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

    def op_neighbours(self, code: Code, node: program.Op) -> Value:
        sites, links = node.arguments
        if isinstance(sites, program.Op) and sites.name == "single":
            return self.expand(code, links, self.value(code, sites.arguments[0]))
        start = self.value(code, sites)
        self.spend_each(code, start, self.effort.expanding(links))
        table = self.relation_table(links)
        if table is not None:
            found = self.boards.expand(code, table, start)
        else:
            found = self.union_over(code, start, lambda site: self.expand(code, links, site))
        return code.builder.and_(found, code.builder.not_(start))

    def union_over(self, code: Code, sites: Value, part: Callable[[Value], Value]) -> Value:
        """The union of a set for each site."""
        total = code.slot(self.unit.set_type)
        code.builder.store(code.set_constant(0), total)
        with code.loop(sites) as site:
            found = part(site)
            now = code.builder.load(total, typ=self.unit.set_type)
            code.builder.store(code.builder.or_(now, found), total)
        return code.builder.load(total, typ=self.unit.set_type)

    def op_step(self, code: Code, node: program.Op) -> Value:
        sites, directions = node.arguments
        constant = directions.value if isinstance(directions, program.Constant) else None
        if isinstance(constant, int):
            table = self.tables.directed(constant)
            if isinstance(sites, program.Op) and sites.name == "single":
                return self.boards.entry(code, table, self.value(code, sites.arguments[0]))
            return self.boards.expand(code, table, self.value(code, sites))
        if isinstance(sites, program.Op) and sites.name == "single":
            site = self.value(code, sites.arguments[0])
            return self.directed(code, self.value(code, directions), site)
        start = self.value(code, sites)
        self.spend_each(code, start, self.effort.word * len(self.program.board.directions))
        chosen = self.value(code, directions)
        return self.union_over(code, start, lambda site: self.directed(code, chosen, site))

    def op_slide(self, code: Code, node: program.Op) -> Value:
        return self.along_rays(code, node, SLIDE)

    def op_seen(self, code: Code, node: program.Op) -> Value:
        return self.along_rays(code, node, SEEN)

    def along_rays(self, code: Code, node: program.Op, part: int) -> Value:
        """Slide and look along rays: the sites passed, or the first that blocks."""
        sites, free, directions = node.arguments
        blockers = code.builder.not_(self.value(code, free))
        constant = directions.value if isinstance(directions, program.Constant) else None
        chosen = None if isinstance(constant, int) else self.value(code, directions)

        def from_site(site: Value) -> Value:
            if isinstance(constant, int):
                reached = self.slides.reach(code, site, blockers, constant, part)
                if reached is not None:
                    return reached
            found: Value = code.set_constant(0)
            for number in range(len(self.tables.board.directions)):
                if isinstance(constant, int):
                    if constant >> number & 1:
                        ray = self.boards.ray_until(code, number, site, blockers)[part]
                        found = code.builder.or_(found, ray)
                    continue
                assert chosen is not None
                wanted = code.builder.trunc(code.builder.lshr(chosen, code.i64(number)), I1)
                ray = code.choose(
                    wanted,
                    lambda n=number: self.boards.ray_until(code, n, site, blockers)[part],  # type: ignore[misc]
                    lambda: code.set_constant(0),
                )
                found = code.builder.or_(found, ray)
            return found

        if isinstance(sites, program.Op) and sites.name == "single":
            return from_site(self.value(code, sites.arguments[0]))
        start = self.value(code, sites)
        self.spend_each(code, start, RAY * len(self.program.board.directions))
        return self.union_over(code, start, from_site)

    def op_between(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        return code.builder.call(self.boards.between_function(), [a, b])

    def op_path(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        between = code.builder.call(self.boards.between_function(), [a, b])
        joined = code.builder.icmp_signed(">=", self.boards.heading(code, a, b), ir.Constant(I8, 0))
        whole = code.builder.or_(between, code.bit(b))
        return code.builder.select(joined, whole, code.set_constant(0))

    def op_heading(self, code: Code, node: program.Op) -> Value:
        a, b = self.operands(code, node)
        direction = self.boards.heading(code, a, b)
        known = code.builder.icmp_signed(">=", direction, ir.Constant(I8, 0))
        safe = code.builder.select(known, direction, ir.Constant(I8, 0))
        single = code.builder.shl(code.i64(1), code.builder.zext(safe, I64))
        return code.builder.select(known, single, code.i64(0))

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

    def op_line(self, code: Code, node: program.Op) -> Value:
        length, among = node.arguments
        if self.memos.is_kept_up(node):
            found = code.load(self.memos.lines[node].found, self.player_of(code, among))
            return code.builder.trunc(found, I1)
        sites = self.value(code, among)
        if not isinstance(length, program.Constant) or not isinstance(length.value, int):
            return self.any_line(code, self.value(code, length), sites)
        if length.value <= 0:
            return code.truth(True)
        if length.value > self.tables.longest:
            return code.truth(False)
        memo = self.memos.lines.get(node)
        if memo is not None and code.read is code.write:
            player = self.player_of(code, among)
            return self.memos.line(code, memo, length.value, player, sites)
        return self.line(code, length.value, sites)

    def line(self, code: Code, length: int, sites: Value) -> Value:
        """Whether a straight line of a length lies in a set."""
        self.spend(code, self.sites_on_axes)
        found: Value = code.truth(False)
        if length == 1:
            return code.some(sites)
        for there, _ in self.tables.axes:
            steps = self.tables.steps[there]
            if self.boards.shifts(steps) is None:
                return self.line_by_table(code, length, sites)
            run = sites
            # `run` holds the sites at whose end a run of k lies; double k while it fits.
            for _ in range(length - 1):
                run = code.builder.and_(self.boards.expand(code, steps, run), sites)
            found = code.builder.or_(found, code.some(run))
        return found

    def any_line(self, code: Code, length: Value, sites: Value) -> Value:
        """Whether a straight line lies in a set, its length being known only in play."""
        self.spend(code, self.sites_on_axes)
        builder, type_ = code.builder, self.unit.set_type
        none = builder.icmp_signed("<=", length, code.i64(0))
        short = builder.icmp_signed("<=", length, code.i64(self.tables.longest))
        found: Value = none
        for there, _ in self.tables.axes:
            run = code.slot(type_)
            builder.store(builder.select(short, sites, code.set_constant(0)), run)
            with code.count_up(
                builder.sub(builder.select(short, length, code.i64(1)), code.i64(1))
            ):
                now = builder.load(run, typ=type_)
                further = self.boards.expand(code, self.tables.steps[there], now)
                builder.store(builder.and_(further, sites), run)
            found = builder.or_(found, code.some(builder.load(run, typ=type_)))
        return found

    @property
    def sites_on_axes(self) -> int:
        """How many straight lines of a length there are, about."""
        return len(self.program.board.names) * len(self.tables.axes)

    def line_by_table(self, code: Code, length: int, sites: Value) -> Value:
        """The same, line by line."""
        result = code.slot(I1)
        code.builder.store(code.truth(False), result)
        with code.loop_table(self.unit.set_type, list(self.tables.lines(length))) as line:
            whole = code.none(code.builder.and_(line, code.builder.not_(sites)))
            before = code.builder.load(result, typ=I1)
            code.builder.store(code.builder.or_(before, whole), result)
        return code.builder.load(result, typ=I1)

    def op_run(self, code: Code, node: program.Op) -> Value:
        site, among = self.operands(code, node)
        blockers = code.builder.not_(among)
        best: Value = code.i64(1)
        for there, back in self.tables.axes:
            ahead = self.boards.ray_until(code, there, site, blockers)[0]
            behind = self.boards.ray_until(code, back, site, blockers)[0]
            length = code.builder.add(code.count(code.builder.or_(ahead, behind)), code.i64(1))
            better = code.builder.icmp_signed(">", length, best)
            best = code.builder.select(better, length, best)
        return code.builder.select(code.has(among, site), best, code.i64(0))

    # ---- steps

    def begin_question(self, code: Code) -> None:
        """Count steps from naught."""
        if self.effort.is_counted:
            code.store(context.STEPS, code.i64(0), base=code.ctx)

    def spend(self, code: Code, steps: int | Value) -> None:
        """Count steps."""
        if not self.effort.is_counted:
            return
        more = code.i64(steps) if isinstance(steps, int) else steps
        now = code.load(context.STEPS, base=code.ctx)
        code.store(context.STEPS, code.builder.add(now, more), base=code.ctx)

    def spend_each(self, code: Code, members: Value, steps: int) -> None:
        """Count steps for each member of a set."""
        if self.effort.is_counted:
            self.spend(code, code.builder.mul(code.count(members), code.i64(steps)))

    def is_overrun(self, code: Code) -> Value:
        """Whether the question takes too many steps."""
        now = code.load(context.STEPS, base=code.ctx)
        return code.builder.icmp_unsigned(">", now, code.i64(self.effort.limit))

    # ---- faults

    def fault_if(self, code: Code, condition: Value) -> None:
        """Note that the description went wrong; play goes on safely and is thrown away."""

        def note() -> None:
            code.store(context.FAULT, code.i32(1), base=code.ctx)

        code.when(condition, note)


def pair_of_sites(
    node: program.Expression,
) -> tuple[program.Expression, program.Expression] | None:
    """The two sites that a set is written down with."""
    if not isinstance(node, program.Op) or node.name != "together" or node.type != SITES:
        return None
    singles = [a for a in node.arguments if isinstance(a, program.Op) and a.name == "single"]
    sites = [single.arguments[0] for single in singles]
    if len(sites) == 2 and all(site.type.kind == "site" for site in sites):
        return sites[0], sites[1]
    return None


def is_symmetric(table: Sequence[int]) -> bool:
    """Whether every neighbour of a site has it as a neighbour."""
    return all(
        table[other] >> site & 1
        for site, neighbours in enumerate(table)
        for other in members(neighbours)
    )


_ALIASES = {
    "=": "equal",
    "!=": "differ",
    "<": "less",
    "<=": "at_most",
    ">": "greater",
    ">=": "at_least",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "divide",
    "mod": "modulo",
}

__all__ = ["Any", "Expressions", "members"]
