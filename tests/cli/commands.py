"""Running commands in tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from ludeme.cli import main


def ludeme(*arguments: object, status: int = 0, **how: Any) -> Result:
    """Run a command in this process, see that it ends with *status* and without a traceback."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], **how)
    unexpected = result.exception
    if unexpected is not None and not isinstance(unexpected, SystemExit):
        raise unexpected
    assert status == result.exit_code, result.output
    return result


def start(*arguments: object, **how: Any) -> subprocess.Popen[str]:
    """Begin a command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "ludeme", *map(str, arguments)],
        stdout=how.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | how.pop("env", {}),
        **how,
    )


def run(*arguments: object, status: int = 0, **how: Any) -> tuple[str, str]:
    """Run a command in a process of its own: what it printed, and what it said of mistakes."""
    process = start(*arguments, **how)
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err, err
    assert status == process.returncode, err
    return out or "", err


def written(folder: Path, text: str, name: str = "my.game") -> Path:
    """A file that holds a text."""
    path = folder / name
    path.write_text(text)
    return path
