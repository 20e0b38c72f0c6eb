"""Whole random games in machine code, called through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.machine import Cells, Machine
from ludeme.native import compiled
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
    *counts*: of all games that are not faulty together, as the `Tally` of the machine numbers them;
    nothing if it has none.
    """

    status: NDArray[np.int8]
    decisions: NDArray[np.int32]
    end: NDArray[np.int32]
    winner: NDArray[np.int32]
    moves: NDArray[np.int64]
    widths: NDArray[np.float64]
    joint_widths: NDArray[np.float64]
    scores: NDArray[np.int64]
    counts: NDArray[np.int64]

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
            np.zeros(0, np.int64),
        )


@attrs.frozen(eq=False)
class Told:
    """Random games, and where they are told, the decisions and the ranks of each of them."""

    batch: Batch
    texts: tuple[tuple[str, ...], ...] = ()
    ranks: tuple[tuple[int, ...], ...] = ()


def playouts_of(code: Compiled) -> Callable[..., Any]:
    """The function of compiled code that plays whole games."""
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    return code.function("playouts", None, [pointer, pointer, *[number] * 4, *[pointer] * 8])


def call_playouts(
    function: Callable[..., Any],
    room: NDArray[np.uint8],
    code: Compiled,
    start: Cells,
    which: tuple[int, int, int, int],
) -> Batch:
    """Play games from a state, with a context; *which*: seed, first number, how many, limit."""
    seed, first, count, limit = which
    batch = Batch.of(count, code.memory.players)
    block = code.block(start)
    code.remember(room, start)
    seed &= (1 << 64) - 1
    signed = seed - (1 << 64) if seed >> 63 else seed
    function(
        room.ctypes.data, block.ctypes.data, signed, first, count, min(limit, LONGEST),
        *[getattr(batch, name).ctypes.data for name in
          ("status", "decisions", "end", "winner", "moves", "widths", "joint_widths", "scores")],
    )  # fmt: skip
    return batch


class Native:
    """The compiled program.

    *keep*: the code is kept on disk and taken from there. *stepping*: it can also take single
    decisions, see `stepper`.
    """

    def __init__(self, machine: Machine, keep: bool = True, stepping: bool = False) -> None:
        self.machine = machine
        self.code = Compiled(machine, STEPPING if stepping else PLAYOUTS, keep)
        self.memory = self.code.memory
        self.ends = self.code.ends
        self.decides = self.code.decides
        self._playouts = playouts_of(self.code)

    @staticmethod
    def is_kept(machine: Machine) -> bool:
        """Whether the code of a program is at hand without compiling."""
        return compiled.is_kept(machine, PLAYOUTS)

    def can_start(self, start: Cells) -> bool:
        """Whether games from a state can be played here, see `Compiled.can_start`."""
        return self.code.can_start(start)

    def games(self, start: Cells, seed: int, first: int, count: int, limit: int) -> Told:
        """The games that `playouts` plays, untold."""
        return Told(self.playouts(start, seed, first, count, limit))

    def playouts(self, start: Cells, seed: int, first: int, count: int, limit: int) -> Batch:
        """Play games number *first* to *first* + *count* - 1 from a state; holds no lock.

        The state is one from which games `can_start`.
        """
        room = self.code.room()
        which = (seed, first, count, limit)
        batch = call_playouts(self._playouts, room, self.code, start, which)
        return attrs.evolve(batch, counts=self.code.counts(room))

    def stepper(self) -> Stepper:
        """What takes decisions one by one; the program must have been compiled for *stepping*."""
        return Stepper(self.code)


__all__ = ["Batch", "Native", "Told"]
