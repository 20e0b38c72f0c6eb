"""Random games in machine code, batch by batch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter

import attrs
import numpy as np

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
    """Batches that grow to about a tenth of a second, some waiting so that no thread has to.

    Towards the end they grow smaller, so that all threads end at about the same time. One job keeps
    one processor busy: then nothing is played while results are put away.
    """
    position, size = 0, FIRST_BATCH
    ahead = 2 * jobs if jobs > 1 else 1
    with ThreadPoolExecutor(jobs) as threads:
        waiting: deque[tuple[range, Future[tuple[list[Told], float]]]] = deque()
        while position < len(numbers) or waiting:
            while position < len(numbers) and len(waiting) < ahead:
                share = max(FIRST_BATCH, (len(numbers) - position) // (2 * jobs))
                part = numbers[position : position + min(size, share)]
                position += len(part)
                waiting.append((part, threads.submit(_timed, run, part)))
            part, future = waiting.popleft()
            games, seconds = future.result()
            if seconds < SECONDS_A_BATCH:
                size = min(2 * size, LONGEST_BATCH)
            yield part, games


def _timed(run: Run, part: range) -> tuple[list[Told], float]:
    """Play a batch; how many seconds it took."""
    begun = perf_counter()
    return _play(run, part), perf_counter() - begun


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


class Columns:
    """The arrays of `Playouts` in the making, filled while further games are played."""

    def __init__(self, asked: Asked, native: Compiled, games: int) -> None:
        self.asked = asked
        # Whoever is counted last is nobody: the end of a game that has none, the winner of a draw.
        self._ends = np.array([asked.ends.index(name) for name in native.ends] + [NONE], np.int16)
        self._decides = np.array([*native.decides, False])
        self._winners = np.array([*range(len(asked.players)), NONE], np.int8)
        self._faults: list[Played] = []
        self._filled = 0
        self.status = np.empty(games, np.int8)
        self.decisions = np.empty(games, np.int64)
        self.ends = np.empty(games, np.int16)
        self.winners = np.empty(games, np.int8)
        self.scores = np.empty((games, len(asked.players)), np.float64)
        self.moves = np.empty(games, np.int64)
        self.widths = np.empty(games, np.float64)
        self.joint_widths = np.empty(games, np.float64)

    def add(self, part: Part) -> None:
        """The games that follow those that were added before."""
        for told in part.games:
            self._fill(told.batch)
        for number, played in part.again.items():
            self._replace(number - self.asked.first, played)

    def _fill(self, batch: Batch) -> None:
        begun, self._filled = self._filled, self._filled + len(batch.status)
        here = slice(begun, self._filled)
        for name in ("status", "decisions", "moves", "widths", "joint_widths"):
            getattr(self, name)[here] = getattr(batch, name)
        finished = batch.status == STATUSES.index("finished")
        end = np.where(finished, batch.end, -1)
        self.ends[here] = self._ends[end]
        self.winners[here] = self._winners[np.where(finished, batch.winner, -1)]
        self.scores[here] = batch.scores
        self.scores[here][~self._decides[end]] = np.nan

    def _replace(self, index: int, played: Played) -> None:
        """Put in what the interpreter found."""
        if played.fault is not None:
            self._faults.append(played)
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

    def playouts(self, wall_seconds: float, cpu_seconds: float) -> Playouts:
        """The games, once all are here, and the time that they took."""
        assert self._filled == len(self.status)
        first = self._faults[0] if self._faults else None
        return Playouts(
            self.asked,
            self.status,
            self.decisions,
            self.ends,
            self.winners,
            self.scores,
            self.moves,
            self.widths,
            self.joint_widths,
            first.fault if first is not None else None,
            first.number if first is not None else None,
            wall_seconds,
            cpu_seconds,
        )
