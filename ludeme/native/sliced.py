"""Expressions that ask something of a site, put as planes: see `ludeme.native.planes`.

What depends on the site in question becomes: of a truth a plane; of a site the distance to it; of a
set of sites a plane for each distance, and where its members can only lie at a few distances, which
(its support); of a player or kind a plane for each; of a number a plane for each of its bits. What
does not depend on it is worked out as ever. `Elsewhere` is raised where something cannot be put so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, TypeAlias

import attrs
from llvmlite import ir

from ludeme.check import program
from ludeme.native import facts
from ludeme.native.asking import ALIASES, SITES
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import Field, is_of_sites
from ludeme.native.planes import Elsewhere, Frame, Plane
from ludeme.native.ripple import Number, Numbers, constant, width_of

if TYPE_CHECKING:
    from ludeme.native.surroundings import Surroundings

COSTLY = {"joined", "group", "groups", "reach", "line", "run", "slide", "seen", "repeats"}
LOOPS = (program.Quantified, program.Those, program.Fold, program.Best, program.Ability)


@attrs.frozen(eq=False)
class Site:
    """The site at a distance from the one in question."""

    distance: int


@attrs.frozen(eq=False)
class Fixed:
    """A site, player, kind or set that does not depend on the site in question."""

    node: program.Expression


@attrs.frozen(eq=False)
class Sites:
    """A set of sites: whether it has the one at a distance, and the only distances at which it may.

    In planes of its *support* there is what `at` says there.
    """

    at: Callable[[int], Plane]
    support: Mapping[int, Plane] | None = None

    @property
    def known(self) -> Mapping[int, Plane]:
        """The support."""
        if self.support is None:
            raise Elsewhere
        return self.support


@attrs.frozen(eq=False)
class One:
    """A player or kind: where it is each of them."""

    planes: Mapping[int, Plane]


Put: TypeAlias = "bool | Value | Site | Fixed | Sites | One | Number"
Scope: TypeAlias = Mapping[int, Put]


class Sliced:
    """Puts expressions as planes of a frame; *code* is None where nothing is made."""

    def __init__(self, asked: Surroundings, frame: Frame, code: Code | None) -> None:
        self.asked = asked
        self.frame = frame
        self.numbers = Numbers(frame)
        self.code = code
        self.layout = asked.layout
        self.players = asked.players
        self._free: dict[int, frozenset[int]] = {}

    # ---- any expression

    def put(self, node: program.Expression, scope: Scope) -> Put:
        """The value of an expression, for all sites of the frame."""
        if isinstance(node, program.Get) and node.local.slot in scope:
            return scope[node.local.slot]
        if not self.free(node) & scope.keys():
            return self.fixed(node)
        match node:
            case program.Read():
                return self.read(node, scope)
            case program.Op():
                return self.op(node, scope)
            case program.Apply():
                return self.apply(node, scope)
            case program.Choice():
                return self.choice(node, scope)
            case program.Quantified():
                return self.quantified(node, scope)
            case program.Those():
                return self.those(node, scope)
            case program.Fold() if node.kind in ("sum", "union"):
                return self.fold(node, scope)
        raise Elsewhere

    def free(self, node: program.Expression) -> frozenset[int]:
        """The locals that an expression speaks of, what its definitions bind left aside."""
        key = id(node)
        if key not in self._free:
            own = [node.local.slot] if isinstance(node, program.Get) else []
            inner = (self.free(part) for part in _parts(node))
            self._free[key] = frozenset(own).union(*inner)
        return self._free[key]

    def fixed(self, node: program.Expression) -> Put:
        """What is the same whatever the site in question."""
        if any(map(_is_costly, facts.parts(node))):
            raise Elsewhere
        match node.type.kind:
            case "truth":
                if isinstance(node, program.Constant):
                    return bool(node.value)
                return self.frame.truth(node, lambda: self.scalar(node))
            case "number":
                return self.fixed_number(node)
            case "site":
                return Fixed(node)
            case "player":
                return self.fixed_one(node, self.players)
            case "kind":
                return self.fixed_one(node, len(self.asked.program.kinds))
            case "set" if node.type == SITES:
                return self.fixed_sites(node)
        raise Elsewhere

    def scalar(self, node: program.Expression) -> Value:
        """The value of what does not depend on the site in question."""
        assert self.code is not None
        return self.asked.value(self.code, node)

    def fixed_sites(self, node: program.Expression) -> Sites:
        """A set that does not depend on it."""
        if isinstance(node, program.Constant):
            assert isinstance(node.value, int)
            return self.of_mask(node.value)
        key = (node.name,) if isinstance(node, program.Op) and not node.arguments else node
        return Sites(lambda d: self.frame.has(key, lambda: self.scalar(node), d))

    def of_mask(self, mask: int) -> Sites:
        """A set that is known beforehand."""
        return Sites(lambda d: self.frame.constant(_moved(mask, -d)))

    def fixed_one(self, node: program.Expression, count: int) -> Put:
        """A player or kind; *count* for nobody or none."""
        if isinstance(node, program.Constant):
            assert isinstance(node.value, int)
            return One({node.value: True})

        def test(number: int) -> Value:
            assert self.code is not None
            return self.code.builder.icmp_unsigned("==", self.scalar(node), self.code.i32(number))

        return One({n: self.frame.truth((node, n), partial(test, n)) for n in range(count + 1)})

    def fixed_number(self, node: program.Expression) -> Number:
        """A number that does not depend on the site in question, if its size is known."""
        if isinstance(node, program.Constant):
            assert isinstance(node.value, int)
            return constant(node.value)
        if isinstance(node, program.Read):
            low, high = node.variable.low, node.variable.high
        elif isinstance(node, program.Op) and node.name == "count":
            low, high = 0, self.frame.sites
        else:
            raise Elsewhere

        def bit(number: int) -> Value:
            assert self.code is not None
            builder = self.code.builder
            shifted = builder.lshr(self.scalar(node), self.code.i64(number))
            return builder.trunc(shifted, ir.IntType(1))

        width = width_of(low, high)
        bits = [self.frame.truth((node, i), partial(bit, i)) for i in range(width)]
        return Number([*bits[:-1], bits[-1] if low < 0 else False])

    def apply(self, node: program.Apply, scope: Scope) -> Put:
        """A definition, written out."""
        parameters = node.function.parameters
        if any(parameter.type.kind == "family" for parameter in parameters):
            raise Elsewhere
        values = [self.put(argument, scope) for argument in node.arguments]
        slots = (parameter.slot for parameter in parameters)
        return self.put(node.function.value, dict(zip(slots, values, strict=True)))

    def choice(self, node: program.Choice, scope: Scope) -> Put:
        """One value or another."""
        condition = self.truth(node.condition, scope)
        then, otherwise = self.put(node.then, scope), self.put(node.otherwise, scope)
        return self.picked(condition, then, otherwise)

    def picked(self, condition: Plane, then: Put, otherwise: Put) -> Put:
        """The one where a condition holds, else the other."""
        pick = self.frame.pick
        if isinstance(then, Sites) and isinstance(otherwise, Sites):
            one, other = then, otherwise
            support = None
            if one.support is not None and other.support is not None:
                support = {
                    d: pick(condition, one.support.get(d, False), other.support.get(d, False))
                    for d in {**one.support, **other.support}
                }
            return Sites(lambda d: pick(condition, one.at(d), other.at(d)), support)
        if isinstance(then, One) and isinstance(otherwise, One):
            numbers = {**then.planes, **otherwise.planes}
            return One(
                {
                    n: pick(condition, then.planes.get(n, False), otherwise.planes.get(n, False))
                    for n in numbers
                }
            )
        if isinstance(then, Number) and isinstance(otherwise, Number):
            return self.numbers.picked(condition, then, otherwise)
        if any(isinstance(v, Site | Fixed | Sites | One | Number) for v in (then, otherwise)):
            raise Elsewhere
        return pick(condition, then, otherwise)

    # ---- values of a type

    def truth(self, node: program.Expression, scope: Scope) -> Plane:
        """A truth."""
        if node.type.kind != "truth":
            raise Elsewhere
        return self.put(node, scope)

    def sites(self, node: program.Expression, scope: Scope) -> Sites:
        """A set of sites."""
        found = self.put(node, scope)
        if not isinstance(found, Sites):
            raise Elsewhere
        return found

    def site(self, node: program.Expression, scope: Scope) -> Site:
        """A site at a distance."""
        found = self.put(node, scope)
        if not isinstance(found, Site):
            raise Elsewhere
        return found

    def one(self, node: program.Expression, scope: Scope) -> One:
        """A player or kind."""
        found = self.put(node, scope)
        if not isinstance(found, One):
            raise Elsewhere
        return found

    def number(self, node: program.Expression, scope: Scope) -> Number:
        """A number."""
        found = self.put(node, scope)
        if not isinstance(found, Number):
            raise Elsewhere
        return found

    # ---- binders

    def each(
        self, node: program.Quantified | program.Those | program.Fold, scope: Scope
    ) -> tuple[Mapping[int, Plane], Callable[[program.Expression, int], Put]]:
        """Where the members of a domain are, and what holds of the one at a distance."""
        if node.domain.type != SITES:
            raise Elsewhere
        domain = self.sites(node.domain, scope)

        def of_member(part: program.Expression, distance: int) -> Put:
            return self.put(part, {**scope, node.local.slot: Site(distance)})

        return domain.known, of_member

    def spend(self, members: Mapping[int, Plane], *parts: program.Expression) -> None:
        """Count the interpreter's steps for each member."""
        effort = self.asked.effort
        self.frame.spend(list(members.values()), effort.word + sum(map(effort.nodes, parts)))

    def quantified(self, node: program.Quantified, scope: Scope) -> Plane:
        """`some`, `no`, `every`; what is asked first may settle it for all sites."""
        frame = self.frame
        members, of_member = self.each(node, scope)
        self.spend(members, node.condition)
        conditions = _conditions(node.condition)
        if node.quantifier == "every" or len(conditions) == 1:
            whole = [(plane, of_member(node.condition, d)) for d, plane in members.items()]
            if node.quantifier == "every":
                held = (frame.either(frame.inverse(plane), holds) for plane, holds in whole)
                return reduce(frame.both, held, True)
            found = frame.any_of([frame.both(plane, holds) for plane, holds in whole])
            return frame.inverse(found) if node.quantifier == "no" else found
        first, *rest = conditions
        guards = {d: frame.both(plane, of_member(first, d)) for d, plane in members.items()}

        def settle() -> Plane:
            found = []
            for distance, guard in guards.items():
                if guard is not False:
                    holds = (of_member(part, distance) for part in rest)
                    found.append(reduce(frame.both, holds, guard))
            return frame.any_of(found)

        found = frame.where(frame.any_of(list(guards.values())), settle)
        return frame.inverse(found) if node.quantifier == "no" else found

    def those(self, node: program.Those, scope: Scope) -> Sites:
        """The members for which a condition holds."""
        members, of_member = self.each(node, scope)
        self.spend(members, node.condition)
        support = {d: self.frame.both(p, of_member(node.condition, d)) for d, p in members.items()}
        return self.of_support(support)

    def of_support(self, support: Mapping[int, Plane]) -> Sites:
        """A set whose members are known by distance."""
        return Sites(lambda d: support.get(d, False), support)

    def fold(self, node: program.Fold, scope: Scope) -> Put:
        """A sum or union."""
        members, of_member = self.each(node, scope)
        self.spend(members, node.value)
        values = [(plane, of_member(node.value, d)) for d, plane in members.items()]
        both = self.frame.both
        if node.kind == "sum":
            parts = []
            for plane, value in values:
                if not isinstance(value, Number):
                    raise Elsewhere
                parts.append(Number([both(plane, bit) for bit in value.bits]))
            return self.numbers.total(parts)
        support: dict[int, Plane] = {}
        for plane, value in values:
            if not isinstance(value, Sites):
                raise Elsewhere
            for d, part in value.known.items():
                support[d] = self.frame.either(support.get(d, False), both(plane, part))
        return self.of_support(support)

    # ---- what the state says

    def read(self, node: program.Read, scope: Scope) -> Put:
        """What is kept for each site."""
        variable = node.variable
        known = variable.owner in ("site", "piece") or (
            variable.owner == "game" and variable.index == "site"
        )
        if not known or not is_of_sites(variable) or variable.is_flag or len(node.indices) != 1:
            raise Elsewhere
        distance = self.site(node.indices[0], scope).distance
        field = self.asked.memory.fields[self.layout.variables[variable.name].first]
        match node.type.kind:
            case "number":
                return self.kept_number(field, distance, variable.low, variable.high)
            case "truth":
                return self.frame.kept(field, distance, 0)
        raise Elsewhere

    def kept_number(self, field: Field, distance: int, low: int, high: int) -> Number:
        """A number that is kept for each site."""
        width = width_of(low, high)
        bits = [self.frame.kept(field, distance, i) for i in range(width)]
        return Number([*bits[:-1], bits[-1] if low < 0 else False])

    def row(self, first: int, number: int, distance: int) -> Plane:
        """A set of a row of sets of the state, such as the pieces of a player."""
        field = self.asked.memory.fields[first + number]

        def members() -> Value:
            assert self.code is not None
            return self.code.load(field)

        return self.frame.has(("slot", first + number), members, distance)

    def owned(self, player: int, distance: int) -> Plane:
        """Where a player's pieces are."""
        if player >= self.asked.memory.owners:
            return False
        return self.row(self.layout.owners, player, distance)

    def occupied(self, distance: int) -> Plane:
        """Where there are pieces."""
        owners = range(self.asked.memory.owners)
        return self.frame.any_of([self.owned(player, distance) for player in owners])

    # ---- operations

    def op(self, node: program.Op, scope: Scope) -> Put:
        """An operation."""
        method: Callable[[program.Op, Scope], Put] | None
        method = getattr(self, f"op_{ALIASES.get(node.name, node.name)}", None)
        if method is None:
            raise Elsewhere
        return method(node, scope)

    def op_and(self, node: program.Op, scope: Scope) -> Plane:
        a, b = (self.truth(part, scope) for part in node.arguments)
        return self.frame.both(a, b)

    def op_or(self, node: program.Op, scope: Scope) -> Plane:
        a, b = (self.truth(part, scope) for part in node.arguments)
        return self.frame.either(a, b)

    def op_not(self, node: program.Op, scope: Scope) -> Plane:
        return self.frame.inverse(self.truth(node.arguments[0], scope))

    def op_owner(self, node: program.Op, scope: Scope) -> One:
        distance = self.site(node.arguments[0], scope).distance
        planes = {player: self.owned(player, distance) for player in range(self.players)}
        nobody = self.frame.inverse(self.frame.any_of(list(planes.values())))
        return One({**planes, self.players: nobody})

    def op_kind(self, node: program.Op, scope: Scope) -> One:
        distance = self.site(node.arguments[0], scope).distance
        count = len(self.asked.program.kinds)
        if self.asked.memory.kinds:
            kinds = range(self.asked.memory.kinds)
            planes = {kind: self.row(self.layout.kinds, kind, distance) for kind in kinds}
        else:
            planes = {0: self.occupied(distance)}
        none = self.frame.inverse(self.frame.any_of(list(planes.values())))
        return One({**planes, count: none})

    def op_height(self, node: program.Op, scope: Scope) -> Number:
        distance = self.site(node.arguments[0], scope).distance
        stands, pile = self.occupied(distance), self.asked.memory.pile
        if pile is None:
            return Number([stands, False])
        below = self.kept_number(pile.height, distance, 0, pile.levels)
        height = self.numbers.sum(below, constant(1))
        return Number([self.frame.both(stands, bit) for bit in height.bits])

    def op_rival(self, node: program.Op, scope: Scope) -> One:
        player = self.one(node.arguments[0], scope)
        return One({1 - n if n < 2 else n: plane for n, plane in player.planes.items()})

    def op_pieces(self, node: program.Op, scope: Scope) -> Sites:
        player = self.one(node.arguments[0], scope)

        def at(distance: int) -> Plane:
            both = self.frame.both
            rows = player.planes.items()
            return self.frame.any_of([both(plane, self.owned(n, distance)) for n, plane in rows])

        return Sites(at)

    def op_of_kind(self, node: program.Op, scope: Scope) -> Sites:
        kind, kinds = self.one(node.arguments[0], scope), self.asked.memory.kinds

        def at(distance: int) -> Plane:
            found = []
            for number, plane in kind.planes.items():
                if not kinds and number == 0:
                    found.append(self.frame.both(plane, self.occupied(distance)))
                elif number < kinds:
                    there = self.row(self.layout.kinds, number, distance)
                    found.append(self.frame.both(plane, there))
            return self.frame.any_of(found)

        return Sites(at)

    # ---- sets

    def op_single(self, node: program.Op, scope: Scope) -> Sites:
        return self.of_support({self.site(node.arguments[0], scope).distance: True})

    def op_intersection(self, node: program.Op, scope: Scope) -> Sites:
        a, b = (self.sites(part, scope) for part in node.arguments)
        both, support = self.frame.both, None
        if a.support is not None or b.support is not None:
            near, other = (a, b) if a.support is not None else (b, a)
            support = {d: both(plane, other.at(d)) for d, plane in near.known.items()}
            support = {d: plane for d, plane in support.items() if plane is not False}
            return self.of_support(support)
        return Sites(lambda d: both(a.at(d), b.at(d)))

    def op_together(self, node: program.Op, scope: Scope) -> Sites:
        a, b = (self.sites(part, scope) for part in node.arguments)
        either = self.frame.either
        if a.support is None or b.support is None:
            return Sites(lambda d: either(a.at(d), b.at(d)))
        distances = {**a.support, **b.support}
        return self.of_support({d: either(a.at(d), b.at(d)) for d in distances})

    def op_complement(self, node: program.Op, scope: Scope) -> Sites:
        members, everything = (self.sites(part, scope) for part in node.arguments)
        both, inverse = self.frame.both, self.frame.inverse
        return Sites(lambda d: both(everything.at(d), inverse(members.at(d))))

    def op_neighbours(self, node: program.Op, scope: Scope) -> Sites:
        sites, links = node.arguments
        start = self.sites(sites, scope)
        found = self.linked(start, links)
        if isinstance(sites, program.Op) and sites.name == "single":
            return found
        inverse = self.frame.inverse
        return self.of_support(
            {d: self.frame.both(p, inverse(start.at(d))) for d, p in found.known.items()}
        )

    def linked(self, start: Sites, links: program.Expression) -> Sites:
        """What a relation joins to the members of a set."""
        table = self.asked.relation_table(links)
        if table is not None:
            return self.along(start, table)
        if not isinstance(links, program.Links) or links.function is None:
            raise Elsewhere
        a, b = (parameter.slot for parameter in links.function.parameters)
        support: dict[int, Plane] = {}
        for d, plane in start.known.items():
            near = self.along(self.of_support({d: plane}), self.asked.tables.all_links)
            for e, there in near.known.items():
                holds = self.truth(links.function.value, {a: Site(d), b: Site(e)})
                joined = self.frame.both(there, holds)
                support[e] = self.frame.either(support.get(e, False), joined)
        return self.of_support(support)

    def along(self, start: Sites, table: Sequence[int]) -> Sites:
        """What a table gives for the members of a set."""
        steps = self.asked.boards.shifts(table)
        if steps is None:
            raise Elsewhere
        support: dict[int, Plane] = {}
        for d, plane in start.known.items():
            for step, mask in steps if plane is not False else ():
                there = self.frame.both(plane, self.frame.constant(_moved(mask, -d)))
                support[d + step] = self.frame.either(support.get(d + step, False), there)
        return self.of_support(support)

    def op_step(self, node: program.Op, scope: Scope) -> Sites:
        sites, directions = node.arguments
        if not isinstance(directions, program.Constant) or not isinstance(directions.value, int):
            raise Elsewhere
        table = self.asked.tables.directed(directions.value)
        return self.along(self.sites(sites, scope), table)

    def op_lookup(self, node: program.Op, scope: Scope) -> Put:
        table, index = node.arguments
        if not isinstance(table, program.Constant) or not isinstance(table.value, tuple):
            raise Elsewhere
        if len(table.value) != self.frame.sites:
            raise Elsewhere
        distance = self.site(index, scope).distance
        match node.type.kind:
            case "set" if node.type == SITES:
                return self.along(self.of_support({distance: True}), table.value)
            case "truth":
                return self.entries(table.value, 0, distance)
        raise Elsewhere

    def entries(self, values: Sequence[int], bit: int, distance: int) -> Plane:
        """A bit of the entries of a table for each site."""
        mask = sum((int(value) >> bit & 1) << site for site, value in enumerate(values))
        return self.frame.constant(_moved(mask, -distance))

    def op_member(self, node: program.Op, scope: Scope) -> Plane:
        member, whole = node.arguments
        if member.type.kind != "site":
            raise Elsewhere
        found, among = self.put(member, scope), self.sites(whole, scope)
        if isinstance(found, Site):
            return among.at(found.distance)
        assert isinstance(found, Fixed)
        here = among.known.items()
        return self.frame.any_of([self.frame.both(p, self.is_at(found, d)) for d, p in here])

    def is_at(self, fixed: Fixed, distance: int) -> Plane:
        """Where a site that does not depend on the one in question lies at a distance from it."""

        def single() -> Value:
            assert self.code is not None
            return self.code.bit(self.scalar(fixed.node))

        return self.frame.has(("single", fixed.node), single, distance)

    def op_within(self, node: program.Op, scope: Scope) -> Plane:
        part, whole = (self.sites(argument, scope) for argument in node.arguments)
        frame = self.frame
        return reduce(
            frame.both,
            (frame.either(frame.inverse(p), whole.at(d)) for d, p in part.known.items()),
            True,
        )

    def op_some(self, node: program.Op, scope: Scope) -> Plane:
        members = self.sites(node.arguments[0], scope)
        return self.frame.any_of(list(members.known.values()))

    def op_none(self, node: program.Op, scope: Scope) -> Plane:
        return self.frame.inverse(self.op_some(node, scope))

    def op_count(self, node: program.Op, scope: Scope) -> Number:
        members = self.sites(node.arguments[0], scope)
        return self.numbers.total([Number([plane, False]) for plane in members.known.values()])

    # ---- comparisons

    def op_equal(self, node: program.Op, scope: Scope) -> Plane:
        a, b = (self.put(part, scope) for part in node.arguments)
        return self.same(a, b)

    def op_differ(self, node: program.Op, scope: Scope) -> Plane:
        return self.frame.inverse(self.op_equal(node, scope))

    def same(self, a: Put, b: Put) -> Plane:
        """Where two values of one type are equal."""
        frame = self.frame
        match a, b:
            case Number(), Number():
                return self.numbers.same(a, b)
            case One(), One():
                alike = [frame.both(p, b.planes.get(n, False)) for n, p in a.planes.items()]
                return frame.any_of(alike)
            case Site(), Site():
                return a.distance == b.distance
            case Site(distance=distance), Fixed():
                return self.is_at(b, distance)
            case Fixed(), Site(distance=distance):
                return self.is_at(a, distance)
            case Sites(), Sites():
                distances = {**a.known, **b.known}
                return frame.inverse(
                    frame.any_of([frame.differ(a.at(d), b.at(d)) for d in distances])
                )
        if any(isinstance(value, Site | Fixed | Sites | One | Number) for value in (a, b)):
            raise Elsewhere
        return frame.inverse(frame.differ(a, b))

    def is_less(self, node: program.Op, scope: Scope, turned: bool = False) -> Plane:
        """Where one number is smaller than another; *turned*: the other than the one."""
        a, b = (self.number(part, scope) for part in node.arguments)
        return self.numbers.less(b, a) if turned else self.numbers.less(a, b)

    def op_less(self, node: program.Op, scope: Scope) -> Plane:
        return self.is_less(node, scope)

    def op_greater(self, node: program.Op, scope: Scope) -> Plane:
        return self.is_less(node, scope, turned=True)

    def op_at_most(self, node: program.Op, scope: Scope) -> Plane:
        return self.frame.inverse(self.is_less(node, scope, turned=True))

    def op_at_least(self, node: program.Op, scope: Scope) -> Plane:
        return self.frame.inverse(self.is_less(node, scope))

    # ---- arithmetic

    def op_plus(self, node: program.Op, scope: Scope) -> Number:
        a, b = (self.number(part, scope) for part in node.arguments)
        return self.numbers.sum(a, b)

    def op_minus(self, node: program.Op, scope: Scope) -> Number:
        a, b = (self.number(part, scope) for part in node.arguments)
        return self.numbers.sum(a, self.numbers.complement(b), carry=True)

    def op_negative(self, node: program.Op, scope: Scope) -> Number:
        a = self.number(node.arguments[0], scope)
        return self.numbers.sum(constant(0), self.numbers.complement(a), carry=True)

    def op_min(self, node: program.Op, scope: Scope) -> Number:
        a, b = (self.number(part, scope) for part in node.arguments)
        return self.numbers.picked(self.numbers.less(a, b), a, b)

    def op_max(self, node: program.Op, scope: Scope) -> Number:
        a, b = (self.number(part, scope) for part in node.arguments)
        return self.numbers.picked(self.numbers.less(a, b), b, a)


def _conditions(node: program.Expression) -> list[program.Expression]:
    """The conditions that must all hold."""
    if isinstance(node, program.Op) and node.name == "and":
        return [part for argument in node.arguments for part in _conditions(argument)]
    return [node]


def _parts(node: program.Expression) -> list[program.Expression]:
    """What an expression is made of, the bodies of definitions left out."""
    match node:
        case program.Op() | program.Apply():
            return list(node.arguments)
        case program.Read():
            return list(node.indices)
        case program.Links():
            return [] if node.directions is None else [node.directions]
        case program.Choice():
            return [node.condition, node.then, node.otherwise]
        case program.Quantified() | program.Those():
            return [node.domain, node.condition]
        case program.Fold():
            return [node.domain, node.value, *([node.otherwise] if node.otherwise else [])]
        case program.Best():
            return [node.domain, *node.keys]
        case program.Ability():
            return [node.player]
    return []


def _is_costly(node: program.Node) -> bool:
    """Whether it does not do to work something out that may not be needed."""
    return isinstance(node, LOOPS) or (isinstance(node, program.Op) and node.name in COSTLY)


def _moved(mask: int, distance: int) -> int:
    """The members of a set, all so much further."""
    return mask << distance if distance >= 0 else mask >> -distance
