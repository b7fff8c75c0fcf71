"""Only computed counts of a dump's volumes are reported."""

import pytest

from iosq.models.dump import VOLUMES_MAX
from iosq.toolkit.predict.dump import answer


@pytest.mark.parametrize("virtual", [False, True])
def test_no_count_beyond_the_computed_ones_is_reported(virtual: bool) -> None:
    """If fewer than the best were requested, the next count is faster, and its time is reported."""
    whole = answer(4.5, machine="sadump-3390-3", volumes=VOLUMES_MAX, virtual=virtual)
    times = {row["volumes"]: row["dump_s"] for row in whole.rows}
    best = whole.common["volumes_worth_having"]
    assert 1 < best < VOLUMES_MAX and f"more, up to {VOLUMES_MAX}, gain next to nothing" in whole.conclusions[0]
    for most in range(1, best):
        text = answer(4.5, machine="sadump-3390-3", volumes=most, virtual=virtual).conclusions[0]
        assert f"with {most + 1} it takes" in text and times[most + 1] < times[most]


def test_the_next_count_is_reported_with_its_time() -> None:
    assert answer(4.5, machine="sadump-3390-3", volumes=1).conclusions[0].endswith("in 19 min; with 2 it takes 9.9 min")
