"""Boxes: which subsystem is in which, and their volumes added up."""

from __future__ import annotations

import pytest
from sql_lake import Lake, all_rows, cache_device, one


def test_volumes_of_all_systems_and_subsystems_add_up_by_serial_number() -> None:
    lake = Lake()
    for system in ("SYSA", "SYSB"):
        record = lake.record()
        lake.control(record=record, system=system)
        for number in ("0201", "0202", "0303"):
            lake.device(number, record=record, system=system, SMF74QUE=900 if number == "0202" else 0)
    lake.cache([cache_device("0201"), cache_device("0202")], ssid="1800", control={"NEDSEQN": "0000000AB121"})
    lake.cache([cache_device("0303")], ssid="1900", control={"NEDSEQN": "0000000CD472"})
    con = lake.connect()
    assert all_rows(con, "SELECT * FROM box_subsystem ORDER BY subsystem") == [
        {"subsystem": "1800", "box": "AB121", "serial": "0000000AB121", "control_unit_type": "002107"},
        {"subsystem": "1900", "box": "CD472", "serial": "0000000CD472", "control_unit_type": "002107"},
    ]
    row = one(con, "SELECT * FROM box_interval WHERE box = 'AB121'")
    assert (row["volumes"], row["io_rate"]) == (2, pytest.approx(40))
    assert row["queue_length"] == pytest.approx(2)
    assert row["wait_ms"] == pytest.approx(50)
    assert row["in_service"] == pytest.approx(row["io_rate"] * row["service_ms"] / 1000)
    assert row["response_ms"] == pytest.approx(row["wait_ms"] + row["service_ms"])
