"""Values that others have worked out, and scores that belong to the player and not to the seat."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest

from ludeme import State, load

Policy = Callable[[int, bool, bool], Fraction]
"""How likely a bet is, for a card from 1, whether the other has bet, and whether one has passed."""


def first(card: int, facing: bool, passed: bool) -> Fraction:
    """The first player's equilibrium that bluffs one time in four with the jack."""
    if passed:
        return {1: Fraction(0), 2: Fraction(7, 12), 3: Fraction(1)}[card]
    return {1: Fraction(1, 4), 2: Fraction(0), 3: Fraction(3, 4)}[card]


def second(card: int, facing: bool, passed: bool) -> Fraction:
    """The second player's equilibrium."""
    if facing:
        return {1: Fraction(0), 2: Fraction(1, 3), 3: Fraction(1)}[card]
    return {1: Fraction(1, 3), 2: Fraction(0), 3: Fraction(1)}[card]


def expected(state: State, policies: dict[str, Policy]) -> Fraction:
    """What Ann wins on average."""
    if state.outcome is not None:
        assert state.outcome.scores is not None
        return Fraction(state.outcome.scores["Ann"])
    if state.to_move == ("chance",):
        weights = {
            move.text: Fraction(state.probability(move)).limit_denominator(100)
            for move in state.moves()
        }
        assert sum(weights.values()) == 1
    else:
        (player,) = state.to_move
        deal, *acts = state.path.split("; ")
        card = int(deal.split(" ")[player == "Ben"])
        bet = policies[player](card, acts[-1:] == ["bet"], "pass" in acts)
        weights = {"bet": bet, "pass": 1 - bet}
    return sum(
        (
            weight * expected(state.play(text), policies)
            for text, weight in weights.items()
            if weight
        ),
        Fraction(0),
    )


def test_kuhn_poker_is_worth_an_eighteenth_to_the_second_player() -> None:
    """Kuhn 1950: the first player loses 1/18 of an ante between two who play best."""
    start = load("kuhn_poker").start()
    assert expected(start, {"Ann": first, "Ben": second}) == Fraction(-1, 18)


def always(card: int, facing: bool, passed: bool) -> Fraction:
    """Bet whatever comes."""
    return Fraction(1)


def never(card: int, facing: bool, passed: bool) -> Fraction:
    """Bet on nothing."""
    return Fraction(0)


@pytest.mark.parametrize("other", [always, never])
def test_kuhn_poker_neither_can_do_better(other: Policy) -> None:
    """Whoever leaves the equilibrium gains nothing by it."""
    start = load("kuhn_poker").start()
    assert expected(start, {"Ann": other, "Ben": second}) <= Fraction(-1, 18)
    assert expected(start, {"Ann": first, "Ben": other}) >= Fraction(-1, 18)


@pytest.mark.parametrize("tied", ["discarded", "carried_over"])
def test_scores_go_with_the_bids_and_not_with_the_seats(tied: str) -> None:
    """Players who change seats and bid as before have the scores that they had."""
    game = load("goofspiel", seats=3, suit=5, order="descending", tied=tied)
    rng = random.Random(3)
    for _ in range(8):
        hands = [rng.sample(range(1, 6), 5) for _ in game.players]
        found = set()
        for seats in permutations(range(3)):
            state = game.start()
            for number in range(5):
                state = state.play(" | ".join(str(hands[seat][number]) for seat in seats))
            assert state.outcome is not None
            assert state.outcome.scores is not None
            scores = [state.outcome.scores[player] for player in game.players]
            found.add(tuple(scores[seats.index(hand)] for hand in range(3)))
        assert len(found) == 1
