"""Tables, graph and changes of boards: laws that hold for any board."""

from __future__ import annotations

import pickle
import subprocess
import sys

import networkx  # type: ignore[import-untyped,unused-ignore]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludeme.board import MAX_SITES, SHAPES, Board, BoardError, build, explicit


@st.composite
def generated(draw: st.DrawFn) -> Board:
    """A small board of any shape."""
    shape = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
    number = draw(st.integers(shape.least, shape.most))
    return build(
        shape.name,
        [draw(st.integers(lowest, lowest + 4)) for _, lowest, _ in shape.parameters[:number]],
    )


@st.composite
def written(draw: st.DrawFn) -> Board:
    """A board of explicit sites, whose names no shape makes."""
    size = draw(st.integers(1, 8))
    pairs = [(a, b) for b in range(size) for a in range(b)]
    ends = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    relations = st.sampled_from(["road", "river"])
    return explicit(
        [(f"town{site}", None) for site in range(size)],
        [(f"town{a}", f"town{b}", draw(relations)) for a, b in ends],
    )


@st.composite
def with_sites(draw: st.DrawFn, of: st.SearchStrategy[Board]) -> tuple[Board, int]:
    """A board and a set of its sites, not empty."""
    board = draw(of)
    return board, draw(st.integers(1, board.everything))


@st.composite
def changed(draw: st.DrawFn) -> Board:
    """Any board, also one that has been kept from, cut or joined."""
    board = draw(st.one_of(generated(), written()))
    if draw(st.booleans()):
        board = board.cut(draw(st.integers(0, board.everything)))
    if draw(st.booleans()):
        board = board.keep(draw(st.integers(1, board.everything)))
    other = draw(written())
    if not set(board.names) & set(other.names) and draw(st.booleans()):
        board = board.union(other) if draw(st.booleans()) else other.union(board)
    return board


@given(changed())
def test_tables_fit_each_other(board: Board) -> None:
    size = len(board.names)
    assert size == len(board.points) == len(board.index)
    assert all(board.names[site] == name for name, site in board.index.items())
    assert board.everything == sum(1 << site for site in range(size))
    assert all(0 <= mask <= board.everything for mask in board.regions.values())
    for sets in board.families.values():
        assert list(sets) == sorted(sets)
        assert all(0 < mask <= board.everything for mask in sets.values())
    ends = [(link.first, link.second) for link in board.links]
    assert ends == sorted(set(ends))
    assert all(first < second for first, second in ends)
    assert {link.relation for link in board.links} <= set(board.relations)


@given(changed())
def test_step_and_opposite_step_are_inverse(board: Board) -> None:
    for direction in board.directions:
        back = board.opposite[direction]
        assert board.opposite[back] == direction
        for site in range(len(board.names)):
            there = board.step(site, direction)
            assert there is None or board.step(there, back) == site


@given(changed())
def test_every_directed_link_is_a_step_both_ways(board: Board) -> None:
    steps = 0
    for first, second, _, there, back in board.links:
        assert (there is None) == (back is None)
        if there is not None and back is not None:
            steps += 2
            assert board.step(first, there) == second
            assert board.step(second, back) == first
    sites = range(len(board.names))
    assert steps == sum(board.step(s, d) is not None for s in sites for d in board.directions)


@given(changed())
def test_rays_are_repeated_steps(board: Board) -> None:
    for direction in board.directions:
        for start in range(len(board.names)):
            met: list[int] = []
            site = board.step(start, direction)
            while site is not None and site != start:
                met.append(site)
                site = board.step(site, direction)
            assert tuple(met) == board.rays[direction][start]


@given(changed())
def test_neighbours_are_the_links_read_both_ways(board: Board) -> None:
    assert set(board.neighbours) == {*board.relations, "links"}
    for relation in board.relations:
        pairs = {(a, b) for a, b, kind, _, _ in board.links if kind == relation}
        assert pairs | {(b, a) for a, b in pairs} == {
            (a, b) for a, mask in enumerate(board.neighbours[relation]) for b in board.members(mask)
        }
    for site, mask in enumerate(board.neighbours["links"]):
        assert mask == sum(board.neighbours[relation][site] for relation in board.relations)


@given(changed())
def test_direction_sets_are_made_of_directions(board: Board) -> None:
    assert board.direction_sets["compass"] == board.directions
    for directions in board.direction_sets.values():
        assert directions == tuple(d for d in board.directions if d in directions)
    assert set(board.opposite) == set(board.directions)


@given(changed())
def test_graph_is_the_tables(board: Board) -> None:
    graph = board.graph
    assert tuple(graph.nodes) == board.names
    for site, (name, facts) in enumerate(graph.nodes(data=True)):
        expected: dict[str, object] = dict(zip("xy", board.points[site], strict=True))
        for family, sets in board.families.items():
            numbers = tuple(number for number, mask in sets.items() if mask >> site & 1)
            if numbers:
                expected[family] = numbers if len(numbers) > 1 else numbers[0]
        assert facts == expected, name
    assert len(board.links) == graph.number_of_edges()
    for first, second, relation, there, back in board.links:
        a, b = board.names[first], board.names[second]
        leaving = {} if there is None else {a: there, b: back}
        assert graph.edges[a, b] == {"relation": relation, "direction": leaving}


@given(with_sites(changed()))
def test_keep_leaves_the_induced_board(case: tuple[Board, int]) -> None:
    board, sites = case
    kept = board.keep(sites)
    assert list(kept.names) == board.labels(sites)
    induced = board.graph.subgraph(kept.names)
    assert networkx.utils.graphs_equal(kept.graph, induced)
    for name, mask in board.regions.items():
        assert board.labels(mask & sites) == kept.labels(kept.regions[name])
    assert set(board.families) == set(kept.families)
    for family, sets in board.families.items():
        assert {n: board.labels(m & sites) for n, m in sets.items() if m & sites} == {
            n: kept.labels(mask) for n, mask in kept.families[family].items()
        }
    assert board.directions == kept.directions


@given(with_sites(changed()))
def test_keep_again_changes_nothing(case: tuple[Board, int]) -> None:
    board, sites = case
    kept = board.keep(sites)
    assert facts(kept) == facts(kept.keep(kept.everything))
    assert facts(board) == facts(board.keep(board.everything))


def facts(board: Board) -> tuple[object, ...]:
    return (
        board.names,
        board.points,
        board.links,
        board.regions,
        board.families,
        board.picture,
        board.direction_sets,
    )


@given(with_sites(changed()))
def test_cut_takes_the_links_inside(case: tuple[Board, int]) -> None:
    board, sites = case
    cut = board.cut(sites)
    inside = set(board.members(sites))
    assert set(cut.links) == {
        link for link in board.links if not {link.first, link.second} <= inside
    }
    assert cut.names == board.names
    assert cut.keep(sites).links == ()
    assert cut.direction_sets == board.direction_sets


@given(generated(), written())
def test_union_holds_both_boards(one: Board, other: Board) -> None:
    both = one.union(other)
    assert both.names == one.names + other.names
    first = (1 << len(one.names)) - 1
    for board, sites in ((one, first), (other, both.everything & ~first)):
        part = both.keep(sites)
        assert part.names == board.names
        assert part.links == board.links
        assert {name: part.regions[name] for name in board.regions} == board.regions
        assert {n: part.families[n] for n in board.families} == board.families
    left, right = both.points[: len(one.names)], both.points[len(one.names) :]
    assert left == one.points
    assert max(x for x, _ in left) < min(x for x, _ in right)
    assert both.picture == ()


def test_union_of_shapes_orders_directions_by_the_compass() -> None:
    square = build("square", [2])
    hexes = build("hexagon", [3])
    both = hexes.keep(hexes.regions["centre"]).union(square)
    assert both.directions == square.directions
    assert both.direction_sets["adjacent"] == hexes.directions
    assert both.regions["top"] == both.mask(["a2", "b2"])
    assert both.cell == "node"


@pytest.mark.parametrize("one", SHAPES)
@pytest.mark.parametrize("other", SHAPES)
def test_no_name_has_two_meanings_after_a_union(one: str, other: str) -> None:
    boards = [build(name, [4] * SHAPES[name].most) for name in (one, other)]
    families = {family for board in boards for family in board.families}
    kinds: list[set[str]] = [
        {region for board in boards for region in board.regions},
        families,
        {f"{family}s" for family in families},
        {direction for board in boards for direction in board.directions},
        {name for board in boards for name in board.direction_sets},
    ]
    assert sum(map(len, kinds)) == len(set().union(*kinds))


def test_union_refuses_shared_names() -> None:
    board = build("square", [2])
    with pytest.raises(BoardError) as caught:
        board.union(board.keep(board.mask(["b1", "a2"])))
    assert str(caught.value) == "both boards have sites called `b1`, `a2`"
    with pytest.raises(BoardError, match=r"both boards have a site called `a1`$"):
        board.union(build("square", [1]))
    with pytest.raises(BoardError, match="and 17 more"):
        build("square", [5]).union(build("square", [5]))


def test_union_refuses_too_many_sites() -> None:
    whole = build("square", [64])
    assert len(whole.names) == MAX_SITES
    with pytest.raises(BoardError, match="these two boards together would have 4097"):
        whole.union(explicit([("home", None)], []))


def test_keep_refuses_an_empty_board() -> None:
    with pytest.raises(BoardError, match="at least one site"):
        build("square", [2]).keep(0)


def test_keep_leaves_empty_regions_and_drops_empty_family_members() -> None:
    board = build("square", [3])
    kept = board.keep(board.mask(["b2", "c2"]))
    assert kept.regions["corners"] == 0
    assert kept.labels(kept.regions["rim"]) == ["c2"]
    assert kept.families == {"row": {2: 0b11}, "column": {2: 0b01, 3: 0b10}, "shade": {0: 1, 1: 2}}


def test_masks_members_and_labels() -> None:
    board = build("square", [3])
    mask = board.mask(["c3", "a1", "b2"])
    assert mask == 0b100_010_001
    assert list(board.members(mask)) == [0, 4, 8]
    assert board.labels(mask) == ["a1", "b2", "c3"]
    assert board.mask([]) == 0
    with pytest.raises(BoardError, match="there is no site `d4` on this board"):
        board.mask(["a1", "d4"])


def test_a_corner_of_the_graph_has_two_sides() -> None:
    nodes = build("hexagon", [3]).graph.nodes
    assert nodes["a1"]["side"] == (4, 5)
    assert nodes["a2"]["side"] == 4
    assert "side" not in nodes["c3"]
    assert nodes["b2"]["row"] == 2


def test_the_graph_is_made_once_and_cannot_be_changed() -> None:
    board = build("square", [2])
    assert board.graph is board.graph
    with pytest.raises(networkx.NetworkXError):
        board.graph.remove_node("a1")


def test_boards_survive_pickling_without_their_derived_tables() -> None:
    board = build("hexagon", [3])
    assert board.graph.number_of_nodes() == 19
    copy = pickle.loads(pickle.dumps(board))
    assert "graph" not in vars(copy)
    assert facts(board) == facts(copy)
    assert board.rays == copy.rays


def test_networkx_is_imported_only_for_the_graph() -> None:
    """Start-up time: making a board and its tables must not cost that import."""
    program = (
        "import sys; from ludeme.board import build; board = build('hexagon', [5]);"
        " board.rays, board.neighbours, board.step(0, 'east');"
        " assert 'networkx' not in sys.modules; board.graph; assert 'networkx' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
