"""paging_volume_interval from type 75: page data sets of z/OS and what they do."""

from typing import Any

import pytest
from sql_lake import Lake, Row, all_rows, one

LOCAL: Row = {"SMF75DSN": "PAGE.SYSA.LOCAL1", "SMF75PST": 0x10, "SMF75FL2": 0x90, "SMF75CHA": "0A11"}
LOCAL |= {"SMF75VOL": "PAG001", "SMF75SLA": 60_000, "SMF75MXU": 30_000, "SMF75AVU": 12_000, "SMF75LVU": 12_000.6}
LOCAL |= {"SMF75BDS": 2, "SMF75USE": 90, "SMF75SIO": 1800, "SMF75PGX": 9000}


def lake_of(*rows: Row) -> Lake:
    lake = Lake()
    for row in rows:
        lake.add("smf75_1_page_data_set", **({"samples": 900} | LOCAL | row))
    return lake


def of(**fields: Any) -> Row:
    return one(lake_of(fields).connect(), "SELECT * FROM paging_volume_interval")


def test_a_page_data_set() -> None:
    row = of()
    names = ("platform", "device", "volser", "area", "data_set", "page_data_set_type", "source")
    assert [row[n] for n in names] == ["z/OS", "00A11", "PAG001", "PAGE", "PAGE.SYSA.LOCAL1", "LOCAL", "smf75.1"]
    assert (row["used_ratio"], row["most_used_ratio"]) == (pytest.approx(0.20001), 0.5)
    assert (row["in_use_ratio"], row["unusable_slots"]) == (pytest.approx(0.1), 2)
    assert (row["io_rate"], row["total_page_rate"], row["page_read_rate"]) == (2, 10, None)


@pytest.mark.parametrize(("bits", "name"), [(0x80, "PLPA"), (0x40, "COMMON"), (0x10, "LOCAL"), (0, None)])
def test_its_type(bits: int, name: str | None) -> None:
    assert of(SMF75PST=bits)["page_data_set_type"] == name


def test_what_is_not_known_is_no_number() -> None:
    row = of(SMF75LVU=None, SMF75SLA=0, samples=None)
    assert (row["used_ratio"], row["most_used_ratio"], row["in_use_ratio"]) == (None, None, None)
    assert of(SMF75LVU=None)["used_ratio"] == pytest.approx(0.2)


def test_storage_class_memory_is_on_no_volume() -> None:
    row = of(SMF75FL2=0x08, SMF75CHA="0000", SMF75VOL="")
    assert (row["device"], row["volser"], row["data_set"]) == (None, None, "PAGE.SYSA.LOCAL1")


def test_a_shorter_record_of_the_interval_does_not_count_twice() -> None:
    con = lake_of({}, {"interval_s": 300.0, "SMF75SIO": 60}).connect()
    (row,) = all_rows(con, "SELECT * FROM paging_volume_interval")
    assert (row["interval_s"], row["io_rate"]) == (900, 2)
