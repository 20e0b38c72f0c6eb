"""Stored runs: what is kept comes back, a run that is killed goes on, other games are refused."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import ludeme
from ludeme.cli import main
from ludeme.cli.messages import Refused
from ludeme.cli.running import require_extra
from ludeme.lab.crew import Playing, Processes
from ludeme.lab.games import Games, merge
from ludeme.lab.play import Plan, play_all
from ludeme.lab.store import MOST_PARTS, Store, StoreError

BATCH = 10


def assert_same(expected: Games, actual: Games) -> None:
    """All columns are there, in the same types and shapes, with the same values."""
    assert expected.setting == actual.setting
    assert set(expected.columns) == set(actual.columns)
    for name, column in expected.columns.items():
        other = actual[name]
        assert (column.dtype, column.shape) == (other.dtype, other.shape), name
        assert np.array_equal(column, other, equal_nan=column.dtype.kind == "f"), name


def plan_of(name: str, **how: object) -> Plan:
    return Plan(ludeme.load(name), **how)  # type: ignore[arg-type]


def opened(folder: Path, plan: Plan) -> Store:
    return Store.open(folder, plan.setting, plan.detailed, plan.game.sources.texts)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["playout", *arguments])


def figures(*arguments: str) -> dict[str, object]:
    """What `playout` finds, without its speed."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return {name: value for name, value in found.items() if name != "speed"}


# ---- what is kept


@pytest.mark.parametrize("detailed", [False, True])
@pytest.mark.parametrize("name", ["constello", "constructo", "hex", "rock_paper_scissors"])
def test_every_column_comes_back_as_it_was(name: str, detailed: bool, tmp_path: Path) -> None:
    plan = plan_of(name, seed=3, detailed=detailed)
    played = play_all(plan, range(BATCH))
    store = opened(tmp_path / "kept", plan)
    store.add(played)
    assert_same(played, opened(tmp_path / "kept", plan).games())


def test_a_folder_says_what_it_holds(tmp_path: Path) -> None:
    plan = plan_of("consta", seed=3)
    Playing(Processes(), tmp_path / "kept").play(plan, range(BATCH))
    head = json.loads((tmp_path / "kept" / "store.json").read_text(encoding="utf-8"))
    assert head["setting"]["digest"] == plan.game.digest
    assert head["setting"]["seed"] == 3
    assert head["setting"]["options"] == {"size": 11}
    assert head["version"] == ludeme.__version__
    assert head["description"] == dict(plan.game.sources.texts)
    assert Store.read(tmp_path / "kept").setting == plan.setting


def test_games_are_added_to_and_taken_from_what_is_there(tmp_path: Path) -> None:
    plan = plan_of("tic_tac_toe", seed=1)
    playing = Playing(Processes(), tmp_path / "kept")
    playing.play(plan, range(40, 60))
    told: list[int] = []
    found = playing.play(plan, range(100), told.append)
    assert_same(play_all(plan, range(100)), found)
    assert (told[0], told[-1]) == (20, 100)
    assert_same(play_all(plan, range(30, 50)), playing.play(plan, range(30, 50)))
    assert opened(tmp_path / "kept", plan).missing(range(200)) == [range(100, 200)]


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    class Idle:
        def tables(self, plan: Plan, numbers: range) -> None:
            raise AssertionError(numbers)

    plan = plan_of("tic_tac_toe")
    Playing(Processes(), tmp_path / "kept").play(plan, range(20))
    found = Playing(Idle(), tmp_path / "kept").play(plan, range(20))  # type: ignore[arg-type]
    assert len(found) == 20


def test_what_was_played_before_the_players_failed_is_kept(tmp_path: Path) -> None:
    class Failing:
        def tables(self, plan: Plan, numbers: range) -> Iterator[Games]:
            yield play_all(plan, numbers[:7])
            raise RuntimeError("gone away")

    plan, folder = plan_of("tic_tac_toe"), tmp_path / "kept"
    with pytest.raises(RuntimeError, match="gone away"):
        Playing(Failing(), folder).play(plan, range(20))
    assert opened(folder, plan).parts() == [range(7)]


def test_gaps_are_found_whatever_files_overlap(tmp_path: Path) -> None:
    plan = plan_of("tic_tac_toe")
    store = opened(tmp_path / "kept", plan)
    whole = play_all(plan, range(60))
    for first, stop in ((0, 10), (5, 20), (30, 40), (32, 35)):
        store.add(whole.take(np.arange(first, stop)))
    assert store.missing(range(60)) == [range(20, 30), range(40, 60)]
    numbers = [*range(20), *range(30, 40)]
    assert_same(whole.take(np.array(numbers)), store.games())


def test_many_files_become_few_and_nothing_is_lost(tmp_path: Path) -> None:
    plan = plan_of("tic_tac_toe")
    store = opened(tmp_path / "kept", plan)
    whole = play_all(plan, range(MOST_PARTS + 5))
    for number in range(len(whole)):
        store.add(whole.take(np.array([number])))
    store.tidy()
    assert store.parts() == [range(len(whole))]
    assert len(list((tmp_path / "kept").iterdir())) == 2
    assert_same(whole, store.games())


# ---- killed

RUNNER = """
import sys
from pathlib import Path
import ludeme
from ludeme.lab import crew
from ludeme.lab.play import Plan

crew.SECONDS_A_PART = 0.01
crew.FIRST_BATCH = 3
crew.LARGEST_BATCH = 8
if __name__ == "__main__":
    plan = Plan(ludeme.load("constructo"), seed=5, engine="python")
    playing = crew.Playing(crew.Processes(), Path(sys.argv[1]))
    playing.play(plan, range(int(sys.argv[2])), lambda done: print(done, flush=True))
"""


def killed_after(script: Path, folder: Path, games: int, lines: int) -> int:
    """Begin a run, kill it after so many reports, and answer the last one; -1 if it was done."""
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder), str(games)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    told = 0
    for _ in range(lines):
        line = process.stdout.readline()
        if not line:
            break
        told = int(line)
    process.send_signal(signal.SIGKILL)
    more = process.stdout.read().split()
    process.stdout.close()
    code = process.wait()
    told = int(more[-1]) if more else told
    return -1 if code == 0 else told


def test_a_run_that_is_killed_loses_nothing_it_told_of_and_resumes_to_the_same_figures(
    tmp_path: Path,
) -> None:
    """Killed with SIGKILL again and again, at other places each time."""
    script, folder, games = tmp_path / "runner.py", tmp_path / "kept", 60
    script.write_text(RUNNER, encoding="utf-8")
    plan, chance, kills = plan_of("constructo", seed=5, engine="python"), random.Random(1), 0
    for _ in range(4):
        told = killed_after(script, folder, games, chance.randrange(2, 5))
        if told < 0:
            break
        kills += 1
        store = opened(folder, plan)
        kept = sum(len(numbers) for numbers in store.parts())
        assert kept >= told
        found = store.games()
        assert_same(play_all(plan, range(games)).take(found["number"].astype(np.int64)), found)
    assert kills >= 2
    resumed = Playing(Processes(), folder).play(plan, range(games))
    assert_same(play_all(plan, range(games)), resumed)


@pytest.mark.parametrize("left", ["cut.parquet", ".new-abc"])
def test_a_file_that_was_never_finished_is_not_read(left: str, tmp_path: Path) -> None:
    plan = plan_of("tic_tac_toe")
    playing = Playing(Processes(), tmp_path / "kept")
    playing.play(plan, range(20))
    (tmp_path / "kept" / left).write_bytes(b"PAR1 half a fi")
    assert_same(play_all(plan, range(30)), playing.play(plan, range(30)))


def test_a_run_that_was_killed_as_it_made_the_folder_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / ".new-head").write_text("{", encoding="utf-8")
    plan = plan_of("tic_tac_toe")
    found = Playing(Processes(), tmp_path / "kept").play(plan, range(10))
    assert_same(play_all(plan, range(10)), found)


# ---- refused


def test_other_games_are_refused_with_a_plain_message(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    assert run("consta", "-n", "5", "--store", folder, "--option", "size=5").exit_code == 0
    for wanted, words in (
        (("consta", "--option", "size=5", "--seed", "4"), "another seed: 0, not 4"),
        (("consta", "--option", "size=6"), "another meaning of the description, or other options"),
        (("hex",), "another meaning of the description, or other options"),
        (("consta", "--option", "size=5", "--turn-limit", "9"), "another turn limit: 2000, not 9"),
    ):
        result = run(*wanted, "-n", "5", "--store", folder)
        assert result.exit_code == 2, wanted
        assert words in result.stderr
        assert "Traceback" not in result.stderr


def test_another_folder_or_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for folder in (tmp_path, tmp_path / "notes.txt"):
        result = run("hex", "-n", "2", "--store", str(folder))
        assert result.exit_code == 2
        assert "error[call]" in result.stderr
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    plan, folder = plan_of("tic_tac_toe"), tmp_path / "kept"
    Playing(Processes(), folder).play(plan, range(20))
    part = next(folder.glob("games-*"))
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(StoreError, match="holds no games"):
        opened(folder, plan).games()
    part.unlink()
    assert_same(play_all(plan, range(20)), Playing(Processes(), folder).play(plan, range(20)))


def test_another_game_under_a_name_is_found_out(tmp_path: Path) -> None:
    plan, other = plan_of("tic_tac_toe"), plan_of("tic_tac_toe", seed=1)
    opened(tmp_path / "a", plan).add(play_all(plan, range(5)))
    opened(tmp_path / "b", other).add(play_all(other, range(5)))
    name = next((tmp_path / "a").glob("games-*")).name
    (tmp_path / "a" / name).replace(tmp_path / "b" / name)
    with pytest.raises(StoreError, match="other games than its name says"):
        opened(tmp_path / "b", other).games()


def test_a_missing_package_is_told_with_what_to_install() -> None:
    with pytest.raises(Refused) as refused:
        require_extra(("no_such_package",), "lab")
    assert "pip install 'ludeme[lab]'" in str(refused.value)


def test_the_command_gives_the_same_figures_with_a_folder_and_without(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    alone = figures("constello", "-n", "40", "--seed", "2")
    assert figures("constello", "-n", "15", "--seed", "2", "--store", folder) != alone
    assert figures("constello", "-n", "40", "--seed", "2", "--store", folder) == alone
    assert figures("constello", "-n", "40", "--seed", "2", "--store", folder) == alone


def test_a_fault_is_told_from_what_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "faulty.game"
    file.write_text(
        'game "Faulty"\nplayers Ann, Bob\nboard square(2)\npiece man\n'
        'game has luck = 0 from 0..1\nturn as "{cell}"\n  choose cell from empty\n'
        "  put man on cell\n  if cell = a1: raise luck by 2\nend\n"
        "  draw by length when turns >= 2\n",
        encoding="utf-8",
    )
    results = [run(str(file), "-n", "20", "--store", str(tmp_path / "kept")) for _ in range(2)]
    assert [result.exit_code for result in results] == [2, 2]
    assert "fault[out-of-range]" in results[1].stderr
    assert results[0].output == results[1].output


def test_compare_keeps_its_games_and_goes_on_with_them(tmp_path: Path) -> None:
    call = ["compare", "tic_tac_toe", "connect_four", "--observe", "5", "--json", "-n"]
    kept = ["--store", str(tmp_path / "kept")]
    alone = CliRunner().invoke(main, [*call, "60"])
    assert alone.exit_code == 0, alone.stderr
    first = CliRunner().invoke(main, [*call, "30", *kept])
    assert first.exit_code == 0, first.stderr
    second = CliRunner().invoke(main, [*call, "60", *kept])
    assert second.stdout == alone.stdout
    folders = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert len(folders) == 4
    assert "Tic-tac-toe" in folders


def test_tables_of_other_settings_are_never_mixed() -> None:
    one, other = plan_of("tic_tac_toe"), plan_of("tic_tac_toe", seed=1)
    with pytest.raises(ValueError, match="different settings"):
        merge([play_all(one, range(2)), play_all(other, range(2))])
