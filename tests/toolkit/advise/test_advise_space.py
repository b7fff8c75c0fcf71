"""Extent pools, spool and temporary disk space: how full they are at the end of the data, and when CP had none left."""

import pytest
from advise_rows import Row, applied, at
from test_advise_pend import RULES

from iosq.toolkit.advise.finding import Finding


def pool(used: list[float]) -> list[Finding]:
    rows = [
        {"box": "AB123", "extent_pool": "0000", "interval_start": at(4 * n), "interval_s": 900.0, "utc_offset_s": 3600,
         "real_extents": 4000, "real_extents_allocated": round(4000 * share)}
        for n, share in enumerate(used)
    ]  # fmt: skip
    return applied(RULES["space_full"], {"extent_pool_interval": rows})


def spool(used: list[float], area: str = "SPOOL", **more: float) -> list[Finding]:
    rows: list[Row] = [
        {"platform": "z/VM", "system": "VMSYS", "interval_start": at(4 * n), "interval_s": 900.0, "utc_offset_s": 3600,
         "device": f"0A21{d}", "area": area, "used_ratio": share, **more}
        for n, share in enumerate(used) for d in range(2)
    ]  # fmt: skip
    return applied(RULES["space_full"], {"paging_volume_interval": rows})


@pytest.mark.parametrize("space", [pool, spool])
def test_space_that_fills_is_found_and_when_it_is_full(space: object) -> None:
    assert callable(space)
    (f,) = space([0.86, 0.90, 0.94, 0.96])
    assert f.severity == "act" and "is 96 % in use, full in 72 min (12:15 on 2026-03-02)" in f.text
    # 10 points in 3 hours leave 1.2 hours for 4 points
    assert f.details == "86 % were in use 3 h before, and time until full is at that pace"
    assert [f.severity for f in space([0.86, 0.90, 0.93])] == ["watch"]


@pytest.mark.parametrize("space", [pool, spool])
def test_space_that_is_free_again_is_not_full(space: object) -> None:
    assert callable(space)
    assert space([0.86, 0.97, 0.60]) == []


@pytest.mark.parametrize("space", [pool, spool])
def test_space_that_is_full_within_hours_is_found_however_much_is_in_use(space: object) -> None:
    """What grew by less than a tenth, or no longer does, has no such pace."""
    assert callable(space)
    (f,) = space([0.4, 0.4, 0.4, 0.5, 0.6, 0.7])
    assert f.severity == "watch" and "is 70 % in use, full in 3.0 h (14:15 on 2026-03-02)" in f.text
    assert f.details == "40 % were in use 3 h before, and time until full is at that pace"
    for flat in ([0.4, 0.41, 0.4, 0.41, 0.42, 0.43], [0.4, 0.5, 0.6, 0.7, 0.7, 0.7], [0.7, 0.6, 0.5]):
        assert space(flat) == []


@pytest.mark.parametrize(("area", "words"), [("SPOOL", "spool"), ("TDISK", "temporary disk")])
def test_space_of_cp_that_was_full_is_named_though_it_is_free_again(area: str, words: str) -> None:
    (f,) = spool([0.3, 1.0, 1.0, 0.42], area)
    assert (f.severity, f.text) == (
        "watch",
        f"The {words} space of VMSYS was full between 10:00 on 2026-03-02 and 11:15 on 2026-03-02",
    )
    assert spool([0.3, 0.99, 0.42], area) == []


def test_a_pool_allocated_in_full_is_meant_so_and_spool_is_not() -> None:
    assert pool([1.0] * 4) == []
    assert [f.severity for f in spool([0.97] * 4)] == ["watch"]


@pytest.mark.parametrize("space", [pool, spool])
def test_more_of_it_never_makes_it_less_serious(space: object) -> None:
    assert callable(space)
    ranks = [
        ["", "watch", "act"].index("".join(f.severity for f in space([0.8 + n / 100 for n in range(end)])))
        for end in range(1, 21)
    ]
    assert ranks == sorted(ranks) and ranks[0] == 0 and ranks[-1] == 2


@pytest.mark.parametrize("pages", [0.0, 300.0])
def test_spool_space_that_holds_pages_is_no_matter_of_spool_files(pages: float) -> None:
    (f,) = spool([0.4, 0.5, 0.6, 0.7], page_read_rate=pages, page_write_rate=pages, total_page_rate=60.0 + 2 * pages)
    assert f.advice.startswith("Add paging volumes" if pages else "First find the guest whose spool files grow")
