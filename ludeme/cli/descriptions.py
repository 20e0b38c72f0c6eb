"""Commands about descriptions as texts: list, check, test, fmt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludeme.cli.arguments import (
    Options,
    files_argument,
    json_option,
    options_option,
    read_sources,
)
from ludeme.cli.messages import FAILED, Refused, plain, print_json, say_all
from ludeme.diagnostics import DescriptionError, Diagnostic

if TYPE_CHECKING:
    from ludeme.game import Sources
    from ludeme.play.examples import Ran
    from ludeme.syntax import Parsed


# ---- list


@click.command("list")
def list_() -> None:
    """Name the shipped games, a line each."""
    from ludeme.game import find_sources, shipped

    rows = [(name, *_about(find_sources(name))) for name in shipped()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _about(sources: Sources) -> tuple[str, str, str]:
    """Title, players, and the first comment of a description."""
    from ludeme.syntax import tree

    title, players, comment = "", "", ""
    for parsed in _with_bases(sources):
        for item in parsed.file.items:
            if isinstance(item, tree.Header):
                title = title or item.title
            elif isinstance(item, tree.Players):
                players = players or ", ".join(name.text for name in item.names)
        if not comment and parsed.comments:
            comment = parsed.comments[0].text.removeprefix("--").strip()
    return title, players, comment


def _with_bases(sources: Sources) -> Iterator[Parsed]:
    """The description, what it extends, and so on."""
    from ludeme.syntax import tree

    name: str | None = sources.name
    seen: set[str] = set()
    while name is not None and name not in seen:
        seen.add(name)
        parsed = sources.parsed(name)
        if parsed is None:
            return
        yield parsed
        headers = [item for item in parsed.file.items if isinstance(item, tree.Header)]
        name = headers[0].extends.text if headers and headers[0].extends else None


# ---- check


@click.command()
@files_argument
@options_option
def check(files: tuple[str, ...], options: Options) -> None:
    """Tell all errors and warnings of each FILE."""
    from ludeme.cli.diagnosis import diagnose

    broken = False
    for index, file in enumerate(files):
        try:
            found = diagnose(read_sources(file), options)
        except DescriptionError as error:
            found = list(error.diagnostics)
        except Refused as refused:
            found = refused.diagnostics
        if index and found:
            click.echo(err=True)
        say_all(found)
        click.echo(f"{file}: {_summary(found)}")
        broken = broken or any(d.severity == "error" for d in found)
    if broken:
        raise click.exceptions.Exit(Refused.exit_code)


def _summary(found: list[Diagnostic]) -> str:
    counts = [
        _counted(sum(d.severity == severity for d in found), severity)
        for severity in ("error", "warning")
    ]
    return ", ".join(filter(None, counts)) or "no errors, no warnings"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number != 1 else ''}" if number else ""


# ---- test


@click.command()
@files_argument
@options_option
@json_option
def test(files: tuple[str, ...], options: Options, as_json: bool) -> None:
    """Run the examples in each FILE.

    An example runs with the options that it names, others at their defaults. With --option only the
    examples about those options are run.
    """
    status = 0
    figures = []
    for file in files:
        try:
            ran = _run_examples(read_sources(file), options)
        except DescriptionError as error:
            say_all(error.diagnostics)
            status = Refused.exit_code
            continue
        failures = [each.failure for each in ran if each.failure is not None]
        say_all(failures)
        figures.append({"file": file, "examples": len(ran), "failed": _titles_of_failed(ran)})
        if not as_json:
            click.echo(f"{file}: {_verdict(len(ran), len(failures))}")
        if failures:
            status = max(status, FAILED)
    if as_json:
        print_json(figures)
    raise click.exceptions.Exit(status)


def _run_examples(sources: Sources, options: Options) -> list[Ran]:
    from ludeme.cli.diagnosis import check_all
    from ludeme.play.examples import run_examples

    return run_examples(check_all(sources, options))


def _titles_of_failed(ran: list[Ran]) -> list[str]:
    return [each.title for each in ran if each.failure is not None]


def _verdict(examples: int, failures: int) -> str:
    if not examples:
        return "no examples"
    if not failures:
        return f"{_counted(examples, 'example')}, all hold" if examples > 1 else "1 example holds"
    return f"{failures} of {_counted(examples, 'example')} failed"


# ---- fmt


@click.command()
@files_argument
@click.option("--check", "only_check", is_flag=True, help="Change nothing; status 1 if it would.")
def fmt(files: tuple[str, ...], only_check: bool) -> None:
    """Put each FILE into the one layout.

    Files are changed in place. The layout of a shipped game, or of standard input, is printed.
    """
    status = 0
    for file in files:
        try:
            differs = _format(file, only_check)
        except DescriptionError as error:
            say_all(error.diagnostics)
            status = Refused.exit_code
            continue
        if differs and only_check:
            click.echo(f"{file}: not in the one layout")
            status = max(status, FAILED)
    raise click.exceptions.Exit(status)


def _format(file: str, only_check: bool) -> bool:
    """Lay out a file; whether it was laid out otherwise. Raises DescriptionError."""
    from ludeme.syntax.format import format_file

    sources = read_sources(file)
    parsed = sources.parsed(sources.name)
    assert parsed is not None
    errors = [d for d in parsed.diagnostics if d.severity == "error"]
    if errors:
        raise DescriptionError(errors)
    text = format_file(parsed)
    differs = text != sources.texts[sources.name]
    if only_check:
        return differs
    if file == "-" or sources.is_shipped:
        click.echo(text, nl=False)
    elif differs:
        _overwrite(Path(file), text)
        click.echo(f"{file}: laid out anew")
    return differs


def _overwrite(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode("utf-8"))
    except OSError as error:
        message = f"`{path.name}` cannot be written: {error.strerror}"
        raise DescriptionError([plain("no-file", message)]) from None


COMMANDS = (list_, check, test, fmt)
