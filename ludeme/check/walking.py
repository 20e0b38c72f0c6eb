"""Through all the lines and steps of a program."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ludeme.check import program


def blocks_of(statement: program.Statement) -> Iterator[program.Block]:
    """The blocks inside a statement."""
    match statement:
        case program.If():
            yield statement.then
            yield statement.otherwise
        case program.ForEach() | program.OneByOne() | program.Repeat():
            yield statement.body
        case program.OneOf():
            yield from (bullet.body for bullet in statement.bullets)
        case program.Match():
            yield from (row.body for row in statement.rows)


def walk(block: program.Block) -> Iterator[program.Statement]:
    """Every statement of a block, outer ones first, in the order of the text."""
    for statement in block:
        yield statement
        for inner in blocks_of(statement):
            yield from walk(inner)


def every_step(steps: program.Steps) -> Iterator[program.Step]:
    """Every step of play, outer ones first, in the order of the text."""
    for step in steps:
        yield step
        match step:
            case program.Phase() | program.Loop() | program.Rounds():
                yield from every_step(step.body)
            case program.IfStep():
                yield from every_step((*step.then, *step.otherwise))


def blocks(checked: program.Program) -> Iterator[program.Block]:
    """Every block of lines that is played."""
    yield checked.start
    for turn in checked.turns.values():
        yield turn.body
        yield turn.reveal
    for step in every_step(checked.play):
        if isinstance(step, program.EffectStep):
            yield step.body


def ends_of(checked: program.Program) -> Iterator[program.End]:
    """Every end: those asked after each turn, then those in play."""
    yield from checked.ends
    for step in every_step(checked.play):
        if isinstance(step, program.End):
            yield step


def operands(line: program.Statement) -> Iterator[program.Expression]:
    """The expressions that stand in a line itself, not in the lines inside it."""
    for field in attrs.fields(type(line)):
        found = getattr(line, field.name)
        for part in found if isinstance(found, tuple) else (found,):
            if isinstance(part, program.Expression):
                yield part
