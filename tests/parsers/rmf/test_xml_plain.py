"""Records taken whole are what the parser's events make of them: rows, issues and balance, in whole and damaged XML."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import rmf_support as support
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.parsers.rmfxml import documents, recorder

REPORTS = (support.GOLDEN / "reports.xml").read_bytes()
REAL = (support.SAMPLES / "pp-cpu-34-intervals-zosv2r4.xml").read_bytes()[:24_000]
# what ends, hides or changes what stands around it
PIECES = (
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x ", b"?>", b"&lt;", b"&none;", b'<row refno="1" refno="2">', b"<row>",
    b"</row>", b"<col>", b"</col>", b"<col/>", b"<col> 1 </col>", b"\r", b"\r\n", b"\xc3\xa9", b"\xe9", b"\x00",
    b"<var>", b"</var-list>", b"<table>", b"</table>", b"<description>", b"<column-headers>", b"x", b">", b'"', b"\t",
)  # fmt: skip
never = re.compile(r"(?!)")


def both(data: bytes) -> tuple[support.Result, support.Result]:
    """As it is read, and by events alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "BEGINS", never)
        slow = support.read(data)
    return support.read(data), slow


@settings(max_examples=60, deadline=None)
@given(
    whole=st.sampled_from([REPORTS, REAL]),
    begin=st.floats(0, 1),
    places=st.lists(st.tuples(st.floats(0, 1), st.sampled_from(PIECES), st.integers(0, 9)), max_size=3),
)
@example(REAL, 0.0, [(0.3, b"<![CDATA[", 0), (0.5, b"]]>", 0)])
@example(REAL, 0.0, [(0.3, b"<!--", 0), (0.5, b"-->", 0)])
def test_records_taken_whole_are_those_of_the_parser(
    whole: bytes, begin: float, places: list[tuple[float, bytes, int]]
) -> None:
    part = int(begin * (len(whole) - 6_000))
    data = bytearray(b"<ddsml>" + whole[part : part + 6_000])
    for at, piece, gone in places:
        place = int(at * len(data))
        data[place : place + gone] = piece
    fast, slow = both(bytes(data))
    assert fast == slow


@pytest.mark.parametrize(
    "spelt",
    [
        lambda d: d.replace(b"\n", b"\r\n"),
        lambda d: d.replace(b"<row", b"\n  <row"),
        lambda d: d.replace(b"<col>", b"\n <col> "),
        lambda d: d.replace(b"UTF-8", b"cp037"),
        lambda d: d.replace(b"UTF-8", b"none at all"),
        lambda d: d.decode().encode("cp037"),
        lambda d: d.replace(b"</row>", b"<col>" + b"9" * 70_000 + b"</col></row>", 1),
        lambda d: d.replace(b"</row>", b"<col/>" * 10_001 + b"</row>", 1),
    ],
)
def test_however_it_is_written(spelt: Callable[[bytes], bytes]) -> None:
    fast, slow = both(spelt(REPORTS))
    assert fast == slow


def test_most_of_a_document_is_taken_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []
    end = recorder.Recorder.end
    monkeypatch.setattr(recorder.Recorder, "end", lambda self, name, *at: (ended.append(name), end(self, name, *at)))
    support.read(REAL)
    assert REAL.count(b"</col>") > 500
    assert not {"row", "col", "var"} & set(ended)
