"""Decompresses gzip, bzip2, xz and zstd in bounded memory; delivers data before damage, logs the rest as an issue."""

import bz2
import lzma
import zlib
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from iosq.parsers.packaging.stream import PIECE_BYTES, ByteStream, Job, Member
from iosq.toolkit.late import pa

GZIP_WBITS, RAW_DEFLATE_WBITS = 31, -15
OUTPUT_BYTES = 1 << 18
# On damage a codec discards the output of that call, so bz2 and xz are called with small pieces.
STEP_BYTES = 1 << 13
# xz -9 needs 65 MiB; only unusual settings or hostile files need more.
XZ_MEMORY_BYTES = 256 << 20

CUT = "ends before its end mark; the data before it was read"
TRAILING = "bytes after its end mark were not read"


Codec: TypeAlias = Any
"""A decompressor of the standard library."""


class DamageError(Exception):
    """A codec found damage; never leaves this package."""


class Decoder(NamedTuple):
    """Decoder of compressed streams: makes a codec of the standard library for each, and feeds it packed bytes."""

    make: Callable[[], Codec]
    feed: Callable[[Codec, bytes], Iterator[bytes]]


def _inflate(codec: Codec, data: bytes) -> Iterator[bytes]:
    """Deflate, raw or with a gzip frame. A failed call is repeated byte by byte, to keep output before the damage."""
    full = False
    # after a full chunk the codec may have more output even if all input is consumed
    while not codec.eof and (data or full):
        before = codec.copy()
        try:
            chunk = codec.decompress(data, OUTPUT_BYTES)
        except zlib.error as error:
            yield from _salvage(before, data)
            raise DamageError from error
        yield chunk
        data, full = codec.unconsumed_tail, len(chunk) == OUTPUT_BYTES


def _salvage(codec: Codec, data: bytes) -> Iterator[bytes]:
    for value in data:
        try:
            chunk = codec.decompress(bytes((value,)))
        except zlib.error:
            return
        yield chunk


def _blocks(codec: Codec, data: bytes) -> Iterator[bytes]:
    """bzip2 or xz."""
    try:
        yield codec.decompress(data, STEP_BYTES)
        while not codec.eof and not codec.needs_input:
            yield codec.decompress(b"", STEP_BYTES)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise DamageError from error


def decode(layer: str, source: ByteStream, decoder: Decoder, job: Job) -> Generator[bytes, None, bool]:
    """Unpack one stream; return True if it was complete. `source` is then behind it, or in front of the damage."""
    codec = decoder.make()
    while not codec.eof:
        piece = source.read(PIECE_BYTES)
        if not piece:
            job.log(layer, "package_truncated", source.position, CUT)
            return False
        try:
            yield from decoder.feed(codec, piece)
        except DamageError as error:
            source.unread(piece)
            at = source.position
            job.log(layer, "package_damaged", at, f"damaged in the {PIECE_BYTES} bytes from here ({error.__cause__})")
            return False
    source.unread(codec.unused_data)
    return True


def _streams(layer: str, source: ByteStream, magic: bytes, decoder: Decoder, job: Job) -> Iterator[bytes]:
    """Unpack concatenated streams, as `cat a.gz b.gz` makes them; zero bytes may pad them."""
    while source.peek(len(magic)) == magic:
        if not (yield from decode(layer, source, decoder, job)):
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


def _open(layer: str, magic: bytes, decoder: Decoder, entry: Member, job: Job) -> Iterator[Member]:
    """Open a file of concatenated compressed streams that start with `magic`."""
    yield entry.inner(layer, job.metered(entry, _streams(layer, entry.stream, magic, decoder, job)))


RAW_DEFLATE = Decoder(partial(zlib.decompressobj, RAW_DEFLATE_WBITS), _inflate)
BZIP2 = Decoder(bz2.BZ2Decompressor, _blocks)
XZ = Decoder(lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES), _blocks)
open_gzip = partial(_open, "gzip", b"\x1f\x8b", Decoder(partial(zlib.decompressobj, GZIP_WBITS), _inflate))
open_bzip2 = partial(_open, "bzip2", b"BZh", BZIP2)
open_xz = partial(_open, "xz", b"\xfd7zXZ\0", XZ)


class _File:
    """Adapts a ByteStream to the file interface that pyarrow needs."""

    closed = False

    def __init__(self, source: ByteStream) -> None:
        self.read = source.read

    def close(self) -> None:
        self.closed = True


def _zstd_chunks(source: ByteStream, job: Job) -> Iterator[bytes]:
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


def open_zstd(entry: Member, job: Job) -> Iterator[Member]:
    """The one stream in a zstd file of one or more frames."""
    yield entry.inner("zstd", job.metered(entry, _zstd_chunks(entry.stream, job)))
