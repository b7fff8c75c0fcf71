"""Damaged input: never an exception, every line or byte accounted for, and an issue that names the line."""

import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st
from rmf_layouts import DASD_HEADING, dasd_page, pages

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.rmfxml.reader import RmfXmlReader

LISTING = b"".join(p.read_bytes() for p in sorted(support.GOLDEN.glob("*.txt")))
XML = (support.GOLDEN / "reports.xml").read_bytes()
WHOLE = {"listing": LISTING, "xml": XML}
WHEN = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "14.59.998"}
DEVICE = {
    "device": "02208", "device_type": "33909", "cylinders": 10017, "volser": "VOL001", "pav": 1, "lcu": "0042",
    "activity_rate": 35.953, "resp_ms": 3.24, "iosq_ms": 0.01, "cmr_ms": 0.02, "db_ms": 0.0, "int_ms": 0.01,
    "pend_ms": 0.133, "disc_ms": 1.17, "conn_ms": 1.93, "conn_pct": 6.94, "util_pct": 11.14, "resv_pct": 0.0,
    "alloc_avg": 12.0, "alloc_pct": 100.0,
}  # fmt: skip


def page(**changes: object) -> list[str]:
    return dasd_page([{**DEVICE, **changes}], **WHEN)


@pytest.mark.parametrize("kind", WHOLE)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_cut_anywhere_is_accounted_for(kind: str, data: st.DataObject) -> None:
    whole = WHOLE[kind]
    begin = data.draw(st.integers(0, len(whole) // 2))
    end = data.draw(st.integers(begin, len(whole)))
    support.read(whole[begin:end])


@pytest.mark.parametrize("kind", WHOLE)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_flipped_bytes_are_accounted_for(kind: str, data: st.DataObject) -> None:
    whole = WHOLE[kind]
    changed = bytearray(whole)
    for place, bit in data.draw(
        st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 7)), min_size=1, max_size=40)
    ):
        changed[place] ^= 1 << bit
    support.read(bytes(changed))


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=2000))
def test_anything_at_all_may_follow_a_page(rubbish: bytes) -> None:
    support.read(pages(page()) + rubbish)
    support.read(XML[:4000] + rubbish)


def test_ebcdic_with_or_without_line_ends_reads_like_ascii() -> None:
    plain = support.read(pages(page(), control=True)).rows
    text = pages(page(), control=True).decode()
    assert support.read(text.encode("cp037").replace(b"\x25", b"\x15")).rows == plain
    records = "".join(line.ljust(137) for line in text.splitlines())
    assert support.read(records.encode("cp037")).rows == plain


@pytest.mark.parametrize("code_page", ["ascii", "cp037"])
def test_records_with_descriptor_words_read_like_lines(code_page: str) -> None:
    text = pages(page(), page(device="02209"), control=True)
    records = [line.encode(code_page) for line in text.decode().splitlines()]
    data = b"".join((len(r) + 4).to_bytes(2, "big") + b"\0\0" + r for r in records)
    result = support.read(data)
    assert result.rows == support.read(text).rows
    assert result.balance.frame_bytes == 3 * len(records)
    support.read(data[:-7])
    assert not support.read(data * 40).lost()


def test_carriage_returns_and_control_characters_change_nothing() -> None:
    plain = support.read(pages(page())).rows
    assert support.read(pages(page()).replace(b"\n", b"\r\n")).rows == plain
    assert support.read(pages(page(), control=True)).rows == plain


def tabbed(line: bytes) -> bytes:
    """A line in which an editor set tabs in place of blanks."""
    parts = [line[at : at + 8] for at in range(0, len(line), 8)]
    return b"".join(part.rstrip(b" ") + b"\t" if len(part) == 8 and part.endswith(b"  ") else part for part in parts)


@pytest.mark.parametrize("path", sorted(support.GOLDEN.glob("*.txt")), ids=lambda p: p.name)
def test_tabs_in_place_of_blanks_move_no_value(path: Path) -> None:
    data = path.read_bytes()
    assert b"\t" in (changed := b"\n".join(map(tabbed, data.split(b"\n"))))
    assert support.read(changed).rows == support.read(data).rows


def test_a_letter_in_a_number_costs_that_number_and_names_the_line() -> None:
    lines = page()
    lines[-1] = lines[-1].replace("1.17", "1x17")
    result = support.read(pages(lines))
    (row,) = result.rows["rmf_dasd_device"]
    assert row["disc_ms"] is None
    assert row["conn_ms"] == 1.93
    (issue,) = result.lost()
    assert (issue.code, issue.offset) == ("bad_number", len(lines))
    assert "1x17" in issue.message


def test_a_damaged_heading_costs_its_column_and_quotes_the_words() -> None:
    lines = [line.replace("IOSQ", "I?SQ") for line in page()]
    result = support.read(pages(lines))
    (row,) = result.rows["rmf_dasd_device"]
    assert row["iosq_ms"] is None
    assert row["resp_ms"] == 3.24
    assert [(i.code, i.message) for i in result.lost()] == [
        ("unknown_value", "values that belong to no column: 0.01 under AVG I SQ TIME"),
        ("unread_column", "DEVICE: heading not understood: AVG I SQ TIME"),
    ]


@pytest.mark.parametrize("column", ["", "     XYZ", "     AVG", "      OF"], ids=["none", "unknown", "filler", "known"])
@pytest.mark.parametrize("value", ["0.777", "1.2K", "ABC"])
def test_a_value_under_no_known_heading_is_reported_and_lands_nowhere(column: str, value: str) -> None:
    lines = page()
    plain = support.read(pages(lines)).rows["rmf_dasd_device"][0]
    at = max(map(len, lines)) + 6
    lines = [line.ljust(at - 5) + column if line == DASD_HEADING[1] else line for line in lines]
    lines[-1] = lines[-1].ljust(at) + value
    result = support.read(pages(lines))
    (row,) = result.rows["rmf_dasd_device"]
    assert row == plain
    (issue,) = [i for i in result.lost() if i.code == "unknown_value"]
    assert value in issue.message


def test_a_value_between_two_columns_is_not_given_to_the_one_that_is_blank() -> None:
    """As a release prints it that has a column we do not know, in a row where its neighbour is blank."""
    lines = [line.replace(" CMR ", " XYZ ") for line in page(db_ms=None)]
    lines[-1] = lines[-1].replace("----", "    ")
    result = support.read(pages(lines))
    (row,) = result.rows["rmf_dasd_device"]
    assert (row["cmr_ms"], row["db_ms"], row["int_ms"]) == (None, None, 0.01)
    assert "0.02" in " ".join(i.message for i in result.lost())


def test_panels_whose_headings_are_lost_give_no_values() -> None:
    cache = (support.GOLDEN / "cache.txt").read_text()
    damaged = "".join(line for line in cache.splitlines(True) if not line.startswith("REQUESTS     READ"))
    result = support.read(damaged.encode())
    assert all(r["read_miss_count"] is None for r in result.rows["rmf_cache_overview"])
    assert result.balance.failed > 0


def test_misses_without_a_number_are_reported() -> None:
    cache = (support.GOLDEN / "cache.txt").read_text()
    (line,) = (n for n in cache.splitlines() if n.startswith("NORMAL        400"))
    unread = re.sub("[0-9.]+", "N/A", line.partition("DFW")[0])
    result = support.read(cache.replace(line, unread).encode())
    assert [i.message for i in result.lost()] == [f"line not understood: {unread.rstrip()}"]


def test_a_lost_heading_line_never_moves_values_into_other_columns() -> None:
    whole = support.read(pages(page())).rows["rmf_dasd_device"][0]
    for missing in DASD_HEADING:
        result = support.read(pages([line for line in page() if line != missing]))
        for row in result.rows.get("rmf_dasd_device", []):
            same = {k: v for k, v in row.items() if v is not None and k not in ("line", "online", "message")}
            assert all(whole[k] == v for k, v in same.items())


def test_values_without_a_blank_between_them_are_parted_at_the_headings() -> None:
    lines = page()
    heading = DASD_HEADING[2]
    ends = [heading.index("TIME") + 4, heading.index("TIME", heading.index("TIME") + 4) + 4]
    lines[-1] = lines[-1][: ends[0] - 5] + "123.4" + "100.2" + lines[-1][ends[1] :]
    (row,) = support.read(pages(lines)).rows["rmf_dasd_device"]
    assert (row["resp_ms"], row["iosq_ms"]) == (123.4, 100.2)


def test_a_page_whose_title_is_lost_is_not_taken_for_the_page_before() -> None:
    second = dasd_page([DEVICE], **{**WHEN, "system": "OTHR"})[2:]
    result = support.read(pages(page(), second))
    assert {r["system"] for r in result.rows["rmf_dasd_device"]} == {"SYSF"}
    assert "outside_report" in result.codes()


def test_a_page_without_date_has_no_interval_rather_than_the_last_one() -> None:
    second = [line.replace("DATE", "D TE") for line in page(device="02209")]
    rows = support.read(pages(page(), second))
    assert [r["interval_start"] is None for r in rows.rows["rmf_dasd_device"]] == [False, True]
    assert "no_interval" in rows.codes()


def test_xml_reading_goes_on_at_the_next_report() -> None:
    damaged = XML.replace(b"<col>35.953</col>", b"<col>35.953</kol>", 1)
    result = support.read(damaged)
    issue = next(i for i in result.issues if i.code == "xml_damaged")
    assert issue.offset == XML[: XML.index(b"<col>35.953</col>")].count(b"\n") + 1
    whole = support.read(XML)
    for table in ("rmf_ioq_lcu", "rmf_cache_status", "rmf_channel"):
        assert result.rows[table] == whole.rows[table]
    assert result.balance.lost_bytes > 0
    assert result.balance.failed == 1


def test_xml_documents_follow_each_other_whole_or_cut() -> None:
    once = support.read(XML)
    twice = support.read(XML + XML)
    assert len(twice.rows["rmf_channel"]) == 2 * len(once.rows["rmf_channel"])
    assert twice.lost() == [replace(issue, count=2) for issue in once.lost()]
    cut = support.read(XML[:3000] + XML)
    assert cut.rows["rmf_channel"][0]["path"] == once.rows["rmf_channel"][0]["path"]
    assert cut.lost()


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_xml_chunks_of_any_size_read_the_same(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = support.read(XML[:2500] + XML)
    monkeypatch.setattr("iosq.parsers.rmfxml.reader.CHUNK", size)
    monkeypatch.setattr("iosq.parsers.listing.records.EXAMINED", size)
    parts = support.read(XML[:2500] + XML)
    assert parts.rows.keys() == whole.rows.keys()
    for table, rows in whole.rows.items():
        assert sorted(map(str, parts.rows[table])) == sorted(map(str, rows))


BOMB = b'<!DOCTYPE ddsml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = b'<!DOCTYPE ddsml SYSTEM "http://127.0.0.1:9/never.dtd">'


@pytest.mark.parametrize("doctype", [BOMB, OUTSIDE], ids=["entities", "external"])
def test_xml_with_a_document_type_is_refused_and_its_reports_still_read(doctype: bytes) -> None:
    at = XML.index(b"<ddsml")
    result = support.read(XML[:at] + doctype + XML[at:].replace(b"<col>PRODSG</col>", b"<col>&b;</col>", 1))
    assert any("document type" in i.message for i in result.lost())
    assert "rmf_channel" in result.rows
    assert "aaaaaaaaaa" not in str(result.rows)


def test_xml_in_ebcdic_reads_like_ascii() -> None:
    text = XML.decode().replace('encoding="UTF-8"', 'encoding="IBM037"')
    result = support.read(text.encode("cp037").replace(b"\x25", b"\x15"))
    assert result.rows == support.read(XML).rows
    assert {i.code for i in result.lost()} == {"unread_column"}


@pytest.mark.parametrize("encoding", ["TTF-8", "IBM-1047", "IBM037", "UTF-16"])
def test_an_encoding_that_is_not_that_of_the_tags_is_taken_for_utf_8(encoding: str) -> None:
    result = support.read(XML.replace(b'"UTF-8"', f'"{encoding}"'.encode()))
    assert result.rows == support.read(XML).rows
    assert {i.code for i in result.lost()} == {"unread_column"}


@pytest.mark.parametrize(
    ("tag", "text", "missing"),
    [
        ("display-start", "23.04.2024-09.15.00", "no time"),
        ("report-interval", "900", "no length"),
        ("report-interval", "15.00.00", "no length"),
        ("resname", "", "no system"),
    ],
)
def test_xml_without_a_readable_interval_or_system_is_lost_to_all_views(tag: str, text: str, missing: str) -> None:
    data = (support.GOLDEN / "xml-device.xml").read_text()
    changed = re.sub(rf"(<{tag}\b[^>]*>)[^<]*", rf"\g<1>{text}", data)
    assert changed != data
    (issue,) = support.read(changed.encode()).lost()
    assert issue.code == "no_interval" and missing in issue.message


def test_a_tag_that_never_ends_does_not_fill_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iosq.parsers.rmfxml.documents.LONGEST", 1 << 18)
    endless = XML[:1500] + b"<" + b"a" * (1 << 23) + XML
    tracemalloc.start()
    result = support.read(endless)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "rmf_channel" in result.rows
    assert peak < 3 * len(endless)


@pytest.mark.parametrize("data", [b"<?xm\x1c?zm", b"plain text"])
def test_what_holds_no_report_at_all_is_reported(data: bytes) -> None:
    balance = Balance()
    issues = [i for i in RmfXmlReader().read(support.Bytes(data), balance, Context()) if isinstance(i, Issue)]
    assert [i.code for i in issues] == ["xml_junk"]
    assert balance.lost_bytes == len(data)


def night(*times: str, date: str = "11/03/2024") -> bytes:
    return pages(*(dasd_page([DEVICE], **{**WHEN, "date": date, "time": time}) for time in times))


def starts(result: support.Result) -> list[str | None]:
    return [r["interval_start"] and f"{r['interval_start']:%H:%M}" for r in result.rows["rmf_dasd_device"]]


def test_the_second_of_two_hours_is_reported_and_never_taken_for_the_first() -> None:
    """Clocks set back from 2:00 to 1:00: the listing prints 1:00 to 1:45 twice."""
    hour = ("01.00.00", "01.15.00", "01.30.00", "01.45.00")
    result = support.read(night("00.45.00", *hour, *hour, "02.00.00"))
    first = ["00:45", "01:00", "01:15", "01:30", "01:45"]
    assert starts(result) == [*first, None, None, None, None, "02:00"]
    shown = [i for i in result.issues if i.code == "hour_repeated"]
    assert [i.severity for i in shown] == ["data_loss"] * 4
    assert "2024-11-03 01:00" in shown[0].message
    lines = [r["line"] for r in result.rows["rmf_dasd_device"] if r["interval_start"] is None]
    assert all(issue.offset < line for issue, line in zip(shown, lines, strict=True))


def test_the_second_of_two_hours_is_reported_for_xml_too() -> None:
    at = [b"11/03/2024-01.%02d.00" % minute for minute in (30, 45, 0, 15)]
    result = support.read(b"".join(XML.replace(b"02/11/2024-09.15.00", time) for time in at))
    shown = {r["interval_start"] for r in result.rows["rmf_dasd_device"]}
    assert {t and f"{t:%H:%M}" for t in shown} == {"01:30", "01:45", None}
    assert "hour_repeated" in result.codes()


@pytest.mark.parametrize(
    "times",
    [("10.00.00", "10.15.00", "10.00.00"), ("03.00.00", "01.00.00", "01.15.00"), ("01.00.00", "01.00.00", "01.15.00")],
)
def test_going_back_otherwise_is_no_repeated_hour(times: tuple[str, ...]) -> None:
    result = support.read(night(*times))
    assert "hour_repeated" not in result.codes()
    assert None not in starts(result)


def with_commas(line: bytes) -> bytes:
    """Decimal commas in a line of a listing or XML; a page head keeps its times."""
    return line if b"CINT" in line else re.sub(rb"(?<![^\s>])(\d*)\.(\d+)(?=[KMGHS*]*[\s<])", rb"\1,\2", line)


@pytest.mark.parametrize("path", sorted(support.GOLDEN.glob("*.[tx][xm][tl]")), ids=lambda p: p.name)
def test_decimal_commas_are_refused_and_never_read_as_thousands(path: Path) -> None:
    """`12,345` is twelve with decimal commas: no value comes out that the input with points does not have."""
    data = path.read_bytes()
    points, commas = support.read(data), support.read(b"".join(map(with_commas, data.splitlines(keepends=True))))
    shown = [i for i in commas.lost() if "no decimal commas" in i.message or i.code == "bad_line"]
    assert sum(i.count for i in shown) >= 2
    for table, rows in commas.rows.items():
        for name in rows[0].keys() - {"interval_s"}:  # a cache's own one that is not read is the page's
            found = {r[name] for r in rows if isinstance(r[name], float)}
            assert found <= {r[name] for r in points.rows[table]}, (table, name)
