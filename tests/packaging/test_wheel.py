"""The wheel holds all that the package needs, and works outside the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the checkout, laid open in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, code: str) -> str:
    """Run Python where the wheel is found before the checkout."""
    path = f"import sys; sys.path.insert(0, {str(unpacked)!r}); "
    finished = subprocess.run(
        [sys.executable, "-I", "-c", path + code],
        cwd=unpacked.parent,
        check=True,
        capture_output=True,
        text=True,
    )
    return finished.stdout


def test_the_wheel_is_what_is_imported(unpacked: Path) -> None:
    """The test would prove nothing if it ran the checkout."""
    where = run(unpacked, "import ludeme; print(ludeme.__file__)")
    assert Path(where.strip()).is_relative_to(unpacked)


def test_every_shipped_game_loads_from_the_wheel(unpacked: Path) -> None:
    """Grammar, prelude and games are inside."""
    code = (
        "import ludeme; from ludeme.game import shipped; "
        "print(sum(bool(ludeme.load(name).start().to_move) for name in shipped()))"
    )
    shipped = list((CHECKOUT / "games").rglob("*.game"))
    assert int(run(unpacked, code)) == len(shipped)


def test_the_command_of_the_wheel_counts(unpacked: Path) -> None:
    """The command line works from the wheel."""
    code = "from ludeme.cli import main; main(['perft', 'constructo', '2'])"
    assert run(unpacked, code).split()[-1] == "81"
