"""The parts by themselves: words, numbers, times, titles, page heads and the binding of headings."""

import datetime as dt
import math

import pytest
import rmf_support as support
from hypothesis import example, given
from hypothesis import strategies as st

from iosq.parsers.rmf import page, tables
from iosq.parsers.rmf.bind import bind
from iosq.parsers.rmf.cells import put
from iosq.parsers.rmf.heading import columns, is_heading
from iosq.parsers.rmf.knowledge import reports
from iosq.parsers.rmf.times import hours, minutes, stamp
from iosq.parsers.rmf.values import absent, number
from iosq.parsers.rmf.words import words


@pytest.mark.parametrize("text", ["DEV NUM", "Device Number", "dev. number", "DEV/NUM"])
def test_spellings_of_a_heading_are_the_same_words(text: str) -> None:
    assert words(text) == ("DEV", "NUM")


@pytest.mark.parametrize(
    ("text", "base", "value"),
    [
        ("3.24", 1000, (3.24, "")),
        (".001", 1000, (0.001, "")),
        ("17.5K", 1000, (17500.0, "")),
        ("252128M", 1024, (252128 * 2**20, "")),
        ("1.2H", 1000, (1.2, "H")),
        ("2*", 1000, (2.0, "*")),
        ("2,281.5", 1000, (2281.5, "")),
        ("2,281,000", 1000, (2281000.0, "")),
        ("2,281", 1000, None),
        ("2,28", 1000, None),
        (",281", 1000, None),
        ("2,", 1000, None),
        ("1x17", 1000, None),
        ("OFFLINE", 1000, None),
        ("1E5", 1000, None),
        ("nan", 1000, None),
        ("", 1000, None),
    ],
)
def test_numbers_as_printed(text: str, base: int, value: tuple[float, str] | None) -> None:
    assert number(text, base) == value


@pytest.mark.parametrize("text", ["", "  ", "----", "****", "N/A", "NaN", "Deact"])
def test_what_stands_for_no_value(text: str) -> None:
    assert absent(text)


@pytest.mark.parametrize("text", ["0", "0.0", "-", "OFFLINE", "-1"])
def test_zero_and_words_are_values(text: str) -> None:
    assert absent(text) is (text == "-")


@given(st.floats(0, 1e9), st.integers(0, 3))
@example(268435456.4375, 3)
def test_a_printed_number_is_read_within_its_rounding(value: float, digits: int) -> None:
    text = f"{value:.{digits}f}"
    assert number(text) == (pytest.approx(value, abs=0.5 * 10.0**-digits + 2 * math.ulp(value)), "")


def test_times_in_all_forms() -> None:
    assert stamp("04/06/2022-12.30.00") == stamp("04/06/2022 12:30:00") == dt.datetime(2022, 4, 6, 12, 30)
    assert stamp("20220421122000") == dt.datetime(2022, 4, 21, 12, 20)
    assert stamp("13/45/2022-12.30.00") is None
    assert minutes("29.59.999") == minutes("29:59:999") == pytest.approx(1799.999)
    assert minutes("10.00") == 600
    assert hours("000.38.01") == 2281
    assert minutes("abc") is None
    assert hours("1.2") is None


def test_numbers_and_times_beyond_all_reason_are_none() -> None:
    field = next(f for f in reports()[0].sections[0].fields if f.column.type == "bigint")
    assert not put({}, field, "9" * 30)
    assert not put({}, field, str(2**62)), "two of them add up to more than 64 bits hold"
    assert minutes("9" * 5000 + ".00") is None
    assert hours("9" * 5000 + ".00.00") is None
    m3 = (support.SAMPLES / "m3-cpc-zosv2r5.xml").read_bytes()
    row = support.read(m3.replace(b"<utc-start>2022", b"<utc-start>1022")).rows["rmf_xml_value"][0]
    assert (row["interval_start"], row["utc_offset_s"]) == (dt.datetime(2022, 4, 21, 12, 20), None)


def test_titles_of_pages_and_screens() -> None:
    assert page.title("     I/O   Q U E U I N G   A C T I V I T Y") == words("I/O QUEUING ACTIVITY")
    assert page.title("  C H A N N E L   P A T H   A C T I V I T Y     PAGE    1") == words("CHANNEL PATH ACTIVITY")
    assert page.title("RMF V2R3  Cache Detail  - SVPLEX1   Line 44 of 496") == words("RMF CACHE DETAIL")
    for line in ("VOL001 B005 0000", " 1 2 3 4 5 6", "CACHE SUBSYSTEM STATUS", ""):
        assert page.title(line) is None


def test_labels_are_found_wherever_they_stand() -> None:
    line = "x" * 0 + "  DATE 02/11/2024   SYSTEM ID SYSF     INTERVAL 14.59.998"
    found, left = page.labels(line)
    assert (found["system"], found["date"], found["interval"], left.strip()) == ("SYSF", "02/11/2024", "14.59.998", "")
    found, _ = page.labels("CDATE  02/11/2024  CTIME 09.15.01", ("labels", "subsystem"))
    assert set(found) == {"cache_date", "cache_time"}


def test_one_end_for_several_columns_needs_all_of_them() -> None:
    fields = next(r for r in reports() if r.metric == "CACHE").section("rmf_cache_overview").fields
    heads = [words(f"READ I/O REQUESTS {w}") for w in ("COUNT", "RATE", "HITS", "RATE", "H/R")]
    names = [f.name if f else None for f in bind(heads, fields)]
    assert names == ["read_count", "read_rate", "read_hit_count", "read_hit_rate", "read_hit_ratio"]
    del heads[1]
    names = [f.name if f else None for f in bind(heads, fields)]
    assert names == ["read_count", "read_hit_count", None, "read_hit_ratio"]


def test_a_word_set_apart_by_one_blank_joins_its_neighbour_only_if_that_means_something() -> None:
    fields = next(r for r in reports() if r.metric == "CACHE").section("rmf_cache_device").fields
    found = columns(("-----DASD I/O RATE-----", " STAGE DEL NVS  OTHER"), fields)
    assert [p.name for p in found.places] == ["stage_rate", "nvs_delay_rate_device", "other_rate"]
    assert not found.unknown


def test_rows_are_no_headings() -> None:
    known = frozenset({"VOLUME", "DEV", "RATE"})
    assert is_heading("VOLUME   DEV   RATE", known)
    assert not is_heading("VOLUME   DEV   12", known)
    assert not is_heading("OFFLINE", known)


def test_an_xml_total_needs_no_mark_to_be_kept_apart() -> None:
    data = (support.GOLDEN / "reports.xml").read_bytes().replace(b' type="SUM"', b"")
    assert support.read(data).rows["rmf_dasd_total"][0]["id"] == "0042"


def test_every_table_begins_with_system_and_time_and_every_column_is_explained() -> None:
    for table in tables.tables():
        assert table.names[:5] == ("system", "interval_start", "utc_offset_s", "interval_s", "line")
        assert len(set(table.names)) == len(table.names)
        assert all(c.meaning for c in table.columns)
        assert set(table.sort) <= set(table.names)


def test_no_heading_of_a_table_means_two_columns_without_an_order() -> None:
    """The same heading for two columns is only allowed where they stand behind each other (RATE, RATE)."""
    ordered = {("VOLSER",), ("%",)}  # of Monitor III DEV
    for report in reports():
        for section in report.sections:
            seen: dict[tuple[str, ...], str] = {}
            for f in section.fields:
                for heading in set(f.headings):
                    other = seen.setdefault(heading, f.name)
                    assert other == f.name or heading[-1] == "RATE" or heading in ordered, (
                        section.table.name,
                        heading,
                        other,
                        f.name,
                    )
