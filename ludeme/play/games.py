"""One random game."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Literal, Protocol

import attrs

from ludeme.diagnostics import DescriptionFault
from ludeme.machine import Cells, Machine, Result, Stream

Status = Literal["finished", "unfinished", "faulty"]


class Playable(Protocol):
    """What playouts and records ask of a game; `ludeme.Game` gives it, and it pickles."""

    @property
    def record_name(self) -> str:
        """The name of a shipped game, or the file name without its folder."""

    @property
    def digest(self) -> str:
        """A digest of the meaning, options included."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The value of each option."""

    @property
    def machine(self) -> Machine:
        """What plays it."""


@attrs.frozen
class Played:
    """What became of a random game.

    *moves*: one for each player deciding in each decision, so none of chance. *widths*: the sum
    over the moves of an unbiased estimate of how many were legal; *joint_widths*: the sum over the
    decisions of the product of those of the deciders. *texts*: the decisions, if they were asked
    for or the game is faulty.
    """

    number: int
    status: Status
    decisions: int
    moves: int
    widths: int
    joint_widths: int
    result: Result | None
    fault: DescriptionFault | None
    texts: tuple[str, ...] | None


def play_game(
    machine: Machine,
    start: Cells | None,
    seed: int,
    number: int,
    turn_limit: int,
    told: bool = False,
) -> Played:
    """Play game *number* of *seed* at random, from *start* or from the first state.

    Each decider draws from a stream of their own, keyed by seed, game number and player, so the
    game depends on nothing else. It stops as unfinished after *turn_limit* decisions. With *told*
    the texts of the decisions are kept. A fault is told with the decisions that led to it.
    """
    game = _Running(machine, seed, number, told)
    try:
        status = game.run(machine.start() if start is None else start, turn_limit)
    except DescriptionFault as error:
        if not told:
            return play_game(machine, start, seed, number, turn_limit, True)
        return game.played("faulty", error.after("; ".join(game.texts)))
    return game.played(status)


class _Running:
    def __init__(self, machine: Machine, seed: int, number: int, told: bool) -> None:
        self.machine = machine
        self.number = number
        self.told = told
        rolled = sum(turn.chance for turn in machine.program.turns.values())
        sources = range(len(machine.program.players) + rolled)
        self.streams = [Stream(seed, number, source) for source in sources]
        self.decisions = self.moves = 0
        self.widths = self.joint_widths = 0
        self.result: Result | None = None
        self.texts: list[str] = []

    def run(self, cells: Cells, turn_limit: int) -> Status:
        machine = self.machine
        while not machine.is_over(cells):
            if self.decisions >= turn_limit:
                return "unfinished"
            cells = self.decide(cells)
        self.result = machine.result(cells)
        return "finished"

    def decide(self, cells: Cells) -> Cells:
        """Draw a decision and carry it out; nothing is counted if that goes wrong."""
        machine = self.machine
        drawn = [
            machine.draw(cells, player, self.streams[machine.source(cells, player)])
            for player in machine.deciders(cells)
        ]
        ends = [end for end, _ in drawn]
        widths = [width for _, width in drawn]
        after = machine.play(cells, ends)
        self.decisions += 1
        self.joint_widths += prod(widths)  # 1 where chance decides
        if not machine.is_chance(cells):
            self.moves += len(ends)
            self.widths += sum(widths)
        if self.told:
            self.texts.append(" | ".join(machine.text(cells, end) for end in ends))
        return after

    def played(self, status: Status, fault: DescriptionFault | None = None) -> Played:
        return Played(
            self.number,
            status,
            self.decisions,
            self.moves,
            self.widths,
            self.joint_widths,
            self.result,
            fault,
            tuple(self.texts) if self.told else None,
        )
