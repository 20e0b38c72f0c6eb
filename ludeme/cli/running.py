"""What the commands that play random games have in common: arguments, progress, faults."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click

from ludeme.cli.messages import Refused, say

if TYPE_CHECKING:
    from ludeme.diagnostics import DescriptionFault

LARGEST = (1 << 64) - 1

games_option = click.option(
    "-n",
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many games.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, LARGEST),
    default=0,
    show_default=True,
    metavar="S",
    help="The same seed gives the same games.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="J",
    help="How many processes share the work; changes nothing but the time.",
)
engine_option = click.option(
    "--engine",
    type=click.Choice(["auto", "native", "python"]),
    default="auto",
    show_default=True,
    help="What plays the games; changes nothing but the time.",
)
turn_limit_option = click.option(
    "--turn-limit",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    metavar="T",
    help="Stop a game as unfinished after so many decisions.",
)


@contextmanager
def show_progress(games: int) -> Iterator[Callable[[int], object] | None]:
    """On the error output, if that is a terminal: how many games are played, how fast, how long."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("playing"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task, begun = bar.add_task("playing", total=games, rate=""), monotonic()

        def show(played: int) -> None:
            rate = played / max(monotonic() - begun, 1e-9)
            bar.update(task, completed=played, rate=f"{rate:,.0f} a second")

        yield show


def tell_fault(fault: DescriptionFault | None, number: int | None) -> None:
    """Tell the first fault of the description, if there was one, and end with status 2."""
    if fault is None:
        return
    sys.stdout.flush()
    click.echo(err=True)
    say(fault.diagnostic, f"  in game {number}, after: {fault.moves or 'no move'}")
    raise click.exceptions.Exit(Refused.exit_code)
