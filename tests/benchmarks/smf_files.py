"""Dumps to measure with, written to a folder: mostly 74.1 at two release levels, or mostly other types."""

import random
import struct
from datetime import date
from pathlib import Path

from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.parsers.smf.layout import layouts

DAY = date(2026, 3, 4)
RECORDS, DEVICES = 40, 80
COUNTERS = ("SSC", "MEC", "CNN", "PEN", "ATV", "DIS", "QUE", "DVB", "CMR")


def _device(draw: random.Random, record: int, number: int) -> dict[str, object]:
    row: dict[str, object] = {
        "SMF74NUM": f"{record * DEVICES + number:04X}",
        "SMF74LCU": f"{record:04X}",
        "SMF74SER": f"V{record:02d}{number:03d}",
        "SMF74CNF": 1,
        "SMF74CNX": 0x21,
        "SMF74DEV": "33909",
        "SMF74CU": "2107",
        "SMF74SGN": f"SG{record % 5}",
        "SMF74TYP": "3010200F",
        "SMF74IOS": draw.randrange(1, 1 << 20),
    }
    row |= {f"SMF74{c}": draw.randrange(1, 1 << 24) if draw.random() < 0.7 else 0 for c in COUNTERS}
    if record % 4 == 0:  # one control unit in four does synchronous I/O
        row |= {"SMF74SQR": float(draw.randrange(1000)), "SMF74SPR": float(draw.randrange(100_000))}
    return row


def _device_record(draw: random.Random, number: int) -> bytes:
    spec = RecordSpec(
        header={"SMF74SID": "SYSA", "SMF74DTE": DAY, "SMF74TME": 100 + number},
        product={"SMF74DAT": DAY, "SMF74IST": 3600, "SMF74INT": 900.0, "SMF74SAM": 900, "SMF74LGO": 3_600_000_000},
        sections={
            "device_control": [{"SMF74SUB": "0220"}],
            "device_data": [_device(draw, number, i) for i in range(DEVICES)],
        },
        lengths={"device_data": 300 if number % 2 else 236},
    )
    return encode_record(layouts()[74, 1], spec)


def _other_record(draw: random.Random, number: int) -> bytes:
    size = draw.randrange(200, 800)
    head = struct.pack(">HHBBI", size, 0, 0x5E, 30, number) + bytes.fromhex("0126063FE2E8E2C1")
    return head + (bytes(range(256)) * 4)[: size - len(head)]


def write(path: Path, megabytes: int, make: object) -> Path:
    """Repeat records made by `make`, each with its own time of day so that none is a duplicate."""
    draw = random.Random(1)
    records = [bytearray(make(draw, i)) for i in range(RECORDS)]  # type: ignore[operator]
    size = count = 0
    with path.open("wb") as file:
        while size < megabytes * 1_000_000:
            record = records[count % RECORDS]
            record[6:10] = struct.pack(">I", count)
            size += file.write(record)
            count += 1
    return path


def devices(folder: Path, megabytes: int) -> Path:
    """A dump of 74.1 records only."""
    return write(folder / f"devices-{megabytes}.smf", megabytes, _device_record)


def others(folder: Path, megabytes: int) -> Path:
    """A dump of records that are skipped."""
    return write(folder / f"others-{megabytes}.smf", megabytes, _other_record)
