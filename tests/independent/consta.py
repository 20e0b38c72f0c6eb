"""Consta: link two sides of a square board with single and double pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

PLAYERS = ("Black", "White")

Cell = tuple[int, int]
"""Row and column, from 0 at the bottom left; sorting gives board order."""
Outcome = tuple[str | None, str]


class Piece(NamedTuple):
    """One stone or a stack of two: whose it is and how many stones it has."""

    owner: str
    stones: int


def label(cell: Cell) -> str:
    """Write a cell: its column as a letter, then its row."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


def cell_of(text: str) -> Cell:
    """Read a cell's label."""
    return (int(text[1:]) - 1, ord(text[0]) - ord("a"))


def rival(player: str) -> str:
    """Return the other player."""
    return PLAYERS[1 - PLAYERS.index(player)]


def weaker_pair(board: Mapping[Cell, Piece], corner: Cell) -> str | None:
    """Look at the 2x2 block up and right of a corner cell.

    If it is a crosscut return the owner of the pair with fewer stones, or "neither" if both
    pairs have as many; return ``None`` if it is no crosscut.
    """
    row, column = corner
    one, two = board.get((row, column)), board.get((row + 1, column + 1))
    three, four = board.get((row, column + 1)), board.get((row + 1, column))
    if one is None or two is None or three is None or four is None:
        return None
    if one.owner != two.owner or three.owner != four.owner or one.owner == three.owner:
        return None
    lead = one.stones + two.stones - three.stones - four.stones
    if lead == 0:
        return "neither"
    return three.owner if lead > 0 else one.owner


def corners_of(cell: Cell) -> list[Cell]:
    """Return the lower left cells of the four 2x2 blocks around a cell, off the board or not."""
    row, column = cell
    return [(row - down, column - left) for down in (0, 1) for left in (0, 1)]


@dataclass(frozen=True)
class State:
    """A position.

    ``skips`` counts the skipped turns since the last real one.
    """

    size: int
    pieces: frozenset[tuple[Cell, Piece]]
    player: str
    skips: int = 0
    outcome: Outcome | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """One player decides at a time."""
        return () if self.outcome else (self.player,)

    @cached_property
    def board(self) -> dict[Cell, Piece]:
        """The piece on each occupied cell."""
        return dict(self.pieces)

    @cached_property
    def empty(self) -> tuple[Cell, ...]:
        """The empty cells in board order."""
        span = range(self.size)
        grid = ((row, column) for row in span for column in span)
        return tuple(cell for cell in grid if cell not in self.board)

    def moves(self, player: str) -> list[str]:
        """List the legal turns: one stone to open the game, later two singles or a stack."""
        if player not in self.to_move:
            return []
        return [" ".join(label(cell) for cell in turn) for turn in self.turns()]

    def turns(self) -> Iterator[tuple[Cell, ...]]:
        """Yield legal turns as the cells they put a stone on; a stack names its cell twice.

        Two singles can spoil only what one of them spoils alone, except where they are the two
        ends of a diagonal and close a block together.
        """
        if not self.board:
            yield from ((cell,) for cell in self.empty)
            return
        yield from ((cell, cell) for cell in self.empty if self._clean((cell, cell)))
        fit = [cell for cell in self.empty if self._clean((cell,))]
        for one, two in combinations(fit, 2):
            touching = two[0] - one[0] == 1 and abs(two[1] - one[1]) == 1
            if not touching or self._clean((one, two)):
                yield (one, two)

    def _with(self, turn: tuple[Cell, ...]) -> dict[Cell, Piece]:
        """Return the pieces once stones of the player to move stand on the given cells."""
        return self.board | {cell: Piece(self.player, turn.count(cell)) for cell in turn}

    def _clean(self, turn: tuple[Cell, ...]) -> bool:
        """Say whether no block around the new pieces is a crosscut of equal pairs."""
        after = self._with(turn)
        corners = (corner for cell in turn for corner in corners_of(cell))
        return all(weaker_pair(after, corner) != "neither" for corner in corners)

    def allows(self, move: str) -> bool:
        """Say whether a turn is legal by looking at the whole board after it."""
        texts = move.split(" ")
        here = {label(cell): cell for cell in self.empty}
        if self.outcome or any(text not in here for text in texts):
            return False
        turn = tuple(here[text] for text in texts)
        if len(turn) != (2 if self.board else 1) or list(turn) != sorted(turn):
            return False
        after = self._with(turn)
        return all(weaker_pair(after, corner) != "neither" for corner in after)

    def play(self, move: str) -> State:
        """Take a turn and see who wins or who is next."""
        if not self.allows(move):
            raise ValueError(f"{self.player} may not play {move!r}")
        after = self._with(tuple(cell_of(text) for text in move.split(" ")))
        return replace(self, pieces=frozenset(after.items()), skips=0)._turn_over()

    def _turn_over(self) -> State:
        """End the turn of ``player``: a chain of the other side has survived it and wins.

        A player with no legal turn is skipped, and a skipped turn is a turn as well.
        """
        other = rival(self.player)
        if self.has_chain(other):
            return replace(self, outcome=(other, "chain"))
        if self.skips == 2:
            return replace(self, outcome=(None, "deadlock"))
        following = replace(self, player=other)
        if next(following.turns(), None) is not None:
            return following
        return replace(following, skips=self.skips + 1)._turn_over()

    def linked(self, one: Cell, two: Cell) -> bool:
        """Say whether two pieces are linked.

        Neighbours of one colour are, and diagonal ones too unless they are the weaker pair of
        a crosscut.
        """
        if one not in self.board or two not in self.board:
            return False
        owner = self.board[one].owner
        away = (abs(one[0] - two[0]), abs(one[1] - two[1]))
        if owner != self.board[two].owner or away not in ((0, 1), (1, 0), (1, 1)):
            return False
        corner = (min(one[0], two[0]), min(one[1], two[1]))
        return away != (1, 1) or weaker_pair(self.board, corner) != owner

    def has_chain(self, player: str) -> bool:
        """Say whether a player's linked pieces join top and bottom (Black), left and right (White).

        A corner cell is on both its sides.
        """
        axis = 0 if player == "Black" else 1
        own = {cell for cell, piece in self.pieces if piece.owner == player}
        todo = [cell for cell in own if cell[axis] == 0]
        reached = set(todo)
        while todo:
            cell = todo.pop()
            fresh = {near for near in _around(cell) & own if self.linked(cell, near)} - reached
            reached |= fresh
            todo += fresh
        return any(cell[axis] == self.size - 1 for cell in reached)


def _around(cell: Cell) -> set[Cell]:
    """Return the eight cells around a cell, and itself."""
    row, column = cell
    return {(row + up, column + right) for up in (-1, 0, 1) for right in (-1, 0, 1)}


def start(size: int = 11) -> State:
    """Begin with an empty board; Black opens."""
    if not 3 <= size <= 19:
        raise ValueError("the size is 3 to 19")
    return State(size=size, pieces=frozenset(), player="Black")
