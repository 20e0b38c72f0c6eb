"""Spoilt descriptions are refused with a message or played, and never crash or hang."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest
from fuzz.hostile import HOSTILE
from fuzz.trial import Trial, prepare, run, run_many

WORKERS = 2
BATCH = 25


def tried(first: int, count: int) -> list[Trial]:
    """The trials of many mutants, in processes of their own."""
    trials: list[Trial] = []
    waiting = [(at, min(BATCH, first + count - at)) for at in range(first, first + count, BATCH)]
    while waiting:
        done, waiting = _tried_until_killed(waiting)
        trials += done
        if waiting:  # one of the first batches kills its process: find out which mutant does
            for at, size in waiting[:WORKERS]:
                trials += [_tried_alone(number) for number in range(at, at + size)]
            waiting = waiting[WORKERS:]
    return trials


def _tried_until_killed(
    batches: list[tuple[int, int]],
) -> tuple[list[Trial], list[tuple[int, int]]]:
    """The trials of batches, and the batches that are left when a process was killed."""
    context = multiprocessing.get_context("spawn")
    trials: list[Trial] = []
    left: list[tuple[int, int]] = []
    with ProcessPoolExecutor(WORKERS, context, initializer=prepare) as pool:
        futures = [(pool.submit(run_many, *batch), batch) for batch in batches]
        for future, batch in futures:
            try:
                trials += future.result(timeout=600)
            except BrokenProcessPool:
                left.append(batch)
    return trials, left


def _tried_alone(number: int) -> Trial:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=prepare) as pool:
        try:
            return pool.submit(run_many, number, 1).result(timeout=600)[0]
        except BrokenProcessPool:
            return Trial(number, "?", False, 0, 0, "killed its process")


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
    trials = tried(0, 400)
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
