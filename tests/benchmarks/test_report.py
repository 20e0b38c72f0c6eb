"""The benchmarks put their figures together rightly. Nothing here is timed."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import ludeme.native.cache
from benchmarks.cases import CASES, REFERENCE, chosen
from benchmarks.growth import Growth, Point
from benchmarks.limit import SOURCE, parse_row
from benchmarks.loading import Loading, cache_in
from benchmarks.profile import _kept_apart
from benchmarks.rates import Budget, in_turns
from benchmarks.report import Report, Row, as_json, as_text, table
from benchmarks.threads import Gain
from ludeme.game import shipped


def test_every_case_is_a_shipped_game_that_loads() -> None:
    assert {case.game for case in CASES} <= set(shipped())
    assert chosen(["hex"])[0].load().name == "hex"


def test_every_limit_is_a_game_of_the_c_program() -> None:
    names = {case.limit for case in CASES if case.limit is not None}
    text = SOURCE.read_text(encoding="utf-8")
    assert all(f'{{"{name}", run_' in text for name in names)
    assert REFERENCE in names


def test_an_unknown_game_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="hexx"):
        chosen(["hex", "hexx"])


def test_a_row_of_the_c_program_is_read() -> None:
    row = parse_row("| hex11 | 850101 | 91389425 | 107.504 | 0.5235 | 0.4765 | 0.0000 | 1280256 |")
    assert (row.rate, row.mean_length, row.first_wins, row.playouts) == (
        850101.0,
        107.504,
        0.5235,
        1280256,
    )


def test_engines_take_turns_and_the_median_counts() -> None:
    order: list[str] = []
    rates = iter([1.0, 10.0, 9.0, 20.0, 2.0, 30.0])

    def engine(name: str):  # type: ignore[no-untyped-def]
        def run(seconds: float) -> float:
            order.append(name)
            return next(rates)

        return run

    found = in_turns({"a": engine("a"), "b": engine("b")}, Budget(runs=3, seconds=0.0))
    assert order == ["a", "b"] * 3
    assert found == {"a": 2.0, "b": 20.0}


def test_the_exponent_of_growth_is_the_slope_of_the_logarithms() -> None:
    points = tuple(Point(size, size**2, 3.0 * size**4) for size in (11, 15, 19))
    assert math.isclose(Growth("hex", points).exponent, 2.0)


def _report() -> Report:
    row = Row("hex", 500.0, limit=1000.0, interpreter=5.0, spiel=25.0, loading=Loading(0.2, 0.01))
    return Report((row,), reference=870_000.0, gain=Gain(1.8, 1.9))


def test_ratios_are_those_of_the_native_rate() -> None:
    figures = as_json(_report())["games"][0]
    assert (figures["over_limit"], figures["over_interpreter"], figures["over_spiel"]) == (
        0.5,
        100.0,
        20.0,
    )
    assert figures["scaled"] == 500.0
    assert json.loads(json.dumps(as_json(_report())))["threads"]["limit"] == 1.9


def test_the_text_shows_what_was_measured_and_leaves_out_the_rest() -> None:
    text = as_text(_report())
    assert "hex" in text and "A second processor" in text
    assert "Cost of a decision" not in text


def test_columns_of_a_table_stand_below_one_another() -> None:
    lines = table(["game", "n"], [["hex", "1"], ["consta", "1,000"]]).splitlines()
    assert len({len(line) for line in lines}) == 1


def test_the_cache_is_elsewhere_for_a_while(tmp_path: Path) -> None:
    before = ludeme.native.cache.folder()
    with cache_in(tmp_path):
        assert ludeme.native.cache.folder() == tmp_path
    assert ludeme.native.cache.folder() == before


def test_functions_are_kept_apart_but_for_those_always_merged() -> None:
    text = "define internal i64 @a(i64 %x) alwaysinline\n{\ndefine internal i1 @b(ptr %x)\n{"
    assert _kept_apart(text).splitlines()[2].endswith(") noinline")
    assert "alwaysinline noinline" not in _kept_apart(text)
