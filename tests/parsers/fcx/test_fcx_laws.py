"""A z/VM listing that contradicts itself says so, and views take what the issue says counts."""

from typing import Any

import pytest
from fcx_support import Read, database
from memory_lake import answered

HEAD = """1FCX168  Run 2025/11/10 00:15:00          INTERIM DEVLOG        Page    1
                                          General I/O Device Load and Performance
 From 2025/11/10 00:00:00        VMPROD
 To   2025/11/10 00:15:00        CPU 2084-C24   SN 00000
 For     900 Secs 00:15:00                        z/VM   V.6.4.0 SLU 0000
 ____________________________________________________________________________________________________
 <-- Device Descr. --> Mdisk Pa- <-- Rate/s -> <---------- Time (msec) ---------->  Req.
 Addr Type   Label/ID  Links ths     I/O Avoid  Pend  Disc  Conn  Serv  Resp  CUWt  Qued
"""
TIMES = {"pend": 0.2, "disc": 0.1, "conn": 0.5, "serv": 0.8, "resp": 1.8}


def listing(*rows: dict[str, Any]) -> bytes:
    lines = []
    for number, row in enumerate(rows):
        full = {"addr": f"{0x2000 + number:04X}", "rate": 100.0, **TIMES, **row}
        times = "".join(f"{full[name]:6.1f}" for name in TIMES)
        queue = full.get("queue", 0.1)
        descr = f" {full['addr']} {full.get('type', '3390-3')} VOL{number:03}       0   2  "
        lines.append(f"{descr}{full['rate']:6.1f}    .0{times}    .0{queue:6.1f}")
    return (HEAD + "\n".join(lines) + "\n").encode()


@pytest.mark.parametrize(
    ("row", "code", "counts"),
    [
        ({}, None, (0.8, 1.0, 1.8)),
        ({"serv": 0.9}, None, (0.9, 0.9, 1.8)),
        ({"resp": 0.7}, None, (0.8, 0.0, 0.8)),
        ({"pend": 1.0, "disc": 1.0, "conn": 1.0, "serv": 9.0, "resp": 9.5}, "contradiction", (3.0, 0.5, 3.5)),
        ({"resp": 0.3}, "contradiction", (0.8, 0.0, 0.8)),
        ({"rate": -5.0}, "negative", None),
    ],
)
def test_a_row_against_itself(row: dict[str, Any], code: str | None, counts: tuple[float, ...] | None) -> None:
    data = listing(row, {}, {})
    assert [(i.code, i.count, i.offset) for i in Read(data).issues] == ([(code, 1, 9)] if code else [])
    found = answered(
        database(data),
        "SELECT service_ms, wait_ms, response_ms, in_service, pend_ms + disc_ms + conn_ms AS parts "
        "FROM device_interval WHERE device = '02000' AND io_rate IS NOT NULL",
    )
    assert bool(found) == bool(counts)
    for service, wait, response, inside, parts in (row.values() for row in found):
        assert (service, wait, response) == pytest.approx(counts)
        assert inside == pytest.approx(100 * service / 1000)
        assert abs(service - parts) < 0.4 + 0.01 * service


@pytest.mark.parametrize(("queue", "contradicts"), [(0.3, False), (0.5, False), (0.0, True), (0.9, True)])
def test_a_queue_that_is_neither_the_wait_of_base_nor_of_volume_is_an_issue(queue: float, contradicts: bool) -> None:
    base = {"resp": 3.8, "queue": queue}  # 3.0 ms: 0.3 I/Os at the rate of the base, 0.45 at that of the volume
    data = listing(base, {"type": "->2000", "rate": 50.0, "resp": 0.8, "queue": 0.0})
    assert [(i.code, i.severity, i.count) for i in Read(data).issues] == [("contradiction", "notice", 1)] * contradicts
    found = answered(database(data), "SELECT queue_length FROM volume_interval")
    assert found[0]["queue_length"] == pytest.approx(queue, abs=1e-9 if contradicts else 0.05)


def test_of_a_device_twice_the_first_row_counts() -> None:
    data = listing({}, {"addr": "2000", "rate": 70.0}, {})
    assert [(i.code, i.severity, i.offset) for i in Read(data).issues] == [("twice", "data_loss", 10)]
    assert database(data).execute("SELECT io_rate FROM device_interval WHERE device = '02000'").fetchall() == [(100.0,)]
