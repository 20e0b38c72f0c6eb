"""The Python on the pages does what it shows."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from docs.blocks import PAGES, ROOT, blocks

WITH_PYTHON = [page for page in PAGES if any(blocks(page, "python"))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_of_page(page: Path) -> None:
    """The Python of a page, run from top to bottom as one session, gives what is shown."""
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    session: dict[str, object] = {}
    for block in blocks(page, "python"):
        test = parser.get_doctest(block.text, session, str(block), str(page), block.line - 1)
        runner.run(test, out=said.append, clear_globs=False)
        session = test.globs
    assert runner.tries > 0
    assert not runner.failures, "".join(said)
