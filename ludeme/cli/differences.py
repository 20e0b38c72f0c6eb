"""The command that compares two descriptions as texts: diff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ludeme.cli.arguments import Options, json_option, options_option, read_sources
from ludeme.cli.messages import Refused, print_json
from ludeme.diagnostics import DescriptionError, Diagnostic

if TYPE_CHECKING:
    from ludeme.game import Game
    from ludeme.lab.diff import Change, Difference

_COLOURS = {"+": "green", "-": "red"}


@click.command()
@click.argument("base")
@click.argument("variant")
@options_option
@click.option("--text", "only_text", is_flag=True, help="Print a text diff and nothing else.")
@json_option
def diff(base: str, variant: str, options: Options, only_text: bool, as_json: bool) -> None:
    """Show what changes from BASE to VARIANT, rule by rule.

    Both are taken as they are played: a variant is laid over what it extends. Comments and layout
    are no change. An option is set in both, or in the one that has it.
    """
    from ludeme.lab.diff import diff

    found = diff(*_both(base, variant, options))
    if as_json:
        print_json(found.as_dict())
    elif only_text:
        for text in found.text().splitlines():
            _print_signed(text[:1], text)
    else:
        _print(found)


def _both(base: str, variant: str, options: Options) -> tuple[Game, Game]:
    """The two games. Raises DescriptionError with what is wrong with either."""
    from ludeme.game import Game

    if base == variant == "-":
        raise Refused("only one of the two can be on standard input")
    games: list[Game] = []
    errors: list[Diagnostic] = []
    for file in (base, variant):
        try:
            games.append(Game(read_sources(file)))
        except DescriptionError as error:
            errors.extend(error.diagnostics)
    if errors:
        raise DescriptionError(errors)
    if not options:
        return games[0], games[1]
    everywhere = [name for name in options if not any(name in game.options for game in games)]
    given = [
        {name: text for name, text in options.items() if name in [*game.options, *everywhere]}
        for game in games
    ]
    one, other = (Game(game.sources, each) for game, each in zip(games, given, strict=True))
    return one, other


# ---- what is printed


def _print(found: Difference) -> None:
    base, variant = found.base.title, found.variant.title
    click.secho(f"{base} -> {variant}", bold=True)
    if found.extends:
        click.echo(f"{variant} extends {base}.")
    click.echo(found.verdict)
    for change in found.changes:
        if change.kind not in ("game", "example"):
            click.echo()
            _print_change(change)
    for text in _examples(found):
        click.echo(text)


def _print_change(change: Change) -> None:
    """The heading of an item, what of its parts changed, and its text."""
    click.secho(f"{change.title}: {change.change}", bold=True)
    for part in change.parts:
        if part.kind in ("bullet", "end", "player", "region"):
            click.echo(f"  {part.kind} {part.name} {part.change}")
        else:
            shown = f"{part.before or 'nothing'} -> {part.after or 'nothing'}"
            click.echo(f"  {part.name}: {shown}")
    for sign, text in change.lines():
        _print_signed(sign, f"{sign} {text}".rstrip())


def _print_signed(sign: str, text: str) -> None:
    click.secho(text, fg=_COLOURS.get(sign))


def _examples(found: Difference) -> Iterator[str]:
    """A line for the examples that came, went or changed."""
    changes = [change for change in found.changes if change.kind == "example"]
    for kind in ("changed", "added", "removed"):
        titles = [change.name for change in changes if change.change == kind]
        if titles:
            many = "s" if len(titles) > 1 else ""
            yield f"\n{len(titles)} example{many} {kind}:"
            yield "\n".join(f"  {title}" for title in titles)


COMMANDS = (diff,)
