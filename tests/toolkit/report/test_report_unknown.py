"""Tables of a page with unknown parts: an unknown time is no 0, and its volume is listed."""

import pytest
from advise_rows import at, box, database, volume

from iosq.toolkit.report.places import BOXES, LCUS
from iosq.toolkit.report.table import rows_of, tables
from iosq.toolkit.sql.questions import ask

VOLUMES = next(t for t in tables() if t.name == "volumes")
LOCAL = 4  # quarter hours that local time is ahead


@pytest.mark.parametrize("unknown", [(0,), (0, 1)])
def test_an_interval_without_connect_time_is_no_peak(unknown: tuple[int, ...]) -> None:
    """The first of two intervals is longest by its response, but the lost part of it is unknown."""
    rows = [volume(n, wait=5.0 - 4 * n, subsystem="3010") for n in range(2)]
    rows = [r | {"conn_ms": None} if n in unknown else r for n, r in enumerate(rows)]
    con = database(volume_interval=rows, cache_subsystem_interval=[box("3010", "0000CD472")])
    found = [*rows_of(con, VOLUMES, ()), *ask(con, LCUS).to_pylist(), *ask(con, BOXES).to_pylist()]
    assert [r["peak"] for r in found] == [at(1 + LOCAL) if len(unknown) == 1 else None] * 3


def test_a_volume_of_unknown_response_is_listed() -> None:
    rows = [volume(n, name) | ({"response_ms": None} if name == "B" else {}) for n in range(4) for name in ("A", "B")]
    found = {r["volume"]: r for r in rows_of(database(volume_interval=rows), VOLUMES, ())}
    assert found["A"]["lost_h"] > 0 and found["B"]["io_rate"] > 0
    assert found["B"]["response_ms"] is None and found["B"]["lost_h"] is None
