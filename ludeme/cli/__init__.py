"""The command line."""

from __future__ import annotations

import gc
from typing import Any

import click

from ludeme.cli import covering, descriptions, differences, laboratory, positions, randomness
from ludeme.cli.messages import Refused, say, say_all, written_out
from ludeme.diagnostics import DescriptionError, DescriptionFault

INTERRUPTED = 130
"""What shells report of a command that Ctrl-C ended."""


class _Commands(click.Group):
    """Commands that end in a message and an exit status, whatever a user did."""

    def invoke(self, ctx: click.Context) -> Any:
        # What is imported and checked stays to the end; `load_game` collects garbage again.
        gc.disable()
        try:
            with written_out():
                return super().invoke(ctx)
        except DescriptionError as error:
            say_all(error.diagnostics)
            ctx.exit(Refused.exit_code)
        except DescriptionFault as error:
            say(error.diagnostic, f"  after: {error.moves or 'no move'}")
            ctx.exit(Refused.exit_code)
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a designer meets them, not of the alphabet."""
        return list(self.commands)


def _show_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from ludeme import __version__

        click.echo(f"ludeme {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Say which version this is.",
)
def main() -> None:
    """Board games written as text: check them, play them, measure them.

    FILE is the name of a shipped game (see `ludeme list`), a path, or - for standard input. A
    command ends with status 0 if all is well, 1 if an example fails or a replay differs, and 2 if
    something is wrong with a description or with the command.
    """


for _command in (
    *descriptions.COMMANDS,
    *positions.COMMANDS,
    *randomness.COMMANDS,
    *differences.COMMANDS,
    *covering.COMMANDS,
    *laboratory.COMMANDS,
):
    main.add_command(_command)
