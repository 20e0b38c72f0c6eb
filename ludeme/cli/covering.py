"""The command that counts rules in play: coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
from ludeme.cli.messages import Refused, print_json
from ludeme.cli.running import (
    engine_option,
    games_option,
    jobs_option,
    seed_option,
    show_progress,
    tell_fault,
    turn_limit_option,
)

if TYPE_CHECKING:
    from ludeme.lab.annotated import Line
    from ludeme.lab.coverage import Coverage
    from ludeme.lab.rules import Rule

_MARKS = {"never": ("!", "red"), "unreached": (".", "bright_black"), "idle": ("=", "yellow")}


@click.command()
@file_argument
@options_option
@from_option
@games_option
@seed_option
@jobs_option
@engine_option
@turn_limit_option
@click.option("--html", "page_file", metavar="FILE", help="Write it as a page of HTML.")
@json_option
def coverage(
    file: str,
    options: Options,
    position: str | None,
    games: int,
    seed: int,
    jobs: int,
    engine: str,
    turn_limit: int,
    page_file: str | None,
    as_json: bool,
) -> None:
    """Count how often each rule comes to pass in random games.

    Rules that never do come first, with what the games say of how rare they are; then the text of
    the description with the counts beside it.
    """
    from ludeme.lab.coverage import cover

    game = load_game(file, options)
    start = begin(game, position) if position is not None else None
    with show_progress(games) as progress:
        try:
            found = cover(
                game,
                games,
                seed,
                jobs=jobs,
                turn_limit=turn_limit,
                start=None if start is None else start.cells,
                engine=engine,
                progress=progress,
            )
        except (ValueError, RuntimeError) as error:
            raise Refused(str(error)) from None
    if page_file is not None:
        _write_page(page_file, found)
    if as_json:
        print_json(found.as_dict())
    else:
        for line in _report(found):
            click.echo(line)
    tell_fault(found.fault, found.fault_number)


def _write_page(file: str, found: Coverage) -> None:
    from ludeme.lab.coverage_page import page

    try:
        Path(file).write_text(page(found), encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is no file name"
        raise Refused(f"`{file}` cannot be written: {reason}") from None


# ---- what is printed


def _report(found: Coverage) -> Iterator[str]:
    yield click.style(found.game.title, bold=True)
    yield found.heading
    yield ""
    if found.never:
        yield from _table("never came to pass", found.never, [r.bound for r in found.never])
        yield ""
        yield found.in_games
    else:
        yield "Every rule that had a chance came to pass."
    if found.idle:
        yield ""
        bounds = [rule.refusal_bound for rule in found.idle]
        yield from _table("held whenever asked", found.idle, bounds)
    yield from _sources(found)


def _table(heading: str, rules: Sequence[Rule], bounds: Sequence[float | None]) -> Iterator[str]:
    """Rules, where they stand, their chances, and below which share of them they come to pass."""
    from ludeme.lab.annotated import share_text

    rows = [
        (rule.text, rule.within, f"{rule.span.line}", f"{rule.chances:,}", share_text(bound or 1))
        for rule, bound in zip(rules, bounds, strict=True)
    ]
    heads = (heading, "in", "line", "chances", "less than")
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        left = [text.ljust(width) for text, width in zip(row[:2], widths[:2], strict=True)]
        right = [text.rjust(width) for text, width in zip(row[2:], widths[2:], strict=True)]
        yield click.style("  ".join([*left, *right]).rstrip(), bold=row is heads)


def _sources(found: Coverage) -> Iterator[str]:
    from ludeme.lab.annotated import annotate

    for source, lines in annotate(found.rules):
        yield ""
        yield click.style(f"{'came to pass':>13}   share  {source.name}", bold=True)
        yield from map(_annotated, lines)
    yield ""
    yield "! never came to pass   . had no chance   = held whenever asked"


def _annotated(line: Line) -> str:
    from ludeme.lab.annotated import share_text

    passed = "" if line.passed is None else f"{line.passed:,}"
    share = "" if line.share is None else share_text(line.share)
    sign, colour = _MARKS.get(line.mark, ("", None))
    text = f"{sign:1} {passed:>11}  {share:>6}  {line.number:>3} | {line.text}".rstrip()
    return click.style(text, fg=colour) if colour else text


COMMANDS = (coverage,)
