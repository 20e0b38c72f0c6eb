"""How often each rule comes to pass: by hand, against the moves, and engine by engine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from click.testing import CliRunner, Result

import ludeme
from ludeme.cli import main
from ludeme.game import Game, load_text, shipped
from ludeme.lab.coverage import Coverage, asleep, cover
from ludeme.lab.rules import Rule
from ludeme.machine import Machine
from ludeme.machine.counted import CountedMachine
from ludeme.native.compiled import Lowered
from ludeme.native.engine import Native
from ludeme.native.refusal import NotNative
from tests.native.cases import CASES
from tests.native.programs import description

STAGES = """\
game "Stages"
players Ann, Bob
board square(2)
piece man
turn
  one of
    - early as "early {cell}"
        require count(occupied) < 2
        choose cell from empty
        put man on cell
    - late as "late {cell}"
        require count(occupied) >= 2
        choose cell from empty
        put man on cell
        if count(occupied) = 5: put man on cell
    otherwise never
        pass
end
  mover wins by fifth when count(occupied) = 5
  draw by full when no empty
"""


def rule(found: Coverage, text: str, kind: str | None = None, line: int | None = None) -> Rule:
    """The one rule with these words."""
    rules = [r for r in found.rules if text in r.text and kind in (None, r.kind)]
    if line is not None:
        rules = [r for r in rules if r.span.line == line]
    assert len(rules) == 1, [r.text for r in rules]
    return rules[0]


def figures(found: Coverage, text: str, kind: str | None = None) -> tuple[int, int]:
    one = rule(found, text, kind)
    return one.passed, one.chances


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["coverage", *arguments])


# ---- by hand


@pytest.mark.parametrize("engine", ["python", "native"])
def test_counts_of_a_game_of_four_moves_are_those_worked_out_by_hand(engine: str) -> None:
    """Each game has four decisions, two of each bullet, and each asks both requirements once."""
    found = cover(load_text(STAGES), 10, engine=engine)
    assert found.statuses == (10, 0, 0)
    assert figures(found, "turn", "turn") == (40, 40)
    assert figures(found, "- early") == (20, 40)
    assert figures(found, "- late") == (20, 40)
    assert figures(found, "require count(occupied) < 2") == (20, 40)
    assert figures(found, "require count(occupied) >= 2") == (20, 40)
    assert figures(found, "if count(occupied) = 5") == (0, 20)
    assert figures(found, "otherwise never") == (0, 40)
    assert figures(found, "by fifth") == (0, 40)
    assert figures(found, "by full") == (10, 40)
    never = [r.text.split(":")[0] for r in found.never]
    assert never == [
        "otherwise never",
        "mover wins by fifth when count(occupied) = 5",
        "if count(occupied) = 5",
    ]
    assert [r.text for r in found.unreached] == ["put man on cell", "pass"]


def test_the_bound_is_three_over_the_chances_and_never_more_than_one() -> None:
    found = cover(load_text(STAGES), 10)
    assert rule(found, "otherwise never").bound == 3 / 40
    assert rule(found, "by full").bound is None
    assert rule(found, "pass").bound is None
    assert found.games_bound == 3 / 10
    single = cover(load_text(STAGES), 1, turn_limit=1)
    assert rule(single, "otherwise never").bound == 1.0


CHAIN = """\
game "Chain"
players Ann, Bob
board square(3)
piece man
game has count_down = 3 from 0..3
turn as "go"
  repeat 1..5 times while possible
    require count_down > 0
    lower count_down by 1
    if count_down = 1
      raise count_down by 1
      lower count_down by 1
      stop
    put man on lowest cell_of
  pass
end
  draw by pause when passes = 1
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_what_follows_a_stop_is_counted_only_where_the_chain_goes_on(engine: str) -> None:
    """From 3: one link to 2, a second to 1, where it stops; the line behind was reached once."""
    text = CHAIN.replace("    put man on lowest cell_of\n", "    put man on a1 and empty\n")
    found = cover(load_text(text), 4, engine=engine)
    assert found.statuses == (4, 0, 0)
    assert figures(found, "repeat") == (8, 4)
    assert figures(found, "if count_down = 1") == (4, 8)
    assert figures(found, "stop") == (4, 4)
    assert figures(found, "put man on a1") == (4, 8)
    assert figures(found, "pass", "effect") == (4, 4)


PHASES = """\
game "Phases"
players Ann, Bob
board square(2)
piece man
game has rounds = 0 from 0..9
each player has score = 0 from 0..1
turn place
  choose cell from empty
  put man on cell
turn rest
  pass
play
  for starter in players
    clear board
    if starter = Ann
      raise rounds by 1
    else
      raise rounds by 2
    starter takes rest
    players alternate place from starter, until count(occupied) = 3
  ranking decides by rounds
ranking highest score
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_steps_of_play_are_counted_from_the_first_state_on(engine: str) -> None:
    """Two rounds of one rest and three placings; the first is set up before any decision."""
    found = cover(load_text(PHASES), 7, engine=engine)
    assert found.statuses == (7, 0, 0)
    assert figures(found, "for starter in players") == (14, 7)
    assert figures(found, "clear board") == (14, 14)
    assert figures(found, "if starter = Ann") == (7, 14)
    assert figures(found, "starter takes rest") == (14, 14)
    assert figures(found, "players alternate place") == (42, 42)
    assert figures(found, "until count(occupied) = 3", "branch") == (14, 56)
    assert figures(found, "turn rest", "turn") == (14, 56)
    assert figures(found, "ranking decides by rounds") == (7, 7)


MOST = """\
game "Most"
players Ann, Bob
board square(3)
piece man
turn as "{cell}"
  choose cell from board
  require most count(neighbours(cell))
  pass
end
  draw by once when passes = 1
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_require_most_refuses_every_run_that_another_outdoes(engine: str) -> None:
    """Of nine cells the middle one has the most neighbours."""
    found = cover(load_text(MOST), 5, engine=engine)
    assert figures(found, "require most") == (5, 45)


def test_attempts_that_were_refused_are_counted_as_chance_has_it() -> None:
    """Reversi begins with 60 empty cells of which four are legal, and attempts are independent.

    An attempt holds with p = 4/60; after 64 failures all 60 are listed. With 4,000 games the mean
    number asked lies within five standard errors of what that gives, but for one seed in a million.
    """
    games, p = 4000, 4 / 60
    found = rule(cover(ludeme.load("reversi"), games, turn_limit=1), "where", "requirement")
    lost = (1 - p) ** 64
    mean = (1 - lost) / p + lost * 60
    deviation = np.sqrt(1 - p) / p
    assert abs(found.chances / games - mean) < 5 * deviation / np.sqrt(games)
    assert abs(found.passed / games - (1 - lost + 4 * lost)) < 5 * np.sqrt(9 * lost / games)


# ---- against the moves


def moves_of(name: str, games: int, folder: Path) -> list[str]:
    """All moves of random games, as `playout --save` writes them down."""
    ludeme.load(name).playouts(games, seed=3, save=folder / "games.jsonl")
    lines = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
    decisions = [text for line in lines for text in json.loads(line)["decisions"]]
    return [move for decision in decisions for move in decision.split(" | ")]


PRINTS = {
    "constello": {"- capture": "capture .*", "- hold": "pass", "- build": "(place|secure) .*"},
    "constructo": {"- climb": r"\w+-\w+", "- place": r"(ring|medium|small) .*"},
    "consta": {"- stack": r"(\w+) \1", "- singles": r"(\w+) (?!\1$)\w+"},
    "english_draughts": {"- jump": r"\w+x.*", "otherwise step": r"\w+-\w+"},
}


@pytest.mark.parametrize("name", PRINTS)
def test_bullets_are_counted_as_often_as_their_moves_were_printed(
    name: str, tmp_path: Path
) -> None:
    moves = moves_of(name, 12, tmp_path)
    found = cover(ludeme.load(name), 12, seed=3)
    for bullet, pattern in PRINTS[name].items():
        printed = sum(re.fullmatch(pattern, move) is not None for move in moves)
        assert rule(found, bullet, "branch").passed == printed > 0, bullet


SEVERAL = ("astralesce", "consta", "constellation", "constello", "constructo", "kuhn_poker", "hex")


@pytest.mark.parametrize("name", SEVERAL)
def test_ends_and_turns_agree_with_what_playouts_say(name: str) -> None:
    assert_agrees_with_playouts(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in shipped() if name not in SEVERAL])
def test_ends_and_turns_agree_with_what_playouts_say_of_every_game(name: str) -> None:
    assert_agrees_with_playouts(name)


def assert_agrees_with_playouts(name: str) -> None:
    game = ludeme.load(name)
    games = 3 if name == "amazons" else 20
    found = cover(game, games, seed=5, turn_limit=100)
    played = game.playouts(games, seed=5, turn_limit=100)
    assert found.statuses == tuple(
        played.count(status) for status in ("finished", "unfinished", "faulty")
    )
    if played.fault is not None:
        return
    ends = {end: played.summary()["ends"][end]["count"] for end in played.asked.ends}
    for end, count in ends.items():
        told = sum(r.passed for r in found.rules if re.search(rf" by {end}\b", r.text))
        assert told == count, end
    rolled = {f"turn {t.name}" for t in game.program.turns.values() if t.chance}
    taken = [r for r in found.rules if r.kind == "turn" and r.within not in rolled]
    assert sum(r.passed for r in taken) == played.moves.sum()


@pytest.mark.parametrize("name", ["constello", "constructo", "consta", "english_draughts"])
def test_ways_that_exclude_each_other_add_up(name: str) -> None:
    found = cover(ludeme.load(name), 30)
    turns = {r.within: r.passed for r in found.rules if r.kind == "turn"}
    for within, taken in turns.items():
        bullets = [r for r in found.rules if r.within == within and r.kind == "branch"]
        bullets = [r for r in bullets if r.text.startswith(("- ", "otherwise"))]
        if bullets:
            assert sum(r.passed for r in bullets) == taken
    assert all(r.passed <= r.chances for r in found.rules if r.kind != "loop")


# ---- engine against engine


def assert_same_counts(game: Game, games: int, limit: int) -> None:
    """Both engines count the same, number by number."""
    one = cover(game, games, seed=2, turn_limit=limit, engine="python")
    other = cover(game, games, seed=2, turn_limit=limit, engine="native")
    assert (one.engine, other.engine) == ("python", "native")
    assert one.counts == other.counts
    assert one.statuses == other.statuses
    assert one.rules == other.rules


SETTINGS: list[tuple[str, dict[str, str]]] = [(name, {}) for name in shipped()] + [
    ("consta", {"size": "5"}),
    ("astralesce", {"order": "3"}),
    ("constructo", {"same_pattern": "true"}),
    ("hex", {"size": "12"}),
]


@pytest.mark.parametrize(("name", "options"), SETTINGS[:5] + SETTINGS[5::4])
def test_both_engines_count_the_same_in_shipped_games(name: str, options: dict[str, str]) -> None:
    assert_same_counts(ludeme.load(name, **options), 2, 40)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_both_engines_count_the_same_in_long_games(name: str, options: dict[str, str]) -> None:
    assert_same_counts(ludeme.load(name, **options), 10, 400)


FEW_CASES = list(CASES)[::6]


@pytest.mark.parametrize("name", FEW_CASES)
def test_both_engines_count_the_same_in_small_cases(name: str) -> None:
    same_if_native(load_text(CASES[name]))


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in CASES if name not in FEW_CASES])
def test_both_engines_count_the_same_in_every_small_case(name: str) -> None:
    same_if_native(load_text(CASES[name]))


@pytest.mark.parametrize("number", [4, 11])
def test_both_engines_count_the_same_in_generated_programs(number: int) -> None:
    same_or_refused(number)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(400))
def test_both_engines_count_the_same_in_many_generated_programs(number: int) -> None:
    same_or_refused(number)


def same_or_refused(number: int) -> None:
    try:
        game = load_text(description(number))
        game.start()
    except (ludeme.DescriptionError, ludeme.DescriptionFault):
        return
    same_if_native(game)


def same_if_native(game: Game, games: int = 6, limit: int = 40) -> None:
    if is_native(game):
        assert_same_counts(game, games, limit)


def is_native(game: Game) -> bool:
    """Whether machine code plays a description from its first state."""
    try:
        start = game.machine.start()
        Lowered(game.machine, has_pdep=False)
    except (NotNative, ludeme.DescriptionFault):
        return False
    return not game.machine.is_over(start) and game.machine.program.board.names != ()


MANY_PLACES = """\
game "Many places"
players Ann, Bob
board square(17)
piece man
turn
  one of
    - many as "{first} {second} {third}"
        choose first from board
        choose second from neighbours(first) or {a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12}
        choose third from neighbours(second)
        put man on a1 and empty
    - none as "none {cell}"
        require count(occupied) < 2
        choose cell from board
end
  draw by length when turns >= 2
"""


def test_a_path_behind_too_many_places_asks_the_same_on_both_engines() -> None:
    """More than 4,096 places are not weighed, and the second bullet is not even asked."""
    assert_same_counts(load_text(MANY_PLACES), 1, 2)


def test_neither_processes_nor_threads_change_a_count() -> None:
    game = ludeme.load("constello")
    one = cover(game, 20, jobs=1, engine="python")
    assert cover(game, 20, jobs=2, engine="python").counts == one.counts
    assert cover(game, 20, jobs=2, engine="native").counts == one.counts
    parts = [cover(game, 8, first=0), cover(game, 12, first=8)]
    assert one.counts == tuple(a + b for a, b in zip(*(p.counts for p in parts), strict=True))


def test_without_counting_there_is_nothing_of_it_in_the_code() -> None:
    """What is compiled without a tally holds no counter, and a state no room for one."""
    game = ludeme.load("constello")
    plain, counted = Lowered(game.machine, True), Lowered(CountedMachine(game.program), True)
    assert plain.memory.trail is None
    assert plain.flow.counting.size == 0
    assert plain.memory.size < counted.memory.size
    assert plain.context_size < counted.context_size


@pytest.mark.soak
@pytest.mark.parametrize("name", list(shipped()))
def test_machine_code_that_counts_has_at_least_half_the_speed(name: str) -> None:
    """CPU time of the best of five; measured 0.76 to 1.1 of it over all shipped games."""
    program = ludeme.load(name).program
    machines = Machine(program), CountedMachine(program)
    engines = [Native(machine) for machine in machines]
    start, games, best = machines[0].start(), 64, [float("inf")] * 2
    for repeat in range(5):
        for which, engine in enumerate(engines):
            begun = process_time()
            engine.playouts(start, 1, 0, games, 2000)
            spent = process_time() - begun
            while repeat == 0 and which == 0 and spent < 0.1:
                games, begun = 2 * games, process_time()
                engine.playouts(start, 1, 0, games, 2000)
                spent = process_time() - begun
            best[which] = min(best[which], spent)
    assert best[1] <= 2 * best[0]


# ---- faults


FAULTY = """\
game "Faulty"
players Ann, Bob
board square(3)
piece man
game has luck = 0 from 0..1
turn as "{cell}"
  choose cell from empty
  put man on cell
  if cell = a1: raise luck by 2
end
  draw by length when turns >= 3
"""


def test_games_that_go_wrong_count_up_to_the_fault_on_both_engines() -> None:
    game = load_text(FAULTY)
    assert_same_counts(game, 40, 9)
    found = cover(game, 40, seed=2)
    assert found.statuses[2] > 0
    assert found.fault is not None
    assert found.fault.diagnostic.code == "out-of-range"


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="no engine"):
        cover(load_text(STAGES), 1, engine="steam")


# ---- what a change puts to sleep


def test_a_change_that_shuts_a_bullet_puts_its_rules_to_sleep() -> None:
    base = cover(load_text(STAGES), 10)
    variant = cover(load_text(STAGES.replace(">= 2", ">= 5")), 10)
    found = asleep(base, variant)
    assert "- late" in {change.variant.text[:6] for change in found}
    assert {change.base.text for change in asleep(variant, base)} == {"otherwise never", "pass"}
    assert asleep(base, base) == ()


# ---- the command


def test_the_command_shows_what_never_came_to_pass_and_the_text_beside_its_counts(
    tmp_path: Path,
) -> None:
    file = tmp_path / "stages.game"
    file.write_text(STAGES, encoding="utf-8")
    result = run(str(file), "-n", "10")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[1] == "10 random games, seed 0: 10 finished"
    assert re.match(r"otherwise never +turn +16 +40 +8%", lines[4])
    assert "!           0      0%   16 |     otherwise never" in lines
    assert '           20     50%    7 |     - early as "early {cell}"' in lines
    assert ".           0           17 |         pass" in lines


def test_json_has_a_record_for_each_rule() -> None:
    figures = json.loads(run("hex", "-n", "20", "--option", "size=3", "--json").stdout)
    assert figures["games"] == {"total": 20, "finished": 20, "unfinished": 0, "faulty": 0}
    end = next(r for r in figures["rules"] if r["kind"] == "end")
    assert end["passed"] == 20
    assert end["failed"] == end["chances"] - 20
    assert {"kind", "text", "within", "file", "line", "chances", "passed", "failed"} <= set(end)


def test_the_page_holds_everything_and_reaches_for_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("constello", "-n", "20", "--html", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "otherwise idle" in text
    assert "capturing, placing" in text
    assert not re.search(r"https?://|<script|<link|src=", text)
    for lines in ("prefers-color-scheme: dark", "@media print"):
        assert lines in text


def test_a_position_to_begin_from_counts_from_there() -> None:
    position = "a1: X mark\nb1: X mark\na2: O mark\nb2: O mark\nto move: X in move"
    assert "by line" in run("tic_tac_toe", "-n", "30", "--from", position).stdout


def test_what_cannot_be_written_or_read_ends_with_2(tmp_path: Path) -> None:
    assert run("no_such_game").exit_code == 2
    assert run("hex", "-n", "2", "--html", str(tmp_path / "no" / "page.html")).exit_code == 2


def test_a_fault_is_told_and_ends_with_2(tmp_path: Path) -> None:
    file = tmp_path / "faulty.game"
    file.write_text(FAULTY, encoding="utf-8")
    result = run(str(file), "-n", "40", "--seed", "2")
    assert result.exit_code == 2
    assert "fault[out-of-range]" in result.stderr
