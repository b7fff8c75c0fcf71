"""Several files in parallel, one process each; the stored data is that of a single process.

Files are committed in the order found, because a record that is in two files belongs to the first. Each file waits for
its turn to commit, and is read again if earlier files contain some of its records.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from iosq.toolkit.lake.processes import CONTEXT, Processes, finished, heard, held, polled
from iosq.toolkit.lake.progress import Progress

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized
    from multiprocessing.synchronize import Condition

    from iosq.toolkit.lake.ingest import Outcome
    from iosq.toolkit.lake.load import Options
    from iosq.toolkit.lake.source import Found


class Queue:
    """The next file to commit, by its position among those found; shared by all workers."""

    def __init__(self) -> None:
        self._next: Synchronized[int] = CONTEXT.Value("q", 0, lock=False)
        self._changed: Condition = CONTEXT.Condition()

    def wait(self, position: int) -> None:
        """Come back when it is the turn of the file at this position."""
        with self._changed:
            self._changed.wait_for(lambda: self._next.value >= position)

    def done(self, position: int) -> None:
        """The file at this position was committed, or never will be."""
        self.wait(position)
        with self._changed:
            self._next.value = position + 1
            self._changed.notify_all()


def run(
    lake: Path,
    options: Options,
    jobs: int,
    found: Sequence[Found],
    progress: Progress | None,
) -> list[Outcome]:
    """The outcome of each file, in order, by `jobs` processes; LakeError as of one file, or if a process died."""
    total = sum(f.bytes for f in found)
    with Processes(lake, jobs, (lake, options, Queue())) as processes:
        work = [processes.submit(_file, position, f) for position, f in enumerate(found)]
        for _ in polled(work):
            if progress is not None:
                done, records = processes.progress
                progress(done, total, records)
        return [w.result() for w in work]


def _file(position: int, found: Found) -> Outcome:
    from iosq.toolkit.lake.ingest import alone

    lake, options, queue = cast("tuple[Path, Options, Queue]", held())
    try:
        done = alone(lake, found, options, lambda: queue.wait(position), heard)
    finally:
        queue.done(position)
    finished(found.bytes, done.balance.read)
    return done
