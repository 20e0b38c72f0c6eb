"""Random games by the thousand."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import attrs

from ludeme.check import program
from ludeme.check.walking import ends_of
from ludeme.diagnostics import DescriptionFault
from ludeme.machine import Cells, Machine
from ludeme.play.games import Playable, Played, play_game
from ludeme.play.records import RecordWriter
from ludeme.play.results import Asked, Playouts, collect
from ludeme.play.workers import share_out

if TYPE_CHECKING:
    from ludeme.native.engine import Native, Told
    from ludeme.native.teller import Teller

TURN_LIMIT = 2000
WORTH_COMPILING = 100
"""From so many games on, `auto` compiles a program that is not kept compiled."""
MOST_GAMES = 10_000_000
"""Each game stays in memory until the end, at some 300 bytes."""

ENGINES = ("auto", "native", "python")
LARGEST_SEED = (1 << 64) - 1

Progress = Callable[[int], object]


@attrs.frozen
class Plan:
    """All that the games of a run depend on; it is sent to each process once."""

    game: Playable
    start: Cells | None
    seed: int
    turn_limit: int
    told: bool


@attrs.frozen
class Batch:
    """Games played one after the other, and the CPU time that they took."""

    games: tuple[Played, ...]
    cpu_seconds: float


def playouts(
    game: Playable,
    games: int,
    *,
    seed: int = 0,
    first: int = 0,
    jobs: int = 1,
    turn_limit: int = TURN_LIMIT,
    start: Cells | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    save: str | Path | None = None,
    position: str | None = None,
) -> Playouts:
    """Play *games* random games, numbered from *first*.

    Every player draws each legal move with the same chance. Game *i* of a seed depends on the
    meaning of the description, its options, the seed and *i*, and on nothing else: not on *jobs*,
    and 1,000 games at once are the same as 600 and then 400 from *first* 600 on.

    *jobs* processes share the work, at most one for each processor; scripts that ask for more than
    one need ``if __name__ == "__main__":`` round the call, as ever with processes. A game stops as
    unfinished after *turn_limit* decisions. *start* is the state to begin from. *progress* is told
    the number of games played so far. *save* names a file that the games are written to, see
    `ludeme.play.records`; *position* is the text of *start* for it.

    Raises ValueError for numbers out of their range or an unknown *engine*, and OSError if *save*
    cannot be written. A fault of the description is in the result, not raised.
    """
    _refuse_nonsense(games, seed, first, jobs, turn_limit)
    _refuse_engine(engine)
    begun = perf_counter()
    native = _native(game.machine, engine, games, save is not None)
    first_state = _first_state(game.machine, start) if native is not None else None
    if native is not None and first_state is not None and native.code.can_start(first_state):
        how = (seed, range(first, first + games), jobs, turn_limit)
        with _writer(game, seed, save, position) as writer:
            return _play_native(game, native, first_state, how, progress, writer, begun)
    plan = Plan(game, start, seed, turn_limit, save is not None)
    played: list[Played] = []
    cpu_seconds = 0.0
    with (
        _writer(game, seed, save, position) as writer,
        closing(_batches(plan, range(first, first + games), jobs)) as batches,
    ):
        for batch in batches:
            played.extend(attrs.evolve(g, texts=None) for g in batch.games)
            cpu_seconds += batch.cpu_seconds
            if writer is not None:
                writer.write(batch.games)
            if progress is not None:
                progress(len(played))
    asked = _asked(game, seed, first, turn_limit, "python")
    return collect(asked, played, perf_counter() - begun, cpu_seconds)


def _refuse_nonsense(games: int, seed: int, first: int, jobs: int, turn_limit: int) -> None:
    bounds = {
        "games": (games, 0, MOST_GAMES),
        "seed": (seed, 0, LARGEST_SEED),
        "first": (first, 0, LARGEST_SEED - MOST_GAMES),
        "jobs": (jobs, 1, None),
        "turn_limit": (turn_limit, 0, None),
    }
    for name, (value, low, high) in bounds.items():
        if value < low or (high is not None and value > high):
            wanted = f"from {low} to {high}" if high is not None else f"at least {low}"
            raise ValueError(f"{name} must be {wanted}, not {value}")


def _refuse_engine(engine: str) -> None:
    if engine not in ENGINES:
        raise ValueError(f"no engine is called {engine!r}; there are {', '.join(ENGINES)}")


def _native(machine: Machine, engine: str, games: int, told: bool) -> Native | Teller | None:
    """The compiled program, if it is asked for or pays; None for the interpreter.

    Compiling takes a few tenths of a second, in which the interpreter plays about as many games as
    `WORTH_COMPILING`; code that is kept from before is loaded in a hundredth.
    """
    if engine == "python":
        return None
    from ludeme.native.compiled import PLAYOUTS, TELLING, is_kept
    from ludeme.native.engine import Native
    from ludeme.native.refusal import NotNative
    from ludeme.native.teller import Teller

    kept = is_kept(machine, TELLING if told else PLAYOUTS)
    if engine == "auto" and games < WORTH_COMPILING and not kept:
        return None
    try:
        return Teller(machine) if told else Native(machine)
    except NotNative as refusal:
        if engine == "native":
            raise ValueError(f"the native engine cannot play this: {refusal}") from None
        return None


def _first_state(machine: Machine, start: Cells | None) -> Cells | None:
    """The state to begin from; None if the description goes wrong on the way to it."""
    if start is not None:
        return start
    try:
        return machine.start()
    except DescriptionFault:
        return None


def _play_native(
    game: Playable,
    native: Native | Teller,
    start: Cells,
    how: tuple[int, range, int, int],
    progress: Progress | None,
    writer: RecordWriter | None,
    begun: float,
) -> Playouts:
    """Play in machine code; threads share the work, since it holds no lock.

    *how*: seed, numbers of the games, jobs, limit of decisions.
    """
    from ludeme.play.compiled import Columns, Run, play_compiled

    seed, numbers, jobs, turn_limit = how
    cpu_begun = process_time()
    asked = _asked(game, seed, numbers.start, turn_limit, "native")

    def play(part: range) -> Told | None:
        return native.games(start, seed, part.start, len(part), turn_limit)

    run = Run(game.machine, start, seed, turn_limit, play, writer is not None)
    threads = min(jobs, os.cpu_count() or 1)
    columns = Columns(asked, native.code, len(numbers))
    for part in play_compiled(run, numbers, threads, progress):
        if writer is not None:
            writer.write(part.written(native.code, len(asked.players)))
        columns.add(part)
    cpu_seconds = process_time() - cpu_begun
    return columns.playouts(perf_counter() - begun, cpu_seconds)


def _writer(
    game: Playable, seed: int, save: str | Path | None, position: str | None
) -> AbstractContextManager[RecordWriter | None]:
    if save is None:
        return nullcontext()
    return RecordWriter(Path(save), game, seed, position)


def _asked(game: Playable, seed: int, first: int, turn_limit: int, engine: str) -> Asked:
    machine = game.machine
    return Asked(
        game.record_name,
        machine.program.title,
        game.digest,
        dict(game.options),
        machine.program.players,
        end_names(machine.program),
        seed,
        first,
        turn_limit,
        engine,
        any(turn.together for turn in machine.program.turns.values()),
        any(turn.forms is not None for turn in machine.turns.values()),
    )


def end_names(description: program.Program) -> tuple[str, ...]:
    """The names of all ends that a description has, each once, in order."""
    return tuple(dict.fromkeys(end.name for end in ends_of(description)))


# ---- batches


def play_batch(plan: Plan, numbers: range) -> Batch:
    """Play the games of these numbers."""
    begun = process_time()
    machine: Machine = plan.game.machine
    games = tuple(
        play_game(machine, plan.start, plan.seed, number, plan.turn_limit, plan.told)
        for number in numbers
    )
    return Batch(games, process_time() - begun)


def _batches(plan: Plan, numbers: range, jobs: int) -> Generator[Batch, None, None]:
    """All games, in order of their numbers."""
    jobs = min(jobs, len(numbers), os.cpu_count() or 1)
    if jobs <= 1:
        for i in range(len(numbers)):
            yield play_batch(plan, numbers[i : i + 1])
        return
    size = max(1, min(256, len(numbers) // (16 * jobs)))
    parts = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    yield from share_out(play_batch, plan, parts, jobs)
