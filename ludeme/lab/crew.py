"""Who plays the games of the lab, and where they are kept.

A crew plays numbered games in batches and hands them over as they get done, in any order; what a
game is depends on its number alone. `Playing` puts a crew and a folder together: what is in the
folder is not played again, and what is played is in the folder before anybody is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Protocol

import attrs
import numpy as np

from ludeme.game import Game
from ludeme.lab.games import FAULTY, Games, empty, merge
from ludeme.lab.play import Plan, batches, play, play_all
from ludeme.lab.store import Store
from ludeme.play.games import play_game
from ludeme.play.playout import end_names
from ludeme.play.results import Asked, Playouts
from ludeme.play.workers import share_out

Progress = Callable[[int], object]

SECONDS_A_BATCH = 1.0
FIRST_BATCH = 256
LARGEST_BATCH = 500_000
SECONDS_A_PART = 5.0
"""So long games are gathered before they are written to a file of the folder."""


class Crew(Protocol):
    """Plays numbered games."""

    def tables(self, plan: Plan, numbers: range) -> Iterator[Games]:
        """The games of these numbers, batch by batch as they get done, in any order."""


@attrs.frozen
class Processes:
    """So many processes of this machine; threads, where machine code plays whole games."""

    jobs: int = 1

    def tables(self, plan: Plan, numbers: range) -> Iterator[Games]:
        """As `Crew` says."""
        if plan.is_quick:
            yield from self._quick(plan, numbers)
            return
        parts = batches(numbers, self.jobs)
        if self.jobs == 1:
            yield from (play(plan, part) for part in parts)
        else:
            yield from share_out(play, plan, parts, self.jobs)

    def _quick(self, plan: Plan, numbers: range) -> Iterator[Games]:
        """Batches that grow until each takes about a second."""
        size = FIRST_BATCH
        while numbers:
            begun = monotonic()
            yield play_all(plan, numbers[:size], self.jobs)
            numbers = numbers[size:]
            if monotonic() - begun < SECONDS_A_BATCH:
                size = min(2 * size, LARGEST_BATCH)


@attrs.frozen
class Playing:
    """A crew, and a folder that keeps what it plays; without one, nothing is kept."""

    crew: Crew = Processes()
    folder: Path | None = None

    def play(
        self, plan: Plan, numbers: range, progress: Progress | None = None, label: str = ""
    ) -> Games:
        """The games of these numbers, those that are kept and the others.

        *label*: which part of the folder they belong into. *progress* is told how many there are,
        once they are safe. Raises StoreError if the folder cannot be used.
        """
        tell = progress or (lambda done: None)
        if self.folder is None:
            tables = [empty(plan.setting, plan.detailed)]
            for table in self.crew.tables(plan, numbers):
                tables.append(table)
                tell(sum(map(len, tables)))
            return merge(tables)
        folder = self.folder / _folder_name(label) if label else self.folder
        store = Store.open(folder, plan.setting, plan.detailed, plan.game.sources.texts)
        gaps = store.missing(numbers)
        done = len(numbers) - sum(map(len, gaps))
        tell(done)
        for gap in gaps:
            for table in _gathered(self.crew.tables(plan, gap)):
                store.add(table)
                done += len(table)
                tell(done)
        store.tidy()
        return store.games(numbers)


def _gathered(tables: Iterator[Games]) -> Iterator[Games]:
    """Tables put together until it is time to write; what came before an error is not lost."""
    waiting: list[Games] = []
    begun = monotonic()
    try:
        for table in tables:
            waiting.append(table)
            if monotonic() - begun >= SECONDS_A_PART:
                yield merge(waiting)
                waiting, begun = [], monotonic()
    except Exception:  # whatever it was, it goes on from here once the rest is written
        if waiting:
            yield merge(waiting)
        raise
    if waiting:
        yield merge(waiting)


def _folder_name(label: str) -> str:
    """A label as a name that every file system takes."""
    return re.sub(r"[^\w.=-]+", "-", label).strip("-.") or "games"


def playouts_of(games: Games, game: Game, engine: str, seconds: float = 0.0) -> Playouts:
    """Games that follow one another as `Game.playouts` gives them; *seconds*: what playing took.

    If some went wrong the first of them is played once more, to tell the fault.
    """
    setting, number = games.setting, games["number"]
    asked = Asked(
        setting.game,
        setting.title,
        setting.digest,
        dict(setting.options),
        setting.players,
        end_names(game.program),
        setting.seed,
        int(number[0]) if len(number) else 0,
        setting.turn_limit,
        engine,
        setting.joint,
        setting.estimated,
    )
    faulty = np.flatnonzero(games["status"] == FAULTY)
    fault, first_fault = None, int(number[faulty[0]]) if len(faulty) else None
    if first_fault is not None:
        limit = setting.turn_limit
        fault = play_game(game.machine, None, setting.seed, first_fault, limit, told=True).fault
    return Playouts(
        asked,
        games["status"],
        games["decisions"],
        games["end"],
        games["winner"],
        games["scores"],
        games["moves"],
        games["widths"],
        games["joint_widths"],
        fault,
        first_fault,
        seconds,
        0.0,
    )
