"""Answers that are carried along with a state are those that would be found anew."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludeme.game import load_text
from ludeme.native.engine import Native
from ludeme.native.memory import Memory
from ludeme.native.memos import Memos

from .lockstep import Pair

BOARDS = ("square(3)", "square(9)", "hexagon(6)", "parallelogram(10)", "square(13)", "square(17)")
WAYS = {
    "place": ("{c}", "choose c from empty; put man on c"),
    "take": ("take {c}", "choose c from theirs; remove c"),
    "leave": ("leave {c}", "choose c from mine; remove (c or neighbours(c) and theirs)"),
    "move": ("{c}-{d}", "choose c from mine; choose d from empty and neighbours(c); move c to d"),
    "give": (
        "give {c}",
        "choose c from theirs; give (neighbours(c) and mine) to next; give c to mover",
    ),
    "swap": (
        "{c}x{d}",
        "choose c from mine; choose d from theirs and neighbours(c); swap c with d",
    ),
    "flood": (
        "flood {c}",
        "choose c from empty; put man on ((neighbours(c) or c) and empty)",
    ),
    "sweep": ("sweep {n}", "choose n from 1..3; remove (row(n) and theirs)"),
    "turncoat": ("coat {p}", "choose p from players; give (row(1) and pieces(p)) to next"),
}
"""What a player may do; only the first of them leaves old answers as they were."""
CONDITIONS = (
    "joined({mine}, from bottom, to top)",
    "joined({mine}, from a1, to far)",
    "joined({mine}, from home(mover), to away(mover))",
    "joined({theirs}, from bottom, to top)",
    "joined({mine}, from bottom, to top, by friendly)",
    "(some p in players has joined({of_p}, from home(p), to away(p), by friendly))",
    "line(3, among {mine})",
    "line(4, among {theirs})",
    "line(1, among {theirs})",
    "(some p in players has joined({of_p}, from home(p), to away(p)))",
    "(some p in players has line(5, among {of_p}))",
    "connected(mover)",
    "connected(next)",
)
MEMO = {"mine": "mine", "theirs": "pieces(next)", "of_p": "pieces(p)"}
PLAIN = {name: f"({sites} or nothing)" for name, sites in MEMO.items()}
"""The same sets in words that no answer is carried along for."""


def description(seed: int, sets: dict[str, str]) -> str:
    """A small game of a seed, its questions asked in these words."""
    rng = Random(seed)
    board = rng.choice(BOARDS)
    names = ["place", *rng.sample(sorted(set(WAYS) - {"place"}), rng.randint(1, 4))]
    ways = "".join(
        f'    - {name} as "{WAYS[name][0]}"\n'
        + "".join(f"        {line}\n" for line in WAYS[name][1].split("; "))
        for name in names
    )
    asked = [condition.format(**sets) for condition in rng.sample(CONDITIONS, rng.randint(2, 5))]
    after = rng.choice((3, 10, 30))
    ends = "".join(
        f"  {rng.choice(('mover wins', 'draw', 'next wins'))} by end_{number}"
        f" when {condition} and {rng.choice(asked)} and turns > {after}\n"
        for number, condition in enumerate(asked)
    )
    seen = "".join(
        f"  draw by never_{number} when {condition} and turns < 0\n"
        for number, condition in enumerate(asked)
    )
    top = rng.choice(("top", "bottom"))
    more = rng.choice(("", "", ", Cid"))
    return (
        f'game "Memo"\nplayers Ann, Bob{more}\n'
        f"  home: bottom, {top}{', bottom' if more else ''}\n"
        f"  away: top, bottom{', corners' if more else ''}\n"
        f"board {board}\nregion far = top and corners\npiece man\n"
        f"relation friendly(a: site, b: site) ="
        f" count(neighbours(a) and neighbours(b) and pieces(owner(a))) <= {rng.randint(0, 2)}\n"
        f"define connected(p: player) = joined({sets['of_p']}, from home(p), to away(p))\n"
        f"turn\n  one of\n{ways}    otherwise idle\n        pass\n"
        f"end\n{seen}{ends}  draw by length when turns >= {rng.choice((40, 150))}\n"
    )


def compare(seed: int, games: int) -> None:
    """The game with memos and the one without are the same, in machine code."""
    pairs = []
    for sets in (MEMO, PLAIN):
        machine = load_text(description(seed, sets)).machine
        native = Native(machine, keep=False)
        pairs.append(native.playouts(machine.start(), seed, 0, games, 200))
    carried, plain = pairs
    for name in ("status", "decisions", "end", "winner", "moves", "widths", "joint_widths"):
        one, other = getattr(carried, name), getattr(plain, name)
        assert np.array_equal(one, other), (name, description(seed, MEMO))
    assert set(carried.status.tolist()) == {0}


def memos_of(text: str) -> Memos:
    """The questions of a description that are answered by what is carried along."""
    machine = load_text(text).machine
    return Memos(Memory(machine.layout), machine.tables)


@given(st.integers(0, 1 << 32))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_carried_answers_are_those_found_anew(seed: int) -> None:
    """Whatever is put, taken, moved and given, hundreds of games are the same either way."""
    compare(seed, 300)


@pytest.mark.parametrize("seed", range(4))
def test_carried_answers_are_those_of_the_interpreter(seed: int) -> None:
    """Every state and outcome agrees with the interpreter, which carries nothing along."""
    Pair(load_text(description(seed, MEMO)), counting=False).run(seed, 2, 150)


def test_the_games_have_memos_or_not_as_they_are_worded() -> None:
    """The comparison is of two different ways: one wording is remembered, the other is not."""
    remembered = 0
    for seed in range(30):
        memos = memos_of(description(seed, MEMO))
        remembered += len(memos.joins) + len(memos.lines)
        plain = memos_of(description(seed, PLAIN))
        assert not plain.joins and not plain.lines
    assert remembered > 60


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 300, 30))
def test_carried_answers_of_many_games(first: int) -> None:
    """The same for hundreds of descriptions, thousands of games each."""
    for seed in range(first, first + 30):
        compare(seed, 2000)
