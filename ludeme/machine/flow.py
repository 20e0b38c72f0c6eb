"""The script of a game as numbered steps, and how a state goes from one decision to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ludeme.check import program
from ludeme.diagnostics import NOWHERE, Span, fault
from ludeme.machine.effects import Act, Effects
from ludeme.machine.expressions import Evaluate
from ludeme.machine.history import History
from ludeme.machine.layout import OVER, Cells, Layout, Result, clear_scratch, initial_value

MOST_STEPS = 10_000


@attrs.define(eq=False)
class Decide:
    """A step at which somebody decides. *number*: its place among such steps, from 1."""

    turn: str
    kind: str  # takes, alternate, together, chance
    number: int
    phase: str | None
    span: Span
    player: Evaluate | None = None
    skipping: bool = False
    until: Evaluate | None = None
    exit: int = 0


@attrs.define(eq=False)
class Begin:
    """The first player of an alternation."""

    player: Evaluate
    span: Span


@attrs.define(eq=False)
class Carry:
    """Effects between decisions."""

    act: Act


@attrs.define(eq=False)
class Jump:
    """Go on elsewhere; if there is a condition, only where it does not hold."""

    target: int
    condition: Evaluate | None = None


@attrs.define(eq=False)
class NextRound:
    """Give the name of a loop its next value, or leave the loop."""

    slot: int
    domain: Evaluate
    first: bool
    exit: int = 0


@attrs.define(eq=False)
class Finish:
    """The game ends."""

    end: program.End


Instruction = Decide | Begin | Carry | Jump | NextRound | Finish


class Script:
    """The numbered steps of `play`."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.compile = effects.expressions.compile
        self.layout: Layout = effects.layout
        self.steps: list[Instruction] = []
        self.phases: dict[str, int] = {}
        self.jumps: list[tuple[int, str]] = []
        self.phase: str | None = None
        self.add_all(effects.program.play)
        for index, name in self.jumps:
            self.steps[index] = Jump(self.phases[name])

    def decisions(self) -> list[tuple[int, Decide]]:
        """The steps at which somebody decides, with their indices."""
        return [(i, step) for i, step in enumerate(self.steps) if isinstance(step, Decide)]

    def add_all(self, steps: program.Steps) -> None:
        for step in steps:
            self.add(step)

    def add(self, step: program.Step) -> None:
        match step:
            case program.Takes():
                self.decide(step.turn, "takes", step.span, player=self.compile(step.player))
            case program.Alternate():
                self.steps.append(Begin(self.compile(step.start), step.span))
                made = self.decide(step.turn, "alternate", step.span, skipping=step.skipping)
                made.until = self.compile(step.until) if step.until is not None else None
                made.exit = len(self.steps)
            case program.Together():
                self.decide(step.turn, "together", step.span)
            case program.Rolled():
                self.decide(step.turn, "chance", step.span)
            case program.Phase():
                outer, self.phase = self.phase, step.name
                self.phases[step.name] = len(self.steps)
                self.add_all(step.body)
                self.phase = outer
            case program.GoTo():
                self.jumps.append((len(self.steps), step.phase))
                self.steps.append(Jump(0))
            case program.Loop():
                self.loop(step)
            case program.Rounds():
                self.rounds(step)
            case program.IfStep():
                self.if_step(step)
            case program.EffectStep():
                self.steps.append(Carry(self.effects.block(step.body)))
            case program.End():
                self.steps.append(Finish(step))

    def decide(self, turn: str, kind: str, span: Span, **more: Any) -> Decide:
        number = 1 + sum(isinstance(step, Decide) for step in self.steps)
        made = Decide(turn, kind, number, self.phase, span, **more)
        self.steps.append(made)
        return made

    def loop(self, step: program.Loop) -> None:
        begin = len(self.steps)
        leave = None
        if step.until is not None:
            leave = Jump(0, _negated(self.compile(step.until)))
            self.steps.append(leave)
        self.add_all(step.body)
        self.steps.append(Jump(begin))
        if leave is not None:
            leave.target = len(self.steps)

    def rounds(self, step: program.Rounds) -> None:
        slot = self.layout.variables[step.variable.name].first
        domain = self.compile(step.domain)
        first = NextRound(slot, domain, True)
        self.steps.append(first)
        self.steps.append(Jump(len(self.steps) + 2))
        again = NextRound(slot, domain, False)
        begin = len(self.steps)
        self.steps.append(again)
        self.add_all(step.body)
        self.steps.append(Jump(begin))
        first.exit = again.exit = len(self.steps)

    def if_step(self, step: program.IfStep) -> None:
        skip = Jump(0, self.compile(step.condition))
        self.steps.append(skip)
        self.add_all(step.then)
        if not step.otherwise:
            skip.target = len(self.steps)
            return
        leave = Jump(0)
        self.steps.append(leave)
        skip.target = len(self.steps)
        self.add_all(step.otherwise)
        leave.target = len(self.steps)


def _negated(condition: Evaluate) -> Evaluate:
    return lambda c: not condition(c)


class Play:
    """Carries a state from one decision to the next."""

    def __init__(self, effects: Effects, any_move: Callable[[Cells, int, str], bool]) -> None:
        self.effects = effects
        self.layout: Layout = effects.layout
        self.program = effects.program
        self.any_move = any_move
        self.script = Script(effects)
        self.history = History(effects.expressions)
        compile_ = effects.expressions.compile
        self.ends = [
            (
                end,
                compile_(end.condition) if end.condition is not None else None,
                compile_(end.player) if end.player is not None else None,
            )
            for end in self.program.ends
        ]
        self.finishes = {
            id(step.end): compile_(step.end.player) if step.end.player is not None else None
            for step in self.script.steps
            if isinstance(step, Finish)
        }
        self.ranks = [
            (effects.expressions.slot(rank.local), compile_(rank.value), rank.highest)
            for rank in self.program.ranking
        ]

    def decide_step(self, cells: Cells) -> Decide:
        """The step at which a state stands that is not over."""
        step = self.script.steps[cells[self.layout.step]]
        assert isinstance(step, Decide), cells[self.layout.step]
        return step

    # ---- forward

    def run(self, c: Cells, index: int) -> None:
        """Go on from a step to the next decision, or to the end of the game."""
        skipped = 0
        for _ in range(MOST_STEPS):
            if index >= len(self.script.steps):
                raise fault(
                    "no-end", self.last_span, "`play` came to its end, and no end decided the game"
                )
            step = self.script.steps[index]
            if not isinstance(step, Decide):
                following = self.pass_step(c, step, index)
                if following is None:
                    return
                index = following
                continue
            if self.leaves(c, step):
                index = step.exit
                continue
            c[self.layout.step] = index
            if not self.is_skipped(c, step):
                self.rest(c, step)
                return
            skipped += 1
            if skipped > len(self.program.players):
                raise fault(
                    "stuck", step.span, "no player has a legal move, and no end says what then"
                )
            if self.skip(c):
                return
        raise fault("endless", self.last_span, "`play` goes in a circle in which nobody decides")

    @property
    def last_span(self) -> Span:
        """A place in `play` for faults of the script as a whole."""
        decisions = self.script.decisions()
        if decisions:
            return decisions[-1][1].span
        return next(iter(self.program.turns.values())).span if self.program.turns else NOWHERE

    def pass_step(self, c: Cells, step: Instruction, index: int) -> int | None:
        """Carry out a step at which nobody decides; None if the game is over."""
        match step:
            case Begin():
                player = step.player(c)
                if player >= len(self.program.players):
                    raise fault("nobody", step.span, "nobody is to begin here")
                c[self.layout.decider] = player
            case Carry():
                clear_scratch(self.layout, c)
                step.act(c)
            case Jump():
                if step.condition is None or not step.condition(c):
                    return step.target
            case NextRound():
                domain = step.domain(c)
                left = domain if step.first else domain >> c[step.slot] + 1 << c[step.slot] + 1
                if not left:
                    return step.exit
                c[step.slot] = (left & -left).bit_length() - 1
            case Finish():
                player_of = self.finishes[id(step.end)]
                self.finish(c, step.end, player_of(c) if player_of else None)
                return None
        return index + 1

    def leaves(self, c: Cells, step: Decide) -> bool:
        """Whether an alternation ends before this turn."""
        if step.kind == "takes":
            assert step.player is not None
            player = step.player(c)
            if player >= len(self.program.players):
                raise fault("nobody", step.span, "nobody is to take this turn")
            c[self.layout.decider] = player
            return False
        if step.until is None:
            return False
        clear_scratch(self.layout, c)
        c[self.layout.mover] = c[self.layout.decider]
        return bool(step.until(c))

    def is_skipped(self, c: Cells, step: Decide) -> bool:
        """Whether the player to move has no move and is passed over."""
        return step.skipping and not self.any_move(c, c[self.layout.decider], step.turn)

    def rest(self, c: Cells, step: Decide) -> None:
        """Stand at a decision."""
        clear_scratch(self.layout, c)
        if step.kind in ("together", "chance"):
            c[self.layout.decider] = len(self.program.players)

    def skip(self, c: Cells) -> bool:
        """Pass over the player to move; whether that ends the game."""
        layout = self.layout
        player = c[layout.decider]
        clear_scratch(layout, c)
        c[layout.mover] = player
        self.count_turn(c, skipped=True)
        self.expire(c)
        if self.test_ends(c, single=True):
            return True
        self.history.remember(c)
        c[layout.decider] = (player + 1) % len(self.program.players)
        return False

    def decided(self, c: Cells, step: Decide) -> None:
        """What follows a decision: counters, expiry, ends, and the way to the next one."""
        layout = self.layout
        if step.kind == "chance":
            if not self.test_ends(c, single=False):
                self.run(c, c[layout.step] + 1)
            return
        self.count_turn(c, skipped=False)
        self.expire(c)
        if self.test_ends(c, single=step.kind != "together"):
            return
        self.history.remember(c)
        again = bool(c[layout.again])
        index = c[layout.step]
        if step.kind == "alternate":
            if not again:
                c[layout.decider] = (c[layout.decider] + 1) % len(self.program.players)
        elif not again:
            index += 1
        self.run(c, index)

    def count_turn(self, c: Cells, skipped: bool) -> None:
        """Keep the counters that the description asks for."""
        counters = self.layout.counters
        if "turns" in counters:
            c[counters["turns"]] += 1
        if "skips" in counters:
            c[counters["skips"]] = c[counters["skips"]] + 1 if skipped else 0
        passing = bool(c[self.layout.passing])
        if "passes" in counters and not skipped:
            c[counters["passes"]] = c[counters["passes"]] + 1 if passing else 0
        if (
            "passed" in counters
            and not skipped
            and c[self.layout.mover] < len(self.program.players)
        ):
            c[counters["passed"] + c[self.layout.mover]] = int(passing)

    def expire(self, c: Cells) -> None:
        """One turn less for everything that does not last."""
        for slots in self.layout.variables.values():
            variable = slots.variable
            if variable.lasting is None:
                continue
            if variable.is_flag:
                layers = c[slots.first + 1 : slots.first + slots.count]
                c[slots.first : slots.first + slots.count] = [*layers, 0]
                if variable.owner == "piece":
                    self.expire_buried(c, variable)
                continue
            assert slots.ages is not None
            for i in range(slots.count):
                age = c[slots.ages + i]
                if age == 1:
                    c[slots.first + i] = initial_value(variable, self.program)
                c[slots.ages + i] = max(0, age - 1)

    def expire_buried(self, c: Cells, variable: program.Variable) -> None:
        """One turn less for a flag of the pieces that lie below others."""
        buried = self.layout.buried
        if buried is None or not any(c[buried]):
            return
        noted = [slots.variable for slots in self.layout.piece_variables]
        column = 2 + noted.index(variable)
        c[buried] = tuple(
            tuple((*p[:column], p[column] >> 1, *p[column + 1 :]) for p in pile)
            for pile in c[buried]
        )

    # ---- ends

    def test_ends(self, c: Cells, single: bool) -> bool:
        """Ask the ends in order; the first that holds decides the game."""
        for end, condition, player in self.ends:
            if end.needs_mover and not single:
                continue
            if condition is None or condition(c):
                self.finish(c, end, player(c) if player is not None else None)
                return True
        return False

    def finish(self, c: Cells, end: program.End, player: int | None) -> None:
        """Write down how the game ended."""
        layout = self.layout
        players = len(self.program.players)
        winner: int | None = None
        scores: tuple[int, ...] | None = None
        ranks: tuple[int, ...] | None = None
        if player is not None:
            if player >= players:
                raise fault("nobody", end.span, f"nobody {end.kind} by {end.name}")
            winner = player if end.kind == "wins" else 1 - player if players == 2 else None
        elif end.kind == "decides":
            scores, ranks, winner = self.rank(c)
        c[layout.result] = Result(end.name, winner, scores, ranks)
        c[layout.step] = OVER
        c[layout.decider] = players
        clear_scratch(layout, c)

    def rank(self, c: Cells) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
        """Scores, ranks from 1 (equal players share one) and the single best player, if any."""
        keys = []
        scores = []
        for player in range(len(self.program.players)):
            numbers = []
            for slot, value, highest in self.ranks:
                c[slot] = player
                number = value(c)
                numbers.append(number if highest else -number)
            c[self.ranks[0][0]] = player
            scores.append(self.ranks[0][1](c))
            keys.append(numbers)
        ranks = tuple(1 + sum(other > own for other in keys) for own in keys)
        best = [player for player, rank in enumerate(ranks) if rank == 1]
        return tuple(scores), ranks, best[0] if len(best) == 1 else None
