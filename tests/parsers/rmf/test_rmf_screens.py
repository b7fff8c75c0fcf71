"""Screens of Monitor III as ISPF prints them: no line is lost, and no job stands at a wrong device."""

import re

import pytest
import rmf_support as support

SCREENS = (support.GOLDEN / "monitor3-screens.txt").read_text("ascii")
DEVR = "                        RMF" + SCREENS.rpartition("                        RMF")[2]
HEAD, _, ROWS = DEVR.partition("Reasons Type")
COMMAND = "Command ===>                                                  Scroll ===> HALF\n"


def jobs(text: str) -> list[tuple[str, str, str, float, float]]:
    rows = support.read(text.encode()).rows["rmf_m3_device_delay"]
    return [(r["volser"], r["device"], r["job"], r["using_pct"], r["delay_pct"]) for r in rows]


def test_devr_has_a_row_for_every_job_of_a_device() -> None:
    assert jobs(DEVR) == [
        ("VOL001", "06100", "LOADJOB", 40, 60),
        ("VOL001", "06100", "USERB", 1, 5),
        ("VOL002", "06101", "STCA", 17, 12),
        ("VOL002", "06101", "LOADJOB", 0, 4),
        ("VOL002", "06101", "USERB", 1, 3),
        ("VOL003", "06102", "STCA", 1, 6),
    ]


def test_a_second_row_of_xml_belongs_to_the_device_above() -> None:
    whole = (support.GOLDEN / "xml-monitor3.xml").read_text("utf-8")
    assert [(volser, job) for volser, _, job, _, _ in jobs(whole)] == [
        ("DB0001", "NIGHTLY7"),
        ("DB0001", "ONLINE7"),
        ("DB0002", None),
    ]
    result = support.read(
        whole.replace("<col>DB0001</col><col>07A00</col>", "<col>DB0001</col><col>07A99</col>").encode()
    )
    assert [r["job"] for r in result.rows["rmf_m3_device_delay"]] == ["NIGHTLY7", None]
    assert "bad_line" in result.codes()
    assert "ONLINE7" in [r["value"] for r in result.rows["rmf_xml_value"]]


def test_the_row_of_a_report_without_data_is_no_device() -> None:
    whole = (support.GOLDEN / "xml-monitor3.xml").read_text("utf-8")
    empty = '<row refno="1"><col>*NoData*</col><col/></row>'
    result = support.read(re.sub('<row refno="1">', lambda m: empty + m.group(), whole).encode())
    assert result.rows == support.read(whole.encode()).rows


def test_every_line_with_a_job_is_a_row_or_an_issue() -> None:
    lines = DEVR.splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.startswith(" VOL001"))
    for left_out in range(first, len(lines)):
        kept = lines[:left_out] + lines[left_out + 1 :]
        result = support.read("".join(kept).encode())
        with_jobs = sum("JOB" in line or "STCA" in line or "USERB" in line for line in kept[first:])
        bad = sum(i.code == "bad_line" for i in result.issues)
        assert len(result.rows["rmf_m3_device_delay"]) + bad >= with_jobs


def test_a_job_at_the_top_of_a_page_belongs_to_no_device_of_the_page_before() -> None:
    *page, last = DEVR.partition(" VOL003")[0].splitlines(keepends=True)
    again = [*page, *page[:9], last]
    result = support.read("".join(again).encode())
    assert [(i.code, i.offset) for i in result.lost()] == [("bad_line", len(again))]
    assert "USERB" in result.lost()[0].message


@pytest.mark.parametrize("where", [1, 2, 3])
def test_the_command_line_may_stand_anywhere_in_the_head(where: int) -> None:
    lines = [line for line in SCREENS.splitlines(keepends=True) if not line.startswith("Command")]
    titles = [n for n, line in enumerate(lines) if "RMF V2R4" in line]
    for title in reversed(titles):
        lines.insert(title + where, COMMAND)
    result = support.read("".join(lines).encode())
    assert not result.lost()
    assert [len(result.rows[t]) for t in sorted(result.rows)] == [2, 2, 6, 3]
