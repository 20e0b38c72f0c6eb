"""Whether the moves of a turn can be told apart by their print.

Two runs that print alike and end alike are one move. Where it can be shown that no two runs print
alike, a move can be drawn without listing all of them, and a run can be played without looking for
its doubles. What cannot be shown is left to the listing: the answer is then None, never wrong.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import attrs

from ludeme.check import program
from ludeme.check.walking import walk
from ludeme.kernel.types import Type
from ludeme.machine.notation import labels
from ludeme.machine.runs import Path, is_plain

MOST_PATHS = 64
ALWAYS_BOUND = 8
MOST_BOUND = 64

WORD = re.compile(r"\w+|\W")
_SITE = re.compile(r"[^\W\d_]+[0-9]+")


@attrs.frozen
class Slot:
    """A printed value. *choice* and *index*: which member of which choice, if it is one."""

    type: Type
    choice: int | None
    index: int = 0


@attrs.frozen
class Open:
    """A stretch of unknown length, such as a form for each of a set."""

    first_texts: tuple[str, ...]


Token = str | Slot | Open


@attrs.frozen
class Form:
    """A path and what its moves print."""

    path: Path
    tokens: tuple[Token, ...]


def told_apart(program_: program.Program, turn: program.Turn) -> tuple[Form, ...] | None:
    """The paths through a turn, if no two runs of it print alike; else None.

    Paths below `otherwise` are left out: they are open only if no other run is.
    """
    paths = _paths(turn.body)
    if paths is None:
        return None
    forms = [_form(program_, turn, path) for path, _ in paths]
    if any(form is None for form in forms):
        return None
    known = [form for form in forms if form is not None]
    first = _first_branches(turn.body)
    if not all(line in first for line in _with_otherwise(turn.body)):
        return None  # a run that is completed shuts no `otherwise` that comes behind a choice
    for i, form in enumerate(known):
        for other in known[:i]:
            if _exclude_each_other(first, form.path, other.path):
                continue
            if not _disjoint(program_, form.tokens, other.tokens):
                return None
    return tuple(
        _bounded(program_, turn, form) for form, (_, main) in zip(known, paths, strict=True) if main
    )


def _first_branches(block: Sequence[program.Statement]) -> list[program.OneOf]:
    """The `one of` lines of a turn that come before any choice."""
    found = []
    for line in block:
        if not is_plain(line) and not isinstance(line, program.OneOf | program.Require):
            break
        if isinstance(line, program.OneOf):
            found.append(line)
            break
    return found


def _with_otherwise(block: Sequence[program.Statement]) -> Iterator[program.OneOf]:
    """Every `one of` with an `otherwise`."""
    for line in walk(tuple(block)):
        if isinstance(line, program.OneOf) and any(b.otherwise for b in line.bullets):
            yield line


def without_otherwise(block: Sequence[program.Statement]) -> program.Block:
    """The lines without the bullets that are open only if no other is."""
    return tuple(
        attrs.evolve(line, bullets=tuple(b for b in line.bullets if not b.otherwise))
        if isinstance(line, program.OneOf)
        else line
        for line in block
    )


def _exclude_each_other(first: Sequence[program.OneOf], a: Path, b: Path) -> bool:
    """Whether one path lies below an `otherwise` that is open only if the other has no run."""
    return any(
        line.bullets[a.branches[line.number]].otherwise
        != line.bullets[b.branches[line.number]].otherwise
        for line in first
    )


# ---- paths


def _paths(block: Sequence[program.Statement]) -> list[tuple[Path, bool]] | None:
    """Every way through the branches; False beside those below an `otherwise`."""
    found: list[tuple[dict[int, int], int | None, bool]] = [({}, None, True)]
    for line in block:
        match line:
            case program.Choose():
                if line.chance:
                    return None
                found = [(branches, line.number, main) for branches, _, main in found]
            case program.RequireMost() | program.Repeat() | program.Stop():
                return None
            case program.OneOf():
                arms = [(i, b.body, not b.otherwise) for i, b in enumerate(line.bullets)]
                spread = _spread(found, line.number, arms)
                if spread is None:
                    return None
                found = spread
            case program.If() if not is_plain(line):
                arms = [(0, line.then, True), (1, line.otherwise, True)]
                spread = _spread(found, line.number, arms)
                if spread is None:
                    return None
                found = spread
            case program.If() | program.Require() | program.Match() | program.OneByOne():
                if not isinstance(line, program.Require) and not is_plain(line):
                    return None
    return [(Path(branches, last), main) for branches, last, main in found]


def _spread(
    found: list[tuple[dict[int, int], int | None, bool]],
    number: int,
    arms: Sequence[tuple[int, program.Block, bool]],
) -> list[tuple[dict[int, int], int | None, bool]] | None:
    spread = []
    for branch, body, main in arms:
        inner = _paths(body)
        if inner is None:
            return None
        for branches, last, outer_main in found:
            for path, inner_main in inner:
                together = {**branches, number: branch, **path.branches}
                later = path.last if path.last is not None else last
                spread.append((together, later, outer_main and main and inner_main))
    return spread if len(spread) <= MOST_PATHS else None


def on_path(block: Sequence[program.Statement], path: Path) -> Iterator[program.Statement]:
    """The lines that a path passes, with the branches it takes laid open."""
    for line in block:
        if isinstance(line, program.OneOf):
            yield from on_path(line.bullets[path.branches[line.number]].body, path)
        elif isinstance(line, program.If) and line.number in path.branches:
            taken = line.then if path.branches[line.number] == 0 else line.otherwise
            yield from on_path(taken, path)
        else:
            yield line


# ---- last choices of few values


def _bounded(program_: program.Program, turn: program.Turn, form: Form) -> Form:
    """The form, its path noting a last choice that has a known number of values at most."""
    lines = list(on_path(turn.body, form.path))
    chosen = [line for line in lines if isinstance(line, program.Choose)]
    if len(chosen) < 2 or any(line.many for line in chosen[-2:]):
        return form
    before, between = lines[: lines.index(chosen[-1])], lines[lines.index(chosen[-2]) + 1 :]
    light = all(isinstance(b, program.Choose | program.Assign | program.Require) for b in before)
    if not all(_goes_straight_on(line) for line in (*before, *between)):
        return form
    # Behind one choice there are few places, which are sooner weighed than drawn in vain.
    always = len(chosen) == 2
    if always and not light:
        return form
    bound = most_members(program_, chosen[-1].domain)
    if bound is None or bound > (ALWAYS_BOUND if always else MOST_BOUND):
        return form
    path = attrs.evolve(form.path, first=chosen[-2].number, bound=bound, always=always)
    return attrs.evolve(form, path=path)


def _goes_straight_on(line: program.Statement) -> bool:
    """Whether a line of a path leads to the next one, or nowhere."""
    return is_plain(line) or isinstance(line, program.Choose | program.Require)


def most_members(program_: program.Program, node: program.Expression) -> int | None:
    """How many members a set can have at most, as far as its form shows; None if it does not."""
    match node:
        case program.Constant() if isinstance(node.value, int):
            return node.value.bit_count()
        case program.Apply():
            return most_members(program_, node.function.value)
        case program.Choice():
            return _greatest(program_, (node.then, node.otherwise))
        case program.Those():
            return most_members(program_, node.domain) if node.type.kind == "set" else None
        case program.Op():
            return _most_members_of(program_, node)
    return None


def _greatest(program_: program.Program, nodes: Sequence[program.Expression]) -> int | None:
    bounds = [most_members(program_, node) for node in nodes]
    known = [bound for bound in bounds if bound is not None]
    return max(known) if len(known) == len(bounds) else None


def _most_members_of(program_: program.Program, node: program.Op) -> int | None:
    match node.name:
        case "single":
            return 1
        case "intersection":
            bounds = [most_members(program_, argument) for argument in node.arguments]
            return min((bound for bound in bounds if bound is not None), default=None)
        case "together":
            bounds = [most_members(program_, argument) for argument in node.arguments]
            known = [bound for bound in bounds if bound is not None]
            return sum(known) if len(known) == len(bounds) else None
        case "lookup":
            table = node.arguments[0]
            if isinstance(table, program.Constant) and isinstance(table.value, tuple):
                return max((entry.bit_count() for entry in table.value), default=0)
        case "step" if _is_single(node.arguments[0]):
            return _most_directions(program_, node.arguments[1])
        case "seen" if _is_single(node.arguments[0]):
            return _most_directions(program_, node.arguments[2])
        case "slide" if _is_single(node.arguments[0]):
            return _most_on_rays(program_, node.arguments[2])
        case "neighbours" if _is_single(node.arguments[0]):
            return max((mask.bit_count() for mask in program_.board.neighbours["links"]), default=0)
    return None


def _most_directions(program_: program.Program, node: program.Expression) -> int:
    every = len(program_.board.directions)
    known = most_members(program_, node)
    return every if known is None else min(every, known)


def _most_on_rays(program_: program.Program, node: program.Expression) -> int:
    """How many sites at most lie on the rays from a site."""
    board = program_.board
    wanted = node.value if isinstance(node, program.Constant) else -1
    assert isinstance(wanted, int)
    rays = [board.rays[way] for i, way in enumerate(board.directions) if wanted >> i & 1]
    seen = (set(itertools.chain.from_iterable(of_site)) for of_site in zip(*rays, strict=True))
    return max(map(len, seen), default=0)


def _is_single(node: program.Expression) -> bool:
    return isinstance(node, program.Op) and node.name == "single"


# ---- what a path prints


def _form(program_: program.Program, turn: program.Turn, path: Path) -> Form | None:
    lines = list(on_path(turn.body, path))
    chosen = {line.local: line for line in lines if isinstance(line, program.Choose)}
    tokens: list[Token] = []
    printed: set[program.Local] = set()
    said = False
    for line in lines:
        if not any(_says(line)):
            continue
        added = None
        if isinstance(line, program.Say):
            added = _say(line, chosen, printed)
        elif isinstance(line, program.ForEach):
            added = _say_for_each(program_, turn, line, chosen, printed)
        if added is None:
            return None
        tokens.extend([turn.joiner, *added] if said else added)
        said = True
    tokens = _merged(tokens)
    if set(chosen) - printed or not _readable(program_, tokens):
        return None
    return Form(path, tuple(tokens))


def _merged(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with literals that follow one another made one, and empty ones left out."""
    merged: list[Token] = []
    for token in tokens:
        if isinstance(token, str) and merged and isinstance(merged[-1], str):
            merged[-1] += token
        elif token != "":
            merged.append(token)
    return merged


def _says(line: program.Statement) -> Iterator[program.Say]:
    return (inner for inner in walk((line,)) if isinstance(inner, program.Say))


def _say(
    line: program.Say,
    chosen: dict[program.Local, program.Choose],
    printed: set[program.Local],
) -> list[Token] | None:
    tokens: list[Token] = []
    for part in line.parts:
        if isinstance(part, str):
            tokens.append(part)
            continue
        if not isinstance(part, program.Get) or part.local not in chosen:
            if part.type.kind == "set":
                return None
            tokens.append(Slot(part.type, None))
            continue
        choice = chosen[part.local]
        printed.add(part.local)
        if not choice.many:
            tokens.append(Slot(part.type, choice.number))
            continue
        size = _fixed_size(choice)
        if size is None or part.type.element is None:
            return None
        for index in range(size):
            if index:
                tokens.append(" ")
            tokens.append(Slot(part.type.element, choice.number, index))
    return tokens


def _fixed_size(choice: program.Choose) -> int | None:
    if choice.low is choice.high and isinstance(choice.low, program.Constant):
        return choice.low.value if isinstance(choice.low.value, int) else None
    return None


def _say_for_each(
    program_: program.Program,
    turn: program.Turn,
    line: program.ForEach,
    chosen: dict[program.Local, program.Choose],
    printed: set[program.Local],
) -> list[Token] | None:
    """A form for each member of a chosen set, if the text shows which members they are.

    That is so if something of the joiner stands in no form, so that the text falls into the forms
    again, and if in each form the member is the only word that names a thing of its type. At least
    one member is wanted: no member prints nothing, not even the joiner before it.
    """
    if len(line.binders) != 1:
        return None
    member, domain = line.binders[0]
    choice = chosen.get(domain.local) if isinstance(domain, program.Get) else None
    if choice is None or not choice.many or not _at_least_one(choice):
        return None
    names = labels(program_, member.type)
    marks = set(re.findall(r"\W", turn.joiner))
    first: list[str] = []
    for says in _ways(line.body):
        if names is None or len(says) != 1:
            return None
        tokens = _merged(_say(says[0], {}, set()) or [])
        literals = [token for token in tokens if isinstance(token, str)]
        marks -= set("".join(literals))
        if not _shows_member(program_, says[0], member) or not _readable(program_, tokens):
            return None
        first.append(literals[0] if literals and tokens[0] == literals[0] else "")
    if not marks:
        return None
    printed.add(choice.local)
    return [Open(tuple(first))]


def _at_least_one(choice: program.Choose) -> bool:
    low = choice.low.value if isinstance(choice.low, program.Constant) else 0
    return isinstance(low, int) and low >= 1


def _shows_member(program_: program.Program, say: program.Say, member: program.Local) -> bool:
    """Whether the one word of a form that names a thing of the member's type is the member."""
    names = set(labels(program_, member.type) or ())
    found = 0
    for part in say.parts:
        if isinstance(part, str):
            if names & set(WORD.findall(part)):
                return False
        elif isinstance(part, program.Get) and part.local is member:
            found += 1
        elif part.type.kind == "set" or names & set(labels(program_, part.type) or ()):
            return False
    return found == 1


def _ways(block: program.Block) -> list[list[program.Say]]:
    """What is said on each way through the branches of plain lines; if too much, also nothing."""
    ways: list[list[program.Say]] = [[]]
    for line in block:
        if not any(_says(line)):
            continue
        match line:
            case program.Say():
                ways = [[*way, line] for way in ways]
            case program.If():
                inner = _ways(line.then) + _ways(line.otherwise)
                ways = [[*way, *more] for way in ways for more in inner]
            case program.Match():
                rows: list[list[program.Say]] = [[]]
                for row in line.rows:
                    rows.extend(_ways(row.body))
                ways = [[*way, *more] for way in ways for more in rows]
            case _:
                return [[]]
        if len(ways) > MOST_PATHS:
            return [[]]
    return ways


def _readable(program_: program.Program, tokens: Sequence[Token]) -> bool:
    """Whether the printed values can be read back one by one from the text."""
    for token, following in itertools.pairwise(tokens):
        if isinstance(token, Open):
            return False
        if isinstance(token, Slot):
            if isinstance(following, str):
                if following[0].isalnum() or following[0] == "_":
                    return False
                if following[0] == "-" and _signed(token):
                    return False
            elif isinstance(following, Open) or not (
                _plain_sites(program_, token) and _plain_sites(program_, following)
            ):
                return False
        elif isinstance(following, Slot) and (token[-1:].isalnum() or token[-1:] == "_"):
            return False
    return True


def _signed(slot: Slot) -> bool:
    return slot.type.kind == "number"


def _plain_sites(program_: program.Program, slot: Slot) -> bool:
    return slot.type.kind == "site" and all(_SITE.fullmatch(name) for name in program_.board.names)


# ---- two forms


def _disjoint(program_: program.Program, a: Sequence[Token], b: Sequence[Token]) -> bool:
    """Whether no text can be printed by both forms."""
    if all(_prefixes_differ(x, y) for x in _prefixes(a) for y in _prefixes(b)):
        return True
    if any(isinstance(token, Open) for token in (*a, *b)):
        return False
    if any(isinstance(t, Slot) and t.type.kind == "number" for t in (*a, *b)):
        return False
    left, right = _fields(a), _fields(b)
    if len(left) != len(right):
        return True
    same: dict[tuple[int, int, int], tuple[int, int, int]] = {}

    def root(key: tuple[int, int, int]) -> tuple[int, int, int]:
        while key in same:
            key = same[key]
        return key

    for x, y in zip(left, right, strict=True):
        if len(x) != 1 or len(y) != 1:
            if all(isinstance(t, str) for t in (*x, *y)) and x != y:
                return True
            continue
        if _fields_differ(program_, x[0], y[0]):
            return True
        if isinstance(x[0], Slot) and isinstance(y[0], Slot):
            one, two = _identity(0, x[0]), _identity(1, y[0])
            if one and two and root(one) != root(two):
                same[root(one)] = root(two)
    return _contradiction((a, b), root)


def _identity(side: int, slot: Slot) -> tuple[int, int, int] | None:
    return None if slot.choice is None else (side, slot.choice, slot.index)


def _contradiction(sides: tuple[Sequence[Token], Sequence[Token]], root: object) -> bool:
    """Whether two different members of one chosen set would have to be the same."""
    assert callable(root)
    for side, tokens in enumerate(sides):
        slots = {
            (t.choice, t.index) for t in tokens if isinstance(t, Slot) and t.choice is not None
        }
        for choice, index in slots:
            for other, other_index in slots:
                if (
                    choice == other
                    and index < other_index
                    and root((side, choice, index)) == root((side, choice, other_index))
                ):
                    return True
    return False


def _prefixes(tokens: Sequence[Token]) -> list[tuple[str, bool]]:
    """What a form begins with, and whether that is all of it."""
    text = ""
    for token in tokens:
        if isinstance(token, Open):
            return [(text + first, False) for first in token.first_texts]
        if isinstance(token, Slot):
            return [(text, False)]
        text += token
    return [(text, True)]


def _prefixes_differ(a: tuple[str, bool], b: tuple[str, bool]) -> bool:
    (x, whole_x), (y, whole_y) = a, b
    if whole_x and whole_y:
        return x != y
    if whole_x:
        return not x.startswith(y)
    if whole_y:
        return not y.startswith(x)
    return not (x.startswith(y) or y.startswith(x))


def _fields(tokens: Sequence[Token]) -> list[list[str | Slot]]:
    """The words and separators of a form; values that abut are in one field."""
    fields: list[list[str | Slot]] = []
    joined = False
    for token in tokens:
        if isinstance(token, Slot):
            if joined:
                fields[-1].append(token)
            else:
                fields.append([token])
            joined = True
        elif isinstance(token, str):
            for word in WORD.findall(token):
                fields.append([word])
            joined = False
    return fields


def _fields_differ(program_: program.Program, x: str | Slot, y: str | Slot) -> bool:
    if isinstance(x, str) and isinstance(y, str):
        return x != y
    left, right = _texts(program_, x), _texts(program_, y)
    if left is None and right is None:
        return False
    if left is None:
        return not any(_is_number(text) for text in right or ())
    if right is None:
        return not any(_is_number(text) for text in left)
    return not set(left) & set(right)


def _texts(program_: program.Program, field: str | Slot) -> tuple[str, ...] | None:
    return (field,) if isinstance(field, str) else labels(program_, field.type)


def _is_number(text: str) -> bool:
    return text.isdecimal() or text == "-"
