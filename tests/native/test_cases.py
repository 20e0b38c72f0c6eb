"""Descriptions by hand and at random, in lock step on both engines, faults included."""

from __future__ import annotations

from collections import Counter

import pytest

from ludeme.diagnostics import DescriptionError
from ludeme.game import load_text
from ludeme.native.refusal import NotNative

from .cases import CASES
from .lockstep import Pair, compare_text, fewer_steps
from .programs import BOARDS, description

STEPS = 1_000_000
"""At random, turns with very many runs are drawn too: here they are given up sooner."""
QUICK = 3
"""Random descriptions of each size of board in the normal suite."""


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_the_same_on_both_engines(name: str) -> None:
    """States, keys, numbers of moves, draws, outcomes and faults agree at every decision."""
    compare_case(name, 4)


@pytest.mark.soak
@pytest.mark.parametrize("name", CASES)
def test_a_case_is_the_same_in_more_games(name: str) -> None:
    """As above."""
    compare_case(name, 40)


def compare_case(name: str, games: int) -> None:
    """Play games of a case on both engines; machine code confirms some of them."""
    met = compare_text(CASES[name], seed=3, games=games, decisions=60)
    assert met["games"] or name == "numbers above 63 are left to the interpreter"


def compare_random(numbers: range, size: str, games: int) -> Counter[str]:
    """Compare games of random descriptions; what they came to in all."""
    met: Counter[str] = Counter()
    with fewer_steps(STEPS):
        for number in numbers:
            try:
                game = load_text(description(number, size))
            except DescriptionError:
                met["rejected"] += 1
                continue
            try:
                pair = Pair(game)
            except NotNative:
                met["refused"] += 1
                continue
            pair.run(number, games, 30)
            met += pair.met
            met["descriptions"] += 1
    return met


@pytest.mark.parametrize("size", BOARDS)
def test_random_descriptions_are_the_same_on_both_engines(size: str) -> None:
    """Whatever passes the checker plays, or goes wrong, in the same way."""
    met = compare_random(range(QUICK), size, 2)
    assert met["descriptions"] >= QUICK // 2
    assert met["decisions"] > 0


@pytest.mark.soak
@pytest.mark.parametrize("size", BOARDS)
@pytest.mark.parametrize("first", range(1000, 11_000, 1000))
def test_many_random_descriptions_are_the_same(size: str, first: int) -> None:
    """The same of many more; what they met is printed, and that most of it means something."""
    met = compare_random(range(first, first + 60), size, 4)
    print(size, first, dict(met.most_common()))
    assert met["descriptions"] >= 40
    # Machine code gives up sooner than the interpreter, but not often.
    assert met["unconfirmed"] * 10 <= met["games"]
