"""Hypothesis strategies: random choice programs, with what they mean.

`programs` draws a small description of one turn as a `Program`: its *text* is a description that
the engine loads, and `Program.moves` says what its moves are, by a reading of the language that
shares nothing with the engine and tries everything. Sites have names that run into one another, and
printed forms are drawn from pieces that do, so that prints meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import attrs
from hypothesis import strategies as st

PLAYERS = ("A", "B")
NAMES = ("a", "b", "ab", "ba", "a_b", "b_a", "a1", "b1", "a11", "x")
LITERALS = ("", " ", "-", ", ", "a", "b", "x", "_", "1", "a ", " b", "+", "a, ")
JOINERS = ("", ", ", " ", "+", "x")


class AlikeError(Exception):
    """Two moves print alike and end differently."""


# ---- the meaning of a run


@attrs.frozen
class Run:
    """A run so far: the position, the names that are bound, what is printed."""

    sites: tuple[str, ...]
    pieces: tuple[str | None, ...]
    lit: frozenset[str]
    tally: int
    names: dict[str, object] = attrs.field(factory=dict)
    texts: tuple[str, ...] = ()
    most: tuple[int, ...] = ()
    passing: bool = False
    again: bool = False

    def bind(self, name: str, value: object) -> Run:
        """The run with a name bound."""
        return attrs.evolve(self, names={**self.names, name: value})

    def owner(self, site: str) -> str | None:
        """Whose the piece on a site is."""
        return self.pieces[self.sites.index(site)]

    def with_pieces(self, change: Callable[[str, str | None], str | None]) -> Run:
        """The run with the piece on each site changed."""
        pairs = zip(self.sites, self.pieces, strict=True)
        return attrs.evolve(self, pieces=tuple(change(site, owner) for site, owner in pairs))

    @property
    def end(self) -> tuple[object, ...]:
        """What makes two ends of a turn the same."""
        return self.pieces, self.lit, self.tally, self.passing, self.again


# ---- sets, numbers, conditions


@attrs.frozen
class Sites:
    """A set of sites: a word, listed names, a chosen name, or two sets joined."""

    word: str
    parts: tuple[Sites, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As it is written."""
        match self.word:
            case "of":
                return "{" + ", ".join(self.names) + "}"
            case "chosen":
                return self.names[0]
            case "and" | "or":
                return f"({self.parts[0].text} {self.word} {self.parts[1].text})"
            case "not":
                return f"(not {self.parts[0].text})"
        return self.word

    def of(self, run: Run) -> list[str]:
        """The sites, in board order."""
        return [site for site in run.sites if self.holds(run, site)]

    def holds(self, run: Run, site: str) -> bool:
        """Whether a site is one of them."""
        owner = run.owner(site)
        match self.word:
            case "board":
                return True
            case "lit":
                return site in run.lit
            case "empty":
                return owner is None
            case "mine":
                return owner == "A"
            case "theirs":
                return owner == "B"
            case "of":
                return site in self.names
            case "chosen":
                value = run.names[self.names[0]]
                return site in value if isinstance(value, tuple) else site == value
            case "not":
                return not self.parts[0].holds(run, site)
            case "and":
                return all(part.holds(run, site) for part in self.parts)
        assert self.word == "or"
        return any(part.holds(run, site) for part in self.parts)


@attrs.frozen
class Test:
    """A condition: something about a set or the tally, perhaps turned round."""

    word: str
    sites: Sites | None = None
    number: int = 0
    negated: bool = False

    @property
    def text(self) -> str:
        """As it is written."""
        if self.word == "tally":
            text = f"tally < {self.number}"
        elif self.word == "count":
            assert self.sites is not None
            text = f"count({self.sites.text}) = {self.number}"
        else:
            assert self.sites is not None
            text = f"some {self.sites.text}"
        return f"not ({text})" if self.negated else text

    def holds(self, run: Run) -> bool:
        """Whether it holds."""
        if self.word == "tally":
            found = run.tally < self.number
        else:
            assert self.sites is not None
            size = len(self.sites.of(run))
            found = size == self.number if self.word == "count" else size > 0
        return found != self.negated


@attrs.frozen
class Template:
    """A printed form: literals, and names in braces."""

    parts: tuple[tuple[str, bool], ...]

    @property
    def text(self) -> str:
        """As it is written, quotes included."""
        return '"' + "".join("{" + p + "}" if named else p for p, named in self.parts) + '"'

    def printed(self, run: Run) -> str:
        """What it prints."""
        return "".join(_shown(run.names[p]) if named else p for p, named in self.parts)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# ---- lines


@attrs.frozen
class Choose:
    """One or several of some sites, a number, or a player."""

    name: str
    kind: str  # site, sites, number, player
    domain: Sites | None = None
    low: int = 1
    high: int = 1
    where: Test | None = None

    def lines(self) -> list[str]:
        """As it is written."""
        if self.kind == "number":
            return [f"choose {self.name} from {self.low}..{self.high}"]
        if self.kind == "player":
            return [f"choose {self.name} from players"]
        assert self.domain is not None
        if self.kind == "site":
            where = f" where {self.where.text}" if self.where else ""
            return [f"choose {self.name} from {self.domain.text}{where}"]
        amount = str(self.low) if self.low == self.high else f"{self.low}..{self.high}"
        return [f"choose {amount} {self.name} from {self.domain.text}"]

    def values(self, run: Run) -> Iterator[object]:
        """What may be chosen, in order."""
        if self.kind == "number":
            yield from range(self.low, self.high + 1)
        elif self.kind == "player":
            yield from PLAYERS
        elif self.kind == "site":
            assert self.domain is not None
            for site in self.domain.of(run):
                if self.where is None or self.where.holds(run.bind(self.name, site)):
                    yield site
        else:
            assert self.domain is not None
            for size in range(self.low, self.high + 1):
                yield from combinations(self.domain.of(run), size)


@attrs.frozen
class Require:
    """A condition on the run."""

    test: Test

    def lines(self) -> list[str]:
        """As it is written."""
        return [f"require {self.test.text}"]


@attrs.frozen
class Most:
    """The number that is to be greatest."""

    sites: Sites

    def lines(self) -> list[str]:
        """As it is written."""
        return [f"require most count({self.sites.text})"]


@attrs.frozen
class Effect:
    """A change of the position that cannot go wrong."""

    word: str  # mark, unmark, put, remove, raise, set, pass, again
    sites: Sites | None = None
    number: int = 0
    player: str = "A"

    def lines(self) -> list[str]:
        """As it is written."""
        sites = self.sites.text if self.sites else ""
        match self.word:
            case "mark" | "unmark":
                return [f"{self.word} {sites} lit"]
            case "put":
                return [f"put {self.player} stone on {sites} and empty"]
            case "remove":
                return [f"remove {sites}"]
            case "raise":
                return [f"raise tally by {self.number}"]
            case "set":
                return [f"set tally to {self.number}"]
        return [self.word]

    def after(self, run: Run) -> Run:
        """The run behind it."""
        sites = frozenset(self.sites.of(run)) if self.sites else frozenset()
        match self.word:
            case "mark":
                return attrs.evolve(run, lit=run.lit | sites)
            case "unmark":
                return attrs.evolve(run, lit=run.lit - sites)
            case "put":
                return run.with_pieces(
                    lambda site, owner: self.player if site in sites and not owner else owner
                )
            case "remove":
                return run.with_pieces(lambda site, owner: None if site in sites else owner)
            case "raise":
                return attrs.evolve(run, tally=run.tally + self.number)
            case "set":
                return attrs.evolve(run, tally=self.number)
            case "again":
                return attrs.evolve(run, again=True)
        return attrs.evolve(run, passing=True, texts=(*run.texts, "pass"))


@attrs.frozen
class Say:
    """A printed form on a line of its own."""

    template: Template

    def lines(self) -> list[str]:
        """As it is written."""
        return [f"as {self.template.text}"]


@attrs.frozen
class SayEach:
    """A printed form for each member of a chosen set, one way or another."""

    member: str
    chosen: str
    lit: Template
    unlit: Template | None

    def lines(self) -> list[str]:
        """As it is written."""
        begin = f"for each {self.member} in {self.chosen}"
        if self.unlit is None:
            return [begin, f"  as {self.lit.text}"]
        return [
            begin,
            f"  if {self.member} in lit",
            f"    as {self.lit.text}",
            "  else",
            f"    as {self.unlit.text}",
        ]

    def printed(self, run: Run) -> tuple[str, ...]:
        """What it prints."""
        members = run.names[self.chosen]
        assert isinstance(members, tuple)
        return tuple(
            (self.lit if self.unlit is None or site in run.lit else self.unlit).printed(
                run.bind(self.member, site)
            )
            for site in members
        )


@attrs.frozen
class If:
    """One block or the other."""

    test: Test
    then: Block
    otherwise: Block

    def lines(self) -> list[str]:
        """As it is written."""
        lines = [f"if {self.test.text}", *_indented(self.then)]
        return [*lines, "else", *_indented(self.otherwise)] if self.otherwise else lines


@attrs.frozen
class Bullet:
    """One way, with what it prints at its end."""

    name: str
    body: Block
    template: Template | None


@attrs.frozen
class OneOf:
    """Several ways; the last one may be open only if no other is."""

    bullets: tuple[Bullet, ...]
    otherwise: bool

    def lines(self) -> list[str]:
        """As it is written."""
        lines = ["one of"]
        for number, bullet in enumerate(self.bullets, 1):
            last = self.otherwise and number == len(self.bullets)
            shown = f" as {bullet.template.text}" if bullet.template else ""
            lines.append(f"  {'otherwise' if last else '-'} {bullet.name}{shown}")
            lines.extend("  " + line for line in _indented(bullet.body))
        return lines


@attrs.frozen
class Repeat:
    """A chain, which goes on while it can, or may stop."""

    low: int
    high: int
    may_stop: bool
    body: Block

    def lines(self) -> list[str]:
        """As it is written."""
        manner = "or stop" if self.may_stop else "while possible"
        return [f"repeat {self.low}..{self.high} times {manner}", *_indented(self.body)]


@attrs.frozen
class OneByOne:
    """A block for each site of a set in order."""

    name: str
    sites: Sites
    body: Block

    def lines(self) -> list[str]:
        """As it is written."""
        return [f"one by one {self.name} in {self.sites.text}", *_indented(self.body)]


@attrs.frozen
class Stop:
    """Leaves the innermost chain."""

    def lines(self) -> list[str]:
        """As it is written."""
        return ["stop"]


Line = Choose | Require | Most | Effect | Say | SayEach | If | OneOf | Repeat | OneByOne | Stop
Block = tuple[Line, ...]


def _indented(block: Block) -> list[str]:
    return ["  " + line for inner in block for line in inner.lines()]


# ---- all runs of a block


@attrs.frozen
class _Step:
    """Stands behind the body of a chain."""

    repeat: Repeat
    done: int


@attrs.frozen
class _NextOne:
    """Stands behind the body of `one by one`."""

    line: OneByOne
    left: tuple[str, ...]


Todo = tuple[Line | _Step | _NextOne, ...]


def complete(todo: Todo, run: Run) -> Iterator[Run]:
    """Every complete run of what is still to do, in order."""
    if not todo:
        yield run
        return
    line, rest = todo[0], todo[1:]
    match line:
        case Choose():
            for value in line.values(run):
                yield from complete(rest, run.bind(line.name, value))
        case Require():
            if line.test.holds(run):
                yield from complete(rest, run)
        case Most():
            yield from complete(rest, attrs.evolve(run, most=(len(line.sites.of(run)),)))
        case Effect():
            yield from complete(rest, line.after(run))
        case Say():
            yield from complete(
                rest, attrs.evolve(run, texts=(*run.texts, line.template.printed(run)))
            )
        case SayEach():
            yield from complete(rest, attrs.evolve(run, texts=(*run.texts, *line.printed(run))))
        case If():
            taken = line.then if line.test.holds(run) else line.otherwise
            yield from complete((*taken, *rest), run)
        case OneOf():
            yield from _ways(line, rest, run)
        case Repeat():
            yield from _chain(line, 0, rest, run)
        case _Step():
            yield from _chain(line.repeat, line.done, rest, run)
        case OneByOne():
            yield from complete((_NextOne(line, tuple(line.sites.of(run))), *rest), run)
        case _NextOne():
            if not line.left:
                yield from complete(rest, run)
            else:
                following = _NextOne(line.line, line.left[1:])
                bound = run.bind(line.line.name, line.left[0])
                yield from complete((*line.line.body, following, *rest), bound)
        case Stop():
            behind = next(i for i, item in enumerate(rest) if isinstance(item, _Step))
            yield from complete(rest[behind + 1 :], run)


def _ways(line: OneOf, rest: Todo, run: Run) -> Iterator[Run]:
    found = 0
    for number, bullet in enumerate(line.bullets, 1):
        if line.otherwise and number == len(line.bullets) and found:
            return
        said = (Say(bullet.template),) if bullet.template else ()
        for end in complete((*bullet.body, *said, *rest), run):
            found += 1
            yield end


def _chain(line: Repeat, done: int, rest: Todo, run: Run) -> Iterator[Run]:
    if done >= line.high:
        yield from complete(rest, run)
        return
    if line.may_stop and done >= line.low:
        yield from complete(rest, run)
    further = 0
    for end in complete((*line.body, _Step(line, done + 1), *rest), run):
        further += 1
        yield end
    if not line.may_stop and done >= line.low and not further:
        yield from complete(rest, run)


# ---- whole programs


@attrs.frozen
class Program:
    """A description of one turn, and what it means."""

    sites: tuple[str, ...]
    pieces: tuple[str | None, ...]
    lit: frozenset[str]
    template: Template | None
    joiner: str
    body: Block

    @property
    def text(self) -> str:
        """The description."""
        shown = f" as {self.template.text}" if self.template else ""
        joined = f' joined by "{self.joiner}"' if self.joiner else ""
        start = [
            f"  put {player} stone on {site}"
            for site, player in zip(self.sites, self.pieces, strict=True)
            if player
        ]
        start += [f"  mark {site} lit" for site in self.sites if site in self.lit]
        lines = [
            'game "Random"', "players A, B", "board sites", *(f"  {site}" for site in self.sites),
            "piece stone", "each site has lit", "game has tally = 0 from 0..99",
            *(["start", *start] if start else []),
            f"turn{shown}{joined}", *_indented(self.body),
            "end", "  draw by tally when tally = 99",
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    def runs(self, most: int = 3000) -> list[tuple[str, Run]] | None:
        """Every legal run with what it prints, in order; None if there are too many to look at."""
        said = (Say(self.template),) if self.template else ()
        begin = Run(self.sites, self.pieces, self.lit, 0)
        found = []
        for number, run in enumerate(complete((*self.body, *said), begin)):
            if number >= most:
                return None
            found.append(run)
        best = max((run.most for run in found), default=())
        return [(self.joiner.join(run.texts), run) for run in found if run.most == best]

    def moves(self, runs: Sequence[tuple[str, Run]]) -> dict[str, Run]:
        """The moves in order. Raises AlikeError if two print alike and end differently."""
        moves: dict[str, Run] = {}
        for text, run in runs:
            if moves.setdefault(text, run).end != run.end:
                raise AlikeError(text)
        return moves


# ---- drawing them


@attrs.define
class _Builder:
    """Draws lines, giving every name once."""

    draw: st.DrawFn
    sites: tuple[str, ...]
    richness: int
    count: int = 0

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}n"

    def one(self, options: Sequence[str]) -> str:
        return self.draw(st.sampled_from(options))

    def flip(self) -> bool:
        return self.draw(st.booleans())

    def sites_of(self, scope: Scope, depth: int = 1) -> Sites:
        words = ["board", "lit", "empty", "mine", "theirs", "of"]
        chosen = [name for name, kind in scope if kind in ("site", "sites")]
        words += ["chosen"] * (2 if chosen else 0)
        words += ["and", "or", "not"] if depth else []
        word = self.one(words)
        match word:
            case "of":
                listed = st.lists(st.sampled_from(self.sites), min_size=1, max_size=2, unique=True)
                return Sites("of", names=tuple(self.draw(listed)))
            case "chosen":
                return Sites("chosen", names=(self.one(chosen),))
            case "and" | "or":
                parts = (self.sites_of(scope, depth - 1), self.sites_of(scope, depth - 1))
                return Sites(word, parts)
            case "not":
                return Sites(word, (self.sites_of(scope, depth - 1),))
        return Sites(word)

    def test(self, scope: Scope) -> Test:
        word = self.one(["some", "count", "tally"])
        sites = None if word == "tally" else self.sites_of(scope)
        return Test(word, sites, self.draw(st.integers(0, 2)), self.flip())

    def template(self, scope: Scope) -> Template:
        parts: list[tuple[str, bool]] = []
        names = [name for name, _ in scope]
        for _ in range(self.draw(st.integers(0, 3))):
            if self.draw(st.integers(0, 2)) and names:
                parts.append((self.one(names), True))
            else:
                parts.append((self.one(LITERALS), False))
        return Template(tuple(parts))

    def full_template(self, scope: Scope) -> Template:
        """A form that prints every name, parted by blanks."""
        parts: list[tuple[str, bool]] = []
        for name, _ in scope:
            parts += [(self.one((" ", "-", ", ", "x ")), False), (name, True)]
        return Template(tuple(parts[1:]) if self.flip() else tuple(parts))

    def any_template(self, scope: Scope) -> Template:
        return self.full_template(scope) if self.flip() else self.template(scope)

    def choose(self, scope: Scope) -> Choose:
        kind = self.one(["site", "site", "sites", "sites", "number", "player"])
        name = self.fresh({"site": "s", "sites": "t", "number": "n", "player": "p"}[kind])
        low, high = sorted(self.draw(st.tuples(st.integers(0, 2), st.integers(0, 2))))
        if kind == "number":
            return Choose(name, kind, None, low, high)
        if kind == "player":
            return Choose(name, kind)
        domain = self.sites_of(scope)
        if kind == "sites":
            return Choose(name, kind, domain, low, high)
        where = self.test([*scope, (name, "site")]) if self.draw(st.integers(0, 3)) == 0 else None
        return Choose(name, kind, domain, where=where)

    def effect(self, scope: Scope) -> Effect:
        word = self.one(["mark", "unmark", "put", "remove", "raise", "set", "again"])
        sites = self.sites_of(scope) if word in ("mark", "unmark", "put", "remove") else None
        return Effect(word, sites, self.draw(st.integers(0, 2)), self.one(PLAYERS))

    def say_each(self, scope: Scope) -> SayEach | None:
        chosen = [name for name, kind in scope if kind == "sites"]
        if not chosen:
            return None
        member = self.fresh("m")
        ways = [
            self.draw(
                st.tuples(st.sampled_from(LITERALS), st.sampled_from(LITERALS)).map(
                    lambda ends: Template(((ends[0], False), (member, True), (ends[1], False)))
                )
            )
            for _ in range(1 + self.flip())
        ]
        return SayEach(member, self.one(chosen), ways[0], ways[1] if len(ways) > 1 else None)

    def block(self, scope: list[tuple[str, str]], depth: int, in_chain: bool = False) -> Block:
        """Some lines; names chosen in them are added to *scope*."""
        lines: list[Line] = []
        words = ["choose", "choose", "require", "effect", "effect", "say", "each"]
        if depth:
            words += ["if", "one of", "one of", "repeat", "one by one"]
        if in_chain:
            words += ["stop"]
        for _ in range(self.draw(st.integers(1, self.richness))):
            line = self.line(self.one(words), scope, depth, in_chain)
            if line is not None:
                lines.append(line)
            if isinstance(line, Stop):
                break
        return tuple(lines) or (Effect("raise", None, 1),)

    def line(
        self, word: str, scope: list[tuple[str, str]], depth: int, in_chain: bool
    ) -> Line | None:
        match word:
            case "choose":
                line = self.choose(scope)
                scope.append((line.name, line.kind))
                return line
            case "require":
                return Require(self.test(scope))
            case "effect":
                return self.effect(scope)
            case "say":
                return Say(self.template(scope))
            case "each":
                return self.say_each(scope)
            case "if":
                test = self.test(scope)
                then = self.block([*scope], depth - 1, in_chain)
                otherwise = self.block([*scope], depth - 1, in_chain) if self.flip() else ()
                return If(test, then, otherwise)
            case "one of":
                return self.one_of(scope, depth, in_chain)
            case "repeat":
                low, high = sorted(self.draw(st.tuples(st.integers(0, 2), st.integers(0, 2))))
                may_stop = self.flip()
                return Repeat(low, high, may_stop, self.block([*scope], depth - 1, True))
            case "one by one":
                name = self.fresh("o")
                sites = self.sites_of(scope)
                inner = [*scope, (name, "site")]
                return OneByOne(name, sites, self.block(inner, depth - 1, in_chain))
        return Stop()

    def one_of(self, scope: Scope, depth: int, in_chain: bool) -> OneOf:
        bullets = []
        for _ in range(self.draw(st.integers(1, 3))):
            inner = [*scope]
            body = self.block(inner, depth - 1, in_chain)
            template = self.any_template(inner) if self.flip() or not _prints(body) else None
            if self.draw(st.integers(0, 5)) == 0:
                body = (*body, Effect("pass")) if not isinstance(body[-1], Stop) else body
            bullets.append(Bullet(self.fresh("w"), body, template))
        return OneOf(tuple(bullets), len(bullets) > 1 and self.flip())


Scope = Sequence[tuple[str, str]]


def _prints(block: Block) -> bool:
    return any(
        isinstance(line, Say | SayEach) or (isinstance(line, Effect) and line.word == "pass")
        for line in block
    )


@st.composite
def programs(draw: st.DrawFn, depth: int = 2, richness: int = 3, most: bool = True) -> Program:
    """A random choice program on a board of two to four sites, with its own printed forms.

    *depth*: how deep blocks go; *richness*: lines in a block; *most*: whether `require most` may
    stand at the end.
    """
    sites = tuple(draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True)))
    pieces = tuple(draw(st.sampled_from((None, "A", "B"))) for _ in sites)
    lit = frozenset(site for site in sites if draw(st.booleans()))
    builder = _Builder(draw, sites, richness)
    scope: list[tuple[str, str]] = []
    body = builder.block(scope, depth)
    if most and draw(st.integers(0, 5)) == 0:
        body = (*body, Most(builder.sites_of(scope)))
    template = builder.any_template(scope) if draw(st.integers(0, 3)) or not _prints(body) else None
    return Program(sites, pieces, lit, template, draw(st.sampled_from(JOINERS)), body)
