"""Text pictures laid on boards, and boards drawn as text."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludeme.board import SHAPES, Board, BoardError, PictureError, build, explicit


@st.composite
def pictured(draw: st.DrawFn) -> Board:
    """A board made of rows, whole or with sites taken away."""
    shape = SHAPES[draw(st.sampled_from(sorted(set(SHAPES) - {"wheel"})))]
    number = draw(st.integers(shape.least, shape.most))
    board = build(shape.name, [draw(st.integers(1, 5)) for _ in range(number)])
    return board.keep(draw(st.integers(1, board.everything))) if draw(st.booleans()) else board


@given(pictured(), st.data())
def test_a_picture_drawn_is_read_back(board: Board, data: st.DataObject) -> None:
    mark = st.text("ox.#é", min_size=1, max_size=3)
    size = len(board.names)
    marks = data.draw(st.lists(mark, min_size=size, max_size=size))
    lines = board.to_picture(marks)
    assert list(enumerate(marks)) == board.from_picture(lines)
    assert list(enumerate(marks)) == board.from_picture(["", *lines, "  ", ""])
    assert all(line == line.rstrip() for line in lines)


def test_square_picture_shows_the_top_row_first() -> None:
    board = build("square", [3, 2])
    assert board.to_picture(board.names) == ["a2 b2 c2", "a1 b1 c1"]
    assert board.to_picture(list("ABCDEF")) == ["D E F", "A B C"]


def test_hex_rows_are_shifted_by_half_a_cell() -> None:
    board = build("hexagon", [3])
    assert board.to_picture(["."] * 19) == [
        "  . . .",
        " . . . .",
        ". . . . .",
        " . . . .",
        "  . . .",
    ]
    assert board.to_picture(board.names) == [
        "    e3  e4  e5",
        "  d2  d3  d4  d5",
        "c1  c2  c3  c4  c5",
        "  b1  b2  b3  b4",
        "    a1  a2  a3",
    ]
    assert build("triangle", [2]).to_picture(["aaa", "b", "c"]) == ["  c", "aaa b"]
    assert build("parallelogram", [2]).to_picture(list("abcd")) == [" c d", "a b"]


def test_taken_sites_leave_gaps() -> None:
    board = build("square", [3])
    ring = board.keep(board.regions["rim"])
    assert ring.to_picture(list("abcdefgh")) == ["f g h", "d   e", "a b c"]
    ends = board.keep(board.families["row"][1] | board.families["row"][3])
    assert ends.picture == ((3, 4, 5), (), (0, 1, 2))
    assert ends.to_picture(list("abcdef")) == ["d e f", "", "a b c"]
    assert board.keep(board.families["row"][2]).picture == ((0, 1, 2),)


def test_marks_are_given_in_board_order_whatever_the_layout() -> None:
    board = build("square", [2])
    assert board.from_picture(["", "     x   y", "z\tw  "]) == [
        (0, "z"),
        (1, "w"),
        (2, "x"),
        (3, "y"),
    ]


@pytest.mark.parametrize(
    ("lines", "message", "line", "column"),
    [
        (
            ["", "  . . .", " . . . .", ". . . .", " . . . .", "  . . ."],
            "row 3 of the picture has 4 marks; the board has 5 sites there",
            3,
            7,
        ),
        (
            ["  . . . .", " . . . .", ". . . .", " . . . .", "  . . ."],
            "row 1 of the picture has 4 marks; the board has 3 sites there",
            0,
            8,
        ),
        (
            ["  .  ", " . . . .", ". . . . .", " . . . .", "  . . ."],
            "row 1 of the picture has 1 mark; the board has 3 sites there",
            0,
            3,
        ),
        ([". . .", " . . "], "the picture has 2 rows; the board has 5 rows", 1, 4),
        (["."] * 5 + ["  x"], "the picture has 6 rows; the board has 5 rows", 5, 2),
        (["", "."], "the picture has 1 row; the board has 5 rows", 1, 1),
        ([], "the picture has 0 rows; the board has 5 rows", 0, 0),
        ([" "], "the picture has 0 rows; the board has 5 rows", 0, 0),
        (
            ["  . . .", "", ". . . . .", " . . . .", "  . . ."],
            "row 2 of the picture has 0 marks; the board has 4 sites there",
            1,
            0,
        ),
    ],
)
def test_the_first_wrong_row_is_shown(
    lines: list[str], message: str, line: int, column: int
) -> None:
    with pytest.raises(PictureError) as caught:
        build("hexagon", [3]).from_picture(lines)
    error = caught.value
    assert (str(error), error.message) == (message, message)
    assert (error.line, error.column) == (line, column)


def test_picture_errors_survive_pickling() -> None:
    copy = pickle.loads(pickle.dumps(PictureError("too short", 2, 7)))
    assert (copy.message, copy.line, copy.column) == ("too short", 2, 7)


@pytest.mark.parametrize(
    "board", [build("wheel", [3, 1]), explicit([("p", None), ("q", None), ("r", None)], [])]
)
def test_boards_without_rows_have_no_picture(board: Board) -> None:
    for draw in (lambda: board.to_picture(["."] * 3), lambda: board.from_picture([". . ."])):
        with pytest.raises(BoardError, match="not made of rows"):
            draw()


@pytest.mark.parametrize("marks", [[".", "."], [".", ".", "", "."], [".", "a b", ".", "."]])
def test_marks_that_cannot_be_drawn_are_refused(marks: list[str]) -> None:
    with pytest.raises(BoardError):
        build("square", [2]).to_picture(marks)
