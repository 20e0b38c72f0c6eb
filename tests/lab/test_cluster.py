"""Games on a cluster: workers get texts and numbers alone, and the figures are equal everywhere."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import attrs
import numpy as np
import pytest
from click.testing import CliRunner

import ludeme
from ludeme.cli import main
from ludeme.lab.cluster import ClusterError, Order, _accepted, _local_workers, carry_out
from ludeme.lab.play import Plan, play_all

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

VARIANT = """\
game "Small Consta" extends consta
replace option size = 5 from 3..19 "cells on a side of the board"
"""


def command(*arguments: str) -> dict[str, object]:
    """What a `ludeme` command of its own process prints as JSON, without the speed."""
    ran = subprocess.run(
        [sys.executable, "-m", "ludeme", *arguments, "--json"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=250,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, object] = json.loads(ran.stdout)
    return {name: value for name, value in found.items() if name != "speed"}


# ---- what workers are sent


def test_a_worker_needs_nothing_but_what_it_is_sent(tmp_path: Path) -> None:
    """The order holds the text of the variant and of its base, and no path."""
    file = tmp_path / "small.game"
    file.write_text(VARIANT, encoding="utf-8")
    plan = Plan(ludeme.load(file, size=6), seed=7)
    order = Order.of(plan)
    sent = pickle.dumps(order)
    assert str(tmp_path).encode() not in sent
    assert VARIANT in dict(order.texts).values()
    assert set(dict(order.texts)) == {"small", "consta"}
    file.unlink()
    answer = carry_out(pickle.loads(sent), 3, 9)
    assert answer.digest == plan.game.digest
    for name, column in play_all(plan, range(3, 9)).columns.items():
        assert np.array_equal(column, answer.columns[name], equal_nan=column.dtype.kind == "f")


@pytest.mark.parametrize("detailed", [False, True])
def test_an_order_makes_the_plan_that_it_was_made_of(detailed: bool) -> None:
    seats, options = ("random", "greedy"), {"same_pattern": True}
    game = ludeme.load("constructo", **options)
    plan = Plan(game, 9, 77, seats, "score" if detailed else "", detailed)
    assert Order.of(plan).plan().setting == plan.setting


def test_an_answer_of_another_version_is_refused() -> None:
    plan = Plan(ludeme.load("tic_tac_toe"))
    answer = carry_out(Order.of(plan), 0, 4)
    assert len(_accepted(plan, range(4), answer)) == 4
    with pytest.raises(ClusterError, match="install the same version everywhere"):
        _accepted(plan, range(4), attrs.evolve(answer, digest="0" * 32))
    with pytest.raises(ClusterError, match="other games than it was asked for"):
        _accepted(plan, range(1, 5), answer)


def test_local_workers_are_asked_for_by_number() -> None:
    assert _local_workers("local:4") == 4
    assert _local_workers("local") == os.cpu_count()
    assert _local_workers("tcp://10.0.0.5:8786") is None
    for wrong in ("local:", "local:0", "local:many", "local:-2"):
        with pytest.raises(ClusterError, match="local:4"):
            _local_workers(wrong)


def test_what_cannot_be_combined_is_refused() -> None:
    for call in (
        ("--cluster", "local:2", "--jobs", "2"),
        ("--cluster", "local:2", "--save", "games.jsonl"),
        ("--cluster", "local:many"),
    ):
        result = CliRunner().invoke(main, ["playout", "hex", "-n", "2", *call])
        assert result.exit_code == 2, call
        assert "error[call]" in result.stderr


# ---- real clusters


def test_two_worker_processes_give_the_figures_of_one_process(tmp_path: Path) -> None:
    """A real cluster of two worker processes, with a folder that keeps its games."""
    call = ("playout", "tic_tac_toe", "-n", "900", "--seed", "3", "--engine", "python")
    kept = ("--store", str(tmp_path / "kept"))
    assert command(*call, "--cluster", "local:2", *kept) == command(*call)
    assert command(*call, *kept) == command(*call)


SCRIPT = """
import os, random, signal, sys, threading, time
import numpy as np
import ludeme
from ludeme.lab.cluster import joined
from ludeme.lab.crew import Playing
from ludeme.lab.play import Plan, play_all

def kill_workers(client, times):
    for _ in range(times):
        time.sleep(1.5)
        pids = list(client.run(os.getpid).values())
        os.kill(random.choice(pids), signal.SIGKILL)
        print("killed", flush=True)

if __name__ == "__main__":
    workers, games, kills = map(int, sys.argv[2:5])
    plan = Plan(ludeme.load(sys.argv[1]), seed=11, detailed=sys.argv[5] == "detailed")
    with joined(f"local:{workers}") as cluster:
        assert cluster.threads == workers
        killer = threading.Thread(target=kill_workers, args=(cluster.client, kills), daemon=True)
        killer.start()
        found = Playing(cluster).play(plan, range(games))
        print("finished with", kills, "kills asked for", flush=True)
    expected = play_all(plan, range(games), jobs=2)
    assert set(found.columns) == set(expected.columns)
    for name, column in expected.columns.items():
        assert np.array_equal(column, found[name], equal_nan=column.dtype.kind == "f"), name
    print("equal")
"""


def run_script(folder: Path, *arguments: str) -> list[str]:
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(script), *arguments],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=280,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.soak
@pytest.mark.parametrize("workers", ["1", "2", "4", "8"])
@pytest.mark.parametrize(
    ("name", "games", "sort"), [("constello", "4000", "quick"), ("constructo", "60", "detailed")]
)
def test_the_figures_are_equal_on_1_2_4_and_8_worker_processes(
    name: str, games: str, sort: str, workers: str, tmp_path: Path
) -> None:
    assert run_script(tmp_path, name, workers, games, "0", sort)[-1] == "equal"


@pytest.mark.soak
def test_the_figures_are_equal_though_workers_are_killed_in_the_middle(tmp_path: Path) -> None:
    told = run_script(tmp_path, "constructo", "3", "1500", "3", "detailed")
    assert told.count("killed") >= 2
    assert told.index("killed") < told.index("finished with 3 kills asked for")
    assert told[-1] == "equal"


@pytest.mark.soak
def test_a_scheduler_that_runs_elsewhere_is_joined(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    begun = [sys.executable, "-m", "dask"]
    scheduler = subprocess.Popen(
        [*begun, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(file)],
        env=ENVIRONMENT, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    workers = [
        subprocess.Popen(
            [*begun, "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny",
             "--no-dashboard", "--local-directory", str(tmp_path / f"worker{number}")],
            env=ENVIRONMENT, stderr=subprocess.DEVNULL,
        )
        for number in range(2)
    ]  # fmt: skip
    try:
        for _ in range(100):
            if file.exists() and file.read_text(encoding="utf-8").strip():
                break
            import time

            time.sleep(0.2)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        call = ("playout", "hex", "-n", "500", "--option", "size=5", "--seed", "3")
        assert command(*call, "--cluster", address) == command(*call)
    finally:
        for process in (*workers, scheduler):
            process.terminate()
            process.wait()
