"""Differences, intervals and numbers of games, against published figures and small sums."""

from __future__ import annotations

import numpy as np
import pytest
from lab.by_hand import Hand, games
from lab.dice import dice

import ludeme
from ludeme.lab.compare import Question, Variant, compare, judge
from ludeme.lab.figures import Sample, Tables, sample
from ludeme.lab.games import UNFINISHED, Games
from ludeme.lab.measures import Measure, measures_of
from ludeme.lab.sequential import looks
from ludeme.lab.statistics import (
    contrast,
    corrected,
    games_for,
    games_for_shares,
    in_step,
    longer,
)


def measure(key: str, table: Games) -> Measure:
    return next(each for each in measures_of(table.setting) if each.key == key)


def known(key: str, table: Games) -> Sample:
    found = sample(measure(key, table), table)
    assert found is not None
    return found


def won(count: int, total: int, games_in_all: int) -> Games:
    """So many finished games won by Ann, the rest of them by Bob, and others cut off."""
    hands = [Hand(winner=0, width=[2])] * count + [Hand(winner=1, width=[2])] * (total - count)
    return games(*hands, *[Hand(status=UNFINISHED, width=[2])] * (games_in_all - total))


def test_the_interval_of_a_share_is_wilsons() -> None:
    """None of ten: 0 to 0.278 (Wilson 1927)."""
    low, high = known("wins.1", won(0, 10, 10)).interval() or (None, None)
    assert (low, high) == (pytest.approx(0), pytest.approx(0.2775, abs=5e-4))


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """56 of 70 against 48 of 80: 0.0524 to 0.3339 (Newcombe 1998, table II, row a, method 10)."""
    found = contrast(known("wins.1", won(48, 80, 80)), known("wins.1", won(56, 70, 80)), False)
    assert found is not None
    assert found.difference == pytest.approx(0.2)
    assert (found.low, found.high) == (
        pytest.approx(0.0524, abs=1e-4),
        pytest.approx(0.3339, abs=1e-4),
    )


def test_few_games_in_step_that_differ_are_counted_exactly() -> None:
    """Ten games go one way and two the other: p = 2 (1 + 12 + 66) / 4096."""
    base = won(10, 100, 100)
    winners = np.where(np.arange(100) < 90, base["winner"], base["winner"])
    winners[:2], winners[90:] = 1, 0
    other = Games(base.setting, {**base.columns, "winner": winners})
    found = contrast(known("wins.1", base), known("wins.1", other), True)
    assert found is not None
    assert found.p == pytest.approx(158 / 4096)
    assert found.difference == pytest.approx(0.08)


def test_means_are_compared_game_by_game() -> None:
    """Each game is one decision longer, two are two: 1.2 +- t(9) sqrt(0.1778 / 10)."""
    base = games(*[Hand(winner=0, width=[2] * n) for n in range(1, 11)])
    other = games(*[Hand(winner=0, width=[2] * (n + (2 if n > 8 else 1))) for n in range(1, 11)])
    found = contrast(known("length", base), known("length", other), True)
    assert found is not None
    assert found.difference == pytest.approx(1.2)
    half = 2.262157 * (0.1777778 / 10) ** 0.5
    assert (found.low, found.high) == (pytest.approx(1.2 - half), pytest.approx(1.2 + half))


def test_a_difference_that_every_game_has_is_no_chance() -> None:
    base = games(*[Hand(winner=0, width=[2] * n) for n in (1, 2, 5)])
    other = games(*[Hand(winner=0, width=[2] * (n + 1)) for n in (1, 2, 5)])
    found = contrast(known("length", base), known("length", other), True)
    assert found is not None
    assert (found.low, found.high, found.p) == (1, 1, 0)


def test_what_never_varies_is_not_asked() -> None:
    table = won(5, 10, 10)
    assert contrast(known("unfinished", table), known("unfinished", table), False) is None
    assert contrast(known("draws", table), known("draws", table), True) is None


def test_the_longer_of_two_games() -> None:
    """Of the pairs of (1, 2) and (2, 3) the other is longer in three and even in one of four."""
    base, other = (games(*[Hand(winner=0, width=[2] * n) for n in ns]) for ns in ((1, 2), (2, 3)))
    found = longer(base, other)
    assert found is not None
    assert found.other == pytest.approx(3.5 / 4)


def test_games_run_in_step_where_rows_agree() -> None:
    base = games(Hand(width=[2, 3]), Hand(width=[4]), Hand(width=[2, 2]), Hand(width=[5]))
    other = games(Hand(width=[2, 3]), Hand(width=[4, 1]), Hand(width=[2, 3]), Hand(width=[5]))
    assert in_step(base, other) == 0.5


def test_p_values_are_corrected_for_their_number() -> None:
    """Holm (1979): the smallest times four, the next times three, none less than those before."""
    assert corrected([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@pytest.mark.parametrize(
    ("points", "each"), [(0.10, 388), (0.05, 1565), (0.03, 4356), (0.02, 9806), (0.01, 39240)]
)
def test_the_games_that_a_difference_takes(points: float, each: int) -> None:
    """At the 5% level with a chance of 80%, around one half, by the usual formula."""
    found = games_for_shares(0.5 - points / 2, 0.5 + points / 2, 0.05)
    assert found == pytest.approx(each, rel=0.015)


def test_what_is_asked_for_grows_with_the_square_of_the_precision() -> None:
    base, other = won(500, 1000, 1000), won(520, 1000, 1000)
    found = contrast(known("wins.1", base), known("wins.1", other), False)
    assert found is not None
    assert games_for(found, 0.05) == pytest.approx(9800, rel=0.01)


# ---- looks


def test_the_looks_of_a_precision() -> None:
    """1.05 x 0.5 x (1.96 / 0.02)² = 5,042 is the third; all parts of the error make one."""
    found = looks(0.02)
    assert [look.games for look in found] == [1261, 2521, 5042, 10084, 20168]
    assert sum(look.part for look in found) == pytest.approx(1)


def test_looks_that_fall_together_keep_their_parts() -> None:
    found = looks(0.2)
    assert [look.games for look in found] == [200, 202]
    assert [look.part for look in found] == pytest.approx([0.9, 0.1])


def test_precision_is_reached_and_paid_for() -> None:
    game = ludeme.load("tic_tac_toe")
    variants = [Variant("a", game, 1), Variant("b", game, 2)]
    found = compare(variants, Question(precision=0.05, observed=0))
    assert not found.unknown
    for finding in found.versus[0].findings:
        if finding.contrast.measure.unit == "share":
            assert finding.contrast.high - finding.contrast.low <= 0.1
    part = found.taken[-1].part
    _, whole, _ = judge(found.tables)
    for paid, free in zip(found.versus[0].findings, whole[0].findings, strict=True):
        assert paid.p == pytest.approx(min(1, free.p / part)) or paid.p >= free.p


# ---- comparing


def test_games_that_agree_by_chance_alone_are_not_in_step() -> None:
    """A third of all pairs of dice games are as long as each other, and have nothing in common."""
    apart = [Variant("a", dice(50), 1), Variant("b", dice(50), 2)]
    together = [Variant("a", dice(50)), Variant("b", dice(52))]
    one, other = (
        compare(variants, Question(games=2000, observed=0)).versus[0]
        for variants in (apart, together)
    )
    assert one.alike < 0.05
    assert not one.paired
    # The same throws end both games at once; between 51 and 52 they differ in who has won.
    assert other.alike == 1
    assert other.paired
    assert other.turned == pytest.approx(0.02, abs=0.01)


def test_a_rule_that_changes_the_result_alone_is_compared_in_step() -> None:
    """Last to take wins, or loses: the same games, every result turned round."""
    text = """
game "Row of five"
players First, Second
option misere = false
board square(5, 1)
piece stone
start
  put First stone on board
turn take
  choose 1..2 sites from occupied
  remove sites
end
  mover wins by last when no occupied and not misere
  next wins by last when no occupied
"""
    plain, turned = (ludeme.load_text(text, misere=m) for m in (False, True))
    found = compare([Variant("a", plain), Variant("b", turned)], Question(games=400, observed=0))
    versus = found.versus[0]
    assert versus.alike == 1
    assert [f.contrast.measure.key for f in versus.findings] == ["wins.1"]


def test_the_same_description_twice_is_the_same_games() -> None:
    game = ludeme.load("tic_tac_toe")
    found = compare([Variant("a", game), Variant("b", game)], Question(games=50, observed=10))
    assert found.versus[0].same_meaning
    assert all(finding.verdict == "open" for finding in found.versus[0].findings)


def test_an_end_that_only_one_has_is_asked_of_both() -> None:
    base = games(*[Hand(winner=0, width=[2], end=n % 2) for n in range(40)])
    other = games(*[Hand(winner=0, width=[2], end=0) for n in range(40)], ends=("line",))
    _, versus, _ = judge([Tables(base, None), Tables(other, None)])
    keys = {f.contrast.measure.key: f.contrast for f in versus[0].findings}
    assert keys["end.line"].difference == 0.5 or keys["end.full"].difference == -0.5
