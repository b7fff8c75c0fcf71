"""The yardstick: a careful plain-Python decoder of type 74.1, one compiled Struct per section length.

It decodes the same fields as the product into lists of column values (no dictionaries per row, no call per field
where the value needs no conversion), which is how a good script without numpy would do it.
"""

import struct
from collections.abc import Callable
from typing import Any

from iosq.parsers.smf.layout import Field, layouts
from tests.parsers.smf.plain_values import decode

_INTEGERS = {1: "B", 2: "H", 4: "I", 8: "Q"}


def _code(field: Field) -> str:
    if field.format in ("binary", "bitflags") and field.length in _INTEGERS:
        return _INTEGERS[field.length]
    return f"{field.length}s"


def _hfp(data: bytes) -> float:
    if not any(data):
        return 0.0
    bits = 8 * len(data) - 8
    word = int.from_bytes(data, "big")
    value = (word & ((1 << bits) - 1)) * 16.0 ** ((data[0] & 127) - 64) / (1 << bits)
    return -value if data[0] & 128 else value


def _convert(field: Field) -> Callable[[Any], Any] | None:
    if field.format in ("binary", "bitflags") and field.length in _INTEGERS:
        return None
    known: dict[str, Callable[[Any], Any]] = {
        "float": _hfp,
        "ebcdic": lambda data: data.decode("cp037").rstrip(" \0"),
        "hex": lambda data: data.hex().upper(),
    }
    return known.get(field.format, lambda data: decode(field, data))


class Loop:
    """Decoder of the device sections of one section length."""

    def __init__(self, length: int) -> None:
        fields = layouts()[74, 1].section("device_data").fields
        usable = sorted((f for f in fields if f.end <= length), key=lambda f: (f.offset, -f.length))
        # overlays can't stand in one Struct: the second pass takes what the first one stepped over
        self.passes, rest = [], usable
        while rest:
            taken, rest = self._pass(rest, length)
            self.passes.append(taken)
        self.columns: dict[str, list[Any]] = {f.name: [] for f in usable}

    @staticmethod
    def _pass(fields: list[Field], length: int) -> tuple[Any, list[Field]]:
        at, codes, taken, rest = 0, ">", [], []
        for f in fields:
            if f.offset < at:
                rest.append(f)
            else:
                codes += f"{f.offset - at}x{_code(f)}"
                at = f.end
                taken.append((f.name, _convert(f)))
        return (struct.Struct(f"{codes}{length - at}x"), taken), rest

    def decode(self, data: bytes) -> None:
        """Append the rows of consecutive sections."""
        for layout, taken in self.passes:
            for (name, convert), values in zip(taken, zip(*layout.iter_unpack(data), strict=True), strict=True):
                self.columns[name].extend(values if convert is None else map(convert, values))


def decode_file(data: bytes) -> int:
    """Walk the RDWs and decode every 74.1 device section; the number of rows."""
    loops: dict[int, Loop] = {}
    common: list[tuple[bytes, bytes, bytes, bytes]] = []
    at, rows = 0, 0
    while at < len(data):
        length = struct.unpack_from(">H", data, at)[0]
        if data[at + 5] == 74 and data[at + 22 : at + 24] == b"\0\1":
            offset, size, count = struct.unpack_from(">IHH", data, at + 44)
            product = at + struct.unpack_from(">I", data, at + 28)[0]
            key = (data[at + 14 : at + 18], data[product + 10 : product + 14], data[product + 14 : product + 18], b"")
            common.extend([key] * count)
            if size not in loops:
                loops[size] = Loop(size)
            loops[size].decode(data[at + offset : at + offset + size * count])
            rows += count
        at += length
    return rows
