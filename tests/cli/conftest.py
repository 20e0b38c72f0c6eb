"""What the tests of the commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import written
from tests.play.texts import COIN


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    """A small game in a file of its own."""
    return written(tmp_path, COIN, "coin.game")
