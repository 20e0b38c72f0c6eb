"""The few statistics that a table of playouts needs."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959963984540054
"""The standard normal quantile of 0.975: a two-sided 95% interval leaves out 2.5% at each end."""


def wilson(count: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """The score interval for a share of which *count* in *total* were seen.

    With p = count / total and n = total it is::

        (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)

    after E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
    Journal of the American Statistical Association 22 (1927), 209-212. It stays between 0 and 1 and
    holds for small numbers too: none of 10 gives 0 to 0.278. Raises ValueError if *total* is 0.
    """
    if total < 1 or not 0 <= count <= total:
        raise ValueError(f"no share: {count} of {total}")
    share = count / total
    square = z * z / total
    centre = share + square / 2
    spread = z * sqrt(share * (1 - share) / total + square / (4 * total))
    # Rounding must not leave a gap where the interval ends at 0 or 1 exactly.
    low = 0.0 if count == 0 else (centre - spread) / (1 + square)
    high = 1.0 if count == total else (centre + spread) / (1 + square)
    return low, high


def never_seen(total: int) -> float:
    """Below which share, with 95% confidence, something lies that *total* games never showed.

    The "rule of three": 1 - 0.05^(1/n), about 3/n (Hanley and Lippman-Hand, JAMA 249, 1983).
    """
    if total < 1:
        raise ValueError("nothing was seen, so nothing can be said")
    return float(1 - 0.05 ** (1 / total))
