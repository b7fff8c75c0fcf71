"""Listings of fixed records without line ends read like lines, and a listing that gives no row says so."""

import pytest
import rmf_support as support
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rmf_layouts import dasd_page, pages
from test_rmf_damage import DEVICE, WHEN, page

from iosq.parsers.api import Issue

TEXTS = {path.name: path.read_text("latin-1") for path in sorted(support.GOLDEN.glob("*.txt"))}


def records(text: str, length: int, code_page: str) -> bytes:
    return "".join(line.ljust(length) for line in text.splitlines()).encode(code_page)


@pytest.mark.parametrize("code_page", ["latin-1", "cp037"])
@pytest.mark.parametrize("name", TEXTS)
def test_every_report_reads_the_same_from_records_as_from_lines(name: str, code_page: str) -> None:
    plain = support.read(TEXTS[name].encode("latin-1"))
    widest = max(map(len, TEXTS[name].splitlines()))
    for length in {max(widest, 132), max(widest, 137), 255}:
        cut = support.read(records(TEXTS[name], length, code_page))
        assert cut.rows == plain.rows
        assert [(i.code, i.offset) for i in cut.issues] == [(i.code, i.offset) for i in plain.issues]


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 40), st.integers(1, 4), st.integers(134, 300), st.booleans(), st.sampled_from(["latin-1", "cp037"])
)
@example(6, 1, 266, True, "latin-1")  # twice the length of a printer with carriage control
@example(1, 1, 164, True, "cp037")
def test_any_length_of_record_is_found(rows: int, count: int, length: int, control: bool, code_page: str) -> None:
    devices = [{**DEVICE, "device": f"{0x2000 + n:05X}"} for n in range(rows)]
    text = pages(*[dasd_page(devices, **{**WHEN, "time": f"{n:02}.15.00"}) for n in range(count)], control=control)
    cut = support.read(records(text.decode(), length, code_page))
    assert cut.rows == support.read(text).rows
    assert len(cut.rows["rmf_dasd_device"]) == rows * count


def nothing(data: bytes) -> list[Issue]:
    result = support.read(data)
    assert not result.rows
    return [i for i in result.issues if i.code == "no_rows"]


def test_a_listing_without_a_row_says_so() -> None:
    lines = page()
    assert [i.severity for i in nothing(pages(lines[:8]))] == ["data_loss"]
    assert [i.severity for i in nothing(pages(lines[1:8]))] == ["data_loss"]
    one_line = " ".join(line.strip() for line in lines)
    assert [i.severity for i in nothing(one_line.encode())] == ["data_loss"]


def test_a_listing_of_other_reports_says_so_without_loss() -> None:
    other = [line.replace("D I R E C T   A C C E S S   D E V I C E", "C P U") for line in page()]
    assert [i.severity for i in nothing(pages(other))] == ["notice"]
    both = support.read(pages(other, page()))
    assert "no_rows" not in both.codes()


JOB_LOG = [
    "                    J E S 2  J O B  L O G  --  S Y S T E M  S Y S F  --  N O D E  N 1",
    "09.31.02 JOB04711 $HASP373 RMFPP    STARTED - INIT 1    - CLASS A - SYS SYSF",
    "           12 CARDS READ",
    "        1 //RMFPP JOB (ACCT),'RMF'",
    "IEF142I RMFPP PP - STEP WAS EXECUTED - COND CODE 0000",
]


def test_the_job_log_before_the_reports_of_a_job_is_no_loss() -> None:
    bare, logged = support.read(pages(page())), support.read(pages(JOB_LOG, page(), JOB_LOG, page(), control=True))
    assert not logged.lost() and "job_log" in logged.codes()
    assert len(logged.rows["rmf_dasd_device"]) == 2 * len(bare.rows["rmf_dasd_device"])


def test_a_page_without_a_title_behind_a_job_log_is_loss() -> None:
    assert support.read(pages(JOB_LOG, page()[1:])).lost()


@pytest.mark.parametrize("width", range(60, 92, 3))
def test_a_title_that_is_cut_is_loss(width: int) -> None:
    result = support.read(pages([line[:width] for line in page()]))
    assert not any(result.rows.values())
    assert "cut_title" in {i.code for i in result.issues if i.severity == "data_loss"}


@pytest.mark.parametrize("volser", ["§OL004", "§Ä£004", "ŞĞ0004", "VOL004"])
def test_national_characters_of_utf_8_shift_no_column(volser: str) -> None:
    plain = support.read(pages(page(storage_group="SGX", volser="VOL004"))).rows["rmf_dasd_device"]
    text = pages(page(storage_group="§GX", volser=volser)).decode()
    result = support.read(text.encode())
    assert result.rows["rmf_dasd_device"] == [{**row, "storage_group": "§GX", "volser": volser} for row in plain]
    assert not result.lost()
