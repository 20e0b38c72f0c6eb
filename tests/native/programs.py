"""Random descriptions of whole games, for running them on both engines.

`description(number)` is the text of a game that may use anything the language has: boards of every
shape and size, all kinds of state, every statement and operation. It is nothing that anybody would
play, may be refused by the checker, and may go wrong in play; what matters is that both engines say
the same of it. The same number gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

import attrs

from ludeme.game import load_text

BOARDS: dict[str, tuple[str, ...]] = {
    "small": (
        "square(3)",
        "square(4, 3)",
        "square(8)",
        "hexagon(3)",
        "triangle(4)",
        "parallelogram(4)",
        "wheel(5, 2)",
        "wheel(9, 3)",
        "sites",
    ),
    "two words": ("square(9)", "square(11, 7)", "hexagon(6)", "wheel(12, 6)", "triangle(12)"),
    "three words": ("square(12)", "parallelogram(13)", "wheel(15, 10)", "square(64, 3)"),
    "four words": ("square(15)", "wheel(20, 12)", "hexagon(9)"),
    "more words": ("square(17)", "hexagon(11)", "triangle(24)", "parallelogram(18)"),
}
"""Shapes by the number of 64-bit words that a set of their sites takes."""

SITES = (
    "board sites",
    "  hut - mill - ford: road",
    "  ford - weir - hut: river",
    "  mill - weir - isle",
)
NUMBER_RANGES = (
    (0, 9),
    (-5, 5),
    (0, 1),
    (0, 40),
    (-100, 1000),
    (0, 100_000),
    (-1_000_000_000, 1_000_000_000),
)


@lru_cache
def names_of(board: str) -> tuple[str, ...]:
    """The sites of a board."""
    shape = "\n".join(SITES) if board == "sites" else f"board {board}"
    text = f'game "Board"\nplayers Ann\n{shape}\npiece man\nturn\n  choose s from board\n'
    return load_text(text).program.board.names


@attrs.define
class Scope:
    """What may be said at a place: who moves, what is bound, what may be written."""

    mover: bool = False
    placed: bool = False
    ability: bool = False
    plans: bool = False
    reveal: bool = False
    at_once: bool = False
    deciding: bool = False
    in_repeat: bool = False
    names: list[tuple[str, str]] = attrs.field(factory=list)
    lets: list[tuple[str, str]] = attrs.field(factory=list)

    def inside(self, **more: bool) -> Scope:
        """The same place in an inner block."""
        made = attrs.evolve(self, **more)
        made.names, made.lets = self.names[:], self.lets[:]
        return made


@attrs.frozen
class Known:
    """A declared variable: its name, owner, kind of value, index and range."""

    name: str
    owner: str
    kind: str
    index: str | None = None
    low: int = 0
    high: int = 0
    planned: bool = False


class Writer:
    """Writes one description."""

    def __init__(self, seed: object, size: str | None = None) -> None:
        self.rng = Random(repr(seed))
        self.size = size or self.one(tuple(BOARDS))
        self.count = 0
        self.variables: list[Known] = []
        self.definitions: list[tuple[str, tuple[str, ...], str]] = []
        self.relations: list[str] = []
        self.turns: list[str] = []
        self.together = False
        self.budget = 0

    # ---- chance

    def one(self, options: Sequence[str]) -> str:
        """One of several texts."""
        return self.rng.choice(options)

    def maybe(self, chance: float = 0.5) -> bool:
        """True with a chance."""
        return self.rng.random() < chance

    def fresh(self, stem: str) -> str:
        """A name that nothing else has."""
        self.count += 1
        return f"{stem}_{self.count}"

    def pick(self, ways: Sequence[Callable[[], str]]) -> str:
        """One of several ways to say something."""
        return self.rng.choice(ways)()

    # ---- the whole

    def text(self) -> str:
        """The description."""
        self.board = self.one(BOARDS[self.size])
        self.players = ("Ann", "Bob", "Cid", "Dot")[: self.rng.choice((1, 2, 2, 2, 2, 3, 4))]
        self.kinds = ("man", "king", "wall")[: self.rng.choice((1, 1, 2, 3))]
        self.stack = self.rng.choice((1, 1, 1, 2, 3, 6))
        lines = ['game "Random"', *self.of_players(), *self.of_board(), *self.of_pieces()]
        lines += self.of_state()
        lines += self.of_definitions()
        lines += self.block_of("start", self.start())
        lines += self.of_turns()
        lines += self.of_play()
        lines += self.of_ends()
        return "\n".join(lines) + "\n"

    def block_of(self, head: str, lines: Sequence[str]) -> list[str]:
        """A line and what is indented below it."""
        return [head, *("  " + line for line in lines)] if lines else []

    def of_players(self) -> list[str]:
        lines = [f"players {', '.join(self.players)}"]
        if self.directed and self.maybe():
            rows = [self.direction_set() for _ in self.players]
            lines.append(f"  ahead: {', '.join(rows)}")
            self.has_ahead = True
        else:
            self.has_ahead = False
        return lines

    @property
    def directed(self) -> bool:
        """Whether the board has directions."""
        return self.board != "sites"

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions of the board."""
        if self.board.startswith("wheel"):
            return ("clockwise", "counterclockwise", "outward", "inward")
        if self.board.startswith("square"):
            return ("north", "east", "south", "west", "northeast", "southwest")
        return ("northeast", "east", "southeast", "southwest", "west", "northwest")

    @property
    def relations_of_board(self) -> tuple[str, ...]:
        """The relations of the board."""
        if self.board == "sites":
            return ("road", "river")
        if self.board.startswith("wheel"):
            return ("ring", "spoke")
        return ("orthogonal", "diagonal") if self.board.startswith("square") else ("adjacent",)

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the board in the plural."""
        if self.board == "sites":
            return ()
        return ("rings", "spokes") if self.board.startswith("wheel") else ("rows",)

    @property
    def site_names(self) -> tuple[str, ...]:
        """Some sites of the board."""
        names = names_of(self.board)
        return (*names[:3], *names[:: max(1, len(names) // 7)], *names[-2:])

    def of_board(self) -> list[str]:
        if self.board == "sites":
            return list(SITES)
        lines = [f"board {self.board}"]
        if self.size == "small":
            return lines
        if self.board.startswith("square") and self.maybe(0.2):
            lines.append("  cut links inside row(2)")
        return lines

    def of_pieces(self) -> list[str]:
        self.neutral = self.maybe(0.3)
        if len(self.kinds) == 1:
            lines = [f"piece {self.kinds[0]}"]
            self.has_base = False
        else:
            lines = [f"pieces {', '.join(self.kinds)}"]
            self.has_base = not self.neutral and self.maybe()
            if self.has_base:
                base = [self.one(self.kinds) for _ in self.kinds]
                lines.append(f"  base: {', '.join(base)}")
        if self.neutral:
            lines.append("neutral piece rock")
        if self.stack > 1:
            lines.append(f"stacks up to {self.stack}")
        self.hands = self.maybe(0.3)
        if self.hands:
            lines.append(f"each player holds {self.rng.choice((1, 3, 30))} {self.kinds[0]}")
        if self.maybe(0.3) and self.directed:
            lines.append(f"region camp = {self.families[0][:-1]}(1)")
            self.camp = True
        else:
            self.camp = False
        return lines

    # ---- state

    def of_state(self) -> list[str]:
        lines = []
        for _ in range(self.rng.randint(1, 6)):
            lines.append(self.declare())
        if self.maybe(0.3):
            self.together = len(self.players) > 1
        if self.together:
            for _ in range(self.rng.randint(1, 3)):
                lines.append(self.plan())
        return lines

    def lasting(self) -> str:
        return f" lasting {self.rng.choice((1, 1, 2, 9, 70))} turns" if self.maybe(0.25) else ""

    def declare(self) -> str:
        owner = self.one(("game", "player", "site", "piece", "site", "piece"))
        index = None
        if owner in ("game", "player") and self.maybe(0.25):
            index = self.one(("site", "player", "kind"))
        kind = self.one(("number", "number", "truth", "site", "player", "kind", "sites", "choice",
                         "numbers", "directions", "players"))  # fmt: skip
        if kind == "directions" and not self.directed:
            kind = "number"
        return self.declared(owner, kind, index, planned=False)

    def plan(self) -> str:
        index = self.one(("site", "player", "kind")) if self.maybe() else None
        kind = self.one(("number", "truth", "site", "choice", "player"))
        return self.declared("player", kind, index, planned=True)

    def declared(self, owner: str, kind: str, index: str | None, planned: bool) -> str:
        name = self.fresh("v")
        subject = "game" if owner == "game" else f"each {owner}"
        verb = "plans" if planned else "has"
        head = f"{subject} {verb} {name}" + (f" for each {index}" if index else "")
        low = high = 0
        if kind == "number":
            low, high = self.rng.choice(NUMBER_RANGES)
            head += f" = {self.rng.randint(max(low, -9), min(high, 9))} from {low}..{high}"
        elif kind == "site":
            head += f": site = {self.one(self.site_names)}"
        elif kind == "choice":
            head += f": {name}_calm, {name}_angry, {name}_odd"
            kind = f"choice {name}"
        elif kind != "truth":
            head += f": {kind}"
        elif owner in ("site", "piece"):
            kind = "flag"
        self.variables.append(Known(name, owner, kind, index, low, high, planned))
        # What each site or piece has may pass only if it is a flag.
        passing = not planned and (owner in ("game", "player") or kind == "flag")
        return head + (self.lasting() if passing else "")

    # ---- definitions

    def of_definitions(self) -> list[str]:
        lines = []
        if self.maybe(0.4):
            name = self.fresh("linked")
            scope = Scope(names=[("s", "site"), ("t", "site")])
            lines.append(f"relation {name}(s: site, t: site) = {self.truth(scope, 1)}")
            self.relations.append(name)
        for _ in range(self.rng.randint(0, 3)):
            name = self.fresh("d")
            parameters = tuple(
                self.one(("site", "sites", "number", "player", "family"))
                for _ in range(self.rng.randint(0, 2))
            )
            names = [(f"arg_{i}", kind) for i, kind in enumerate(parameters)]
            kind = self.one(("number", "truth", "sites", "sites", "family", "site"))
            written = ", ".join(f"{n}: {k}" for n, k in names)
            value = self.of(kind, Scope(names=names), 2)
            lines.append(f"define {name}{f'({written})' if names else ''} = {value}")
            self.definitions.append((name, parameters, kind))
        return lines

    # ---- expressions

    def of(self, kind: str, scope: Scope, depth: int) -> str:
        """An expression of a kind of value."""
        named = [n for n, k in scope.names if k == kind]
        if named and self.maybe(0.4):
            return self.one(named)
        if depth > 0 and self.maybe(0.12):
            defined = [d for d in self.definitions if d[2] == kind]
            if defined:
                name, parameters, _ = self.rng.choice(defined)
                given = ", ".join(self.of(k, scope, depth - 1) for k in parameters)
                return f"{name}({given})" if parameters else name
        readable = [v for v in self.variables if self.can_read(v, kind, scope)]
        if readable and self.maybe(0.35):
            return self.read(self.rng.choice(readable), scope, depth - 1)
        if depth > 0 and kind != "family" and self.maybe(0.08):
            parts = (self.truth(scope, depth - 1), *(self.of(kind, scope, depth - 1) for _ in "ab"))
            return f"(if {parts[0]} then {parts[1]} else {parts[2]})"
        if kind.startswith("choice "):
            return f"{kind[7:]}_{self.one(('calm', 'angry', 'odd'))}"
        method: Callable[[Scope, int], str] = getattr(self, f"say_{kind}")
        return method(scope, depth)

    def can_read(self, variable: Known, kind: str, scope: Scope) -> bool:
        if variable.kind == "flag":
            return kind == "sites"
        if variable.planned and scope.plans and not scope.mover:
            return False
        return variable.kind == kind

    def read(self, variable: Known, scope: Scope, depth: int) -> str:
        """The value of a variable."""
        indices = []
        if variable.kind == "flag":
            return variable.name
        if variable.owner == "player":
            own = variable.planned and scope.plans
            indices.append("mover" if own else self.of("player", scope, depth))
        elif variable.owner in ("site", "piece"):
            indices.append(self.of("site", scope, depth))
        if variable.index:
            indices.append(self.of(variable.index, scope, depth))
        return f"{variable.name}({', '.join(indices)})" if indices else variable.name

    def sites_leaf(self, scope: Scope) -> str:
        leaves = ["board", "empty", "occupied", "nothing", self.kinds[0], "empty"]
        leaves += ["mine", "theirs", "mine"] if scope.mover else []
        leaves += ["placed"] if scope.placed else []
        leaves += ["camp"] if self.camp else []
        leaves += [n for n, k in scope.names if k == "site"] * 2
        leaves.append("{" + ", ".join({self.one(self.site_names), self.one(self.site_names)}) + "}")
        leaves.append(f"pieces({self.player(scope, 0)})")
        if self.directed:
            leaves.append(self.families[0][:-1] + "(1)")
        return self.one(leaves)

    def sites_(self, scope: Scope, depth: int) -> str:
        return self.of("sites", scope, depth)

    def setting(self, scope: Scope, depth: int) -> str:
        """A set of sites that is small on large boards."""
        if self.size == "small":
            return self.sites_(scope, depth)
        small = "{" + ", ".join(sorted(set(self.site_names))) + "}"
        if self.board.startswith(("square", "parallelogram")) and self.maybe():
            small = self.one(("row(1)", "column(2)", "row(3)"))
        return f"({small} and {self.sites_(scope, depth)})"

    def along(self, scope: Scope, depth: int, directions: bool = False) -> str:
        """`, along …` or nothing."""
        if self.maybe(0.4):
            return ""
        if directions:
            return f", along {self.of('directions', scope, depth)}" if self.directed else ""
        ways = [*self.relations_of_board, *self.relations] if self.maybe(0.8) else []
        if ways:
            return f", along {self.one(ways)}"
        return f", along {self.of('directions', scope, depth)}" if self.directed else ""

    def sites_binder(self, scope: Scope, depth: int) -> tuple[str, str, Scope]:
        """A name, a domain, and the scope inside."""
        family = self.maybe(0.25)
        if family:
            name, kind, domain = self.fresh("g"), "sites", self.of("family", scope, depth)
        else:
            kind = self.one(("site", "site", "site", "player", "number"))
            name = self.fresh("x")
            if kind == "site":
                domain = self.setting(scope, depth)
            elif kind == "player":
                domain = self.of("players", scope, depth)
            else:
                domain = self.of("numbers", scope, depth)
        inner = scope.inside()
        inner.names.append((name, kind))
        return name, domain, inner

    def say_sites(self, scope: Scope, depth: int) -> str:
        if depth <= 0:
            return self.sites_leaf(scope)
        d = depth - 1

        def s() -> str:
            return self.sites_(scope, d)

        def site() -> str:
            return self.of("site", scope, d)

        def those() -> str:
            name, inner = self.fresh("x"), scope.inside()
            inner.names.append((name, "site"))
            return f"(those {name} in {self.setting(scope, d)} where {self.truth(inner, d)})"

        def union() -> str:
            name, domain, inner = self.sites_binder(scope, d)
            return f"(union {self.sites_(inner, d)} for {name} in {domain})"

        def best() -> str:
            name, inner = self.fresh("g"), scope.inside()
            inner.names.append((name, "sites"))
            keys = ", then ".join(self.number(inner, d) for _ in range(self.rng.randint(1, 2)))
            return f"(best {name} in {self.of('family', scope, d)} by {keys})"

        ways: list[Callable[[], str]] = [
            lambda: self.sites_leaf(scope),
            lambda: f"({s()} and {s()})",
            lambda: f"({s()} and {s()})",
            lambda: f"({s()} or {s()})",
            lambda: f"(not {s()})",
            lambda: f"neighbours({s()}{self.along(scope, d)})",
            lambda: f"neighbours({site()}{self.along(scope, d)})",
            lambda: f"group({site()}{self.along(scope, d)})",
            lambda: f"group({site()}, among {s()}{self.along(scope, d)})",
            lambda: f"reach(from {s()}, among {s()}{self.along(scope, d)})",
            those,
            union,
            best,
        ]
        if self.directed:
            ways += [
                lambda: f"step({s()}{self.along(scope, d, True)})",
                lambda: f"step({site()}{self.along(scope, d, True)})",
                lambda: f"slide({site()}, over {s()}{self.along(scope, d, True)})",
                lambda: f"slide({s()}, over {s()}{self.along(scope, d, True)})",
                lambda: f"seen({s()}, over {s()}{self.along(scope, d, True)})",
                lambda: f"between({site()}, {site()})",
                lambda: f"path({site()}, {site()})",
                lambda: f"{self.families[0][:-1]}({self.number(scope, d)})",
                lambda: f"in_sight({site()}, over {s()})",
            ]
        return self.pick(ways)

    def number(self, scope: Scope, depth: int) -> str:
        """A number."""
        return self.of("number", scope, depth)

    def say_number(self, scope: Scope, depth: int) -> str:
        leaf = str(self.rng.choice((0, 1, 1, 2, 3, 5, 7, 12)))
        if depth <= 0:
            return self.one((leaf, "turns", "passes", "skips", leaf, leaf))
        d = depth - 1

        def n() -> str:
            return self.number(scope, d)

        def fold() -> str:
            name, domain, inner = self.sites_binder(scope, d)
            return f"(sum {self.number(inner, d)} for {name} in {domain})"

        def extreme() -> str:
            name, domain, inner = self.sites_binder(scope, d)
            word = self.one(("largest", "smallest"))
            return f"({word} {self.number(inner, d)} for {name} in {domain} else {n()})"

        def divided() -> str:
            word = self.one(("/", "mod"))
            below = n() if self.maybe(0.2) else f"max(1, {n()})"
            return f"({n()} {word} {below})"

        ways: list[Callable[[], str]] = [
            lambda: leaf,
            lambda: f"count({self.sites_(scope, d)})",
            lambda: f"count({self.of('family', scope, d)})",
            lambda: f"count({self.of('numbers', scope, d)})",
            lambda: f"height({self.of('site', scope, d)})",
            lambda: f"({n()} {self.one(('+', '-'))} {n()})",
            lambda: f"({n()} * {self.rng.randint(-3, 3)})",
            divided,
            lambda: f"{self.one(('min', 'max'))}({n()}, {n()})",
            lambda: f"abs({n()})",
            lambda: f"(-{n()})",
            fold,
            extreme,
            lambda: f"held({self.player(scope, d)}, {self.kind(scope, d)})",
        ]
        if self.directed:
            ways.append(lambda: f"run({self.of('site', scope, d)}, among {self.sites_(scope, d)})")
        return self.pick(ways)

    def truth(self, scope: Scope, depth: int) -> str:
        """A truth."""
        return self.of("truth", scope, depth)

    def say_truth(self, scope: Scope, depth: int) -> str:
        d = max(0, depth - 1)

        def s() -> str:
            return self.sites_(scope, d)

        def n() -> str:
            return self.number(scope, d)

        if depth <= 0:
            return self.pick((lambda: f"(some {s()})", lambda: f"({n()} < {n()})", lambda: "true"))

        def quantified() -> str:
            name, domain, inner = self.sites_binder(scope, d)
            word = self.one(("some", "no", "every"))
            return f"({word} {name} in {domain} has {self.truth(inner, d)})"

        def equal() -> str:
            kind = self.one(("number", "site", "player", "kind", "sites", "players", "numbers"))
            sign = self.one(("=", "!="))
            return f"({self.of(kind, scope, d)} {sign} {self.of(kind, scope, d)})"

        def member() -> str:
            kind, kinds = self.one(
                ("site sites", "player players", "kind kinds", "number numbers")
            ).split()
            word = self.one(("in", "not in"))
            return f"({self.of(kind, scope, d)} {word} {self.of(kinds, scope, d)})"

        ways: list[Callable[[], str]] = [
            lambda: f"({self.one(('some', 'no'))} {s()})",
            lambda: f"({n()} {self.one(('<', '<=', '>', '>='))} {n()})",
            equal,
            member,
            quantified,
            lambda: f"({s()} in {s()})",
            lambda: f"({self.truth(scope, d)} {self.one(('and', 'or'))} {self.truth(scope, d)})",
            lambda: f"(not {self.truth(scope, d)})",
            lambda: (
                f"joined({s()}, from {s()}, to {s()}{self.along(scope, d).replace('along', 'by')})"
            ),
            lambda: f"passed({self.player(scope, d)})",
            lambda: f"(some {self.of('family', scope, d)})",
        ]
        if self.directed:
            ways.append(lambda: f"line({self.rng.randint(0, 5)}, among {s()})")
        if scope.ability and self.turns:
            word = self.one(("can", "cannot"))
            ways.append(lambda: f"({self.player(scope, 0)} {word} {self.one(self.turns)})")
        return self.pick(ways)

    def say_site(self, scope: Scope, depth: int) -> str:
        return self.one(self.site_names)

    def player(self, scope: Scope, depth: int) -> str:
        """A player."""
        return self.of("player", scope, depth)

    def say_player(self, scope: Scope, depth: int) -> str:
        ways: list[Callable[[], str]] = [lambda: self.one(self.players)] * 3
        ways.append(lambda: "nobody")
        if scope.mover:
            ways += [lambda: "mover", lambda: "mover", lambda: "next"]
        if depth > 0:
            ways.append(lambda: f"owner({self.of('site', scope, depth - 1)})")
            if len(self.players) == 2:
                ways.append(lambda: f"rival({self.player(scope, depth - 1)})")
        return self.pick(ways)

    def kind(self, scope: Scope, depth: int) -> str:
        """A kind of piece."""
        return self.of("kind", scope, depth)

    def say_kind(self, scope: Scope, depth: int) -> str:
        ways: list[Callable[[], str]] = [lambda: self.one(self.kinds)] * 2
        if depth > 0:
            ways.append(lambda: f"kind({self.of('site', scope, depth - 1)})")
            if self.has_base:
                ways.append(lambda: f"base({self.kind(scope, depth - 1)})")
        return self.pick(ways)

    def direction_set(self) -> str:
        return "{" + ", ".join({self.one(self.directions), self.one(self.directions)}) + "}"

    def say_directions(self, scope: Scope, depth: int) -> str:
        ways: list[Callable[[], str]] = [self.direction_set, lambda: "compass"]
        if self.has_ahead:
            ways.append(lambda: f"ahead({self.player(scope, depth - 1)})")
        if depth > 0:
            sites = (self.of("site", scope, depth - 1), self.of("site", scope, depth - 1))
            ways.append(lambda: f"heading({sites[0]}, {sites[1]})")
            ways.append(lambda: f"(not {self.of('directions', scope, depth - 1)})")
        return self.pick(ways)

    def say_direction(self, scope: Scope, depth: int) -> str:
        return self.one(self.directions)

    def say_players(self, scope: Scope, depth: int) -> str:
        ways: list[Callable[[], str]] = [lambda: "players"] * 2
        if len(self.players) > 1:
            ways.append(lambda: f"others({self.player(scope, depth - 1)})")
        ways.append(lambda: "{" + self.player(scope, depth - 1) + "}")
        if depth > 0:
            inner, name = scope.inside(), self.fresh("q")
            inner.names.append((name, "player"))
            ways.append(lambda: f"(those {name} in players where {self.truth(inner, depth - 1)})")
        return self.pick(ways)

    def say_kinds(self, scope: Scope, depth: int) -> str:
        ways: list[Callable[[], str]] = [lambda: "{" + self.kind(scope, depth - 1) + "}"]
        ways.append(lambda: f"hand({self.player(scope, depth - 1)})")
        if depth > 0:
            ways.append(lambda: f"(not {self.of('kinds', scope, depth - 1)})")
        return self.pick(ways)

    def say_numbers(self, scope: Scope, depth: int) -> str:
        """A set of numbers."""
        high = self.rng.choice((2, 3, 5))
        ways: list[Callable[[], str]] = [lambda: f"(1..{high})", lambda: "{1, 3, 4}"]
        if depth > 0:
            low = f"max(0, {self.number(scope, depth - 1)})"
            ways.append(lambda: f"({low}..min(9, {self.number(scope, depth - 1)}))")
            ways.append(lambda: f"(0..min(70, max(0, {self.number(scope, depth - 1)})))")
            inner, name = scope.inside(), self.fresh("n")
            inner.names.append((name, "number"))
            ways.append(lambda: f"(those {name} in 0..6 where {self.truth(inner, depth - 1)})")
        return self.pick(ways)

    def say_family(self, scope: Scope, depth: int) -> str:
        """A family of sets."""
        ways: list[Callable[[], str]] = [
            lambda: f"groups({self.sites_(scope, depth - 1)}{self.along(scope, depth - 1)})"
        ] * 2
        if self.families:
            ways.append(lambda: self.one(self.families))
        if depth > 0:
            inner, name = scope.inside(), self.fresh("g")
            inner.names.append((name, "sites"))
            domain = self.of("family", scope, depth - 1)
            ways.append(lambda: f"(those {name} in {domain} where {self.truth(inner, depth - 1)})")
        return self.pick(ways)

    # ---- lines

    def start(self) -> list[str]:
        scope = Scope()
        lines = []
        for number, player in enumerate(self.players):
            place = self.site_names[(2 * number) % len(self.site_names)]
            lines.append(f"put {player} {self.one(self.kinds)} on {place} and empty")
        if self.camp and self.maybe():
            lines.append(f"put {self.players[0]} {self.kinds[0]} on camp and empty")
        for _ in range(self.rng.randint(0, 2)):
            lines += self.effect(scope, 1)
        return lines

    def of_turns(self) -> list[str]:
        lines: list[str] = []
        for number in range(self.rng.randint(1, 2)):
            name = f"turn_{number}"
            lines += self.turn(name, together=False)
            self.turns.append(name)
        if self.together:
            lines += self.turn("plot", together=True)
            lines += self.block_of("reveal plot", self.reveal())
        return lines

    def turn(self, name: str, together: bool) -> list[str]:
        scope = Scope(mover=True, placed=True, plans=together, deciding=True)
        self.budget = self.rng.randint(3, 8)
        joiner = self.one(("", ' joined by " "', ' joined by ", "'))
        head = f"turn {name}{' together' if together else ''}"
        if self.maybe(0.6):
            body = ["one of"]
            for _ in range(self.rng.randint(1, 3)):
                inner = scope.inside()
                lines = self.lines(inner, 2, self.rng.randint(1, 3), begin=True)
                shown = self.template(inner)
                body += [f"  - {self.fresh('way')}{shown}", *("      " + each for each in lines)]
            if self.maybe(0.9):
                body += ["  otherwise idle", "      pass"]
            if self.maybe(0.15):
                body += self.lines(scope, 1, 1, begin=False)
            return [head + joiner, *("  " + line for line in body)]
        lines = self.lines(scope, 2, self.rng.randint(1, 4), begin=True)
        if not together and self.maybe(0.4):
            lines[0] = (
                f"choose {scope.names[0][0]} from {self.setting(Scope(mover=True), 0)} or empty"
            )
            scope.names[0] = (scope.names[0][0], "site")
        if self.maybe(0.2):
            lines.append(f"require most {self.number(scope, 1)}")
        return [head + self.template(scope) + joiner, *("  " + line for line in lines)]

    def template(self, scope: Scope) -> str:
        """What is printed; mostly everything that was chosen."""
        kinds = ("site", "sites", "number", "player", "kind", "direction")
        shown = [n for n, k in scope.names if k in kinds]
        if self.maybe(0.15):
            shown = shown[:1]
        between = self.one(("-", " ", " ", "x", ""))
        text = between.join("{" + name + "}" for name in shown)
        if not text and self.maybe(0.7):
            return ""
        return f' as "{self.one(("", "to ", "1"))}{text}"'

    def reveal(self) -> list[str]:
        scope = Scope(reveal=True)
        self.budget = 6
        lines = self.lines(scope, 2, 2, begin=False)
        plans = [v for v in self.variables if v.planned and v.index is None]
        if plans:
            plan = self.rng.choice(plans)
            inner = Scope(reveal=True, at_once=True, names=[("p", "player")])
            lines += ["for each p in players"]
            if plan.kind == "site":
                kind = self.one(self.kinds)
                lines += [f"  if {plan.name}(p) in empty: put p {kind} on {plan.name}(p)"]
            else:
                lines += ["  " + each for each in self.effect(inner, 1)]
        return lines

    def lines(self, scope: Scope, depth: int, count: int, begin: bool) -> list[str]:
        """Some lines of a block."""
        lines: list[str] = []
        if begin and scope.deciding:
            lines += self.choose(scope, depth)
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            lines += self.line(scope, depth)
        return lines or ["let idle_" + str(self.count) + " = 1"]

    def line(self, scope: Scope, depth: int) -> list[str]:
        """One line, with what is below it."""
        ways: list[Callable[[], list[str]]] = [lambda: self.effect(scope, depth)] * 5
        if depth > 0:
            ways += [lambda: self.if_(scope, depth), lambda: self.match(scope, depth)]
            ways += [lambda: self.for_each(scope, depth)] * 2
            if not scope.at_once:
                ways += [lambda: self.one_by_one(scope, depth)]
        if not scope.at_once:
            ways += [lambda: self.let(scope, depth)]
        if scope.deciding and not scope.at_once:
            ways += [lambda: self.choose(scope, depth)] * 2
            if self.maybe(0.3):
                ways += [lambda: [f"require {self.truth(scope, depth)}"]]
            if depth > 0:
                ways += [lambda: self.one_of(scope, depth), lambda: self.repeat(scope, depth)]
            if scope.in_repeat:
                ways += [lambda: [f"if {self.truth(scope, 1)}: stop"]]
            if not scope.plans and self.maybe(0.2):
                ways += [lambda: [f"if {self.truth(scope, 1)}: again"]]
            if self.maybe(0.2):
                ways += [lambda: ["pass"]]
        return self.rng.choice(ways)()

    def choose(self, scope: Scope, depth: int) -> list[str]:
        """A decision."""
        kind = self.one(("site", "site", "site", "site", "number", "player", "kind", "direction"))
        if kind == "direction" and not self.directed:
            kind = "site"
        name = self.fresh("c")
        plural = kind + "s"
        small = kind == "site" and (self.size == "small" or not scope.names)
        domain = self.sites_(scope, depth) if small else self.of(plural, scope, depth)
        if kind == "site" and not small:
            domain = self.setting(scope, depth)
        if kind == "site" and self.maybe(0.5):
            domain = f"(empty and {domain})" if self.maybe() or not scope.mover else domain
        if self.maybe(0.15):
            low = self.rng.randint(0, 2)
            some = self.number(scope, 1)
            amount = self.one((str(low), f"{low}..{low + 1}", f"1..(min(4, {some}))", f"({some})"))
            if kind == "site":
                domain = self.setting(scope, depth)
            line = f"choose {amount} {name} from {domain}"
            scope.names.append((name, plural))
            return [line]
        where = ""
        if self.maybe(0.15):
            inner = scope.inside()
            inner.names.append((name, kind))
            where = f" where {self.truth(inner, 1)}"
        scope.names.append((name, kind))
        return [f"choose {name} from {domain}{where}"]

    def let(self, scope: Scope, depth: int) -> list[str]:
        """A name for a value, or a change of one."""
        if scope.lets and self.maybe(0.5):
            name, kind = self.rng.choice(scope.lets)
            return [f"set {name} to {self.of(kind, scope, depth)}"]
        kind = self.one(("number", "site", "sites", "player", "truth", "kind"))
        name = self.fresh("l")
        line = f"let {name} = {self.of(kind, scope, depth)}"
        scope.names.append((name, kind))
        scope.lets.append((name, kind))
        return [line]

    def effect(self, scope: Scope, depth: int) -> list[str]:
        """A change of the state."""
        if scope.plans:
            plans = [v for v in self.variables if v.planned]
            return [self.write(self.rng.choice(plans), scope, depth)]
        variables = [v for v in self.variables if not v.planned or scope.reveal]
        ways: list[Callable[[], str]] = [
            lambda: self.put(scope, depth),
            lambda: self.put(scope, depth),
            lambda: self.move(scope, depth),
            lambda: f"remove {self.setting(scope, depth)}",
            lambda: f"swap {self.of('site', scope, 1)} with {self.of('site', scope, 1)}",
            lambda: f"give {self.setting(scope, depth)} to {self.player(scope, 1)}",
            lambda: f"change {self.setting(scope, depth)} to {self.kind(scope, 0)}",
        ]
        if variables:
            ways += [lambda: self.write(self.rng.choice(variables), scope, depth)] * 5
        if not scope.at_once and self.maybe(0.1):
            ways += [lambda: "refill hands", lambda: "clear board"]
        return [self.pick(ways)]

    def put(self, scope: Scope, depth: int) -> str:
        amount = self.one(("", "", "", "2 ", f"({self.number(scope, 1)}) "))
        if amount.startswith("(") and self.maybe(0.8):
            amount = f"(min({self.stack}, max(0, {amount.strip()}))) "
        hand = " from hand" if self.hands and self.maybe(0.3) else ""
        owner = self.player(scope, 1) if not scope.mover or self.maybe(0.3) else "mover"
        kind = self.kind(scope, 1)
        if self.neutral and self.maybe(0.15):
            owner, kind = "", "rock"
        where = self.setting(scope, depth)
        if self.maybe(0.95):
            where = f"(empty and {where})"
        return f"put {amount}{owner} {kind}{hand} on {where}".replace("  ", " ")

    def move(self, scope: Scope, depth: int) -> str:
        origin, target = self.of("site", scope, 1), self.of("site", scope, 1)
        line = f"move {origin} to {target}"
        if self.maybe(0.9) and not scope.at_once:
            return f"if {origin} in occupied and {target} in empty: {line}"
        return line

    def write(self, variable: Known, scope: Scope, depth: int) -> str:
        """A line that changes a variable."""
        if variable.kind == "flag":
            word = self.one(("mark", "mark", "unmark"))
            return f"{word} {self.setting(scope, depth)} {variable.name}"
        place = self.read(variable, scope, 1)
        if variable.owner == "player" and not (variable.planned and scope.plans):
            if self.maybe(0.7):
                place = place.replace("nobody", self.players[0])
        if variable.kind != "number":
            return f"set {place} to {self.of(variable.kind, scope, depth)}"
        value = self.number(scope, depth)
        if self.maybe(0.3):
            return f"{self.one(('raise', 'lower'))} {place} by {self.one(('1', '1', value))}"
        if self.maybe(0.85):
            value = f"max({variable.low}, min({variable.high}, {value}))".replace("(-", "(0 - ")
        return f"set {place} to {value}"

    def inner(self, scope: Scope, depth: int, **more: bool) -> list[str]:
        """The lines of an inner block."""
        return self.lines(scope.inside(**more), depth - 1, self.rng.randint(1, 2), begin=False)

    def if_(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"if {self.truth(scope, 1)}", *("  " + x for x in self.inner(scope, depth))]
        if self.maybe():
            lines += ["else", *("  " + each for each in self.inner(scope, depth))]
        return lines

    def match(self, scope: Scope, depth: int) -> list[str]:
        choices = [v for v in self.variables if v.kind.startswith("choice")]
        subject, patterns = self.player(scope, 1), [*self.players, "nobody"]
        if choices and self.maybe():
            variable = self.rng.choice(choices)
            if not (variable.planned and scope.plans and not scope.mover):
                subject = self.read(variable, scope, 1)
                patterns = [f"{variable.name}_{x}" for x in ("calm", "angry", "odd")]
        lines = [f"match {subject}, {self.number(scope, 1)}"]
        for pattern in patterns[:2]:
            number = self.one(("any", "1", "0"))
            lines.append(f"  {pattern}, {number}")
            lines += ["    " + each for each in self.inner(scope, depth)]
        if self.maybe():
            lines += ["  else", *("    " + each for each in self.inner(scope, depth))]
        return lines

    def for_each(self, scope: Scope, depth: int) -> list[str]:
        name, domain, inner = self.sites_binder(scope, 1)
        inner.at_once, inner.deciding = True, False
        head = f"for each {name} in {domain}"
        if self.maybe(0.25):
            other = self.fresh("p")
            head += f", each {other} in players"
            inner.names.append((other, "player"))
        body = self.lines(inner, depth - 1, self.rng.randint(1, 2), begin=False)
        return [head, *("  " + each for each in body)]

    def one_by_one(self, scope: Scope, depth: int) -> list[str]:
        name, domain, inner = self.sites_binder(scope, 1)
        if scope.deciding:
            inner.deciding = self.maybe(0.4)
            if inner.deciding:
                inner.names = [each for each in inner.names if each[1] != "sites"] + inner.names[
                    -1:
                ]
        body = self.lines(inner, depth - 1, self.rng.randint(1, 2), begin=False)
        return [f"one by one {name} in {domain}", *("  " + each for each in body)]

    def one_of(self, scope: Scope, depth: int) -> list[str]:
        lines = ["one of"]
        for _ in range(self.rng.randint(1, 2)):
            inner = scope.inside()
            body = self.lines(inner, depth - 1, 1, begin=self.maybe())
            lines += [f"  - {self.fresh('way')}{self.template(inner)}"]
            lines += ["      " + each for each in body]
        if self.maybe(0.4):
            lines += [
                f"  otherwise {self.fresh('way')}",
                f'      as "{self.one(("else", "none"))}"',
            ]
        return lines

    def repeat(self, scope: Scope, depth: int) -> list[str]:
        low = self.rng.randint(0, 2)
        manner = self.one((" while possible", " or stop"))
        inner = scope.inside(in_repeat=True)
        body = self.lines(inner, depth - 1, self.rng.randint(1, 2), begin=True)
        chosen = [
            n for n, k in inner.names[len(scope.names) :] if k in ("site", "number", "player")
        ]
        if chosen:
            body.append(f'as "x{{{chosen[0]}}}"')
        head = f"repeat {low}..{low + self.rng.randint(0, 2)} times{manner}"
        return [head, *("  " + each for each in body)]

    # ---- flow

    def of_play(self) -> list[str]:
        scope = Scope(ability=True)
        steps: list[str] = []
        self.budget = 3
        for turn in self.turns[:-1]:
            if self.maybe(0.6):
                steps.append(f"{self.one(self.players)} takes {turn}")
        if self.together:
            rounds = self.rng.randint(1, 4)
            steps += [f"repeat until turns > {rounds}", "  players take plot together"]
        if self.maybe(0.3):
            steps += self.line(attrs.evolve(scope, deciding=False), 1)
        last = self.turns[-1]
        manner = self.one(
            ("", ", skipping stuck", ", skipping stuck", f" from {self.one(self.players)}")
        )
        inner = Scope(mover=True, ability=True)
        if self.maybe(0.3):
            manner += f", until {self.truth(inner, 1)}"
        loop = [f"players alternate {last}{manner}"]
        if "until" in manner:
            if self.maybe(0.5):
                loop += self.effect(scope, 1)
            ending = self.one(("draw by close", f"{self.players[0]} wins by close",
                               "ranking decides by close"))  # fmt: skip
            if self.maybe(0.5):
                name = self.fresh("round")
                domain = self.one(("players", "1..3"))
                loop = [f"for {name} in {domain}", *("  " + each for each in loop)]
            loop.append(ending)
            if self.maybe(0.3):
                loop = ["phase late", *("  " + each for each in loop)]
                loop += [] if self.maybe(0.7) else ["go to late"]
        return self.block_of("play", steps + loop)

    def of_ends(self) -> list[str]:
        numbers = [v for v in self.variables if v.owner == "player" and v.kind == "number"
                   and not v.index and not v.planned]  # fmt: skip
        lines = []
        ranking = ["define tally(p: player) = count(pieces(p))"]
        ranks = [f"{self.one(('highest', 'lowest'))} tally"]
        if numbers:
            ranks.append(f"{self.one(('highest', 'lowest'))} {numbers[0].name}")
        lines += [*ranking, "ranking " + ", then ".join(ranks)]
        scope = Scope(mover=not self.together or self.maybe(), placed=True, ability=True)
        ends = []
        for _ in range(self.rng.randint(0, 3)):
            who = self.one(("mover wins", "next wins", "draw", "ranking decides", "mover loses"))
            if not scope.mover:
                who = self.one((f"{self.players[0]} wins", "draw", "ranking decides"))
            if who == "mover loses" and len(self.players) != 2:
                who = "draw"
            condition = self.truth(scope, 2)
            ends.append(f"{who} by {self.fresh('end')} when {condition}")
        ends.append(f"ranking decides by length when turns >= {self.rng.randint(6, 25)}")
        return lines + self.block_of("end", ends)


def description(number: object, size: str | None = None) -> str:
    """Description number *number*, on a board of a size of `BOARDS` if one is given."""
    return Writer(number, size).text()


__all__ = ["BOARDS", "description"]
