"""One text, two engines: what Spark makes of a view's text is what DuckDB makes of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from iosq.toolkit.lake import Lake, ingest
from iosq.toolkit.sql.catalog import needed

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT))
BASE = "device_interval cache_interval channel_interval dataset_interval tape_library_interval box_subsystem"
SMF = ROOT / "sample-data" / "smf"


@pytest.mark.slow
def test_base_views_agree(spark: Any, tmp_path: Path) -> None:
    from tests.benchmarks.bench_engines import verdicts

    lake = Lake(tmp_path / "lake")
    ingest(lake, [SMF / "sysb.smf.gz", SMF / "tapelib.bdw.smf"])
    wanted = needed(BASE)
    found = {view.name: verdict for view, verdict in verdicts(spark, lake, wanted)}
    assert not {name: verdict for name, verdict in found.items() if verdict.wrong}
    assert found["device_interval"].rows > 1000


def test_answers_that_differ_are_told_apart() -> None:
    from tests.benchmarks.bench_engines import compare

    one = pa.table({"name": ["a", "b", None], "rate": [1.0, None, 3.0]})
    assert not compare(one, one.take([2, 0, 1])).wrong
    assert compare(one, one.slice(1)).wrong == "number of rows"
    close = pa.table({"name": ["a", "b", None], "rate": [1.0 + 1e-12, None, 3.0]})
    assert 0 < compare(one, close).apart < 1e-11
    assert compare(one, pa.table({"name": ["a", "b", None], "rate": [1.1, None, 3.0]})).wrong == "rate"
    assert "rate" in compare(one, pa.table({"name": ["a", "b", None], "rate": [1.0, 2.0, None]})).wrong
    assert "name" in compare(one, pa.table({"name": ["a", "c", None], "rate": [1.0, None, 3.0]})).wrong
