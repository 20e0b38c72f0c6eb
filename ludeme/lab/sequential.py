"""Playing until a precision is reached, with an error rate that is kept.

The games are looked at a few times, at sizes that are fixed beforehand by the wanted precision (a
group sequential design). At the first look at which every measure is known well enough, playing
ends. Whether a difference is more than chance is asked once, at the end, but any of the looks may
turn out to be the end; so each has its fixed part of the chance of error (alpha spending in its
simplest form: Slud and Wei, Journal of the American Statistical Association 77, 1982, 862-868). A
p-value from look k counts as p / `PARTS[k]`; since the parts sum to one, the chance of a false
finding is at most what it would be with one look, whatever ends the run: this rule, a limit or an
impatient user.

The intervals are the usual ones of 95%. Ending when an interval is short enough does not spoil
them: its length depends on the spread of a measure, not on its value (Chow and Robbins, Annals of
Mathematical Statistics 36, 1965, 457-462). docs/lab.md has their coverage, measured.
"""

from __future__ import annotations

from math import ceil

import attrs

from ludeme.lab.statistics import Contrast

SIZES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""The looks, as multiples of the games that bound the difference of two shares near one half."""
PARTS = (0.1, 0.1, 0.6, 0.1, 0.1)
"""The part of the chance of error that each look has."""
MARGIN = 1.05
"""So much more is planned, so that the third look is not missed by a hair."""
FEWEST = 200
"""No look is taken at fewer games: the intervals need some."""
MOST = 10_000_000


@attrs.frozen
class Look:
    """So many games of each variant, and the part of the chance of error that this look has."""

    games: int
    part: float


def looks(precision: float) -> list[Look]:
    """The looks for a precision, such as 0.02 for two points on shares."""
    from scipy.stats import norm

    if not 0 < precision < 1:
        raise ValueError("a precision is a share between 0 and 1")
    planned = MARGIN * 0.5 * (norm.ppf(0.975) / precision) ** 2
    sizes = [min(MOST, max(FEWEST, ceil(planned * size))) for size in SIZES]
    found: list[Look] = []
    for size, part in zip(sizes, PARTS, strict=True):
        if found and found[-1].games == size:  # their parts together
            found[-1] = Look(size, found[-1].part + part)
        else:
            found.append(Look(size, part))
    return found


def is_known(found: Contrast, precision: float, spread: float) -> bool:
    """Whether the interval of a difference is within the precision.

    Of shares that is *precision* itself to either side. Other numbers are measured by *spread*,
    their standard deviation between games of the base: that of a share near one half is 1/2, so
    they have to be within 2 *precision* of it.
    """
    wanted = precision if found.measure.unit == "share" else 2 * precision * spread
    return (found.high - found.low) / 2 <= wanted


__all__ = ["Look", "is_known", "looks"]
