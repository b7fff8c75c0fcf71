"""A prepared lake answers as one that computes its views, until something is ingested."""

from __future__ import annotations

import datetime as dt
import random
import shutil
from contextlib import ExitStack
from pathlib import Path

import polars as pl
import pytest

import iosq
from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.prepared import Kept
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views
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
    kept, computed = (iosq.open(path, **part) for path in (lake, lake.with_name("plain")))
    assert answers(kept) == answers(computed)


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


def test_advice_is_the_same(lake: Path) -> None:
    kept, computed = (iosq.open(path).findings() for path in (lake, lake.with_name("plain")))
    assert kept.json() == computed.json()


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
            kept, computed = (con.execute(f"SELECT * FROM {name}").fetchall() for con in made)
            assert kept == computed, (
                name,
                [pair for pair in zip(kept, computed, strict=True) if len(set(pair)) > 1][:1],
            )


def test_after_an_ingest_views_are_computed_again(lake: Path, tmp_path: Path) -> None:
    grown = tmp_path / "lake"
    shutil.copytree(lake, grown)
    asked = "SELECT count(DISTINCT system) AS systems FROM volume_interval"
    assert iosq.open(grown).sql(asked).item() == 1
    iosq.ingest(grown, [lake.with_name("sysb.smf")])
    assert iosq.open(grown).sql(asked).item() == 2
