"""What holds of states: values that can be compared, kept and sent."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import Any

import probe
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from independent import consta, constello, constructo, hexslide

import ludeme
from ludeme import (
    DescriptionError,
    DescriptionFault,
    Diagnostic,
    Game,
    IllegalMove,
    Move,
    Outcome,
    State,
)
from ludeme.diagnostics import Note, Source, Span
from ludeme.machine import CHANCE, Stream

from .reached import EVERY, SEEDS, Setting, depths, game_of, label, states, walk

EACH = pytest.mark.parametrize("setting", EVERY, ids=label)
BRIEF = settings(max_examples=6, deadline=None, derandomize=True)


# ---- over or not


@EACH
@BRIEF
@given(data=st.data())
def test_somebody_can_move_unless_the_game_is_over(setting: Setting, data: st.DataObject) -> None:
    """Deciders have moves and there is no outcome; or there is one, and nobody can do anything."""
    state = data.draw(states(setting))
    players = state.game.players
    deciding = state.to_move
    in_order = (*players, CHANCE)
    assert list(deciding) == [player for player in in_order if player in deciding]
    assert CHANCE not in deciding or len(deciding) == 1
    for player in in_order:
        assert bool(state.moves(player)) == (player in deciding)
    assert (state.outcome is None) == bool(deciding)
    if deciding:
        return
    assert state.moves() == []
    assert state.perft(1) == 0
    assert state.outcome is not None
    assert state.outcome.winner in (None, *players)
    assert str(state.outcome)
    for move in ("a1", "", "pass", Move(players[0], "a1"), {players[0]: "a1"}, {}):
        with pytest.raises(IllegalMove, match="over"):
            state.play(move)
    refusal = state.why("a1")
    assert refusal is not None
    assert "over" in str(refusal)


@EACH
def test_random_play_comes_to_an_end(setting: Setting) -> None:
    """Each shipped game ends, by an end that it names, but where nobody finds home by chance."""
    game = game_of(setting)
    aimless = setting[0] in AIMLESS
    played = game.playouts(3, turn_limit=100 if aimless else 4_000)
    assert played.count("faulty") == 0
    if aimless:
        return
    assert played.count("finished") == 3
    assert all(played.asked.ends[end] for end in played.ends)


AIMLESS = {"chinese_checkers"}
"""Games in which random players do not bring all their pieces home."""


# ---- equality


@EACH
@BRIEF
@given(data=st.data())
def test_equal_states_hash_alike(setting: Setting, data: st.DataObject) -> None:
    """The same decisions give equal states with equal keys; every state on the way differs."""
    seed, depth = data.draw(SEEDS), data.draw(depths(setting))
    once, twice = walk(game_of(setting), seed, depth), walk(game_of(setting), seed, depth)
    for one, two in zip(once, twice, strict=True):
        assert one == two
        assert hash(one) == hash(two)
        assert one.key == two.key
        assert 0 <= one.key < 2**64
    for i, one in enumerate(once):
        for two in once[i + 1 : i + 3]:
            assert one != two
            assert one.key != two.key


def _starts(name: str) -> tuple[Any, State]:
    """The first position on the independent side and on the engine."""
    match name:
        case "consta":
            return consta.start(4), ludeme.load(name, size=4).start()
        case "constructo":
            return constructo.start(same_pattern=True), ludeme.load(name, same_pattern=True).start()
        case "constello":
            return constello.start(), ludeme.load(name).start()
    return hexslide.start(name, order=3), ludeme.load(name, order=3).start()


def _play(sides: tuple[Any, State], joint: tuple[str, ...]) -> tuple[Any, State] | None:
    """A decision on both sides; None if it is not legal."""
    theirs, ours = sides
    try:
        after = theirs.play(joint if len(joint) > 1 else joint[0])
    except ValueError:
        return None
    return after, ours.play(" | ".join(joint))


def _both_sides(name: str, seed: int) -> Iterator[tuple[Hashable, State]]:
    """States of a random game, and of the same decisions where two of one player change places."""
    rng = random.Random(f"{name} {seed}")
    sides = _starts(name)
    for _ in range(1 + seed % 8):
        made: list[tuple[str, ...]] = []
        ahead: tuple[Any, State] | None = sides
        while ahead and len(made) < 4 and ahead[0].to_move:
            made.append(tuple(rng.choice(ahead[0].moves(p)) for p in ahead[0].to_move))
            ahead = _play(ahead, made[-1])
        for order in ((0, 1, 2, 3), (2, 1, 0, 3), (0, 3, 2, 1), (2, 3, 0, 1), (1, 0, 3, 2)):
            way: tuple[Any, State] | None = sides
            for number in order:
                if way is None or number >= len(made) or not way[0].to_move:
                    break
                way = _play(way, made[number])
                if way is not None:
                    yield way
        following = _play(sides, made[0]) if made else None
        if following is None:
            return
        sides = following


@pytest.mark.parametrize(
    "name", ["consta", "constructo", "constello", "astralesce", "constellation"]
)
def test_states_are_equal_where_the_positions_are(name: str) -> None:
    """By whatever path: equal positions are equal states with equal keys, others are neither."""
    by_position: dict[Hashable, tuple[State, set[str]]] = {}
    by_key: dict[int, Hashable] = {}
    for seed in range(5 if name == "constello" else 8):
        for theirs, ours in _both_sides(name, seed):
            before, paths = by_position.setdefault(theirs, (ours, set()))
            paths.add(ours.path)
            assert before == ours
            assert hash(before) == hash(ours)
            assert before.key == ours.key
            assert by_key.setdefault(ours.key, theirs) == theirs
    assert len(by_position) == len(by_key) > 60
    assert sum(len(paths) > 1 for _, paths in by_position.values()) > 5


def test_buried_pieces_are_part_of_the_key() -> None:
    """Two stones of the first player on one cell are another state than one."""
    game = game_of(("consta", (("size", 3),)))
    high = game.start().play("b2").play("a1 a1").play("b1 b1").play("c1 a2").play("b3 c3")
    low = game.start().play("b1").play("a1 a1").play("b2 b2").play("c1 a2").play("b3 c3")
    assert high != low
    assert high.key != low.key


def test_two_paths_to_one_state() -> None:
    """Stones put in another order make the same state, told by another path."""
    game = game_of(("constructo", ()))
    first = game.start()
    for move in ["pattern lens", "ring b2", "small c1", "ring d4", "small c5"]:
        first = first.play(move)
    second = game.start()
    for move in ["pattern lens", "ring d4", "small c5", "ring b2", "small c1"]:
        second = second.play(move)
    assert first == second
    assert hash(first) == hash(second)
    assert first.path != second.path
    assert [move.text for move in first.moves()] == [move.text for move in second.moves()]


def test_keys_of_many_states_differ() -> None:
    """Among more than five thousand different states no two keys meet."""
    seen: dict[int, tuple[object, ...]] = {}
    for setting in EVERY:
        machine = game_of(setting).machine
        for seed in range(6):
            for state in walk(game_of(setting), seed, 40):
                values = (machine.digest, *machine.values(state.cells))
                assert seen.setdefault(state.key, values) == values
    assert len(seen) > 5_000


def test_states_of_other_games_or_options_are_not_equal() -> None:
    """The meaning and the options belong to a state."""
    starts = [game_of(setting).start() for setting in EVERY]
    for i, one in enumerate(starts):
        assert one != i
        for two in starts[:i]:
            assert one != two
            assert one.key != two.key
    assert ludeme.load("consta", size=3).start() == ludeme.load("consta", size=3).start()


def test_comments_and_layout_are_no_part_of_a_state() -> None:
    """A description with other comments has the same states."""
    text = ludeme.load("consta").sources.texts["consta"]
    one = ludeme.load_text(text, size=4).start().play("a1")
    two = ludeme.load_text("-- another\n" + text + "\n\n-- comment\n", size=4).start().play("a1")
    assert one == two
    assert one.key == two.key


# ---- pickles


@EACH
@settings(max_examples=4, deadline=None, derandomize=True)
@given(data=st.data())
def test_games_and_states_survive_pickling(setting: Setting, data: st.DataObject) -> None:
    """What comes back is equal, and plays on alike."""
    state = data.draw(states(setting))
    game = pickle.loads(pickle.dumps(state.game))
    assert isinstance(game, Game)
    assert (game.name, game.options, game.digest) == (
        state.game.name,
        state.game.options,
        state.game.digest,
    )
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.key == state.key
    assert again.path == state.path
    assert again.outcome == state.outcome
    for player in state.to_move:
        assert again.moves(player) == state.moves(player)


def test_public_errors_survive_pickling() -> None:
    """Message, places and facts of an error come through."""
    game = game_of(("consta", (("size", 3),)))
    state = game.start().play("b2")
    over = walk(game, 1, 100)[-1]
    errors: list[Exception] = []
    for move in ("a1 b2", "nonsense", "b1 a1", {"White": "a1 a1"}, {"Red": "a1"}):
        try:
            state.play(move)
        except IllegalMove as error:
            errors.append(error)
    with pytest.raises(IllegalMove) as caught:
        over.play("a1")
    errors.append(caught.value)
    with pytest.raises(DescriptionError) as bad:
        ludeme.load_text("game 1\nplayers A\n")
    errors.append(bad.value)
    with pytest.raises(DescriptionError) as missing:
        ludeme.load("constalation")
    errors.append(missing.value)
    source = Source("x.game", "first\nsecond line\n")
    span = Span(source, 6, 12)
    diagnostic = Diagnostic("code", span, "message", (Note(span, "note"),), "help", "fault")
    errors.append(DescriptionFault(diagnostic, "a1; b2"))
    assert len(errors) >= 7
    for fault in errors:
        again = pickle.loads(pickle.dumps(fault))
        assert type(again) is type(fault)
        assert str(again) == str(fault)
        assert _facts(again) == _facts(fault)


def _facts(error: Exception) -> list[object]:
    """What an error tells beside its message."""
    match error:
        case IllegalMove():
            places = [(d.message, d.span.place) for d in error.reasons]
            return [places, error.text, error.understood, error.near]
        case DescriptionError():
            return [(d.code, d.message, d.span.place) for d in error.diagnostics]
        case DescriptionFault():
            return [error.moves, error.diagnostic.message, error.diagnostic.span.place]
    raise AssertionError(error)


def test_values_survive_pickling_and_say_what_they_are() -> None:
    """Moves and outcomes are equal after a round trip, and print as a player would write them."""
    last = walk(game_of(("constello", ())), 2, 400)[-1]
    assert last.outcome is not None
    assert pickle.loads(pickle.dumps(last.outcome)) == last.outcome
    assert isinstance(last.outcome, Outcome)
    move = Move("Black", "place a1")
    assert pickle.loads(pickle.dumps(move)) == move
    assert str(move) == "place a1"
    game = game_of(("consta", (("size", 5),)))
    assert repr(game) == "ludeme.load('consta', size=5)"
    assert eval(repr(game), {"ludeme": ludeme}).digest == game.digest


# ---- chance is kept apart


_TOLD = """
import hashlib, ludeme
from laws.reached import walk
for name, options in {games!r}:
    state = walk(ludeme.load(name, **dict(options)), {seed}, 30)[-1]
    lists = [move.text for player in state.game.players for move in state.moves(player)]
    digest = hashlib.sha256("\\n".join(lists).encode()).hexdigest()
    print(name, state.game.digest, state.key, digest, state.path)
"""


def test_another_process_finds_the_same() -> None:
    """Digests, keys, lists of moves and drawn games do not hang on the hash seed of Python."""
    games = EVERY
    told = []
    for hash_seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        done = subprocess.run(
            [sys.executable, "-c", _TOLD.format(games=games, seed=11)],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        told.append(done.stdout)
    assert told[0] == told[1]
    assert len(told[0].split("\n")) == len(games) + 1


@EACH
def test_the_same_seed_gives_the_same_game(setting: Setting) -> None:
    """And another seed another game."""
    paths = [walk(game_of(setting), seed, 25)[-1].path for seed in (7, 7, 8)]
    assert paths[0] == paths[1] != paths[2]


def test_one_players_draws_do_not_hang_on_the_numbers_another_uses() -> None:
    """Each player draws from a stream of their own."""
    game = game_of(("constello", ()))
    state, machine = game.start(), game.machine
    alone, beside = Stream(5, 3, 0), Stream(5, 3, 0)
    other = Stream(5, 3, 1)
    for number in range(50):
        for _ in range(number % 4):
            machine.draw(state.cells, 1, other)
        one, _ = machine.draw(state.cells, 0, alone)
        two, _ = machine.draw(state.cells, 0, beside)
        assert machine.text(state.cells, one) == machine.text(state.cells, two)
    assert alone.next() == beside.next() != other.next()


def test_streams_are_keyed_by_seed_game_and_source() -> None:
    """Any other seed, game or player begins another stream; large and negative seeds count."""
    firsts = {
        Stream(seed, game, source).next()
        for seed in (0, 1, 2, -1, 2**40, 2**63, 2**64 - 2)
        for game in (0, 1, 2, 1000)
        for source in (0, 1, 2)
    }
    assert len(firsts) == 7 * 4 * 3


# ---- conservation


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_constello_keeps_its_stones(seed: int) -> None:
    """Supplies, board and box hold 48 stones; the box never gives one back."""
    box = 0
    for state in walk(game_of(("constello", ())), seed, 400):
        supplies = probe.values(state, "supply")
        assert all(isinstance(supply, int) and 0 <= supply <= 48 for supply in supplies)
        now = probe.defined(state, "box")
        assert isinstance(now, int)
        assert now >= box
        held = sum(supply for supply in supplies if isinstance(supply, int))
        assert now + held + len(probe.board(state)) == 48
        assert set(probe.flagged(state, "gold")) <= set(probe.board(state))
        box = now


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=SEEDS, same=st.booleans())
def test_constructo_keeps_its_pieces(seed: int, same: bool) -> None:
    """Each player has three pieces of a kind, in hand or on the board; stacks never shrink."""
    before: dict[str, tuple[probe.Piece, ...]] = {}
    for state in walk(game_of(("constructo", (("same_pattern", same),))), seed, 100):
        board, hands = probe.board(state), probe.hands(state)
        for player in state.game.players:
            for kind in ("ring", "medium", "small"):
                placed = sum(stack.count((player, kind)) for stack in board.values())
                assert placed + hands[player][kind] == 3
        if len(board) > 1:
            for tile, stack in before.items():
                assert len(stack) == 1 or board[tile][: len(stack)] == stack
        before = board if len(board) > 1 else {}


def _discs(state: State) -> dict[str, int]:
    owners = [owner for ((owner, _),) in probe.board(state).values()]
    return {player: owners.count(player) for player in state.game.players}


@pytest.mark.parametrize("name", ["astralesce", "constellation"])
@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_slides_take_only_from_the_other_side(name: str, seed: int) -> None:
    """The mover keeps all discs; in Constellation at most one of the other side is taken."""
    history = walk(game_of((name, ())), seed, 400)
    for before, after in pairwise(history):
        (mover,) = before.to_move
        was, now = (
            {
                p: sum(top == (p, "disc") for (top,) in probe.board(s).values())
                for p in s.game.players
            }
            for s in (before, after)
        )
        other = next(p for p in before.game.players if p != mover)
        assert now[mover] == was[mover]
        assert now[other] <= was[other]
        assert name == "astralesce" or was[other] - now[other] <= 1


@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_consta_adds_two_stones_a_turn(seed: int) -> None:
    """After n decisions 2n - 1 stones stand, all where they were put."""
    before: dict[str, tuple[probe.Piece, ...]] = {}
    for n, state in enumerate(walk(game_of(("consta", (("size", 5),))), seed, 100)):
        board = probe.board(state)
        assert sum(map(len, board.values())) == max(0, 2 * n - 1)
        assert before.items() <= board.items()
        before = board


def test_digests_are_hexadecimal() -> None:
    """32 digits, another for every setting."""
    digests = {game_of(setting).digest for setting in EVERY}
    assert len(digests) == len(EVERY)
    assert all(len(digest) == 32 and int(digest, 16) >= 0 for digest in digests)
    assert hashlib.blake2b(digest_size=16).digest_size * 2 == 32
