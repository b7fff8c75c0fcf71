"""Large dumps for benchmarks: real layouts, distinct instants and devices, changing numbers, made by patching.

No queueing stands behind the numbers; for meaningful ones see `write`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import numpy as np

from iosq.parsers.smf.encode import RecordSpec
from iosq.parsers.smf.layout import Field, RecordLayout
from iosq.parsers.smf.values import encode
from iosq.toolkit.sample.bulk import Bytes, big_endian, hexadecimal_float
from iosq.toolkit.sample.day import layout_of
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.records.device import COUNTED, FICON, HYPERPAV, ONLINE, PAV, UCB_TYPE_3390
from iosq.toolkit.sample.records.other import DUMP_HEADER, DUMP_TRAILER, plain
from iosq.toolkit.sample.records.patch import filled, section_start

Kind = Literal["74.1", "mixed"]

START = datetime(2025, 1, 1)
INTERVAL_S = 900
# (system, section length, devices in a record): a current and an older release, large and middling records
SHAPES = (("BIG1", 300, 105), ("BIG2", 236, 120), ("BIG3", 300, 60), ("BIG4", 236, 90))
LCUS = 8
# rows of counters in the pool that records draw from, at a different place each
POOL_ROWS = 20_000
BYTES_PER_WRITE = 4 << 20


def _device_fields(layout: RecordLayout) -> dict[str, Field]:
    return {f.name: f for f in layout.section("device_data").fields}


def _pool(layout: RecordLayout, length: int, seed: int) -> Bytes:
    """Device sections with counters and no names, to be cut into records at any row."""
    rng, fields = generator(seed, f"big{length}"), _device_fields(layout)
    data = np.zeros((POOL_ROWS, length), np.uint8)
    started = rng.integers(0, 400_000, POOL_ROWS)
    for name in COUNTED:
        f = fields[f"SMF74{name}"]
        if f.end <= length:
            values = started if name in ("SSC", "MEC") else (started * rng.uniform(0.2, 9, POOL_ROWS)).astype(np.int64)
            coded = hexadecimal_float(values, f.length) if f.format == "float" else big_endian(values, f.length)
            data[:, f.offset : f.end] = coded
    for name, value in (("CNF", ONLINE), ("CNX", FICON | PAV | HYPERPAV), ("NUX", 1100), ("PSM", 900), ("HPC", 32)):
        f = fields[f"SMF74{name}"]
        data[:, f.offset : f.end] = np.frombuffer(encode(f, value), np.uint8)
    return data


def _names(layout: RecordLayout, rows: Bytes, lcu: int, system: int) -> None:
    """Device numbers, volsers and the like, which stay the same from interval to interval."""
    fields = _device_fields(layout)
    for row, place in enumerate(rows):
        device = 0x1000 * (system + 1) + 0x100 * lcu + row
        values = {"NUM": f"{device:04X}", "NM2": f"{device:04X}", "LCU": f"{system:02X}{lcu:02X}"}
        values |= {"SER": f"V{device:05X}", "TYP": UCB_TYPE_3390, "SGN": f"SG{lcu:04d}", "DEV": "33909", "CU": "2107"}
        for name, value in values.items():
            f = fields[f"SMF74{name}"]
            place[f.offset : f.end] = np.frombuffer(encode(f, value), np.uint8)


class _Template:
    """One record whose counters and instants are replaced again and again."""

    def __init__(self, layout: RecordLayout, pool: Bytes, system: int, lcu: int) -> None:
        sid, length, count = SHAPES[system]
        self.pool, self.layout, self.count = pool, layout, count
        header = {"SMF74SID": sid, "SMF74SSI": "RMF", "SMF74TRN": 3, "SMF74DTE": START.date()}
        product = {"SMF74PRD": "RMF", "SMF74INT": float(INTERVAL_S), "SMF74SAM": INTERVAL_S, "SMF74DAT": START.date()}
        product |= {"SMF74CYC": 1000, "SMF74IST": 0, "SMF74SNM": sid, "SMF74XNM": "PLEXBIG", "SMF74GIE": START}
        control = {"SMF74TOT": count, "SMF74SUB": "0020", "SMF74ENF": 0xA0, "SMF74LSN": lcu + 1}
        rows = pool[:count].copy()
        _names(layout, rows, lcu, system)
        spec = RecordSpec(header, product, {"device_control": [control]})
        self.record = np.frombuffer(bytearray(filled(layout, spec, {"device_data": rows})), np.uint8)
        start = section_start(layout, "device_data", self.record.tobytes())
        self.rows = self.record[start : start + rows.size].reshape(rows.shape)
        fields = _device_fields(layout)
        known = [fields[f"SMF74{name}"] for name in COUNTED]
        self.counters = [slice(f.offset, f.end) for f in known if f.end <= length]
        self.product = int.from_bytes(self.record[28:32].tobytes(), "big")

    def at(self, local: datetime, first: int) -> bytes:
        """The record of the interval that starts at `local`, with counters from row `first` of the pool."""
        taken = self.pool[first : first + self.count]
        for place in self.counters:
            self.rows[:, place] = taken[:, place]
        self._stamp(local)
        return self.record.tobytes()

    def _stamp(self, local: datetime) -> None:
        seconds = local.hour * 3600 + local.minute * 60 + local.second
        values = {"SMF74TME": seconds * 100, "SMF74DTE": local.date()}
        inside = {"SMF74IST": seconds, "SMF74DAT": local.date(), "SMF74GIE": local + timedelta(seconds=INTERVAL_S)}
        for fields, base, known in ((self.layout.header, 0, values), (self.layout.product, self.product, inside)):
            for f in fields:
                if f.name in known:
                    at = base + f.offset
                    self.record[at : at + f.length] = np.frombuffer(encode(f, known[f.name]), np.uint8)


def _large(seed: int) -> Iterator[tuple[datetime, str, bytes]]:
    """74.1 records without end: interval by interval, system by system, LCU by LCU."""
    layout = layout_of("74.1")
    pools = {length: _pool(layout, length, seed) for length in {s[1] for s in SHAPES}}
    templates = [_Template(layout, pools[SHAPES[s][1]], s, lcu) for s in range(len(SHAPES)) for lcu in range(LCUS)]
    local, first = START, 0
    while True:
        for template in templates:
            # a step prime to the pool's size, so that counters repeat late
            first = (first + 7919) % (POOL_ROWS - 128)
            sid = template.record[14:18].tobytes().decode("cp037")
            yield local, sid, template.at(local, first)
        local += timedelta(seconds=INTERVAL_S)


def _mixed(seed: int) -> Iterator[tuple[datetime, str, bytes]]:
    """Large records with small ones of other types between them, as in a whole system's dump."""
    rng = generator(seed, "big small")
    bodies = [rng.bytes(int(n)) for n in rng.integers(180, 1500, 64)]
    for number, (local, sid, data) in enumerate(_large(seed)):
        yield local, sid, data
        for i in range(6):
            kind = (30, 2) if i % 2 else (99, 6)
            yield local, sid, plain(kind, local + timedelta(seconds=i), sid, bodies[(number * 7 + i) % 64])


def write(path: str | Path, bytes_target: int, kind: Kind = "74.1", *, seed: int = 1) -> Path:
    """Write a dump of at least `bytes_target` bytes (one record more at most), streaming, RDW kept.

    Args:
        path: the file to write or replace.
        bytes_target: size in bytes.
        kind: `74.1`: nothing but large device records; `mixed`: six small records of other types with each.
        seed: same seed, same bytes.
    """
    records = _mixed(seed) if kind == "mixed" else _large(seed)
    held = bytearray(plain((DUMP_HEADER, None), START, "BIG1", b""))
    written, last = 0, START
    with Path(path).open("wb") as out:
        while written + len(held) < bytes_target:
            last, _, data = next(records)
            held += data
            if len(held) >= BYTES_PER_WRITE:
                written += out.write(held)
                held.clear()
        out.write(held + plain((DUMP_TRAILER, None), last, "BIG1", b""))
    return Path(path)
