"""Constructo: two rounds of placing rings and discs and stacking them into towers."""

from __future__ import annotations

from dataclasses import dataclass, replace

PLAYERS = ("White", "Black")
KINDS = ("ring", "medium", "small")
PIECES_OF_A_KIND = 3
PATTERNS = {
    "rhombus": ("b2", "b3", "b4", "c2", "c3", "c4", "d2", "d3", "d4"),
    "lens": ("b2", "b3", "c1", "c2", "c3", "c4", "c5", "d3", "d4"),
    "trapezoid": ("b1", "b2", "b3", "b4", "c2", "c3", "c4", "d3", "d4"),
}
LIES_ON = {"ring": "small", "medium": "ring", "small": "medium"}
"""The kind that each kind may move onto."""

Piece = tuple[str, str]
"""Owner and kind."""
Stack = tuple[Piece, ...]
"""Pieces of one tile in the order they arrived."""
Outcome = tuple[str | None, str]


def adjacent(one: str, other: str) -> bool:
    """Say whether two hexagonal tiles share a side."""
    up = ord(other[0]) - ord(one[0])
    along = int(other[1]) - int(one[1])
    return (up, along) in {(0, 1), (0, -1), (1, 0), (1, 1), (-1, 0), (-1, -1)}


def is_tower(stack: Stack) -> bool:
    """Say whether a stack is a tower: two pieces or more, but not a small ringed by a ring."""
    return len(stack) >= 2 and [kind for _, kind in stack] != ["small", "ring"]


def rival(player: str) -> str:
    """Return the other player."""
    return PLAYERS[1 - PLAYERS.index(player)]


@dataclass(frozen=True)
class State:
    """A match: the points of the rounds that are over, and the round being played.

    ``pattern`` is ``None`` while the starter has it to choose. ``stacks`` goes tile by tile in
    the order of the pattern. Points are pairs in player order.
    """

    same_pattern: bool
    player: str
    pattern: str | None = None
    stacks: tuple[Stack, ...] = ()
    rounds: tuple[tuple[int, int], ...] = ()

    @property
    def to_move(self) -> tuple[str, ...]:
        """One player decides at a time."""
        return () if len(self.rounds) == 2 else (self.player,)

    @property
    def board(self) -> dict[str, Stack]:
        """The stack on each tile of the pattern."""
        if self.pattern is None:
            return {}
        return dict(zip(PATTERNS[self.pattern], self.stacks, strict=True))

    def hand(self, player: str, kind: str) -> int:
        """Count pieces in hand: those of the three that are nowhere on the board."""
        return PIECES_OF_A_KIND - sum(stack.count((player, kind)) for stack in self.stacks)

    def moves(self, player: str) -> list[str]:
        """List the patterns to choose from, or the building moves."""
        if player not in self.to_move:
            return []
        if self.pattern is None:
            return [f"pattern {name}" for name in PATTERNS]
        return self._placements() + self._shifts()

    def _placements(self) -> list[str]:
        """List a piece of any kind still in hand on any empty tile."""
        kinds = [kind for kind in KINDS if self.hand(self.player, kind)]
        empty = [tile for tile, stack in self.board.items() if not stack]
        return [f"{kind} {tile}" for kind in kinds for tile in empty]

    def _shifts(self) -> list[str]:
        """List the moves of a lone piece onto an adjacent enemy top piece of the kind below it."""
        lone = [tile for tile, stack in self.board.items() if self._is_own_lone(stack)]
        return [f"{here}-{there}" for here in lone for there in self.board if self._up(here, there)]

    def _is_own_lone(self, stack: Stack) -> bool:
        return len(stack) == 1 and stack[0][0] == self.player

    def _up(self, here: str, there: str) -> bool:
        """Say whether the lone piece on one tile may climb onto the other."""
        kind = self.board[here][0][1]
        wanted = (rival(self.player), LIES_ON[kind])
        return adjacent(here, there) and self.board[there][-1:] == (wanted,)

    def play(self, move: str) -> State:
        """Choose a pattern or build; a round is over when the next player has no action."""
        if move not in self.moves(self.player):
            raise ValueError(f"{self.player} may not play {move!r}")
        if self.pattern is None:
            return self._with_pattern(move.removeprefix("pattern "))
        after = replace(self, stacks=self._built(move), player=rival(self.player))
        return after if after.moves(after.player) else after._round_over()

    def _with_pattern(self, name: str) -> State:
        """Lay out an empty pattern; the same player goes on to build."""
        return replace(self, pattern=name, stacks=((),) * len(PATTERNS[name]))

    def _built(self, move: str) -> tuple[Stack, ...]:
        """Return the stacks after a placement or a shift."""
        board = self.board
        if "-" in move:
            here, there = move.split("-")
            board[there] += board[here]
            board[here] = ()
        else:
            kind, tile = move.split(" ")
            board[tile] = ((self.player, kind),)
        return tuple(board.values())

    def _round_over(self) -> State:
        """Note the towers; after round 1 Black starts round 2, perhaps on the same pattern."""
        towers = self.towers()
        noted = (*self.rounds, (towers[PLAYERS[0]], towers[PLAYERS[1]]))
        if len(noted) == 2:
            return replace(self, rounds=noted)
        second = State(same_pattern=self.same_pattern, player="Black", rounds=noted)
        if self.same_pattern and self.pattern is not None:
            return second._with_pattern(self.pattern)
        return second

    def towers(self) -> dict[str, int]:
        """Count the towers on the board by the owner of the top piece."""
        owners = [stack[-1][0] for stack in self.stacks if is_tower(stack)]
        return {player: owners.count(player) for player in PLAYERS}

    def scores(self) -> dict[str, int]:
        """Sum the points of the rounds that are over."""
        return {
            player: sum(points[index] for points in self.rounds)
            for index, player in enumerate(PLAYERS)
        }

    @property
    def outcome(self) -> Outcome | None:
        """The higher sum of both rounds wins; equal sums are a draw."""
        if self.to_move:
            return None
        white, black = self.scores().values()
        if white == black:
            return (None, "towers")
        return (PLAYERS[0] if white > black else PLAYERS[1], "towers")


def start(*, same_pattern: bool = False) -> State:
    """Begin round 1: White picks the pattern and then builds first."""
    return State(same_pattern=same_pattern, player="White")
