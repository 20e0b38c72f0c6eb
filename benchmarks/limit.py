"""The C limit: hand-written playouts of single games, compiled for this machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from shutil import which

import attrs

SOURCE = Path(__file__).with_name("limit.c")


class CompilerMissing(Exception):
    """There is no C compiler."""


def compiler() -> str:
    """The C compiler: ``CC``, or gcc, or what is called cc."""
    found = os.environ.get("CC") or which("gcc") or which("cc")
    if found is None:
        raise CompilerMissing("a C compiler is needed (gcc, or what CC names)")
    return found


@attrs.frozen
class LimitRow:
    """What one game came to: playouts per CPU second, and figures to check the rules by."""

    rate: float
    mean_length: float
    first_wins: float
    second_wins: float
    draws: float
    playouts: int


@attrs.frozen
class Limit:
    """The compiled program."""

    program: Path

    def run(self, game: str, seconds: float, seed: int = 1) -> LimitRow:
        """Play one game for some CPU seconds."""
        command = [str(self.program), "-s", str(seconds), "-r", "1", "-x", str(seed), game]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return parse_row(done.stdout.splitlines()[-1])

    def start(self, game: str, seconds: float) -> subprocess.Popen[bytes]:
        """The same, not waited for."""
        command = [str(self.program), "-s", str(seconds), "-r", "1", game]
        return subprocess.Popen(command, stdout=subprocess.PIPE)


def build(folder: Path) -> Limit:
    """Compile the program into a folder."""
    program = folder / "limit"
    command = [compiler(), "-O3", "-march=native", "-std=gnu11", "-o", program, SOURCE]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    return Limit(program)


def parse_row(line: str) -> LimitRow:
    """Read a row of the table that the program prints."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    rate, _, length, first, second, draw, playouts = map(float, cells[1:])
    return LimitRow(rate, length, first, second, draw, int(playouts))
