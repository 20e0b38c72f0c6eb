"""The text of a description with what was counted beside each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from ludeme.diagnostics import Source
from ludeme.lab.rules import Rule

Mark = Literal["never", "unreached", "idle", ""]


@attrs.frozen
class Line:
    """A line of a description and the rules that begin on it; *number* counts from 1."""

    source: Source
    number: int
    text: str
    rules: tuple[Rule, ...]

    @property
    def passed(self) -> int | None:
        """How often the first rule of the line came to pass."""
        return self.rules[0].passed if self.rules else None

    @property
    def share(self) -> float | None:
        """The share of its chances in which it held, for what is asked or is one of several."""
        telling = [rule for rule in self.rules if rule.chances and _is_open(rule)]
        return telling[0].passed / telling[0].chances if telling else None

    @property
    def mark(self) -> Mark:
        """What stands out: a rule that never came to pass, had no chance, or always held."""
        if any(rule.chances and not rule.passed for rule in self.rules):
            return "never"
        if any(not rule.passed for rule in self.rules):
            return "unreached"
        asked = [rule for rule in self.rules if rule.kind in ("requirement", "branch")]
        idle = any(rule.either and not rule.failed for rule in asked)
        return "idle" if idle else ""


def _is_open(rule: Rule) -> bool:
    """Whether it may or may not come to pass where it stands."""
    return rule.either or rule.kind in ("branch", "turn")


def annotate(rules: Sequence[Rule]) -> Iterator[tuple[Source, list[Line]]]:
    """Each text in which rules stand, line by line, down to the last rule in it."""
    sources = list(dict.fromkeys(rule.span.source for rule in rules))
    for source in sources:
        beginning: dict[int, list[Rule]] = {}
        for rule in rules:
            if rule.span.source is source:
                beginning.setdefault(rule.span.line, []).append(rule)
        yield (
            source,
            [
                Line(source, number, source.line_text(number), tuple(beginning.get(number, ())))
                for number in range(1, max(beginning) + 1)
            ],
        )


def share_text(share: float) -> str:
    """A share as it is read: two digits that count, and never 0% or 100% where it is not."""
    percent = 100 * share
    if share in (0.0, 1.0):
        return f"{percent:.0f}%"
    if percent < 1:
        return f"{percent:.2g}%" if percent >= 0.0001 else "<0.0001%"
    return f"{min(percent, 99.9):.1f}%" if percent > 99 else f"{percent:.0f}%"
