"""What a second thread gains, beside what a second process of the C program gains."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import attrs

from benchmarks.cases import Case
from benchmarks.limit import Limit, parse_row


@attrs.frozen
class Gain:
    """Games per second of wall time with two at work, over those with one."""

    native: float
    limit: float

    @property
    def share(self) -> float:
        """How much of what the machine can gain our threads gain."""
        return self.native / self.limit


def limit_speed(limit: Limit, game: str, processes: int, seconds: float) -> float:
    """Games per second of wall time by so many processes."""
    begun = perf_counter()
    running = [limit.start(game, seconds) for _ in range(processes)]
    texts = [process.communicate()[0].decode() for process in running]
    spent = perf_counter() - begun
    return sum(parse_row(text.splitlines()[-1]).playouts for text in texts) / spent


def native_speed(case: Case, threads: int, games: int) -> float:
    """Games per second of wall time by so many threads, all that Python does included."""
    game = case.load()
    begun = perf_counter()
    game.playouts(games, seed=1, jobs=threads, engine="native")
    return games / (perf_counter() - begun)


def measure(limit: Limit, case: Case, runs: int, seconds: float) -> Gain:
    """The medians of runs with one and with two, which take turns."""
    assert case.limit is not None
    name = case.limit
    games = max(100, int(native_speed(case, 1, 20_000) * seconds))

    def both(speed: Callable[[int], float]) -> float:
        one, two = speed(1), speed(2)
        return two / one

    native, plain = [], []
    for _ in range(runs):
        plain.append(both(lambda count: limit_speed(limit, name, count, seconds)))
        native.append(both(lambda count: native_speed(case, count, games)))
    return Gain(median(native), median(plain))
