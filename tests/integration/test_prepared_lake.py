"""A prepared lake answers as one that computes its views, until something is ingested."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import iosq
from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample import write

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


def test_advice_is_the_same(lake: Path) -> None:
    kept, computed = (iosq.open(path).findings() for path in (lake, lake.with_name("plain")))
    assert kept.json() == computed.json()


def test_a_part_is_refused(lake: Path) -> None:
    with pytest.raises(RequestError, match="a part of a lake"):
        iosq.open(lake, lcu="0011").prepare()


def test_after_an_ingest_views_are_computed_again(lake: Path, tmp_path: Path) -> None:
    grown = tmp_path / "lake"
    shutil.copytree(lake, grown)
    asked = "SELECT count(DISTINCT system) AS systems FROM volume_interval"
    assert iosq.open(grown).sql(asked).item() == 1
    iosq.ingest(grown, [lake.with_name("sysb.smf")])
    assert iosq.open(grown).sql(asked).item() == 2
