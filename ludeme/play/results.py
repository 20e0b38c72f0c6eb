"""What random games came to: arrays, a summary, and a table to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.diagnostics import DescriptionFault
from ludeme.play.games import Played, Status
from ludeme.play.statistics import wilson

STATUSES: tuple[Status, ...] = ("finished", "unfinished", "faulty")
NONE = -1
"""No winner, or no end."""

QUANTILES = {
    "min": 0.0,
    "5%": 0.05,
    "25%": 0.25,
    "median": 0.5,
    "75%": 0.75,
    "95%": 0.95,
    "max": 1.0,
}


@attrs.frozen
class Asked:
    """The question that playouts answer.

    *engine* is the one that played. *joint*: there is a turn that several take together.
    *estimated*: the numbers of legal moves are estimated from the draws in at least one turn; in
    all others they were counted.
    """

    game: str
    title: str
    digest: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    ends: tuple[str, ...]
    seed: int
    first: int
    turn_limit: int
    engine: str
    joint: bool
    estimated: bool


@attrs.frozen(eq=False)
class Playouts:
    """Random games, in order of their numbers *asked.first*, *asked.first* + 1, ...

    Arrays have an entry for each game:

    - *status*: int8, the index in `STATUSES`.
    - *decisions*: int64, how many were taken. Of a faulty game: before the fault.
    - *ends*: int16, the index in *asked.ends* of the end that decided, -1 unless finished.
    - *winners*: int8, the seat from 0; -1 for a draw, and unless finished.
    - *scores*: shape (games, players), float64, NaN where no ranking decided.
    - *moves*: int64, how many were made: one for each player deciding in each decision.
    - *widths*: float64, the sum over the moves of the (estimated) number of legal ones.
    - *joint_widths*: float64, the same over the decisions, counting joint ones as `perft`
      does, and those of chance as 1.

    *fault* is that of the first faulty game, *fault_number*, told with the moves so far.
    *wall_seconds* is the time from call to end; *cpu_seconds* what all processes spent playing.
    """

    asked: Asked
    status: NDArray[np.int8]
    decisions: NDArray[np.int64]
    ends: NDArray[np.int16]
    winners: NDArray[np.int8]
    scores: NDArray[np.float64]
    moves: NDArray[np.int64]
    widths: NDArray[np.float64]
    joint_widths: NDArray[np.float64]
    fault: DescriptionFault | None
    fault_number: int | None
    wall_seconds: float
    cpu_seconds: float

    def __len__(self) -> int:
        return len(self.status)

    @property
    def finished(self) -> NDArray[np.bool_]:
        """Which games ended by the rules."""
        return np.equal(self.status, STATUSES.index("finished"))

    def count(self, status: Status) -> int:
        """How many games have this status."""
        return int((self.status == STATUSES.index(status)).sum())

    def summary(self) -> dict[str, Any]:
        """The figures, ready for JSON.

        Shares, ends and lengths are of the finished games alone; each share has the 95% interval of
        `ludeme.play.statistics.wilson`. Quantiles interpolate between neighbours. What nothing is
        known of is None.
        """
        asked = self.asked
        return {
            "game": asked.game,
            "digest": asked.digest,
            "options": dict(asked.options),
            "seed": asked.seed,
            "first": asked.first,
            "turn_limit": asked.turn_limit,
            "games": {"total": len(self)} | {name: self.count(name) for name in STATUSES},
            "winners": self._winners(),
            "ends": self._ends(),
            "length": self._lengths(),
            "branching": self._branching(),
            "scores": self._scores(),
            "fault": self._fault(),
            "speed": self._speed(),
        }

    def _winners(self) -> dict[str, Any]:
        winners = self.winners[self.finished]
        seats = {name: seat for seat, name in enumerate(self.asked.players)} | {"draw": NONE}
        return {
            name: _share(int((winners == seat).sum()), len(winners)) for name, seat in seats.items()
        }

    def _ends(self) -> dict[str, Any]:
        ends = self.ends[self.finished]
        return {
            name: _share(int((ends == number).sum()), len(ends))
            for number, name in enumerate(self.asked.ends)
        }

    def _lengths(self) -> dict[str, float] | None:
        lengths = self.decisions[self.finished]
        if not len(lengths):
            return None
        found = np.quantile(lengths, list(QUANTILES.values()))
        figures = {name: float(value) for name, value in zip(QUANTILES, found, strict=True)}
        return figures | {"mean": float(lengths.mean())}

    def _branching(self) -> dict[str, Any] | None:
        """How many moves of a decider, and decisions, were legal on average, in all games."""
        decisions = int(self.decisions.sum())
        if not decisions:
            return None
        return {
            "moves": float(self.widths.sum()) / int(self.moves.sum()),
            "decisions": float(self.joint_widths.sum()) / decisions,
            "estimated": self.asked.estimated,
        }

    def _scores(self) -> dict[str, float] | None:
        known = ~np.isnan(self.scores).any(axis=1)
        if not known.any():
            return None
        means = self.scores[known].mean(axis=0)
        return {name: float(m) for name, m in zip(self.asked.players, means, strict=True)}

    def _fault(self) -> dict[str, Any] | None:
        if self.fault is None:
            return None
        found = self.fault.diagnostic
        return {
            "game": self.fault_number,
            "code": found.code,
            "message": found.message,
            "place": found.span.place if found.span.source.name else None,
            "moves": self.fault.moves,
        }

    def _speed(self) -> dict[str, Any]:
        return {
            "engine": self.asked.engine,
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
            "games_per_second": _rate(len(self), self.wall_seconds),
            "games_per_cpu_second": _rate(len(self), self.cpu_seconds),
        }

    def __str__(self) -> str:
        from ludeme.play.table import write_table

        return write_table(self)

    def __repr__(self) -> str:
        figures = ", ".join(f"{self.count(name)} {name}" for name in STATUSES)
        return f"<Playouts of {self.asked.game}, seed {self.asked.seed}: {figures}>"


def collect(
    asked: Asked, games: Sequence[Played], wall_seconds: float, cpu_seconds: float
) -> Playouts:
    """The arrays of games that stand in order."""
    results = [game.result for game in games]
    faults = [game for game in games if game.fault is not None]
    blank = (float("nan"),) * len(asked.players)
    scores = [(r.scores if r else None) or blank for r in results]
    return Playouts(
        asked,
        np.array([STATUSES.index(game.status) for game in games], np.int8),
        np.array([game.decisions for game in games], np.int64),
        np.array([asked.ends.index(r.name) if r else NONE for r in results], np.int16),
        np.array([NONE if r is None or r.winner is None else r.winner for r in results], np.int8),
        np.array(scores, np.float64).reshape(len(games), len(asked.players)),
        np.array([game.moves for game in games], np.int64),
        np.array([float(min(game.widths, _WIDEST)) for game in games], np.float64),
        np.array([float(min(game.joint_widths, _WIDEST)) for game in games], np.float64),
        faults[0].fault if faults else None,
        faults[0].number if faults else None,
        wall_seconds,
        cpu_seconds,
    )


_WIDEST = 10**290
"""Three players who each choose among all subsets of a large board are beyond a float."""


def _share(count: int, total: int) -> dict[str, Any]:
    if not total:
        return {"count": 0, "share": None, "low": None, "high": None}
    low, high = wilson(count, total)
    return {"count": count, "share": count / total, "low": low, "high": high}


def _rate(count: int, seconds: float) -> float | None:
    return count / seconds if seconds > 0 else None
