"""Who plays: at random, greedily, or by trying out.

Three reference players, so that a finding can be checked against the way in which it was found:

- ``random``: each legal move with the same chance, as in every playout.
- ``greedy``: looks one decision ahead. It takes a move that wins at once, else the one with the
  greatest lead in score after it, and one that loses at once only if it must; ties by lot. The
  score of a state is what its players would have if the game ended there, the lead one's own less
  the best of the others. Without a ranking only wins and losses at once count.
- ``montecarlo:K``: gives *K* random games to its moves, one after the other, at least one each, and
  takes a move with the best mean result (1 for a win, 0 for a loss, half for a draw and for a game
  that was cut off); ties by lot. This is flat Monte Carlo, after Abramson, "Expected-outcome: a
  general model of static evaluation", IEEE Transactions on Pattern Analysis and Machine
  Intelligence 12 (1990), 182-193.

Where a turn has more than `MOST_WEIGHED` moves, so many are drawn at random and weighed. Players
who decide together do not know each other's moves: one supposes that the others draw theirs, and
goes by the mean over a few such draws.

Every seat draws from its own stream of the game, as `ludeme.play.games` has it: a game depends on
its setting and its number alone, and a game of random players is the one that playouts have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import attrs

from ludeme.lab.values import Rollouts, lead
from ludeme.machine import Cells, Machine, Stream
from ludeme.play.compiling import Compiling, telling

if TYPE_CHECKING:
    from ludeme.native.engine import Native
    from ludeme.native.teller import Teller

MOST_WEIGHED = 64
TOGETHER = 8
"""So many draws of the moves of those who decide together stand for what they may do at most."""
MOST_LOOKED = 128
"""The states that a greedy player looks at for such a decision: the more moves, the fewer draws."""
MONTE_CARLO = 200
"""The random games that a Monte Carlo player has for a move, unless said."""

NAMES = ("random", "greedy", "montecarlo")


class Player(Protocol):
    """Chooses moves for a seat."""

    def choose(self, cells: Cells, seat: int, streams: Sequence[Stream]) -> Cells:
        """What the run that makes the move ends in. Draws from the stream of *seat*."""


def read_players(text: str, seats: int) -> tuple[str, ...]:
    """The player of each seat, from ``random,greedy``; one name alone sits everywhere.

    ValueError for an unknown name or a wrong number of them.
    """
    names = [_named(part.strip()) for part in text.split(",")]
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise ValueError(f"there are {seats} seats, and `{text}` names {len(names)} players")
    return tuple(names)


def _named(text: str) -> str:
    name, colon, number = text.partition(":")
    if name not in NAMES or (colon and name != "montecarlo"):
        raise ValueError(f"no player is called `{text}`; there are {', '.join(NAMES)}")
    if name != "montecarlo":
        return name
    if not colon:
        return f"{name}:{MONTE_CARLO}"
    if not number.isdecimal() or not 1 <= int(number) <= 1_000_000:
        raise ValueError(f"`{text}`: write the number of random games, as in montecarlo:200")
    return f"{name}:{int(number)}"


def seat_players(
    machine: Machine, names: Sequence[str], native: Native | None, turn_limit: int
) -> list[Player]:
    """The players of these names, as `read_players` gives them."""
    return [_player(machine, name, native, turn_limit) for name in names]


def _player(machine: Machine, name: str, native: Native | None, turn_limit: int) -> Player:
    kind, _, number = name.partition(":")
    if kind == "random":
        return Random(machine, telling(machine) if native is not None else None)
    if kind == "greedy":
        return Greedy(machine)
    return MonteCarlo(machine, Rollouts(machine, native, turn_limit), int(number))


@attrs.frozen
class Random:
    """Each legal move with the same chance. *told*: lists the moves of a turn, where it pays."""

    machine: Machine
    told: Compiling[Teller] | None = None

    def choose(self, cells: Cells, seat: int, streams: Sequence[Stream]) -> Cells:
        """A draw."""
        stream = streams[seat]
        if self.told is None or self.machine.turn(cells).forms is not None:
            return self.machine.draw(cells, seat, stream)[0]
        teller = self.told.code
        if teller is not None:
            end = self.from_list(teller, cells, seat, stream)
            if end is not None:
                return end
        with self.told.working():
            return self.machine.draw(cells, seat, stream)[0]

    def from_list(self, teller: Teller, cells: Cells, seat: int, stream: Stream) -> Cells | None:
        """One of the moves that are listed, as the interpreter draws it; None if that fails."""
        moves = teller.moves(cells, seat)
        if not moves:
            return None
        before = stream.state
        end = teller.end(cells, seat, moves[stream.below(len(moves))])
        if end is None:
            stream.state = before
        return end


@attrs.frozen
class Greedy:
    """The best state after one decision."""

    machine: Machine

    def choose(self, cells: Cells, seat: int, streams: Sequence[Stream]) -> Cells:
        """The move with the best outlook; ties by lot."""
        ahead = Ahead(self.machine, cells, seat, streams[seat])
        return ahead.best(
            lambda after: (self.decided(after, seat), lead(self.machine, after, seat))
        )

    def decided(self, after: Cells, seat: int) -> float:
        """1 for a state that is won, -1 for one that is lost, else 0."""
        result = self.machine.result(after)
        if result is None or result.winner is None:
            return 0.0
        return 1.0 if result.winner == seat else -1.0


@attrs.frozen
class MonteCarlo:
    """The best mean of random games."""

    machine: Machine
    rollouts: Rollouts
    games: int

    def choose(self, cells: Cells, seat: int, streams: Sequence[Stream]) -> Cells:
        """The move with the best mean; ties by lot."""
        stream = streams[seat]
        ahead = Ahead(self.machine, cells, seat, stream, self.games)
        each = max(1, self.games // (len(ahead.options) * len(ahead.others)))
        return ahead.best(lambda after: (self.rollouts.value(after, stream.next(), each)[seat],))


class Ahead:
    """The moves of a player and what the others may do meanwhile.

    *options*: the ends of all moves, or of `MOST_WEIGHED` draws without those that came before.
    *others*: what those who decide together with the player do, a few draws that all moves share,
    so that chance favours none; one that is empty where the player decides alone. There are no more
    of them than *looks* at states give each move.
    """

    def __init__(
        self, machine: Machine, cells: Cells, seat: int, stream: Stream, looks: int = MOST_LOOKED
    ) -> None:
        self.machine = machine
        self.cells = cells
        self.seat = seat
        self.stream = stream
        self.options = self._options()
        draws = max(1, min(TOGETHER, looks // len(self.options)))
        deciders = [player for player in machine.deciders(cells) if player != seat]
        self.others = [
            {player: machine.draw(cells, player, stream)[0] for player in deciders}
            for _ in range(draws if deciders else 1)
        ]

    def _options(self) -> list[Cells]:
        turn = self.machine.turn(self.cells)
        ends = turn.ends(self.cells, self.seat, MOST_WEIGHED)
        if ends is None:
            drawn = [
                self.machine.draw(self.cells, self.seat, self.stream)[0]
                for _ in range(MOST_WEIGHED)
            ]
            ends = {turn.text(end): end for end in drawn}
        if not ends:
            raise self.machine.stuck(self.cells, self.seat)
        return list(ends.values())

    def best(self, worth: Callable[[Cells], tuple[float, ...]]) -> Cells:
        """The move after which states are worth most on average; ties by lot."""
        if len(self.options) == 1:
            return self.options[0]
        sums = [self._sum(option, worth) for option in self.options]
        most = max(sums)
        places = [place for place, value in enumerate(sums) if value == most]
        return self.options[places[self.stream.below(len(places))]]

    def _sum(self, option: Cells, worth: Callable[[Cells], tuple[float, ...]]) -> tuple[float, ...]:
        found = [worth(self._after(option, others)) for others in self.others]
        return tuple(map(sum, zip(*found, strict=True)))

    def _after(self, option: Cells, others: Mapping[int, Cells]) -> Cells:
        ends = {**others, self.seat: option}
        return self.machine.play(self.cells, [ends[player] for player in sorted(ends)])


__all__ = ["MONTE_CARLO", "MOST_WEIGHED", "NAMES", "Player", "read_players", "seat_players"]
