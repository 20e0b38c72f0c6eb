"""What nobody would wait for is given up in machine code too, and never crashes it."""

from __future__ import annotations

import time

import pytest

import ludeme
from ludeme.game import load_text
from ludeme.native import facts
from ludeme.native.effort import Effort
from ludeme.native.engine import Native

from .cases import HEAD, LAST
from .lockstep import Pair, fewer_steps
from .test_agreement import assert_same

SECONDS = 5.0
"""Processor time that giving up may take; it is some hundredths on a machine at rest."""


def turn(body: str, board: str = "square(12)", items: str = "", last: str = LAST) -> str:
    """A description of one turn."""
    lines = "".join(f"  {line}\n" for line in body.strip("\n").split("\n"))
    return HEAD.replace("square(3)", board) + items + "turn\n" + lines + last


FIVE = "\n".join(f"choose s{n} from board" for n in range(5))
EXPLODING = {
    "five choices, none of which leads anywhere": turn(FIVE + "\nrequire some mine"),
    "five choices that print nothing": turn(FIVE + '\nas "x"'),
    "a chain that branches": turn(
        'repeat 1..12 times or stop\n  choose s from board\n  as "{s}"\n  require turns >= 0'
    ),
    "a chain that must go on and never arrives": turn(
        'repeat 9..9 times while possible\n  choose s from board\n  as "{s}"\nrequire some mine'
    ),
    "one by one, with a choice for each": turn(
        'one by one s in board\n  choose t from board\n  as "{t}"\nrequire some mine'
    ),
    "subsets of four, twice": turn(
        "choose 4 some_ from empty\nchoose 4 more from empty\nrequire some mine"
    ),
    "one alternative of two": turn(
        "one of\n  - first\n      choose u from empty\n      put man on u\n"
        "  - other\n" + FIVE.replace("choose", "      choose") + "\n      require some theirs"
    ),
    "runs that are dear one by one": turn(
        "choose a from board\nchoose b from board\n"
        "require some g in groups(not {a}) has (every s in g has some (neighbours(s) and mine))"
    ),
    "a circle of play that works hard": turn(
        "choose s from empty\nput man on s",
        board="square(16)",
        last="""play
  Ann takes move
  repeat until turns > 5
    if (sum count(reach(from s, among board)) for s in board) < 5
      Ann takes move
"""
        + LAST,
    ),
}


@pytest.mark.parametrize("name", EXPLODING)
def test_a_turn_that_explodes_is_given_up(name: str) -> None:
    """Machine code gives the game up within moments, and the interpreter tells the fault."""
    game = load_text(EXPLODING[name])
    native = Native(game.machine)
    begun = time.process_time()
    batch = native.playouts(game.machine.start(), 1, 0, 1, 100)
    assert time.process_time() - begun < SECONDS
    assert batch.status.tolist() == [2]
    with fewer_steps(500_000):
        expected = game.playouts(1, engine="python")
        assert_same(expected, game.playouts(1, engine="native"), name)
    assert expected.fault is not None
    assert expected.fault.diagnostic.code in ("too-costly", "too-many-moves", "endless")


def test_small_descriptions_count_nothing() -> None:
    """Where the limit is out of reach the code has no counter."""
    game = load_text(turn("choose s from empty\nput man on s", board="square(15)"))
    assert not Effort(game.machine.layout, game.machine.tables).is_counted
    text = "choose a from board\nchoose b from board\nchoose c from board\nchoose d from board"
    game = load_text(turn(text))
    assert Effort(game.machine.layout, game.machine.tables).is_counted


def test_more_moves_than_are_listed_are_left_to_the_interpreter() -> None:
    """Some ten thousand runs that may print alike are no fault; the games are the same."""
    body = 'choose a from board\nchoose b from board\nput man on {a} and empty\nas "{a}{b}x"'
    game = load_text(turn(body, last="end\n  draw by length when turns >= 3\n"))
    batch = Native(game.machine).playouts(game.machine.start(), 1, 0, 2, 100)
    assert batch.status.tolist() in ([2, 2], [0, 0])
    expected = game.playouts(2, engine="python")
    assert expected.count("finished") == 2
    assert_same(expected, game.playouts(2, engine="native"), "many moves")


DEEP = {
    "a thousand steps": turn(
        'repeat 1000..1000 times or stop\n  choose s from {a1}\n  raise tally by 1\nas "on"',
        items="game has tally = 0 from 0..100000\n",
    ),
    "a thousand steps of a large state": turn(
        "repeat 900..1000 times while possible\n  choose s from {a1}\n"
        '  raise tally(a1) by 1\nas "on"',
        board="square(24)",
        items="each site has tally = 0 from 0..100000\neach site has a = 0 from 0..100000\n"
        "each site has b = 0 from 0..100000\neach site has c = 0 from 0..100000\n",
    ),
    "chains within a chain": turn(
        "repeat 20..20 times while possible\n  repeat 30..30 times while possible\n"
        "    choose s from {a1}\n    raise tally by 1\n"
        'as "on"',
        items="game has tally = 0 from 0..100000\n",
    ),
    "one by one over four thousand sites": turn(
        'one by one s in board\n  choose p from {mover}\n  raise tally by 1\nas "on"',
        board="square(64)",
        items="game has tally = 0 from 0..1000000\n",
    ),
    "many lines for each of four thousand sites": turn(
        "one by one s in board\n"
        + "".join(f"  choose who_{n} from {{mover}}\n" for n in range(6))
        + '  raise tally by 1\nas "on"',
        board="square(64)",
        items="game has tally = 0 from 0..1000000\n",
    ),
}


@pytest.mark.parametrize("name", DEEP)
def test_a_chain_that_goes_deep_does_not_crash(name: str) -> None:
    """It is played, or given up and told by the interpreter; both say the same."""
    pair = Pair(load_text(DEEP[name]), counting=False)
    pair.run(1, 1, 3)
    assert pair.met["games"] + pair.met["unconfirmed game"] == 1
    expected = pair.game.playouts(2, turn_limit=2, engine="python")
    for jobs in (1, 2):
        actual = pair.game.playouts(2, turn_limit=2, engine="native", jobs=jobs)
        assert_same(expected, actual, name)


def test_the_interpreter_never_stops_where_machine_code_goes_on() -> None:
    """Whatever the limit, a question that is too much for the interpreter is given up."""
    body = "choose a from board\nchoose b from board where b != a\nput man on {a} and empty\n"
    body += 'require count(group(a)) < 99\nrequire most count(neighbours(b) and mine)\nas "{a}{b}"'
    text = turn(body, board="square(5)")
    for steps in (2_000, 5_000, 10_000, 20_000, 40_000, 80_000):
        with fewer_steps(steps):
            Pair(load_text(text)).run(1, 2, 6)


def test_what_an_option_shuts_off_is_not_played() -> None:
    """Nobody comes to the turn `answer` of Hex without the pie rule, so stones are only added."""
    plain = ludeme.load("hex", size=3).program
    assert facts.turns_played(plain) == {"move"}
    assert facts.grows_only(plain)
    swapping = ludeme.load("hex", size=3, swap=True).program
    assert facts.turns_played(swapping) == {"move", "answer"}
    assert not facts.grows_only(swapping)
