"""What the examples of a description mean, and what is said when they fail."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import ludeme
from ludeme.check import Checked
from ludeme.game import check_sources, shipped, text_sources
from ludeme.play.examples import Ran, checked_sets, run_examples
from tests.play.texts import BOTH, RISKY, STUCK

GAME = """\
game "Trail"
players A, B
option long = 3 from 2..5
board square(3)
piece p
each player has points = 0 from 0..9
turn grow as "{c}"
  choose c from empty
  require count(neighbours(c) and mine) < 3
  put p on c
  raise points(mover) by 1
turn rest
  one of
    - wait as "wait"
        raise points(mover) by 0
    - stay as "stay"
        raise points(mover) by 0
play
  A takes grow
  players alternate grow from B, until points(A) = long
  A takes rest
  draw by tiredness
end
  mover wins by three when points(mover) = 9
"""
"""A and B put pieces until A has three, then A rests and the game is drawn."""


def run(facts: str, text: str = GAME, title: str = "it") -> list[Ran]:
    """Run the facts as one example behind a description."""
    lines = "".join(f"  {line}\n" for line in facts.strip("\n").split("\n"))
    sources = text_sources(f'{text}example "{title}"\n{lines}', "trail")

    def check(options: Mapping[str, object]) -> Checked:
        return check_sources(sources, options)

    programs = []
    for checked in checked_sets(check, {}):
        assert checked.program is not None, [str(d) for d in checked.diagnostics]
        programs.append(checked.program)
    return run_examples(programs)


def holds(facts: str, text: str = GAME) -> None:
    (ran,) = run(facts, text)
    assert None is ran.failure, str(ran.failure)


def fails(facts: str, text: str = GAME) -> str:
    """What is said of the fact that fails, which is the last line."""
    (ran,) = run(facts, text)
    assert ran.failure is not None
    assert ran.failure.code == "example"
    last = text.count("\n") + 1 + len(facts.strip("\n").split("\n"))
    assert last == ran.failure.span.line, str(ran.failure)
    assert ran.failure.notes[-1].message == "in this example"
    return str(ran.failure)


# ---- position


def test_given_changes_the_position_and_not_whose_turn_it_is() -> None:
    holds('given: put B p on a1; put B p on b1\nlegal "c1" for A\nillegal "a1"\nmoves 7')


def test_given_may_follow_moves() -> None:
    holds('play "a1"\ngiven: remove a1\nlegal "a1" for B\nmoves 9 for B')


def test_a_fault_in_given_is_told() -> None:
    message = fails("given: put 2 A p on a1")
    assert "it happens here" in message


def test_to_move_names_player_and_turn() -> None:
    holds('A to move in rest\nlegal "wait", "stay"\nmoves 2')


def test_to_move_without_a_turn_keeps_the_turn() -> None:
    holds('B to move\nlegal "a1" for B\nmoves 0 for A')
    holds('play "a1"\nA to move\nmoves 8 for A')


def test_to_move_of_a_player_who_never_takes_the_turn() -> None:
    message = fails("B to move in rest")
    assert "B does not take `rest` here" in message
    assert "it is taken here" in message


def test_to_move_without_a_turn_tells_how_to_name_one() -> None:
    message = fails("A to move in rest\nB to move")
    assert "say which turn is meant, for example `B to move in grow`" in message


def test_to_move_goes_on_after_the_end() -> None:
    holds('A to move in rest\nplay "wait"\noutcome draw by tiredness\n'
          "A to move in grow\noutcome none\nmoves 9")  # fmt: skip


def test_to_move_after_the_end_needs_a_turn() -> None:
    assert "the game is over" in fails('A to move in rest\nplay "wait"\nA to move')


def test_to_move_in_a_turn_taken_together() -> None:
    holds("A to move in pick\nmoves 3 for A\nmoves 3 for B", BOTH)


# ---- moves


def test_play_carries_out_decisions() -> None:
    holds('play "a1; b1;c1"\nmoves 6 for B\nexpect count(pieces(A)) = 2')


def test_play_joins_moves_of_several() -> None:
    holds('play "low | high"\noutcome B wins by more', BOTH)
    assert "decide together here" in fails('play "low"', BOTH)


def test_play_tells_the_move_that_is_not_legal_and_why() -> None:
    message = fails('play "a1; b1; a1"')
    assert "`a1` is not legal for A" in message
    assert "a1 is not in `empty`" in message
    column = message.split("trail.game:")[1].split("\n")[0].split(":")[1]
    assert len('  play "a1; b1; ') + 1 == int(column)


def test_play_tells_a_move_that_is_none() -> None:
    message = fails('play "a11"')
    assert "`a11` is no move of A in turn `grow`" in message
    assert "did you mean `a1`?" in message


def test_play_tells_one_move_too_many() -> None:
    message = fails('A to move in rest\nplay "wait; wait"')
    assert "the game is over before `wait`: it is a draw by tiredness" in message


def test_play_tells_a_fault() -> None:
    message = fails('play "a1"', RISKY)
    assert "`luck` became 2" in message
    assert "it happens here" in message


def test_legal_says_why_not() -> None:
    facts = "given: put A p on a1; put A p on a2; put A p on b1\n"
    message = fails(facts + 'legal "c3", "b2"')
    assert "`b2` is not legal for A" in message
    assert "count(neighbours(c) and mine) = 3" in message


def test_illegal_holds_for_a_text_that_is_no_move_here() -> None:
    holds('illegal "a1 b1", "b1 a1"')
    assert "`a1` is legal" in fails('illegal "a1 b1", "a1"')


def test_illegal_does_not_hold_for_words_that_no_move_is_written_with() -> None:
    assert "is ever written with `zz`" in fails('illegal "a1 zz"')


def test_legality_for_one_who_does_not_decide() -> None:
    holds('illegal "a1" for B')
    assert "B does not decide here, but A" in fails('legal "a1" for B')


def test_legality_of_joint_moves() -> None:
    holds('legal "low | top"\nillegal "low | low top"\nlegal "low" for B', BOTH)
    assert "decide together" in fails('legal "low"', BOTH)


def test_legality_after_the_end() -> None:
    over = 'A to move in rest\nplay "wait"\n'
    holds(over + 'illegal "wait"\nmoves 0')
    assert "the game is over" in fails(over + 'legal "wait"')


def test_moves_tells_the_number() -> None:
    assert "there are 9 legal moves of A, not 8" in fails("moves 8")
    assert "not 2; the game is over" in fails('A to move in rest\nplay "wait"\nmoves 2')


def test_moves_of_several() -> None:
    message = fails("moves 9", BOTH)
    assert "A and B decide together" in message
    assert "`moves 9 for A`" in message


def test_a_player_who_is_stuck_has_no_moves() -> None:
    holds('play "a1; a2; b1; b2"\nmoves 0', STUCK)


# ---- outcome, expect


def test_outcome() -> None:
    holds('outcome none\nA to move in rest\nplay "wait"\noutcome draw by tiredness')
    assert "the game is not over" in fails("outcome draw by tiredness")
    message = fails('A to move in rest\nplay "wait"\noutcome A wins by three')
    assert "it is a draw by tiredness" in message
    assert "B wins by more" in fails('play "low | high"\noutcome A wins by more', BOTH)


def test_expect_tells_the_values() -> None:
    message = fails('play "a1; b1"\nexpect points(A) = 2')
    assert "`points(A) = 2` does not hold: points(A) = 1" in message


def test_mover_in_expect_is_the_one_who_decides() -> None:
    holds('expect mover = A\nplay "a1"\nexpect mover = B\nexpect B can grow')
    holds("expect mover = nobody", BOTH)


# ---- all examples


def test_every_example_runs_though_one_fails() -> None:
    text = GAME + 'example "bad"\n  moves 1\n  moves 2\nexample "good"\n  moves 9\n'
    ran = run("moves 3", text, "last")
    assert [each.title for each in ran] == ["bad", "good", "last"]
    assert [each.failure is not None for each in ran] == [True, False, True]
    assert "not 1" in str(ran[0].failure)


def test_examples_run_with_their_options_and_once() -> None:
    text = GAME + (
        'example "long"\n  with long = 5\n  expect long = 5\n'
        'example "default, said"\n  with long = 3\n  expect long = 3\n'
        'example "short"\n  with long = 2\n  expect long = 2\n'
        'example "long again"\n  with long = 5\n  expect long = 5\n'
    )
    ran = run("expect long = 3", text, "default")
    assert [r.title for r in ran] == ["long", "default, said", "short", "long again", "default"]
    assert [r.failure for r in ran] == [None] * 5


def test_only_examples_about_the_options_asked_for() -> None:
    text = GAME + 'example "five"\n  with long = 5\n  moves 9\nexample "three"\n  moves 9\n'
    sources = text_sources(text, "trail")
    sets = list(checked_sets(lambda options: check_sources(sources, options), {"long": "5"}))
    assert len(sets) == 1
    assert sets[0].program is not None
    assert [ran.title for ran in run_examples([sets[0].program])] == ["five"]


@pytest.mark.parametrize("name", shipped())
def test_the_examples_of_shipped_games_hold(name: str) -> None:
    game = ludeme.load(name)
    failures = [ran.failure for ran in run_examples([game.program]) if ran.failure]
    assert not failures, "\n\n".join(map(str, failures))
