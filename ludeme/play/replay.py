"""Games that were written down, played again and compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ludeme.diagnostics import DescriptionFault, Diagnostic, Note, Span
from ludeme.machine import Cells, Machine
from ludeme.machine.why import reasons
from ludeme.play.compiling import Compiling
from ludeme.play.records import Record, outcome_fields

if TYPE_CHECKING:
    from ludeme.native.teller import Teller


def differing_meaning(record: Record, name: str, digest: str) -> Diagnostic | None:
    """What to say if a record is not of the description called *name* with this digest."""
    if record.digest == digest:
        return None
    if record.game != name:
        message = f"this game is of `{record.game}`, not of `{name}`"
    else:
        message = f"this game is of another version of `{record.game}`: its rules have changed"
    notes = f"the record has digest {record.digest[:32]}, the description {digest}"
    return Diagnostic("digest", record.place_of(record.digest), message, (), notes)


def replay(
    machine: Machine, start: Cells, record: Record, telling: Compiling[Teller] | None = None
) -> Diagnostic | None:
    """Play a recorded game move by move; what differs first, or None.

    *telling*: what may play in place of the interpreter.
    """
    if telling is None:
        return _follow(machine, start, record, 0)
    if telling.code is None:
        with telling.working():
            return _follow(machine, start, record, 0)
    decisions = [_parts(decision) for decision in record.decisions]
    cells, done = telling.code.follow(start, decisions)
    # What machine code cannot play is a matter for the interpreter, which says what it is.
    return _follow(machine, cells, record, done)


def _parts(decision: str) -> list[str]:
    """The move of each decider."""
    return [part.strip() for part in decision.split("|")]


def _follow(machine: Machine, cells: Cells, record: Record, first: int) -> Diagnostic | None:
    """Play the decisions of a record from number *first* on."""
    for index, decision in enumerate(record.decisions[first:], first):
        told = _Told(record, index, decision)
        if machine.is_over(cells):
            return told.differs("the game is over before it")
        try:
            after = _play(machine, cells, decision, told)
        except DescriptionFault as error:
            found = error.diagnostic
            return told.differs(found.message, [Note(found.span, "the fault is here")])
        if isinstance(after, Diagnostic):
            return after
        cells = after
    return _compare_outcomes(machine, cells, record)


def _play(machine: Machine, cells: Cells, decision: str, told: _Told) -> Cells | Diagnostic:
    deciders = machine.deciders(cells)
    parts = _parts(decision)
    names = " and ".join(map(machine.decider_name, deciders))
    if len(parts) != len(deciders):
        moves = f"{len(parts)} moves" if len(parts) > 1 else "one move"
        return told.differs(f"{moves} where {names} decide{'s' if len(deciders) == 1 else ''}")
    ends = []
    for player, text in zip(deciders, parts, strict=True):
        end = machine.find(cells, player, text)
        if end is None:
            notes = [
                Note(reason.span, reason.message)
                for reason in reasons(machine.turn(cells), cells, player, text)
            ]
            name = machine.decider_name(player)
            return told.differs(f"`{text}` is not legal for {name}", notes)
        ends.append(end)
    return machine.play(cells, ends)


def _compare_outcomes(machine: Machine, cells: Cells, record: Record) -> Diagnostic | None:
    found = outcome_fields(machine.program.players, machine.result(cells))
    if found == record.outcome:
        return None
    message = (
        f"game {record.number} ends otherwise: {_in_words(found)},"
        f" and the record says: {_in_words(record.outcome)}"
    )
    return Diagnostic("replay", record.place_of("outcome"), message)


def _in_words(outcome: Mapping[str, Any] | None) -> str:
    if outcome is None:
        return "it is not over"
    winner, reason = outcome["winner"], outcome["reason"]
    text = f"{winner} wins by {reason}" if winner is not None else f"a draw by {reason}"
    for name in ("scores", "ranks"):
        if outcome[name] is not None:
            text += f", {name} " + " ".join(f"{p} {n}" for p, n in outcome[name].items())
    return text


class _Told:
    """Which decision of which record is looked at."""

    def __init__(self, record: Record, index: int, decision: str) -> None:
        self.record = record
        self.index = index
        self.decision = decision

    def span(self) -> Span:
        """Where the decision stands in its line: behind as many others that are written alike."""
        line = self.record.span
        before = [json.dumps(text, ensure_ascii=False) for text in self.record.decisions]
        at = line.text.find('"decisions"')
        for text in before[: self.index + 1]:
            at = line.text.find(text, at + 1)
            if at < 0:
                return Span(line.source, line.start, line.start + 1)
        return Span(line.source, line.start + at, line.start + at + len(before[self.index]))

    def differs(self, why: str, notes: Sequence[Note] = ()) -> Diagnostic:
        """A message on this decision."""
        message = (
            f"game {self.record.number} cannot be played again:"
            f" decision {self.index + 1}, `{self.decision}`: {why}"
        )
        return Diagnostic("replay", self.span(), message, tuple(notes))
