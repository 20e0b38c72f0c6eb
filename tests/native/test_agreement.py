"""Every shipped game, at every option value that matters, on both engines: the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pytest

import ludeme
from ludeme.game import shipped
from ludeme.play.results import Playouts

ARRAYS = ("status", "decisions", "ends", "winners", "scores", "moves", "widths", "joint_widths")
SIZES: dict[str, dict[str, tuple[object, ...]]] = {
    "consta": {"size": tuple(range(3, 20))},
    "astralesce": {"order": (3, 4, 5, 6), "alone": (0, 1)},
    "constellation": {"order": (3, 4, 5, 6), "alone": (0, 1)},
    "constructo": {"same_pattern": (False, True)},
    "ataxx": {"patience": (10, 100)},
    "breakthrough": {"size": (4, 5, 8, 9, 12, 16)},
    "chinese_checkers": {"seats": (2, 3, 6), "stays": (True,), "blocked": (True,)},
    "clobber": {"columns": (2, 6, 12), "rows": (2, 5, 12)},
    "connect6": {"size": (6, 8, 19)},
    "english_draughts": {"patience": (40, 80), "men_are_quiet": (False, True)},
    "dots_and_boxes": {"columns": (1, 5), "rows": (2, 5)},
    "gomoku": {"size": (5, 8, 9, 11, 12, 13, 15, 16, 17, 25)},
    "havannah": {"size": (3, 5, 8, 12), "swap": (True, False)},
    "go": {
        "size": (7, 13),
        "komi": (15,),
        "handicap": (0, 2),
        "ko": ("none", "simple", "positional", "situational"),
        "suicide": (False, True),
    },
    "goofspiel": {
        "seats": (3,),
        "suit": (4,),
        "order": ("by_chance", "descending", "ascending"),
        "tied": ("discarded", "carried_over"),
        "open_bids": (True, False),
    },
    "leduc_poker": {"cap": (1, 2, 4)},
    "phantom_tic_tac_toe": {"refused": ("tries_again", "loses_turn")},
    "small_stratego": {"patience": (10, 60)},
    "kalah": {"seeds": (1, 4, 6), "capture_alone": (False, True)},
    "oware": {"slam": ("takes_nothing", "is_forbidden", "takes_all"), "cycle": (2, 5)},
    "hex": {"size": (2, 3, 8, 9, 11, 12, 13, 15, 16, 17, 19), "swap": (False, True)},
    "konane": {"size": (4, 5, 8)},
    "lines_of_action": {"both_united": ("drawn", "won")},
    "nine_mens_morris": {"flying": (True, False)},
    "pente": {"size": (7, 8, 19), "tournament": (True, False)},
    "knightthrough": {"size": (5, 8, 12)},
    "slither": {"size": (3, 5, 8), "swap": (True, False)},
    "tablut": {"sides": ("two", "four")},
    "tumbleweed": {"size": (3, 5)},
    "y": {"size": (2, 5, 12), "swap": (True, False)},
    "yavalath": {"size": (3, 5, 8), "swap": (True, False)},
}
"""The values of options; of sizes all where the rules are dense, else round the ends of words."""
LARGE = {
    "consta": 9,
    "connect6": 8,
    "havannah": 5,
    "konane": 5,
    "pente": 8,
    "slither": 5,
    "tumbleweed": 4,
    "astralesce": 4,
    "constellation": 4,
    "go": 7,
    "gomoku": 12,
    "hex": 12,
}
"""The sizes up to which the interpreter plays a few dozen games in a second."""
SLOW = (
    "amazons",
    "chess",
    "chinese_checkers",
    "international_draughts",
    "lines_of_action",
    "nine_mens_morris",
    "oware",
)
"""Games of which it plays fewer at any size."""
SLOWEST = ("backgammon", "chess")
"""Games that take it more than half a second each."""
TURN_LIMITS = {"chinese_checkers": 24}
"""Where games are left that would go on and on."""

Setting = tuple[str, dict[str, object]]
"""A shipped game and its options."""


def every_setting() -> list[Setting]:
    """Every shipped game with every combination of these values."""
    return [(name, options) for name in shipped() for options in combined(name)]


def combined(name: str) -> list[dict[str, object]]:
    """Every combination of the values of a game's options."""
    values = SIZES.get(name, {})
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def settings() -> list[Setting]:
    """Every shipped game with as few combinations as every value stands in."""
    return [(name, options) for name in shipped() for options in spread(combined(name))]


def spread(every: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Some combinations, in which each value stands, all about as often, and in many pairs."""
    missing = {value for options in every for value in options.items()}
    pairs: set[object] = set()
    times: Counter[object] = Counter()
    found: list[dict[str, object]] = []

    def gain(options: dict[str, object]) -> tuple[int, int, int]:
        chosen = options.items()
        new_pairs = set(combinations(chosen, 2)) - pairs
        return len(chosen & missing), len(new_pairs), -sum(times[value] for value in chosen)

    while missing or not found:
        chosen = max(every, key=gain)
        found.append(chosen)
        missing -= chosen.items()
        pairs.update(combinations(chosen.items(), 2))
        times.update(chosen.items())
    return found


SHOWN: dict[str, dict[str, object]] = {"connect6": {"size": 6}}
"""Options of games that have too many moves to list them all, again and again."""


def shown_settings() -> list[Setting]:
    """Every shipped game as it is, and small ones with every combination of options."""
    small = ("astralesce", "constructo", "goofspiel", "kalah", "tic_tac_toe")
    every = [(name, options) for name, options in every_setting() if options and name in small]
    return [*((name, SHOWN.get(name, {})) for name in shipped()), *every[::4]]


def is_large(name: str, options: dict[str, object]) -> bool:
    """Whether the interpreter plays only a few games in a second."""
    size = options.get("size", options.get("order", 0))
    return name in SLOW or (isinstance(size, int) and size > LARGE.get(name, 99))


def few(name: str, options: dict[str, object]) -> int:
    """How many games the interpreter plays in about half a second."""
    if name in SLOWEST:
        return 2
    return 6 if is_large(name, options) else 18


def label(setting: object) -> str | None:
    """A name for a test."""
    if isinstance(setting, dict):
        return ",".join(f"{name}={value}" for name, value in setting.items()) or "default"
    return None


def assert_same(expected: Playouts, actual: Playouts, what: str) -> None:
    """Every array of the interpreter's games is the native engine's."""
    for name in ARRAYS:
        one, other = getattr(expected, name), getattr(actual, name)
        assert one.dtype == other.dtype, (what, name)
        if not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
            games = np.flatnonzero((one != other) if one.ndim == 1 else (one != other).any(axis=1))
            shown = [(int(g), one[g], other[g]) for g in games[:5]]
            raise AssertionError(f"{what}: {name} differs in games {shown}")


def agree(name: str, options: dict[str, object], games: int, seed: int) -> Playouts:
    """Play on both engines; raises if they differ. What the native one found."""
    game = ludeme.load(name, **options)
    limit = TURN_LIMITS.get(name, 2000)
    expected = game.playouts(games, seed=seed, engine="python", turn_limit=limit)
    actual = game.playouts(games, seed=seed, engine="native", turn_limit=limit)
    assert actual.asked.engine == "native"
    assert_same(expected, actual, f"{game!r}, seed {seed}")
    return actual


@pytest.mark.parametrize(("name", "options"), settings(), ids=label)
def test_both_engines_play_the_same_games(name: str, options: dict[str, object]) -> None:
    """Status, lengths, ends, winners, scores, moves and widths are equal; no game is faulty."""
    assert agree(name, options, few(name, options), seed=7).count("faulty") == 0


def test_every_option_of_a_shipped_game_is_varied() -> None:
    """A new option must be given values here."""
    for name in shipped():
        assert set(ludeme.load(name).options) == set(SIZES.get(name, {})), name


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), every_setting(), ids=label)
def test_thousands_of_games_are_the_same(name: str, options: dict[str, object]) -> None:
    """As above for two thousand games, of the larger boards for six hundred."""
    played, faulty = 0, 0
    for seed in range(100, 110):
        found = agree(name, options, 60 if is_large(name, options) else 200, seed)
        played += len(found)
        faulty += found.count("faulty")
    print(f"{name} {label(options)}: {played} games agree, {faulty} of them faulty")


def test_a_different_seed_is_noticed() -> None:
    """The comparison can fail: games of another seed differ."""
    game = ludeme.load("tic_tac_toe")
    one = game.playouts(40, seed=1, engine="python")
    other = game.playouts(40, seed=2, engine="native")
    with pytest.raises(AssertionError, match="differs"):
        assert_same(one, other, "seeds")
