"""What one player sees of a position."""

from __future__ import annotations

from ludeme.machine import Cells, Machine
from ludeme.machine.layout import clear_scratch, initial_value
from ludeme.view.pieces import piles
from ludeme.view.write import header_line, history_lines, pile_line, place_line, state_lines


def write_view(machine: Machine, cells: Cells, player: int) -> str:
    """The lines of a position that *player* may read, after the end of the game as before.

    Sites whose pieces are hidden look empty, a hidden kind is written ``?``, with nothing noted
    on the piece; hidden variables look as they are at first. Where something is hidden, earlier
    positions are as well. The number of players stands for one who is nobody and sees what is
    open to all.
    """
    pieces, kinds = seen_sites(machine, cells, player)
    shown = without_hidden(machine, cells, player)
    lines = [header_line(machine), place_line(machine, cells)]
    names = machine.program.board.names
    for site, pile in enumerate(piles(machine.layout, cells)):
        if pile and pieces >> site & 1:
            lines.append(pile_line(machine, names[site], pile, bool(kinds >> site & 1)))
    lines += state_lines(machine, shown)
    return "\n".join([*lines, *history_lines(machine, shown)])


def seen_sites(machine: Machine, cells: Cells, player: int) -> tuple[int, int]:
    """The sites where a player sees pieces, and where their kinds."""
    asked = cells[:]
    clear_scratch(machine.layout, asked)
    asked[machine.layout.mover] = player
    sight, everything = machine.program.sight, machine.program.board.everything
    found = [
        everything if part is None else machine.expressions.compile(part)(asked)
        for part in (sight.pieces, sight.kinds)
    ]
    return found[0], found[1]


def without_hidden(machine: Machine, cells: Cells, player: int) -> Cells:
    """A state in which what is hidden from a player is as at first."""
    layout = machine.layout
    shown = cells[:]
    hides = machine.program.sight.pieces is not None or machine.program.sight.kinds is not None
    for slots in layout.variables.values():
        variable = slots.variable
        if variable.seen not in ("owner", "none"):
            continue
        hides = True
        own = player if variable.seen == "owner" and variable.owner == "player" else None
        for number in range(slots.count):
            if number != own:
                shown[slots.first + number] = initial_value(variable, machine.program)
                if slots.ages is not None:
                    shown[slots.ages + number] = 0
    if hides and layout.history is not None:
        shown[layout.history] = ()
    return shown


__all__ = ["seen_sites", "without_hidden", "write_view"]
