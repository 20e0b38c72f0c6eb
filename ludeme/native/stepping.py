"""One decision at a time in machine code, so that every state can be compared and looked at.

Playouts know only whole games. What is compiled here takes one decision with given random streams,
or counts the legal moves of a player, and leaves the state where it can be read.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from ludeme.machine import Cells
from ludeme.machine.layout import OVER
from ludeme.machine.random import key
from ludeme.native import context
from ludeme.native.emitter import Code, Unit
from ludeme.native.flow import Flow
from ludeme.native.memory import I32, I64, PTR, Field

if TYPE_CHECKING:
    from ludeme.native.compiled import Compiled


class StepCode:
    """Compiles the two functions that are called for one decision.

    ``step`` takes context, state and streams; ``count`` context, state and player, and answers how
    many legal moves the player has at the decision where the state stands.
    """

    def __init__(self, unit: Unit, flow: Flow) -> None:
        self.unit = unit
        self.flow = flow
        self.memory = unit.memory

    def compile(self) -> None:
        """Make the functions."""
        self.step()
        self.count()

    def exported(self, name: str, result: ir.Type, parameters: Sequence[ir.Type]) -> ir.Function:
        """A function that can be called from outside."""
        fnty = ir.FunctionType(result, list(parameters))
        return ir.Function(self.unit.module, fnty, name)

    def step(self) -> None:
        """One decision."""
        made = self.exported("step", ir.VoidType(), [PTR, PTR, PTR])
        ctx, state, streams = made.args
        code = Code(self.unit, made, ctx, state)
        self.flow.reset(code)
        self.flow.prepare(code)
        code.builder.call(self.flow.decide, [ctx, state, streams])
        code.builder.ret_void()

    def count(self) -> None:
        """The number of legal moves."""
        made = self.exported("count", I64, [PTR, PTR, I32])
        ctx, state, player = made.args
        code = Code(self.unit, made, ctx, state)
        self.flow.reset(code)
        self.flow.prepare(code)
        nowhere = made.append_basic_block("nowhere")
        field = self.memory.fields[self.memory.layout.step]
        switch = code.builder.switch(code.load(field), nowhere)
        for number, step in self.flow.decisions():
            block = made.append_basic_block(f"count_{number}")
            switch.add_case(code.i32(number), block)
            code.builder.position_at_end(block)
            counter = self.flow.turns.turn(step.turn).count
            code.builder.ret(code.builder.call(counter, [ctx, state, player]))
        code.builder.position_at_end(nowhere)
        code.builder.ret(code.i64(0))


@attrs.frozen
class Stepped:
    """What a decision came to. *end* and *winner* mean something once the game is over."""

    faulty: bool
    over: bool
    end: int
    winner: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    moves: int
    widths: float
    joint_widths: float


class Stepper:
    """Games in machine code, decision by decision, from a state that the interpreter has."""

    def __init__(self, code: Compiled) -> None:
        pointer = ctypes.c_void_p
        self._code = code
        self._step = code.function("step", None, [pointer, pointer, pointer])
        self._count = code.function("count", ctypes.c_int64, [pointer, pointer, ctypes.c_int32])
        self.memory = memory = code.memory
        self.shape = context.Shape(memory.players)
        self._room = code.room()
        self._block = context.aligned(memory.size)
        rolled = sum(turn.chance for turn in memory.program.turns.values())
        self.streams: NDArray[np.uint64] = np.zeros(memory.players + rolled, np.uint64)

    def begin(self, cells: Cells, seed: int, game: int) -> None:
        """Begin game number *game* of a seed at a state."""
        self._block[:] = np.frombuffer(self.memory.pack(cells), np.uint8)
        self._code.remember(self._room, cells)
        self.streams[:] = [key(seed, game, source) for source in range(len(self.streams))]

    def step(self) -> Stepped:
        """Take one decision at random."""
        self._step(self._room.ctypes.data, self._block.ctypes.data, self.streams.ctypes.data)
        step = context.read(self._block, self.memory.fields[self.memory.layout.step])[0]
        return Stepped(
            self._context(context.FAULT) != 0,
            step == OVER,
            self._context(context.END),
            self._context(context.WINNER),
            context.read(self._room, self.shape.scores),
            context.read(self._room, self.shape.ranks),
            self._context(context.MOVES),
            self._double(context.WIDTHS),
            self._double(context.JOINT_WIDTHS),
        )

    def count(self, player: int) -> int | None:
        """How many legal moves a player has here; None if that cannot be told."""
        found = self._count(self._room.ctypes.data, self._block.ctypes.data, player)
        return None if self._context(context.FAULT) else int(found)

    def cells(self, like: Cells) -> Cells:
        """The state as the interpreter would have it; what is no part of it is as in *like*."""
        return self._code.cells(self._room, self._block, like)

    def _context(self, field: Field) -> int:
        return context.read(self._room, field)[0]

    def _double(self, field: Field) -> float:
        data = self._room[field.offset : field.offset + 8].tobytes()
        return float(np.frombuffer(data, np.float64)[0])


__all__ = ["StepCode", "Stepped", "Stepper"]
