"""device_interval from type 74.1: formulas by hand, every voiding flag, zero divisors."""

import pytest
from sql_lake import Lake, Row, all_rows, one

TIMES = ("pend_ms", "cmr_ms", "device_busy_ms", "disc_ms", "conn_ms")
SUMS = ("service_ms", "response_ms", "in_service")
COUNTED = ("io_rate", *TIMES, *SUMS, "wait_ms", "queue_length", "connect_ratio", "busy_ratio", "measured_count")
SAMPLED = ("reserved_ratio", "allocated_ratio")
ONLINE = 0x01


def device(control: Row | None = None, **fields: object) -> Row:
    lake = Lake()
    lake.control(**(control or {}))
    lake.device("2208", **fields)
    return one(lake.connect(), "SELECT * FROM device_interval")


def test_known_answers() -> None:
    row = device(SMF74QUE=1800, SMF74RSV=90, SMF74UTL=45, SMF74SER="PAY001", SMF74SGN="DB2")
    assert (row["platform"], row["system"], row["device"], row["lcu"]) == ("z/OS", "SYSA", "02208", "0012")
    assert (row["volser"], row["storage_group"], row["device_type"]) == ("PAY001", "DB2", "33909")
    assert (row["control_unit_type"], row["device_class"], row["utc_offset_s"]) == ("2107", "dasd", 3600)
    assert row["io_rate"] == 10
    assert row["pend_ms"] == pytest.approx(14062 * 0.128 / 9000)
    assert row["cmr_ms"] == pytest.approx(7031 * 0.128 / 9000)
    assert row["disc_ms"] == pytest.approx(0.4)
    assert row["conn_ms"] == pytest.approx(0.4)
    assert row["service_ms"] == pytest.approx(1.0, abs=1e-4)
    # 1800 queued over 900 samples: mean queue 2; 2 waiting at 10/s wait 200 ms each
    assert row["wait_ms"] == pytest.approx(200)
    assert row["queue_length"] == pytest.approx(2)
    assert (row["wait_source"], row["source"]) == ("sampled", "smf74.1")
    assert row["response_ms"] == pytest.approx(201, abs=1e-4)
    assert row["in_service"] == pytest.approx(0.01, abs=1e-6)
    assert row["connect_ratio"] == pytest.approx(0.004)
    assert row["busy_ratio"] == pytest.approx(0.008 + 0.05)
    assert row["reserved_ratio"] == pytest.approx(0.1)


def test_averages_divide_by_measured_events_not_by_starts() -> None:
    row = device(SMF74SSC=9000, SMF74MEC=4500)
    assert row["io_rate"] == 10
    assert row["disc_ms"] == pytest.approx(28125 * 0.128 / 4500)
    assert row["measured_count"] == 4500


def test_measured_wait_is_preferred_to_the_sampled_one() -> None:
    row = device(SMF74IOS=9_000_000.0, SMF74QUE=1800)
    assert row["wait_ms"] == pytest.approx(1.0)
    assert row["wait_source"] == "measured"


def test_offline_device_keeps_its_identity_and_nothing_else() -> None:
    row = device(SMF74CNF=0x00)
    assert row["online"] is False
    assert row["device"] == "02208"
    assert all(row[c] is None for c in (*COUNTED, *SAMPLED, "exposures", "wait_source"))


@pytest.mark.parametrize(
    ("fields", "void", "kept"),
    [
        ({"SMF74CNF": ONLINE | 0x02}, (*COUNTED, *SAMPLED), ()),
        ({"SMF74CNF": ONLINE | 0x20}, COUNTED, SAMPLED),
        ({"SMF74CNX": 0x40}, ("disc_ms", *SUMS, "busy_ratio"), ("pend_ms", "conn_ms", "connect_ratio", "wait_ms")),
        ({"SMF74CNX": 0x04}, ("conn_ms", "connect_ratio", "busy_ratio", *SUMS), ("pend_ms", "disc_ms", "wait_ms")),
        ({"SMF74CNX": 0x08}, (*TIMES, *SUMS, "connect_ratio"), ("io_rate", "wait_ms", "queue_length")),
        ({"SMF74CNF": ONLINE | 0x80}, ("wait_ms", "response_ms", "queue_length", "wait_source"), ("service_ms",)),
        ({"SMF74CNF": ONLINE | 0x40}, ("lcu",), COUNTED),
        ({"SMF74MEC": 0}, (*TIMES, *SUMS), ("io_rate", "wait_ms", "connect_ratio")),
        ({"SMF74SSC": 0, "SMF74MEC": 900}, ("wait_ms", "response_ms"), ("io_rate", "service_ms")),
        ({"interval_s": 0.0}, ("io_rate", "wait_ms", "connect_ratio", "busy_ratio"), ("service_ms",)),
        ({"samples": 0}, (*SAMPLED, "wait_ms", "busy_ratio"), ("io_rate", "service_ms", "connect_ratio")),
    ],
    ids=["VAC", "CMB", "DDT", "CNI", "NTF", "QLI", "LCD", "MEC=0", "SSC=0", "INT=0", "SAM=0"],
)
def test_flags_and_zero_divisors_void_exactly_what_they_should(
    fields: Row, void: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    row = device(**fields)
    assert {c for c in void if row[c] is not None} == set()
    assert {c for c in kept if row[c] is None} == set()


def test_command_response_needs_the_facility() -> None:
    assert device(control={"SMF74ENF": 0x10})["cmr_ms"] is None


@pytest.mark.parametrize(
    ("fields", "role", "exposures", "hyper"),
    [
        ({"SMF74CNX": 0x00, "SMF74NUX": 0}, "single", 1, False),
        ({"SMF74CNX": 0x20, "SMF74NUX": 3}, "base", 3, False),
        ({"SMF74CNX": 0x20, "SMF74NUX": 0}, "base", None, False),
        ({"SMF74CNX": 0x22, "SMF74NUX": 1350, "SMF74PSM": 900}, "base", 1.5, True),
        ({"SMF74CNX": 0x22, "SMF74NUX": 0, "SMF74PSM": 0}, "base", None, True),
        ({"SMF74CNX": None}, "unknown", None, None),
    ],
    ids=["single", "PAV", "no count", "HyperPAV", "no PAV sample", "short section"],
)
def test_exposures(fields: Row, role: str, exposures: float | None, hyper: bool | None) -> None:
    row = device(**fields)
    assert (row["role"], row["exposures"], row["is_hyperpav"]) == (role, exposures, hyper)


def test_short_section_has_subchannel_set_0() -> None:
    assert device(SMF74SCS=None)["device"] == "02208"


def test_subchannel_set_leads_the_device_number() -> None:
    assert device(SMF74SCS=1)["device"] == "12208"


def test_device_class_comes_from_the_same_record() -> None:
    lake = Lake()
    lake.control(record=1)
    lake.control(record=2, device_class="0080")
    lake.device("2208", record=1)
    lake.device("0580", record=2, SMF74MTC=4)
    rows = all_rows(lake.connect(), "SELECT device, device_class, mount_count FROM device_interval ORDER BY device")
    assert rows == [
        {"device": "00580", "device_class": "tape", "mount_count": 4},
        {"device": "02208", "device_class": "dasd", "mount_count": None},
    ]


def test_a_control_section_per_piece_does_not_double_the_devices() -> None:
    lake = Lake()
    lake.control()
    lake.control()
    lake.device("2208")
    one(lake.connect(), "SELECT * FROM device_interval")


@pytest.mark.parametrize(
    "damage",
    [
        {"SMF74SSC": 100_001 * 900},
        {"SMF74PEN": round(261 * 900 / 0.000128)},
        {"SMF74CNN": 78_126 * 9000},
        {"SMF74DIS": 78_126 * 9000},
    ],
    ids=["starts", "pend of more exposures than there can be", "conn above 10 s", "disc above 10 s"],
)
def test_what_no_device_can_do_is_not_shown(damage: Row) -> None:
    row = device(SMF74RSV=90, **damage)
    assert all(row[c] is None for c in (*COUNTED, "total_io_rate", "total_response_ms", "open_exchanges"))
    assert row["reserved_ratio"] == 0.1, "samples are counted by somebody else"


def test_a_share_of_samples_is_never_above_one() -> None:
    row = device(SMF74RSV=901, SMF74UTL=901, SMF74ALC=901, SMF74NRD=901, SMF74MTP=901)
    shares = ("reserved_ratio", "busy_ratio", "allocated_ratio", "not_ready_ratio", "mount_pending_ratio")
    assert [row[c] for c in shares] == [None] * 5
    assert row["io_rate"] == 10
