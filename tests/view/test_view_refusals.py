"""Positions that no state can have, and what is said of them."""

from __future__ import annotations

import pickle

import pytest

from ludeme import DescriptionError, load_text
from ludeme.view.lines import MOST_FAULTS
from tests.view.playing import EVERYTHING, game_of

CONSTA = "consta"
CONSTELLO = "constello"
CONSTRUCTO = "constructo"
EVERY = EVERYTHING

# Game, text with ^ before and after what the message points at, code, words of message and help.
REFUSALS = [
    (CONSTA, "^z9^: Black stone", "unknown-name", "no site or variable is called `z9`"),
    (CONSTA, "a1 ^l1^: Black stone", "unknown-name", "no site is called `l1`"),
    (CONSTA, "a1: ^Blak^ stone", "unknown-name", "did you mean `Black`?"),
    (CONSTA, "a1: Black ^ston^", "unknown-name", "did you mean `stone`?"),
    (CONSTA, "a1: ^stone^", "owner", "write `Black stone`"),
    (CONSTA, "a1: ^nobody stone^", "owner", "never to nobody"),
    (CONSTA, "a1: ^black^", "unknown-name", "did you mean `Black`?"),
    (CONSTA, "a1: ^Black big stone^", "position", "a piece is written `Black stone`"),
    (CONSTA, "^a1^: Black stone, Black stone, White stone", "full-site", "up to 2 pieces"),
    (CONSTA, "a1: ^3^ Black stone", "range", "goes from 1 to 2; 3 is outside"),
    (CONSTA, "a1:^^", "position", "leave the line out"),
    (CONSTA, "^a1: Black stone,^", "position", "nothing stands between two commas"),
    (CONSTA, "a1: Black stone ^(gold^", "position", "a bracket is not closed"),
    (CONSTA, "a1: Black stone (^gold^)", "unknown-name", "no variable of pieces"),
    (CONSTA, "a1: White stone\n^a1^: Black stone", "said-twice", "what stands on a1"),
    (CONSTA, "^: a1^", "position", "nothing stands before the colon"),
    (CONSTA, "^a1 Black stone^", "position", "there is no colon in it"),
    (CONSTA, "^to move White^", "position", "`to move` has no colon"),
    (CONSTA, "^to mvoe^: White", "unknown-name", "did you mean `to move`?"),
    (CONSTA, "^position of Hex^", "other-game", "position of `Hex`, not of `Consta`"),
    (CONSTA, "^position of Constable^", "other-game", "not of `Consta`"),
    (CONSTA, "position of Consta (^size = 5^)", "other-options", "loaded with size = 11"),
    (CONSTA, "position of Consta (^sise^ = 5)", "unknown-name", "did you mean `size`?"),
    (CONSTA, "position of Consta (^size 5^)", "position", "`name = value`"),
    (CONSTA, "position of Consta (size = 11^^", "position", "is not closed"),
    (CONSTA, "position of Consta\n^position of Consta^", "said-twice", "what game this is"),
    (CONSTA, "to move: ^Wite^ in build", "unknown-name", "did you mean `White`?"),
    (CONSTA, "to move: White in ^biuld^", "unknown-name", "did you mean `build`?"),
    (CONSTA, "to move: White, ^White^ in build", "said-twice", "`White`"),
    (CONSTA, "to move:^^", "position", "who is to move"),
    (CONSTA, "to move: White in build ^please^", "position", "cannot be understood behind"),
    (CONSTA, "to move: White in build, step ^1^", "decider", "there is `in build`"),
    (CONSTA, "to move: White in build, phase ^x^", "decider", "the turn is not taken in phase"),
    (CONSTA, "^to move: White in opening^", "decider", "it is Black who takes it"),
    (CONSTA, "^to move: Black, White in build^", "decider", "do not decide together"),
    (CONSTA, "^to move: Black^", "decider", "in opening` or `to move: Black in build`"),
    (CONSTA, "to move: White in build\n^to move: Black in build^", "said-twice", "who is to move"),
    (CONSTA, "to move: White in build\n^game over: draw by deadlock^", "said-twice", "is over"),
    (CONSTA, "game over: ^White won^", "position", "`PLAYER wins by END`"),
    (CONSTA, "game over: White wins by ^chian^", "unknown-name", "did you mean `chain`?"),
    (CONSTA, "game over: ^Wite^ wins by chain", "unknown-name", "did you mean `White`?"),
    (CONSTA, "game over: draw by ^chain^", "result", "is never a draw"),
    (CONSTA, "game over: White wins by ^deadlock^", "result", "which nobody wins"),
    (CONSTA, "^game over: draw by deadlock^", "result", "does not end the game so"),
    (CONSTA, "game over: White wins by chain (^White 3^)", "result", "not decided by scores"),
    (CONSTA, "skips in a row: ^3^", "range", "from 0 to 2"),
    (CONSTA, "skips in a row: ^many^", "position", "is a number"),
    (CONSTA, "^turns taken: 3^", "position", "no rule of this game asks for"),
    (CONSTA, "skips in a row: 1\n^skips in a row: 1^", "said-twice", "`skips in a row`"),
    (CONSTA, "^hand of White: 1 stone^", "position", "no player has a hand"),
    (CONSTELLO, "^to move: Black in plan^", "decider", "write `to move: Black, White`"),
    (CONSTELLO, "^order of Black: a1 placing^", "position", "planned within a turn"),
    (CONSTELLO, "locked: a1 ^a1^", "said-twice", "`locked` of a1"),
    (CONSTELLO, "locked: ^q1^", "unknown-name", "no site is called `q1`"),
    (CONSTELLO, "locked:^^", "position", "the sites of `locked` are missing"),
    (CONSTELLO, "locked, ^3^ turns left: a1", "range", "has 1 to 2 turns left"),
    (CONSTELLO, "locked, ^0^ turns left: a1", "range", "has 1 to 2 turns left"),
    (CONSTELLO, "locked ^again^: a1", "position", "cannot be understood behind `locked`"),
    (CONSTELLO, "gold: ^a1^", "no-piece", "no piece stands on a1"),
    (CONSTELLO, "a1: Black stone (gold)\ngold: ^a1^", "said-twice", "`gold` of a1"),
    (CONSTELLO, "a1: Black stone (gold, ^gold^)", "said-twice", "`gold`"),
    (CONSTELLO, "supply: Black ^49^", "range", "`supply` goes from 0 to 48; 49 is outside"),
    (CONSTELLO, "supply: Black ^-1^", "range", "-1 is outside"),
    (CONSTELLO, "supply: Black 3, ^Black 4^", "said-twice", "`supply` of Black"),
    (CONSTELLO, "supply: ^Blue^ 4", "unknown-name", "known here: `Black`, `White`"),
    (CONSTELLO, "supply: Black^^", "position", "a value of `supply` is missing"),
    (CONSTELLO, "supply:^^", "position", "the values of `supply` are missing"),
    (CONSTELLO, "supply: Black ^3 4^", "position", "part values by commas"),
    (CONSTELLO, "supply, ^1 turn left^: Black 3", "position", "it has no turns left"),
    (CONSTELLO, "^game over: Black wins by passing^", "result", "does not end the game so"),
    (CONSTELLO, "passed last: Black White\n^game over: Black wins by passing^", "result", "draw"),
    (
        CONSTELLO,
        "passed last: Black White\na1: Black stone\n"
        "game over: Black wins by passing (^Black 2^, White 0)",
        "result",
        "Black has 1 in this position, not 2",
    ),
    (CONSTELLO, "passed last: ^Green^", "unknown-name", "no player"),
    (CONSTRUCTO, "hand of White: ^5000^ ring", "range", "from 0 to 4096; 5000"),
    (CONSTRUCTO, "hand of White: 1 ring, ^2 ring^", "said-twice", "the count of ring"),
    (CONSTRUCTO, "hand of White: ^ring^", "position", "`3 ring, 1 small`"),
    (CONSTRUCTO, "hand of White: 1 ^rings^", "unknown-name", "did you mean `ring`?"),
    (CONSTRUCTO, "hand of White:^^", "position", "an empty hand is written `nothing`"),
    (CONSTRUCTO, "hand of ^Whit^: 1 ring", "unknown-name", "did you mean `White`?"),
    (CONSTRUCTO, "^hand of^: 1 ring", "position", "whose hand"),
    (CONSTRUCTO, "hand of White: 1 ring\n^hand of White^: 1 ring", "said-twice", "the hand"),
    (CONSTRUCTO, "a1: ^White^", "position", "the kinds of piece are ring, medium, small"),
    (CONSTRUCTO, "tiles: a1 ^a9^", "unknown-name", "no site is called `a9`"),
    (CONSTRUCTO, "tiles:^^", "position", "the empty set is written `nothing`"),
    (CONSTRUCTO, "^to move: White in build^", "decider", "what is asked behind `until` holds"),
    (CONSTRUCTO, "points: White ^19^", "range", "from 0 to 18"),
    (EVERY, "lap: ^5000^", "range", "from 0 to 4095"),
    (EVERY, "bids: 1 ^4096^", "range", "from 0 to 4095"),
    (EVERY, "mood: ^angri^", "unknown-name", "did you mean `angry`?"),
    (EVERY, "mood: ^calm angry^", "position", "more than one value"),
    (EVERY, "mood: calm\n^mood: angry^", "said-twice", "`mood`"),
    (EVERY, "way: ^up^", "unknown-name", "no direction"),
    (EVERY, "leader: ^Green^", "unknown-name", "no player"),
    (EVERY, "ready: Red ^perhaps^", "unknown-name", "no truth is called"),
    (EVERY, "^spied^: a1", "position", "for example `spied of Red: ...`"),
    (EVERY, "spied of ^Rod^: a1", "unknown-name", "no player"),
    (EVERY, "worth of Red: ^paun^ 1", "unknown-name", "did you mean `pawn`?"),
    (EVERY, "depth: a1 1, ^a1 2^", "said-twice", "`depth` of a1"),
    (EVERY, "charge: ^a1 2^", "no-piece", "that could have `charge`"),
    (EVERY, "a1: Red pawn (charge ^11^)", "range", "from 0 to 9"),
    (EVERY, "a1: Red pawn (charge^^)", "position", "a value of `charge` is missing"),
    (EVERY, "tempo, ^4^ turns left: 2", "range", "1 to 2 turns left"),
    (EVERY, "skips in a row: ^3^", "range", "from 0 to 2"),
]  # fmt: skip


def _refused(game: str, text: str) -> DescriptionError:
    with pytest.raises(DescriptionError) as caught:
        game_of(game).position(text)
    return caught.value


@pytest.mark.parametrize(("game", "text", "code", "words"), REFUSALS)
def test_refusal(game, text, code, words):
    """One fault, with its code, its place and its words."""
    before, pointed, _ = text.split("^")
    error = _refused(game, text.replace("^", ""))
    (diagnostic,) = error.diagnostics
    assert (code, len(before), pointed) == (
        diagnostic.code,
        diagnostic.span.start,
        diagnostic.span.text,
    )
    assert words in f"{diagnostic.message}\n{diagnostic.help}"
    assert diagnostic.severity == "error"
    assert diagnostic.span.source.name == "position"


def test_all_faults_are_reported_at_once_in_the_order_of_the_text():
    """Structure, names, numbers and places in play in one go."""
    error = _refused(
        "constello",
        "supply: Black 99\n"
        "z1: Black stone\n"
        "a1: Black pebble\n"
        "b1: Black stone, White stone\n"
        "to move: Black in plan\n"
        "b1: White stone\n"
        "locked: b1 b1\n"
        "gold: c1 b1\n"
        "turns taken: 5\n",
    )
    assert [(d.code, d.span.line) for d in error.diagnostics] == [
        ("range", 1), ("unknown-name", 2), ("unknown-name", 3), ("full-site", 4), ("decider", 5),
        ("said-twice", 6), ("said-twice", 7), ("no-piece", 8), ("position", 9),
    ]  # fmt: skip


def test_a_fault_in_a_piece_is_not_followed_by_others():
    """What stands on a1 is not known, so nothing is said of its flag."""
    error = _refused("constello", "a1: Blck stone\ngold: a1")
    assert [d.code for d in error.diagnostics] == ["unknown-name"]


def test_the_place_of_a_second_saying_shows_the_first():
    """As the checker does for names."""
    (diagnostic,) = _refused("consta", "a1: White stone\n\na1: Black stone").diagnostics
    (note,) = diagnostic.notes
    assert (note.span.line, note.span.text) == (1, "a1")
    assert "position:3:1" in str(diagnostic)


def test_a_player_who_would_be_skipped_cannot_be_to_move():
    """`skipping stuck` passes over who has no legal move."""
    sites = " ".join(game_of("consta", (("size", 3),)).board.names)
    with pytest.raises(DescriptionError, match="White has no legal move in build and would be"):
        game_of("consta", (("size", 3),)).position(f"to move: White in build\n{sites}: White stone")


def test_loops_take_on_their_members_only():
    """`for starter in players`: nobody is no player; `for lap in 1..2`: 3 is too much."""
    error = _refused("constructo", "starter: nobody\nto move: White in design")
    assert [d.code for d in error.diagnostics] == ["round"]
    assert "`starter` is never nobody" in str(error)
    error = _refused(EVERYTHING, "lap: 3\nto move: Red in fiddle, step 4")
    assert "`lap` is never 3" in str(error)


WALLS = """game "Walls"
players A, B
board square(3)
piece stone
neutral piece wall
start
  put wall on a1
turn
  choose s from empty
  put stone on s
end
  draw by full when no empty
"""


def test_neutral_kinds_belong_to_nobody():
    """Unless a rule could change that."""
    game = load_text(WALLS)
    with pytest.raises(DescriptionError, match="a wall is neutral"):
        game.position("a1: A wall")
    with pytest.raises(DescriptionError, match="a stone belongs to a player"):
        game.position("a1: nobody stone")
    giving = load_text(
        WALLS.replace("  put stone on s\n", "  put stone on s\n  give a1 to mover\n")
    )
    state = giving.start().play("b1")
    assert "a1: A wall" in state.text.split("\n")
    assert state == giving.position(state.text)
    assert "b1: nobody stone" in giving.position("b1: nobody stone").text


def test_rules_that_go_wrong_in_a_position_are_a_fault_of_it():
    """A description is not run into a traceback by a position."""
    game = load_text(
        WALLS.replace("piece stone\n", "piece stone\ngame has n = 1 from 0..9\n").replace(
            "when no empty", "when 4 / n = 3"
        )
    )
    with pytest.raises(
        DescriptionError, match="the rules go wrong here: a number was divided by 0"
    ):
        game.position("n: 0\ngame over: draw by full")


def test_a_text_of_nothing_but_faults_is_not_read_to_its_end():
    """So that a large file of another kind is refused soon."""
    error = _refused("consta", "hello there\n" * 5000)
    assert len(error.diagnostics) == MOST_FAULTS


def test_huge_numbers_are_numbers_out_of_range_or_none():
    """Python refuses to read integers of many thousand digits."""
    error = _refused("constello", f"supply: Black {'9' * 5000}")
    assert [d.code for d in error.diagnostics] == ["position"]


def test_a_refusal_survives_pickling():
    """As every public error."""
    error = _refused("consta", "z9: Black stone")
    assert str(error) == str(pickle.loads(pickle.dumps(error)))
