"""Options given from outside, and shipped games at each value of theirs."""

from __future__ import annotations

from typing import Any

import pytest
from check.descriptions import checked, game, said

from ludeme.game import load, shipped

CODE = "option-value"
OPTIONS = """option size = 5 from 3..9
option again = false
option mood = calm from calm, wild"""
TEXT = game("  require mood = calm or again", board="square(size)", declarations=OPTIONS)


def test_options_change_the_board_and_the_rules() -> None:
    assert len(checked(TEXT, size=3).board.names) == 9
    assert [o.value for o in checked(TEXT, again=True, mood="wild").options] == [5, 1, 1]


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("size", 2, "a number from 3 to 9"),
        ("size", 10, "a number from 3 to 9"),
        ("size", -1, "a number from 3 to 9"),
        ("size", 10**18, "a number from 3 to 9"),
        ("size", "9" * 5000, "a number from 3 to 9"),
        ("size", "²", "a number from 3 to 9"),
        ("size", "5.0", "a number from 3 to 9"),
        ("size", "", "a number from 3 to 9"),
        ("size", True, "a number from 3 to 9"),
        ("again", "yes", "true or false"),
        ("again", 1, "true or false"),
        ("mood", "angry", "one of calm, wild"),
        ("mood", 0, "one of calm, wild"),
    ],
)
def test_a_value_that_cannot_be(option: str, value: object, wanted: str) -> None:
    (found,) = said(TEXT, **{option: value})
    assert found.code == CODE
    assert wanted in found.message
    assert len(found.message) < 200


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_that_python_does_not_print(sign: int) -> None:
    (found,) = said(TEXT, size=sign * 10**5000)
    assert found.code == CODE
    assert "a number of more than 30 digits" in found.message


def test_an_option_that_is_not_there() -> None:
    (found,) = said(TEXT, siez=5)
    assert found.code == "unknown-name"
    assert found.help == "did you mean `size`?"


def every_value(name: str) -> list[dict[str, Any]]:
    """Each value of each option of a shipped game, the others at their defaults."""
    chosen: list[dict[str, Any]] = [{}]
    for option in load(name).program.options:
        values = option.values if isinstance(option.values, range) else list(option.values)
        chosen += [{option.name: value} for value in values]
    return chosen


@pytest.mark.parametrize("name", shipped())
def test_nothing_is_said_of_shipped_games(name: str) -> None:
    for options in every_value(name):
        assert load(name, **options).warnings == (), options


def test_both_options_of_astralesce_together() -> None:
    for name in ("astralesce", "constellation"):
        for order in (3, 4, 5, 6):
            for alone in (0, 1):
                assert load(name, order=order, alone=alone).warnings == ()


def test_what_an_option_keeps_out_of_play_is_left_out() -> None:
    """A turn that no step of `play` leads to under these options is no part of the program."""
    assert set(load("hex").program.turns) == {"move"}
    assert set(load("hex", swap=True).program.turns) == {"move", "answer"}
