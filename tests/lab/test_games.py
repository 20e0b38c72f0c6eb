"""Tables of games: the same whatever came first and whoever played."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from lab.dice import dice

import ludeme
from ludeme.lab.games import COLUMNS, Games, Setting, empty, merge
from ludeme.lab.play import Plan, play, play_all

# Whoever is to move takes one or two from a row of five; who takes the last has won.
NIM = """
game "Row of five"
players First, Second
board sites
  h1 - h2 - h3 - h4 - h5
piece stone
start
  put First stone on board
turn take
  one of
    - one
        choose site from occupied
        remove site
    - two
        choose 2 sites from occupied
        remove sites
end
  mover wins by last when no occupied
"""


def same(one: Games, other: Games) -> bool:
    return set(one.columns) == set(other.columns) and all(
        np.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f")
        for name in one.columns
    )


@pytest.fixture(scope="module")
def observed() -> Games:
    return play(Plan(ludeme.load("constructo"), seed=5, detailed=True), range(12))


def test_parts_in_any_order_give_the_same_table(observed: Games) -> None:
    rows = np.arange(12)
    parts = [observed.take(rows[7:]), observed.take(rows[:3]), observed.take(rows[2:9])]
    assert same(observed, merge(parts))
    assert same(observed, merge([observed, empty(observed.setting, detailed=True)]))


def test_batches_played_apart_are_the_games_of_one_run(observed: Games) -> None:
    plan = Plan(ludeme.load("constructo"), seed=5, detailed=True)
    parts = [play(plan, range(i, i + 4)) for i in (8, 0, 4)]
    assert same(observed, merge(parts))


def test_processes_change_nothing(observed: Games) -> None:
    plan = Plan(ludeme.load("constructo"), seed=5, detailed=True)
    assert same(observed, play_all(plan, range(12), jobs=2))


@pytest.mark.parametrize("name", ["constructo", "constello", "tic_tac_toe", "english_draughts"])
def test_an_observed_game_is_the_playout_of_its_number(name: str) -> None:
    game = ludeme.load(name)
    rows = play(Plan(game, seed=9), range(6))
    details = play(Plan(game, seed=9, detailed=True), range(6)).rows()
    estimates = {"widths", "joint_widths"}
    for column in set(rows.columns) - estimates:
        assert np.array_equal(rows[column], details[column], equal_nan=column == "scores"), column


def test_engines_observe_alike() -> None:
    game = ludeme.load("tic_tac_toe")
    plans = [Plan(game, seed=2, detailed=True, engine=engine) for engine in ("auto", "python")]
    assert same(play(plans[0], range(5)), play(plans[1], range(5)))


def test_entries_follow_from_moves_and_decisions(observed: Games) -> None:
    for name, array in observed.columns.items():
        column = COLUMNS[name]
        assert int(observed.lengths(column.entries).sum()) == len(array), name
        assert array.shape[1:] == tuple(observed.setting.sizes[axis] for axis in column.shape)


def test_what_is_not_one_table_is_not_merged(observed: Games) -> None:
    with pytest.raises(ValueError, match="different settings"):
        merge([observed, play(Plan(ludeme.load("constructo"), seed=6, detailed=True), range(1))])
    with pytest.raises(ValueError, match="rows and details"):
        merge([observed, observed.rows()])
    with pytest.raises(ValueError, match="nothing to merge"):
        merge([])


def test_a_setting_survives_json_and_pickle(observed: Games) -> None:
    setting = observed.setting
    assert setting == Setting.from_dict(json.loads(json.dumps(setting.as_dict())))
    assert setting == pickle.loads(pickle.dumps(setting))


def test_the_columns_of_a_game_played_by_hand() -> None:
    """What is written down of a game agrees with the game as its moves tell it."""
    game = ludeme.load_text(NIM)
    seen = play(Plan(game, seed=1, detailed=True), range(20))
    assert seen.setting.kinds_of_move == ("take: one", "take: two")
    for row in range(20):
        one = seen.take(np.array([row]))
        taken = one["kind"].tolist()  # 1 for one stone, 2 for two: what the bits happen to say
        left = [5 - sum(taken[:i]) for i in range(len(taken) + 1)]
        assert left[-1] == 0
        assert left == one["occupied"].tolist()
        assert [n + n * (n - 1) // 2 for n in left[:-1]] == one["width"].tolist()
        assert len(left) == one["pictures"][0]  # the row only ever shrinks
        assert [i % 2 for i in range(len(taken))] == one["mover"].tolist()
        assert (len(taken) - 1) % 2 == one["winner"][0]
        assert sum(left) == one["held"].sum() == one["held"][0, 0].sum()


def test_chance_decides_but_makes_no_move() -> None:
    """After each move a die is thrown: half of the decisions are moves, each among nine cells."""
    seen = play(Plan(dice(tie=20), seed=4, detailed=True), range(30))
    assert seen.setting.kinds_of_move == ("put",)
    assert (seen["decisions"] == 2 * seen["moves"]).all()
    assert (seen["decision"] % 2 == 0).all()
    assert (seen["width"] == 9).all()
    rows = play(Plan(dice(tie=20), seed=4), range(30))
    for column in ("number", "decisions", "winner", "end", "moves", "widths", "joint_widths"):
        assert np.array_equal(rows[column], seen[column]), column
