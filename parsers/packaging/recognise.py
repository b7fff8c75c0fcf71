"""Detects the packaging of a stream from its first bytes, never from its name."""

from iosq.parsers.packaging.archive import open_zip
from iosq.parsers.packaging.compressed import open_bzip2, open_gzip, open_xz, open_zstd
from iosq.parsers.packaging.stream import Opener
from iosq.parsers.packaging.terse import DECODERS, MVS_FLAG, decodes, open_terse, parse_header
from iosq.parsers.packaging.wide import encoding, open_utf16
from iosq.parsers.packaging.xmit import CONTROL, FIRST, INMR01, open_xmit
from iosq.toolkit.errors import InputError

HEAD_BYTES = 1 << 16
"""Number of bytes used for detection."""

MAGIC: tuple[tuple[bytes, Opener], ...] = (
    (b"\x1f\x8b\x08", open_gzip),
    (b"PK\3\4", open_zip),
    (b"PK\5\6", open_zip),
    (b"\xfd7zXZ\0", open_xz),
    (b"\x28\xb5\x2f\xfd", open_zstd),
)
BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")

UNPACK_FIRST = "unpack it first"
REFUSED: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"PK\7\x08", "is part of a split ZIP archive", "join and unpack it first"),
    (0, b"7z\xbc\xaf\x27\x1c", "is a 7z archive", UNPACK_FIRST),
    (0, b"Rar!\x1a\7", "is a RAR archive", UNPACK_FIRST),
    (0, b"\x1f\x9d", "is packed with Unix compress", UNPACK_FIRST),
    (257, b"ustar", "is a tar archive", UNPACK_FIRST),
    (1, b"\x89\x69\xa5", "is a TERSE file in workstation format", "pack it with AMATERSE on z/OS"),
)
"""Known packagings that are not supported: offset, bytes, kind, remedy."""


def recognise(head: bytes, name: str) -> Opener | None:
    """The opener for the layer that starts with `head`; None if it is not packed.

    Raises:
        InputError: the layer is not supported.
    """
    for magic, opener in MAGIC:
        if head.startswith(magic):
            return opener
    if head[:3] == b"BZh" and head[4:10] in BZIP2_BLOCKS:
        return open_bzip2
    if head[2:8] == INMR01 and head[1] & (FIRST | CONTROL) == FIRST | CONTROL:
        return open_xmit
    if encoding(head):
        return open_utf16
    _refuse(head, name)
    return open_terse if is_terse(head, name) else None


def _refuse(head: bytes, name: str) -> None:
    for offset, magic, what, remedy in REFUSED:
        if head[offset:].startswith(magic):
            raise InputError(what, place=name, remedy=remedy)
    if head[2:8] == b"INMR01":
        raise InputError("TRANSMIT file was sent in text mode", place=name, remedy="send it again in binary mode")


def is_terse(head: bytes, name: str) -> bool:
    """True if `head` is a valid TERSE header whose first codes can be decoded.

    Raises:
        InputError: the header is valid except for an unsupported version byte.
    """
    header = parse_header(head)
    if header is None or not 1 <= header.version <= 8:
        return False
    if header.version in DECODERS:
        return decodes(head)
    if not head[4] & MVS_FLAG:
        return False
    what = "a partitioned data set" if header.version == 7 else "an unknown kind"
    raise InputError(
        f"is a TERSE file of {what} (version byte {header.version:02X}; iosq reads 02 and 05)",
        place=name,
        remedy="terse the sequential data set itself",
    )
