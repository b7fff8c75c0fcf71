"""Records without a decoder, and the first and last record of a dump."""

from datetime import datetime

from iosq.parsers.smf.values import UNPACKED
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.records.frame import stamp

WITH_SUBTYPES, WITHOUT_SUBTYPES = 0x5E, 0x1E
DUMP_HEADER, DUMP_TRAILER = 2, 3
# (type, subtype, bytes, records per interval)
SKIPPED = ((71, 1, 2416, 1), (99, 6, 860, 3))


def plain(kind: tuple[int, int | None], local: datetime, sid: str, body: bytes) -> bytes:
    """A record with the standard header, which without a subtype ends after the system id."""
    number, subtype = kind
    flag = WITHOUT_SUBTYPES if subtype is None else WITH_SUBTYPES
    head = bytes([flag, number]) + int(stamp("", local, sid)["TME"]).to_bytes(4, "big")
    head += bytes.fromhex(f"{UNPACKED['0cyydddF'](local.date()):07d}f") + sid.ljust(4).encode("cp037")
    if subtype is not None:
        head += "STC ".encode("cp037") + subtype.to_bytes(2, "big")
    return (4 + len(head) + len(body)).to_bytes(2, "big") + b"\0\0" + head + body


def maker(day: Day, system: int) -> Records:
    """Types 71 and 99 with random content."""
    sid = day.sysplex.systems[system].sid

    def make(interval: int) -> list[tuple[str, bytes]]:
        rng = generator(day.seed, f"other{system}.{interval}")
        found = []
        for number, subtype, size, count in SKIPPED:
            for _ in range(count):
                body = rng.bytes(48) + bytes(size - 72)
                record = plain((number, subtype), day.written(interval), sid, body)
                found.append((str(number), record))
        return found

    return make
