"""The syntax tree of a description: frozen classes, one for each thing that can be written.

Spans take no part in equality, so two texts that differ in layout alone have equal trees.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from ludeme.diagnostics import NOWHERE, Span


@attrs.frozen(eq=False, repr=False)
class Node:
    """Anything that stands in a description.

    How nodes compare and print is said here once: attrs would write it anew for each class, which
    takes as long as checking a small file.
    """

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self), *self._parts()))

    def __repr__(self) -> str:
        names = [field.name for field in attrs.fields(type(self)) if field.repr]
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({parts})"

    def _parts(self) -> tuple[object, ...]:
        return tuple(getattr(self, field.name) for field in attrs.fields(type(self)) if field.eq)


@attrs.frozen(eq=False, repr=False)
class Word(Node):
    """A name, and where it stands."""

    text: str


# ---- expressions


@attrs.frozen(eq=False, repr=False)
class Hole(Node):
    """Stands where a line could not be understood; it checks as anything."""


@attrs.frozen(eq=False, repr=False)
class Number(Node):
    value: int


@attrs.frozen(eq=False, repr=False)
class Truth(Node):
    value: bool


@attrs.frozen(eq=False, repr=False)
class Name(Node):
    text: str


@attrs.frozen(eq=False, repr=False)
class Argument(Node):
    label: str | None
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Call(Node):
    name: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(eq=False, repr=False)
class SetOf(Node):
    members: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Range(Node):
    low: Expression
    high: Expression


@attrs.frozen(eq=False, repr=False)
class Not(Node):
    operand: Expression


@attrs.frozen(eq=False, repr=False)
class Negative(Node):
    operand: Expression


@attrs.frozen(eq=False, repr=False)
class Both(Node):
    """`and`: of two truths, or the common part of two sets."""

    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class Either(Node):
    """`or`: of two truths, or two sets together."""

    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class Compare(Node):
    operator: str  # = != < <= > >=
    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class Within(Node):
    """`x in S` and `x not in S`; of a set: all its members."""

    left: Expression
    right: Expression
    negated: bool = False


@attrs.frozen(eq=False, repr=False)
class Ability(Node):
    """`P can TURN` and `P cannot TURN`."""

    player: Expression
    turn: Word
    negated: bool


@attrs.frozen(eq=False, repr=False)
class Arithmetic(Node):
    operator: str  # + - * / mod
    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class Any(Node):
    """`some S` and `no S`."""

    operand: Expression
    negated: bool


@attrs.frozen(eq=False, repr=False)
class Quantified(Node):
    """`some x in S has C`, `no x in S has C`, `every x in S has C`."""

    quantifier: str
    variable: Word
    domain: Expression
    condition: Expression


@attrs.frozen(eq=False, repr=False)
class Those(Node):
    variable: Word
    domain: Expression
    condition: Expression


@attrs.frozen(eq=False, repr=False)
class Fold(Node):
    """`sum`, `union`, `largest` or `smallest` of a value over a set."""

    kind: str
    value: Expression
    variable: Word
    domain: Expression
    otherwise: Expression | None


@attrs.frozen(eq=False, repr=False)
class Best(Node):
    variable: Word
    domain: Expression
    keys: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Conditional(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


Expression: TypeAlias = (
    Hole
    | Number
    | Truth
    | Name
    | Call
    | SetOf
    | Range
    | Not
    | Negative
    | Both
    | Either
    | Compare
    | Within
    | Ability
    | Arithmetic
    | Any
    | Quantified
    | Those
    | Fold
    | Best
    | Conditional
)


@attrs.frozen(eq=False, repr=False)
class Template(Node):
    """A printed form: literal text and expressions in braces, in order."""

    parts: tuple[str | Expression, ...]


# ---- statements

Block: TypeAlias = "tuple[Statement, ...]"


@attrs.frozen(eq=False, repr=False)
class Quantity(Node):
    low: Expression
    high: Expression | None  # None: exactly low


@attrs.frozen(eq=False, repr=False)
class Choose(Node):
    quantity: Quantity | None
    variable: Word
    domain: Expression
    condition: Expression | None
    chance: bool = False  # `roll`: nature chooses


@attrs.frozen(eq=False, repr=False)
class Require(Node):
    condition: Expression


@attrs.frozen(eq=False, repr=False)
class RequireMost(Node):
    keys: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Let(Node):
    variable: Word
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Place(Node):
    """Something that can be written: a variable, with what it is of."""

    name: Word
    indices: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Set(Node):
    place: Place
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Raise(Node):
    place: Place
    amount: Expression
    down: bool  # `lower`


@attrs.frozen(eq=False, repr=False)
class Put(Node):
    operands: tuple[Expression, ...]
    from_hand: bool
    sites: Expression


@attrs.frozen(eq=False, repr=False)
class Move(Node):
    origin: Expression
    target: Expression


@attrs.frozen(eq=False, repr=False)
class Swap(Node):
    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class Remove(Node):
    sites: Expression


@attrs.frozen(eq=False, repr=False)
class Change(Node):
    sites: Expression
    kind: Expression


@attrs.frozen(eq=False, repr=False)
class Give(Node):
    sites: Expression
    player: Expression


@attrs.frozen(eq=False, repr=False)
class Mark(Node):
    sites: Expression
    flag: Word
    on: bool


@attrs.frozen(eq=False, repr=False)
class ClearBoard(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class RefillHands(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class Say(Node):
    template: Template


@attrs.frozen(eq=False, repr=False)
class Pass(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class Again(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class Stop(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class Invoke(Node):
    """A ludeme in a move line. *bracketed*: written `name(a, b)`."""

    name: Word
    arguments: tuple[Argument, ...]
    bracketed: bool


@attrs.frozen(eq=False, repr=False)
class If(Node):
    condition: Expression
    then: Block
    otherwise: Block


@attrs.frozen(eq=False, repr=False)
class Binder(Node):
    variable: Word
    domain: Expression | None  # None: every player


@attrs.frozen(eq=False, repr=False)
class ForEach(Node):
    """All at once: everything is read before anything is written."""

    binders: tuple[Binder, ...]
    body: Block


@attrs.frozen(eq=False, repr=False)
class OneByOne(Node):
    variable: Word
    domain: Expression
    body: Block


@attrs.frozen(eq=False, repr=False)
class Bullet(Node):
    name: Word
    template: Template | None
    body: Block
    otherwise: bool


@attrs.frozen(eq=False, repr=False)
class OneOf(Node):
    bullets: tuple[Bullet, ...]


@attrs.frozen(eq=False, repr=False)
class Pattern(Node):
    value: str | int | None  # None: any


@attrs.frozen(eq=False, repr=False)
class MatchRow(Node):
    patterns: tuple[Pattern, ...]  # empty: `else`
    body: Block


@attrs.frozen(eq=False, repr=False)
class Match(Node):
    subjects: tuple[Expression, ...]
    rows: tuple[MatchRow, ...]


@attrs.frozen(eq=False, repr=False)
class Repeat(Node):
    times: Expression
    may_stop: bool
    body: Block


@attrs.frozen(eq=False, repr=False)
class Picture(Node):
    rows: tuple[Word, ...]


@attrs.frozen(eq=False, repr=False)
class Setup(Node):
    picture: Picture


Statement: TypeAlias = (
    Hole
    | Choose
    | Require
    | RequireMost
    | Let
    | Set
    | Raise
    | Put
    | Move
    | Swap
    | Remove
    | Change
    | Give
    | Mark
    | ClearBoard
    | RefillHands
    | Say
    | Pass
    | Again
    | Stop
    | Invoke
    | If
    | ForEach
    | OneByOne
    | OneOf
    | Match
    | Repeat
    | Setup
)


# ---- the flow of the game

Steps: TypeAlias = "tuple[Step, ...]"


@attrs.frozen(eq=False, repr=False)
class Takes(Node):
    player: Word
    turn: Word


@attrs.frozen(eq=False, repr=False)
class Alternate(Node):
    turn: Word
    start: Expression | None
    skipping: bool
    until: Expression | None


@attrs.frozen(eq=False, repr=False)
class Together(Node):
    turn: Word


@attrs.frozen(eq=False, repr=False)
class Phase(Node):
    name: Word
    body: Steps


@attrs.frozen(eq=False, repr=False)
class GoTo(Node):
    name: Word


@attrs.frozen(eq=False, repr=False)
class Loop(Node):
    until: Expression | None
    body: Steps


@attrs.frozen(eq=False, repr=False)
class Rounds(Node):
    variable: Word
    domain: Expression
    body: Steps


@attrs.frozen(eq=False, repr=False)
class IfStep(Node):
    condition: Expression
    then: Steps
    otherwise: Steps


@attrs.frozen(eq=False, repr=False)
class Result(Node):
    """Who wins: *kind* is wins, loses, draw or decides."""

    kind: str
    player: Expression | None


@attrs.frozen(eq=False, repr=False)
class Finish(Node):
    result: Result
    name: Word
    condition: Expression | None


Step: TypeAlias = (
    Takes
    | Alternate
    | Together
    | Phase
    | GoTo
    | Loop
    | Rounds
    | IfStep
    | Finish
    | Statement  # an effect
)


# ---- items


@attrs.frozen(eq=False, repr=False)
class Header(Node):
    title: str
    extends: Word | None


@attrs.frozen(eq=False, repr=False)
class Author(Node):
    name: str


@attrs.frozen(eq=False, repr=False)
class TableRow(Node):
    name: Word
    values: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Players(Node):
    """*seats*: how many of the names sit down, in order; None for all."""

    seats: Expression | None
    names: tuple[Word, ...]
    table: tuple[TableRow, ...]


@attrs.frozen(eq=False, repr=False)
class Option(Node):
    name: Word
    value: Expression
    choices: tuple[Expression, ...]  # one Range, or the values by name, or none
    help: str | None


@attrs.frozen(eq=False, repr=False)
class Shape(Node):
    name: Word
    arguments: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class BoardChange(Node):
    """*relation*: what `cut` is about; *both*: it takes both ends of a link in the sites."""

    kind: str  # cut, keep, join
    sites: Expression | None
    shape: Shape | None
    relation: Word | None = None
    both: bool = True


@attrs.frozen(eq=False, repr=False)
class SiteLine(Node):
    """A chain of sites and the relation of its links, a path, or the place of one site.

    A path has one direction, or one there and one back.
    """

    sites: tuple[Word, ...]
    relation: Word | None
    point: tuple[int, int] | None
    directions: tuple[Word, ...] = ()


@attrs.frozen(eq=False, repr=False)
class SiteRow(Node):
    """A row of a picture whose marks are the names of sites, or ``.`` for a gap."""

    row: Word


@attrs.frozen(eq=False, repr=False)
class Board(Node):
    shape: Shape | None
    lines: tuple[SiteLine | SiteRow, ...]
    changes: tuple[BoardChange, ...]


@attrs.frozen(eq=False, repr=False)
class Region(Node):
    name: Word
    sites: Expression | None
    picture: Picture | None


@attrs.frozen(eq=False, repr=False)
class NamedPicture(Node):
    name: Word
    picture: Picture


@attrs.frozen(eq=False, repr=False)
class Regions(Node):
    name: Word
    members: tuple[NamedPicture, ...]


@attrs.frozen(eq=False, repr=False)
class Pieces(Node):
    names: tuple[Word, ...]
    neutral: bool
    table: tuple[TableRow, ...]


@attrs.frozen(eq=False, repr=False)
class Stacks(Node):
    height: Expression


@attrs.frozen(eq=False, repr=False)
class Variable(Node):
    """A declaration of state: whose it is, its names, type, first value, range and traits."""

    owner: str  # game, player, site, piece
    names: tuple[Word, ...]
    index: Word | None
    type: tuple[Word, ...]
    value: Expression | None
    range: Expression | None
    lasting: int | None
    seen: str | None
    planned: bool


@attrs.frozen(eq=False, repr=False)
class Holding(Node):
    count: Expression
    kind: Word


@attrs.frozen(eq=False, repr=False)
class Holds(Node):
    holdings: tuple[Holding, ...]


@attrs.frozen(eq=False, repr=False)
class SeenPart(Node):
    """Where a player sees *part* (pieces, or their kinds), the mover being who looks."""

    part: Word
    sites: Expression


@attrs.frozen(eq=False, repr=False)
class Sight(Node):
    parts: tuple[SeenPart, ...]


@attrs.frozen(eq=False, repr=False)
class Parameter(Node):
    label: str | None
    name: Word
    type: Word
    default: Expression | None


@attrs.frozen(eq=False, repr=False)
class Define(Node):
    name: Word
    parameters: tuple[Parameter, ...]
    value: Expression
    relation: bool = False


@attrs.frozen(eq=False, repr=False)
class Ludeme(Node):
    name: Word
    parameters: tuple[Parameter, ...]
    body: Block
    bracketed: bool


@attrs.frozen(eq=False, repr=False)
class Start(Node):
    body: Block


@attrs.frozen(eq=False, repr=False)
class Turn(Node):
    name: Word | None
    together: bool
    template: Template | None
    joiner: str | None
    body: Block


@attrs.frozen(eq=False, repr=False)
class Reveal(Node):
    turn: Word | None
    body: Block


@attrs.frozen(eq=False, repr=False)
class Play(Node):
    steps: Steps


@attrs.frozen(eq=False, repr=False)
class Rank(Node):
    highest: bool
    name: Word


@attrs.frozen(eq=False, repr=False)
class Ranking(Node):
    ranks: tuple[Rank, ...]


@attrs.frozen(eq=False, repr=False)
class Ends(Node):
    finishes: tuple[Finish, ...]


@attrs.frozen(eq=False, repr=False)
class WithOption(Node):
    name: Word
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Given(Node):
    body: Block


@attrs.frozen(eq=False, repr=False)
class ToMove(Node):
    player: Word
    turn: Word | None


@attrs.frozen(eq=False, repr=False)
class PlayMoves(Node):
    moves: str


@attrs.frozen(eq=False, repr=False)
class Legality(Node):
    legal: bool
    moves: tuple[Word, ...]
    player: Word | None


@attrs.frozen(eq=False, repr=False)
class MoveCount(Node):
    count: int
    player: Word | None


@attrs.frozen(eq=False, repr=False)
class OutcomeIs(Node):
    kind: str  # none, wins, draw
    player: Word | None
    name: Word | None


@attrs.frozen(eq=False, repr=False)
class Expect(Node):
    condition: Expression


Fact: TypeAlias = (
    Hole | WithOption | Given | ToMove | PlayMoves | Legality | MoveCount | OutcomeIs | Expect
)


@attrs.frozen(eq=False, repr=False)
class Example(Node):
    title: str
    facts: tuple[Fact, ...]


@attrs.frozen(eq=False, repr=False)
class Replace(Node):
    item: Item


@attrs.frozen(eq=False, repr=False)
class Drop(Node):
    kind: Word
    name: Word | None


Item: TypeAlias = (
    Header
    | Author
    | Players
    | Option
    | Board
    | Region
    | Regions
    | Pieces
    | Stacks
    | Variable
    | Holds
    | Sight
    | Define
    | Ludeme
    | Start
    | Turn
    | Reveal
    | Play
    | Ranking
    | Ends
    | Example
    | Replace
    | Drop
)


@attrs.frozen(eq=False, repr=False)
class File(Node):
    """A whole description: its items in the order in which they stand."""

    items: tuple[Item, ...]
