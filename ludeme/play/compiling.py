"""When machine code pays: once the interpreter has been at a task for as long as compiling takes.

So nothing takes much more than twice as long as it would if the better way were known at once, and
a question that the interpreter answers in a moment never waits for a compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import thread_time
from typing import TYPE_CHECKING, Generic, TypeVar

from ludeme.machine import Machine

if TYPE_CHECKING:
    from ludeme.native.counter import Counter
    from ludeme.native.teller import Teller

KEPT_PRICE = 0.1
"""CPU seconds to load what is needed to run code that is kept from before."""
PRICE = 0.5
"""The same, and to compile the rules of a game of middling size."""
CALL_PRICE = 1e-4
"""What a call of machine code costs, a state being taken to it and back."""

Code = TypeVar("Code")


class Compiling(Generic[Code]):
    """Machine code for one task of a game, compiled once it pays.

    *load* gives the code, or None for a description that is not compiled; *is_kept* tells whether
    it can do so without compiling.
    """

    def __init__(self, is_kept: Callable[[], bool], load: Callable[[], Code | None]) -> None:
        self._is_kept = is_kept
        self._load = load
        self._price: float | None = None
        self._spent = 0.0
        self._begun: float | None = None
        self._code: Code | None = None
        self._is_settled = False

    @contextmanager
    def working(self) -> Iterator[None]:
        """The interpreter is at the task; may be entered within itself."""
        if self._begun is not None or self._is_settled:
            yield
            return
        self._begun = thread_time()
        try:
            yield
        finally:
            # Where each call is answered in a moment, code would spare nothing.
            self._spent, self._begun = max(0.0, self.spent - CALL_PRICE), None

    @property
    def spent(self) -> float:
        """CPU seconds that the interpreter has taken so far, and code would have spared."""
        now = 0.0 if self._begun is None else max(0.0, thread_time() - self._begun)
        return self._spent + now

    @property
    def code(self) -> Code | None:
        """The code, if it is there or pays by now."""
        if not self._is_settled and self.spent >= KEPT_PRICE:
            if self._price is None:
                self._price = KEPT_PRICE if self._is_kept() else PRICE
            if self.spent >= self._price:
                self._code, self._is_settled = self._load(), True
        return self._code


def counting(machine: Machine) -> Compiling[Counter]:
    """Machine code for perft."""

    def load() -> Counter:
        from ludeme.native.counter import Counter

        return Counter(machine)

    return Compiling(lambda: _is_kept(machine, "perft"), lambda: _unless_refused(load))


def telling(machine: Machine) -> Compiling[Teller]:
    """Machine code for single moves."""

    def load() -> Teller:
        from ludeme.native.teller import Teller

        return Teller(machine)

    return Compiling(lambda: _is_kept(machine, "telling"), lambda: _unless_refused(load))


def _is_kept(machine: Machine, task: str) -> bool:
    """Whether the code for a task is at hand."""
    from ludeme.native.compiled import is_kept

    return is_kept(machine, task)


def _unless_refused(load: Callable[[], Code]) -> Code | None:
    """Compile, or None for a construct that is not lowered."""
    from ludeme.native.refusal import NotNative

    try:
        return load()
    except NotNative:
        return None
