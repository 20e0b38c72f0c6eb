"""Random games in machine code, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.diagnostics import DescriptionFault
from ludeme.machine import Cells, Machine, Result
from ludeme.native.compiled import Compiled
from ludeme.native.engine import Batch, Told
from ludeme.play.games import Played, play_game
from ludeme.play.results import NONE, STATUSES, Asked, Playouts

FIRST_BATCH = 16
LONGEST_BATCH = 50_000
SECONDS_A_BATCH = 0.1


@attrs.frozen
class Run:
    """Games of one seed from one state, for one program.

    *play* plays numbered games in machine code; where they are to be told, their decisions and
    ranks are with them, and None is answered where there is no room for that.
    """

    machine: Machine
    start: Cells
    seed: int
    turn_limit: int
    play: Callable[[range], Told | None]
    told: bool = False


@attrs.frozen(eq=False)
class Part:
    """Games in order of number. *again*: those that the interpreter had to play, by number."""

    numbers: range
    games: tuple[Told, ...]
    again: dict[int, Played]

    def without_texts(self) -> Part:
        """The same games, their decisions forgotten."""
        games = tuple(attrs.evolve(told, texts=(), ranks=()) for told in self.games)
        again = {n: attrs.evolve(played, texts=None) for n, played in self.again.items()}
        return Part(self.numbers, games, again)

    def written(self, native: Compiled, players: int) -> Iterator[Played]:
        """Each game with its decisions, as a record has it."""
        position = self.numbers.start
        for told in self.games:
            batch = told.batch
            for index, texts in enumerate(told.texts):
                number, position = position, position + 1
                if number in self.again:
                    yield self.again[number]
                    continue
                status = STATUSES[batch.status[index]]
                yield Played(
                    number,
                    status,
                    int(batch.decisions[index]),
                    int(batch.moves[index]),
                    int(batch.widths[index]),
                    int(batch.joint_widths[index]),
                    _result(native, told, index, players) if status == "finished" else None,
                    None,
                    texts,
                )


def _result(native: Compiled, told: Told, index: int, players: int) -> Result:
    """How a game ended."""
    batch = told.batch
    end, winner = int(batch.end[index]), int(batch.winner[index])
    ranked = native.decides[end]
    return Result(
        native.ends[end],
        winner if winner < players else None,
        tuple(int(score) for score in batch.scores[index]) if ranked else None,
        told.ranks[index] if ranked else None,
    )


def play_compiled(
    run: Run, numbers: range, jobs: int, progress: Callable[[int], object] | None
) -> Iterator[Part]:
    """Play the games of these numbers on *jobs* threads, batch by batch in order of number.

    A game in which the description goes wrong is played again by the interpreter, which tells the
    fault; so is one with more moves than the machine code lists.
    """
    done = 0
    for part, games in batches_in_order(run, numbers, jobs):
        again = {}
        position = part.start
        for told in games:
            for index in np.flatnonzero(told.batch.status == STATUSES.index("faulty")):
                number = position + int(index)
                again[number] = play_game(
                    run.machine, run.start, run.seed, number, run.turn_limit, run.told
                )
            position += len(told.batch.status)
        yield Part(part, tuple(games), again)
        done += len(part)
        if progress is not None:
            progress(done)


def batches_in_order(run: Run, numbers: range, jobs: int) -> Iterator[tuple[range, list[Told]]]:
    """Batches that grow to about a tenth of a second, as many at once as there are jobs."""
    position, size = 0, FIRST_BATCH
    with ThreadPoolExecutor(jobs) as threads:
        waiting: list[tuple[range, Future[list[Told]], float]] = []
        while position < len(numbers) or waiting:
            while position < len(numbers) and len(waiting) < jobs:
                part = numbers[position : position + size]
                position += len(part)
                waiting.append((part, threads.submit(_play, run, part), perf_counter()))
            part, future, begun = waiting.pop(0)
            games = future.result()
            if perf_counter() - begun < SECONDS_A_BATCH:
                size = min(2 * size, LONGEST_BATCH)
            yield part, games


def _play(run: Run, part: range) -> list[Told]:
    """Play a batch, in parts where there is no room to tell all of it."""
    told = run.play(part)
    if told is not None:
        return [told]
    if len(part) == 1:
        return [_left_out(run, part)]
    middle = len(part) // 2
    return _play(run, part[:middle]) + _play(run, part[middle:])


def _left_out(run: Run, part: range) -> Told:
    """A game that is too long to be told; it is taken for faulty, and so played again."""
    batch = Batch.of(len(part), len(run.machine.program.players))
    batch.status[:] = STATUSES.index("faulty")
    return Told(batch, ((),), ((),))


def collect_compiled(
    asked: Asked,
    native: Compiled,
    parts: Sequence[Part],
    wall_seconds: float,
    cpu_seconds: float,
) -> Playouts:
    """The arrays of games that machine code played, and those that were played again."""
    columns = _Columns(asked, native, [told.batch for part in parts for told in part.games])
    again = {number: played for part in parts for number, played in part.again.items()}
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

    def __init__(self, asked: Asked, native: Compiled, batches: list[Batch]) -> None:
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
