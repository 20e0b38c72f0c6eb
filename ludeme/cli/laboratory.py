"""Commands that compare descriptions by many games: compare, sweep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludeme.cli.arguments import Decorated, Options, json_option, load_game, options_option
from ludeme.cli.messages import Refused, in_argument, plain, print_json
from ludeme.cli.running import (
    cluster_option,
    playing,
    require_extra,
    show_progress,
    store_option,
)
from ludeme.diagnostics import DescriptionError

if TYPE_CHECKING:
    from ludeme.game import Game
    from ludeme.lab.compare import Question, Variant

LARGEST = (1 << 64) - 1
NEEDED = ("scipy", "statsmodels")
DRAWING = "matplotlib"

_OPTIONS = re.compile(r"\s*\w+\s*=\s*[^,=]+(,\s*\w+\s*=\s*[^,=]+)*", re.ASCII)


# ---- arguments that both have


def of_games(command: Decorated) -> Decorated:
    """What games are played, and by whom."""
    for decorate in (
        click.option("--html", metavar="PAGE", help="Write a page with plots to this file."),
        json_option,
        cluster_option,
        store_option,
        click.option(
            "--engine",
            type=click.Choice(["auto", "native", "python"]),
            default="auto",
            show_default=True,
            help="What plays the games; changes nothing but the time.",
        ),
        click.option(
            "--turn-limit",
            type=click.IntRange(0),
            default=2000,
            show_default=True,
            metavar="T",
            help="Stop a game as unfinished after so many decisions.",
        ),
        click.option(
            "--evaluator",
            metavar="NAME",
            help="Judge states by `score` or `playouts:100`: leads, drama, decisiveness.",
        ),
        click.option(
            "--players",
            metavar="NAMES",
            help="Who plays, a seat each: random, greedy, montecarlo:200. One name is for all.",
        ),
        click.option(
            "--observe",
            type=click.IntRange(0, 100_000),
            default=200,
            show_default=True,
            metavar="M",
            help="Look at the first M games decision by decision.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1),
            default=1,
            show_default=True,
            metavar="J",
            help="How many processes share the work; changes nothing but the time.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, LARGEST),
            default=0,
            show_default=True,
            metavar="S",
            help="The same seed gives the same games.",
        ),
        options_option,
    ):
        command = decorate(command)
    return command


games_option = click.option(
    "-n",
    "--games",
    type=click.IntRange(2, 10_000_000),
    metavar="N",
    help="How many games of each; 10,000 unless said, 400 where players think.",
)


# ---- compare


@click.command()
@click.argument("files", metavar="FILE[:NAME=VALUE,...]...", nargs=-1, required=True)
@games_option
@click.option(
    "--until",
    metavar="PRECISION",
    help="Play until shares are known to so much, such as 1%, instead of a fixed number.",
)
@of_games
def compare(
    files: tuple[str, ...],
    games: int | None,
    until: str | None,
    options: Options,
    as_json: bool,
    html: str | None,
    jobs: int,
    store: str | None,
    cluster: str | None,
    **how: object,
) -> None:
    """Play descriptions side by side and say what differs.

    Each FILE is compared with the first. Options of one of them stand behind it: `consta
    consta:size=7`. Those of --option are for all.
    """
    if len(files) < 2:
        raise Refused("name at least two descriptions, or one twice with other options")
    if games is not None and until is not None:
        raise Refused("give either -n or --until, not both")
    _require_extra(html)
    variants = labelled([variant_of(file, options) for file in files])
    _same_seats(variants)
    question = _question(variants[0].game, games, until, how)
    from ludeme.lab.compare import compare as run

    with (
        playing(jobs, cluster, store) as crew,
        _refusing(),
        show_progress(None, store is not None) as progress,
    ):
        found = run(variants, question, engine=str(how["engine"]), playing=crew, progress=progress)
    if html is not None:
        from ludeme.lab.page import write_page

        _write(html, write_page(found))
    if as_json:
        from ludeme.lab.export import export

        print_json(export(found))
        return
    from ludeme.lab.terminal import write

    click.echo(write(found))


def variant_of(text: str, options: Options) -> Variant:
    """A description with options behind it. Raises Refused or DescriptionError."""
    from ludeme.lab.compare import Variant

    file, own = split_options(text)
    game = load_game(file, {**options, **own})
    label = game.record_name
    shown = ", ".join(f"{name} {value}" for name, value in own.items())
    return Variant(f"{label} ({shown})" if shown else label, game)


def split_options(text: str) -> tuple[str, Options]:
    """``consta:size=7,alone=0`` as a description and options; a path may hold a colon."""
    file, colon, tail = text.rpartition(":")
    if not colon or Path(text).is_file():
        return text, {}
    if not _OPTIONS.fullmatch(tail):
        if "=" not in tail:
            return text, {}
        place = (len(file) + 1, len(text))
        raise Refused(
            in_argument("call", "FILE", text, place, "write options as `name=value,name=value`")
        )
    options: Options = {}
    for part in tail.split(","):
        name, _, value = (each.strip() for each in part.partition("="))
        if name in options:
            place = (len(file) + 1, len(text))
            raise Refused(in_argument("call", "FILE", text, place, f"`{name}` is set twice"))
        options[name] = value
    return file, options


def labelled(variants: list[Variant]) -> list[Variant]:
    """The same, with numbers where labels would be alike."""
    import attrs

    labels = [variant.label for variant in variants]
    return [
        attrs.evolve(variant, label=f"{variant.label} #{labels[:index].count(variant.label) + 1}")
        if labels.count(variant.label) > 1
        else variant
        for index, variant in enumerate(variants)
    ]


def _same_seats(variants: list[Variant]) -> None:
    first = variants[0]
    for variant in variants[1:]:
        one, other = len(first.game.players), len(variant.game.players)
        if one != other:
            raise Refused(
                plain(
                    "call",
                    f"`{first.label}` is for {one} players and `{variant.label}` for {other}:"
                    " their seats cannot be compared",
                )
            )


def _question(game: Game, games: int | None, until: str | None, how: dict[str, object]) -> Question:
    from ludeme.lab.compare import Question
    from ludeme.lab.players import read_players
    from ludeme.lab.values import read_evaluator

    players, evaluator = how["players"], how["evaluator"]
    with _refusing():
        seats = read_players(str(players), len(game.players)) if players is not None else ()
        named = read_evaluator(str(evaluator)) if evaluator is not None else ""
    return Question(
        games,
        _precision(until) if until is not None else None,
        int(str(how["seed"])),
        int(str(how["turn_limit"])),
        int(str(how["observe"])),
        seats,
        named,
    )


def _precision(text: str) -> float:
    """``1%`` or ``0.01``."""
    number, percent, rest = text.strip().partition("%")
    try:
        value = float(number) / (100 if percent else 1)
    except ValueError:
        value = 0.0
    if rest or not 0.0005 <= value <= 0.5:
        place = (0, len(text))
        message = "write a precision from 0.05% to 50%, such as 1%"
        raise Refused(in_argument("call", "--until", text, place, message))
    return value


# ---- around the work


def _require_extra(html: str | None) -> None:
    require_extra((*NEEDED, DRAWING) if html is not None else NEEDED, "lab")


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except DescriptionError:
        raise
    except (ValueError, RuntimeError) as error:
        raise Refused(str(error)) from None


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is no file name"
        raise Refused(f"`{path}` cannot be written: {reason}") from None


COMMANDS = (compare,)
