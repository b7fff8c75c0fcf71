"""Terms of z/OS in the words of CP."""

import csv
from importlib.resources import files

import pytest

from iosq.toolkit.show.records import ZVM, device_number
from iosq.toolkit.show.terms import in_cp_terms

TERMS = list(csv.DictReader(files("iosq.toolkit.show").joinpath("terms.csv").read_text("utf-8").splitlines()))


def test_no_term_is_made_of_another_platforms_words() -> None:
    assert all(in_cp_terms(row["zvm"]) == row["zvm"] for row in TERMS)
    assert all(in_cp_terms(row["zos"]) == row["zvm"] and row["source"] for row in TERMS)


@pytest.mark.parametrize(
    ("text", "cp"),
    [
        ("43 ms IOSQ per I/O", "43 ms queued in CP per I/O"),
        ("the largest part is IOSQ (host queue): IOSQ 99 %", "the largest part is time queued in CP: CP queue 99 %"),
        ("Collect type 78.3, then ask again", "Collect record D6R28, then ask again"),
        ('{"domain":[0.4,74.1]}', '{"domain":[0.4,74.1]}'),
        ("volume XIOSQ1 and iosq advise pav", "volume XIOSQ1 and iosq advise pav"),
    ],
)
def test_whole_words_alone_are_terms(text: str, cp: str) -> None:
    assert in_cp_terms(text) == cp


def test_cp_writes_four_digits() -> None:
    assert device_number("02E15", ZVM) == "2E15"
    assert device_number("02E15", "z/OS") == "02E15"
    assert device_number("12E15", ZVM) == "12E15"
