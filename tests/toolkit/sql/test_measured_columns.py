"""What 74.1 and 78.3 say next to rate and service: synchronous I/O, allocation, paths, queues, lending."""

import pytest
from sql_lake import Lake, Row, all_rows, cache_device, one

# 900 s: 1800 reads of 20 us and 900 writes of 30 us succeed; 300 of 3000 requests do not
SYNC: Row = {
    "SMF74CN2": 0x30,
    "SMF74SQR": 1800.0,
    "SMF74SQW": 900.0,
    "SMF74SPR": 1800 * 40.0,
    "SMF74SPW": 900 * 60.0,
    "SMF74SBR": 1800 * 4096.0,
    "SMF74SBW": 900 * 8192.0,
    "SMF74SLBR": 60.0,
    "SMF74SLBW": 30.0,
    "SMF74SCMR": 90.0,
    "SMF74SNIS": 30.0,
    "SMF74STOR": 15.0,
    "SMF74STOW": 15.0,
    "SMF74SOR": 45.0,
    "SMF74SOW": 15.0,
}


def lake(control: Row | None = None, **fields: object) -> Lake:
    made = Lake()
    made.control(**(control or {}))
    made.device("2208", SMF74IOS=0.0, **fields)
    return made


@pytest.mark.parametrize("view", ["device_interval", "volume_interval"])
def test_synchronous_io_stands_apart_and_together(view: str) -> None:
    row = one(lake(**SYNC).connect(), f"SELECT * FROM {view}")
    assert (row["is_sync_capable"], row["io_rate"]) == (True, 10)
    assert (row["sync_read_rate"], row["sync_write_rate"]) == (2, 1)
    assert (row["sync_read_ms"], row["sync_write_ms"]) == (pytest.approx(0.020), pytest.approx(0.030))
    assert (row["sync_read_bytes_rate"], row["sync_write_bytes_rate"]) == (8192, 8192)
    assert row["sync_request_rate"] == pytest.approx(3000 / 900)
    assert row["sync_success_ratio"] == pytest.approx(2700 / 3000)
    assert row["sync_link_busy_ratio"] == pytest.approx(90 / 3000)
    assert row["sync_miss_ratio"] == pytest.approx(120 / 3000)
    assert (row["sync_read_reject_ratio"], row["sync_write_reject_ratio"]) == pytest.approx((60 / 3000, 30 / 3000))
    assert row["total_io_rate"] == 13
    # 10/s at the normal response, 2/s at 0.02 ms, 1/s at 0.03 ms
    assert row["total_response_ms"] == pytest.approx((10 * row["response_ms"] + 0.04 + 0.03) / 13)


def test_shares_of_all_outcomes_add_up_to_one() -> None:
    row = one(lake(**SYNC).connect(), "SELECT * FROM device_interval")
    parts = ("success", "link_busy", "miss", "read_reject", "write_reject")
    assert sum(row[f"sync_{p}_ratio"] for p in parts) == pytest.approx(1)


def test_throttled_ios_are_counted_unless_the_counts_are_void() -> None:
    made = lake(SMF74ATD=12)
    made.device("2209", SMF74ATD=30)
    made.device("220A", SMF74ATD=99, SMF74CNF=0x21)
    rows = all_rows(made.connect(), "SELECT alias_throttled_count FROM device_interval ORDER BY device")
    assert [r["alias_throttled_count"] for r in rows] == [12, 30, None]


@pytest.mark.parametrize("view", ["device_interval", "volume_interval"])
def test_without_synchronous_fields_the_total_is_the_normal_io(view: str) -> None:
    row = one(lake().connect(), f"SELECT * FROM {view}")
    assert (row["sync_read_rate"], row["sync_success_ratio"], row["sync_request_rate"]) == (None, None, None)
    assert (row["total_io_rate"], row["total_response_ms"]) == (row["io_rate"], pytest.approx(row["response_ms"]))


def test_a_volume_with_synchronous_io_only_has_its_response() -> None:
    idle = {"SMF74SSC": 0, "SMF74MEC": 0, "SMF74PEN": 0, "SMF74DIS": 0, "SMF74CNN": 0}
    row = one(lake(**(SYNC | idle)).connect(), "SELECT * FROM device_interval")
    assert (row["io_rate"], row["response_ms"]) == (0, None)
    assert (row["total_io_rate"], row["total_response_ms"]) == (3, pytest.approx((0.04 + 0.03) / 3))


def test_an_offline_device_has_no_synchronous_io() -> None:
    row = one(lake(SMF74CNF=0, **SYNC).connect(), "SELECT * FROM device_interval")
    assert all(row[c] is None for c in row if c.startswith(("sync_", "total_"))), row


def test_samples_and_delays() -> None:
    counted = {"SMF74NDA": 2700, "SMF74NRD": 90, "SMF74MTP": 45, "SMF74IDT": 9000, "SMF74CUQ": 18000, "SMF74CAP": 30051}
    row = one(lake({"SMF74ENF": 0x30}, **counted).connect(), "SELECT * FROM device_interval")
    assert (row["allocations"], row["not_ready_ratio"], row["mount_pending_ratio"]) == (3, 0.1, 0.05)
    assert (row["interrupt_delay_ms"], row["cu_queue_ms"]) == (pytest.approx(0.128), pytest.approx(0.256))
    assert row["cylinders"] == 30051
    # 7031, 28125 and 28125 units of 128 us in 900 s
    assert row["open_exchanges"] == pytest.approx(63281 * 0.000128 / 900)


def test_the_interrupt_delay_needs_its_flag() -> None:
    row = one(lake(SMF74IDT=9000, SMF74CAP=0).connect(), "SELECT * FROM device_interval")
    assert (row["interrupt_delay_ms"], row["cylinders"]) == (None, None)


# a static path with 9000 starts, 900 busy ports, 100 busy control units; 2000 transport writes, 500 of them unready
PATH: Row = {
    "R783CPID": "4A",
    "R783CPST": 0xC0,
    "R783CPXF": 0xA0,
    "R783PT": 9000,
    "R783DPB": 900,
    "R783CUB": 100,
    "R783CBT": 9000,
    "R783CMR": 18000,
    "R783SBS": 7,
    "R783CTMW": 2000,
    "R783CTRD": 500,
    "R783CPAT": 1,
}
QUEUE: Row = {
    "R783ID2": "0012",
    "R783DST": 0,
    "R783DSTX": 0x80,
    "R783QCT": 450,
    "R783QSM": 600,
    "R783CSST": 4500,
    "R783DCTM": 700_000,
    "R783DDTM": 300_000,
}
GLOBAL: Row = {"record_id": 78, "R783GFLG": 0x06, "R783GFLX": 0x20, "R783CFL": 0}


def queuing(**changes: object) -> Lake:
    made = lake()
    made.add("smf78_3_global", **(GLOBAL | {k: v for k, v in changes.items() if k in GLOBAL}))
    made.add("smf78_3_config_control", record_id=78, R783ID1="0012")
    made.add("smf78_3_config_data", record_id=78, parent_index=1, **PATH)
    made.add("smf78_3_data", record_id=78, **(QUEUE | {k: v for k, v in changes.items() if k in QUEUE}))
    return made


def test_queues_and_paths_of_a_control_unit() -> None:
    row = one(queuing().connect(), "SELECT * FROM lcu_interval")
    assert row["css_delay_ms"] == pytest.approx(4500 * 0.128 / 9000)
    assert (row["contention_rate"], row["delay_queue_length"]) == (0.5, pytest.approx(150 / 450))
    assert row["path_taken_rate"] == 10
    assert (row["director_port_busy_ratio"], row["cu_busy_ratio"]) == (0.09, 0.01)
    assert row["cu_busy_delay_ms"] == pytest.approx(0.128)
    assert row["open_exchanges"] == pytest.approx(1_018_000 * 0.000128 / 900)
    assert row["transfer_concurrency"] == pytest.approx(700_000 * 0.000128 / 900)
    assert (row["transport_write_ratio"], row["ready_disabled_write_ratio"]) == (pytest.approx(2 / 9), 0.25)


@pytest.mark.parametrize(
    ("changes", "void", "kept"),
    [
        ({"R783GFLG": 0x80}, ("css_delay_ms", "contention_rate", "path_taken_rate"), ("io_rate",)),
        ({"R783DST": 0x80}, ("contention_rate", "delay_queue_length"), ("css_delay_ms", "cu_busy_ratio")),
        ({"R783DSTX": 0}, ("open_exchanges", "transfer_concurrency"), ("css_delay_ms",)),
    ],
    ids=["GCMF", "NHMA", "no FICON"],
)
def test_flags_void_queue_columns(changes: Row, void: tuple[str, ...], kept: tuple[str, ...]) -> None:
    row = one(queuing(**changes).connect(), "SELECT * FROM lcu_interval")
    assert [row[c] for c in void] == [None] * len(void)
    assert all(row[c] is not None for c in kept)


def test_managed_channels_count_for_the_control_unit_but_have_no_path_row() -> None:
    made = queuing()
    made.rows["smf78_3_data"][0] |= {"R783PTM": 1000, "R783DPBM": 0, "R783CUBM": 0, "R783CBTM": 1000, "R783CMRM": 0}
    con = made.connect()
    row = one(con, "SELECT * FROM lcu_interval")
    assert row["path_taken_rate"] == pytest.approx(10000 / 900)
    assert row["cu_busy_delay_ms"] == pytest.approx(10000 * 0.128 / 10000)
    assert [r["channel_path"] for r in all_rows(con, "SELECT * FROM lcu_path_interval")] == ["4A"]


def test_a_path_gives_what_it_met() -> None:
    row = one(queuing().connect(), "SELECT * FROM lcu_path_interval")
    assert (row["director_port_busy_ratio"], row["cu_busy_ratio"]) == (0.09, 0.01)
    assert (row["cu_busy_delay_ms"], row["switch_busy_count"]) == (pytest.approx(0.128), 7)
    assert (row["transport_write_ratio"], row["ready_disabled_write_ratio"]) == (pytest.approx(2 / 9), 0.25)
    assert row["preference"] == "preferred"


def test_refusals_may_outnumber_the_ios() -> None:
    made = lake(SMF74CNX=0x22, SMF74HPC=4)
    made.add("smf78_3_data", record_id=78, R783ID2="0012", R783DST=3, R783HIX=1, R783HCNT=1)
    pool = {"R783HLCU": "0012", "R783HTIO": 1000.0, "R783HNAI": 2034.0, "R783XANC": 3000.0, "R783XAUC": 966.0}
    lent = {"R783XNHC": 2500.0, "R783XABC": 466.0, "R783XALC": 12.0, "R783XHLC": 3, "R783XNAG": 2034.0}
    made.add("smf78_3_hyperpav", record_id=78, **pool, **lent)
    row = one(made.connect(), "SELECT * FROM lcu_interval")
    assert row["alias_denied_ratio"] == pytest.approx(2.034)
    assert (row["alias_used_count"], row["alias_home_empty_count"], row["alias_borrowed_count"]) == (966, 2500, 466)
    assert (row["alias_loaned_count"], row["alias_loaned_high_water"], row["alias_not_lent_count"]) == (12, 3, 2034)


PROCESSOR: Row = {
    "R783IQID": "0003",
    "R783IFLG": 0,
    "R783IQCT": 9000,
    "R783IQSM": 10800,
    "R783IIPB": 300_000.0,
    "R783IIPI": 700_000.0,
    "R783IIFS": 9000.0,
    "R783IPII": 18000.0,
    "R783ICPB": 400.0,
    "R783IDPB": 300.0,
    "R783ICUB": 200.0,
    "R783IDVB": 100.0,
    "R783ISCB": 50_000.0,
    "R783IECB": 100_000.0,
}


def processor(flags: int = 0x06) -> Row:
    made = Lake()
    made.add("smf78_3_global", **(GLOBAL | {"R783GFLG": flags}))
    made.add("smf78_3_iop", record_id=78, parent_index=1, **PROCESSOR)
    return one(made.connect(), "SELECT * FROM iop_interval")


def test_an_io_processor() -> None:
    row = processor()
    assert (row["iop"], row["queue_rate"], row["queue_length"]) == ("03", 10, pytest.approx(0.2))
    assert (row["busy_ratio"], row["compression_busy_ratio"], row["scm_busy_ratio"]) == (0.3, 0.1, 0.05)
    assert (row["start_rate"], row["interrupt_rate"]) == (10, 20)
    retried = [row[f"retried_{n}ratio"] for n in ("", "path_", "director_", "cu_", "device_")]
    assert retried == pytest.approx([0.1, 0.04, 0.03, 0.02, 0.01])
    assert row["retries_per_start"] == pytest.approx(1000 / 9000)


DEVICE_COUNTERS = [
    "SMF74SSC",
    "SMF74MEC",
    "SMF74PEN",
    "SMF74DIS",
    "SMF74CNN",
    "SMF74ATV",
    "SMF74DVB",
    "SMF74CMR",
    "SMF74QUE",
    "SMF74UTL",
]


def test_flags_void_processor_columns() -> None:
    unmeasured, unqueued = processor(0x02), processor(0x26)
    assert (unmeasured["busy_ratio"], unmeasured["start_rate"], unmeasured["queue_rate"]) == (None, None, 10)
    assert (unqueued["busy_ratio"], unqueued["queue_rate"], unqueued["queue_length"]) == (0.3, None, None)


def test_what_the_box_counts_of_a_device() -> None:
    made = Lake()
    record = made.cache([cache_device("2208", DRCR=900.0, DWRC=450.0, DVS1=0x08)])
    transfer = {"R7451CT3": 90.0, "R7451CT4": 45.0, "R7451CT5": 450.0, "R7451CT6": 90.0, "R7451ZHL": 9.0}
    sync = {"R7451SRR": 1800.0, "R7451SRH": 1620.0, "R7451SWR": 900.0, "R7451SWH": 900.0}
    copy = {"R7451TSP": 4500.0, "R7451XSF": 90.0, "R7451XCW": 9.0, "R7451GSF": 18.0, "R7451GSS": 27.0}
    names = {"R7451DVN": "2208", "R7451SCS": 0, "R7451INC": 0x19, "R7451FLG": 2, "R7452XID": 10}
    made.add("smf74_5_raid_extent_pool", record_id=record, **names, **transfer, **sync, **copy)
    row = one(made.connect(), "SELECT * FROM cache_interval")
    assert (row["extent_pool"], row["rank"], row["mirror_state"]) == ("000A", None, "suspended")
    assert (row["host_read_ms"], row["host_write_ms"]) == (1.6, 1.6)
    assert (row["zhpf_read_rate"], row["zhpf_write_rate"], row["list_prefetch_rate"]) == (0.5, 0.1, 0.01)
    assert (row["sync_read_request_rate"], row["sync_read_hit_ratio"]) == (2, 0.9)
    assert (row["sync_write_request_rate"], row["sync_write_hit_ratio"]) == (1, 1)
    assert (row["mirrored_track_rate"], row["sidefile_read_rate"], row["contaminating_write_rate"]) == (5, 0.1, 0.01)
    assert (row["global_mirror_sidefile_rate"], row["global_mirror_sync_rate"]) == (0.02, 0.03)


def test_what_did_nothing_has_no_mean_and_nothing_impossible() -> None:
    """Times of no I/Os are no numbers, and no damage either."""
    made = Lake()
    record = made.cache([cache_device("2208")])
    counters = [
        f"R7451{n}"
        for n in ["CT3", "CT4", "CT5", "CT6", "ZHL", "SRR", "SRH", "SWR", "SWH", "TSP", "XSF", "XCW", "GSF", "GSS"]
    ]
    of_rank = [f"R7452{n}" for n in ("PRO", "PWO", "PRT", "PWT", "PBR", "PBW")]
    names = {"R7451DVN": "2208", "R7451SCS": 0, "R7451INC": 0x19, "R7451FLG": 2, "R7452XID": 10}
    made.add("smf74_5_raid_extent_pool", record_id=record, **names, **dict.fromkeys(counters + of_rank, 0.0))
    made.device("2208", **dict.fromkeys(DEVICE_COUNTERS, 0))
    con = made.connect()
    (row,) = all_rows(con, "SELECT * FROM cache_interval")
    assert {row[f"{where}_{what}_ms"] for where in ("host", "disk") for what in ("read", "write")} == {None}
    assert all_rows(con, "SELECT view_name, column_name, found FROM impossible_value") == []


def test_a_volume_knows_its_extent_pool() -> None:
    made = lake()
    record = made.cache([cache_device("2208", DRCR=900.0)])
    made.add("smf74_5_raid_extent_pool", record_id=record, R7451DVN="2208", R7451SCS=0, R7451FLG=2, R7452XID=3)
    assert one(made.connect(), "SELECT extent_pool FROM volume_interval") == {"extent_pool": "0003"}


def test_systems_that_share_a_volume_add_their_synchronous_io() -> None:
    made = Lake()
    for record, system, share in ((1, "SYSA", 1), (2, "SYSB", 3)):
        made.control(record=record, system=system)
        counts = {name: value * share for name, value in SYNC.items() if name != "SMF74CN2"}
        # a read takes SYSB twice as long
        counts["SMF74SPR"] *= 1 if system == "SYSA" else 2
        made.device("2208", record=record, system=system, SMF74IOS=0.0, SMF74CAP=30051, **counts)
    con = made.connect()
    row = one(con, "SELECT * FROM shared_volume_interval")
    assert (row["systems"], row["io_rate"], row["cylinders"]) == (2, 20, 30051)
    assert (row["sync_read_rate"], row["sync_write_rate"], row["total_io_rate"]) == (8, 4, 32)
    assert row["sync_read_ms"] == pytest.approx((2 * 0.02 + 6 * 0.04) / 8)
    assert row["sync_write_ms"] == pytest.approx(0.03)
    assert row["sync_success_ratio"] == pytest.approx(0.9)
    spent = sum(r["total_io_rate"] * r["total_response_ms"] for r in all_rows(con, "SELECT * FROM volume_interval"))
    assert row["total_response_ms"] == pytest.approx(spent / 32), "time is conserved"
