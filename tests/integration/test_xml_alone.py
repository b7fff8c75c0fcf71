"""RMF XML of z/OS 2.5 as the only input: what the views and the advice make of it."""

from collections.abc import Iterator
from pathlib import Path

import lakes
import pytest

import iosq

GOLDEN = lakes.ROOT / "tests" / "golden" / "rmf"
FILES = {f"{name}.xml": (GOLDEN / f"xml-{name}.xml").read_bytes() for name in ("device", "cache", "ioq", "chan")}
CACHE = "SELECT * FROM cache_subsystem_interval WHERE subsystem = '7A00'"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lake, _ = lakes.filled(tmp_path_factory.mktemp("xml"), FILES)
    return lake.path


@pytest.fixture(scope="module")
def lake(folder: Path) -> Iterator[iosq.Lake]:
    yield iosq.open(folder)


def rows(lake: iosq.Lake, sql: str) -> list[lakes.Row]:
    return lakes.rows(lake.connection(), sql)


def test_requests_are_those_of_the_total_row(lake: iosq.Lake) -> None:
    (row,) = rows(lake, CACHE)
    assert (row["read_count"], row["write_count"], row["read_rate"], row["write_rate"]) == (90_000, 30_600, 100, 34)
    assert row["sequential_ratio"] == pytest.approx(12_600 / 120_600)
    assert row["nvs_delay_ratio"] == pytest.approx(1_800 / 30_600)
    assert row["nvs_active"] is True


def test_volumes_of_a_subsystem_have_reads_and_writes(lake: iosq.Lake) -> None:
    (row,) = rows(lake, "SELECT * FROM cache_interval WHERE volser = 'D7A001'")
    assert (row["read_rate"], row["write_rate"]) == (pytest.approx(100.5 * 0.746), pytest.approx(100.5 * 0.254))
    assert (row["stage_rate"], row["nvs_delay_rate"], row["destage_rate"]) == (7.0, 1.5, 12.0)
    assert row["fast_write_active"] is True


def test_parts_of_the_response_time_add_up(lake: iosq.Lake) -> None:
    (row,) = rows(lake, "SELECT * FROM device_interval WHERE volser = 'DB0001'")
    assert (row["wait_ms"], row["pend_ms"], row["disc_ms"], row["conn_ms"]) == (0.42, 0.18, 0.31, 0.4)
    assert (row["connect_ratio"], row["allocated_ratio"]) == (pytest.approx(0.033), 1)
    assert (row["role"], row["exposures"], row["is_hyperpav"]) == ("base", 5, True)
    (offline,) = rows(lake, "SELECT * FROM device_interval WHERE device = '07A03'")
    assert (offline["online"], offline["response_ms"], offline["io_rate"]) == (False, None, None)


def test_every_path_and_queue_belongs_to_its_lcu(lake: iosq.Lake) -> None:
    paths = rows(lake, "SELECT lcu, channel_path, online, taken_rate FROM lcu_path_interval ORDER BY 1, 2")
    assert [tuple(row.values()) for row in paths] == [
        ("00B3", "44", True, 140), ("00B3", "52", True, 135), ("00B3", "60", True, 275), ("00B3", "61", False, None),
        ("00B4", "44", True, 12), ("00B4", "52", True, 13),
    ]  # fmt: skip
    queues = rows(lake, "SELECT lcu, contention_rate, css_delay_ms, open_exchanges FROM lcu_queue ORDER BY 1")
    assert [tuple(row.values()) for row in queues] == [("00B3", 3.2, 0.3, 4.1), ("00B4", 0, 0.1, 0.2)]
    (iop,) = rows(lake, "SELECT * FROM iop_interval WHERE iop = '00'")
    assert (iop["busy_ratio"], iop["queue_length"], iop["retried_device_ratio"]) == (pytest.approx(0.084), 0.04, 0.01)
    assert [r["alias_group"] for r in rows(lake, "SELECT alias_group FROM lcu_extra ORDER BY lcu")] == [
        None,
        "00000005",
    ]


def test_channels_have_speed_and_say_whether_they_are_shared(lake: iosq.Lake) -> None:
    sql = "SELECT channel_path, online, is_shared, speed_bits_rate FROM channel_interval ORDER BY 1"
    assert [tuple(row.values()) for row in rows(lake, sql)] == [
        ("0A", True, True, 1e9), ("0C", True, True, 1e8), ("44", True, True, 16e9), ("52", True, False, 16e9),
        ("61", False, True, None), ("F2", True, True, None),
    ]  # fmt: skip
    (row,) = rows(lake, "SELECT * FROM channel_interval WHERE channel_path = '44'")
    assert (row["busy_ratio"], row["partition_busy_ratio"]) == (pytest.approx(0.186), pytest.approx(0.042))
    assert (row["read_bytes_rate"], row["partition_write_bytes_rate"]) == (110.2e6, 8.4e6)
    (sockets,) = rows(lake, "SELECT * FROM channel_interval WHERE channel_path = 'F2'")
    assert (sockets["write_bytes_rate"], sockets["partition_write_bytes_rate"]) == (500e3, 125e3)


def test_an_exhausted_pool_of_aliases_is_found(lake: iosq.Lake) -> None:
    (row,) = rows(lake, "SELECT alias_denied_ratio, alias_high_water FROM lcu_interval")
    assert tuple(row.values()) == (0.18, 24)
    dry = [f for f in lake.advise("pav") if f.code == "alias_pool_dry"]
    assert len(dry) == 1 and dry[0].subject.names == ("00B3",)


def test_active_nvs_is_not_off(lake: iosq.Lake) -> None:
    assert not [f for f in lake.findings() if f.code == "cache_off"]


@pytest.mark.parametrize(
    ("word", "active"),
    [("aCTIVE", True), ("Pending due to error", False), ("Disabled for maintenance", False), ("On", None)],
)
def test_a_state_is_off_only_by_a_word_that_says_so(word: str, active: bool | None, tmp_path: Path) -> None:
    text = FILES["cache.xml"].replace(
        b"<name>Non-Volatile Storage</name><value>Active", b"<name>Non-Volatile Storage</name><value>" + word.encode()
    )
    lake, _ = lakes.filled(tmp_path, {"cache.xml": text})
    con = lakes.opened(lake)
    assert [r["nvs_active"] for r in lakes.rows(con, CACHE)] == [active]
    issues = lakes.rows(con, "SELECT message FROM lake_issues WHERE code = 'unknown_word'")
    assert bool(issues) == (active is None)
