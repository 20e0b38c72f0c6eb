"""Spoilt descriptions are refused with a message or played, and never crash or hang."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest
from fuzz.hostile import HOSTILE
from fuzz.trial import Trial, prepare, run, run_many

WORKERS = 2
BATCH = 25


def tried(first: int, count: int) -> list[Trial]:
    """The trials of many mutants. A batch that kills its process is an error of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, context, initializer=prepare) as pool:
        batches = [
            pool.submit(run_many, at, min(BATCH, first + count - at))
            for at in range(first, first + count, BATCH)
        ]
        return [trial for batch in batches for trial in batch.result(timeout=600)]


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """One process with limits."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=prepare) as pool:
        yield pool


def tried_one(pool: ProcessPoolExecutor, name: str, scale: int) -> Trial:
    """The trial of a description that is made to be slow."""
    return pool.submit(run, scale, name, HOSTILE[name](scale)).result(timeout=600)


def report(trials: list[Trial]) -> str:
    """The trials that went wrong, and how to see one again."""
    wrong = [trial for trial in trials if trial.fault is not None]
    lines = [f"mutant {t.number} of {t.origin}: {t.fault}" for t in wrong[:20]]
    again = "to see one again: PYTHONPATH=tests:. python -m fuzz.again NUMBER"
    return "\n".join([f"{len(wrong)} of {len(trials)} went wrong; {again}", *lines])


def test_spoilt_descriptions_are_refused_or_played() -> None:
    trials = tried(0, 1_000)
    assert not any(trial.fault for trial in trials), report(trials)
    assert any(trial.passed for trial in trials)


@pytest.mark.soak
def test_many_spoilt_descriptions_are_refused_or_played() -> None:
    trials = tried(0, 20_000)
    assert not any(trial.fault for trial in trials), report(trials)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_descriptions_take_bounded_time_and_room(
    pool: ProcessPoolExecutor, name: str
) -> None:
    assert tried_one(pool, name, 30).fault is None


@pytest.mark.soak
@pytest.mark.parametrize("name", HOSTILE)
def test_the_largest_hostile_descriptions(pool: ProcessPoolExecutor, name: str) -> None:
    assert tried_one(pool, name, 100).fault is None
