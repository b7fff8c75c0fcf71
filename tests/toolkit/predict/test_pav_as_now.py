"""Which intervals a what-if about a volume looks at, where its exposures were changed."""

import datetime as dt

import pytest

from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.pav_lake import _as_now


def readings(*seen: tuple[int, float, float]) -> list[Reading]:
    """One interval for each exposures, rate and queue."""
    start = dt.datetime(2026, 1, 1)
    return [
        Reading("SYSA", "VOL001", "10", "B", start, 0, rate, 1e3 * queue / rate, 0, 0, 2.0, 2.0, exposures, exposures,
                False, None, 0.7, None, "3390", None, start + dt.timedelta(hours=at), 3600.0)
        for at, (exposures, rate, queue) in enumerate(seen)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("seen", "first"),
    [
        ([(1, 400, 3), (1, 400, 3), (3, 420, 0)], 2),  # as much work came, and no longer waits
        ([(1, 400, 3), (1, 400, 3), (3, 300, 1)], 2),  # it waits still
        ([(1, 400, 3), (1, 400, 3), (3, 5, 0)], 0),  # nothing came since
        ([(3, 400, 1), (1, 400, 3), (3, 420, 0)], 0),  # aliases that come and go
        ([(1, 400, 3), (1, 400, 3)], 0),
    ],
)
def test_the_exposures_there_are_for_good_count_where_such_work_met_them(
    seen: list[tuple[int, float, float]], first: int
) -> None:
    every = readings(*seen)
    assert _as_now(every) == every[first:]
