"""Quick draws of legal moves that like the rare cases: clashes, captures, crosscuts, stacks."""

from __future__ import annotations

import random
from collections.abc import Collection
from itertools import product
from typing import Protocol

from . import consta, constello

CONSTELLO_STYLES = {
    "even": {"place": 1.0, "secure": 1.0, "capture": 1.0},
    "builder": {"place": 8.0, "secure": 1.0, "capture": 0.5},
    "guard": {"place": 1.0, "secure": 12.0, "capture": 1.0},
    "raider": {"place": 1.0, "secure": 1.0, "capture": 12.0},
}
"""How much each style likes each kind of order."""
CONSTA_STYLES = ("even", "clash")
AIMED = 40.0
"""How much more a player likes an order on a node both are after."""
HEAT = (1.0, 2.0, 10.0, 60.0)
"""How much an empty cell is liked for 0 to 3 other cells filled in one of its blocks."""
CROSSCUT = 200.0
"""How much a cell is liked that would close a crosscut."""


class Listed(Protocol):
    """Any position that lists its moves."""

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players who decide now."""
        ...

    def moves(self, player: str) -> list[str]:
        """List a player's legal moves."""
        ...


def any_move(state: Listed, player: str, rng: random.Random) -> str:
    """Draw one of all legal moves, each as likely as the next."""
    return rng.choice(state.moves(player))


def constello_plan(
    state: constello.State,
    player: str,
    rng: random.Random,
    style: str = "even",
    aims: Collection[str] = (),
) -> str:
    """Draw a legal plan to the taste of a style, with a strong liking for some nodes."""
    supply = state.supply(player)
    kinds = {0: (), 1: ("place", "secure")}.get(supply, ("place", "secure", "capture"))
    orders = [order for order in state.orders(player) if order[0] in kinds]
    if not orders or (supply == 1 and rng.random() < 0.2):
        return "pass"
    first = _liked_order(orders, rng, style, aims)
    if first[0] == "capture" or supply == 1 or rng.random() < 0.2:
        return constello.write([first])
    more = [order for order in orders if order[0] != "capture" and order[1] != first[1]]
    return constello.write([first, _liked_order(more, rng, style, aims)] if more else [first])


def _liked_order(
    orders: list[constello.Order], rng: random.Random, style: str, aims: Collection[str]
) -> constello.Order:
    """Draw an order by the weight of its kind and of its node.

    Weights of a kind are shared among its orders, so that many empty nodes do not drown the rest.
    """
    kinds = [kind for kind, _ in orders]
    taste = {kind: CONSTELLO_STYLES[style][kind] / kinds.count(kind) for kind in set(kinds)}
    weights = [taste[kind] * (AIMED if node in aims else 1.0) for kind, node in orders]
    return rng.choices(orders, weights)[0]


def constello_turn(
    state: constello.State, rng: random.Random, styles: tuple[str, str] | None = None
) -> tuple[str, str]:
    """Draw both plans; three times in four both players are after the same node or two."""
    tastes = styles or (rng.choice(list(CONSTELLO_STYLES)), rng.choice(list(CONSTELLO_STYLES)))
    aims: list[str] = []
    if rng.random() < 0.75:
        aims = _contested(state, rng)
    black, white = (
        constello_plan(state, player, rng, style, aims)
        for player, style in zip(constello.PLAYERS, tastes, strict=True)
    )
    return (black, white)


def _contested(state: constello.State, rng: random.Random) -> list[str]:
    """Draw one or two nodes that both players may aim at, half of the time held ones."""
    targets = [{node for _, node in state.orders(player)} for player in constello.PLAYERS]
    shared = sorted(targets[0] & targets[1])
    held = [node for node in shared if any(node in stones for stones in state.stones)]
    pool = held if held and rng.random() < 0.5 else shared
    return rng.sample(pool, min(len(pool), rng.choice((1, 1, 2))))


def consta_turn(state: consta.State, rng: random.Random, style: str = "clash") -> str:
    """Draw a legal turn; the clash style seeks blocks that fill up and crosscuts above all."""
    if not state.board:
        return consta.label(rng.choice(state.empty))
    weights = [_heat(state, cell) if style == "clash" else 1.0 for cell in state.empty]
    for _ in range(30):
        cells = rng.choices(state.empty, weights, k=2)
        if rng.random() < 0.4:
            cells[1] = cells[0]
        text = " ".join(consta.label(cell) for cell in sorted(cells))
        if state.allows(text):
            return text
    return any_move(state, state.player, rng)


def _heat(state: consta.State, cell: consta.Cell) -> float:
    """Weigh an empty cell by the fullest of its blocks."""
    row, column = cell
    return max(_block_heat(state, cell, (row + up, column + right)) for up, right in _DIAGONALS)


_DIAGONALS = tuple(product((-1, 1), repeat=2))


def _block_heat(state: consta.State, cell: consta.Cell, facing: consta.Cell) -> float:
    """Weigh the block between an empty cell and the one that faces it on a diagonal."""
    others = (facing, (cell[0], facing[1]), (facing[0], cell[1]))
    pieces = [state.board.get(other) for other in others]
    owners = [piece.owner for piece in pieces if piece is not None]
    enemy = consta.rival(state.player)
    if owners == [state.player, enemy, enemy]:
        return CROSSCUT
    return HEAT[len(owners)]
