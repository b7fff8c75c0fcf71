"""Paging, emulated disks, channels and refused aliases: known answers of the views that monitor records alone feed."""

from typing import Any

import pytest
from memory_lake import answered
from mon_support import database, encode, file, minute, system

MB = 2**20


def rows(view: str, *records: bytes) -> list[dict[str, Any]]:
    return answered(database(file([system(), *records])), f"SELECT * FROM {view} ORDER BY ALL")


def paging(i: int, volser: str = "PAG001", **counts: int) -> bytes:
    return encode("D3R11", minute(i), RDEVSID=3, RDEVDEV="A200", CPVOLSER=volser, **counts)


def emulated(i: int, size: int = 512, **counts: int) -> bytes:
    return encode("D6R24", minute(i), RDEVDEV="0300", DSKBLKSZ=size, **counts)


def test_pages_of_a_paging_volume() -> None:
    counts = {"EXPCTPRD": 6000, "EXPCTPWR": 3000, "EXPCTSRD": 60, "EXPCTSWR": 120, "EXPCTUSI": 300, "SCGSSCH": 1200}
    samples = [paging(i, **{name: 9 + i * n for name, n in counts.items()}) for i in (0, 1)]
    (row,) = rows("paging_interval", *samples)
    assert (row["device"], row["volser"], row["interval_start"]) == ("0A200", "PAG001", minute(0))
    assert (row["interval_s"], row["utc_offset_s"], row["source"]) == (60, -18000, "mon.d3r11")
    rates = ("page_read", "page_write", "spool_read", "spool_write", "interference", "start")
    assert tuple(row[f"{name}_rate"] for name in rates) == (100, 50, 1, 2, 5, 20)


@pytest.mark.parametrize("later", [paging(1, EXPCTPRD=5), paging(1, "PAG002", EXPCTPRD=900)])
def test_paging_counters_that_start_anew_give_no_rate(later: bytes) -> None:
    (row,) = rows("paging_interval", paging(0, EXPCTPRD=600), later)
    assert (row["page_read_rate"], row["page_write_rate"]) == (None, None)


def test_bytes_of_an_emulated_disk() -> None:
    blocks = {"DSKXFERS": 600, "DSKBLKSR": 60 * 2 * MB // 512, "DSKBLKSW": 60 * MB // 512}
    samples = [emulated(i, **{name: i * n for name, n in blocks.items()}) for i in (1, 2)]
    (row,) = rows("emulated_device_interval", *samples)
    assert (row["device"], row["transfer_rate"], row["block_bytes"]) == ("00300", 10, 512)
    assert (row["read_bytes_rate"], row["write_bytes_rate"]) == (2 * MB, MB)


@pytest.mark.parametrize("later", [emulated(1, DSKXFERS=5), emulated(1, 4096, DSKXFERS=900)])
def test_emulated_counters_that_start_anew_give_no_rate(later: bytes) -> None:
    (row,) = rows("emulated_device_interval", emulated(0, DSKXFERS=600), later)
    assert row["transfer_rate"] is None


def test_bytes_without_a_block_size_are_unknown() -> None:
    (row,) = rows("emulated_device_interval", *(emulated(i, 0, DSKXFERS=60 * i, DSKBLKSR=9 * i) for i in (0, 1)))
    assert (row["transfer_rate"], row["read_bytes_rate"], row["block_bytes"]) == (1, None, None)


def test_channels_of_a_volume_are_those_of_its_last_path_mask() -> None:
    def stated(i: int, record: str, mask: int) -> bytes:
        return encode(record, minute(i), RDEVSID=1, RDEVDEV="A100", RDEVLPM=mask, RDEVCHPS="2021223000000000")

    measured = [encode("D6R3", minute(i), RDEVSID=1, RDEVDEV="A100", RDEVSER="VOL001", SCGSSCH=60 * i) for i in (1, 2)]
    (row,) = rows("volume_channel", stated(0, "D1R6", 0xF0), *measured, stated(3, "D6R20", 0xD0))
    assert (row["volume"], row["channels"]) == ("VOL001", "20|21|30")


def test_requests_that_no_alias_may_serve() -> None:
    def base(i: int, pool: int = 1, **counts: int) -> bytes:
        return encode("D6R3", minute(i), RDEVSID=1, RDEVDEV="A100", RDEVSER="VOL001", RDEVHPPL=pool, **counts)

    (row,) = rows("alias_ineligible_interval", base(0, PAVINELG=9), base(1, PAVINELG=609))
    assert (row["device"], row["ineligible_rate"], row["interval_s"]) == ("0A100", 10, 60)
    assert rows("alias_ineligible_interval", base(0, pool=0), base(1, pool=0, PAVINELG=600)) == []
