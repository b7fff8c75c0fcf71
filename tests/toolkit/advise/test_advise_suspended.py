"""What begins as a mirror goes or comes back."""

import pytest
from test_advise_causes import DAY, GONE, LIMIT, Fixed, finding, load, placed

from iosq.toolkit.advise.present import present
from iosq.toolkit.advise.severity import Recurrence
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import Episode


@pytest.mark.parametrize(("hour", "left"), [(10, 1), (11, 2)])
def test_a_wait_that_begins_as_the_mirror_goes_is_a_part_of_that(hour: int, left: int) -> None:
    """Though it ended before the mirror came back, and the same load has run well since."""
    kinds = ("HyperPAV, mirrored", 0, 10), ("HyperPAV", 10, 13), ("HyperPAV, mirrored", 13, 48)
    v0 = Subject("volume", ("V0",), ("SYSA",))
    gone = finding("volumes_moved", v0, when=None, lost_s=0.0, explains=frozenset({"same_extent"}))
    held = finding("same_extent", v0, when=Episode(DAY.replace(hour=hour), DAY.replace(hour=12), 1, 1))
    found = list(present([gone, held], placed(*(("V0", "0010", "AB1", *kind) for kind in kinds)), GONE))
    assert len(found) == left and found[0].lost_s == (60.0 if left == 1 else 0.0)
    assert ("V0 on SYSA queues in the host (10:00-12:00 on 2026-03-02)" in found[0].details) == (left == 1)


def test_a_mirror_that_came_back_and_began_a_wait_is_named_once() -> None:
    """The second box was sent what it lacked."""
    kinds = ("HyperPAV", 0, 10), ("HyperPAV, mirrored", 10, 48)
    places = placed(*(("V0", "0010", "AB1", *kind) for kind in kinds))
    (begun,) = present([finding("remote_copy_wait", Subject("box", ("AB1",)))], places, GONE)
    assert begun.advice.startswith("See whether it was only the copy of what the second box lacked: 1 volume changed")
    back = Fixed(load(1.0, 100.0, comparable_before_s=0.0, comparable_after_s=9 * 3600.0))
    ended = Recurrence(1, places, back, {"remote_copy_wait"}, LIMIT).weighed(begun)
    assert ended.severity == "watch" and ended.advice.count("not mirrored to mirrored") == 1
