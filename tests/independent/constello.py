"""Constello: secret plans, revealed together, on a wheel of nine spokes and three rings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

PLAYERS = ("Black", "White")
SPOKES = "abcdefghi"
NODES = tuple(spoke + ring for spoke in SPOKES for ring in "123")
STONES_EACH = 24
GOLD_LIMIT = 3
RAY_BONUS = 5

Order = tuple[str, str]
"""A kind ("place", "secure" or "capture") and the node it is aimed at."""
Outcome = tuple[str | None, str]


def joined(one: str, other: str) -> bool:
    """Say whether a line of the board joins two nodes.

    Lines run along every spoke from ring to ring, and around rings 1 and 2 but not ring 3.
    """
    step_out = abs(int(one[1]) - int(other[1]))
    step_round = (SPOKES.index(one[0]) - SPOKES.index(other[0])) % len(SPOKES)
    if step_round == 0:
        return step_out == 1
    return step_out == 0 and one[1] != "3" and step_round in (1, len(SPOKES) - 1)


JOINED = {node: tuple(other for other in NODES if joined(node, other)) for node in NODES}


def anchor(node: str) -> str | None:
    """Return the ring 2 node that a ring 3 node hangs from; other nodes hang from nothing."""
    return node[0] + "2" if node[1] == "3" else None


def rival(player: str) -> str:
    """Return the other player."""
    return PLAYERS[1 - PLAYERS.index(player)]


def groups(nodes: Iterable[str]) -> list[set[str]]:
    """Split nodes into connected groups."""
    left = set(nodes)
    found = []
    while left:
        group: set[str] = set()
        edge = {left.pop()}
        while edge:
            group |= edge
            edge = {near for node in edge for near in JOINED[node] if near in left}
            left -= edge
        found.append(group)
    return found


def rays(group: set[str]) -> int:
    """Count the spokes that lie wholly in a group."""
    return sum(all(spoke + ring in group for ring in "123") for spoke in SPOKES)


def write(plan: Iterable[Order]) -> str:
    """Write a plan in node order; an empty plan is a pass."""
    in_order = sorted(plan, key=lambda order: NODES.index(order[1]))
    return ", ".join(f"{kind} {node}" for kind, node in in_order) or "pass"


def read(text: str) -> list[Order]:
    """Read the text of a legal plan."""
    if text == "pass":
        return []
    return [(part.split(" ")[0], part.split(" ")[1]) for part in text.split(", ")]


@dataclass(frozen=True)
class State:
    """The table at the start of a turn.

    ``gold`` holds the nodes whose stone has a gold ring, ``red`` the nodes locked this turn.
    Pairs are in player order.
    """

    stones: tuple[frozenset[str], frozenset[str]]
    supplies: tuple[int, int]
    box: int = 0
    gold: frozenset[str] = frozenset()
    red: frozenset[str] = frozenset()
    turns: int = field(default=0, compare=False)
    reason: str | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """Both players decide on every turn, also one who can only pass."""
        return () if self.reason else PLAYERS

    def supply(self, player: str) -> int:
        """Count the stones a player has still to play."""
        return self.supplies[PLAYERS.index(player)]

    def held(self, player: str) -> frozenset[str]:
        """Return the nodes where a player has a stone."""
        return self.stones[PLAYERS.index(player)]

    def gold_rings(self, player: str) -> int:
        """Count the gold rings on a player's stones."""
        return len(self.gold & self.held(player))

    def orders(self, player: str) -> list[Order]:
        """List each single order that fits the board, whatever it costs."""
        kinds = ("place", "secure", "capture")
        return [(kind, node) for node in NODES for kind in kinds if self.fits(player, kind, node)]

    def fits(self, player: str, kind: str, node: str) -> bool:
        """Say whether the board, as it stands, lets a player aim such an order at a node."""
        mine, theirs = self.held(player), self.held(rival(player))
        if node in self.red:
            return False
        if kind == "secure":
            return node in mine
        if kind == "capture":
            return node not in mine and not (node in theirs and node in self.gold)
        return node not in mine and node not in theirs and anchor(node) not in theirs

    def moves(self, player: str) -> list[str]:
        """List the plans: one order, or two one-stone orders on two nodes, within the supply.

        Passing is offered with one stone or none, or when nothing else is legal.
        """
        if self.reason or player not in PLAYERS:
            return []
        cheap = [order for order in self.orders(player) if order[0] != "capture"]
        dear = [order for order in self.orders(player) if order[0] == "capture"]
        plans: list[tuple[Order, ...]] = []
        if self.supply(player) >= 1:
            plans += [(order,) for order in cheap]
        if self.supply(player) >= 2:
            plans += [(order,) for order in dear]
            plans += combinations(cheap, 2)
        if self.supply(player) <= 1 or not plans:
            plans.append(())
        return [write(plan) for plan in plans]

    def play(self, move: tuple[str, str]) -> State:
        """Reveal both plans, resolve them, cut off ring 3 stones and see if the game is over."""
        for player, text in zip(PLAYERS, move, strict=True):
            if text not in self.moves(player):
                raise ValueError(f"{player} may not play {text!r}")
        reveal = _Reveal(self)
        plans = {player: read(text) for player, text in zip(PLAYERS, move, strict=True)}
        for node in NODES:
            reveal.resolve(node, _orders_on(node, plans))
        reveal.sever()
        return reveal.after(both_passed=move == ("pass", "pass"))

    def best_group(self, player: str) -> tuple[int, int]:
        """Return stones and rays of the largest group; of equal ones that with more rays."""
        sizes = [(len(group), rays(group)) for group in groups(self.held(player))]
        return max(sizes, default=(0, 0))

    def scores(self) -> dict[str, int]:
        """Score the largest group: a point a stone and five a ray."""
        best = {player: self.best_group(player) for player in PLAYERS}
        return {player: size + RAY_BONUS * full for player, (size, full) in best.items()}

    @property
    def final_scores(self) -> dict[str, int] | None:
        """The scores, once the game is over."""
        return self.scores() if self.reason else None

    def standing(self, player: str) -> tuple[int, int, int, int]:
        """Return what decides the game: score, largest group, gold rings, stones in supply."""
        size = self.best_group(player)[0]
        return (self.scores()[player], size, self.gold_rings(player), self.supply(player))

    @property
    def outcome(self) -> Outcome | None:
        """The better standing wins; standings equal in all four counts are a draw."""
        if self.reason is None:
            return None
        black, white = (self.standing(player) for player in PLAYERS)
        if black == white:
            return (None, self.reason)
        return (PLAYERS[0] if black > white else PLAYERS[1], self.reason)


def _orders_on(node: str, plans: dict[str, list[Order]]) -> dict[str, str]:
    """Return the kind of order each player aimed at a node, for those who did."""
    return {
        player: kind for player, plan in plans.items() for kind, target in plan if target == node
    }


class _Reveal:
    """The table while one turn is carried out."""

    def __init__(self, before: State) -> None:
        self.before = before
        self.held = {player: set(before.held(player)) for player in PLAYERS}
        self.supply = {player: before.supply(player) for player in PLAYERS}
        self.box = before.box
        self.gold = set(before.gold)
        self.red: set[str] = set()

    def resolve(self, node: str, orders: dict[str, str]) -> None:
        """Carry out all that was ordered on one node."""
        for player, kind in orders.items():
            self.supply[player] -= 2 if kind == "capture" else 1
        by_kind = {kind: player for player, kind in orders.items()}
        if len(orders) == 1:
            ((player, kind),) = orders.items()
            self._alone(node, player, kind)
        elif by_kind.keys() == {"place"}:
            self._collide(node, stones=2)
        elif by_kind.keys() == {"capture"}:
            self._collide(node, stones=4)
        elif by_kind.keys() == {"secure", "capture"}:
            self._block(node, by_kind["secure"])
        elif by_kind.keys() == {"place", "capture"}:
            self._intercept(node, by_kind["capture"])

    def _alone(self, node: str, player: str, kind: str) -> None:
        """Carry out an order that nobody met."""
        enemy = rival(player)
        if kind == "secure":
            self.box += 1
        elif kind == "place":
            self.held[player].add(node)
        elif node in self.held[enemy]:
            self.held[enemy].remove(node)
            self.box += 1
            self.held[player].add(node)
            self.supply[enemy] += 1
            self.red.add(node)
        else:
            self.held[player].add(node)
            self.box += 1

    def _collide(self, node: str, stones: int) -> None:
        """Lose both orders when they are of the same kind, and lock the node."""
        self.box += stones
        self.red.add(node)

    def _block(self, node: str, owner: str) -> None:
        """Let the secured stone hold: its owner gets one stone back and one from the enemy."""
        self.box += 1
        self.supply[owner] += 2
        self._gild(node, owner)

    def _intercept(self, node: str, captor: str) -> None:
        """Let a capture beat a placement on an empty node."""
        self.box += 1
        self.held[captor].add(node)
        self.box += 1
        self._gild(node, captor)

    def _gild(self, node: str, player: str) -> None:
        """Put a gold ring on a stone, unless its owner had three when the turn began."""
        if self.before.gold_rings(player) < GOLD_LIMIT:
            self.gold.add(node)

    def sever(self) -> None:
        """Send each ring 3 stone over an enemy anchor to the Box, with its ring if it has one."""
        for player in PLAYERS:
            lost = {node for node in self.held[player] if anchor(node) in self.held[rival(player)]}
            self.held[player] -= lost
            self.gold -= lost
            self.box += len(lost)

    def after(self, *, both_passed: bool) -> State:
        """Return the table for the next turn; empty supplies count before a double pass."""
        reason = "passing" if both_passed else None
        if not any(self.supply.values()):
            reason = "exhaustion"
        black, white = PLAYERS
        return State(
            stones=(frozenset(self.held[black]), frozenset(self.held[white])),
            supplies=(self.supply[black], self.supply[white]),
            box=self.box,
            gold=frozenset(self.gold),
            red=frozenset(self.red),
            turns=self.before.turns + 1,
            reason=reason,
        )


def start() -> State:
    """Begin with an empty board and 24 stones each."""
    return State(stones=(frozenset(), frozenset()), supplies=(STONES_EACH, STONES_EACH))
