"""Astralesce and Constellation: discs slide to cells of higher value on a hexagon of hexes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

PLAYERS = ("Light", "Dark")
GAMES = ("astralesce", "constellation")
DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))

Cell = tuple[int, int]
"""Row counted from 0 at the bottom, and the number of the label."""
Discs = frozenset[Cell]
Outcome = tuple[str | None, str]


@cache
def cells(order: int) -> frozenset[Cell]:
    """Return the cells of a hexagon: 2n-1 rows of 2n-1 numbers less two opposite corners."""
    span = range(2 * order - 1)
    return frozenset((row, col + 1) for row in span for col in span if abs(row - col) < order)


@cache
def ray(order: int, cell: Cell, direction: Cell) -> tuple[Cell, ...]:
    """Return the cells from a cell, itself left out, to the rim in one direction."""
    reach = range(1, 2 * order)
    line = [(cell[0] + k * direction[0], cell[1] + k * direction[1]) for k in reach]
    return tuple(spot for spot in line if spot in cells(order))


def label(cell: Cell) -> str:
    """Write a cell: the row as a letter, then the number."""
    return f"{chr(ord('a') + cell[0])}{cell[1]}"


def cell_of(text: str) -> Cell:
    """Read a cell's label."""
    return (ord(text[0]) - ord("a"), int(text[1:]))


def group_of(discs: Discs, disc: Cell) -> Discs:
    """Return the connected group a disc belongs to."""
    group = {disc}
    todo = [disc]
    while todo:
        row, number = todo.pop()
        near = {(row + up, number + along) for up, along in DIRECTIONS}
        fresh = (near & discs) - group
        group |= fresh
        todo += fresh
    return frozenset(group)


def is_unified(discs: Discs) -> bool:
    """Say whether discs form exactly one group; one disc does, no disc does not."""
    return bool(discs) and group_of(discs, next(iter(discs))) == discs


def rival(player: str) -> str:
    """Return the other player."""
    return PLAYERS[1 - PLAYERS.index(player)]


@dataclass(frozen=True)
class State:
    """A position; ``discs`` is a pair in player order."""

    game: str
    order: int
    alone: int
    discs: tuple[Discs, Discs]
    player: str
    outcome: Outcome | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """One player decides at a time."""
        return () if self.outcome else (self.player,)

    def held(self, player: str) -> Discs:
        """Return the cells where a player has discs."""
        return self.discs[PLAYERS.index(player)]

    def value(self, discs: Discs, cell: Cell) -> int:
        """Return a cell's value to the owner of some discs.

        It is the size of the largest group among the first friendly discs seen in the six
        directions; empty cells and enemy discs hide nothing.
        """
        sizes = [self.alone]
        for direction in DIRECTIONS:
            seen = [spot for spot in ray(self.order, cell, direction) if spot in discs]
            if seen:
                sizes.append(len(group_of(discs, seen[0])))
        return max(sizes)

    def slides(self, disc: Cell, direction: Cell) -> list[Cell]:
        """Return the cells a disc can reach in one direction, whatever their value."""
        reached = []
        for spot in ray(self.order, disc, direction):
            if spot in self.held(self.player):
                break
            reached.append(spot)
            if self.game == "constellation" and spot in self.held(rival(self.player)):
                break
        return reached

    def legal(self) -> Iterator[str]:
        """Yield each slide that ends on a higher value than the disc had before."""
        mine = self.held(self.player)
        for disc in sorted(mine):
            before = self.value(mine, disc)
            for direction in DIRECTIONS:
                for stop in self.slides(disc, direction):
                    if self.value((mine - {disc}) | {stop}, stop) > before:
                        yield f"{label(disc)}-{label(stop)}"

    def moves(self, player: str) -> list[str]:
        """List the legal slides; nobody may pass."""
        return list(self.legal()) if player in self.to_move else []

    def play(self, move: str) -> State:
        """Slide a disc, take what it captures and see if the game is over."""
        if self.outcome or move not in self.legal():
            raise ValueError(f"{self.player} may not play {move!r}")
        here, there = (cell_of(part) for part in move.split("-"))
        mine = (self.held(self.player) - {here}) | {there}
        theirs = self.held(rival(self.player)) - self._captured(here, there)
        pair = (mine, theirs) if self.player == PLAYERS[0] else (theirs, mine)
        return replace(self, discs=pair, player=rival(self.player))._judged()

    def _captured(self, here: Cell, there: Cell) -> set[Cell]:
        """Return the cells cleared of enemies: all along the path, its last included."""
        for direction in DIRECTIONS:
            line = ray(self.order, here, direction)
            if there in line:
                return set(line[: line.index(there) + 1])
        raise AssertionError("a slide keeps to one line")

    def _judged(self) -> State:
        """Look for the end: the mover unified, the opponent unified, the opponent stuck."""
        mover = rival(self.player)
        if is_unified(self.held(mover)):
            return replace(self, outcome=(mover, "unification"))
        if is_unified(self.held(self.player)):
            return replace(self, outcome=(self.player, "unification"))
        if next(self.legal(), None) is None:
            return replace(self, outcome=(self.player, "stalemate"))
        return self


def start(game: str = "astralesce", *, order: int = 4, alone: int = 1) -> State:
    """Set up discs by a three-colouring whose centre colour stays empty; Light moves first.

    ``alone`` is the value of a cell from which no friendly disc is seen.
    """
    if game not in GAMES or order not in (3, 4, 5, 6) or alone not in (0, 1):
        raise ValueError("no such game or option")
    middle = (order - 1) + order
    light, dark = (
        frozenset(cell for cell in cells(order) if (sum(cell) - middle) % 3 == above)
        for above in (1, 2)
    )
    return State(game=game, order=order, alone=alone, discs=(light, dark), player=PLAYERS[0])
