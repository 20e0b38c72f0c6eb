"""Playouts per CPU second of each engine, in short runs that take turns.

The machine may be shared and its clock may vary; so one short run of each engine follows the
other, several times over, and only ratios of such runs are worth much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import process_time, thread_time

import attrs

from benchmarks.limit import Limit
from ludeme.game import Game
from ludeme.native.engine import Native
from ludeme.play.compiled import LONGEST_BATCH
from ludeme.play.playout import TURN_LIMIT

Run = Callable[[float], float]
"""Plays for about so many CPU seconds and answers with playouts per CPU second."""


@attrs.frozen
class Budget:
    """How long is measured: *runs* rounds of *seconds* for each engine."""

    runs: int = 5
    seconds: float = 0.2


def in_turns(engines: Mapping[str, Run], budget: Budget) -> dict[str, float]:
    """The median rate of each engine."""
    found: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(budget.runs):
        for name, run in engines.items():
            found[name].append(run(budget.seconds))
    return {name: median(rates) for name, rates in found.items()}


def of_limit(limit: Limit, game: str) -> Run:
    """The hand-written C."""
    return lambda seconds: limit.run(game, seconds).rate


def of_native(game: Game) -> Run:
    """Machine code, batch by batch as `Game.playouts` runs it, in this very thread."""
    native = Native(game.machine)
    start = game.start().cells
    size = _batch_of(lambda count: native.playouts(start, 1, 0, count, TURN_LIMIT), 0.02)
    size = min(size, LONGEST_BATCH)

    def run(seconds: float) -> float:
        done, begun = 0, thread_time()
        while (spent := thread_time() - begun) < seconds:
            native.playouts(start, 1, done, size, TURN_LIMIT)
            done += size
        return done / spent

    return run


def _batch_of(play: Callable[[int], object], seconds: float) -> int:
    """How many games take about so long."""
    count = 1
    while True:
        begun = thread_time()
        play(count)
        spent = thread_time() - begun
        if spent >= seconds / 2:
            return count
        count *= 2


def of_interpreter(game: Game) -> Run:
    """The interpreter; one game at least."""

    def run(seconds: float) -> float:
        done, begun = 0, process_time()
        while (spent := process_time() - begun) < seconds or not done:
            game.playouts(1, seed=1, first=done, engine="python")
            done += 1
        return done / spent

    return run


def of_spiel(name: str) -> Run | None:
    """Random rollouts in OpenSpiel's C++, None where it is not installed or lacks the game.

    The fastest way to them from Python is a tree search of a single simulation: it evaluates the
    root with as many rollouts as it is told, in one call.
    """
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        return None
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError:
        return None
    state = game.new_initial_state()

    def play(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, 1, False)
        return bot.mcts_search(state)

    size = _batch_of(play, 0.02)

    def run(seconds: float) -> float:
        done, begun = 0, thread_time()
        while (spent := thread_time() - begun) < seconds:
            play(size)
            done += size
        return done / spent

    return run
