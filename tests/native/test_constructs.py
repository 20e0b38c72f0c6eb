"""Every construct of the language is compared on both engines, or refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import attrs
import pytest

import ludeme
from ludeme.check import program
from ludeme.diagnostics import DescriptionError
from ludeme.game import load_text, shipped
from ludeme.kernel import EFFECTS, OPERATIONS
from ludeme.kernel.pure import PURE
from ludeme.machine.expressions import Expressions
from ludeme.native.engine import Native
from ludeme.native.refusal import NotNative

from .cases import CASES, HEAD, LAST
from .programs import BOARDS, description
from .test_cases import QUICK

NOT_PLAYED = {"setup"}
"""Written out as `put` by the checker."""
FOLDED = {"negative", "lookup", "pick"}
KINDS = {
    "Quantified": ("quantifier", ("some", "no", "every")),
    "Fold": ("kind", ("sum", "union", "largest", "smallest")),
    "Links": ("kind", ("all", "relation", "directions", "defined")),
    "End": ("kind", ("wins", "loses", "draw", "decides")),
}
"""Classes of several forms: the field that tells them apart."""


def compared() -> Iterator[program.Program]:
    """The programs that tests of this folder run on both engines."""
    for name in shipped():
        yield ludeme.load(name).program
    for text in CASES.values():
        yield load_text(text).program
    for size in BOARDS:
        for number in range(QUICK):
            try:
                game = load_text(description(number, size))
                Native(game.machine)
            except (DescriptionError, NotNative):
                continue
            yield game.program


def constructs(part: object, met: set[str], seen: set[int]) -> None:
    """Note the class, name and form of every node below *part*."""
    if isinstance(part, tuple | list):
        for each in part:
            constructs(each, met, seen)
        return
    if isinstance(part, dict):
        constructs(list(part.values()), met, seen)
        return
    if not attrs.has(type(part)) or id(part) in seen or type(part).__module__ != program.__name__:
        return
    seen.add(id(part))
    name = type(part).__name__
    met.add(name)
    if isinstance(part, program.Op):
        met.add(f"`{part.name}`")
    if name in KINDS:
        met.add(f"{name} {getattr(part, KINDS[name][0])}")
    for field in attrs.fields(type(part)):
        constructs(getattr(part, field.name), met, seen)


def wanted() -> set[str]:
    """Every class of the checked program, every operation and operator, every form."""
    found = {kind.__name__ for union in UNIONS for kind in get_args(union)}
    found |= {f"{name} {form}" for name, (_, forms) in KINDS.items() for form in forms}
    by_method = {name[3:] for name in dir(Expressions) if name.startswith("op_")} - {"division"}
    found |= {f"`{name}`" for name in {*PURE, *by_method}}
    return found


UNIONS = (program.Expression, program.Statement, program.Step)


def test_every_construct_is_compared() -> None:
    """What the interpreter can do stands in at least one description that both engines play."""
    met: set[str] = set()
    uses: set[str] = set()
    for each in compared():
        constructs(each, met, set())
        uses |= each.uses
    assert wanted() - met == set()
    assert ({*OPERATIONS, *EFFECTS} - NOT_PLAYED) - uses == set()


# ---- what is refused

REFUSED: dict[str, tuple[str, str, str]] = {
    "a choice of more than four things": (
        "a choice of more than four things at once",
        "choose 5 cells from empty",
        HEAD + "turn\n  choose 5 cells from empty\n  put man on cells\n" + LAST,
    ),
    "decisions for each set of a family": (
        "decisions for each set of a family",
        "one by one r in rows",
        HEAD + "turn\n  one by one r in rows\n    choose c from r\n    put man on c and empty\n"
        '  as "{occupied}"\n' + LAST,
    ),
    "`require most` in a chain": (
        "`require most` in a chain",
        "require most count(mine)",
        HEAD + "turn\n  repeat 1..2 times or stop\n    choose c from empty\n    put man on c\n"
        '    as "{c}"\n    require most count(mine)\n' + LAST,
    ),
    "numbers above 63": (
        "a set of numbers above 63",
        "60..70",
        HEAD + "turn\n  choose n from 60..70\n" + LAST,
    ),
    "a range up to a number above 63": (
        "a set of numbers above 63",
        "count(mine)..64",
        HEAD + "turn\n  choose n from count(mine)..64\n" + LAST,
    ),
    "a family with a name": (
        "a value of type family",
        "let parts = groups(mine)",
        HEAD + "turn\n  let parts = groups(mine)\n  choose c from empty\n"
        "  require count(parts) < 3\n  put man on c\n" + LAST,
    ),
    "one family or another": (
        "the family `if turns > 2 then rows else columns`",
        "if turns > 2 then rows else columns",
        HEAD + "turn\n  choose c from empty\n  put man on c\n"
        "  require no r in (if turns > 2 then rows else columns) has count(r) > 3\n" + LAST,
    ),
    "two families compared": (
        "`groups`",
        "groups(mine)",
        HEAD + "turn\n  choose c from empty\n  put man on c\n"
        "  require groups(mine) != rows or turns < 5\n" + LAST,
    ),
    "sets of more than 64 words": (
        "a set of more than 64 kinds of thing",
        "{w1, w2}",
        HEAD
        + "game has mood: "
        + ", ".join(f"w{i}" for i in range(70))
        + "\nturn\n  choose w from {w1, w2}\n  set mood to w\n"
        + LAST,
    ),
    "a very large state": (
        "a state of ",
        "turn",
        HEAD.replace("square(3)", "square(64)")
        + "each site has a, b, c: sites\nturn\n  choose s from top and empty\n  put man on s\n"
        + LAST,
    ),
}
"""What is refused, where, and a description of it."""


@pytest.mark.parametrize("name", REFUSED)
def test_a_construct_is_refused_by_name(name: str) -> None:
    """`NotNative` says what it does not know, and where that stands."""
    what, place, text = REFUSED[name]
    game = load_text(text)
    with pytest.raises(NotNative) as refusal:
        Native(game.machine, keep=False)
    assert refusal.value.what.startswith(what)
    assert refusal.value.span.text.startswith(place)
    assert "is not compiled to machine code (game.game:" in str(refusal.value)


@pytest.mark.parametrize("name", REFUSED)
def test_the_interpreter_plays_what_is_refused(name: str) -> None:
    """`auto` falls back to the interpreter and says so; `native` is refused."""
    game = load_text(REFUSED[name][2])
    with pytest.raises(ValueError, match="the native engine cannot play this"):
        game.playouts(2, engine="native")
    played = game.playouts(
        120 if name != "a very large state" else 100, engine="auto", turn_limit=2
    )
    assert played.asked.engine == "python"


def test_refusals_are_known() -> None:
    """Random descriptions are refused only for what is listed here."""
    refused = set()
    for size in BOARDS:
        for number in range(QUICK):
            try:
                Native(load_text(description(number, size)).machine)
            except DescriptionError:
                continue
            except NotNative as refusal:
                refused.add(refusal.what)
    known = tuple(what for what, _, _ in REFUSED.values())
    assert {what for what in refused if not what.startswith(known)} == set()
