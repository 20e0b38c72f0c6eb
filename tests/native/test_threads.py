"""Jobs, batches and the limits of a call: the games depend on none of them."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import ludeme
from ludeme.game import load_text
from ludeme.native.engine import Native

from .cases import CASES, HEAD
from .test_agreement import assert_same

STUCK = HEAD + "turn\n  choose c from empty\n  put man on c\nend\n  draw by never when turns > 20\n"
"""After nine decisions nobody can move: every game is faulty."""


@pytest.mark.parametrize("name", ["tic_tac_toe", "constello", "consta", "english_draughts"])
def test_jobs_do_not_change_the_games(name: str) -> None:
    """One thread, two, and more than there are processors play the same."""
    game = ludeme.load(name)
    one = game.playouts(3000, seed=5, engine="native", jobs=1)
    for jobs in (2, 7):
        assert_same(one, game.playouts(3000, seed=5, engine="native", jobs=jobs), name)


def test_batches_do_not_change_the_games() -> None:
    """Games 0 to 999 are games 0 to 399 and then 400 to 999."""
    game = ludeme.load("reversi")
    whole = game.playouts(1000, seed=5, engine="native")
    parts = [
        game.playouts(400, seed=5, engine="native"),
        game.playouts(600, seed=5, first=400, engine="native", jobs=2),
    ]
    assert np.array_equal(whole.widths, np.concatenate([part.widths for part in parts]))


def test_faulty_games_of_several_threads_are_told_in_order() -> None:
    """The first fault by number is the one that is told, on either engine."""
    game = load_text(STUCK)
    expected = game.playouts(40, seed=2, engine="python")
    for jobs in (1, 2):
        actual = game.playouts(40, seed=2, engine="native", jobs=jobs)
        assert_same(expected, actual, "stuck")
        assert actual.count("faulty") == 40
        assert actual.fault_number == expected.fault_number == 0
        assert actual.fault is not None and expected.fault is not None
        assert actual.fault.moves == expected.fault.moves


TURN = "turn\n  choose c from empty\n  put man on c\nend\n  draw by never when no empty\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "start\n  move a1 to b2\n" + TURN,
        HEAD
        + "option open = false\n"
        + TURN.replace("turn", "turn move")
        + "play\n  if open\n    players alternate move\n",
    ],
    ids=["a fault in the setup", "nobody ever decides"],
)
def test_a_description_that_goes_wrong_at_once(text: str) -> None:
    """A fault on the way to the first decision is in the result, on either engine."""
    game = load_text(text)
    expected = game.playouts(3, engine="python")
    actual = game.playouts(3, engine="native")
    assert_same(expected, actual, "start")
    assert actual.count("faulty") == 3


def test_a_game_that_is_over_at_once() -> None:
    """Its end is told, on either engine, from the first state or from a later one."""
    game = load_text(HEAD + "turn\n  choose c from empty\n  put man on c\nplay\n  draw by decree\n"
                     "  Ann takes move\nend\n  draw by never when no empty\n")  # fmt: skip
    assert_same(game.playouts(3, engine="python"), game.playouts(3, engine="native"), "over")
    other = ludeme.load("tic_tac_toe")
    state = other.start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        state = state.play(move)
    python = other.playouts(3, start=state, engine="python")
    native = other.playouts(3, start=state, engine="native")
    assert_same(python, native, "over")
    assert native.winners.tolist() == [0, 0, 0]


def test_a_game_may_begin_in_the_middle() -> None:
    """Games from a later state are the same on either engine."""
    for name, moves in (("constello", 4), ("english_draughts", 9), ("constructo", 7)):
        game = ludeme.load(name)
        state = game.start()
        for _ in range(moves):
            state = state.play({p: state.moves(p)[0] for p in state.to_move})
        python = game.playouts(20, seed=9, start=state, engine="python")
        assert_same(python, game.playouts(20, seed=9, start=state, engine="native"), name)


def test_the_limits_of_a_call() -> None:
    """No game, no decision, as many as anybody likes, and the last numbers and seeds there are."""
    game = ludeme.load("connect_four")
    for how in (
        {"games": 0},
        {"games": 5, "turn_limit": 0},
        {"games": 5, "turn_limit": 7},
        {"games": 5, "turn_limit": 1 << 70},
        {"games": 5, "seed": (1 << 64) - 1},
        {"games": 5, "seed": 1 << 63},
        {"games": 5, "first": (1 << 63) - 2},
        {"games": 5, "first": (1 << 64) - 20_000_000},
    ):
        assert_same(
            game.playouts(**how, engine="python"), game.playouts(**how, engine="native"), str(how)
        )


def _resident() -> int:
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def test_memory_stays_the_same_over_many_batches() -> None:
    """Thousands of batches, and compiling and dropping code, leave nothing behind."""
    machine = load_text(CASES["plans, a table of orders, and passing together"]).machine
    native = Native(machine)
    start = machine.start()

    def work(batches: int, loads: int) -> None:
        for number in range(batches):
            native.playouts(start, 1, number, 5, 100)
        for _ in range(loads):
            Native(machine).playouts(start, 1, 0, 5, 100)
        gc.collect()

    work(300, 20)
    before = _resident()
    work(3000, 60)
    assert _resident() - before < 24 << 20
