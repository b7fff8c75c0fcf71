"""Alias management groups in a listing: what it prints of the group, and of how many of its I/Os it has the LCUs."""

import pyarrow as pa
import pytest
import rmf_support as support
from memory_lake import filled

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.rmf.reader import RmfReader

LINES = (support.SAMPLES / "ioq-superpav-zosv2r2.txt").read_bytes().splitlines(keepends=True)


def groups(left_out: int) -> list[tuple[str, float, float, float, int, float]]:
    """Rows of the view for the listing without its last lines."""
    items = RmfReader().read(support.Bytes(b"".join(LINES[: len(LINES) - left_out])), Balance(), Context())
    rows: list[pa.RecordBatch] = [i.rows for i in items if not isinstance(i, Issue) and i.table == "rmf_ioq_lcu"]
    con = filled([{"rmf_ioq_lcu": rows}])
    columns = "alias_group, io_rate, css_delay_ms, denied_ratio, lcus, lcu_rate"
    return con.execute(f"SELECT {columns} FROM alias_group_interval ORDER BY alias_group").fetchall()


def test_the_listing_of_2016_as_published() -> None:
    first, second, third, fourth = groups(0)
    assert first == ("00000001", 1482.9, 27.2, 2.013, 0, 0)
    assert second == ("00000002", 1484.7, 27.1, 1.973, 3, pytest.approx(495.13 + 494.68 + 494.93))
    assert third == ("00000003", 1158.1, 2.8, 1.846, 2, pytest.approx(396.87 + 378.62))
    assert fourth == ("00000004", pytest.approx(343.01 + 397.37), None, None, 0, 0), (
        "its row for all paths is not there"
    )


def test_a_listing_cut_off_earlier_has_fewer_of_the_lcus() -> None:
    rates = [row[5] for row in groups(9)]
    assert rates[0] == 0 and rates[2] < 396.87 + 378.62
