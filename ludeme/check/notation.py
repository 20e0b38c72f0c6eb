"""What a move prints where the file does not say."""

from __future__ import annotations

import attrs

from ludeme.check import program
from ludeme.check.walking import walk


def prints(block: program.Block) -> bool:
    """Whether anything in a block prints."""
    return any(isinstance(statement, program.Say) for statement in walk(block))


def with_default_notation(body: program.Block) -> program.Block:
    """The body of a turn without a printed form of its own.

    A bullet that prints nothing prints its name and its choices; a turn that prints nothing and
    has no bullets prints its choices.
    """
    if any(isinstance(statement, program.OneOf) for statement in body):
        return tuple(
            _notate(statement) if isinstance(statement, program.OneOf) else statement
            for statement in body
        )
    return body if prints(body) else (*body, _say_choices("", body))


def _notate(statement: program.OneOf) -> program.OneOf:
    bullets = tuple(
        bullet
        if prints(bullet.body)
        else attrs.evolve(bullet, body=(*bullet.body, _say_choices(bullet.name, bullet.body)))
        for bullet in statement.bullets
    )
    return attrs.evolve(statement, bullets=bullets)


def _say_choices(name: str, body: program.Block) -> program.Say:
    parts: list[str | program.Expression] = [name] if name else []
    for statement in body:
        if isinstance(statement, program.Choose):
            if parts:
                parts.append(" ")
            parts.append(program.Get(statement.local, statement.local.type))
    return program.Say(tuple(parts))
