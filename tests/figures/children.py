"""Work in a process forked from a warm one: no imports to wait for, and what it leaves behind is only on the disk."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")
_FORK = multiprocessing.get_context("fork")
LONGEST_S = 300.0


def warm() -> None:
    """Import what every command needs; nothing of it is called here, because threads don't survive a fork."""
    import iosq.toolkit.anonymize
    import iosq.toolkit.compare
    import iosq.toolkit.delta
    import iosq.toolkit.lake.compact
    import iosq.toolkit.report.page
    import iosq.toolkit.report.workbook
    import iosq.toolkit.sql.export
    import iosq.toolkit.trend  # noqa: F401
    from iosq.parsers.registry import tables

    tables()


def _reported(work: Callable[[], T], out: Connection) -> None:
    try:
        out.send((True, work()))
    except BaseException as error:  # noqa: BLE001 - reported where it was asked
        name = "OSError" if isinstance(error, OSError) else type(error).__name__
        out.send((False, f"{name}: {error}"))


def asked(work: Callable[[], T]) -> T:
    """What `work` gives, done in a process of its own.

    Raises:
        RuntimeError: it raised, or was not ready in time.
    """
    inside, out = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_reported, args=(work, out))
    process.start()
    out.close()
    try:
        if not inside.poll(LONGEST_S):
            raise RuntimeError(f"not ready after {LONGEST_S:g} s")
        fine, value = inside.recv()
    except EOFError:
        raise RuntimeError(f"died with code {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
    if not fine:
        raise RuntimeError(value)
    return value  # type: ignore[no-any-return]


def killed(work: Callable[[], object], after_s: float) -> bool:
    """Begin `work`, kill it (-9) after this many seconds; False if it had ended before."""
    pid = os.fork()
    if not pid:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(after_s)
    os.kill(pid, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])
