"""Limits of a query: memory, time, threads. One setting for the whole process."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import duckdb

from iosq.toolkit import waiting
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from iosq.toolkit.sql.raw import literal

T = TypeVar("T")
TIMEOUT_S = 1800.0
GRACE_S, GRACE_MEMORY_S = 5.0, 1.0
"""Seconds to wait for a stopped query, which may be inside one call of a function."""
WATCH_S = 0.5
QUESTION = "iosq question"
"""Name prefix of query threads: the command does not wait for abandoned ones."""
LEFT: "list[tuple[Asked[Any], duckdb.DuckDBPyConnection]]" = []
"""Questions that were left, with their cursors."""


def is_left(cursor: duckdb.DuckDBPyConnection) -> bool:
    """True if an abandoned query still uses this cursor."""
    return any(held is cursor and not asked.ended.is_set() for asked, held in LEFT)


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_CGROUP = Path("/sys/fs/cgroup/memory.max")
_STATM = Path("/proc/self/statm")
HEADROOM = 1 << 29
"""Bytes a query may hold in addition to those that the database counts: rows at hand, memory not yet returned."""


def held_bytes() -> int:
    """Bytes of memory that the process holds; 0 if unknown."""
    try:
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError, IndexError):
        return 0


class Watch:
    """Detects memory growth beyond the limit of a query, since its creation."""

    def __init__(self, allowed: int | None) -> None:
        # half as much again: the database counts requests, the system counts the allocator's pages
        self._most = held_bytes() + allowed + allowed // 2 + HEADROOM if allowed else None

    def over(self) -> bool:
        """True if the process is above the limit."""
        return self._most is not None and held_bytes() > self._most


def _installed_bytes() -> int | None:
    """Memory of the machine, or of the container if that is less; None if unknown."""
    try:
        installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        allowed = _CGROUP.read_text("ascii").strip() if _CGROUP.is_file() else "max"
    except (OSError, ValueError, AttributeError):
        return None
    return min(installed, int(allowed)) if allowed.isdigit() else installed


@dataclass(slots=True)
class Limits:
    """Bytes DuckDB may hold (and the same on disk), seconds per query, threads; None: DuckDB decides."""

    memory_bytes: int | None = None
    timeout_s: float | None = TIMEOUT_S
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.memory_bytes is None and (installed := _installed_bytes()):
            self.memory_bytes = installed // 2

    def check_held(self, count: float) -> None:
        """RequestError if a result has more bytes outside the database than a question may take."""
        if self.memory_bytes and count > self.memory_bytes:
            raise too_much()

    def apply_memory(self, con: duckdb.DuckDBPyConnection) -> None:
        """Set the memory of a connection that is not locked yet."""
        if self.memory_bytes:
            size = literal(f"{self.memory_bytes}B")
            con.execute(f"SET memory_limit = {size}")
            con.execute(f"SET max_temp_directory_size = {size}")

    def apply(self, con: duckdb.DuckDBPyConnection) -> None:
        """Set memory and threads of a connection that is not locked yet."""
        self.apply_memory(con)
        if self.threads:
            con.execute(f"SET threads = {self.threads}")


IN_FORCE = Limits()


def too_much() -> RequestError:
    """The error if the memory does not suffice."""
    return RequestError("needs more memory than allowed", place="--max-memory", remedy="narrow the query")


def too_long() -> RequestError:
    """The error if the time is up."""
    what = f"took longer than {IN_FORCE.timeout_s:g} s"
    return RequestError(what, place="--timeout", remedy="narrow the query or allow more")


def limit(*, memory: str | int | None = None, timeout_s: float | None = None, threads: int | None = None) -> None:
    """Set the limits of each query, for all lakes opened from now on.

    The database can't interrupt a single call of a function (`repeat('x', 2000000000)`). A query that does not end on
    request is abandoned after some seconds: the error is raised, and its thread continues until that call returns. The
    command then ends the process; a program must end itself to free the memory at once.

    Args:
        memory: bytes, or a text such as `8GB`; half of the machine's by default. The same amount may go to disk. On
            Linux the memory of the process is also checked twice a second, so a function may exceed the limit for about
            a second.
        timeout_s: seconds of one query, of one prediction, or of a wait for another process; half an hour by default, 0
            for no limit.
        threads: threads of the database; all processors by default.

    Raises:
        RequestError: an impossible value.
    """
    if memory is not None:
        IN_FORCE.memory_bytes = memory if isinstance(memory, int) else _bytes(memory)
    if timeout_s is not None:
        if timeout_s < 0:
            raise RequestError(f"must be 0 or more, not {timeout_s:g}", place="--timeout")
        IN_FORCE.timeout_s = timeout_s or None
        waiting.limit(IN_FORCE.timeout_s)
    if threads is not None:
        if threads < 1:
            raise RequestError(f"must be at least 1, not {threads}", place="--threads")
        IN_FORCE.threads = threads


def within(cursor: duckdb.DuckDBPyConnection, deadline: float | None, work: Callable[[], T]) -> T:
    """The result of `work` on the cursor; stopped at the deadline or by the user, since C code sees neither.

    RequestError if the time is up; KeyboardInterrupt if the user stopped it.
    """
    asked, watch = Asked(work), Watch(IN_FORCE.memory_bytes)
    try:
        asked.start()
        error = _awaited(asked, deadline, watch)
    except BaseException:
        asked.stop(cursor)
        raise
    if error:
        asked.stop(cursor, watch)
        raise error
    return asked.answer()


def _awaited(asked: "Asked[T]", deadline: float | None, watch: Watch) -> RequestError | None:
    """Wait for the end; the reason if waiting is no longer possible."""
    while True:
        left = WATCH_S if deadline is None else max(deadline - time.monotonic(), 0.0)
        if asked.ended.wait(min(left, WATCH_S)):
            return None
        if deadline is not None and time.monotonic() >= deadline:
            return too_long()
        if watch.over():
            return too_much()


class _OverError(BaseException):
    """The time is up. It is not caught as a failed attempt by iterative solvers."""


@contextmanager
def in_time() -> Iterator[None]:
    """End what is computed in the block where one question would have to end; questions in it count as well.

    Only the main thread can be interrupted, and only where the system has a timer: elsewhere nothing is limited.
    RequestError if the time is up.
    """
    main = threading.current_thread() is threading.main_thread()
    if IN_FORCE.timeout_s is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def over(*_: object) -> None:
        raise _OverError

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, IN_FORCE.timeout_s)
    try:
        yield
    except _OverError:
        raise too_long() from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Asked(threading.Thread, Generic[T]):
    """Work of the database in a separate thread, so that the caller can be interrupted."""

    def __init__(self, work: Callable[[], T]) -> None:
        # no daemon: one that is inside the database while the interpreter ends takes the process down
        super().__init__(daemon=False, name=QUESTION)
        self._work = work
        self._given: list[T] = []
        self._error: BaseException | None = None
        self._has_begun = self._is_unwanted = False
        # not `join` and `is_alive`: after Ctrl-C in `join` a running thread counts as ended
        self.ended = threading.Event()

    def start(self) -> None:
        """Begin, unless the user stopped the command and a library swallowed it."""
        if stages.interrupted():
            raise KeyboardInterrupt
        super().start()

    def run(self) -> None:
        self._has_begun = True
        try:
            if not self._is_unwanted:  # the user stopped it before it had begun
                self._given.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked
            self._error = error
        finally:
            self.ended.set()

    def answer(self) -> T:
        """The result once it has ended; raises its exception."""
        if self._error is not None:
            raise self._error
        return self._given[0]

    def stop(self, cursor: duckdb.DuckDBPyConnection, watch: Watch | None = None) -> None:
        """Interrupt until it ends: an interrupt between two steps is lost. After some time it is left alone.

        The cursor of one that is left is kept until the process ends: to close it would be to wait.
        """
        self._is_unwanted, until = True, time.monotonic() + GRACE_S
        while self._has_begun and not self.ended.is_set():
            if watch and watch.over():
                until = min(until, time.monotonic() + GRACE_MEMORY_S)
            if time.monotonic() > until:
                LEFT.append((self, cursor))
                return
            with suppress(KeyboardInterrupt):  # an impatient second one must not leave the question running
                cursor.interrupt()
                self.ended.wait(0.05)


def _bytes(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    if not found or not float(found[1]):
        raise RequestError(f"{text!r} is not an amount of memory", place="--max-memory", remedy="write 8GB or 512MB")
    return int(float(found[1]) * (1024 if found[3] else 1000) ** _POWERS[found[2].lower()])
