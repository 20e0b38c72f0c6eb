"""Work shared out among processes, its results in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

Plan = TypeVar("Plan")
Part = TypeVar("Part")
Done = TypeVar("Done")


def share_out(
    work: Callable[[Plan, Part], Done], plan: Plan, parts: Sequence[Part], jobs: int
) -> Iterator[Done]:
    """What ``work(plan, part)`` gives for each part, in the order of *parts*.

    Processes are spawned, not forked, so all three have to pickle; *plan* is sent once to each. An
    error in *work* is raised here. RuntimeError if a process dies. No process outlives the
    iterator.
    """
    context = get_context("spawn")
    workers: dict[Connection, Any] = {}
    try:
        with interrupts_held():
            for _ in range(jobs):
                mine, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, work, plan), daemon=True)
                process.start()
                theirs.close()
                workers[mine] = process
        yield from _in_order(list(workers), parts)
    finally:
        for connection, process in workers.items():
            process.terminate()
            process.join()
            connection.close()


def _in_order(idle: list[Connection], parts: Sequence[Any]) -> Iterator[Any]:
    """Keep every process busy, and hold back what is ready before its turn."""
    given: dict[Connection, int] = {}
    ready: dict[int, Any] = {}
    asked = told = 0
    while told < len(parts):
        while idle and asked < len(parts):
            connection = idle.pop()
            given[connection] = asked
            _send(connection, parts[asked])
            asked += 1
        answered = wait(list(given))
        for connection in [each for each in given if each in answered]:
            ready[given.pop(connection)] = _receive(connection)
            idle.append(connection)
        while told in ready:
            yield ready.pop(told)
            told += 1


def _send(connection: Connection, part: Any) -> None:
    try:
        connection.send(part)
    except OSError:
        raise RuntimeError(_DIED) from None


def _receive(connection: Connection) -> Any:
    try:
        answer, error = connection.recv()
    except (EOFError, OSError):
        raise RuntimeError(_DIED) from None
    if error is not None:
        raise error
    return answer


_DIED = "a process that played games died; was there too little memory?"


def _serve(connection: Connection, work: Callable[[Any, Any], Any], plan: Any) -> None:
    """Answer parts until the other side hangs up."""
    while True:
        try:
            part = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[Any, Exception | None]
        try:
            answer = (work(plan, part), None)
        except Exception as error:  # of any kind: it is raised where the work was given
            answer = (None, error)
        try:
            connection.send(answer)
        except OSError:
            return


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let processes begun here ignore Ctrl-C, which is for the one that began them to act on.

    A process inherits what its parent ignores; only the main thread can change that.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
