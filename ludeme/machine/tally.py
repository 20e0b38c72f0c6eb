"""What can be counted of a program in play, and where each count stands.

Both back ends count the same things, each under its number here:

- **A block** that may or may not be entered: a bullet, a side of an `if`, a row of a `match`, what
  is done for each member of a set, a step of a chain. In a turn it is counted for the runs that are
  played, not for those that are only looked at: a run carries along which blocks it entered, and
  they are counted once it has been drawn. In a reveal and between turns it is counted whenever it
  is entered.
- **A requirement** (`require`, or the `where` of a choice): how often it was asked while moves were
  drawn, and how often it refused. What the draw asks is fixed by `ludeme.machine.turns`: on the way
  to the last choice of each path, in each attempt behind it, and in a list of all moves where one
  has to be made. Whether a player could move at all is not part of a draw and counts nothing.
- **An end**: how often the ends were asked after a turn, and how often each of them held.
- **A step of play**: how often it was passed, or decided at; how often it was left or skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from ludeme.check import program
from ludeme.check.walking import blocks_of, ends_of, every_step, walk

PASSED, LEFT, SKIPPED = range(3)
"""Of a step: passed, or decided at; left by its condition; passed over as the player was stuck."""
STEP_COUNTS = 3


@attrs.frozen(eq=False)
class Tally:
    """The number of each count of a program; *size*: how many there are.

    Lines are named by `id`, so *description* is kept. *blocks*: by line and the place of
    the block in it. *asked*: of a requirement; how often it refused has the next number. *held*: of
    an end, after a turn that one player took; the next number is for turns taken together. *tests*:
    how often the ends were asked, in the same two numbers. *outdone*: for each turn, the runs that
    `require most` left out. *steps*: of the first step of play, `STEP_COUNTS` for each.
    *bodies*: the blocks of each turn, which follow one another.
    """

    description: program.Program
    size: int
    blocks: Mapping[tuple[int, int], int]
    asked: Mapping[int, int]
    held: Mapping[int, int]
    tests: int
    outdone: Mapping[str, int]
    steps: int
    bodies: Mapping[str, range]

    def block(self, line: program.Statement, which: int) -> int | None:
        """The number of a block of a line; None if it has no lines."""
        return self.blocks.get((id(line), which))

    def step(self, index: int, what: int) -> int:
        """The number of a count of a step of play."""
        return self.steps + STEP_COUNTS * index + what

    @property
    def longest_body(self) -> int:
        """The most blocks that a turn has."""
        return max((len(body) for body in self.bodies.values()), default=0)


def tally_of(description: program.Program) -> Tally:
    """Number what can be counted."""
    blocks: dict[tuple[int, int], int] = {}
    bodies: dict[str, range] = {}
    for name, turn in description.turns.items():
        first = len(blocks)
        _number(turn.body, blocks)
        bodies[name] = range(first, len(blocks))
    for block in _between(description):
        _number(block, blocks)
    size = len(blocks)
    asked: dict[int, int] = {}
    for turn in description.turns.values():
        for line in walk(turn.body):
            if _requires(line):
                asked[id(line)] = size
                size += 2
    held = {}
    for end in ends_of(description):
        held[id(end)] = size
        size += 2
    tests, size = size, size + 2
    outdone = {name: size + i for i, name in enumerate(description.turns)}
    steps = size + len(outdone)
    numbers = step_numbers(description.play).values()
    size = steps + STEP_COUNTS * (1 + max((stop for *_, stop in numbers), default=-1))
    return Tally(description, size, blocks, asked, held, tests, outdone, steps, bodies)


def _number(block: program.Block, blocks: dict[tuple[int, int], int]) -> None:
    for line in walk(block):
        for which, inner in enumerate(blocks_of(line)):
            if inner:
                blocks[id(line), which] = len(blocks)


def _requires(line: program.Statement) -> bool:
    match line:
        case program.Require() | program.RequireMost():
            return True
        case program.Choose():
            return line.condition is not None
    return False


def _between(description: program.Program) -> Iterator[program.Block]:
    """The blocks that are carried out when nobody decides, but for the setup."""
    for turn in description.turns.values():
        yield turn.reveal
    for step in every_step(description.play):
        if isinstance(step, program.EffectStep):
            yield step.body


# ---- steps of play


def step_numbers(steps: program.Steps) -> dict[int, tuple[int, ...]]:
    """Where a step, by its `id`, stands among the numbered ones of `ludeme.machine.flow.Script`.

    A phase stands where its first step does, a loop without a condition where it goes back.
    """
    found: dict[int, tuple[int, ...]] = {}
    _number_steps(steps, 0, found)
    return found


def _number_steps(steps: program.Steps, at: int, found: dict[int, tuple[int, ...]]) -> int:
    """Number steps from *at* on; the next number that is free."""
    for step in steps:
        begin = at
        match step:
            case program.Alternate():
                at += 2
            case program.Phase():
                at = _number_steps(step.body, at, found)
            case program.Loop() if step.until is None:
                at = begin = _number_steps(step.body, at, found)
                at += 1
            case program.Loop():
                at = _number_steps(step.body, at + 1, found) + 1
            case program.Rounds():
                at = _number_steps(step.body, at + 3, found) + 1
            case program.IfStep():
                at = _number_steps(step.then, at + 1, found)
                if step.otherwise:
                    at = _number_steps(step.otherwise, at + 1, found)
            case _:
                at += 1
        found[id(step)] = tuple(range(begin, max(at, begin + 1)))
    return at
