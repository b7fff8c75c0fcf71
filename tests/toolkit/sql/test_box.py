"""Boxes: which subsystem is in which, and their volumes added up."""

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
    assert all_rows(con, "SELECT * EXCLUDE (since, until) FROM box_subsystem ORDER BY subsystem") == [
        {"subsystem": "1800", "box": "AB121", "serial": "0000000AB121", "control_unit_type": "002107", "boxes": None},
        {"subsystem": "1900", "box": "CD472", "serial": "0000000CD472", "control_unit_type": "002107", "boxes": None},
    ]
    row = one(con, "SELECT * FROM box_interval WHERE box = 'AB121'")
    assert (row["volumes"], row["io_rate"]) == (2, pytest.approx(40))
    assert row["queue_length"] == pytest.approx(2)
    assert row["wait_ms"] == pytest.approx(50)
    assert row["in_service"] == pytest.approx(row["io_rate"] * row["service_ms"] / 1000)
    assert row["response_ms"] == pytest.approx(row["wait_ms"] + row["service_ms"])


def test_an_id_that_two_sites_use_names_both_boxes() -> None:
    lake = Lake()
    for serial in ("0000000CD472", "0000000CD999"):
        lake.cache([cache_device("0201")], ssid="1800", control={"NEDSEQN": serial})
    for serial in ("0000000CD472", "CD472"):  # one box, however its number is written
        lake.cache([cache_device("0303")], ssid="1900", control={"NEDSEQN": serial})
    rows = all_rows(lake.connect(), "SELECT subsystem, boxes FROM box_subsystem ORDER BY subsystem")
    assert [(r["subsystem"], r["boxes"]) for r in rows] == [("1800", "CD472|CD999"), ("1900", None)]


@pytest.mark.parametrize(
    "other, boxes",
    [
        (("VOL201", "VOL202", "VOL303"), {("SYSA", "LCU 0012"), ("SYSB", "LCU 0012")}),
        (("VOL201", "VOL202", "NEW303"), {("SYSA", "LCU 0012"), ("SYSB", "LCU 0012")}),
        (("OTH201", "OTH202", "VOL303"), {("SYSA", "LCU 0012"), ("SYSB", "LCU 0012 of SYSB")}),
        (("OTH201", "OTH202", "OTH303"), {("SYSA", "LCU 0012"), ("SYSB", "LCU 0012 of SYSB")}),
    ],
    ids=["shared", "one new label", "one label in common", "another site"],
)
def test_an_lcu_number_with_other_volumes_behind_it_is_another_box(
    other: tuple[str, ...], boxes: set[tuple[str, str]]
) -> None:
    lake = Lake()
    for system, names in (("SYSA", ("VOL201", "VOL202", "VOL303")), ("SYSB", other)):
        record = lake.record()
        lake.control(record=record, system=system)
        for number, name in zip(("0201", "0202", "0303"), names, strict=True):
            lake.device(number, record=record, system=system, SMF74SER=name)
    con = lake.connect()
    rows = all_rows(con, "SELECT DISTINCT system, box FROM volume_box")
    assert {(row["system"], row["box"]) for row in rows} == boxes
    assert one(con, "SELECT sum(io_rate) AS io_rate FROM box_interval")["io_rate"] == pytest.approx(60)
