"""Timeout of waits for other processes: `--timeout` ends these waits too."""

import time
from collections.abc import Iterator

POLL_S = 0.01
_LONGEST_S: list[float] = []


def limit(seconds: float | None) -> None:
    """Limit later waits to this time; None: the limit of each wait."""
    _LONGEST_S[:] = [] if seconds is None else [seconds]


def attempts(wait_s: float) -> Iterator[None]:
    """One turn for each attempt, until the time is up; between two a signal is heard."""
    deadline = time.monotonic() + min([wait_s, *_LONGEST_S])
    yield
    while time.monotonic() < deadline:
        time.sleep(POLL_S)
        yield
