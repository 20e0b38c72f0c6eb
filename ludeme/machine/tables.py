"""Tables of the board that the interpreter asks again and again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import cached_property

import attrs

from ludeme.board import Board

LONG_RING = 64
"""Sites on a ring from which on nobody looks whether their numbers rise."""


@attrs.frozen
class Ray:
    """The sites met in one direction. *order*: 1 or -1 if their numbers rise or fall, else 0."""

    sites: tuple[int, ...]
    mask: int
    order: int

    def until(self, blockers: int) -> tuple[int, int]:
        """The sites before the first of *blockers* on the ray, and that one, as sets."""
        met = self.mask & blockers
        if not met:
            return self.mask, 0
        if self.order > 0:
            first = met & -met
            return self.mask & (first - 1), first
        if self.order < 0:
            first = 1 << met.bit_length() - 1
            return self.mask & ~((first << 1) - 1), first
        passed = 0
        for site in self.sites:
            if met >> site & 1:
                return passed, 1 << site
            passed |= 1 << site
        raise AssertionError((self, blockers))


def _rays(sites_of: Sequence[tuple[int, ...]]) -> tuple[Ray, ...]:
    """The rays from all sites in one direction, each made from that of the next site."""
    made: dict[int, Ray] = {}
    for site in sorted(range(len(sites_of)), key=lambda site: len(sites_of[site])):
        sites = sites_of[site]
        following = made.get(sites[0]) if sites else None
        if following is None:
            made[site] = Ray(sites, _or_all(sites), _order(sites))
            continue
        mask = (following.mask | 1 << sites[0]) & ~(1 << site)
        on_ring = len(following.sites) == len(sites)
        order = _order(sites) if on_ring else _order_before(following, sites)
        made[site] = Ray(sites, mask, order)
    return tuple(made[site] for site in range(len(sites_of)))


def _order_before(following: Ray, sites: Sequence[int]) -> int:
    """The order of a ray that goes on with *following* behind its first site."""
    if len(sites) < 3:
        return _order(sites)
    rises = 1 if following.sites[0] > sites[0] else -1
    return following.order if following.order == rises else 0


def _order(sites: Sequence[int]) -> int:
    if len(sites) > LONG_RING:
        return 0
    if all(a < b for a, b in itertools.pairwise(sites)):
        return 1
    return -1 if all(a > b for a, b in itertools.pairwise(sites)) else 0


def _or_all(sites: Sequence[int]) -> int:
    """The set of many sites at once."""
    marks = bytearray(max(sites, default=0) // 8 + 1)
    for site in sites:
        marks[site >> 3] |= 1 << (site & 7)
    return int.from_bytes(marks, "little")


class Tables:
    """Rays, neighbours and lines of a board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def rays(self) -> tuple[tuple[Ray, ...], ...]:
        """rays[direction][site]."""
        board = self.board
        return tuple(_rays(board.rays[direction]) for direction in board.directions)

    @cached_property
    def winding(self) -> int:
        """The most sites of a ray that is followed site by site, as round a ring."""
        return max((len(r.sites) for rays in self.rays for r in rays if not r.order), default=0)

    @cached_property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """steps[direction][site]: the next site as a set, empty at the edge."""
        return tuple(
            tuple(1 << ray.sites[0] if ray.sites else 0 for ray in rays) for rays in self.rays
        )

    @cached_property
    def all_links(self) -> tuple[int, ...]:
        """The neighbours of each site."""
        return tuple(self.board.neighbours["links"])

    def relation(self, name: str) -> tuple[int, ...]:
        """The neighbours of each site by links of one relation."""
        return tuple(self.board.neighbours[name])

    def directed(self, directions: int) -> tuple[int, ...]:
        """The sites one step away from each site in any of the directions."""
        chosen = [i for i in range(len(self.board.directions)) if directions >> i & 1]
        return tuple(
            _or(self.steps[i][site] for i in chosen) for site in range(len(self.board.names))
        )

    @cached_property
    def joining(self) -> dict[tuple[int, int], tuple[int, int]]:
        """For two sites of one line: the direction from one to the other, and what is between.

        Where several lines join them, as round a ring, the shortest counts.
        """
        found: dict[tuple[int, int], tuple[int, int, int]] = {}
        for direction, rays in enumerate(self.rays):
            for site, ray in enumerate(rays):
                between = 0
                for distance, other in enumerate(ray.sites):
                    known = found.get((site, other))
                    if known is None or distance < known[2]:
                        found[site, other] = (direction, between, distance)
                    between |= 1 << other
        return {pair: (direction, between) for pair, (direction, between, _) in found.items()}

    def join(self, a: int, b: int) -> tuple[int, int] | None:
        """What `joining` says of two sites, None if no line joins them; found anew each time."""
        bit = 1 << b
        best: tuple[int, Ray] | None = None
        for direction, rays in enumerate(self.rays):
            ray = rays[a]
            if ray.mask & bit and (best is None or ray.sites.index(b) < best[1].sites.index(b)):
                best = (direction, ray)
        return None if best is None else (best[0], best[1].until(bit)[0])

    @cached_property
    def axes(self) -> tuple[tuple[int, int], ...]:
        """Pairs of opposite directions, each once."""
        board = self.board
        pairs = []
        for i, direction in enumerate(board.directions):
            back = board.opposite.get(direction)
            if back is not None and i <= (j := board.directions.index(back)):
                pairs.append((i, j))
        return tuple(pairs)

    @cached_property
    def longest(self) -> int:
        """How many sites the longest straight line has."""
        rays = (ray for there, _ in self.axes for ray in self.rays[there])
        return max((1 + len(ray.sites) for ray in rays), default=1)

    def lines(self, length: int) -> tuple[int, ...]:
        """All straight lines of *length* sites, as sets."""
        found = []
        for i, _ in self.axes:
            for site, ray in enumerate(self.rays[i]):
                if len(ray.sites) >= length - 1:
                    found.append(1 << site | _or_all(ray.sites[: length - 1]))
        if length == 1:
            found = [1 << site for site in range(len(self.board.names))]
        return tuple(dict.fromkeys(found))


def _or(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def flood(start: int, among: int, links: Sequence[int]) -> int:
    """All of *among* that links within it join to *start*, with what of *start* is in it."""
    reached = frontier = start & among
    while frontier:
        low = frontier & -frontier
        frontier ^= low
        new = links[low.bit_length() - 1] & among & ~reached
        reached |= new
        frontier |= new
    return reached
