"""What a comparison found, in sentences a designer can act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from ludeme.lab.compare import Comparison, Finding, Verdict, Versus
from ludeme.lab.figures import Sample, gates
from ludeme.lab.measures import Measure, Unit
from ludeme.lab.play import RANDOM
from ludeme.lab.statistics import IN_STEP

RISES_AND_FALLS: Mapping[str, tuple[str, str]] = {
    "completion": ("More games are won by somebody", "Fewer games are won by somebody"),
    "unfinished": ("More games are cut off", "Fewer games are cut off"),
    "faulty": ("The description fails more often", "The description fails less often"),
    "draws": ("More games are drawn", "Fewer games are drawn"),
    "wins": ("{} wins more often", "{} wins less often"),
    "end": ("More games end by {}", "Fewer games end by {}"),
    "length": ("Games are longer", "Games are shorter"),
    "longer": (
        "Of two games, one of each, the variant's tends to be the longer one",
        "Of two games, one of each, the variant's tends to be the shorter one",
    ),
    "branching": ("There are more moves to choose from", "There are fewer moves to choose from"),
    "trend": (
        "The choice grows more, or shrinks less, in the course of a game",
        "The choice grows less, or shrinks more, in the course of a game",
    ),
    "real": ("More moves are a real choice", "Fewer moves are a real choice"),
    "decision_factor": (
        "Where there is a choice, it is among more moves",
        "Where there is a choice, it is among fewer moves",
    ),
    "kind": ("Moves of kind {} are more frequent", "Moves of kind {} are less frequent"),
    "coverage": ("More of the board is used", "Less of the board is used"),
    "occupied": ("The board is fuller", "The board is emptier"),
    "repetition": ("More pictures come again", "Fewer pictures come again"),
    "margin": (
        "The best ends further ahead of the second",
        "The best ends less far ahead of the second",
    ),
    "lead_changes": ("The lead changes more often", "The lead changes less often"),
    "drama": ("Winners were further behind on the way", "Winners were less far behind on the way"),
    "decisiveness": ("Winners are out of reach later", "Winners are out of reach sooner"),
}
"""What to say of a variant whose figure is greater, and of one whose figure is smaller."""

_UNITS: Mapping[Unit, str] = {
    "decisions": "decisions",
    "moves": "moves",
    "points": "points",
    "states": "states",
    "value": "of a win",
    "changes": "changes",
    "share": "",
}


# ---- numbers


def number(value: float, unit: Unit) -> str:
    """A figure: shares in per cent, never rounded to all or nothing."""
    if unit == "share":
        return percent(value)
    return plain(value)


def pair(one: float, other: float, unit: Unit) -> tuple[str, str]:
    """Two figures, with as many places more as tell them apart, three at most."""
    shown = number(one, unit), number(other, unit)
    places = 2
    while shown[0] == shown[1] and one != other and places < 5:
        scale, tail = (100, "%") if unit == "share" else (1, "")
        shown = (f"{scale * one:,.{places}f}{tail}", f"{scale * other:,.{places}f}{tail}")
        places += 1
    return shown


def percent(share: float) -> str:
    """A share, ``52.5%``."""
    text = f"{100 * share:.1f}%"
    if text == "0.0%" and share > 0:
        return "<0.1%"
    if text == "100.0%" and share < 1:
        return ">99.9%"
    return text


def plain(value: float) -> str:
    """A number with as many places as tell something."""
    if value == 0:
        return "0"
    size = abs(value)
    places = 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 0.1 else 3
    return f"{value:,.{places}f}".replace("-", "−")


def signed(value: float, unit: Unit) -> str:
    """A difference: of shares in points, with its sign."""
    if unit == "share":
        text = f"{100 * value:+.1f}"
        text = f"{100 * value:+.2f}" if text in ("+0.0", "-0.0") and value else text
    else:
        text = ("+" if value >= 0 else "") + plain(value)
    return text.replace("-", "−")


def with_range(sample: Sample | None) -> str:
    """A figure and how far it may be off."""
    if sample is None:
        return "-"
    unit = sample.measure.unit
    interval = sample.interval()
    shown = number(sample.value, unit)
    if interval is None:
        return shown
    half = (interval[1] - interval[0]) / 2
    return f"{shown} ±{signed(half, unit).lstrip('+')}"


def chance(p: float) -> str:
    """A p-value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def games(count: int) -> str:
    """A number of games, rounded up to two digits."""
    digits = max(0, len(str(count)) - 2)
    rounded = -(-count // 10**digits) * 10**digits
    return f"{rounded:,}"


MOSTLY_IN_STEP, MOSTLY_ALIKE = 0.5, 0.9
"""From here on it is worth telling in how many games a change turned the result round."""
MOST_WORTH = 100_000_000
"""A difference that only more games would show is of no use to anybody."""

_STRENGTHS = ((0.2, "a very small effect"), (0.5, "a small effect"), (0.8, "a medium effect"))


def effect(finding: Finding) -> str:
    """How large the effect is, by Cohen's words for h and d."""
    found = finding.contrast
    if found.effect_name not in ("h", "d"):
        return ""
    strength = abs(found.effect)
    words = next((word for bound, word in _STRENGTHS if strength < bound), "a large effect")
    shown = f"{strength:.2f}" if strength < 100 else "over 100"
    return f"{words}, {found.effect_name} = {shown}"


# ---- sentences


def of_verdict(versus: Versus, verdict: Verdict) -> list[Finding]:
    """The findings of one sort."""
    return [finding for finding in versus.findings if finding.verdict == verdict]


def direction(finding: Finding) -> str:
    """Which way a variant differs, as a clause."""
    found = finding.contrast
    rises, falls = RISES_AND_FALLS[found.measure.key.partition(".")[0]]
    return (rises if found.difference > 0 else falls).format(found.measure.about)


def shown(finding: Finding) -> str:
    """A difference that is no chance."""
    strength = effect(finding)
    tail = f"; {strength}" if strength else ""
    return f"{direction(finding)}: {amounts(finding)}{tail} ({chance(finding.p)})."


def unsettled(finding: Finding) -> tuple[str, str, str, str]:
    """A measure that did not differ by more than chance can make, as a row.

    What it is, the difference, its range, and how many games would show it.
    """
    found = finding.contrast
    unit = found.measure.unit
    points = " points" if unit == "share" else f" {_UNITS[unit]}"
    return (
        title_of(found.measure),
        f"{signed(found.difference, unit)}{points}",
        f"{signed(found.low, unit)} to {signed(found.high, unit)}",
        needed(finding),
    )


def amounts(finding: Finding) -> str:
    """Now and before, and the range of the difference."""
    found = finding.contrast
    unit = found.measure.unit
    if found.measure.key == "longer":
        return (
            f"{percent(found.other)} of the time, equal lengths halved"
            f" (range {percent(0.5 + found.low)} to {percent(0.5 + found.high)})"
        )
    units = f" {_UNITS[unit]}" if _UNITS[unit] else ""
    points = " points" if unit == "share" else ""
    base, other = pair(found.base, found.other, unit)
    return (
        f"{other}{units} instead of {base},"
        f" {signed(found.difference, unit)}{points}"
        f" (range {signed(found.low, unit)} to {signed(found.high, unit)})"
    )


def needed(finding: Finding) -> str:
    """How many games would show a difference as large as the one seen."""
    if finding.needed is None:
        return "-"
    kept = "observed games" if finding.contrast.measure.detailed else "games"
    return (
        f"{games(finding.needed)} {kept}" if finding.needed <= MOST_WORTH else "too small to show"
    )


def summary(comparison: Comparison, versus: Versus) -> str:
    """The answer in one sentence or two."""
    if versus.same_meaning:
        return "Both descriptions mean the same, so every game is the same."
    shown_ones = [f for f in versus.findings if f.verdict == "shown"]
    asked = sum(len(one.findings) for one in comparison.versus)
    if not shown_ones:
        return (
            f"Nothing differs by more than chance can make, of {asked} measures"
            f" in {comparison.games:,} games each."
        )
    count = len(shown_ones)
    tail = f"{count} of {asked} measures differ" if count > 1 else f"1 of {asked} measures differs"
    strong = [finding for finding in sorted(shown_ones, key=_weight) if not _is_weak(finding)]
    if not strong:
        (first, *_) = sorted(shown_ones, key=_weight)
        told = direction(first)
        return f"{told}, but very little. {tail} by more than chance, none of them by much."
    told = "; ".join([direction(strong[0]), *map(_in_sentence, strong[1:3])])
    return f"{told}. {tail} by more than chance."


def _in_sentence(finding: Finding) -> str:
    """A direction in the middle of a sentence; a name keeps its capital."""
    clause, about = direction(finding), finding.contrast.measure.about
    return clause if about and clause.startswith(about) else clause[0].lower() + clause[1:]


_FIRST_THINGS = ("outcome", "ends", "length", "gates", "score", "choice", "board", "evaluated")


def _weight(finding: Finding) -> tuple[bool, int, float]:
    """What a summary names first: strong effects before weak ones, outcomes before all else."""
    found = finding.contrast
    doubles_length = found.measure.key == "longer"
    group = _FIRST_THINGS.index(found.measure.group)
    return doubles_length or _is_weak(finding), group, -abs(found.effect)


def _is_weak(finding: Finding) -> bool:
    """Whether an effect is very small, or says again how long games are."""
    found = finding.contrast
    return found.measure.key == "longer" or abs(found.effect) < _STRENGTHS[0][0]


def warnings(comparison: Comparison) -> list[str]:
    """What has to be known before any average is read: gates, and who played."""
    found = []
    for variant, samples in zip(comparison.variants, comparison.samples, strict=True):
        found += [f"{variant.label}: {gate.words}." for gate in gates(samples)]
    question = comparison.question
    seats = question.seats or (RANDOM,)
    if all(seat == RANDOM for seat in seats):
        found.append(
            "Random players: they show whether, how long and how wide a game goes on. Who wins"
            " between people they do not tell; a skew is a warning, an even split proves nothing."
        )
    if question.evaluator:
        found.append(
            f"Leads, drama and decisiveness rest on the evaluator {question.evaluator}"
            f" (seed {question.seed}); another one can say otherwise."
        )
    if comparison.unknown:
        listed = ", ".join(comparison.unknown)
        found.append(f"The precision was not reached for: {listed}.")
    return found


def heading(comparison: Comparison) -> Iterator[str]:
    """What was compared, and how."""
    question = comparison.question
    base, *others = (variant.label for variant in comparison.variants)
    yield f"{', '.join(others)} against {base}" if others else base
    players = ", ".join(question.seats) if question.seats else "random"
    yield (
        f"{comparison.games:,} games of each by {players} players, seed {question.seed};"
        f" {min(question.observed, comparison.games):,} of them observed move by move"
    )
    if question.precision is not None:
        looked = ", ".join(f"{look.games:,}" for look in comparison.taken)
        precision = f"{100 * question.precision:g}"
        yield f"Until shares are known to ±{precision} points; looked at after {looked} games"


def footing(comparison: Comparison) -> str:
    """How to read it."""
    if not comparison.asked:
        return "± bounds the true figure with 95%, each for itself."
    return (
        "Ranges hold the true difference with 95%. p is the chance of a difference as large if"
        f" there were none, corrected for all {comparison.asked} measures (Holm"
        + (", and for the looks" if comparison.question.precision is not None else "")
        + "); below 0.05 it counts as shown."
    )


def in_step(versus: Versus) -> str | None:
    """What to say where games took the same course."""
    if versus.same_meaning or not versus.paired:
        return None
    if versus.alike < IN_STEP:
        told = (
            "Games of one number go alike in both (their lengths correlate with r ="
            f" {versus.correlation:.2f}), so they are compared in pairs."
        )
    else:
        told = (
            f"{percent(versus.alike)} of the games took the same course in both, so they are"
            " compared in pairs."
        )
    close = versus.alike >= MOSTLY_IN_STEP or versus.correlation >= MOSTLY_ALIKE
    if close and versus.turned is not None:
        told += f" In {percent(versus.turned)} of all games another player won."
    return told


def capital(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def title_of(measure: Measure) -> str:
    """A measure in a table."""
    return capital(measure.title)


def columns(rows: Sequence[Sequence[str]], align: str) -> Iterator[str]:
    """Rows of a table as lines, each column as wide as it must be."""
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{text:{a}{w}}" for text, a, w in zip(row, align, widths, strict=True)]
        yield "  " + "  ".join(cells).rstrip()


def finite(value: float) -> float | None:
    """A number that JSON can hold; None for what is beyond."""
    return value if isfinite(value) else None
