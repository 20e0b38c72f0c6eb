"""Which rules a change has put to sleep, and which it has woken."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ludeme.lab.compare import Comparison, Versus
from ludeme.lab.coverage import Change, Coverage, asleep, cover
from ludeme.lab.play import RANDOM

LEAST_EXPECTED = 5
MOST_GAMES = 1000
"""Rules are counted in so many of the games at most."""


def with_rules(comparison: Comparison, jobs: int = 1, engine: str = "auto") -> Comparison:
    """The same with the rules that came to pass on one side alone; random players only."""
    question = comparison.question
    if not comparison.versus or any(seat != RANDOM for seat in question.seats):
        return comparison
    covered = [
        cover(
            variant.game,
            min(MOST_GAMES, comparison.games),
            question.seed if variant.seed is None else variant.seed,
            jobs=jobs,
            turn_limit=question.turn_limit,
            engine=engine,
        )
        for variant in comparison.variants
    ]
    told = tuple(_told(versus, covered) for versus in comparison.versus)
    return attrs.evolve(comparison, versus=told)


def _told(versus: Versus, covered: list[Coverage]) -> Versus:
    base, other = covered[versus.base], covered[versus.other]
    slept = list(_sentences(asleep(base, other), "never comes to pass any more"))
    woken = (
        f"{_named(change)} never came to pass before, and does now."
        for change in _outermost(asleep(other, base))
    )
    return attrs.evolve(versus, rules=(*slept, *woken))


def _sentences(changes: tuple[Change, ...], what: str) -> Iterator[str]:
    for change in _outermost(changes):
        rule = change.variant
        if rule.bound is None:
            yield f"{_named(change)} has no chance to come to pass any more."
        else:
            yield f"{_named(change)} {what}: in less than {rule.bound:.2%} of its chances."


def _outermost(changes: tuple[Change, ...]) -> Iterator[Change]:
    """Without effects, and without what was too rare to be missed.

    A rule is missed if it would have come to pass five times or more, had it been as frequent as on
    the other side; by chance alone it would stay away once in 150 times.
    """
    for change in changes:
        rule, other = change.base, change.variant
        expected = rule.passed * min(1.0, other.chances / rule.chances if other.chances else 1.0)
        if rule.kind not in ("effect", "choice") and expected >= LEAST_EXPECTED:
            yield change


def _named(change: Change) -> str:
    rule = change.base
    return f"`{rule.text}` in {rule.within}"


__all__ = ["MOST_GAMES", "with_rules"]
