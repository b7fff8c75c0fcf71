"""Interface of readers to the lake: tables (declared once), batches, issues and a balance.

A reader never raises for the content of data: it yields an `Issue` and continues. It raises
`iosq.toolkit.errors.InputError` only if nothing of the input is readable.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from iosq.toolkit.late import pa

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ColumnType = Literal["bigint", "integer", "double", "varchar", "boolean", "timestamp", "date"]
Severity = Literal["info", "notice", "data_loss", "error"]
Outcome = Literal["decoded", "skipped", "failed"]
Confidence = Literal["high", "medium", "low", ""]
# in ascending order
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Bit:
    """One named bit (or bit group) of a flag column: `(value & mask) >> shift`."""

    name: str
    mask: int
    meaning: str
    confidence: Confidence = "high"

    @property
    def shift(self) -> int:
        """Bits to shift right to get the value of a bit group (0 for its lowest bit)."""
        return (self.mask & -self.mask).bit_length() - 1

    @property
    def single(self) -> bool:
        """True if this is one bit (a boolean) and not a group."""
        return self.mask & (self.mask - 1) == 0


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a raw table: the vendor's name, type, unit, meaning and source."""

    name: str
    type: ColumnType
    unit: str = ""
    meaning: str = ""
    source: str = ""
    confidence: Confidence = "high"
    bits: tuple[Bit, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One raw table, filled from one section of a record or report. `sort` gives the row order inside a file."""

    name: str
    title: str
    columns: tuple[Column, ...]
    sort: tuple[str, ...] = ("system", "interval_start")
    source: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one raw table; the Arrow schema is the table's (see `iosq.parsers.arrow.schema`)."""

    table: str
    rows: "pa.RecordBatch"


@dataclass(frozen=True, slots=True)
class Issue:
    """A defect of the data with its location; never raised, always stored.

    `offset` is a byte offset in the unpacked stream (binary input) or a line number (listings);
    `record` is the number of the record (from 1), 0 if the issue concerns no record.
    """

    code: str
    severity: Severity
    message: str
    offset: int = 0
    record: int = 0
    count: int = 1


@dataclass(slots=True)
class TypeCount:
    """Records (or report lines) of one kind, for the balance."""

    read: int = 0
    decoded: int = 0
    skipped: int = 0
    failed: int = 0
    bytes: int = 0


@dataclass(slots=True)
class Balance:
    """Counts of one input: read = decoded + skipped + failed, and bytes add up to the unpacked stream.

    `kinds` maps a record kind (`74.1`, `30`, `fcx168`) to its counts; `lost_bytes` are bytes that belong
    to no record (damage, padding), `frame_bytes` those of block descriptors and the like.
    For listings a "record" is a line: decoded = used, skipped = headings and blank lines, failed = not understood.
    """

    kinds: dict[str, TypeCount] = field(default_factory=dict)
    frame_bytes: int = 0
    lost_bytes: int = 0
    total_bytes: int = 0

    def kind(self, name: str) -> TypeCount:
        """The counts of one kind, created on first use."""
        return self.kinds.setdefault(name, TypeCount())

    def count(self, kind: str, outcome: Outcome, size: int, records: int = 1) -> None:
        """Count records of a kind, with `size` bytes in all."""
        counts = self.kind(kind)
        counts.read += records
        counts.bytes += size
        setattr(counts, outcome, getattr(counts, outcome) + records)

    @property
    def read(self) -> int:
        return sum(k.read for k in self.kinds.values())

    @property
    def decoded(self) -> int:
        return sum(k.decoded for k in self.kinds.values())

    @property
    def skipped(self) -> int:
        return sum(k.skipped for k in self.kinds.values())

    @property
    def failed(self) -> int:
        return sum(k.failed for k in self.kinds.values())

    @property
    def balanced(self) -> bool:
        """True if records and bytes both add up."""
        counted = sum(k.bytes for k in self.kinds.values()) + self.frame_bytes + self.lost_bytes
        return self.read == self.decoded + self.skipped + self.failed and counted == self.total_bytes


class Stream(Protocol):
    """An unpacked input: a forward-only byte stream with a name for messages."""

    name: str

    def read(self, size: int = -1, /) -> bytes: ...


def read_fully(stream: Stream, size: int) -> bytes:
    """Read `size` bytes, fewer only at the end of the stream; a pipe may return less per read."""
    parts, got = list[bytes](), 0
    while got < size and (part := stream.read(size - got)):
        parts.append(part)
        got += len(part)
    return b"".join(parts)


@dataclass(slots=True)
class Context:
    """What the lake gives a reader: duplicate detection and the kinds of records to decode.

    `seen` maps an array of record digests (uint64) to a mask of those already in the lake. A reader that
    detects duplicates skips those records, and appends the digests of the records it decoded to `digests`.
    `wanted` are the kinds of records to decode (`74.1`), for readers that distinguish kinds; None for all.
    """

    seen: "Callable[[NDArray[np.uint64]], NDArray[np.bool_]] | None" = None
    digests: "list[NDArray[np.uint64]]" = field(default_factory=list)
    wanted: frozenset[str] | None = None


class Reader(Protocol):
    """One kind of input. A reader is found by `sniff` on the first bytes, never by file name.

    `rank` orders the readers: strict tests run before lenient ones.
    """

    kind: str
    rank: int

    def sniff(self, head: bytes) -> bool:
        """True if `head` (the first 64 KiB, or all of a shorter input) is this reader's kind."""
        ...

    def certain(self, head: bytes) -> bool:  # noqa: ARG002
        """True if `head` can't be any other kind: such input is not searched for packaging."""
        return False

    def diagnose(self, head: bytes) -> str:  # noqa: ARG002
        """The kind and the remedy of an input that no reader recognises; '' if this reader doesn't know it."""
        return ""

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:
        """Read the stream to its end, yielding rows and issues, counting into `balance`.

        Raises:
            InputError: nothing of the stream can be read (wrong transfer mode, not this kind after all).
        """
        ...

    def tables(self) -> tuple[Table, ...]:
        """The raw tables this reader can fill."""
        ...
