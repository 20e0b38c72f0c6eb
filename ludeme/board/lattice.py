"""What regular boards have in common: places given by two whole numbers.

A shape says where its places are, how they are called, how one steps from one
to the next and which of them make up its regions and families; `assemble` turns
that into a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from ludeme.board.board import ALL_DIRECTIONS, Board, Link, Point, in_compass_order

Place = tuple[int, int]


@attrs.frozen
class Way:
    """Two opposite directions of one relation; *step* goes one place in the first of them.

    A step may lead off the board: the place it names is then no place of the shape.
    """

    relation: str
    forth: str
    back: str
    step: Callable[[Place], Place]


@attrs.frozen
class Lattice:
    """A regular board before it has tables.

    *places* are in board order. *row* is the height of a place in the picture, the
    highest row being drawn first; None if the board is not drawn in rows.
    *families* gives the numbers a place has in each family, mostly one.
    """

    shape: str
    cell: str
    places: Sequence[Place]
    name: Callable[[Place], str]
    point: Callable[[Place], Point]
    ways: Sequence[Way]
    regions: Mapping[str, Callable[[Place], bool]]
    families: Mapping[str, Callable[[Place], Iterable[int]]]
    row: Callable[[Place], int] | None


def by(horizontal: int, vertical: int) -> Callable[[Place], Place]:
    """Return the step that adds these to the two numbers of a place."""
    return lambda place: (place[0] + horizontal, place[1] + vertical)


def letters(number: int) -> str:
    """Return the letters of column or row *number*, from 0: a, …, z, aa, ab, …, az, ba, …"""
    text = ""
    while number >= 0:
        text = chr(ord("a") + number % 26) + text
        number = number // 26 - 1
    return text


def rectangle_places(columns: int, rows: int) -> list[Place]:
    """Return (column, row) from 0 of each cell, row by row from the bottom."""
    return [(column, row) for row in range(rows) for column in range(columns)]


def rectangle_name(place: Place) -> str:
    """Return the label of (column, row): letters of the column, number of the row."""
    column, row = place
    return f"{letters(column)}{row + 1}"


def rectangle_regions(columns: int, rows: int) -> dict[str, Callable[[Place], bool]]:
    """Return the regions of a board of columns and rows; a side has its corners."""

    def at_end(column: int) -> bool:
        return column in (0, columns - 1)

    def at_edge(row: int) -> bool:
        return row in (0, rows - 1)

    return {
        "top": lambda place: place[1] == rows - 1,
        "bottom": lambda place: place[1] == 0,
        "left": lambda place: place[0] == 0,
        "right": lambda place: place[0] == columns - 1,
        "corners": lambda place: at_end(place[0]) and at_edge(place[1]),
        "rim": lambda place: at_end(place[0]) or at_edge(place[1]),
    }


def assemble(lattice: Lattice) -> Board:
    """Return the board that *lattice* describes."""
    places = lattice.places
    site_of = {place: site for site, place in enumerate(places)}
    names = tuple(map(lattice.name, places))
    points = tuple(map(lattice.point, places))
    return Board(
        shape=lattice.shape,
        names=names,
        index={name: site for site, name in enumerate(names)},
        points=points,
        cell=lattice.cell,
        directions=_directions(lattice.ways),
        relations=tuple(dict.fromkeys(way.relation for way in lattice.ways)),
        links=_links(lattice.ways, site_of),
        regions={name: _region(test, places) for name, test in lattice.regions.items()},
        families={name: _family(numbers, places) for name, numbers in lattice.families.items()},
        picture=_picture(lattice, points),
        direction_sets=_direction_sets(lattice),
        opposite={
            one: other
            for way in lattice.ways
            for one, other in ((way.forth, way.back), (way.back, way.forth))
        },
    )


def _directions(ways: Iterable[Way]) -> tuple[str, ...]:
    return in_compass_order(name for way in ways for name in (way.forth, way.back))


def _direction_sets(lattice: Lattice) -> dict[str, tuple[str, ...]]:
    sets = {
        relation: _directions(way for way in lattice.ways if way.relation == relation)
        for relation in dict.fromkeys(way.relation for way in lattice.ways)
        if relation not in lattice.families
    }
    return {**sets, ALL_DIRECTIONS: _directions(lattice.ways)}


def _links(ways: Sequence[Way], site_of: Mapping[Place, int]) -> tuple[Link, ...]:
    """Return every link once: each pair of opposite directions is followed one way only."""
    links = []
    for place, site in site_of.items():
        for way in ways:
            other = site_of.get(way.step(place))
            if other is None:
                continue
            if site < other:
                links.append(Link(site, other, way.relation, way.forth, way.back))
            else:
                links.append(Link(other, site, way.relation, way.back, way.forth))
    return tuple(sorted(links))


def _region(test: Callable[[Place], bool], places: Sequence[Place]) -> int:
    return sum(1 << site for site, place in enumerate(places) if test(place))


def _family(numbers: Callable[[Place], Iterable[int]], places: Sequence[Place]) -> dict[int, int]:
    sets: dict[int, int] = {}
    for site, place in enumerate(places):
        for number in numbers(place):
            sets[number] = sets.get(number, 0) | 1 << site
    return dict(sorted(sets.items()))


def _picture(lattice: Lattice, points: Sequence[Point]) -> tuple[tuple[int, ...], ...]:
    if lattice.row is None:
        return ()
    rows: dict[int, list[int]] = {}
    for site, place in enumerate(lattice.places):
        rows.setdefault(lattice.row(place), []).append(site)
    return tuple(
        tuple(sorted(sites, key=lambda site: points[site][0]))
        for _, sites in sorted(rows.items(), reverse=True)
    )
