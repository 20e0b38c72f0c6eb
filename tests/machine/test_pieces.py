"""Pieces: stacks, hands, what is noted on them, and the lines that change them."""

from __future__ import annotations

import probe
import pytest

from ludeme import State

from .small import fault_of, start, texts

PAIRS = "piece stone\nstacks up to 2"
KINDS = "pieces stone, rock\nstacks up to 3"


def played(turn: str, rest: str, begin: str = "") -> State:
    """The state after a turn that only does what its lines say."""
    head = 'turn as "go"'
    body = "\n".join(f"  {line}" for line in begin.split("\n") if line)
    state = start(turn, head, rest + (f"\nstart\n{body}" if body else ""))
    return state.play("go")


B, W, R, N = ("Black", "stone"), ("White", "stone"), ("Black", "rock"), ("nobody", "stone")


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("put stone on a1", {"a1": (B,), "b1": (W, R)}),
        ("put 2 stone on {a1, c1}", {"a1": (B, B), "b1": (W, R), "c1": (B, B)}),
        ("put White stone on b1", {"b1": (W, R, W)}),
        ("put 0 stone on b1", {"b1": (W, R)}),
        ("move b1 to a1", {"a1": (R,), "b1": (W,)}),
        ("move b1 to a1\nmove b1 to a1", {"a1": (R, W)}),
        ("move b1 to b1", {"b1": (W, R)}),
        ("swap a1 with b1", {"a1": (R,), "b1": (W,)}),
        ("put stone on a1\nswap a1 with b1", {"a1": (R,), "b1": (W, B)}),
        ("swap a1 with c1", {"b1": (W, R)}),
        ("remove board", {"b1": (W,)}),
        ("remove b1\nremove b1", {}),
        ("remove a1", {"b1": (W, R)}),
        ("change board to stone", {"b1": (W, B)}),
        ("give board to White", {"b1": (W, ("White", "rock"))}),
        ("give b1 to nobody", {"b1": (W, ("nobody", "rock"))}),
        ("clear board", {}),
    ],
)
def test_lines_change_the_top_piece(turn: str, expected: dict[str, object]) -> None:
    """Of a white stone under a black rock on b1; what lies below comes up."""
    begin = "put White stone on b1\nput Black rock on b1"
    assert probe.board(played(turn, KINDS, begin)) == expected


def test_questions_look_at_the_top_piece() -> None:
    """Owner and kind are those of the top piece; the height counts all."""
    state = start(
        'as "{owner(b1)} {kind(b1)} {height(b1)} {owner(a1)} {height(a1)} {pieces(White)}"',
        "turn",
        KINDS + "\nstart\n  put White stone on b1\n  put 2 Black rock on b1",
    )
    assert texts(state) == ["Black rock 3 nobody 0 "]


@pytest.mark.parametrize(
    ("turn", "rest", "place"),
    [
        ("put stone on b1", "piece stone", "put stone on b1"),
        ("put 2 stone on a1", "piece stone", "put 2 stone on a1"),
        ("put stone on a1\nmove a1 to b1", "piece stone", "move a1 to b1"),
        ("put 2 stone on b1", PAIRS, "put 2 stone on b1"),
        ("put 3 stone on a1", PAIRS, "put 3 stone on a1"),
        ("put 2 stone on c1\nmove c1 to b1\nmove c1 to b1", PAIRS, "move c1 to b1"),
    ],
)  # fmt: skip
def test_a_full_site_is_a_fault(turn: str, rest: str, place: str) -> None:
    """Of a white stone on b1: a piece too many is located and stops the game."""
    error = fault_of(lambda: played(turn, rest, "put White stone on b1"))
    assert error.diagnostic.code == "full-site"
    assert error.diagnostic.span.text == place
    assert error.moves == ""


def test_a_full_site_names_what_stands_there() -> None:
    """The message says which site and how many."""
    error = fault_of(
        lambda: played("put stone on b1", "piece stone\nstacks up to 2", "put 2 White stone on b1")
    )
    assert "b1" in error.diagnostic.message
    assert "2" in error.diagnostic.message


@pytest.mark.parametrize("turn", ["move a1 to b1"])
def test_no_piece_to_move_is_a_fault(turn: str) -> None:
    """An empty site has no top piece."""
    error = fault_of(lambda: played(turn, "piece stone"))
    assert error.diagnostic.code == "no-piece"
    assert error.diagnostic.span.text == turn


def test_a_kind_that_is_none_cannot_be_put() -> None:
    """The kind of an empty site is no kind."""
    error = fault_of(lambda: played("let k = kind(a1)\nput k on b1", "piece stone"))
    assert error.diagnostic.code == "no-kind"
    changed = fault_of(
        lambda: played("let k = kind(a1)\nchange b1 to k", "piece stone", "put White stone on b1")
    )
    assert changed.diagnostic.code == "no-kind"


# ---- what is noted on a piece

NOTED = "piece stone\nstacks up to 3\neach piece has gold\neach piece has rank = 1 from 0..9"


def noted(state: State) -> dict[str, tuple[object, bool]]:
    """Rank and gold of the top piece of each occupied site."""
    ranks, gold = probe.value(state, "rank"), probe.flagged(state, "gold")
    assert isinstance(ranks, tuple)
    names = state.game.program.board.names
    return {s: (ranks[names.index(s)], s in gold) for s in probe.board(state)}


BEGIN = "put Black stone on a1\nset rank(a1) to 5\nmark a1 gold\nput White stone on b1"


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("move a1 to c1", {"b1": (1, False), "c1": (5, True)}),
        ("move a1 to b1", {"b1": (5, True)}),
        ("move b1 to a1", {"a1": (1, False)}),
        ("move b1 to a1\nremove a1", {"a1": (5, True)}),
        ("move a1 to b1\nmove b1 to c1", {"b1": (1, False), "c1": (5, True)}),
        ("swap a1 with b1", {"a1": (1, False), "b1": (5, True)}),
        ("swap a1 with c1", {"b1": (1, False), "c1": (5, True)}),
        ("remove a1\nput stone on a1", {"a1": (1, False), "b1": (1, False)}),
        ("put stone on a1", {"a1": (1, False), "b1": (1, False)}),
        ("give a1 to White", {"a1": (5, True), "b1": (1, False)}),
        ("unmark board gold", {"a1": (5, False), "b1": (1, False)}),
        ("mark board gold", {"a1": (5, True), "b1": (1, True)}),
        ("raise rank(a1) by 2", {"a1": (7, True), "b1": (1, False)}),
        ("clear board\nput stone on a1", {"a1": (1, False)}),
    ],
)
def test_flags_and_numbers_travel_with_their_piece(
    turn: str, expected: dict[str, tuple[int, bool]]
) -> None:
    """They leave with it, come back with it, and a new piece begins anew; empty sites take none."""
    state = played(turn, NOTED, BEGIN)
    assert noted(state) == expected
    assert set(probe.flagged(state, "gold")) <= set(probe.board(state))


def test_a_flag_of_a_site_stays_with_the_site() -> None:
    """A piece that leaves does not take it along."""
    state = played(
        "move a1 to c1",
        "piece stone\neach site has lit",
        "put Black stone on a1\nmark {a1, b1} lit",
    )
    assert probe.flagged(state, "lit") == ["a1", "b1"]


# ---- hands

HANDS = "pieces stone, rock\neach player holds 2 stone, 1 rock"


def test_pieces_come_from_the_hand_of_their_owner() -> None:
    """A piece put from hand is one less there; what is used up is not in the hand any more."""
    state = start(
        "choose k from hand(mover)\nchoose x from empty\nput k from hand on x",
        'turn as "{k} {x}"',
        HANDS,
        board="square(3, 2)",
    )
    assert len(texts(state)) == 12
    state = state.play("rock a1")
    assert probe.hands(state) == {
        "Black": {"stone": 2, "rock": 0},
        "White": {"stone": 2, "rock": 1},
    }
    state = state.play("stone b1").play("stone c1").play("stone a2")
    assert probe.hands(state) == {
        "Black": {"stone": 1, "rock": 0},
        "White": {"stone": 0, "rock": 1},
    }
    assert texts(state) == ["stone b2", "stone c2"]
    assert texts(state.play("stone b2")) == ["rock c2"]


def test_hands_are_counted_and_refilled() -> None:
    """`held` counts a kind; `refill hands` gives what the file says, whatever was left."""
    state = start(
        'put 2 stone from hand on {b1}\n'
        'as "{held(mover, stone)} {held(mover, rock)} {held(next, stone)}"\nrefill hands',
        "turn", HANDS + "\nstacks up to 9",
    )  # fmt: skip
    assert texts(state) == ["0 1 2"]
    assert probe.hands(state.play("0 1 2"))["Black"] == {"stone": 2, "rock": 1}


def test_an_empty_hand_is_a_fault() -> None:
    """More than there is cannot be taken."""
    error = fault_of(lambda: played("put rock from hand on {a1, b1}", HANDS))
    assert error.diagnostic.code == "empty-hand"
    assert error.diagnostic.span.text == "put rock from hand on {a1, b1}"
    assert "1 rock" in error.diagnostic.message
