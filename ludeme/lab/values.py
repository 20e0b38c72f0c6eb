"""What a state is worth to its players.

Two evaluators are there, and no figure that rests on one is shown without its name:

- ``score``: what each player's score would be if the game ended here, by the first number of the
  ranking; the less of it the better where the ranking says so.
- ``playouts:K``: the mean result of *K* random games from here, 1 for a win, 0 for a loss, an equal
  share of 1 each for a draw and for a game that was cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs
import numpy as np

from ludeme.diagnostics import DescriptionFault
from ludeme.machine import Cells, Machine, Result
from ludeme.play.games import play_game

if TYPE_CHECKING:
    from ludeme.native.engine import Native

PLAYOUTS = 100
"""The random games from each state, unless said."""
NAMES = ("score", "playouts")

Values = tuple[float, ...]


class Evaluator(Protocol):
    """Says what a state is worth."""

    def value(self, cells: Cells, seed: int) -> Values:
        """For each player; NaN where nothing is known. Only *seed* decides what is drawn."""


def read_evaluator(text: str) -> str:
    """An evaluator as it is asked for, ``playouts`` or ``playouts:50``, with its budget.

    ValueError if there is none of that name.
    """
    name, colon, number = text.strip().partition(":")
    if name not in NAMES or (colon and name == "score"):
        raise ValueError(f"no evaluator is called `{text}`; there are score and playouts:100")
    if name == "score":
        return name
    if not colon:
        return f"{name}:{PLAYOUTS}"
    if not number.isdecimal() or not 1 <= int(number) <= 1_000_000:
        raise ValueError(f"`{text}`: write the number of random games, as in playouts:100")
    return f"{name}:{int(number)}"


def evaluator_of(
    machine: Machine, name: str, native: Native | None, turn_limit: int
) -> Evaluator | None:
    """The evaluator of this name, as `read_evaluator` gives it; None for ""."""
    kind, _, number = name.partition(":")
    if kind == "score":
        return Score(machine)
    if kind == "playouts":
        return Playouts(Rollouts(machine, native, turn_limit), int(number))
    return None


def standing(machine: Machine, cells: Cells) -> tuple[int, ...] | None:
    """The score of each player if the game ended here; None without a ranking, or if it fails."""
    if not machine.program.ranking:
        return None
    try:
        with machine.counted():
            return machine.flow.rank(cells[:])[0]
    except DescriptionFault:
        return None


def lead(machine: Machine, cells: Cells, seat: int) -> float:
    """By how much a player is ahead of the best of the others in score; 0 where there is none."""
    scores = Score(machine).value(cells, 0)
    others = [score for player, score in enumerate(scores) if player != seat]
    return 0.0 if np.isnan(scores).any() or not others else scores[seat] - max(others)


def result_value(result: Result | None, players: int) -> Values:
    """1 for the winner, 0 for the others; an equal share each if there is no winner."""
    if result is None or result.winner is None:
        return (1 / players,) * players
    return tuple(float(player == result.winner) for player in range(players))


@attrs.frozen
class Score:
    """The score now."""

    machine: Machine

    def value(self, cells: Cells, seed: int) -> Values:
        """The scores, the greater the better."""
        found = standing(self.machine, cells)
        if found is None:
            return (float("nan"),) * len(self.machine.program.players)
        sign = 1.0 if self.machine.program.ranking[0].highest else -1.0
        return tuple(sign * score for score in found)


@attrs.frozen
class Rollouts:
    """Random games from any state, in machine code where that can be."""

    machine: Machine
    native: Native | None
    turn_limit: int

    def value(self, cells: Cells, seed: int, games: int) -> Values:
        """The mean result of each player in games 0, 1, ... of *seed* from a state."""
        players = len(self.machine.program.players)
        if self.machine.is_over(cells):
            return result_value(self.machine.result(cells), players)
        winners = self.winners(cells, seed, games)
        wins = np.bincount(winners, minlength=players + 1)
        return tuple(float(w) for w in (wins[:players] + wins[players] / players) / games)

    def winners(self, cells: Cells, seed: int, games: int) -> Any:
        """The seat that won each game; the number of players where none did."""
        players = len(self.machine.program.players)
        if self.native is not None and self.native.can_start(cells):
            batch = self.native.playouts(cells, seed, 0, games, self.turn_limit)
            return np.where(batch.status == 0, batch.winner, players)
        played = [
            play_game(self.machine, cells, seed, number, self.turn_limit) for number in range(games)
        ]
        found = [game.result.winner if game.result else None for game in played]
        return np.array([players if winner is None else winner for winner in found])


@attrs.frozen
class Playouts:
    """Random games from the state."""

    rollouts: Rollouts
    games: int

    def value(self, cells: Cells, seed: int) -> Values:
        """Mean results."""
        return self.rollouts.value(cells, seed, self.games)


def leaders(values: Sequence[float]) -> int:
    """The players with the greatest value, as a set; none where values are not known."""
    if np.isnan(values).any():
        return 0
    best = max(values)
    return sum(1 << player for player, value in enumerate(values) if value == best)


__all__ = [
    "NAMES",
    "PLAYOUTS",
    "Evaluator",
    "Rollouts",
    "evaluator_of",
    "lead",
    "leaders",
    "read_evaluator",
    "result_value",
    "standing",
]
