"""gzip, bzip2, xz and zstd as streams: bounded memory, what precedes damage is delivered, the rest is an issue."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Generator, Iterator
from typing import Any, Protocol

from iosq.parsers.packaging.stream import PIECE_BYTES, ByteStream, Entry, Job

GZIP_WBITS, RAW_DEFLATE_WBITS = 31, -15
OUTPUT_BYTES = 1 << 18
# A codec that finds damage throws away the output of the call in which it does, so bz2 and xz get small calls.
STEP_BYTES = 1 << 13
# xz -9 needs 65 MiB; only unusual settings or hostile files need more.
XZ_MEMORY_BYTES = 256 << 20

CUT = "ends before its end mark; what came before was read"
TRAILING = "bytes behind its end mark were not read"


class DamageError(Exception):
    """A codec found damage; never leaves this package."""


class Decoder(Protocol):
    """One compressed stream: feed it packed bytes until `eof`; `unused` holds the surplus bytes."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused(self) -> bytes: ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...


class Inflater:
    """Deflate with a gzip frame or raw. Damage loses nothing before it: the failed call is repeated bytewise."""

    def __init__(self, wbits: int) -> None:
        self._codec = zlib.decompressobj(wbits)

    @property
    def eof(self) -> bool:
        return self._codec.eof

    @property
    def unused(self) -> bytes:
        return self._codec.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        full = False
        # a full chunk may leave output inside the codec although all input is taken
        while not self.eof and (data or full):
            before = self._codec.copy()
            try:
                chunk = self._codec.decompress(data, OUTPUT_BYTES)
            except zlib.error as error:
                yield from _salvage(before, data)
                raise DamageError from error
            yield chunk
            data, full = self._codec.unconsumed_tail, len(chunk) == OUTPUT_BYTES


def _salvage(codec: Any, data: bytes) -> Iterator[bytes]:
    for value in data:
        try:
            chunk = codec.decompress(bytes((value,)))
        except zlib.error:
            return
        yield chunk


class BlockDecoder:
    """bzip2 or xz."""

    def __init__(self, codec: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._codec = codec

    @property
    def eof(self) -> bool:
        return self._codec.eof

    @property
    def unused(self) -> bytes:
        return self._codec.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield self._codec.decompress(data, STEP_BYTES)
            while not self._codec.eof and not self._codec.needs_input:
                yield self._codec.decompress(b"", STEP_BYTES)
        except (OSError, ValueError, lzma.LZMAError) as error:
            raise DamageError from error


def decode(layer: str, source: ByteStream, decoder: Decoder, job: Job) -> Generator[bytes, None, bool]:
    """Unpack one stream; returns whether it was complete. `source` is then behind it, or before the damage."""
    while not decoder.eof:
        piece = source.read(PIECE_BYTES)
        if not piece:
            job.log(layer, "package_truncated", source.position, CUT)
            return False
        try:
            yield from decoder.feed(piece)
        except DamageError as error:
            source.unread(piece)
            at = source.position
            job.log(layer, "package_damaged", at, f"damaged in the {PIECE_BYTES} bytes from here ({error.__cause__})")
            return False
    source.unread(decoder.unused)
    return True


def _streams(
    layer: str, source: ByteStream, magic: bytes, make: Callable[[], Decoder], job: Job
) -> Generator[bytes, None, None]:
    """Unpack streams that follow each other, as `cat a.gz b.gz` makes them; zero bytes may pad them."""
    while source.peek(len(magic)) == magic:
        if not (yield from decode(layer, source, make(), job)):
            break
        _skip_zeros(source)
    else:
        if source.peek(1):
            job.log(layer, "package_trailing", source.position, TRAILING)
    source.drain()


def _skip_zeros(source: ByteStream) -> None:
    while (piece := source.peek(PIECE_BYTES)) and not piece.strip(b"\0"):
        source.skip(len(piece))
    source.skip(len(piece) - len(piece.lstrip(b"\0")))


def open_gzip(entry: Entry, job: Job) -> Iterator[Entry]:
    """The one stream in a gzip file of one or more members."""
    chunks = _streams("gzip", entry.stream, b"\x1f\x8b", lambda: Inflater(GZIP_WBITS), job)
    yield entry.inner("gzip", job.metered(entry, chunks))


def open_bzip2(entry: Entry, job: Job) -> Iterator[Entry]:
    """The one stream in a bzip2 file of one or more streams."""
    chunks = _streams("bzip2", entry.stream, b"BZh", lambda: BlockDecoder(bz2.BZ2Decompressor()), job)
    yield entry.inner("bzip2", job.metered(entry, chunks))


def open_xz(entry: Entry, job: Job) -> Iterator[Entry]:
    """The one stream in an xz file of one or more streams."""

    def decoder() -> BlockDecoder:
        return BlockDecoder(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES))

    chunks = _streams("xz", entry.stream, b"\xfd7zXZ\0", decoder, job)
    yield entry.inner("xz", job.metered(entry, chunks))


class _File:
    """The file interface that pyarrow needs."""

    closed = False

    def __init__(self, source: ByteStream) -> None:
        self.read = source.read

    def close(self) -> None:
        self.closed = True


def _zstd_chunks(source: ByteStream, job: Job) -> Iterator[bytes]:
    import pyarrow as pa

    stream = pa.CompressedInputStream(pa.PythonFile(_File(source), mode="r"), "zstd")
    try:
        # after an error `read` keeps a reference to its buffer
        while chunk := stream.read_buffer(STEP_BYTES).to_pybytes():
            yield chunk
    except (OSError, pa.ArrowException) as error:
        cut = "Truncated" in str(error)
        text = CUT if cut else f"damaged in the {PIECE_BYTES} bytes before here ({error})"
        job.log("zstd", "package_truncated" if cut else "package_damaged", source.position, text)
    source.drain()


def open_zstd(entry: Entry, job: Job) -> Iterator[Entry]:
    """The one stream in a zstd file of one or more frames."""
    yield entry.inner("zstd", job.metered(entry, _zstd_chunks(entry.stream, job)))
