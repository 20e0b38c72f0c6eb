"""Pictures of boards as text: lines of marks parted by blanks, one line for each row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ludeme.board.errors import BoardError, PictureError, counted

Rows = tuple[tuple[int, ...], ...]

_MARK = re.compile(r"\S+")


def restricted(rows: Rows, moved: Mapping[int, int]) -> Rows:
    """Return *rows* with only the sites of *moved*, in the new numbers that it gives.

    Rows left empty go from the two ends and stay in the middle.
    """
    kept = [tuple(moved[site] for site in row if site in moved) for row in rows]
    filled = [place for place, row in enumerate(kept) if row]
    return tuple(kept[filled[0] : filled[-1] + 1]) if filled else ()


def read(rows: Rows, lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return (site, mark) of the picture *lines* laid on *rows*, in order of sites.

    PictureError at the first line that does not fit, BoardError if there are no rows.
    """
    _check_rows(rows)
    first, last = _extent(lines)
    _check_height(rows, lines, first, last)
    marks: list[tuple[int, str]] = []
    for place, row in enumerate(rows):
        found = list(_MARK.finditer(lines[first + place]))
        if len(found) != len(row):
            surplus = found[len(row)].start() if len(found) > len(row) else None
            column = _end(lines[first + place]) if surplus is None else surplus
            raise PictureError(
                f"row {place + 1} of the picture has {counted(len(found), 'mark')};"
                f" the board has {counted(len(row), 'site')} there",
                first + place,
                column,
            )
        marks += zip(row, (match.group() for match in found), strict=True)
    return sorted(marks)


def write(rows: Rows, xs: Sequence[float], marks: Sequence[str], halves: bool) -> list[str]:
    """Return the lines that show the mark of each site of *rows* at its place in *xs*.

    With *halves*, sites may stand half a cell apart, so a cell is an even number
    of characters wide.
    """
    _check_rows(rows)
    _check_marks(marks, len(xs))
    width = max(map(len, marks))
    pitch = width + 1 + (halves and width % 2 == 0)
    left = min(xs)
    lines = []
    for row in rows:
        line = ""
        for site in row:
            line = line.ljust(round((xs[site] - left) * pitch)) + marks[site]
        lines.append(line)
    return lines


def _check_rows(rows: Rows) -> None:
    if not rows:
        raise BoardError("this board is not made of rows, so it has no picture")


def _check_marks(marks: Sequence[str], sites: int) -> None:
    if len(marks) != sites:
        raise BoardError(f"there are {counted(len(marks), 'mark')} for {counted(sites, 'site')}")
    for mark in marks:
        if not _MARK.fullmatch(mark):
            raise BoardError(f"`{mark}` cannot be a mark in a picture: it is empty or has a blank")


def _check_height(rows: Rows, lines: Sequence[str], first: int, last: int) -> None:
    """Raise PictureError if lines *first* to *last* are not as many as *rows*."""
    height = last - first + 1
    if height == len(rows):
        return
    message = f"the picture has {counted(height, 'row')}; the board has {counted(len(rows), 'row')}"
    if height > len(rows):
        line = first + len(rows)
        raise PictureError(message, line, _start(lines[line]))
    line = max(last, 0)
    raise PictureError(message, line, _end(lines[line]) if lines else 0)


def _extent(lines: Sequence[str]) -> tuple[int, int]:
    """Return the places of the first and last line with a mark, (0, -1) if there is none."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return (filled[0], filled[-1]) if filled else (0, -1)


def _start(line: str) -> int:
    return len(line) - len(line.lstrip())


def _end(line: str) -> int:
    return len(line.rstrip())
