"""The interpreter with its rules counted, see `ludeme.machine.tally`.

It plays as `Machine` does. A run notes the blocks that it enters in its state, as a chain of
numbers (*trail*); they are counted when the run has been drawn, or the effects are done.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ludeme.check import program
from ludeme.machine.effects import Act, Collect, Effects
from ludeme.machine.expressions import Expressions
from ludeme.machine.flow import Decide, Instruction, Play
from ludeme.machine.layout import Cells
from ludeme.machine.machine import Machine
from ludeme.machine.random import Stream
from ludeme.machine.rolls import Rolled, Values
from ludeme.machine.runs import Go, Path, Runs
from ludeme.machine.tally import LEFT, PASSED, SKIPPED, Tally, tally_of
from ludeme.machine.turns import Guided, TurnMoves

Counts = list[int]
"""How often each thing of a `Tally` came to pass."""


class CountedMachine(Machine):
    """A machine that counts; *counts* is where, and may be set back to naught at any time."""

    def __init__(self, description: program.Program) -> None:
        self.tally = tally = tally_of(description)
        self.counts: Counts = [0] * tally.size
        super().__init__(description)

    def new_effects(self) -> Effects:
        return _Effects(self.expressions, self.plan)

    def new_turn(self, turn: program.Turn) -> TurnMoves:
        return _TurnMoves(turn, self.effects, self.plan, self.counts)

    def new_play(self) -> Play:
        return _Play(self.effects, self)

    @property
    def plan(self) -> Tally:
        """What is counted."""
        assert self.tally is not None
        return self.tally

    def take(self) -> Counts:
        """What was counted since this was last asked."""
        taken = self.counts[:]
        self.counts[:] = [0] * len(taken)
        return taken

    def draw(self, cells: Cells, player: int, stream: Stream) -> tuple[Cells, int]:
        end, width = super().draw(cells, player, stream)
        self.count_trail(end)
        return end, width

    def count_trail(self, cells: Cells) -> None:
        """Count the blocks that were entered on the way to a state, and forget them."""
        trail = cells[self.layout.trail]
        while trail is not None:
            number, trail = trail
            self.counts[number] += 1
        cells[self.layout.trail] = None


class _Effects(Effects):
    """Lines without decisions that note which blocks they enter."""

    def __init__(self, expressions: Expressions, tally: Tally) -> None:
        super().__init__(expressions)
        self.tally = tally

    def branch(self, line: program.Statement, which: int, lines: program.Block) -> Act:
        act = super().branch(line, which, lines)
        number, trail = self.tally.block(line, which), self.layout.trail
        if number is None:
            return act

        def entered(c: Cells) -> None:
            c[trail] = (number, c[trail])
            act(c)

        return entered

    def collector(self, line: program.Statement, which: int, lines: program.Block) -> Collect:
        collect = super().collector(line, which, lines)
        note, trail = self.tally.block(line, which), self.layout.trail
        if note is None:
            return collect

        def entered(c: Cells, number: int, pending: Any, texts: list[str]) -> None:
            c[trail] = (note, c[trail])
            collect(c, number, pending, texts)

        return entered


class _Trailing(Runs):
    """Runs that note which blocks they enter."""

    def branch(
        self,
        line: program.Statement,
        which: int,
        lines: program.Block,
        go: Go,
        leave: Go | None,
    ) -> Go:
        follows = super().branch(line, which, lines, go, leave)
        assert isinstance(self.effects, _Effects)
        number, trail = self.effects.tally.block(line, which), self.layout.trail
        if number is None:
            return follows

        def entered(c: Cells) -> bool:
            c[trail] = (number, c[trail])
            return follows(c)

        return entered


class _Guided(_Trailing, Guided):
    """The same, to find a move by its text."""


class _Asking(_Trailing):
    """Runs that also count what their requirements say."""

    counts: Counts

    def asked(self, line: program.Statement) -> int:
        """The number of a requirement."""
        assert isinstance(self.effects, _Effects)
        return self.effects.tally.asked[id(line)]

    def counting(self, number: int, go: Go) -> Go:
        """Count that a requirement was met, then *go*: it was counted as one that is not."""
        counts = self.counts

        def met(c: Cells) -> bool:
            counts[number + 1] -= 1
            return go(c)

        return met

    def before(self, number: int, go: Go) -> Go:
        """Count that a requirement is asked, and for now that it refuses."""
        counts = self.counts

        def asking(c: Cells) -> bool:
            counts[number] += 1
            counts[number + 1] += 1
            return go(c)

        return asking

    def require(self, line: program.Require, go: Go) -> Go:
        number = self.asked(line)
        return self.before(number, super().require(line, self.counting(number, go)))

    def where(self, line: program.Choose, go: Go) -> Go:
        if line.condition is None:
            return go
        number = self.asked(line)
        return self.before(number, super().where(line, self.counting(number, go)))

    def require_most(self, line: program.RequireMost, go: Go) -> Go:
        number = self.asked(line)
        go = super().require_most(line, go)
        return self.before(number, self.counting(number, go))


class _Drawn(_Asking):
    """The same, to draw a move."""

    def __init__(self, effects: Effects, path: Path | None, counts: Counts) -> None:
        super().__init__(effects, path)
        self.counts = counts


class _Rolled(_Asking, Rolled):
    """The same, to roll an outcome; a condition is asked of every value."""

    def __init__(self, effects: Effects, counts: Counts) -> None:
        super().__init__(effects)
        self.counts = counts

    def rolled(self, line: program.Choose) -> Values:
        fitting = super().rolled(line)
        if line.condition is None:
            return fitting
        domain, values = self.expressions.compile(line.domain), self.values(line)
        number, counts = self.asked(line), self.counts

        def asking(c: Cells) -> list[int]:
            found, asked = fitting(c), len(list(values(c, domain(c))))
            counts[number] += asked
            counts[number + 1] += asked - len(found)
            return found

        return asking


class _TurnMoves(TurnMoves):
    """Moves of a turn, counted as they are drawn."""

    def __init__(self, turn: program.Turn, effects: Effects, tally: Tally, counts: Counts) -> None:
        super().__init__(turn, effects)
        self.tally = tally
        self.counts = counts

    def new_runs(self, path: Path | None = None, drawn: bool = False) -> Runs:
        if drawn:
            return _Drawn(self.effects, path, self.counts)
        return _Trailing(self.effects, path)

    def new_guided(self) -> Guided:
        return _Guided(self.effects)

    def new_rolled(self) -> Rolled:
        return _Rolled(self.effects, self.counts)

    @property
    def drawn_from(self) -> tuple[Runs, Go]:
        return self._listed

    @cached_property
    def _listed(self) -> tuple[Runs, Go]:
        runs = self.new_runs(drawn=True)
        return runs, runs.compile(self.turn.body)

    def left_out(self, compiled: tuple[Runs, Go], runs: int) -> None:
        if compiled is self._listed:
            self.counts[self.tally.outdone[self.turn.name]] += runs


class _Play(Play):
    """Play whose steps and ends are counted."""

    def __init__(self, effects: Effects, machine: CountedMachine) -> None:
        super().__init__(effects, machine.can_move)
        self.machine = machine
        self.tally = machine.plan
        self.counts = machine.counts
        self.numbers = {id(step): number for number, step in enumerate(self.script.steps)}
        self.alone = True
        """Whether the turn after which the ends are asked was taken by one player."""

    def count_step(self, step: Instruction, what: int) -> None:
        """Count what became of a step."""
        self.counts[self.tally.step(self.numbers[id(step)], what)] += 1

    def pass_step(self, c: Cells, step: Instruction, index: int) -> int | None:
        self.count_step(step, PASSED)
        self.alone = True
        following = super().pass_step(c, step, index)
        self.machine.count_trail(c)
        if following is not None and following != index + 1:
            self.count_step(step, LEFT)
        return following

    def leaves(self, c: Cells, step: Decide) -> bool:
        left = super().leaves(c, step)
        if left:
            self.count_step(step, LEFT)
        return left

    def is_skipped(self, c: Cells, step: Decide) -> bool:
        skipped = super().is_skipped(c, step)
        if skipped:
            self.count_step(step, SKIPPED)
        return skipped

    def decided(self, c: Cells, step: Decide) -> None:
        self.machine.count_trail(c)
        self.count_step(step, PASSED)
        super().decided(c, step)

    def test_ends(self, c: Cells, single: bool) -> bool:
        self.alone = single
        self.counts[self.tally.tests + (not single)] += 1
        return super().test_ends(c, single)

    def finish(self, c: Cells, end: program.End, player: int | None) -> None:
        super().finish(c, end, player)
        self.counts[self.tally.held[id(end)] + (not self.alone)] += 1
