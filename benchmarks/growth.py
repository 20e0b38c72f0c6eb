"""How the cost of a decision grows with the board."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from time import thread_time

import attrs

import ludeme
from ludeme.native.engine import Native
from ludeme.play.playout import TURN_LIMIT

SIZES = (11, 13, 15, 17, 19)


@attrs.frozen
class Point:
    """Nanoseconds that a decision takes on a board of so many sites."""

    size: int
    sites: int
    nanoseconds: float


@attrs.frozen
class Growth:
    """The cost of a decision by size of the board."""

    game: str
    points: tuple[Point, ...]

    @property
    def exponent(self) -> float:
        """The slope of the logarithm of the cost over that of the sites, by least squares."""
        xs = [math.log(point.sites) for point in self.points]
        ys = [math.log(point.nanoseconds) for point in self.points]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        above = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
        return above / sum((a - x) ** 2 for a in xs)


def cost(name: str, size: int, runs: int, games: int) -> Point:
    """The cost at one size."""
    game = ludeme.load(name, size=size)
    native = Native(game.machine)
    start = game.start().cells
    native.playouts(start, 1, 0, games // 10 + 1, TURN_LIMIT)
    costs = []
    for run in range(runs):
        begun = thread_time()
        batch = native.playouts(start, 1, run * games, games, TURN_LIMIT)
        costs.append((thread_time() - begun) / float(batch.decisions.sum()))
    return Point(size, len(game.program.board.names), 1e9 * median(costs))


def measure(name: str, runs: int, games: int, sizes: Sequence[int] = SIZES) -> Growth:
    """The cost at each size."""
    return Growth(name, tuple(cost(name, size, runs, games) for size in sizes))
