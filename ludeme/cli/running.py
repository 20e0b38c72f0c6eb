"""What the commands that play random games have in common: arguments, progress, faults."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from ludeme.cli.messages import Refused, plain, say
from ludeme.diagnostics import DescriptionError

if TYPE_CHECKING:
    from ludeme.diagnostics import DescriptionFault
    from ludeme.lab.crew import Playing

LARGEST = (1 << 64) - 1
Progress = Callable[..., object]
"""Told how many games are played, and perhaps of how many."""

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
store_option = click.option(
    "--store",
    metavar="DIR",
    help="Keep the games in this folder: a run goes on where it, or another, was left.",
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster of your own, or on `local:4` worker processes.",
)


def require_extra(names: Sequence[str], extra: str) -> None:
    """Raise Refused if one of some packages is not installed, which come with an extra."""
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise Refused(
            plain(
                "call",
                f"this needs {' and '.join(missing)}, which is not installed",
                f"install it with `pip install 'ludeme[{extra}]'`",
            )
        )


@contextmanager
def playing(jobs: int, cluster: str | None, store: str | None) -> Iterator[Playing]:
    """Who plays and where games are kept. What goes wrong with either is raised as Refused."""
    if store is not None:
        require_extra(("pyarrow",), "lab")
    if cluster is not None:
        require_extra(("dask", "distributed"), "cluster")
        if jobs != 1:
            raise Refused("give either --jobs or --cluster, not both")
    from ludeme.lab.crew import Playing, Processes

    folder = Path(store) if store is not None else None
    try:
        if cluster is None:
            yield Playing(Processes(jobs), folder)
            return
        from ludeme.lab.cluster import ClusterError, joined

        try:
            with joined(cluster) as crew:
                yield Playing(crew, folder)
        except ClusterError as error:
            raise Refused(str(error)) from None
    except (DescriptionError, Refused):
        raise
    except (RuntimeError, ValueError) as error:
        raise Refused(str(error)) from None


@contextmanager
def show_progress(games: int | None, kept: bool = False) -> Iterator[Progress | None]:
    """On the error output, if that is a terminal: how many games are played, how fast, how long.

    *kept*: the first number told is that of games that need not be played. How many there are to
    be can be told along with the number, where it is not known before.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("playing"),
        BarColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task, begun = bar.add_task("playing", total=games, told=""), monotonic()
        known = None if kept else 0

        def show(played: int, total: int | None = games) -> None:
            nonlocal known
            if known is None:
                known = played
            rate = (played - known) / max(monotonic() - begun, 1e-9)
            told = f"{played:,} of {total or played:,} games, {rate:,.0f} a second"
            bar.update(task, completed=played, total=total, told=told)

        yield show


def tell_fault(fault: DescriptionFault | None, number: int | None) -> None:
    """Tell the first fault of the description, if there was one, and end with status 2."""
    if fault is None:
        return
    sys.stdout.flush()
    click.echo(err=True)
    say(fault.diagnostic, f"  in game {number}, after: {fault.moves or 'no move'}")
    raise click.exceptions.Exit(Refused.exit_code)
