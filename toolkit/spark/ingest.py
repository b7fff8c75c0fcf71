"""Load dumps into a lake by Spark tasks, which write staged files; the driver commits, and daily facts follow.

The result is the same as without a cluster (`iosq.toolkit.lake.ingest`): how a dump is split, which records are new,
the order of commits. A task returns the names of the files that it wrote and synced; a second attempt writes other
files, and only those reported to the driver are put in place.
"""

import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from iosq.parsers.smf.cuts import Slice
from iosq.toolkit.errors import IosqError, LakeError
from iosq.toolkit.facts.build import ensure_days, make_days
from iosq.toolkit.facts.plan import Day, Plan
from iosq.toolkit.lake.crew import Queue
from iosq.toolkit.lake.digests import Stored
from iosq.toolkit.lake.ingest import Outcome, alone
from iosq.toolkit.lake.ingest import ingest as here
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.load import Load, Options
from iosq.toolkit.lake.progress import Meter, Progress
from iosq.toolkit.lake.slices import Hands, Job, Portion, read, wanted
from iosq.toolkit.lake.source import Found, Identity, find, identify, state_of
from iosq.toolkit.lake.stage import sweep
from iosq.toolkit.spark.message import message

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

T = TypeVar("T")
Cuts = Callable[[int], list[int]]
AT_ONCE = 64  # maximum number of files with tasks in progress


def ingest(
    begin: "Callable[[], SparkSession]",
    lake: Lake,
    paths: Iterable[Path],
    *,
    progress: Progress | None = None,
    unpack_limit_bytes: int | None = None,
    kinds: frozenset[str] | None = None,
    cuts: Cuts = wanted,
) -> list[Outcome]:
    """Load files, and all files of folders, into a lake with the tasks of a cluster; as `iosq.toolkit.lake.ingest`.

    Args:
        begin: starts a session whose executors see the lake and the files under the same paths as this process;
            called only if there is a readable file.
        progress: called with bytes done, total bytes and records read, after each file.
        cuts: positions at which to split a dump of a given size.

    Raises:
        LakeError: also if tasks failed too often; files committed before stay.
        RequestError: no session can be started.
    """
    lake, former = Lake(lake.path.absolute()), lake.exists
    named = [Path(path).absolute() for path in paths]
    lake.create()
    try:
        sweep(lake.path)
        inputs = list(find(named, lake.path))
        if not any(os.access(f.path, os.R_OK) for f in inputs if not (f.left_out or f.refused)):
            return here(lake, named)  # reports the reason
        hands = ClusterHands(begin(), lake.path, cuts)
        outcomes = _load_all(hands, inputs, Options(kinds=kinds, unpack_limit_bytes=unpack_limit_bytes), progress)
        ensure_days(Plan(lake, lake.listed()), hands.make_days)
        return outcomes
    finally:
        if not former:
            lake.discard_empty()


def _load_all(
    hands: "ClusterHands", inputs: Sequence[Found], options: Options, progress: Progress | None
) -> list[Outcome]:
    """Load the files in parallel as far as the cluster allows, committed in order."""
    queue, total = Queue(), sum(f.bytes for f in inputs)

    def one(position: int, found: Found) -> Outcome:
        try:
            return alone(hands.lake, found, options, lambda: queue.wait(position), None, hands)
        finally:
            queue.done(position)

    with ThreadPoolExecutor(min(hands.at_once, max(len(inputs), 1))) as threads:
        outcomes: list[Outcome] = []
        done = 0
        for found, outcome in zip(inputs, threads.map(one, range(len(inputs)), inputs), strict=True):
            outcomes.append(outcome)
            done += found.bytes
            if progress is not None:
                progress(done, total, sum(o.balance.read for o in outcomes))
    return outcomes


class ClusterHands(Hands):
    """Runs the work of an ingest as tasks of a cluster."""

    def __init__(self, spark: "SparkSession", lake: Path, cuts: Cuts = wanted) -> None:
        super().__init__(lake, 1)
        self.lake, self._context, self._cuts = lake, spark.sparkContext, cuts

    @property
    def at_once(self) -> int:
        cores: int = self._context.defaultParallelism
        return min(max(cores, 2), AT_ONCE)

    def identify(self, path: Path, tick: Callable[[], None]) -> Identity:
        """Identify a file by a task; the driver's file state shows if it is written to in the meantime."""
        del tick
        before = state_of(path.stat())
        (found,) = self._done(identify, [path])
        return replace(found, state=before)

    def cuts(self, size: int) -> list[int]:
        return self._cuts(size)

    def whole(self, job: Job, stored: Stored, meter: Meter) -> Load:
        """Read a file by one task, which itself queries the lake for known records."""
        del meter
        (load,) = self._done(_loaded, [(job, stored.files)])
        return load

    def portions(self, job: Job, slices: Iterator[Slice], meter: Meter) -> Iterator[Portion]:
        del meter
        yield from self._done(_portion, [(job, number, part) for number, part in enumerate(slices)])

    def make_days(self, plan: Plan, days: Sequence[Sequence[Day]]) -> None:
        """Compute daily facts by one task per group of days, as formed by `iosq.toolkit.facts.build`."""
        self._done(_days_made, [(plan.lake.path, some) for some in days])

    def _done(self, work: Callable[[Any], T], asked: Sequence[object]) -> list[T]:
        """Run tasks; returns their results in order, and raises the first error that the caller must fix.

        LakeError if a task failed more often than Spark allows.
        """
        try:
            results: list[Any] = self._context.parallelize(asked, len(asked)).map(_Reported(work)).collect()
        except Exception as error:
            remedy = "ingest again: what was stored stays; give executors more memory if they were killed"
            raise LakeError(f"a task of Spark failed: {message(error)}", place=str(self.lake), remedy=remedy) from error
        for result in results:
            if isinstance(result, Exception):
                raise result
        return results


class _Reported:
    """Returns errors that a retry would not fix, instead of raising them."""

    def __init__(self, work: Callable[[Any], object]) -> None:
        self._work = work

    def __call__(self, asked: object) -> object:
        try:
            return self._work(asked)
        except (IosqError, OSError) as error:
            return error


def _loaded(asked: tuple[Job, dict[str, int]]) -> Load:
    """A whole file, with the number of record digests by input of the lake."""
    job, held = asked
    stored = Stored(job.lake)
    stored.refresh(held)
    return Hands(job.lake, 1).whole(replace(job, name=_own_name()), stored, Meter(None, 0))


def _portion(asked: tuple[Job, int, Slice]) -> Portion:
    job, number, part = asked
    return read(replace(job, name=f"-{_own_name()}"), number, part, Meter(None, 0))


def _days_made(asked: tuple[Path, Sequence[Day]]) -> None:
    lake = Lake(asked[0])
    make_days(Plan(lake, lake.listed()), asked[1])


def _own_name() -> str:
    """A unique name for the files of this attempt."""
    return uuid.uuid4().hex
