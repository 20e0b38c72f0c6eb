"""Games written down, read and played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludeme
from ludeme.play.records import Record, RecordError, read_records
from ludeme.play.replay import differing_meaning, replay
from tests.play.texts import COIN, RISKY, STUCK, WALK

KEYS = ["game", "digest", "options", "seed", "number", "decisions", "outcome"]


def saved(game: ludeme.Game, path: Path, games: int = 5, **how: Any) -> list[bytes]:
    game.playouts(games, save=path, **how)
    return path.read_bytes().splitlines(keepends=True)


def read(lines: list[bytes]) -> list[Record]:
    records = []
    for record in read_records(lines, "games.jsonl"):
        assert isinstance(record, Record), str(record)
        records.append(record)
    return records


def refused(line: bytes) -> str:
    """What is said of a broken line, which is the second of its file."""
    (error,) = read_records([b"\n", line], "games.jsonl")
    assert isinstance(error, RecordError)
    assert "games.jsonl:2:" in str(error)
    return str(error)


def changed(line: bytes, **fields: Any) -> bytes:
    found = json.loads(line) | fields
    return json.dumps({key: value for key, value in found.items() if value is not ...}).encode()


@pytest.fixture
def line(tmp_path: Path) -> bytes:
    return saved(ludeme.load("consta", size=5), tmp_path / "games.jsonl", 1, seed=7)[0]


# ---- writing


def test_a_record_has_these_keys_in_this_order(line: bytes) -> None:
    fields = json.loads(line)
    assert list(fields) == KEYS
    assert fields["game"] == "consta"
    assert fields["options"] == {"size": 5}
    assert (fields["seed"], fields["number"]) == (7, 0)
    assert list(fields["outcome"]) == ["winner", "reason", "scores", "ranks"]


def test_the_same_call_writes_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the number of processes, and whatever was there before."""
    game = ludeme.load("constello")
    first = saved(game, tmp_path / "a", 9, seed=3)
    (tmp_path / "b").write_text("something longer that was there before\n" * 1000)
    assert first == saved(game, tmp_path / "b", 9, seed=3)
    assert first == saved(game, tmp_path / "c", 9, seed=3, jobs=2)
    assert first != saved(game, tmp_path / "d", 9, seed=4)


def test_nothing_of_the_call_is_in_a_record(line: bytes, tmp_path: Path) -> None:
    text = line.decode()
    for word in ("second", "engine", "jobs", "python", str(tmp_path)):
        assert word not in text


def test_unfinished_and_faulty_games(tmp_path: Path) -> None:
    walk = json.loads(saved(ludeme.load_text(WALK), tmp_path / "a", 1, turn_limit=3)[0])
    assert len(walk["decisions"]) == 3
    assert None is walk["outcome"]
    assert "fault" not in walk
    stuck = json.loads(saved(ludeme.load_text(STUCK), tmp_path / "b", 1)[0])
    assert len(stuck["decisions"]) == 4
    assert (stuck["outcome"], stuck["fault"]) == (None, "stuck")


def test_a_game_from_a_file_is_called_by_its_name_without_folder(tmp_path: Path) -> None:
    path = tmp_path / "coin.game"
    path.write_text(COIN)
    assert json.loads(saved(ludeme.load(path), tmp_path / "r", 1)[0])["game"] == "coin.game"


def test_the_position_that_games_began_from(tmp_path: Path) -> None:
    game = ludeme.load("consta", size=5)
    start = game.start().play("c3")
    lines = saved(game, tmp_path / "r", 3, start=start)
    assert [start.text] * 3 == [json.loads(line)["position"] for line in lines]
    for record in read(lines):
        assert record.position is not None
        assert None is replay(game.machine, game.position(record.position).cells, record)


def test_the_first_position_is_not_written_down(tmp_path: Path) -> None:
    game = ludeme.load("consta", size=5)
    first = saved(game, tmp_path / "a", 3)
    assert first == saved(game, tmp_path / "b", 3, start=game.start())


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        ludeme.load_text(COIN).playouts(1, save=tmp_path)


# ---- replay


@pytest.mark.parametrize("text", [COIN, WALK, RISKY, STUCK])
def test_what_was_written_can_be_played_again(text: str, tmp_path: Path) -> None:
    game = ludeme.load_text(text)
    for record in read(saved(game, tmp_path / "r", 20, turn_limit=20)):
        assert None is replay(game.machine, game.start().cells, record)


@pytest.mark.parametrize(
    "name", ["astralesce", "constello", "constructo", "goofspiel", "leduc_poker", "reversi"]
)
def test_shipped_games_can_be_played_again(name: str, tmp_path: Path) -> None:
    game = ludeme.load(name)
    for record in read(saved(game, tmp_path / "r", 3)):
        assert None is differing_meaning(record, game.record_name, game.digest)
        assert None is replay(game.machine, game.start().cells, record)


def differs(line: bytes) -> str:
    game = ludeme.load("consta", size=5)
    (record,) = read([line])
    found = replay(game.machine, game.start().cells, record)
    assert found is not None
    return str(found)


def test_an_illegal_move_is_told_with_its_reason(line: bytes) -> None:
    decisions = json.loads(line)["decisions"]
    decisions[1] = f"{decisions[0]} {decisions[0]}"
    message = differs(changed(line, decisions=decisions))
    assert f"decision 2, `{decisions[1]}`" in message
    assert "is not in `empty`" in message
    assert "games.jsonl:1:" in message
    place = message.split("games.jsonl:1:")[1].split("\n")[0]
    assert changed(line, decisions=decisions).decode().index(f'"{decisions[1]}"') + 1 == int(place)


def test_another_outcome(line: bytes) -> None:
    outcome = json.loads(line)["outcome"]
    other = {"Black": "White", "White": "Black"}[outcome["winner"]]
    message = differs(changed(line, outcome=outcome | {"winner": other}))
    assert f"{outcome['winner']} wins by chain, and the record says: {other} wins" in message


def test_no_outcome_where_there_is_one(line: bytes) -> None:
    assert "the record says: it is not over" in differs(changed(line, outcome=None))


def test_an_outcome_where_there_is_none(line: bytes) -> None:
    decisions = json.loads(line)["decisions"][:-1]
    assert "ends otherwise: it is not over" in differs(changed(line, decisions=decisions))


def test_a_move_after_the_end(line: bytes) -> None:
    decisions = [*json.loads(line)["decisions"], "a1 a1"]
    assert "the game is over before it" in differs(changed(line, decisions=decisions))


def test_too_many_moves_in_a_decision(line: bytes) -> None:
    assert "2 moves where Black decides" in differs(changed(line, decisions=["c3 | c3"]))


def test_an_outcome_of_chance_that_cannot_be(tmp_path: Path) -> None:
    """Chance is named as players are."""
    game = ludeme.load("kuhn_poker")
    line = saved(game, tmp_path / "r", 1)[0]
    for decision, message in (("2 2", "is not legal for chance"), ("1 2 | 1", "chance decides")):
        (record,) = read([changed(line, decisions=[decision], outcome=None)])
        assert message in str(replay(game.machine, game.start().cells, record))


def test_a_fault_in_play(tmp_path: Path) -> None:
    game = ludeme.load_text(RISKY)
    line = saved(game, tmp_path / "r", 1)[0]
    (record,) = read([changed(line, decisions=["a1"], outcome=None)])
    found = replay(game.machine, game.start().cells, record)
    assert found is not None
    assert "`luck` became 2" in str(found)


def test_another_digest_is_named(line: bytes) -> None:
    game = ludeme.load("consta", size=7)
    (record,) = read([line])
    message = str(differing_meaning(record, "consta", game.digest))
    assert "another version of `consta`" in message
    assert game.digest in message
    assert record.digest in message
    assert "this game is of `consta`, not of `hex`" in str(differing_meaning(record, "hex", "0"))


# ---- broken lines


def test_a_line_that_is_cut_off(line: bytes) -> None:
    assert "cannot be read as JSON" in refused(line[:100])


def test_a_line_that_is_no_text() -> None:
    assert "not text in UTF-8" in refused(b"\xff\xfe")


@pytest.mark.parametrize(
    "text", ["3", "[]", '"x"', "null", "{}", "[" * 100_000, "9" * 5000, '{"a": 1, "a": 2}', "NaN"]
)
def test_json_that_is_no_record(text: str) -> None:
    assert "error[record]" in refused(text.encode())


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_missing(key: str, line: bytes) -> None:
    assert f"there is no `{key}` in it" in refused(changed(line, **{key: ...}))


@pytest.mark.parametrize("key", [*KEYS, "position", "fault"])
@pytest.mark.parametrize("value", [True, 1.5, [3], {"winner": 1.5}, -1, {"a": None}])
def test_a_key_of_the_wrong_kind(key: str, value: object, line: bytes) -> None:
    assert f"`{key}` must be" in refused(changed(line, **{key: value}))


def test_an_unknown_key(line: bytes) -> None:
    message = refused(changed(line, decision=[]))
    assert "a record has no `decision`" in message
    assert "did you mean `decisions`?" in message


def test_blank_lines_are_passed_over(line: bytes) -> None:
    assert len(read([b"\n", line, b"  \r\n"])) == 1


def test_windows_line_ends(line: bytes) -> None:
    assert read([line])[0].decisions == read([line.rstrip(b"\n") + b"\r\n"])[0].decisions
