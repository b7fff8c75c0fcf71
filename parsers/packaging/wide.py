"""Converts UTF-16 to UTF-8, as listings saved on Windows (redirected by PowerShell, say) have two bytes a character."""

import codecs
import re
from collections.abc import Iterator

from iosq.parsers.packaging.compressed import CUT
from iosq.parsers.packaging.stream import PIECE_BYTES, ByteStream, Job, Member

_LAYER = "utf-16"
_MARKED = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PLAIN = (  # without a byte order mark: ASCII in every second byte
    (re.compile(rb"(?:[\t-\r -~]\0){32}"), "utf-16-le"),
    (re.compile(rb"(?:\0[\t-\r -~]){32}"), "utf-16-be"),
)


def encoding(head: bytes) -> str:
    """The UTF-16 encoding of the bytes; '' if they are not UTF-16."""
    if head.startswith(_MARKED):
        return _LAYER
    return next((name for form, name in _PLAIN if form.match(head)), "")


def open_utf16(entry: Member, job: Job) -> Iterator[Member]:
    """The text in UTF-8, without a byte order mark."""
    yield entry.inner(_LAYER, job.metered(entry, _narrow(entry.stream, job)))


def _narrow(source: ByteStream, job: Job) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding(source.peek(64)))("replace")
    while piece := source.read(PIECE_BYTES):
        yield decoder.decode(piece).encode()
    if decoder.getstate()[0]:
        job.log(_LAYER, "package_truncated", source.position, CUT)
