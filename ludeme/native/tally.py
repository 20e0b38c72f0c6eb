"""Rules counted in machine code; the twin of `ludeme.machine.counted`.

The counts of the game in progress stand in the thread's context. The blocks that a run enters are
noted in its state, as numbers beside the scratch of the turn, and counted once it has been drawn.
Where a draw takes a path whose branches are known, nothing is noted of those: they are counted when
the draw has succeeded. Without a tally none of this makes any code.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from llvmlite import ir

from ludeme.check import program
from ludeme.check.walking import blocks_of, walk
from ludeme.machine.runs import Path, is_plain
from ludeme.machine.tally import LEFT, Tally
from ludeme.native import context
from ludeme.native.emitter import Code, Value
from ludeme.native.memory import I8, I64, Field, Memory

Mode = Literal["counts", "run", "nothing"]


class TallyCode:
    """Makes the code that counts; for a program of which nothing is counted, none."""

    def __init__(self, tally: Tally | None, memory: Memory, start: int) -> None:
        self.tally = tally
        self.memory = memory
        self.start = start
        self.mode: Mode = "counts"
        """Where a block that is entered is noted: at once, in the run, or not at all."""

    @property
    def size(self) -> int:
        """How many bytes of a context the counts take."""
        return counts_size(self.tally)

    @contextmanager
    def noting(self, mode: Mode) -> Iterator[None]:
        """For a while, note blocks in another way."""
        before, self.mode = self.mode, mode
        try:
            yield
        finally:
            self.mode = before

    # ---- counting

    def field(self, number: int) -> Field:
        """Where a count stands in the context."""
        return Field(self.start + 8 * number, I64)

    def add(self, code: Code, number: int, amount: Value | int = 1) -> None:
        """Count so many more of something."""
        more = code.i64(amount) if isinstance(amount, int) else code.fit(amount, I64, signed=False)
        now = code.load(self.field(number), base=code.ctx)
        code.store(self.field(number), code.builder.add(now, more), base=code.ctx)

    def step(self, code: Code, index: int, what: int, amount: Value | int = 1) -> None:
        """Count what became of a step of play."""
        if self.tally is not None:
            self.add(code, self.tally.step(index, what), amount)

    def left(self, code: Code, index: int, condition: Value, wanted: bool) -> None:
        """Count that a step is left, if a condition is as *wanted*."""
        if self.tally is not None:
            left = condition if wanted else code.builder.not_(condition)
            self.step(code, index, LEFT, left)

    def asked(self, code: Code, line: program.Statement, holds: Value) -> None:
        """Count what a requirement says."""
        if self.tally is not None:
            number = self.tally.asked[id(line)]
            self.add(code, number)
            self.add(code, number + 1, code.builder.not_(holds))

    def asked_of_each(
        self, code: Code, line: program.Statement, domain: Value, kept: Value
    ) -> None:
        """Count what a requirement says of each of a set, of which some are kept."""
        if self.tally is not None:
            number, asked = self.tally.asked[id(line)], code.count(domain)
            self.add(code, number, asked)
            self.add(code, number + 1, code.builder.sub(asked, code.count(kept)))

    def tested(self, code: Code, single: bool) -> None:
        """Count that the ends are asked."""
        if self.tally is not None:
            self.add(code, self.tally.tests + (not single))

    def held(self, code: Code, end: program.End, single: bool) -> None:
        """Count that an end decides the game."""
        if self.tally is not None:
            self.add(code, self.tally.held[id(end)] + (not single))

    # ---- blocks

    def enter(self, code: Code, line: program.Statement, which: int) -> None:
        """Note that a block of a line is entered."""
        number = self.tally.block(line, which) if self.tally is not None else None
        if number is None or self.mode == "nothing":
            return
        if self.mode == "counts":
            self.add(code, number)
            return
        place = code.i32(self.place(number))
        now = code.load(self.noted, place, base=code.write)
        code.store(self.noted, code.builder.add(now, code.i32(1)), place)

    @property
    def noted(self) -> Field:
        """Where a run notes the blocks of its turn."""
        assert self.memory.entered is not None
        return self.memory.entered

    def place(self, number: int) -> int:
        """The place of a block among those of its turn."""
        assert self.tally is not None
        return number - next(b for b in self.tally.bodies.values() if number in b).start

    def clear(self, code: Code, base: Value) -> None:
        """Forget what is noted in a state."""
        if self.memory.entered is None:
            return
        fnty = ir.FunctionType(ir.VoidType(), [ir.PointerType(), I8, I64, ir.IntType(1)])
        clear = code.unit.intrinsic("llvm.memset.p0.i64", [], fnty)
        at = code.address(base, self.noted)
        size = code.i64(self.noted.size)
        code.builder.call(clear, [at, ir.Constant(I8, 0), size, code.truth(False)])

    def count_entered(self, code: Code, turn: program.Turn) -> None:
        """Count the blocks that are noted in the state of a run that was drawn."""
        if self.tally is None:
            return
        for place, number in enumerate(self.tally.bodies[turn.name]):
            noted = code.load(self.noted, code.i32(place), base=code.write)
            self.add(code, number, noted)

    def count_path(self, code: Code, turn: program.Turn, path: Path) -> None:
        """Count the blocks of a path that was drawn: those it takes, and those noted on the way."""
        if self.tally is None:
            return
        for line, which in branches_of(turn.body, path):
            number = self.tally.block(line, which)
            if number is not None:
                self.add(code, number)
        if notes_on_the_way(turn.body):
            self.count_entered(code, turn)

    # ---- `require most`

    def begin_list(self, code: Code) -> None:
        """None of the runs of a list is kept so far."""
        if self.tally is not None:
            code.store(self.kept, code.i64(0), base=code.ctx)

    def keep_run(self, code: Code, better: Value) -> None:
        """Another run is kept, and no other if it is better than all before."""
        if self.tally is not None:
            before = code.load(self.kept, base=code.ctx)
            before = code.builder.select(better, code.i64(0), before)
            code.store(self.kept, code.builder.add(before, code.i64(1)), base=code.ctx)

    def end_list(self, code: Code, turn: program.Turn, ended: Value) -> None:
        """Count the runs that came to their end and were outdone."""
        if self.tally is not None:
            kept = code.load(self.kept, base=code.ctx)
            self.add(code, self.tally.outdone[turn.name], code.builder.sub(ended, kept))

    @property
    def kept(self) -> Field:
        """How many runs of a list are among the best."""
        assert self.tally is not None
        return self.field(self.tally.size)

    # ---- whole games

    def begin_game(self, code: Code) -> None:
        """Set all counts of the game in progress to naught."""
        for number in range(self.tally.size if self.tally is not None else 0):
            code.store(self.field(number), code.i64(0), base=code.ctx)

    def end_game(self, code: Code, given: Value) -> None:
        """Add a game to what the context that was given holds, unless it went wrong."""
        if self.tally is None:
            return
        fault = code.load(context.FAULT, base=code.ctx)
        sound = code.builder.icmp_signed("==", fault, code.i32(0))
        size = self.tally.size

        def add() -> None:
            with code.count_up(code.i64(size)) as number:
                ours = code.load(Field(self.start, I64, size), number, base=code.ctx)
                theirs = code.load(Field(self.start, I64, size), number, base=given)
                total = code.builder.add(ours, theirs)
                code.store(Field(self.start, I64, size), total, number, base=given)

        code.when(sound, add)


def counts_size(tally: Tally | None) -> int:
    """How many bytes of a context the counts of a tally take."""
    return 0 if tally is None else -(-8 * (tally.size + 1) // 16) * 16


def counts_start(players: int) -> int:
    """Where they stand in a context."""
    return -(-context.Shape(players).size // 16) * 16


def branches_of(
    block: program.Block, path: Path
) -> Iterator[tuple[program.OneOf | program.If, int]]:
    """The branches that a path takes, each with the place of its block."""
    for line in block:
        if isinstance(line, program.OneOf):
            taken = path.branches[line.number]
            yield line, taken
            yield from branches_of(line.bullets[taken].body, path)
        elif isinstance(line, program.If) and line.number in path.branches:
            taken = path.branches[line.number]
            yield line, taken
            yield from branches_of(line.otherwise if taken else line.then, path)


def notes_on_the_way(block: program.Block) -> bool:
    """Whether plain lines have blocks, which a run that follows a path notes in its state."""
    return any(is_plain(line) and any(blocks_of(line)) for line in walk(block))
