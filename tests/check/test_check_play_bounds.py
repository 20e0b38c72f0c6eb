"""A question to the machine is answered in bounded time, or refused with a fault."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from check.descriptions import game

from ludeme.diagnostics import DescriptionFault
from ludeme.game import load_text
from ludeme.machine import Machine
from ludeme.machine.random import Stream

ASK: dict[str, Callable[[Machine], object]] = {
    "any": lambda machine: machine.can_move(machine.start(), 0, "move"),
    "count": lambda machine: machine.count(machine.start(), 0),
    "moves": lambda machine: len(machine.moves(machine.start(), 0)),
    "draw": lambda machine: machine.draw(machine.start(), 0, Stream(1, 0, 0))[1],
}


def ask(text: str, question: str) -> object:
    """The answer to a question in the first state, or the code of the fault."""
    machine = load_text(text).machine
    try:
        return ASK[question](machine)
    except DescriptionFault as error:
        return error.diagnostic.code


@pytest.mark.parametrize(
    ("question", "answer"),
    [("any", True), ("count", "too-costly"), ("moves", "too-many-moves")],
)
def test_a_choice_of_many_is_not_listed(question: str, answer: object) -> None:
    text = game("  choose 30 cells from empty and not row(1)", board="square(19)")
    assert ask(text, question) == answer


def test_a_choice_of_many_can_be_drawn_where_it_needs_no_list() -> None:
    width = ask(game(board="square(19)").replace("choose cell", "choose 30 cell"), "draw")
    assert isinstance(width, int)
    assert width > 10**40


@pytest.mark.parametrize("question", ASK)
def test_choices_within_choices_are_bounded(question: str) -> None:
    lines = "  choose a from board\n  choose b from board\n  choose c from board\n  require a = b"
    text = game(lines + "\n  require a != b", board="square(19)")
    assert ask(text, question) == "too-costly"


@pytest.mark.parametrize("question", ["count", "moves", "draw"])
@pytest.mark.parametrize("manner", ["while possible", "or stop"])
def test_chains_are_bounded(question: str, manner: str) -> None:
    lines = f"  repeat 1..1000 times {manner}\n    choose step_to from empty and not row(1)\n"
    lines += '    put tower on step_to\n    as "{step_to}"'
    text = game(lines, board="square(19)").replace("cell from empty", "cell from row(1)")
    assert ask(text, question) in ("too-costly", "too-many-moves")


def test_any_finds_the_end_of_a_chain() -> None:
    lines = "  repeat 1..1000 times while possible\n    choose step_to from empty\n"
    lines += "    put tower on step_to"
    text = game(lines, board="square(10)").replace("put stone on cell", "pass")
    assert ask(text, "any") is True


def test_a_chain_of_a_thousand_steps_is_followed() -> None:
    lines = "  let count_of = 0\n  repeat 1000..1000 times while possible\n"
    lines += (
        "    require cell in empty\n    require count_of < 1000\n    set count_of to count_of + 1"
    )
    assert ask(game(lines), "moves") == 25


def test_branches_upon_branches_are_bounded() -> None:
    lines = "\n".join(
        f"  one of\n    - left_{i}\n        unmark cell hot\n    - right_{i}\n        mark cell hot"
        for i in range(30)
    )
    assert ask(game(lines, "each site has hot\n"), "moves") in ("too-costly", "too-many-moves")


def test_bullets_that_print_for_each_of_a_set_are_looked_through_in_bounded_time() -> None:
    says = "".join(
        f'    if c in row(1)\n      as "a"\n    if c in row({i % 5 + 1})\n      unmark c hot\n'
        for i in range(40)
    )
    text = game("  choose 1..2 cs from empty\n  for each c in cs\n" + says, "each site has hot\n")
    text = text.replace("turn move", 'turn move joined by ", "')
    assert isinstance(ask(text, "any"), bool)


def test_effects_between_decisions_are_bounded() -> None:
    wide = "    if every x in board has some y in board has x = y\n      set n to 2\n"
    text = game(more="game has n = 0 from 0..9\n", board="square(64)")
    text += "\nplay\n  repeat until turns > 3\n" + wide * 100 + "    Black takes move\n"
    with pytest.raises(DescriptionFault, match="too-costly"):
        load_text(text).machine.start()


def test_a_number_that_set_changes_stays_within_its_bounds() -> None:
    lines = "  let n = 1\n  repeat 40..40 times while possible\n    set n to n * 2"
    assert ask(game(lines), "moves") == "out-of-range"


def test_nobody_and_no_kind_have_nothing() -> None:
    more = "each player holds 3 stone\neach player has debt for each kind = 2 from 0..9\n"
    more += "each player has marked for each player = 3 from 0..9\n"
    lines = "  require held(owner(cell), stone) = 0 and no hand(owner(cell))\n"
    lines += "  require held(mover, kind(cell)) = 0 and not passed(owner(cell))\n"
    lines += "  require debt(mover, kind(cell)) = 2 and marked(mover, owner(cell)) = 3\n"
    lines += "  require debt(owner(cell), stone) = 2"
    assert ask(game(lines, more), "moves") == 25


def test_a_negative_number_is_in_no_set() -> None:
    more = "game has n = -2 from -5..9\n"
    assert ask(game("  require n not in 1..6 and n not in {3, 4}", more), "moves") == 25


def test_runs_that_end_alike_take_no_room() -> None:
    """Only what is listed counts against the room for states, not each run that prints it."""
    lines = "  choose a from board\n  choose b from board\n  choose 1..2 others_of from row(1)\n"
    text = game(lines, board="square(12)").replace("turn move", 'turn move as "{cell}"')
    text = text.replace("cell from empty", "cell from {a1}")
    assert ask(text, "moves") in (1, "too-costly")
