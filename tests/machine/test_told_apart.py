"""The proof that moves print apart claims nothing that is not so."""

from __future__ import annotations

from collections import Counter

import pytest

from ludeme import State
from ludeme.game import shipped
from ludeme.machine import Stream

from .draws import turn_of
from .small import description, fault_of, start, texts
from .test_programs import all_prints

NAMED = "sites\n  a\n  b\n  a_b\n  b_b"

MEETING = {
    "underscores": ('turn as "{x}_{y}"', "choose x from {a, a_b}\nchoose y from {b, b_b}", NAMED),
    "lines that abut": (
        "turn",
        'one of\n  - p\n      as "a"\n      as "b"\n  - q as "ab"\n      mark board lit',
        NAMED,
    ),
    "an empty line behind a joiner": (
        'turn joined by ", "',
        'one of\n  - p\n      as "x"\n      as ""\n  - q as "x, "\n      mark board lit',
        NAMED,
    ),
    "a set without members": (
        'turn joined by ", "',
        "one of\n  - p\n      choose 0..1 s from board\n      for each m in s\n"
        '        as "y {m}"\n  - q as ""\n      mark board lit',
        NAMED,
    ),
    "words that are sites": (
        'turn joined by ", "',
        "choose 1..2 s from {a, b}\nmark s lit\nfor each m in s\n  if m = b\n"
        '    as "a {m}"\n  else\n    as "{m} b"',
        NAMED,
    ),
    "a joiner within a form": (
        'turn joined by ", "',
        "choose 1..2 s from {a, b}\nmark s lit\nfor each m in s\n  if m = b\n"
        '    as "{m}, a"\n  else\n    as "{m}"',
        NAMED,
    ),
    "values that abut": ('turn as "{x}{y}"', "choose x from {a, a_b}\nchoose y from board", NAMED),
    "a choice that is not printed": (
        'turn as "{x}"', "choose x from board\nchoose y from board\nmark y lit", NAMED
    ),
    "a count instead of a set": (
        'turn as "{count(s)}"', "choose 1..2 s from board\nmark s lit", NAMED
    ),
    "two bullets of one form": (
        "turn",
        'one of\n  - p as "{x}"\n      choose x from board\n  - q as "{x}"\n'
        "      choose x from board\n      mark x lit",
        NAMED,
    ),
    "numbers and what is glued to them": (
        'turn as "{x}-{n}"',
        "choose n from 0..3\nlet x = n - 1\nmark board lit",
        NAMED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MEETING.values(), ids=MEETING)
def test_what_may_print_alike_is_not_told_apart(case: tuple[str, str, str]) -> None:
    """Where two runs print alike, or might, the moves are listed."""
    head, turn, board = case
    state = start(turn, head, "piece stone\neach site has lit", board=board)
    prints = all_prints(state)
    apart = turn_of(state).forms is not None
    assert not apart or len(set(prints)) == len(prints)
    if not head.endswith('{n}"'):
        assert not apart


APART = {
    "one choice": ("turn", "choose x from board"),
    "two choices": ('turn as "{x}-{y}"', "choose x from board\nchoose y from board"),
    "two abutting sites": ('turn as "{x}{y}"', "choose x from board\nchoose y from board"),
    "a pair": ('turn as "{s}"', "choose 2 s from board"),
    "a pair or a double": (
        "turn",
        'one of\n  - p as "{s}"\n      choose 2 s from board\n'
        '  - q as "{x} {x}"\n      choose x from board',
    ),
    "members one by one": (
        'turn joined by ", "',
        'choose 1..2 s from board\nfor each m in s\n  as "put {m}"',
    ),
    "words before values": (
        "turn",
        'one of\n  - p as "put {x}"\n      choose x from board\n'
        '  - q as "take {x}"\n      choose x from board',
    ),
    "a pass if nothing else": (
        "turn",
        "one of\n  - p\n      choose x from occupied\n  otherwise q\n      pass",
    ),
    "numbers": ('turn as "{n} {m}"', "choose n from 0..2\nchoose m from 0..2"),
    "kinds, players, directions": (
        'turn as "{k} {p} {d}"',
        "choose k from hand(mover)\nchoose p from players\nchoose d from compass",
    ),
}


@pytest.mark.parametrize("case", APART.values(), ids=APART)
def test_plain_forms_are_told_apart(case: tuple[str, str]) -> None:
    """The proof finds what it is meant to find."""
    head, turn = case
    state = start(turn, head, "pieces stone, rock\neach player holds 1 stone, 1 rock")
    assert turn_of(state).forms is not None
    prints = all_prints(state)
    assert len(set(prints)) == len(prints) > 0


def test_the_games_are_told_apart() -> None:
    """No turn of the five games has to be listed to be drawn."""
    from ludeme import load

    for name in ("astralesce", "consta", "constellation", "constello", "constructo"):
        assert name in shipped()
        for turn in load(name).machine.turns.values():
            assert turn.forms is not None, (name, turn.turn.name)


# ---- otherwise


def drawn_counts(state: State, draws: int) -> Counter[str]:
    """What so many draws of one stream come to."""
    machine, stream = state.game.machine, Stream(1, 2, 0)
    return Counter(
        machine.text(state.cells, machine.draw(state.cells, 0, stream)[0]) for _ in range(draws)
    )


def test_an_otherwise_behind_a_choice_is_drawn_too() -> None:
    """What one site leaves open another may shut; all the moves are drawn."""
    state = start(
        """
        choose x from board
        one of
          - up as "up {x}"
              require x = a1
          otherwise down as "down {x}"
              mark x lit
        """,
        rest="piece stone\neach site has lit",
    )
    assert texts(state) == ["up a1", "down b1", "down c1"]
    assert turn_of(state).forms is None
    assert set(drawn_counts(state, 60)) == {"up a1", "down b1", "down c1"}


def test_an_inner_otherwise_is_drawn_too() -> None:
    """An `otherwise` within a bullet hangs on the runs through that bullet alone."""
    state = start(
        """
        one of
          - first
              one of
                - up as "up {x}"
                    choose x from occupied
                otherwise down as "down {x}"
                    choose x from board
          - second as "second"
              mark board lit
        """,
        rest="piece stone\neach site has lit",
    )
    assert texts(state) == ["down a1", "down b1", "down c1", "second"]
    assert set(drawn_counts(state, 80)) == set(texts(state))


# ---- moves that print alike


def test_alike_in_print_and_end_is_one_move() -> None:
    """Listed once, counted once."""
    lit = "piece stone\neach site has lit"
    state = start("choose x from board\nmark x lit", 'turn as "go"', lit)
    assert fault_of(state.moves).diagnostic.code == "alike"
    same = start("choose x from board\nmark board lit", 'turn as "go"', lit)
    assert texts(same) == ["go"]
    assert same.perft(1) == 1
    pairs = start(
        "choose x from board\nchoose y from board\nrequire x != y\n"
        "let pair = {x, y}\nmark pair lit",
        'turn as "{pair}"',
        "piece stone\neach site has lit",
    )
    assert texts(pairs) == ["a1 b1", "a1 c1", "b1 c1"]


@pytest.mark.parametrize(
    "effect",
    ["mark x lit", "put stone on x", "raise tally by 1", "again", "set last to x"],
)
def test_alike_in_print_and_not_in_end_is_a_fault(effect: str) -> None:
    """Board, variables, and what comes next are all looked at."""
    text = description(
        f'one of\n  - p as "go"\n      choose x from {{a1}}\n      {effect}\n'
        '  - q as "go"\n      choose x from {a1}\n      require x in board',
        "turn",
        "piece stone\neach site has lit\ngame has tally = 0 from 0..9\ngame has last: sites",
    )
    from ludeme import load_text

    state = load_text(text).start()
    error = fault_of(state.moves)
    assert error.diagnostic.code == "alike"
    assert error.diagnostic.span.text.startswith("turn")
    assert fault_of(lambda: state.play("go")).diagnostic.code == "alike"
    assert fault_of(lambda: state.perft(1)).diagnostic.code == "alike"
