"""A measure of some games, with the range in which its true value lies.

All measures are ratios of sums (`ludeme.lab.measures`). What the game adds to the error of a ratio
R = sum(top) / sum(bottom) is, to first order, (top - R bottom) / mean(bottom); R plus that is the
*linearised value* of the game, and the mean of those is R. Their spread gives the error of R, of
differences between variants, and of differences game by game (the delta method; Cochran, *Sampling
Techniques*, 3rd ed. 1977, section 6.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.lab.games import Games
from ludeme.lab.measures import Measure, Parts, measures_of

LEVEL = 0.95
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@attrs.frozen(eq=False)
class Sample:
    """A measure of some games.

    *value* is the figure. *count* is its denominator: the sum of the bottoms. *linear*: the
    linearised value of each game, shape (games,). *hits*: where the figure is a share of games, so
    that each counts whole or not at all, the sum of the tops; else None.
    """

    measure: Measure
    parts: Parts
    value: float
    count: float
    linear: NDArray[np.float64]
    hits: int | None

    @property
    def spread(self) -> float:
        """The standard deviation of the linearised values."""
        return float(self.linear.std(ddof=1)) if len(self.linear) > 1 else 0.0

    def interval(self, level: float = LEVEL) -> tuple[float, float] | None:
        """Where the true value lies; None if too little is known.

        Wilson's interval for a share of games, else that of Student's t.
        """
        if self.hits is not None:
            from statsmodels.stats.proportion import proportion_confint

            low, high = proportion_confint(
                self.hits, round(self.count), alpha=1 - level, method="wilson"
            )
            return float(low), float(high)
        if len(self.linear) < 2:
            return None
        if not self.spread:
            return self.value, self.value
        from scipy import stats

        scale = self.spread / len(self.linear) ** 0.5
        low, high = stats.t.interval(level, len(self.linear) - 1, self.value, scale)
        return float(low), float(high)


def sample(measure: Measure, games: Games) -> Sample | None:
    """A measure of games; None if none of them takes part."""
    if measure.detailed and not games.detailed:
        return None
    parts = measure.parts(games)
    top, bottom = float(parts.top.sum()), float(parts.bottom.sum())
    if not bottom:
        return None
    value = top / bottom
    linear = value + (parts.top - value * parts.bottom) / (bottom / len(parts.bottom))
    return Sample(measure, parts, value, bottom, linear, round(top) if measure.of_games else None)


@attrs.frozen(eq=False)
class Tables:
    """The games of one variant: all, and those that were observed (None if none were)."""

    rows: Games
    details: Games | None

    def samples(self) -> dict[str, Sample]:
        """Every measure of which something is known, by key."""
        setting = self.rows.setting if self.details is None else self.details.setting
        found = {}
        for measure in measures_of(setting):
            games = self.details if measure.detailed else self.rows
            known = sample(measure, games) if games is not None else None
            if known is not None:
                found[measure.key] = known
        return found


# ---- what is not a ratio


def lengths(games: Games) -> dict[str, float] | None:
    """Quantiles of the lengths of finished games, in decisions; neighbours are interpolated."""
    found = games["decisions"][games.finished]
    if not len(found):
        return None
    quantiles = np.quantile(found, QUANTILES)
    named = {f"{q:.0%}": float(v) for q, v in zip(QUANTILES, quantiles, strict=True)}
    return {"min": float(found.min())} | named | {"max": float(found.max())}


def balance(samples: Mapping[str, Sample], players: int) -> float | None:
    """1 less the greatest difference between the shares of two seats; None if none is known.

    Games that all end drawn look perfectly balanced: to be shown beside the draws only.
    """
    keys = [f"wins.{seat}" for seat in range(1, players + 1)]
    shares = [samples[key].value for key in keys if key in samples]
    return 1 - (max(shares) - min(shares)) if shares else None


def tree_size(samples: Mapping[str, Sample]) -> float | None:
    """The order of magnitude of the game tree: mean length times log10 of the mean branching."""
    if "length" not in samples or "branching" not in samples:
        return None
    branching = samples["branching"].value
    return float(samples["length"].value * np.log10(branching)) if branching > 0 else None


@attrs.frozen
class Gate:
    """A condition that a description fails in random play, in words."""

    key: str
    words: str


LEAST_COMPLETION = 0.2
LEAST_LENGTH = 3.0
LEAST_REAL = 0.1
LEAST_COVERAGE = 0.1


def gates(samples: Mapping[str, Sample]) -> list[Gate]:
    """What is so wrong that averages mean little; asked before any of them is shown.

    The bounds are those that GAVEL puts before its score (Todd et al., "GAVEL: Generating Games Via
    Evolution and Language Models", NeurIPS 2024): completion below 0.2, mean length below 3, moves
    with a real choice below 0.1, coverage below 0.1. Faults and games cut off are told of always.
    """
    found = []
    for key, words in (
        ("faulty", "the description failed in {:.1%} of the games"),
        ("unfinished", "{:.1%} of the games were cut off at the turn limit"),
    ):
        if key in samples and samples[key].value:
            found.append(Gate(key, words.format(samples[key].value)))
    bounds = {
        "completion": (LEAST_COMPLETION, "only {:.1%} of the games were won by somebody"),
        "length": (LEAST_LENGTH, "a game has only {:.1f} decisions on average"),
        "real": (LEAST_REAL, "only {:.1%} of the moves were a real choice"),
        "coverage": (LEAST_COVERAGE, "only {:.1%} of the sites ever held a piece"),
    }
    for key, (least, words) in bounds.items():
        if key in samples and samples[key].value < least:
            found.append(Gate(key, words.format(samples[key].value)))
    return found


# ---- JSON


def as_dict(known: Sample) -> dict[str, Any]:
    """A figure, ready for JSON."""
    measure = known.measure
    interval = known.interval()
    return {
        "title": measure.title,
        "unit": measure.unit,
        "value": known.value,
        "low": interval[0] if interval else None,
        "high": interval[1] if interval else None,
        "over": measure.over,
        "count": round(known.count),
    }
