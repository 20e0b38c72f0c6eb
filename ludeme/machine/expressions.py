"""Expressions of a checked program as Python functions of a state.

Each node becomes one small function; what an operation of the kernel means stands in the method of
its name. Locals live in the state's own list, so a copied state carries them along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from ludeme.check import program
from ludeme.diagnostics import fault
from ludeme.kernel.pure import PURE
from ludeme.machine.bits import members
from ludeme.machine.keys import memory_key, times
from ludeme.machine.layout import Cells, Layout
from ludeme.machine.meter import Meter, nodes_in, straight
from ludeme.machine.tables import Tables, flood

Evaluate = Callable[[Cells], Any]
CanMove = Callable[[Cells, int, str], bool]
Expand = Callable[[Cells, int], int]


class Expressions:
    """Compiles expressions of one program. *can_move* answers `P can TURN`."""

    def __init__(self, layout: Layout, tables: Tables, can_move: CanMove) -> None:
        self.layout = layout
        self.program = layout.program
        self.tables = tables
        self.can_move = can_move
        self.meter = Meter()
        self.word = 1 + len(self.program.board.names) // 1024  # steps to take a member of a set
        self._straight: dict[program.Function, int] = {}
        self._functions: dict[program.Function, Evaluate] = {}
        self.everything = self.program.board.everything
        self.players = len(self.program.players)
        first = layout.owners
        self.owner_slots = range(first, first + self.players + 1)

    def compile(self, node: program.Expression) -> Evaluate:
        """The function that evaluates *node*."""
        match node:
            case program.Constant():
                value = node.value
                return lambda c: value
            case program.Get():
                return itemgetter(self.layout.local(node.local.slot))
            case program.Read():
                return self._read(node)
            case program.Op():
                return self._op(node)
            case program.Apply():
                return self._apply(node)
            case program.Choice():
                return self._choice(node)
            case program.Quantified():
                return self._quantified(node)
            case program.Those():
                return self._those(node)
            case program.Fold():
                return self._fold(node)
            case program.Best():
                return self._best(node)
            case program.Ability():
                return self._ability(node)
        raise AssertionError(node)

    def slot(self, local: program.Local) -> int:
        """Where a local stands."""
        return self.layout.local(local.slot)

    # ---- variables, definitions

    def _read(self, node: program.Read) -> Evaluate:
        slots = self.layout.variables[node.variable.name]
        first = slots.first
        if node.variable.is_flag:
            layers = range(first, first + slots.count)
            return itemgetter(first) if slots.count == 1 else lambda c: _union(c, layers)
        indices = [self.compile(index) for index in node.indices]
        if node.variable.owner != "player":
            if not indices:
                return itemgetter(first)
            (index,) = indices
            if node.variable.owner in ("site", "piece") or node.variable.index == "site":
                return lambda c: c[first][index(c)]
            initial = node.variable.initial

            def of_index(c: Cells) -> Any:
                key = index(c)
                return c[first][key] if key < len(c[first]) else initial

            return of_index
        outside = node.variable.initial
        count = slots.count
        player = indices[0]

        def of_player(c: Cells) -> Any:
            number = player(c)
            return c[first + number] if number < count else outside

        if len(indices) == 1:
            return of_player
        inner = indices[1]

        def of_player_and_index(c: Cells) -> Any:
            number, key = player(c), inner(c)
            if number >= count or key >= len(c[first]):
                return outside
            return c[first + number][key]

        return of_player_and_index

    def _apply(self, node: program.Apply) -> Evaluate:
        body = self.function(node.function)
        slots = [self.slot(parameter) for parameter in node.function.parameters]
        arguments = [self.compile(argument) for argument in node.arguments]
        if not slots:
            return body
        if len(slots) == 1:
            slot, argument = slots[0], arguments[0]

            def apply_one(c: Cells) -> Any:
                c[slot] = argument(c)
                return body(c)

            return apply_one
        if len(slots) == 2:
            slot_a, slot_b = slots
            first, second = arguments

            def apply_two(c: Cells) -> Any:
                a = first(c)
                c[slot_b] = second(c)
                c[slot_a] = a
                return body(c)

            return apply_two

        def apply(c: Cells) -> Any:
            values = [argument(c) for argument in arguments]
            for slot, value in zip(slots, values, strict=True):
                c[slot] = value
            return body(c)

        return apply

    def function(self, function: program.Function) -> Evaluate:
        """The value of a definition, its parameters being set."""
        if function not in self._functions:
            self._functions[function] = self.compile(function.value)
        return self._functions[function]

    # ---- operators

    def _op(self, node: program.Op) -> Evaluate:
        method: Callable[[program.Op], Evaluate] | None = getattr(
            self, f"op_{_ALIASES.get(node.name, node.name)}", None
        )
        if method is not None:
            return method(node)
        arguments = [self.compile(argument) for argument in node.arguments]
        special = _BINARY.get(node.name)
        if special is not None:
            return special(*arguments)
        meaning = PURE[node.name]
        if len(arguments) == 1:
            (only,) = arguments
            return lambda c: meaning(only(c))
        if len(arguments) == 2:
            a, b = arguments
            return lambda c: meaning(a(c), b(c))
        return lambda c: meaning(*[argument(c) for argument in arguments])

    def op_division(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        meaning, span = PURE[node.name], node.span

        def divide(c: Cells) -> int:
            try:
                return int(meaning(a(c), b(c)))
            except ZeroDivisionError:
                raise fault("division", span, "a number was divided by 0") from None

        return divide

    def _choice(self, node: program.Choice) -> Evaluate:
        condition = self.compile(node.condition)
        then = self.compile(node.then)
        otherwise = self.compile(node.otherwise)
        return lambda c: then(c) if condition(c) else otherwise(c)

    def _ability(self, node: program.Ability) -> Evaluate:
        player = self.compile(node.player)
        turn, negated, can_move = node.turn, node.negated, self.can_move
        return lambda c: can_move(c, player(c), turn) != negated

    # ---- binders

    def nodes(self, node: program.Expression) -> int:
        """The steps of an expression, beside those that its loops count themselves."""
        return straight(node, self._straight)

    def nodes_in(self, block: program.Block) -> int:
        """As `nodes`, of all that a block works out."""
        return nodes_in(block, self._straight)

    def each(self, domain: program.Expression, steps: int = 1) -> Callable[[Cells], Any]:
        """The members of a set or family, in order. *steps*: what each of them will take."""
        evaluate = self.compile(domain)
        meter = self.meter
        steps += self.word
        if domain.type.kind == "family":

            def each_set(c: Cells) -> tuple[int, ...]:
                family: tuple[int, ...] = evaluate(c)
                meter.spend(len(family) * steps)
                return family

            return each_set

        def each_member(c: Cells) -> Iterator[int]:
            mask = evaluate(c)
            meter.spend(mask.bit_count() * steps)
            return members(mask)

        return each_member

    def _quantified(self, node: program.Quantified) -> Evaluate:
        family = node.domain.type.kind == "family"
        domain = self.compile(node.domain)
        slot = self.slot(node.local)
        condition = self.compile(node.condition)
        wanted = node.quantifier != "every"
        found = node.quantifier == "some"
        spend, steps = self.meter.spend, self.word + self.nodes(node.condition)

        def quantified(c: Cells) -> bool:
            looked_at = 0
            for member in domain(c) if family else members(domain(c)):
                looked_at += 1
                c[slot] = member
                if bool(condition(c)) is wanted:
                    spend(looked_at * steps)
                    return found
            spend(looked_at * steps)
            return not found

        return quantified

    def _those(self, node: program.Those) -> Evaluate:
        each = self.each(node.domain, self.nodes(node.condition))
        slot = self.slot(node.local)
        condition = self.compile(node.condition)
        if node.domain.type.kind == "family":

            def those_of_family(c: Cells) -> tuple[int, ...]:
                kept = []
                for member in each(c):
                    c[slot] = member
                    if condition(c):
                        kept.append(member)
                return tuple(kept)

            return those_of_family

        def those(c: Cells) -> int:
            kept = 0
            for member in each(c):
                c[slot] = member
                if condition(c):
                    kept |= 1 << member
            return kept

        return those

    def _fold(self, node: program.Fold) -> Evaluate:
        each = self.each(node.domain, self.nodes(node.value))
        slot = self.slot(node.local)
        value = self.compile(node.value)
        if node.kind in ("sum", "union"):
            adds = node.kind == "sum"

            def fold(c: Cells) -> int:
                total = 0
                for member in each(c):
                    c[slot] = member
                    total = total + value(c) if adds else total | value(c)
                return total

            return fold
        assert node.otherwise is not None
        otherwise = self.compile(node.otherwise)
        largest = node.kind == "largest"

        def extreme(c: Cells) -> int:
            best: int | None = None
            for member in each(c):
                c[slot] = member
                found = value(c)
                if best is None or (found > best if largest else found < best):
                    best = found
            return int(otherwise(c)) if best is None else best

        return extreme

    def _best(self, node: program.Best) -> Evaluate:
        each = self.each(node.domain, sum(self.nodes(key) for key in node.keys))
        slot = self.slot(node.local)
        keys = [self.compile(key) for key in node.keys]

        def best(c: Cells) -> int:
            chosen, best_keys = 0, None
            for member in each(c):
                c[slot] = member
                found = [key(c) for key in keys]
                if best_keys is None or found > best_keys:
                    chosen, best_keys = member, found
            return chosen

        return best

    # ---- words for what there is now

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
        return lambda c: _union(c, slots)

    def op_mine(self, node: program.Op) -> Evaluate:
        owners, mover = self.layout.owners, self.layout.mover
        return lambda c: c[owners + c[mover]]

    def op_theirs(self, node: program.Op) -> Evaluate:
        owners, mover, players = self.layout.owners, self.layout.mover, self.players
        if players == 2:
            return lambda c: c[owners + 1 - c[mover]] if c[mover] < 2 else c[owners] | c[owners + 1]
        slots = range(owners, owners + players)
        return lambda c: _union(c, slots) & ~(c[owners + c[mover]] if c[mover] < players else 0)

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

    # ---- pieces and players

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

    def op_member(self, node: program.Op) -> Evaluate:
        member, whole = (self.compile(argument) for argument in node.arguments)
        if node.arguments[0].type.kind == "number":
            contains = PURE["member"]
            return lambda c: contains(member(c), whole(c))
        return lambda c: whole(c) >> member(c) & 1 == 1

    def op_pick(self, node: program.Op) -> Evaluate:
        table, index = (self.compile(argument) for argument in node.arguments)

        def pick(c: Cells) -> int:
            entries, number = table(c), index(c)
            return entries[number] if 0 <= number < len(entries) else 0

        return pick

    # ---- the board

    def expander(self, links: program.Expression) -> Expand:
        """The function from state and site to the neighbours that a relation gives."""
        if not isinstance(links, program.Links) or links.kind == "all":
            return _by_table(self.tables.all_links)
        if links.kind == "relation":
            return _by_table(self.tables.relation(links.relation))
        if links.kind == "directions":
            assert links.directions is not None
            if isinstance(links.directions, program.Constant):
                assert isinstance(links.directions.value, int)
                return _by_table(self.tables.directed(links.directions.value))
            return self._by_directions(self.compile(links.directions))
        assert links.function is not None
        return self._by_function(links.function)

    def _by_directions(self, directions: Evaluate) -> Expand:
        steps = self.tables.steps

        def expand(c: Cells, site: int) -> int:
            found = 0
            for direction in members(directions(c)):
                found |= steps[direction][site]
            return found

        return expand

    def _by_function(self, function: program.Function) -> Expand:
        holds = self.function(function)
        first, second = (self.slot(parameter) for parameter in function.parameters)
        links = self.tables.all_links

        def expand(c: Cells, site: int) -> int:
            found = 0
            for other in members(links[site]):
                c[first], c[second] = site, other
                if holds(c):
                    found |= 1 << other
            return found

        return expand

    def flooder(self, links: program.Expression) -> Callable[[Cells, int, int], int]:
        """Flood along a relation: (state, start, among) to what is reached."""
        spread, spend = self._flooder(links), self.meter.spend
        steps = 2 + 2 * self.word
        if isinstance(links, program.Links) and links.function is not None:
            steps += 2 * self.nodes(links.function.value)

        def flooded(c: Cells, start: int, among: int) -> int:
            reached = spread(c, start, among)
            spend(reached.bit_count() * steps)
            return reached

        return flooded

    def _flooder(self, links: program.Expression) -> Callable[[Cells, int, int], int]:
        if isinstance(links, program.Links) and links.kind == "defined":
            assert links.function is not None
            return self._flood_by_function(links.function)
        if isinstance(links, program.Links) and links.kind in ("all", "relation"):
            table = (
                self.tables.all_links
                if links.kind == "all"
                else self.tables.relation(links.relation)
            )
            return lambda c, start, among: flood(start, among, table)
        expand = self.expander(links)

        def flood_by(c: Cells, start: int, among: int) -> int:
            reached = frontier = start & among
            while frontier:
                low = frontier & -frontier
                frontier ^= low
                new = expand(c, low.bit_length() - 1) & among & ~reached
                reached |= new
                frontier |= new
            return reached

        return flood_by

    def _flood_by_function(self, function: program.Function) -> Callable[[Cells, int, int], int]:
        holds = self.function(function)
        first, second = (self.slot(parameter) for parameter in function.parameters)
        links = self.tables.all_links

        def flood_by(c: Cells, start: int, among: int) -> int:
            reached = frontier = start & among
            while frontier:
                low = frontier & -frontier
                frontier ^= low
                site = low.bit_length() - 1
                for other in members(links[site] & among & ~reached):
                    c[first], c[second] = site, other
                    if holds(c):
                        reached |= 1 << other
                        frontier |= 1 << other
            return reached

        return flood_by

    def op_neighbours(self, node: program.Op) -> Evaluate:
        sites = self.compile(node.arguments[0])
        expand = self.expander(node.arguments[1])
        one = _single_site(node.arguments[0])
        if one is not None:
            site = self.compile(one)
            return lambda c: expand(c, site(c))
        spend, steps = self.meter.spend, self._expanding(node.arguments[1])

        def neighbours(c: Cells) -> int:
            found = 0
            start: int = sites(c)
            spend(start.bit_count() * steps)
            for site in members(start):
                found |= expand(c, site)
            return found & ~start

        return neighbours

    def _expanding(self, links: program.Expression) -> int:
        """Steps to find the neighbours of one site."""
        if isinstance(links, program.Links) and links.function is not None:
            return 3 + 4 * self.nodes(links.function.value)
        return 3

    def op_step(self, node: program.Op) -> Evaluate:
        sites = self.compile(node.arguments[0])
        expand = self._directed(node.arguments[1])
        spend = self.meter.spend

        def step(c: Cells) -> int:
            found = 0
            start: int = sites(c)
            spend(start.bit_count() * 3)
            for site in members(start):
                found |= expand(c, site)
            return found

        return step

    def _directed(self, directions: program.Expression) -> Expand:
        if isinstance(directions, program.Constant):
            assert isinstance(directions.value, int)
            return _by_table(self.tables.directed(directions.value))
        return self._by_directions(self.compile(directions))

    def op_slide(self, node: program.Op) -> Evaluate:
        return self._along_rays(node, 0)

    def op_seen(self, node: program.Op) -> Evaluate:
        return self._along_rays(node, 1)

    def _along_rays(self, node: program.Op, part: int) -> Evaluate:
        sites, free, directions = (self.compile(argument) for argument in node.arguments)
        rays, spend = self.tables.rays, self.meter.spend
        steps = 4 + self.word + self.tables.winding // 8

        def along_rays(c: Cells) -> int:
            blockers = ~free(c)
            chosen = list(members(directions(c)))
            found = 0
            start: int = sites(c)
            spend(start.bit_count() * len(chosen) * steps)
            for site in members(start):
                for direction in chosen:
                    found |= rays[direction][site].until(blockers)[part]
            return found

        return along_rays

    def _looker(self) -> Callable[[], None]:
        """Counts the steps of looking along all lines from a site."""
        spend, steps = self.meter.spend, 3 * len(self.program.board.directions)
        return lambda: spend(steps)

    def op_between(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        join, look = self.tables.join, self._looker()

        def between(c: Cells) -> int:
            look()
            found = join(a(c), b(c))
            return found[1] if found else 0

        return between

    def op_path(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        join, look = self.tables.join, self._looker()

        def path(c: Cells) -> int:
            look()
            end = b(c)
            found = join(a(c), end)
            return found[1] | 1 << end if found else 0

        return path

    def op_heading(self, node: program.Op) -> Evaluate:
        a, b = (self.compile(argument) for argument in node.arguments)
        join, look = self.tables.join, self._looker()

        def heading(c: Cells) -> int:
            look()
            found = join(a(c), b(c))
            return 1 << found[0] if found else 0

        return heading

    def op_group(self, node: program.Op) -> Evaluate:
        site, among = (self.compile(argument) for argument in node.arguments[:2])
        spread = self.flooder(node.arguments[2])
        slots = self.owner_slots
        given = node.arguments[1]
        if not (isinstance(given, program.Constant) and given.value == -1):
            return lambda c: spread(c, 1 << site(c), among(c))

        def group(c: Cells) -> int:
            where = site(c)
            for slot in slots:
                if c[slot] >> where & 1:
                    return spread(c, 1 << where, c[slot])
            return 0

        return group

    def op_groups(self, node: program.Op) -> Evaluate:
        sites = self.compile(node.arguments[0])
        spread = self.flooder(node.arguments[1])

        def groups(c: Cells) -> tuple[int, ...]:
            left = sites(c)
            found = []
            while left:
                part = spread(c, left & -left, left)
                found.append(part)
                left &= ~part
            return tuple(found)

        return groups

    def op_reach(self, node: program.Op) -> Evaluate:
        start, among = (self.compile(argument) for argument in node.arguments[:2])
        spread = self.flooder(node.arguments[2])
        return lambda c: spread(c, start(c), among(c))

    def op_joined(self, node: program.Op) -> Evaluate:
        sites, start, goal = (self.compile(argument) for argument in node.arguments[:3])
        spread = self.flooder(node.arguments[3])

        def joined(c: Cells) -> bool:
            among, to = sites(c), goal(c)
            begin = start(c) & among
            if not begin or not to & among:
                return False
            return bool(spread(c, begin, among) & to)

        return joined

    def op_line(self, node: program.Op) -> Evaluate:
        length, among = (self.compile(argument) for argument in node.arguments)
        tables, spend = self.tables, self.meter.spend
        known: dict[int, tuple[int, ...]] = {}

        def line(c: Cells) -> bool:
            wanted, sites = length(c), among(c)
            if wanted <= 0:
                return True
            if wanted not in known:
                known[wanted] = tables.lines(wanted)
            spend(len(known[wanted]))
            return any(line & ~sites == 0 for line in known[wanted])

        return line

    def op_run(self, node: program.Op) -> Evaluate:
        site, among = (self.compile(argument) for argument in node.arguments)
        rays, axes = self.tables.rays, self.tables.axes

        def run(c: Cells) -> int:
            where, sites = site(c), among(c)
            if not sites >> where & 1:
                return 0
            best = 1
            for there, back in axes:
                ahead = rays[there][where].until(~sites)[0]
                behind = rays[back][where].until(~sites)[0]
                best = max(best, 1 + (ahead | behind).bit_count())
            return best

        return run


_ALIASES = {"/": "division", "mod": "division"}


def _union(cells: Cells, slots: range) -> int:
    found = 0
    for slot in slots:
        found |= cells[slot]
    return found


def _by_table(table: Sequence[int]) -> Expand:
    return lambda c, site: table[site]


def _single_site(node: program.Expression) -> program.Expression | None:
    if isinstance(node, program.Op) and node.name == "single":
        return node.arguments[0]
    return None


_BINARY: dict[str, Callable[..., Evaluate]] = {
    "and": lambda a, b: lambda c: a(c) and b(c),
    "or": lambda a, b: lambda c: a(c) or b(c),
    "not": lambda a: lambda c: not a(c),
    "intersection": lambda a, b: lambda c: a(c) & b(c),
    "together": lambda a, b: lambda c: a(c) | b(c),
    "complement": lambda a, everything: lambda c: everything(c) & ~a(c),
    "within": lambda a, b: lambda c: a(c) & ~b(c) == 0,
    "=": lambda a, b: lambda c: a(c) == b(c),
    "single": lambda a: lambda c: 1 << a(c),
    "some": lambda a: lambda c: a(c) != 0,
    "none": lambda a: lambda c: a(c) == 0,
    "count": lambda a: lambda c: a(c).bit_count(),
    "+": lambda a, b: lambda c: a(c) + b(c),
    ">": lambda a, b: lambda c: a(c) > b(c),
}
"""The commonest operators without the detour over `PURE`; a test holds them to it."""

__all__ = ["CanMove", "Evaluate", "Expressions"]
