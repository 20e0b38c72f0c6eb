"""Commands about whole games: playout, replay."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
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
from ludeme.cli.messages import FAILED, Refused, print_json, say

if TYPE_CHECKING:
    from ludeme.cli.replaying import Counts
    from ludeme.play.results import Playouts

LARGEST = (1 << 64) - 1


@click.command()
@file_argument
@options_option
@from_option
@click.option(
    "-n",
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many games.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST),
    default=0,
    show_default=True,
    metavar="S",
    help="The same seed gives the same games.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="J",
    help="How many processes share the work; changes nothing but the time.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "native", "python"]),
    default="auto",
    show_default=True,
    help="What plays the games; changes nothing but the time.",
)
@click.option(
    "--turn-limit",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    metavar="T",
    help="Stop a game as unfinished after so many decisions.",
)
@click.option("--save", metavar="FILE", help="Write the games down, for `replay`.")
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
    as_json: bool,
) -> None:
    """Play random games and print what came of them."""
    game = load_game(file, options)
    start = begin(game, position) if position is not None else None
    if save is not None and _is_same_file(save, file):
        raise Refused(f"`{save}` is the description itself: save the games elsewhere")
    with _progress(games) as progress, _save_refused(save):
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
    if as_json:
        print_json(played.summary())
    else:
        click.echo(str(played))
    _tell_fault(played)


def _tell_fault(played: Playouts) -> None:
    """Tell the first fault of the description, if there was one, and end with status 2."""
    if played.fault is None:
        return
    sys.stdout.flush()
    click.echo(err=True)
    more = f"  in game {played.fault_number}, after: {played.fault.moves or 'no move'}"
    say(played.fault.diagnostic, more)
    raise click.exceptions.Exit(Refused.exit_code)


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


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], object] | None]:
    """A bar on the error output while games are played, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=games)
        yield lambda played: bar.update(task, completed=played)


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
