"""Whole random games in machine code, called through ctypes."""

from __future__ import annotations

import ctypes

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.machine import Cells, Machine
from ludeme.native import compiled, context
from ludeme.native.compiled import PLAYOUTS, STEPPING, Compiled
from ludeme.native.stepping import Stepper

LONGEST = (1 << 31) - 1
"""Decisions of a game, which are counted in 32 bits."""


@attrs.frozen(eq=False)
class Batch:
    """What a batch of games came to; one entry for each game, in order of number.

    *status*: 0 finished, 1 unfinished, 2 faulty. *end*: the number of the end in `Native.ends`.
    *winner*: the number of players in a draw. *moves*: how many were made, one for each decider.
    *widths* and *joint_widths*: the sums of the draws' estimates, by move and by decision.
    """

    status: NDArray[np.int8]
    decisions: NDArray[np.int32]
    end: NDArray[np.int32]
    winner: NDArray[np.int32]
    moves: NDArray[np.int64]
    widths: NDArray[np.float64]
    joint_widths: NDArray[np.float64]
    scores: NDArray[np.int64]

    @classmethod
    def of(cls, count: int, players: int) -> Batch:
        """Room for so many games."""
        return cls(
            np.zeros(count, np.int8),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.int64),
            np.zeros(count, np.float64),
            np.zeros(count, np.float64),
            np.zeros((count, players), np.int64),
        )


class Native:
    """The compiled program.

    *keep*: the code is kept on disk and taken from there. *stepping*: it can also take single
    decisions, see `stepper`; such code is not kept.
    """

    def __init__(self, machine: Machine, keep: bool = True, stepping: bool = False) -> None:
        self.machine = machine
        self.code = Compiled(machine, STEPPING if stepping else PLAYOUTS, keep)
        self.memory = self.code.memory
        self.ends = self.code.ends
        self.decides = self.code.decides
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        parameters = [pointer, pointer, *[number] * 4, *[pointer] * 8]
        self._playouts = self.code.function("playouts", None, parameters)

    @staticmethod
    def is_kept(machine: Machine) -> bool:
        """Whether the code of a program is at hand without compiling."""
        return compiled.is_kept(machine, PLAYOUTS)

    def can_start(self, start: Cells) -> bool:
        """Whether games from a state can be played here: it is not over, and all pieces are kept.

        Where no line of a description gives a piece to nobody, none is looked for.
        """
        return self.code.can_hold(start) and not self.machine.is_over(start)

    def playouts(self, start: Cells, seed: int, first: int, count: int, limit: int) -> Batch:
        """Play games number *first* to *first* + *count* - 1 from a state; holds no lock.

        The state is one from which games `can_start`.
        """
        batch = Batch.of(count, self.memory.players)
        room = context.room(self.code.context_size, self.code.arena_size)
        block = self.code.block(start)
        mask = (1 << 64) - 1
        seed &= mask
        signed = seed - (1 << 64) if seed >> 63 else seed
        self._playouts(
            room.ctypes.data, block.ctypes.data, signed, first, count, min(limit, LONGEST),
            *[getattr(batch, name).ctypes.data for name in
              ("status", "decisions", "end", "winner", "moves", "widths", "joint_widths",
               "scores")],
        )  # fmt: skip
        return batch

    def stepper(self) -> Stepper:
        """What takes decisions one by one; the program must have been compiled for *stepping*."""
        code = self.code
        return Stepper(code.engine, self.memory, context.room(code.context_size, code.arena_size))


__all__ = ["Batch", "Native"]
