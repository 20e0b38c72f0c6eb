"""Turns whose prints meet, from the strategies, in lock step on both engines."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from strategies import Program, programs

from ludeme.game import load_text

from .lockstep import Pair


def compare(program: Program) -> None:
    """Two games of a few decisions."""
    Pair(load_text(program.text)).run(5, 2, 4)


@given(programs())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_turns_that_may_print_alike_are_the_same(program: Program) -> None:
    """Runs that print alike are one move, or a fault, on both engines."""
    compare(program)


@given(programs(depth=1, richness=2, most=False))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_turns_that_print_apart_are_the_same(program: Program) -> None:
    """What is drawn without listing is the same move on both engines."""
    compare(program)
