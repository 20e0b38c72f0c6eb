"""The lines of a position text, written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ludeme.check import value_text
from ludeme.check.program import Program, Variable
from ludeme.kernel.types import Type
from ludeme.machine import Cells, Machine, Result
from ludeme.machine.bits import members
from ludeme.machine.flow import Decide
from ludeme.machine.layout import VariableSlots, initial_value
from ludeme.machine.notation import written
from ludeme.view.pieces import Piece, Pile, piles
from ludeme.view.rounds import active_rounds

COUNTERS = {
    "turns": "turns taken",
    "skips": "skips in a row",
    "passes": "passes in a row",
    "passed": "passed last",
}
"""How a position calls the counters of a state; blanks keep them apart from declared names."""
EARLIER = "earlier positions"
"""Before the keys of the positions that there were."""


def write_lines(machine: Machine, cells: Cells) -> list[str]:
    """All lines of a position."""
    lines = [header_line(machine), place_line(machine, cells)]
    lines += [*pile_lines(machine, cells), *state_lines(machine, cells)]
    return [*lines, *history_lines(machine, cells)]


def header_line(machine: Machine) -> str:
    """The game and those of its options that differ from their defaults."""
    program = machine.program
    changed = [
        f"{option.name} = {value_text(option, option.value)}"
        for option in program.options
        if option.value != option.default
    ]
    options = f" ({', '.join(changed)})" if changed else ""
    return f"position of {plain_title(program)}{options}"


def plain_title(program: Program) -> str:
    """The title of a description as it can stand in a line: one blank at a time, no ``--``."""
    title = program.title
    while "--" in title:
        title = title.replace("--", "-")
    return " ".join(title.split())


# ---- who is to move


def place_line(machine: Machine, cells: Cells) -> str:
    """Who is to move in which turn, or how the game ended."""
    result = machine.result(cells)
    if result is not None:
        return f"game over: {outcome_text(machine.program, result)}"
    names = ", ".join(map(machine.decider_name, machine.deciders(cells)))
    return f"to move: {names}{step_text(machine, machine.step(cells))}"


def step_text(machine: Machine, step: Decide) -> str:
    """The turn of a step, with as much as tells it apart from other steps."""
    steps = [other for _, other in machine.flow.script.decisions()]
    if len(steps) == 1 and step.turn == "move":
        return ""
    text = f" in {step.turn}"
    if step.phase is not None:
        text += f", phase {step.phase}"
    same = [s for s in steps if s.turn == step.turn and step.phase in (None, s.phase)]
    return text if len(same) == 1 else f"{text}, step {step.number}"


def outcome_text(program: Program, result: Result) -> str:
    """How a game ended, with the scores if a ranking decided."""
    if result.winner is None:
        text = f"draw by {result.name}"
    else:
        text = f"{program.players[result.winner]} wins by {result.name}"
    if result.scores is not None:
        scores = zip(program.players, result.scores, strict=True)
        text += f" ({', '.join(f'{player} {score}' for player, score in scores)})"
    return text


# ---- pieces


def pile_lines(machine: Machine, cells: Cells) -> list[str]:
    """A line for each occupied site, in board order."""
    found = zip(machine.program.board.names, piles(machine.layout, cells), strict=True)
    return [pile_line(machine, name, pile) for name, pile in found if pile]


def pile_line(machine: Machine, name: str, pile: Pile, known: bool = True) -> str:
    """A site and the pieces on it, bottom first; their kinds if they are *known*."""
    return f"{name}: {', '.join(piece_text(machine, piece, known) for piece in pile)}"


def piece_text(machine: Machine, piece: Piece, known: bool = True) -> str:
    """Owner, kind and what is noted on a piece; the owner alone if it is not *known*."""
    program = machine.program
    text = program.kinds[piece.kind] if known else "?"
    if piece.owner < len(program.players):
        text = f"{program.players[piece.owner]} {text}"
    elif not program.neutral >> piece.kind & 1:
        text = f"nobody {text}"
    notes = list(_notes(machine, piece)) if known else []
    return f"{text} ({', '.join(notes)})" if notes else text


def _notes(machine: Machine, piece: Piece) -> Iterator[str]:
    for slots, note in zip(machine.layout.piece_variables, piece.notes, strict=True):
        variable = slots.variable
        if variable.is_flag:
            for layer in members(note):
                yield f"{variable.name}{_turns_left(variable, layer + 1, ' ')}"
        elif note != variable.initial:
            yield f"{variable.name} {value_words(machine.program, variable.type, note)}"


# ---- hands, variables, counters


def state_lines(machine: Machine, cells: Cells) -> list[str]:
    """Hands, variables and counters, as far as they differ from what they are at first."""
    lines = list(_hand_lines(machine, cells))
    for slots in machine.layout.variables.values():
        lines += _variable_lines(machine, cells, slots)
    lines += _counter_lines(machine, cells)
    return lines


def history_lines(machine: Machine, cells: Cells) -> Iterator[str]:
    """The positions that there were, unless this is the first."""
    slot = machine.layout.history
    if slot is None:
        return
    begun = cells[:]
    machine.begin_history(begun)
    if cells[slot] and cells[slot] != begun[slot]:
        yield f"{EARLIER}: {' '.join(f'k{key:016x}' for key in cells[slot])}"


def _hand_lines(machine: Machine, cells: Cells) -> Iterator[str]:
    program = machine.program
    if not any(program.hands):
        return
    kinds = len(program.kinds)
    for number, player in enumerate(program.players):
        first = machine.layout.hands + number * kinds
        held = cells[first : first + kinds]
        if tuple(held) != program.hands:
            parts = [f"{count} {program.kinds[k]}" for k, count in enumerate(held) if count]
            yield f"hand of {player}: {', '.join(parts) or 'nothing'}"


def _counter_lines(machine: Machine, cells: Cells) -> Iterator[str]:
    for name, slot in machine.layout.counters.items():
        if name == "passed":
            players = machine.program.players
            passed = [p for number, p in enumerate(players) if cells[slot + number]]
            if passed:
                yield f"{COUNTERS[name]}: {', '.join(passed)}"
        elif cells[slot]:
            yield f"{COUNTERS[name]}: {cells[slot]}"


def _variable_lines(machine: Machine, cells: Cells, slots: VariableSlots) -> Iterator[str]:
    variable = slots.variable
    if variable.planned:
        return
    if variable.is_flag:
        if variable.owner == "site":
            yield from _flag_lines(machine.program, cells, slots)
    elif variable.owner == "piece":
        yield from _piece_age_lines(machine, cells, slots)
    elif variable.owner == "player" and variable.index is not None:
        for number, player in enumerate(machine.program.players):
            yield from _indexed_lines(machine, cells, slots, number, f" of {player}")
    elif variable.owner == "player":
        yield from _player_lines(machine, cells, slots)
    elif variable.index is not None or variable.owner == "site":
        yield from _indexed_lines(machine, cells, slots, 0, "")
    else:
        yield from _game_line(machine, cells, slots)


def _flag_lines(program: Program, cells: Cells, slots: VariableSlots) -> Iterator[str]:
    for layer in range(slots.count):
        sites = " ".join(program.board.names[site] for site in members(cells[slots.first + layer]))
        if sites:
            yield f"{_named(slots.variable, layer + 1)}: {sites}"


def _piece_age_lines(machine: Machine, cells: Cells, slots: VariableSlots) -> Iterator[str]:
    if slots.ages is None:
        return
    age = cells[slots.ages]
    if age != likely_age(slots, cells[slots.first] != _first(machine, slots)):
        yield f"{_named(slots.variable, age, always=True)}:"


def likely_age(slots: VariableSlots, differs: bool) -> int:
    """The turns that a value has left if nothing is said, given whether it is not the first one."""
    return slots.variable.lasting or 0 if differs else 0


def _player_lines(machine: Machine, cells: Cells, slots: VariableSlots) -> Iterator[str]:
    variable = slots.variable
    entries: dict[str, list[str]] = {}
    for number, player in enumerate(machine.program.players):
        value, age = cells[slots.first + number], _age(cells, slots, number)
        if value != variable.initial or age:
            name = _named(variable, age, always=value == variable.initial)
            entries.setdefault(name, []).append(
                entry_text(machine.program, variable.type, player, value)
            )
    for name, parts in entries.items():
        yield f"{name}: {', '.join(parts)}"


def _indexed_lines(
    machine: Machine, cells: Cells, slots: VariableSlots, number: int, of: str
) -> Iterator[str]:
    """What the game or a player has for each site, player or kind; what each site has."""
    variable, program = slots.variable, machine.program
    age = _age(cells, slots, number)
    parts = [
        entry_text(program, variable.type, key, value)
        for key, value in zip(
            index_labels(program, variable), cells[slots.first + number], strict=True
        )
        if value != variable.initial
    ]
    if parts or age:
        name = _named(variable, age, of, always=not parts)
        yield f"{name}: {', '.join(parts)}".rstrip()


def _game_line(machine: Machine, cells: Cells, slots: VariableSlots) -> Iterator[str]:
    variable, value = slots.variable, cells[slots.first]
    age = _age(cells, slots, 0)
    if value != variable.initial or age or variable.name in active_rounds(machine, cells):
        name = _named(variable, age, always=value == variable.initial)
        yield f"{name}: {value_words(machine.program, variable.type, value)}"


def _age(cells: Cells, slots: VariableSlots, number: int) -> int:
    return int(cells[slots.ages + number]) if slots.ages is not None else 0


def _first(machine: Machine, slots: VariableSlots) -> Any:
    return initial_value(slots.variable, machine.program)


def _named(variable: Variable, turns: int, of: str = "", always: bool = False) -> str:
    """The name before the colon. *always*: tell the turns left unless they cannot be told."""
    return f"{variable.name}{of}{_turns_left(variable, turns, ', ', always)}"


def _turns_left(variable: Variable, turns: int, before: str, always: bool = False) -> str:
    lasting = variable.lasting
    if lasting is None or (turns == lasting and not always):
        return ""
    if turns == 0 and variable.owner != "piece":
        return ""
    return f"{before}{turns} {'turn' if turns == 1 else 'turns'} left"


# ---- values


def index_labels(program: Program, variable: Variable) -> tuple[str, ...]:
    """What stands before each value of a variable that has one for each of something."""
    if variable.owner in ("site", "piece") or variable.index == "site":
        return program.board.names
    if variable.index == "kind":
        return program.kinds
    return program.players


def entry_text(program: Program, type_: Type, key: str, value: int) -> str:
    """One value with what it belongs to; a truth that holds is the bare key."""
    if type_.kind == "truth" and value:
        return key
    return f"{key} {value_words(program, type_, value)}"


def value_words(program: Program, type_: Type, value: int) -> str:
    """A value as it stands in a position."""
    if type_.kind == "set" and not value:
        assert type_.element is not None
        return empty_word(lambda word: is_member(program, type_, word))
    return written(program, type_, value)


def is_member(program: Program, type_: Type, word: str) -> bool:
    """Whether a set of this type can have a member that is called *word*."""
    assert type_.element is not None
    if type_.element.kind == "choice":
        return word in program.choices[type_.element.name]
    return type_.element.kind == "site" and word in program.board.index


def empty_word(is_taken: Callable[[str], bool]) -> str:
    """How the empty set is written: by a word unless a member has that name."""
    return "{}" if is_taken("nothing") else "nothing"
