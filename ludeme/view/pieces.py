"""The pieces of a state as they stand on its sites."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ludeme.machine.bits import members
from ludeme.machine.layout import Cells, Layout, VariableSlots


@attrs.frozen
class Piece:
    """A piece. *owner*: the number of players if nobody's.

    *notes* is what is noted on it, one entry for each variable of pieces in declared order: of a
    flag the set of its layers that hold, else the value.
    """

    owner: int
    kind: int
    notes: tuple[int, ...] = ()


Pile = tuple[Piece, ...]


def piles(layout: Layout, cells: Cells) -> tuple[Pile, ...]:
    """The pieces on each site in board order, bottom first; () where there is none."""
    return tuple(pile_on(layout, cells, site) for site in range(len(layout.program.board.names)))


def pile_on(layout: Layout, cells: Cells, site: int) -> Pile:
    """The pieces on one site, bottom first."""
    owner = _holder(cells, layout.owners, len(layout.program.players) + 1, site)
    kind = _holder(cells, layout.kinds, len(layout.program.kinds), site)
    if owner is None or kind is None:
        return ()
    notes = tuple(_note(cells, slots, site) for slots in layout.piece_variables)
    below = cells[layout.buried][site] if layout.buried is not None else ()
    return (*(Piece(p[0], p[1], tuple(p[2:])) for p in below), Piece(owner, kind, notes))


def _holder(cells: Cells, first: int, count: int, site: int) -> int | None:
    return next((i for i in range(count) if cells[first + i] >> site & 1), None)


def _note(cells: Cells, slots: VariableSlots, site: int) -> int:
    if slots.variable.is_flag:
        layers = range(slots.count)
        return sum(1 << layer for layer in layers if cells[slots.first + layer] >> site & 1)
    return int(cells[slots.first][site])


def set_piles(layout: Layout, cells: Cells, found: Sequence[Pile]) -> None:
    """Put these pieces on the sites of *cells*, which have none yet."""
    for site, pile in enumerate(found):
        if pile:
            _set_top(layout, cells, site, pile[-1])
    if layout.buried is not None:
        cells[layout.buried] = tuple(
            tuple((piece.owner, piece.kind, *piece.notes) for piece in pile[:-1]) for pile in found
        )


def _set_top(layout: Layout, cells: Cells, site: int, piece: Piece) -> None:
    cells[layout.owners + piece.owner] |= 1 << site
    cells[layout.kinds + piece.kind] |= 1 << site
    for slots, note in zip(layout.piece_variables, piece.notes, strict=True):
        if slots.variable.is_flag:
            for layer in members(note):
                cells[slots.first + layer] |= 1 << site
        else:
            values = cells[slots.first]
            cells[slots.first] = (*values[:site], note, *values[site + 1 :])


def first_notes(layout: Layout) -> tuple[int, ...]:
    """What is noted on a new piece."""
    return tuple(
        0 if slots.variable.is_flag else slots.variable.initial for slots in layout.piece_variables
    )
