"""What a spoilt description may do: be refused with a message, or be played, in bounded time.

Run in processes of their own, which are stopped by the system if they take too much.
"""

from __future__ import annotations

import re
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import attrs
from fuzz.mutate import mutants

from ludeme.diagnostics import DescriptionError, DescriptionFault, Diagnostic, Span, render
from ludeme.game import Game, load_text
from ludeme.machine.random import Stream

MOST_SECONDS = 2.0
MOST_BYTES = 500 << 20
DECISIONS = 20
SEEDS = (1, 2, 3)
PLAY_SECONDS = 3.0
LOOP_SECONDS = 0.011
"""What `_loop_seconds` is where the limits above were set."""
SLOW = "takes more than"
slowness = 1.0

# What no designer should read: words of Python and of our own inside.
_NONSENSE = re.compile(
    r"__ANON|Traceback|\bNone\b|\bNoneType\b|object at 0x|KeyError|IndexError|AttributeError"
    r"|\bhole\b|\bHole\b|anythings|FNAME|_NL\b|_INDENT|\x1a|(?<!`)``(?!`)|\blambda\b|<class"
)


class TooSlow(BaseException):
    """Raised by the clock of this process."""


@attrs.frozen
class Trial:
    """What came of a mutant. *fault*: what should not have been, None if all is well."""

    number: int
    origin: str
    passed: bool
    seconds: float
    slowest: float
    fault: str | None


def prepare() -> None:
    """Limit this process."""
    measure()
    used = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, used + MOST_BYTES))
    signal.signal(signal.SIGPROF, _stop)


def measure() -> None:
    """Find out how slow the machine is; a slow one may take longer."""
    global slowness
    slowness = max(1.0, _loop_seconds() / LOOP_SECONDS)


def _loop_seconds() -> float:
    times = []
    for _ in range(3):
        begin = time.process_time()
        total = 0
        for number in range(300_000):
            total += number & 7
        times.append(time.process_time() - begin)
    return min(times)


def _address_space() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextmanager
def clock(seconds: float) -> Iterator[None]:
    """Raise TooSlow in what takes more than *seconds* of processor time."""
    signal.setitimer(signal.ITIMER_PROF, seconds * slowness)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def run_many(first: int, count: int) -> list[Trial]:
    """Try the mutants from number *first* on."""
    return [run(each.number, each.origin, each.text) for each in mutants(first, count)]


def run(number: int, origin: str, text: str) -> Trial:
    """Try one text; once more if it was too slow, as the whole machine may have been."""
    trial = _run(number, origin, text)
    if trial.fault is not None and trial.fault.startswith(SLOW):
        measure()
        trial = _run(number, origin, text)
    return trial


def _run(number: int, origin: str, text: str) -> Trial:
    begin = time.process_time()
    attempt = _Attempt()
    try:
        fault = attempt.run(text)
    except TooSlow:
        fault = f"{SLOW} {MOST_SECONDS} s: {attempt.stage}"
    except MemoryError:
        fault = f"more than {MOST_BYTES >> 20} MB: {attempt.stage}"
    except Exception as error:
        fault = f"{_where(error)} {type(error).__name__}: {str(error)[:200]} ({attempt.stage})"
    seconds = time.process_time() - begin
    return Trial(number, origin, attempt.passed, seconds, attempt.slowest, fault)


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    code = trace.tb_frame.f_code
    return f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} in {code.co_name}"


@attrs.define
class _Attempt:
    stage: str = "loading"
    passed: bool = False
    slowest: float = 0.0

    def run(self, text: str) -> str | None:
        begin = time.process_time()
        try:
            with clock(MOST_SECONDS):
                game = load_text(text)
        except DescriptionError as error:
            self.slowest = time.process_time() - begin
            return wrong_with(error.diagnostics)
        self.slowest = time.process_time() - begin
        self.passed = True
        return wrong_with(game.warnings, "warning") if game.warnings else None or self.play(game)

    def play(self, game: Game) -> str | None:
        """Play a few decisions at random; a fault of the description is an answer."""
        begin = time.process_time()
        for seed in SEEDS:
            try:
                self.play_once(game, seed, begin)
            except DescriptionFault as error:
                wrong = wrong_with([error.diagnostic], "fault")
                if wrong is not None:
                    return wrong
            if time.process_time() - begin > PLAY_SECONDS:
                break
        return None

    def play_once(self, game: Game, seed: int, begin: float) -> None:
        machine = game.machine
        rolled = sum(turn.chance for turn in machine.program.turns.values())
        streams = [Stream(seed, 0, source) for source in range(len(game.players) + rolled)]
        self.stage = f"start, seed {seed}"
        with self.timed():
            cells = machine.start()
        for decision in range(DECISIONS):
            if machine.is_over(cells) or time.process_time() - begin > PLAY_SECONDS:
                return
            self.stage = f"decision {decision + 1}, seed {seed}"
            with self.timed():
                ends = [
                    machine.draw(cells, player, streams[machine.source(cells, player)])[0]
                    for player in machine.deciders(cells)
                ]
                cells = machine.play(cells, ends)
                machine.key(cells)

    @contextmanager
    def timed(self) -> Iterator[None]:
        begin = time.process_time()
        try:
            with clock(MOST_SECONDS):
                yield
        finally:
            self.slowest = max(self.slowest, time.process_time() - begin)


def wrong_with(
    diagnostics: list[Diagnostic] | tuple[Diagnostic, ...], severity: str = "error"
) -> str | None:
    """What is wrong with messages: none at all, a place outside the text, words of the inside."""
    if not diagnostics:
        return "refused without a message"
    for found in diagnostics:
        if found.severity != severity:
            return f"{found.severity} among {severity}s: {found.code}"
        for span in (found.span, *(note.span for note in found.notes)):
            if not _inside(span):
                return f"{found.code} stands outside the text: {span.start}..{span.end}"
        shown = "\n".join([found.message, found.help or "", *(n.message for n in found.notes)])
        if not found.message or _NONSENSE.search(shown):
            return f"{found.code} says: {shown}"
        if len(shown) > 1000:
            return f"{found.code} says too much: {shown[:300]}"
        render(found)
    return None


def _inside(span: Span) -> bool:
    return bool(span.source.name) and 0 <= span.start <= span.end <= len(span.source.text)
