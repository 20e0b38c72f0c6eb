"""How often `compare` is wrong: false alarms, what is found, coverage of the intervals.

The full runs are long and behind the marker; their figures stand in docs/lab.md.
"""

from __future__ import annotations

import gc

import pytest
from lab.calibration import Tally, tally
from lab.dice import dice
from scipy.stats import binom

from ludeme.lab.compare import Question, Variant, compare
from ludeme.lab.statistics import ALPHA, games_for, games_for_shares

NOTHING = dict.fromkeys(
    ("wins.1", "wins.2", "draws", "end.luck", "length", "longer", "coverage", "occupied",
     "repetition"), 0.0
)  # fmt: skip
"""What does not differ between a game and itself."""


@pytest.fixture(autouse=True)
def _quick_collection() -> None:
    """statsmodels collects garbage at each correction; what is there already is left out."""
    gc.freeze()


def told(name: str, tally: Tally) -> None:
    """Print the line of the table in docs/lab.md."""
    shares = ", ".join(f"{key} {c / n:.1%}" for key, (c, n) in tally.covered.items() if n)
    games = sum(tally.games) / tally.runs
    print(
        f"\n{name}: {tally.runs} runs, {games:,.0f} games each; alarms {tally.alarms}"
        f" ({tally.alarms / tally.runs:.1%}), found {tally.found}"
        f" ({tally.found / tally.runs:.1%}); covered: {shares}"
    )


def agrees(count: int, total: int, low: float, high: float) -> bool:
    """Whether a count could come of a share in a range; wrong once in 10,000 if it lies in it."""
    return bool(binom.sf(count - 1, total, high) > 5e-5 and binom.cdf(count, total, low) > 5e-5)


def same_game(question: Question, runs: int) -> Tally:
    game = dice(tie=10)
    return tally(game, game, question, runs, NOTHING)


def planted(first: int, runs: int) -> Tally:
    """At the number of games that the tool asks for to find the difference with a chance of 80%."""
    base, other = dice(50), dice(first)
    pilot = compare(
        [Variant("a", base, 1), Variant("b", other, 2)], Question(games=1000, observed=20)
    )
    games = games_for_shares(0.5, first / 100, ALPHA / pilot.asked)
    question = Question(games=games, observed=20)
    return tally(base, other, question, runs, {"wins.1": first / 100 - 0.5, "length": 0.0})


def planted_in_step(first: int, runs: int) -> Tally:
    """The same with games in step: far fewer are asked for."""
    base, other = dice(50), dice(first)
    pilot = compare(
        [Variant("a", base, 1), Variant("b", other, 1)], Question(games=100_000, observed=20)
    )
    (wins,) = (f for f in pilot.versus[0].findings if f.contrast.measure.key == "wins.1")
    games = games_for(wins.contrast, ALPHA / pilot.asked)
    assert games is not None
    question = Question(games=games, observed=20)
    true = {"wins.1": first / 100 - 0.5}
    return tally(base, other, question, runs, true, seed=50_000, in_step=True)


# ---- in short


def test_a_game_is_seldom_told_apart_from_itself() -> None:
    found = same_game(Question(games=500, observed=20), 25)
    assert agrees(found.alarms, found.runs, 0.0, 0.06)
    for covered, seen in found.covered.values():
        assert agrees(covered, seen, 0.93, 0.97)


def test_nor_if_play_goes_on_until_a_precision_is_reached() -> None:
    found = same_game(Question(precision=0.06, observed=20), 25)
    assert agrees(found.alarms, found.runs, 0.0, 0.06)
    for covered, seen in found.covered.values():
        assert agrees(covered, seen, 0.93, 0.97)


def test_a_planted_effect_is_found_as_often_as_promised() -> None:
    found = planted(55, 30)
    assert agrees(found.found, found.runs, 0.76, 0.84)
    for covered, seen in found.covered.values():
        assert agrees(covered, seen, 0.93, 0.97)


# ---- in full


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("fixed", Question(games=1000, observed=60)),
        ("until", Question(precision=0.04, observed=60)),
    ],
)
def test_false_alarms_in_full(name: str, question: Question) -> None:
    found = same_game(question, 2000)
    told(f"A against A, {name}", found)
    assert found.alarms <= 0.06 * found.runs
    for covered, seen in found.covered.values():
        assert 0.93 * seen <= covered <= 0.97 * seen


@pytest.mark.soak
@pytest.mark.parametrize("first", [52, 55])
def test_planted_effects_in_full(first: int) -> None:
    found = planted(first, 1000)
    told(f"{first}% against 50%", found)
    assert 0.76 * found.runs <= found.found <= 0.84 * found.runs
    for covered, seen in found.covered.values():
        assert 0.93 * seen <= covered <= 0.97 * seen


@pytest.mark.soak
def test_planted_effects_in_step_in_full() -> None:
    found = planted_in_step(52, 1000)
    told("52% against 50%, in step", found)
    assert 0.76 * found.runs <= found.found <= 0.84 * found.runs
    for covered, seen in found.covered.values():
        assert 0.93 * seen <= covered <= 0.97 * seen
