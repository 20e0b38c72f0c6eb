"""How values are written in moves and positions."""

from __future__ import annotations

from ludeme.check.program import Program
from ludeme.kernel.types import Type
from ludeme.machine.bits import members


def label(program: Program, type_: Type, value: int) -> str:
    """A single value as text."""
    match type_.kind:
        case "site":
            return program.board.names[value]
        case "player":
            return program.players[value] if value < len(program.players) else "nobody"
        case "kind":
            return program.kinds[value] if value < len(program.kinds) else "none"
        case "direction":
            return program.board.directions[value]
        case "choice":
            return program.choices[type_.name][value]
        case "truth":
            return "true" if value else "false"
    return str(value)


def written(program: Program, type_: Type, value: int) -> str:
    """A value or a set of values as text; a set in order, parted by blanks."""
    if type_.kind == "set":
        assert type_.element is not None
        return " ".join(label(program, type_.element, member) for member in members(value))
    return label(program, type_, value)


def labels(program: Program, type_: Type) -> tuple[str, ...] | None:
    """All texts of a type; None for numbers."""
    match type_.kind:
        case "site":
            return program.board.names
        case "player":
            return (*program.players, "nobody")
        case "kind":
            return (*program.kinds, "none")
        case "direction":
            return program.board.directions
        case "choice":
            return program.choices[type_.name]
    return None
