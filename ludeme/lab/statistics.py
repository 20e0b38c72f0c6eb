"""Whether a difference could be chance, how large it is, and how many games would tell.

scipy and statsmodels do the arithmetic. Which method serves which measure:

- **Shares of games** (won, drawn, ended by …) of games that do not run in step: the score test of
  two proportions and Newcombe's interval for their difference (Newcombe, Statistics in Medicine 17,
  1998, 873-890).
- **All else, and shares of games that run in step**: Student's t on the differences of the
  linearised values (`ludeme.lab.figures`), game by game. Games of one number are always paired; if
  they have nothing in common this costs nothing, and if they run in step it saves most games.
- **Shares in step with few games that differ**: McNemar's exact test.
- **Lengths** are skewed, so they are compared twice: by their means, and by the share of pairs of
  games in which the other one is longer (Brunner and Munzel, Biometrical Journal 42, 2000, 17-25;
  in pairs, Konietschke and Pauly, Statistics and Computing 22, 2012, 1231-1244).

Many measures are looked at, so p-values are corrected for their number by Holm's method
(Scandinavian Journal of Statistics 6, 1979, 65-70), which holds however the measures hang together.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.lab.figures import LEVEL, Sample
from ludeme.lab.games import FAULTY, Games
from ludeme.lab.measures import Measure, Parts

ALPHA = 0.05
"""The chance of any false finding in one comparison, all measures together."""
POWER = 0.8
FEW_DIFFERENT = 25
"""With fewer games in step that differ, the exact test is used."""
IN_STEP = 0.05
"""From this share of games that take the same course on, games are compared in pairs."""
ALIKE = 0.3
"""So are they from this correlation of their lengths on: one may only end before the other."""

Numbers = NDArray[np.float64]


@attrs.frozen
class Contrast:
    """The difference of a measure between two variants: the other less the base.

    *low* and *high* bound it with 95% confidence. *p* is the chance of a difference as large if
    there was none, not corrected. *error* is its standard error. *effect*: Cohen's h for shares of
    games, Cohen's d (in standard deviations between games) else; for lengths in pairs the
    difference from one half.
    """

    measure: Measure
    base: float
    other: float
    base_count: float
    other_count: float
    low: float
    high: float
    p: float
    error: float
    effect: float
    effect_name: str
    method: str
    games: int

    @property
    def difference(self) -> float:
        """The other less the base."""
        return self.other - self.base


def in_step(base: Games, other: Games) -> float:
    """The share of numbers whose two games took the same course, as far as rows can tell.

    They made the same number of decisions with the same sums of legal moves. Games that have
    nothing to do with each other may agree in that as well; how many do is seen from games of
    neighbouring numbers, and taken off.
    """
    if len(base) != len(other) or len(base) < 2:
        return 0.0
    alike = _agreeing(base, other, 0)
    chance = _agreeing(base, other, 1)
    return max(0.0, (alike - chance) / (1 - chance)) if chance < 1 else 0.0


def _agreeing(base: Games, other: Games, shift: int) -> float:
    alike = np.ones(len(base), bool)
    for name in ("decisions", "moves", "widths"):
        alike &= base[name] == np.roll(other[name], shift)
    return float(alike.mean())


def correlation(base: Games, other: Games) -> float:
    """How the lengths of games of one number hang together, -1 to 1; 0 where nothing varies."""
    if len(base) != len(other) or len(base) < 2:
        return 0.0
    one, two = base["decisions"].astype(float), other["decisions"].astype(float)
    if not np.ptp(one) or not np.ptp(two):
        return 0.0
    return float(np.corrcoef(one, two)[0, 1])


def turned_round(base: Games, other: Games) -> float | None:
    """The share of numbers whose two games had another winner; None if not as many were played."""
    if len(base) != len(other):
        return None
    return float((base["winner"] != other["winner"]).mean())


def contrast(base: Sample, other: Sample, paired: bool) -> Contrast | None:
    """Compare a measure of two variants; None where nothing varies or every game agrees.

    Both have as many games, numbered alike. *paired*: their games run in step.
    """
    if len(base.linear) != len(other.linear):
        raise ValueError("the variants must have as many games")
    difference = other.value - base.value
    apart = other.linear - base.linear
    if len(apart) < 2 or not apart.any() or not (base.spread or other.spread or difference):
        return None
    if base.hits is None or other.hits is None:
        return _of_means(base, other, apart)
    if not paired:
        return _of_shares(base, other)
    up, down = _differing(base, other)
    return (
        _of_few(base, other, up, down)
        if up + down < FEW_DIFFERENT
        else _of_means(base, other, apart)
    )


def _differing(base: Sample, other: Sample) -> tuple[int, int]:
    """How many games that count in both have only the other variant's, only the base's hit."""
    both = (base.parts.bottom > 0) & (other.parts.bottom > 0)
    apart = other.parts.top[both] - base.parts.top[both]
    return int((apart > 0).sum()), int((apart < 0).sum())


def _of_shares(base: Sample, other: Sample) -> Contrast | None:
    from statsmodels.stats.proportion import confint_proportions_2indep, test_proportions_2indep

    assert base.hits is not None and other.hits is not None
    counts = (other.hits, round(other.count), base.hits, round(base.count))
    if counts[0] + counts[2] in (0, counts[1] + counts[3]):
        return None
    low, high = confint_proportions_2indep(
        *counts, compare="diff", method="newcomb", alpha=1 - LEVEL
    )
    with np.errstate(divide="ignore", invalid="ignore"):  # it works out a ratio nobody asked for
        p = test_proportions_2indep(
            *counts, compare="diff", method="score", correction=False
        ).pvalue
    return _contrast(base, other, low, high, float(p), "score test of two shares")


def _of_few(base: Sample, other: Sample, up: int, down: int) -> Contrast:
    """Shares of games in step, almost all alike: by the few that differ."""
    from statsmodels.stats.contingency_tables import mcnemar

    p = float(mcnemar(np.array([[0, up], [down, 0]]), exact=True).pvalue) if up + down else 1.0
    found = _of_means(base, other, other.linear - base.linear)
    return attrs.evolve(found, p=p, method="McNemar's exact test")


def _of_means(base: Sample, other: Sample, apart: Numbers) -> Contrast:
    low, high, p = _of_pairs(apart)
    return _contrast(base, other, low, high, p, "t test of pairs")


def _of_pairs(apart: Numbers) -> tuple[float, float, float]:
    """The interval of a mean difference, and how likely as large a one is by chance."""
    from scipy import stats

    mean = float(apart.mean())
    if np.ptp(apart) <= 1e-12 * max(1.0, abs(mean)):
        return mean, mean, 0.0 if abs(mean) > 1e-12 else 1.0
    tested = stats.ttest_1samp(apart, 0.0)
    low, high = tested.confidence_interval(LEVEL)
    return float(low), float(high), float(tested.pvalue)


def _contrast(
    base: Sample, other: Sample, low: float, high: float, p: float, method: str
) -> Contrast:
    apart = other.linear - base.linear
    error = float(apart.std(ddof=1)) / len(apart) ** 0.5
    if base.hits is not None and other.hits is not None:
        from statsmodels.stats.proportion import proportion_effectsize

        effect, name = float(proportion_effectsize(other.value, base.value)), "h"
    else:
        spread = ((base.spread**2 + other.spread**2) / 2) ** 0.5
        gap = other.value - base.value
        effect = gap / spread if spread else (np.inf if gap > 0 else -np.inf)
        name = "d"
    return Contrast(
        base.measure, base.value, other.value, base.count, other.count, float(low), float(high), p,
        error, float(effect), name, method, len(apart),
    )  # fmt: skip


LONGER = Measure(
    "longer", "chance to be the longer game", "length", "share", "pairs of games", lambda g: _none()
)


def _none() -> Parts:
    raise AssertionError("only two tables together have this measure")


def longer(base: Games, other: Games) -> Contrast | None:
    """How often a game of *other* is longer than one of *base*, equal ones counting half.

    Games that were cut off count at the length that they had; faulty ones are left out.
    """
    from scipy.stats import rankdata

    kept = (base["status"] != FAULTY) & (other["status"] != FAULTY)
    one, two = base["decisions"][kept].astype(float), other["decisions"][kept].astype(float)
    if len(one) < 2 or np.array_equal(one, two) or np.ptp(np.concatenate([one, two])) == 0:
        return None
    ranks = rankdata(np.concatenate([one, two]))
    count = len(one)
    below_one = (ranks[:count] - rankdata(one)) / count  # the share of the other's games below it
    below_two = (ranks[count:] - rankdata(two)) / count
    chance = float(below_two.mean())
    # Linearised as in `ludeme.lab.figures`: both sides add to the error of the one share.
    apart = (below_two - chance) - (below_one - (1 - chance)) + (chance - 0.5)
    low, high, p = _of_pairs(apart)
    error = float(apart.std(ddof=1)) / count**0.5
    return Contrast(
        LONGER, 0.5, chance, count, count, low, high, p, error, chance - 0.5, "from one half",
        "ranks of pairs", count,
    )  # fmt: skip


def corrected(ps: Sequence[float]) -> list[float]:
    """P-values corrected for their number, by Holm's method."""
    from statsmodels.stats.multitest import multipletests

    if not len(ps):
        return []
    return [float(p) for p in multipletests(np.minimum(ps, 1.0), method="holm")[1]]


# ---- how many games


def games_for_shares(base: float, other: float, alpha: float = ALPHA, power: float = POWER) -> int:
    """How many games of each variant show the difference of two shares with a chance of *power*.

    *alpha* is what is left for one measure: ALPHA divided by their number.
    """
    from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

    count = samplesize_proportions_2indep_onetail(
        abs(other - base), min(base, other), power, alpha=alpha
    )
    return int(np.ceil(count))


def games_for(found: Contrast, alpha: float, power: float = POWER) -> int | None:
    """How many games of each variant would show a difference as large as the one seen.

    None if none was seen.
    """
    from scipy.stats import norm

    if abs(found.difference) < 1e-12 or not found.error:
        return None
    if found.method == "score test of two shares":
        per_game = found.games / min(found.base_count, found.other_count)
        return int(np.ceil(per_game * games_for_shares(found.base, found.other, alpha, power)))
    spread = found.error * found.games**0.5
    quantiles = norm.ppf(1 - alpha / 2) + norm.ppf(power)
    return int(np.ceil((quantiles * spread / abs(found.difference)) ** 2))


def detectable(found: Contrast, alpha: float, power: float = POWER) -> float:
    """How large a true difference these games show with a chance of *power*."""
    from scipy.stats import norm

    return float((norm.ppf(1 - alpha / 2) + norm.ppf(power)) * found.error)


__all__ = [
    "ALIKE",
    "ALPHA",
    "IN_STEP",
    "LONGER",
    "POWER",
    "Contrast",
    "contrast",
    "corrected",
    "correlation",
    "detectable",
    "games_for",
    "games_for_shares",
    "in_step",
    "longer",
    "turned_round",
]
