"""Tables of games written by hand, so that every figure can be worked out on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from ludeme.lab.games import COLUMNS, NONE, Games, Setting

UNKNOWN = float("nan")


def setting(**other: Any) -> Setting:
    """Two players on four sites with two kinds of piece and two kinds of move."""
    given: dict[str, Any] = {
        "game": "hand", "title": "By hand", "digest": "0", "options": {}, "seed": 0,
        "turn_limit": 100, "players": ("Ann", "Bob"), "ends": ("line", "full"),
        "kinds": ("man", "king"), "sites": ("a1", "b1", "a2", "b2"),
        "kinds_of_move": ("go: step", "go: jump"), "seats": ("random", "random"),
        "evaluator": "", "joint": False, "estimated": False,
    }  # fmt: skip
    return Setting(**(given | other))


@attrs.frozen
class Hand:
    """A game as it is written down here; what is not said is nothing.

    *width*: legal moves before each move, each a decision by the players in turn. *kind*: the kinds
    of each move. *value*: of each state. *held*: the states in which Ann's men stood on each site.
    """

    status: int = 0
    winner: int = NONE
    end: int = 0
    width: Sequence[int] = ()
    kind: Sequence[int] = ()
    scores: Sequence[float] = (UNKNOWN, UNKNOWN)
    value: Sequence[tuple[float, float]] = ()
    held: Sequence[int] = (0, 0, 0, 0)
    occupied: Sequence[int] = ()
    pictures: int = 1
    situations: int = 1


def games(*hands: Hand, **other: Any) -> Games:
    """The table of some games."""
    about = setting(**other)
    columns = {}
    for column in COLUMNS.values():
        entries = [entry for number, hand in enumerate(hands) for entry in _entries(
            column.name, number, hand)]  # fmt: skip
        shape = tuple(about.sizes[axis] for axis in column.shape)
        columns[column.name] = np.array(entries, column.type).reshape(len(entries), *shape)
    return Games(about, columns)


def _entries(name: str, number: int, hand: Hand) -> Sequence[Any]:
    moves = len(hand.width)
    states = moves + 1
    held = np.zeros((3, 2, 4))
    held[0, 0] = hand.held
    unknown = [(UNKNOWN, UNKNOWN)] * states
    return {
        "number": [number],
        "status": [hand.status],
        "decisions": [moves],
        "end": [hand.end if hand.status == 0 else NONE],
        "winner": [hand.winner],
        "scores": [hand.scores],
        "moves": [moves],
        "widths": [float(sum(hand.width))],
        "joint_widths": [float(sum(hand.width))],
        "held": [held],
        "pictures": [hand.pictures],
        "situations": [hand.situations],
        "mover": [move % 2 for move in range(moves)],
        "decision": list(range(moves)),
        "kind": hand.kind or [1] * moves,
        "width": hand.width,
        "occupied": hand.occupied or [0] * states,
        "score": unknown,
        "value": hand.value or unknown,
    }[name]
