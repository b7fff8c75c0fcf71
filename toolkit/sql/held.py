"""Memory of the process: some functions of the database allocate beyond its own limit."""

import os
from pathlib import Path

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
