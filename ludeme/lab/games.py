"""What one numbered game yields, as columns that can be put together in any order.

`Games` is a table with a row for each game, sorted by its number. Every figure of the lab is made
from such a table, and a row depends on the `Setting` and on the number of the game alone; so the
figures are the same whatever batches, processes or machines played, in whatever order they
answered. There are two sorts of table, told apart by the columns that they have:

- **rows**, of every game: cheap, from machine code (`rows_of`).
- **details**, of games that were observed decision by decision (`ludeme.lab.observe`): all of the
  columns of rows, and more.

`COLUMNS` says what each column holds. A column has an entry for each game, for each *move* (one for
each decider of each decision, game by game, in order) or for each *state* (the first one, and the
one after each decision). How many entries a game has in it follows from its `moves` and
`decisions`, so that no table of lengths is kept beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ludeme.play.results import Playouts

FINISHED, UNFINISHED, FAULTY = 0, 1, 2
"""The statuses of a game, as `ludeme.play.results.STATUSES` has them."""
NONE = -1
"""No winner, no end."""

Array = NDArray[Any]
Entries = Literal["game", "move", "state"]


@attrs.frozen
class Column:
    """What a column holds. *shape*: the axes of one entry, by their names in `Setting.sizes`."""

    name: str
    type: str
    entries: Entries = "game"
    shape: tuple[str, ...] = ()
    detailed: bool = False


COLUMNS: Mapping[str, Column] = {
    column.name: column
    for column in (
        # the number of the game
        Column("number", "uint64"),
        # FINISHED, UNFINISHED (cut by the turn limit) or FAULTY
        Column("status", "int8"),
        # how many decisions were taken; of a faulty game: before the fault
        Column("decisions", "int64"),
        # the place of the end in `Setting.ends`; NONE unless finished
        Column("end", "int16"),
        # the seat of the winner; NONE for a draw, and unless finished
        Column("winner", "int8"),
        # the score of each player; NaN where no ranking decided
        Column("scores", "float64", shape=("players",)),
        # how many moves were made, one for each decider of each decision
        Column("moves", "int64"),
        # the sum over the moves of an unbiased estimate of how many were legal
        Column("widths", "float64"),
        # the sum over the decisions of the product of those of its deciders
        Column("joint_widths", "float64"),
        # in how many states the top piece of a site was of this owner and kind; the last owner is
        # nobody
        Column("held", "int32", shape=("owners", "kinds", "sites"), detailed=True),
        # how many different states there were: all that is on the board and in the hands; that, and
        # who is to move
        Column("pictures", "int64", detailed=True),
        Column("situations", "int64", detailed=True),
        # who made the move, at which decision (from 0), and of which kinds it was: bit i stands for
        # number i of `Setting.kinds_of_move`
        Column("mover", "int8", "move", detailed=True),
        Column("decision", "int32", "move", detailed=True),
        Column("kind", "uint64", "move", detailed=True),
        # how many moves were legal, exactly; NONE where that is not known
        Column("width", "int64", "move", detailed=True),
        # how many sites were occupied
        Column("occupied", "int32", "state", detailed=True),
        # the score of each player if the game ended here; NaN without a ranking
        Column("score", "float64", "state", ("players",), detailed=True),
        # what each player may expect, 0 to 1, by the evaluator that was asked for; NaN without one
        Column("value", "float64", "state", ("players",), detailed=True),
    )
}


@attrs.frozen
class Setting:
    """All that the games of a table depend on, beside their numbers; and what its codes stand for.

    *game* is the name of the description, *digest* that of its meaning with its *options*.
    *players*, *ends*, *kinds* (of piece) and *sites* name what columns give by number, and so does
    *kinds_of_move*: the bullets of the turns, ``build: stack``, and turns without any. *seats*
    names who plays, a seat each (``random``, ``greedy``, ``montecarlo:50``); *evaluator* what gave
    the values of states, "" if nothing did. *joint*: several players decide together somewhere.
    *estimated*: `widths` holds estimates in at least one turn, else counts.
    """

    game: str
    title: str
    digest: str
    options: Mapping[str, Any]
    seed: int
    turn_limit: int
    players: tuple[str, ...]
    ends: tuple[str, ...]
    kinds: tuple[str, ...]
    sites: tuple[str, ...]
    kinds_of_move: tuple[str, ...]
    seats: tuple[str, ...]
    evaluator: str
    joint: bool
    estimated: bool

    @property
    def sizes(self) -> dict[str, int]:
        """How long each axis of a column is."""
        return {
            "players": len(self.players),
            "owners": len(self.players) + 1,
            "kinds": len(self.kinds),
            "sites": len(self.sites),
        }

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return attrs.asdict(self) | {"options": dict(self.options)}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Setting:
        """From what `as_dict` gave and JSON kept."""
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in fields.items()
        }
        return cls(**given)


@attrs.frozen(eq=False)
class Games:
    """Games of one setting, sorted by number, none twice.

    *columns* are some of `COLUMNS`: all that are not detailed, and all of the rest or none. An
    array of entries for moves or states has those of the first game, then those of the second, ...
    """

    setting: Setting
    columns: Mapping[str, Array]

    def __len__(self) -> int:
        return len(self.columns["number"])

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    @property
    def detailed(self) -> bool:
        """Whether the games were observed."""
        return "width" in self.columns

    @property
    def finished(self) -> NDArray[np.bool_]:
        """Which games ended by the rules."""
        return np.equal(self.columns["status"], FINISHED)

    def lengths(self, entries: Entries) -> NDArray[np.int64]:
        """How many entries each game has."""
        return lengths_of(self.columns, entries)

    def game_of(self, entries: Entries) -> NDArray[np.int64]:
        """The row of the game that each entry is of."""
        return np.repeat(np.arange(len(self)), self.lengths(entries))

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Games:
        """The games of some rows, which have to stand in order."""
        rows = np.arange(len(self))[rows]
        return Games(self.setting, _taken(self.columns, rows))

    def rows(self) -> Games:
        """The same games without their details."""
        cheap = {n: a for n, a in self.columns.items() if not COLUMNS[n].detailed}
        return Games(self.setting, cheap)


def lengths_of(columns: Mapping[str, Array], entries: Entries) -> NDArray[np.int64]:
    """How many entries of a sort each game has."""
    if entries == "move":
        return columns["moves"].astype(np.int64)
    if entries == "state":
        return columns["decisions"].astype(np.int64) + 1
    return np.ones(len(columns["number"]), np.int64)


def empty(setting: Setting, detailed: bool = False) -> Games:
    """No games."""
    return Games(setting, {
        column.name: np.zeros((0, *(setting.sizes[axis] for axis in column.shape)), column.type)
        for column in COLUMNS.values()
        if detailed or not column.detailed
    })  # fmt: skip


def merge(parts: Iterable[Games]) -> Games:
    """All games of *parts*, whatever their order; a game that is there twice counts once.

    ValueError if there are no parts, or if they are not of one setting and sort.
    """
    tables = list(parts)
    if not tables:
        raise ValueError("there is nothing to merge")
    first = tables[0]
    for table in tables[1:]:
        if table.setting != first.setting:
            raise ValueError("games of different settings are not one table")
        if set(table.columns) != set(first.columns):
            raise ValueError("rows and details are not one table")
    columns = {name: np.concatenate([t.columns[name] for t in tables]) for name in first.columns}
    _, order = np.unique(columns["number"], return_index=True)
    if len(order) == len(columns["number"]) and (np.diff(order) == 1).all():
        return Games(first.setting, columns)
    return Games(first.setting, _taken(columns, order))


def _taken(columns: Mapping[str, Array], rows: NDArray[np.int64]) -> dict[str, Array]:
    picked: dict[Entries, Array] = {
        entries: _entries_of(lengths_of(columns, entries), rows)
        for entries in ("game", "move", "state")
    }
    return {name: array[picked[COLUMNS[name].entries]] for name, array in columns.items()}


def _entries_of(lengths: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the entries of these rows stand, row after row."""
    begins = np.cumsum(lengths) - lengths
    wanted = lengths[rows]
    before = np.cumsum(wanted) - wanted
    places: NDArray[np.int64] = np.repeat(begins[rows] - before, wanted)
    places += np.arange(len(places))
    return places


# ---- from playouts


def rows_of(playouts: Playouts, setting: Setting) -> Games:
    """Playouts as a table without details."""
    numbers = np.arange(len(playouts), dtype=np.uint64) + np.uint64(playouts.asked.first)
    given = {
        "number": numbers,
        "status": playouts.status,
        "decisions": playouts.decisions,
        "end": playouts.ends,
        "winner": playouts.winners,
        "scores": playouts.scores,
        "moves": playouts.moves,
        "widths": playouts.widths,
        "joint_widths": playouts.joint_widths,
    }
    return Games(setting, {n: a.astype(COLUMNS[n].type, copy=False) for n, a in given.items()})
