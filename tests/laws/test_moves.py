"""What holds of moves: listed, played, refused and explained by one program."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludeme import IllegalMove, Move, State

from .reached import EVERY, SEEDS, Setting, game_of, label, some, states, walk

EACH = pytest.mark.parametrize("setting", EVERY, ids=label)
BRIEF = settings(max_examples=6, deadline=None, derandomize=True)


def snapshot(state: State) -> tuple[Any, ...]:
    """Everything that may not change under a state."""
    return repr(state.cells), state.key, hash(state), state.to_move, state.outcome, state.path


@EACH
@BRIEF
@given(data=st.data())
def test_every_listed_move_prints_uniquely_and_can_be_played(
    setting: Setting, data: st.DataObject
) -> None:
    """A listed move is written in one way, is legal, and leads on; the list is stable."""
    state = data.draw(states(setting))
    for player in state.to_move:
        moves = state.moves(player)
        texts = [move.text for move in moves]
        assert moves
        assert len(set(texts)) == len(texts)
        assert [str(move) for move in moves] == texts
        assert {move.player for move in moves} == {player}
        machine = state.game.machine
        (number,) = (n for n in machine.deciders(state.cells) if machine.decider_name(n) == player)
        assert texts == machine.moves(state.cells, number)
        assert len(texts) == machine.count(state.cells, number)
        for text in some(texts, data.draw(SEEDS), 6):
            assert state.why(text, player) is None
    for decision in _some_decisions(state, data.draw(SEEDS)):
        before = snapshot(state)
        after = state.play(decision)
        assert snapshot(state) == before
        assert after.path.split("; ")[-1] == decision
        assert after.to_move or after.outcome


def _some_decisions(state: State, seed: int) -> list[str]:
    listed = [
        some([move.text for move in state.moves(player)], seed, 3) for player in state.to_move
    ]
    return [" | ".join(joint) for joint in product(*listed)] if listed else []


@EACH
@BRIEF
@given(data=st.data())
def test_texts_that_are_not_listed_are_refused(setting: Setting, data: st.DataObject) -> None:
    """A text that is no legal move raises IllegalMove, with what `why` says; nothing changes."""
    state = data.draw(states(setting))
    if not state.to_move:
        return
    player = data.draw(st.sampled_from(state.to_move))
    legal = {move.text for move in state.moves(player)}
    others = {p: state.moves(p)[0].text for p in state.to_move if p != player}
    before = snapshot(state)
    wrong = sorted(_wrong_texts(data, state, sorted(legal)) - legal)
    for text in data.draw(st.lists(st.sampled_from(wrong), max_size=3, unique=True)):
        refusal = state.why(text, player)
        assert isinstance(refusal, IllegalMove), text
        assert refusal.text == text
        assert refusal.understood == bool(refusal.reasons)
        assert str(refusal)
        with pytest.raises(IllegalMove) as caught:
            state.play({player: text, **others})
        assert (caught.value.reasons, caught.value.near) == (refusal.reasons, refusal.near)
        if not others:
            with pytest.raises(IllegalMove):
                state.play(text)
        assert snapshot(state) == before


def _wrong_texts(data: st.DataObject, state: State, legal: list[str]) -> set[str]:
    """Moves of other states, and texts with a slip in them."""
    text = data.draw(st.sampled_from(legal))
    at = data.draw(st.integers(0, len(text) - 1))
    elsewhere = walk(state.game, data.draw(SEEDS), 3)
    found = {
        move.text
        for other in elsewhere
        for name in other.to_move
        for move in other.moves(name)[:: max(1, len(other.moves(name)) // 4)]
    }
    return found | {
        "",
        " ",
        "pass",
        text.upper(),
        f" {text}",
        f"{text} ",
        f"{text}\n",
        f"{text}; {text}",
        text[:at] + text[at + 1 :],
        text[:at] + " " + text[at:],
        text[:at] + "é" + text[at + 1 :],
        text.replace(" ", "  "),
        " ".join(reversed(text.split(" "))),
    }


@pytest.mark.parametrize("alone", [0, 1])
@pytest.mark.parametrize("name", ["astralesce", "constellation"])
@settings(max_examples=8, deadline=None, derandomize=True)
@given(data=st.data())
def test_why_explains_every_slide_that_is_not_legal(
    name: str, alone: int, data: st.DataObject
) -> None:
    """Between any two cells: None of a legal slide, a located reason of any other."""
    state = data.draw(states((name, (("order", 3), ("alone", alone)))))
    if not state.to_move:
        return
    legal = {move.text for move in state.moves()}
    names = state.game.board.graph.nodes
    for origin, goal in product(names, names):
        text = f"{origin}-{goal}"
        refusal = state.why(text)
        assert (refusal is None) == (text in legal), text
        if refusal is not None:
            assert refusal.understood, text
            assert all(reason.span.line > 0 and reason.message for reason in refusal.reasons)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(data=st.data())
def test_why_explains_every_pair_of_stones_that_is_not_legal(data: st.DataObject) -> None:
    """Of two cells in board order: None of a legal turn, a located reason of any other."""
    state = data.draw(states(("consta", (("size", 4),))))
    if not state.to_move or not state.path:
        return
    legal = {move.text for move in state.moves()}
    names = list(state.game.board.graph.nodes)
    for i, one in enumerate(names):
        for two in names[i:]:
            text = f"{one} {two}"
            refusal = state.why(text)
            assert (refusal is None) == (text in legal), text
            assert refusal is None or refusal.understood, text


# ---- the order of a list


def _sites_of(state: State, text: str) -> list[int]:
    order = {name: i for i, name in enumerate(state.game.board.graph.nodes)}
    words = text.replace("-", " ").replace(",", " ").split()
    return [order[word] for word in words if word in order]


@pytest.mark.parametrize(
    "setting",
    [s for s in EVERY if s[0] in ("astralesce", "constellation", "consta", "constello")],
    ids=label,
)
@BRIEF
@given(data=st.data())
def test_moves_come_in_the_order_of_their_choices(setting: Setting, data: st.DataObject) -> None:
    """Bullets as written; in each, smaller numbers of sites first, then sites in board order."""
    state = data.draw(states(setting))
    for player in state.to_move:
        keys = []
        for move in state.moves(player):
            sites = _sites_of(state, move.text)
            bullet = 0
            if setting[0] == "consta":
                bullet = int(len(sites) == 2 and sites[0] == sites[1])
            elif setting[0] == "constello":
                bullet = 1 if move.text.startswith("capture") else 2 * (move.text == "pass")
            keys.append((bullet, len(sites), sites))
        assert keys == sorted(keys)


def test_constructo_lists_places_kind_by_kind_then_climbs() -> None:
    """The pieces come in the order of their declaration, the tiles in board order."""
    state = game_of(("constructo", ())).start().play("pattern lens")
    texts = [move.text for move in state.moves()]
    tiles = ["b2", "b3", "c1", "c2", "c3", "c4", "c5", "d3", "d4"]
    assert texts == [f"{kind} {tile}" for kind in ("ring", "medium", "small") for tile in tiles]
    climbing = state.play("small c1").play("ring c2").play("small b2")
    moves = [move.text for move in climbing.moves()]
    assert moves[-2:] == ["c2-b2", "c2-c1"]


# ---- forms of a decision


def test_a_joint_decision_has_four_forms() -> None:
    """One text, blanks around the bar being free, or a mapping to moves or texts."""
    state = game_of(("constello", ())).start()
    black, white = state.moves("Black")[0], state.moves("White")[-1]
    expected = state.play(f"{black} | {white}")
    assert state.play(f"{black}|{white}") == expected
    assert state.play(f"  {black}  |  {white} ") == expected
    assert state.play({"White": white, "Black": black}) == expected
    assert state.play({"White": white.text, "Black": black.text}) == expected
    assert expected.path == f"{black} | {white}"


@pytest.mark.parametrize(
    "decision",
    [
        "place a1",
        "place a1 | place b1 | place c1",
        "place a1, place b1",
        Move("Black", "place a1"),
        {"Black": "place a1"},
        {"Black": "place a1", "White": "place a1", "Red": "place a1"},
        {"Black": "place a1", "Red": "place a1"},
        {"Black": Move("White", "place a1"), "White": Move("Black", "place a1")},
        {},
        "",
        "|",
        "place a1 | secure a1",
        "secure a1 | place a1",
    ],
)
def test_a_wrong_joint_decision_is_refused(decision: Any) -> None:
    """A move of each decider is wanted, each legal, each their own."""
    state = game_of(("constello", ())).start()
    with pytest.raises(IllegalMove):
        state.play(decision)


def test_a_decision_of_one_player_has_three_forms() -> None:
    """A move, its text, or a mapping."""
    state = game_of(("consta", (("size", 5),))).start()
    expected = state.play("c3")
    assert state.play(Move("Black", "c3")) == expected
    assert state.play({"Black": "c3"}) == expected
    assert state.play({"Black": Move("Black", "c3")}) == expected


@pytest.mark.parametrize(
    "decision", ["c3 | c3", "c3|", Move("White", "c3"), {"White": "c3"}, {}, " c3", "c3 ", "C3"]
)
def test_a_wrong_form_of_one_player_is_refused(decision: Any) -> None:
    """No bar, no blanks, nobody else's move."""
    state = game_of(("consta", (("size", 5),))).start()
    with pytest.raises(IllegalMove):
        state.play(decision)


def test_the_right_form_is_named_where_only_the_form_is_wrong() -> None:
    """Order, case and blanks: the message gives the move as it is written."""
    state = game_of(("consta", (("size", 5),))).start()
    for wrong in ("C3", " c3", "c3 "):
        refusal = state.why(wrong)
        assert refusal is not None
        assert refusal.near == ("c3",)
        assert not refusal.understood
    after = state.play("c3")
    for wrong in ("b1 a1", "a1  b1", "A1 B1"):
        refusal = after.why(wrong)
        assert refusal is not None
        assert refusal.near == ("a1 b1",)


def test_moves_of_several_deciders_are_asked_for_by_name() -> None:
    """Where several decide the player must be named; an unknown name is a ValueError."""
    state = game_of(("constello", ())).start()
    with pytest.raises(ValueError, match="say whose"):
        state.moves()
    with pytest.raises(ValueError, match="say who"):
        state.why("pass")
    with pytest.raises(ValueError, match="no player is called"):
        state.moves("Red")
    assert len(state.moves("White")) == 405
    one = game_of(("consta", (("size", 5),))).start()
    assert one.moves("White") == []
    refusal = one.why("a1", "White")
    assert refusal is not None
    assert "does not decide" in str(refusal)
