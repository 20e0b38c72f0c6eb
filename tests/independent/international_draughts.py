"""International draughts: as many captures as possible, flying kings, removal at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

PLAYERS = ("White", "Black")
Cell = tuple[int, int]
"""Row and column from 0; sorting gives board order."""

WAYS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def label(cell: Cell) -> str:
    """Column letter and row number."""
    return f"{'abcdefghij'[cell[1]]}{cell[0] + 1}"


def is_inside(cell: Cell) -> bool:
    """Whether a cell is on the board."""
    return 0 <= cell[0] < 10 and 0 <= cell[1] < 10


def ray(cell: Cell, way: Cell) -> Iterator[Cell]:
    """The cells of a diagonal from a cell on, itself left out."""
    cell = (cell[0] + way[0], cell[1] + way[1])
    while is_inside(cell):
        yield cell
        cell = (cell[0] + way[0], cell[1] + way[1])


Piece = tuple[str, bool]
"""Owner, and whether it is a king."""

Key = tuple[frozenset[tuple[Cell, Piece]], str]


@dataclass(frozen=True)
class State:
    """The pieces; *quiet* moves of kings running; *known*: positions, with who had moved."""

    board: Mapping[Cell, Piece]
    taken: int = 0
    quiet: int = 0
    known: tuple[Key, ...] = ()
    outcome: tuple[str | None, str] | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """The players take turns."""
        return () if self.outcome else (PLAYERS[self.taken % 2],)

    def _jumps(
        self, origin: Cell, here: Cell, taken: frozenset[Cell]
    ) -> Iterator[tuple[Cell, frozenset[Cell]]]:
        """Every capture that goes on from *here*, complete or not: where it ends, what it takes."""
        owner, is_king = self.board[origin]
        for way in WAYS:
            cells = list(ray(here, way))
            held = [i for i, cell in enumerate(cells) if cell in self.board and cell != origin]
            if not held or (held[0] > 0 and not is_king):
                continue
            victim = cells[held[0]]
            if self.board[victim][0] == owner or victim in taken:
                continue
            stop = held[1] if len(held) > 1 else len(cells)
            landings = cells[held[0] + 1 : stop]
            for landing in landings if is_king else landings[:1]:
                yield landing, taken | {victim}
                yield from self._jumps(origin, landing, taken | {victim})

    def captures(self, player: str) -> dict[str, tuple[Cell, Cell, frozenset[Cell]]]:
        """The captures that take most."""
        found = [
            (cell, end, taken)
            for cell, (owner, _) in self.board.items()
            if owner == player
            for end, taken in self._jumps(cell, cell, frozenset())
        ]
        most = max((len(taken) for _, _, taken in found), default=0)
        return {
            f"{label(origin)}x{label(end)} ({' '.join(map(label, sorted(taken)))})": (
                origin, end, taken,
            )
            for origin, end, taken in found
            if len(taken) == most
        }  # fmt: skip

    def steps(self, player: str) -> dict[str, tuple[Cell, Cell, frozenset[Cell]]]:
        """Moves that take nothing."""
        up = 1 if player == "White" else -1
        found = {}
        for cell, (owner, is_king) in self.board.items():
            for way in WAYS if owner == player else ():
                if not is_king and way[0] != up:
                    continue
                for goal in ray(cell, way):
                    if goal in self.board:
                        break
                    found[f"{label(cell)}-{label(goal)}"] = (cell, goal, frozenset[Cell]())
                    if not is_king:
                        break
        return found

    def moves(self, player: str) -> list[str]:
        """Captures if there are any."""
        return list(self.captures(player) or self.steps(player))

    def play(self, move: str) -> State:
        """Move, take, crown."""
        me, other = PLAYERS[self.taken % 2], PLAYERS[1 - self.taken % 2]
        origin, goal, taken = (self.captures(me) or self.steps(me))[move]
        was_king = self.board[origin][1]
        board = {c: piece for c, piece in self.board.items() if c not in taken and c != origin}
        board[goal] = (me, was_king or goal[0] == (9 if me == "White" else 0))
        quiet = self.quiet + 1 if was_king and not taken else 0
        key = (frozenset(board.items()), me)
        known = (*self.known, key)
        after = replace(self, board=board, taken=self.taken + 1, quiet=quiet, known=known)
        if not after.moves(other):
            return replace(after, outcome=(me, "blockade"))
        if quiet == 50:
            return replace(after, outcome=(None, "quiet_moves"))
        return replace(after, outcome=(None, "repetition")) if known.count(key) == 3 else after


def start() -> State:
    """Four rows of men each."""
    board = {}
    for row in range(10):
        for column in range(10):
            if (row + column) % 2 == 0 and row not in (4, 5):
                board[row, column] = ("White" if row < 4 else "Black", False)
    return State(board, known=((frozenset(board.items()), "Black"),))
