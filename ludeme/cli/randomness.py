"""Commands about whole games: playout, replay."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO

import click

from ludeme.cli.arguments import (
    Options,
    begin,
    file_argument,
    from_option,
    json_option,
    load_game,
    options_option,
)
from ludeme.cli.messages import FAILED, Refused, print_json
from ludeme.cli.running import (
    cluster_option,
    engine_option,
    games_option,
    jobs_option,
    playing,
    seed_option,
    show_progress,
    store_option,
    tell_fault,
    turn_limit_option,
)

if TYPE_CHECKING:
    from ludeme.cli.replaying import Counts
    from ludeme.lab.play import Plan
    from ludeme.play.results import Playouts


@click.command()
@file_argument
@options_option
@from_option
@games_option
@seed_option
@jobs_option
@engine_option
@turn_limit_option
@click.option("--save", metavar="FILE", help="Write the games down, for `replay`.")
@store_option
@cluster_option
@json_option
def playout(
    file: str,
    options: Options,
    position: str | None,
    games: int,
    seed: int,
    jobs: int,
    engine: str,
    turn_limit: int,
    save: str | None,
    store: str | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play random games and print what came of them."""
    game = load_game(file, options)
    if store is not None or cluster is not None:
        if position is not None or save is not None:
            raise Refused("--store and --cluster cannot be combined with --from or --save")
        from ludeme.lab.play import Plan

        plan = Plan(game, seed, turn_limit, engine=engine)
        _tell(_play_at_large(plan, games, jobs, cluster, store), as_json)
        return
    start = begin(game, position) if position is not None else None
    if save is not None and _is_same_file(save, file):
        raise Refused(f"`{save}` is the description itself: save the games elsewhere")
    with show_progress(games) as progress, _save_refused(save):
        played = game.playouts(
            games,
            seed=seed,
            start=start,
            jobs=jobs,
            engine=engine,
            turn_limit=turn_limit,
            save=save,
            progress=progress,
        )
    _tell(played, as_json)


def _play_at_large(
    plan: Plan, games: int, jobs: int, cluster: str | None, store: str | None
) -> Playouts:
    """Play games on a cluster, or keep them in a folder, or both."""
    from ludeme.lab.crew import playouts_of

    begun = monotonic()
    with playing(jobs, cluster, store) as crew, show_progress(games, store is not None) as progress:
        found = crew.play(plan, range(games), progress)
        # What was kept took no time now, so that there is no speed to tell.
        seconds = monotonic() - begun if store is None else 0.0
        return playouts_of(found, plan.game, plan.engine, seconds)


def _tell(played: Playouts, as_json: bool) -> None:
    """Print the figures, and end with status 2 if a game went wrong."""
    if as_json:
        print_json(played.summary())
    else:
        click.echo(str(played))
    tell_fault(played.fault, played.fault_number)


def _is_same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


@contextmanager
def _save_refused(save: str | None) -> Iterator[None]:
    if save is not None and "\0" in save:
        raise Refused(f"`{save}` cannot be written: this is no file name")
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if save is None:
            raise
        raise Refused(f"`{save}` cannot be written: {error.strerror}") from None
    except RuntimeError as error:
        raise Refused(str(error)) from None


# ---- replay


@click.command()
@click.argument("record")
@click.option("--game", "file", metavar="FILE", help="The description, if it lies elsewhere.")
@json_option
def replay(record: str, file: str | None, as_json: bool) -> None:
    """Play saved games again and check each move and outcome.

    The description is the shipped game of that name, or a file of that name beside RECORD or in
    this folder, unless --game says where it is.
    """
    from ludeme.cli.replaying import Replaying

    replaying = Replaying(record, file)
    with _opened(record) as lines:
        counts = replaying.run(lines)
    if as_json:
        print_json(counts.as_dict())
    else:
        click.echo(f"{record}: {_verdict(counts)}")
    if counts.refused:
        raise click.exceptions.Exit(Refused.exit_code)
    if counts.differing:
        raise click.exceptions.Exit(FAILED)


def _verdict(counts: Counts) -> str:
    if not (counts.differing or counts.refused):
        return f"{counts.same:,} game{'s' if counts.same != 1 else ''} replayed, all the same"
    parts = [f"{counts.same:,} the same", f"{counts.differing:,} different"]
    if counts.refused:
        parts.append(f"{counts.refused:,} not replayed")
    return ", ".join(parts)


@contextmanager
def _opened(record: str) -> Iterator[BinaryIO]:
    if record == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(record).open("rb"))
        except FileNotFoundError:
            raise Refused(f"there is no file `{record}`") from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "this is no file name"
            raise Refused(f"`{record}` cannot be read: {reason}") from None
        yield file


COMMANDS = (playout, replay)
