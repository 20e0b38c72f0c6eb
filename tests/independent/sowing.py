"""Kalah and Oware: seeds sown round two rows of six pits.

Pits are numbered against the clock: 0 to 5 are South's from the left, 6 to 11 North's from its
left. A position is the pits, what each side has stored, and whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

PLAYERS = ("South", "North")
NAMES = ("a1", "b1", "c1", "d1", "e1", "f1", "f2", "e2", "d2", "c2", "b2", "a2")
Outcome = tuple[str | None, str]


def row(side: int) -> range:
    """Return the pits of a side."""
    return range(6 * side, 6 * side + 6)


@dataclass(frozen=True)
class State:
    """A position of either game; each has its own ``after``."""

    pits: tuple[int, ...]
    stored: tuple[int, int] = (0, 0)
    side: int = 0
    outcome: Outcome | None = None

    @property
    def to_move(self) -> tuple[str, ...]:
        """One player decides at a time."""
        return () if self.outcome else (PLAYERS[self.side],)

    @property
    def points(self) -> tuple[int, int]:
        """What each side has stored, and what lies in its row."""
        south, north = (sum(self.pits[pit] for pit in row(side)) for side in (0, 1))
        return self.stored[0] + south, self.stored[1] + north

    def ended(self, reason: str) -> State:
        """Return the same position as the last one, decided by points."""
        south, north = self.points
        winner = None if south == north else PLAYERS[south < north]
        return replace(self, outcome=(winner, reason))

    def moves(self, player: str) -> list[str]:
        """List the pits that may be sown."""
        if self.to_move != (player,):
            return []
        return [NAMES[pit] for pit in row(self.side) if self.allows(pit)]

    def allows(self, pit: int) -> bool:
        """Whether a pit may be sown."""
        return self.pits[pit] > 0

    def play(self, text: str) -> State:
        """Return the position after a legal move."""
        assert text in self.moves(PLAYERS[self.side])
        return self.after(NAMES.index(text))

    def after(self, pit: int) -> State:
        """Return the position after a pit is sown."""
        raise NotImplementedError


@dataclass(frozen=True)
class Kalah(State):
    """Kalah; *capture_alone*: a last seed is taken that faces an empty pit."""

    capture_alone: bool = False

    def after(self, pit: int) -> State:
        """Sow round a ring of fourteen less the rival's store; capture; perhaps go on."""
        ring = [*row(0), "South", *row(1), "North"]
        ring.remove(PLAYERS[1 - self.side])
        pits, mine = list(self.pits), self.stored[self.side]
        seeds, pits[pit] = pits[pit], 0
        place = ring.index(pit)
        for _ in range(seeds):
            place = (place + 1) % len(ring)
            if isinstance(ring[place], int):
                pits[ring[place]] += 1
            else:
                mine += 1
        last = ring[place]
        if last in row(self.side) and pits[last] == 1:
            facing = 11 - last
            if pits[facing] or self.capture_alone:
                mine += pits[facing] + 1
                pits[facing] = pits[last] = 0
        stored = (mine, self.stored[1]) if self.side == 0 else (self.stored[0], mine)
        side = self.side if isinstance(last, str) else 1 - self.side
        found = replace(self, pits=tuple(pits), stored=stored, side=side)
        if any(not any(pits[p] for p in row(side)) for side in (0, 1)):
            return found.ended("emptiness")
        return found


@dataclass(frozen=True)
class Oware(State):
    """Oware; *slam*: what becomes of a capture of all; *cycle*: when a position ends the game."""

    slam: str = "takes_nothing"
    cycle: int = 2
    earlier: tuple[tuple[tuple[int, ...], int], ...] = ()

    def allows(self, pit: int) -> bool:
        """Whether a pit has seeds, feeds the rival, and captures not more than it may."""
        if not self.pits[pit]:
            return False
        pits, taken = self.sown(pit)
        theirs = {p for p in row(1 - self.side) if pits[p]}
        return bool(theirs) and (self.slam != "is_forbidden" or set(taken) != theirs)

    def sown(self, pit: int) -> tuple[list[int], list[int]]:
        """Return the pits after sowing, and those that are then ripe to be taken."""
        pits = list(self.pits)
        seeds, pits[pit] = pits[pit], 0
        last = pit
        while seeds:
            last = (last + 1) % 12
            if last != pit:
                pits[last] += 1
                seeds -= 1
        taken = []
        while last in row(1 - self.side) and pits[last] in (2, 3):
            taken.append(last)
            last -= 1
        return pits, taken

    def after(self, pit: int) -> State:
        """Sow, capture, and see whether the game goes on."""
        pits, taken = self.sown(pit)
        slam = set(taken) == {p for p in row(1 - self.side) if pits[p]}
        if slam and self.slam == "takes_nothing":
            taken = []
        gain = sum(pits[p] for p in taken)
        for p in taken:
            pits[p] = 0
        stored = (
            (self.stored[0] + gain, self.stored[1])
            if self.side == 0
            else (self.stored[0], self.stored[1] + gain)
        )
        earlier = (*self.earlier, (self.pits, self.side))
        found = replace(self, pits=tuple(pits), stored=stored, side=1 - self.side, earlier=earlier)
        if stored[self.side] > 24:
            return found.ended("majority")
        if not found.moves(PLAYERS[1 - self.side]):
            return found.ended("starvation")
        if earlier.count((found.pits, found.side)) >= self.cycle - 1:
            return found.ended("cycle")
        return found


def kalah(seeds: int = 4, capture_alone: bool = False) -> Kalah:
    """Return the first position of Kalah."""
    return Kalah((seeds,) * 12, capture_alone=capture_alone)


def oware(slam: str = "takes_nothing", cycle: int = 2) -> Oware:
    """Return the first position of Oware."""
    return Oware((4,) * 12, slam=slam, cycle=cycle)
