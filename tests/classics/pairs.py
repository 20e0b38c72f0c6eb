"""How OpenSpiel writes the decisions of each game, read as we write them."""

from __future__ import annotations

from typing import Any

from .decisions import Actions, Pair

PITS = ["a1", "b1", "c1", "d1", "e1", "f1", "south", "f2", "e2", "d2", "c2", "b2", "a2"]


def pit_after_store(before: Any, player: int, actions: Actions) -> str:
    """Pits are counted round the board, the second store being 0."""
    return PITS[actions[0] - 1]


PAIRS = (Pair("kalah", "mancala", pit_after_store, games=(10, 300)),)


HOUSES = [*PITS[:6], *PITS[7:]]


def house(before: Any, player: int, actions: Actions) -> str:
    """Houses are counted by each player from his left."""
    return HOUSES[actions[0] + 6 * player]


PAIRS = (
    Pair("kalah", "mancala", pit_after_store, games=(10, 300)),
    Pair("oware", "oware", house, games=(6, 300)),
)
