"""A prepared lake answers as one that computes its views, until something is ingested."""

from __future__ import annotations

import datetime as dt
import random
import re
import shutil
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import iosq
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.prepared import Kept
from iosq.toolkit.lake.repair import repair
from iosq.toolkit.sample import write
from iosq.toolkit.sql import settle
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import shows_part
from iosq.toolkit.sql.materialise import materialised

KEYS = ("system", "volume", "lcu", "subsystem")
VIEWS = ("volume_interval", "lcu_interval", "pav_candidate")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two intervals of one system, prepared; the other system's dump stands beside it."""
    folder = tmp_path_factory.mktemp("prepared")
    write(folder, intervals=[40, 41], packed=(), names=["healthy"])
    iosq.ingest(folder / "lake", [folder / "sysa.smf"])
    shutil.copytree(folder / "lake", folder / "plain")
    iosq.open(folder / "lake").prepare()
    return folder / "lake"


def answers(lake: iosq.Lake) -> list[list[tuple[object, ...]]]:
    """Rows of views, rounded: threads add in any order where nothing is prepared."""
    asked = (lake.sql(f"SELECT * FROM {view} ORDER BY ALL") for view in VIEWS)
    return [[tuple(f"{v:.9g}" if isinstance(v, float) else v for v in row) for row in rows.rows()] for rows in asked]


@pytest.mark.parametrize("part", [{}, {"lcu": "0011"}], ids=["all", "an LCU"])
def test_it_answers_the_same(lake: Path, part: dict[str, str]) -> None:
    prepared, plain = (iosq.open(path, **part) for path in (lake, lake.with_name("plain")))
    assert answers(prepared) == answers(plain)


def test_views_are_read_and_not_computed(lake: Path) -> None:
    told = iosq.open(lake).sql("EXPLAIN SELECT * FROM box_interval").row(0)[1]
    assert "JOIN" not in told


def test_what_a_page_asks_is_computed_of_nothing_that_was_kept(lake: Path) -> None:
    """Nor is a view without rows: whether a value is impossible would be asked of every row there is."""
    asked = [v.name for v in views()]
    with materialised(iosq.open(lake).connection(" ".join(asked)), asked) as copy:
        made = {name for (name,) in copy.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        empty = copy.execute("SELECT count(*) FROM impossible_value").fetchall()
    assert (made & set(asked), empty) == (set(), [(0,)])


def advice(lake: iosq.Lake) -> tuple[str, str]:
    """What rules find, with what it rests on."""
    found = lake.findings()
    return found.json(), found.heading


def test_what_is_asked_of_all_is_read_and_not_asked(
    lake: Path, tmp_path: Path, computed: list[tuple[str, Any]]
) -> None:
    """Of a lake of any size, so, but for what its inputs tell: one without rows changes no file of it."""
    whole, of_system, plain = iosq.open(lake), iosq.open(lake, system="SYSA"), iosq.open(lake.with_name("plain"))
    said = advice(whole)
    whole.verdicts()
    for page in ("report.html", "report.xlsx"):
        whole.report(tmp_path / page)
    assert {sql for sql, _ in computed if not re.search("lake_(files|issues)", sql)} == set()
    assert any("lake_issues" in sql for sql, _ in computed), "the fixture sees what is asked"
    computed.clear()
    of_system.findings()
    assert not {question.sql for question in (r.question for r in all_rules() if not r.general)} & {
        sql for sql, _ in computed
    }
    plain.report(tmp_path / "plain.html")
    assert said == advice(plain)
    assert (tmp_path / "report.html").read_bytes() == (tmp_path / "plain.html").read_bytes()


@pytest.mark.parametrize(
    "other",
    [{"utc": True}, {"thresholds": {"pav_add_alias": {"queue_length": 0.001}}}, {"volume": "DB2003"}],
    ids=["another clock", "other thresholds", "a volume"],
)
def test_other_questions_get_other_answers(lake: Path, other: dict[str, Any]) -> None:
    assert advice(iosq.open(lake, **other)) == advice(iosq.open(lake.with_name("plain"), **other))


def test_a_part_of_the_time_is_read_where_it_lies(lake: Path) -> None:
    """As all of it is; only what sums up is made anew."""
    part, plain = (iosq.open(path, since="2025-11-18T10:10") for path in (lake, lake.with_name("plain")))
    assert advice(part) == advice(plain)
    asked = [v.name for v in views()]
    with materialised(part.connection(made=" ".join(asked), copied=True), asked) as copy:
        made = {name for (name,) in copy.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        rows = copy.execute("SELECT count(*) FROM volume_interval").fetchall()
    assert {v.name for v in views() if shows_part(v)} & made == set()
    assert rows == [(plain.sql("SELECT count(*) FROM volume_interval").item(),)]


def test_a_part_of_a_large_lake_computes_each_view_once(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each of thirty views that are cut would be computed from records on, with all below it."""
    parts = [{"since": "2025-11-18T10:10"}, {"system": "SYSA", "volume": "DB2003"}]
    small = [advice(iosq.open(lake.with_name("plain"), **part)) for part in parts]
    made, make = Counter[str](), settle._make

    def noted(con: Any, schema: str, view: str) -> None:
        made[f"{schema}.{view}"] += 1
        make(con, schema, view)

    monkeypatch.setattr(settle, "_make", noted)
    monkeypatch.setattr(settle, "SMALL_BYTES", 0)
    large = [advice(iosq.open(lake.with_name("plain"), **part)) for part in parts]
    assert large == small
    # of a time they are cut out of the whole; what names narrow is cut out of tables
    assert (made["whole.volume_interval"], made["whole.device_interval"]) == (1, 1)


def test_what_inputs_without_rows_change_is_told(lake: Path, tmp_path: Path) -> None:
    """No Parquet file comes, so that what was prepared holds."""
    grown = tmp_path / "lake"
    shutil.copytree(lake, grown)
    before = met(grown)
    (tmp_path / "empty.smf").write_bytes(lake.with_name("sysb.smf").read_bytes()[:200])
    iosq.ingest(grown, [tmp_path / "empty.smf"])
    assert (before, met(grown)) == ("no issue", "1 loss of data")


def met(lake: Path) -> str:
    """What a report says that reading the input met."""
    iosq.open(lake).report(lake / "report.html")
    found = re.search(r"Reading the input met ([^.(]*)", (lake / "report.html").read_text("utf-8"))
    return found[1].strip() if found else ""


def test_answers_that_are_not_what_was_kept_are_asked(
    lake: Path, tmp_path: Path, computed: list[tuple[str, Any]]
) -> None:
    damaged = tmp_path / "lake"
    shutil.copytree(lake, damaged)
    (folder,) = (damaged / "_views").glob("answers-*")
    spoilt = max(folder.glob("*.parquet"), key=lambda f: f.stat().st_size)
    data = bytearray(spoilt.read_bytes())
    data[len(data) // 2] ^= 1
    spoilt.write_bytes(data)
    assert [a.kind for a in examine(damaged)] == ["prepared"]
    assert iosq.open(damaged).findings().json() == iosq.open(lake.with_name("plain")).findings().json()
    asked = {sql for sql, _ in computed}
    assert all(rule.question.sql in asked for rule in all_rules())
    assert all(done.done for done in repair(damaged))
    assert iosq.open(damaged).prepare().answers == iosq.open(lake).prepare().answers > len(all_rules())


def test_a_part_is_refused(lake: Path) -> None:
    with pytest.raises(RequestError, match="a part of a lake"):
        iosq.open(lake, lcu="0011").prepare()


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of three days that was prepared and got a fourth then; another of the same dumps that was not."""
    folder = tmp_path_factory.mktemp("days")
    for name, quarters in (("former", [40, 95, 96, 136, 232]), ("last", [328, 330])):
        write(folder / name, intervals=quarters, packed=(), names=["healthy"], days=4)
        for lake in ("kept", "plain"):
            iosq.ingest(folder / lake, [folder / name / "sysa.smf"])
        if name == "former":
            iosq.open(folder / "kept").prepare()
    return folder


@pytest.fixture(scope="module")
def again(days: Path) -> Kept:
    """What preparing the fourth day did."""
    return iosq.open(days / "kept").prepare()


def test_only_days_that_something_was_ingested_about_are_computed_again(days: Path, again: Kept) -> None:
    """The last day's neighbours are: their intervals reach over midnight."""
    # three days are held by then, four in the end; and one on each side, where nothing is
    assert (again.new_days, again.former_days) == (3, 3)
    idle = iosq.open(days / "kept").prepare()
    assert (idle.new_days, idle.former_days, idle.bytes) == (0, 6, again.bytes)
    assert_every_view_is_the_same(*(iosq.open(days / lake) for lake in ("kept", "plain")))


@pytest.mark.parametrize(
    "view", ["volume_interval", "lcu_interval", "cache_interval", "shared_volume_interval", "nvs_delay"]
)
def test_what_is_read_of_some_days_is_what_all_days_hold(days: Path, again: Kept, view: str) -> None:
    """Whatever the window: it may lie between days, on one, or before all."""
    lake, pick = iosq.open(days / "kept"), random.Random(again.views)
    whole = lake.sql(f"SELECT * FROM {view}")
    moments = sorted(set(whole["interval_start"].to_list()))
    for _ in range(3):
        since = pick.choice(moments) + dt.timedelta(minutes=pick.choice([-1440, 0, 1]))
        until = since + dt.timedelta(minutes=pick.choice([1, 900, 2000]))
        asked = f"interval_start >= '{since}' AND interval_start < '{until}'"
        inside = whole.filter((pl.col("interval_start") >= since) & (pl.col("interval_start") < until))
        assert rows(lake.sql(f"SELECT * FROM {view} WHERE {asked}")) == rows(inside)
        key, value = pick.choice([(k, pick.choice(whole[k].to_list())) for k in KEYS if k in whole.columns])
        one = lake.sql(f"SELECT * FROM {view} WHERE {asked} AND {key} = '{value}'")
        assert rows(one) == rows(inside.filter(pl.col(key) == value))


def rows(of: pl.DataFrame) -> list[str]:
    return sorted(map(repr, of.rows()))


def assert_every_view_is_the_same(one: iosq.Lake, other: iosq.Lake) -> None:
    """To the last digit, and in the same order."""
    names = [v.name for v in views()]
    with ExitStack() as held:
        cons = [lake.connection(made=" ".join(names), copied=True) for lake in (one, other)]
        made = [held.enter_context(materialised(con, names)) for con in cons]
        for name in names:
            read, plain = (con.execute(f"SELECT * FROM {name}").fetchall() for con in made)
            unlike = [pair for pair in zip(read, plain, strict=True) if len(set(pair)) > 1]
            assert read == plain, (name, unlike[:1])


def test_after_an_ingest_views_are_computed_again(lake: Path, tmp_path: Path) -> None:
    grown = tmp_path / "lake"
    shutil.copytree(lake, grown)
    asked = "SELECT count(DISTINCT system) AS systems FROM volume_interval"
    assert iosq.open(grown).sql(asked).item() == 1
    iosq.ingest(grown, [lake.with_name("sysb.smf")])
    assert iosq.open(grown).sql(asked).item() == 2
