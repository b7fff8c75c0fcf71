"""Unpacks TSO TRANSMIT files (XMIT, NETDATA) as streams of records.

Facts: IBM TSO/E Customization, "Format of transmitted data" and "INMR02"; Palmer and O'Hara's Netdata paper of 1981.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from iosq.parsers.packaging.stream import PIECE_BYTES, Code, Job, Member
from iosq.parsers.packaging.terse import LONGEST_RECORD, too_long
from iosq.toolkit.errors import InputError

FIRST, LAST, CONTROL, NUMBER = 0x80, 0x40, 0x20, 0x10
LONGEST_SEGMENT = 255
# z/OS blocks have at most 32760 bytes, control records a few hundred
LONGEST_JOINED = 1 << 20
BLANK = b"\x40"

UTILITY, RECFM, LRECL, DSNAME, MESSAGE = 0x1028, 0x0049, 0x0042, 0x0002, 0x0028
FIXED, VARIABLE, PACKED = 0x8000, 0x4000, 0x000C
UNDEFINED = FIXED | VARIABLE
INMR01 = "INMR01".encode("cp037")
KNOWN = tuple(f"INMR0{digit}" for digit in "123467")

Units = dict[int, list[bytes]]


@dataclass(frozen=True, slots=True)
class Record:
    """A joined record: its kind, data and the offset of its first segment."""

    control: bool
    data: bytes
    offset: int

    @property
    def name(self) -> str:
        """`INMR01` to `INMR07` for a control record, else ''."""
        return self.data[:6].decode("cp037") if self.control else ""


class Reader:
    """Joins the segments of a transmission; inconsistent segments are logged as an issue."""

    def __init__(self, entry: Member, job: Job) -> None:
        self._source, self._name, self._job = entry.stream, entry.name, job
        self._buffer, self._at, self._base = b"", 0, entry.stream.position
        self._back: Record | None = None
        self.ended = False

    def unread(self, record: Record) -> None:
        """Return `record` again from the next call of `record()`."""
        self._back = record

    def record(self) -> Record | None:
        """The next record, or None after INMR06 or at damage that ends the file."""
        if self._back:
            back, self._back = self._back, None
            return back
        record = self._join()
        if record is None or record.name == "INMR06":
            self._finish(record)
            return None
        return record

    def _join(self) -> Record | None:
        parts: list[bytes] = []
        size = offset = kind = 0
        while (segment := self._segment()) is not None:
            at, flags, data = segment
            if flags & NUMBER:
                continue
            if bool(flags & FIRST) == bool(parts) or (parts and flags & CONTROL != kind):
                self.log("package_damaged", at, "segments do not fit together; the records they belong to are lost")
                parts = []
                if not flags & FIRST:
                    continue
            if not parts:
                size, offset, kind = 0, at, flags & CONTROL
            parts.append(data)
            size += len(data)
            if size > LONGEST_JOINED:
                raise InputError(f"holds a block of more than {LONGEST_JOINED} bytes", place=self._name)
            if flags & LAST:
                return Record(bool(kind), b"".join(parts), offset)
        return None

    def _segment(self) -> tuple[int, int, bytes] | None:
        if self.ended:
            return None
        if len(self._buffer) - self._at < LONGEST_SEGMENT:
            self._base += self._at
            self._buffer, self._at = self._buffer[self._at :] + self._source.read(PIECE_BYTES), 0
        at, left = self._at, len(self._buffer) - self._at
        length = self._buffer[at] if left else LONGEST_SEGMENT
        if length < 2:
            self.log("package_damaged", self._base + at, "segment length below 2; the data before it was read")
            self.ended = True
            return None
        if length > left:
            self.log("package_truncated", self._base + at, "ends without INMR06; the complete records were read")
            self.ended = True
            return None
        self._at += length
        return self._base + at, self._buffer[at + 1], self._buffer[at + 2 : self._at]

    def _finish(self, last: Record | None) -> None:
        """Read to the end of the file; only blanks may follow INMR06, anything may follow damage."""
        self.ended = True
        trailing = bool(self._buffer[self._at :].strip(BLANK + b"\0"))
        trailing = self._source.drain(BLANK + b"\0") or trailing
        if last and trailing:
            self.log("package_trailing", last.offset, "bytes after INMR06 were not read")
        self._buffer, self._at = b"", 0

    def log(self, code: Code, offset: int, text: str) -> None:
        self._job.log("xmit", code, offset, text)


def text_units(data: bytes) -> Units:
    """Keys and values of the text units in `data`; truncated ones are left out."""
    units: Units = {}
    at = 0
    while at + 4 <= len(data):
        key, count = struct.unpack_from(">HH", data, at)
        at += 4
        values = units.setdefault(key, [])
        for _ in range(count):
            length = int.from_bytes(data[at : at + 2])
            values.append(data[at + 2 : at + 2 + length])
            at += 2 + length
            if at > len(data):
                break
    return units


def open_xmit(entry: Member, job: Job) -> Iterator[Member]:
    """Each sequential data set of a transmission.

    Raises:
        InputError: it is partitioned, encrypted, packed by TRANSMIT, or has no data set.
    """
    reader = Reader(entry, job)
    steps: dict[int, list[Units]] = {}
    number = found = 0
    while record := reader.record():
        if record.name == "INMR02":
            steps.setdefault(int.from_bytes(record.data[6:10]), []).append(text_units(record.data[10:]))
        elif record.name == "INMR03":
            number += 1
            conversions = steps.get(number, [])
            if not any(MESSAGE in units for units in conversions):
                found += 1
                yield _data_set(entry, reader, conversions, job)
        elif not (record.control or number):
            reader.log("package_damaged", record.offset, "data before INMR03, not read")
    if not found:
        raise InputError("transmission has no data set (damaged, or only a message)", place=entry.name)


def _data_set(entry: Member, reader: Reader, conversions: list[Units], job: Job) -> Member:
    """The sequential data set that `conversions` describe; `reader` is in front of its records."""
    _refuse(conversions, entry.name)
    units = conversions[-1]
    recfm = _number(units, RECFM) & UNDEFINED
    name = ".".join(part.decode("cp037") for part in units.get(DSNAME, []))
    if recfm == VARIABLE:
        records = _variable(reader, entry.name)
    elif recfm == FIXED:
        records = _fixed(reader, _number(units, LRECL))
    else:  # undefined: blocks stay as they are, as in a file that was transferred with its BDWs
        records = (r.data for r in data_records(reader))
    return entry.inner("xmit", job.metered(entry, records), name=name, framed=recfm == VARIABLE)


def _refuse(conversions: list[Units], name: str) -> None:
    utilities = {unit.decode("cp037").strip() for units in conversions for unit in units.get(UTILITY, [])}
    recfms = [_number(units, RECFM) for units in conversions]
    if "IEBCOPY" in utilities:
        raise InputError(
            "transmission of a partitioned data set (IEBCOPY)", place=name, remedy="transmit the sequential data set"
        )
    if "AMSCIPHR" in utilities:
        raise InputError("transmission is encrypted (AMSCIPHR)", place=name, remedy="transmit without ENCIPHER")
    if utilities != {"INMCOPY"}:
        found = ", ".join(sorted(utilities)) or "none"
        raise InputError(f"transmission was made by an unknown utility ({found}), expected INMCOPY", place=name)
    if any(recfm & PACKED for recfm in recfms):
        raise InputError(f"transmission is packed or compressed (INMRECFM {recfms[-1]:04X})", place=name)
    if not recfms[-1] & UNDEFINED or (recfms[-1] & UNDEFINED == FIXED and not _number(conversions[-1], LRECL)):
        raise InputError(f"transmission has an unknown record format (INMRECFM {recfms[-1]:04X})", place=name)


def _number(units: Units, key: int) -> int:
    return int.from_bytes(b"".join(units.get(key, [])[:1]))


def data_records(reader: Reader) -> Iterator[Record]:
    """The data records of one file, up to the end or the next INMR03, which is not consumed."""
    while record := reader.record():
        if record.name == "INMR03":
            reader.unread(record)
            return
        if not record.control:
            yield record
        elif record.name not in KNOWN:
            reader.log("package_damaged", record.offset, "unknown control record, not read")


def _variable(reader: Reader, name: str) -> Iterator[bytes]:
    for record in data_records(reader):
        if len(record.data) > LONGEST_RECORD:
            raise too_long(name)
        yield struct.pack(">HH", len(record.data) + 4, 0) + record.data


def _fixed(reader: Reader, lrecl: int) -> Iterator[bytes]:
    """Fixed records: a data record has one or more of them; a remainder is dropped, so that later ones stay aligned."""
    for record in data_records(reader):
        over = len(record.data) % lrecl
        if over:
            reader.log("package_damaged", record.offset, f"block is not a multiple of {lrecl} bytes, rest dropped")
        yield record.data[: len(record.data) - over]
