"""The grammar, and the tables that are made from it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from lark.parsers.lalr_analysis import LALR_Analyzer

from ludeme.diagnostics import Source
from ludeme.syntax.layout import lay_out
from ludeme.syntax.tables import TABLES_FILE, parser_from_grammar, parser_from_tables, tables
from tests.syntax.texts import CONSTRUCTS


def test_saved_tables_are_those_of_the_grammar() -> None:
    assert tables() == TABLES_FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", ["1", "2"])
def test_tables_do_not_depend_on_the_order_of_sets(seed: str) -> None:
    program = "from ludeme.syntax.tables import tables; print(tables(), end='')"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert TABLES_FILE.read_text(encoding="utf-8") == run.stdout


def test_grammar_has_no_conflict() -> None:
    """Lark's own strict mode would also refuse words that are names, which the lexer settles."""
    configuration = parser_from_grammar().parser.parser_conf
    LALR_Analyzer(configuration, strict=True).compute_lalr()  # type: ignore[no-untyped-call]


def test_every_terminal_has_a_name() -> None:
    names = {terminal.name for terminal in parser_from_grammar().terminals}
    assert {name for name in names if name.startswith("__ANON")} == set()


def test_the_text_of_constructs_has_every_rule() -> None:
    parser = parser_from_tables()
    rules = {
        rule.alias or rule.origin.name
        for rule in parser.rules
        if rule.alias or not (rule.origin.name.startswith("_") or rule.options.expand1)
    }
    used = set()
    for chunk in lay_out(Source("", CONSTRUCTS)).chunks:
        used |= {part.data for part in parser.parse(chunk.text, start="item").iter_subtrees()}
    assert rules - {"hole"} == used
