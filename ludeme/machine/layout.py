"""Where each part of a state stands in the list of its values.

A state is a list. Its first part is what makes two states equal; behind it stands scratch space for
the turn in progress and for locals. A set of sites is one integer, so that copying a state copies a
short list whatever the size of the board.
"""

from __future__ import annotations

from typing import Any

import attrs

from ludeme.check.program import Program, Variable

OVER = -1
"""The step of play of a game that has ended."""

Cells = list[Any]


@attrs.frozen
class Result:
    """How a game ended: the end's name, the winner (None in a draw), scores and ranks or None."""

    name: str
    winner: int | None
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None


@attrs.frozen
class VariableSlots:
    """Where a variable stands.

    A flag has *lasting* + 1 layers from *first*: layer *i* ends *i* turns from now. A value has one
    slot for the game, or one for each player; what it is for each site stands in a tuple. *ages*:
    the slot of the turns that are left, beside each value that does not last.
    """

    variable: Variable
    first: int
    count: int
    ages: int | None


@attrs.frozen(eq=False)
class Layout:
    """The slots of a program's states."""

    program: Program
    owners: int  # one for each player, then nobody: where the top piece is theirs
    kinds: int  # one for each kind: where the top piece is of it
    buried: int | None  # for each site the pieces below its top one, bottom first
    hands: int  # player by player, kind by kind
    variables: dict[str, VariableSlots]
    step: int  # the step of play that is to come
    decider: int  # who is to move; the number of players if several
    counters: dict[str, int]  # turns, skips, passes and passed, as far as they are asked for
    history: int | None  # the keys of all positions so far, rising; if a rule asks for them
    result: int  # None, or a Result
    size: int  # of what makes states equal
    mover: int
    placed: int
    text: int
    most: int
    again: int
    passing: int
    failed: int
    locals: int
    length: int
    piece_variables: tuple[VariableSlots, ...]

    def local(self, slot: int) -> int:
        """The place of a local."""
        return self.locals + slot

    @property
    def trail(self) -> int:
        """Where a run notes the blocks that it enters, while rules are counted.

        It is the place where `ludeme.machine.why` notes what failed; nobody does both.
        """
        return self.failed


class _Counter:
    def __init__(self) -> None:
        self.next = 0

    def take(self, count: int = 1) -> int:
        first = self.next
        self.next += count
        return first


def lay_out(program: Program) -> Layout:
    """Give every part of a state its slots."""
    slots = _Counter()
    players = len(program.players)
    owners = slots.take(players + 1)
    kinds = slots.take(len(program.kinds))
    buried = slots.take() if program.stack_limit > 1 else None
    hands = slots.take(players * len(program.kinds)) if any(program.hands) else slots.take(0)
    variables = {v.name: _variable(v, players, slots) for v in program.variables}
    step, decider = slots.take(), slots.take()
    counters: dict[str, int] = {}
    for name in ("turns", "skips", "passes"):
        if name in program.uses:
            counters[name] = slots.take()
    if "passed" in program.uses:
        counters["passed"] = slots.take(players)
    history = slots.take() if program.memories else None
    result = slots.take()
    size = slots.next
    mover, placed, text, most, again, passing, failed = (slots.take() for _ in range(7))
    locals_ = slots.take(program.local_count)
    pieces = tuple(v for v in variables.values() if v.variable.owner == "piece")
    return Layout(
        program, owners, kinds, buried, hands, variables, step, decider, counters, history, result,
        size,
        mover, placed, text, most, again, passing, failed, locals_, slots.next, pieces,
    )  # fmt: skip


def _variable(variable: Variable, players: int, slots: _Counter) -> VariableSlots:
    lasting = variable.lasting
    if variable.is_flag:
        return VariableSlots(variable, slots.take(1 + (lasting or 0)), 1 + (lasting or 0), None)
    count = players if variable.owner == "player" else 1
    first = slots.take(count)
    ages = slots.take(count) if lasting is not None else None
    return VariableSlots(variable, first, count, ages)


def initial_value(variable: Variable, program: Program) -> Any:
    """What one slot of a variable holds at first."""
    if variable.is_flag:
        return 0
    per_site = variable.owner in ("site", "piece") or variable.index == "site"
    if per_site:
        return (variable.initial,) * len(program.board.names)
    if variable.index == "player":
        return (variable.initial,) * len(program.players)
    if variable.index == "kind":
        return (variable.initial,) * len(program.kinds)
    return variable.initial


def blank(layout: Layout) -> Cells:
    """An empty board, full hands, first values, before anybody's turn."""
    program = layout.program
    cells: Cells = [0] * layout.length
    if layout.buried is not None:
        cells[layout.buried] = ((),) * len(program.board.names)
    fill_hands(layout, cells)
    for slots in layout.variables.values():
        for slot in range(slots.first, slots.first + slots.count):
            cells[slot] = initial_value(slots.variable, program)
    cells[layout.step] = 0
    cells[layout.decider] = len(program.players)
    if layout.history is not None:
        cells[layout.history] = ()
    cells[layout.result] = None
    clear_scratch(layout, cells)
    return cells


def fill_hands(layout: Layout, cells: Cells) -> None:
    """Put into the hands what the file says."""
    hands = layout.program.hands
    if any(hands):
        for player in range(len(layout.program.players)):
            first = layout.hands + player * len(hands)
            cells[first : first + len(hands)] = hands


def clear_scratch(layout: Layout, cells: Cells) -> None:
    """Forget the turn that was in progress."""
    cells[layout.mover] = len(layout.program.players)
    cells[layout.placed] = 0
    cells[layout.text] = ()
    cells[layout.most] = ()
    cells[layout.again] = False
    cells[layout.passing] = False
    cells[layout.failed] = None
