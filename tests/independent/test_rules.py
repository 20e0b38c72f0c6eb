"""Checks of the independent rules against values worked out by hand, and random games."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise, product
from typing import Protocol, Self, TypeVar

import pytest

from . import consta, constello, constructo, hexslide, sampling


class Sequential(Protocol):
    """A game in which one player decides at a time."""

    @property
    def to_move(self) -> tuple[str, ...]: ...
    @property
    def outcome(self) -> tuple[str | None, str] | None: ...
    def moves(self, player: str) -> list[str]: ...
    def play(self, move: str) -> Self: ...


State = TypeVar("State", bound=Sequential)


def leaves(state: Sequential, depth: int) -> int:
    """Count the sequences of some decisions."""
    (player,) = state.to_move
    moves = state.moves(player)
    if depth == 1:
        return len(moves)
    return sum(leaves(state.play(move), depth - 1) for move in moves)


def play_all(state: State, *moves: str) -> State:
    """Play moves one after another."""
    for move in moves:
        state = state.play(move)
    return state


def random_game(state: State, rng: random.Random, limit: int) -> list[State]:
    """Play uniformly to the end and return all states."""
    states = [state]
    while state.to_move:
        assert len(states) <= limit
        (player,) = state.to_move
        moves = state.moves(player)
        assert moves
        assert len(set(moves)) == len(moves)
        state = state.play(rng.choice(moves))
        states.append(state)
    assert state.outcome is not None
    assert not any(state.moves(player) for player in ("Black", "White", "Light", "Dark"))
    return states


# Constello


def table(
    black: str = "",
    white: str = "",
    supplies: tuple[int, int] = (10, 10),
    box: int | None = None,
    gold: str = "",
    red: str = "",
) -> constello.State:
    """Set up a table; without a given Box it holds what is missing from 48 stones."""
    stones = (frozenset(black.split()), frozenset(white.split()))
    rest = 48 - sum(supplies) - len(stones[0]) - len(stones[1])
    return constello.State(
        stones=stones,
        supplies=supplies,
        box=rest if box is None else box,
        gold=frozenset(gold.split()),
        red=frozenset(red.split()),
    )


def exchanged(state: constello.State) -> constello.State:
    """Give each player what the other has."""
    return constello.State(
        stones=state.stones[::-1],
        supplies=state.supplies[::-1],
        box=state.box,
        gold=state.gold,
        red=state.red,
    )


def test_constello_board_has_36_lines() -> None:
    assert sum(len(near) for near in constello.JOINED.values()) == 2 * 36
    assert set(constello.JOINED["a1"]) == {"a2", "b1", "i1"}
    assert set(constello.JOINED["i2"]) == {"i1", "i3", "h2", "a2"}
    assert constello.JOINED["e3"] == ("e2",)


def test_constello_start_has_405_plans_each() -> None:
    state = constello.start()
    assert state.to_move == ("Black", "White")
    assert [len(state.moves(player)) for player in state.to_move] == [405, 405]
    assert "pass" not in state.moves("Black")


def test_constello_counts_plans_around_two_stones() -> None:
    """25 placements and a Secure make 26 singles and 325 pairs; captures are 25 and 1."""
    state = table("c1", "e1")
    assert len(state.moves("Black")) == 26 + 325 + 26
    assert len(state.moves("White")) == 26 + 325 + 26


def test_constello_writes_plans_in_node_order() -> None:
    moves = table("c1", "e1").moves("Black")
    assert "place a1, secure c1" in moves
    assert "secure c1, place a1" not in moves
    assert "place a3, place b1" in moves
    assert not any("capture" in move and "," in move for move in moves)


@pytest.mark.parametrize(("supply", "count", "passes"), [(0, 1, 1), (1, 27, 1), (2, 377, 0)])
def test_constello_supply_limits_plans(supply: int, count: int, passes: int) -> None:
    """One stone leaves 25 placements, a Secure and the pass; none leaves the pass."""
    moves = table("c1", "e1", supplies=(supply, 10)).moves("Black")
    assert len(moves) == count
    assert moves.count("pass") == passes


def test_constello_passes_when_all_is_locked() -> None:
    state = table("c1", "e1", red=" ".join(constello.NODES))
    assert state.moves("Black") == ["pass"]


def test_constello_limits_of_targets() -> None:
    moves = table("a1 c1", "a2 e1", gold="e1", red="c1 d1").moves("Black")
    assert {"secure a1", "capture a2", "capture a3", "place b3"} <= set(moves)
    assert not {"place a3", "capture e1", "capture a1", "place a2"} & set(moves)
    assert not {"secure c1", "place d1", "capture d1", "secure e1"} & set(moves)


def test_constello_secures_a_gold_stone() -> None:
    assert "secure c1" in table("c1", gold="c1").moves("Black")


BEFORE = table("c1", "e1", (10, 10), 26)
ROWS = {
    "place": (("place a1", "place i1"), table("c1 a1", "e1 i1", (9, 9), 26)),
    "secure": (("secure c1", "place i1"), table("c1", "e1 i1", (9, 9), 27)),
    "capture of nothing": (("capture a1", "place i1"), table("c1 a1", "e1 i1", (8, 9), 27)),
    "capture of a stone": (
        ("capture e1", "place i1"),
        table("c1 e1", "i1", (8, 10), 27, red="e1"),
    ),
    "place on place": (("place a1", "place a1"), table("c1", "e1", (9, 9), 28, red="a1")),
    "capture on capture": (
        ("capture a1", "capture a1"),
        table("c1", "e1", (8, 8), 30, red="a1"),
    ),
    "capture on secure": (
        ("secure c1", "capture c1"),
        table("c1", "e1", (11, 8), 27, gold="c1"),
    ),
    "capture on place": (
        ("capture a1", "place a1"),
        table("c1 a1", "e1", (8, 9), 28, gold="a1"),
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_constello_reveal(row: str) -> None:
    """Each row, and each row with the players exchanged."""
    plans, after = ROWS[row]
    assert BEFORE.play(plans) == after
    assert exchanged(BEFORE).play((plans[1], plans[0])) == exchanged(after)
    assert after.box + sum(after.supplies) + sum(map(len, after.stones)) == 48


def test_constello_two_orders_meet_two_orders() -> None:
    after = table().play(("place a1, place b1", "place b1, place c1"))
    assert after == table("a1", "c1", (8, 8), 30, red="b1")


def test_constello_red_ring_locks_for_one_turn() -> None:
    locked = BEFORE.play(("place a1", "place a1"))
    for player in constello.PLAYERS:
        assert not any("a1" in move for move in locked.moves(player))
    free = locked.play(("place b1", "place i1"))
    assert "place a1" in free.moves("White")
    assert free.red == frozenset()


def test_constello_gives_no_fourth_gold_ring() -> None:
    before = table("a1 b1 c1 d1", gold="a1 b1 c1")
    assert before.play(("secure d1", "capture d1")).gold == {"a1", "b1", "c1"}
    assert before.play(("capture e1", "place e1")).gold == {"a1", "b1", "c1"}
    other = table("a1 b1 d1", "c1", gold="a1 b1 c1")
    assert other.play(("secure d1", "capture d1")).gold == {"a1", "b1", "c1", "d1"}


def test_constello_counts_gold_before_it_is_severed() -> None:
    before = table("a3 b1 c1", gold="a3 b1 c1")
    after = before.play(("capture e1", "place a2, place e1"))
    assert after == table("b1 c1 e1", "a2", (8, 8), 28, gold="b1 c1")
    again = after.play(("secure e1", "capture e1"))
    assert again.gold == {"b1", "c1", "e1"}


def test_constello_severs_a_capture_above_an_enemy_anchor() -> None:
    after = table("", "e2 e3").play(("capture e3", "place i1"))
    assert after == table("", "e2 i1", (8, 10), 28, red="e3")


def test_constello_severs_when_the_anchor_falls() -> None:
    after = table("", "e2 e3").play(("capture e2", "place i1"))
    assert after == table("e2", "i1", (8, 10), 28, red="e2")


def test_constello_severs_a_stone_placed_as_its_anchor_is_taken() -> None:
    after = table().play(("place a3", "place a2"))
    assert after == table("", "a2", (9, 9), 29)


def test_constello_scores_two_rays() -> None:
    state = table("a1 a2 a3 b1 b2 b3 c1 c2 g1", "e1 e2 e3 f1 f2 h1")
    assert state.scores() == {"Black": 18, "White": 10}
    assert state.final_scores is None


def test_constello_scores_the_equal_group_with_more_rays() -> None:
    state = table("a1 a2 a3 c1 d1 e1", "a3 b3 c3")
    assert state.scores() == {"Black": 8, "White": 1}
    assert table().scores() == {"Black": 0, "White": 0}


def test_constello_groups_go_round_the_inner_rings() -> None:
    assert table("h1 i1 a1", "h2 i2 a2 a3").scores() == {"Black": 3, "White": 4}


def test_constello_ignores_rays_outside_the_largest_group() -> None:
    assert table("a1 a2 a3 c1 d1 e1 f1").scores()["Black"] == 4


TIES = {
    "larger group": (table("a1 a2 a3", "d1 e1 f1 g1 h1 d2 e2 f2", (1, 0), gold="a1"), "White"),
    "gold rings": (table("a1 b1", "e1 f1 h1", (1, 0), gold="h1"), "White"),
    "supply": (table("a1 b1", "e1 f1", (1, 0), gold="a1 e1"), "Black"),
    "draw": (table("a1 b1", "e1 f1", (1, 1), gold="a1 e1"), None),
}


@pytest.mark.parametrize("tie", TIES)
def test_constello_breaks_ties(tie: str) -> None:
    state, winner = TIES[tie]
    assert len(set(state.scores().values())) == 1
    over = state.play(("pass", "pass"))
    assert over.outcome == (winner, "passing")
    assert over.final_scores == state.scores()
    assert over.to_move == ()
    assert over.moves("Black") == []


def test_constello_ends_by_exhaustion() -> None:
    over = table("a1", "e1", (1, 1)).play(("place b1", "place i1"))
    assert over.outcome == ("Black", "exhaustion")
    assert over.final_scores == {"Black": 2, "White": 1}
    over = table("a1", "e1", (2, 1)).play(("place b1, place c1", "place i1"))
    assert over.outcome == ("Black", "exhaustion")
    assert over.final_scores == {"Black": 3, "White": 1}


def test_constello_exhaustion_is_named_before_passing() -> None:
    assert table("a1", "", (0, 0)).play(("pass", "pass")).outcome == ("Black", "exhaustion")


def test_constello_goes_on_for_one_player() -> None:
    state = table("a1", "e1", (0, 5))
    assert state.moves("Black") == ["pass"]
    assert state.play(("pass", "place f1")).to_move == constello.PLAYERS


def test_constello_a_captured_stone_revives_its_owner() -> None:
    after = table("a1", "e1", (2, 0)).play(("capture e1", "pass"))
    assert after.supplies == (0, 1)
    assert after.outcome is None


@pytest.mark.parametrize(
    "plans", [("pass", "place a1"), ("place a1, place a1", "place b1"), ("secure a1", "place b1")]
)
def test_constello_refuses_illegal_plans(plans: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="may not play"):
        constello.start().play(plans)


def constello_game(rng: random.Random, *, uniform: bool) -> list[constello.State]:
    """Play a game with uniform or with tasteful plans."""
    state = constello.start()
    states = [state]
    while state.to_move:
        black, white = (sampling.any_move(state, player, rng) for player in state.to_move)
        state = state.play((black, white) if uniform else sampling.constello_turn(state, rng))
        states.append(state)
    return states


@pytest.mark.parametrize("seed", range(40))
def test_constello_random_games(seed: int) -> None:
    """Stones are conserved and every turn without two passes costs one, so 48 turns suffice."""
    states = constello_game(random.Random(seed), uniform=seed % 2 == 0)
    for state in states:
        assert state.box + sum(state.supplies) + sum(map(len, state.stones)) == 48
        assert not state.stones[0] & state.stones[1]
        assert state.gold <= state.stones[0] | state.stones[1]
        assert max(state.gold_rings(player) for player in constello.PLAYERS) <= 3
        assert min(state.supplies) >= 0
    assert len(states) <= 49
    assert states[-1].outcome is not None


def test_constello_sampling_reaches_every_clash() -> None:
    rng = random.Random(7)
    met: Counter[tuple[str, ...]] = Counter()
    for _ in range(40):
        state = constello.start()
        while state.to_move:
            plans = sampling.constello_turn(state, rng)
            met.update(kinds_by_node(plans))
            state = state.play(plans)
    clashes = [("place", "place"), ("capture", "capture"), ("capture", "secure")]
    assert all(met[clash] >= 3 for clash in [*clashes, ("capture", "place")])
    assert ("place", "secure") not in met


def kinds_by_node(plans: tuple[str, str]) -> list[tuple[str, ...]]:
    """Return the kinds ordered on each node, sorted."""
    orders = [order for text in plans for order in constello.read(text)]
    nodes = {node for _, node in orders}
    return [tuple(sorted(kind for kind, at in orders if at == node)) for node in nodes]


@pytest.mark.parametrize("style", sampling.CONSTELLO_STYLES)
def test_constello_sampling_is_legal(style: str) -> None:
    rng = random.Random(3)
    for state in (constello.start(), BEFORE, table("c1", "e1", (1, 0)), table("c1", "e1", (2, 1))):
        for player in constello.PLAYERS:
            legal = state.moves(player)
            for _ in range(30):
                plan = sampling.constello_plan(state, player, rng, style, aims=["c1"])
                assert plan in legal


# Constructo

CODES = {"r": "ring", "m": "medium", "s": "small", "W": "White", "B": "Black"}


def site(player: str, pattern: str = "rhombus", **tiles: str) -> constructo.State:
    """Set up a round; each tile has its pieces from below, as in ``b2="Ws Br"``."""
    stacks = tuple(
        tuple((CODES[code[0]], CODES[code[1]]) for code in tiles.get(tile, "").split())
        for tile in constructo.PATTERNS[pattern]
    )
    return constructo.State(same_pattern=False, player=player, pattern=pattern, stacks=stacks)


def shifts(state: constructo.State) -> set[str]:
    """Return the moves from tile to tile."""
    return {move for move in state.moves(state.player) if "-" in move}


def test_constructo_counts() -> None:
    state = constructo.start()
    assert state.to_move == ("White",)
    assert [leaves(state, depth) for depth in (1, 2, 3)] == [3, 81, 1944]
    chosen = state.play("pattern lens")
    assert chosen.to_move == ("White",)
    assert "small c5" in chosen.moves("White")


@pytest.mark.parametrize("pattern", constructo.PATTERNS)
def test_constructo_patterns_have_nine_tiles(pattern: str) -> None:
    assert len(set(constructo.PATTERNS[pattern])) == 9


def test_constructo_adjacent_tiles() -> None:
    near = {tile for tile in constructo.PATTERNS["rhombus"] if constructo.adjacent("c3", tile)}
    assert near == {"b2", "b3", "c2", "c4", "d3", "d4"}
    near = {tile for tile in constructo.PATTERNS["lens"] if constructo.adjacent("c1", tile)}
    assert near == {"c2"}


@pytest.mark.parametrize(("upper", "lower", "owner"), [*product("rms", "rms", "WB")])
def test_constructo_climbing(upper: str, lower: str, owner: str) -> None:
    """Ring onto small, medium onto ring, small onto medium, and only onto the other colour."""
    state = site("White", b2="W" + upper, b3=owner + lower)
    legal = owner == "B" and upper + lower in ("rs", "mr", "sm")
    assert ("b2-b3" in shifts(state)) == legal


def test_constructo_climbs_only_next_door() -> None:
    assert shifts(site("White", b2="Wr", b3="Bm", b4="Bs", d4="Bs", c3="Bs")) == {"b2-c3"}


def test_constructo_a_ring_around_a_small_is_on_top() -> None:
    state = site("White", b2="Wm", b3="Ws Br", b4="Wr")
    assert shifts(state) == {"b2-b3"}
    assert state.towers() == {"White": 0, "Black": 0}
    after = state.play("b2-b3")
    assert after.board["b3"][-1] == ("White", "medium")
    assert after.board["b2"] == ()
    assert after.towers() == {"White": 1, "Black": 0}


def test_constructo_stacked_pieces_stay() -> None:
    assert shifts(site("White", b2="Br Wm", b3="Br", c2="Ws Br", c3="Bs")) == set()


@pytest.mark.parametrize(
    ("stack", "tower"),
    [("Ws", 0), ("Ws Br", 0), ("Wr Bm", 1), ("Wm Bs", 1), ("Wm Bs Wr", 1), ("Ws Br Wm", 1)],
)
def test_constructo_towers(stack: str, tower: int) -> None:
    assert sum(site("White", b2=stack).towers().values()) == tower


def test_constructo_hand_runs_out() -> None:
    state = site("White", b2="Wr", b3="Wr", b4="Bm Wr")
    assert [state.hand("White", kind) for kind in constructo.KINDS] == [0, 3, 3]
    assert state.hand("Black", "medium") == 2
    assert not any(move.startswith("ring") for move in state.moves("White"))


# The starter fills the board with the other; the other is left without an action.
FLAT = "ring b4, medium b2, ring c4, ring b3, ring d2, ring c2, medium d3, ring c3, medium d4"
# The same, with a tower for the starter on b3.
TOWER = (
    "ring b4, ring b3, ring d2, ring c2, medium d3, medium b2, medium c4, medium c3, c4-b3,"
    " ring d4, medium c4"
)


@pytest.mark.parametrize(
    ("first", "second", "sums", "winner"),
    [
        (FLAT, FLAT, (0, 0), None),
        (TOWER, FLAT, (1, 0), "White"),
        (FLAT, TOWER, (0, 1), "Black"),
        (TOWER, TOWER, (1, 1), None),
    ],
)
def test_constructo_sums_two_rounds(
    first: str, second: str, sums: tuple[int, int], winner: str | None
) -> None:
    between = play_all(constructo.start(), "pattern rhombus", *first.split(", "))
    assert between.to_move == ("Black",)
    assert between.scores() == {"White": sums[0], "Black": 0}
    assert len(between.moves("Black")) == 3
    over = play_all(between, "pattern rhombus", *second.split(", "))
    assert tuple(over.scores().values()) == sums
    assert over.outcome == (winner, "towers")
    assert over.to_move == ()


def test_constructo_keeps_the_pattern_on_request() -> None:
    between = play_all(constructo.start(same_pattern=True), "pattern rhombus", *TOWER.split(", "))
    assert between.to_move == ("Black",)
    assert between.pattern == "rhombus"
    assert len(between.moves("Black")) == 27
    assert play_all(between, *TOWER.split(", ")).outcome == (None, "towers")


def test_constructo_refuses_illegal_moves() -> None:
    with pytest.raises(ValueError, match="may not play"):
        constructo.start().play("ring b2")
    with pytest.raises(ValueError, match="may not play"):
        constructo.start().play("pattern rhombus").play("ring a1")


@pytest.mark.parametrize("seed", range(30))
def test_constructo_random_games(seed: int) -> None:
    """A round has at most 18 placements and 17 other moves."""
    start = constructo.start(same_pattern=seed % 2 == 1)
    states = random_game(start, random.Random(seed), limit=73)
    for done in (0, 1):
        building = [s for s in states if len(s.rounds) == done and s.pattern is not None]
        assert 9 <= len(building) <= 35
    patterns = {state.pattern for state in states} - {None}
    assert len(patterns) == 1 or not start.same_pattern
    assert sum(states[-1].scores().values()) <= 18


# Astralesce and Constellation


def field(
    light: str, dark: str, game: str = "astralesce", order: int = 3, alone: int = 1
) -> hexslide.State:
    """Set up a position with Light to move."""
    pair = (
        frozenset(hexslide.cell_of(text) for text in light.split()),
        frozenset(hexslide.cell_of(text) for text in dark.split()),
    )
    return hexslide.State(game=game, order=order, alone=alone, discs=pair, player="Light")


def labels(discs: hexslide.Discs) -> str:
    """Write discs in order."""
    return " ".join(sorted(hexslide.label(disc) for disc in discs))


@pytest.mark.parametrize(
    ("game", "order", "depth", "count"),
    [
        ("astralesce", 4, 1, 102),
        ("astralesce", 4, 2, 9786),
        ("constellation", 3, 1, 33),
        ("constellation", 3, 2, 954),
    ],
)
def test_hexslide_counts(game: str, order: int, depth: int, count: int) -> None:
    assert leaves(hexslide.start(game, order=order), depth) == count


@pytest.mark.parametrize(
    ("order", "cells", "discs"), [(3, 19, 6), (4, 37, 12), (5, 61, 21), (6, 91, 30)]
)
def test_hexslide_setup_sizes(order: int, cells: int, discs: int) -> None:
    state = hexslide.start(order=order)
    assert len(hexslide.cells(order)) == cells
    assert [len(state.held(player)) for player in hexslide.PLAYERS] == [discs, discs]
    assert all(hexslide.group_of(held, disc) == {disc} for held in state.discs for disc in held)


def test_hexslide_setup_of_order_3() -> None:
    state = hexslide.start("constellation", order=3)
    assert labels(state.held("Light")) == "a3 b2 c1 c4 d3 e5"
    assert labels(state.held("Dark")) == "a1 b3 c2 c5 d4 e3"
    assert state.to_move == ("Light",)


@pytest.mark.parametrize(
    ("order", "light", "dark"),
    [(3, "a3", "a1"), (4, "a2", "a3"), (5, "a1 a4", "a2 a5"), (6, "a3 a6", "a1 a4")],
)
def test_hexslide_setup_of_the_first_row(order: int, light: str, dark: str) -> None:
    rows = [labels(held).split() for held in hexslide.start(order=order).discs]
    assert [" ".join(text for text in row if text[0] == "a") for row in rows] == [light, dark]


def test_hexslide_rows_of_order_5() -> None:
    rows = labels(hexslide.cells(5)).split()
    assert [text for text in rows if text[0] == "a"] == ["a1", "a2", "a3", "a4", "a5"]
    assert [text for text in rows if text[0] == "e"] == [f"e{k}" for k in range(1, 10)]
    assert [text for text in rows if text[0] == "i"] == ["i5", "i6", "i7", "i8", "i9"]


def test_astralesce_can_end_in_stalemate() -> None:
    over = play_all(hexslide.start(order=3), "d3-c2", "d4-c3", "a3-d3")
    assert labels(over.held("Dark")) == "a1 c5 e3"
    assert over.outcome == ("Dark", "stalemate")


@pytest.mark.parametrize(
    ("light", "dark", "astralesce", "constellation"),
    [
        ("c1", "c3", "c2 c3 c4 c5", "c2 c3"),
        ("c1 c5", "c3", "c2 c3 c4", "c2 c3"),
        ("c1", "c2 c3", "c2 c3 c4 c5", "c2"),
        ("c1 c2", "c3", "", ""),
    ],
)
def test_hexslide_reach(light: str, dark: str, astralesce: str, constellation: str) -> None:
    for game, reach in (("astralesce", astralesce), ("constellation", constellation)):
        slides = field(light, dark, game).slides(hexslide.cell_of("c1"), (0, 1))
        assert " ".join(hexslide.label(cell) for cell in slides) == reach


def test_astralesce_captures_along_the_way() -> None:
    after = field("c1 c5 d5 a3", "c2 c3 b2 e3").play("c1-c4")
    assert labels(after.held("Light")) == "a3 c4 c5 d5"
    assert labels(after.held("Dark")) == "b2 e3"
    assert after.to_move == ("Dark",)


def test_hexslide_value_looks_over_enemies() -> None:
    state = field("a1 c3 c4", "b2")
    light = state.held("Light")
    assert state.value(light, hexslide.cell_of("a1")) == 2
    assert state.value(light, hexslide.cell_of("c3")) == 2
    assert state.value(light, hexslide.cell_of("b1")) == 1


def test_hexslide_value_alone_is_an_option() -> None:
    """Discs a1 and e3 see nobody; a stop in line with the other disc is worth 1."""
    assert field("a1 e3", "d3 b4").moves("Light") == []
    moves = field("a1 e3", "d3 b4", alone=0).moves("Light")
    expected = {"a1-a3", "a1-c1", "a1-c3", "a1-e5", "e3-a3", "e3-c1", "e3-c3", "e3-e5"}
    assert set(moves) == expected


@pytest.mark.parametrize(
    ("light", "dark", "outcome"),
    [
        ("c1 c4 c5", "c2 e3 e4", ("Light", "unification")),
        ("c1 c4 c5 a1", "c2 e3 e4", ("Dark", "unification")),
        ("c1 c4 c5 a1", "c2 e3", ("Dark", "unification")),
        ("c1 c4 c5 a1", "c2", ("Dark", "stalemate")),
        ("c1 c4 c5", "c2", ("Light", "unification")),
        ("c1 c4 c5 a1", "c2 e3 b4", None),
    ],
)
def test_hexslide_ends(light: str, dark: str, outcome: tuple[str, str] | None) -> None:
    """The slide c1-c3 takes c2 and joins c4 and c5."""
    assert field(light, dark).play("c1-c3").outcome == outcome


def test_hexslide_refuses_illegal_moves() -> None:
    for move in ("a2-a2", "a2-b4", "a3-a4", "d4-d5", "a2", "pass"):
        with pytest.raises(ValueError, match="may not play"):
            hexslide.start().play(move)


@pytest.mark.parametrize(
    ("game", "order", "alone"), [*product(hexslide.GAMES, (3, 4, 5), (0, 1))], ids=str
)
def test_hexslide_random_games(game: str, order: int, alone: int) -> None:
    for seed in range(12 if order == 3 else 2):
        start = hexslide.start(game, order=order, alone=alone)
        states = random_game(start, random.Random(seed), limit=400)
        for before, after in pairwise(states):
            assert len(after.held(before.player)) == len(before.held(before.player))
            assert not after.discs[0] & after.discs[1]


# Consta


def grid(size: int, player: str, black: str = "", white: str = "") -> consta.State:
    """Set up a position; a cell named twice has a stack."""
    pieces = [
        (consta.cell_of(text), consta.Piece(owner, cells.split().count(text)))
        for owner, cells in (("Black", black), ("White", white))
        for text in cells.split()
    ]
    return consta.State(size=size, pieces=frozenset(pieces), player=player)


def test_consta_counts() -> None:
    assert [leaves(consta.start(5), depth) for depth in (1, 2)] == [25, 7500]


def test_consta_opening_is_one_stone() -> None:
    state = consta.start()
    assert state.to_move == ("Black",)
    assert len(state.moves("Black")) == 121
    assert len(state.play("f6").moves("White")) == 120 * 119 // 2 + 120
    assert not state.allows("f6 f6")
    assert not state.play("f6").allows("a1")


def test_consta_writes_turns_in_board_order() -> None:
    moves = consta.start(3).play("b2").moves("White")
    assert {"a1 b1", "c1 a2", "a1 a1"} <= set(moves)
    assert not {"b1 a1", "a2 c1", "a1 b2", "b2 b2"} & set(moves)


@pytest.mark.parametrize(
    ("white", "legal", "refused"),
    [
        ("b1 a2", "b2 b2", "b2 d4"),
        ("b1 b1 a2", "b2 d4", "b2 b2"),
        ("b1 b1 a2 a2", "b2 d4", None),
        ("b1 b1 a2 a2", "b2 b2", None),
    ],
)
def test_consta_refuses_equal_crosscuts(white: str, legal: str, refused: str | None) -> None:
    """Black has a1 and closes the block at b2."""
    state = grid(4, "Black", "a1", white)
    assert legal in state.moves("Black")
    assert state.allows(legal)
    if refused:
        assert refused not in state.moves("Black")
        assert not state.allows(refused)


def test_consta_two_singles_may_close_a_crosscut_together() -> None:
    assert not grid(4, "Black", "d4", "b1 a2").allows("a1 b2")
    assert "a1 b2" not in grid(4, "Black", "d4", "b1 a2").moves("Black")
    assert "a1 b2" in grid(4, "Black", "d4", "b1 a2 a2").moves("Black")


def test_consta_counts_around_a_crosscut() -> None:
    """Six stacks fit; b2 takes no single of Black, which leaves ten pairs of five cells."""
    assert len(grid(3, "Black", "a1", "b1 a2").moves("Black")) == 6 + 10
    assert len(grid(3, "White", "a1", "b1 a2").moves("White")) == 6 + 15


@pytest.mark.parametrize(
    ("black", "white", "links"),
    [
        ("a1 b2", "", ["Black"]),
        ("a1 b2", "b1", ["Black"]),
        ("a1 b2", "b1 b1 a2", ["White"]),
        ("a1 a1 b2", "b1 a2", ["Black"]),
        ("a1 a1 b2 b2", "b1 b1 a2", ["Black"]),
        ("a1 b2 a2", "b1", ["Black"]),
    ],
)
def test_consta_links(black: str, white: str, links: list[str]) -> None:
    """Only the weaker pair of a full crosscut is not linked."""
    state = grid(3, "Black", black, white)
    diagonals = [((0, 0), (1, 1)), ((0, 1), (1, 0))]
    owners = [state.board[one].owner for one, two in diagonals if state.linked(one, two)]
    assert owners == links


def test_consta_neighbours_link() -> None:
    state = grid(3, "Black", "a1 b1 a3", "c1")
    assert state.linked((0, 0), (0, 1))
    assert not state.linked((0, 0), (2, 0))
    assert not state.linked((0, 1), (0, 2))


def test_consta_corners_belong_to_both_sides() -> None:
    black = grid(3, "White", "a1 a2 a3")
    white = grid(3, "Black", "", "a3 b3 c3")
    assert black.has_chain("Black")
    assert white.has_chain("White")
    assert not grid(3, "White", "a3 b3 c3").has_chain("Black")
    assert grid(3, "White", "c1 b2 a3").has_chain("Black")


def test_consta_chain_must_survive_a_turn() -> None:
    made = play_all(consta.start(3), "b2", "a1 a1", "b1 b3")
    assert made.has_chain("Black")
    assert made.outcome is None
    assert made.play("a2 a2").outcome == ("Black", "chain")


def test_consta_chain_may_be_cut() -> None:
    """White's c1 and the stack on b2 outweigh the link of b1 and c2."""
    made = play_all(consta.start(3), "c3", "b2 b2", "b1 c2")
    assert made.has_chain("Black")
    assert made.to_move == ("White",)
    cut = made.play("a1 c1")
    assert not cut.has_chain("Black")
    assert cut.to_move == ("Black",)
    assert made.play("a1 a3").outcome == ("Black", "chain")


def test_consta_skips_a_player_without_a_turn() -> None:
    """White's only cell is c3, where a stack would tie the crosscut with b2: 3 against 3."""
    before = grid(3, "Black", "c1 b3", "a1 b1 a2 b2 a3")
    over = before.play("c2 c2")
    assert over.outcome == ("Black", "chain")
    assert over.skips == 1
    assert over.to_move == ()


def test_consta_skips_on_a_full_board() -> None:
    over = grid(3, "Black", "c1 b3", "a1 b1 a2 b2 a3").play("c2 c3")
    assert over.empty == ()
    assert over.outcome == ("Black", "chain")


def test_consta_refuses_illegal_turns() -> None:
    for move in ("b2", "b2 b2", "b1 a1", "a1 b2", "a1 z9", "a1 b1 c1", "pass"):
        with pytest.raises(ValueError, match="may not play"):
            consta.start(3).play("b2").play(move)


@pytest.mark.parametrize("seed", range(12))
def test_consta_lists_what_it_allows(seed: int) -> None:
    """The list of turns is what a look at the whole board after each turn leaves of all turns."""
    rng = random.Random(seed)
    state = consta.start(4)
    while state.to_move:
        cells = [consta.label(cell) for cell in state.empty]
        turns = [*combinations(cells, 2), *((cell, cell) for cell in cells)]
        texts = {" ".join(turn) for turn in turns} if state.board else set(cells)
        assert set(state.moves(state.player)) == {text for text in texts if state.allows(text)}
        state = state.play(sampling.consta_turn(state, rng))


@pytest.mark.parametrize(
    ("size", "style"), [*product((3, 4, 5, 7, 11, 19), sampling.CONSTA_STYLES)], ids=str
)
def test_consta_random_games(size: int, style: str) -> None:
    """A skipped turn always ends the game, and somebody always wins."""
    for seed in range(40 if size < 6 else 2):
        rng = random.Random(seed)
        state = consta.start(size)
        while state.to_move:
            assert state.skips == 0
            state = state.play(sampling.consta_turn(state, rng, style))
        assert state.outcome in [(player, "chain") for player in consta.PLAYERS]
        assert not any(consta.weaker_pair(state.board, cell) == "neither" for cell in state.board)


def test_consta_sampling_seeks_crosscuts() -> None:
    met: Counter[str] = Counter()
    for seed in range(10):
        rng = random.Random(seed)
        for style in sampling.CONSTA_STYLES:
            state = consta.start(7)
            while state.to_move:
                state = state.play(sampling.consta_turn(state, rng, style))
            met[style] += sum(consta.weaker_pair(state.board, c) is not None for c in state.board)
    assert met["clash"] > met["even"] > 0


@pytest.mark.parametrize("seed", range(6))
def test_consta_uniform_games(seed: int) -> None:
    random_game(consta.start(5), random.Random(seed), limit=30)
