"""Progress of an ingest, reported at most ten times a second."""

import time
from collections.abc import Callable
from typing import Any

from iosq.parsers.api import Balance, TypeCount
from iosq.parsers.packaging import Member
from iosq.parsers.smf.cuts import Part

Progress = Callable[[int, int, int], None]  # input bytes done, input bytes in all, records read
INTERVAL_S = 0.1


class Meter:
    """Adds up bytes and records over all files of an ingest and reports them periodically."""

    def __init__(self, report: Progress | None, total_bytes: int) -> None:
        self._report, self._total = report, total_bytes
        self._done = self._in_file = self._file_bytes = self._records = 0
        self._balance = Balance()
        self._due = 0.0

    def begin(self, file_bytes: int) -> None:
        """The next file is that large on disk."""
        self._in_file, self._file_bytes = 0, file_bytes

    def member(self, balance: Balance) -> None:
        """Records are counted in this balance from now on."""
        self._records += self._balance.read
        self._balance = balance

    def advance(self, count: int) -> None:
        """Count unpacked bytes that were read; a packed file can't be more than done."""
        self._in_file = min(self._file_bytes, self._in_file + count)
        self.tick()

    def elsewhere(self, done: int, records: int) -> None:
        """Count bytes and records of the file that other processes read."""
        self._in_file = min(self._file_bytes, done)
        self._balance = Balance(kinds={"": TypeCount(read=records)})
        self.tick()

    def end(self) -> None:
        self.member(Balance())
        self._done += self._file_bytes
        self._in_file = self._file_bytes = 0
        self.tick()

    def tick(self, *, now: bool = False) -> None:
        if self._report is None or not (now or time.monotonic() >= self._due):
            return
        self._due = time.monotonic() + INTERVAL_S
        self._report(self._done + self._in_file, self._total, self._records + self._balance.read)


class Metered:
    """A member, or a slice of a dump, as the reader's stream: reports bytes read to the meter, otherwise the same."""

    def __init__(self, member: Member | Part, meter: Meter) -> None:
        self.name = member.name
        self._member, self._meter = member, meter

    def read(self, size: int = -1, /) -> bytes:
        data = self._member.read(size)
        self._meter.advance(len(data))
        return data

    def readinto(self, buffer: memoryview, /) -> int:
        count = self._member.readinto(buffer)
        self._meter.advance(count)
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._member, name)
