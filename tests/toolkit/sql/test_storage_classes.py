"""storage_class_interval and vtoc_interval from type 42 subtype 5."""

from typing import Any

import pytest
from sql_lake import Lake, Row, all_rows, one

CLASS: Row = {"S42SCRNL": 5, "S42SCRNN": "SCSTD", "S42SCION": 1800, "S42SCIOR": 16, "S42SCIOP": 2, "S42SCIOD": 8}
CLASS |= {"S42SCIOC": 4, "S42SCIOQ": 1, "S42SCCND": 1000, "S42SCHIT": 900, "S42SCWCN": 0, "S42SCWHI": 0}
CLASS |= {"S42SCSEQ": 180, "S42SCRDT": 1200, "S42SCHRD": 300, "S42SCHWR": 60}
PART = {"IOR": 8, "IOP": 1, "IOD": 4, "IOC": 2, "IOQ": 0, "ION": 9, "CND": 8, "HIT": 6}


def of(**fields: Any) -> Row:
    lake = Lake()
    lake.add("smf42_5_storage_class", **(CLASS | fields))
    return one(lake.connect(), "SELECT * FROM storage_class_interval")


def test_a_storage_class() -> None:
    row = of()
    assert (row["storage_class"], row["io_rate"], row["source"]) == ("SCSTD", 2, "smf42.5")
    times = [row[f"{name}_ms"] for name in ("response", "wait", "pend", "disc", "conn", "cu_queue")]
    assert times == pytest.approx([2.048, 0.256, 0.256, 1.024, 0.512, 0.128])
    assert (row["hit_ratio"], row["sequential_ratio"], row["zhpf_ratio"]) == pytest.approx((0.9, 0.1, 0.2))
    assert (row["write_hit_ratio"], row["cmr_ms"]) == (None, None)


def test_microseconds_count_where_the_record_has_them() -> None:
    row = of(S42SCR1U=2100, S42SCP1U=250, S42SCD1U=1000, S42SCC1U=500, S42SCM1U=30)
    assert [row[f"{n}_ms"] for n in ("response", "wait", "cmr")] == pytest.approx([2.1, 0.35, 0.03])


def test_a_class_without_io_has_no_times() -> None:
    row = of(S42SCION=0)
    assert (row["io_rate"], row["response_ms"], row["read_ratio"]) == (0, None, None)


def test_a_section_with_an_impossible_name_is_left_out() -> None:
    lake = Lake()
    lake.add("smf42_5_storage_class", **CLASS)
    lake.add("smf42_5_storage_class", **(CLASS | {"S42SCRNL": 40_000, "S42SCRNN": "x", "section_index": 2}))
    assert [r["storage_class"] for r in all_rows(lake.connect(), "SELECT * FROM storage_class_interval")] == ["SCSTD"]


def test_vtoc_index_and_vvds_of_a_volume() -> None:
    lake = Lake()
    lake.add("smf42_5_volume_header", S42VTSER="PRD001", S42VTADR="0A11")
    for table, prefix in (("vtoc_data", "S42VD"), ("vvds", "S42VV")):
        lake.add(f"smf42_5_{table}", **{prefix + name: value for name, value in PART.items()}, parent_index=1)
    rows = all_rows(lake.connect(), "SELECT * FROM vtoc_interval ORDER BY component")
    assert [(r["component"], r["volser"], r["device"], r["io_rate"]) for r in rows] == [
        ("VTOC", "PRD001", "00A11", 0.01), ("VVDS", "PRD001", "00A11", 0.01)
    ]  # fmt: skip
    assert (rows[0]["response_ms"], rows[0]["hit_ratio"]) == pytest.approx((1.024, 0.75))
