"""The first rows of every promised view come back at once, on a lake of many thousand rows.

DuckDB 2.0.0 stood still for ever on `SELECT … FROM volume_interval LIMIT 1` here, all threads asleep: it does so where
a CTE that it computes once is joined twice with LEFT JOIN under a LIMIT. The query runs in a process of its own, as a
thread of the engine that sleeps might never be interrupted, and as in a large lake: views planned whole, two threads.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb

from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write
from tests.length import tried

SECONDS = 300
# every fourth view where `make test-duckdb-2` asks all of them
EVERY = 1 if duckdb.__version__.startswith("2.") else tried(4, 1)
SCRIPT = """
import sys
from pathlib import Path
import iosq
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql import settle
from iosq.toolkit.sql.guard import query

settle.SMALL_BYTES = 0
con = iosq.open(Path(sys.argv[1])).connection()
for view in [v for v in views() if v.layer == "promised"][:: int(sys.argv[2])]:
    assert query(con, f"SELECT * FROM {view.name} LIMIT 5").num_rows <= 5, view.name
assert query(con, "SELECT 1 FROM volume_interval WHERE io_rate > 0 LIMIT 1").num_rows == 1
"""


def test_the_first_rows_of_every_view_come_back(tmp_path: Path) -> None:
    write(tmp_path / "dumps", scale=4)
    ingest(Lake(tmp_path / "lake"), [tmp_path / "dumps"])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "lake"), str(EVERY)],
        timeout=SECONDS,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
