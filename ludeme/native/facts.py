"""What can be seen of a program without running it, and spares work in every turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from ludeme.check import program
from ludeme.check.limits import LARGEST_SET_NUMBER
from ludeme.check.walking import blocks_of, operands, walk
from ludeme.kernel.types import Type

NUMBERS = Type("set", Type("number"))
_MADE_OF_NODES = (program.Node, program.Function, program.Rank, program.Memory)
_DECISIONS = (program.Takes, program.Alternate, program.Together, program.Rolled)
_WITH_STEPS = (program.Phase, program.Loop, program.Rounds, program.IfStep)
_PIECES = (
    program.Put,
    program.Move,
    program.Swap,
    program.Remove,
    program.Change,
    program.Give,
    program.ClearBoard,
    program.ForEach,
    program.OneByOne,
)


def blocks(program_: program.Program) -> Iterator[program.Block]:
    """Every block of lines that is played, those that an option shuts off left out."""
    yield program_.start
    played = turns_played(program_)
    for name, turn in program_.turns.items():
        if name in played:
            yield turn.body
            yield turn.reveal
    for step in steps_passed(program_):
        if isinstance(step, program.EffectStep):
            yield step.body


def steps_passed(program_: program.Program) -> Iterator[program.Step]:
    """Every step of play but those that an option shuts off."""
    every = list(_steps(program_.play, shut_off=False))
    if any(isinstance(step, program.GoTo) for step in every):
        yield from every  # a way may lead round what is shut off
    else:
        yield from _steps(program_.play, shut_off=True)


def _steps(steps: program.Steps, shut_off: bool) -> Iterator[program.Step]:
    for step in steps:
        yield step
        match step:
            case program.Phase() | program.Loop() | program.Rounds():
                yield from _steps(step.body, shut_off)
            case program.IfStep():
                branches = [step.then, step.otherwise]
                if shut_off and isinstance(step.condition, program.Constant):
                    branches = branches[:1] if step.condition.value else branches[1:]
                for branch in branches:
                    yield from _steps(branch, shut_off)


def turns_played(program_: program.Program) -> set[str]:
    """The turns that somebody comes to take, or is asked whether they could."""
    found: set[str] = set()
    waiting: list[object] = [program_.start, program_.ends, program_.ranking, program_.memories]
    for step in steps_passed(program_):
        if isinstance(step, _DECISIONS):
            found.add(step.turn)
        if not isinstance(step, _WITH_STEPS):
            waiting.append(step)
        for part in (getattr(step, name, None) for name in ("condition", "until", "domain")):
            waiting.append(part)
    for node in _nodes(waiting):
        if isinstance(node, program.Ability):
            found.add(node.turn)
    while True:
        turns: list[object] = [program_.turns[name] for name in found]
        asked = {node.turn for node in _nodes(turns) if isinstance(node, program.Ability)}
        if asked <= found:
            return found
        found |= asked


def has_line(program_: program.Program, kind: type[program.Statement]) -> bool:
    """Whether a line of some kind is ever carried out."""
    return any(isinstance(line, kind) for block in blocks(program_) for line in walk(block))


def may_be_nobodys(program_: program.Program) -> bool:
    """Whether a piece on the board can be nobody's."""
    if program_.neutral:
        return True
    players = len(program_.players)
    for block in blocks(program_):
        bound = _players_bound(block, players)
        for line in walk(block):
            whose = None
            if isinstance(line, program.Put):
                whose = line.owner
            elif isinstance(line, program.Give):
                whose = line.player
            if whose is not None and not _is_player(whose, players, bound):
                return True
    return False


def _players_bound(block: program.Block, players: int) -> set[program.Local]:
    """The locals that `for each` binds to players."""
    found: set[program.Local] = set()
    for line in walk(block):
        if isinstance(line, program.ForEach):
            found |= {
                local
                for local, domain in line.binders
                if local.type.kind == "player" and _are_players(domain, players)
            }
    return found


def _are_players(node: program.Expression, players: int) -> bool:
    """Whether a set of players evidently leaves nobody out."""
    match node:
        case program.Constant():
            return isinstance(node.value, int) and node.value < 1 << players
        case program.Those():
            return _are_players(node.domain, players)
        case program.Op():
            return node.name == "others"
    return False


def _is_player(node: program.Expression, players: int, bound: set[program.Local]) -> bool:
    match node:
        case program.Constant():
            return isinstance(node.value, int) and node.value < players
        case program.Get():
            return node.local in bound
        case program.Op():
            return node.name == "mover"
    return False


def puts_on_empty(program_: program.Program) -> set[program.Put]:
    """The lines that put one piece where the turn just chose from empty sites."""
    found: set[program.Put] = set()
    for turn in program_.turns.values():
        _follow(turn.body, set(), found)
    return found


def parts(node: program.Node) -> Iterator[program.Node]:
    """A node of a program and all that it is made of, definitions included."""
    yield node
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, program.Function):
                yield from parts(part.value)
            elif isinstance(part, program.Node):
                yield from parts(part)


def nodes(program_: program.Program) -> Iterator[program.Node]:
    """Every node of what is played, each once."""
    yield from _nodes(
        [tuple(blocks(program_)), program_.play, program_.ends, program_.ranking, program_.memories]
    )


def _nodes(waiting: list[object]) -> Iterator[program.Node]:
    seen: set[int] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, _MADE_OF_NODES) and id(part) not in seen:
            seen.add(id(part))
            if isinstance(part, program.Node):
                yield part
            waiting.extend(getattr(part, field.name) for field in attrs.fields(type(part)))


def numbers_width(program_: program.Program) -> int:
    """How many bits hold the sets of numbers that a program writes down.

    Where `not` is said of a set it holds all numbers that there are, unless only what is also in
    another set is kept of it.
    """
    every = (1 << LARGEST_SET_NUMBER + 1) - 1
    cut: set[int] = set()
    most = 1
    for variable in program_.variables:
        if variable.type == NUMBERS:
            most = max(most, variable.initial.bit_length())
    found = list(nodes(program_))
    for node in found:
        if isinstance(node, program.Op) and node.name == "intersection":
            others = [part for part in node.arguments if _is_op(part, "complement")]
            if len(others) < len(node.arguments):
                cut.update(id(part.arguments[1]) for part in others if isinstance(part, program.Op))
    for node in found:
        if isinstance(node, program.Constant) and isinstance(node.value, int):
            if node.type == NUMBERS and (node.value != every or id(node) not in cut):
                most = max(most, node.value.bit_length())
        if isinstance(node, program.Op) and node.name in ("range", "single"):
            known = [part.value for part in node.arguments if isinstance(part, program.Constant)]
            most = max(most, *(value + 1 for value in known if isinstance(value, int)), 1)
    return 64 * -(-min(most, LARGEST_SET_NUMBER + 1) // 64)


def put_off(
    before: Sequence[program.Statement], last: program.Choose
) -> tuple[program.Assign, ...]:
    """The names given a value before a last choice that are needed behind it only.

    Such a value need be worked out only for the run that is drawn, if nothing can go wrong with it.
    """
    found: list[program.Assign] = []
    later: list[program.Node] = [last]
    for line in reversed(before):
        if (
            isinstance(line, program.Assign)
            and not line.changes
            and line.local.type.kind != "family"
        ):
            asked = any(
                isinstance(part, program.Get) and part.local is line.local
                for node in later
                for part in parts(node)
            )
            if not asked and not may_go_wrong(line.value):
                found.insert(0, line)
                continue
        later.append(line)
    return tuple(found)


def may_go_wrong(node: program.Expression) -> bool:
    """Whether the value of an expression can be a fault."""
    return any(
        isinstance(part, program.Ability)
        or (isinstance(part, program.Op) and part.name in ("/", "mod", "range", "repeats"))
        or (isinstance(part, program.Op) and part.name == "single" and _of_number(part))
        for part in parts(node)
    )


def is_harmless(program_: program.Program, block: program.Block) -> bool:
    """Whether evidently no run of a block can be a fault."""
    on_empty = puts_on_empty(program_)
    return all(_is_harmless(program_, line, on_empty) for line in walk(block))


def _is_harmless(
    program_: program.Program, line: program.Statement, on_empty: set[program.Put]
) -> bool:
    match line:
        case program.Put():
            count = line.count.value if isinstance(line.count, program.Constant) else None
            fits = isinstance(count, int) and 0 <= count <= program_.stack_limit
            if not fits or line.from_hand or line not in on_empty:
                return False
        case program.Choose() | program.Require() | program.Say() | program.OneOf():
            pass
        case _:
            return False
    return not any(map(may_go_wrong, operands(line)))


def is_of_run(line: program.Choose) -> bool:
    """Whether what can be chosen depends on more of a run than where it begins."""
    asked = (line.domain, line.low, line.high)
    return any(
        isinstance(part, program.Get) or (isinstance(part, program.Op) and part.name in _OF_RUN)
        for expression in asked
        if expression is not None
        for part in parts(expression)
    )


_OF_RUN = {"mover", "mine", "theirs", "next", "placed"}


def _of_number(node: program.Op) -> bool:
    return any(
        not isinstance(part, program.Links) and part.type.kind == "number"
        for part in node.arguments
    )


def grows_only(program_: program.Program) -> bool:
    """Whether nothing ever happens to pieces but that one is put on an empty site of one's own."""
    on_empty = puts_on_empty(program_)
    played = [block for block in blocks(program_) if block is not program_.start]
    return all(
        line in on_empty and _is_op(line.owner, "mover") and _is_some(line.count)
        if isinstance(line, program.Put)
        else not isinstance(line, _PIECES)
        for block in played
        for line in walk(block)
    )


def depends_on_mover_alone(node: program.Expression) -> bool:
    """Whether a value is the same in every state, but for who moves."""
    if isinstance(node, program.Op):
        return node.name in _FIXED and all(map(depends_on_mover_alone, node.arguments))
    return isinstance(node, program.Constant)


_FIXED = {"mover", "next", "lookup", "intersection", "together", "complement", "single"}


def _is_op(node: program.Expression, name: str) -> bool:
    return isinstance(node, program.Op) and node.name == name


def _is_some(node: program.Expression) -> bool:
    return isinstance(node, program.Constant) and isinstance(node.value, int) and node.value > 0


def is_of_turn(sites: program.Expression) -> bool:
    """Whether a set is the pieces of the mover or of the next player."""
    if _is_op(sites, "mine"):
        return True
    return (
        isinstance(sites, program.Op)
        and sites.name == "pieces"
        and any(_is_op(sites.arguments[0], name) for name in ("mover", "next"))
    )


def _follow(
    block: Iterable[program.Statement],
    free: set[program.Local],
    found: set[program.Put],
) -> set[program.Local]:
    """Go through a block with the locals that name empty sites; those left at its end."""
    for line in block:
        if isinstance(line, program.Choose):
            if _within_empty(line.domain):
                free = free | {line.local}
            continue
        if isinstance(line, program.Put) and _names_one_of(line.sites, free):
            found.add(line)
        if isinstance(line, program.OneOf | program.If | program.Match):
            ends = [_follow(inner, set(free), found) for inner in blocks_of(line)]
            free = set.intersection(free, *ends)
        elif isinstance(line, _PIECES) or any(True for _ in blocks_of(line)):
            free = set()
    return free


def _within_empty(node: program.Expression) -> bool:
    if isinstance(node, program.Op):
        if node.name == "empty":
            return True
        if node.name == "intersection":
            return any(_within_empty(argument) for argument in node.arguments)
    return False


def _names_one_of(node: program.Expression, free: set[program.Local]) -> bool:
    if isinstance(node, program.Op) and node.name == "single":
        return _names_one_of(node.arguments[0], free)
    return isinstance(node, program.Get) and node.local in free
