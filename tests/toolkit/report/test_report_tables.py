"""Tables an analyst looks for: what each says of rows whose answers are known."""

from typing import Any

import pytest
from advise_rows import at, box, database, delay, volume

from iosq.toolkit.report.table import tables


def given(name: str, **rows: Any) -> list[dict[str, Any]]:
    table = next(t for t in tables() if t.name == name)
    answer: list[dict[str, Any]] = database(**rows).execute(table.sql).to_arrow_table().to_pylist()
    assert answer or not rows
    return answer


def test_synchronous_io_stands_next_to_the_normal_one() -> None:
    sync = {"sync_read_rate": 90.0, "sync_write_rate": 10.0, "sync_read_ms": 0.02, "sync_write_ms": 0.03}
    sync |= {"sync_read_bytes_rate": 3e6, "sync_write_bytes_rate": 1e6, "sync_request_rate": 125.0}
    sync |= {"sync_success_ratio": 0.8, "sync_miss_ratio": 0.1, "sync_link_busy_ratio": 0.04}
    sync |= {"sync_read_reject_ratio": 0.05, "sync_write_reject_ratio": 0.01}
    both = sync | {"total_io_rate": 200.0, "total_response_ms": 0.5105}
    rows = [volume(0, "ZHL001", **both), volume(1, "ZHL001", **(both | {"sync_read_ms": 0.04})), volume(0, "PLAIN1")]
    (row,) = given("synchronous", volume_interval=rows)
    assert (row["volume"], row["read_rate"], row["write_rate"], row["mb"]) == ("ZHL001", 90, 10, 4)
    assert (row["read_ms"], row["write_ms"]) == (pytest.approx(0.03), pytest.approx(0.03))
    shares = [row[f"{n}_percent"] for n in ("success", "miss", "link_busy", "reject")]
    assert shares == pytest.approx([80, 10, 4, 6])
    assert (row["io_rate"], row["response_ms"], row["total_response_ms"]) == (100, 1.0, pytest.approx(0.5105))


def test_disconnect_is_shown_with_its_sources() -> None:
    # 100 I/Os a second of 0.5 ms disconnect; 10 misses a second of 3 ms from disk are 30 of 50 ms a second
    at_ssid = {"interval_start": at(0), "subsystem": "2010"}
    cache = at_ssid | {"read_count": 45_000.0, "read_hit_count": 36_000.0, "bypass_rate": 2.0, "serial": "00AB121"}
    disk = {"disk_read_ms": 3.0, "disk_read_rate": 10.0, "mirrored_track_rate": 4.0}
    mirrored = [
        at_ssid | disk | {"device": f"0010{n}", "mirror_state": s} for n, s in enumerate(("full duplex", "suspended"))
    ]
    (row,) = given(
        "disconnect",
        volume_interval=[volume(0, subsystem="2010")],
        cache_subsystem_interval=[cache | {"control_unit_type": "002107"}],
        cache_interval=mirrored,
        nvs_delay=[at_ssid | {"nvs_delay_count": 9.0, "disc_share_ratio": 0.2, "disc_share_ratio_high": 0.3}],
    )
    assert (row["subsystem"], row["box"], row["disc_ms"], row["disc_s"]) == ("2010", "2107 AB121", 0.5, 180)
    assert (row["miss_rate"], row["disk_read_ms"], row["miss_percent"]) == (10, 3, pytest.approx(60))
    assert (row["nvs_percent"], row["nvs_high_percent"], row["bypass_rate"]) == (20, 30, 2)
    assert (row["mirrored"], row["suspended"], row["mirrored_track_rate"]) == (2, 1, 8)


@pytest.mark.parametrize(("delayed", "cost"), [(100.0, None), (0.0, 0.0)], ids=["unknown", "none delayed"])
def test_what_no_record_times_did_not_cost_nothing(delayed: float, cost: float | None) -> None:
    """Intervals that delay no write have 0; those that delay some are unknown."""
    unknown = [f"delay_ms_per_write{bound}" for bound in ("", "_low", "_high")] + ["disc_share_ratio"]
    rows = [delay(1, "2010", delayed, **(dict.fromkeys(unknown) if delayed else {})), delay(2, "2010")]
    cache = [box("2010", "00AB121")]
    (subsystem,) = given("subsystems", cache_subsystem_interval=cache, nvs_delay=rows)
    (disconnect,) = given("disconnect", cache_subsystem_interval=cache, nvs_delay=rows)
    assert subsystem["delay_peak_ms"] == cost
    assert disconnect["nvs_percent"] == (None if delayed else 0.0)


def test_io_processors_by_their_starts() -> None:
    one = {"iop": "00", "start_rate": 1000.0, "interrupt_rate": 900.0, "queue_length": 0.5, "retried_path_ratio": 0.04}
    rows = [
        one | {"interval_start": at(0), "busy_ratio": 0.2, "retried_ratio": 0.1},
        one | {"interval_start": at(1), "busy_ratio": 0.4, "retried_ratio": 0.3, "start_rate": 3000.0},
    ]
    (row,) = given("io_processors", iop_interval=rows)
    assert (row["busy_percent"], row["busy_peak_percent"], row["start_rate"]) == (pytest.approx(30), 40, 2000)
    assert (row["retried_percent"], row["retried_path_percent"]) == (pytest.approx(25), pytest.approx(4))
    assert (row["interrupt_rate"], row["queue_length"], row["peak"].hour) == (900, 0.5, at(1).hour + 1)


def test_extent_pools_weigh_their_times_by_rate() -> None:
    pool = {"box": "AB121", "extent_pool": "0003", "pool_type": "CKD", "volumes": 12, "ranks": 2, "write_rate": 50.0}
    pool |= {"read_bytes_rate": 1e6, "write_bytes_rate": 2e6, "real_capacity_bytes": 5e12}
    pool |= {"real_extents": 4000, "real_extents_allocated": 1000}
    rows = [
        pool | {"interval_start": at(0), "read_rate": 100.0, "read_ms": 2.0},
        pool | {"interval_start": at(1), "read_rate": 300.0, "read_ms": 6.0},
    ]
    (row,) = given("extent_pools", extent_pool_interval=rows)
    assert (row["box"], row["volumes"], row["ranks"], row["read_rate"], row["write_rate"]) == ("AB121", 12, 2, 200, 50)
    assert (row["read_ms"], row["read_peak_ms"], row["mb"]) == (5, 6, pytest.approx(3))
    assert (row["capacity_tb"], row["allocated_percent"]) == (5, 25)


@pytest.mark.parametrize(
    ("table", "view", "rate", "keys"),
    [
        ("ranks", "rank_interval", "read_rate", {"box": "AB121", "rank": "0001"}),
        ("links", "link_interval", "in_progress", {"box": "AB121", "link": "0101", "operation_rate": 1.0}),
        ("channels", "channel_interval", "open_exchanges", {"system": "SYSA", "channel_path": "40"}),
    ],
)
def test_an_interval_without_the_value_does_not_count_as_0(table: str, view: str, rate: str, keys: Any) -> None:
    rows = [keys | {"interval_s": 900.0, "local_start": at(n), rate: value} for n, value in enumerate((8.0, None))]
    (row,) = given(table, **{view: rows})
    assert row[rate] == 8


def test_every_view_of_the_box_has_a_table() -> None:
    read = " ".join(t.sql for t in tables())
    views = ("link_interval", "rank_interval", "extent_pool_interval", "director_port_interval", "dataset_interval")
    assert [v for v in (*views, "iop_interval", "channel_interval", "nvs_delay") if v not in read] == []


def test_lcu_queues_weigh_by_what_was_taken() -> None:
    one = {"lcu": "0010", "delay_queue_length": 0.2, "contention_rate": 3.0, "open_exchanges": 4.0,
           "transfer_concurrency": 1.5, "cu_busy_delay_ms": 0.02, "transport_write_ratio": 0.9}  # fmt: skip
    rows = [
        one | {"interval_start": at(0), "path_taken_rate": 100.0, "css_delay_ms": 0.1, "cu_busy_ratio": 0.1,
               "director_port_busy_ratio": 0.02, "alias_throttled_count": 7},
        one | {"interval_start": at(1), "path_taken_rate": 300.0, "css_delay_ms": 0.5, "cu_busy_ratio": 0.3,
               "director_port_busy_ratio": 0.06, "alias_throttled_count": 5},
    ]  # fmt: skip
    (row,) = given("lcu_queues", lcu_interval=rows)
    assert (row["path_taken_rate"], row["css_delay_ms"], row["css_delay_peak_ms"]) == (200, pytest.approx(0.4), 0.5)
    assert (row["cu_busy_percent"], row["director_port_busy_percent"]) == (pytest.approx(25), pytest.approx(5))
    assert (row["delay_queue_length"], row["contention_rate"], row["open_exchanges"]) == (0.2, 3, 4)
    assert (row["zhpf_percent"], row["throttled"], row["cu_busy_delay_ms"]) == (pytest.approx(90), 12, 0.02)


def test_aliases_borrowed_and_lent_are_added_up() -> None:
    one = {"lcu": "0010", "alias_group": "2", "alias_need_count": 100.0, "alias_borrowed_high_water": 3}
    rows = [
        one | {"interval_start": at(t), "alias_borrowed_count": 5.0, "alias_loaned_count": 2.0,
               "alias_home_empty_count": 6.0, "alias_not_lent_count": 1.0, "alias_denied_ratio": 0.25}
        for t in (0, 1)
    ]  # fmt: skip
    own = {"lcu": "0011", "interval_start": at(0), "alias_borrowed_count": 0.0, "alias_loaned_count": 0.0}
    (row,) = given("superpav", lcu_interval=[*rows, own])
    assert (row["needed"], row["borrowed"], row["loaned"], row["home_empty"], row["not_lent"]) == (200, 10, 4, 12, 2)
    assert (row["borrowed_high_water"], row["refusals_per_io"], row["alias_group"]) == (3, 0.25, "2")


def test_paths_of_an_lcu_stand_slowest_first() -> None:
    one = {"interval_start": at(0), "lcu": "0010", "taken_rate": 10.0, "cu_busy_ratio": 0.1, "switch_busy_count": 4}
    rows = [one | {"channel_path": "40", "cmr_ms": 0.1}, one | {"channel_path": "41", "cmr_ms": 2.0}]
    late, other = given("lcu_paths", lcu_path_interval=rows)
    assert (late["channel_path"], late["cmr_ms"], late["cu_busy_percent"], late["switch_busy"]) == ("41", 2, 10, 4)
    assert other["channel_path"] == "40"


def test_remote_copy_is_added_over_the_volumes() -> None:
    one = {"interval_start": at(0), "subsystem": "2010", "mirror_state": "full duplex", "mirrored_track_rate": 4.0}
    one |= {"sidefile_read_rate": 1.0, "contaminating_write_rate": 0.5, "global_mirror_sync_rate": 2.0}
    rows = [one | {"device": "02200"}, one | {"device": "02201", "mirror_state": "suspended"}]
    alone = {"interval_start": at(0), "subsystem": "2011", "device": "02300", "mirrored_track_rate": 0.0}
    (row,) = given("remote_copy", cache_interval=[*rows, alone])
    assert (row["mirrored"], row["suspended"], row["pending"]) == (2, 1, None)
    assert (row["mirrored_track_rate"], row["sidefile_read_rate"], row["contaminating_write_rate"]) == (8, 2, 1)
    assert row["global_mirror_sync_rate"] == 4


def test_a_volume_shows_its_other_measurements() -> None:
    rows = [volume(0, "VOL001", open_exchanges=0.5, interrupt_delay_ms=0.03, allocations=12.0, not_ready_ratio=0.1,
                   cylinders=10_017)]  # fmt: skip
    (row,) = given("volumes", volume_interval=rows)
    assert (row["open_exchanges"], row["interrupt_delay_ms"], row["allocations"]) == (0.5, pytest.approx(0.03), 12)
    assert (row["not_ready_percent"], row["cylinders"]) == (pytest.approx(10), 10_017)


def test_processors_of_a_kind_are_one_row() -> None:
    rows = [
        {"interval_start": at(n), "cpu": cpu, "cpu_type": "CP", "busy_ratio": busy, "parked_ratio": 0.1,
         "interrupt_rate": rate, "polled_ratio": 0.2}
        for n, pair in enumerate([((0.2, 10.0), (0.4, 30.0)), ((0.5, 20.0), (0.9, 60.0))])
        for cpu, (busy, rate) in zip(("00", "01"), pair, strict=True)
    ]  # fmt: skip
    (row,) = given("processors", cpu_interval=rows)
    assert (row["processors"], row["busy_percent"], row["busy_peak_percent"]) == (
        2,
        pytest.approx(50),
        pytest.approx(70),
    )
    assert (row["interrupt_rate"], row["polled_percent"], row["peak"].hour) == (60, pytest.approx(20), at(1).hour + 1)
    assert row["parked_percent"] == pytest.approx(10)


def test_jobs_weigh_by_ios() -> None:
    one = {"job": "PAYROLL", "program": "PGMPAY", "service_class": "BATMED", "disk_pend_ms": 0.2, "excp_count": 900}
    rows = [
        one | {"interval_start": at(0), "disk_io_rate": 1.0, "disk_disc_ms": 1.0, "disk_conn_ms": 0.4},
        one | {"interval_start": at(1), "disk_io_rate": 3.0, "disk_disc_ms": 2.0, "disk_conn_ms": 0.8},
    ]
    (row,) = given("jobs", job_interval=rows)
    assert (row["job"], row["program"], row["io_count"], row["excp_count"]) == ("PAYROLL", "PGMPAY", 3600, 1800)
    assert [row[f"{part}_ms"] for part in ("pend", "disc", "conn")] == [pytest.approx(t) for t in (0.2, 1.75, 0.7)]
    assert row["time_s"] == pytest.approx(3600 * 2.65 / 1000)


def test_volumes_by_job_add_up_dds() -> None:
    one = {"job": "PAYROLL", "device": "00A11", "volser": "PAY001", "interval_start": at(0)}
    rows = [
        one | {"dd": "MASTER", "excp_count": 9000, "connect_ratio": 0.02},
        one | {"dd": "WORK", "excp_count": 1000, "connect_ratio": 0.01},
    ]
    (row,) = given("job_volumes", job_volume_interval=rows)
    assert (row["volume"], row["job"], row["dd"], row["excp_count"]) == ("PAY001", "PAYROLL", "MASTER", 10_000)
    assert (row["connect_s"], row["conn_ms"]) == (pytest.approx(27), pytest.approx(2.7))


def test_a_page_data_set_has_its_means_and_its_maximum() -> None:
    one = {
        "data_set": "PAGE.LOCAL1",
        "page_data_set_type": "LOCAL",
        "area": "PAGE",
        "volser": "PAG001",
        "device": "00A11",
    }
    rows = [
        one | {"interval_start": at(0), "used_ratio": 0.1, "most_used_ratio": 0.5, "total_page_rate": 30.0,
               "io_rate": 2.0},
        one | {"interval_start": at(1), "used_ratio": 0.3, "most_used_ratio": 0.4, "total_page_rate": 10.0,
               "io_rate": 4.0, "in_use_ratio": 0.2},
    ]  # fmt: skip
    (row,) = given("paging_volumes", paging_volume_interval=rows)
    assert (row["data_set"], row["type"], row["volume"]) == ("PAGE.LOCAL1", "LOCAL", "PAG001")
    assert (row["used_percent"], row["used_peak_percent"], row["peak"].hour) == (pytest.approx(20), 50, at(0).hour + 1)
    assert (row["page_rate"], row["io_rate"], row["in_use_percent"]) == (20, 3, pytest.approx(20))


def test_service_classes_weigh_by_ios_and_leave_report_classes_out() -> None:
    one = {"service_class": "CICSPROD", "period": 1, "workload": "ONLINE", "importance": 1, "goal": "response"}
    one |= {"is_report_class": False, "transaction_rate": 5.0, "response_s": 0.2, "cpu_delay_ratio": 0.05}
    rows = [
        one | {"interval_start": at(0), "performance_index": 0.8, "disk_io_rate": 100.0, "disk_response_ms": 1.0,
               "disk_wait_ms": 0.1, "disk_disc_ms": 0.4, "disk_delay_ratio": 0.1},
        one | {"interval_start": at(1), "performance_index": 1.6, "disk_io_rate": 300.0, "disk_response_ms": 3.0,
               "disk_wait_ms": 0.5, "disk_disc_ms": 1.2, "disk_delay_ratio": 0.3},
        one | {"interval_start": at(1), "service_class": "RCICS", "is_report_class": True},
    ]  # fmt: skip
    (row,) = given("service_classes", service_class_interval=rows)
    assert (row["service_class"], row["index_peak"], row["peak"].hour) == ("CICSPROD", 1.6, at(1).hour + 1)
    assert (row["disk_io_rate"], row["disk_response_ms"]) == (200, pytest.approx(2.5))
    assert (row["disk_wait_ms"], row["disk_disc_ms"]) == (pytest.approx(0.4), pytest.approx(1))
    assert (row["disk_delay_percent"], row["cpu_delay_percent"]) == (pytest.approx(20), pytest.approx(5))
    assert (row["transaction_rate"], row["response_s"]) == (5, pytest.approx(0.2))


def test_storage_classes_come_before_vtocs() -> None:
    times = {"response_ms": 2.0, "pend_ms": 0.2, "disc_ms": 1.0, "conn_ms": 0.5, "hit_ratio": 0.9}
    base = {"platform": "z/OS", "system": "SYSA", "interval_s": 900.0, "source": "smf42.5"}
    classes = [
        base | times | {"storage_class": "SCSTD", "interval_start": at(n), "io_rate": r}
        for n, r in ((0, 30.0), (1, 10.0))
    ]
    vtocs = [
        base | times | {"component": "VTOC", "volser": v, "interval_start": at(0), "io_rate": 1.0} for v in ("A", "B")
    ]
    rows = given("storage_classes", storage_class_interval=classes, vtoc_interval=vtocs)
    assert [(r["component"], r["io_rate"], r["hit_percent"]) for r in rows] == [
        ("SCSTD", 20, pytest.approx(90)), ("VTOC", 1, pytest.approx(90))
    ]  # fmt: skip
