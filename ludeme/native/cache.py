"""Compiled code kept on disk from one process to the next.

A file holds a checksum, a line of JSON and the object code. The checksum is of its name, too, so a
file that was renamed is not taken for another; it is read only if the checksum fits and the file is
the user's own, and written whole under another name and then renamed, so that neither a file cut
short nor two processes writing at once do harm. What cannot be read or written is compiled anew;
nothing is ever unpickled.
"""

from __future__ import annotations

import json
import os
import tempfile
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import attrs
import llvmlite

MAGIC = b"ludeme native 2\n"
MOST_BYTES = 64 << 20


@attrs.frozen
class Entry:
    """Object code and what must be known to call it."""

    facts: dict[str, Any]
    code: bytes


def folder() -> Path:
    """Where compiled code is kept: ``LUDEME_CACHE``, or a folder in the user's own cache.

    Raises OSError if there is no such user.
    """
    given = os.environ.get("LUDEME_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "ludeme"
    except RuntimeError as error:
        raise OSError(str(error)) from None


@lru_cache(maxsize=1)
def version() -> str:
    """A digest of everything that turns a program into code: these sources and LLVM."""
    digest = blake2b(llvmlite.__version__.encode(), digest_size=16)
    package = Path(__file__).parent.parent
    for name in ("native", "machine", "check", "kernel", "board"):
        for path in sorted((package / name).glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def key(digest: str, cpu: str) -> str:
    """The name under which the code of a program is kept; *digest* holds meaning and options."""
    return blake2b("\n".join((digest, cpu, version())).encode(), digest_size=20).hexdigest()


def read(name: str) -> Entry | None:
    """What is kept under a name, if it is whole."""
    try:
        path = folder() / name
        status = path.stat()
        if status.st_size > MOST_BYTES or _is_foreign(status):
            return None
        data = path.read_bytes()
    except OSError:
        return None
    if not data.startswith(MAGIC) or len(data) < len(MAGIC) + 32:
        return None
    checksum, payload = data[len(MAGIC) : len(MAGIC) + 32], data[len(MAGIC) + 32 :]
    if _checksum(name, payload) != checksum:
        return None
    line, _, code = payload.partition(b"\n")
    try:
        facts = json.loads(line)
    except ValueError:
        return None
    return Entry(facts, code) if isinstance(facts, dict) else None


def _checksum(name: str, payload: bytes) -> bytes:
    return blake2b(name.encode() + b"\n" + payload, digest_size=32).digest()


def _is_foreign(status: os.stat_result) -> bool:
    """Whether a file is another user's, where files have owners."""
    owner = getattr(os, "getuid", None)
    return owner is not None and status.st_uid != owner()


def write(name: str, entry: Entry) -> None:
    """Keep code under a name; silently not, where the folder cannot be written."""
    payload = json.dumps(entry.facts, separators=(",", ":")).encode() + b"\n" + entry.code
    data = MAGIC + _checksum(name, payload) + payload
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder(), prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, folder() / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
    except OSError:
        return
