"""Random games in machine code, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.diagnostics import DescriptionFault
from ludeme.machine import Cells
from ludeme.play.games import Played, play_game
from ludeme.play.results import NONE, STATUSES, Asked, Playouts

if TYPE_CHECKING:
    from ludeme.native.engine import Batch, Native

FIRST_BATCH = 16
LONGEST_BATCH = 50_000
SECONDS_A_BATCH = 0.1


@attrs.frozen
class Run:
    """Games of one seed from one state, for one program."""

    native: Native
    start: Cells
    seed: int
    turn_limit: int


def play_compiled(
    run: Run, asked: Asked, numbers: range, jobs: int, progress: Callable[[int], object] | None
) -> tuple[list[Batch], dict[int, Played]]:
    """Play the games of these numbers on *jobs* threads; batches in order of number.

    A game in which the description goes wrong is played again by the interpreter, which tells the
    fault; so is one with more moves than the machine code lists. They are given by number.
    """
    batches: list[Batch] = []
    again: dict[int, Played] = {}
    done = 0
    for part, batch in _in_order(run, numbers, jobs):
        for index in np.flatnonzero(batch.status == STATUSES.index("faulty")):
            number = part[int(index)]
            again[number] = play_game(
                run.native.machine, run.start, run.seed, number, run.turn_limit
            )
        batches.append(batch)
        done += len(part)
        if progress is not None:
            progress(done)
    return batches, again


def _in_order(run: Run, numbers: range, jobs: int) -> Iterator[tuple[range, Batch]]:
    """Batches that grow to about a tenth of a second, as many at once as there are jobs."""
    position, size = 0, FIRST_BATCH
    with ThreadPoolExecutor(jobs) as threads:
        waiting: list[tuple[range, Future[Batch], float]] = []
        while position < len(numbers) or waiting:
            while position < len(numbers) and len(waiting) < jobs:
                part = numbers[position : position + size]
                position += len(part)
                waiting.append((part, threads.submit(_play, run, part), perf_counter()))
            part, future, begun = waiting.pop(0)
            batch = future.result()
            if perf_counter() - begun < SECONDS_A_BATCH:
                size = min(2 * size, LONGEST_BATCH)
            yield part, batch


def _play(run: Run, part: range) -> Batch:
    return run.native.playouts(run.start, run.seed, part.start, len(part), run.turn_limit)


def collect_compiled(
    asked: Asked,
    native: Native,
    batches: list[Batch],
    again: dict[int, Played],
    wall_seconds: float,
    cpu_seconds: float,
) -> Playouts:
    """The arrays of games that machine code played, and those that were played again."""
    columns = _Columns(asked, native, batches)
    for number, played in again.items():
        columns.replace(number - asked.first, played)
    faults = [played for played in again.values() if played.fault is not None]
    fault: DescriptionFault | None = faults[0].fault if faults else None
    return Playouts(
        asked,
        columns.status,
        columns.decisions,
        columns.ends,
        columns.winners,
        columns.scores,
        columns.moves,
        columns.widths,
        columns.joint_widths,
        fault,
        faults[0].number if faults else None,
        wall_seconds,
        cpu_seconds,
    )


class _Columns:
    """The arrays of `Playouts` in the making."""

    def __init__(self, asked: Asked, native: Native, batches: list[Batch]) -> None:
        self.asked = asked
        players = len(asked.players)

        def joined(name: str, kind: type) -> NDArray[np.generic]:
            parts = [getattr(batch, name) for batch in batches]
            return np.concatenate(parts).astype(kind) if parts else np.zeros(0, kind)

        self.status = joined("status", np.int8).astype(np.int8)
        self.decisions = joined("decisions", np.int64).astype(np.int64)
        self.moves = joined("moves", np.int64).astype(np.int64)
        self.widths = joined("widths", np.float64).astype(np.float64)
        self.joint_widths = joined("joint_widths", np.float64).astype(np.float64)
        finished = self.status == STATUSES.index("finished")
        end = joined("end", np.int64).astype(np.int64)
        names = np.array([asked.ends.index(name) for name in native.ends] + [NONE], np.int16)
        self.ends = names[np.where(finished, end, -1)]
        winner = joined("winner", np.int64).astype(np.int64)
        won = finished & (winner < players)
        self.winners = np.where(won, winner, NONE).astype(np.int8)
        decides = np.array([*native.decides, False])[np.where(finished, end, -1)]
        parts = [batch.scores for batch in batches] or [np.zeros((0, players), np.int64)]
        scores = np.concatenate(parts)
        self.scores = np.where(decides[:, None], scores, np.nan).astype(np.float64)

    def replace(self, index: int, played: Played) -> None:
        """Put in what the interpreter found."""
        result = played.result
        self.status[index] = STATUSES.index(played.status)
        self.decisions[index] = played.decisions
        self.moves[index] = played.moves
        self.widths[index] = played.widths
        self.joint_widths[index] = played.joint_widths
        self.ends[index] = self.asked.ends.index(result.name) if result else NONE
        winner = result.winner if result is not None else None
        self.winners[index] = NONE if winner is None else winner
        scores = result.scores if result is not None else None
        self.scores[index] = scores if scores is not None else np.nan
