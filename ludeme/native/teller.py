"""Moves as texts in machine code: listed, found and made, and random games told move by move."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from threading import local

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.kernel.types import Type
from ludeme.machine import Cells, Machine, Result
from ludeme.machine.layout import OVER
from ludeme.machine.notation import labels
from ludeme.native import context
from ludeme.native.compiled import TELLING, Compiled
from ludeme.native.engine import Told, call_playouts, playouts_of
from ludeme.native.memory import LONGEST_TRAIL, Field
from ludeme.native.prints import fingerprint
from ludeme.native.telling import END_OF_GAME, Guides
from ludeme.native.words import Words

MOST_WORDS = 1 << 21
"""Room for what one call tells."""
Block = NDArray[np.uint8]


class Teller:
    """A program compiled for single moves. Raises NotNative for a construct that is not lowered.

    Every method answers None where something goes wrong, or cannot be told here: the interpreter
    then says what it is.
    """

    def __init__(self, machine: Machine, keep: bool = True) -> None:
        self.machine = machine
        self.code = Compiled(machine, TELLING, keep)
        self.memory = self.code.memory
        self.words = Words(self.memory)
        pointer, number, player = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
        function = self.code.function
        self._moves = function("moves", None, [pointer, pointer, player])
        find = [pointer, pointer, player, number, pointer]
        self._find = function("find", ctypes.c_bool, find)
        self._play = function("play", None, [pointer, pointer, pointer])
        self._playouts = playouts_of(self.code)
        turns = machine.program.turns
        self._turns = {number: turns[step.turn] for number, step in machine.decisions()}
        self.guides = Guides(self.memory, self.code.scratch).fields
        lines = (line for turn in turns.values() for line in walk(turn.body))
        branches = (line for line in lines if isinstance(line, program.OneOf))
        self._has_otherwise = any(b.otherwise for line in branches for b in line.bullets)
        self._rooms = local()

    def _call(self) -> _Call:
        """The context of this thread, cleared."""
        if not hasattr(self._rooms, "call"):
            self._rooms.call = _Call(self.code)
        call: _Call = self._rooms.call
        call.clear()
        return call

    # ---- single moves

    def moves(self, cells: Cells, player: int) -> list[str] | None:
        """The legal moves of a player who decides, in order."""
        if not self.code.can_hold(cells):
            return None
        call = self._call()
        block = self.code.block(cells)
        self.code.remember(call.room, cells)
        self._moves(call.context, block.ctypes.data, player)
        if call.failed:
            return None
        joiner = self.machine.turn_of(cells).joiner
        words, text = call.told(), self.words.text
        found, place = [], 0
        while place < len(words):
            stop = place + 1 + words[place]
            found.append(text(words, place + 1, stop, joiner))
            place = stop
        return found or None

    def end(self, cells: Cells, player: int, text: str) -> Cells | None:
        """The state at the end of a player's run that prints a text; None if it is not legal."""
        if not self.code.can_hold(cells):
            return None
        call, block = self._call(), self.code.block(cells)
        self.code.remember(call.room, cells)
        end = context.aligned(self.memory.size)
        if not self._run(call, block, player, text, end):
            return None
        found, layout = cells[:], self.machine.layout
        self.memory.unpack(end.tobytes(), found)
        for slot in (layout.mover, layout.placed, layout.again, layout.passing):
            found[slot] = self.memory.scratch(end.tobytes(), slot)
        found[layout.text] = (text,)
        return found

    def play(self, cells: Cells, texts: Sequence[str]) -> Cells | None:
        """The state after a decision, given the move of each decider; None if one is not legal."""
        after, count = self.follow(cells, [texts])
        return after if count else None

    def follow(self, cells: Cells, decisions: Sequence[Sequence[str]]) -> tuple[Cells, int]:
        """Make decisions one after the other: the state that they lead to, and how many there were.

        It stops before one that is not legal, or that cannot be told here.
        """
        if not decisions or not self.code.can_hold(cells) or self.machine.is_over(cells):
            return cells, 0
        block = self.code.block(cells)
        self.code.remember(self._call().room, cells)
        before = block.copy()
        last: _Call | None = None
        for number, texts in enumerate(decisions):
            call = self._decide(block, texts)
            if call is None:
                return (cells if last is None else self._cells(cells, before, last)), number
            before[:] = block
            last = call
            if self._step(block) == OVER:
                return self._cells(cells, before, last), number + 1
        assert last is not None
        return self._cells(cells, before, last), len(decisions)

    def _step(self, block: Block) -> int:
        """The step of play at which a block stands."""
        return context.read(block, self.memory.fields[self.machine.layout.step])[0]

    def _decide(self, block: Block, texts: Sequence[str]) -> _Call | None:
        """Change a block by a decision; the call, whose context tells how the game ended."""
        turn = self._turns[self._step(block)]
        deciders: Sequence[int] = range(self.memory.players)
        if not turn.together:
            deciders = context.read(block, self.memory.fields[self.machine.layout.decider])
        if len(deciders) != len(texts):
            return None
        call, size = self._call(), self.memory.size
        ends = context.aligned(size * len(deciders))
        for number, (player, text) in enumerate(zip(deciders, texts, strict=True)):
            if not self._run(call, block, player, text, ends[number * size :]):
                return None
        self._play(call.context, block.ctypes.data, ends.ctypes.data)
        return None if call.failed else call

    def _run(self, call: _Call, block: Block, player: int, text: str, end: Block) -> bool:
        """Write the end of the run that prints a text; whether there is one."""
        self._guide(call, text)
        wanted = fingerprint(text)
        found = self._find(call.context, block.ctypes.data, player, wanted, end.ctypes.data)
        # The fingerprint of a text may be that of another one, though nobody will meet that.
        joiner = self._turns[self._step(block)].joiner
        return bool(found) and not call.failed and self._printed(end, joiner) == text

    def _guide(self, call: _Call, text: str) -> None:
        """Note what a text names; everything where leaving runs out may open an `otherwise`."""
        for type_, field in self.guides.items():
            named = -1 if self._has_otherwise else self._named(type_, text, field.type.width)
            data = (named & (1 << field.type.width) - 1).to_bytes(field.type.width // 8, "little")
            call.room[field.offset : field.offset + len(data)] = np.frombuffer(data, np.uint8)

    def _named(self, type_: Type, text: str, width: int) -> int:
        """The values of a type whose texts occur in a text."""
        names = labels(self.machine.program, type_)
        if names is None:
            return sum(1 << number for number in range(width) if str(number) in text)
        return sum(1 << number for number, name in enumerate(names) if name in text)

    def _printed(self, end: Block, joiner: str) -> str:
        """What a run printed, from the block of its end."""
        trail = self.memory.trail
        assert trail is not None
        (count,) = context.read(end, trail.count)
        return self.words.text(
            context.read(end, attrs.evolve(trail.words, count=count)), 0, count, joiner
        )

    def _cells(self, like: Cells, block: Block, call: _Call) -> Cells:
        """A block as the interpreter has it."""
        cells = self.code.cells(call.room, block, like)
        layout = self.machine.layout
        cells[layout.result] = self._result(call) if cells[layout.step] == OVER else None
        self.machine.forget_turn(cells)
        return cells

    def _result(self, call: _Call) -> Result:
        """How the game ended."""
        shape = self.code.shape
        end, winner = call.read(context.END)[0], call.read(context.WINNER)[0]
        ranked = self.code.decides[end]
        return Result(
            self.code.ends[end],
            None if winner == self.memory.players else winner,
            call.read(shape.scores) if ranked else None,
            call.read(shape.ranks) if ranked else None,
        )

    # ---- random games

    def games(self, start: Cells, seed: int, first: int, count: int, limit: int) -> Told | None:
        """Play numbered games at random, as `Native.playouts` does, and tell every decision.

        None where there is no room for all of them.
        """
        call = self._call()
        batch = call_playouts(
            self._playouts, call.room, self.code, start, (seed, first, count, limit)
        )
        words = call.told()
        if len(words) + LONGEST_TRAIL + self.memory.players + 1 > MOST_WORDS:
            return None
        texts, ranks = [], []
        for decisions, places in self._read_games(words):
            texts.append(decisions)
            ranks.append(places)
        return Told(batch, tuple(texts), tuple(ranks))

    def _read_games(
        self, words: Sequence[int]
    ) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """The decisions and ranks of each game."""
        place = 0
        decisions: list[str] = []
        joint: list[str] = []
        while place < len(words):
            head, size = words[place] >> 32, words[place] & 0xFFFFFFFF
            place, stop = place + 1, place + 1 + size
            if head == END_OF_GAME:
                yield tuple(decisions), tuple(words[place:stop])
                decisions, joint = [], []
            else:
                turn = self._turns[head]
                joint.append(self.words.text(words, place, stop, turn.joiner))
                if len(joint) == (self.memory.players if turn.together else 1):
                    decisions.append(" | ".join(joint))
                    joint = []
            place = stop


class _Call:
    """The context of a call, and room for what it tells."""

    def __init__(self, code: Compiled) -> None:
        self.room = code.room()
        self.out: NDArray[np.int64] = np.empty(MOST_WORDS, np.int64)
        self.begin = self.out.ctypes.data
        context.write(self.room, context.OUT_END, self.begin + 8 * MOST_WORDS)
        self.context = self.room.ctypes.data

    def clear(self) -> None:
        """Forget what was told."""
        context.write(self.room, context.OUT, self.begin)

    def read(self, field: Field) -> tuple[int, ...]:
        """A field of the context."""
        return context.read(self.room, field)

    @property
    def failed(self) -> bool:
        """Whether something went wrong."""
        return self.read(context.FAULT)[0] != 0

    def told(self) -> list[int]:
        """What was told."""
        size = (self.read(context.OUT)[0] - self.begin) // 8
        words: list[int] = self.out[:size].tolist()
        return words


__all__ = ["Teller"]
