"""Measure everything in one run on one machine: ``python -m benchmarks``."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import attrs
import click

from benchmarks import growth, limit, loading, rates, threads
from benchmarks.cases import CASES, REFERENCE, Case, chosen
from benchmarks.rates import Budget
from benchmarks.report import Report, Row, as_json, as_text

PARTS = ("rates", "loading", "threads", "growth")


@attrs.frozen
class Plan:
    """What is measured, and how thoroughly."""

    cases: tuple[Case, ...]
    parts: frozenset[str]
    quick: bool

    @property
    def budget(self) -> Budget:
        """For rates."""
        return Budget(3, 0.05) if self.quick else Budget()


def _limit(folder: Path) -> limit.Limit | None:
    try:
        return limit.build(folder)
    except limit.CompilerMissing as error:
        click.echo(f"no C limit: {error}", err=True)
        return None


def _rates(plan: Plan, case: Case, yardstick: limit.Limit | None) -> dict[str, float]:
    game = case.load()
    engines = {"native": rates.of_native(game), "interpreter": rates.of_interpreter(game)}
    if yardstick is not None:
        engines["reference"] = rates.of_limit(yardstick, REFERENCE)
        if case.limit is not None:
            engines["limit"] = rates.of_limit(yardstick, case.limit)
    if case.spiel is not None and (spiel := rates.of_spiel(case.spiel)) is not None:
        engines["spiel"] = spiel
    return rates.in_turns(engines, plan.budget)


def _row(plan: Plan, case: Case, found: dict[str, float]) -> Row:
    loads = None
    if "loading" in plan.parts:
        loads = loading.measure(case, 1 if plan.quick else 5)
    names = ("native", "limit", "interpreter", "spiel")
    known = {name: found[name] for name in names if name in found}
    return Row(case.game, loading=loads, **known)


def measure(plan: Plan, folder: Path) -> Report:
    """Carry a plan out; the C program is compiled into *folder*."""
    yardstick = _limit(folder)
    rows, references = [], []
    for case in plan.cases:
        click.echo(f"{case.game} ...", err=True)
        found = _rates(plan, case, yardstick) if "rates" in plan.parts else {"native": 0.0}
        references.append(found.get("reference"))
        rows.append(_row(plan, case, found))
    known = sorted(rate for rate in references if rate is not None)
    gain = None
    if "threads" in plan.parts and yardstick is not None:
        case = next(case for case in CASES if case.limit == REFERENCE)
        gain = threads.measure(yardstick, case, 1 if plan.quick else 5, 0.2 if plan.quick else 1.0)
    growths: tuple[growth.Growth, ...] = ()
    if "growth" in plan.parts:
        runs, games = (1, 500) if plan.quick else (5, 2000)
        growths = tuple(growth.measure(name, runs, games) for name in ("consta", "hex"))
    reference = known[len(known) // 2] if known else None
    return Report(tuple(rows), reference, gain, growths)


@click.command()
@click.option("--games", default="", help="Only these, with commas between.")
@click.option(
    "--part", "parts", multiple=True, type=click.Choice(PARTS), help="Only this; may be repeated."
)
@click.option("--quick", is_flag=True, help="Rough figures in a short time.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON.")
def main(games: str, parts: tuple[str, ...], quick: bool, is_json: bool) -> None:
    """Measure Ludeme beside hand-written C, its own interpreter and OpenSpiel."""
    try:
        cases = chosen([name.strip() for name in games.split(",") if name.strip()])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    plan = Plan(cases, frozenset(parts or PARTS), quick)
    with tempfile.TemporaryDirectory() as temporary:
        report = measure(plan, Path(temporary))
    click.echo(json.dumps(as_json(report), indent=2) if is_json else as_text(report))


if __name__ == "__main__":
    sys.exit(main())
