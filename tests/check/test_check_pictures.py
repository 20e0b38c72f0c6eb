"""Pictures that do not fit, with the row and mark at fault."""

from __future__ import annotations

import pytest
from check.descriptions import game, said

CODE = "picture"


@pytest.mark.parametrize(
    ("picture", "row", "mark", "message"),
    [
        (["# . .", ". . .", ". . ."], 0, None, "3 rows"),
        (["# . . . ."] * 4, 3, None, "4 rows"),
        (["# . . . ."] * 6, 5, "# . . . .", "6 rows"),
        (["# . . . .", "# . . .", *["# . . . ."] * 3], 1, "", "row 2 of the picture has 4 marks"),
        (["# . . . . #", *["# . . . ."] * 4], 0, "#", "row 1 of the picture has 6 marks"),
        (["# . . . .", "# . x . .", *["# . . . ."] * 3], 1, "x", "`x` means nothing in a region"),
    ],
)
def test_region_pictures(picture: list[str], row: int, mark: str | None, message: str) -> None:
    rows = "\n".join(f"  | {line}" for line in picture)
    text = game("  require cell in yard", f"region yard\n{rows}\n")
    (found,) = said(text)
    assert found.code == CODE
    assert message in found.message
    first = text[: text.index("  | ")].count("\n") + 1
    assert found.span.line == first + max(row, 0) if mark is not None else found.span.line >= first
    if mark is not None:
        assert found.span.text == mark


def test_a_letter_that_no_piece_has() -> None:
    rows = "\n".join(f"    | {line}" for line in [". . . . .", ". . Q . .", *[". . . . ."] * 3])
    (found,) = said(game(more=f"start\n  setup\n{rows}\n"))
    assert (found.code, found.span.text) == (CODE, "Q")
    assert "the letters are s, t" in str(found.help)


def test_a_picture_on_a_board_without_rows() -> None:
    text = game("  require cell in yard", "region yard\n  | # .\n", board="sites\n  a - b")
    (found,) = said(text)
    assert found.code == CODE
    assert "not made of rows" in found.message


def test_pictures_are_not_looked_at_where_the_board_is_wrong() -> None:
    text = game("  require cell in yard and row(3)", "region yard\n  | # .\n", board="square(0)")
    assert [found.code for found in said(text)] == ["board"]


def test_rows_that_name_sites() -> None:
    """A name may not come twice, and must be one; the rest of the row is still read."""
    found = said(game("  require cell in b", board="sites\n  | a . b\n  | a 1x c\n  a - b - c"))
    assert [(each.code, each.span.text, each.span.column) for each in found] == [
        ("board", "a", 5),
        ("board", "1x", 7),
    ]
