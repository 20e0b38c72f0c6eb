"""The generated boards against lists and formulas worked out by hand."""

from __future__ import annotations

import math

import pytest

from ludeme.board import MAX_SITES, SHAPES, Board, BoardError, build

HEXAGON_ROWS = {
    3: "a1-3 b1-4 c1-5 d2-5 e3-5",
    4: "a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7",
    5: "a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9",
    6: "a1-6 b1-7 c1-8 d1-9 e1-10 f1-11 g2-11 h3-11 i4-11 j5-11 k6-11",
}


def spelled(rows: str) -> list[str]:
    """Return the labels of "a1-3 b1-4": a1, a2, a3, b1, …"""
    labels = []
    for row in rows.split():
        first, last = row[1:].split("-")
        labels += [f"{row[0]}{number}" for number in range(int(first), int(last) + 1)]
    return labels


def around(board: Board, name: str) -> dict[str, str]:
    """Return the neighbours of the site called *name* by direction."""
    found = {}
    for direction in board.directions:
        site = board.step(board.index[name], direction)
        if site is not None:
            found[direction] = board.names[site]
    return found


def family(board: Board, name: str) -> dict[int, str]:
    return {number: " ".join(board.labels(mask)) for number, mask in board.families[name].items()}


def region(board: Board, name: str) -> str:
    return " ".join(board.labels(board.regions[name]))


def ray(board: Board, name: str, direction: str) -> str:
    return " ".join(board.names[site] for site in board.rays[direction][board.index[name]])


def links_of(board: Board, relation: str) -> int:
    return sum(link.relation == relation for link in board.links)


def test_square_labels_run_along_the_rows_from_bottom_left() -> None:
    assert build("square", [3, 2]).names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert build("square", [2]).names == ("a1", "b1", "a2", "b2")


def test_letters_go_on_after_z() -> None:
    names = build("square", [54, 1]).names
    assert names[25:28] == ("z1", "aa1", "ab1")
    assert names[51:54] == ("az1", "ba1", "bb1")


def test_square_neighbours() -> None:
    board = build("square", [3])
    assert around(board, "b2") == {
        "north": "b3",
        "northeast": "c3",
        "east": "c2",
        "southeast": "c1",
        "south": "b1",
        "southwest": "a1",
        "west": "a2",
        "northwest": "a3",
    }
    assert around(board, "a1") == {"north": "a2", "northeast": "b2", "east": "b1"}
    assert board.labels(board.neighbours["orthogonal"][board.index["b2"]]) == [
        "b1",
        "a2",
        "c2",
        "b3",
    ]
    assert board.labels(board.neighbours["diagonal"][board.index["a1"]]) == ["b2"]
    assert board.labels(board.neighbours["links"][board.index["a1"]]) == ["b1", "a2", "b2"]


def test_square_regions_and_families() -> None:
    board = build("square", [3, 4])
    assert region(board, "top") == "a4 b4 c4"
    assert region(board, "bottom") == "a1 b1 c1"
    assert region(board, "left") == "a1 a2 a3 a4"
    assert region(board, "right") == "c1 c2 c3 c4"
    assert region(board, "corners") == "a1 c1 a4 c4"
    assert region(board, "rim") == "a1 b1 c1 a2 c2 a3 c3 a4 b4 c4"
    assert family(board, "row") == {
        1: "a1 b1 c1",
        2: "a2 b2 c2",
        3: "a3 b3 c3",
        4: "a4 b4 c4",
    }
    assert family(board, "column") == {1: "a1 a2 a3 a4", 2: "b1 b2 b3 b4", 3: "c1 c2 c3 c4"}
    assert family(board, "shade") == {0: "a1 c1 b2 a3 c3 b4", 1: "b1 a2 c2 b3 a4 c4"}


def test_square_directions() -> None:
    board = build("square", [2])
    assert board.direction_sets == {
        "orthogonal": ("north", "east", "south", "west"),
        "diagonal": ("northeast", "southeast", "southwest", "northwest"),
        "compass": board.directions,
    }
    assert board.opposite["southwest"] == "northeast"


def test_square_rays() -> None:
    board = build("square", [4])
    assert ray(board, "b1", "north") == "b2 b3 b4"
    assert ray(board, "a1", "northeast") == "b2 c3 d4"
    assert ray(board, "d3", "west") == "c3 b3 a3"
    assert ray(board, "a2", "west") == ""


@pytest.mark.parametrize("side", range(1, 9))
def test_square_link_counts(side: int) -> None:
    board = build("square", [side])
    assert links_of(board, "orthogonal") == 2 * side * (side - 1)
    assert links_of(board, "diagonal") == 2 * (side - 1) ** 2


@pytest.mark.parametrize("side", HEXAGON_ROWS)
def test_hexagon_labels(side: int) -> None:
    assert list(build("hexagon", [side]).names) == spelled(HEXAGON_ROWS[side])


def test_hexagon_neighbours() -> None:
    board = build("hexagon", [5])
    assert around(board, "e5") == {
        "northeast": "f6",
        "east": "e6",
        "southeast": "d5",
        "southwest": "d4",
        "west": "e4",
        "northwest": "f5",
    }
    assert around(board, "a1") == {"northeast": "b2", "east": "a2", "northwest": "b1"}
    assert around(board, "i9") == {"southeast": "h9", "southwest": "h8", "west": "i8"}
    assert around(board, "e1") == {"northeast": "f2", "east": "e2", "southeast": "d1"}
    assert around(board, "f2") == {
        "northeast": "g3",
        "east": "f3",
        "southeast": "e2",
        "southwest": "e1",
    }


def test_hexagon_rays() -> None:
    board = build("hexagon", [5])
    assert ray(board, "e5", "northeast") == "f6 g7 h8 i9"
    assert ray(board, "e5", "northwest") == "f5 g5 h5 i5"
    assert ray(board, "c1", "east") == "c2 c3 c4 c5 c6 c7"
    assert ray(board, "e9", "southwest") == "d8 c7 b6 a5"


def test_hexagon_sides_and_regions() -> None:
    board = build("hexagon", [5])
    assert family(board, "side") == {
        1: "i5 i6 i7 i8 i9",
        2: "e9 f9 g9 h9 i9",
        3: "a5 b6 c7 d8 e9",
        4: "a1 a2 a3 a4 a5",
        5: "a1 b1 c1 d1 e1",
        6: "e1 f2 g3 h4 i5",
    }
    assert region(board, "top") == "i5 i6 i7 i8 i9"
    assert region(board, "bottom") == "a1 a2 a3 a4 a5"
    assert region(board, "corners") == "a1 a5 e1 e9 i5 i9"
    assert region(board, "centre") == "e5"
    assert board.regions["rim"].bit_count() == 24
    assert family(board, "row")[9] == "i5 i6 i7 i8 i9"


def test_hexagon_of_side_one_is_all_of_its_sides() -> None:
    board = build("hexagon", [1])
    assert board.names == ("a1",)
    assert board.links == ()
    assert region(board, "corners") == region(board, "centre") == "a1"
    assert family(board, "side") == dict.fromkeys(range(1, 7), "a1")
    assert board.direction_sets["adjacent"] == board.directions


def test_hexagon_shades_known_from_the_rules() -> None:
    """Sides 4 and 5: the cells that the setup of Astralesce names."""
    shade_of = {
        side: {
            name: number
            for number, names in family(build("hexagon", [side]), "shade").items()
            for name in names.split()
        }
        for side in (4, 5)
    }
    assert {name: shade_of[5][name] for name in ("a1", "a4", "a2", "a5")} == {
        "a1": 1,
        "a4": 1,
        "a2": 2,
        "a5": 2,
    }
    assert (shade_of[4]["a2"], shade_of[4]["a3"]) == (1, 2)


@pytest.mark.parametrize("side", HEXAGON_ROWS)
def test_hexagon_shades_by_letter_and_number(side: int) -> None:
    """(Letter + number) mod 3, less the centre's, which has letter = number = side."""
    board = build("hexagon", [side])
    for number, names in family(board, "shade").items():
        for name in names.split():
            letter = ord(name[0]) - ord("a") + 1
            assert number == (letter + int(name[1:]) - 2 * side) % 3
    assert board.regions["centre"] & board.families["shade"][0]


def test_hexagon_shade_sizes() -> None:
    sizes = {
        side: [mask.bit_count() for mask in build("hexagon", [side]).families["shade"].values()]
        for side in (2, 4)
    }
    assert sizes == {2: [1, 3, 3], 4: [13, 12, 12]}


@pytest.mark.parametrize("side", range(1, 8))
def test_hexagon_counts(side: int) -> None:
    """One cell and rings of 6, 12, …; the 6 · cells half-links, less those over the rim.

    Over the rim go 3 half-links from each of 6 corners and 2 from each other rim
    cell: 6 · 3 + 6 · (side - 2) · 2 = 12 · side - 6 (and 6 for one cell alone).
    """
    board = build("hexagon", [side])
    cells = 1 + sum(6 * ring for ring in range(1, side))
    assert len(board.names) == cells
    assert len(board.links) == (6 * cells - (12 * side - 6)) // 2


def test_parallelogram_neighbours_and_labels() -> None:
    board = build("parallelogram", [3, 2])
    assert board.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert around(board, "b1") == {
        "northeast": "b2",
        "east": "c1",
        "west": "a1",
        "northwest": "a2",
    }
    assert around(board, "b2") == {
        "east": "c2",
        "southeast": "c1",
        "southwest": "b1",
        "west": "a2",
    }
    assert around(board, "a1") == {"northeast": "a2", "east": "b1"}


def test_parallelogram_regions_and_families() -> None:
    board = build("parallelogram", [3])
    assert region(board, "top") == "a3 b3 c3"
    assert region(board, "bottom") == "a1 b1 c1"
    assert region(board, "left") == "a1 a2 a3"
    assert region(board, "right") == "c1 c2 c3"
    assert region(board, "corners") == "a1 c1 a3 c3"
    assert region(board, "rim") == "a1 b1 c1 a2 c2 a3 b3 c3"
    assert family(board, "column") == {1: "a1 a2 a3", 2: "b1 b2 b3", 3: "c1 c2 c3"}
    assert family(board, "row") == {1: "a1 b1 c1", 2: "a2 b2 c2", 3: "a3 b3 c3"}
    assert family(board, "shade") == {0: "a1 b2 c3", 1: "b1 c2 a3", 2: "c1 a2 b3"}


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 4), (3, 2), (5, 5)])
def test_parallelogram_link_counts(columns: int, rows: int) -> None:
    board = build("parallelogram", [columns, rows])
    along, up, back = (columns - 1) * rows, columns * (rows - 1), (columns - 1) * (rows - 1)
    assert len(board.links) == along + up + back


def test_triangle() -> None:
    board = build("triangle", [4])
    assert board.names == tuple(spelled("a1-4 b1-3 c1-2 d1-1"))
    assert around(board, "b2") == {
        "northeast": "c2",
        "east": "b3",
        "southeast": "a3",
        "southwest": "a2",
        "west": "b1",
        "northwest": "c1",
    }
    assert around(board, "d1") == {"southeast": "c2", "southwest": "c1"}
    assert region(board, "left") == "a1 b1 c1 d1"
    assert region(board, "right") == "a4 b3 c2 d1"
    assert region(board, "bottom") == "a1 a2 a3 a4"
    assert region(board, "corners") == "a1 a4 d1"
    assert region(board, "rim") == "a1 a2 a3 a4 b1 b3 c1 c2 d1"
    assert family(board, "side") == {1: "a4 b3 c2 d1", 2: "a1 a2 a3 a4", 3: "a1 b1 c1 d1"}
    assert family(board, "row") == {1: "a1 a2 a3 a4", 2: "b1 b2 b3", 3: "c1 c2", 4: "d1"}
    assert family(board, "shade") == {0: "a1 a4 b2 d1", 1: "a2 b3 c1", 2: "a3 b1 c2"}


@pytest.mark.parametrize("side", range(1, 8))
def test_triangle_link_counts(side: int) -> None:
    """In each of the three directions, as many as there are cells in a triangle one smaller."""
    assert len(build("triangle", [side]).links) == 3 * (side * (side - 1) // 2)


def test_wheel_of_nine_spokes_and_three_rings() -> None:
    board = build("wheel", [9, 3])
    assert board.names == tuple(f"{spoke}{ring}" for spoke in "abcdefghi" for ring in "123")
    assert len(board.links) == 45
    assert links_of(board, "ring") == 27
    assert links_of(board, "spoke") == 18
    cut = board.cut(board.families["ring"][3])
    assert len(cut.links) == 36
    assert around(cut, "c3") == {"inward": "c2"}
    assert around(cut, "a2") == {
        "clockwise": "b2",
        "counterclockwise": "i2",
        "outward": "a3",
        "inward": "a1",
    }


def test_wheel_rays_and_families() -> None:
    board = build("wheel", [9, 3])
    assert ray(board, "a1", "clockwise") == "b1 c1 d1 e1 f1 g1 h1 i1"
    assert ray(board, "c2", "counterclockwise") == "b2 a2 i2 h2 g2 f2 e2 d2"
    assert ray(board, "i1", "outward") == "i2 i3"
    assert family(board, "ring")[2] == "a2 b2 c2 d2 e2 f2 g2 h2 i2"
    assert family(board, "spoke")[9] == "i1 i2 i3"
    assert board.regions == {}
    assert board.picture == ()


def test_wheel_turns_clockwise_from_the_top() -> None:
    board = build("wheel", [4, 2])
    assert dict(zip(board.names, board.points, strict=True)) == {
        "a1": (0, 1),
        "a2": (0, 2),
        "b1": (1, 0),
        "b2": (2, 0),
        "c1": (0, -1),
        "c2": (0, -2),
        "d1": (-1, 0),
        "d2": (-2, 0),
    }


def test_wheel_relations_leave_their_names_to_the_families() -> None:
    """ "ring" and "spoke" are families, so they are not sets of directions as well."""
    board = build("wheel", [3, 1])
    assert board.relations == ("ring", "spoke")
    assert board.direction_sets == {
        "compass": ("clockwise", "counterclockwise", "outward", "inward")
    }


@pytest.mark.parametrize("name", ["hexagon", "parallelogram", "triangle"])
def test_linked_hexes_are_those_one_apart(name: str) -> None:
    board = build(name, [5])
    assert close_pairs(board, 1) == {(link.first, link.second) for link in board.links}


@pytest.mark.parametrize(("relation", "distance"), [("orthogonal", 1), ("diagonal", math.sqrt(2))])
def test_linked_squares_touch(relation: str, distance: float) -> None:
    board = build("square", [5, 4])
    linked = {(link.first, link.second) for link in board.links if link.relation == relation}
    assert close_pairs(board, distance) == linked


def close_pairs(board: Board, distance: float) -> set[tuple[int, int]]:
    """Return the pairs of sites that are *distance* apart, lower site first."""
    return {
        (a, b)
        for b, there in enumerate(board.points)
        for a, here in enumerate(board.points[:b])
        if math.isclose(math.dist(here, there), distance)
    }


BEARINGS = {
    ("square", "north"): 0,
    ("square", "northeast"): 45,
    ("square", "east"): 90,
    ("square", "southeast"): 135,
    ("hex", "northeast"): 30,
    ("hex", "east"): 90,
    ("hex", "southeast"): 150,
}


@pytest.mark.parametrize("name", ["square", "hexagon", "parallelogram", "triangle"])
def test_directions_point_where_they_say(name: str) -> None:
    """In degrees clockwise from north; the opposite direction is half a turn further."""
    board = build(name, [4])
    for link in board.links:
        assert link.there is not None
        (x, y), (to_x, to_y) = board.points[link.first], board.points[link.second]
        bearing = round(math.degrees(math.atan2(to_x - x, to_y - y))) % 360
        turned = (board.cell, link.there) not in BEARINGS
        direction = board.opposite[link.there] if turned else link.there
        assert bearing == BEARINGS[board.cell, direction] + 180 * turned


@pytest.mark.parametrize("name", ["hexagon", "parallelogram", "triangle"])
def test_neighbouring_hexes_differ_in_shade_and_grow_by_one_eastwards(name: str) -> None:
    board = build(name, [5])
    shade = {
        site: number
        for number, mask in board.families["shade"].items()
        for site in board.members(mask)
    }
    for link in board.links:
        assert shade[link.first] != shade[link.second]
        if link.there == "east":
            assert shade[link.second] == (shade[link.first] + 1) % 3


@pytest.mark.parametrize("name", SHAPES)
def test_no_name_has_two_meanings(name: str) -> None:
    board = build(name, [4] * SHAPES[name].most)
    used = [
        *board.regions,
        *board.families,
        *(f"{family}s" for family in board.families),
        *board.directions,
        *board.direction_sets,
    ]
    assert len(used) == len(set(used))


@pytest.mark.parametrize("name", SHAPES)
def test_reference_sentence_names_everything(name: str) -> None:
    board = build(name, [4] * SHAPES[name].most)
    doc = SHAPES[name].doc
    words = set(doc.replace(",", " ").replace("(", " ").replace(")", " ").split())
    assert {*board.regions, *board.families, *board.directions, *board.relations} <= words
    assert doc.endswith(".")


@pytest.mark.parametrize("name", SHAPES)
def test_counts_are_right(name: str) -> None:
    shape = SHAPES[name]
    for first in range(3, 7):
        arguments = [first, 2][: shape.least] if shape.least == 2 else [first]
        assert shape.count(*arguments) == len(build(name, arguments).names)


@pytest.mark.parametrize("name", SHAPES)
def test_highest_arguments_are_where_boards_become_too_large(name: str) -> None:
    shape = SHAPES[name]
    for place, (_, _, highest) in enumerate(shape.parameters):
        arguments = [lowest for _, lowest, _ in shape.parameters]
        arguments[place] = highest
        assert shape.count(*arguments) <= MAX_SITES
        arguments[place] += 1
        assert shape.count(*arguments) > MAX_SITES


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("hexagon", [0], "a hexagon needs a side of at least 1; this is 0"),
        ("triangle", [-3], "a triangle needs a side of at least 1; this is -3"),
        ("square", [0], "a square needs at least 1 column; this has 0"),
        ("square", [3, 0], "a square needs at least 1 row; this has 0"),
        ("wheel", [2, 3], "a wheel needs at least 3 spokes; this has 2"),
        ("wheel", [3, 0], "a wheel needs at least 1 ring; this has 0"),
        ("wheel", [9], "wheel takes two numbers (spokes, rings); 1 given"),
        ("hexagon", [], "hexagon takes one number (side); 0 given"),
        ("square", [1, 2, 3], "square takes one or two numbers (columns, rows); 3 given"),
        (
            "hexagn",
            [5],
            "there is no board shape called `hexagn`; did you mean `hexagon`?",
        ),
        (
            "tesseract",
            [5],
            "there is no board shape called `tesseract`; the shapes are square, hexagon,"
            " parallelogram, triangle, star, wheel",
        ),
        (
            "square",
            [1000000, 1000000],
            "a board may have at most 4096 sites; square(1000000, 1000000) would have"
            " 1000000000000",
        ),
        ("square", [65], "a board may have at most 4096 sites; square(65) would have 4225"),
        ("hexagon", [38], "a board may have at most 4096 sites; hexagon(38) would have 4219"),
        ("triangle", [91], "a board may have at most 4096 sites; triangle(91) would have 4186"),
    ],
)
def test_refusals(name: str, arguments: list[int], message: str) -> None:
    with pytest.raises(BoardError) as caught:
        build(name, arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("size", [10**18, 10**5000], ids=["18 digits", "5000 digits"])
def test_huge_boards_are_refused_before_they_are_made(name: str, size: int) -> None:
    """Were anything made first, this would not end."""
    with pytest.raises(BoardError, match="at most 4096 sites"):
        build(name, [size] * SHAPES[name].most)
    with pytest.raises(BoardError, match="at least"):
        build(name, [-size] * SHAPES[name].most)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("square", [64]),
        ("square", [4096, 1]),
        ("parallelogram", [64]),
        ("hexagon", [37]),
        ("triangle", [90]),
        ("wheel", [4096, 1]),
    ],
)
def test_largest_boards_are_made(name: str, arguments: list[int]) -> None:
    board = build(name, arguments)
    assert 3900 < len(board.names) <= MAX_SITES
    assert len(board.names) == len(board.index)
