"""Small z/VM situations as a system programmer meets them: what is found, in which window, and what is not claimed."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import pytest
from fcx_support import database

from iosq.parsers.fcx.printer import DEVICE, Head, number, page, row
from iosq.toolkit.advise.catalog import question_texts
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from tests.materialised import materialised

NINE = datetime(2026, 3, 2, 9)
QUICK = (0.1, 0.2, 0.3)


def line(addr: str, label: str, rate: float, queue: float = 0.0, parts: tuple[float, ...] = QUICK, **more: str) -> str:
    """A row of FCX108; where there are no parts only Serv is known, 9 ms."""
    service, cells = sum(parts) or 9.0, {"type": "3390-9", "avoid": ".0", "read": "60", "set": "...", "delayed": "..."}
    cells |= more
    times = [*map(number, parts or (None,) * 3), number(service), number(service + 1000 * queue / rate)]
    use = [cells["type"], f"{label} CP" if label else "", "3", "8", number(rate), cells["avoid"]]
    rest = [
        ".0",
        number(queue),
        number(rate * service / 10, 0),
        cells["read"],
        "0",
        "0",
        cells["set"],
        cells["delayed"],
    ]
    return row(DEVICE, [addr, *use, *times, *rest])


class Situation(NamedTuple):
    """Rows by interval, what a finding says (nothing: no finding), and words that none may have."""

    intervals: Sequence[list[str]]
    wanted: str
    unwanted: tuple[str, ...] = ()
    start: datetime = NINE
    seconds: int = 600


def same(*rows: str) -> list[list[str]]:
    return [list(rows)] * 4


def burst(first: int, last: int, count: int) -> list[list[str]]:
    """A volume that queues in some intervals only."""
    busy, idle = line("C100", "ZBU001", 200.0, 4.0, (0.1, 0.4, 3.5)), line("C100", "ZBU001", 20.0)
    return [[busy if first <= n < last else idle] for n in range(count)]


ALIASES = [line(f"C1F{n}", "", 5.0, type="->C100") for n in range(3)]
OLD, NEW = line("C100", "ZOLD01", 40.0), line("C100", "ZNEW01", 300.0, 3.0, (0.1, 0.4, 2.0))
SITUATIONS = {
    "throttle": Situation(
        same(line("C100", "ZTH001", 30.0, 2.5, set="30.0", delayed="14.0")), "SET THROTTLE delays I/Os to volume ZTH001"
    ),
    "reserve": Situation(same(line("C100", "ZRS001", 8.0, 0.6, (45.0, 0.5, 1.0))), "I/O device details (FCX110)"),
    "idle aliases": Situation(same(line("C100", "ZPV001", 15.0), *ALIASES), ""),
    "burst": Situation(burst(6, 10, 24), "(09:30-09:50 on 2026-03-02)", ("now 0",), seconds=300),
    "midnight": Situation(
        burst(5, 15, 20), "(2026-03-02 23:55 to 2026-03-03 00:05)", start=NINE.replace(hour=23, minute=50), seconds=60
    ),
    "emulated": Situation(same(line("C200", "ZED001", 45.0, 0.0, (), type="9336")), ""),
    "reads": Situation(
        same(line("C100", "ZSRC01", 150.0, read="95")), "Minidisk cache avoids no I/O to volume ZSRC01", ("alias",)
    ),
    "saved": Situation(
        same(line("C104", "ZCMS01", 20.0, avoid="90.0", read="20")),
        "answers 90 of 110 requests per s",
        ("alias",),
    ),
    "no parts": Situation(same(line("C100", "ZNP001", 100.0, 4.0, ())), "40.0 ms queued in CP at the peak", ("now 0",)),
    "new label": Situation([[OLD]] * 2 + [[NEW]] * 4, "Volume ZNEW01 waits on VM9 (09:20-10:00", ("ZOLD01",)),
}


def listing(system: str, situation: Situation) -> bytes:
    """Interim pages, with three quiet volumes beneath the rows of the situation."""
    quiet = [line(f"C10{n}", f"ZLX10{n}", 15.0 + 5 * n) for n in range(5, 8)]
    pages = []
    for n, rows in enumerate(situation.intervals):
        start = situation.start + timedelta(seconds=n * situation.seconds)
        head = Head("FCX108", "INTERIM DEVICE", "General I/O Device Load", system, start, situation.seconds)
        pages += [*page(head, n + 1, DEVICE, rows + quiet), ""]
    return "\n".join(pages).encode() + b"\n"


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    """What is found where each situation is a system of its own."""
    listings = [listing(f"VM{n}", situation) for n, situation in enumerate(SITUATIONS.values())]
    with materialised(database(*listings), question_texts()) as copy:
        return [f for f in run(copy) if f.code != "time_breakdown"]


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_a_system_programmer_reads(name: str, found: list[Finding]) -> None:
    system, situation = f"VM{list(SITUATIONS).index(name)}", SITUATIONS[name]
    texts = [f"{f.whole_text}. {f.advice}" for f in found if system in f.subject.systems]
    assert any(situation.wanted in text for text in texts) if situation.wanted else texts == []
    words = (*situation.unwanted, "IOSQ", "LCU", "type 7")
    assert not [text for text in texts for word in words if word in text]
