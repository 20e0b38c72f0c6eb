"""Games on both engines at once, compared at every decision."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from ludeme.diagnostics import DescriptionFault
from ludeme.game import Game, load_text
from ludeme.machine import Cells, Machine, Stream, meter
from ludeme.native.engine import Native
from ludeme.native.stepping import Stepped, Stepper
from ludeme.play.games import Played, play_game

EXACT = 2.0**53
"""Up to here sums of widths are exact in both engines; beyond, one rounds once and one often."""


class DisagreementError(AssertionError):
    """The engines differ: where, and the two answers."""


@attrs.frozen
class Where:
    """A place in the games of a description, as a message shows it."""

    game: Game
    seed: int
    number: int
    decision: int

    def differ(self, what: str, expected: object, actual: object) -> DisagreementError:
        """The engines differ in something; *expected* is what the interpreter says."""
        text = self.game.sources.texts[self.game.name]
        return DisagreementError(
            f"{what} differs at decision {self.decision} of game {self.number}, seed {self.seed},"
            f" options {self.game.options}\n  interpreter: {expected}\n  native: {actual}\n{text}"
        )


@contextmanager
def fewer_steps(steps: int) -> Iterator[None]:
    """Let the interpreter, and what is compiled meanwhile, give up sooner."""
    before, meter.MOST_STEPS = meter.MOST_STEPS, steps
    try:
        yield
    finally:
        meter.MOST_STEPS = before


def all_streams(machine: Machine, seed: int, number: int) -> list[Stream]:
    """The stream of every player, and of every turn of chance."""
    rolled = sum(turn.chance for turn in machine.program.turns.values())
    sources = range(len(machine.program.players) + rolled)
    return [Stream(seed, number, source) for source in sources]


class Pair:
    """One description on both engines. *met* counts what the games came to."""

    def __init__(self, game: Game, counting: bool = True) -> None:
        self.game = game
        self.machine: Machine = game.machine
        self.native = Native(game.machine, keep=False, stepping=True)
        self.stepper: Stepper = self.native.stepper()
        self.counting = counting
        self.met: Counter[str] = Counter()

    def run(self, seed: int, games: int, decisions: int) -> None:
        """Play games number 0 to *games* - 1 of a seed; raises DisagreementError."""
        try:
            start = self.machine.start()
        except DescriptionFault:
            self.met["faulty start"] += 1
            return
        if not self.native.can_start(start):
            self.met["over at once"] += 1
            return
        played = [self.one(start, seed, number, decisions) for number in range(games)]
        self.compare_playouts(start, seed, decisions, played)

    # ---- decision by decision

    def one(self, start: Cells, seed: int, number: int, decisions: int) -> Played:
        """One game in lock step; what the interpreter alone says of it."""
        cells = start
        self.stepper.begin(start, seed, number)
        streams = all_streams(self.machine, seed, number)
        self.compare_cells(Where(self.game, seed, number, 0), cells)
        for decision in range(1, decisions + 1):
            where = Where(self.game, seed, number, decision)
            if self.counting:
                self.compare_counts(where, cells)
            following = self.decide(where, cells, streams)
            if following is None:
                break
            cells = following
            if self.machine.is_over(cells):
                break
        return play_game(self.machine, start, seed, number, decisions)

    def compare_counts(self, where: Where, cells: Cells) -> None:
        """The number of legal moves of every decider."""
        for player in self.machine.deciders(cells):
            try:
                expected: int | None = self.machine.turn(cells).count(cells, player)
            except DescriptionFault as error:
                expected = None
                self.met[f"count {error.diagnostic.code}"] += 1
            actual = self.stepper.count(player)
            if actual is None and expected is not None:
                self.met["unconfirmed count"] += 1
            elif expected != actual:
                raise where.differ(f"the number of moves of player {player}", expected, actual)

    def decide(self, where: Where, cells: Cells, streams: list[Stream]) -> Cells | None:
        """Take a decision on both engines; None if it goes wrong on either."""
        machine = self.machine
        after: Cells | None = None
        drawn: list[tuple[Cells, int]] = []
        fault = None
        try:
            drawn = [
                machine.draw(cells, p, streams[machine.source(cells, p)])
                for p in machine.deciders(cells)
            ]
            after = machine.play(cells, [end for end, _ in drawn])
        except DescriptionFault as error:
            fault = error.diagnostic.code
            self.met[fault] += 1
        stepped = self.stepper.step()
        if fault is not None:
            if not stepped.faulty:
                raise where.differ("the fault", fault, stepped)
            return None
        if stepped.faulty:
            self.met["unconfirmed"] += 1
            return None
        assert after is not None
        self.met["decisions"] += 1
        self.compare_cells(where, after)
        widths = [width for _, width in drawn]
        self.compare_draw(where, streams, widths, machine.is_chance(cells), stepped)
        if machine.is_over(after):
            self.compare_end(where, after, stepped)
        return after

    def compare_cells(self, where: Where, cells: Cells) -> None:
        """Everything that makes states equal, and the key."""
        found = self.stepper.cells(cells)
        result = self.machine.layout.result
        found[result] = cells[result]
        expected, actual = self.machine.values(cells), self.machine.values(found)
        if expected != actual:
            pairs = enumerate(zip(expected, actual, strict=True))
            wrong = {slot: pair for slot, pair in pairs if pair[0] != pair[1]}
            raise where.differ(
                f"the state in slots {sorted(wrong)}", *zip(*wrong.values(), strict=True)
            )
        if self.machine.key(cells) != self.machine.key(found):
            raise where.differ("the key", self.machine.key(cells), self.machine.key(found))

    def compare_draw(
        self,
        where: Where,
        streams: list[Stream],
        widths: list[int],
        chance: bool,
        stepped: Stepped,
    ) -> None:
        """What was drawn: the streams stand alike, and the estimates are the same."""
        expected = [stream.state for stream in streams]
        actual = [int(state) for state in self.stepper.streams]
        if expected != actual:
            raise where.differ("the streams", expected, actual)
        if chance:
            widths = []
        whole = float(sum(widths)), float(math.prod(widths)), len(widths)
        found = stepped.widths, stepped.joint_widths, stepped.moves
        if not all(map(alike, whole, found)):
            raise where.differ("the widths and moves", whole, found)

    def compare_end(self, where: Where, cells: Cells, stepped: Stepped) -> None:
        """How the game ended: its end, winner, scores and ranks."""
        result = self.machine.result(cells)
        assert result is not None
        players = len(self.game.players)
        expected = result.name, result.winner, result.scores, result.ranks
        decides = self.native.decides[stepped.end]
        actual = (
            self.native.ends[stepped.end],
            None if stepped.winner == players else stepped.winner,
            stepped.scores if decides else None,
            stepped.ranks if decides else None,
        )
        if expected != actual:
            raise where.differ("the outcome", expected, actual)
        self.met["finished"] += 1

    # ---- whole games

    def compare_playouts(
        self, start: Cells, seed: int, decisions: int, played: list[Played]
    ) -> None:
        """The loop over games says the same of whole games."""
        batch = self.native.playouts(start, seed, 0, len(played), decisions)
        for number, game in enumerate(played):
            where = Where(self.game, seed, number, game.decisions)
            status = ("finished", "unfinished", "faulty")[batch.status[number]]
            if status == "faulty" != game.status:
                self.met["unconfirmed game"] += 1
                continue
            self.met["games"] += 1
            if game.status != status:
                raise where.differ("the status", game.status, status)
            if status == "faulty":
                continue
            expected = game.decisions, game.moves
            actual = int(batch.decisions[number]), int(batch.moves[number])
            if expected != actual:
                raise where.differ("the numbers of decisions and moves", expected, actual)
            for mine, other in (
                (game.widths, batch.widths[number]),
                (game.joint_widths, batch.joint_widths[number]),
            ):
                if not alike(float(mine), float(other)):
                    raise where.differ("the widths", mine, other)
            if game.result is not None:
                name = self.native.ends[batch.end[number]]
                if name != game.result.name:
                    raise where.differ("the end", game.result.name, name)


def alike(expected: float, actual: float) -> bool:
    """Whether two sums are the same, rounding beyond what a double holds left aside."""
    if abs(expected) <= EXACT:
        return expected == actual
    return math.isclose(expected, actual, rel_tol=1e-12)


def compare_text(
    text: str, seed: int = 1, games: int = 3, decisions: int = 30, counting: bool = True
) -> Counter[str]:
    """Compare games of a description given as text; what they came to."""
    pair = Pair(load_text(text), counting)
    pair.run(seed, games, decisions)
    return pair.met


__all__ = ["DisagreementError", "Pair", "all_streams", "compare_text", "fewer_steps"]
