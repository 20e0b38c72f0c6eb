"""Pictures for the terminal, drawn by hand here and by the program there."""

from __future__ import annotations

import pytest

from ludeme import load_text
from ludeme.view import draw_text
from ludeme.view.marks import piece_marks, unlike_letters
from ludeme.view.picture import WIDTH
from ludeme.view.pieces import Piece
from tests.view.playing import EVERYTHING, GAMES, game_of, name_of, states


def drawn(game, text: str) -> str:
    """The picture of a position."""
    return draw_text(game.machine, game.position(text)._cells)


def lines(text: str) -> list[str]:
    """The lines of a picture in a test, without its indentation."""
    return [line[4:].rstrip() for line in text.strip("\n").split("\n")]


def test_a_square_board_has_its_labels_at_the_rim():
    """Row numbers at the left, letters below, heights behind the top piece."""
    picture = drawn(
        game_of("consta", (("size", 5),)),
        "to move: White in build\na1: Black stone\nc1: White stone\n"
        "b4: Black stone, Black stone\ne5: Black stone, White stone",
    )
    assert picture.split("\n") == lines(
        """
    5  .  .  .  .  s2
    4  .  S2 .  .  .
    3  .  .  .  .  .
    2  .  .  .  .  .
    1  S  .  s  .  .
       a  b  c  d  e

    S Black stone   s White stone

    e5: Black stone, White stone

    to move: White in build"""
    )


def test_rows_of_hexes_are_shifted():
    """The letter of a row at its left, the numbers that it has at its right."""
    picture = drawn(
        game_of("astralesce", (("order", 3),)), "a1: Light disc\nc5: Dark disc\ne3: Light disc"
    )
    assert picture.split("\n") == lines(
        """
    e    D . .    e3-e5
    d   . . . .   d2-d5
    c  . . . . d  c1-c5
    b   . . . .   b1-b4
    a    D . .    a1-a3

    D Light disc   d Dark disc

    to move: Light"""
    )


def test_a_wheel_is_a_table_of_rings_and_spokes():
    """The outermost ring first; below the board what is not on it."""
    picture = drawn(
        game_of("constello"),
        "a1: Black stone\nb3: White stone (gold)\nlocked: c2 i1\nsupply: Black 3",
    )
    assert picture.split("\n") == lines(
        """
            a b c d e f g h i
    ring 3  . s . . . . . . .
    ring 2  . . . . . . . . .
    ring 1  S . . . . . . . .

    S Black stone   s White stone

    b3: White stone (gold)

    locked: c2 i1
    supply: Black 3
    to move: Black, White in plan"""
    )


def test_the_outcome_stands_below():
    """In place of the player to move."""
    picture = drawn(game_of("constructo"), "game over: draw by towers\nb2: Black ring, White small")
    assert picture.split("\n") == lines(
        """
    e      .   .   .       e3-e5
    d    .   .   .   .     d2-d5
    c  .   .   .   .   .   c1-c5
    b    .   S2  .   .     b1-b4
    a      .   .   .       a1-a3

    R White ring   M White medium   S White small   r Black ring   m Black medium
    s Black small

    b2: Black ring, White small

    game over: draw by towers (White 0, Black 0)"""
    )


SHAPES = """game "Shapes"
players Red, Green, Blue
board {board}
piece stone
neutral piece wall
start
  put wall on {site}
turn
  choose s from empty
  put stone on s
end
  draw by full when no empty
"""


def test_more_players_have_letters_of_their_own():
    """A lone kind goes without its letter; a leaning board has its columns below its lowest row."""
    game = load_text(SHAPES.format(board="parallelogram(3, 2)", site="b2"))
    assert drawn(game, "a1: Red stone\nb1: Blue stone\nb2: wall\nto move: Green").split("\n") == (
        lines(
            """
    2   . w .
    1  R B .
       a b c

    R Red stone   G Green stone   B Blue stone   w wall

    to move: Green"""
        )
    )


def test_a_triangle_has_a_letter_for_each_row():
    """Numbers from the left."""
    game = load_text(SHAPES.format(board="triangle(3)", site="b2"))
    assert drawn(game, "c1: Green stone").split("\n")[:3] == [
        "c    G    c1",
        "b   . .   b1-b2",
        "a  . . .  a1-a3",
    ]


def test_sites_without_a_shape_are_listed_by_name():
    """In columns, all of them."""
    game = load_text(SHAPES.format(board="sites\n  hub - rim - far", site="rim"))
    assert drawn(game, "hub: Red stone\nrim: wall").split("\n")[0] == "hub R   rim w   far ."


def test_kinds_that_share_a_letter_get_others():
    """The first keeps it; the second takes another letter of its name, or any."""
    assert unlike_letters(["k", "k", "p"], ["king", "knight", "pawn"]) == ("K", "N", "P")
    assert unlike_letters(["a"] * 3, ["a", "ab", "ab"]) == ("A", "B", "C")
    many = unlike_letters(["x"] * 64, [f"x{number}" for number in range(64)])
    assert len(set(many)) == 64


def test_no_two_pieces_look_alike():
    """Also those that rules make in odd ways: a wall that is owned, a pawn that is not."""
    program = game_of(EVERYTHING).program
    odd = [Piece(owner, kind) for owner in range(3) for kind in range(3)]
    marks = piece_marks(program, odd)
    assert set(marks) == {(piece.owner, piece.kind) for piece in odd}
    assert len(set(marks.values())) == len(marks)
    assert (marks[0, 0], marks[1, 0]) == ("P", "p")
    three = load_text(SHAPES.format(board="square(3)", site="a1")).program
    marks = piece_marks(three, [Piece(owner, kind) for owner in range(4) for kind in range(2)])
    assert len(set(marks.values())) == len(marks) == 8


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_every_state_has_a_picture(case):
    """One mark for each site, no line too wide, nothing at the end of a line."""
    game = game_of(*case)
    for state in states(game, 1)[::5]:
        picture = str(state)
        board = picture.split("\n\n")[0]
        empty = sum(
            1
            for name in game.board.names
            if not any(line.startswith(f"{name}: ") for line in state.text.split("\n"))
        )
        assert empty == board.count(".")
        for line in picture.split("\n"):
            assert line == line.rstrip()
            assert len(line) <= WIDTH
