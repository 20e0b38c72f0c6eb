"""The outcomes of a turn that chance takes: drawn, and weighed.

The draw is part of what a description means, so that every back end draws the same outcome: each
roll in turn takes the value whose number, from naught in the order of its values, is drawn below
their count, those that `where` refuses left out. If a requirement fails, or nothing can be
rolled, all begins anew, at most 64 times; then the outcomes are listed and one is drawn by weight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm

from ludeme.check import program
from ludeme.machine.effects import Effects
from ludeme.machine.layout import Cells
from ludeme.machine.random import Stream
from ludeme.machine.runs import Go, Runs

Values = Callable[[Cells], list[int]]


class _Rolling(Runs):
    """Runs whose rolls can be told apart from their conditions."""

    def rolled(self, line: program.Choose) -> Values:
        """The values that a roll may take in a state, each equally likely."""
        domain, values = self.expressions.compile(line.domain), self.values(line)
        if line.condition is None:
            return lambda c: list(values(c, domain(c)))
        condition, member = self.expressions.compile(line.condition), line.member
        slot = self.expressions.slot(member)

        def fitting(c: Cells) -> list[int]:
            found = []
            for value in values(c, domain(c)):
                c[slot] = value
                if condition(c):
                    found.append(value)
            return found

        return fitting


class Rolled(_Rolling):
    """One outcome, drawn."""

    stream: Stream

    def choose(self, line: program.Choose, go: Go) -> Go:
        """Go on with one value."""
        values, slot = self.rolled(line), self.expressions.slot(line.local)

        def roll(c: Cells) -> bool:
            found = values(c)
            if not found:
                return False
            c[slot] = found[self.stream.below(len(found))]
            return go(c)

        return roll


class Weighed(_Rolling):
    """All outcomes; at the end of each, *weight* is the chance of having come there."""

    def __init__(self, effects: Effects) -> None:
        super().__init__(effects)
        self.weight = Fraction(1)

    def choose(self, line: program.Choose, go: Go) -> Go:
        """Go on with each value, as likely as the others."""
        values, slot = self.rolled(line), self.expressions.slot(line.local)
        spend, steps = self.spend, self.trying

        def roll(c: Cells) -> bool:
            found = values(c)
            before = self.weight
            for value in found:
                spend(steps)
                self.weight = before / len(found)
                copy = c[:]
                copy[slot] = value
                go(copy)
            self.weight = before
            return False

        return roll


def drawn_by_weight(weights: dict[str, Fraction], stream: Stream) -> str:
    """One of the texts, as likely as it weighs."""
    whole = lcm(*(weight.denominator for weight in weights.values()))
    rank = stream.below(int(sum(weights.values()) * whole))
    for text, weight in weights.items():
        share = int(weight * whole)
        if rank < share:
            return text
        rank -= share
    raise AssertionError(weights)
