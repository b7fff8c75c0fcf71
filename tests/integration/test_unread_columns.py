"""Columns that are not read, from every source: the last line of ingest, its exit code, lake and page name them."""

from pathlib import Path

import pytest

import iosq
from tests.command import invoked

ROOT = Path(__file__).parents[2]
LISTING = (ROOT / "tests/golden/rmf/device.txt").read_text("latin-1")
XML = (ROOT / "tests/golden/rmf/reports.xml").read_text("utf-8").partition("</postprocessor>")[0]
XML += "</postprocessor></ddsml>\n"
FCX = (ROOT / "tests/golden/fcx/fcx108.txt").read_text("latin-1")
RESP = "DEVICE: heading not understood: AVG RSPX TIME"


def ingested(folder: Path, text: str) -> tuple[int, str]:
    """Exit code and last line."""
    (folder / "input").write_text(text, "latin-1")
    done = invoked(["ingest", str(folder / "input"), "--lake", str(folder / "lake")])
    return done.exit_code, done.stderr.splitlines()[-1]


def named(folder: Path) -> set[tuple[str, str]]:
    lake = iosq.open(folder / "lake")
    return {*lake.sql("SELECT severity, message FROM lake_issues WHERE code = 'unread_column'").rows()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LISTING.replace(" RESP ", " RSPX "), RESP),
        (XML.replace("Avg Response Time", "Antwortzeit"), "DEVICE: heading not understood: Antwortzeit"),
        (FCX.replace(" Resp ", " Zrsp "), "fcx108: heading not understood: Time (msec).Zrsp"),
    ],
    ids=["listing", "xml", "fcx"],
)
def test_a_lost_column_that_a_view_needs_ends_ingest_with_3(tmp_path: Path, text: str, message: str) -> None:
    code, last = ingested(tmp_path, text)
    assert code == 3
    assert "; columns not read: " in last
    assert ("data_loss", message) in named(tmp_path)


@pytest.mark.parametrize("text", [XML, FCX.replace(" Cyls ", " Zyls ")], ids=["xml", "fcx"])
def test_a_lost_column_that_no_view_needs_is_named_too(tmp_path: Path, text: str) -> None:
    code, last = ingested(tmp_path, text)
    assert code == 0
    assert "; columns not read: 1, see iosq sql " in last
    assert {severity for severity, _ in named(tmp_path)} == {"notice"}


def test_nothing_is_reported_about_columns_where_all_are_read(tmp_path: Path) -> None:
    assert "columns" not in ingested(tmp_path, FCX)[1]


def test_every_column_is_named_however_many_there_are(tmp_path: Path) -> None:
    odd = [f"Zz{n}" for n in range(60)]
    more = "".join(f'<col type="N">{name}</col>' for name in odd)
    last = ingested(tmp_path, XML.replace('<col type="T">Moon Phase</col>', more))[1]
    assert "; columns not read: 60, see" in last
    assert {message.rpartition(" ")[2] for _, message in named(tmp_path)} == set(odd)


def test_columns_read_in_part_are_counted_once(tmp_path: Path) -> None:
    last = ingested(tmp_path, LISTING.replace(" 3.24 ", " 3,24 ").replace(" 1.17 ", " 1x17 "))[1]
    assert "; columns not read: 2 (2 of them in part), see" in last


def test_the_head_of_the_page_names_them(tmp_path: Path) -> None:
    ingested(tmp_path, LISTING.replace(" RESP ", " RSPX "))
    iosq.open(tmp_path / "lake").report(tmp_path / "page.html")
    head = (tmp_path / "page.html").read_text("utf-8").partition("<section")[0]
    assert f"Columns not read: 1 ({RESP})" in head


def test_an_issue_has_its_place_under_both_names(tmp_path: Path) -> None:
    ingested(tmp_path, LISTING.replace(" RESP ", " RSPX "))
    lake = iosq.open(tmp_path / "lake")
    found = lake.sql("SELECT byte_offset, \"offset\" FROM lake_issues WHERE code = 'unread_column'").rows()
    assert [a == b > 0 for a, b in found] == [True]
