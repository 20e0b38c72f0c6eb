"""Which rules come to pass in random games, and how often.

Every count is of what `ludeme.machine.tally` names, the same on both engines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.diagnostics import DescriptionFault
from ludeme.game import Game
from ludeme.lab.annotated import share_text
from ludeme.lab.rules import Rule, rules_of
from ludeme.machine import Cells
from ludeme.machine.counted import CountedMachine, Counts
from ludeme.play.games import Played, play_game
from ludeme.play.playout import ENGINES, TURN_LIMIT, WORTH_COMPILING
from ludeme.play.results import STATUSES
from ludeme.play.workers import share_out

if TYPE_CHECKING:
    from ludeme.native.engine import Native, Told

Progress = Callable[[int], object]
Statuses = tuple[int, int, int]
"""How many games finished, were unfinished, and went wrong."""


@attrs.frozen(eq=False)
class Coverage:
    """How often each rule of *game* came to pass in random games *first* to *first* + *games* - 1.

    *statuses*: how many of them finished, were cut by *turn_limit*, and went wrong; *fault*: that
    of the first which did, *fault_number*. *rules* come in the order of the program: turns, play,
    ends.
    """

    game: Game
    games: int
    seed: int
    first: int
    turn_limit: int
    engine: str
    statuses: Statuses
    fault: DescriptionFault | None
    fault_number: int | None
    counts: tuple[int, ...]
    rules: tuple[Rule, ...]

    @property
    def never(self) -> tuple[Rule, ...]:
        """The rules that never came to pass though they had a chance, the likeliest first."""
        found = [rule for rule in self.rules if not rule.passed and rule.chances]
        return tuple(sorted(found, key=lambda rule: -rule.chances))

    @property
    def unreached(self) -> tuple[Rule, ...]:
        """The rules that had no chance, since another never came to pass."""
        return tuple(rule for rule in self.rules if not rule.passed and not rule.chances)

    @property
    def idle(self) -> tuple[Rule, ...]:
        """The requirements and conditions that held whenever asked, those asked most first."""
        asked = [r for r in self.rules if r.kind in ("requirement", "branch") and r.either]
        found = [rule for rule in asked if rule.chances and not rule.failed]
        return tuple(sorted(found, key=lambda rule: -rule.chances))

    @property
    def games_bound(self) -> float | None:
        """In below which share of games a rule comes to pass that never did; None without games."""
        return min(1.0, 3 / self.games) if self.games else None

    @property
    def heading(self) -> str:
        """What was played, in a line."""
        counted = zip(self.statuses, ("finished", "unfinished", "faulty"), strict=True)
        told = ", ".join(f"{number:,} {word}" for number, word in counted if number)
        games = "game" if self.games == 1 else "games"
        return f"{self.games:,} random {games}, seed {self.seed}: {told}"

    @property
    def in_games(self) -> str:
        """What the games say of a rule that never came to pass, in a sentence."""
        bound = share_text(self.games_bound or 1.0)
        return (
            f"What never came to pass in {self.games:,} games does so in less than {bound} of all"
            " random games; of its chances, in less than the share given (both with 95% confidence,"
            " the second as if chances did not hang together)."
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        finished, unfinished, faulty = self.statuses
        return {
            "game": self.game.record_name,
            "digest": self.game.digest,
            "options": dict(self.game.options),
            "seed": self.seed,
            "first": self.first,
            "turn_limit": self.turn_limit,
            "games": {
                "total": self.games,
                "finished": finished,
                "unfinished": unfinished,
                "faulty": faulty,
            },
            "games_bound": self.games_bound,
            "rules": [_as_dict(rule) for rule in self.rules],
        }


def _as_dict(rule: Rule) -> dict[str, Any]:
    return {
        "kind": rule.kind,
        "text": rule.text,
        "within": rule.within,
        "file": rule.span.source.name,
        "line": rule.span.line,
        "chances": rule.chances,
        "passed": rule.passed,
        "failed": rule.failed,
        "bound": rule.bound,
        "refusal_bound": rule.refusal_bound,
    }


def cover(
    game: Game,
    games: int,
    seed: int = 0,
    *,
    first: int = 0,
    jobs: int = 1,
    turn_limit: int = TURN_LIMIT,
    start: Cells | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
) -> Coverage:
    """Play random games, numbered as `playouts` does, and count how often each rule comes to pass.

    From *start*, or from the first state; then what happens on the way to the first decision counts
    once for each game, and the setup (`start`) not at all. Neither *jobs* nor *engine* changes a
    count. Raises ValueError for an unknown engine, or one that cannot play this.
    """
    if engine not in ENGINES:
        raise ValueError(f"no engine is called {engine!r}; there are {', '.join(ENGINES)}")
    plan = _Plan(game, start, seed, turn_limit)
    numbers = range(first, first + games)
    native = _native(plan, engine, games)
    parts = (
        _covered_natively(plan, native, numbers, jobs) if native else _covered(plan, numbers, jobs)
    )
    total = _Part.nothing(plan.machine)
    for part in parts:
        total = total.plus(part)
        if progress is not None:
            progress(sum(total.statuses))
    counts = total.counts + games * plan.prefix
    return Coverage(
        game,
        games,
        seed,
        first,
        turn_limit,
        "native" if native else "python",
        total.statuses,
        total.fault[1] if total.fault else None,
        total.fault[0] if total.fault else None,
        tuple(int(count) for count in counts),
        rules_of(plan.machine.plan, counts.tolist(), games),
    )


@attrs.frozen
class Change:
    """A rule of a base and the same rule of a variant, of which one alone ever came to pass."""

    base: Rule
    variant: Rule


def asleep(base: Coverage, variant: Coverage) -> tuple[Change, ...]:
    """The rules that come to pass in *base* and never in *variant*, though they stand in both.

    The other way round it tells which rules a change has woken. Rules are the same by kind, words,
    and the item that they stand in; with words that stand there twice, by their order.
    """
    others = dict(_named(variant.rules))
    found = []
    for name, rule in _named(base.rules):
        other = others.get(name)
        if other is not None and rule.passed and not other.passed:
            found.append(Change(rule, other))
    return tuple(found)


def _named(rules: Sequence[Rule]) -> Iterator[tuple[tuple[str, str, str, int], Rule]]:
    seen: dict[tuple[str, str, str], int] = {}
    for rule in rules:
        name = (rule.kind, rule.within, rule.text)
        seen[name] = seen.get(name, 0) + 1
        yield (*name, seen[name]), rule


# ---- games


@attrs.frozen(slots=False)
class _Plan:
    """All that the games depend on; it is sent to each process once."""

    game: Game
    start: Cells | None
    seed: int
    turn_limit: int

    @cached_property
    def machine(self) -> CountedMachine:
        """What plays and counts."""
        return CountedMachine(self.game.program)

    @cached_property
    def begun(self) -> tuple[Cells | None, Counts]:
        """The state to begin from and what was counted on the way; None if that goes wrong."""
        if self.start is not None:
            return self.start, self.machine.take()
        try:
            return self.machine.start(), self.machine.take()
        except DescriptionFault:
            return None, self.machine.take()

    @property
    def prefix(self) -> NDArray[np.int64]:
        """What every game counts before its first decision."""
        return np.array(self.begun[1], np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("game", "start", "seed", "turn_limit")}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)


@attrs.frozen(eq=False)
class _Part:
    """What was counted in some games, and what became of them."""

    counts: NDArray[np.int64]
    statuses: Statuses
    fault: tuple[int, DescriptionFault] | None = None

    @classmethod
    def nothing(cls, machine: CountedMachine) -> _Part:
        """Of no games."""
        return cls(np.zeros(machine.plan.size, np.int64), (0, 0, 0))

    def plus(self, other: _Part) -> _Part:
        """Of both; this one's games come first."""
        a, b = self.statuses, other.statuses
        statuses = (a[0] + b[0], a[1] + b[1], a[2] + b[2])
        return _Part(self.counts + other.counts, statuses, self.fault or other.fault)


def _covered(plan: _Plan, numbers: range, jobs: int) -> Iterator[_Part]:
    """Play in the interpreter; processes share the work."""
    jobs = min(jobs, len(numbers), os.cpu_count() or 1)
    size = max(1, min(64, len(numbers) // (16 * jobs))) if jobs > 1 else 1
    parts = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    if jobs <= 1:
        yield from (_play_part(plan, part) for part in parts)
        return
    yield from share_out(_play_part, plan, parts, jobs)


def _play_part(plan: _Plan, numbers: range) -> _Part:
    """Play games of these numbers in the interpreter."""
    total = _Part.nothing(plan.machine)
    start, _ = plan.begun
    plan.machine.take()
    for number in numbers:
        # With their moves told, a game that goes wrong is not played a second time.
        played = play_game(plan.machine, start, plan.seed, number, plan.turn_limit, told=True)
        counts = plan.machine.take()
        if start is None:
            counts = [0] * len(counts)  # it is all before the first decision
        fault = (number, played.fault) if played.fault is not None else None
        total = total.plus(_Part(np.array(counts, np.int64), _status(played), fault))
    return total


def _status(played: Played) -> Statuses:
    one = [int(played.status == status) for status in STATUSES]
    return one[0], one[1], one[2]


# ---- in machine code


def _native(plan: _Plan, engine: str, games: int) -> Native | None:
    """The compiled program with counts, if it is asked for or pays."""
    start, _ = plan.begun
    if engine == "python" or start is None:
        return None
    from ludeme.native.engine import Native
    from ludeme.native.refusal import NotNative

    if engine == "auto" and games < WORTH_COMPILING and not Native.is_kept(plan.machine):
        return None
    try:
        native = Native(plan.machine)
    except NotNative as refusal:
        if engine == "native":
            raise ValueError(f"the native engine cannot play this: {refusal}") from None
        return None
    return native if native.can_start(start) else None


def _covered_natively(plan: _Plan, native: Native, numbers: range, jobs: int) -> Iterator[_Part]:
    """Play in machine code on threads; a game that goes wrong is counted by the interpreter."""
    from ludeme.play.compiled import Run, batches_in_order

    start, _ = plan.begun
    assert start is not None
    begun: Cells = start

    def play(part: range) -> Told:
        return native.games(begun, plan.seed, part.start, len(part), plan.turn_limit)

    run = Run(plan.machine, begun, plan.seed, plan.turn_limit, play)
    for part, (told,) in batches_in_order(run, numbers, min(jobs, os.cpu_count() or 1)):
        batch = told.batch
        faulty = [part[int(index)] for index in np.flatnonzero(batch.status == 2)]
        sound = [int((batch.status == status).sum()) for status in (0, 1)]
        total = _Part(batch.counts, (sound[0], sound[1], 0))
        for number in faulty:
            total = total.plus(_play_part(plan, range(number, number + 1)))
        yield total
