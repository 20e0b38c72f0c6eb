"""Code that is kept: whatever is found in the folder, games are played, and played right."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ludeme
from ludeme.native import cache
from ludeme.native.engine import Native
from ludeme.play.results import Playouts

NAME = "tic_tac_toe"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is kept."""
    made = tmp_path / "kept"
    monkeypatch.setenv("LUDEME_CACHE", str(made))
    return made


def play(name: str = NAME) -> Playouts:
    """A few games in machine code."""
    return ludeme.load(name).playouts(20, seed=3, engine="native")


def assert_right(played: Playouts, name: str = NAME) -> None:
    """They are the games of the interpreter."""
    expected = ludeme.load(name).playouts(20, seed=3, engine="python")
    assert np.array_equal(expected.ends, played.ends)
    assert np.array_equal(expected.decisions, played.decisions)
    assert np.array_equal(expected.widths, played.widths)


def test_code_is_kept_and_taken_up_again(folder: Path) -> None:
    """One file is written, and the second time it is read and not written again."""
    assert not Native.is_kept(ludeme.load(NAME).machine)
    assert_right(play())
    (kept,) = folder.iterdir()
    before = kept.stat().st_mtime_ns, kept.stat().st_ino
    assert Native.is_kept(ludeme.load(NAME).machine)
    assert_right(play())
    assert (kept.stat().st_mtime_ns, kept.stat().st_ino) == before


def _bit(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "only its head": lambda data: data[: len(cache.MAGIC)],
    "cut in the checksum": lambda data: data[: len(cache.MAGIC) + 16],
    "cut in the middle": lambda data: data[: len(data) // 2],
    "cut by one byte": lambda data: data[:-1],
    "longer by one byte": lambda data: data + b"\0",
    "another head": lambda data: b"ludeme native 0\n" + data[len(cache.MAGIC) :],
    "another checksum": lambda data: _bit(data, len(cache.MAGIC) + 3),
    "another bit of the facts": lambda data: _bit(data, len(cache.MAGIC) + 40),
    "another bit of the code": lambda data: _bit(data, len(data) - 100),
    "a text": lambda data: b"this is no code at all\n" * 100,
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("how", SPOILT)
def test_what_is_spoilt_is_compiled_anew(folder: Path, how: str) -> None:
    """A file that is not what was written is not used, and is written anew."""
    play()
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(SPOILT[how](whole))
    assert cache.read(kept.name) is None
    assert_right(play())
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("facts", [b"[]", b"no json", b"{}", b'{"ends": []}'])
def test_facts_that_lack_something_are_not_used(folder: Path, facts: bytes) -> None:
    """A whole file of another shape, as another version might write it, is compiled anew."""
    play()
    (kept,) = folder.iterdir()
    payload = facts + b"\n" + b"code"
    kept.write_bytes(cache.MAGIC + cache._checksum(kept.name, payload) + payload)
    assert_right(play())


def test_the_code_of_another_game_is_not_taken_for_this_one(folder: Path) -> None:
    """A file under the name of another is foreign, whole though it is."""
    play("hex")
    (other,) = folder.iterdir()
    play()
    (kept,) = (path for path in folder.iterdir() if path != other)
    kept.write_bytes(other.read_bytes())
    assert cache.read(kept.name) is None
    assert_right(play())


def test_another_version_has_another_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of other sources, or of another LLVM, is not found."""
    play()
    monkeypatch.setattr(cache, "version", lambda: "another")
    assert not Native.is_kept(ludeme.load(NAME).machine)
    assert_right(play())
    assert len(list(folder.iterdir())) == 2


def test_a_folder_that_is_a_file_is_no_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be kept there, and games are played."""
    file = tmp_path / "file"
    file.write_text("not a folder")
    for place in (file, file / "below"):
        monkeypatch.setenv("LUDEME_CACHE", str(place))
        assert_right(play())
    assert file.read_text() == "not a folder"


def test_an_unwritable_folder_is_no_matter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be kept there, and games are played; a file half written does not stay."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no")

    folder.mkdir()
    for name in ("replace", "fdopen"):
        with monkeypatch.context() as patch:
            patch.setattr(cache.os, name, refuse)
            assert_right(play())
        assert list(folder.iterdir()) == []
    with monkeypatch.context() as patch:
        patch.setattr(cache.tempfile, "mkstemp", refuse)
        assert_right(play())


def test_who_has_no_home_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any folder to keep code in, games are played."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("LUDEME_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(cache.Path, "home", homeless)
    assert_right(play())


def test_the_file_of_another_user_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code runs only if it is the user's own."""
    play()
    (kept,) = folder.iterdir()
    mine = os.getuid()
    monkeypatch.setattr(cache.os, "getuid", lambda: mine + 1)
    assert cache.read(kept.name) is None


def test_two_processes_may_write_at_once(folder: Path) -> None:
    """Both play, one whole file stays, and nothing else."""
    code = (
        "import ludeme; p = ludeme.load('reversi').playouts(20, seed=3, engine='native');"
        " print(p.decisions.tolist())"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in processes}
    expected = ludeme.load("reversi").playouts(20, seed=3, engine="python")
    assert answers == {f"{expected.decisions.tolist()}\n"}
    (kept,) = folder.iterdir()
    assert cache.read(kept.name) is not None
