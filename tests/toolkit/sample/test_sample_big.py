"""Benchmark dumps are real dumps: every record decodes, none comes twice, the size is what was asked for."""

from itertools import pairwise
from pathlib import Path

import pytest
from sample_reading import kind_of, records_of

from iosq.parsers.smf.layout import layouts
from iosq.parsers.smf.oracle import decode_record
from iosq.toolkit.sample.big import INTERVAL_S, write

TARGET = 1_500_000


@pytest.mark.parametrize("kind", ["74.1", "mixed"])
def test_big_dump_is_readable(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path / "big.smf", TARGET, kind)  # type: ignore[arg-type]
    assert TARGET <= path.stat().st_size <= TARGET + 40_000
    records = records_of(path)
    assert len(set(records)) == len(records)
    decoded = [decode_record(layouts()[74, 1], r) for r in records if kind_of(r) == (74, 1)]
    rows = [r for d in decoded for r in d["smf74_1_device_data"]]
    keys = {(r["system"], r["interval_start"], r["SMF74NUM"]) for r in rows}
    assert len(keys) == len(rows) > 3000
    assert {r["SMF74IOS"] is None for r in rows} == {True, False}
    assert len({r["SMF74SSC"] for r in rows}) > 1000
    assert (30 in {r[5] for r in records}) == (kind == "mixed")


def test_intervals_follow_each_other(tmp_path: Path) -> None:
    records = records_of(write(tmp_path / "big.smf", TARGET * 2))
    starts = [decode_record(layouts()[74, 1], r)["smf74_1_record"][0] for r in records if r[5] == 74]
    instants = sorted({r["interval_start"] for r in starts})
    assert {(b - a).total_seconds() for a, b in pairwise(instants)} == {INTERVAL_S}
    assert all((r["SMF74GIE"] - r["interval_start"]).total_seconds() == INTERVAL_S for r in starts)


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    one, two, other = (write(tmp_path / f"{i}", 200_000, seed=s).read_bytes() for i, s in enumerate((1, 1, 2)))
    assert one == two != other
