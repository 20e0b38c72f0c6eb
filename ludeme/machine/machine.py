"""The interpreter: a checked program as a machine over states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from hashlib import blake2b

from ludeme.check.program import Program, Turn
from ludeme.diagnostics import fault
from ludeme.machine.effects import Effects
from ludeme.machine.expressions import Expressions
from ludeme.machine.flow import Decide, Play
from ludeme.machine.keys import MASK, scatter
from ludeme.machine.layout import OVER, Cells, Result, blank, clear_scratch, lay_out
from ludeme.machine.random import Stream
from ludeme.machine.tables import Tables
from ludeme.machine.tally import Tally
from ludeme.machine.turns import TurnMoves

CHANCE = "chance"
"""Who decides where dice are rolled."""


class Machine:
    """Starts, moves and ends games of one program.

    States are lists of values as `ludeme.machine.layout` lays them out; no method changes a state
    that it is given.
    """

    tally: Tally | None = None
    """What is counted in play, if anything."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = lay_out(program)
        self.tables = Tables(program.board)
        self.expressions = Expressions(self.layout, self.tables, self.can_move)
        self.effects = self.new_effects()
        self.turns = {name: self.new_turn(turn) for name, turn in program.turns.items()}
        self.flow = self.new_play()
        self.reveals = {
            name: self.effects.block(turn.reveal) if turn.reveal else None
            for name, turn in program.turns.items()
        }
        self.digest = blake2b(program.meaning.encode(), digest_size=16).hexdigest()
        self._salt = int(self.digest[:16], 16)

    # ---- what it is made of

    def new_effects(self) -> Effects:
        """What compiles lines without decisions."""
        return Effects(self.expressions)

    def new_turn(self, turn: Turn) -> TurnMoves:
        """What compiles a turn."""
        return TurnMoves(turn, self.effects)

    def new_play(self) -> Play:
        """What goes from decision to decision."""
        return Play(self.effects, self.can_move)

    # ---- states

    def start(self) -> Cells:
        """The state at the first decision."""
        cells = self.set_up()
        with self.counted():
            self.flow.run(cells, 0)
            self.begin_history(cells)
        return cells

    def begin_history(self, cells: Cells) -> None:
        """Let the position of *cells* be the first that is remembered.

        It counts as left by the player before the one to move, in seat order.
        """
        players, decider = len(self.program.players), cells[self.layout.decider]
        self.flow.history.begin(cells, (decider - 1) % players if decider < players else players)

    def set_up(self) -> Cells:
        """The board as `start` leaves it, before anybody is to move."""
        cells = blank(self.layout)
        with self.counted():
            self.effects.block(self.program.start)(cells)
        clear_scratch(self.layout, cells)
        return cells

    def values(self, cells: Cells) -> tuple[object, ...]:
        """What makes states equal."""
        return tuple(cells[: self.layout.size])

    def key(self, cells: Cells) -> int:
        """A 64-bit number that equal states share, in every process and on every back end.

        The sum over all that is not naught of a scattered number of its slot and value; what is
        kept for each site counts with its place, and a list with its length.
        """
        total = self._salt
        for slot, value in enumerate(cells[: self.layout.size]):
            total += scatter(slot, value)
        return total & MASK

    def is_over(self, cells: Cells) -> bool:
        """Whether the game has ended."""
        return bool(cells[self.layout.step] == OVER)

    def result(self, cells: Cells) -> Result | None:
        """How the game ended, or None."""
        found = cells[self.layout.result]
        return found if isinstance(found, Result) else None

    def deciders(self, cells: Cells) -> tuple[int, ...]:
        """The players who decide now, in player order; chance is numbered behind the last one."""
        if self.is_over(cells):
            return ()
        if self.flow.decide_step(cells).kind == "together":
            return tuple(range(len(self.program.players)))
        return (cells[self.layout.decider],)

    def is_chance(self, cells: Cells) -> bool:
        """Whether chance decides now."""
        return not self.is_over(cells) and self.flow.decide_step(cells).kind == "chance"

    def decider_name(self, number: int) -> str:
        """What one of the `deciders` is called."""
        players = self.program.players
        return players[number] if number < len(players) else CHANCE

    def decisions(self) -> list[tuple[int, Decide]]:
        """The steps of play at which somebody decides, with their indices."""
        return self.flow.script.decisions()

    def forget_turn(self, cells: Cells) -> None:
        """Change a state that was made elsewhere: no turn is in progress."""
        clear_scratch(self.layout, cells)

    def step(self, cells: Cells) -> Decide:
        """The step of play at which a state stands that is not over."""
        return self.flow.decide_step(cells)

    def turn(self, cells: Cells) -> TurnMoves:
        """The turn that is to be taken."""
        return self.turns[self.flow.decide_step(cells).turn]

    # ---- moves

    def can_move(self, cells: Cells, player: int, turn: str) -> bool:
        """Whether a player has a legal move in a turn."""
        if player >= len(self.program.players):
            return False
        return self.turns[turn].any(cells, player)

    def moves(self, cells: Cells, player: int) -> list[str]:
        """The legal moves of a player who decides now, in order. A fault if there is none."""
        turn = self.turn(cells)
        found = turn.moves(cells, player)
        if not found:
            raise self.stuck(cells, player)
        return found

    def stuck(self, cells: Cells, player: int) -> Exception:
        """The fault of a player who is to move and cannot."""
        step = self.flow.decide_step(cells)
        name = self.decider_name(player)
        return fault(
            "stuck",
            step.span if step.span.source.name else self.program.turns[step.turn].span,
            f"{name} has no legal move, and nothing says what then",
            help="add `skipping stuck` in `play`, or an end such as"
            f" `next wins by stalemate when mover cannot {step.turn}`",
        )

    def play(self, cells: Cells, ends: Sequence[Cells]) -> Cells:
        """The next state, given what each decider's run ended in, in player order."""
        step = self.flow.decide_step(cells)
        with self.counted():
            if step.kind == "together":
                return self._reveal(cells, ends, step)
            after = ends[0][:]
            self.flow.decided(after, step)
        return after

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Counts the steps between two decisions."""
        meter = self.expressions.meter
        outer = meter.begin(self.flow.last_span)
        try:
            yield
        finally:
            meter.end(outer)

    def _reveal(self, cells: Cells, ends: Sequence[Cells], step: Decide) -> Cells:
        after = cells[:]
        layout = self.layout
        passed = []
        for player, end in enumerate(ends):
            for slots in layout.variables.values():
                if slots.variable.planned:
                    after[slots.first + player] = end[slots.first + player]
            passed.append(bool(end[layout.passing]))
        clear_scratch(layout, after)
        reveal = self.reveals[step.turn]
        if reveal is not None:
            reveal(after)
        self._forget_plans(cells, after)
        after[layout.passing] = all(passed)
        if "passed" in layout.counters:
            first = layout.counters["passed"]
            after[first : first + len(passed)] = [int(p) for p in passed]
        self.flow.decided(after, step)
        return after

    def _forget_plans(self, before: Cells, after: Cells) -> None:
        for slots in self.layout.variables.values():
            if slots.variable.planned:
                stop = slots.first + slots.count
                after[slots.first : stop] = before[slots.first : stop]

    def find(self, cells: Cells, player: int, text: str) -> Cells | None:
        """What the run that prints *text* ends in, or None if it is no legal move."""
        return self.turn(cells).find(cells, player, text)

    def draw(self, cells: Cells, player: int, stream: Stream) -> tuple[Cells, int]:
        """What a run drawn at random ends in, and an estimate of the number of moves."""
        drawn = self.turn(cells).draw(cells, player, stream)
        if drawn is None:
            raise self.stuck(cells, player)
        return drawn.cells, drawn.width

    def weights(self, cells: Cells) -> dict[str, Fraction]:
        """How likely each outcome is where chance decides."""
        found = self.turn(cells).weights(cells, len(self.program.players))
        if not found:
            raise self.stuck(cells, len(self.program.players))
        return found

    def source(self, cells: Cells, player: int) -> int:
        """The number of the random stream that a decider draws from.

        Players have theirs; behind them comes one for each turn that chance takes.
        """
        if player < len(self.program.players):
            return player
        name = self.flow.decide_step(cells).turn
        return player + [t.name for t in self.program.turns.values() if t.chance].index(name)

    def count(self, cells: Cells, player: int) -> int:
        """How many legal moves a player who decides now has."""
        found = self.turn(cells).count(cells, player)
        if not found:
            raise self.stuck(cells, player)
        return found

    def text(self, cells: Cells, end: Cells) -> str:
        """The move that a run printed."""
        return self.turn(cells).text(end)

    def turn_of(self, cells: Cells) -> Turn:
        """The checked turn that is to be taken."""
        return self.turn(cells).turn
