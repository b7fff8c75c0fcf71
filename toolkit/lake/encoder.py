"""A thread that encodes while the reader decodes, with a limit on queued work."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


class Encoder:
    """A thread that does jobs in order; at most `queue_bytes` of unfinished work.

    The first error of a job is raised by a later call, in the calling thread.
    """

    def __init__(self, queue_bytes: int) -> None:
        self._thread = ThreadPoolExecutor(1, "encode")
        self._room = queue_bytes
        self._unfinished: deque[tuple[Future[None], int]] = deque()

    def submit(self, size: int, job: Callable[[], None]) -> None:
        """Queue a job of `size` bytes; waits for room first."""
        self._settle(size)
        self._unfinished.append((self._thread.submit(job), size))
        self._room -= size

    def drain(self) -> None:
        while self._unfinished:
            self._collect()

    def stop(self) -> None:
        """Drop the jobs not yet begun and wait for the one that is; without effect after `drain`."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _settle(self, size: int) -> None:
        while self._unfinished and (self._room < size or self._unfinished[0][0].done()):
            self._collect()

    def _collect(self) -> None:
        job, size = self._unfinished.popleft()
        self._room += size
        job.result()
