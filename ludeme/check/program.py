"""The checked program: names resolved, types known, options folded in, ludemes written out.

Both back ends read this and nothing before it. Every node keeps the span that it came from. Values
are small: a site, player, kind, direction or choice is its number, a set is an integer with bit *i*
for member *i*, a family is a tuple of such sets.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

from ludeme.board import Board
from ludeme.diagnostics import NOWHERE, Span
from ludeme.kernel.types import Type


@attrs.frozen(eq=False, repr=False)
class Node:
    """Anything in a checked program."""

    span: Span = attrs.field(default=NOWHERE, repr=False, kw_only=True)


# ---- what a program is about


@attrs.frozen(eq=False, repr=False)
class Local:
    """A name bound while a block or expression runs; *slot* is its place among all locals."""

    slot: int
    name: str
    type: Type


@attrs.frozen(eq=False, repr=False)
class Variable:
    """Declared state. *owner*: game, player, site or piece; *index*: what it has one for each of.

    *kind* is ``flag`` (a truth of sites or pieces, kept as a set of sites) or ``value``.
    *low* and *high* bound a number. *lasting*: how many further turns a value lives.
    """

    name: str
    owner: str
    type: Type
    index: str | None
    initial: int
    low: int
    high: int
    lasting: int | None
    seen: str | None
    planned: bool
    span: Span = attrs.field(repr=False)

    @property
    def is_flag(self) -> bool:
        """Whether it is a set of sites rather than a value for each."""
        return self.owner in ("site", "piece") and self.type.kind == "truth"


@attrs.frozen(eq=False, repr=False)
class Function:
    """A definition: its parameters and value. *uses_mover*: it asks who moves."""

    name: str
    parameters: tuple[Local, ...]
    value: Expression
    type: Type
    uses_mover: bool
    is_relation: bool
    span: Span = attrs.field(repr=False)


# ---- expressions


@attrs.frozen(eq=False, repr=False)
class Constant(Node):
    value: int | tuple[Any, ...]
    type: Type


@attrs.frozen(eq=False, repr=False)
class Get(Node):
    """The value of a local."""

    local: Local
    type: Type


@attrs.frozen(eq=False, repr=False)
class Read(Node):
    """The value of a declared variable; of a flag without index: the set of sites."""

    variable: Variable
    indices: tuple[Expression, ...]
    type: Type


@attrs.frozen(eq=False, repr=False)
class Links(Node):
    """What joins neighbours: all links, a relation, directions, or a relation of the file."""

    kind: str  # all, relation, directions, defined
    relation: str = ""
    directions: Expression | None = None
    function: Function | None = None
    type: Type = attrs.field(factory=lambda: Type("relation"))


@attrs.frozen(eq=False, repr=False)
class Op(Node):
    """An operation of the kernel, or an operator, on values."""

    name: str
    arguments: tuple[Expression, ...]
    type: Type


@attrs.frozen(eq=False, repr=False)
class Apply(Node):
    """A definition applied to values."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type


@attrs.frozen(eq=False, repr=False)
class Choice(Node):
    """`if C then A else B`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


@attrs.frozen(eq=False, repr=False)
class Quantified(Node):
    quantifier: str  # some, no, every
    local: Local
    domain: Expression
    condition: Expression
    type: Type


@attrs.frozen(eq=False, repr=False)
class Those(Node):
    local: Local
    domain: Expression
    condition: Expression
    type: Type


@attrs.frozen(eq=False, repr=False)
class Fold(Node):
    """``sum``, ``union``, ``largest`` or ``smallest`` over a set or family."""

    kind: str
    local: Local
    domain: Expression
    value: Expression
    otherwise: Expression | None
    type: Type


@attrs.frozen(eq=False, repr=False)
class Best(Node):
    local: Local
    domain: Expression
    keys: tuple[Expression, ...]
    type: Type


@attrs.frozen(eq=False, repr=False)
class Ability(Node):
    """Whether a player has a legal move in a turn."""

    player: Expression
    turn: str
    negated: bool
    type: Type


Expression: TypeAlias = (
    Constant | Get | Read | Links | Op | Apply | Choice | Quantified | Those | Fold | Best | Ability
)

# ---- statements

Block: TypeAlias = "tuple[Statement, ...]"


@attrs.frozen(eq=False, repr=False)
class Choose(Node):
    """A decision. *low*..*high* members when *many*, else one; *printed* in every move it is in."""

    number: int
    local: Local
    many: bool
    low: Expression | None
    high: Expression | None
    domain: Expression
    condition: Expression | None
    member: Local
    chance: bool


@attrs.frozen(eq=False, repr=False)
class Require(Node):
    condition: Expression


@attrs.frozen(eq=False, repr=False)
class RequireMost(Node):
    keys: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Assign(Node):
    """A name gets a value. *changes*: by `set`; a number must then lie in ±`LARGEST_NUMBER`."""

    local: Local
    value: Expression
    changes: bool = False


@attrs.frozen(eq=False, repr=False)
class Set(Node):
    variable: Variable
    indices: tuple[Expression, ...]
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Raise(Node):
    variable: Variable
    indices: tuple[Expression, ...]
    amount: Expression
    down: bool


@attrs.frozen(eq=False, repr=False)
class Put(Node):
    count: Expression
    owner: Expression
    kind: Expression
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
    variable: Variable
    sites: Expression
    on: bool


@attrs.frozen(eq=False, repr=False)
class ClearBoard(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class RefillHands(Node):
    pass


@attrs.frozen(eq=False, repr=False)
class Say(Node):
    """Print parts: literal text, or a value in the notation of its type."""

    parts: tuple[str | Expression, ...]


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
class If(Node):
    number: int
    condition: Expression
    then: Block
    otherwise: Block


@attrs.frozen(eq=False, repr=False)
class ForEach(Node):
    """For all members of the domains at once; the last binder turns fastest."""

    binders: tuple[tuple[Local, Expression], ...]
    body: Block


@attrs.frozen(eq=False, repr=False)
class OneByOne(Node):
    local: Local
    rest: Local
    domain: Expression
    body: Block


@attrs.frozen(eq=False, repr=False)
class Bullet(Node):
    name: str
    body: Block
    otherwise: bool


@attrs.frozen(eq=False, repr=False)
class OneOf(Node):
    number: int
    bullets: tuple[Bullet, ...]


@attrs.frozen(eq=False, repr=False)
class MatchRow(Node):
    """None among the patterns fits anything; no patterns at all: the `else` row."""

    patterns: tuple[int | None, ...]
    body: Block


@attrs.frozen(eq=False, repr=False)
class Match(Node):
    subjects: tuple[Expression, ...]
    rows: tuple[MatchRow, ...]


@attrs.frozen(eq=False, repr=False)
class Repeat(Node):
    number: int
    low: int
    high: int
    may_stop: bool
    counter: Local
    body: Block


Statement: TypeAlias = (
    Choose
    | Require
    | RequireMost
    | Assign
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
    | If
    | ForEach
    | OneByOne
    | OneOf
    | Match
    | Repeat
)


@attrs.frozen(eq=False, repr=False)
class Turn(Node):
    """A choice program. Its moves print as the `Say`s along the run, joined by *joiner*.

    *chance*: nobody chooses; its outcomes are rolled.
    """

    name: str
    together: bool
    chance: bool
    joiner: str
    body: Block
    reveal: Block


# ---- flow

Steps: TypeAlias = "tuple[Step, ...]"


@attrs.frozen(eq=False, repr=False)
class Takes(Node):
    player: Expression
    turn: str


@attrs.frozen(eq=False, repr=False)
class Alternate(Node):
    turn: str
    start: Expression
    skipping: bool
    until: Expression | None


@attrs.frozen(eq=False, repr=False)
class Together(Node):
    turn: str


@attrs.frozen(eq=False, repr=False)
class Rolled(Node):
    """A turn that chance takes."""

    turn: str


@attrs.frozen(eq=False, repr=False)
class Phase(Node):
    name: str
    body: Steps


@attrs.frozen(eq=False, repr=False)
class GoTo(Node):
    phase: str


@attrs.frozen(eq=False, repr=False)
class Loop(Node):
    until: Expression | None
    body: Steps


@attrs.frozen(eq=False, repr=False)
class Rounds(Node):
    """A loop over players or numbers; the loop's name is a variable of the state."""

    variable: Variable
    domain: Expression
    body: Steps


@attrs.frozen(eq=False, repr=False)
class IfStep(Node):
    condition: Expression
    then: Steps
    otherwise: Steps


@attrs.frozen(eq=False, repr=False)
class EffectStep(Node):
    body: Block


@attrs.frozen(eq=False, repr=False)
class End(Node):
    """One way in which the game ends. *kind*: wins, loses, draw, decides.

    *needs_mover*: it speaks of the mover, and is asked only after a turn that one player took.
    """

    name: str
    kind: str
    player: Expression | None
    condition: Expression | None
    needs_mover: bool


Step: TypeAlias = (
    Takes | Alternate | Together | Rolled | Phase | GoTo | Loop | Rounds | IfStep | EffectStep | End
)


@attrs.frozen(eq=False, repr=False)
class Rank:
    """A number of each player that the ranking goes by; the first one is the score."""

    name: str
    highest: bool
    local: Local
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Option:
    """An option of the description and the value that it has here.

    *values* are all that it may have, as they are written, in order.
    """

    name: str
    type: Type
    value: int
    default: int
    values: tuple[str, ...] | range
    help: str | None


# ---- examples


@attrs.frozen(eq=False, repr=False)
class Fact(Node):
    """One line of an example, see `ludeme.syntax.tree`; *block* and *condition* are checked."""

    kind: str  # given, to_move, play, legal, illegal, moves, outcome, expect
    texts: tuple[tuple[str, Span], ...] = ()
    player: int | None = None
    turn: str | None = None
    count: int = 0
    name: str | None = None
    block: Block = ()
    condition: Expression | None = None


@attrs.frozen(eq=False, repr=False)
class Example(Node):
    title: str
    options: tuple[tuple[str, str], ...]
    facts: tuple[Fact, ...]


@attrs.frozen(eq=False, repr=False)
class Memory:
    """What is remembered of each position, so that `repeats` can count it; see the kernel.

    *whole*: also the hands, and who left it. *values*: what else must be the same.
    """

    number: int
    whole: bool
    values: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Sight:
    """Where a player, the mover, sees pieces and their kinds; None for everywhere."""

    pieces: Expression | None
    kinds: Expression | None


@attrs.frozen(eq=False, repr=False)
class Program:
    """Everything that a description means, for one choice of its options."""

    title: str
    author: str | None
    options: tuple[Option, ...]
    players: tuple[str, ...]
    board: Board
    kinds: tuple[str, ...]
    neutral: int  # set of kinds that nobody owns
    letters: tuple[str, ...]  # of each kind, for pictures
    stack_limit: int
    hands: tuple[int, ...]  # of each kind, at the start, for every player
    choices: dict[str, tuple[str, ...]]  # declared lists of values
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]
    start: Block
    turns: dict[str, Turn]
    play: Steps
    ends: tuple[End, ...]
    ranking: tuple[Rank, ...]
    memories: tuple[Memory, ...]
    sight: Sight
    examples: tuple[Example, ...]
    local_count: int
    uses: frozenset[str]  # kernel operations and effects that occur
    meaning: str = attrs.field(repr=False)  # canonical text of all that play depends on
