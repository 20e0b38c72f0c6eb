"""Looks into a state: what stands where, the values of variables, the values of definitions.

The one place where tests reach behind the public face; everything here is by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludeme import State

Piece = tuple[str, str]
"""Owner and kind by name."""


def members(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    return (bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def sites(state: State, mask: int) -> list[str]:
    """The names of the sites of a set."""
    return [state.game.program.board.names[site] for site in members(mask)]


def board(state: State) -> dict[str, tuple[Piece, ...]]:
    """The stack on each occupied site, bottom first."""
    program, layout, cells = state.game.program, state.game.machine.layout, state.cells
    owners = (*program.players, "nobody")
    found: dict[str, tuple[Piece, ...]] = {}
    for site, name in enumerate(program.board.names):
        tops = [owner for i, owner in enumerate(owners) if cells[layout.owners + i] >> site & 1]
        kinds = [k for i, k in enumerate(program.kinds) if cells[layout.kinds + i] >> site & 1]
        below = cells[layout.buried][site] if layout.buried is not None else ()
        assert len(tops) == len(kinds) <= 1, (name, tops, kinds)
        assert tops or not below, (name, below)
        if tops:
            buried = [(owners[piece[0]], program.kinds[piece[1]]) for piece in below]
            found[name] = (*buried, (tops[0], kinds[0]))
    return found


def flagged(state: State, flag: str) -> list[str]:
    """The sites where a flag is set."""
    slots = state.game.machine.layout.variables[flag]
    mask = 0
    for slot in range(slots.first, slots.first + slots.count):
        mask |= state.cells[slot]
    return sites(state, mask)


def value(state: State, variable: str) -> object:
    """What a variable of the game holds."""
    return state.cells[state.game.machine.layout.variables[variable].first]


def values(state: State, variable: str) -> list[object]:
    """What a variable of each player holds, in player order."""
    slots = state.game.machine.layout.variables[variable]
    return list(state.cells[slots.first : slots.first + slots.count])


def hands(state: State) -> dict[str, dict[str, int]]:
    """How many of each kind each player has in hand."""
    program, layout = state.game.program, state.game.machine.layout
    found = {}
    for number, player in enumerate(program.players):
        first = layout.hands + number * len(program.kinds)
        found[player] = dict(zip(program.kinds, state.cells[first:], strict=False))
    return found


def defined(state: State, name: str, *arguments: int) -> object:
    """The value of a definition of the description; arguments are numbers of sites and so on."""
    machine = state.game.machine
    (function,) = (f for f in state.game.program.functions if f.name == name)
    cells = state.cells[:]
    for parameter, argument in zip(function.parameters, arguments, strict=True):
        cells[machine.expressions.slot(parameter)] = argument
    return machine.expressions.function(function)(cells)


def counter(state: State, name: str) -> object:
    """A counter of the flow: turns, skips or passes."""
    return state.cells[state.game.machine.layout.counters[name]]
