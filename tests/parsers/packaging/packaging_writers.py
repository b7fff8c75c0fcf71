"""Writers for packages that no tool here can make: TERSE without a dictionary, XMIT, and ways to wrap anything."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from collections.abc import Callable, Iterable, Sequence

import pyarrow as pa

MARK = 257


def pack_codes(codes: Sequence[int]) -> bytes:
    """12-bit codes, high bits first; half a byte of padding if their number is odd."""
    padded = [*codes, 0] if len(codes) % 2 else codes
    pairs = zip(padded[::2], padded[1::2], strict=True)
    data = b"".join((high << 12 | low).to_bytes(3) for high, low in pairs)
    return data[:-1] if len(codes) % 2 else data


def terse_file(codes: Sequence[int], *, version: int = 2, variable: bool = True, lrecl: int = 0x7FF4) -> bytes:
    """A TERSE file of these codes and the end code, padded to physical records."""
    data = struct.pack(">BBHBBHI", version, variable, lrecl, 0x0C, 0, 27998, 0) + pack_codes([*codes, 0])
    return data + bytes(-len(data) % 1024)


def record_codes(records: Iterable[bytes]) -> list[int]:
    """Literals with marks between the records."""
    codes: list[int] = []
    for record in records:
        codes += [MARK, *(byte + 1 for byte in record)]
    return codes[1:]


def text_unit(key: int, *values: bytes) -> bytes:
    return struct.pack(">HH", key, len(values)) + b"".join(struct.pack(">H", len(v)) + v for v in values)


def segments(data: bytes, *, control: bool = False, longest: int = 253) -> bytes:
    """One record in as many segments as it needs."""
    parts = [data[at : at + longest] for at in range(0, len(data), longest)] or [b""]
    out = b""
    for number, part in enumerate(parts):
        flags = 0x80 * (number == 0) | 0x40 * (number == len(parts) - 1) | 0x20 * control
        out += bytes((len(part) + 2, flags)) + part
    return out


def control_record(name: str, *units: bytes, prefix: bytes = b"", longest: int = 253) -> bytes:
    return segments(name.encode("cp037") + prefix + b"".join(units), control=True, longest=longest)


def file_description(number: int, utility: str, recfm: int, lrecl: int, *units: bytes) -> bytes:
    return control_record(
        "INMR02",
        text_unit(0x1028, utility.encode("cp037")),
        text_unit(0x0049, recfm.to_bytes(2)),
        text_unit(0x0042, lrecl.to_bytes(4)),
        text_unit(0x0030, (3120).to_bytes(2)),
        text_unit(0x1026),
        *units,
        prefix=number.to_bytes(4),
        longest=40,
    )


def xmit_file(
    records: Iterable[bytes],
    *,
    recfm: int = 0x5802,
    lrecl: int = 32760,
    utility: str = "INMCOPY",
    units: Sequence[bytes] = (text_unit(2, b"\xe4\xe2\xc5\xd9", b"\xc4\xe4\xd4\xd7"),),
    message: Sequence[bytes] = (),
) -> bytes:
    """A transmission of one sequential data set USER.DUMP, after a message if there is one."""
    number = 2 if message else 1
    parts = [control_record("INMR01", text_unit(0x1001, b"\xc1"), text_unit(0x102F, bytes((number,))))]
    if message:
        parts.append(file_description(1, "INMCOPY", 0x5000, 251, text_unit(0x0028)))
    parts.append(file_description(number, utility, recfm, lrecl, *units))
    if message:
        parts += [control_record("INMR03"), *map(segments, message)]
    parts += [control_record("INMR03"), *map(segments, records), control_record("INMR06")]
    data = b"".join(parts)
    return data + b"\x40" * (-len(data) % 80)


def zip_file(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, *, seekable: bool = True) -> bytes:
    """An archive; without `seekable` its sizes stand behind the data, as in a piped one."""
    buffer = io.BytesIO()
    if not seekable:
        buffer.seek = _no_seek  # type: ignore[method-assign]
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def _no_seek(*_args: object) -> int:
    raise OSError("a pipe")


class _Kept(io.BytesIO):
    """Remembers its content when pyarrow closes it."""

    kept = b""

    def close(self) -> None:
        self.kept = self.kept or self.getvalue()
        super().close()


def zstd_file(data: bytes) -> bytes:
    sink = _Kept()
    with pa.CompressedOutputStream(pa.PythonFile(sink, mode="w"), "zstd") as stream:
        stream.write(data)
    return sink.kept


def gzip_file(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def rdw_stream(records: Iterable[bytes]) -> bytes:
    return b"".join(struct.pack(">HH", len(record) + 4, 0) + record for record in records)


def bytewise(data: bytes) -> list[bytes]:
    """`data` as blocks of a fixed data set with records of one byte."""
    return [data[at : at + 3120] for at in range(0, len(data), 3120)]


WRAPPERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip_file,
    "zip": lambda data: zip_file({"inside": data}),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd_file,
    "terse": lambda data: terse_file([byte + 1 for byte in data], variable=False, lrecl=1),
    "xmit": lambda data: xmit_file(bytewise(data), recfm=0x9000, lrecl=1),
}
"""Wraps any bytes so that exactly these bytes come out."""
