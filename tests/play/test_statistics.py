"""Intervals against values worked out by hand or taken from tables."""

from __future__ import annotations

import pytest

from ludeme.play.statistics import never_seen, wilson


@pytest.mark.parametrize(("total", "points"), [(100, 9.6), (1000, 3.1), (10_000, 1.0)])
def test_half_of_the_games_is_known_to_so_many_points(total: int, points: float) -> None:
    low, high = wilson(total // 2, total)
    assert (points, points) == (round(100 * (0.5 - low), 1), round(100 * (high - 0.5), 1))


def test_none_of_ten() -> None:
    """z²/(n + z²) = 3.8415 / 13.8415 is the upper bound where nothing was seen."""
    assert pytest.approx((0.0, 0.27754), abs=1e-5) == wilson(0, 10)


def test_all_of_ten_mirrors_none_of_ten() -> None:
    assert pytest.approx((1 - 0.27754, 1.0), abs=1e-5) == wilson(10, 10)


def test_three_of_four() -> None:
    """Centre (0.75 + 0.48018) / 1.96036 = 0.62753, half width 0.32689, by hand."""
    low, high = wilson(3, 4)
    assert pytest.approx((0.30064, 0.95441), abs=1e-4) == (low, high)


@pytest.mark.parametrize(("count", "total"), [(0, 0), (-1, 5), (6, 5)])
def test_what_is_no_share_is_refused(count: int, total: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(count, total)


def test_never_seen_follows_the_rule_of_three() -> None:
    assert pytest.approx(0.003, abs=1e-4) == never_seen(1000)
    assert pytest.approx(0.95) == never_seen(1)


def test_nothing_can_be_said_of_no_games() -> None:
    with pytest.raises(ValueError, match="nothing"):
        never_seen(0)
