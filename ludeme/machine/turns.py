"""One turn of a program: its moves listed, counted, found by their text, and drawn.

The draw is part of what a description means, so that every back end draws the same move:

1. If it can be shown that no two runs of the turn print alike (`ludeme.machine.forms`), every path
   through its branches that lies below no `otherwise` is followed as far as its last choice, whose
   domain is weighed there: the number of values that the choice has. A path without a choice weighs
   one. Where the last choice has by its form at most so many values (a slide, or a step in a few
   directions), the path is followed to the choice before it only and weighs the product of the
   number of its values and that bound: of two choices always, up to a bound of eight; of three and
   more up to a bound of 64, if the last but one has at least half as many values. If more than
   4,096 places are weighed, go to 3.
2. A number below the sum of the weights names place and value; the rest of the run is carried out.
   If a requirement fails, or the last choice has no value of that number, draw again, at most 64
   times. Every run has the same chance.
3. If nothing could be weighed, all weights are naught, or 64 draws failed: all moves are listed in
   order, and a number below their count names one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

import attrs

from ludeme.check import program
from ludeme.check.limits import MOST_RUNS
from ludeme.check.walking import walk
from ludeme.diagnostics import fault
from ludeme.kernel.types import Type
from ludeme.machine.bits import combinations_between, members, nth, unrank
from ludeme.machine.effects import Act, Effects
from ludeme.machine.forms import Form, told_apart, without_otherwise
from ludeme.machine.layout import Cells, Layout, clear_scratch
from ludeme.machine.meter import TRY
from ludeme.machine.notation import label
from ludeme.machine.random import Stream
from ludeme.machine.rolls import Rolled, Weighed, drawn_by_weight
from ludeme.machine.runs import Go, Path, Runs

MOST_PLACES = 4096
MOST_ATTEMPTS = 64
MOST_KEPT = 30_000_000
"""Words of all the states that are kept beside moves which may print alike."""
DEEPEST = 20_000
"""Calls within one another that the runs of a turn may take: some for each step of a chain."""


@attrs.frozen
class Drawn:
    """A move drawn: the state at its end, and what the draw tells of the number of legal moves.

    *width* is an unbiased estimate: the sum of the weights if the first draw succeeded and 0 if it
    did not; the exact number if the moves were listed because nothing was weighed, or because no
    draw could succeed, all moves being below an `otherwise`.
    """

    cells: Cells
    width: int


class _Silent(Runs):
    """Runs that print nothing, for counting."""

    def look_ahead(self, line: program.Choose, size: int, low: int, high: int) -> None:
        """Nothing: the first run may be enough."""

    def plain(self, line: program.Statement) -> Act:
        return (lambda c: None) if isinstance(line, program.Say) else super().plain(line)


class Guided(Runs):
    """Runs that choose only what occurs in the wanted text."""

    wanted = ""

    def values(self, line: program.Choose) -> Callable[[Cells, int], Iterable[int]]:
        every = super().values(line)
        element = line.member.type

        def guided(c: Cells, domain: int) -> Iterator[int]:
            kept = 0
            for member in members(domain):
                if self.occurs(element, member):
                    kept |= 1 << member
            yield from every(c, kept)

        return guided

    def occurs(self, type_: Type, member: int) -> bool:
        """Whether a value is named in the text."""
        return label(self.effects.program, type_, member) in self.wanted


@attrs.define(eq=False)
class _PathDraw:
    """A path of the draw; *closer*: the same to its last choice, if few values come before it."""

    runs: Runs
    go: Go
    line: program.Choose | None
    bounds: Callable[[Cells], tuple[int, int]] | None
    slot: int
    first_slot: int | None
    bound: int
    closer: _PathDraw | None


_Place = tuple[int, _PathDraw, Cells, int]
"""A weight, the path and the state at its weighed choice, and the domain of the choice."""


class TurnMoves:
    """The moves of one turn in any state."""

    def __init__(self, turn: program.Turn, effects: Effects) -> None:
        self.turn = turn
        self.effects = effects
        self.layout: Layout = effects.layout

    @cached_property
    def forms(self) -> tuple[Form, ...] | None:
        """The paths for the draw, if no two runs print alike."""
        return told_apart(self.effects.program, self.turn)

    def new_runs(self, path: Path | None = None, drawn: bool = False) -> Runs:
        """What compiles the turn; *drawn*: for drawing a move rather than looking at one."""
        return Runs(self.effects, path)

    @cached_property
    def _runs(self) -> tuple[Runs, Go]:
        runs = self.new_runs()
        return runs, runs.compile(self.turn.body)

    @property
    def drawn_from(self) -> tuple[Runs, Go]:
        """What makes the list from which a move is drawn."""
        return self._runs

    def left_out(self, compiled: tuple[Runs, Go], runs: int) -> None:
        """So many runs were left out of a list since others have greater numbers."""

    @cached_property
    def _silent(self) -> tuple[Runs, Go]:
        runs = _Silent(self.effects)
        return runs, runs.compile(self.turn.body)

    def new_guided(self) -> Guided:
        """What compiles the turn to find a move by its text."""
        return Guided(self.effects)

    @cached_property
    def _guided(self) -> tuple[Guided, Go]:
        runs = self.new_guided()
        return runs, runs.compile(self.turn.body)

    @cached_property
    def _has_most(self) -> bool:
        return any(isinstance(line, program.RequireMost) for line in walk(self.turn.body))

    def begin(self, cells: Cells, player: int) -> Cells:
        """A copy of a state in which *player* begins this turn."""
        begun = cells[:]
        clear_scratch(self.layout, begun)
        begun[self.layout.mover] = player
        return begun

    def text(self, cells: Cells) -> str:
        """What the run that ended in *cells* prints."""
        return self.turn.joiner.join(cells[self.layout.text])

    # ---- listing

    def moves(self, cells: Cells, player: int) -> list[str]:
        """The legal moves in order."""
        return list(self._ends(cells, player, self._runs))

    def _ends(
        self, cells: Cells, player: int, compiled: tuple[Runs, Go]
    ) -> dict[str, Cells | None]:
        """The legal moves, each with the state at its end where doubles must be looked at."""
        found: dict[str, Cells | None] = {}
        apart = self.forms is not None
        best: tuple[int, ...] | None = None
        most = self.layout.most
        begun = self.begin(cells, player)
        wide = [slot for slot, value in enumerate(begun) if isinstance(value, tuple)]
        room = MOST_KEPT
        ended = kept = 0

        def collect(c: Cells) -> bool:
            nonlocal best, room, ended, kept
            self.effects.spend(TRY if apart else TRY + 2 * len(c))
            if self._has_most:
                keys = c[most]
                ended += 1
                if best is not None and keys < best:
                    return False
                if best is None or keys > best:
                    best = keys
                    found.clear()
                    room = MOST_KEPT
                    kept = 0
                kept += 1
            text = self.text(c)
            known = len(found)
            if apart:
                found[text] = None
            else:
                self._note(found, text, c)
            if len(found) > known:
                room -= len(text) // 8
                if not apart:
                    changed = (slot for slot in wide if c[slot] is not begun[slot])
                    room -= len(c) + sum(len(c[slot]) for slot in changed)
            if room < 0 or len(found) > MOST_RUNS:
                raise self._too_many(len(found))
            return False

        self._run(compiled, begun[:], collect)
        self.left_out(compiled, ended - kept)
        return found

    def ends(self, cells: Cells, player: int, most: int) -> dict[str, Cells] | None:
        """The legal moves in order, each with the state at its end; None if there are more.

        Stops at the first that is one too many, except where only the greatest are legal.
        """
        legal = set(self._ends(cells, player, self._runs)) if self._has_most else None
        found: dict[str, Cells] = {}

        def collect(c: Cells) -> bool:
            text = self.text(c)
            if legal is None or text in legal:
                found.setdefault(text, c)
            return len(found) > most

        self._run(self._runs, self.begin(cells, player), collect)
        return found if len(found) <= most else None

    def _too_many(self, count: int) -> Exception:
        return fault(
            "too-many-moves",
            self.turn.span,
            f"there are more than {count:,} ways to take turn `{self.turn.name}` here",
            help="offer fewer choices at a time",
        )

    def _note(self, found: dict[str, Cells | None], text: str, c: Cells) -> None:
        before = found.get(text)
        if before is None:
            found[text] = c
        elif not self._alike(before, c):
            raise fault(
                "alike",
                self.turn.span,
                f"two moves print {f'`{text}`' if text else 'nothing'} and end differently",
                help='print what tells them apart, with `as "..."`',
            )

    def _alike(self, a: Cells, b: Cells) -> bool:
        layout = self.layout
        size = layout.size
        return a[:size] == b[:size] and all(
            a[slot] == b[slot] for slot in (layout.again, layout.passing)
        )

    def _run(self, compiled: tuple[Runs, Go], cells: Cells, sink: Go) -> bool:
        runs, go = compiled
        before, runs.sink = runs.sink, sink
        outer = self.effects.expressions.meter.begin(self.turn.span)
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(max(depth, DEEPEST))
        try:
            return go(cells)
        except RecursionError:
            raise fault(
                "too-deep", self.turn.span, "the chains of this turn are too long to follow"
            ) from None
        finally:
            sys.setrecursionlimit(depth)
            self.effects.expressions.meter.end(outer)
            runs.sink = before

    def any(self, cells: Cells, player: int) -> bool:
        """Whether there is a legal move; stops at the first."""
        return self._run(self._silent, self.begin(cells, player), lambda c: True)

    def count(self, cells: Cells, player: int) -> int:
        """How many legal moves there are."""
        if self.forms is None:
            return len(self._ends(cells, player, self._runs))
        count = 0

        def tick(c: Cells) -> bool:
            nonlocal count
            count += 1
            return False

        self._run(self._silent, self.begin(cells, player), tick)
        return count

    # ---- one move

    def find(self, cells: Cells, player: int, text: str) -> Cells | None:
        """The state at the end of the move that prints *text*, or None if it is not legal."""
        if self.forms is None:
            return self._ends(cells, player, self._runs).get(text)
        result: Cells | None = None

        def match(c: Cells) -> bool:
            nonlocal result
            if self.text(c) != text:
                return False
            result = c
            return True

        self._guided[0].wanted = text
        self._run(self._guided, self.begin(cells, player), match)
        if result is None and self._below_otherwise:
            # Choosing only what the text names may leave out the run that shuts an `otherwise`.
            return self._find_unguided(cells, player, text)
        return result if result is None or self._is_open(cells, player, text, result) else None

    @cached_property
    def _below_otherwise(self) -> bool:
        return any(
            isinstance(line, program.OneOf) and any(b.otherwise for b in line.bullets)
            for line in walk(self.turn.body)
        )

    def _is_open(self, cells: Cells, player: int, text: str, result: Cells) -> bool:
        if not self._below_otherwise:
            return True
        return self._find_unguided(cells, player, text) is not None

    def _find_unguided(self, cells: Cells, player: int, text: str) -> Cells | None:
        result: Cells | None = None

        def match(c: Cells) -> bool:
            nonlocal result
            if self.text(c) != text:
                return False
            result = c
            return True

        self._run(self._runs, self.begin(cells, player), match)
        return result

    # ---- the draw

    @cached_property
    def _paths(self) -> list[_PathDraw]:
        return [self._path(form.path) for form in self.forms or ()]

    def _path(self, path: Path) -> _PathDraw:
        runs = self.new_runs(path, drawn=True)
        go = runs.compile(self.turn.body)
        line = next(
            (
                line
                for line in walk(self.turn.body)
                if isinstance(line, program.Choose) and line.number == path.last
            ),
            None,
        )
        bounds = runs.bounds(line) if line is not None and line.many else None
        slot = runs.expressions.slot(line.local) if line is not None else 0
        first = next(
            (
                line
                for line in walk(self.turn.body)
                if isinstance(line, program.Choose) and line.number == path.first
            ),
            None,
        )
        first_slot = runs.expressions.slot(first.local) if first is not None else None
        closer = self._path(path.to_last) if path.bound and not path.always else None
        return _PathDraw(runs, go, line, bounds, slot, first_slot, path.bound, closer)

    def draw(self, cells: Cells, player: int, stream: Stream) -> Drawn | None:
        """A legal move, each with the same chance; None if there is none.

        Where chance takes the turn: an outcome, as likely as it is.
        """
        if self.turn.chance:
            return self._roll(cells, player, stream)
        begun = self.begin(cells, player)
        places = self._places(begun) if self.forms is not None else []
        if places:
            drawn = self._draw_weighed(places, stream)
            if drawn is not None:
                return drawn
        found = self._ends(cells, player, self.drawn_from)
        if not found:
            return None
        texts = list(found)
        text = texts[stream.below(len(texts))]
        # The state is kept beside moves that may print alike.
        end = found[text] or self.find(cells, player, text)
        assert end is not None, text
        # Where an attempt could have succeeded, its width alone makes the mean right.
        could_succeed = bool(places) and self._any_above_otherwise(begun)
        return Drawn(end, 0 if could_succeed else len(texts))

    # ---- chance

    def new_rolled(self) -> Rolled:
        """What compiles the turn to roll one outcome."""
        return Rolled(self.effects)

    @cached_property
    def _rolled(self) -> tuple[Rolled, Go]:
        runs = self.new_rolled()
        return runs, runs.compile(self.turn.body)

    @cached_property
    def _weighed(self) -> tuple[Weighed, Go]:
        runs = Weighed(self.effects)
        return runs, runs.compile(self.turn.body)

    def _roll(self, cells: Cells, player: int, stream: Stream) -> Drawn | None:
        found: list[Cells] = []

        def keep(c: Cells) -> bool:
            found.append(c)
            return True

        self._rolled[0].stream = stream
        for _ in range(MOST_ATTEMPTS):
            if self._run(self._rolled, self.begin(cells, player), keep):
                return Drawn(found[0], 1)
        weights = self.weights(cells, player)
        if not weights:
            return None
        end = self.find(cells, player, drawn_by_weight(weights, stream))
        assert end is not None
        return Drawn(end, 1)

    def weights(self, cells: Cells, player: int) -> dict[str, Fraction]:
        """How likely each outcome of chance is, in the order of `moves`."""
        weights: dict[str, Fraction] = dict.fromkeys(self.moves(cells, player), Fraction(0))
        runs = self._weighed[0]

        def add(c: Cells) -> bool:
            weights[self.text(c)] += runs.weight
            return False

        self._run(self._weighed, self.begin(cells, player), add)
        whole = sum(weights.values())
        return {text: weight / whole for text, weight in weights.items()}

    def _any_above_otherwise(self, begun: Cells) -> bool:
        """Whether a run can be completed that goes below no `otherwise`."""
        if not self._below_otherwise:
            return True
        return self._run(self._above, begun[:], lambda c: True)

    @cached_property
    def _above(self) -> tuple[Runs, Go]:
        runs = Runs(self.effects)
        return runs, runs.compile(without_otherwise(self.turn.body))

    def _places(self, cells: Cells) -> list[_Place]:
        """What the paths weigh, place by place; nothing if there are too many places."""
        places: list[_Place] = []
        for path in self._paths:
            self._weigh(path, cells, places)
            if len(places) > MOST_PLACES:
                return []
        return places

    def _draw_weighed(self, places: Sequence[_Place], stream: Stream) -> Drawn | None:
        total = sum(weight for weight, *_ in places)
        for attempt in range(MOST_ATTEMPTS):
            rank = stream.below(total)
            for weight, path, begun, domain in places:
                if rank < weight:
                    end = self._finish(path, begun, domain, rank)
                    if end is not None:
                        return Drawn(end, total if attempt == 0 else 0)
                    break
                rank -= weight
        return None

    def _weigh(self, path: _PathDraw, cells: Cells, places: list[_Place]) -> None:
        if path.line is None:
            places.append((1, path, cells, 0))
            return

        def at_last(c: Cells, domain: int) -> bool:
            if path.bounds is None:
                weight = domain.bit_count()
            else:
                weight = combinations_between(domain.bit_count(), *path.bounds(c))
            if weight:
                places.append((weight, path, c, domain))
            return len(places) > MOST_PLACES

        def at_first(c: Cells, domain: int) -> bool:
            weight = domain.bit_count() * path.bound
            if weight:
                places.append((weight, path, c, domain))
            return len(places) > MOST_PLACES

        begun = len(places)
        path.runs.at_last = at_last
        path.runs.at_first = at_first
        self._run((path.runs, path.go), cells[:], lambda c: False)
        if path.closer is not None:
            if 2 * sum(weight for weight, *_ in places[begun:]) < path.bound**2:
                del places[begun:]
                self._weigh(path.closer, cells, places)

    def _finish(self, path: _PathDraw, begun: Cells, domain: int, rank: int) -> Cells | None:
        result: Cells | None = None

        def keep(c: Cells) -> bool:
            nonlocal result
            result = c
            return True

        cells = begun[:]
        if path.line is None:
            self._run((path.runs, path.go), cells, keep)
            return result
        if path.first_slot is not None:
            self._finish_bounded(path, cells, domain, rank, keep)
            return result
        if path.bounds is None:
            cells[path.slot] = nth(domain, rank)
        else:
            cells[path.slot] = unrank(list(members(domain)), *path.bounds(begun), rank)
        self._run((path.runs, path.runs.after_last), cells, keep)
        return result

    def _finish_bounded(
        self, path: _PathDraw, cells: Cells, domain: int, rank: int, keep: Go
    ) -> bool:
        """Give the last two choices of a path their values, if the last has one of that number."""
        assert path.first_slot is not None
        second: list[tuple[Cells, int]] = []

        def at_last(c: Cells, values: int) -> bool:
            second.append((c, values))
            return True

        path.runs.at_last = at_last
        member, number = divmod(rank, path.bound)
        cells[path.first_slot] = nth(domain, member)
        self._run((path.runs, path.runs.after_first), cells, lambda c: False)
        for c, values in second:
            if number < values.bit_count():
                c[path.slot] = nth(values, number)
                return self._run((path.runs, path.runs.after_last), c, keep)
        return False
