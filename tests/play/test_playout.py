"""Random games: what they come to, and what they depend on."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import attrs
import numpy as np
import pytest

import ludeme
from ludeme.machine import Stream
from ludeme.play.playout import end_names
from ludeme.play.results import STATUSES, Playouts
from tests.play.texts import BOTH, COIN, RISKY, STUCK, WALK

ARRAYS = ("status", "decisions", "ends", "winners", "scores", "moves", "widths", "joint_widths")
SMALL = {"consta": {"size": 5}, "astralesce": {"order": 3}, "constello": {}, "constructo": {}}


def game(text: str, name: str = "game") -> ludeme.Game:
    return ludeme.load_text(text, name)


def assert_same(expected: Playouts, actual: Playouts) -> None:
    """All that depends on the games is equal; the time is not compared."""
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(expected, name), getattr(actual, name), name)
    assert expected.fault_number == actual.fault_number
    assert str(expected.fault) == str(actual.fault)


# ---- what the figures mean


def test_one_move_decides_a_coin() -> None:
    """Each site is drawn a quarter of the time.

    Of 2,000 games each site is expected in 500, with a standard deviation of 19.4; the bound of 100
    is beyond five of them, and the seed is fixed.
    """
    played = game(COIN).playouts(2000, seed=1)
    summary = played.summary()
    assert summary["games"] == {"total": 2000, "finished": 2000, "unfinished": 0, "faulty": 0}
    counts = {name: share["count"] for name, share in summary["winners"].items()}
    assert sum(counts.values()) == 2000
    assert pytest.approx(counts["A"], abs=130) == 1000
    assert pytest.approx(counts["B"], abs=100) == 500
    assert pytest.approx(counts["draw"], abs=100) == 500
    ends = {name: share["count"] for name, share in summary["ends"].items()}
    assert {"left": counts["A"], "corner": counts["draw"], "right": counts["B"], "luck": 0} == ends


def test_lengths_and_widths_of_a_coin_are_exact() -> None:
    played = game(COIN).playouts(50)
    assert (
        dict.fromkeys(("min", "5%", "25%", "median", "75%", "95%", "max", "mean"), 1.0)
        == (played.summary()["length"])
    )
    branching = played.summary()["branching"]
    assert (branching["moves"], branching["decisions"]) == (4.0, 4.0)


def test_shares_are_of_the_finished_games() -> None:
    """A fault, a limit and an end are three different things."""
    played = game(RISKY).playouts(400)
    games = played.summary()["games"]
    assert games["finished"] + games["faulty"] == 400
    assert games["finished"] == played.summary()["winners"]["B"]["count"]
    assert played.summary()["winners"]["B"]["share"] == 1.0
    assert {2} == set(played.decisions[played.finished])


def test_a_game_without_end_is_unfinished_and_no_draw() -> None:
    played = game(WALK).playouts(5, turn_limit=30)
    assert played.summary()["games"] == {"total": 5, "finished": 0, "unfinished": 5, "faulty": 0}
    assert list(played.decisions) == [30] * 5
    assert list(played.winners) == [-1] * 5
    assert None is played.summary()["winners"]["draw"]["share"]
    assert None is played.summary()["length"]


def test_a_game_that_ends_with_its_last_decision_is_finished() -> None:
    assert game(COIN).playouts(5, turn_limit=1).count("finished") == 5
    assert game(COIN).playouts(5, turn_limit=0).count("unfinished") == 5


def test_the_first_fault_is_kept_with_the_moves_that_led_to_it() -> None:
    played = game(STUCK, "stuck").playouts(10)
    assert played.count("faulty") == 10
    assert played.fault_number == 0
    assert played.fault is not None
    assert played.fault.diagnostic.code == "stuck"
    moves = played.fault.moves.split("; ")
    assert sorted(moves) == ["a1", "a2", "b1", "b2"]
    assert list(played.decisions) == [4] * 10


def test_the_moves_of_a_fault_lead_to_it() -> None:
    """As the message says: play them, and the fault is there."""
    played = game(RISKY).playouts(100, seed=3)
    assert played.fault is not None
    state = game(RISKY).start()
    for text in filter(None, played.fault.moves.split("; ")):
        state = state.play(text)
    with pytest.raises(ludeme.DescriptionFault, match="luck"):
        state.play("a1")


def test_a_fault_in_the_first_state_makes_every_game_faulty() -> None:
    text = COIN.replace("turn as", "start\n  put 2 A p on a1\nturn as")
    played = game(text).playouts(3)
    assert played.count("faulty") == 3
    assert list(played.decisions) == [0, 0, 0]


def test_decisions_taken_together_are_counted_once() -> None:
    """Three plans each: nine joint choices, of which three are equal and go on.

    The length is geometric with mean 1 / (1 - 1/3) = 1.5 and standard deviation 0.87; over 2,000
    games that of the mean is 0.02, the bound five times that.
    """
    played = game(BOTH).playouts(2000, seed=2)
    assert pytest.approx(played.summary()["length"]["mean"], abs=0.1) == 1.5
    assert played.summary()["branching"] == {"moves": 3.0, "decisions": 9.0, "estimated": True}
    np.testing.assert_array_equal(2 * played.decisions, played.moves)


def test_widths_estimate_the_number_of_legal_moves() -> None:
    """Slides are drawn, and refused if the disc sees no larger group: the estimate is 0 then.

    Over 4,000 first decisions its mean lies within five standard errors of what listing finds.
    """
    shipped = ludeme.load("astralesce", order=3)
    played = shipped.playouts(4000, turn_limit=1, seed=5)
    spread = float(played.widths.std()) / 4000**0.5
    assert spread > 0
    listed = len(shipped.start().moves())
    assert listed == pytest.approx(float(played.widths.mean()), abs=5 * spread)


def test_scores_are_given_where_a_ranking_decided() -> None:
    played = ludeme.load("constello").playouts(5)
    assert played.scores.shape == (5, 2)
    assert not np.isnan(played.scores).any()
    assert {"Black", "White"} == set(played.summary()["scores"])
    coin = game(COIN).playouts(2)
    assert np.isnan(coin.scores).all()
    assert None is coin.summary()["scores"]


def test_quantiles_by_hand() -> None:
    """Of lengths 2, 4, 6, 8, 10, in a result made up for this."""
    played = game(COIN).playouts(5)
    lengths = np.array([10, 2, 8, 4, 6])
    made = attrs.evolve(played, decisions=lengths, wall_seconds=1.0, cpu_seconds=2.0)
    expected = {
        "min": 2.0, "5%": 2.4, "25%": 4.0, "median": 6.0, "75%": 8.0, "95%": 9.6, "max": 10.0,
        "mean": 6.0,
    }  # fmt: skip
    assert expected == pytest.approx(made.summary()["length"])
    assert (
        made.summary()["speed"]["games_per_second"],
        made.summary()["speed"]["games_per_cpu_second"],
    ) == (5.0, 2.5)


def test_arrays_are_as_documented() -> None:
    played = game(COIN).playouts(7)
    kinds = {name: getattr(played, name).dtype.name for name in ARRAYS}
    assert kinds == {
        "status": "int8",
        "decisions": "int64",
        "ends": "int16",
        "winners": "int8",
        "scores": "float64",
        "moves": "int64",
        "widths": "float64",
        "joint_widths": "float64",
    }
    assert {7} == {len(getattr(played, name)) for name in ARRAYS} | {len(played)}


def test_no_games_at_all() -> None:
    played = game(COIN).playouts(0)
    assert len(played) == 0
    assert None is played.summary()["branching"]
    assert "No game was finished" in str(played)


def test_the_summary_is_json() -> None:
    summary = ludeme.load("constello").playouts(3).summary()
    assert summary == json.loads(json.dumps(summary, allow_nan=False))


def test_ends_in_play_are_ends_too() -> None:
    assert end_names(ludeme.load("constructo").program) == ("towers",)
    assert end_names(ludeme.load("consta").program) == ("chain", "deadlock")


# ---- what a game depends on


@pytest.mark.parametrize("name", SMALL)
def test_jobs_change_nothing(name: str) -> None:
    shipped = ludeme.load(name, **SMALL[name])
    assert_same(shipped.playouts(9, seed=4), shipped.playouts(9, seed=4, jobs=2))


def test_jobs_change_nothing_about_faults() -> None:
    risky = game(RISKY)
    assert_same(risky.playouts(40, seed=1), risky.playouts(40, seed=1, jobs=2))


def test_batches_change_nothing() -> None:
    """Games 0 to 9 are games 0 to 5 and then 6 to 9."""
    consta = ludeme.load("consta", size=5)
    whole = consta.playouts(10, seed=2)
    parts = [consta.playouts(6, seed=2), consta.playouts(4, seed=2, first=6)]
    for name in ARRAYS:
        joined = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(getattr(whole, name), joined, name)


def test_a_seed_gives_the_same_games_and_another_seed_others() -> None:
    coin = game(COIN)
    assert_same(coin.playouts(50, seed=9), coin.playouts(50, seed=9))
    assert list(coin.playouts(50, seed=9).ends) != list(coin.playouts(50, seed=10).ends)


def test_games_of_one_seed_differ() -> None:
    """A seed that every game shares would make all of them the same."""
    assert 4 > len(set(game(COIN).playouts(50).ends)) > 1


def test_the_random_numbers_of_python_and_numpy_play_no_part() -> None:
    coin = game(COIN)
    random.seed(1)
    np.random.seed(1)
    before = coin.playouts(30)
    state = random.getstate()
    random.seed(2)
    np.random.seed(2)
    assert_same(before, coin.playouts(30))
    random.setstate(state)
    coin.playouts(5)
    assert state == random.getstate()


def test_layout_comments_and_names_play_no_part() -> None:
    other = game("-- A comment.\n\n" + COIN.replace("turn as", "\n-- Another.\nturn as"), "other")
    assert_same(game(COIN).playouts(30), other.playouts(30))


def test_each_player_draws_from_a_stream_of_their_own() -> None:
    """The first plan of each is the first number of the stream of (seed, game, player)."""
    both = game(BOTH)
    played = both.playouts(30, seed=6, turn_limit=1)
    for number in range(30):
        plans = [Stream(6, number, player).below(3) for player in (0, 1)]
        winner = -1 if plans[0] == plans[1] else int(plans[1] > plans[0])
        assert winner == played.winners[number]


def test_from_a_position() -> None:
    walk = game(STUCK)
    played = walk.playouts(4, start=walk.start().play("a1").play("b2"))
    assert list(played.decisions) == [2] * 4


def test_from_a_position_of_another_game() -> None:
    with pytest.raises(ValueError, match="position is of"):
        game(COIN).playouts(1, start=game(WALK).start())


def test_a_game_that_is_over_takes_no_decision() -> None:
    coin = game(COIN)
    played = coin.playouts(3, start=coin.start().play("a1"))
    assert list(played.decisions) == [0, 0, 0]
    assert list(played.winners) == [0, 0, 0]


# ---- the call


def test_progress_is_told() -> None:
    told: list[int] = []
    game(COIN).playouts(3, engine="python", progress=told.append)
    assert told == [1, 2, 3]


def test_progress_of_several_processes_ends_with_all_games() -> None:
    told: list[int] = []
    game(COIN).playouts(70, jobs=2, progress=told.append)
    assert sorted(told) == told
    assert told[-1] == 70


@pytest.mark.parametrize(
    "how",
    [
        {"games": -1},
        {"games": 10**9},
        {"games": 1, "seed": -1},
        {"games": 1, "seed": 1 << 64},
        {"games": 1, "first": -1},
        {"games": 1, "jobs": 0},
        {"games": 1, "turn_limit": -1},
        {"games": 1, "engine": "steam"},
    ],
)
def test_nonsense_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(name for name in reversed(how))):
        game(COIN).playouts(**how)


def test_an_error_of_a_process_arrives() -> None:
    coin = game(COIN)
    with pytest.raises(TypeError):
        coin.playouts(4, jobs=2, turn_limit=_Unusual(3), engine="python")


class _Unusual(int):
    """A number that cannot be compared in another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        return str, ("no number",)


# ---- the table


def test_the_table_reads_well() -> None:
    text = str(game(COIN, "coin").playouts(400, seed=1))
    lines = text.split("\n")
    assert lines[0] == "Coin (coin.game)"
    assert lines[1] == "400 random games, seed 1"
    assert any(line.split()[:2] == ["finished", "400"] for line in lines)
    assert any(line.split() == ["luck", "never", "under", "0.7%"] for line in lines)
    assert "4.0 on average (estimated from the draws)" in text
    assert not any(line != line.rstrip() for line in lines)


def test_the_table_tells_the_limit_and_the_faults() -> None:
    assert "stopped at the limit of 30 decisions" in str(game(WALK).playouts(2, turn_limit=30))
    assert "the description failed in play" in str(game(STUCK).playouts(2))


def test_playouts_pickle() -> None:
    played = game(STUCK).playouts(3)
    assert_same(played, pickle.loads(pickle.dumps(played)))


def test_statuses_are_in_the_order_that_the_arrays_mean() -> None:
    assert STATUSES == ("finished", "unfinished", "faulty")
