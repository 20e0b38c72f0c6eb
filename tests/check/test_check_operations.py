"""What the table of the kernel promises, checker and interpreter keep."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludeme.check.expressions import Expressions as Checker
from ludeme.game import load_text
from ludeme.kernel import OPERATIONS, Operation, Parameter
from ludeme.kernel.pure import PURE
from ludeme.kernel.types import Type
from ludeme.machine.expressions import Expressions
from ludeme.machine.operators import ALIASES, BINARY
from ludeme.machine.random import Stream

ROOT = Path(__file__).resolve().parents[2]
TEXT = """game "One operation"
players Black, White
board square(4)
pieces stone, tower
stacks up to 2
each player holds 3 tower

start
  put Black stone on a1
  put White stone on {{b2, c3}}

turn move
  choose cell from empty
  put stone on cell

end
  draw by asking when {condition}
  mover wins by filling when no empty
"""
SAMPLES = {
    "number": "2",
    "site": "b2",
    "player": "mover",
    "kind": "stone",
    "set of sites": "occupied",
    "set of directions": "compass",
    "set of players": "players",
    "relation": "orthogonal",
    "family": "groups(mine)",
    "set of holes": "mine",
    "hole": "board",
}
ASKED = {"number": "{} = 7", "truth": "{}", "site": "{} = a1", "player": "{} = nobody"}
ASKED |= {"kind": "{} = tower"}


def written(operation: Operation, with_optional: bool) -> str:
    """The operation asked of samples."""
    parameters = [p for p in operation.parameters if with_optional or not p.optional]
    if not parameters:
        return operation.name
    if operation.name == "repeats":
        return "repeats(position, count(mine))" if with_optional else "repeats(board)"
    return f"{operation.name}({', '.join(map(sample, parameters))})"


def sample(parameter: Parameter) -> str:
    """Something that fits a parameter, behind its label."""
    value = SAMPLES[str(parameter.type)]
    return f"{parameter.label} {value}" if parameter.label else value


def condition(result: Type, text: str) -> str:
    """A truth about the result."""
    return ASKED.get(result.kind, "some ({})").format(text)


@pytest.mark.parametrize("with_optional", [True, False], ids=["all", "least"])
@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_every_operation_can_be_asked(operation: Operation, with_optional: bool) -> None:
    text = TEXT.format(condition=condition(operation.result, written(operation, with_optional)))
    machine = load_text(text).machine
    cells = machine.start()
    stream = Stream(1, 0, 0)
    for _ in range(3):
        if not machine.is_over(cells):
            end, _ = machine.draw(cells, machine.deciders(cells)[0], stream)
            cells = machine.play(cells, [end])


def operators_of_the_checker() -> set[str]:
    """The names of all operators that the checker makes for itself."""
    found = set()
    for path in sorted((ROOT / "ludeme" / "check").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                first = node.args[0] if node.args else None
                if node.func.attr in ("op", "connective") and isinstance(first, ast.Constant):
                    found |= {str(a.value) for a in node.args if isinstance(a, ast.Constant)}
    return found


def test_the_interpreter_knows_every_operator_of_the_checker() -> None:
    names = operators_of_the_checker()
    assert {"within", "lookup", "intersection", "complement"} <= names
    for name in names:
        known = name in PURE or hasattr(Expressions, f"op_{ALIASES.get(name, name)}")
        assert known, name


def test_the_checker_knows_every_expression_of_the_syntax() -> None:
    from ludeme.syntax import tree

    for node in tree.Expression.__args__:
        assert hasattr(Checker, "_" + node.__name__.lower()), node


TRUTHS = st.booleans()
SETS = st.integers(0, 2**70)
NUMBERS = st.integers(-(10**9), 10**9)
OPERANDS = {"and": TRUTHS, "or": TRUTHS, "not": TRUTHS, "=": NUMBERS, "+": NUMBERS, ">": NUMBERS}
OPERANDS |= {"single": st.integers(0, 4095)}


@given(st.sampled_from(sorted(BINARY)), st.data())
def test_fast_operators_mean_what_they_stand_for(name: str, data: st.DataObject) -> None:
    count = 1 if name in ("not", "single", "some", "none", "count") else 2
    operands = [data.draw(OPERANDS.get(name, SETS)) for _ in range(count)]
    evaluate = BINARY[name](*[lambda c, value=value: value for value in operands])
    assert PURE[name](*operands) == evaluate([])


@given(NUMBERS, SETS)
def test_no_set_holds_a_negative_number(number: int, members: int) -> None:
    assert PURE["member"](number, members) == (number >= 0 and number in _bits(members))


def _bits(members: int) -> set[int]:
    return {i for i in range(members.bit_length()) if members >> i & 1}
