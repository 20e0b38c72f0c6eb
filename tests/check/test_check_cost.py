"""How large and how slow a description may become."""

from __future__ import annotations

import pytest
from check.descriptions import checked, errors, game, said
from hypothesis import given
from hypothesis import strategies as st

from ludeme.check.bounds import ARITHMETIC, Bounds
from ludeme.game import load_text, shipped
from ludeme.kernel.pure import PURE

# ---- numbers


@st.composite
def intervals(draw: st.DrawFn) -> tuple[Bounds, int]:
    """Bounds, and a number within them."""
    low, value, high = sorted(draw(st.integers(-50, 50)) for _ in range(3))
    return Bounds(low, high), value


@given(st.sampled_from(sorted(ARITHMETIC)), intervals(), intervals())
def test_bounds_hold_every_result(
    name: str, left: tuple[Bounds, int], right: tuple[Bounds, int]
) -> None:
    operands = [left] if name in ("negative", "abs") else [left, right]
    if name in ("/", "mod") and right[1] == 0:
        return
    bounds = ARITHMETIC[name](*[bound for bound, _ in operands])
    result = PURE[name](*[value for _, value in operands])
    assert bounds.low <= result <= bounds.high


WEALTH = "game has wealth = 0 from 0..1000000000\ngame has few = 0 from -3..4\n"


@pytest.mark.parametrize(
    "expression",
    [
        "wealth * wealth * 4",
        "wealth * wealth - wealth * wealth * 3",
        "(sum wealth for s in board) * few",
        "few * few * few * few * few * few",
        "wealth * few mod 3",
        "min(wealth, 4) * wealth * wealth / 9",
        "(largest wealth for s in mine else few) * wealth",
        "wealth / few * wealth",
        "turns * wealth * 4",
        "height(cell) * wealth * wealth",
    ],
)
def test_numbers_that_stay_small(expression: str) -> None:
    assert errors(game(f"  require {expression} >= 0", WEALTH)) == []


@pytest.mark.parametrize(
    "expression",
    [
        "wealth * wealth * 5",
        "0 - wealth * wealth * 5",
        "wealth * wealth * wealth",
        "(sum wealth * wealth for s in board) - 3",
        "(sum wealth for s in board) * wealth",
        "few * wealth * wealth * few",
        "(largest wealth * 3 for s in mine else few) * wealth * 2",
        "abs(few) * wealth * 2 * wealth",
    ],
)
def test_numbers_that_may_become_too_large(expression: str) -> None:
    found = said(game(f"  require {expression} >= 0", WEALTH))
    assert [each.code for each in found] == ["number-size"]
    assert "limit what goes into it" in str(found[0].help)


def test_numbers_are_followed_through_definitions() -> None:
    more = WEALTH + "define square_of(n: number) = n * n\n"
    assert errors(game("  require square_of(few) * square_of(few) >= 0", more)) == []
    assert errors(game("  require square_of(wealth) >= 0", more)) == []
    assert errors(game("  require square_of(square_of(wealth)) >= 0", more)) == ["number-size"]


def test_a_name_that_changes_may_hold_any_number() -> None:
    lines = "  let n = 1\n  repeat 1..9 times while possible\n    set n to n * 2\n  require n"
    assert errors(game(lines + " * n > 0")) == []
    assert errors(game(lines + " * n * n * n > 0")) == ["number-size"]


def test_a_sum_over_all_at_once_stays_small() -> None:
    raising = "  for each p in players, each s in board\n    raise wealth by {}"
    assert errors(game(raising.format("wealth * 1000000"), WEALTH)) == []
    assert errors(game(raising.format("wealth * 1000000000"), WEALTH)) == ["number-size"]


# ---- sets of numbers


@pytest.mark.parametrize("numbers", ["1..few + 3", "0..wealth mod 100", "{few + 3, 9}", "3..few"])
def test_sets_of_numbers_that_can_be(numbers: str) -> None:
    assert errors(game(f"  require 3 in ({numbers})", WEALTH)) == []


@pytest.mark.parametrize("numbers", ["few..9", "1..wealth", "{few, 9}", "{wealth}"])
def test_sets_of_numbers_that_cannot_be(numbers: str) -> None:
    assert errors(game(f"  require 3 in ({numbers})", WEALTH)) == ["range"]


# ---- work

PAIRS = "every a in mine has some b in theirs has height(a) + height(b) > 2 and a in column(3)"
LARGEST_BOARDS = {
    "astralesce": ("order = 4 from 3..6", "order = 37 from 3..37"),
    "constellation": ("extends astralesce", "extends astralesce"),
    "consta": ("size = 11 from 3..19", "size = 64 from 3..64"),
    "constello": ("wheel(9, 3)", "wheel(1365, 3)"),
    "constructo": ("hexagon(3)", "hexagon(3)"),
}


@pytest.mark.parametrize("name", LARGEST_BOARDS)
def test_shipped_games_fit_on_the_largest_boards(name: str) -> None:
    text = shipped()[name].read_text(encoding="utf-8").partition("\nexample")[0]
    here, there = LARGEST_BOARDS[name]
    assert here in text
    load_text(text.replace(here, there))


def test_all_pairs_of_the_largest_board_may_be_compared() -> None:
    checked(game(f"  require {PAIRS}", board="square(64)"))


@pytest.mark.parametrize(
    "condition",
    [
        f"every z in board has {PAIRS}",
        "count(union reach(from a, among empty) for a in board) > count(mine) and "
        + "every p in groups(empty) has every q in groups(mine) has count(groups(p or q)) > 1",
        "every s in board has mover can move",
    ],
)
def test_what_grows_faster_is_refused(condition: str) -> None:
    text = game(board="square(64)").replace("when no empty", f"when {condition}")
    (found,) = said(text)
    assert found.code == "too-costly"
    assert "which nobody would wait for" in found.message


def test_the_same_on_a_small_board_is_allowed() -> None:
    text = game().replace("when no empty", f"when every z in board has {PAIRS}")
    assert errors(text) == []


def test_a_choice_from_a_known_set_is_counted() -> None:
    assert errors(game("  choose 4 cells from board")) == []
    assert errors(game("  choose 0..25 cells from board")) == ["too-costly"]
    assert errors(game("  choose 12 cells from board")) == ["too-costly"]
    assert errors(game("  choose 24 cells from board")) == []
    assert errors(game("  choose 12 cells from empty")) == []


def test_loops_of_lines_count_as_well() -> None:
    nested = "  one by one a in board\n    one by one b in board\n      one by one c in board"
    text = game(nested + "\n        unmark c hot", "each site has hot\n", board="square(40)")
    assert errors(text) == ["too-costly"]


def test_state_is_limited() -> None:
    many = "".join(f"each site has note_{i} = 0 from 0..9\n" for i in range(245))
    assert errors(game(more=many, board="square(64)")) == ["too-large"]
    assert errors(game(more=many)) == []


def test_ludemes_that_double_are_stopped() -> None:
    more = "ludeme step_0 s: site\n  require height(s) = 0\n"
    for i in range(1, 18):
        more += f"ludeme step_{i} s: site\n  step_{i - 1} s\n  step_{i - 1} s\n"
    assert errors(game("  step_17 cell", more)) == ["too-large"]
    assert errors(game("  step_9 cell", more)) == []


def test_definitions_nest_only_so_deep() -> None:
    def chain(length: int) -> str:
        lines = [f"define part_{i}(s: site) = part_{i + 1}(s) + 1" for i in range(length)]
        return "\n".join([*lines, f"define part_{length}(s: site) = height(s)\n"])

    assert errors(game("  require part_0(cell) > 0", chain(30))) == []
    assert errors(game("  require part_0(cell) > 0", chain(60))) == ["too-deep"]
    assert errors(game("  require part_0(cell) > 0", chain(2000))) == ["too-deep"]
    turned = "\n".join(reversed(chain(500).splitlines())) + "\n"
    assert errors(game("  require part_0(cell) > 0", turned)) == ["too-deep"]


def test_not_everything_is_told_of_a_hopeless_file() -> None:
    lines = "\n".join(f"  require nonsense_{i} > 0" for i in range(3000))
    assert len(said(game(lines))) == 50
