"""Every kind of mistake that the checker knows has a description that shows it."""

from __future__ import annotations

import ast
from pathlib import Path

from errors.test_errors import FILES, expectations

ROOT = Path(__file__).resolve().parents[2]

# Shown by tests of their own, since no comment can stand in a picture and no file gives options.
ELSEWHERE = {"picture": "test_check_pictures.py", "option-value": "test_check_options.py"}


def codes_of_the_checker() -> set[str]:
    """The codes written out where the checker reports something."""
    found = set()
    for path in sorted((ROOT / "ludeme" / "check").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                first = node.args[0] if node.args else None
                if node.func.attr in ("error", "warning") and isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def test_every_code_is_shown_by_a_description() -> None:
    shown = {
        each.code
        for path in FILES
        if path.parent.name == "check"
        for each in expectations(path.read_text(encoding="utf-8"))
    }
    assert len(codes_of_the_checker()) > 40
    assert codes_of_the_checker() - shown - ELSEWHERE.keys() == set()


def test_what_no_description_can_show_is_tested_elsewhere() -> None:
    for code, name in ELSEWHERE.items():
        assert f'"{code}"' in (Path(__file__).parent / name).read_text(encoding="utf-8")
