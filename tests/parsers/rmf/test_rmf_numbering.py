"""Missing pages are found by the numbers of those that are there."""

from collections.abc import Sequence

import pytest
import rmf_support as support
from rmf_layouts import dasd_page, pages
from test_rmf_damage import DEVICE, WHEN


def page(number: int, hour: int = 9, system: str = "SYSF", *, other: bool = False) -> list[str]:
    row = {**DEVICE, "device": f"{0x2000 + number:05X}"}
    lines = dasd_page([row], **{**WHEN, "system": system, "time": f"{hour:02}.15.00"}, page=number)
    return [line.replace("D I R E C T   A C C E S S   D E V I C E", "C P U") for line in lines] if other else lines


def missing(parts: Sequence[list[str]]) -> list[tuple[int, str]]:
    found = support.read(pages(*parts)).lost()
    return [(i.offset, i.message) for i in found if i.code == "pages_missing"]


@pytest.mark.parametrize("control", [True, False])
def test_a_jump_within_an_interval_is_reported_where_it_is(control: bool) -> None:
    parts = [page(n) for n in (1, 2, 4)]
    (issue,) = [i for i in support.read(pages(*parts, control=control)).issues if i.code == "pages_missing"]
    assert issue.severity == "data_loss" and issue.offset == 2 * len(parts[0]) + 1
    assert "page 4 follows page 2" in issue.message


@pytest.mark.parametrize(
    "parts",
    [
        [page(1), page(2), page(3)],
        [page(1), page(2), page(1), page(2)],
        [page(1), page(1, system="SYSG"), page(2), page(2, system="SYSG")],
        [page(1), page(2), page(1, 10), page(2, 10)],
        [page(3), page(9, 10), page(15, 11), page(21, 12)],
        [page(1), page(2, other=True), page(3)],
    ],
    ids=["whole", "twice", "systems", "restart", "other reports left out", "other reports between"],
)
def test_listings_in_which_nothing_is_missing(parts: list[list[str]]) -> None:
    assert not missing(parts)


def test_numbers_that_go_on_beyond_intervals_show_a_page_lost_between_them() -> None:
    numbers = [n for n in range(1, 13) if n != 8]
    ((_, text),) = missing([page(n, (n - 1) // 2) for n in numbers])
    assert "page 9 follows page 7" in text
