"""Which intervals a what-if uses where something changed, and how many aliases the addresses of an LCU allow."""

from dataclasses import dataclass

import pytest

from iosq.toolkit.predict.evidence import latest, pool_cap


@dataclass(frozen=True)
class Interval:
    """One with this number of exposures, I/Os per second and queued I/Os."""

    exposures: int
    rate: float
    queue: float


@pytest.mark.parametrize(
    ("seen", "used"),
    [
        ([(1, 400, 3), (1, 400, 3), (3, 420, 0)], slice(2, 3)),  # comparable work came, and does not wait
        ([(1, 400, 3), (1, 400, 3), (3, 300, 1)], slice(2, 3)),  # it still waits
        ([(1, 400, 3), (1, 400, 3), (3, 5, 0)], slice(0, 2)),  # no such work came
        ([(3, 400, 3), (3, 5, 0)], slice(0, 2)),  # nothing changed
        ([(1, 400, 0), (3, 400, 0)], slice(1, 2)),  # no queue at any time
    ],
)
def test_intervals_since_a_change_are_used_where_such_work_came(
    seen: list[tuple[int, float, float]], used: slice
) -> None:
    every = [Interval(*one) for one in seen]
    assert latest(every, lambda i: i.exposures == 3, lambda i: i.queue >= 0.5) == every[used]


@pytest.mark.parametrize(
    ("free", "other", "cap"), [(None, None, None), (0, None, 8), (5, None, 13), (-3, None, 8), (2, 24, 24)]
)
def test_a_pool_may_grow_to_the_free_addresses_or_to_those_of_another_system(
    free: int | None, other: int | None, cap: int | None
) -> None:
    assert pool_cap({"free_addresses": free, "other_aliases": other}, 8) == cap
    assert pool_cap({}, 8) is None
