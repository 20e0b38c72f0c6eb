"""Games on a Dask cluster: a scheduler that runs somewhere, or worker processes of this machine.

A worker is sent the text of a description and of all that it extends, the options, and which
numbers to play; never a path, and no code of ours or of anybody. It checks and compiles the text
itself and answers with columns of numbers. Scheduler and workers must be one's own: whoever can
reach a Dask scheduler can run whatever they like on its workers, and what workers answer is
unpickled here.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, Any

import attrs

from ludeme import __version__
from ludeme.game import Game, Sources
from ludeme.lab.games import Array, Games
from ludeme.lab.play import Plan, play
from ludeme.play.playout import WORTH_COMPILING
from ludeme.play.workers import interrupts_held

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
SECONDS_TO_CONNECT = 15
SECONDS_A_BATCH = 1.0
FIRST_BATCH = 8
FIRST_QUICK_BATCH = WORTH_COMPILING
LARGEST_BATCH = 200_000
AHEAD = 2
"""Batches on the way for each thread of the cluster."""
DEATHS = 20
"""So often workers may die under one batch before it is given up."""


class ClusterError(RuntimeError):
    """A cluster that cannot be used, said in a sentence."""


@attrs.frozen
class Order:
    """What a worker is sent: texts and numbers, from which it makes a `Plan` of its own."""

    name: str
    file_name: str
    is_shipped: bool
    texts: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    seed: int
    turn_limit: int
    seats: tuple[str, ...]
    evaluator: str
    detailed: bool
    engine: str

    @classmethod
    def of(cls, plan: Plan) -> Order:
        """The order for a plan."""
        sources = plan.game.sources
        return cls(
            sources.name,
            sources.file_name,
            sources.is_shipped,
            tuple(sources.texts.items()),
            tuple((name, _written(value)) for name, value in plan.game.options.items()),
            plan.seed,
            plan.turn_limit,
            plan.seats,
            plan.evaluator,
            plan.detailed,
            plan.engine,
        )

    def plan(self) -> Plan:
        """The plan, its description read anew."""
        sources = Sources(self.name, self.file_name, dict(self.texts), self.is_shipped)
        return Plan(
            Game(sources, dict(self.options)),
            self.seed,
            self.turn_limit,
            self.seats,
            self.evaluator,
            self.detailed,
            self.engine,
        )


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@attrs.frozen
class Answer:
    """What a worker found: the columns of a table, and how long it took to play."""

    version: str
    digest: str
    columns: Mapping[str, Array]
    seconds: float


def carry_out(order: Order, first: int, stop: int) -> Answer:
    """Play games *first* to *stop* - 1; what a worker runs."""
    plan = _plan(order)
    begun = monotonic()
    found = play(plan, range(first, stop))
    return Answer(__version__, plan.game.digest, dict(found.columns), monotonic() - begun)


@lru_cache(maxsize=8)
def _plan(order: Order) -> Plan:
    """A description is read once on each worker, and again on one that takes another's place."""
    return order.plan()


@attrs.frozen
class Cluster:
    """A crew of workers behind a Dask client, see `ludeme.lab.crew.Crew`."""

    client: Client

    def tables(self, plan: Plan, numbers: range) -> Iterator[Games]:
        """As `Crew` says. Raises ClusterError if the cluster is lost or does not fit."""
        from distributed import CancelledError, as_completed
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        order, name = Order.of(plan), uuid.uuid4().hex[:12]
        waiting, open_ = as_completed(), 0
        size = FIRST_QUICK_BATCH if plan.is_quick else FIRST_BATCH
        parts: dict[str, range] = {}
        try:
            while numbers or open_:
                while numbers and open_ < AHEAD * self.threads:
                    part, numbers = numbers[:size], numbers[size:]
                    waiting.add(self._submit(order, part, name, parts))
                    open_ += 1
                future = next(waiting)
                open_ -= 1
                answer: Answer = future.result()
                yield _accepted(plan, parts.pop(future.key), answer)
                future.release()
                if answer.seconds < SECONDS_A_BATCH:
                    size = min(2 * size, LARGEST_BATCH)
                elif answer.seconds > 4 * SECONDS_A_BATCH:
                    size = max(1, size // 2)
        except KilledWorker:
            raise ClusterError(
                f"workers died {DEATHS} times while they played the same games;"
                " was there too little memory?"
            ) from None
        except (CancelledError, CommClosedError, OSError):
            raise ClusterError("the cluster was lost: its scheduler does not answer") from None

    def _submit(self, order: Order, part: range, name: str, parts: dict[str, range]) -> Future:
        key = f"ludeme-{name}-{part.start}"
        parts[key] = part
        return self.client.submit(carry_out, order, part.start, part.stop, key=key)

    @property
    def threads(self) -> int:
        """How many batches can be played at once now; one at least, for workers that come back."""
        return max(1, int(sum(self.client.nthreads().values())))


def _accepted(plan: Plan, part: range, answer: Answer) -> Games:
    """A worker's answer as a table, if it is of this description and of these games."""
    if answer.digest != plan.game.digest:
        raise ClusterError(
            f"a worker runs Ludeme {answer.version}, for which the description means something"
            f" else than for the {__version__} here: install the same version everywhere"
        )
    found = Games(plan.setting, answer.columns)
    if found["number"].tolist() != list(part):
        raise ClusterError("a worker answered with other games than it was asked for")
    return found


# ---- clusters


@contextmanager
def joined(address: str) -> Iterator[Cluster]:
    """The cluster at an address such as ``tcp://10.0.0.5:8786``; ``local:4``: one of this machine.

    ``local`` has a worker process for each processor. Raises ClusterError.
    """
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is raised
    local = _local_workers(address)
    if local is not None:
        with _local(local) as client:
            yield Cluster(client)
        return
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, TimeoutError, ValueError) as error:
        reason = str(error).split("\n")[0] or "nobody answers"
        raise ClusterError(f"there is no cluster at `{address}`: {reason}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
        except TimeoutError:
            raise ClusterError(f"the cluster at `{address}` has no workers") from None
        yield Cluster(client)
    finally:
        with suppress(Exception):
            client.close()


def _local_workers(address: str) -> int | None:
    """How many worker processes ``local`` or ``local:4`` asks for; None for another address."""
    word, colon, number = address.partition(":")
    if word != LOCAL:
        return None
    if not colon:
        return os.cpu_count() or 1
    if not number.isdecimal() or not 1 <= int(number) <= 256:
        raise ClusterError(f"`{address}`: write `local`, or `local:4` for four worker processes")
    return int(number)


@contextmanager
def _local(workers: int) -> Iterator[Any]:
    """A client of worker processes of this machine, which listen to this machine alone."""
    import dask
    from distributed import Client, LocalCluster

    failures = {"distributed.scheduler.allowed-failures": DEATHS}
    with dask.config.set(failures), interrupts_held():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    try:
        with Client(cluster) as client:
            yield client
    finally:
        with suppress(Exception):
            cluster.close()
