"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test finds code that was compiled before, or leaves any behind."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("LUDEME_CACHE")
    os.environ["LUDEME_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["LUDEME_CACHE"]
    else:
        os.environ["LUDEME_CACHE"] = before
