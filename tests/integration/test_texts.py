"""Texts that no reader takes: named where they say what they are, and never suspected of a wrong transfer."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import iosq
from iosq.parsers.texts import unread

CMF = " BMC SOFTWARE, INC.            REPORT DATE: 11 FEB 24  09.15    SYSTEM ID: SYSF\n DEVICE ACTIVITY\n"
ANALYZER = "1PRODUCED BY CMF ANALYZER (6.4.00)          FICON DIRECTOR ACTIVITY REPORT        RPTSEQ   3 PAGE   5\n"
SCREEN = "                RMF V2R5   Storage Frames                Line 1 of 20\nCommand ===>\n\n Samples: 60\n"
SAS = "1                 The SAS System            09:15 Sunday, February 11, 2024   1\n\n Obs  VOLSER  RATE\n"
JSON = '{\n  "report": [\n    {\n      "resource": {\n        "reslabel": ",SYSA,MVS_IMAGE"\n      }\n    }\n  ]\n}\n'
OTHER = "Dear all,\nplease find the figures below.\n"


@pytest.mark.parametrize("code_page", ["ascii", "cp037"])
@pytest.mark.parametrize(
    ("text", "name", "instead"),
    [
        (CMF, "BMC CMF MONITOR", "SMF records"),
        (CMF.replace("SOFTWARE, INC", "Software, Inc"), "BMC CMF MONITOR", "SMF records"),
        (ANALYZER, "BMC CMF MONITOR", "SMF records"),
        (SCREEN, "the Monitor III screen 'Storage Frames'", "DEVR"),
        (SAS, "a SAS listing", "SMF records"),
        (JSON, "JSON of the Distributed Data Server", "rmfm3.xml"),
        (OTHER, "is text", "iosq ingest --help"),
    ],
)
def test_one_line_names_the_text_and_what_to_give(
    tmp_path: Path, text: str, name: str, instead: str, code_page: str
) -> None:
    path = tmp_path / "text"
    path.write_bytes(text.encode(code_page).replace(b"\x25", b"\x15"))
    (outcome,) = iosq.ingest(tmp_path / "lake", [path])
    assert outcome.status == "refused"
    assert name in outcome.reason
    assert instead in outcome.reason
    assert "\n" not in outcome.reason
    assert "binary" not in outcome.reason


@settings(max_examples=50)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300))
def test_no_text_is_asked_for_a_binary_transfer(text: str) -> None:
    assert "binary" not in "".join(unread(f"{text}\n".encode("ascii")))


def test_bytes_that_are_no_text_are(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(256)) * 4)
    (outcome,) = iosq.ingest(tmp_path / "lake", [path])
    assert "was it transferred in binary?" in outcome.reason
