"""How OpenSpiel writes the turns of each game, read as we write them."""

from __future__ import annotations

import re

from .spiel import Table, Words


def cell(column: int, row: int) -> str:
    """A label from a column and a row, both from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


def numbers(text: str) -> list[int]:
    """The numbers in a text."""
    return [int(number) for number in re.findall(r"\d+", text)]


def same(words: Words, history: list[str]) -> str:
    """They write as we do."""
    (text,) = words
    return text


def taken_over(words: Words, history: list[str]) -> str:
    """The second player takes over a stone by naming its cell."""
    return "swap" if history == list(words) else same(words, history)


def row_column(words: Words, history: list[str]) -> str:
    """`x(0,2)` or `0,2`: row and column."""
    (text,) = words
    row, column = numbers(text)
    return cell(column, row)


def dropped(words: Words, history: list[str]) -> str:
    """`x3`: a column; the disc comes to lie on those that were dropped there before."""
    (text,) = words
    (column,) = numbers(text)
    return cell(column, sum(earlier[0] == cell(column, 0)[0] for earlier in history))


def turned(words: Words, history: list[str]) -> str:
    """`a7b6*`: their first player begins at the top; `*` marks a capture."""
    (text,) = words
    return "".join(f"{letter}{9 - int(row)}" for letter, row in re.findall(r"([a-h])(\d)", text))


def mirrored(words: Words, history: list[str]) -> str:
    """`a5b5`: origin and goal, the columns of six from the other side."""
    (text,) = words
    cells = re.findall(r"([a-f])(\d)", text)
    return "-".join(f"{'fedcba'['abcdef'.index(letter)]}{row}" for letter, row in cells)


def shot(words: Words, history: list[str]) -> str:
    """`X From (7, 1)`, `X To (…)`, `X Shoot (…)`: rows from the top, both from 1."""
    cells = [cell(column - 1, 10 - row) for row, column in map(numbers, words)]
    return f"{cells[0]}-{cells[1]}/{cells[2]}"


def lined(words: Words, history: list[str]) -> str:
    """`b1-b3`, `c1xa3`."""
    (text,) = words
    return text.lower().replace("x", "-")


def jumped(words: Words, history: list[str]) -> str:
    """`a3b4`, or a jump after the other."""
    cells = [(word[:2], word[2:4]) for word in words]
    path = [cells[0][0], *(goal for _, goal in cells)]
    length = abs(ord(path[0][0]) - ord(path[1][0]))
    return ("x" if length == 2 else "-").join(path)


_POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
POINTS = dict(enumerate(_POINTS.split()))
"""Their points of the morris board, row by row from the top left."""


def morris(words: Words, history: list[str]) -> str:
    """`Point 3` or `Move 3 -> 4`, and the point of a man that is taken."""
    points = [[POINTS[number] for number in numbers(word)] for word in words]
    return "x".join("-".join(of_word) for of_word in points)


REPETITION = ("repetition",)
NO_SWAP = {"swap": False}

TABLES = (
    Table("tic_tac_toe", "tic_tac_toe", row_column, games=(20, 300)),
    Table("connect_four", "connect_four", dropped, games=(10, 300)),
    Table("gomoku", "gomoku", row_column, games=(1, 30)),
    Table("gomoku", "mnk(m=15,n=15,k=5)", row_column, games=(1, 30)),
    Table("hex", "hex", same, games=(2, 60)),
    Table("hex", "hex(board_size=5)", same, {"size": 5}, games=(10, 200)),
    Table("hex", "hex(board_size=4,swap=True)", same, {"size": 4, "swap": True}, games=(20, 200)),
    Table("havannah", "havannah(board_size=3,swap=True)", taken_over, {"size": 3}, games=(20, 200)),
    Table("y", "y(board_size=7)", same, {"size": 7} | NO_SWAP, games=(6, 200)),
    Table("havannah", "havannah(board_size=4)", same, {"size": 4} | NO_SWAP, games=(8, 300)),
    Table("havannah", "havannah", same, NO_SWAP, games=(1, 40)),
    Table("reversi", "othello", same, games=(4, 100)),
    Table("breakthrough", "breakthrough", turned, games=(6, 200)),
    Table("amazons", "amazons", shot, whole=False, games=(1, 3)),
    Table("clobber", "clobber", mirrored, games=(6, 200)),
    Table("lines_of_action", "lines_of_action", lined, games=(3, 60), repeats=True),
    Table(
        "nine_mens_morris",
        "nine_mens_morris",
        morris,
        whole=False,
        games=(5, 200),
        limit=199,
        our_draws=REPETITION,
    ),
    Table(
        "english_draughts",
        "checkers",
        jumped,
        {"patience": 40, "men_are_quiet": True},
        whole=False,
        games=(6, 200),
        our_draws=REPETITION,
    ),
)
