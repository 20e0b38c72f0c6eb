"""How often `compare` is wrong, and how often it finds what is there, over many comparisons.

Each run plays real games of a game that dice decide, every time with other seeds, and asks the tool
as a user would. Counts are binomial: of 2,000 runs at 5%, 74 to 127 with a chance of 99%.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import ludeme
from ludeme.lab.compare import Comparison, Question, Variant, compare


@attrs.frozen
class Tally:
    """What came of many comparisons of two games whose true difference is known.

    *alarms*: runs with any finding. *found*: runs in which the share of First was found to differ.
    *covered*: for each measure with a known difference, the runs whose interval held it. *games*:
    the games of each variant, run by run.
    """

    runs: int
    alarms: int
    found: int
    covered: dict[str, tuple[int, int]]
    games: tuple[int, ...]


def tally(
    base: ludeme.Game,
    other: ludeme.Game,
    question: Question,
    runs: int,
    true: dict[str, float],
    seed: int = 0,
    in_step: bool = False,
) -> Tally:
    """Compare many times; *true* holds the true difference of some measures, by key.

    *in_step*: the games of both have the same seeds.
    """
    alarms = found = 0
    covered = dict.fromkeys(true, 0)
    seen = dict.fromkeys(true, 0)
    games = []
    for comparison in comparisons(base, other, question, runs, seed, in_step):
        findings = {f.contrast.measure.key: f for f in comparison.versus[0].findings}
        shown = {key for key, finding in findings.items() if finding.verdict == "shown"}
        alarms += bool(shown)
        found += "wins.1" in shown
        for key, difference in true.items():
            if key in findings:
                contrast = findings[key].contrast
                seen[key] += 1
                covered[key] += contrast.low <= difference <= contrast.high
        games.append(comparison.games)
    return Tally(
        runs, alarms, found, {key: (covered[key], seen[key]) for key in true}, tuple(games)
    )


def comparisons(
    base: ludeme.Game, other: ludeme.Game, question: Question, runs: int, seed: int, in_step: bool
) -> Iterator[Comparison]:
    """The comparisons, each with seeds of its own."""
    for run in range(runs):
        seeds = 2 * (seed + run), 2 * (seed + run) + (0 if in_step else 1)
        variants = [Variant("base", base, seeds[0]), Variant("other", other, seeds[1])]
        yield compare(variants, question)
