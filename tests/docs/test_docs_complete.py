"""The reference names everything, and nothing that pages repeat of the code is out of date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.blocks import PAGES, ROOT

from docs import generate
from ludeme.kernel import EFFECTS, OPERATIONS, OPERATORS
from ludeme.syntax.explain import keywords

REFERENCE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
BY_HAND = re.sub(r"<!-- generated: \w+ -->.*?<!-- end -->", "", REFERENCE, flags=re.S)
"""What the reference says beside its tables."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_is_up_to_date(page: Path) -> None:
    """`python docs/generate.py` would change nothing on a page."""
    text = page.read_text(encoding="utf-8")
    assert generate.regenerated(text) == text


def test_every_keyword_is_explained() -> None:
    """Every word of the grammar stands in the reference, beside the generated tables."""
    written = set(re.findall(r"\w+", BY_HAND))
    assert sorted(keywords() - written) == []


@pytest.mark.parametrize("kind", ["operations", "operators", "lines"])
def test_every_row_is_in_the_reference(kind: str) -> None:
    """Every row of the table of the kernel stands in the reference."""
    docs = {
        "operations": [operation.doc for operation in OPERATIONS.values()],
        "operators": list(OPERATORS.values()),
        "lines": [effect.doc for effect in EFFECTS.values()],
    }[kind]
    cells = " ".join(REFERENCE.split()).replace("\\|", "|")
    assert [doc for doc in docs if " ".join(doc.split()) not in cells] == []


def test_every_code_is_described() -> None:
    """Every code of a diagnostic that the engine can make has its line, and no other has one."""
    described = {
        *generate.ERRORS, *generate.WARNINGS, *generate.FAULTS, *generate.REASONS,
        *generate.OTHERS,
    }  # fmt: skip
    used = set(generate.used_codes())
    assert sorted(used - described) == []
    source = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "ludeme").rglob("*.py"))
    assert [code for code in sorted(described - used) if f'"{code}"' not in source] == []


def test_links_lead_somewhere() -> None:
    """A link from one page to another, or to a heading of the reference, is not broken."""
    broken = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if target.startswith("http"):
                continue
            path, _, heading = target.partition("#")
            goal = (page.parent / path).resolve() if path else page
            if not goal.exists() or (heading and heading not in _headings(goal)):
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def _headings(page: Path) -> set[str]:
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_first_game_of_the_readme_is_the_shipped_one() -> None:
    """The description on the first screen is the shipped one without its examples."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```ludeme\n(.*?)```", readme, re.S)
    assert found is not None
    shipped = (ROOT / "games" / "classics" / "connect_four.game").read_text(encoding="utf-8")
    assert shipped.split("\nexample ")[0].strip() == found[1].strip()
