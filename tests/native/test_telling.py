"""Moves in words from machine code: listed, made, recorded and replayed as by the interpreter."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ludeme
from ludeme.diagnostics import DescriptionError, DescriptionFault
from ludeme.game import Game, IllegalMove, load_text
from ludeme.machine import Cells, Stream
from ludeme.native.refusal import NotNative
from ludeme.native.teller import Teller
from ludeme.play.compiling import Compiling
from ludeme.play.records import Record, read_records
from ludeme.play.replay import replay

from .cases import CASES
from .lockstep import all_streams, fewer_steps
from .programs import BOARDS, description
from .test_agreement import every_setting, few, is_large, label, shown_settings
from .test_cases import QUICK, STEPS


class Pair:
    """A description on both engines, one random game after the other. *met*: what was seen.

    *keep*: the code is kept and taken up again, as that of shipped games may be.
    """

    def __init__(self, game: Game, keep: bool = False) -> None:
        self.game = game
        self.machine = game.machine
        self.teller = Teller(game.machine, keep)
        self.met: Counter[str] = Counter()

    def run(self, seed: int, games: int, decisions: int) -> None:
        """Play games and compare every list of moves and every state."""
        try:
            start = self.machine.start()
        except DescriptionFault:
            return
        for number in range(games):
            cells: Cells | None = start
            streams = all_streams(self.machine, seed, number)
            for _ in range(decisions):
                if cells is None or self.machine.is_over(cells):
                    break
                self.compare_moves(cells)
                cells = self.decide(cells, streams)

    def told(self) -> str:
        """The description, for messages."""
        return self.game.sources.texts[self.game.name]

    def compare_moves(self, cells: Cells) -> None:
        """The texts of all legal moves, in order."""
        for player in self.machine.deciders(cells):
            actual = self.teller.moves(cells, player)
            try:
                expected = self.machine.moves(cells, player)
            except DescriptionFault:
                assert actual is None, self.told()
                self.met["faults"] += 1
                continue
            if actual is None:
                self.met["left to the interpreter"] += 1
                continue
            assert expected == actual, self.told()
            self.met["lists"] += 1

    def decide(self, cells: Cells, streams: list[Stream]) -> Cells | None:
        """The next state; None after a fault."""
        machine = self.machine
        deciders = machine.deciders(cells)
        texts = []
        try:
            drawn = [machine.draw(cells, p, streams[machine.source(cells, p)])[0] for p in deciders]
            texts = [machine.text(cells, end) for end in drawn]
            found = [machine.find(cells, p, t) for p, t in zip(deciders, texts, strict=True)]
            after = machine.play(cells, [end for end in found if end is not None])
        except DescriptionFault:
            if len(texts) == len(deciders):
                assert self.teller.play(cells, texts) is None, self.told()
            return None
        played = self.teller.play(cells, texts)
        if played is None:
            self.met["left to the interpreter"] += 1
            return after
        self.met["decisions"] += 1
        # All that a state is, its outcome and what a turn in progress would leave included.
        stop = machine.layout.locals
        assert after[:stop] == played[:stop], (texts, self.told())
        ends = [self.teller.end(cells, p, t) for p, t in zip(deciders, texts, strict=True)]
        told = [end for end in ends if end is not None]
        assert [machine.text(cells, end) for end in told] == texts, self.told()
        assert machine.play(cells, told)[:stop] == after[:stop], (texts, self.told())
        return after


@pytest.mark.parametrize(("name", "options"), shown_settings(), ids=label)
def test_moves_are_told_and_made_alike(name: str, options: dict[str, object]) -> None:
    """Lists and states of a random game of every shipped game."""
    compare(name, options, 30)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), every_setting(), ids=label)
def test_moves_are_told_alike_with_every_option(name: str, options: dict[str, object]) -> None:
    """The same of every combination of options, further into the game."""
    compare(name, options, 60)


def compare(name: str, options: dict[str, object], decisions: int) -> None:
    """Play a random game on both engines, for so many decisions if its lists are short."""
    pair = Pair(ludeme.load(name, **options), keep=True)
    pair.run(3, 1, 2 if is_large(name, options) else decisions)
    assert pair.met["lists"] and pair.met["decisions"]
    assert not pair.met["left to the interpreter"]


@pytest.mark.parametrize("name", list(CASES)[::2])
def test_a_case_is_told_and_made_alike(name: str) -> None:
    """Small descriptions by hand, with their faults."""
    compare_case(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", list(CASES)[1::2])
def test_every_other_case_is_told_and_made_alike(name: str) -> None:
    """The same of those whose counts are compared in the short run."""
    compare_case(name)


def compare_case(name: str) -> None:
    """Play a few games of it."""
    Pair(load_text(CASES[name])).run(3, 4, 20)


def compare_random(numbers: range, size: str) -> Counter[str]:
    """Compare random descriptions; what they met."""
    met: Counter[str] = Counter()
    with fewer_steps(STEPS):
        for number in numbers:
            try:
                pair = Pair(load_text(description(number, size)))
            except (DescriptionError, NotNative):
                continue
            pair.run(number, 2, 12)
            met += pair.met
    return met


@pytest.mark.parametrize("size", BOARDS)
def test_random_descriptions_are_told_alike(size: str) -> None:
    """Whatever passes the checker prints the same moves."""
    assert compare_random(range(QUICK), size)["lists"]


@pytest.mark.soak
@pytest.mark.parametrize("size", BOARDS)
def test_many_random_descriptions_are_told_alike(size: str) -> None:
    """The same of many more."""
    met = compare_random(range(3000, 3120), size)
    print(size, dict(met))
    assert met["lists"] > 3 * met["left to the interpreter"]


# ---- states


def at_once(game: Game) -> Game:
    """A game whose states use machine code from the first question."""
    game.telling._spent = 10.0
    assert game.telling.code is not None
    return game


def test_states_use_machine_code_once_it_pays() -> None:
    """Moves, states, outcomes and refusals of `State` are the same with machine code."""
    plain, quick = ludeme.load("constello"), at_once(ludeme.load("constello"))
    one, other = plain.start(), quick.start()
    for decision in ("place a1 | place e1, place e2", "secure a1 | capture a1"):
        assert [str(m) for m in one.moves("White")] == [str(m) for m in other.moves("White")]
        one, other = one.play(decision), other.play(decision)
        assert one.key == other.key and one.text == other.text and one.path == other.path
    with pytest.raises(IllegalMove) as refusal:
        other.play("place a1 | place b1")
    with pytest.raises(IllegalMove) as expected:
        one.play("place a1 | place b1")
    assert str(expected.value) == str(refusal.value)


def test_a_game_is_won_alike() -> None:
    """The outcome comes from machine code, too."""
    state = at_once(ludeme.load("connect_four")).start()
    for move in ("a1", "b1", "a2", "b2", "a3", "b3", "a4"):
        assert state.outcome is None
        state = state.play(move)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == ("Red", "line")
    assert state.to_move == () and state.moves() == []


# ---- records


RECORDED = [(name, options) for name, options in shown_settings() if not is_large(name, options)]


@pytest.mark.parametrize(("name", "options"), RECORDED, ids=label)
def test_records_are_the_same_bytes(name: str, options: dict[str, object], tmp_path: Path) -> None:
    """Whichever engine plays, and on however many threads; and they can be replayed."""
    compare_records(ludeme.load(name, **options), min(6, few(name, options)), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), RECORDED, ids=label)
def test_more_records_are_the_same_bytes(
    name: str, options: dict[str, object], tmp_path: Path
) -> None:
    """As above for more games."""
    compare_records(ludeme.load(name, **options), 24, tmp_path)


def compare_records(game: Game, games: int, folder: Path) -> None:
    """Record games by both engines, and replay them."""
    files = [folder / f"{number}.record" for number in range(3)]
    first = game.playouts(games, seed=4, engine="python", save=files[0])
    second = game.playouts(games, seed=4, engine="native", save=files[1])
    game.playouts(games, seed=4, engine="native", jobs=2, save=files[2])
    assert second.asked.engine == "native"
    assert first.ends.tolist() == second.ends.tolist()
    expected = files[0].read_bytes()
    assert expected == files[1].read_bytes() == files[2].read_bytes()
    telling: Compiling[Teller] = Compiling(lambda: True, lambda: Teller(game.machine))
    telling._spent = 10.0
    for record in read_records(expected.splitlines(), "records"):
        assert isinstance(record, Record)
        assert replay(game.machine, game.start().cells, record, telling) is None


def test_a_faulty_game_is_recorded_alike(tmp_path: Path) -> None:
    """A game in which the description goes wrong stands in the records up to there."""
    text = (
        'game "Case"\nplayers Ann, Bob\nboard square(3)\npiece man\n'
        "game has room = 4 from 0..4\nturn\n  choose c from empty\n  put man on c\n"
        "  if c in top: lower room by 3\nend\n  draw by filling when no empty\n"
    )
    game = load_text(text)
    files = [tmp_path / name for name in ("python", "native")]
    for file in files:
        played = game.playouts(20, seed=1, engine=file.name, save=file)
        assert played.count("faulty") == 20
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_record_that_differs_is_told_alike(tmp_path: Path) -> None:
    """Machine code stops before what is not legal, and the interpreter says why."""
    game = ludeme.load("hex", size=5)
    file = tmp_path / "records"
    game.playouts(1, seed=1, save=file)
    line = file.read_bytes().replace(b'"decisions": ["', b'"decisions": ["a1", "a1", "')
    (record,) = read_records([line], "records")
    assert isinstance(record, Record)
    expected = replay(game.machine, game.start().cells, record)
    assert expected is not None and "decision 2" in expected.message
    found = replay(game.machine, game.start().cells, record, at_once(game).telling)
    assert str(expected) == str(found)
