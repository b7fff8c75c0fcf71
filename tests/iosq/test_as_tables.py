"""A part that is cut out of tables of the whole is the part that a lake shows where it is asked for alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import iosq
from iosq.as_tables import as_tables, whole_and_part
from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views

NAMES = [v.name for v in views()]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three intervals of two systems."""
    folder = tmp_path_factory.mktemp("part")
    write(folder, intervals=[33, 40, 41], packed=())
    iosq.ingest(folder / "lake", [folder])
    return folder / "lake"


def rows(con: Any) -> dict[str, list[str]]:
    """Floats at twelve digits: alone, a part is added up in any order."""
    asked = {name: con.execute(f"SELECT * FROM {name}").fetchall() for name in NAMES}
    return {name: sorted(map(_told, found)) for name, found in asked.items()}


def _told(row: tuple[object, ...]) -> str:
    return repr([f"{v:.12g}" if isinstance(v, float) else v for v in row])


@pytest.mark.parametrize(
    "part",
    [{"system": "SYSB", "utc": True}, {"lcu": ["0011", "0020"], "since": "2025-11-18T10:00"}],
    ids=["a system", "LCUs and a time"],
)
def test_a_part_is_the_same_however_it_is_made(lake: Path, part: dict[str, Any]) -> None:
    of_lake = iosq.open(lake, **part)
    with as_tables(of_lake, NAMES) as con:
        alone = rows(con)
    with whole_and_part(of_lake, NAMES, NAMES) as (whole, cut):
        among, every = rows(cut), rows(whole)
    for name in NAMES:
        assert among[name] == alone[name], name
    assert among["volume_interval"] and set(among["volume_interval"]) < set(every["volume_interval"])


def test_a_name_that_is_nowhere_is_looked_for_in_all_views(lake: Path) -> None:
    of_lake = iosq.open(lake, volume="NOSUCH", since="2025-11-18T10:00")
    with pytest.raises(RequestError) as told, whole_and_part(of_lake, [], ["volume_interval"]):
        pass
    with pytest.raises(RequestError) as asked:
        of_lake.connection()
    assert str(told.value) == str(asked.value)
