"""What the lines of a turn mean: every expected value is worked out by hand."""

from __future__ import annotations

import probe
import pytest

from ludeme import IllegalMove, State, load_text

from .small import description, start, texts

LIT = "piece stone\neach site has lit"


def after(state: State, *moves: str) -> State:
    """The state after some decisions."""
    for move in moves:
        state = state.play(move)
    return state


# ---- otherwise


def test_otherwise_looks_to_the_end_of_the_turn() -> None:
    """A bullet whose runs fail at a later requirement, outside the `one of`, counts as shut."""
    state = start(
        """
        one of
          - put as "put {x}"
              choose x from empty
              put stone on x
          otherwise rest as "rest"
              mark a1 lit
        require a1 in lit or count(mine) = 2
        """,
        rest=LIT,
    )
    assert texts(state) == ["rest"]


def test_otherwise_is_shut_by_any_completed_run() -> None:
    """One run through any bullet above is enough."""
    turn = """
        one of
          - take as "take {x}"
              choose x from mine
          - put as "put {x}"
              choose x from empty
              require x = c1
          otherwise rest
              pass
        """
    assert texts(start(turn, rest=LIT)) == ["put c1"]
    full = start(turn, rest=LIT + "\nstart\n  put White stone on board")
    assert texts(full) == ["pass"]


def test_otherwise_is_judged_from_this_point() -> None:
    """Behind a choice it opens for the values that leave nothing else."""
    state = start(
        """
        choose x from board
        one of
          - step as "{x}-{y}"
              choose y from neighbours(x) and empty
          otherwise stay as "{x} stays"
              mark x lit
        """,
        rest=LIT + "\nstart\n  put White stone on b1",
    )
    assert texts(state) == ["a1 stays", "b1-a1", "b1-c1", "c1 stays"]


def test_otherwise_in_a_chain_is_judged_to_the_end_of_the_chain() -> None:
    """A step forward that only leads to a dead end does not shut it."""
    state = start(
        """
        let here = a1
        repeat 2..2 times while possible
          one of
            - step as "{y}"
                choose y from neighbours(here) and not lit
                mark y lit
                set here to y
            otherwise stay as "."
                mark nothing lit
        """,
        'turn joined by " "',
        LIT,
    )
    assert texts(state) == ["b1 a1", "b1 c1"]


# ---- require most


def test_require_most_compares_whole_runs() -> None:
    """Only the runs with the greatest number, whatever bullet they went through."""
    turn = """
        one of
          - one as "one {x}"
              choose x from empty
              put stone on x
          - two as "two {xs}"
              choose 2 xs from empty
              put stone on xs
        require most count(mine)
        """
    assert texts(start(turn, rest=LIT)) == ["two a1 b1", "two a1 c1", "two b1 c1"]
    nearly = start(turn, rest=LIT + "\nstart\n  put White stone on {a1, c1}")
    assert texts(nearly) == ["one b1"]


def test_require_most_goes_by_its_numbers_in_order() -> None:
    """The second number decides among runs that are equal in the first."""
    state = start(
        """
        choose x from board
        require most count(neighbours(x) and empty), then -count({x} and lit)
        """,
        rest=LIT + "\nstart\n  mark a1 lit",
        board="square(4, 1)",
    )
    assert texts(state) == ["b1", "c1"]
    lit = start(
        "choose x from board\nrequire most count(neighbours(x)), then -count({x} and lit)",
        rest=LIT + "\nstart\n  mark b1 lit",
        board="square(4, 1)",
    )
    assert texts(lit) == ["c1"]


def test_require_most_says_why() -> None:
    """A run that another outdoes is refused with the number that it reached."""
    state = start("choose x from board\nrequire most count(neighbours(x))", rest=LIT)
    refusal = state.why("a1")
    assert refusal is not None
    (reason,) = refusal.reasons
    assert reason.code == "require-most"
    assert "greater than 1" in reason.message
    assert state.why("b1") is None


# ---- chains

CHAIN = """
    choose x from {a1}
    let here = x
    as "{x}"
    repeat LOW..HIGH times MANNER
      choose y from step(here, along east)
      set here to y
      as "{y}"
    """


@pytest.mark.parametrize(
    ("low", "high", "manner", "expected"),
    [
        (0, 0, "while possible", ["a1"]),
        (0, 2, "while possible", ["a1-b1-c1"]),
        (0, 9, "while possible", ["a1-b1-c1-d1"]),
        (3, 9, "while possible", ["a1-b1-c1-d1"]),
        (4, 9, "while possible", []),
        (0, 0, "or stop", ["a1"]),
        (0, 2, "or stop", ["a1", "a1-b1", "a1-b1-c1"]),
        (1, 2, "or stop", ["a1-b1", "a1-b1-c1"]),
        (2, 9, "or stop", ["a1-b1-c1", "a1-b1-c1-d1"]),
        (4, 9, "or stop", []),
    ],
)
def test_chains_keep_to_their_bounds(low: int, high: int, manner: str, expected: list[str]) -> None:
    """On a row of four from a1: at least LOW steps, at most HIGH; they go on, or may stop."""
    turn = CHAIN.replace("LOW", str(low)).replace("HIGH", str(high)).replace("MANNER", manner)
    state = start(turn, 'turn joined by "-"', LIT, board="square(4, 1)")
    turn_moves = state.game.machine.turn(state.cells)
    assert turn_moves.moves(state.cells, 0) == expected
    assert turn_moves.any(state.cells, 0) == bool(expected)


def test_a_chain_must_go_on_only_where_the_turn_can_be_completed() -> None:
    """A step that leads into a failing requirement behind the chain need not be taken."""
    state = start(
        CHAIN.replace("LOW..HIGH", "0..9").replace("MANNER", "while possible").rstrip()
        + "\n    require here != d1\n",
        'turn joined by "-"',
        LIT,
        board="square(4, 1)",
    )
    assert texts(state) == ["a1-b1-c1"]


def test_stop_leaves_the_innermost_chain() -> None:
    """What stands behind the chain goes on."""
    state = start(
        """
        let here = a1
        repeat 2..2 times while possible
          as "("
          repeat 0..9 times while possible
            choose y from step(here, along east)
            set here to y
            as "{y}"
            if y = b1: stop
          as ")"
        """,
        "turn",
        LIT,
        board="square(4, 1)",
    )
    assert texts(state) == ["(b1)(c1d1)"]


# ---- one by one, for each

VALUES = (
    "piece stone\neach site has v = 0 from 0..99\n"
    "start\n  set v(a1) to 1\n  set v(b1) to 2\n  set v(c1) to 3"
)


def values_of(state: State) -> object:
    """What stands on each site."""
    return probe.value(state, "v")


def test_for_each_reads_all_before_it_writes() -> None:
    """Each site takes the sum of its neighbours as they were."""
    state = start(
        "for each s in board\n  set v(s) to sum v(t) for t in neighbours(s)", 'turn as "go"', VALUES
    )
    assert values_of(state.play("go")) == (2, 4, 2)


def test_one_by_one_sees_what_the_one_before_did() -> None:
    """The same, one after the other in board order."""
    state = start(
        "one by one s in board\n  set v(s) to sum v(t) for t in neighbours(s)",
        'turn as "go"',
        VALUES,
    )
    assert values_of(state.play("go")) == (2, 5, 5)


def test_for_each_adds_up_what_is_raised() -> None:
    """Several members may raise and lower one number; its range is looked at when all have."""
    state = start(
        """
        for each s in board
          raise v(b1) by v(s)
          lower v(b1) by 2
        """,
        'turn as "go"',
        VALUES,
    )
    assert values_of(state.play("go")) == (1, 2 + 6 - 6, 3)


def test_for_each_may_do_the_same_twice() -> None:
    """Two members that do the same to one place do it once."""
    state = start("for each s in {a1, c1}: put stone on b1", 'turn as "go"', "piece stone")
    assert probe.board(state.play("go")) == {"b1": (("Black", "stone"),)}
    doubled = start(
        "for each s in {a1, c1}: put stone on b1", 'turn as "go"', "piece stone\nstacks up to 2"
    )
    assert probe.board(doubled.play("go")) == {"b1": (("Black", "stone"),)}


def test_one_by_one_decides_for_each_member() -> None:
    """Choices within it are made member by member, each with what the ones before did."""
    state = start(
        """
        one by one s in {a1, c1}
          choose y from neighbours(s) or {s} where y in empty
          put stone on y
          as "{y}"
        """,
        'turn joined by ","',
        LIT,
    )
    assert texts(state) == ["a1,b1", "a1,c1", "b1,c1"]


def test_for_each_prints_in_board_order() -> None:
    """Whatever the order of the binders' domain; nested binders turn the last one fastest."""
    state = start(
        'for each p in players, each s in {c1, a1}: as "{p}{s}"', 'turn joined by " "', LIT
    )
    assert texts(state) == ["Blacka1 Blackc1 Whitea1 Whitec1"]


# ---- choices


def test_where_speaks_of_each_value() -> None:
    """The values for which it does not hold are not offered."""
    state = start(
        "choose x from board where count(neighbours(x) and occupied) = 1",
        rest=LIT + "\nstart\n  put White stone on a1",
    )
    assert texts(state) == ["b1"]


def test_a_later_choice_sees_the_effects_before_it() -> None:
    """Choices and effects stand in any order."""
    state = start(
        "choose x from empty\nput stone on x\nchoose y from mine or neighbours(x)",
        'turn as "{x}:{y}"',
        LIT,
    )
    assert texts(state) == ["a1:a1", "a1:b1", "b1:a1", "b1:b1", "b1:c1", "c1:b1", "c1:c1"]


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        ("2", ["a1 b1", "a1 c1", "b1 c1"]),
        ("1..2", ["a1", "b1", "c1", "a1 b1", "a1 c1", "b1 c1"]),
        ("0..1", ["", "a1", "b1", "c1"]),
        ("4", []),
        ("(count(empty))", ["a1 b1 c1"]),
        ("(3 - 3)..(1 - 1)", [""]),
    ],
)
def test_several_are_chosen_as_a_set(amount: str, expected: list[str]) -> None:
    """Small sets first; never the same one twice; too few to choose from: no run."""
    state = start(f"choose {amount} xs from empty", 'turn as "{xs}"', LIT)
    turn = state.game.machine.turn(state.cells)
    assert turn.moves(state.cells, 0) == expected


def test_names_keep_what_they_were_given() -> None:
    """`let` takes a value once; `set` of a name changes it from there on."""
    state = start(
        """
        choose x from empty
        let before = count(empty)
        put stone on x
        let here = x
        set here to b1
        as "{x} {before} {count(empty)} {here}"
        """,
        "turn",
        LIT,
    )
    assert texts(state)[0] == "a1 3 2 b1"


# ---- what a move prints


def test_default_notation_is_names_and_choices() -> None:
    """A bullet that prints nothing prints its name and choices; a turn its choices."""
    assert texts(start("choose x from {a1}\nchoose 2 ys from board", rest=LIT))[0] == "a1 a1 b1"
    bullets = """
        one of
          - put
              choose x from {a1}
          - hold as "-"
              mark a1 lit
          - rest
              pass
        """
    assert texts(start(bullets, rest=LIT)) == ["put a1", "-", "pass"]


def test_a_bullet_prints_before_what_follows_it() -> None:
    """Printed forms come in the order of the run, the turn's own last."""
    state = start(
        """
        one of
          - put as "put"
              as "well:"
        choose x from {a1}
        as "{x}"
        """,
        'turn as "!" joined by " "',
        LIT,
    )
    assert texts(state) == ["well: put a1 !"]


# ---- pass, again, placed


def test_placed_is_where_this_turn_put_and_moved() -> None:
    """Places that were left again are placed still; those of turns before are not."""
    state = start(
        """
        choose x from empty
        put stone on x
        choose y from neighbours(x) and empty
        move x to y
        as "{x}-{y} {placed}"
        """,
        "turn",
        LIT,
    )
    assert texts(state)[0] == "a1-b1 a1 b1"
    assert "c1-b1 b1 c1" in texts(state)


def test_a_move_that_stays_places_nothing() -> None:
    """A piece moved to where it stands has not moved."""
    state = start(
        'choose x from mine\nmove x to x\nas "{x}/{count(placed)}"', "turn",
        LIT + "\nstart\n  put Black stone on b1",
    )  # fmt: skip
    assert texts(state) == ["b1/0"]


def test_again_gives_the_mover_another_turn() -> None:
    """The same player decides, and the turn is counted."""
    text = (
        description(
            """
        choose x from empty
        put stone on x
        if x = b1: again
        """,
            rest="piece stone",
        )
        + "end\n  draw by filling when no empty and turns = 3\n"
    )
    state = load_text(text).start()
    assert after(state, "a1").to_move == ("White",)
    again = after(state, "b1")
    assert again.to_move == ("Black",)
    assert again != after(state, "a1")
    last = after(again, "a1", "c1")
    assert (last.outcome.reason if last.outcome else None) == "filling"


def test_refused_moves_name_the_requirement() -> None:
    """The requirement that fails first, with its place and the values that made it fail."""
    state = start("choose x from empty\nput stone on x\nrequire count(neighbours(x)) > 1", rest=LIT)
    with pytest.raises(IllegalMove) as caught:
        state.play("a1")
    (reason,) = caught.value.reasons
    assert reason.code == "require"
    assert reason.span.text == "count(neighbours(x)) > 1"
    assert "= 1" in reason.message
