"""What a thread of playing keeps beside the state: one block, its fields at fixed places."""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.native.memory import I32, I64, Field

FAULT = Field(0, I32)
"""Not 0 once the description went wrong."""
MODE = Field(4, I32)
"""What the end of a run does: one of the modes below."""
COUNT = Field(8, I64)
"""Runs that came to their end since it was last set to 0."""
WANTED = Field(16, I64)
"""Which run is wanted, by number, in mode NTH."""
RESULT = Field(24, I64)
"""Where the state at the end of the wanted run goes."""
PLACES = Field(32, I64)
"""How many places of the draw are noted."""
ARENA = Field(40, I64)
"""Where they are noted."""
END = Field(48, I32)
"""The number of the end that decided the game; -1 while it goes on."""
WINNER = Field(52, I32)
"""Who won; the number of players in a draw."""
WIDTH = Field(56, I64)
"""What the latest draw tells of the number of moves."""
SLOT = Field(72, I64)
"""Which value of a second choice the draw wants."""
MOVES = Field(80, I64)
"""Moves made in the game, one for each decider of each decision."""
WIDTHS = Field(88, I64)
"""The sum of the widths of all moves of the game, as a double."""
JOINT_WIDTHS = Field(96, I64)
"""The same by decision, counting joint ones, as a double."""
STEPS = Field(104, I64)
"""Steps of the question that is being answered, see `ludeme.native.effort`."""
STACK = Field(112, I64)
"""Below this address the stack is not to grow."""
BUDGET = Field(120, I64)
"""How far the stack may grow, in bytes."""
TRIED = Field(64, I32)
"""Not 0 if the draw had something to draw from, and every attempt was refused."""
PASSED_OVER = Field(68, I32)
"""Not 0 if nobody decided: whoever was to was found to be stuck, see `ludeme.native.unasked`."""
DEPTH = Field(128, I64)
"""How many decisions are still to be taken, the one that is looked at included."""
TOTAL = Field(136, I64)
"""How many sequences of decisions were counted."""
OUT = Field(144, I64)
"""Where the next thing that is told goes, a word of 64 bits."""
OUT_END = Field(152, I64)
"""Where the room for it ends."""
STREAM = Field(160, I64)
"""Where the stream stands from which chance rolls."""
HISTORY = Field(168, I64)
"""Where the keys of earlier positions stand."""
HISTORY_ROOM = Field(176, I64)
"""How many there is room for."""
UNASKED = Field(184, I64)
"""The most steps of what was not asked, and of what came before it."""
SCORES_AT = 192
"""Where the scores stand, 64 bits each, and behind them the ranks."""

ANY, COUNTING, NTH, LISTING, DEEPER, TELLING, FINDING = range(7)

SMALL_STACK, LARGE_STACK = 1 << 19, 1 << 22
FRAME = 256
"""About what a call takes of the stack beside the states that it makes."""


@attrs.frozen
class Shape:
    """The size of a context for a number of players."""

    players: int

    @property
    def scores(self) -> Field:
        """The score of each player."""
        return Field(SCORES_AT, I64, self.players)

    @property
    def ranks(self) -> Field:
        """The rank of each player."""
        return Field(SCORES_AT + 8 * self.players, I64, self.players)

    @property
    def size(self) -> int:
        """In bytes."""
        return SCORES_AT + 16 * self.players


def aligned(size: int) -> NDArray[np.uint8]:
    """Room that begins at a multiple of 64."""
    whole = np.zeros(size + 64, np.uint8)
    shift = -whole.ctypes.data % 64
    return whole[shift : shift + size]


def room(context_size: int, arena_size: int, history: int = 0) -> NDArray[np.uint8]:
    """A context and, behind it, room for *history* keys and the arena that it names."""
    keys = -(-context_size // 64) * 64
    made = aligned(keys + 8 * history + 64 + arena_size)
    write(made, HISTORY, made.ctypes.data + keys)
    write(made, HISTORY_ROOM, history)
    write(made, ARENA, made.ctypes.data + keys + -(-8 * history // 64) * 64)
    write(made, BUDGET, stack_budget())
    return made


def write(room: NDArray[np.uint8], field: Field, value: int) -> None:
    """Give a field of a context, of 64 bits, its value."""
    room[field.offset : field.offset + 8] = np.frombuffer(value.to_bytes(8, "little"), np.uint8)


def read(block: NDArray[np.uint8], field: Field) -> tuple[int, ...]:
    """The values of a field of signed numbers, of a context or a state."""
    kind = {32: np.int32, 64: np.int64}[field.type.width]
    values = block[field.offset : field.offset + field.size].view(kind)
    return tuple(values.tolist())


def stack_budget() -> int:
    """How much of a thread's stack may be used: half of what is usual, or of what is allowed."""
    try:
        import resource
    except ImportError:
        return SMALL_STACK
    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    if soft == resource.RLIM_INFINITY:
        return SMALL_STACK
    return max(SMALL_STACK // 2, min(LARGE_STACK, soft // 2))
