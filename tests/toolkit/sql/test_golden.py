"""Results of every promised view over one small lake, kept as text.

After a change that is meant: `IOSQ_GOLDEN=write pytest tests/toolkit/sql/test_golden.py`, then read the difference.
"""

import datetime as dt
import io
import json
import os
from pathlib import Path
from typing import Any

import duckdb
import pytest
from memory_lake import answered
from sql_lake import START, Lake, cache_device

from iosq.parsers.registry import tables
from iosq.toolkit.lake import lake as lakes
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.export import export
from tests.figures import answers
from tests.materialised import materialised
from tests.settle import settle

GOLDEN, SAMPLE = Path(__file__).with_name("golden"), Path(__file__).parents[3] / "sample-data"
PROMISED = [v for v in views() if v.layer == "promised"]


def _processors(lake: Lake, dasd: int, busy: int, common: dict[str, Any]) -> None:
    """A processor, and a service class with its goal."""
    cpu = {
        "SMF70CID": 1,
        "SMF70CNF": 1,
        "SMF70WAT": 4096 * 10**6 * 200 * busy,
        "SMF70SLH": 900,
        "SMF70TPI": 100,
    }
    lake.add("smf70_1_cpu_data", record_id=dasd + 700, **cpu, **common)
    lake.add("smf72_3_control", record_id=dasd + 720, R723MCNM="ONLHI", R723MWNM="ONLINE", R723MSCF=0, **common)
    goal = {"R723CPER": 1, "R723CRGF": 0x20, "R723CRTF": 0, "R723CRS1": 0, "R723CVAL": 50, "R723CIMP": 2}
    goal |= {"R723CTOU": 60 * busy, "R723CTOT": 40, "R723CRCP": 900, "R723CTET": 9e4, "R723CIRC": 9000 * busy}
    goal |= {"R723CIOT": 1e4, "R723CIWT": 2e4, "R723CIDT": 3e4, "R723CICT": 4e4, "R723CTSA": 400.0}
    lake.add("smf72_3_period", record_id=dasd + 720, **goal, **common)


def fill() -> Lake:
    """Two systems, three intervals, a base with aliases, a HyperPAV base, a tape drive, one shared control unit."""
    lake = Lake()
    for place in range(3):
        for system, late in (("SYSA", 0), ("SYSB", 2)):
            at = START + dt.timedelta(minutes=15 * place, seconds=late)
            dasd, tape = lake.record(), lake.record()
            common = {"system": system, "interval_start": at}
            lake.control(record=dasd, **common)
            lake.control(record=tape, device_class="0080", **common)
            busy = 1 + place
            lake.device("2208", record=dasd, SMF74SER="PAY001", SMF74QUE=900 * busy, **common)
            static = {"SMF74CNX": 0x20, "SMF74NUX": 3, "SMF74SSC": 45000 * busy, "SMF74MEC": 45000 * busy}
            lake.device(
                "2209", record=dasd, SMF74SER="PAY002", SMF74LCU="0013", SMF74QUE=90 * place, **static, **common
            )
            hyper = {"SMF74CNX": 0x22, "SMF74NUX": 1350, "SMF74HPC": 16, "SMF74IOS": 1e6 * busy}
            lake.device("220A", record=dasd, SMF74SER="PAY003", SMF74SGN="DB2", **hyper, **common)
            lake.device("220B", record=dasd, SMF74CNF=0, **common)
            lake.device("0580", record=tape, SMF74SER="", SMF74DEV="3590", SMF74MTC=2, **common)
            reads = {"DRCR": 60000.0 * busy, "DCRH": 59000.0 * busy}
            counts = reads | {"DWRC": 3000.0 * busy, "DWCH": 2900.0 * busy, "DFWC": 2950.0}
            cached = [
                cache_device(n, DVOL=v, DFWB=30.0 * place, **counts)
                for n, v in (("2208", "PAY001"), ("2209", "PAY002"))
            ]
            lake.cache(cached, common=common)
            lake.add("smf78_3_data", record_id=dasd + 500, R783ID2="0012", R783DST=3, R783HIX=1, R783HCNT=1, **common)
            pool = {"R783HTIO": 5000.0, "R783HNAI": 10.0 * place, "R783HAIU": 9, "R783XANC": 20.0, "R783HLCU": "0012"}
            lake.add("smf78_3_hyperpav", record_id=dasd + 500, **pool, **common)
            lake.add(
                "smf78_3_config_control", record_id=dasd + 500, section_index=1, R783ID1="0012", R783AMGS=7, **common
            )
            taken = {"R783CPID": "4A", "R783CPST": 0x40, "R783PT": 45000 * busy}
            lake.add("smf78_3_config_data", record_id=dasd + 500, parent_index=1, **taken, **common)
            path = {"SMF73PID": "4A", "SMF73ACR": "FC_S", "SMF73FG2": 1, "SMF73FG3": 1, "SMF73FG4": 0, "SMF73FG5": 0xF8}
            rates = {
                "SMF73CMG": 2,
                "SMF73PTI": 878906,
                "SMF73MCU": 2000.0,
                "SMF73TUC": 90000.0 * busy,
                "SMF73PUC": 9000.0,
            }
            lake.add("smf73_channel_data", record_id=dasd + 900, **path, **rates, **common)
            _processors(lake, dasd, busy, common)
    for system in ("SYSB", "SYSA"):
        hour = {"record_id": lake.record(), "system": system, "interval_s": 3600.0}
        lake.add("smf94_1_self_description", SMF94SNO="000000012345", SMF94SLT="003494", SMF94SLM="L12", **hour)
        lake.add("smf94_1_mount", SMF94MTO=72, SMF94MT3=40, SMF94MT1=90, SMF94MT2=20, SMF94MP1=3, **hour)
    return lake


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    con = fill().open(tmp_path_factory.mktemp("lake"))
    settle(con, [view.name for view in PROMISED])
    return con


def rounded(value: object) -> object:
    return float(f"{value:.9g}") if isinstance(value, float) else value


@pytest.mark.parametrize("view", [v.name for v in PROMISED])
def test_golden(con: duckdb.DuckDBPyConnection, view: str) -> None:
    target = io.BytesIO()
    export(con, f"SELECT * FROM {view} ORDER BY ALL", form="json", target=target)
    rows = [{k: rounded(v) for k, v in row.items()} for row in json.loads(target.getvalue())]
    text = "[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n"
    path = GOLDEN / f"{view}.json"
    if os.environ.get("IOSQ_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_view_gives_the_same_as_before(tmp_path: Path, study_listings: list[Path]) -> None:
    """All columns of all views in numbers, over the sample's records and listings and one of z/VM."""
    store = lakes.Lake(tmp_path / "lake")
    ingest(store, [SAMPLE / "smf", SAMPLE / "rmf", study_listings[0]])
    with materialised(connect(tables().values(), store.parts(), {}, root=store.path), [v.name for v in views()]) as con:
        answers.hold(GOLDEN / "sample.csv", list(answers.of_views("sample", con)))


@pytest.mark.parametrize("view", PROMISED, ids=lambda v: v.name)
def test_grain(con: duckdb.DuckDBPyConnection, view: View) -> None:
    """No two rows agree in the columns the header calls the grain."""
    name, grain = view.name, view.grain.removeprefix("one row per ")
    assert answered(con, f"SELECT {grain}, count(*) FROM {name} GROUP BY {grain} HAVING count(*) > 1") == []
