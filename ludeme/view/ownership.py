"""Which pieces a description can bring about: whose are neutral kinds, and whose the others."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ludeme.check import program
from ludeme.check.walking import blocks, walk
from ludeme.kernel.types import PLAYERS


@attrs.frozen
class Ownership:
    """*owned_neutral*: a player may own a piece of a neutral kind. *unowned*: nobody another."""

    owned_neutral: bool
    unowned: bool


def ownership(checked: program.Program) -> Ownership:
    """What the lines of a description can bring about; where in doubt, that they can."""
    lines = [line for block in blocks(checked) for line in walk(block)]
    if any(isinstance(line, program.Give | program.Change) for line in lines):
        return Ownership(True, True)
    puts = [line for line in lines if isinstance(line, program.Put)]
    players = _players(lines, len(checked.players))
    return Ownership(
        any(_may_be(checked, put, neutral=True) and not _is_nobody(checked, put) for put in puts),
        any(
            _may_be(checked, put, neutral=False) and not _is_player(checked, put.owner, players)
            for put in puts
        ),
    )


def _may_be(checked: program.Program, put: program.Put, neutral: bool) -> bool:
    """Whether the kind that a line puts may be a neutral one, or may be another."""
    kind = put.kind
    if isinstance(kind, program.Constant) and isinstance(kind.value, int):
        return bool(checked.neutral >> kind.value & 1) == neutral
    every = (1 << len(checked.kinds)) - 1
    return (checked.neutral if neutral else every & ~checked.neutral) != 0


def _is_nobody(checked: program.Program, put: program.Put) -> bool:
    return isinstance(put.owner, program.Constant) and put.owner.value == len(checked.players)


def _is_player(
    checked: program.Program, owner: program.Expression, players: frozenset[int]
) -> bool:
    """Whether a value is a player in every state, never nobody."""
    match owner:
        case program.Constant():
            return owner.value != len(checked.players)
        case program.Get():
            return owner.local.slot in players
        case program.Op():
            if owner.name == "rival":
                return _is_player(checked, owner.arguments[0], players)
            return owner.name in ("mover", "next")
    return False


def _players(lines: Iterable[program.Statement], count: int) -> frozenset[int]:
    """The locals that are players in every state: those that go through a set of players."""
    found: set[int] = set()
    for line in lines:
        pairs: list[tuple[program.Local, program.Expression]] = []
        if isinstance(line, program.ForEach):
            pairs = list(line.binders)
        elif isinstance(line, program.OneByOne):
            pairs = [(line.local, line.domain)]
        elif isinstance(line, program.Choose):
            pairs = [(line.member, line.domain), (line.local, line.domain)]
        found |= {local.slot for local, domain in pairs if _only_players(domain, count)}
    return frozenset(found)


def _only_players(domain: program.Expression, count: int) -> bool:
    if domain.type != PLAYERS:
        return False
    if isinstance(domain, program.Constant) and isinstance(domain.value, int):
        return domain.value >> count == 0
    return isinstance(domain, program.Op) and domain.name == "others"
