"""Games played decision by decision, with all that the detailed measures need written down.

The interpreter plays and looks at the states. Machine code counts the legal moves, lists them for
random players where that pays, and plays the games of Monte Carlo players and evaluators, where it
can. Either way the figures are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import attrs
import numpy as np
from numpy.typing import NDArray

from ludeme.diagnostics import DescriptionFault
from ludeme.lab.games import COLUMNS, FAULTY, FINISHED, NONE, UNFINISHED, Games, Setting
from ludeme.lab.kinds import KindsOfMove
from ludeme.lab.players import seat_players
from ludeme.lab.values import evaluator_of, standing
from ludeme.machine import Cells, Machine, Stream
from ludeme.machine.random import mix

if TYPE_CHECKING:
    from ludeme.native.engine import Native

MOST_COUNTED = 1 << 62
"""More legal moves than that are written down as unknown."""


class Observer:
    """Plays and observes games of one setting."""

    def __init__(self, machine: Machine, setting: Setting, native: Native | None) -> None:
        self.machine = machine
        self.setting = setting
        self.kinds = KindsOfMove(machine)
        self.stepper = native.stepper() if native is not None else None
        limit = setting.turn_limit
        self.players = seat_players(machine, setting.seats, native, limit)
        self.evaluator = evaluator_of(machine, setting.evaluator, native, limit)

    def games(self, numbers: Sequence[int]) -> Games:
        """The games of these numbers, which have to ascend."""
        observed = [self.game(number) for number in numbers]
        columns = {}
        for column in COLUMNS.values():
            shape = tuple(self.setting.sizes[axis] for axis in column.shape)
            found = [getattr(game, column.name) for game in observed]
            if column.entries == "game":
                array = np.array(found, column.type).reshape(len(found), *shape)
            else:
                entries = [entry for game in found for entry in game]
                array = np.array(entries, column.type).reshape(len(entries), *shape)
            columns[column.name] = array
        return Games(self.setting, columns)

    def game(self, number: int) -> Observed:
        """One game."""
        seen = _Seen(self, number)
        try:
            seen.play()
        except DescriptionFault:
            seen.note.status = FAULTY
        seen.note.held = seen.times_held()
        return seen.note

    def count(self, cells: Cells, player: int) -> int:
        """How many moves are legal; NONE if that cannot be told."""
        if self.stepper is not None:
            self.stepper.begin(cells, 0, 0)
            found = self.stepper.count(player)
            if found is not None:
                return found
        try:
            found = self.machine.count(cells, player)
        except DescriptionFault:  # too many to be listed
            return NONE
        return found if found < MOST_COUNTED else NONE


@attrs.define(eq=False)
class Observed:
    """The columns of one game."""

    number: int
    blank: tuple[float, ...]
    status: int = UNFINISHED
    held: NDArray[np.int32] | None = None
    decisions: int = 0
    end: int = NONE
    winner: int = NONE
    scores: tuple[float, ...] = ()
    widths: float = 0.0
    joint_widths: float = 0.0
    pictures: int = 0
    situations: int = 0
    mover: list[int] = attrs.Factory(list)
    decision: list[int] = attrs.Factory(list)
    kind: list[int] = attrs.Factory(list)
    width: list[int] = attrs.Factory(list)
    occupied: list[int] = attrs.Factory(list)
    score: list[tuple[float, ...]] = attrs.Factory(list)
    value: list[tuple[float, ...]] = attrs.Factory(list)

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return len(self.mover)


class _Seen:
    """A game in progress."""

    def __init__(self, observer: Observer, number: int) -> None:
        self.observer = observer
        self.machine = observer.machine
        self.layout = observer.machine.layout
        setting = observer.setting
        players = len(setting.players)
        self.nobody = players
        rolled = sum(turn.chance for turn in self.machine.program.turns.values())
        self.streams = [Stream(setting.seed, number, source) for source in range(players + rolled)]
        self.held: list[list[int]] = []
        blank = (float("nan"),) * players
        self.note = Observed(number, blank, scores=blank)
        self.seed = mix(setting.seed ^ mix(number))
        hands = self.machine.program.hands
        self.pictured = self.layout.hands + (players * len(hands) if any(hands) else 0)
        self.pictures: set[object] = set()
        self.situations: set[object] = set()

    def play(self) -> None:
        """To the end, the limit or a fault."""
        machine, note = self.machine, self.note
        cells = machine.start()
        self.look(cells)
        while not machine.is_over(cells):
            if note.decisions >= self.observer.setting.turn_limit:
                return
            cells = self.decide(cells)
            self.look(cells)
        result = machine.result(cells)
        assert result is not None
        note.status = FINISHED
        note.end = self.observer.setting.ends.index(result.name)
        note.winner = NONE if result.winner is None else result.winner
        if result.scores is not None:
            note.scores = tuple(map(float, result.scores))

    def decide(self, cells: Cells) -> Cells:
        """Take a decision; nothing is written down if that goes wrong."""
        observer, machine, note = self.observer, self.machine, self.note
        if machine.is_chance(cells):
            return self.chance(cells)
        deciders = machine.deciders(cells)
        widths = [observer.count(cells, player) for player in deciders]
        ends = [observer.players[p].choose(cells, p, self.streams) for p in deciders]
        kinds = [
            observer.kinds.of(cells, player, machine.text(cells, end))
            for player, end in zip(deciders, ends, strict=True)
        ]
        after = machine.play(cells, ends)
        note.mover += deciders
        note.decision += [note.decisions] * len(deciders)
        note.kind += kinds
        note.width += widths
        note.decisions += 1
        known = NONE not in widths
        note.widths += float(sum(widths)) if known else float("nan")
        note.joint_widths += float(prod(widths)) if known else float("nan")
        return after

    def chance(self, cells: Cells) -> Cells:
        """A decision of chance, which is nobody's move."""
        (decider,) = self.machine.deciders(cells)
        stream = self.streams[self.machine.source(cells, decider)]
        end, _ = self.machine.draw(cells, decider, stream)
        after = self.machine.play(cells, [end])
        self.note.decisions += 1
        self.note.joint_widths += 1.0
        return after

    def look(self, cells: Cells) -> None:
        """Write down a state."""
        note, layout = self.note, self.layout
        owners = cells[layout.owners : layout.owners + self.nobody + 1]
        kinds = cells[layout.kinds : layout.kinds + len(self.observer.setting.kinds)]
        self.held.append([theirs & those for theirs in owners for those in kinds])
        note.occupied.append(sum(theirs.bit_count() for theirs in owners))
        self.count_states(cells)
        scores = standing(self.machine, cells)
        note.score.append(tuple(map(float, scores)) if scores is not None else note.blank)
        evaluator = self.observer.evaluator
        seed = mix(self.seed + len(note.occupied) & (1 << 64) - 1)
        note.value.append(evaluator.value(cells, seed) if evaluator else note.blank)

    def times_held(self) -> NDArray[np.int32]:
        """In how many states each owner and kind held each site."""
        sizes = self.observer.setting.sizes
        shape = (sizes["owners"], sizes["kinds"], sizes["sites"])
        size = (sizes["sites"] + 7) // 8
        data = b"".join(mask.to_bytes(size, "little") for masks in self.held for mask in masks)
        packed = np.frombuffer(data, np.uint8).reshape(len(self.held), *shape[:2], size)
        bits = np.unpackbits(packed, axis=-1, count=shape[2], bitorder="little")
        times: NDArray[np.int32] = bits.sum(axis=0, dtype=np.int32)
        return times

    def count_states(self, cells: Cells) -> None:
        """Note what is on the board and in the hands, and who is to move."""
        layout = self.layout
        picture = tuple(cells[: self.pictured])
        self.pictures.add(picture)
        self.situations.add((picture, cells[layout.step], cells[layout.decider]))
        self.note.pictures = len(self.pictures)
        self.note.situations = len(self.situations)
