"""Several statements in parallel, each in one thread: uses all processors, with a fixed order of additions.

If a database spreads one statement over threads, it adds fractions in the order in which threads finish, and the last
digit varies between runs. With several statements, each in one thread, it does not.
"""

import os
import queue
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

import duckdb

from iosq.toolkit.sql.limits import IN_FORCE, Asked, is_left, too_long

Work = Callable[[duckdb.DuckDBPyConnection, str], object]
MOST = 8  # statements in parallel: each keeps its working set in memory


class _Running(NamedTuple):
    asked: Asked[object]
    cursor: duckdb.DuckDBPyConnection
    begun: float


def together(con: duckdb.DuckDBPyConnection, steps: Mapping[str, Collection[str]], work: Work) -> Iterator[str]:
    """Do steps, some after others; gives the names of those done as they finish.

    Each gets a cursor of `con`, which is set to one thread. `steps`: by name, in an order in which they can be done,
    those that each waits for. RequestError if one takes longer than a question may; KeyboardInterrupt if the user
    stopped it.
    """
    free = [con.cursor() for _ in range(min(IN_FORCE.threads or os.cpu_count() or 1, MOST))]
    left, running, ended = dict(steps), dict[str, _Running](), queue.SimpleQueue[str]()

    def doing(name: str, cursor: duckdb.DuckDBPyConnection) -> Callable[[], object]:
        def step() -> object:
            try:
                return work(cursor, name)
            finally:
                ended.put(name)

        return step

    try:
        while left or running:
            ready = [name for name, before in left.items() if not any(b in left or b in running for b in before)]
            for name in ready[: len(free)]:
                cursor = free.pop()
                running[name] = _Running(Asked(doing(name, cursor)), cursor, time.monotonic())
                del left[name]
                running[name].asked.start()
            name = _next(ended, running)
            step = running[name]
            step.asked.ended.wait()
            del running[name]
            free.append(step.cursor)
            step.asked.answer()
            yield name
    finally:
        for step in running.values():
            step.asked.stop(step.cursor)
        for cursor in [*free, *(step.cursor for step in running.values())]:
            if not is_left(cursor):
                cursor.close()


def _next(ended: queue.SimpleQueue[str], running: Mapping[str, _Running]) -> str:
    """The next that is done."""
    if IN_FORCE.timeout_s is None:
        return ended.get()
    first = min(step.begun for step in running.values())
    try:
        return ended.get(timeout=max(first + IN_FORCE.timeout_s - time.monotonic(), 0.001))
    except queue.Empty:
        raise too_long() from None
