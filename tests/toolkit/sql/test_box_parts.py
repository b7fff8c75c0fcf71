"""Ranks, extent pools and links of a box (74.8, 74.5), ports of a director (74.7), data sets (42.6)."""

import datetime as dt

import pytest
from sql_lake import START, Lake, Row, all_rows, cache_device, one

from iosq.toolkit.predict.changes import VOLUMES, Change, lake_answer
from iosq.toolkit.sql.guard import query
from tests.materialised import materialised

HEAD: Row = {"R748CSC": 0, "R748CRTN": 0, "R748CIOC": 0, "R748CINT": 900, "R748CSER": "00000YT111", "R748CFLG": 0x80}
RANK: Row = {"R748RRID": 10, "R748RPNM": 3, "R748RCNT": 2, "R748RTQ": 0x81, "R748RAI": 5}
WORK: Row = {"R748RROP": 1800.0, "R748RWOP": 900.0, "R748RKRT": 675.0, "R748RKWT": 450.0}
BYTES: Row = {"R748RBYR": 900.0, "R748RBYW": 450.0}
ARRAY: Row = {"R748ARID": 10, "R748ATYP": 3, "R748AASP": 10, "R748AAWD": 8, "R748AACP": 1200, "R748AAST": 0x20}


def box(lake: Lake, *, record: int = 748, **head: object) -> Lake:
    own = {"record_id": record} | ({"system": head.pop("system")} if "system" in head else {})
    lake.add("smf74_8_record", **own)
    lake.add("smf74_8_control", **own, **(HEAD | head))
    lake.add("smf74_8_rank", **own, **RANK, **WORK, **BYTES)
    lake.add("smf74_8_array", **own, section_index=1, R748AAID=1, **ARRAY)
    lake.add("smf74_8_array", **own, section_index=2, R748AAID=2, **ARRAY)
    return lake


def test_a_rank() -> None:
    row = one(box(Lake()).connect(), "SELECT * FROM rank_interval")
    assert (row["box"], row["rank"], row["extent_pool"], row["adapter_pair"]) == ("YT111", "000A", "0003", "0005")
    assert (row["read_rate"], row["write_rate"], row["read_ms"], row["write_ms"]) == (2, 1, 6, 8)
    assert (row["read_bytes_rate"], row["write_bytes_rate"]) == (131072, 65536)
    assert (row["raid_type"], row["drive_class"], row["arrays"], row["drives"]) == ("RAID-6", "enterprise", 2, 16)
    assert (row["drive_rpm"], row["capacity_bytes"]) == (10000, 16 * 1200e9)
    assert (row["is_degraded"], row["is_throttled"], row["is_encrypted"]) == (True, False, True)


def test_one_system_of_several_that_gather_a_box_is_kept() -> None:
    lake = box(box(Lake(), record=1, system="SYSB"), record=2, system="SYSA")
    row = one(lake.connect(), "SELECT system, read_rate FROM rank_interval")
    assert row == {"system": "SYSA", "read_rate": 2}


@pytest.mark.parametrize(("cint", "start_s"), [(900, 0), (910, 0), (1800, -900), (300, 600)])
def test_statistics_of_a_box_end_where_their_record_was_written(cint: int, start_s: int) -> None:
    row = one(box(Lake(), R748CINT=cint).connect(), "SELECT interval_start, interval_s, read_rate FROM rank_interval")
    begun = START + dt.timedelta(seconds=start_s)
    assert (row["interval_start"], row["interval_s"], row["read_rate"]) == (begun, cint, 1800 / cint)


@pytest.mark.parametrize("bad", [{"R748CSC": 4}, {"R748CIOC": 1}, {"R748CINT": 0}])
def test_a_box_that_could_not_be_read_has_no_rows(bad: Row) -> None:
    assert all_rows(box(Lake(), **bad).connect(), "SELECT * FROM rank_interval") == []


def test_an_extent_pool_adds_its_ranks_and_counts_its_volumes() -> None:
    lake = box(Lake())
    lake.add("smf74_8_rank", record_id=748, section_index=2, **(RANK | WORK | BYTES | {"R748RRID": 11}))
    space = {"R748XRCP": 5000, "R748XRNS": 4000, "R748XRNA": 1000, "R748XVCP": 9000, "R748XVNS": 8000}
    lake.add(
        "smf74_8_extent_pool", record_id=748, R748XPID=3, R748XPLT=132, **space, R748XSDY=7, R748XTDY=9, R748XPTQ=0
    )
    cached = lake.cache([cache_device("2208"), cache_device("2209")], control={"NEDSEQN": "0000000YT111"})
    for number in ("2208", "2209"):
        lake.add("smf74_5_raid_extent_pool", record_id=cached, R7451DVN=number, R7451SCS=0, R7451FLG=2, R7452XID=3)
    row = one(lake.connect(), "SELECT * FROM extent_pool_interval")
    assert (row["box"], row["extent_pool"], row["pool_type"]) == ("YT111", "0003", "CKD")
    assert (row["ranks"], row["volumes"], row["read_rate"], row["read_ms"], row["write_ms"]) == (2, 2, 4, 6, 8)
    assert (row["real_capacity_bytes"], row["real_extents"], row["real_extents_allocated"]) == (5e12, 4000, 1000)
    assert (row["virtual_capacity_bytes"], row["virtual_extents"]) == (9e12, 8000)
    assert (row["extents_moved_in_count"], row["extents_moved_out_count"]) == (9, 7)


def test_without_74_8_the_cache_records_give_of_pools_and_ranks() -> None:
    lake = Lake()
    record = lake.cache([cache_device("2208"), cache_device("2209")], control={"NEDSEQN": "0000000YT111"})
    work = {"R7452PRO": 900.0, "R7452PWO": 450.0, "R7452PBR": 450.0, "R7452PBW": 90.0}
    times = {"R7452PRT": 450.0, "R7452PWT": 225.0, "R7451INC": 0, "R7452XTY": 0x84}
    for number in ("2208", "2209"):
        own = {"record_id": record, "R7451DVN": number, "R7451SCS": 0, "R7451FLG": 2, "R7452XID": 3}
        lake.add("smf74_5_raid_extent_pool", **own, **work, **times)
    ranked = {"R7451RID": 9, "R7451AID": 1, "R7451HSS": 512, "R7451RRQ": 900.0, "R7451WRQ": 90.0, "R7451SR": 1800.0}
    ranked |= {"R7451SW": 900.0, "R7451RRT": 4500.0, "R7451WRT": 900.0}
    lake.add("smf74_5_raid_extent_pool", record_id=record, R7451DVN="220A", R7451SCS=0, R7451FLG=1, **ranked)
    con = lake.connect()
    pool = one(con, "SELECT * FROM extent_pool_interval")
    assert (pool["source"], pool["volumes"], pool["read_rate"], pool["write_rate"]) == ("smf74.5", 2, 2, 1)
    assert (pool["read_ms"], pool["write_ms"], pool["read_bytes_rate"]) == (8, 8, 131072)
    rank = one(con, "SELECT * FROM rank_interval")
    assert (rank["rank"], rank["read_rate"], rank["read_ms"], rank["write_ms"]) == ("0009", 1, 5, 10)
    assert (rank["read_bytes_rate"], rank["write_bytes_rate"]) == (1024, 512)


LINK: Row = {"R748LAID": 0x0130, "R748LTYP": 5, "R748LFLG": 0}
ECKD: Row = {"R748LERO": 9000.0, "R748LERB": 900.0, "R748LERT": 4500.0, "R748LEWO": 0.0, "R748LEWB": 0.0}
COPY: Row = {"R748LPSO": 900.0, "R748LPSB": 900.0, "R748LPST": 1800.0}


def test_links_by_what_they_do() -> None:
    lake = box(Lake())
    lake.add("smf74_8_link_statistics", record_id=748, **LINK, **ECKD, **COPY)
    sync = {"R748SIID": 2, "R748STYP": 1, "R748SFLG": 0, "R748SCRO": 1800.0, "R748SCRS": 1710.0, "R748SCRT": 36.0}
    lake.add("smf74_8_sync_io_link", record_id=748, **sync, R748SCBR=90.0)
    host, send, read = all_rows(lake.connect(), "SELECT * FROM link_interval ORDER BY link DESC, operation DESC")
    assert (host["operation"], host["link"], host["link_type"]) == ("host read", "0130", "FC 8 Gb/s")
    assert (host["operation_rate"], host["bytes_rate"], host["response_ms"]) == (10, 131072, 0.5)
    assert (host["in_progress"], host["success_ratio"]) == (pytest.approx(0.005), None)
    assert (send["operation"], send["operation_rate"], send["response_ms"]) == ("copy send", 1, 2)
    assert (read["operation"], read["link_type"], read["link"]) == ("synchronous read", "optical PCIe", "0002")
    assert (read["operation_rate"], read["success_ratio"]) == (2, 0.95)
    assert read["response_ms"] == pytest.approx(0.02)


def test_a_single_operation_of_a_link_has_its_own_time() -> None:
    lake = box(Lake())
    lake.add("smf74_8_link_statistics", record_id=748, **LINK, **(ECKD | {"R748LERO": 1.0, "R748LERT": 3.0}))
    assert one(lake.connect(), "SELECT response_ms FROM link_interval") == {"response_ms": 3}


def test_a_link_with_unknown_units_has_rates_only() -> None:
    lake = box(Lake())
    lake.add("smf74_8_link_statistics", record_id=748, **(LINK | {"R748LFLG": 0xC0}), **ECKD)
    row = one(lake.connect(), "SELECT * FROM link_interval")
    assert (row["operation_rate"], row["bytes_rate"], row["response_ms"], row["in_progress"]) == (10, None, None, None)


@pytest.mark.parametrize(("flags", "is_known"), [({}, True), ({"R748SFLG": 0}, True), ({"R748SFLG": 0xC0}, False)])
@pytest.mark.parametrize("kind", ["CR", "CW", "NW"])
def test_a_synchronous_link_is_unknown_only_where_its_flags_say_so(kind: str, flags: Row, is_known: bool) -> None:
    lake = box(Lake())
    place, way = f"R748S{kind[0]}", kind[1]
    done = {f"{place}{way}O": 900.0, f"{place}{way}S": 900.0, f"{place}B{way}": 90.0, f"{place}{way}T": 18.0}
    lake.add("smf74_8_sync_io_link", record_id=748, R748SIID=2, R748STYP=1, **flags, **done)
    row = one(lake.connect(), "SELECT * FROM link_interval")
    assert row["operation_rate"] == 1
    assert [row["bytes_rate"] is not None, row["response_ms"] is not None] == [is_known, is_known]


PORT: Row = {
    "R747PADR": "1A",
    "R747PTFL": 0x40,
    "R747PSFL": 0x10,
    "R747PPFL": 0x88,
    "R747PCU": "1000",
    "R747PCUN": 2,
    "R747PNPC": 2,
    "R747PXPC": 2,
    "R747PFPT": 90_000.0,
    "R747PNWR": 450_000.0,
    "R747PNWT": 225_000.0,
    "R747PNFR": 900.0,
    "R747PNFT": 450.0,
    "R747PNER": 3.0,
}


def ports(**fields: object) -> Row:
    lake = Lake()
    lake.add("smf74_7_switch", record_id=747, R747SDEV="0061")
    lake.add("smf74_7_port", record_id=747, **(PORT | fields))
    for place, unit in enumerate(("FFFF", "1100", "1000"), 1):
        lake.add("smf74_7_connector", record_id=747, section_index=place, R747CCU=unit)
    return one(lake.connect(), "SELECT * FROM director_port_interval")


def test_a_port_of_a_director() -> None:
    row = ports()
    assert (row["director"], row["port"], row["kind"], row["online"]) == ("0061", "1A", "control units", True)
    assert (row["attached"], row["attached_units"]) == ("1000 1100", 2)
    assert (row["read_bytes_rate"], row["write_bytes_rate"]) == (2000, 1000)
    assert (row["read_frame_rate"], row["write_frame_rate"]) == (1, 0.5)
    assert (row["read_frame_bytes"], row["write_frame_bytes"]) == (2000, 2000)
    assert row["frame_pacing_ms"] == pytest.approx(90_000 * 0.0025 / 450)
    assert (row["error_count"], row["link_failed"]) == (3, False)


def test_a_channel_port_names_its_channel() -> None:
    row = ports(R747PTFL=0x20, R747PCP="5A", R747PNPC=0)
    assert (row["kind"], row["attached"], row["attached_units"]) == ("channel", "5A", None)


def test_a_port_without_statistics_has_no_numbers() -> None:
    row = ports(R747PPFL=0x20)
    assert (row["read_bytes_rate"], row["frame_pacing_ms"], row["error_count"]) == (None, None, None)
    assert row["link_failed"] is True


JOB: Row = {"record_id": 42, "S42JDJNM": "PAYROLL", "S42JDSTN": "STEP1", "S42JDWSC": "BATHI", "S42JDWLD": "BATCH"}
SET: Row = {"S42DSN": "PAY.MASTER", "S42DSVOL": "PAY001", "S42DSDEV": "2208", "S42DSSC": "SCFAST"}
MICROS: Row = {"S42DSR1U": 1000, "S42DSC1U": 300, "S42DSP1U": 100, "S42DSD1U": 200, "S42DSQ1U": 50, "S42DSM1U": 60}
COUNTS: Row = {"S42DSION": 9000, "S42DSCND": 8000, "S42DSSHTS": 6000, "S42DSWCN": 2000, "S42DSWHI": 1900}
MORE: Row = {"S42DSSEQ": 900, "S42DSRDT": 6750, "S42DSHRD": 4000, "S42DSHWR": 500, "S42DSRDD": 2, "S42DSMXR": 100}


def data_set(lake: Lake, place: int, **io: object) -> Lake:
    own = {"record_id": 42, "section_index": place}
    lake.add("smf42_6_data_set_header", **own, parent_index=1, **SET)
    lake.add("smf42_6_data_set_io", record_id=42, parent_index=place, **io)
    return lake


def jobs() -> Lake:
    lake = Lake()
    lake.add("smf42_6_job_header", S42JDCOD=1, **JOB)
    return lake


def test_a_data_set() -> None:
    lake = data_set(jobs(), 1, **COUNTS, **MORE, **MICROS, S42DSB1U=10)
    lake.add("smf42_6_access_method", record_id=42, parent_index=1, S42AMRIB=9_000_000, S42AMWIB=900_000)
    sync = {"S42SNROS": 1800, "S42SNWOS": 900, "S42SNRDU": 20, "S42SNWTU": 30, "S42SNERH": 450}
    lake.add("smf42_6_sync_io_1", record_id=42, parent_index=1, **sync)
    row = one(lake.connect(), "SELECT * FROM dataset_interval")
    assert (row["job"], row["step"], row["data_set"], row["volser"]) == ("PAYROLL", "STEP1", "PAY.MASTER", "PAY001")
    assert (row["device"], row["storage_class"], row["service_class"]) == ("02208", "SCFAST", "BATHI")
    assert (row["io_count"], row["io_rate"], row["is_closed"]) == (9000, 10, False)
    times = [row[f"{n}_ms"] for n in ("response", "conn", "pend", "disc", "wait", "cu_queue", "cmr", "device_busy")]
    assert times == pytest.approx([1, 0.3, 0.1, 0.2, 0.4, 0.05, 0.06, 0.01])
    assert (row["read_ratio"], row["hit_ratio"], row["write_hit_ratio"]) == (0.75, 0.75, 0.95)
    assert (row["sequential_ratio"], row["zhpf_ratio"], row["read_disc_ms"]) == (0.1, 0.5, pytest.approx(0.256))
    assert (row["read_bytes_rate"], row["write_bytes_rate"]) == (10_000, 1000)
    assert (row["sync_read_rate"], row["sync_write_rate"], row["total_io_rate"]) == (2, 1, 13)
    assert row["sync_eligible_rate"] == 0.5
    assert row["total_response_ms"] == pytest.approx((10 * 1 + 2 * 0.02 + 1 * 0.03) / 13)


@pytest.mark.parametrize(("eligible", "share"), [(0, 0.0), (90, 0.01), (90_000, 0.75)])
def test_zhyperlink_takes_at_least_the_eligible_hits_of_data_sets(eligible: int, share: float) -> None:
    lake = data_set(jobs(), 1, **COUNTS, **MICROS)
    lake.control(record=1)
    lake.device("2208", record=1, SMF74SER="PAY001")
    lake.cache([cache_device("2208", DVOL="PAY001", DRCR=60, DCRH=45)])
    lake.add("smf42_6_sync_io_1", record_id=42, parent_index=1, S42SNROS=0, S42SNWOS=0, S42SNERH=eligible)
    with materialised(lake.connect(), [VOLUMES.sql]) as con:
        (row,) = lake_answer(con, Change("zhyperlink")).rows
    saved_ms = (row["response_ms"] - row["after_low_ms"]) / row["share_ratio"]
    assert row["response_ms"] - row["after_high_ms"] == pytest.approx(share * saved_ms)


def test_old_sections_give_times_in_units_of_128_us() -> None:
    old = {"S42DSION": 9000, "S42DSIOR": 10, "S42DSIOC": 4, "S42DSIOP": 1, "S42DSIOD": 2}
    row = one(data_set(jobs(), 1, **old).connect(), "SELECT * FROM dataset_interval")
    assert (row["response_ms"], row["wait_ms"]) == (pytest.approx(1.28), pytest.approx(0.384))
    assert (row["sync_read_rate"], row["total_io_rate"]) == (None, 10)
    assert row["total_response_ms"] == pytest.approx(1.28)


def test_a_data_set_without_an_io_section_has_a_row_without_times() -> None:
    lake = jobs()
    lake.add("smf42_6_data_set_header", record_id=42, section_index=1, parent_index=1, **SET)
    row = one(lake.connect(), "SELECT job, data_set, io_count, response_ms FROM dataset_interval")
    assert row == {"job": "PAYROLL", "data_set": "PAY.MASTER", "io_count": None, "response_ms": None}


def test_entries_of_one_data_set_are_weighted_by_their_ios() -> None:
    lake = data_set(data_set(jobs(), 1, S42DSION=900, S42DSR1U=1000), 2, S42DSION=2700, S42DSR1U=5000)
    row = one(lake.connect(), "SELECT io_rate, response_ms FROM dataset_interval")
    assert row == {"io_rate": 4, "response_ms": 4}


def test_extended_channel_sections_are_matched_by_the_channel_they_name() -> None:
    lake = Lake()
    channel = {"SMF73FG2": 1, "SMF73FG3": 1, "SMF73FG4": 2, "SMF73FG5": 0, "SMF73CMG": 2, "SMF73PTI": 878906}
    for place, path in enumerate(("50", "51"), 1):
        # an index that counts from 0 would point at the wrong section
        row = {"section_index": place, "SMF73PID": path, "SMF73EIX": place - 1}
        lake.add("smf73_channel_data", record_id=73, **channel, **row)
        own = {"SMF73ECP": path, "SMF73EOC": 900 * place, "SMF73ETC": 0}
        lake.add("smf73_extended", record_id=73, section_index=place, **own)
    rates = query(lake.connect(), "SELECT channel_path, operation_rate FROM channel_interval ORDER BY ALL").to_pylist()
    assert [(r["channel_path"], round(r["operation_rate"], 3)) for r in rates] == [("50", 1), ("51", 2)]


def test_start_is_the_intervals() -> None:
    assert one(box(Lake()).connect(), "SELECT interval_start FROM rank_interval")["interval_start"] == START


def test_the_largest_numbers_of_a_damaged_section_leave_the_others_readable() -> None:
    """All bits set in two fields of four bytes: their product does not fit in eight."""
    lake = data_set(jobs(), 1, **dict.fromkeys(COUNTS | MORE | MICROS | {"S42DSB1U": 0}, 0xFFFFFFFF))
    sync = dict.fromkeys(("S42SNROS", "S42SNWOS", "S42SNRDU", "S42SNWTU"), 0xFFFFFFFF)
    lake.add("smf42_6_sync_io_1", record_id=42, parent_index=1, **sync)
    lake.add("smf42_6_data_set_header", record_id=42, section_index=2, parent_index=1, **SET | {"S42DSN": "PAY.GOOD"})
    lake.add("smf42_6_data_set_io", record_id=42, parent_index=2, S42DSION=9000, S42DSR1U=1000)
    rows = all_rows(lake.connect(), "SELECT * FROM dataset_interval ORDER BY data_set")
    assert [(r["data_set"], r["io_rate"], r["response_ms"]) for r in rows] == [
        ("PAY.GOOD", 10, 1),
        ("PAY.MASTER", 0xFFFFFFFF / 900, None),
    ]
