"""What all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_collection_finish() -> None:
    """Rubbish is seldom looked for, and not among what was there before the first test.

    That takes a twentieth of the time otherwise.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 50)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run finds no code that was compiled before it, and leaves none behind.

    The processes of a run share what they compile.
    """
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / "compiled"
    before = os.environ.get("LUDEME_CACHE")
    os.environ["LUDEME_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["LUDEME_CACHE"]
    else:
        os.environ["LUDEME_CACHE"] = before
