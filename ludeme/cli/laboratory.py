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
    engine_option,
    games_option,
    jobs_option,
    playing,
    require_extra,
    seed_option,
    show_progress,
    store_option,
    tell_fault,
    turn_limit_option,
)
from ludeme.diagnostics import DescriptionError

if TYPE_CHECKING:
    from ludeme.game import Game
    from ludeme.lab.compare import Question, Variant
    from ludeme.lab.figures import Tables

NEEDED = ("scipy", "statsmodels")
DRAWING = "matplotlib"
MOST_CELLS = 400
"""Combinations of options in a sweep."""

_OPTIONS = re.compile(r"\s*\w+\s*=\s*[^,=]+(,\s*\w+\s*=\s*[^,=]+)*", re.ASCII)


# ---- arguments that both have


def of_games(command: Decorated) -> Decorated:
    """What games are played, and by whom."""
    for decorate in (
        click.option("--html", metavar="PAGE", help="Write a page with plots to this file."),
        json_option,
        cluster_option,
        store_option,
        engine_option,
        turn_limit_option,
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
        jobs_option,
        seed_option,
        options_option,
    ):
        command = decorate(command)
    return command


compared_games_option = click.option(
    "-n",
    "--games",
    type=click.IntRange(2, 10_000_000),
    metavar="N",
    help="How many games of each; 10,000 unless said, 400 where players think.",
)


# ---- compare


@click.command()
@click.argument("files", metavar="FILE[:NAME=VALUE,...]...", nargs=-1, required=True)
@compared_games_option
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
    engine: str,
    **how: object,
) -> None:
    """Play descriptions side by side and say what differs.

    Each FILE is compared with the first. Options of one of them stand behind it, as in `hex
    hex:size=7`. Those of --option are for all. Of one FILE alone the figures are shown.
    """
    if games is not None and until is not None:
        raise Refused("give either -n or --until, not both")
    if until is not None and len(files) < 2:
        raise Refused("--until is the precision of a difference: name two descriptions")
    require_extra((*NEEDED, DRAWING) if html is not None else NEEDED, "lab")
    variants = labelled([variant_of(file, options) for file in files])
    _same_seats(variants)
    question = _question(variants[0].game, games, until, how)
    from ludeme.lab.compare import compare as run
    from ludeme.lab.sleeping import with_rules

    with (
        playing(jobs, cluster, store) as crew,
        _refusing(),
        show_progress(None, store is not None) as progress,
    ):
        found = run(variants, question, engine=engine, playing=crew, progress=progress)
        found = with_rules(found, jobs, engine)
    if html is not None:
        from ludeme.lab.page import write_page

        _write(html, write_page(found))
    if as_json:
        from ludeme.lab.export import export

        print_json(export(found))
    else:
        from ludeme.lab.terminal import write

        click.echo(write(found))
    for variant, tables in zip(found.variants, found.tables, strict=True):
        _tell_first_fault(variant.game, tables, question)


def _tell_first_fault(game: Game, tables: Tables, question: Question) -> None:
    """Tell of the first random game in which a description failed, and end with status 2."""
    from ludeme.lab.games import FAULTY
    from ludeme.play.games import play_game

    faulty = tables.rows["number"][tables.rows["status"] == FAULTY]
    if len(faulty) and not question.seats:
        number = int(faulty[0])
        played = play_game(game.machine, None, question.seed, number, question.turn_limit)
        tell_fault(played.fault, number)


def variant_of(text: str, options: Options) -> Variant:
    """A description with options behind it. Raises Refused or DescriptionError."""
    from ludeme.lab.compare import Variant

    file, own = split_options(text)
    game = load_game(file, {**options, **own})
    shown = ", ".join(f"{name} {value}" for name, value in own.items())
    return Variant(f"{game.title} ({shown})" if shown else game.title, game)


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
    """The same; labels that are alike get the name of their file, or a number."""
    import attrs

    labels = [variant.label for variant in variants]
    files = [variant.game.record_name for variant in variants]
    files_tell = len(set(zip(labels, files, strict=True))) == len(variants)

    def tail(index: int) -> str:
        if labels.count(labels[index]) == 1:
            return ""
        return (
            f", {files[index]}" if files_tell else f" #{labels[: index + 1].count(labels[index])}"
        )

    return [
        attrs.evolve(variant, label=variant.label + tail(index))
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


# ---- sweep


@click.command()
@click.argument("file")
@click.option(
    "--over",
    "overs",
    metavar="NAME[=VALUES]",
    multiple=True,
    required=True,
    help="An option and its values: size=7..13, size=7..13..2, alone=0,1; all if none are given.",
)
@games_option
@of_games
def sweep(
    file: str,
    overs: tuple[str, ...],
    games: int,
    options: Options,
    as_json: bool,
    html: str | None,
    jobs: int,
    store: str | None,
    cluster: str | None,
    engine: str,
    **how: object,
) -> None:
    """Play FILE with every combination of some options and print one table."""
    require_extra((*NEEDED, DRAWING) if html is not None else NEEDED, "lab")
    from ludeme.lab import sweep as sweeping

    base = load_game(file, options)
    over = _values(base, overs)
    _check_size(over)
    question = _question(base, games, None, how)
    with (
        playing(jobs, cluster, store) as crew,
        _refusing(),
        show_progress(None, store is not None) as progress,
    ):
        found = sweeping.sweep(
            base.sources, over, options, question, playing=crew, engine=engine, progress=progress
        )
    if html is not None:
        from ludeme.lab.sweep_page import write_page

        _write(html, write_page(found))
    if as_json:
        print_json(sweeping.export(found))
    else:
        click.echo(sweeping.write(found))


_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")


def _values(game: Game, overs: tuple[str, ...]) -> dict[str, list[str]]:
    """The values of each option that is swept over."""
    found: dict[str, list[str]] = {}
    known = {option.name: option for option in game.program.options}
    for text in overs:
        name, equals, given = (part.strip() for part in text.partition("="))
        if name not in known:
            listed = ", ".join(known) or "none"
            message = f"there is no option `{name}`; there are {listed}"
            raise Refused(in_argument("call", "--over", text, (0, len(text)), message))
        if name in found:
            raise Refused(in_argument("call", "--over", text, (0, len(text)), "it stands twice"))
        if equals and not given:
            raise Refused(
                in_argument("call", "--over", text, (0, len(text)), "write values after the `=`")
            )
        found[name] = _read_values(given, text) if given else [str(v) for v in known[name].values]
    return found


def _read_values(given: str, text: str) -> list[str]:
    match = _RANGE.fullmatch(given)
    if match is None:
        return list(dict.fromkeys(value.strip() for value in given.split(",")))
    low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
    if low > high or step < 1 or (high - low) // step > MOST_CELLS:
        message = f"`{given}` is no range of 1 to {MOST_CELLS} values, the smallest first"
        raise Refused(in_argument("call", "--over", text, (0, len(text)), message))
    return [str(value) for value in range(low, high + 1, step)]


def _check_size(over: dict[str, list[str]]) -> None:
    cells = 1
    for values in over.values():
        cells *= len(values)
    if cells > MOST_CELLS:
        raise Refused(f"these are {cells:,} combinations; {MOST_CELLS} are the most")


# ---- around the work


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


COMMANDS = (compare, sweep)
