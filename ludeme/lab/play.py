"""Games played for the lab, batch by batch: the one way to a table of `ludeme.lab.games`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from ludeme.game import Game
from ludeme.lab.games import Games, Setting, empty, merge, rows_of
from ludeme.lab.kinds import kinds_of_move
from ludeme.play.playout import TURN_LIMIT, end_names
from ludeme.play.workers import share_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludeme.lab.observe import Observer
    from ludeme.native.engine import Native

RANDOM = "random"


@attrs.frozen
class Plan:
    """All that a batch of games depends on, beside the numbers; it pickles as texts.

    *seats*: the player of each seat, as `ludeme.lab.players.read_players` gives them. *evaluator*:
    as `ludeme.lab.values.read_evaluator` gives it, or "". *detailed*: games are observed decision
    by decision. *engine*: `auto`, `native` or `python`; changes nothing but the time.
    """

    game: Game
    seed: int = 0
    turn_limit: int = TURN_LIMIT
    seats: tuple[str, ...] = ()
    evaluator: str = ""
    detailed: bool = False
    engine: str = "auto"

    @property
    def names(self) -> tuple[str, ...]:
        """The player of each seat."""
        return self.seats or (RANDOM,) * len(self.game.players)

    @property
    def is_quick(self) -> bool:
        """Whether the games are playouts, which machine code plays whole."""
        return not self.detailed and all(name == RANDOM for name in self.names)

    @property
    def setting(self) -> Setting:
        """What the table of such games is of."""
        game = self.game
        checked = game.program
        return Setting(
            game.record_name,
            game.title,
            game.digest,
            dict(game.options),
            self.seed,
            self.turn_limit,
            checked.players,
            end_names(checked),
            checked.kinds,
            checked.board.names,
            kinds_of_move(checked),
            self.names,
            self.evaluator,
            any(turn.together for turn in checked.turns.values()),
            any(turn.forms is not None for turn in game.machine.turns.values()),
        )


def play(plan: Plan, numbers: range) -> Games:
    """Play the games of these numbers, one after the other.

    It gives the same rows whatever else is played, where and when. A game in which the description
    goes wrong has the status FAULTY.
    """
    if plan.is_quick:
        played = plan.game.playouts(
            len(numbers),
            seed=plan.seed,
            first=numbers.start,
            turn_limit=plan.turn_limit,
            engine=plan.engine,
        )
        return rows_of(played, plan.setting)
    found = _observer(plan).games(numbers)
    return found if plan.detailed else found.rows()


@lru_cache(maxsize=4)
def _observer(plan: Plan) -> Observer:
    from ludeme.lab.observe import Observer

    return Observer(plan.game.machine, plan.setting, _native(plan.game, plan.engine))


@lru_cache(maxsize=8)
def _native(game: Game, engine: str) -> Native | None:
    """Machine code that counts moves and plays on from any state, if there can be."""
    if engine == "python":
        return None
    from ludeme.native.engine import Native
    from ludeme.native.refusal import NotNative

    try:
        return Native(game.machine, stepping=True)
    except NotNative:
        return None


def play_all(
    plan: Plan, numbers: range, jobs: int = 1, progress: Callable[[int], object] | None = None
) -> Games:
    """Play the games of these numbers on *jobs* processes; threads, where machine code plays them.

    *progress* is told how many have been played.
    """
    if plan.is_quick:
        played = plan.game.playouts(
            len(numbers),
            seed=plan.seed,
            first=numbers.start,
            turn_limit=plan.turn_limit,
            engine=plan.engine,
            jobs=jobs,
            progress=progress,
        )
        return rows_of(played, plan.setting)
    parts = batches(numbers, jobs)
    tables = (
        map(play, [plan] * len(parts), parts) if jobs == 1 else share_out(play, plan, parts, jobs)
    )
    found = [empty(plan.setting, plan.detailed)]
    for table in tables:
        found.append(table)
        if progress is not None:
            progress(sum(map(len, found)))
    return merge(found)


def batches(numbers: range, jobs: int) -> list[range]:
    """Numbers cut into batches, some for each process."""
    size = max(1, min(64, len(numbers) // (8 * jobs)))
    return [numbers[i : i + size] for i in range(0, len(numbers), size)]


__all__ = ["Plan", "batches", "play", "play_all"]
