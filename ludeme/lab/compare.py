"""Variants side by side: their games played, every measure asked, what could be chance told apart.

`compare` plays; `judge` compares tables that are there already, from wherever they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import isclose
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.game import Game
from ludeme.lab.crew import Playing, Processes
from ludeme.lab.figures import Sample, Tables
from ludeme.lab.games import Games, merge
from ludeme.lab.measures import FINISHED_GAMES, Measure, Parts
from ludeme.lab.play import RANDOM, Plan
from ludeme.lab.sequential import Look, is_known, looks
from ludeme.lab.statistics import (
    ALIKE,
    ALPHA,
    IN_STEP,
    Contrast,
    contrast,
    corrected,
    correlation,
    detectable,
    games_for,
    in_step,
    longer,
    turned_round,
)
from ludeme.play.playout import TURN_LIMIT

GAMES = 10_000
"""Games of each variant, unless said; fewer where players think."""
GAMES_OF_THINKERS = 400
OBSERVED = 200
"""So many of them are observed decision by decision, unless said."""

Verdict = Literal["shown", "hint", "open"]
Progress = Callable[[int, int], object]


@attrs.frozen
class Variant:
    """A description with its options, and what the report calls it.

    *seed* is its own one, if its games are not to be in step with those of the others.
    """

    label: str
    game: Game
    seed: int | None = None


@attrs.frozen
class Question:
    """What is to be played.

    *games* of each variant, or as many as a *precision* takes (see `ludeme.lab.sequential`).
    *observed*: so many of them are observed, from number 0 on. *seats*: who plays, "" for random
    players. *evaluator*: what gives values to states of observed games, "" for nothing.
    """

    games: int | None = None
    precision: float | None = None
    seed: int = 0
    turn_limit: int = TURN_LIMIT
    observed: int = OBSERVED
    seats: tuple[str, ...] = ()
    evaluator: str = ""

    def looks(self) -> list[Look]:
        """When to look at the games."""
        if self.precision is not None:
            return looks(self.precision)
        thinking = any(seat != RANDOM for seat in self.seats)
        return [Look(self.games or (GAMES_OF_THINKERS if thinking else GAMES), 1.0)]


@attrs.frozen(eq=False)
class Finding:
    """What came of one measure.

    *p* is corrected for the number of measures and looks. *verdict*: `shown` if p is below 5%;
    `hint` if it would be without the correction; else `open`. *needed*: how many games of each
    variant would show, with a chance of 80%, a difference as large as the one seen; None if there
    is none. *detectable*: the difference that the games played show with that chance. *spread*:
    the standard deviation between games of the base.
    """

    contrast: Contrast
    p: float
    verdict: Verdict
    needed: int | None
    detectable: float
    spread: float


@attrs.frozen(eq=False)
class Versus:
    """A variant against the base.

    *alike*: the share of games that took the same course. *correlation*: how the lengths of games
    of one number hang together. *paired*: games are compared in pairs. *turned*: the share of
    numbers whose two games had another winner. *rules*: which of them came to
    pass on one side alone, in words, where that was counted (`ludeme.lab.sleeping`).
    """

    base: int
    other: int
    same_meaning: bool
    alike: float
    correlation: float
    paired: bool
    turned: float | None
    findings: tuple[Finding, ...]
    rules: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class Comparison:
    """All that a report needs.

    *tables* and *samples* stand in the order of *variants*. *asked*: how many measures were tested.
    *unknown*: the measures whose precision was not reached, by title.
    """

    question: Question
    variants: tuple[Variant, ...]
    tables: tuple[Tables, ...]
    samples: tuple[Mapping[str, Sample], ...]
    versus: tuple[Versus, ...]
    asked: int
    taken: tuple[Look, ...]
    planned: tuple[Look, ...]
    unknown: tuple[str, ...]

    @property
    def games(self) -> int:
        """How many games of each variant were played."""
        return self.taken[-1].games


def compare(
    variants: Sequence[Variant],
    question: Question,
    *,
    jobs: int = 1,
    engine: str = "auto",
    playing: Playing | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play the variants and compare each with the first.

    *playing*: who plays and where games are kept, if not *jobs* processes. ValueError if they are
    not for equally many players. *progress* is told how many games of how many have been played.
    """
    if len({len(variant.game.players) for variant in variants}) > 1:
        raise ValueError("the variants are for different numbers of players")
    planned = question.looks()
    playing = playing or Playing(Processes(jobs))
    runs = [_Run(variant, question, playing, engine) for variant in variants]
    taken: list[Look] = []
    for look in planned:
        _go_on(runs, look.games, progress)
        taken.append(look)
        tables = tuple(run.tables for run in runs)
        samples, versus, asked = judge(tables, look.part)
        unknown = _unknown(versus, question.precision)
        if not unknown:
            break
    return Comparison(
        question, tuple(variants), tables, samples, versus, asked, tuple(taken), tuple(planned),
        tuple(unknown),
    )  # fmt: skip


def play_variant(
    variant: Variant, question: Question, playing: Playing, engine: str = "auto"
) -> Tables:
    """The games of one variant up to the first look."""
    run = _Run(variant, question, playing, engine)
    run.play_to(question.looks()[0].games, None)
    return run.tables


class _Run:
    """The games of one variant so far."""

    def __init__(self, variant: Variant, question: Question, playing: Playing, engine: str) -> None:
        self.observed = question.observed
        self.label = variant.label
        self.playing = playing
        self.plan = Plan(
            variant.game,
            question.seed if variant.seed is None else variant.seed,
            question.turn_limit,
            question.seats,
            engine=engine,
        )
        self.watching = attrs.evolve(self.plan, detailed=True, evaluator=question.evaluator)
        self.details: Games | None = None
        self.rows: Games | None = None

    def play_to(self, games: int, progress: Callable[[int], object] | None) -> None:
        """Play the games up to a number; those that were played stay."""
        if self.details is None and self.observed:
            numbers = range(min(self.observed, games))
            label = f"{self.label} observed"
            self.details = self.playing.play(self.watching, numbers, progress, label)
        if self.rows is None and self.details is not None and not self.plan.is_quick:
            rows = self.details.rows()
            self.rows = Games(self.plan.setting, rows.columns)
        done = len(self.rows) if self.rows is not None else 0
        if done < games:
            more = self.playing.play(self.plan, range(done, games), progress, self.label)
            self.rows = merge([self.rows, more]) if self.rows is not None else more

    @property
    def tables(self) -> Tables:
        """What was played."""
        assert self.rows is not None
        return Tables(self.rows, self.details)


def _go_on(runs: Sequence[_Run], games: int, progress: Progress | None) -> None:
    total = len(runs) * games
    for index, run in enumerate(runs):
        run.play_to(games, partial(_tell, progress, index * games, total) if progress else None)


def _tell(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


# ---- judging


def judge(
    tables: Sequence[Tables], part: float = 1.0
) -> tuple[tuple[Mapping[str, Sample], ...], tuple[Versus, ...], int]:
    """Every measure of each table, each table against the first, and how many tests that were.

    *part* is the part of the chance of error that this look has; observed games are looked at once,
    whatever the looks, and have all of it.
    """
    samples = tuple(table.samples() for table in tables)
    found = [_Contrasts(tables, samples, other) for other in range(1, len(tables))]
    raw = [_raw_p(each, part) for one in found for each in one.tested]
    ps = iter(corrected(raw))
    versus = tuple(one.versus(ps, part, len(raw)) for one in found)
    return samples, versus, len(raw)


def is_paired(alike: float, length_correlation: float, games: int) -> bool:
    """Whether games of one number have enough in common to be compared in pairs.

    What chance can make of so many games, four standard errors, is not enough.
    """
    by_chance = 4 / games**0.5 if games else 1.0
    return alike >= max(IN_STEP, by_chance) or length_correlation >= max(ALIKE, by_chance)


def _raw_p(found: Contrast, part: float) -> float:
    return min(1.0, found.p / (1.0 if found.measure.detailed else part))


class _Contrasts:
    """The measures of the base and of another variant, before correction."""

    def __init__(
        self, tables: Sequence[Tables], samples: Sequence[Mapping[str, Sample]], other: int
    ) -> None:
        self.tables = tables[0], tables[other]
        self.samples = samples[0], samples[other]
        self.other = other
        self.alike = in_step(tables[0].rows, tables[other].rows)
        self.correlation = correlation(tables[0].rows, tables[other].rows)
        self.paired = is_paired(self.alike, self.correlation, len(tables[0].rows))
        self.tested = list(_without_doubles(self._contrasts()))

    def _contrasts(self) -> Iterator[Contrast]:
        keys = dict.fromkeys([*self.samples[0], *self.samples[1]])
        # That somebody wins says the same as that no game is drawn, if none is cut off.
        for key in sorted(keys, key="completion".__eq__):
            base, other = (self._sample(key, side) for side in (0, 1))
            if base is None or other is None or not base.measure.tested:
                continue
            found = contrast(base, other, self.paired)
            if found is not None:
                yield found
            if key == "length":
                of_pairs = longer(self.tables[0].rows, self.tables[1].rows)
                if of_pairs is not None:
                    yield of_pairs

    def _sample(self, key: str, side: int) -> Sample | None:
        """A measure of one side; an end or a kind of move that it has not happens never."""
        if key in self.samples[side]:
            return self.samples[side][key]
        measure = self.samples[1 - side][key].measure
        games = self.tables[side].details if measure.detailed else self.tables[side].rows
        if not key.startswith(("end.", "kind.")) or games is None:
            return None
        counted = games.finished if measure.over == FINISHED_GAMES else games["moves"]
        return _never(measure, counted.astype(float))

    def versus(self, ps: Iterator[float], part: float, asked: int) -> Versus:
        """With the corrected p-values of its tests."""
        base, other = (table.rows.setting for table in self.tables)
        same = (base.digest, base.seed, base.seats) == (other.digest, other.seed, other.seats)
        findings = tuple(self._finding(found, next(ps), part, asked) for found in self.tested)
        turned = turned_round(self.tables[0].rows, self.tables[1].rows)
        return Versus(
            0, self.other, same, self.alike, self.correlation, self.paired, turned, findings
        )

    def _finding(self, found: Contrast, p: float, part: float, asked: int) -> Finding:
        alpha = ALPHA / asked
        verdict: Verdict = "open"
        if p < ALPHA:
            verdict = "shown"
        elif _raw_p(found, part) < ALPHA:
            verdict = "hint"
        sample = self.samples[0].get(found.measure.key)
        return Finding(
            found,
            p,
            verdict,
            games_for(found, alpha),
            detectable(found, alpha),
            sample.spread if sample is not None else found.error * found.games**0.5,
        )


def _never(measure: Measure, counted: NDArray[np.float64]) -> Sample | None:
    total = float(counted.sum())
    if not total:
        return None
    nothing = np.zeros(len(counted))
    hits = 0 if measure.of_games else None
    return Sample(measure, Parts(nothing, counted), 0.0, total, nothing, hits)


def _without_doubles(found: Iterator[Contrast]) -> Iterator[Contrast]:
    """Leave out what says the same as a measure before it, such as one seat's share of two."""
    seen: list[Contrast] = []
    for each in found:
        if not any(_same(each, before) for before in seen):
            seen.append(each)
            yield each


def _same(one: Contrast, other: Contrast) -> bool:
    return isclose(one.p, other.p, rel_tol=1e-9) and isclose(
        abs(one.difference), abs(other.difference), rel_tol=1e-9
    )


def _unknown(versus: Sequence[Versus], precision: float | None) -> list[str]:
    """The measures of all games whose precision is not reached."""
    if precision is None:
        return []
    titles = [
        finding.contrast.measure.title
        for one in versus
        for finding in one.findings
        if not finding.contrast.measure.detailed
        and not is_known(finding.contrast, precision, finding.spread)
    ]
    return list(dict.fromkeys(titles))


__all__ = [
    "Comparison",
    "Finding",
    "Question",
    "Variant",
    "Versus",
    "compare",
    "judge",
    "play_variant",
]
