"""Perft in machine code, called through ctypes."""

from __future__ import annotations

import ctypes
from threading import Thread

import numpy as np

from ludeme.machine import Cells, Machine
from ludeme.native import context
from ludeme.native.compiled import PERFT, Compiled


class Counter:
    """Counts sequences of decisions. Raises NotNative for a construct that is not lowered."""

    def __init__(self, machine: Machine, keep: bool = True) -> None:
        self.code = Compiled(machine, PERFT, keep)
        pointer = ctypes.c_void_p
        self._perft = self.code.function(
            "perft", ctypes.c_int64, [pointer, pointer, ctypes.c_int64]
        )

    def perft(self, cells: Cells, depth: int) -> int | None:
        """The number of sequences of exactly *depth* decisions, at least one.

        None if something goes wrong on the way, or cannot be told here.
        """
        if not self.code.can_hold(cells):
            return None
        room = self.code.room(depth)
        block = self.code.block(cells)
        self.code.remember(room, cells)
        found: list[int] = []

        def count() -> None:
            found.append(self._perft(room.ctypes.data, block.ctypes.data, depth))

        # Waiting for a thread can be interrupted by Ctrl-C, a call of machine code cannot.
        thread = Thread(target=count, daemon=True)
        thread.start()
        thread.join()
        at = context.FAULT.offset
        return None if np.any(room[at : at + context.FAULT.size]) else found[0]


__all__ = ["Counter"]
