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
from ludeme.native.compiled import Lowered
from ludeme.native.engine import Native
from ludeme.native.refusal import NotNative
from ludeme.native.surroundings import Surroundings

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
                Lowered(game.machine, has_pdep=False)
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

REFUSED: dict[str, str] = {}
"""What is not compiled, and a description of it: nothing."""


def test_nothing_is_refused() -> None:
    """Random descriptions are refused only for what is listed, and that is nothing."""
    refused = set()
    for size in BOARDS:
        for number in range(QUICK):
            try:
                Lowered(load_text(description(number, size)).machine, has_pdep=False)
            except DescriptionError:
                continue
            except NotNative as refusal:
                refused.add(refusal.what)
    assert refused == set(REFUSED) == set()


def test_what_is_not_lowered_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` falls back to the interpreter and says so; `native` is refused, with the place."""
    monkeypatch.delattr(Surroundings, "op_neighbours")
    game = load_text(
        HEAD + "turn\n  choose c from empty\n  put man on c and neighbours(b2)\n" + LAST
    )
    with pytest.raises(NotNative) as refusal:
        Native(game.machine, keep=False)
    assert refusal.value.span.text == "neighbours(b2)"
    assert "`neighbours` is not compiled to machine code (game.game:" in str(refusal.value)
    with pytest.raises(ValueError, match="the native engine cannot play this"):
        game.playouts(2, engine="native")
    assert game.playouts(120, engine="auto", turn_limit=2).asked.engine == "python"
