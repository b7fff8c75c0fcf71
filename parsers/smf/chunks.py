"""RDW framing: splits a byte stream into chunks of whole records, checks every header, resynchronises after damage.

A chunk's buffer is reused: decode it before asking for the next one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.api import Balance, Issue
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.header import FIRST, HEADER_BYTES, MIDDLE, STRETCH, dates_good, find_header, plausible, words
from iosq.parsers.smf.layout import MINIMUM_RECORD
from iosq.parsers.smf.rows import Ints, Mask
from iosq.parsers.smf.sources import Plain

CHUNK = 32 << 20
# rows are gathered as fixed-width windows, so the buffer must extend by the widest section beyond its last byte
SLACK = 1 << 10
LARGEST = 0xFFFF
# an RDW and one byte: the minimum of a segment
SHORTEST = 5
_LENGTH = Struct(">H").unpack_from


@dataclass(slots=True)
class Chunk:
    """Segments or records in a buffer: start, size, segment code, input offset, and whether the date is good.

    `taken` are the input bytes of each, with those of all its segments; `number` counts the records of the input.
    """

    buffer: NDArray[np.uint8]
    start: Ints
    size: Ints
    segment: Ints
    offset: Ints
    dated: Mask
    taken: Ints
    number: Ints
    issues: list[Issue] = field(default_factory=list)

    def at(self, rows: slice | Mask) -> "Chunk":
        """The records at these indices, without the issues."""
        start, size, segment, offset = (a[rows] for a in (self.start, self.size, self.segment, self.offset))
        return Chunk(self.buffer, start, size, segment, offset, self.dated[rows], self.taken[rows], self.number[rows])


def chain(data: memoryview, at: int, end: int, until: int) -> tuple[list[int], int]:
    """Follow RDW lengths from `at` to `until` while they stay inside `end`; return the starts and where it stopped."""
    starts: list[int] = []
    append, length_at = starts.append, _LENGTH
    limit = min(end - 4, until - 1)
    while at <= limit:
        length = length_at(data, at)[0]
        following = at + length
        if length < SHORTEST or following > end:
            break
        append(at)
        at = following
    return starts, at


def _keep_pages() -> None:
    """Make the C library keep the pages of freed arrays instead of returning and requesting them for each chunk.

    After one block of at most 32 MiB was freed, glibc takes blocks up to that size from its heap and returns only
    what is free beyond twice that size. The block is never touched, so it costs no memory.
    """
    np.empty((32 << 20) - (1 << 16), np.uint8)


class Framer:
    """Splits `source` into chunks. Lost bytes are counted in `balance`, damage becomes issues of the next chunk."""

    def __init__(self, source: Plain, balance: Balance, chunk: int = CHUNK) -> None:
        self.source, self.balance = source, balance
        _keep_pages()
        # two of the longest records always fit, so every round makes progress
        self.limit = max(chunk, 2 * LARGEST)
        self.store = bytearray(self.limit + LARGEST + SLACK)
        self.data = memoryview(self.store)
        self.array = np.frombuffer(self.store, np.uint8)
        self.base = 0  # stream offset of buffer position 0
        self.end = 0  # bytes in the buffer
        self.final = False
        self.truncated = False  # true if the input ends inside a record
        self.issues: list[Issue] = []

    def __iter__(self) -> Iterator[Chunk]:
        """Yield chunks to the end of the input; the last one may have only issues."""
        at = 0
        while not (self.final and at >= self.end):
            self._fill(at)
            starts, at = self._walk()
            if self.final and at >= self.end and self.source.missing and not self.truncated:
                # an incomplete block that ends between two records
                self._lose(self.end, self.end, "truncated", {"found": 0, "expected": self.source.missing})
            yield self._chunk(np.array(starts, np.int64))

    def _fill(self, consumed: int) -> None:
        left = self.end - consumed
        self.data[:left] = bytes(self.data[consumed : self.end])
        self.base, self.end = self.base + consumed, left
        self.source.forget(self.base)
        while self.end < self.limit and not self.final:
            got = self.source.readinto(self.data[self.end : self.limit + LARGEST])
            self.final = got == 0
            self.end += got
        self.store[self.end : self.end + SLACK] = bytes(SLACK)

    def _walk(self) -> tuple[list[int], int]:
        """Record starts up to the first place that needs more bytes, skipping damage; and that place."""
        starts: list[int] = []
        at, step, resumed = 0, max(self.end, 1), -1
        while True:
            until = at + step
            found, stop = chain(self.data, at, self.end, until)
            found, at, broken = self._checked(found, stop)
            starts += found
            if broken or self._stuck(at):
                # never resume twice at one place: its apparent header was found unsound
                begin = max(starts[-1] + 4 if starts else at + 1, resumed + 1)
                restart = self._resynchronise(starts, at, begin)
                if restart is None:
                    return starts, self._keep(at)
                # damage clusters: walking far ahead gains nothing
                at, step, resumed = restart, STRETCH, restart
            elif at < until:
                return self._hold_back(starts, at, resumed)
            else:
                step *= 2

    def _keep(self, at: int) -> int:
        """Start of the next chunk if damage reaches the end of the buffer: its tail may be the start of a header."""
        return self.end if self.final else max(at, self.end - HEADER_BYTES + 1)

    def _hold_back(self, starts: list[int], at: int, resumed: int) -> tuple[list[int], int]:
        # the last record stays for the next chunk, as only the bytes after it confirm its length;
        # not if it is before skipped damage, which would be counted a second time
        if self.final or not starts or starts == [0] or starts[-1] < resumed:
            return starts, at
        return starts[:-1], starts[-1]

    def _stuck(self, at: int) -> bool:
        """True if no record can start at `at`, whatever bytes follow."""
        left = self.end - at
        if self.final:
            return left > 0
        return left >= 4 and int(_LENGTH(self.data, at)[0]) < SHORTEST

    def _checked(self, starts: list[int], stop: int) -> tuple[list[int], int, bool]:
        """The starts before the first invalid header, the resume position, and whether there is one."""
        if not starts:
            return starts, stop, False
        sound = self._sound(np.array([*starts, stop], np.int64))
        if sound.all():
            return starts, stop, False
        first = int(np.argmin(sound))
        return starts[:first], starts[first], True

    def _sound(self, at: Ints) -> Mask:
        """Mask of places where a record can start; the last place is the one behind the last record."""
        rdw = words(self.array, 0, at)
        segment, zero = (rdw >> 8) & 255, rdw & 255
        headed = segment <= FIRST
        shaped = (zero == 0) & (segment <= MIDDLE) & (~headed | ((rdw >> 16) >= MINIMUM_RECORD))
        dated = ~headed | dates_good(self.array, at)
        good = shaped & dated
        # a header that is not complete yet is no evidence against the record before it
        good[-1] |= self.end - at[-1] < HEADER_BYTES and not (self.final and at[-1] < self.end)
        # if a sound header follows, a bad date damages only the record, not the framing
        return np.asarray(shaped[:-1] & (dated[:-1] | good[1:]), bool)

    def _resynchronise(self, starts: list[int], at: int, begin: int) -> int | None:
        """Skip damage at `at`; return the next record's start, or None if the buffer has none."""
        if self.final and not any(self.data[at : self.end]):
            self._lose(at, self.end, "trailing_zeros", {"found": self.end - at})
            return None
        found = find_header(self.data[: self.end], begin, self.end, self.final)
        if starts and found is not None and found < at:
            at = starts.pop()  # its stated length was too long and covered the start of the record just found
        length = int(_LENGTH(self.data, at)[0]) if self.end - at >= 2 else 0
        if found is None and self.final and self._cut_short(at, length):
            self._lose(at, self.end, "truncated", {"found": self.end - at, "expected": max(length, MINIMUM_RECORD)})
            self.truncated = True
            return None
        code = "bad_length" if length < MINIMUM_RECORD or at + length > self.end else "lost_framing"
        until = self._keep(at) if found is None else found
        self._lose(at, until, code if found is None or found >= at + length else "bad_length", {"found": length})
        return found

    def _cut_short(self, at: int, length: int) -> bool:
        left = self.end - at
        header = bytes(self.data[at : at + HEADER_BYTES])
        segment = header[2] if left > 2 else 0
        return left < MINIMUM_RECORD or (at + length > self.end and (plausible(header) or segment > FIRST))

    def _lose(self, at: int, until: int, code: str, facts: dict[str, object]) -> None:
        if until > at or code == "truncated":
            offset = self.source.origin(np.array([self.base + at], np.int64))[0]
            self.issues.append(issue(code, int(offset), **facts))  # type: ignore[arg-type]
            self.balance.lost_bytes += until - at

    def _chunk(self, at: Ints) -> Chunk:
        rdw = words(self.array, 0, at)
        segment = (rdw >> 8) & 255
        dated = (segment > FIRST) | dates_good(self.array, at)
        issues, self.issues = self.issues, []
        offset, size = self.source.origin(self.base + at), rdw >> 16
        return Chunk(self.array, at, size, segment, offset, dated, size, np.zeros_like(at), issues)
