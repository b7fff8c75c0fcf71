"""Several files at once, one process each; what is stored is what one process would have stored.

Files are committed in the order they were found in, because a record that two of them hold belongs to the first: each
waits for its turn before it commits, and is read again where the ones before it brought records it holds too.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.progress import Progress

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized, SynchronizedArray
    from multiprocessing.synchronize import Condition

    from iosq.toolkit.lake.ingest import Outcome
    from iosq.toolkit.lake.source import Found
    from iosq.toolkit.lake.writer import Limits

_POLL_S = 0.1
_PARTS = 2  # of what a worker tells: bytes done, records read


class Turn(Protocol):
    """Whose turn it is to commit."""

    def wait(self) -> None:
        """Come back when all files before this one are done."""


class NoTurn:
    """One process: it is always its turn."""

    def wait(self) -> None:
        """Nothing is before it."""


class _Queue:
    """The next file to commit, by its position among those found; shared by all workers."""

    def __init__(self, context: SpawnContext) -> None:
        self._next: Synchronized[int] = context.Value("q", 0, lock=False)
        self._changed: Condition = context.Condition()

    def wait(self, position: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._next.value >= position)

    def done(self, position: int) -> None:
        self.wait(position)
        with self._changed:
            self._next.value = position + 1
            self._changed.notify_all()


class _Turn:
    def __init__(self, queue: _Queue, position: int) -> None:
        self._queue, self._position = queue, position

    def wait(self) -> None:
        self._queue.wait(self._position)


class Crew:
    """`jobs` processes that each take the next file.

    Args:
        lake: its folder.
        limits: of each process.
        jobs: how many.
    """

    def __init__(self, lake: Path, limits: Limits | None, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks, not the threads
        self._told: SynchronizedArray[int] = context.Array("q", _PARTS * jobs)
        given = (lake, limits, _Queue(context), self._told, context.Value("q", 0))
        self._pool = ProcessPoolExecutor(jobs, context, _begin, given)
        self._lake = lake

    def run(self, found: Sequence[Found], progress: Progress | None) -> list[Outcome]:
        """The outcome of each file, in the order found.

        Raises:
            LakeError: as of one file; or a process died.
        """
        total = sum(f.bytes for f in found)
        with self._open():
            with _ctrl_c_held():
                work = [self._pool.submit(_file, position, f) for position, f in enumerate(found)]
            for _ in _polled(work):
                self._tell(progress, total)
            return [w.result() for w in work]

    def _tell(self, progress: Progress | None, total: int) -> None:
        if progress is not None:
            told = self._told[:]
            progress(sum(told[::_PARTS]), total, sum(told[1::_PARTS]))

    @contextmanager
    def _open(self) -> Iterator[None]:
        try:
            yield
        except BrokenProcessPool as error:
            remedy = "ingest again: what was stored stays; --jobs 1 takes less memory"
            raise LakeError("a process that read a file has died", place=str(self._lake), remedy=remedy) from error
        except BaseException:
            for process in list((self._pool._processes or {}).values()):  # nobody else can end a file half-way
                process.terminate()
            raise
        finally:
            self._pool.shutdown(cancel_futures=True)


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Processes begun inside never hear Ctrl-C; this one hears it afterwards, and ends them."""
    if sys.platform == "win32":
        yield
        return
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def _polled(work: Sequence[Future[Outcome]]) -> Iterator[None]:
    """Now and then until all is done, or something has failed."""
    while True:
        done, waiting = wait(work, _POLL_S)
        yield
        if not waiting or any(w.exception() for w in done):
            return


class _Worker:
    """What a process keeps between files."""

    def __init__(self, lake: Path, limits: Limits | None, queue: _Queue) -> None:
        self.lake, self.limits, self.queue = lake, limits, queue
        self.bytes = self.records = 0  # of the files that are done


def _begin(
    lake: Path, limits: Limits | None, queue: _Queue, told: SynchronizedArray[int], started: Synchronized[int]
) -> None:
    global _worker, _told, _place
    with started.get_lock():
        _place, started.value = started.value, started.value + 1
    _worker, _told = _Worker(lake, limits, queue), told


_worker: _Worker
_told: SynchronizedArray[int]
_place: int


def _file(position: int, found: Found) -> Outcome:
    from iosq.toolkit.lake.ingest import alone

    try:
        done = alone(_worker.lake, found, _worker.limits, _Turn(_worker.queue, position), _heard)
    finally:
        _worker.queue.done(position)
    _worker.bytes += found.bytes
    _worker.records += done.balance.read
    _heard(0, 0, 0)
    return done


def _heard(done: int, _: int, records: int) -> None:
    """Progress of the file this process reads."""
    _told[_PARTS * _place] = _worker.bytes + done
    _told[_PARTS * _place + 1] = _worker.records + records
