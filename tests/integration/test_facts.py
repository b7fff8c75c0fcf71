"""Facts give what views compute from records, whenever and in whatever order the records came."""

import datetime as dt
import errno
import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import iosq
from iosq.parsers.registry import tables
from iosq.toolkit.errors import IosqError, LakeError
from iosq.toolkit.facts import build
from iosq.toolkit.facts.plan import plan_of
from iosq.toolkit.lake import facts as fact_files
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.repair import repair
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import needed, unstored, views
from iosq.toolkit.sql.connect import OF_BOXES, connect
from tests.length import tried
from tests.materialised import materialised

KEYS = ("system", "volume", "lcu", "subsystem")
NAMES = [v.name for v in views()]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two intervals of one system; the other system's dump lies next to it."""
    folder = tmp_path_factory.mktemp("facts")
    write(folder, intervals=[40, 41], packed=(), names=["healthy"])
    iosq.ingest(folder / "lake", [folder / "sysa.smf"])
    return folder / "lake"


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dumps of four days, a file per day and system, with intervals around midnight."""
    folder = tmp_path_factory.mktemp("days")
    quarters = {"1": [40, 95], "2": [96, 136], "3": [232, 287], "4": [288, 330]}
    for name, some_quarters in quarters.items():
        write(folder / name, intervals=some_quarters, packed=(), names=["hot_volume"], days=4)
    return folder


@pytest.fixture(scope="module")
def three(days: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of the first three of these days, which came one after the other."""
    folder = tmp_path_factory.mktemp("three") / "lake"
    for day in (1, 2, 3):
        iosq.ingest(folder, [days / str(day) / "sysa.smf"])
    return folder


@pytest.fixture(scope="module")
def four(days: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of all four."""
    folder = tmp_path_factory.mktemp("four") / "lake"
    ingest(Lake(folder), [days / str(day) / "sysa.smf" for day in range(1, 5)])
    return folder


@pytest.fixture(scope="module")
def truth(lake: Path) -> dict[str, list[Any]]:
    """The rows of all views of the lake of two intervals."""
    return stored(lake)


def computed(path: Path) -> dict[str, list[Any]]:
    """The rows of all views, computed from records."""
    store = Lake(path)
    opened = connect(tables().values(), store.parts(), store.about(), root=path, steady=True)
    with opened as con, materialised(con, NAMES) as copy:
        return {name: in_order(copy, name) for name in NAMES}


def stored(path: Path) -> dict[str, list[Any]]:
    """The rows of all views as a query gets them."""
    with iosq.open(path).connection(steady=True) as con:
        return {name: in_order(con, name) for name in NAMES}


def in_order(con: duckdb.DuckDBPyConnection, name: str) -> list[Any]:
    return con.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall()


def assert_equal(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> None:
    for name in NAMES:
        unlike = [pair for pair in zip(one[name], other[name], strict=True) if pair[0] != pair[1]]
        assert not unlike, (name, unlike[0])


def test_facts_are_what_views_compute(lake: Path, truth: dict[str, list[Any]]) -> None:
    assert_equal(truth, computed(lake))


@pytest.mark.parametrize("seed", tried(range(1), range(8)))
def test_order_and_splits_of_ingests_change_nothing(days: Path, tmp_path: Path, seed: int) -> None:
    """Each ingest stores the facts of its days; those of a neighbouring day change with it."""
    pick = random.Random(seed)
    dumps = [days / str(day) / f"{name}.smf" for day in range(1, 5) for name in ("sysa", "sysb")]
    ingest(Lake(tmp_path / "once"), dumps)
    pick.shuffle(dumps)
    while dumps:
        size = pick.randint(1, 3)
        iosq.ingest(tmp_path / "pieces", dumps[:size])
        del dumps[:size]
        if pick.random() < 0.3:
            iosq.open(tmp_path / "pieces").sql("SELECT count(*) FROM shared_volume_interval")
    assert_equal(stored(tmp_path / "pieces"), computed(tmp_path / "once"))


def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The days whose facts are computed."""
    found: list[object] = []
    make = build.make_days

    def noted(plan: Any, some_days: Any) -> None:
        found.extend(some_days)
        make(plan, some_days)

    monkeypatch.setattr(build, "make_days", noted)
    return found


def joined(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The days whose facts are joined with dimensions."""
    found: list[object] = []
    make = build._make_joined

    def noted(plan: Any, some_days: Any, *others: Any) -> None:
        found.extend(some_days)
        make(plan, some_days, *others)

    monkeypatch.setattr(build, "_make_joined", noted)
    return found


def test_an_ingest_computes_the_days_within_reach_only(
    days: Path, three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(three, tmp_path)
    computed_days = made(monkeypatch)
    iosq.ingest(tmp_path / "lake", [days / "4" / "sysa.smf"])
    first = (dt.date(2025, 11, 18) - dt.date(1970, 1, 1)).days
    # its first interval is of the third day in UTC, an hour before midnight; its last one is hours before the next
    assert computed_days == [first + 2, first + 3]
    computed_days.clear()
    iosq.ingest(tmp_path / "lake", [days / "4" / "sysa.smf"])
    iosq.open(tmp_path / "lake").sql("SELECT count(*) FROM volume_interval")
    assert computed_days == []


def test_a_query_joins_the_days_that_changed_only(
    days: Path, three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(three, tmp_path)
    query = "SELECT count(*) FROM shared_volume_interval"
    assert iosq.open(tmp_path / "lake").sql(query).item() > 0
    joined_days = joined(monkeypatch)
    iosq.ingest(tmp_path / "lake", [days / "4" / "sysa.smf"])
    iosq.open(tmp_path / "lake").sql(query)
    first = (dt.date(2025, 11, 18) - dt.date(1970, 1, 1)).days
    assert joined_days == [first + 2, first + 3]


def test_an_interval_at_midnight_computes_the_day_next_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample's clock is an hour ahead of UTC: its quarter 4 is the first of the day."""
    for quarter, name in ((99, "before"), (100, "after")):
        write(tmp_path / name, intervals=[quarter], packed=(), names=["hot_volume"], days=2)
    iosq.ingest(tmp_path / "lake", [tmp_path / "before" / "sysa.smf"])
    computed_days = made(monkeypatch)
    iosq.ingest(tmp_path / "lake", [tmp_path / "after" / "sysa.smf"])
    assert len(computed_days) == 2
    assert_equal(stored(tmp_path / "lake"), computed(tmp_path / "lake"))


def test_facts_of_dumps_and_listings_together(days: Path, tmp_path: Path) -> None:
    """Listings have rows anywhere: views of both are facts about the whole lake, not about days."""
    iosq.ingest(tmp_path / "lake", [days / "1" / "sysa.smf", Path("sample-data/rmf")])
    assert_equal(stored(tmp_path / "lake"), computed(tmp_path / "lake"))


def test_merging_files_leaves_facts_as_they_are(days: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in ("1", "2"):
        iosq.ingest(tmp_path / "lake", [days / day / "sysa.smf"])
    before = stored(tmp_path / "lake")
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "lake").glob("_facts/*/*.parquet")}
    assert iosq.compact(tmp_path / "lake").merged
    computed_days = made(monkeypatch)
    assert_equal(stored(tmp_path / "lake"), before)
    assert computed_days == []
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "lake").glob("_facts/*/*.parquet")} == files
    assert_equal(computed(tmp_path / "lake"), before)


def uncut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all sources of views, with rows to read or without."""
    for module in ("iosq.toolkit.sql.materialise", "tests.materialised"):
        monkeypatch.setattr(f"{module}.without_empty_sources", lambda all_views, *_: list(all_views))


def test_without_records_no_view_has_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So what reads nothing that has rows need not be computed."""
    uncut(monkeypatch)
    with connect(tables().values(), {}, {}, root=tmp_path, idle=()) as con, materialised(con, NAMES) as copy:
        assert [name for name in NAMES if copy.execute(f"SELECT * FROM {name} LIMIT 1").fetchall()] == []


def test_sources_that_are_not_run_have_no_rows(
    lake: Path, truth: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    uncut(monkeypatch)
    assert_equal(computed(lake), truth)


def test_a_state_of_a_lake_is_listed_once_and_a_new_one_at_once(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listing and naming the files of a year takes longer than many an answer."""
    monkeypatch.setattr(manifest, "_SETTLED_NS", -(10**18))  # however young
    store = Lake(copied(lake, tmp_path))
    before = store.listed()
    assert store.listed() is before
    assert plan_of(store, store.listed()) is plan_of(store, before)
    ingest(store, [lake.with_name("sysb.smf")])
    after = store.listed()
    assert after != before
    assert {f.system for found in after.values() for f in found} >= {"SYSA", "SYSB"}
    assert plan_of(store, after).keys_of_days != plan_of(store, before).keys_of_days


def test_a_young_state_of_a_lake_is_listed_again(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change soon after may leave the time of the file as it is; what is the same is planned once."""
    store, read, looks = Lake(copied(lake, tmp_path)), manifest.listed, list[Any]()
    monkeypatch.setattr(manifest, "listed", lambda db: looks.append(db) or read(db))
    os.utime(store.path / "manifest.sqlite")
    assert plan_of(store, store.listed()) is plan_of(store, store.listed())
    assert len(looks) == 2


def test_queries_read_facts(lake: Path) -> None:
    plan = iosq.open(lake).sql("EXPLAIN SELECT * FROM box_interval").row(0)[1]
    assert "JOIN" not in plan


def test_a_part_finds_its_boxes_in_facts(lake: Path) -> None:
    """From records that takes 200 times as long."""
    part = iosq.open(lake, volume=["DB2003"])
    con = part.connection("SELECT * FROM cache_subsystem_interval", exact=True, empty=lambda _: None)
    made = dict(con.execute("SELECT view_name, sql FROM duckdb_views() WHERE schema_name = 'whole'").fetchall())
    read = needed(" ".join(OF_BOXES), unstored())
    whole = [v for v in read if v.is_stored and not v.computed.sources]
    stored = [v.name for v in whole if con.execute(f"SELECT 1 FROM whole.{v.name} LIMIT 1").fetchall()]
    assert "_volume_smf74_1" in stored
    assert all("_facts" in made[name] for name in stored)


@pytest.mark.parametrize("view", ["volume_interval", "way_interval", "shared_volume_interval", "nvs_delay"])
def test_a_time_shows_what_all_days_hold_of_it(four: Path, view: str) -> None:
    """Whatever the span: it may lie between days, on one, or before all."""
    whole, pick = iosq.open(four).sql(f"SELECT * FROM {view}"), random.Random(view)
    moments = sorted(set(whole["interval_start"].to_list()))
    for _ in range(4):
        since = pick.choice(moments) + dt.timedelta(minutes=pick.choice([-1440, 0, 1]))
        until = since + dt.timedelta(minutes=pick.choice([1, 900, 2000]))
        inside = whole.filter((pl.col("interval_start") >= since) & (pl.col("interval_start") < until))
        part = iosq.open(four, since=f"{since.isoformat()}Z", until=f"{until.isoformat()}Z")
        if inside.is_empty():
            continue
        assert rows(part.sql(f"SELECT * FROM {view}")) == rows(inside)
        key, value = pick.choice([(k, pick.choice(whole[k].to_list())) for k in KEYS if k in whole.columns])
        assert rows(part.sql(f"SELECT * FROM {view} WHERE {key} = '{value}'")) == rows(
            inside.filter(pl.col(key) == value)
        )


# the intervals of each volume as pav_candidate takes them, the peak first
INTERVALS = """
    WITH judged AS (
        SELECT
            v.*, v.queue_length >= 0.5 OR (v.queue_length > 0.05 AND v.wait_ms > 0.1) AS waits,
            v.wait_ms < 0.1 * v.response_ms AS is_short, u.is_held OR u.is_overfull AS is_unfit
        FROM volume_interval v
        LEFT JOIN unfit_interval u USING (platform, system, volume, interval_start)
        WHERE v.io_rate > 0 AND v.response_ms IS NOT NULL
    )
    SELECT *, CASE WHEN NOT waits OR is_short THEN 2 WHEN is_unfit THEN 1 ELSE 0 END AS kind
    FROM judged
    ORDER BY system, volume, kind, queue_length DESC, in_service DESC, interval_start"""


def test_a_verdict_is_about_all_days(four: Path) -> None:
    """What days hold of a volume gives the peak and the means of all its intervals."""
    lake = iosq.open(four)
    found = lake.sql("SELECT * FROM pav_candidate ORDER BY system, volume").to_dicts()
    each = lake.sql(INTERVALS).partition_by("system", "volume", maintain_order=True)
    assert len({row["peak_start"].date() for row in found}) > 1
    for row, own in zip(found, each, strict=True):
        ios = own["io_rate"] * own["interval_s"]
        means = {name: (ios * own[name]).sum() / ios.sum() for name in ("wait_ms", "service_ms")}
        means |= {"wait_p95_ms": own["wait_ms"].quantile(0.95, "linear"), "intervals": own.height}
        assert {name: row[name] for name in means} == pytest.approx(means)
        for name, column in {"peak_start": "interval_start", "queue_length_peak": "queue_length", "lcu": "lcu"}.items():
            assert row[name] == own[column][0]


def rows(of: pl.DataFrame) -> list[str]:
    return sorted(map(repr, of.rows()))


def copied(lake: Path, folder: Path) -> Path:
    shutil.copytree(lake, folder / "lake")
    return folder / "lake"


def test_a_lake_of_an_older_version_gets_its_facts_at_the_first_query(
    lake: Path, truth: dict[str, list[Any]], tmp_path: Path
) -> None:
    old = copied(lake, tmp_path)
    shutil.rmtree(old / "_facts")
    assert_equal(stored(old), truth)
    assert any((old / "_facts").iterdir())


def test_a_lake_that_can_not_be_written_gets_its_facts_in_the_cache(
    lake: Path, truth: dict[str, list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only = copied(lake, tmp_path)
    shutil.rmtree(read_only / "_facts")
    before = sorted(read_only.rglob("*"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    can = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != read_only and can(path, mode))
    assert_equal(stored(read_only), truth)
    assert sorted(read_only.rglob("*")) == before
    assert any((tmp_path / "cache" / "iosq").rglob("*.parquet"))


def test_a_damaged_fact_is_reported_and_computed_again(lake: Path, truth: dict[str, list[Any]], tmp_path: Path) -> None:
    damaged = copied(lake, tmp_path)
    (spoilt,) = damaged.glob("_facts/*/part_volume_smf74_1.parquet")
    data = bytearray(spoilt.read_bytes())
    data[len(data) // 2] ^= 1
    spoilt.write_bytes(data)
    assert [a.kind for a in examine(damaged)] == ["facts"]
    assert_equal(stored(damaged), truth)
    assert examine(damaged) == []


def test_repair_removes_a_damaged_fact(lake: Path, truth: dict[str, list[Any]], tmp_path: Path) -> None:
    damaged = copied(lake, tmp_path)
    (cut,) = damaged.glob("_facts/*/part_volume_smf74_1.parquet")
    cut.write_bytes(cut.read_bytes()[:-1])
    assert all(done.done for done in repair(damaged))
    assert examine(damaged) == []
    assert_equal(stored(damaged), truth)


def _rewritten(lake: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """A fact of other rows or columns, listed as it is now."""
    (path,) = lake.glob("_facts/*/part_volume_smf74_1.parquet")
    before = f"{path.stat().st_size},{file_hash(path)}"
    pq.write_table(change(pq.read_table(path)), path)
    index = path.with_name("index.csv")
    index.write_text(index.read_text().replace(before, f"{path.stat().st_size},{file_hash(path)}"))


def _with(column: str, values: Callable[[int], list[Any]]) -> Callable[[pa.Table], pa.Table]:
    return lambda rows: rows.set_column(rows.column_names.index(column), column, pa.array(values(len(rows))))


LIES: dict[str, Callable[[pa.Table], pa.Table]] = {
    "other numbers": _with("io_count", lambda rows: [10**9] * rows),
    "another type": _with("io_count", lambda rows: ["x"] * rows),
    "no number": _with("exposures", lambda rows: [float("nan")] * rows),
    "a time beyond all": _with("interval_start", lambda rows: [dt.datetime.max] * rows),
    "fewer columns": lambda rows: rows.drop_columns(["io_count"]),
    "fewer rows": lambda rows: rows[1:],
}


@pytest.mark.usefixtures("computed_once")
@pytest.mark.parametrize("lie", LIES)
def test_the_whole_check_compares_facts_with_the_records(
    lake: Path, truth: dict[str, list[Any]], tmp_path: Path, lie: str
) -> None:
    """A stranger's facts may be listed as they are and still be of no records."""
    theirs = copied(lake, tmp_path)
    _rewritten(theirs, LIES[lie])
    assert {a.what for a in iosq.doctor(theirs, hashes=True)} == {"differs from what the records give"}
    with suppress(IosqError):  # refused in one line, or answered
        iosq.open(theirs).report(tmp_path / "report.html")
    assert all(done.done for done in iosq.repair(theirs, hashes=True))
    assert_equal(stored(theirs), truth)
    assert iosq.doctor(theirs, hashes=True) == []


def test_facts_of_the_same_rows_in_other_bytes_are_right(lake: Path, tmp_path: Path) -> None:
    theirs = copied(lake, tmp_path)
    _rewritten(theirs, lambda rows: rows[::-1])
    assert iosq.doctor(theirs, hashes=True) == []


def test_a_set_without_one_of_its_facts_is_computed_again(
    lake: Path, truth: dict[str, list[Any]], tmp_path: Path
) -> None:
    theirs = copied(lake, tmp_path)
    for index in theirs.glob("_facts/day-*/index.csv"):
        index.write_text("".join(n for n in index.read_text().splitlines(True) if not n.startswith("_volume_smf74_1,")))
    assert_equal(stored(theirs), truth)


def test_a_cache_that_leads_elsewhere_is_not_used(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = copied(lake, tmp_path)
    shutil.rmtree(full / "_facts")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "iosq").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != full)
    with pytest.raises(LakeError, match="iosq: is a symbolic link or belongs to another user"):
        iosq.open(full).sql("SELECT * FROM pav_candidate")
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_disk_that_fills_up_meanwhile_leaves_the_records(
    lake: Path, truth: dict[str, list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise LakeError("can't be written: No space left on device", place="lake")

    with monkeypatch.context() as patch:
        patch.setattr(build, "make_days", full)
        with pytest.raises(LakeError, match="No space left"):
            iosq.ingest(tmp_path / "lake", [lake.with_name("sysa.smf")])
    assert_equal(stored(tmp_path / "lake"), truth)


def test_facts_change_with_the_records(lake: Path, tmp_path: Path) -> None:
    grown = copied(lake, tmp_path)
    query = "SELECT count(DISTINCT system) AS systems FROM shared_volume_interval, volume_interval"
    assert iosq.open(grown).sql(query).item() == 1
    iosq.ingest(grown, [lake.with_name("sysb.smf")])
    assert iosq.open(grown).sql(query).item() == 2


def test_a_query_of_a_lake_on_a_full_disk_uses_the_cache(
    lake: Path, truth: dict[str, list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = copied(lake, tmp_path)
    shutil.rmtree(full / "_facts")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    put = fact_files._put

    def refused(made: Path, pieces: Any, root: Path) -> None:
        if root == full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(made))
        put(made, pieces, root)

    monkeypatch.setattr(fact_files, "_put", refused)
    assert iosq.open(full).sql("SELECT * FROM pav_candidate").rows() == truth["pav_candidate"]
    assert not any((full / "_facts").rglob("*.parquet"))
