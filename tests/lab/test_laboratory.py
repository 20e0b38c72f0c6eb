"""The commands compare and sweep."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from cli.commands import ludeme

QUICK = ("-n", 300, "--observe", 15)


class Pages(HTMLParser):
    """What a page holds: its elements, those that were never closed, and what it would load."""

    VOID = ("meta", "link", "img", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.wrong: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and not (value or "").startswith("#"):
                self.loads.append(f"{tag} {name}={value}")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """What is printed of Astralesce against Constellation, and the page."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    result = ludeme("compare", "astralesce", "constellation", *QUICK, "--html", path)
    return result.stdout, path.read_text(encoding="utf-8")


def test_words_come_first_then_figures(compared: tuple[str, str]) -> None:
    out, _ = compared
    places = [out.index(part) for part in (
        "Constellation against Astralesce", "Before anything else", "What changed",
        "What is open", "The figures", "corrected for all",
    )]  # fmt: skip
    assert places == sorted(places)
    assert "Fewer games end by unification: " in out
    assert "games of each by random players, seed 0; 15 of them observed" in out


def test_a_page_stands_for_itself(compared: tuple[str, str]) -> None:
    _, page = compared
    found = Pages(page)
    assert not found.open
    assert not found.wrong
    assert not found.loads
    assert "script" not in found.seen
    assert not re.search(r"@import|url\((?!#)", page)
    # lengths, ends, winners, choice; a map for each side and each variant, and their difference
    assert found.seen.count("svg") == 4 + 6


def test_a_page_has_its_colours_from_one_place(compared: tuple[str, str]) -> None:
    """No colour of a plot stands outside the style sheet, so that dark paper changes all."""
    _, page = compared
    body = page[page.index("</style>") :]
    assert not re.findall(r"#[0-9a-f]{6}\b", body)
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_json_has_every_figure_and_finding() -> None:
    result = ludeme("compare", "tic_tac_toe", "tic_tac_toe", "connect_four", *QUICK, "--json")
    told = json.loads(result.stdout)
    assert [variant["label"] for variant in told["variants"]] == [
        "Tic-tac-toe #1", "Tic-tac-toe #2", "Connect Four",
    ]  # fmt: skip
    same, other = told["comparisons"]
    assert same["same_meaning"]
    assert not other["same_meaning"]
    length = next(f for f in other["findings"] if f["key"] == "length")
    assert length["verdict"] == "shown"
    assert length["low"] < length["difference"] < length["high"]
    assert length["other"] == told["variants"][2]["figures"]["length"]["value"]
    assert told["tests"] == sum(len(one["findings"]) for one in told["comparisons"])


def test_one_description_alone_has_its_figures(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = ludeme("compare", "tic_tac_toe", *QUICK, "--html", page)
    assert result.stdout.startswith("Tic-tac-toe\n300 games of each")
    assert "What changed" not in result.stdout
    assert Pages(page.read_text(encoding="utf-8")).seen.count("svg") == 4 + 2


def test_json_has_the_course_of_the_choice_and_the_heat_of_the_board() -> None:
    """Noughts and crosses: nine moves, then eight; the first state is empty, so no share is 1."""
    told = json.loads(ludeme("compare", "tic_tac_toe", *QUICK, "--json").stdout)
    (variant,) = told["variants"]
    assert variant["course"]["decision"][:5] == [1, 2, 3, 4, 5]
    assert variant["course"]["legal_moves"][:5] == [9, 8, 7, 6, 5]
    assert variant["course"]["games"][0] == 15
    assert [heat["owner"] for heat in variant["heat"]] == ["X", "O"]
    shares = [heat["sites"] for heat in variant["heat"]]
    assert set(shares[0]) == {f"{column}{row}" for column in "abc" for row in "123"}
    assert all(0 <= x + shares[1][site] < 1 for site, x in shares[0].items())


def test_options_stand_behind_a_description() -> None:
    result = ludeme("compare", "consta:size=4", "consta:size=3", "-n", 20, "--observe", 0, "--json")
    told = json.loads(result.stdout)
    assert [v["options"] for v in told["variants"]] == [{"size": 4}, {"size": 3}]
    assert [v["label"] for v in told["variants"]] == ["Consta (size 4)", "Consta (size 3)"]


def test_common_options_are_for_all_and_own_ones_go_first() -> None:
    result = ludeme(
        "compare",
        "astralesce",
        "astralesce:alone=0",
        "--option",
        "order=3",
        "-n",
        20,
        "--observe",
        0,
        "--json",
    )
    told = json.loads(result.stdout)
    assert [v["options"] for v in told["variants"]] == [
        {"order": 3, "alone": 1}, {"order": 3, "alone": 0},
    ]  # fmt: skip


def test_the_same_call_gives_the_same_bytes(tmp_path: Path) -> None:
    """On either engine and on any number of processes."""
    pages = []
    for index, more in enumerate(([], ["--jobs", 2], ["--engine", "python"])):
        page = tmp_path / f"{index}.html"
        ludeme("compare", "tic_tac_toe", "connect_four", "-n", 30, "--observe", 4, "--html", page,
               *more)  # fmt: skip
        pages.append(page.read_bytes())
    assert pages[0] == pages[1] == pages[2]


def test_players_and_an_evaluator_are_named_wherever_they_matter() -> None:
    result = ludeme(
        "compare", "tic_tac_toe", "connect_four", "-n", 40, "--observe", 20,
        "--players", "greedy,random", "--evaluator", "playouts:5",
    )  # fmt: skip
    assert "by greedy, random players" in result.stdout
    assert "the evaluator playouts:5 (seed 0)" in result.stdout
    assert "Decisions that changed who leads" in result.stdout
    assert "Random players:" not in result.stdout


def test_a_description_that_fails_is_told_of_first(tmp_path: Path) -> None:
    path = tmp_path / "stuck.game"
    path.write_text(
        'game "Stuck"\nplayers A, B\nboard square(2)\npiece man\nturn go\n'
        "  choose cell from empty\n  put man on cell\n"
        "end\n  mover wins by row when line(3, among mine)\n"
    )
    result = ludeme("compare", path, "tic_tac_toe", *QUICK, status=2)
    assert "fault[stuck]: " in result.stderr
    assert "in game 0, after: " in result.stderr
    assert "Stuck: the description failed in 100.0% of the games." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["consta", "--until", "1%"], "name two descriptions"),
        (["consta", "consta:size=99"], "it must be a number from 3 to 19"),
        (["consta", "consta:size=5,size=7"], "`size` is set twice"),
        (["consta", "consta:=5"], "write options as `name=value,name=value`"),
        (["consta", "consta:5"], "no shipped game called `consta:5`"),
        (["consta", "hex", "--until", "many"], "write a precision from 0.05% to 50%"),
        (["consta", "hex", "--until", "1%", "-n", 5], "either -n or --until"),
        (["consta", "hex", "--players", "clever"], "no player is called `clever`"),
        (["consta", "hex", "--evaluator", "magic"], "no evaluator is called `magic`"),
    ],
)
def test_mistakes_are_told(arguments: list[Any], message: str) -> None:
    result = ludeme("compare", *arguments, status=2)
    assert message in result.stderr


def test_seats_must_be_as_many(tmp_path: Path) -> None:
    path = tmp_path / "three.game"
    path.write_text(
        'game "Three"\nplayers A, B, C\nboard square(2)\npiece man\nturn go\n'
        "  choose cell from empty\n  put man on cell\nend\n  mover wins by full when no empty\n"
    )
    result = ludeme("compare", path, "tic_tac_toe", status=2)
    assert "their seats cannot be compared" in result.stderr


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludeme.cli.laboratory.NEEDED", ("scipy", "statsmodels_that_is_not"))
    result = ludeme("compare", "consta", "hex", status=2)
    assert "needs statsmodels_that_is_not, which is not installed" in result.stderr
    assert "pip install 'ludeme[lab]'" in result.stderr


def test_a_rule_that_a_change_puts_to_sleep_is_named(tmp_path: Path) -> None:
    """Four in a row do not fit on nine cells."""
    path = tmp_path / "rows.game"
    path.write_text(
        'game "Rows"\nplayers A, B\noption need = 3 from 2..9\nboard square(3)\npiece man\n'
        "turn go\n  choose cell from empty\n  put man on cell\n"
        "end\n  mover wins by row when line(need, among mine)\n  draw by full when no empty\n"
    )
    result = ludeme("compare", path, f"{path}:need=4", *QUICK)
    assert "Rules that fell asleep or woke" in result.stdout
    assert "`mover wins by row when line(need, among mine)` in end never comes" in result.stdout


# ---- sweep


def test_a_sweep_is_a_row_for_each_combination(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = ludeme(
        "sweep", "astralesce", "--over", "order=3..4", "--over", "alone", "-n", 60,
        "--observe", 5, "--html", page,
    )  # fmt: skip
    rows = [line.split() for line in result.stdout.splitlines()]
    assert [row[:2] for row in rows if row[:1] in (["3"], ["4"])] == [
        ["3", "0"], ["3", "1"], ["4", "0"], ["4", "1"],
    ]  # fmt: skip
    found = Pages(page.read_text(encoding="utf-8"))
    assert not found.open
    assert not found.wrong
    assert found.seen.count("svg") >= 4


def test_a_cell_of_a_sweep_is_the_playout_with_its_options() -> None:
    told = json.loads(ludeme("sweep", "consta", "--over", "size=3..5", "-n", 50, "--json").stdout)
    assert [cell["options"]["size"] for cell in told["cells"]] == [3, 4, 5]
    result = ludeme("playout", "consta", "--option", "size=5", "-n", 50, "--json")
    alone = json.loads(result.stdout)
    figures = told["cells"][2]["figures"]
    assert figures["length"]["value"] == alone["length"]["mean"]
    assert figures["wins.1"]["value"] == alone["winners"]["Black"]["share"]


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("sizes=3", "there is no option `sizes`; there are size"),
        ("size=9..3", "is no range"),
        ("size=3..9..0", "is no range"),
        ("size=1..3", "it must be a number from 3 to 19"),
        ("size=", "write values after the `=`"),
    ],
)
def test_mistakes_of_a_sweep_are_told(over: str, message: str) -> None:
    assert message in ludeme("sweep", "consta", "--over", over, status=2).stderr
