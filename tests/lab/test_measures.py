"""Every measure on games written by hand, its value worked out on paper."""

from __future__ import annotations

import pytest
from lab.by_hand import Hand, games

from ludeme.lab.figures import Sample, Tables, balance, gates, lengths, tree_size
from ludeme.lab.games import FAULTY, UNFINISHED, Games

WON, LOST = Hand(winner=0, width=[3, 2]), Hand(winner=1, width=[3, 2])
DRAWN, CUT = Hand(end=1, width=[3, 2]), Hand(status=UNFINISHED, width=[3, 2])


def samples(table: Games) -> dict[str, Sample]:
    return Tables(table, table).samples()


def value(key: str, *hands: Hand, **other: object) -> float:
    return samples(games(*hands, **other))[key].value


def test_wins_draws_and_games_cut_off_are_never_one_number() -> None:
    """Ten games: four wins, three draws, three cut off."""
    found = samples(games(WON, WON, WON, LOST, DRAWN, DRAWN, DRAWN, CUT, CUT, CUT))
    expected = {
        "completion": (0.4, 10, "all games"),
        "unfinished": (0.3, 10, "all games"),
        "faulty": (0.0, 10, "all games"),
        "draws": (3 / 7, 7, "finished games"),
        "wins.1": (3 / 7, 7, "finished games"),
        "wins.2": (1 / 7, 7, "finished games"),
        "first_player": (4.5 / 7, 7, "finished games"),
        "end.line": (4 / 7, 7, "finished games"),
        "end.full": (3 / 7, 7, "finished games"),
    }
    for key, (share, count, over) in expected.items():
        assert found[key].value == pytest.approx(share), key
        assert (found[key].count, found[key].measure.over) == (count, over), key


def test_where_no_game_is_finished_nothing_is_said_of_those_that_are() -> None:
    found = samples(games(CUT, CUT))
    assert found["unfinished"].value == 1
    assert not {"draws", "wins.1", "length", "end.line", "margin"} & set(found)


def test_balance_is_one_less_the_widest_gap() -> None:
    table = samples(games(WON, WON, WON, LOST))
    assert balance(table, 2) == pytest.approx(1 - (0.75 - 0.25))
    drawn = samples(games(DRAWN, DRAWN))
    assert balance(drawn, 2) == 1  # which is why the draws stand beside it


def test_lengths_are_of_finished_games() -> None:
    hands = [Hand(width=[2] * length) for length in (1, 2, 3, 4)]
    table = games(*hands, Hand(status=UNFINISHED, width=[2] * 99))
    assert samples(table)["length"].value == 2.5
    found = lengths(table)
    assert found is not None
    assert (found["min"], found["50%"], found["max"]) == (1, 2.5, 4)


def test_the_length_by_end() -> None:
    found = samples(games(Hand(width=[2] * 3), Hand(width=[2] * 5), Hand(end=1, width=[2])))
    assert found["end_length.line"].value == 4
    assert found["end_length.full"].value == 1


def test_one_game_has_its_own_figures() -> None:
    """A list of one has a median; a mean has no range yet."""
    table = games(Hand(winner=0, width=[4, 6]))
    found = samples(table)
    assert found["length"].value == 2
    assert found["length"].interval() is None
    assert lengths(table) == dict.fromkeys(("min", "5%", "25%", "50%", "75%", "95%", "max"), 2)


def test_branching_is_a_mean_over_moves_not_over_games() -> None:
    """One game of a move among ten, one of three moves among two: 16 / 4, not (10 + 2) / 2."""
    assert value("branching", Hand(width=[10]), Hand(width=[2, 2, 2])) == 4


def test_real_choices_and_how_many_moves_they_are_among() -> None:
    hands = Hand(width=[1, 3, 1]), Hand(width=[5])
    assert value("real", *hands) == 2 / 4
    assert value("decision_factor", *hands) == (3 + 5) / 2


def test_the_trend_is_the_slope_of_each_game() -> None:
    """5, 3, 1 falls by 2 each time; 1, 2 rises by 1; a lone move has no slope."""
    assert value("trend", Hand(width=[5, 3, 1]), Hand(width=[1, 2])) == pytest.approx(-0.5)
    assert value("trend", Hand(width=[5, 3, 1]), Hand(width=[9])) == pytest.approx(-2)
    # 1, 2, 1, 4 at 0, 1, 2, 3: sum of (x - 1.5)(y - 2) = 1.5 + 0 - 0.5 + 3 = 4, over 5
    assert value("trend", Hand(width=[1, 2, 1, 4])) == pytest.approx(0.8)


def test_the_tree_is_length_times_the_logarithm_of_the_mean_choice() -> None:
    table = samples(games(Hand(width=[10, 1000, 10, 380])))  # 4 decisions among 350 on average
    assert tree_size(table) == pytest.approx(4 * 2.5440680443502757)


def test_kinds_of_moves() -> None:
    """A move may be of two kinds at once: bit 0 is a step, bit 1 a jump."""
    hands = Hand(width=[2, 2, 2], kind=[1, 2, 3]), Hand(width=[2], kind=[1])
    assert value("kind.go: step", *hands) == 3 / 4
    assert value("kind.go: jump", *hands) == 2 / 4


def test_coverage_counts_sites_that_held_something_once() -> None:
    hands = Hand(width=[2], held=[2, 0, 0, 1]), Hand(width=[2], held=[1, 0, 0, 0])
    assert value("coverage", *hands) == (2 / 4 + 1 / 4) / 2


def test_occupied_is_a_mean_over_the_states_of_each_game() -> None:
    hands = Hand(width=[2], occupied=[0, 2]), Hand(width=[2, 2, 2], occupied=[4, 4, 4, 4])
    assert value("occupied", *hands) == (1 / 4 + 1) / 2


def test_repetition_is_one_less_the_share_of_new_states() -> None:
    """Whole-number division would make it 1 or 0: six states, five pictures."""
    hand = Hand(width=[2] * 5, pictures=5, situations=6)
    assert value("repetition", hand) == pytest.approx(1 / 6)
    assert value("situational_repetition", hand) == 0


def test_margins_and_scores_are_of_games_that_a_ranking_decided() -> None:
    hands = Hand(scores=(7, 3)), Hand(scores=(2, 4)), Hand()
    assert value("margin", *hands) == 3
    assert value("score.1", *hands) == 4.5
    assert samples(games(*hands))["margin"].count == 2


# ---- with an evaluator


def course(*values: tuple[float, float], **more: object) -> Hand:
    """A finished game with these values before its moves; its last state tells the result."""
    return Hand(width=[2] * len(values), value=[*values, (9.0, 9.0)], **more)  # type: ignore[arg-type]


def test_whoever_leads_throughout_changes_nothing() -> None:
    hand = course((0.6, 0.4), (0.7, 0.3), (0.9, 0.1), winner=0)
    assert value("lead_changes", hand, evaluator="score") == 0


def test_lead_changes_count_steps_and_even_states() -> None:
    """Even, Ann, Ann, Bob: two of three steps change who leads."""
    hand = course((1, 1), (2, 1), (3, 1), (3, 4), winner=1)
    assert value("lead_changes", hand, evaluator="score") == pytest.approx(2 / 3)


def test_drama_is_how_far_the_winner_was_behind_on_average() -> None:
    """Behind by 0.2, level, ahead: (0.2 + 0 + 0) / 3. Draws have none."""
    hand = course((0.4, 0.6), (0.5, 0.5), (0.8, 0.2), winner=0)
    drawn = course((0.4, 0.6), (0.5, 0.5))
    assert value("drama", hand, drawn, evaluator="playouts:9") == pytest.approx(0.2 / 3)


def test_decisiveness_is_when_the_winner_had_more_than_any_other_ever_had() -> None:
    """Bob had 0.6 at most; Ann first has more before the third of four moves."""
    hand = course((0.4, 0.6), (0.6, 0.4), (0.7, 0.3), (0.9, 0.1), winner=0)
    assert value("decisiveness", hand, evaluator="playouts:9") == 2 / 4
    never = course((0.4, 0.6), (0.5, 0.5), winner=0)
    assert value("decisiveness", never, evaluator="playouts:9") == 1


def test_without_an_evaluator_there_are_no_such_measures() -> None:
    found = samples(games(course((0.4, 0.6), winner=0)))
    assert not {"lead_changes", "drama", "decisiveness"} & set(found)


# ---- gates


def test_gates_come_before_averages() -> None:
    found = samples(games(*[CUT] * 9, WON))
    assert [gate.key for gate in gates(found)] == ["unfinished", "completion", "length", "coverage"]
    faulty = samples(games(Hand(status=FAULTY), WON))
    assert gates(faulty)[0].words == "the description failed in 50.0% of the games"
