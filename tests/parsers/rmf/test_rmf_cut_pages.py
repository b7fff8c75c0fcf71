"""Listings that begin in the middle, and pages whose heads are damaged: rows of no other page's interval or system."""

import re
from pathlib import Path
from typing import Any

import pytest
import rmf_support as support
from rmf_layouts import dasd_page, pages
from test_rmf_damage import DEVICE, WHEN

CACHE = (support.GOLDEN / "cache.txt").read_text().splitlines(keepends=True)
DEVICE_PAGE = (support.GOLDEN / "cache-device-v2r1.txt").read_text().splitlines(keepends=True)
# screens have no page numbers: a whole one may be missing, and nothing says so
LISTINGS = sorted(path for path in support.GOLDEN.glob("*.txt") if "screens" not in path.name)


def page(device: str, system: str = "SYSF", hour: int = 9, number: int = 1) -> list[str]:
    when = {**WHEN, "system": system, "time": f"{hour:02}.15.00"}
    return dasd_page([{**DEVICE, "device": device}], **when, page=number)


def without(lines: list[str], *starts: str) -> bytes:
    return "".join(line for line in lines if not line.strip().startswith(starts)).encode()


def by_line(result: support.Result, above: int = 0) -> dict[tuple[str, int], dict[str, Any]]:
    given = ((table, row) for table, rows in result.rows.items() for row in rows)
    return {(table, row["line"] + above): {**row, "line": 0} for table, row in given}


@pytest.mark.parametrize("path", LISTINGS, ids=lambda p: p.name)
def test_what_is_read_of_a_listing_without_its_beginning_is_what_it_says(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    whole = by_line(support.read(b"".join(lines)))
    for cut in range(1, len(lines)):
        result = support.read(b"".join(lines[cut:]))
        rows = by_line(result, cut)
        assert all(whole[place] == row for place, row in rows.items()), cut
        assert len(rows) == len(whole) or {i.severity for i in result.issues} & {"notice", "data_loss"}, cut


def test_a_listing_that_begins_at_its_second_page_says_so() -> None:
    result = support.read(pages(page("02202", number=2), page("02203", number=3)))
    (issue,) = [i for i in result.issues if i.code == "pages_missing"]
    assert (issue.severity, issue.offset) == ("notice", 1) and "page 2 is the first" in issue.message
    assert [r["device"] for r in result.rows["rmf_dasd_device"]] == ["02202", "02203"]


def test_the_second_of_two_listings_begins_at_its_second_page() -> None:
    parts = [page("02202"), page("02203", number=2), page("02204", "SYSG", number=2)]
    (issue,) = [i for i in support.read(pages(*parts)).issues if i.code == "pages_missing"]
    assert issue.offset == 2 * len(parts[0]) + 1


@pytest.mark.parametrize("lost", [1, 2, 3, 4, 5])
def test_a_head_with_some_lines_left_is_another_page(lost: int) -> None:
    """Title, page number, line of the system, line of the time: the rows may be of any system and time."""
    result = support.read(pages(page("02202"), page("02203", "SYSG", 10)[lost:]))
    assert [r["device"] for r in result.rows["rmf_dasd_device"]] == ["02202"]
    assert "outside_report" in {i.code for i in result.lost()}


def test_headings_that_begin_again_without_a_page_head_are_reported() -> None:
    result = support.read(pages(page("02202"), page("02203")[7:]))
    assert len(result.rows["rmf_dasd_device"]) == 2
    assert [(i.severity, i.offset) for i in result.issues if i.code == "no_page_head"] == [("notice", 12)]


def test_a_cache_page_that_names_no_subsystem_counts_for_none() -> None:
    result = support.read(without(CACHE, "SUBSYSTEM  2107"))
    assert {row["interval_start"] for rows in result.rows.values() for row in rows} == {None}
    assert [(i.code, i.offset) for i in result.lost()] == [("no_owner", 8), ("no_owner", 45)]
    assert "without SSID" in result.lost()[0].message


def test_a_page_of_a_device_without_its_number_is_none_of_the_subsystem() -> None:
    result = support.read(without(DEVICE_PAGE, "VOLSER"))
    (row,) = result.rows["rmf_cache_status"]
    assert (row["device"], row["interval_start"]) == (None, None)
    assert "without NUM" in result.lost()[0].message


def test_a_lost_title_of_misses_writes_over_no_requests() -> None:
    (whole,) = (r for r in support.read("".join(CACHE).encode()).rows["rmf_cache_overview"] if r["kind"] == "NORMAL")
    result = support.read(without(CACHE, "------------------------CACHE MISSES", "REQUESTS     READ"))
    (row,) = (r for r in result.rows["rmf_cache_overview"] if r["kind"] == "NORMAL")
    assert {n: v for n, v in row.items() if v is not None and n != "line"}.items() <= whole.items()
    assert "bad_line" in {i.code for i in result.lost()}


def test_a_line_that_says_a_status_again_does_not_change_it() -> None:
    lines = [line + line.replace("85821", "12345") if line.startswith("TOTAL I/O") else line for line in CACHE]
    result = support.read("".join(lines).encode())
    assert result.rows["rmf_cache_status"][0]["total_io_count"] == 85821
    assert [i.message[:40] for i in result.lost()] == ["line not understood: TOTAL I/O       123"]


def test_no_row_of_a_cached_device_has_another_text_for_its_number() -> None:
    result = support.read("".join(CACHE).replace("VOL003   B007", "VOL003   B0G7").encode())
    assert {r["device"] for r in result.rows["rmf_cache_device"]} == {None, "B005", "B006"}
    assert [i.code for i in result.lost()] == ["bad_line"]


def test_control_units_are_no_processors() -> None:
    lines = (support.GOLDEN / "ioq.txt").read_text().splitlines(keepends=True)
    result = support.read("".join(lines[:15] + lines[17:]).encode())
    assert [r["iop"] for r in result.rows["rmf_ioq_iop"]] == ["00", "01", "SYS"]
    assert result.lost()


@pytest.mark.parametrize("name", ["device.txt", "cache.txt", "chan.txt", "ioq.txt", "ess.txt"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_listing_that_ends_before_the_first_row_of_a_page_is_cut(name: str, end: str) -> None:
    text = (support.GOLDEN / name).read_text()
    last = text.rindex("RPT VERSION")
    cuts = [text.index("\n", last - 100), text.index("\n", last), text.index("\n", text.index("\n", last) + 1)]
    for cut in cuts:
        assert "cut" in {i.code for i in support.read((text[:cut] + end).encode()).lost()}
    assert not support.read(text.encode()).lost()


@pytest.mark.parametrize("name", ["device.txt", "cache.txt", "chan.txt", "ioq.txt", "ess.txt"])
def test_a_listing_whose_blanks_are_squeezed_is_lost(name: str) -> None:
    result = support.read(re.sub("(?<=[^ \n]) +", " ", (support.GOLDEN / name).read_text()).encode())
    assert {"cut_title"} == {i.code for i in result.lost()}
