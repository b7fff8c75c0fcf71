"""Rows taken together are those the long way gives, damaged ones included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st
from rmf_layouts import NUMBERS, dasd_page, pages

from iosq.parsers.rmf.bulk import Bulk, Run
from iosq.parsers.rmf.knowledge import reports
from iosq.parsers.rmf.pages import Pages
from tests.fuzz.kinds import KINDS
from tests.fuzz.mutate import mutated

WHEN = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "15.00.000"}


@st.composite
def devices(draw: st.DrawFn) -> dict[str, Any]:
    """A row of the device report: suffixes, missing values, marks and texts among plain numbers."""
    wide = st.one_of(st.none(), st.floats(0, 999), st.floats(0, 9e6))
    row: dict[str, Any] = {n[4]: draw(wide) for n in NUMBERS}
    row |= {
        "device": f"{draw(st.integers(0, 0xFFFFF)):05X}",
        "device_type": "33909",
        "cylinders": draw(st.integers(1, 9999999)),
    }
    row |= {"volser": draw(st.sampled_from(["VOL001", "A", ""])), "lcu": f"{draw(st.integers(0, 255)):04X}"}
    row |= {"pav": draw(st.sampled_from([1, 2, 1.2])), "pav_mark": draw(st.sampled_from(["", "H", "*"]))}
    row |= {"storage_group": draw(st.sampled_from(["", "SGPROD"])), "sync_mark": draw(st.sampled_from(["", "S"]))}
    return row | draw(st.sampled_from([{}, {}, {}, {"message": "DEVICE WAS OFFLINE"}]))


def slowly(data: bytes) -> support.Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pages, "rows", lambda _pages, _block, at: at)
        return support.read(data)


def same(data: bytes) -> None:
    fast, slow = support.read(data), slowly(data)
    assert fast.rows == slow.rows
    assert fast.balance == slow.balance
    assert sorted(map(str, fast.issues)) == sorted(map(str, slow.issues))
    assert [i for i in fast.issues if i.code == "bad_line"] == [i for i in slow.issues if i.code == "bad_line"]


@settings(max_examples=40, deadline=None)
@given(st.lists(devices(), min_size=2, max_size=12), st.data())
def test_bulk_and_long_way_agree(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    listing = bytearray(pages(dasd_page(rows[:6], **WHEN), dasd_page(rows[6:], page=2, **WHEN), control=True))
    for _ in range(data.draw(st.integers(0, 4))):
        listing[data.draw(st.integers(0, len(listing) - 1))] = data.draw(st.sampled_from(b".. 9X-"))
    same(bytes(listing))


@pytest.mark.parametrize("path", sorted(support.GOLDEN.glob("*.txt")), ids=lambda p: p.name)
def test_golden_listings_agree(path: Path) -> None:
    same(path.read_bytes())


@pytest.mark.parametrize("run", range(10))
def test_mutated_listings_agree(run: int) -> None:
    """Three at a time, so that rows of one are followed by those of another."""
    kind = KINDS["rmf"]
    same(b"".join(kind.fitted(mutated(kind.seeds(), run, seed, text=True)) for seed in range(3)))


def test_no_title_has_a_digit() -> None:
    """By one a line is known to be no title of a section."""
    titles = [title for report in reports() for title in report.titled]
    assert len(titles) > 10
    assert not [title for title in titles if any(c.isdigit() for c in "".join(title))]


def test_plain_rows_do_take_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(Bulk, "add", lambda _bulk, run: taken.append(len(run.lines)))
    row = {n[4]: 1.5 for n in NUMBERS} | {
        "device": "02208",
        "device_type": "33909",
        "cylinders": 1,
        "pav": 1,
        "lcu": "0012",
    }
    support.read(pages(dasd_page([row] * 20, **WHEN)))
    assert taken == [20]


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("ioq-superpav-zosv2r2", 12),
        ("chan", 2),
        ("ess", 1),
        ("ess-ranks", 0),
        ("cache", 0),
        ("device", 3),
    ],  # of devices: what stands together
)
def test_what_is_read_one_by_one_is_little(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    singly: list[str] = []
    single = Pages._single

    def counted(self: Pages, run: Run, number: int, text: str) -> None:
        singly.append(text)
        single(self, run, number, text)

    monkeypatch.setattr(Pages, "_single", counted)
    path = next(p for p in (support.GOLDEN / f"{name}.txt", support.SAMPLES / f"{name}.txt") if p.exists())
    support.read(path.read_bytes())
    assert len(singly) <= most, singly
