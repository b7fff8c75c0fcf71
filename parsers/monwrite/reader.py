"""The MONWRITE reader: decodes records that concern disks and counts all others."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iosq.parsers.api import Balance, Batch, Context, Issue, Reader, Stream
from iosq.parsers.arrow import column_batch
from iosq.parsers.monwrite.checks import Checks, Configuration
from iosq.parsers.monwrite.layout import Record, records
from iosq.parsers.monwrite.pages import WORDS, holds_records, is_control
from iosq.parsers.monwrite.tables import tables
from iosq.parsers.monwrite.walk import Walk
from iosq.parsers.smf.columns import Bytes, all_null, column
from iosq.parsers.smf.layout import Field

FULL = 20_000  # records buffered before decoding, to limit memory
SYSTEM = (1, 4)
BUILT = Field("MRHDRTOD", 8, 8, "tod")
LARGEST_ZONE_S = 15 * 3600


class _Reading:
    """State of reading: the current configuration and buffered records."""

    def __init__(self, balance: Balance) -> None:
        self.balance = balance
        self.now = Configuration()
        # offsets and bytes of records decoded together: of the same type, length and configuration
        self.buffered: dict[tuple[Record, int, Configuration], tuple[list[int], list[bytes]]] = {}
        self.count = 0
        self.checks = Checks()

    def take(self, domain: int, number: int, offset: int, data: bytes) -> Iterator[Batch | Issue]:
        """Count a record, and buffer it if its type is decoded."""
        record = records().get((domain, number))
        self.balance.count(f"d{domain}r{number}", "decoded" if record else "skipped", len(data))
        if record is None:
            return
        if (domain, number) == SYSTEM:
            yield from self._configured(record, offset, data)
        offsets, held_records = self.buffered.setdefault((record, len(data), self.now), ([], []))
        offsets.append(offset)
        held_records.append(data)
        self.count += 1
        if self.count >= FULL:
            yield from self.flush()

    def _configured(self, record: Record, offset: int, data: bytes) -> Iterator[Issue]:
        """Apply a system configuration record to itself and the records after it."""
        fields = _columns(record, [data])
        zone = fields["MTRSYS_SYSZONE"][0].as_py()
        valid = zone is not None and abs(zone) <= LARGEST_ZONE_S and zone % 60 == 0
        name, ipl = (fields[f"MTRSYS_{field}"][0].as_py() for field in ("SYSTMID", "SYSTODST"))
        self.now = Configuration(name or None, zone if valid else None, ipl)
        if not valid:
            yield Issue("mon.zone", "notice", f"D1R4: time zone offset of {zone} is no number of seconds", offset)

    def flush(self) -> Iterator[Batch]:
        """Decode the buffered records, in file order."""
        buffered, self.buffered, self.count = self.buffered, {}, 0
        for (record, _, now), (offsets, data) in sorted(buffered.items(), key=lambda item: item[1][0][0]):
            yield self._batch(record, now, offsets, data)

    def _batch(self, record: Record, now: Configuration, offsets: Sequence[int], data: Sequence[bytes]) -> Batch:
        rows = len(data)
        columns = _columns(record, data)
        self.checks.look(record, now, offsets, columns)
        common = {
            "system": [now.system] * rows,
            "interval_start": columns["MRHDRTOD"],
            "utc_offset_s": [now.zone] * rows,
            "record_offset": offsets,
            "MRHDRLEN": [len(data[0])] * rows,
        }
        return Batch(record.table.name, column_batch(record.table, columns | common, rows))


def _columns(record: Record, data: Sequence[bytes]) -> dict[str, pa.Array]:
    """Every field of records of the same length, and the time they were built, as Arrow arrays.

    NULL if the records are too short for it.
    """
    grid = np.frombuffer(b"".join(data), np.uint8).reshape(len(data), -1)
    return {f.name: _column(f, grid) for f in (BUILT, *record.fields)}


def _column(field: Field, grid: Bytes) -> pa.Array:
    fits = field.end <= grid.shape[1]
    made = column(field, grid[:, field.offset : field.end], None) if fits else all_null(field, len(grid))
    if pa.types.is_dictionary(made.type):
        made = made.dictionary_decode()
    return pc.utf8_trim_whitespace(made) if field.format == "ebcdic" else made


class MonwriteReader(Reader):
    """CP monitor data as the MONWRITE utility writes it (4096-byte records, binary transfer)."""

    kind = "monwrite"
    tables = staticmethod(tables)
    rank = 5  # before SMF, whose search for records accepts bytes inside these

    def sniff(self, head: bytes) -> bool:
        """True if `head` has a control record or a run of monitor records, also if the file's start is missing."""
        return holds_records(head)

    def certain(self, head: bytes) -> bool:
        """True if a control record is at the first byte."""
        return is_control(WORDS.sub(b"", head), 0)

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read a file to its end; offsets of issues are byte offsets."""
        reading = _Reading(balance)
        for item in Walk(stream, balance):
            if isinstance(item, Issue):
                yield item
            else:
                yield from reading.take(*item)
        yield from reading.flush()
        yield from reading.checks.issues()


READER = MonwriteReader()
