"""Commands that look at one state: show, moves, why, perft."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludeme.cli.arguments import (
    Options,
    after_option,
    from_option,
    json_option,
    load_game,
    of_state,
    options_option,
    player_of,
    refused_move,
    state_of,
)
from ludeme.cli.messages import Refused, in_argument, print_json

if TYPE_CHECKING:
    from ludeme.game import IllegalMove, State

DEEPEST_PERFT = 200
"""Counting goes down a call for each decision; a longer sequence could not be counted anyway."""


# ---- show


@click.command()
@of_state
@click.option("--plain", is_flag=True, help="Print a text that `--from` reads.")
@click.option("-o", "--output", metavar="FILE.svg", help="Draw a picture into a file; - to print.")
def show(
    file: str, options: Options, position: str | None, after: str, plain: bool, output: str | None
) -> None:
    """Show a position, as text or as a picture."""
    if plain and output is not None:
        raise Refused("--plain prints a text and -o draws a picture: ask for one of them")
    if output is not None and output != "-" and not output.endswith(".svg"):
        raise Refused(f"pictures are SVG files: write `-o {Path(output).stem or 'board'}.svg`")
    state = state_of(load_game(file, options), position, after)
    if output is not None:
        _draw(state, output)
    elif plain:
        click.echo(state.text)
    else:
        click.echo(str(state))


def _draw(state: State, output: str) -> None:
    from ludeme.view.svg import draw_svg

    picture = draw_svg(state.game.machine, state.cells).rstrip("\n") + "\n"
    if output == "-":
        click.echo(picture, nl=False)
        return
    try:
        Path(output).write_bytes(picture.encode("utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is no file name"
        raise Refused(f"`{output}` cannot be written: {reason}") from None


# ---- moves


@click.command()
@of_state
@json_option
def moves(file: str, options: Options, position: str | None, after: str, as_json: bool) -> None:
    """List the legal moves of each player who decides."""
    state = state_of(load_game(file, options), position, after)
    listed = {player: [move.text for move in state.moves(player)] for player in state.to_move}
    if as_json:
        print_json(
            {
                "to_move": list(state.to_move),
                "moves": listed,
                "outcome": state.outcome.as_dict() if state.outcome else None,
            }
        )
        return
    if state.outcome is not None:
        click.echo(f"The game is over: {state.outcome}.")
    for player, texts in listed.items():
        click.echo(f"{player}: {len(texts):,} move{'s' if len(texts) != 1 else ''}")
        for text in texts:
            click.echo(f"  {text}")


# ---- why


@click.command()
@of_state
@click.argument("move")
@click.option("--player", metavar="P", help="Whose move it is, where several decide together.")
def why(
    file: str,
    options: Options,
    position: str | None,
    after: str,
    move: str,
    player: str | None,
) -> None:
    """Say why MOVE is not legal, or that it is.

    Tells every requirement that fails first on some way to make the move, with its line and values.
    """
    game = load_game(file, options)
    state = state_of(game, position, after)
    text = " ".join(move.split())
    pairs = _whose(state, text, player_of(game, player) if player is not None else None)
    for name, part in pairs:
        refusal = state.why(part, name)
        if refusal is None:
            click.echo(f"`{part}` is a legal move of {name}.")
        elif not refusal.understood:
            start = text.find(part)
            raise Refused(refused_move(refusal, "MOVE", text, (start, start + len(part))))
        else:
            _explain(refusal, name)


def _whose(state: State, text: str, player: str | None) -> list[tuple[str | None, str]]:
    """The moves to look at, with the player of each."""
    if player is not None:
        return [(player, text)]
    deciders = state.to_move
    if len(deciders) <= 1:
        return [(deciders[0] if deciders else None, text)]
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != len(deciders):
        message = f"{' and '.join(deciders)} decide together: say whose move it is"
        help_text = f"for example `--player {deciders[0]}`"
        place = (0, len(text))
        raise Refused(in_argument("move", "MOVE", text, place, message, (), help_text))
    return list(zip(deciders, parts, strict=True))


def _explain(refusal: IllegalMove, player: str | None) -> None:
    whose = f" for {player}" if player is not None else ""
    click.echo(refusal.message or f"`{refusal.text}` is not legal{whose}:")
    for reason in refusal.reasons:
        click.echo()
        click.echo(str(reason))


# ---- perft


@click.command()
@click.argument("file")
@click.argument("depth", type=click.IntRange(0, DEEPEST_PERFT))
@options_option
@from_option
@after_option
@click.option("--divide", is_flag=True, help="Print the count below each first decision as well.")
@json_option
def perft(
    file: str,
    depth: int,
    options: Options,
    position: str | None,
    after: str,
    divide: bool,
    as_json: bool,
) -> None:
    """Count the sequences of exactly DEPTH decisions.

    Games that are over sooner count nothing. Where several decide together, their joint choices
    count.
    """
    state = state_of(load_game(file, options), position, after)
    below: dict[str, int] | None = None
    if divide:
        below = state.divide(depth)
        total = sum(below.values()) if depth else 1
    else:
        total = state.perft(depth)
    if as_json:
        figures = {"game": state.game.record_name, "depth": depth, "total": total}
        print_json(figures | ({"divide": below} if below is not None else {}))
        return
    for text, count in (below or {}).items():
        click.echo(f"{text}: {count}")
    click.echo(total)


COMMANDS = (show, moves, why, perft)
