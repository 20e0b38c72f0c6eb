"""The board: frozen tables of sites, links, directions and named sets of sites.

A site is an index into `Board.names`; a set of sites is an integer whose bit i
stands for site i, called a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import attrs

from ludeme.board import picture
from ludeme.board.errors import BoardError, listed

if TYPE_CHECKING:
    # It has types only where the package of its stubs is installed.
    import networkx  # type: ignore[import-untyped,unused-ignore]

# Large enough for every board that people play on (19 x 19 is 361) and small
# enough that the tables of the largest one are made in well under a second.
MAX_SITES = 4096

# The name in `Board.neighbours` of all relations together.
ALL_LINKS = "links"

# The name in `Board.direction_sets` of all directions together.
ALL_DIRECTIONS = "compass"

COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")

# Free space between two boards that stand side by side, in cells.
_GAP = 2.0

Point = tuple[float, float]
_Key = TypeVar("_Key", str, int)


class Link(NamedTuple):
    """An undirected edge between two sites, *first* being the lower index.

    *there* is the direction from first to second and *back* the one from second
    to first; both are None where the relation has no directions, one of them
    where a path leads one way only.
    """

    first: int
    second: int
    relation: str
    there: str | None
    back: str | None


@attrs.frozen(eq=False, repr=False, slots=False)
class Board:
    """A graph of sites with coordinates, directions and named sets.

    Boards are compared by identity. They are made by `build`, `explicit` and the
    methods here that answer a Board; those never change the board they are
    called on.
    """

    shape: str
    """The shape that made it; "sites" for explicit sites and for joined boards."""
    names: tuple[str, ...]
    """Site names in board order."""
    index: Mapping[str, int]
    """The site of each name."""
    points: tuple[Point, ...]
    """(x, y) of each site, x to the right, y upwards; neighbouring cells are 1 apart."""
    cell: str
    """How a picture draws a site: "square", "hex" or "node"."""
    directions: tuple[str, ...]
    """All directions: those of the compass clockwise from north, then any others."""
    relations: tuple[str, ...]
    """The kinds of link, also those of which the board happens to have none."""
    links: tuple[Link, ...]
    """Every edge once, ordered by its two sites."""
    regions: Mapping[str, int]
    """Named site sets as masks."""
    families: Mapping[str, Mapping[int, int]]
    """Numbered site sets: singular name, then {number: mask}, numbers ascending, none empty."""
    picture: tuple[tuple[int, ...], ...]
    """Rows of sites from the top, each from the left; () if the board is not made of rows.

    A row in the middle may be empty where `keep` has taken all its sites.
    """
    direction_sets: Mapping[str, tuple[str, ...]]
    """Names for sets of directions: "compass" is all, a relation's name the ones it has.

    A relation that has the name of a family (the rings and spokes of a wheel) is
    left out, so that one name has one meaning on a board.
    """
    opposite: Mapping[str, str]
    """The direction that leads back; paths of one way have none."""

    def __repr__(self) -> str:
        return f"<Board {self.shape}, {len(self.names)} sites, {len(self.links)} links>"

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what the board is made of, not the tables derived from it."""
        return {field.name: getattr(self, field.name) for field in attrs.fields(type(self))}

    @cached_property
    def everything(self) -> int:
        """The mask of all sites."""
        return (1 << len(self.names)) - 1

    @cached_property
    def _steps(self) -> dict[str, tuple[int | None, ...]]:
        steps: dict[str, list[int | None]] = {
            direction: [None] * len(self.names) for direction in self.directions
        }
        for first, second, _, there, back in self.links:
            for start, end, direction in ((first, second, there), (second, first, back)):
                if direction is not None:
                    assert steps[direction][start] is None, (self, start, direction)
                    steps[direction][start] = end
        return {direction: tuple(table) for direction, table in steps.items()}

    def step(self, site: int, direction: str) -> int | None:
        """Return the neighbour of *site* in *direction*, None if there is none.

        KeyError if the board has no such direction.
        """
        return self._steps[direction][site]

    @cached_property
    def rays(self) -> Mapping[str, tuple[tuple[int, ...], ...]]:
        """rays[direction][site]: the sites met going that way, nearest first, start excluded.

        Round a closed ring a ray ends just before its start.
        """
        return {direction: _rays(table) for direction, table in self._steps.items()}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[int, ...]]:
        """neighbours[relation][site]: mask of the sites linked to it; "links" is all relations."""
        tables = {relation: [0] * len(self.names) for relation in (*self.relations, ALL_LINKS)}
        for first, second, relation, _, _ in self.links:
            for table in (tables[relation], tables[ALL_LINKS]):
                table[first] |= 1 << second
                table[second] |= 1 << first
        return {relation: tuple(table) for relation, table in tables.items()}

    @cached_property
    def graph(self) -> networkx.Graph:
        """The board as an undirected networkx graph, frozen; take a copy to change it.

        Nodes are site names in board order with attributes ``x``, ``y`` and one for
        each family that the site belongs to, holding its number there (a tuple of
        ascending numbers if it has several, as a corner has two sides). Edges have
        ``relation`` and ``direction``, a dict from either end's name to the
        direction in which one leaves it, if it has one.
        """
        import networkx  # here because it takes longer to import than a small file to check

        graph = networkx.Graph()
        for site, name in enumerate(self.names):
            x, y = self.points[site]
            graph.add_node(name, x=x, y=y, **self._numbers(site))
        for first, second, relation, there, back in self.links:
            ends = self.names[first], self.names[second]
            ways = zip(ends, (there, back), strict=True)
            leaving = {end: way for end, way in ways if way is not None}
            graph.add_edge(*ends, relation=relation, direction=leaving)
        return networkx.freeze(graph)

    def _numbers(self, site: int) -> dict[str, int | tuple[int, ...]]:
        """Return what *site* has of each family, as the graph shows it."""
        found: dict[str, int | tuple[int, ...]] = {}
        for family, sets in self.families.items():
            numbers = tuple(number for number, mask in sets.items() if mask >> site & 1)
            if numbers:
                found[family] = numbers[0] if len(numbers) == 1 else numbers
        return found

    def mask(self, names: Iterable[str]) -> int:
        """Return the mask of the sites called *names*; BoardError if one is unknown."""
        mask = 0
        for name in names:
            if name not in self.index:
                raise BoardError(f"there is no site `{name}` on this board")
            mask |= 1 << self.index[name]
        return mask

    def members(self, mask: int) -> Iterator[int]:
        """Yield the sites of *mask* in board order."""
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def labels(self, mask: int) -> list[str]:
        """Return the names of the sites of *mask* in board order."""
        return [self.names[site] for site in self.members(mask)]

    def keep(self, sites: int) -> Board:
        """Return the board with only the *sites* of this mask and the links between them.

        Names, order and coordinates stay; sites are numbered anew. Regions and
        families shrink with the board: an empty region remains, an empty member of
        a family goes. BoardError if no site is left.
        """
        kept = list(self.members(sites & self.everything))
        if not kept:
            raise BoardError("a board needs at least one site; none of these is kept")
        moved = {old: new for new, old in enumerate(kept)}
        names = tuple(self.names[site] for site in kept)
        return attrs.evolve(
            self,
            names=names,
            index={name: site for site, name in enumerate(names)},
            points=tuple(self.points[site] for site in kept),
            links=tuple(
                link._replace(first=moved[link.first], second=moved[link.second])
                for link in self.links
                if link.first in moved and link.second in moved
            ),
            regions={name: self._moved(mask, moved) for name, mask in self.regions.items()},
            families={
                family: {n: self._moved(mask, moved) for n, mask in sets.items() if mask & sites}
                for family, sets in self.families.items()
            },
            picture=picture.restricted(self.picture, moved),
        )

    def _moved(self, mask: int, moved: Mapping[int, int]) -> int:
        """Return *mask* in the new numbers of *moved*, without the sites that have none."""
        return sum(1 << moved[site] for site in self.members(mask) if site in moved)

    def cut(self, sites: int, relation: str | None = None, both: bool = True) -> Board:
        """Return the board without some links.

        These are the links that have both ends in the mask *sites*, or, unless *both*, at
        least one; if there is a *relation*, only those of it. BoardError if the board has no
        such relation.
        """
        if relation is not None and relation not in self.relations:
            known = listed(list(self.relations))
            raise BoardError(f"this board has no links called `{relation}`; it has {known}")

        def goes(link: Link) -> bool:
            ends = (sites >> link.first & 1) + (sites >> link.second & 1)
            return ends >= (2 if both else 1) and relation in (None, link.relation)

        return attrs.evolve(self, links=tuple(link for link in self.links if not goes(link)))

    def union(self, other: Board) -> Board:
        """Return both boards side by side, with no link between them.

        The sites of *other* come after these and stand to their right. Regions,
        families and sets of directions that have one name become one. The answer
        has the shape "sites" and no rows to draw. BoardError if a name is on both
        boards or there are too many sites.
        """
        self._check_union(other)
        size = len(self.names)
        names = self.names + other.names
        return Board(
            shape="sites",
            names=names,
            index={name: site for site, name in enumerate(names)},
            points=self.points + _beside(self.points, other.points),
            cell=self.cell if self.cell == other.cell else "node",
            directions=in_compass_order(self.directions + other.directions),
            relations=tuple(dict.fromkeys(self.relations + other.relations)),
            links=self.links
            + tuple(
                link._replace(first=link.first + size, second=link.second + size)
                for link in other.links
            ),
            regions=_joined(self.regions, other.regions, size),
            families={
                name: _joined(self.families.get(name, {}), other.families.get(name, {}), size)
                for name in {**self.families, **other.families}
            },
            picture=(),
            direction_sets={
                name: in_compass_order(
                    self.direction_sets.get(name, ()) + other.direction_sets.get(name, ())
                )
                for name in {**self.direction_sets, **other.direction_sets}
            },
            opposite={**self.opposite, **other.opposite},
        )

    def _check_union(self, other: Board) -> None:
        shared = [name for name in self.names if name in other.index]
        if shared:
            sites = "a site" if len(shared) == 1 else "sites"
            raise BoardError(f"both boards have {sites} called {listed(shared)}")
        check_size(len(self.names) + len(other.names), "these two boards together")

    def from_picture(self, rows: Sequence[str]) -> list[tuple[int, str]]:
        """Return the marks of a text picture with the sites they stand on, in board order.

        Each line holds the marks of one row of `picture`, parted by blanks; how
        the lines are indented does not matter, nor do blank lines above and below.
        PictureError at the first row that has another number of marks than the
        board has sites there; BoardError if the board is not made of rows.
        """
        return picture.read(self.picture, rows)

    def to_picture(self, marks: Sequence[str]) -> list[str]:
        """Return the lines of a picture showing *marks*, one for each site in board order.

        Marks are padded to one width and stand where their sites do: rows of hexes
        are shifted by half a cell. BoardError if the number of marks is wrong, a
        mark is empty or has a blank in it, or the board is not made of rows.
        """
        xs = [x for x, _ in self.points]
        return picture.write(self.picture, xs, marks, halves=self.cell == "hex")


def in_compass_order(directions: Iterable[str]) -> tuple[str, ...]:
    """Return *directions* without repeats, clockwise from north, any others after these."""
    ranks = {name: rank for rank, name in enumerate(COMPASS)}
    return tuple(sorted(dict.fromkeys(directions), key=lambda name: ranks.get(name, len(ranks))))


def check_size(count: int, what: str) -> None:
    """Raise BoardError if *what* would have *count* sites and that is too many."""
    if count > MAX_SITES:
        raise BoardError(
            f"a board may have at most {MAX_SITES} sites; {what} would have {number(count)}"
        )


def number(value: int) -> str:
    """Return *value* as a message shows it: no number is longer than 40 digits.

    Python refuses to print integers of many thousand digits.
    """
    if abs(value) < 10**40:
        return str(value)
    return "more than 10^40" if value > 0 else "less than -10^40"


def _rays(step: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """Return the ray of each site under *step*, which never leads two sites to one.

    Such a step splits the sites into paths and closed rings, so that each ray is
    a slice of one of these.
    """
    rays: list[tuple[int, ...]] = [()] * len(step)
    starts = set(range(len(step))).difference(site for site in step if site is not None)
    seen: set[int] = set()
    for start in (*sorted(starts), *range(len(step))):
        if start in seen:
            continue
        path = _path(step, start)
        seen.update(path)
        closed = step[path[-1]] is not None
        turns = path + path if closed else path
        for place, site in enumerate(path):
            rays[site] = turns[place + 1 : place + len(path)]
    return tuple(rays)


def _path(step: Sequence[int | None], start: int) -> tuple[int, ...]:
    """Return *start* and all that follow it, once round if they come back to it."""
    path = [start]
    site = step[start]
    while site is not None and site != start:
        path.append(site)
        site = step[site]
    return tuple(path)


def _beside(points: Sequence[Point], others: Sequence[Point]) -> tuple[Point, ...]:
    """Return *others* shifted to the right of *points*."""
    shift = max(x for x, _ in points) + _GAP - min(x for x, _ in others)
    return tuple((x + shift, y) for x, y in others)


def _joined(left: Mapping[_Key, int], right: Mapping[_Key, int], size: int) -> dict[_Key, int]:
    """Return the masks of both, those of *right* moved up by *size* sites.

    Keys are sorted: families have their numbers in rising order.
    """
    keys = sorted({**left, **right})
    return {key: left.get(key, 0) | right.get(key, 0) << size for key in keys}
