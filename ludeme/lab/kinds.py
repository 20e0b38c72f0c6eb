"""The kinds of moves of a description: which bullets of its turn a move took."""

from __future__ import annotations

from collections.abc import Iterator

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.machine import Cells, Machine
from ludeme.machine.effects import Effects
from ludeme.machine.runs import Go, Runs
from ludeme.machine.turns import Guided

MOST_KINDS = 64
"""The bits of a column; what is beyond counts as the last kind."""
OTHERS = "others"


def kinds_of_move(checked: program.Program) -> tuple[str, ...]:
    """The names of all kinds: ``turn: bullet``, or ``turn`` where a turn has no bullets.

    What chance decides is no move.
    """
    turns = [turn for turn in checked.turns.values() if not turn.chance]
    names = [name for turn in turns for name in _names(turn)]
    names = list(dict.fromkeys(names))
    return tuple(names if len(names) <= MOST_KINDS else [*names[: MOST_KINDS - 1], OTHERS])


def _names(turn: program.Turn) -> Iterator[str]:
    lines = [line for line in walk(turn.body) if isinstance(line, program.OneOf)]
    for line in lines:
        for bullet in line.bullets:
            yield f"{turn.name}: {bullet.name}"
    if not lines:
        yield turn.name


class KindsOfMove:
    """Tells of moves which bullets they took, as a set of numbers of `kinds_of_move`."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        names = kinds_of_move(machine.program)
        self.bits = {name: 1 << number for number, name in enumerate(names)}
        self.traced: dict[str, tuple[_Guided, _Every]] = {}

    def of(self, cells: Cells, player: int, text: str) -> int:
        """The kinds of a legal move of a player who decides in a state."""
        turn = self.machine.turn(cells)
        if turn.turn.name in self.bits:
            return self.bits[turn.turn.name]
        if turn.turn.name not in self.traced:
            self.traced[turn.turn.name] = (
                _Guided(turn.effects, turn.turn, self.bits),
                _Every(turn.effects, turn.turn, self.bits),
            )
        guided, every = self.traced[turn.turn.name]
        guided.wanted = text
        begun = turn.begin(cells, player)
        for runs in (guided, every):
            # A choice may have been made without being named in the text; then look at every run.
            found = runs.kinds(begun[:], lambda c: turn.text(c) == text)
            if found is not None:
                return found
        raise AssertionError(f"{text} is not legal")


class _Tracing(Runs):
    """Runs that know which bullets they are below."""

    def __init__(self, effects: Effects, turn: program.Turn, bits: dict[str, int]) -> None:
        super().__init__(effects)
        self.bits = bits
        self.turn = turn
        self.taken: list[tuple[int, bool]] = []
        self.go = self.compile(turn.body)

    def one_of(self, line: program.OneOf, go: Go, leave: Go | None) -> Go:
        """As ever, with a note of the bullet while its runs are followed."""
        last = max(self.bits.values())
        branches = [
            (
                self.block(bullet.body, go, leave),
                self.bits.get(f"{self.turn.name}: {bullet.name}", last),
                bullet.otherwise,
            )
            for bullet in line.bullets
        ]

        def one_of(c: Cells) -> bool:
            before = self.completed
            for branch, bit, otherwise in branches:
                if otherwise and self.completed != before:
                    continue
                self.taken.append((bit, otherwise))
                found = branch(c[:])
                self.taken.pop()
                if found:
                    return True
            return False

        return one_of

    def kinds(self, cells: Cells, wanted: Go) -> int | None:
        """The bullets of the first run whose end is wanted and which is surely open."""
        found: int | None = None

        def sink(c: Cells) -> bool:
            nonlocal found
            if not wanted(c) or not self.open():
                return False
            found = 0
            for bit, _ in self.taken:
                found |= bit
            return True

        self.sink = sink
        meter = self.expressions.meter
        outer = meter.begin(self.turn.span)
        try:
            self.go(cells)
        finally:
            meter.end(outer)
        return found

    def open(self) -> bool:
        """Whether the run may be taken."""
        return True


class _Every(_Tracing):
    """All runs."""


class _Guided(_Tracing, Guided):
    """Only runs that choose what the text names, and none that others may shut by `otherwise`."""

    def open(self) -> bool:
        return not any(otherwise for _, otherwise in self.taken)


__all__ = ["OTHERS", "KindsOfMove", "kinds_of_move"]
