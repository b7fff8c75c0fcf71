"""Whatever happens to a page, its rows come with the values printed, or an issue says that data is lost."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fcx_support import GOLDEN, Read, database
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.registry import recognise
from tests.length import tried

REPORTS = ["fcx108", "fcx109", "fcx111", "fcx131", "fcx161", "fcx168", "fcx176", "fcx177", "fcx215"]
HEADED = 6  # lines of a printed page heading, with the rule below
PLACE = ("line", "system", "interval_start", "interval_s")


def lines_of(name: str) -> list[str]:
    """The first page of a report."""
    return (GOLDEN / f"{name}.txt").read_text().split("\n\n1FCX")[0].splitlines()


def columns(name: str) -> int:
    """Where the first row of the page stands."""
    first = Read(text(lines_of(name))).rows(name)[0]["line"]
    return int(first) - 1


def text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def values(read: Read, name: str) -> list[dict[str, Any]]:
    return [{k: v for k, v in r.items() if k not in PLACE} for r in read.rows(name)]


def is_lost(read: Read) -> bool:
    return any(i.severity == "data_loss" for i in read.issues)


def check(changed: list[str], name: str) -> None:
    """No value is another one; where one is missing the reader says so."""
    before, after = Read(text(lines_of(name))), Read(text(changed))
    assert after.balance.balanced
    key = "device" if name == "fcx131" else next(k for k in ("addr", "chpid") if k in before.rows(name)[0])
    sound = {(r[key], r.get("end_time")): r for r in values(before, name)}
    found = values(after, name)
    for row in found:
        true = sound.get((row[key], row.get("end_time")), {})
        wrong = {k: (v, true.get(k)) for k, v in row.items() if v is not None and v != true.get(k)}
        assert not wrong or is_lost(after), (row[key], wrong)
    whole = found == values(before, name) and all(r["system"] and r["interval_start"] for r in after.rows(name))
    assert whole or is_lost(after)


@pytest.mark.parametrize("name", REPORTS)
@given(st.integers(0, 12))
@settings(max_examples=8, deadline=None)
def test_pages_may_be_indented(name: str, by: int) -> None:
    read = Read(text([" " * by + line for line in lines_of(name)]))
    assert values(read, name) == values(Read(text(lines_of(name))), name)


@pytest.mark.parametrize("name", REPORTS)
@given(st.integers(-1, 9), st.booleans())
@settings(max_examples=15, deadline=None)
def test_rows_that_are_indented_alone_are_not_misread(name: str, by: int, one: bool) -> None:
    lines, at = lines_of(name), columns(name)
    moved = [line[1:] if by < 0 else " " * by + line for line in lines[at:]]
    check([*lines[:at], *(moved[:1] + lines[at + 1 :] if one else moved)], name)


@pytest.mark.parametrize("name", REPORTS)
@given(st.integers(20, 140))
@settings(max_examples=30, deadline=None)
def test_pages_that_are_cut_at_the_right_say_so(name: str, width: int) -> None:
    check([line[:width] for line in lines_of(name)], name)


@pytest.mark.parametrize("name", REPORTS)
@given(st.integers(0, HEADED - 1), st.integers(0, HEADED - 1))
@settings(max_examples=15, deadline=None)
def test_lines_of_the_page_heading_may_be_missing(name: str, first: int, second: int) -> None:
    kept = [line for at, line in enumerate(lines_of(name)) if at not in (first, second)]
    if first and second:
        check(kept, name)
    else:
        assert recognise(text(kept)) is None or is_lost(Read(text(kept)))


@pytest.mark.parametrize("name", [r for r in REPORTS if r != "fcx168"])
@given(st.integers(1, 99_999))
@settings(max_examples=12, deadline=None)
def test_a_span_may_be_of_any_length(name: str, seconds: int) -> None:
    start = datetime(2024, 3, 5, 10)
    lines = lines_of(name)
    lines[2] = f" From {start:%Y/%m/%d %H:%M:%S}{' ' * 70}VMSYS1"
    lines[3] = f" To   {start + timedelta(seconds=seconds):%Y/%m/%d %H:%M:%S}"
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    lines[4] = f" For {seconds:>6} Secs {clock}"
    read = Read(text(lines))
    assert values(read, name) == values(Read(text(lines_of(name))), name)
    assert {(r["interval_start"], r["interval_s"]) for r in read.rows(name)} == {(start, seconds)}


CHANGES = {
    "case": str.swapcase,
    "unknown": lambda word: "X" * len(word),
    "missing": lambda word: " " * len(word),
    "first letter": lambda word: "Q" + word[1:],
    "doubled": lambda word: f"{word} {word}",
}
WORD = re.compile(r"[^\s<>_.-]+")


def is_part(new: object, old: object) -> bool:
    """Whether a value is what it was, or a text that lost some of its words."""
    if not isinstance(new, str) or not isinstance(old, str):
        return new == old
    rest = iter(old.split())
    return all(word in rest for word in new.split())


def lost(name: str, before: Read, after: Read) -> set[str]:
    """The columns that lack a value which was there; no value is another one."""
    key = "device" if name == "fcx131" else next(k for k in ("addr", "chpid") if k in before.rows(name)[0])
    found = {(r[key], r.get("end_time")): r for r in values(after, name)}
    missing: set[str] = set()
    for row in values(before, name):
        new = found.get((row[key], row.get("end_time")), {})
        wrong = {k: v for k, v in new.items() if v is not None and not is_part(v, row[k])}
        assert not wrong, (row[key], wrong)
        missing |= {k for k, value in row.items() if value is not None and new.get(k) != value}
    return missing


def troubles(read: Read) -> set[tuple[str, str, int]]:
    return {(i.code, i.message, i.count) for i in read.issues if i.severity != "info"}


@pytest.mark.parametrize("name", REPORTS)
@given(st.data())
@settings(max_examples=tried(25, 300), deadline=None)
def test_a_changed_heading_word_moves_no_value_and_loses_none_silently(name: str, data: st.DataObject) -> None:
    lines = lines_of(name)
    headings = [n for n in range(HEADED, columns(name)) if WORD.search(lines[n])]
    number = data.draw(st.sampled_from(headings))
    line = lines[number]
    word = data.draw(st.sampled_from([*WORD.finditer(line)]))
    change = data.draw(st.sampled_from([*CHANGES][: None if word.end() == len(line) else 4]))
    new = line[: word.start()] + CHANGES[change](word.group()) + line[word.end() :]
    before, after = Read(text(lines)), Read(text([*lines[:number], new, *lines[number + 1 :]]))
    assert not lost(name, before, after) or troubles(after) - troubles(before)


@pytest.mark.parametrize("name", REPORTS)
@given(st.data())
@settings(max_examples=tried(10, 100), deadline=None)
def test_without_a_column_the_others_are_as_printed(name: str, data: st.DataObject) -> None:
    lines, first = lines_of(name), columns(name)
    lowest = max(n for n in range(HEADED, first) if WORD.search(lines[n]) and ">>" not in lines[n])
    word = data.draw(st.sampled_from([*WORD.finditer(lines[lowest])][1:]))  # the first is the key
    start, end = word.span()
    cells = [m.span() for row in lines[first:] for m in re.finditer(r"\S+", row) if m.start() < end and start < m.end()]
    start, end = min([start, *(s for s, _ in cells)]), max([end, *(e for _, e in cells)])
    blank = [line[:start] + " " * len(line[start:end]) + line[end:] for line in lines[HEADED:]]
    before, after = Read(text(lines)), Read(text([*lines[:HEADED], *blank]))
    assert len(lost(name, before, after)) <= 1 or troubles(after) - troubles(before)


NUMBER = re.compile(r"[\d.]+[KMG]?")


def neighbours(lines: list[str], first: int, lowest: int) -> list[tuple[int, int, int]]:
    """Where two columns of numbers that stand in the same group begin, meet and end."""
    words = [*re.finditer(r"\S+", lines[lowest])]
    groups = [m.span() for line in lines[HEADED:first] for m in re.finditer(r"<[^<>]*>", line)]
    places = [(a.end(), b.end(), c.end()) for a, b, c in zip(words, words[1:], words[2:], strict=False)]

    def is_free(start: int, middle: int, end: int) -> bool:
        cells = [
            row[a:b].strip() for row in lines[first:] if ">>" not in row for a, b in ((start, middle), (middle, end))
        ]
        apart = all(end <= g or start >= h or (g <= start + 1 and end <= h) for g, h in groups)
        return apart and all(NUMBER.fullmatch(cell) for cell in cells)

    return [place for place in places if is_free(*place)]


@pytest.mark.parametrize("name", [r for r in REPORTS if r != "fcx131"])
@given(st.data())
@settings(max_examples=tried(10, 100), deadline=None)
def test_columns_in_another_order_have_the_same_values(name: str, data: st.DataObject) -> None:
    lines, first = lines_of(name), columns(name)
    lowest = max(n for n in range(HEADED, first) if WORD.search(lines[n]) and ">>" not in lines[n])
    start, middle, end = data.draw(st.sampled_from(neighbours(lines, first, lowest)))
    turned = [
        line
        if "<" in line[start:end] + line[:start].rpartition(">")[2]
        else line[:start] + line[middle:end] + line[start:middle] + line[end:]
        for line in (line.ljust(end) for line in lines[HEADED:])
    ]
    after = Read(text([*lines[:HEADED], *turned]))
    assert values(after, name) == values(Read(text(lines)), name)


def test_pages_without_a_system_count_the_rows_that_reach_no_view() -> None:
    read = Read(text([line[:79] for line in lines_of("fcx108")]))
    (issue,) = [i for i in read.issues if i.code == "fcx.system"]
    assert (issue.severity, issue.count) == ("data_loss", len(read.rows("fcx108"))) and issue.count > 0
    assert "full record length" in issue.message


SCAN = """\
 FCX108      Data for 2025/01/31  Interval 08:00:00 - 08:10:00   Monitor Scan

 <-- Device Descr. --> Mdisk Pa- <-- Rate/s -> <---------- Time (msec) ---------->  Req.
 Addr Type   Label/ID  Links ths     I/O Avoid  Pend  Disc  Conn  Serv  Resp  CUWt  Qued
 B200 3390-3 SCAN01 CP    12   4   100.0   3.2    .5   3.5   1.0   5.0   9.0    .1    .4
 B201 3390-3 SCAN02        0   4    50.0    .0    .6   5.4   1.0   7.0   7.0    .1    .0
 Command ===>
 F1=Help  F4=Top  F12=Return
"""


def test_a_scanned_screen_has_the_time_it_prints() -> None:
    assert recognise(SCAN.encode()) is not None
    read = Read(SCAN.encode())
    times = {(r["interval_start"], r["interval_s"]) for r in read.rows("fcx108")}
    assert times == {(datetime(2025, 1, 31, 8), 600)}
    assert [(i.code, i.severity, i.count) for i in read.issues] == [("fcx.system", "data_loss", 2)]


def test_a_page_heading_of_another_form_is_named_and_its_rows_are_counted() -> None:
    data = SCAN.replace("Data for 2025/01/31  Interval 08:00:00 - 08:10:00   Monitor Scan", "Some other form").encode()
    assert recognise(data) is not None
    issues = {i.code: i for i in Read(data).issues}
    assert "Some other form" in issues["fcx.page"].message
    assert (issues["fcx.span"].severity, issues["fcx.span"].count) == ("data_loss", 2)


DETAIL = Path(__file__).with_name("fcx110_page.txt").read_text()


def test_details_of_a_device_give_paths_minidisks_and_areas() -> None:
    read = Read(DETAIL.encode())
    assert not read.issues
    row = read.one("fcx110")
    assert (row["paths"], row["path_status"], row["reserved"]) == ("20 21", "ON OFF", 35)
    disk, area = read.rows("fcx110_extent")
    assert (disk["userid"], disk["vdev"], disk["extent_start"], disk["io_s"]) == ("LINUXQ1", "0200", 11, 2.5)
    assert (area["vdev"], area["rd_s"], area["mload"], area["used"]) == ("PAGE", 6.2, 6.1, 47)


@given(st.integers(7, DETAIL.count("\n") - 1), st.sampled_from("#?"))
@settings(max_examples=40, deadline=None)
def test_a_line_of_the_details_that_is_not_understood_is_an_issue(at: int, letter: str) -> None:
    lines = DETAIL.splitlines()
    lines[at] = lines[at][:3] + letter * 12 + lines[at][15:]
    assert Read(text(lines)).issues


def test_what_the_details_say_of_reserves_reaches_the_device() -> None:
    page = (GOLDEN / "fcx108.txt").read_text().split("\n\n1FCX")[0] + "\n"
    page = page.replace("2024/03/05 23:50:00", "2025/01/31 08:00:00").replace(
        "2024/03/06 00:00:00 ", "2025/01/31 08:10:00 "
    )
    con = database(page.replace("VMSYS1", "VMQ").replace("A100", "B200").encode(), DETAIL.encode())
    found = con.execute("SELECT reserved_ratio FROM device_interval WHERE device IN ('0B200', '0A101') ORDER BY device")
    assert found.fetchall() == [(None,), (0.35,)]


def details(read: Read) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The rows of a page of details, by device and extent."""
    rows = [*read.rows("fcx110"), *read.rows("fcx110_cache"), *read.rows("fcx110_extent")]
    return {(r.get("extent_start"), r.get("dir")): {k: v for k, v in r.items() if k not in PLACE} for r in rows}


def check_details(changed: list[str]) -> None:
    """No value is another one; where one is missing the reader says so."""
    before, read = details(Read(DETAIL.encode())), Read(text(changed))
    assert read.balance.balanced
    after = details(read)
    for key, row in after.items():
        wrong = {k: v for k, v in row.items() if v is not None and not is_part(v, before.get(key, {}).get(k))}
        assert not wrong or is_lost(read), (key, wrong)
    assert after == before or troubles(read)


@given(st.integers(0, 12))
@settings(max_examples=6, deadline=None)
def test_a_page_of_details_may_be_indented(by: int) -> None:
    read = Read(text([" " * by + line for line in DETAIL.splitlines()]))
    assert details(read) == details(Read(DETAIL.encode()))


@given(st.integers(20, 140))
@settings(max_examples=40, deadline=None)
def test_a_page_of_details_that_is_cut_at_the_right_says_so(width: int) -> None:
    check_details([line[:width] for line in DETAIL.splitlines()])


@given(st.integers(1, 99_999))
@settings(max_examples=12, deadline=None)
def test_details_may_be_of_a_span_of_any_length(seconds: int) -> None:
    start = datetime(2025, 1, 31, 8)
    end, clock = start + timedelta(seconds=seconds), f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    changed = DETAIL.replace(
        "2025/01/31 08:10:00                      ", f"{end:%Y/%m/%d %H:%M:%S}                      "
    )
    read = Read(changed.replace("   600 Secs 00:10:00", f"{seconds:>6} Secs {clock:0>8}").encode())
    assert details(read) == details(Read(DETAIL.encode()))
    rows = [*read.rows("fcx110"), *read.rows("fcx110_cache"), *read.rows("fcx110_extent")]
    assert {(r["interval_start"], r["interval_s"]) for r in rows} == {(start, seconds)}


@given(st.data())
@settings(max_examples=tried(60, 400), deadline=None)
def test_changed_words_of_details_lose_no_value_silently(data: st.DataObject) -> None:
    lines = DETAIL.splitlines()
    printed = {word for row in details(Read(DETAIL.encode())).values() for v in row.values() for word in str(v).split()}
    labels = [
        (n, m) for n, line in enumerate(lines) for m in WORD.finditer(line) if n >= HEADED and m.group() not in printed
    ]
    number, word = data.draw(st.sampled_from([(n, m) for n, m in labels if not re.search(r"\d", m.group())]))
    line = lines[number]
    change = data.draw(st.sampled_from([*CHANGES][: None if word.end() == len(line) else 4]))
    lines[number] = line[: word.start()] + CHANGES[change](word.group()) + line[word.end() :]
    check_details(lines)


@given(st.integers(0, HEADED - 1), st.integers(0, HEADED - 1))
@settings(max_examples=15, deadline=None)
def test_lines_of_the_heading_of_details_may_be_missing(first: int, second: int) -> None:
    kept = [line for at, line in enumerate(DETAIL.splitlines()) if at not in (first, second)]
    read = Read(text(kept))
    whole = all(r["system"] and r["interval_start"] for r in read.rows("fcx110"))
    assert (details(read) == details(Read(DETAIL.encode())) and whole) or is_lost(read) or recognise(text(kept)) is None


def test_a_summary_above_the_headings_is_named_and_moves_no_value() -> None:
    lines = lines_of("fcx109")
    summary = ["", " PAGE slots available  7065540   SPOOL slots available   1200960", "_" * 100]
    read = Read(text([*lines[:HEADED], *summary, *lines[HEADED:]]))
    assert values(read, "fcx109") == values(Read(text(lines)), "fcx109")
    (issue,) = [i for i in read.issues if i.code == "fcx.line"]
    assert issue.severity == "notice" and "PAGE slots available" in issue.message


def test_headings_that_come_again_are_those_of_sequential_ios() -> None:
    again = DETAIL.replace("ICL/S BYP/S\n", "ICL/S BYP/S   IO/S %READ %RDHIT\n")
    again = again.replace(".0   'NORMAL' I/O only", ".0   12.5    80     99")
    read = Read(again.encode())
    row = read.one("fcx110_cache")
    assert not read.issues
    assert (row["io_s"], row["read"], row["split_io_s"], row["split_read"], row["split_rdhit"]) == (
        46,
        57,
        12.5,
        80,
        99,
    )
    assert Read(DETAIL.encode()).one("fcx110_cache")["split_io_s"] is None
