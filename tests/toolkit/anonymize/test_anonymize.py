"""A lake to show to others: nothing names the site any more, and every number is still there."""

import datetime as dt
import re
import string
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import iosq
from iosq.parsers.registry import tables
from iosq.toolkit.anonymize import anonymize, columns, prove
from iosq.toolkit.anonymize.columns import replaced
from iosq.toolkit.anonymize.copy import _layout
from iosq.toolkit.anonymize.manner import Manner, coarse
from iosq.toolkit.anonymize.pseudonym import Pseudonyms
from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.guard import query
from tests.materialised import materialised

GOLDEN = Path(__file__).parents[2] / "golden"
LISTINGS = ("rmf/device.txt", "rmf/cache.txt", "rmf/ioq.txt", "fcx/mixed.txt", "monwrite/every_record.bin")
KEY = b"sixteen bytes or more"


@cache
def _connected(path: Path) -> Any:
    lake = Lake(path)
    parts = {name: [str(p) for p in paths] for name, paths in lake.parts().items()}
    return connect(tables().values(), parts, lake.about(), root=lake.path)


def opened(lake: Lake) -> Any:
    return _connected(lake.path)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    folder = tmp_path_factory.mktemp("original")
    dumps = write(folder / "dumps", intervals=range(39, 41))[:-1]
    lake = Lake(folder / "lake")
    ingest(lake, [*dumps, *(GOLDEN / name for name in LISTINGS)])
    iosq.compact(lake.path)  # files of several inputs, too
    return lake


@pytest.fixture(scope="module")
def small(original: Lake, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """One of its dumps alone: a third of the files, for what hangs on none of the others."""
    lake = Lake(tmp_path_factory.mktemp("small") / "lake")
    ingest(lake, [original.path.parent / "dumps" / "sysa.smf"])
    return lake


@pytest.fixture(scope="module")
def shared(original: Lake, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    target = tmp_path_factory.mktemp("shared") / "lake"
    outcome = anonymize(original, target, KEY)
    assert outcome.proof.left == ()
    assert outcome.proof.strings > 100
    return Lake(target)


def test_every_text_column_has_a_rule_with_a_reason() -> None:
    without = [
        f"{t.name}.{c.name}"
        for t in tables().values()
        for c in t.columns
        if c.type == "varchar" and columns.rule_of(t.name, c.name) is None
    ]
    assert not without, f"say in toolkit/anonymize/columns.csv whether these identify the site: {without}"
    assert all(rule.reason for rule in columns.rules())


@contextmanager
def as_tables(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with materialised(opened(lake), [v.name for v in views()]) as made:
        yield made


def test_every_view_gives_the_same_numbers(original: Lake, shared: Lake) -> None:
    with as_tables(original) as old, as_tables(shared) as new:
        _compare(old, new)


def _compare(old: duckdb.DuckDBPyConnection, new: duckdb.DuckDBPyConnection) -> None:
    filled = 0
    for view in views():
        numbers = [c.name for c in view.columns if c.type in ("DOUBLE", "BIGINT", "INTEGER") and c.name != "record_id"]
        picked = ", ".join(["count(*)", *(f'count("{n}"), coalesce(sum(CAST("{n}" AS DOUBLE)), 0)' for n in numbers)])
        (before,), (after,) = (con.execute(f"SELECT {picked} FROM {view.name}").fetchall() for con in (old, new))
        assert after == pytest.approx(before, rel=1e-9, nan_ok=True), view.name
        filled += bool(before[0])
    assert filled > 10


def test_same_name_same_pseudonym_so_that_joins_hold(original: Lake, shared: Lake) -> None:
    sql = (
        "SELECT count(*) AS n, count(DISTINCT d.SMF74SER) AS volumes FROM smf74_1_device_data d "
        "JOIN smf74_5_cache_device c ON c.R745DVOL = d.SMF74SER AND c.system = d.system"
    )
    before, after = (query(opened(lake), sql).to_pylist() for lake in (original, shared))
    assert before == after
    assert before[0]["volumes"] > 10
    names = query(opened(shared), "SELECT DISTINCT system, SMF74SER FROM smf74_1_device_data").to_pylist()
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]{5}", row["SMF74SER"]) for row in names if row["SMF74SER"])


def test_nothing_lets_a_guess_be_checked(original: Lake, shared: Lake) -> None:
    def column(lake: Lake, sql: str) -> set[Any]:
        return {row[0] for row in opened(lake).execute(sql).fetchall()}

    for sql in (
        "SELECT hash FROM lake_files",
        "SELECT file_id FROM lake_files",
        "SELECT path FROM lake_files",
        "SELECT record_id FROM smf74_1_record",
    ):
        before, after = column(original, sql), column(shared, sql)
        assert len(before) == len(after) > 0
        assert not before & after, sql
    assert not list(shared.path.glob("_digests/*"))


def test_the_key_decides(small: Lake, tmp_path: Path) -> None:
    def volumes(lake: Lake) -> list[str]:
        return [p.name for p in sorted(lake.path.glob("smf74_1_device_data/*"))]

    for copy, key in (("one", KEY), ("same", KEY), ("other", None)):
        anonymize(small, tmp_path / copy, key)
    assert volumes(Lake(tmp_path / "same")) == volumes(Lake(tmp_path / "one")) != volumes(Lake(tmp_path / "other"))


def test_a_forgotten_column_is_withheld_where_it_holds_a_name(
    small: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "iosq.toolkit.anonymize.copy.replaced", lambda t: {n: k for n, k in replaced(t).items() if n != "R745DVOL"}
    )
    outcome = anonymize(small, tmp_path / "out", KEY)
    sql = "SELECT count(*) AS n, count(R745DVOL) AS named FROM smf74_5_cache_device"
    ((before, named),), ((after, still),) = (
        _connected(path).execute(sql).fetchall() for path in (small.path, tmp_path / "out")
    )
    assert (outcome.proof.left, outcome.dropped.values > 0, before, named > 0) == ((), True, after, True)
    assert still == 0


def test_one_string_left_behind_is_withheld(small: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Pseudonyms._draw
    monkeypatch.setattr(Pseudonyms, "_draw", lambda s, a, *rest: a if a == "DB2003" else honest(s, a, *rest))
    outcome = anonymize(small, tmp_path / "out", KEY)
    assert outcome.proof.left == ()
    assert outcome.dropped.values > 0
    assert prove(tmp_path / "out", ["DB2003"]).left == ()


def test_a_file_in_which_nothing_helps_is_left_out_with_its_rows(
    small: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Manner, "applied", lambda _self, rows, *_: (rows, 0))
    honest = Pseudonyms._draw
    monkeypatch.setattr(Pseudonyms, "_draw", lambda s, a, *rest: a if a == "DB2003" else honest(s, a, *rest))
    outcome = anonymize(small, tmp_path / "out", KEY)
    assert (outcome.proof.left, outcome.dropped.values) == ((), 0)
    assert outcome.dropped.rows > 0
    assert Lake(tmp_path / "out").parts()


def test_a_lake_of_damaged_inputs_can_be_shared_too(tmp_path: Path) -> None:
    broken = Path(__file__).parents[2] / "broken"
    lake = Lake(tmp_path / "lake")
    ingest(lake, [p for p in (broken / "smf", broken / "fuzz") if p.is_dir()])
    outcome = anonymize(lake, tmp_path / "out", KEY)
    assert outcome.proof.left == ()
    assert outcome.proof.values > 100


def test_facts_of_the_copy_are_computed_from_it_and_hold_no_name(small: Lake, tmp_path: Path) -> None:
    rows = iosq.open(small.path).sql("SELECT system, volser, storage_group FROM device_interval")
    names = {name for column in rows.iter_columns() for name in column.drop_nulls()}
    iosq.open(small.path).connection().close()  # computes all facts
    assert {place.split("/")[0] for _, place in prove(small.path, names).left} >= {"_facts"}
    anonymize(small, tmp_path / "copy", KEY)
    assert not (tmp_path / "copy" / "_facts").exists()
    iosq.open(tmp_path / "copy").connection().close()
    assert len(list((tmp_path / "copy").glob("_facts/*/*.parquet"))) > 10
    assert prove(tmp_path / "copy", names).left == ()


def test_the_copy_is_there_once_it_has_proved_itself(
    small: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves no lake with half of the rows, or with names; an empty folder may wait for it."""
    (target := tmp_path / "copy").mkdir()
    there: list[list[str]] = []

    def looked_at(*given: Any) -> Any:
        there.append([p.name for p in target.iterdir()])
        return prove(*given)

    monkeypatch.setattr("iosq.toolkit.anonymize.copy.prove", looked_at)
    anonymize(small, target, KEY)
    assert there == [[]]
    assert Lake(target).exists
    assert [p.name for p in tmp_path.iterdir()] == ["copy"]


def test_what_the_layout_has_as_a_word_is_replaced_but_not_looked_for(original: Lake) -> None:
    assert {"smf74", "data", "2025", "system", "data_loss"} <= _layout(original)
    assert not {"SYSA", "DB2003"} & _layout(original)


def test_every_time_is_later_by_whole_weeks(small: Lake, tmp_path: Path) -> None:
    anonymize(small, tmp_path / "out", KEY, weeks=5)
    sql = "SELECT min(interval_start), max(interval_start), count(*), sum(io_rate) FROM device_interval"
    (before,), (after,) = (_connected(path).execute(sql).fetchall() for path in (small.path, tmp_path / "out"))
    by = dt.timedelta(weeks=5)
    assert after == (before[0] + by, before[1] + by, before[2], pytest.approx(before[3]))
    days = {folder.name for folder in (tmp_path / "out").glob("*/*/day=*")}
    assert days >= {f"day={(before[0] + by).date()}"}
    assert not days & {folder.name for folder in small.path.glob("*/*/day=2025*")}


def test_coarse_numbers_have_two_digits_and_devices_other_numbers(small: Lake, tmp_path: Path) -> None:
    anonymize(small, tmp_path / "out", KEY, coarse=True)
    sql = "SELECT SMF74SSC, SMF74NUM, SMF74SER FROM smf74_1_device_data"
    before, after = (_connected(path).execute(sql).fetchall() for path in (small.path, tmp_path / "out"))
    assert len(before) == len(after)
    assert all(float(f"{n:.2g}") == n for n, _, _ in after if n is not None)
    old, new = ({device for _, device, _ in rows} for rows in (before, after))
    assert len(old) == len(new)
    assert old != new
    assert sum(n for n, _, _ in after) == pytest.approx(sum(n for n, _, _ in before), rel=0.02)


@pytest.mark.parametrize("kind", [pa.int64(), pa.int32(), pa.float64()])
def test_two_digits(kind: pa.DataType) -> None:
    given, wanted = [None, 0, 7, 99, -1234, 98765, 105], [None, 0, 7, 99, -1200, 99000, 100]
    made = coarse(pa.array(given, kind)).to_pylist()
    assert made == pytest.approx(wanted)


def test_a_device_number_is_the_same_with_more_zeros() -> None:
    made = Pseudonyms(KEY, {"system": ["SYSA"]})
    assert made.device("02208")[-4:] == made.device("2208")
    assert re.fullmatch(r"[0-9A-F]{4}", made.device("2208"))


@pytest.mark.parametrize("text", ["VOL123", "see PROD.VOL123.X", "E5D6D3F1F2F3"])
def test_proof_finds_one_value_in_a_packed_file(tmp_path: Path, text: str) -> None:
    rows = pa.table({"cell": ["nothing"] * 5000 + [text]})
    pq.write_table(rows, tmp_path / "a.parquet", compression="zstd", write_statistics=False)
    assert prove(tmp_path, ["VOL123"]).left == (("VOL123", "a.parquet"),)
    assert prove(tmp_path, ["VOL124"]).left == ()


@pytest.mark.parametrize("data", [b"x" * 99 + b"VOL123", "VOL123".encode("cp037"), b"\0" * (1 << 22) + b"VOL123"])
def test_proof_finds_raw_bytes(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.bin").write_bytes(data)
    assert prove(tmp_path, ["VOL123"]).left == (("VOL123", "a.bin"),)


def test_proof_looks_at_names_of_files_and_at_short_words(tmp_path: Path) -> None:
    (tmp_path / "system=QQA").mkdir()
    (tmp_path / "system=QQA" / "VOL123.bin").write_bytes(b"")
    left = {text for text, _ in prove(tmp_path, ["VOL123", "QQA", "VOL", "RMF", "AB"]).left}
    assert left == {"VOL123", "QQA"}


NAMES = st.sets(st.text(string.ascii_uppercase + string.digits, min_size=1, max_size=6), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(volumes=NAMES, systems=NAMES, key=st.binary(min_size=16, max_size=80))
def test_pseudonyms_are_one_to_one_and_keep_their_shape(volumes: set[str], systems: set[str], key: bytes) -> None:
    made = Pseudonyms(key, {"volser": volumes, "system": systems})
    for kind in ("volser", "system"):
        found = made.maps[kind]  # type: ignore[index]
        assert len(set(found.values())) == len(found)
        assert not set(found.values()) & (volumes | systems)
    assert all(len(p) == 6 for p in made.maps["volser"].values())
    named = {o: p for o, p in made.maps["system"].items() if o}
    assert [named[o] for o in sorted(named)] == sorted(named.values())


def test_data_set_names_keep_their_levels_and_serials_their_zeros() -> None:
    made = Pseudonyms(KEY, {"dsn": ["PAY.A.LIB", "PAY.B.LIB"], "serial": ["000AB1", "0000"], "words": ["VOL001 CP"]})
    first, second = (made.maps["dsn"][name].split(".") for name in ("PAY.A.LIB", "PAY.B.LIB"))
    assert (first[0], first[2]) == (second[0], second[2])
    assert first[1] != second[1]
    assert made.maps["serial"]["000AB1"].startswith("000")
    assert made.maps["serial"]["0000"] == "0000"
    assert re.fullmatch(r"[A-Z][A-Z0-9]{5} CP", made.maps["words"]["VOL001 CP"])


def test_what_is_wrong_is_refused_before_anything_is_written(small: Lake, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="16"):
        anonymize(small, tmp_path / "out", b"short")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    with pytest.raises(RequestError, match="not an empty folder"):
        anonymize(small, tmp_path / "full")
    assert (tmp_path / "full" / "mine").exists()
