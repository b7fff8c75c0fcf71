"""The promised views exist with the promised columns, types and units, and every column is explained."""

from collections.abc import Iterator

import duckdb
import pytest
from sql_lake import Lake

from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import IMPOSSIBLE, IMPOSSIBLE_JOINED, IMPOSSIBLE_NEAR, views
from iosq.toolkit.sql.connect import SHIMS
from iosq.toolkit.sql.docs import markdown
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.raw import raw_view
from tests.settle import settled

COMMON = "platform:VARCHAR system:VARCHAR interval_start:TIMESTAMP interval_s:DOUBLE "
TIMES = (
    "wait_ms:DOUBLE pend_ms:DOUBLE cmr_ms:DOUBLE device_busy_ms:DOUBLE disc_ms:DOUBLE conn_ms:DOUBLE service_ms:DOUBLE "
    "response_ms:DOUBLE in_service:DOUBLE queue_length:DOUBLE "
)
CACHE = (
    "interval_start:TIMESTAMP interval_s:DOUBLE subsystem:VARCHAR read_rate:DOUBLE write_rate:DOUBLE read_ratio:DOUBLE "
    "read_hit_ratio:DOUBLE write_hit_ratio:DOUBLE hit_ratio:DOUBLE sequential_ratio:DOUBLE fast_write_ratio:DOUBLE "
    "nvs_delay_count:DOUBLE nvs_delay_rate:DOUBLE nvs_delay_ratio:DOUBLE cache_delay_rate:DOUBLE stage_rate:DOUBLE "
    "fast_write_inhibit_rate:DOUBLE sequential_stage_rate:DOUBLE destage_rate:DOUBLE "
    "inhibit_rate:DOUBLE bypass_rate:DOUBLE "
)
SYNC = (
    "sync_read_rate:DOUBLE sync_write_rate:DOUBLE sync_read_ms:DOUBLE sync_write_ms:DOUBLE sync_success_ratio:DOUBLE "
    "total_io_rate:DOUBLE total_response_ms:DOUBLE "
)
BOX = "interval_start:TIMESTAMP interval_s:DOUBLE box:VARCHAR system:VARCHAR utc_offset_s:INTEGER "
DISKS = (
    "read_rate:DOUBLE write_rate:DOUBLE read_ms:DOUBLE write_ms:DOUBLE read_bytes_rate:DOUBLE write_bytes_rate:DOUBLE "
)
BOUNDS = " ".join(
    f"{c}{end}:DOUBLE"
    for c in ("delay_ms_per_delayed_write", "delay_ms_per_write", "disc_share_ratio")
    for end in ("", "_low", "_high")
)
PROMISED = {
    "device_interval": COMMON + TIMES + SYNC + "interrupt_delay_ms:DOUBLE open_exchanges:DOUBLE allocations:DOUBLE "
    "not_ready_ratio:DOUBLE cylinders:BIGINT "
    "device:VARCHAR online:BOOLEAN volser:VARCHAR device_type:VARCHAR lcu:VARCHAR "
    "control_unit_type:VARCHAR storage_group:VARCHAR role:VARCHAR exposures:DOUBLE is_hyperpav:BOOLEAN io_rate:DOUBLE "
    "wait_source:VARCHAR connect_ratio:DOUBLE busy_ratio:DOUBLE reserved_ratio:DOUBLE "
    "source:VARCHAR utc_offset_s:INTEGER",
    "volume_interval": COMMON + TIMES + SYNC + "interrupt_delay_ms:DOUBLE cylinders:BIGINT extent_pool:VARCHAR "
    "volume:VARCHAR io_rate:DOUBLE exposures:DOUBLE read_ratio:DOUBLE "
    "read_hit_ratio:DOUBLE write_hit_ratio:DOUBLE nvs_delay_rate:DOUBLE utc_offset_s:INTEGER",
    "shared_volume_interval": "interval_start:TIMESTAMP volume:VARCHAR systems:BIGINT io_rate:DOUBLE " + TIMES + SYNC,
    "lcu_interval": COMMON + TIMES + "lcu:VARCHAR devices:BIGINT waiting_devices:BIGINT hyperpav_aliases:BIGINT "
    "alias_high_water:BIGINT alias_borrowed_high_water:BIGINT alias_high_water_per_base:BIGINT alias_io_count:DOUBLE "
    "alias_denied_count:DOUBLE alias_denied_ratio:DOUBLE alias_need_count:DOUBLE queue_high_water:BIGINT "
    "alias_borrowed_count:DOUBLE alias_group:VARCHAR io_rate:DOUBLE css_delay_ms:DOUBLE contention_rate:DOUBLE "
    "delay_queue_length:DOUBLE open_exchanges:DOUBLE cu_busy_ratio:DOUBLE alias_loaned_count:DOUBLE",
    "lcu_path_interval": COMMON + "director_port_busy_ratio:DOUBLE cu_busy_ratio:DOUBLE cu_busy_delay_ms:DOUBLE "
    "lcu:VARCHAR channel_path:VARCHAR online:BOOLEAN taken_rate:DOUBLE cmr_ms:DOUBLE",
    "cache_interval": CACHE + "device:VARCHAR volser:VARCHAR",
    "cache_subsystem_interval": CACHE + "cache_bytes:DOUBLE cache_available_bytes:DOUBLE cache_offline_bytes:DOUBLE "
    "nvs_bytes:DOUBLE nvs_pinned_bytes:DOUBLE cache_active:BOOLEAN nvs_active:BOOLEAN",
    "nvs_delay": "interval_start:TIMESTAMP subsystem:VARCHAR nvs_delay_count:DOUBLE nvs_delay_ratio:DOUBLE "
    "method:VARCHAR " + BOUNDS,
    "pav_candidate": "system:VARCHAR volume:VARCHAR intervals:BIGINT queue_length_peak:DOUBLE queue_length_mean:DOUBLE "
    "wait_ms:DOUBLE wait_p95_ms:DOUBLE wait_share_ratio:DOUBLE exposures:DOUBLE aliases_to_clear_wait:BIGINT "
    "verdict:VARCHAR reason:VARCHAR",
    "channel_interval": "system:VARCHAR interval_start:TIMESTAMP channel_path:VARCHAR type:VARCHAR busy_ratio:DOUBLE "
    "read_bytes_rate:DOUBLE write_bytes_rate:DOUBLE operation_rate:DOUBLE open_exchanges:DOUBLE",
    "iop_interval": COMMON + "iop:VARCHAR queue_rate:DOUBLE queue_length:DOUBLE busy_ratio:DOUBLE start_rate:DOUBLE "
    "interrupt_rate:DOUBLE retried_ratio:DOUBLE retries_per_start:DOUBLE",
    "cpu_interval": COMMON + "cpu:VARCHAR cpu_type:VARCHAR busy_ratio:DOUBLE parked_ratio:DOUBLE interrupt_rate:DOUBLE "
    "polled_ratio:DOUBLE",
    "service_class_interval": COMMON + "service_class:VARCHAR is_report_class:BOOLEAN period:BIGINT workload:VARCHAR "
    "importance:BIGINT goal:VARCHAR goal_velocity_ratio:DOUBLE goal_s:DOUBLE velocity_ratio:DOUBLE "
    "transaction_rate:DOUBLE response_s:DOUBLE performance_index:DOUBLE disk_io_rate:DOUBLE disk_wait_ms:DOUBLE "
    "disk_response_ms:DOUBLE disk_delay_ratio:DOUBLE cpu_delay_ratio:DOUBLE",
    "rank_interval": BOX + DISKS + "rank:VARCHAR extent_pool:VARCHAR raid_type:VARCHAR capacity_bytes:DOUBLE",
    "extent_pool_interval": BOX + DISKS + "extent_pool:VARCHAR volumes:BIGINT ranks:BIGINT real_capacity_bytes:DOUBLE",
    "link_interval": BOX + "link:VARCHAR link_type:VARCHAR operation:VARCHAR operation_rate:DOUBLE bytes_rate:DOUBLE "
    "response_ms:DOUBLE in_progress:DOUBLE success_ratio:DOUBLE",
    "director_port_interval": COMMON + "director:VARCHAR port:VARCHAR kind:VARCHAR attached:VARCHAR "
    "read_bytes_rate:DOUBLE write_bytes_rate:DOUBLE frame_pacing_ms:DOUBLE error_count:DOUBLE",
    "dataset_interval": COMMON + "job:VARCHAR data_set:VARCHAR volser:VARCHAR storage_class:VARCHAR io_rate:DOUBLE "
    "wait_ms:DOUBLE pend_ms:DOUBLE disc_ms:DOUBLE conn_ms:DOUBLE response_ms:DOUBLE hit_ratio:DOUBLE "
    + SYNC.replace("sync_success_ratio:DOUBLE ", ""),
    "tape_library_interval": "interval_start:TIMESTAMP library:VARCHAR mount_count:BIGINT eject_count:BIGINT "
    "audit_count:BIGINT",
}


@pytest.fixture(scope="module", params=[True, False], ids=["lean", "whole"])
def empty(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return Lake().open(tmp_path_factory.mktemp("lake"), lean=request.param)


@pytest.mark.parametrize("view", PROMISED)
def test_promised_columns(empty: duckdb.DuckDBPyConnection, view: str) -> None:
    # DESCRIBE plans a view with all that is below it
    known = f"SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = '{view}'"
    made = {r["column_name"]: r["data_type"] for r in query(empty, known).to_pylist()}
    promised = dict(c.split(":") for c in PROMISED[view].split())
    assert {c: made.get(c) for c in promised} == promised
    assert next(v.layer for v in views() if v.name == view) == "promised"


def test_no_promised_view_was_forgotten() -> None:
    assert {v.name for v in views() if v.layer == "promised"} == set(PROMISED)


def test_comments_reach_the_catalog(empty: duckdb.DuckDBPyConnection) -> None:
    given = query(
        empty, "SELECT comment FROM duckdb_columns() WHERE table_name = 'device_interval' AND column_name = 'wait_ms'"
    )
    assert "IOSQ" in given.to_pylist()[0]["comment"]


@pytest.fixture(scope="module")
def empty_and_settled(empty: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """Planning every view with all that is below it takes a minute."""
    with settled(empty, [v.name for v in views()]):
        yield empty


@pytest.mark.parametrize("view", [v.name for v in views()])
def test_empty_lake_answers_with_no_rows(empty_and_settled: duckdb.DuckDBPyConnection, view: str) -> None:
    assert query(empty_and_settled, f"SELECT * FROM {view}").num_rows == 0


UNITS = {
    "_ms": {"milliseconds"},
    "_s": {"s"},
    "_rate": {"per second", "bytes per second", "bits per second", "milliseconds per second"},
    "_ratio": {"ratio 0..1", "ratio", "refusals per I/O"},
    "_bytes": {"bytes"},
    "_count": {"events in the interval"},
}


def test_units_agree_with_names() -> None:
    suffixed = [(f"{v.name}.{c.name}", c.unit, UNITS[s]) for v in views() for c in v.columns for s in UNITS
                if c.name.endswith(s)]  # fmt: skip
    assert len(suffixed) > 100
    assert [f"{name} [{unit}]" for name, unit, allowed in suffixed if unit not in allowed] == []


def test_no_view_gives_a_column_twice() -> None:
    """DuckDB takes the first of two with one name; Spark refuses both."""
    con = duckdb.connect()
    for text in (*SHIMS, *(raw_view(table, []) for table in tables().values())):
        con.execute(text)
    for view in views():
        con.execute(f"CREATE TABLE {view.name} ({', '.join(f'{c.name} {c.type}' for c in view.columns)})")
    for view, source in ((v, s) for v in views() for s in v.sources if not s.checks):
        given = [column[0] for column in con.execute(f"SELECT * FROM ({source.sql}) LIMIT 0").description or ()]
        twice = [n for n in given if given.count(n) > 1 or (n.endswith("_1") and n[:-2] in given)]
        assert not twice, (view.name, source.file)


def test_every_column_of_a_merged_view_has_a_formula_somewhere() -> None:
    plain = {"platform", "source", "system", "utc_offset_s", "interval_start", "interval_s"}
    missing = [
        f"{v.name}.{c.name}"
        for v in views()
        # the three that are left out are made of all others' sources
        if v.is_measured and v.name not in (IMPOSSIBLE, IMPOSSIBLE_NEAR, IMPOSSIBLE_JOINED)
        for c in v.columns
        if not c.formula and c.name not in plain and not any(c.name in s.formulas for s in v.sources)
    ]  # fmt: skip
    assert missing == []


def test_reference_page_names_every_column() -> None:
    page = markdown()
    for view in views():
        section = page.split(f"## {view.name}\n")[1].split("\n## ")[0]
        assert all(f"| `{c.name}` |" in section for c in view.columns)
