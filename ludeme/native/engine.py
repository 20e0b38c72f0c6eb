"""Machine code for one program: lowered, compiled by LLVM, called through ctypes."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import attrs
import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from ludeme.machine import Cells, Machine
from ludeme.native import cache, context
from ludeme.native.chance import Chance
from ludeme.native.effects import Effects
from ludeme.native.effort import Effort
from ludeme.native.emitter import Unit
from ludeme.native.expressions import Expressions
from ludeme.native.flow import Flow
from ludeme.native.memory import Memory
from ludeme.native.memos import Memos
from ludeme.native.playouts import PlayoutCode
from ludeme.native.stepping import StepCode, Stepper
from ludeme.native.turns import Turns

LONGEST = (1 << 31) - 1
"""Decisions of a game, which are counted in 32 bits."""


@lru_cache(maxsize=1)
def target_machine() -> llvm.TargetMachine:
    """LLVM's target for the processor that this runs on; not to be given to an engine."""
    return new_target_machine()


def new_target_machine() -> llvm.TargetMachine:
    """The same, for an engine alone: an engine frees its target when it goes."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2
    )


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


class Lowered:
    """A program as LLVM IR."""

    def __init__(self, machine: Machine, has_pdep: bool, stepping: bool = False) -> None:
        self.machine = machine
        self.memory = Memory(machine.layout)
        memos = Memos(self.memory, machine.tables)
        self.unit = Unit(self.memory)
        self.unit.has_pdep = has_pdep
        self.chance = Chance(self.unit)
        expressions = Expressions(
            self.unit,
            machine.layout,
            machine.tables,
            memos,
            Effort(machine.layout, machine.tables),
            lambda name: self.turns.any(name),
        )
        effects = Effects(self.unit, expressions)
        self.turns = Turns(self.unit, effects, self.chance)
        self.flow = Flow(self.unit, effects, self.turns)
        PlayoutCode(self.unit, self.flow, self.chance).compile()
        self.unit.merge_often()
        if stepping:
            StepCode(self.unit, self.flow).compile()

    @property
    def context_size(self) -> int:
        """The size of a thread's context."""
        return self.turns.context_size

    @property
    def arena_size(self) -> int:
        """How much room a thread needs for draws and lists."""
        return max(turn.arena_size() for turn in self.turns.made.values())

    def text(self) -> str:
        """The module as text."""
        return str(self.unit.module)


class Native:
    """The compiled program. It keeps LLVM's engine alive while functions of it may run.

    *keep*: the code is kept on disk and taken from there. *stepping*: it can also take single
    decisions, see `stepper`; such code is not kept.
    """

    def __init__(self, machine: Machine, keep: bool = True, stepping: bool = False) -> None:
        self.machine = machine
        self.memory = Memory(machine.layout)
        Memos(self.memory, machine.tables)
        self.shape = context.Shape(self.memory.players)
        entry = _compiled(machine, keep and not stepping, stepping)
        self.ends: tuple[str, ...] = tuple(entry.facts["ends"])
        self.decides: tuple[bool, ...] = tuple(entry.facts["decides"])
        self.arena_size: int = entry.facts["arena"]
        self.context_size: int = entry.facts["context"]
        self._engine = _loaded(entry.code)
        address = self._engine.get_function_address("playouts")
        pointer = ctypes.c_void_p
        self._playouts = ctypes.CFUNCTYPE(
            None, pointer, pointer, *[ctypes.c_int64] * 4, *[pointer] * 8
        )(address)

    @staticmethod
    def is_kept(machine: Machine) -> bool:
        """Whether the code of a program is at hand without compiling."""
        return cache.read(_cache_name(machine)) is not None

    def can_start(self, start: Cells) -> bool:
        """Whether games from a state can be played here: it is not over, and all pieces are kept.

        Where no line of a description gives a piece to nobody, none is looked for.
        """
        layout = self.memory.layout
        nobodys = start[layout.owners + self.memory.players]
        kept = self.memory.owners > self.memory.players or not nobodys
        return kept and not self.machine.is_over(start)

    def playouts(self, start: Cells, seed: int, first: int, count: int, limit: int) -> Batch:
        """Play games number *first* to *first* + *count* - 1 from a state; holds no lock.

        The state is one from which games `can_start`.
        """
        players = self.memory.players
        batch = Batch(
            np.zeros(count, np.int8),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.int64),
            np.zeros(count, np.float64),
            np.zeros(count, np.float64),
            np.zeros((count, players), np.int64),
        )
        room = context.room(self.context_size, self.arena_size)
        block = context.aligned(self.memory.size)
        block[:] = np.frombuffer(self.memory.pack(start), np.uint8)
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
        return Stepper(self._engine, self.memory, context.room(self.context_size, self.arena_size))


def _compiled(machine: Machine, keep: bool, stepping: bool = False) -> cache.Entry:
    """The object code of a program, from the cache if it is there."""
    name = _cache_name(machine)
    found = cache.read(name) if keep else None
    if found is not None and {"ends", "decides", "arena", "context"} <= set(found.facts):
        return found
    lowered = Lowered(machine, bool(llvm.get_host_cpu_features().get("bmi2")), stepping)
    facts = {
        "ends": [end.name for end in lowered.flow.ends],
        "decides": [end.kind == "decides" for end in lowered.flow.ends],
        "arena": lowered.arena_size,
        "context": lowered.context_size,
    }
    entry = cache.Entry(facts, _object_code(lowered.text()))
    if keep:
        cache.write(name, entry)
    return entry


def _cache_name(machine: Machine) -> str:
    """The name under which the code of a program for this processor is kept."""
    features = llvm.get_host_cpu_features().flatten()
    cpu = f"{target_machine().triple} {llvm.get_host_cpu_name()} {features}"
    return cache.key(machine.digest, cpu)


def optimised(ir_text: str) -> llvm.ModuleRef:
    """A module in text after LLVM's passes."""
    target = target_machine()
    module = llvm.parse_assembly(ir_text)
    module.triple = target.triple
    module.data_layout = str(target.target_data)
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    builder = llvm.create_pass_builder(target, tuning)
    builder.getModulePassManager().run(module, builder)
    return module


def _object_code(ir_text: str) -> bytes:
    """LLVM's passes and code generation."""
    return bytes(target_machine().emit_object(optimised(ir_text)))


def _loaded(code: bytes) -> Any:
    """An engine that holds object code."""
    empty = llvm.parse_assembly("")
    engine = llvm.create_mcjit_compiler(empty, new_target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


__all__ = ["Batch", "Lowered", "Native", "optimised", "target_machine"]
