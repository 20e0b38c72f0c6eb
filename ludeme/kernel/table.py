"""The table of operations: all that the language knows without being told.

The checker takes names and types from here, the back ends are tested to know every row, and the
reference prints the doc lines. *reads* and *writes* name the parts of a state: ``pieces``,
``hands``, ``flow`` (whose turn, passes, skips, the count of turns) and ``history``; what belongs
to the board alone reads nothing. Variables declared in a file are tracked one by one.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ludeme.kernel.types import (
    DIRECTIONS,
    FAMILY,
    HOLE,
    KIND,
    KINDS,
    LINKS,
    NUMBER,
    PLAYER,
    PLAYERS,
    SITE,
    SITES,
    TRUTH,
    Type,
    set_of,
)


@attrs.frozen
class Parameter:
    """A parameter of an operation. *label*: the word before it. *optional*: may be left out."""

    name: str
    type: Type
    label: str | None = None
    optional: bool = False


@attrs.frozen
class Operation:
    """One thing that an expression can ask."""

    name: str
    parameters: tuple[Parameter, ...]
    result: Type
    doc: str
    reads: frozenset[str] = frozenset()

    @property
    def signature(self) -> str:
        """As it is written, optional parts in square brackets."""
        if not self.parameters:
            return self.name
        parts = []
        for parameter in self.parameters:
            part = f"{parameter.label} {parameter.name}" if parameter.label else parameter.name
            parts.append(f"[{part}]" if parameter.optional else part)
        return f"{self.name}({', '.join(parts)})"


@attrs.frozen
class Effect:
    """One thing that a line can do to a state."""

    name: str
    form: str
    doc: str
    writes: frozenset[str] = frozenset()


def _parameter(text: str, type_: Type) -> Parameter:
    optional = text.startswith("[")
    words = text.strip("[]").split()
    label = words[0] if len(words) == 2 else None
    return Parameter(words[-1], type_, label, optional)


def _operation(
    name: str, parameters: Iterable[tuple[str, Type]], result: Type, doc: str, *reads: str
) -> Operation:
    made = tuple(_parameter(text, type_) for text, type_ in parameters)
    return Operation(name, made, result, doc, frozenset(reads))


_ANY_SET = set_of(HOLE)

_OPERATIONS = (
    # Words for what there is now.
    _operation("board", (), SITES, "All sites."),
    _operation("nothing", (), SITES, "The empty set of sites."),
    _operation("empty", (), SITES, "The sites without a piece.", "pieces"),
    _operation("occupied", (), SITES, "The sites with a piece.", "pieces"),
    _operation("mine", (), SITES, "The sites whose top piece is the mover's.", "pieces", "mover"),
    _operation(
        "theirs",
        (),
        SITES,
        "The sites whose top piece is another player's than the mover's.",
        "pieces",
        "mover",
    ),
    _operation(
        "placed",
        (),
        SITES,
        "Where this turn has put or moved a piece, so far.",
        "placed",
    ),
    _operation("nobody", (), PLAYER, "The owner of neutral pieces and of empty sites."),
    _operation("players", (), PLAYERS, "All players."),
    _operation(
        "mover",
        (),
        PLAYER,
        "In a turn: who decides. In `end`: who has just decided, or was skipped.",
        "mover",
    ),
    _operation("next", (), PLAYER, "The player who follows the mover in seat order.", "mover"),
    _operation("skips", (), NUMBER, "How many turns running were skipped, up to now.", "flow"),
    _operation("passes", (), NUMBER, "How many turns running were passes, up to now.", "flow"),
    _operation("turns", (), NUMBER, "How many turns have been taken or skipped.", "flow"),
    _operation(
        "repeats",
        (("board|position", HOLE), ("[values]", HOLE)),
        NUMBER,
        "How many earlier turns, or the beginning, left the same pieces on the board; `position`:"
        " and the same hands, by the same mover. *values*: and whatever else is named.",
        "pieces",
        "history",
    ),
    # Pieces.
    _operation(
        "pieces", (("player", PLAYER),), SITES, "Where the top piece is the player's.", "pieces"
    ),
    _operation("owner", (("site", SITE),), PLAYER, "Whose the top piece is.", "pieces"),
    _operation(
        "kind",
        (("site", SITE),),
        KIND,
        "The kind of the top piece; equal to no kind if empty.",
        "pieces",
    ),
    _operation("height", (("site", SITE),), NUMBER, "How many pieces stand on the site.", "pieces"),
    _operation(
        "hand", (("player", PLAYER),), KINDS, "The kinds that the player has in hand.", "hands"
    ),
    _operation(
        "held",
        (("player", PLAYER), ("kind", KIND)),
        NUMBER,
        "How many pieces of the kind the player has in hand.",
        "hands",
    ),
    # Players.
    _operation(
        "rival",
        (("player", PLAYER),),
        PLAYER,
        "The other player of two; the rival of nobody is nobody.",
    ),
    _operation("others", (("player", PLAYER),), PLAYERS, "All players but this one."),
    _operation(
        "passed",
        (("player", PLAYER),),
        TRUTH,
        "Whether the player's latest decision was a pass.",
        "flow",
    ),
    # Sets and numbers.
    _operation("count", (("set", _ANY_SET),), NUMBER, "How many members a set or family has."),
    _operation("min", (("a", NUMBER), ("b", NUMBER)), NUMBER, "The smaller number."),
    _operation("max", (("a", NUMBER), ("b", NUMBER)), NUMBER, "The greater number."),
    _operation("abs", (("a", NUMBER),), NUMBER, "The number without its sign."),
    # The board.
    _operation(
        "neighbours",
        (("sites", SITES), ("[along relation]", LINKS)),
        SITES,
        "The sites that a link joins to one of *sites*, these themselves left out.",
    ),
    _operation(
        "step",
        (("sites", SITES), ("[along directions]", DIRECTIONS)),
        SITES,
        "The sites one step away in the directions.",
    ),
    _operation(
        "slide",
        (("sites", SITES), ("over free", SITES), ("[along directions]", DIRECTIONS)),
        SITES,
        "Along each ray from each of *sites*: the sites met while they lie in *free*.",
    ),
    _operation(
        "seen",
        (("sites", SITES), ("over free", SITES), ("[along directions]", DIRECTIONS)),
        SITES,
        "Along each ray from each of *sites*: the first site that is not in *free*.",
    ),
    _operation(
        "leap",
        (("sites", SITES), ("far", NUMBER), ("aside", NUMBER)),
        SITES,
        "The sites *far* cells away in one direction of rows and columns and *aside* cells in"
        " the other: a knight leaps 1 and 2. On boards of squares.",
    ),
    _operation(
        "mirrored",
        (("sites", SITES),),
        SITES,
        "The sites that have row and column exchanged. On boards of rows and columns.",
    ),
    _operation(
        "flanks",
        (("directions", DIRECTIONS),),
        DIRECTIONS,
        "The directions beside these, clockwise and counterclockwise.",
    ),
    _operation(
        "opposite",
        (("directions", DIRECTIONS),),
        DIRECTIONS,
        "The directions that lead back.",
    ),
    _operation(
        "between",
        (("a", SITE), ("b", SITE)),
        SITES,
        "The sites strictly between two sites of one line; none if no line joins them.",
    ),
    _operation(
        "path",
        (("a", SITE), ("b", SITE)),
        SITES,
        "The sites between two sites of one line, with the second.",
    ),
    _operation(
        "heading",
        (("a", SITE), ("b", SITE)),
        DIRECTIONS,
        "The direction that leads from one site to another; none if no line joins them.",
    ),
    _operation(
        "group",
        (("site", SITE), ("[among sites]", SITES), ("[along relation]", LINKS)),
        SITES,
        "The connected part that holds the site of the pieces of its owner, or of *sites*.",
        "pieces",
    ),
    _operation(
        "groups",
        (("sites", SITES), ("[along relation]", LINKS)),
        FAMILY,
        "The connected parts of *sites*, in board order of their first sites.",
    ),
    _operation(
        "reach",
        (("from sites", SITES), ("among free", SITES), ("[along relation]", LINKS)),
        SITES,
        "All sites of *free* that a chain within *free* joins to *sites*, with those in *free*.",
    ),
    _operation(
        "joined",
        (
            ("sites", SITES),
            ("from start", SITES),
            ("to goal", SITES),
            ("[by relation]", LINKS),
        ),
        TRUTH,
        "Whether a chain of *sites* leads from *start* to *goal*.",
    ),
    _operation(
        "line",
        (("length", NUMBER), ("among sites", SITES)),
        TRUTH,
        "Whether *length* sites running in a straight line all lie in *sites*.",
    ),
    _operation(
        "run",
        (("site", SITE), ("among sites", SITES)),
        NUMBER,
        "The longest straight run through *site*, itself counted, that lies in *sites*.",
    ),
)

OPERATIONS = {operation.name: operation for operation in _OPERATIONS}
"""Every operation by its name."""

OPERATORS = {
    "and": "Of two truths: both hold. Of two sets: what is in both.",
    "or": "Of two truths: at least one holds. Of two sets: what is in either.",
    "not": "Of a truth: it does not hold. Of a set of sites: all other sites.",
    "in": "Whether a set holds a member, or all members of another set.",
    "=": "Whether two values are equal; `!=`: whether they differ.",
    "<": "Whether a number is smaller; also `<=`, `>` and `>=`.",
    "+": "The sum of two numbers; also `-`, `*`, `/` (rounded down) and `mod`.",
    "..": "The set of the numbers from one to another, both included.",
    "some": "`some S`: the set has a member. `some x in S has C`: C holds for a member.",
    "no": "`no S`: the set is empty. `no x in S has C`: C holds for no member.",
    "every": "`every x in S has C`: C holds for each member.",
    "those": "`those x in S where C`: the members for which C holds.",
    "sum": "`sum E for x in S`: the sum of a number over the members.",
    "union": "`union E for x in S`: all the sites of a set over the members.",
    "largest": "`largest E for x in S else D`: the greatest number; D if S is empty.",
    "smallest": "`smallest E for x in S else D`: the smallest number; D if S is empty.",
    "best": "`best g in F by E, then E`: the first member of a family with the greatest E.",
    "if": "`if C then E else E`: one of two values.",
    "can": "`P can TURN`, `P cannot TURN`: whether the player has a legal move in that turn.",
}

_PIECES = frozenset({"pieces", "placed"})

_EFFECTS = (
    Effect(
        "choose",
        "choose [n] x from S [where C]",
        "A decision: one run of the turn for each member.",
    ),
    Effect(
        "roll", "roll [n] x from S [where C]", "A decision of chance: each member equally likely."
    ),
    Effect("require", "require C", "The run is legal only if C holds here."),
    Effect(
        "require most",
        "require most E, then E",
        "Of all runs, those with the greatest E are legal.",
    ),
    Effect("let", "let x = E", "A name for a value, to the end of the block."),
    Effect("set", "set V to E", "Give a variable a value.", frozenset({"variable"})),
    Effect(
        "raise",
        "raise V by n",
        "Add to a number; past its range is a fault.",
        frozenset({"variable"}),
    ),
    Effect(
        "lower",
        "lower V by n",
        "Take from a number; past its range is a fault.",
        frozenset({"variable"}),
    ),
    Effect(
        "put",
        "put [n] [P] KIND [from hand] on S",
        "New pieces on each of the sites.",
        _PIECES | {"hands"},
    ),
    Effect(
        "move",
        "move a to b",
        "The top piece goes to another site, with what is noted on it.",
        _PIECES,
    ),
    Effect("swap", "swap a with b", "The top pieces of two sites change places.", _PIECES),
    Effect("remove", "remove S", "The top piece of each site leaves the board.", _PIECES),
    Effect(
        "change", "change S to KIND", "The top piece of each site becomes another kind.", _PIECES
    ),
    Effect("give", "give S to P", "The top piece of each site becomes another player's.", _PIECES),
    Effect(
        "mark",
        "mark S FLAG",
        "Set a flag of sites, or of the pieces on them.",
        frozenset({"variable"}),
    ),
    Effect(
        "unmark",
        "unmark S FLAG",
        "Clear a flag of sites, or of the pieces on them.",
        frozenset({"variable"}),
    ),
    Effect("clear board", "clear board", "All pieces leave the board.", _PIECES),
    Effect(
        "refill hands", "refill hands", "Hands are as the file declares them.", frozenset({"hands"})
    ),
    Effect("as", 'as "..."', "Print this as part of the move."),
    Effect("pass", "pass", "The move is a pass, and prints so.", frozenset({"flow"})),
    Effect("again", "again", "The mover takes another turn.", frozenset({"flow"})),
    Effect("stop", "stop", "Leave the innermost `repeat`."),
    Effect("if", "if C ... else ...", "One block or the other."),
    Effect("match", "match E, E", "The first row whose values fit; no row: nothing happens."),
    Effect(
        "for each",
        "for each x in S",
        "For all members at once: all is read before anything is written.",
    ),
    Effect(
        "one by one",
        "one by one x in S",
        "For each member in order, each seeing what the one before did.",
    ),
    Effect(
        "one of",
        "one of - NAME ...",
        "Alternatives; `otherwise` opens if none above can be completed.",
    ),
    Effect(
        "repeat",
        "repeat 1..n times while possible",
        "A chain of steps; `or stop` lets the mover end it.",
    ),
    Effect("setup", "setup and a picture", "Pieces as a picture shows them.", _PIECES),
)

EFFECTS = {effect.name: effect for effect in _EFFECTS}
"""Every line that does something, by its first words."""
