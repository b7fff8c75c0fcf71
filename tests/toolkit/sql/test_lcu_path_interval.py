"""lcu_path_interval: which channels lead to an LCU, under the names that channel_interval gives them."""

import pytest
from sql_lake import Lake, one

from iosq.toolkit.sql.guard import query

OWNER = {"record_id": 78, "section_index": 1, "R783ID1": "0012"}


def test_a_path_has_its_rate_and_response_and_the_name_of_the_channel() -> None:
    lake = Lake()
    lake.add("smf78_3_config_control", **OWNER)
    lake.add("smf78_3_global", record_id=78, R783CFL=0x08, R783CSS=2, R783GFLG=0x02)
    taken = {"R783CPID": "4A", "R783CPST": 0xC0, "R783PT": 9000, "R783CMR": 9000, "R783CPXF": 0x80}
    lake.add("smf78_3_config_data", record_id=78, parent_index=1, **taken)
    row = one(lake.connect(), "SELECT * FROM lcu_path_interval")
    assert (row["lcu"], row["channel_path"], row["online"]) == ("0012", "2.4A", True)
    assert (row["taken_rate"], row["cmr_ms"]) == (pytest.approx(10.0), pytest.approx(0.128))


def test_paths_go_to_the_lcu_of_their_own_configuration_section() -> None:
    lake = Lake()
    lake.add("smf78_3_config_control", **OWNER)
    lake.add("smf78_3_config_control", record_id=78, section_index=2, R783ID1="0013")
    lake.add("smf78_3_config_data", record_id=78, parent_index=2, R783CPID="4B", R783CPST=0x80, R783PT=0)
    row = one(lake.connect(), "SELECT * FROM lcu_path_interval")
    assert (row["lcu"], row["channel_path"], row["online"]) == ("0013", "4B", False)
    assert (row["taken_rate"], row["cmr_ms"]) == (0, None), "no response time without its flags"


def test_a_group_is_reported_of_lcus_that_lend_only() -> None:
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74CNX=0x22, SMF74HPC=32)
    lake.device("2209", SMF74CNX=0x22, SMF74HPC=32, SMF74LCU="0013")
    for index, (number, status) in enumerate((("0012", 0x03), ("0013", 0x02)), 1):
        lake.add("smf78_3_config_control", record_id=78, section_index=index, R783ID1=number, R783AMGS=7)
        queue = {"R783ID2": number, "R783DST": status, "R783HIX": index, "R783HCNT": 1}
        lake.add("smf78_3_data", record_id=78, section_index=index, **queue)
        pool = {"R783HLCU": number, "R783HTIO": 9.0, "R783HNAI": 0.0, "R783XABC": 4.0}
        lake.add("smf78_3_hyperpav", record_id=78, section_index=index, **pool)
    rows = query(lake.connect(), "SELECT lcu, alias_group, alias_borrowed_count FROM lcu_interval ORDER BY lcu")
    assert [tuple(r.values()) for r in rows.to_pylist()] == [("0012", "7", 4.0), ("0013", None, None)]
