"""Reads ZIP archives from front to back as a sequence of streams.

It follows the local headers, not the directory at the end: a truncated archive yields its remaining members, and an
archive inside another package needs no temporary file. Source: APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 to 4.5.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from iosq.parsers.packaging.compressed import BZIP2, CUT, RAW_DEFLATE, XZ, decode
from iosq.parsers.packaging.stream import PIECE_BYTES, ByteStream, Job, Member
from iosq.toolkit.errors import InputError

LOCAL, CENTRAL, END, END64 = b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6"
EXTRA_DATA = b"PK\6\x08"
DESCRIPTOR = b"PK\7\x08"
HEADER = struct.Struct("<4s5H3I2H")
ENCRYPTED, DESCRIBED, UTF8 = 1, 8, 1 << 11
ZIP64_EXTRA, ZIP64_SIZE = 1, 0xFFFFFFFF
STORED, AES = 0, 99
DECODERS = {8: RAW_DEFLATE, 12: BZIP2, 95: XZ}  # by compression method


@dataclass(frozen=True, slots=True)
class Header:
    """A local file header. If `described`, sizes and CRC are mostly 0 here and follow the data."""

    name: str
    method: int
    encrypted: bool
    described: bool
    zip64: bool
    crc: int
    packed_bytes: int
    unpacked_bytes: int
    header_bytes: int

    @property
    def bounded(self) -> bool:
        """True if the header determines the end of the data."""
        return not self.described or self.packed_bytes > 0

    def objection(self) -> str:
        """Why this member can't be read; empty if it can."""
        if self.encrypted or self.method == AES:
            return "is encrypted; unpack it with its password first"
        if self.method not in (STORED, *DECODERS):
            return f"is compressed with ZIP method {self.method}; use deflate"
        if self.method == STORED and not self.bounded:
            return "is stored without its length; unpack it first"
        return ""


def peek_header(source: ByteStream) -> Header | None:
    """The local header at the position of `source`; None if truncated."""
    head = source.peek(HEADER.size)
    if len(head) < HEADER.size:
        return None
    _, _, flags, method, _, _, crc, packed, unpacked, name_bytes, extra_bytes = HEADER.unpack(head)
    size = HEADER.size + name_bytes + extra_bytes
    head = source.peek(size)
    if len(head) < size:
        return None
    name = head[HEADER.size :][:name_bytes].decode("utf-8" if flags & UTF8 else "cp437", "replace")
    wide = _zip64_sizes(head[HEADER.size + name_bytes :])
    if wide and ZIP64_SIZE in (packed, unpacked):
        unpacked, packed = wide
    encrypted, described = bool(flags & ENCRYPTED), bool(flags & DESCRIBED)
    return Header(name, method, encrypted, described, wide is not None, crc, packed, unpacked, size)


def _zip64_sizes(extra: bytes) -> tuple[int, int] | None:
    while len(extra) >= 20:
        key, size = struct.unpack_from("<2H", extra)
        if key == ZIP64_EXTRA and size >= 16:
            unpacked, packed = struct.unpack_from("<2Q", extra, 4)
            return unpacked, packed
        extra = extra[4 + size :]
    return None


class _ZipMember:
    """One member of the archive `source`, positioned behind its header."""

    def __init__(self, header: Header, source: ByteStream, job: Job) -> None:
        self._header, self._source, self._job = header, source, job
        self._left_bytes = header.packed_bytes
        self._crc = self._size = 0
        self._whole = False  # the data is complete

    def chunks(self) -> Iterator[bytes]:
        """The unpacked bytes; checks what follows the member before it ends, so that issues are complete."""
        start = self._source.position
        packed = ByteStream(self._fill) if self._header.bounded else self._source
        for chunk in self._unpacked(packed):
            self._crc = zlib.crc32(chunk, self._crc)
            self._size += len(chunk)
            yield chunk
        if self._header.bounded:
            rest = packed.skip(self._header.packed_bytes)
            if self._whole and rest:
                self._job.log("zip", "package_damaged", start, "compressed data ends before the member does")
        self._close(start, check=self._whole)

    def skip_member(self) -> None:
        if self._header.bounded:
            self._source.skip(self._left_bytes)
            self._close(self._source.position, check=False)
        else:
            _seek_signature(self._source)
            next_member(self._source, self._job)

    def _fill(self, view: memoryview) -> int:
        got = self._source.readinto(view[: self._left_bytes])
        self._left_bytes -= got
        return got

    def _unpacked(self, packed: ByteStream) -> Iterator[bytes]:
        if self._header.method != STORED:
            self._whole = yield from decode("zip", packed, DECODERS[self._header.method], self._job)
            return
        while chunk := packed.read(PIECE_BYTES):
            yield chunk
        self._whole = not self._left_bytes
        if not self._whole:
            self._job.log("zip", "package_truncated", self._source.position, CUT)

    def _close(self, start: int, *, check: bool) -> None:
        crc, size = self._header.crc, self._header.unpacked_bytes
        if self._header.described:
            crc, size = self._read_descriptor()
        if check and (crc, size) != (self._crc, self._size):
            self._job.log("zip", "package_damaged", start, "length or CRC of a member differs: bytes in it are wrong")
        next_member(self._source, self._job)

    def _read_descriptor(self) -> tuple[int, int]:
        if self._source.peek(4) == DESCRIPTOR:
            self._source.skip(4)
        layout = struct.Struct("<I2Q" if self._header.zip64 else "<3I")
        data = self._source.peek(layout.size)
        if len(data) < layout.size:
            return -1, -1
        self._source.skip(layout.size)
        crc, _, size = layout.unpack(data)
        return crc, size


def next_member(source: ByteStream, job: Job) -> None:
    """Move `source` from the end of a member to the next local header, or to its end after the last member."""
    start, mark = source.position, source.peek(4)
    if mark == LOCAL and peek_header(source):
        return
    if mark in (CENTRAL, END, END64, EXTRA_DATA):
        source.drain()
    elif mark == LOCAL or len(mark) < 4:
        job.log("zip", "package_truncated", start, "ends before its directory; later members may be lost")
        source.drain()
    else:
        job.log("zip", "package_damaged", start, "a member header is missing; the next one was searched")
        _seek_signature(source)
        next_member(source, job)


def _seek_signature(source: ByteStream) -> None:
    """Skip to the next local header or directory, or to the end."""
    while window := source.peek(PIECE_BYTES):
        found = [at for mark in (LOCAL, CENTRAL, END) if (at := window.find(mark)) >= 0]
        if found:
            source.skip(min(found))
            return
        source.skip(max(len(window) - 3, 1))


def open_zip(entry: Member, job: Job) -> Iterator[Member]:
    """Each file of an archive, in order; reading one that is encrypted or otherwise unreadable raises InputError.

    Raises:
        InputError: the archive has no file.
    """
    source, found = entry.stream, False
    while source.peek(4) == LOCAL and (header := peek_header(source)):
        source.skip(header.header_bytes)
        member = _ZipMember(header, source, job)
        objection, folder = header.objection(), header.name.endswith("/")
        if found:
            job.issues = []
        stream = source if objection else job.metered(entry, member.chunks())
        inner = entry.inner("zip", stream, name=header.name)
        if objection:
            inner = inner.failed(InputError(objection, place=inner.name))
        # damage may make a file's name look like a folder's, so the content decides
        if not folder or (not objection and stream.peek(1)):
            found = True
            yield inner
        if objection:
            member.skip_member()
        else:
            stream.drain()
    if not found:
        raise InputError("archive has no readable file (empty, truncated or damaged)", place=entry.name)
