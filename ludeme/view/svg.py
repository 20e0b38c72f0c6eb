"""Positions as SVG pictures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from textwrap import wrap

import attrs

from ludeme.machine import Cells, Machine
from ludeme.view.colours import (
    BACKGROUND,
    BADGE,
    CELL,
    INK,
    MARKED,
    NOBODY,
    ink_on,
    player_colours,
)
from ludeme.view.elements import Point, box, circle, element, text_at, words
from ludeme.view.marks import unlike_letters
from ludeme.view.pieces import Piece, Pile, piles
from ludeme.view.plan import UNIT, Plan, plan_of
from ludeme.view.write import pile_line, place_line, state_lines, write_lines

MARGIN = 20.0
TEXT_SIZE = 16.0
LINE_HEIGHT = 24.0
LEAST_WIDTH = 400.0
"""So that the lines below a small board are not broken after every word."""

# The widest letters of common fonts; a line that is counted too wide is broken too soon, no more.
_EM_PER_LETTER = 0.62

_MOST_DRAWN = 4
"""So many pieces of a stack are drawn, from the top; the number tells of the others."""

_SHRUNK = 0.82
"""The size of the pieces of a stack, so that four of them fit into a cell."""


def draw_svg(machine: Machine, cells: Cells) -> str:
    """The position as an SVG picture that stands for itself, with its own background.

    A site has a ``g`` with its name in ``data-site``; so have the pieces on it. Below the board
    stand who is to move, what the colours and marks mean, and all that is not on the board.
    """
    return Picture(machine, cells).draw()


@attrs.frozen
class Mark:
    """Something that holds of some sites or of the top pieces there, and its letter."""

    name: str
    letter: str
    sites: int
    of_pieces: bool


class Picture:
    """Draws one position."""

    def __init__(self, machine: Machine, cells: Cells) -> None:
        self.machine = machine
        self.program = machine.program
        self.cells = cells
        self.plan: Plan = plan_of(self.program.board)
        self.piles = piles(machine.layout, cells)
        self.colours = (*player_colours(self.program.players), NOBODY)
        self.letters = unlike_letters(self.program.letters, self.program.kinds)
        self.marks = self.find_marks()

    def draw(self) -> str:
        """The whole picture."""
        left, top, right, bottom = self.plan.extent
        width = max(right - left, LEAST_WIDTH)
        left -= (width - (right - left)) / 2
        below, end = self.below(left, bottom + MARGIN, width)
        frame = _whole(left - MARGIN, top - MARGIN, left + width + MARGIN, end + MARGIN)
        children = [
            element("title", [words(f"{self.program.title}: {self.place}")]),
            element("desc", [words("\n".join(write_lines(self.machine, self.cells)))]),
            box(*frame, fill=BACKGROUND),
            *self.plan.links(),
            *map(self.site, self.sites),
            *self.plan.rim_labels(),
            *map(self.pieces, self.sites),
            *below,
        ]
        return element(
            "svg", [f"\n{child}" for child in children] + ["\n"],
            xmlns="http://www.w3.org/2000/svg", viewBox=" ".join(map(str, frame)),
            width=frame[2], height=frame[3], role="img", font_family="sans-serif",
        )  # fmt: skip

    @property
    def sites(self) -> range:
        """All sites."""
        return range(len(self.program.board.names))

    @property
    def place(self) -> str:
        """Who is to move, or how the game ended."""
        return place_line(self.machine, self.cells)

    # ---- marks

    def find_marks(self) -> tuple[Mark, ...]:
        """The flags of sites and pieces that hold somewhere, and the sites that the game keeps."""
        found = []
        for slots in self.machine.layout.variables.values():
            variable = slots.variable
            values = self.cells[slots.first : slots.first + slots.count]
            if variable.is_flag:
                sites = 0
                for value in values:
                    sites |= value
            elif (
                variable.owner == "game"
                and variable.index is None
                and str(variable.type)
                in (
                    "site",
                    "set of sites",
                )
            ):
                sites = values[0] if variable.type.kind == "set" else 1 << values[0]
            else:
                continue
            found.append((variable.name, sites, variable.owner == "piece"))
        letters = unlike_letters([name[0] for name, _, _ in found], [name for name, _, _ in found])
        return tuple(
            Mark(name, letter.lower(), sites, of_pieces)
            for (name, sites, of_pieces), letter in zip(found, letters, strict=True)
            if sites
        )

    def letters_at(self, site: int, of_pieces: bool) -> str:
        """The letters of the marks that hold at a site."""
        return "".join(
            mark.letter
            for mark in self.marks
            if mark.of_pieces == of_pieces and mark.sites >> site & 1
        )

    # ---- sites and pieces

    def site(self, site: int) -> str:
        """A cell with its label and the marks of the site."""
        letters = self.letters_at(site, of_pieces=False)
        parts = [self.plan.cell(site, MARKED if letters else CELL)]
        if letters:
            parts.append(self.mark_ring(site))
        return element("g", parts, class_="site", data_site=self.program.board.names[site])

    def mark_ring(self, site: int) -> str:
        return self.plan.outline(
            site, 0.94, fill="none", stroke=INK, stroke_width=1.5, stroke_dasharray="4 3"
        )

    def pieces(self, site: int) -> str:
        """The pieces on a site with their number if there are several; "" if there are none.

        The letters of marks come last, so that nothing hides them.
        """
        name, pile = self.program.board.names[site], self.piles[site]
        drawn = [element("title", [words(pile_line(self.machine, name, pile))])] if pile else []
        if pile:
            drawn += self.pile(site, pile)
        corner = self.corner(site, -1, 1)
        letters = self.letters_at(site, of_pieces=False)
        badge = self.badge(corner, letters) if letters else ""
        if not pile:
            return badge
        return element("g", drawn, class_="pieces", data_site=name) + badge

    def pile(self, site: int, pile: Pile) -> Iterator[str]:
        """Each piece a little above the one below it."""
        x, y = self.plan.piece_centre(site)
        shown = pile[-_MOST_DRAWN:]
        radius = self.plan.piece_radius * (1.0 if len(shown) == 1 else _SHRUNK)
        step = 0.25 * radius
        # The top piece reaches as high as a lone one, so that it hides no label.
        lowest = y - self.plan.piece_radius + radius + step * (len(shown) - 1)
        for number, piece in enumerate(shown):
            yield self.piece((x, lowest - step * number), piece, radius)
        if len(pile) > 1:
            yield self.badge(self.corner(site, 1, 1), str(len(pile)))
        noted = self.letters_at(site, of_pieces=True)
        if noted:
            yield self.badge(self.corner(site, 1, -1), noted)

    def corner(self, site: int, right: int, down: int) -> Point:
        """A place at the edge of a piece for a badge."""
        x, y = self.plan.piece_centre(site)
        reach = 0.8 * self.plan.piece_radius
        return x + right * reach, y + down * reach

    def piece(self, point: Point, piece: Piece, radius: float) -> str:
        """A disc in the colour of its owner; what is nobody's is a square."""
        fill = self.colours[piece.owner]
        ink = ink_on(fill)
        outline: dict[str, str | float] = {"fill": fill, "stroke": INK, "stroke_width": 2}
        inner: dict[str, str | float] = {"fill": "none", "stroke": ink, "stroke_width": 1}
        if piece.owner == len(self.program.players):
            shape = _square(point, 0.85 * radius, **outline)
        else:
            shape = circle(point, radius, **outline) + circle(point, 0.86 * radius, **inner)
        if len(self.program.kinds) == 1:
            return shape
        return shape + text_at(
            point, self.letters[piece.kind], 1.05 * radius, ink, font_weight="bold"
        )

    def badge(self, point: Point, text: str) -> str:
        """A small label on top of everything."""
        size = 0.19 * UNIT
        width = size * (0.7 + 0.62 * len(text))
        x, y = point
        frame = box(
            x - width / 2, y - 0.65 * size, width, 1.3 * size,
            rx=0.3 * size, fill=BADGE, stroke=INK, stroke_width=1,
        )  # fmt: skip
        return frame + text_at(point, text, size, INK, font_weight="bold")

    # ---- below the board

    def below(self, left: float, top: float, width: float) -> tuple[list[str], float]:
        """What stands below the board, and where it ends."""
        parts = []
        y = top + LINE_HEIGHT / 2
        x = left
        for sample, name in self.meanings():
            wide = 1.8 * TEXT_SIZE + _width(name) + TEXT_SIZE
            if x > left and x + wide > left + width:
                x, y = left, y + LINE_HEIGHT
            parts.append(self.sample((x + 0.6 * TEXT_SIZE, y), sample))
            parts.append(_line((x + 1.6 * TEXT_SIZE, y), name))
            x += wide
        y += LINE_HEIGHT
        for text in self.text_lines(width):
            y += LINE_HEIGHT
            parts.append(_line((left, y), text, "bold" if text.strip() in self.place else "normal"))
        return parts, y + LINE_HEIGHT / 2

    def meanings(self) -> Iterator[tuple[Piece | Mark, str]]:
        """The kinds of piece of each player and the marks, with what they are."""
        program = self.program
        nobody = len(program.players)
        shown = [
            Piece(owner, kind) for owner in range(nobody) for kind in self.kinds(neutral=False)
        ]
        shown += [Piece(nobody, kind) for kind in self.kinds(neutral=True)]
        for piece in shown:
            owner = f"{program.players[piece.owner]} " if piece.owner < nobody else ""
            yield piece, owner + program.kinds[piece.kind]
        for mark in self.marks:
            yield mark, mark.name

    def kinds(self, neutral: bool) -> list[int]:
        """The kinds that are neutral, or those that are not."""
        kinds = range(len(self.program.kinds))
        return [kind for kind in kinds if bool(self.program.neutral >> kind & 1) == neutral]

    def sample(self, point: Point, shown: Piece | Mark) -> str:
        if isinstance(shown, Mark):
            return self.badge(point, shown.letter)
        return self.piece(point, shown, 0.6 * TEXT_SIZE)

    def text_lines(self, width: float) -> Iterable[str]:
        """Who is to move and all that is not on the board, broken to a width."""
        letters = max(10, int(width / (TEXT_SIZE * _EM_PER_LETTER)))
        for line in (self.place, *state_lines(self.machine, self.cells)):
            yield from wrap(line, letters, subsequent_indent="  ")


def _whole(left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
    """Left, top, width and height in whole pixels of what holds a rectangle."""
    x, y = math.floor(left), math.floor(top)
    return x, y, math.ceil(right) - x, math.ceil(bottom) - y


def _square(point: Point, reach: float, **more: str | float) -> str:
    x, y = point
    return box(x - reach, y - reach, 2 * reach, 2 * reach, rx=0.2 * reach, **more)


def _line(point: Point, text: str, weight: str = "normal") -> str:
    return text_at(point, text, TEXT_SIZE, INK, text_anchor="start", font_weight=weight)


def _width(text: str) -> float:
    return len(text) * TEXT_SIZE * _EM_PER_LETTER
