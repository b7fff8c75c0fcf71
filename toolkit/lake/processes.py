"""Worker processes: Ctrl-C ends them, they report progress, and the death of one is an error."""

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from iosq.toolkit.errors import LakeError

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized, SynchronizedArray

T = TypeVar("T")
_POLL_S = 0.1
_PARTS = 2  # of a worker's progress: bytes done, records read
CONTEXT: SpawnContext = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks, not the threads


class Processes(AbstractContextManager["Processes"]):
    """`jobs` processes that each take the next piece of work; a context manager that ends them.

    `lake`: its folder, named in errors; `given`: what each process gets from `held`.
    """

    def __init__(self, lake: Path, jobs: int, given: tuple[object, ...] = ()) -> None:
        self._progress: SynchronizedArray[int] = CONTEXT.Array("q", _PARTS * jobs)
        self._pool = ProcessPoolExecutor(jobs, CONTEXT, _begin, (self._progress, CONTEXT.Value("q", 0), given))
        self._lake = lake

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if error is not None and not isinstance(error, BrokenProcessPool):
            for process in list((self._pool._processes or {}).values()):  # only this process can end a file half-way
                process.terminate()
        self._pool.shutdown(cancel_futures=True)
        if isinstance(error, BrokenProcessPool):
            remedy = "ingest again: what was stored stays; --jobs 1 takes less memory"
            raise LakeError("a process died while it read a file", place=str(self._lake), remedy=remedy) from error

    def submit(self, work: Callable[..., T], *given: object) -> Future[T]:
        with _ctrl_c_held():
            return self._pool.submit(work, *given)

    @property
    def progress(self) -> tuple[int, int]:
        done = self._progress[:]
        return sum(done[::_PARTS]), sum(done[1::_PARTS])


def polled(work: Sequence[Future[T]]) -> Iterator[None]:
    """Poll until all jobs are done or one has failed."""
    while True:
        done, waiting = wait(work, _POLL_S)
        yield
        if not waiting or any(w.exception() for w in done):
            return


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Processes begun inside hear no Ctrl-C and no terminal that closes; this one does afterwards, and ends them."""
    if sys.platform == "win32":
        yield
        return
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


class _Worker:
    """A worker process: its progress, for its parent, and what it was given."""

    def __init__(self, array: "SynchronizedArray[int]", place: int, given: tuple[object, ...]) -> None:
        self.array, self.place, self.given = array, place, given
        self.bytes = self.records = 0  # of the work that is done


def _begin(shared: "SynchronizedArray[int]", started: "Synchronized[int]", given: tuple[object, ...]) -> None:
    global _mine
    with started.get_lock():
        place, started.value = started.value, started.value + 1
    _mine = _Worker(shared, place, given)


_mine: _Worker


def held() -> tuple[object, ...]:
    """What this process was given when it began."""
    return _mine.given


def heard(done: int, _: int, records: int) -> None:
    """Progress of what this process works at."""
    _mine.array[_PARTS * _mine.place] = _mine.bytes + done
    _mine.array[_PARTS * _mine.place + 1] = _mine.records + records


def finished(size: int, records: int) -> None:
    """A piece of work is done, with its bytes and records."""
    _mine.bytes += size
    _mine.records += records
    heard(0, 0, 0)
