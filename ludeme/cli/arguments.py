"""Arguments that several commands have, and what they stand for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ludeme.cli.messages import Refused, in_argument, plain
from ludeme.diagnostics import Diagnostic, Note, near

if TYPE_CHECKING:
    from ludeme.game import Game, IllegalMove, Sources, State

STANDARD_INPUT = "standard input"
Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Options = dict[str, str]


def _read_options(
    ctx: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> Options:
    options: Options = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise Refused(_bad_option(text, "write `--option name=value`"))
        if name in options:
            raise Refused(_bad_option(text, f"`{name}` is set twice"))
        options[name] = value
    return options


def _bad_option(text: str, message: str) -> Diagnostic:
    return in_argument("call", "--option", text, (0, len(text)), message)


file_argument = click.argument("file")
files_argument = click.argument("files", metavar="FILE...", nargs=-1, required=True)
options_option = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_read_options,
    help="Set an option of the description; may be given several times.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print for a program to read.")
from_option = click.option(
    "--from",
    "position",
    metavar="POSITION",
    help="Begin from this position: a file, or a text as `show --plain` prints it.",
)
after_option = click.option(
    "--after", metavar="MOVES", default="", help='Play these moves first: "f6; c3 d4".'
)


def of_state(command: Decorated) -> Decorated:
    """The arguments of a command that looks at one state."""
    for decorate in (after_option, from_option, options_option, file_argument):
        command = decorate(command)
    return command


# ---- descriptions


def read_sources(file: str) -> Sources:
    """The text of a description. Raises DescriptionError if it cannot be read."""
    from ludeme.game import LONGEST_TEXT, find_sources, text_sources

    if file != "-":
        return find_sources(file)
    data = sys.stdin.buffer.read(LONGEST_TEXT + 1)
    if len(data) > LONGEST_TEXT:
        raise Refused(f"{STANDARD_INPUT} is too large to be a description")
    try:
        return text_sources(data.decode("utf-8"), STANDARD_INPUT, STANDARD_INPUT)
    except UnicodeDecodeError:
        raise Refused(f"{STANDARD_INPUT} is not text in UTF-8") from None


def load_game(file: str, options: Options) -> Game:
    """The game that a file describes. Raises DescriptionError."""
    import gc

    from ludeme.game import Game

    game = Game(read_sources(file), options)
    gc.enable()
    return game


# ---- states


def state_of(game: Game, position: str | None, after: str) -> State:
    """The state that ``--from`` and ``--after`` ask for."""
    return play_moves(begin(game, position), after)


def begin(game: Game, position: str | None) -> State:
    """The first state, or the one that ``--from`` gives."""
    if position is None:
        return game.start()
    if position == "-" and game.sources.file_name == STANDARD_INPUT:
        raise Refused("the description and the position cannot both be on standard input")
    return game.position(_position_text(position))


def _position_text(position: str) -> str:
    """The text of a position: what the file of that name holds, or the argument itself."""
    if "\n" in position or not position.strip():
        return position
    try:
        data = _read_position(position)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if ":" in position:
            return position
        help_text = "give a file, or a text as `ludeme show --plain` prints it"
        raise Refused(plain("no-file", f"there is no file `{position}`", help_text)) from None
    except OSError as error:
        if ":" in position:
            return position
        raise Refused(f"`{position}` cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"`{position}` is not text in UTF-8") from None


def _read_position(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    return Path(file).read_bytes()


def play_moves(state: State, after: str) -> State:
    """The state after decisions joined by semicolons. Raises Refused at the first wrong one."""
    from ludeme.game import IllegalMove

    if not after.strip():
        return state
    offset = 0
    for part in after.split(";"):
        decision = part.strip()
        start = offset + len(part) - len(part.lstrip())
        place = (start, start + len(decision)) if decision else (offset, offset + 1)
        offset += len(part) + 1
        if not decision:
            message = "a move is missing here, before or behind a `;`"
            raise Refused(in_argument("move", "--after", after, place, message))
        try:
            state = state.play(decision)
        except IllegalMove as refusal:
            raise Refused(refused_move(refusal, "--after", after, place)) from None
    return state


def refused_move(
    refusal: IllegalMove, argument: str, text: str, place: tuple[int, int]
) -> Diagnostic:
    """A move that was refused, as a diagnostic in an argument of the command line."""
    code = "illegal-move" if refusal.understood else "no-move"
    notes = [Note(reason.span, reason.message) for reason in refusal.reasons]
    message = str(refusal).split("\n")[0]
    return in_argument(code, argument, text, place, message, notes)


def player_of(game: Game, player: str) -> str:
    """A player's name as given, if there is such a player."""
    if player in game.players:
        return player
    close = near(player, game.players)
    known = ", ".join(game.players)
    help_text = f"did you mean `{close[0]}`?" if close else f"the players are {known}"
    raise Refused(plain("unknown-name", f"no player is called `{player}`", help_text))
