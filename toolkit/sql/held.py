"""What the process holds: a single function of the database takes memory that its own limit doesn't count."""

from __future__ import annotations

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
    """Whether the process has come to hold more than a question may take, since this was made."""

    def __init__(self, allowed: int | None) -> None:
        # half as much again: the database counts what it asks for, the system what the allocator keeps
        self._most = held_bytes() + allowed + allowed // 2 + HEADROOM if allowed else None

    def over(self) -> bool:
        """Whether it holds too much now."""
        return self._most is not None and held_bytes() > self._most
