"""Checks of monitor records: finds wrong or uncertain values in one file."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow as pa

from iosq.parsers.api import Issue, Severity
from iosq.parsers.monwrite.layout import Record

DOUBTS: dict[str, tuple[Severity, str]] = {
    "mon.layout": (
        "error",
        "D6R3: the device number is not the one D1R6 gives for the subchannel; offsets behind 88 may be wrong",
    ),
    "mon.system": (
        "notice",
        "samples without a D1R4 before them in the file: views take the system and time zone from the D1R4 records of "
        "other files, if these name only one system; otherwise ingest the file with the D1R4",
    ),
    "mon.wrap": (
        "notice",
        "D6R3: the 16-bit I/O count wrapped and the 32-bit count is empty; a rate is too low where the count wraps "
        "twice between two samples: sample more often",
    ),
}


class Configuration(NamedTuple):
    """Values of the last D1R4; all None before the first."""

    system: str | None = None
    zone: int | None = None
    ipl: datetime | None = None


class Checks:
    """Checks all records of a file and counts each doubt, with the offset of the first."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[int, int]] = {}  # offset of the first, count
        self.devices: dict[tuple[str | None, int], str] = {}
        self.starts: dict[tuple[str | None, datetime | None, int], int] = {}

    def look(self, record: Record, now: Configuration, offsets: Sequence[int], columns: Mapping[str, pa.Array]) -> None:
        if record.nature == "sample" and now.system is None:
            self._add("mon.system", *offsets)
        if record.name == "D1R6":
            self.devices |= {(now.system, sid): dev for sid, dev in _pairs(columns, "MTRDEV_RDEVSID", "MTRDEV_RDEVDEV")}
        elif record.name == "D6R3":
            pairs = zip(offsets, _pairs(columns, "IODDEV_RDEVSID", "IODDEV_RDEVDEV"), strict=True)
            strange = [at for at, (sid, dev) in pairs if self.devices.get((now.system, sid), dev) != dev]
            self._add("mon.layout", *strange)
            self._count_wraps(now, offsets, columns)

    def issues(self) -> Iterator[Issue]:
        for code, (offset, count) in self.found.items():
            yield Issue(code, *DOUBTS[code], offset, count=count)

    def _add(self, code: str, *offsets: int) -> None:
        if offsets:
            first, count = self.found.get(code, (offsets[0], 0))
            self.found[code] = first, count + len(offsets)

    def _count_wraps(self, now: Configuration, offsets: Sequence[int], columns: Mapping[str, pa.Array]) -> None:
        """Count wraps of the 16-bit count of starts where it is the only one."""
        long_counts = columns["IODDEV_SCGSSCH"].to_pylist()
        rows = zip(offsets, long_counts, _pairs(columns, "IODDEV_RDEVSID", "IODDEV_SCMSSCH"), strict=True)
        for offset, long_count, (sid, short_count) in rows:
            if long_count:
                continue
            key = (now.system, now.ipl, sid)
            if short_count < self.starts.get(key, 0):
                self._add("mon.wrap", offset)
            self.starts[key] = short_count


def _pairs(columns: Mapping[str, pa.Array], one: str, other: str) -> Iterator[tuple[Any, Any]]:
    return zip(columns[one].to_pylist(), columns[other].to_pylist(), strict=True)
