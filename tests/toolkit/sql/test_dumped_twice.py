"""An interval dumped twice, or cut out of another file, is one measurement in every view."""

from collections.abc import Sequence
from typing import Any

import pytest
from sql_lake import Lake, cache_device

from tests.settle import settled

VIEWS = (
    "device_interval", "channel_interval", "lcu_extra", "lcu_queue", "lcu_path_interval", "iop_interval",
    "cache_interval", "rank_interval", "link_interval",
)  # fmt: skip
# a third record of each was cut short
LENGTHS = {"interval_s", "R745CINT", "R748CINT"}
BOX = {"R748CSC": 0, "R748CRTN": 0, "R748CIOC": 0, "R748CINT": 900, "R748CSER": "00000YT111", "R748CFLG": 0x80}


def everything() -> Lake:
    lake = Lake()
    for table, record in (("smf74_1_record", 1), ("smf74_1_record", 2), ("smf73_record", 73), ("smf78_3_record", 78)):
        lake.add(table, record_id=record)
    lake.control()
    for place, number in enumerate(("2208", "2209"), 1):
        lake.device(number, section_index=place)
    lake.device("2300", record=2)
    for lcu, index in (("0012", 1), ("0013", 2)):
        lake.add("smf78_3_config_control", record_id=78, section_index=index, R783ID1=lcu)
        lake.add("smf78_3_config_data", record_id=78, parent_index=index, R783CPID="4A", R783CPST=0xC0, R783PT=9000)
        queue = {"R783ID2": lcu, "R783DST": 2, "R783QCT": 450, "R783QSM": 600}
        lake.add("smf78_3_data", record_id=78, section_index=index, **queue)
        pool = {"R783HLCU": lcu, "R783HTIO": 1000.0, "R783HNAI": 50.0, "R783HAIU": 7}
        lake.add("smf78_3_hyperpav", record_id=78, section_index=index, **pool)
    lake.add("smf78_3_global", record_id=78, R783GFLG=0x06, R783GFLX=0, R783CFL=0)
    lake.add("smf78_3_iop", record_id=78, R783IQID="0003", R783IQCT=9000, R783IQSM=10800, R783IIFS=9000.0)
    lake.add("smf73_control", record_id=73, SMF73SFL=0, SMF73CSS=1)
    lake.add("smf73_channel_data", record_id=73, SMF73PID="4A", SMF73FG2=1, SMF73FG4=0, SMF73CMG=1, SMF73PTI=878906.25,
             SMF73PUT=1e6, SMF73TUT=2e6)  # fmt: skip
    lake.cache([cache_device("2208", DRCR=900.0, DCRH=800.0), cache_device("2209")])
    lake.add("smf74_8_record", record_id=748)
    lake.add("smf74_8_control", record_id=748, **BOX)
    lake.add("smf74_8_rank", record_id=748, R748RRID=10, R748RPNM=3, R748RROP=1800.0, R748RWOP=900.0)
    lake.add("smf74_8_link_statistics", record_id=748, R748LAID=5, R748LTYP=5, R748LERO=900.0)
    return lake


def answers(lake: Lake, views: Sequence[str] = VIEWS) -> dict[str, list[tuple[Any, ...]]]:
    con = lake.connect()
    with settled(con, views):
        return {view: sorted(con.execute(f"SELECT * FROM {view}").fetchall(), key=repr) for view in views}


def test_other_records_of_the_same_interval_change_nothing() -> None:
    lake = everything()
    expected = answers(lake)
    assert all(expected.values())
    for rows in lake.rows.values():
        again = [r | {"record_id": r["record_id"] + 5000} for r in rows]
        rows += again + [
            r | {"record_id": r["record_id"] - 5000} | dict.fromkeys(LENGTHS & r.keys(), 300) for r in rows
        ]
    assert answers(lake) == expected


def test_the_same_devices_of_another_system_are_all_kept() -> None:
    lake = everything()
    lake.device("2208", record=3, system="SYSB")
    found = answers(lake, ["device_interval"])["device_interval"]
    assert sorted((row[1], row[4]) for row in found) == [
        ("SYSA", "02208"), ("SYSA", "02209"), ("SYSA", "02300"), ("SYSB", "02208")
    ]  # fmt: skip


@pytest.mark.parametrize(("files", "more", "devices"), [(2, 1, [3]), (2, 0, []), (1, 1, [])])
def test_other_counts_of_the_same_interval_in_another_file_are_another_system(
    files: int, more: int, devices: list[int]
) -> None:
    lake = everything()
    for table in ("smf74_1_record", "smf74_1_device_data"):
        rows = lake.rows[table]
        again = [r | {"record_id": r["record_id"] + 5000, "file_id": f"f{files}"} for r in rows]
        for r in again if "device" in table else ():
            r["SMF74SSC"] = (r.get("SMF74SSC") or 0) + more
        lake.rows[table] = [r | {"file_id": "f1"} for r in rows] + again
    assert [row[5] for row in answers(lake, ["conflicting_interval"])["conflicting_interval"]] == devices
