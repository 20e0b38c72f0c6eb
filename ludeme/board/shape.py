"""What there is to know about a board shape without making a board of it."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ludeme.board.board import Board


@attrs.frozen
class Shape:
    """A named family of boards, made from whole numbers.

    *parameters* are (name, lowest, highest). The highest is what the number may be
    when the others are lowest: beyond it a board would have too many sites; below
    it, whether a board is too large depends on all numbers together. From *least*
    to *most* of them are given, from the first on. *count* says how many sites
    *build* would make, for any numbers from the lowest up and at once. *doc* is
    the sentence of the language reference.
    """

    name: str
    parameters: tuple[tuple[str, int, int], ...]
    least: int
    most: int
    count: Callable[..., int]
    build: Callable[..., Board]
    doc: str
