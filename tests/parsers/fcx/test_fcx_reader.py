"""What a listing reader must get right whatever the layout: columns move, code pages differ, damage is reported."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from fcx_support import GOLDEN, Read
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.fcx import knowledge
from iosq.parsers.fcx.printer import DEVICE, Col, Head, heading_lines, page, row
from iosq.parsers.fcx.reader import READER
from iosq.parsers.listing.heading import headings
from iosq.parsers.registry import diagnose, recognise

DEVICES = (GOLDEN / "fcx108.txt").read_bytes()
LISTINGS = [p.read_bytes() for p in sorted(GOLDEN.glob("*.txt"))]
HEAD = Head("FCX108", "DEVICE", "General I/O Device Load and Performance", "VMSYS1", datetime(2024, 3, 5, 10), 600)
VALUES = ["12", "4", "100.0", "3.2", ".5", "3.5", "1.0", "5.0", "9.0", ".1", ".4", "50", "67", "113", "0", "7", ".5"]


def printed(columns: tuple[Col, ...], head: Head = HEAD, devices: int = 3) -> bytes:
    cells = dict(zip(DEVICE, ["", "3390-3", "VOL001", *VALUES], strict=True))
    by_leaf = {c.leaf: v for c, v in cells.items()}
    rows = [row(columns, [by_leaf.get(c.leaf) or f"A1{i:02}" for c in columns]) for i in range(devices)]
    return ("\n".join(page(head, 1, columns, rows)) + "\n").encode()


def facts(read: Read, table: str = "fcx108") -> list[dict[str, object]]:
    return [{k: v for k, v in r.items() if k != "line"} for r in read.rows(table)]


@given(st.permutations(DEVICE[3:]), st.lists(st.integers(0, 4), min_size=20, max_size=20))
@settings(max_examples=25, deadline=None)
def test_columns_are_found_wherever_the_headings_put_them(order: list[Col], wider: list[int]) -> None:
    # groups must stay together for their heading to be written once
    order = sorted(order, key=lambda c: [x.group for x in order].index(c.group) if c.group else order.index(c))
    moved = tuple(replace(c, width=c.width + w) for c, w in zip((*DEVICE[:3], *order), wider, strict=True))
    assert facts(Read(printed(moved))) == facts(Read(printed(DEVICE)))


RECOLLECTED = """\
 <-- Device Descr. -->  Mdisk Pa- <-Rate/s-> <------- Time (msec) -------> Req. <Percent> SEEK Recov <-Throttle->
 Addr Type   Label/ID   Links ths   I/O Avoid Pend Disc Conn Serv Resp CUWt Qued Busy READ Cyls SSCH Set/s Dly/s
 A100 3390-3 VOL001 CP     12   4 100.0   3.2   .5  3.5  1.0  5.0  9.0   .1   .4   50   67  113    0     7    .5
 A101 ->A100 VOL001         0   4 100.0    .0   .2  1.1  2.2  3.5  3.5   .0   .0   95   50   10    0  ....  ....
"""


OWNED = """\
 < Device Descr. ->                      <------------- Rate/s ------------->  User        Serv MLOAD Block %Used
             Volume Area   Area     Used <--Page---> <--Spool-->         SSCH Inter Queue  Time  Resp  Page   for
 Addr Devtyp Serial Type   Extent      % P-Rds P-Wrt S-Rds S-Wrt Total  +RSCH feres Lngth /Page  Time  Size Alloc
 A200 3390   PAGE01 PAGE   1-10016    24   7.1   5.2    .0    .0  12.3    5.1     1    .0   1.4   2.6     9    97
"""


def test_a_second_wording_of_cp_owned_devices_loses_no_column() -> None:
    head = replace(HEAD, report="FCX109", name="DEVICE CPOWNED", title="Load and Performance of CP Owned Disks")
    read = Read(("\n".join([*page(head, 1, (), [])][:6]) + "\n" + OWNED).encode())
    assert not read.issues
    (row,) = facts(read, "fcx109")
    assert (row["serial"], row["page_reads"], row["spool_writes"], row["user_interference"]) == (
        "PAGE01",
        7.1,
        0.0,
        1.0,
    )
    assert [name for name, value in row.items() if value is None] == ["utc_offset_s"]


@pytest.mark.parametrize(
    "lines",
    [
        ["      Area  Serv      MLOAD    ", " Addr Type  Time/Page Resp Time"],
        ["      Area  Serv          MLOAD", " Addr Type  Time/Page Resp Time"],
        [" Addr Area Type  Serv Time/Page  MLOAD Resp Time"],
    ],
)
def test_words_of_a_heading_set_side_by_side_are_one_column(lines: list[str]) -> None:
    report = knowledge.reports()["fcx109"]
    known = report.match(report.joined(headings(lines)))
    assert [k and k.name for k in known] == ["addr", "area_type", "serv_time_page", "mload_resp_time"]


def test_upper_lines_of_headings_may_be_shifted() -> None:
    lines = ["        Serv MLOAD Block %Used", "       Time  Resp  Page   for", " Addr /Page  Time  Size Alloc"]
    report = knowledge.reports()["fcx109"]
    plain = headings(lines)
    shifted = headings(["   " + lines[0], *lines[1:]])
    assert [h.words for h in plain] != [h.words for h in shifted]
    assert report.match(report.realigned(shifted)) == report.match(plain)
    assert [(h.start, h.end) for h in report.realigned(shifted)[:5]] == [(h.start, h.end) for h in plain]


@pytest.mark.parametrize("line", [" Addr Serv  Time/Page", " Addr Serv Total Time/Page", " Addr Serv Page"])
def test_words_apart_or_of_no_heading_stay_columns_of_their_own(line: str) -> None:
    report = knowledge.reports()["fcx109"]
    assert report.joined(headings([line])) == headings([line])


def test_numbers_may_end_one_character_off_their_heading() -> None:
    lines = printed(DEVICE).decode().splitlines()
    for by in (-1, 1):
        moved = [x[:24] + (" " * by + x[24:] if by > 0 else x[25:]) if i >= 8 else x for i, x in enumerate(lines)]
        read = Read(("\n".join(moved) + "\n").encode())
        assert facts(read) == facts(Read(printed(DEVICE)))
        assert not read.issues


def test_headings_that_are_printed_again_below_rows_are_no_rows() -> None:
    lines = printed(DEVICE).decode().splitlines()
    again = [*lines[:-1], *heading_lines(DEVICE), lines[-1]]
    read = Read(("\n".join(again) + "\n").encode())
    assert facts(read) == facts(Read(printed(DEVICE)))
    assert not read.issues


def test_a_log_longer_than_a_day_has_no_times() -> None:
    log = (GOLDEN / "fcx168.txt").read_bytes().replace(b"To   2024/03/06", b"To   2024/03/07")
    read = Read(log.replace(b"  900 Secs", b"87300 Secs"))
    assert {r["interval_start"] for r in read.rows("fcx168")} == {None}
    assert [i.code for i in read.issues] == ["fcx.cell"]


def test_the_recollected_wording_reads_as_it_stands() -> None:
    data = "\n".join([*printed(DEVICE).decode().splitlines()[:6], RECOLLECTED]).encode()
    found = Read(data)
    first = {k: v for k, v in facts(found)[0].items() if k != "label_id"}
    assert first == {k: v for k, v in facts(Read(printed(DEVICE)))[0].items() if k != "label_id"}
    assert found.rows("fcx108")[0]["label_id"] == "VOL001 CP"
    assert found.rows("fcx108")[1]["type"] == "->A100"
    assert not found.issues


def test_a_heading_not_understood_keeps_its_cells_and_says_so() -> None:
    odd = tuple(replace(c, leaf="Elapsed") if c.leaf == "Resp" else c for c in DEVICE)
    data = printed(DEVICE).replace(b" Resp ", b"Zresp ")
    read = Read(data)
    assert odd != DEVICE
    assert {(r["heading"], r["cell"]) for r in read.rows("fcx_other_cell")} == {("Time (msec).Zresp", "9.0")}
    assert [(i.code, i.severity) for i in read.issues] == [("unread_column", "data_loss")]
    assert {r["time_resp"] for r in read.rows("fcx108")} == {None}


def test_without_the_key_heading_no_row_is_guessed() -> None:
    read = Read(printed(DEVICE).replace(b" Addr ", b" Xddr "))
    assert not read.rows("fcx108")
    assert read.balance.kinds["fcx108"].failed == 3
    assert "fcx.layout" in {i.code for i in read.issues}


def test_rows_without_any_heading_are_counted() -> None:
    lines = printed(DEVICE).decode().splitlines()
    read = Read(("\n".join([*lines[:6], " >> All DASD <<    12.5", *lines[8:]]) + "\n").encode())
    assert not read.rows("fcx108")
    assert not read.rows("fcx_summary")
    assert read.balance.kinds["fcx108"].failed == 4
    assert sum(i.count for i in read.issues if i.code == "fcx.layout") == 4


def test_a_log_whose_time_heading_is_unknown_is_not_read_as_one_interval() -> None:
    log = (GOLDEN / "fcx168.txt").read_bytes()
    read = Read(log.replace(b"End Time", b"Ab Cdefg"))
    assert not read.rows("fcx168")
    assert "fcx.layout" in {i.code for i in read.issues}


@pytest.mark.parametrize("code", ["ascii", "cp037"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("control", [True, False])
def test_code_pages_line_ends_and_carriage_control(code: str, end: str, control: bool) -> None:
    lines = printed(DEVICE).decode().splitlines()
    text = "".join((x if control else x[1:]) + end for x in lines)
    data = text.encode(code)
    assert READER.sniff(data)
    assert recognise(data) is READER
    read = Read(data)
    assert facts(read) == facts(Read(printed(DEVICE)))
    assert read.balance.total_bytes == len(data)
    assert read.balance.balanced
    assert not read.issues


def test_other_text_is_not_taken_for_a_listing() -> None:
    for data in (b"", b"\x00" * 100, b"RMF report\n", "FCX108  Run".encode("utf-16"), b"see report FCX108 for that\n"):
        assert not READER.sniff(data)


def test_rows_of_many_pages_keep_their_interval() -> None:
    heads = [replace(HEAD, start=HEAD.start + timedelta(minutes=10 * i), system=f"VM{i % 2}") for i in range(5)]
    read = Read(b"".join(printed(DEVICE, h) for h in heads))
    expected = [(h.system, h.start) for h in heads for _ in range(3)]
    assert [(r["system"], r["interval_start"]) for r in read.rows("fcx108")] == expected


def test_a_row_printed_twice_for_emphasis_is_one_row() -> None:
    lines = printed(DEVICE).decode().splitlines()
    lines.insert(9, "+" + lines[8][1:])
    read = Read(("\n".join(lines) + "\n").encode())
    assert facts(read) == facts(Read(printed(DEVICE)))
    assert not read.issues


def test_a_span_its_own_page_contradicts_is_unknown() -> None:
    read = Read(printed(DEVICE).replace(b"From 2024/03/05 10", b"From 2024/03/05 09"))
    assert {r["interval_start"] for r in read.rows("fcx108")} == {None}
    assert [(i.code, i.severity, i.offset) for i in read.issues] == [("fcx.span", "data_loss", 1)]


def test_a_page_heading_we_cannot_read_gives_its_rows_to_no_interval() -> None:
    second = printed(DEVICE, replace(HEAD, start=datetime(2024, 3, 5, 11))).replace(b"FCX108", b"F#X108")
    read = Read(printed(DEVICE) + second)
    assert len(read.rows("fcx108")) == 3
    assert read.balance.balanced
    assert sum(i.count for i in read.issues if i.code == "fcx.line") >= 3


def test_a_character_lost_in_a_row_is_seen() -> None:
    lines = printed(DEVICE, devices=20).decode().splitlines()
    lines[12] = lines[12][:50] + lines[12][51:]
    read = Read(("\n".join(lines) + "\n").encode())
    assert {(i.code, i.offset) for i in read.issues if i.severity == "data_loss"} == {("fcx.cell", 13)}
    hurt = read.rows("fcx108")[4]
    sound = read.rows("fcx108")[5]
    assert all(hurt[k] in (None, v) for k, v in sound.items() if k not in ("line", "addr"))


@pytest.mark.parametrize("data", LISTINGS, ids=sorted(p.stem for p in GOLDEN.glob("*.txt")))
def test_cut_anywhere(data: bytes) -> None:
    whole = Read(data)
    tables = [t for t in whole.batches if t.startswith(("fcx1", "fcx2"))]
    sound = {t: {tuple(r.items()) for r in whole.rows(t)} for t in tables if t != "fcx110"}
    for end in range(0, len(data), 7 if len(data) < 2000 else 41):
        read = Read(data[:end])
        assert read.balance.balanced
        assert read.balance.total_bytes == end
        if data[end - 1 : end] not in (b"\n", b""):
            assert any(i.code == "fcx.cut" for i in read.issues)
        for table, rows in sound.items():
            assert {tuple(r.items()) for r in read.rows(table)} <= rows, end


@given(
    st.sampled_from(LISTINGS), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=6)
)
@settings(max_examples=80, deadline=None)
def test_flipped_characters_neither_crash_nor_unbalance(data: bytes, flips: list[tuple[int, int]]) -> None:
    damaged = bytearray(data)
    for at, value in flips:
        damaged[at % len(damaged)] = value
    read = Read(bytes(damaged))
    assert read.balance.balanced
    assert read.balance.total_bytes == len(damaged)
    last = sum(c.read for c in read.balance.kinds.values())
    assert all(1 <= i.offset <= last + 1 for i in read.issues)


@given(st.integers(0, len(DEVICES) - 1), st.sampled_from("#xZ?/"))
@settings(max_examples=80, deadline=None)
def test_a_wrong_letter_among_the_rows_is_reported(at: int, letter: str) -> None:
    begin = DEVICES.index(b" A100 3390")
    at = begin + at % (DEVICES.index(b"\n\n") - begin)
    if chr(DEVICES[at]) in "0123456789." and DEVICES[at + 1 : at + 2] != b"\n":
        line = DEVICES[DEVICES.rindex(b"\n", 0, at) + 1 :]
        column = at - DEVICES.rindex(b"\n", 0, at) - 1
        read = Read(DEVICES[:at] + letter.encode() + DEVICES[at + 1 :])
        if column > 25:
            assert any(i.severity == "data_loss" for i in read.issues), line[:132]


@pytest.mark.parametrize("code", ["utf-16", "cp037", "utf-8"])
def test_wrong_encoding_in_the_middle_is_counted(code: str) -> None:
    text = DEVICES.decode() if code != "utf-8" else "Ünlesbar ─── text\nin another encoding 12.5"
    alien = text.encode(code) + b"\n"
    read = Read(DEVICES + alien + DEVICES)
    assert read.balance.balanced
    assert len(read.rows("fcx108")) == 2 * len(Read(DEVICES).rows("fcx108"))
    assert any(i.severity == "data_loss" for i in read.issues)


def test_tables_begin_with_the_common_columns_and_name_their_source() -> None:
    for table in READER.tables():
        assert table.names[:5] == ("system", "interval_start", "utc_offset_s", "interval_s", "line")
        assert table.source
        assert all(c.meaning for c in table.columns)


def test_headings_of_a_report_do_not_contradict_one_another() -> None:
    for report in knowledge.reports().values():
        # columns below "Split" have the headings of others
        words = [w for k in report.columns for w in k.headings if not k.name.startswith("split_")]
        assert len(words) == len(set(words)), report.name
        assert report.key in {k.name for k in report.columns}


@pytest.mark.parametrize("digits", ["9" * 25, "9" * 5000])
def test_a_page_number_too_long_for_its_type_is_an_issue_and_the_rows_are_kept(digits: str) -> None:
    read = Read(printed(DEVICE).replace(b"Page    1", f"Page {digits}".encode()))
    assert facts(read) == facts(Read(printed(DEVICE)))
    assert read.one("fcx_page")["page"] is None
    (issue,) = read.issues
    assert (issue.code, issue.offset) == ("fcx.page", 1)
    assert "is no page number" in issue.message
    assert len(issue.message) < 200


@pytest.mark.parametrize("seconds", ["9" * 12, "9" * 25, "9" * 400])
def test_a_span_too_long_for_any_clock_is_an_issue(seconds: str) -> None:
    read = Read(printed(DEVICE).replace(b"For    600 Secs", f"For {seconds} Secs".encode()))
    (issue,) = read.issues
    assert (issue.code, issue.severity) == ("fcx.span", "data_loss")
    assert "is no span of time" in issue.message
    assert [r["interval_start"] for r in read.rows("fcx108")] == [None] * 3


def test_a_span_that_ends_beyond_the_calendar_is_an_issue() -> None:
    lines = printed(DEVICE).replace(b"2024/03/05 10:00:00", b"9999/12/31 23:59:59").splitlines(keepends=True)
    read = Read(b"".join(line for line in lines if not line.startswith(b" To")))
    (issue,) = read.issues
    assert issue.code == "fcx.span"
    assert len(read.rows("fcx108")) == 3


POINTS = re.compile(rb"(?<=[\d ])\.(?=\d+\b)")


@pytest.mark.parametrize(
    "name", ["fcx108", "fcx109", "fcx110", "fcx111", "fcx161", "fcx168", "fcx176", "fcx177", "fcx215"]
)
@pytest.mark.parametrize("thousands", [b"1,234", b"1.234", b"4'321"])
def test_numbers_with_decimal_commas_are_refused_and_never_read_as_others(name: str, thousands: bytes) -> None:
    data = (GOLDEN / f"{name}.txt").read_bytes().replace(b"z/VM   V.7.3.0", b"z/VM   V_7_3_0")
    commas = POINTS.sub(b",", data)
    if name != "fcx110":  # labels and values, one by one
        commas = re.sub(rb" {5}(\d,\d)(?= )", thousands.rjust(8), commas, count=1)
    before, after = Read(data), Read(commas)
    known = {v for r in before.rows(name) for v in r.values() if isinstance(v, float)} | {4321.0}
    found = {v for r in after.rows(name) for v in r.values() if isinstance(v, float)}
    assert found <= known
    assert after.issues or b"," not in commas


def test_a_listing_with_decimal_commas_says_what_to_do() -> None:
    read = Read(POINTS.sub(b",", (GOLDEN / "fcx108.txt").read_bytes()))
    shown = [i for i in read.issues if i.code == "fcx.comma"]  # one for each of two layouts
    assert [(i.severity, i.count) for i in shown] == [("data_loss", 4), ("data_loss", 2)]
    assert "print the listing with decimal points" in shown[0].message
    reported = [i.message.partition(" not understood")[0] for i in read.issues if i.code == "fcx.cell"]
    assert reported == ["fcx108: number under Rate/s.I/O"]  # a cell out of line; those with commas count once
    assert {r["rate_io"] for r in read.rows("fcx108")} == {None}


def test_one_damaged_comma_costs_one_cell() -> None:
    read = Read(printed(DEVICE).replace(b"100.0", b"100,0", 1))
    assert [r["rate_io"] for r in read.rows("fcx108")] == [None, 100, 100]
    assert [i.code for i in read.issues] == ["fcx.cell", "unread_values"]


@pytest.mark.parametrize("date", ["06.03.2024", "03/06/24", "03/06/2024", "6.3.2024", "24/03/06"])
@pytest.mark.parametrize("code", ["latin-1", "cp037"])
def test_dates_that_could_be_two_days_are_named(date: str, code: str) -> None:
    text = (GOLDEN / "fcx168.txt").read_text().replace("2024/03/06", date).replace("2024/03/05", date)
    assert recognise(text.encode(code)) is None
    assert diagnose(text.encode(code)).startswith(f"a Performance Toolkit listing with dates such as {date}, where")
    for known in ("2024/03/06", "2024-03-06"):
        assert recognise(text.replace(date, known).encode(code)) is READER


def test_a_page_is_printed_in_the_widths_of_the_report() -> None:
    groups, leaves = (line.rstrip() for line in heading_lines(DEVICE))
    assert groups == (
        " <-- Device Descr. --> Mdisk Pa- <-- Rate/s -> <---------- Time (msec) ---------->  Req."
        " < Percent > SEEK Recov <- Throttle >"
    )
    assert leaves == (
        " Addr Type   Label/ID  Links ths     I/O Avoid  Pend  Disc  Conn  Serv  Resp  CUWt  Qued"
        " Busy READ Cyls  SSCH  Set/s  Dly/s"
    )
