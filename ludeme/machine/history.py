"""The positions that there were, as far as a rule asks for them."""

from __future__ import annotations

from bisect import insort

from ludeme.machine.expressions import Expressions
from ludeme.machine.keys import memory_key
from ludeme.machine.layout import Cells


class History:
    """Remembers positions."""

    def __init__(self, expressions: Expressions) -> None:
        self.layout = expressions.layout
        memories = self.layout.program.memories
        self.keys = [memory_key(self.layout, expressions.compile, m) for m in memories]

    def remember(self, c: Cells) -> None:
        """Note a position that was left, the mover being who left it."""
        slot = self.layout.history
        if slot is None:
            return
        known = list(c[slot])
        for key in self.keys:
            insort(known, key(c))
        c[slot] = tuple(known)

    def begin(self, c: Cells, mover: int) -> None:
        """Forget all and note the position in which play begins, as if *mover* had left it."""
        slot = self.layout.history
        if slot is None:
            return
        c[slot] = ()
        before, c[self.layout.mover] = c[self.layout.mover], mover
        self.remember(c)
        c[self.layout.mover] = before
