"""How long an interval was: by the form in which it is printed, and never as something else."""

import re

import pytest
import rmf_support as support
from rmf_layouts import dasd_page, pages
from test_rmf_damage import DEVICE, WHEN

from iosq.parsers.rmf.times import hours, minutes


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("14.59.999", 899.999), ("60.00.000", 3600), ("120.00.000", 7200), ("001.00.00", 3600), ("000.59.59", 3599),
        ("01.00.00", 3600), ("00.15.00", 900), ("1.00.00.000", 3600), ("15.00.00", None), ("15.60.000", None),
        ("1.75.00", None),
    ],
)  # fmt: skip
def test_an_interval_is_read_by_its_form_or_reported(text: str, seconds: float | None) -> None:
    result = support.read(pages(dasd_page([DEVICE], **{**WHEN, "interval": text})))
    assert result.rows["rmf_dasd_device"][0]["interval_s"] == (seconds and pytest.approx(seconds))
    given = [i for i in result.issues if i.code == "no_interval"]
    assert [text in i.message and i.severity == "data_loss" for i in given] == ([] if seconds else [True])


@pytest.mark.parametrize(
    ("text", "seconds"), [("15.00", 900), ("01.00.00", 3600), ("1.00.00.000", 3600), ("15.00.00", None)]
)
def test_the_interval_of_the_cache_is_never_that_of_rmf(text: str, seconds: float | None) -> None:
    listing = re.sub(rb"CINT +\S+", b"CINT  " + text.encode(), (support.GOLDEN / "cache.txt").read_bytes())
    result = support.read(listing)
    assert {row["interval_s"] for row in result.rows["rmf_cache_overview"]} == {seconds}
    assert ("no_interval" in result.codes()) == (seconds is None)


def test_a_duration_longer_than_from_start_to_end_is_reported() -> None:
    listing = (support.GOLDEN / "device-os390.txt").read_bytes()
    result = support.read(listing.replace(b"000.38.01", b"038.01.00"))
    assert {row["interval_s"] for row in result.rows["rmf_dasd_device"]} == {None}
    assert "no_interval" in result.codes()


def test_an_interval_in_which_counts_are_not_their_rates_is_reported() -> None:
    cache = (support.GOLDEN / "cache.txt").read_text()
    given = support.read(cache.replace("CINT  15.00", "CINT  05.00").encode()).issues
    contradicted = [i.message for i in given if i.code == "contradiction"]
    assert any(
        "read_count is 35724, read_rate 39.7 in 300 s: the count is used" in sentence for sentence in contradicted
    )
    assert "contradiction" not in support.read(cache.encode()).codes()


@pytest.mark.parametrize("width", [106, 107])
def test_lines_that_are_cut_are_reported_and_give_no_other_length(width: int) -> None:
    """The page number, with which the longest line of a head ends, is the first to go."""
    lines = dasd_page([DEVICE], **{**WHEN, "interval": "14.59.998"})
    result = support.read(pages([line[: lines[2].index("14.59") + width - 100] for line in lines]))
    assert "no_page_number" in result.codes()
    assert {r["interval_s"] for r in result.rows["rmf_dasd_device"]} == {None}


@pytest.mark.parametrize("text", ["000.38.0", "14.59.9"])
def test_a_length_that_is_cut_is_none(text: str) -> None:
    assert minutes(text) is None and hours(text) is None
