"""The scripts and descriptions in `examples/` run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from docs.blocks import ROOT, diagnose

import ludeme

EXAMPLES = ROOT / "examples"


def run(script: str, *arguments: str) -> str:
    """What a script prints; it must end well and say nothing on the error output."""
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / script), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_random_games() -> None:
    """The script plays as many games as it is asked for and tells one of them."""
    told = run("random_games.py", "tic_tac_toe", "20")
    assert "20 finished games of 20" in told
    assert "One game: " in told


def test_board_analysis() -> None:
    """The script measures the board of a game."""
    told = run("board_analysis.py", "constello")
    assert "27 sites, 36 edges" in told
    assert "cut points: a2, b2, c2, d2, e2, f2, g2, h2, i2" in told


def test_every_option() -> None:
    """The script prints a line for each value of an option."""
    lines = run("every_option.py", "astralesce", "alone", "3").splitlines()
    assert [line.split()[0] for line in lines] == ["alone", "0", "1"]


@pytest.mark.parametrize("suffix", [".graphml", ".json"])
def test_board_from_graph(suffix: str, tmp_path: Path) -> None:
    """A graph file becomes a board of a description, with its edges and relations."""
    graph = nx.Graph()
    graph.add_node("North gate", x=0.0, y=1.5)
    graph.add_node("7", x=1.0, y=0.0)
    graph.add_node("well", x=2.0, y=0.0)
    graph.add_edge("North gate", "7", relation="road")
    graph.add_edge("7", "well")
    file = tmp_path / f"graph{suffix}"
    if suffix == ".json":
        file.write_text(json.dumps(nx.node_link_data(graph, edges="links")), encoding="utf-8")
    else:
        nx.write_graphml(graph, file)
    block = run("board_from_graph.py", str(file))
    rest = 'game "Graph"\nplayers A, B\npiece man\nturn\n  choose c from empty\n  put man on c\n'
    game = ludeme.load_text(f"{rest}end\n  draw by filling when no empty\n{block}")
    assert game.board.names == ("North_gate", "s7", "well")
    found = {(one, other, how) for one, other, how in game.board.graph.edges(data="relation")}
    assert found == {("North_gate", "s7", "road"), ("s7", "well", "adjacent")}
    assert game.board.graph.nodes["North_gate"]["y"] > game.board.graph.nodes["s7"]["y"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.game")), ids=lambda path: path.name)
def test_description(path: Path) -> None:
    """A description among the examples has no errors or warnings, and can be played."""
    assert diagnose(path.read_text(encoding="utf-8")) == ()
    result = ludeme.load(path).playouts(3)
    assert result.count("finished") == 3
