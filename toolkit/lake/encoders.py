"""Threads that encode while the reader decodes, with a bound on what waits for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


class Encoders:
    """`count` threads, each doing its own jobs in order; at most `queue_bytes` of unfinished work.

    The first error of a job is raised by a later call, in the calling thread.
    """

    def __init__(self, count: int, queue_bytes: int) -> None:
        self._threads = [ThreadPoolExecutor(1, f"encode-{number}") for number in range(count)]
        self._room = queue_bytes
        self._unfinished: deque[tuple[Future[None], int]] = deque()

    def submit(self, encoder: int, size: int, job: Callable[[], None]) -> None:
        """Queue a job that holds `size` bytes, waiting for room first."""
        self._settle(size)
        self._unfinished.append((self._threads[encoder].submit(job), size))
        self._room -= size

    def drain(self) -> None:
        """Wait until every job is done."""
        while self._unfinished:
            self._collect()

    def stop(self) -> None:
        """Drop the jobs not yet begun and wait for those that are; without effect after `drain`."""
        for thread in self._threads:
            thread.shutdown(wait=True, cancel_futures=True)

    def _settle(self, size: int) -> None:
        while self._unfinished and (self._room < size or self._unfinished[0][0].done()):
            self._collect()

    def _collect(self) -> None:
        job, size = self._unfinished.popleft()
        self._room += size
        job.result()
