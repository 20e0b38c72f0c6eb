"""What a command says, and how it ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, Any

import click

from ludeme.diagnostics import Diagnostic, Note, Source, Span

FAILED = 1
PIPE_CLOSED = 141
"""What shells report of a command whose reader went away (128 + SIGPIPE)."""

_COLOURS = {"error": "red", "fault": "red", "warning": "yellow"}


class Refused(click.ClickException):
    """A command that cannot be carried out, for a reason that is located or said in a sentence."""

    exit_code = 2

    def __init__(self, *reasons: Diagnostic | str) -> None:
        self.diagnostics = [
            reason if isinstance(reason, Diagnostic) else plain("call", reason)
            for reason in reasons
        ]
        super().__init__("\n\n".join(map(str, self.diagnostics)))

    def show(self, file: IO[Any] | None = None) -> None:
        """Say all reasons on the error output."""
        say_all(self.diagnostics)


def plain(code: str, message: str, help_text: str | None = None) -> Diagnostic:
    """A mistake in the call, which no line of a file shows."""
    return Diagnostic(code, Span(Source("", ""), 0, 0), message, (), help_text)


def in_argument(
    code: str,
    argument: str,
    text: str,
    part: tuple[int, int],
    message: str,
    notes: Iterable[Note] = (),
    help_text: str | None = None,
) -> Diagnostic:
    """A mistake in a text on the command line; *part* is where it begins and ends."""
    span = Span(Source(argument, text), *part)
    return Diagnostic(code, span, message, tuple(notes), help_text)


def say(diagnostic: Diagnostic, *more: str) -> None:
    """Print a diagnostic on the error output, its heading in colour on a terminal."""
    heading, *rest = str(diagnostic).split("\n")
    word, _, tail = heading.partition(":")
    colour = _COLOURS[diagnostic.severity]
    lines = [click.style(word, fg=colour, bold=True) + ":" + tail, *rest, *more]
    plain_wanted = False if os.environ.get("NO_COLOR") else None
    click.echo("\n".join(lines), err=True, color=plain_wanted)


def say_all(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics, a blank line between them."""
    for index, diagnostic in enumerate(diagnostics):
        if index:
            click.echo(err=True)
        say(diagnostic)


def print_json(figures: object) -> None:
    """Print figures for a program to read."""
    click.echo(json.dumps(figures, ensure_ascii=False, indent=2, allow_nan=False))


@contextmanager
def written_out() -> Iterator[None]:
    """See that all output gets to where it goes, or end.

    Without a word if whoever reads it has gone away, as `head` does. What cannot be written in the
    encoding of the terminal is printed as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _drop_output()
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        raise Refused(f"the output cannot be written: {error.strerror}") from None


def _drop_output() -> None:
    """Throw away what is still to be written: Python flushes as it ends, and would complain."""
    if isinstance(sys.stdout, TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
