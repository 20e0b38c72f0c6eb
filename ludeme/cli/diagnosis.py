"""All that can be said of a description before it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import attrs

from ludeme.check import Checked, Program, check
from ludeme.check.examples import options_of
from ludeme.diagnostics import DescriptionError, DescriptionFault, Diagnostic
from ludeme.game import Sources
from ludeme.machine import Machine
from ludeme.play.examples import checked_sets
from ludeme.syntax import Parsed, tree

Options = Mapping[str, object]


def diagnose(sources: Sources, options: Options) -> list[Diagnostic]:
    """Errors and warnings with these options, and with those that its examples ask for.

    The first state is built as well. Something that is found with several sets of options is told
    once, something that only other options show together with them.
    """
    parsed = _parsed(sources)
    found: dict[tuple[str, str, int, int, str], Diagnostic] = {}
    programs = []
    for asked, checked in _sets(sources, parsed, options):
        told = [*checked.diagnostics]
        if checked.program is not None:
            programs.append(checked.program)
            told.extend(first_state(Machine(checked.program)))
        for diagnostic in told:
            span = diagnostic.span
            key = (
                diagnostic.code, span.source.name, span.start, span.end, diagnostic.message
            )  # fmt: skip
            if key not in found:
                found[key] = _with_options(diagnostic, asked, parsed)
    if not options and not any(d.severity == "error" for d in found.values()):
        return [*found.values(), *_never_run(parsed, programs)]
    return list(found.values())


def check_all(sources: Sources, options: Options) -> list[Program]:
    """The program for each set of options that examples ask for. Raises DescriptionError."""
    parsed = _parsed(sources)
    programs = []
    for asked, checked in _sets(sources, parsed, options):
        if checked.program is None:
            errors = [d for d in checked.diagnostics if d.severity == "error"]
            raise DescriptionError([_with_options(error, asked, parsed) for error in errors])
        programs.append(checked.program)
    missing = [] if options else _never_run(parsed, programs)
    if missing:
        raise DescriptionError(missing)
    return programs


def first_state(machine: Machine) -> list[Diagnostic]:
    """What is wrong with the first state: a fault on the way to it, or a player without a move."""
    try:
        cells = machine.start()
        turn = machine.turn(cells) if not machine.is_over(cells) else None
        stuck = [
            player
            for player in machine.deciders(cells)
            if turn is not None and not turn.any(cells, player)
        ]
    except DescriptionFault as error:
        return [attrs.evolve(error.diagnostic, severity="error")]
    faults = [machine.stuck(cells, player) for player in stuck]
    return [
        attrs.evolve(fault.diagnostic, severity="warning")
        for fault in faults
        if isinstance(fault, DescriptionFault)
    ]


def _parsed(sources: Sources) -> Parsed:
    parsed = sources.parsed(sources.name)
    assert parsed is not None, sources
    return parsed


def _sets(
    sources: Sources, parsed: Parsed, options: Options
) -> Iterator[tuple[Options | None, Checked]]:
    """Each set of options of the examples, None for the options asked for, and what was found."""
    load = cache(sources.parsed)
    asked: list[Options] = []

    def check_with(chosen: Options) -> Checked:
        asked.append(chosen)
        return check(parsed, load, chosen)

    for index, checked in enumerate(checked_sets(check_with, options)):
        yield (asked[-1] if index else None), checked


def _with_options(diagnostic: Diagnostic, asked: Options | None, parsed: Parsed) -> Diagnostic:
    """Tell which options of an example led to it; of a wrong one, show where it is asked for."""
    if asked is None:
        return diagnostic
    for item in parsed.file.items:
        if isinstance(item, tree.Example) and dict(options_of(item)) == asked:
            for fact in item.facts:
                if isinstance(fact, tree.WithOption) and _is_about(diagnostic, fact.name.text):
                    return attrs.evolve(diagnostic, span=fact.span)
    texts = " and ".join(f"{name} = {value}" for name, value in asked.items())
    return attrs.evolve(diagnostic, message=f"{diagnostic.message} (with {texts})")


def _is_about(diagnostic: Diagnostic, option: str) -> bool:
    if diagnostic.code == "option-value":
        return diagnostic.span.text == option
    return diagnostic.message == f"no option of this game is called `{option}`"


def _never_run(parsed: Parsed, programs: list[Program]) -> list[Diagnostic]:
    """Examples that no set of options makes run."""
    seen = {example.span.start for program in programs for example in program.examples}
    return [
        Diagnostic(
            "example",
            item.span,
            "this example can never run, because of the way in which its options are written",
            help="write each value as messages and `ludeme show` do, without signs or blanks",
        )
        for item in parsed.file.items
        if isinstance(item, tree.Example) and item.span.start not in seen
    ]
