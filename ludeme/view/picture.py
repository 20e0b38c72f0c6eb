"""Positions as pictures for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ludeme.board import Board
from ludeme.machine import Cells, Machine
from ludeme.view.marks import legend, piece_marks
from ludeme.view.pieces import Pile, first_notes, piles
from ludeme.view.write import pile_line, place_line, state_lines

WIDTH = 78
"""How wide lines of text become; the rows of a board are as wide as they are."""

EMPTY = "."


def draw_text(machine: Machine, cells: Cells) -> str:
    """The board with its labels, then what the marks mean and all else there is to say.

    A mark is the top piece of a site, with the number of pieces behind it if there are more.
    Where a stack has unlike pieces, or something is noted on a piece, it is told in words.
    """
    program = machine.program
    found = piles(machine.layout, cells)
    marks = piece_marks(program, [piece for pile in found for piece in pile])
    lines = board_lines(program.board, [_mark(pile, marks) for pile in found])
    blocks = [
        [line.rstrip() for line in lines],
        _in_columns(legend(program, marks)),
        _wrapped(_told(machine, found)),
        _wrapped([*state_lines(machine, cells), place_line(machine, cells)]),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _told(machine: Machine, found: Sequence[Pile]) -> list[str]:
    """The sites of which a mark does not show everything, in words."""
    plain = first_notes(machine.layout)
    names = machine.program.board.names
    return [
        pile_line(machine, name, pile)
        for name, pile in zip(names, found, strict=True)
        if len(set(pile)) > 1 or any(piece.notes != plain for piece in pile)
    ]


def _wrapped(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in wrap(line, WIDTH, subsequent_indent="  ")]


def _in_columns(entries: Sequence[str]) -> list[str]:
    """Entries side by side, as many to a line as there is room for."""
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + 3 + len(entry) <= WIDTH:
            lines[-1] += f"   {entry}"
        else:
            lines.append(entry)
    return lines


def _mark(pile: Pile, marks: dict[tuple[int, int], str]) -> str:
    if not pile:
        return EMPTY
    mark = marks[pile[-1].owner, pile[-1].kind]
    return mark if len(pile) == 1 else f"{mark}{len(pile)}"


# ---- boards


def board_lines(board: Board, marks: Sequence[str]) -> list[str]:
    """The board as lines of text, with *marks* for its sites in board order."""
    if board.picture and board.shape in ("square", "parallelogram"):
        return _lettered_columns(board, marks)
    if board.picture:
        return _lettered_rows(board, marks)
    if board.shape == "wheel":
        return _wheel(board, marks)
    return _list(board, marks)


def _split(name: str) -> tuple[str, str]:
    """The letters and the number of a label."""
    letters = name.rstrip("0123456789")
    return letters, name[len(letters) :]


def _rows(board: Board, marks: Sequence[str], width: int) -> list[str]:
    """The rows of a board, each mark padded to *width* so that rows of every mark agree."""
    padding = "\0"  # a mark of a picture has no blank in it
    lines = board.to_picture([mark.ljust(width, padding) for mark in marks])
    return [line.replace(padding, " ") for line in lines]


def _lettered_columns(board: Board, marks: Sequence[str]) -> list[str]:
    """Numbers of rows at the left, letters of columns below where the lowest row has them."""
    letters = [_split(name)[0] for name in board.names]
    width = max(len(text) for text in (*marks, *letters))
    lines = _rows(board, marks, width)
    numbers = [_split(board.names[row[0]])[1] if row else "" for row in board.picture]
    margin = max(map(len, numbers))
    drawn = [f"{number:>{margin}}  {line}" for number, line in zip(numbers, lines, strict=True)]
    bottom = board.picture[-1]
    feet = [text if site in bottom else "" for site, text in enumerate(letters)]
    foot = _rows(board, feet, width)[-1]
    return [*drawn, f"{'':{margin}}  {foot}"]


def _lettered_rows(board: Board, marks: Sequence[str]) -> list[str]:
    """Letters of rows at the left; at the right which numbers a row has."""
    width = max(map(len, marks))
    lines = _rows(board, marks, width)
    letters = [_split(board.names[row[0]])[0] if row else "" for row in board.picture]
    margin = max(map(len, letters))
    wide = max(map(len, lines))
    drawn = []
    for letter, line, row in zip(letters, lines, board.picture, strict=True):
        numbers = [_split(board.names[site])[1] for site in row]
        ends = "" if not numbers else f"{letter}{numbers[0]}"
        if len(numbers) > 1:
            ends += f"-{letter}{numbers[-1]}"
        drawn.append(f"{letter:>{margin}}  {line:{wide}}  {ends}")
    return drawn


def _wheel(board: Board, marks: Sequence[str]) -> list[str]:
    """A row for each ring, the outermost first, a column for each spoke."""
    shown = dict(zip(board.names, marks, strict=True))
    spokes = list(dict.fromkeys(_split(name)[0] for name in board.names))
    rings = sorted({int(_split(name)[1]) for name in board.names}, reverse=True)
    width = max(len(text) for text in (*marks, *spokes))
    margin = len(f"ring {rings[0]}")
    head = " ".join(f"{spoke:{width}}" for spoke in spokes)
    lines = [f"{'':{margin}}  {head}"]
    for ring in rings:
        row = " ".join(f"{shown.get(f'{spoke}{ring}', ''):{width}}" for spoke in spokes)
        lines.append(f"{f'ring {ring}':{margin}}  {row}")
    return lines


def _list(board: Board, marks: Sequence[str]) -> list[str]:
    """Every site with its mark, in columns; nothing if the game has no board."""
    if not board.names:
        return []
    width = max(map(len, board.names))
    wide = max(map(len, marks))
    entries = [f"{n:>{width}} {m:{wide}}" for n, m in zip(board.names, marks, strict=True)]
    across = max(1, (WIDTH + 3) // (width + wide + 4))
    rows = [entries[start : start + across] for start in range(0, len(entries), across)]
    return ["   ".join(row) for row in rows]
