"""Every report against a listing with its expected result.

`python tests/parsers/fcx/test_fcx_golden.py` writes the expected files anew, to be read in the difference.
"""

import json
from pathlib import Path

import pytest
from fcx_support import GOLDEN, Read

from iosq.parsers.fcx import knowledge

LISTINGS = sorted(GOLDEN.glob("*.txt"))


def outcome(listing: Path) -> str:
    read = Read(listing.read_bytes())
    rows = {t: [{k: v for k, v in r.items() if v is not None} for r in read.rows(t)] for t in sorted(read.batches)}
    issues = [f"{i.severity} {i.code} line {i.offset} x{i.count}: {i.message}" for i in read.issues]
    kinds = {k: f"{c.read} = {c.decoded} + {c.skipped} + {c.failed}" for k, c in read.balance.kinds.items()}
    assert read.balance.balanced
    lines = [
        f'"{t}": [\n  ' + ",\n  ".join(json.dumps(r, default=str) for r in found) + "\n]" for t, found in rows.items()
    ]
    tail = {"issues": issues, "lines": kinds}
    return "{\n" + ",\n".join(lines) + ",\n" + json.dumps(tail, indent=1)[2:] + "\n"


@pytest.mark.parametrize("listing", LISTINGS, ids=lambda p: p.stem)
def test_report_reads_as_expected(listing: Path) -> None:
    assert outcome(listing) == listing.with_suffix(".json").read_text()


def test_every_report_we_know_has_a_listing() -> None:
    given = {p.stem for p in LISTINGS}
    assert {r for r in knowledge.reports() if not r.endswith("_cache")} <= given


if __name__ == "__main__":
    for path in LISTINGS:
        path.with_suffix(".json").write_text(outcome(path))
