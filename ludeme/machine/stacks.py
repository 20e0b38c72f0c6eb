"""Single pieces and what lies below them: lifted off a site, set on top of it."""

from __future__ import annotations

from ludeme.diagnostics import Span, fault
from ludeme.machine.bits import members
from ludeme.machine.layout import Cells, VariableSlots
from ludeme.machine.writing import Piece, Writing


class Stacks(Writing):
    """What happens to single pieces."""

    def take(self, c: Cells, site: int) -> Piece:
        """Lift the top piece off a site: owner, kind, and what is noted on it."""
        layout = self.layout
        self.spend(self.lifting)
        bit = 1 << site
        owner = next(p for p in range(self.nobody + 1) if c[layout.owners + p] & bit)
        kind = next(k for k in range(len(self.program.kinds)) if c[layout.kinds + k] & bit)
        c[layout.owners + owner] &= ~bit
        c[layout.kinds + kind] &= ~bit
        notes = []
        for slots in layout.piece_variables:
            notes.append(self._unnote(c, slots, site))
        piece = (owner, kind, *notes)
        if layout.buried is not None:
            below = c[layout.buried][site]
            if below:
                self.set_buried(c, site, below[:-1])
                self.set_top(c, site, below[-1])
        return piece

    def _unnote(self, c: Cells, slots: VariableSlots, site: int) -> int:
        bit = 1 << site
        if slots.variable.is_flag:
            layers = 0
            for layer in range(slots.count):
                if c[slots.first + layer] & bit:
                    layers |= 1 << layer
                    c[slots.first + layer] &= ~bit
            return layers
        values = c[slots.first]
        initial = slots.variable.initial
        c[slots.first] = (*values[:site], initial, *values[site + 1 :])
        return int(values[site])

    def set_top(self, c: Cells, site: int, piece: Piece) -> None:
        """Show a piece on a site: its owner and kind, and what is noted on it."""
        layout = self.layout
        bit = 1 << site
        c[layout.owners + piece[0]] |= bit
        c[layout.kinds + piece[1]] |= bit
        for slots, note in zip(layout.piece_variables, piece[2:], strict=True):
            if slots.variable.is_flag:
                for layer in members(note):
                    c[slots.first + layer] |= bit
            else:
                values = c[slots.first]
                c[slots.first] = (*values[:site], note, *values[site + 1 :])

    def set_buried(self, c: Cells, site: int, pieces: tuple[Piece, ...]) -> None:
        """What lies below the top piece of a site."""
        assert self.layout.buried is not None
        piles = c[self.layout.buried]
        c[self.layout.buried] = (*piles[:site], pieces, *piles[site + 1 :])

    def is_occupied(self, c: Cells, site: int) -> bool:
        """Whether a piece stands on the site."""
        owners = self.layout.owners
        return any(c[owners + p] >> site & 1 for p in range(self.nobody + 1))

    def add_piece(self, c: Cells, site: int, piece: Piece, span: Span) -> None:
        """Put a piece on top of a site; a full site is a fault."""
        layout = self.layout
        self.spend(self.lifting)
        if self.is_occupied(c, site):
            if layout.buried is None:
                raise self.full(site, 1, span)
            below = c[layout.buried][site]
            if len(below) + 2 > self.program.stack_limit:
                raise self.full(site, len(below) + 1, span)
            top = self.peel(c, site)
            self.set_buried(c, site, (*below, top))
        self.set_top(c, site, piece)

    def peel(self, c: Cells, site: int) -> Piece:
        """Lift the top piece without what is below coming up."""
        assert self.layout.buried is not None
        below = c[self.layout.buried][site]
        self.set_buried(c, site, ())
        top = self.take(c, site)
        self.set_buried(c, site, below)
        return top

    def full(self, site: int, height: int, span: Span) -> Exception:
        """The fault of a site that holds no more pieces."""
        name = self.program.board.names[site]
        if self.program.stack_limit == 1:
            message = f"a piece was put on {name}, where one stands already"
            return fault("full-site", span, message, "remove what stands there first")
        message = f"a piece was put on {name}, where {height} stand already"
        return fault("full-site", span, message, "`stacks up to` says how many may stand on a site")

    def new_piece(self, owner: int, kind: int) -> Piece:
        """A piece with its first values noted on it."""
        notes = [
            0 if slots.variable.is_flag else slots.variable.initial
            for slots in self.layout.piece_variables
        ]
        return (owner, kind, *notes)
