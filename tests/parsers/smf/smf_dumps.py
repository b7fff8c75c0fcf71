"""Small records that dumps in the tests are made of."""

import random
from datetime import date

from smf_decoders import framed

from iosq.parsers.smf.encode import RecordSpec, Split, encode_record
from iosq.parsers.smf.layout import layouts

DAY = date(2026, 3, 4)


def marker(type_: int) -> bytes:
    """A type 2 or 3 record, as a dump program writes at both ends."""
    return bytes.fromhex("00120000") + bytes((0x5E, type_)) + bytes.fromhex("00000001 0126063F E2E8E2C1")


def other(number: int, size: int) -> bytes:
    """A record of a type we don't decode."""
    body = random.Random(number).randbytes(size)
    return framed(bytes(4) + b"\x5e\x63" + number.to_bytes(4, "big") + bytes.fromhex("0126063FE2E8E2C1") + body)


def devices(number: int, count: int, piece: tuple[int, int] = (1, 1)) -> bytes:
    """A 74.1 record whose devices give `number`; perhaps one piece of several, each with `count` devices."""
    at, pieces = piece
    rows = [{"SMF74NUM": f"{number:02X}{i:02X}", "SMF74SSC": number * 1000 + i} for i in range(count)]
    split = Split(pieces, at, {"device_data": count * pieces}, {"device_data": (at - 1) * count + 1})
    spec = RecordSpec(
        header={"SMF74SID": "SYSA", "SMF74DTE": DAY, "SMF74TME": number + at - 1},
        product={"SMF74DAT": DAY, "SMF74IST": 900 * number, "SMF74INT": 900.0, "SMF74LGO": 3_600_000_000},
        sections={"device_data": rows},
        split=split if pieces > 1 else None,
    )
    return encode_record(layouts()[74, 1], spec)


def data_sets(count: int) -> bytes:
    """A 42.6 record: one job with `count` data sets, each with its I/O statistics."""
    rows = [
        {"S42DSN": f"PROD.DATA{i}", "S42DSVOL": "VOL001", "children": {"data_set_io": [{"S42DSION": 10 + i}]}}
        for i in range(count)
    ]
    job = {"S42JDJNM": "PAYROLL", "children": {"data_set_header": rows}}
    return encode_record(
        layouts()[42, 6],
        RecordSpec(header={"SMF42SID": "SYSA", "SMF42DTE": DAY, "SMF42TME": 7}, sections={"job_header": [job]}),
    )
