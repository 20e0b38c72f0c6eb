"""Positions as a designer writes them."""

from __future__ import annotations

import pytest

from ludeme import load_text
from tests.view.playing import EVERYTHING, game_of

CONSTA = ("consta", (("size", 5),))


def test_the_empty_text_is_the_first_decision():
    """Nothing said: everything as at first, on an empty board."""
    assert game_of(*CONSTA).start() == game_of(*CONSTA).position("")
    assert game_of("constello").start() == game_of("constello").position("-- nothing\n\n")
    assert game_of("constructo").start() == game_of("constructo").position("\ufeff")


def test_a_position_of_consta_in_full():
    """The words of the reference."""
    state = game_of(*CONSTA).position(
        """
        position of consta (size = 5)
        to move: White in build
        a1: Black stone
        b2: White stone, White stone
        """
    )
    assert state.to_move == ("White",)
    assert state.text == (
        "position of Consta (size = 5)\n"
        "to move: White in build\n"
        "a1: Black stone\n"
        "b2: White stone, White stone"
    )
    assert "c3 d3" in map(str, state.moves())
    assert "a1 c3" not in map(str, state.moves())


@pytest.mark.parametrize(
    "text",
    [
        "a1 b2, c3: Black stone\nto move: White in build",
        "a1: Black\nb2: Black\nc3: Black\nto move: White",
        "to   move :White in build\nc3:Black stone\nb2:1 Black stone\n\ta1:Black stone",
        "a1 b2 c3: Black stone\nd4: empty\nto move: White in build, step 2",
    ],
)
def test_shorter_and_looser_ways_say_the_same(text):
    """Several sites in a line, no kind where there is one, no turn where one fits."""
    game = game_of(*CONSTA)
    plain = "to move: White in build\na1: Black stone\nb2: Black stone\nc3: Black stone"
    assert game.position(plain) == game.position(text)


def test_a_number_before_a_piece_repeats_it():
    """Two stones are a stack of two."""
    game = game_of(*CONSTA)
    assert game.position("a1: Black stone, Black stone") == game.position("a1: 2 Black stone")


def test_players_who_decide_together_may_be_named_in_any_order():
    """Nobody comes first on such a turn."""
    game = game_of("constello")
    texts = [
        "",
        "to move: Black, White in plan",
        "to move: White, Black",
        "to move: Black and White",
    ]
    assert len({game.position(text).key for text in texts}) == 1
    assert game.position("").text == "position of Constello\nto move: Black, White in plan"


def test_locked_nodes_without_a_number_were_locked_just_now():
    """A flag that lasts one turn has one turn left at the decision after it was marked."""
    game = game_of("constello")
    state = game.start().play("place a1 | place a1")
    assert state == game.position("locked: a1\nsupply: Black 23, White 23")
    assert "locked: a1" in state.text.split("\n")
    assert game.position("locked: a1") == game.position("locked, 1 turn left: a1")
    free = game.position("locked: a1").play("place b1 | place c1")
    assert "locked" not in free.text


def test_a_flag_of_pieces_may_be_said_by_sites():
    """The top piece has it."""
    game = game_of("constello")
    assert game.position("a1 b1: White stone (gold)") == game.position(
        "gold: a1 b1\na1: White stone\nb1: White stone"
    )


def test_loops_begin_with_their_first_member():
    """The name of a loop need not be said by hand, and is always written."""
    game = game_of("constructo")
    state = game.position("to move: Black in build\ntiles: a1 b1 b2\nhand of White: 1 ring")
    assert "starter: White" in state.text.split("\n")
    assert state != game.position(state.text.replace("starter: White", "starter: Black"))
    assert "hand of White: 1 ring" in state.text.split("\n")
    assert "hand of Black" not in state.text


def test_a_hand_line_says_the_whole_hand():
    """Kinds that are not named are not in it."""
    state = game_of("constructo").position("hand of Black: nothing\nhand of White: 3 small, 0 ring")
    assert state.text.split("\n")[2:4] == ["hand of White: 3 small", "hand of Black: nothing"]


def test_scores_need_not_be_said():
    """The ranking tells them."""
    game = game_of("constructo")
    state = game.position("game over: Black wins by towers\npoints: White 2, Black 5")
    assert state.outcome is not None
    assert state.outcome.scores == {"White": 2, "Black": 5}
    assert state.outcome.ranks == {"White": 2, "Black": 1}
    assert state.to_move == ()
    assert "game over: Black wins by towers (White 2, Black 5)" in state.text.split("\n")


def test_an_end_that_asks_who_moved_is_believed():
    """Who moved last is not in a position."""
    state = game_of(*CONSTA).position("game over: White wins by chain")
    assert str(state.outcome) == "White wins by chain"


def test_values_of_every_type():
    """One line for each kind of variable."""
    game = game_of(EVERYTHING)
    lines = [
        "position of Every: thing - (all)",
        "to move: Blue in fiddle, phase middle, step 3",
        "b2: wall",
        "hot, 1 turn left: c3",
        "hot: a1 b1",
        "depth: a1 9, b3 0",
        "heat: a1 3",
        "points: Red -20",
        "speed, 1 turn left: Red 1",
        "speed: Blue 4",
        "ready: Blue false",
        "spied of Blue: a1, c2",
        "debt of Red: Blue 9",
        "worth of Red: pawn 0, wall 5",
        "tempo, 2 turns left: 3",
        "area: a1 d3",
        "aim: b1",
        "way: southwest",
        "mood: angry",
        "leader: Red",
        "used: king",
        "bids: 0 17 4095",
        "starter: Blue",
        "lap: 2",
        "turns taken: 1000",
        "skips in a row: 1",
        "passes in a row: 1",
        "passed last: Blue",
    ]
    assert game.position("\n".join(lines)).text.split("\n") == lines


def test_first_values_are_left_out():
    """Saying what is so anyway changes nothing."""
    game = game_of(EVERYTHING)
    start = game.start()
    told = (
        "points: Red 0, Blue 0\nready: Red, Blue true\ndepth: a1 1\narea: nothing\naim: a1\n"
        "mood: calm\nleader: nobody\nspied of Red: a1 false\nturns taken: 0\nheat: a1 0\n"
        "hand of Red: 4 pawn, 2 king\nb2: wall"
    )
    assert start == game.position(told)
    assert start == game.position(start.text)


PHASES = """game "Phases"
players A, B
board square(2)
piece stone
turn
  choose s from empty
  put stone on s
play
  phase one
    A takes move
  phase two
    B takes move
    A takes move
  draw by rest
"""


def test_phase_and_step_tell_equal_turns_apart():
    """The phase where it is enough, the step where it is not."""
    game = load_text(PHASES)
    state = game.start()
    seen = [state.text.split("\n")[1]]
    for site in ("a1", "b1"):
        state = state.play(site)
        seen.append(state.text.split("\n")[1])
    assert seen == [
        "to move: A in move, phase one",
        "to move: B in move, phase two, step 2",
        "to move: A in move, phase two, step 3",
    ]
    assert game.position("to move: A in move, step 3") == game.position("to move: A, phase two")
    assert game.position("to move: B") == game.position("to move: B in move, phase two, step 2")


def test_a_site_may_have_any_name():
    """Names of explicit sites that are words of positions do not get in the way."""
    text = PHASES.replace(
        "board square(2)", "board sites\n  hand - turns - passed - skips - nothing"
    )
    game = load_text(text)
    state = game.start().play("hand").play("nothing")
    assert state == game.position(state.text)


LAPS = """game "Laps"
players A, B
board square(2)
piece stone
game has low = 0 from 0..3
turn
  choose s from empty
  put stone on s
  set low to 2
play
  for lap in low..2
    A takes move
    B takes move
  draw by rest
"""


def test_the_name_of_a_loop_is_written_even_where_it_has_its_first_value():
    """What the loop goes through may have changed since, so that reading could not guess it."""
    game = load_text(LAPS)
    state = game.start().play("a1")
    assert "lap: 0" in state.text.split("\n")
    assert state == game.position(state.text)
    guessed = game.position(state.text.replace("lap: 0\n", "").replace("\nlap: 0", ""))
    assert "lap: 2" in guessed.text.split("\n")
