"""Everything that a description declares, by name."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from ludeme.board import Board
from ludeme.check import program
from ludeme.check.limits import MOST_NODES
from ludeme.check.report import Report
from ludeme.diagnostics import Note, Span
from ludeme.kernel import OPERATIONS
from ludeme.kernel.types import (
    BY_NAME,
    DIRECTION,
    DIRECTIONS,
    FAMILY,
    HOLE,
    KIND,
    PLAYER,
    SITE,
    SITES,
    Type,
    choice,
    set_of,
)
from ludeme.syntax import tree


@attrs.frozen(eq=False)
class Table:
    """A value for each player or kind."""

    name: str
    domain: Type
    type: Type
    values: tuple[int | tuple[int, ...], ...]
    span: Span


@attrs.frozen(eq=False)
class Value:
    """A name for one value."""

    type: Type
    value: int | tuple[int, ...]
    span: Span | None = None


@attrs.define(eq=False)
class Definition:
    """A `define` or `relation`, checked when it is first needed."""

    item: tree.Define
    function: program.Function | None = None
    busy: bool = False
    failed: bool = False
    height: int = 0
    uses_placed: bool = False
    uses_ability: bool = False


@attrs.frozen(eq=False)
class LudemeDefinition:
    """A `ludeme`, written out where it is called."""

    item: tree.Ludeme


Declared: TypeAlias = (
    Table | Value | Definition | LudemeDefinition | program.Variable | program.Turn
)


@attrs.define(eq=False)
class Environment:
    """What is declared so far, and the report to complain to."""

    report: Report
    board: Board
    title: str = ""
    author: str | None = None
    players: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    neutral: int = 0
    letters: tuple[str, ...] = ()
    stack_limit: int = 1
    hands: tuple[int, ...] = ()
    options: list[program.Option] = attrs.field(factory=list)
    names: dict[str, Declared] = attrs.field(factory=dict)
    spans: dict[str, Span] = attrs.field(factory=dict)
    used: set[str] = attrs.field(factory=set)
    from_prelude: set[str] = attrs.field(factory=set)
    choices: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    region_masks: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    variables: list[program.Variable] = attrs.field(factory=list)
    memories: list[program.Memory] = attrs.field(factory=list)
    functions: list[program.Function] = attrs.field(factory=list)
    turns: dict[str, tree.Turn] = attrs.field(factory=dict)
    operations: set[str] = attrs.field(factory=set)
    local_count: int = 0
    node_count: int = 0
    depth: int = 0
    deepest: int = 0
    choice_count: int = 0
    later: frozenset[str] = frozenset()  # names that the file gives to what play works out

    @property
    def is_full(self) -> bool:
        """Whether the description is too large to be checked to its end."""
        return self.node_count > MOST_NODES

    def local(self, name: str, type_: Type) -> program.Local:
        """A new local."""
        self.local_count += 1
        return program.Local(self.local_count - 1, name, type_)

    def number(self) -> int:
        """A new number for a decision or branch."""
        self.choice_count += 1
        return self.choice_count - 1

    def declare(self, word: tree.Word, what: Declared, prelude: bool = False) -> None:
        """Give a name its meaning; a name that has one already is an error."""
        name = word.text
        if self.is_taken(word, prelude):
            return
        self.names[name] = what
        self.spans[name] = word.span
        if prelude:
            self.from_prelude.add(name)

    def is_taken(self, word: tree.Word, prelude: bool = False) -> bool:
        """Whether a name means something already; then reports it."""
        name = word.text
        if name in self.names and name not in self.from_prelude:
            if not prelude:
                self.report.error(
                    "declared-twice",
                    word.span,
                    f"`{name}` means something else already",
                    help="names may not hide one another; choose another name",
                    notes=[Note(self.spans[name], f"`{name}` is declared here")],
                )
            return True
        owner = self.owner_of(name)
        if owner is not None:
            self.report.error(
                "reserved-name",
                word.span,
                f"`{name}` is {owner} and cannot be declared anew",
                help="choose another name",
            )
            return True
        if name in self.from_prelude and not prelude:
            self.report.error(
                "reserved-name",
                word.span,
                f"`{name}` is a word of the prelude and cannot be declared anew",
                help="choose another name",
            )
            return True
        return False

    def owner_of(self, name: str) -> str | None:
        """Whose word a name is when no description declared it."""
        if name in OPERATIONS:
            return "a word of the language"
        if name in self.board_values or name in self.board.families:
            return "a word of the board"
        if name in self.board.index:
            return "a site of the board"
        return None

    @property
    def board_values(self) -> dict[str, Value]:
        """The words of the board that are values by themselves."""
        return board_values(self.board)

    def known_names(self) -> set[str]:
        """All names that mean something everywhere."""
        return set(self.names) | set(OPERATIONS) | set(self.board_values) | set(self.board.families)

    def type_named(self, word: tree.Word, known: dict[str, Type]) -> Type | None:
        """The type that a declaration names; reports an unknown one."""
        name = word.text
        if name in known:
            return known[name]
        if name in self.choices:
            self.used.add(name)
            return choice(name)
        self.report.unknown("type", name, word.span, set(known) | set(self.choices))
        return None

    def parameter_type(self, word: tree.Word) -> Type:
        """The type of a parameter, a hole if it names none."""
        if word.text in self.choices:
            return choice(word.text)
        return BY_NAME.get(word.text, HOLE)

    def universe(self, type_: Type) -> int:
        """How many values an element type has; the size of a set of it."""
        match type_.kind:
            case "site":
                return len(self.board.names)
            case "player":
                return len(self.players)
            case "kind":
                return len(self.kinds)
            case "direction":
                return len(self.board.directions)
            case "choice":
                return len(self.choices[type_.name])
            case "truth":
                return 2
        return 4096

    def value_word(self, name: str) -> Value | None:
        """A name for one value, of the file, the board or a site."""
        found = self.names.get(name)
        if isinstance(found, Value):
            self.used.add(name)
            return found
        if found is not None:
            return None
        if name in self.choices:
            self.used.add(name)
            full = (1 << len(self.choices[name])) - 1
            return Value(set_of(choice(name)), full)
        value = self.board_values.get(name)
        if value is not None:
            return value
        if name in self.board.index:
            return Value(SITE, self.board.index[name])
        return None


_CACHE: dict[int, tuple[Board, dict[str, Value]]] = {}


def board_values(board: Board) -> dict[str, Value]:
    """The words of a board that are values: regions, families, directions and sets of them."""
    cached = _CACHE.get(id(board))
    if cached is not None and cached[0] is board:
        return cached[1]
    values: dict[str, Value] = {}
    for name, mask in board.regions.items():
        values[name] = Value(SITES, mask)
    for name, members in board.families.items():
        values[f"{name}s"] = Value(FAMILY, tuple(members.values()))
    for number, name in enumerate(board.directions):
        values[name] = Value(DIRECTION, number)
    for name, members_of in board.direction_sets.items():
        mask = sum(1 << board.directions.index(direction) for direction in members_of)
        values[name] = Value(DIRECTIONS, mask)
    _CACHE.clear()
    _CACHE[id(board)] = (board, values)
    return values


def player_value(number: int) -> program.Constant:
    """A player as a constant."""
    return program.Constant(number, PLAYER)


def kind_value(number: int) -> program.Constant:
    """A kind of piece as a constant."""
    return program.Constant(number, KIND)
