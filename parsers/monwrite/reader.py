"""Reader of MONWRITE files: records of domains 1 and 6 that concern disks are decoded, all others counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from iosq.parsers.api import Balance, Batch, Context, Issue, Stream, Table
from iosq.parsers.arrow import schema
from iosq.parsers.monwrite import decode, tables
from iosq.parsers.monwrite.layout import Record, records
from iosq.parsers.monwrite.walk import PAGE, Walk, elements, plausible

FULL = 20_000  # records held before they are decoded: bounds memory
SYSTEM = (1, 4)
LARGEST_ZONE_S = 15 * 3600


class _Reading:
    """Records gathered by type and length, and what is known while reading: system, zone, earlier samples."""

    def __init__(self, balance: Balance) -> None:
        self.balance = balance
        self.system: str | None = None
        self.zone: int | None = None
        self.held: dict[tuple[int, int, int], tuple[list[int], list[bytes]]] = {}
        self.count = 0
        self.before: dict[tuple[str, Any], int] = {}
        self.devices: dict[int, str] = {}
        self.strangers = 0

    def take(self, domain: int, number: int, offset: int, data: bytes) -> Iterator[Batch | Issue]:
        record = records().get((domain, number))
        count = self.balance.kind(f"d{domain}r{number}")
        count.read += 1
        count.bytes += len(data)
        if record is None:
            count.skipped += 1
            return
        count.decoded += 1
        if (domain, number) == SYSTEM:
            yield from self._system(record, offset, data)
        offsets, held = self.held.setdefault((domain, number, len(data)), ([], []))
        offsets.append(offset)
        held.append(data)
        self.count += 1
        if self.count >= FULL:
            yield from self.flush()

    def _system(self, record: Record, offset: int, data: bytes) -> Iterator[Batch | Issue]:
        """A system configuration record: another system's records so far are written under their own name."""
        fields = decode.columns(record, [data])
        system = fields["MTRSYS_SYSTMID"][0].as_py() or None
        if self.system is not None and system != self.system:
            yield from self.flush()
            self.before.clear()
            self.devices.clear()
        zone = fields["MTRSYS_SYSZONE"][0].as_py()
        self.system = system
        self.zone = zone if zone is not None and abs(zone) <= LARGEST_ZONE_S and zone % 60 == 0 else None
        if self.zone != zone:
            yield Issue("mon.zone", "notice", f"D1R4: time zone offset of {zone} is no number of seconds", offset)

    def flush(self) -> Iterator[Batch | Issue]:
        """Decode what is held."""
        held, self.held, self.count = self.held, {}, 0
        for (domain, number, _), (offsets, data) in sorted(held.items(), key=lambda item: item[1][0][0]):
            yield self._batch(records()[domain, number], offsets, data)
        if self.strangers:
            text = (
                "D6R3: the device number is not the one D1R6 gives for the subchannel; offsets behind 88 may be wrong"
            )
            yield Issue("mon.layout", "error", text, count=self.strangers)
            self.strangers = 0

    def _batch(self, record: Record, offsets: Sequence[int], data: Sequence[bytes]) -> Batch:
        rows = len(data)
        columns = decode.columns(record, data)
        stamps = decode.times(data)
        starts, spans = self._intervals(record, columns, stamps)
        columns |= {
            "system": pa.array([self.system] * rows, pa.string()),
            "interval_start": starts.cast(pa.timestamp("us")),
            "utc_offset_s": pa.array([self.zone] * rows, pa.int32()),
            "interval_s": spans,
            "record_offset": pa.array(offsets, pa.int64()),
            "MRHDRTOD": pa.array(stamps).cast(pa.timestamp("us")),
            "MRHDRLEN": pa.array([len(data[0])] * rows, pa.int32()),
        }
        self._check(record, columns)
        table = record.table
        return Batch(table.name, pa.RecordBatch.from_arrays([columns[n] for n in table.names], schema=schema(table)))

    def _intervals(self, record: Record, columns: dict[str, pa.Array], stamps: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Start and length of each sample's interval: since the sample before of the same device or pool."""
        if record.nature != "sample":
            return pa.array(stamps), pa.nulls(len(stamps), pa.float64())
        starts: list[int | None] = []
        for key, stamp in zip(columns[record.key].to_pylist(), stamps.tolist(), strict=True):
            before = self.before.get((record.name, key))
            starts.append(before if before is not None and before < stamp else None)
            self.before[record.name, key] = stamp
        array = pa.array(starts, pa.int64())
        known = array.is_valid().to_numpy(zero_copy_only=False)
        seconds = (stamps - np.where(known, array.fill_null(0).to_numpy(), 0)) / 1e6
        return array, pa.array(seconds, mask=~known)

    def _check(self, record: Record, columns: dict[str, pa.Array]) -> None:
        """D6R3's offsets come from a transcription: its device number must be the one D1R6 gives."""
        if record.name == "D1R6":
            pairs = zip(columns["MTRDEV_RDEVSID"].to_pylist(), columns["MTRDEV_RDEVDEV"].to_pylist(), strict=True)
            self.devices |= dict(pairs)
        elif record.name == "D6R3":
            pairs = zip(columns["IODDEV_RDEVSID"].to_pylist(), columns["IODDEV_RDEVDEV"].to_pylist(), strict=True)
            self.strangers += sum(self.devices.get(sid, dev) != dev for sid, dev in pairs)


class MonwriteReader:
    """CP monitor data as the MONWRITE utility writes it (4096-byte records, binary transfer)."""

    kind = "monwrite"
    rank = 5  # before SMF, whose search for records accepts what stands inside these

    def sniff(self, head: bytes) -> bool:
        """Whether a control record is followed by a record header where its first element says."""
        parts = elements(head[:PAGE]) if len(head) >= 2 * PAGE else None
        if not parts:
            return False
        place = PAGE + (parts[0].first & 0xFFF)
        return plausible(head, place, 2 * PAGE) or plausible(head, PAGE, 2 * PAGE)

    def certain(self, head: bytes) -> bool:
        """The test is strict: what passes it needs no search for packaging."""
        return self.sniff(head)

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read a file to its end; an issue's offset is a byte offset."""
        reading = _Reading(balance)
        for item in Walk(stream, balance):
            if isinstance(item, Issue):
                yield item
            else:
                yield from reading.take(*item)
        yield from reading.flush()

    def tables(self) -> tuple[Table, ...]:
        """One table per decoded record, `mon_d6r3` and so on."""
        return tables.tables()


READER = MonwriteReader()
