"""How long it takes from a description to the first game in machine code."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time

import attrs

from benchmarks.cases import Case
from ludeme.game import parsed_text


@attrs.frozen
class Loading:
    """CPU seconds from `load` to the end of the first game, in a process that is warm.

    *cold*: nothing is kept compiled; *kept*: the code is in the cache.
    """

    cold: float
    kept: float


@contextmanager
def cache_in(folder: Path) -> Iterator[None]:
    """Keep compiled code in a folder for a while."""
    before = os.environ.get("LUDEME_CACHE")
    os.environ["LUDEME_CACHE"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["LUDEME_CACHE"]
        else:
            os.environ["LUDEME_CACHE"] = before


def first_game(case: Case) -> float:
    """CPU seconds from the text to the end of the first game."""
    parsed_text.cache_clear()
    begun = process_time()
    case.load().playouts(1, engine="native")
    return process_time() - begun


def measure(case: Case, runs: int = 5) -> Loading:
    """The medians of several loads."""
    with tempfile.TemporaryDirectory() as temporary, cache_in(Path(temporary) / "warm"):
        first_game(case)
        kept = [first_game(case) for _ in range(runs)]
        cold = []
        for number in range(runs):
            with cache_in(Path(temporary) / str(number)):
                cold.append(first_game(case))
    return Loading(median(cold), median(kept))
