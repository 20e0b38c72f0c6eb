"""A program lowered for some task, compiled by LLVM, and loaded."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache, partial
from threading import Lock, Thread, stack_size
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from ludeme.machine import Cells, Machine
from ludeme.native import cache, context, facts
from ludeme.native.chance import Chance
from ludeme.native.effects import Effects
from ludeme.native.effort import Effort
from ludeme.native.emitter import Unit
from ludeme.native.expressions import Expressions
from ludeme.native.flow import Flow
from ludeme.native.history import HistoryCode
from ludeme.native.memory import Memory
from ludeme.native.memos import Memos
from ludeme.native.perft import PerftCode
from ludeme.native.playouts import PlayoutCode
from ludeme.native.stepping import StepCode
from ludeme.native.subsets import Subsets
from ludeme.native.tally import TallyCode, counts_size, counts_start
from ludeme.native.telling import TellCode
from ludeme.native.turns import Turns

STACKS = 4
"""How often a stack holds what a decision needs, where that is more than is usual."""
MOST_REMEMBERED = 1 << 16
"""So many earlier positions there is room for."""
PLAYOUTS, STEPPING, PERFT, TELLING = "playouts", "stepping", "perft", "telling"
"""What a program can be compiled for."""


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


def memory_of(machine: Machine, task: str) -> Memory:
    """The block of a machine's states."""
    noted = machine.tally.longest_body if machine.tally is not None else 0
    return Memory(machine.layout, task == TELLING, noted)


class Lowered:
    """A program as LLVM IR, with the functions that a task calls."""

    def __init__(self, machine: Machine, has_pdep: bool, task: str = PLAYOUTS) -> None:
        self.machine = machine
        self.memory = memory_of(machine, task)
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
        expressions.subsets = Subsets(self.unit, self.chance)
        expressions.history = HistoryCode(expressions, self.chance)
        tally = TallyCode(machine.tally, self.memory, counts_start(self.memory.players))
        effects = Effects(self.unit, expressions, tally)
        self.turns = Turns(self.unit, effects, self.chance)
        alone = task == PLAYOUTS and machine.tally is None
        self.flow = Flow(self.unit, effects, self.turns, leaves_out=alone)
        self.perft = PerftCode(self.unit, self.flow) if task == PERFT else None
        playouts = PlayoutCode(self.unit, self.flow, self.chance)
        if self.perft is not None:
            self.perft.compile()
        elif task == TELLING:
            TellCode(self.unit, self.flow, playouts).compile()
        else:
            playouts.compile()
        self.unit.merge_often()
        if task == STEPPING:
            StepCode(self.unit, self.flow).compile()

    @property
    def facts(self) -> dict[str, Any]:
        """What must be known to call the code."""
        return {
            "ends": [end.name for end in self.flow.ends],
            "decides": [end.kind == "decides" for end in self.flow.ends],
            "arena": self.arena_size,
            "context": self.context_size,
        }

    @property
    def context_size(self) -> int:
        """The size of a thread's context."""
        return self.turns.context_size

    @property
    def arena_size(self) -> int:
        """How much room a thread needs for draws and lists; of perft, for each decision."""
        if self.perft is not None:
            return self.perft.arena_size()
        return max((turn.draws.room for turn in self.turns.made.values()), default=0)

    def text(self) -> str:
        """The module as text."""
        return str(self.unit.module)


class Compiled:
    """A program compiled for a task. It keeps LLVM's engine alive while functions of it may run.

    *keep*: the code is kept on disk and taken from there. Raises NotNative for a construct that is
    not lowered.
    """

    def __init__(self, machine: Machine, task: str, keep: bool = True) -> None:
        self.machine = machine
        self.memory = memory_of(machine, task)
        Memos(self.memory, machine.tables)
        self.shape = context.Shape(self.memory.players)
        entry = _compiled(machine, task, keep)
        self.ends: tuple[str, ...] = tuple(entry.facts["ends"])
        self.decides: tuple[bool, ...] = tuple(entry.facts["decides"])
        self.arena_size: int = entry.facts["arena"]
        self.context_size: int = entry.facts["context"]
        self.engine = _loaded(entry.code)
        self.played = facts.turns_played(machine.program)
        self.stack_size = self.memory.stack_size

    def function(self, name: str, result: Any, parameters: list[Any]) -> Callable[..., Any]:
        """A function of the code by its name; calling it holds no lock."""
        address = self.engine.get_function_address(name)
        found = ctypes.CFUNCTYPE(result, *parameters)(address)
        if self.stack_size <= context.SMALL_STACK:
            return found
        return partial(_on_a_large_stack, self.stack_size * STACKS, found)

    def can_hold(self, cells: Cells) -> bool:
        """Whether all that belongs to a state is kept here.

        Where no line of a description gives a piece to nobody, none is looked for; and nobody is
        expected to take a turn that an option shuts off.
        """
        layout = self.memory.layout
        nobodys = cells[layout.owners + self.memory.players]
        if layout.history is not None and len(cells[layout.history]) > MOST_REMEMBERED:
            return False
        if not self.machine.is_over(cells) and self.machine.step(cells).turn not in self.played:
            return False
        return self.memory.owners > self.memory.players or not nobodys

    @property
    def scratch(self) -> int:
        """Where in a context the counts of a tally end."""
        return counts_start(self.memory.players) + counts_size(self.machine.tally)

    def room(self, decisions: int = 1) -> NDArray[np.uint8]:
        """A context, with room for the lists of so many decisions."""
        history = MOST_REMEMBERED if self.memory.history is not None else 0
        room = context.room(self.context_size, decisions * self.arena_size, history)
        if self.stack_size > context.SMALL_STACK:
            context.write(room, context.BUDGET, self.stack_size * (STACKS - 1))
        return room

    def remember(self, room: NDArray[np.uint8], cells: Cells) -> None:
        """Put the earlier positions of a state beside a context."""
        slot = self.memory.layout.history
        if slot is None:
            return
        keys = np.array(cells[slot], np.uint64)
        self._keys(room)[: len(keys)] = keys

    def remembered(self, room: NDArray[np.uint8], block: NDArray[np.uint8]) -> tuple[int, ...]:
        """The earlier positions of a state, as the interpreter has them."""
        field = self.memory.history
        assert field is not None
        (count,) = context.read(block, field)
        return tuple(sorted(self._keys(room)[:count].tolist()))

    def _keys(self, room: NDArray[np.uint8]) -> NDArray[np.uint64]:
        first = -(-self.context_size // 64) * 64
        return room[first : first + 8 * MOST_REMEMBERED].view(np.uint64)

    def cells(self, room: NDArray[np.uint8], block: NDArray[np.uint8], like: Cells) -> Cells:
        """A state as the interpreter has it; what is no part of it is as in *like*."""
        cells = like[:]
        self.memory.unpack(block.tobytes(), cells)
        if self.memory.layout.history is not None:
            cells[self.memory.layout.history] = self.remembered(room, block)
        return cells

    def can_start(self, start: Cells) -> bool:
        """Whether games from a state can be played here: not over, and all its pieces kept."""
        return self.can_hold(start) and not self.machine.is_over(start)

    def counts(self, room: NDArray[np.uint8]) -> NDArray[np.int64]:
        """What was counted in games that were played with a context; nothing without a tally."""
        size = 0 if self.machine.tally is None else self.machine.tally.size
        start = counts_start(self.memory.players)
        return room[start : start + 8 * size].view(np.int64).copy()

    def block(self, cells: Cells) -> NDArray[np.uint8]:
        """A state as machine code has it."""
        block = context.aligned(self.memory.size)
        block[:] = np.frombuffer(self.memory.pack(cells), np.uint8)
        return block


_STACK_SIZES = Lock()


def _on_a_large_stack(size: int, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a thread with a stack of its own size."""
    found: list[Any] = []
    with _STACK_SIZES:
        before = stack_size(size)
        try:
            thread = Thread(target=lambda: found.append(function(*arguments)), daemon=True)
            thread.start()
        finally:
            stack_size(before)
    thread.join()
    return found[0]


def is_kept(machine: Machine, task: str) -> bool:
    """Whether the code of a program is at hand without compiling."""
    return cache.read(_cache_name(machine, task)) is not None


def _compiled(machine: Machine, task: str, keep: bool) -> cache.Entry:
    """The object code of a program, from the cache if it is there."""
    name = _cache_name(machine, task)
    found = cache.read(name) if keep else None
    if found is not None and {"ends", "decides", "arena", "context"} <= set(found.facts):
        return found
    lowered = Lowered(machine, bool(llvm.get_host_cpu_features().get("bmi2")), task)
    entry = cache.Entry(lowered.facts, _object_code(lowered.text()))
    if keep:
        cache.write(name, entry)
    return entry


def _cache_name(machine: Machine, task: str) -> str:
    """The name under which the code of a program for this processor is kept."""
    features = llvm.get_host_cpu_features().flatten()
    cpu = f"{target_machine().triple} {llvm.get_host_cpu_name()} {features}"
    counted = "" if machine.tally is None else "counted "
    return cache.key(machine.digest, f"{counted}{task} {cpu}")


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


__all__ = ["PERFT", "PLAYOUTS", "STEPPING", "TELLING", "Compiled", "Lowered", "is_kept"]
