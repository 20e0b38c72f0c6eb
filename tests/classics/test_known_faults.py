"""Faults that game systems are known to have had, each tried on the game where it would bite.

What holds of every game alike is tested in `tests/laws` (each listed move is played, each text that
is not listed is refused and changes nothing, every move prints once, nothing is listed after the
end, positions survive being written and read), what a message must say in `tests/errors`, seeds and
figures in `tests/play`.
"""

from __future__ import annotations

import re
from itertools import combinations

import probe
import pytest

from ludeme import Game, IllegalMove, State, load, load_text
from ludeme.game import shipped
from ludeme.machine import Stream


def rules(name: str) -> str:
    """A shipped description without its examples."""
    return shipped()[name].read_text(encoding="utf-8").partition("\nexample")[0] + "\n"


def set_up(name: str, *lines: str, more: str = "") -> State:
    """A game that begins with other pieces; the first player is to move."""
    text = re.sub(r"\nstart\n(?:  .*\n)+", "\n", rules(name))
    start = "".join(f"  {line}\n" for line in lines)
    return load_text(f"{text}\nstart\n{start}{more}", name).start()


def played(state: State, moves: str) -> State:
    """After several decisions."""
    for move in moves.split("; "):
        state = state.play(move)
    return state


def texts(state: State) -> list[str]:
    """The legal moves."""
    return [move.text for move in state.moves()]


def walked(game: Game, seed: int, decisions: int) -> list[State]:
    """The states of a random game."""
    states = [game.start()]
    while states[-1].to_move and len(states) <= decisions:
        state = states[-1]
        (player,) = game.machine.deciders(state.cells)
        end, _ = game.machine.draw(state.cells, player, Stream(seed, len(states), player))
        states.append(state.play(game.machine.text(state.cells, end)))
    return states


# ---- lines of sight, edges


def test_sight_is_mutual() -> None:
    """Of two stacks on a line, each sees the other or neither does; what stands between blocks."""
    more = "define sees(a: site, b: site) = b in seen(a, over empty)\n"
    text = rules("tumbleweed").replace("option size = 8", "option size = 4") + more
    game = load_text(text, "tumbleweed")
    met = {True: 0, False: 0}
    for state in walked(game, 3, 60)[5::6]:
        names = game.program.board.names
        stacks = [names.index(name) for name in probe.board(state)]
        for a, b in combinations(stacks, 2):
            mutual = probe.defined(state, "sees", a, b)
            assert mutual == probe.defined(state, "sees", b, a)
            met[bool(mutual)] += 1
    assert min(met.values()) > 50


def test_neither_end_of_a_line_blocks_it() -> None:
    """A pile between two stacks hides one from the other; the stacks themselves hide nothing."""
    lines = ("put White stone on {c1}", "put Red stone on {c5}")
    more = "define sees(a: site, b: site) = b in seen(a, over empty)\n"
    open_line = set_up("tumbleweed", *lines, more=more)
    c1, c5 = (open_line.game.program.board.names.index(name) for name in ("c1", "c5"))
    assert probe.defined(open_line, "sees", c1, c5)
    assert probe.defined(open_line, "sees", c5, c1)
    blocked = set_up("tumbleweed", *lines, "put 2 tumbleweed on {c3}", more=more)
    assert not probe.defined(blocked, "sees", c1, c5)
    assert not probe.defined(blocked, "sees", c5, c1)


@pytest.mark.parametrize("cell", ["a1", "a10", "j1", "j10", "a5", "e1", "j6", "f10", "b2", "e5"])
def test_slides_reach_the_edge_and_stop_there(cell: str) -> None:
    """A lone queen reaches all cells of its lines: left, right, up, down and the four slants."""
    state = set_up("amazons", f"put White amazon on {{{cell}}}")
    left, down = "abcdefghij".index(cell[0]), int(cell[1:]) - 1
    right, up = 9 - left, 9 - down
    slants = min(left, down) + min(left, up) + min(right, down) + min(right, up)
    goals = {text.partition("-")[2].partition("/")[0] for text in texts(state)}
    assert len(goals) == left + right + up + down + slants


def test_every_point_of_the_morris_board_lies_on_two_lines() -> None:
    """Every point closes a mill with exactly two pairs of others: none is left out of a rule."""
    game = load("nine_mens_morris")
    points = game.program.board.names
    closing: dict[str, set[frozenset[str]]] = {point: set() for point in points}
    for one, two in combinations(points, 2):
        others = [point for point in points if point not in (one, two)]
        for black in (others[:2], others[-2:]):
            state = played(game.start(), "; ".join((one, black[0], two, black[1])))
            for text in texts(state):
                if "x" in text:
                    closing[text.partition("x")[0]].add(frozenset((one, two)))
    assert {len(pairs) for pairs in closing.values()} == {2}


# ---- captures that must be made, and made in full


@pytest.mark.parametrize("name", ["english_draughts", "international_draughts", "fanorona"])
def test_where_a_capture_is_possible_nothing_else_is(name: str) -> None:
    """The rule binds all pieces, not just the one that could capture."""
    mixed = 0
    for seed in range(3):
        for state in walked(load(name), seed, 60):
            kinds = {"-" in text for text in texts(state)} if state.to_move else set()
            assert len(kinds) <= 1
            mixed += kinds == {False}
    assert mixed > 10


def test_a_capture_is_not_broken_off() -> None:
    """In English draughts no legal move is the beginning of another."""
    for seed in range(5):
        for state in walked(load("english_draughts"), seed, 80):
            listed = texts(state) if state.to_move else []
            assert not [(a, b) for a in listed for b in listed if b.startswith(a + "x")]


def test_men_and_kings_share_the_duty_to_capture_most() -> None:
    """A man that takes two goes before a king that takes one, and a king before a man."""
    king_takes_two = set_up(
        "international_draughts",
        "put White king on {a1}",
        "put White man on {h2}",
        "put Black man on {c3, f6, g3}",
    )
    assert {text[:3] for text in texts(king_takes_two)} == {"a1x"}
    man_takes_two = set_up(
        "international_draughts",
        "put White king on {a1}",
        "put White man on {h2}",
        "put Black man on {c3, g3, e5}",
    )
    assert {"h2xd6 (g3 e5)"} <= set(texts(man_takes_two))
    assert all(text.count(" ") == 2 for text in texts(man_takes_two))


def test_names_follow_a_piece_that_moves_again_and_again() -> None:
    """Four jumps in one turn that lead back to the first cell: each begins where the last ended."""
    state = set_up(
        "english_draughts",
        "put Black king on {c3}",
        "put White man on {d4, d6, b6, b4, h8}",
    )
    assert set(texts(state)) == {"c3xe5xc7xa5xc3", "c3xa5xc7xe5xc3"}
    after = state.play("c3xe5xc7xa5xc3")
    assert probe.board(after) == {"c3": (("Black", "king"),), "h8": (("White", "man"),)}


def test_a_jumped_piece_stays_and_is_not_jumped_twice() -> None:
    """Five could be taken only over a piece that was jumped before; so four are taken."""
    state = set_up(
        "international_draughts",
        "put White king on {c3}",
        "put Black man on {b4, d4, b6, d6, g7}",
    )
    assert {text.count(" ") for text in texts(state)} == {4}


# ---- ends


def test_a_game_that_is_cut_off_is_no_draw() -> None:
    """At the limit of decisions a game is unfinished, and no winner or draw is counted."""
    played = load("lines_of_action").playouts(20, seed=1, turn_limit=10)
    assert (played.count("unfinished"), played.count("finished")) == (20, 0)


def test_both_pass_and_the_game_is_over() -> None:
    """Where nobody can move, two passes end the game by the count of discs."""
    state = set_up("reversi", "put Black disc on {a1, b1}", "put White disc on {h8}")
    assert texts(state) == ["pass"]
    assert texts(state.play("pass")) == ["pass"]
    outcome = played(state, "pass; pass").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == ("Black", {"Black": 2, "White": 1})


def test_a_full_board_is_over_at_once() -> None:
    """Nobody has to pass on it."""
    state = set_up("ataxx", "put Red disc on not {d4, a1}", "put Blue disc on {a1}")
    outcome = state.play("d4").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("Red", "filling")


@pytest.mark.parametrize("name", ["ataxx", "reversi", "tumbleweed"])
def test_scores_go_with_the_seat(name: str) -> None:
    """If the players change names, the same game gives the same scores under the other names."""
    text = rules(name).replace("option size = 8", "option size = 3")
    game = load_text(text, name)
    first, second = game.players
    names = {first: second, second: first}
    exchanged = load_text(re.sub("|".join(names), lambda found: names[found[0]], text), name)
    end = walked(game, 8, 500)[-1]
    other = played(exchanged.start(), end.path)
    assert end.outcome is not None
    assert other.outcome is not None
    assert end.outcome.scores is not None
    assert other.outcome.scores == {names[p]: n for p, n in end.outcome.scores.items()}
    assert len(set(end.outcome.scores.values())) == 2


def test_nothing_can_be_done_after_the_end() -> None:
    """No moves are listed, and playing one is refused."""
    state = played(load("tic_tac_toe").start(), "a1; b1; a2; b2; a3")
    assert state.to_move == ()
    assert state.moves("X") == state.moves("O") == []
    with pytest.raises(IllegalMove):
        state.play("c3")


def test_a_player_who_cannot_win_is_noticed() -> None:
    """If the end of one side is forgotten, the check says so."""
    text = rules("knightthrough")
    text = (
        text[: text.index("\nend\n")] + "\nend\n  White wins by arrival when some (top and mine)\n"
    )
    game = load_text(text, "half")
    assert [w.code for w in game.warnings if "Black" in w.message], game.warnings


# ---- positions that come back


def test_a_third_time_need_not_be_in_a_row() -> None:
    """Other moves may lie between; a move that would reach it is not yet the third time."""
    state = set_up("fanorona", "put White stone on {a1}", "put Black stone on {i5}")
    one = "a1-a2; i5-i4; a2-a1; i4-i5"
    other = "a1-b1; i5-h5; b1-a1; h5-i5"
    before = played(state, f"{one}; a1-b1; i5-h5; b1-a1")
    assert before.outcome is None
    assert before.play("h5-h4").outcome is None
    assert played(state, f"{one}; {other}").outcome == before.play("h5-i5").outcome
    outcome = before.play("h5-i5").outcome
    assert outcome is not None
    assert outcome.reason == "repetition"


def test_the_same_picture_with_another_to_move_is_another_position() -> None:
    """White goes round a triangle in three moves while Black needs two: the mover has changed."""
    state = set_up("fanorona", "put White stone on {a1}", "put Black stone on {i5}")
    white_loses_a_move = "a1-a2; i5-i4; a2-b2; i4-i5; b2-a1"
    black_loses_a_move = "i5-i4; a1-a2; i4-h4; a2-a1; h4-i5"
    there = played(state, white_loses_a_move)
    assert probe.board(there) == probe.board(state)
    assert there.to_move != state.to_move
    assert there.key != state.key
    back = played(there, black_loses_a_move)
    assert back.to_move == state.to_move
    again = played(back, white_loses_a_move)
    assert again.outcome is None, "the picture is there for the fourth time, no position a third"
    assert played(again, black_loses_a_move).outcome is not None


# ---- one text, one move


def test_one_disc_grown_from_two_is_one_move() -> None:
    """Which disc the new one grows from makes no difference and is not listed twice."""
    state = set_up("ataxx", "put Red disc on {a1, b1}", "put Blue disc on {g7}")
    assert texts(state).count("a2") == 1
    assert "a1-c1" in texts(state)


def test_a_set_is_written_in_one_order() -> None:
    """The other order is refused, and the message has the right one."""
    state = load("connect6").start().play("j10")
    refusal = state.why("k10 a1")
    assert refusal is not None
    assert refusal.near == ("a1 k10",)


def test_ways_to_the_same_capture_are_one_move() -> None:
    """Four men taken in either direction of a circle: one text, one result, one move."""
    state = set_up(
        "international_draughts",
        "put White king on {c3}",
        "put Black man on {b4, d4, b6, d6}",
    )
    assert texts(state).count("c3xc3 (b4 d4 b6 d6)") == 1
