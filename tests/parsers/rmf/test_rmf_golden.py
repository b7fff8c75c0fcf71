"""Every report as it was read when last checked by eye: rows, issues and balance."""

import csv
import hashlib
from pathlib import Path

import pytest
import rmf_docs
import rmf_support as support

from iosq.parsers.registry import recognise
from iosq.parsers.rmf import knowledge


@pytest.mark.parametrize("path", support.INPUTS, ids=lambda p: p.name)
def test_rows_issues_and_balance_are_those_of_the_golden_file(path: Path) -> None:
    assert support.golden(path) == support.golden_path(path).read_text("utf-8")


@pytest.mark.parametrize("path", support.INPUTS, ids=lambda p: p.name)
def test_the_registry_finds_the_reader(path: Path) -> None:
    reader = recognise(path.read_bytes()[: 1 << 16])
    assert reader is not None
    assert reader.kind == ("rmf.xml" if path.suffix == ".xml" else "rmf.listing")


@pytest.mark.parametrize("path", sorted(support.GOLDEN.glob("*.txt")), ids=lambda p: p.name)
def test_our_own_listings_are_read_without_a_line_left_over(path: Path) -> None:
    result = support.read(path.read_bytes())
    assert not result.lost()
    assert result.balance.failed == 0


def test_every_column_that_has_headings_is_filled_by_some_golden_file() -> None:
    """Headings that no example exercises are claims without a check."""
    filled = {
        (table, column)
        for path in support.INPUTS
        for table, rows in support.read(path.read_bytes()).rows.items()
        for row in rows
        for column, value in row.items()
        if value is not None
    }
    stated = {(s.table.name, f.name) for r in knowledge.reports() for s in r.sections for f in s.fields if f.headings}
    assert stated - filled == {("rmf_m2_device", "storage_group")}  # blank in the only real screen


def test_the_documentation_lists_what_is_read() -> None:
    assert rmf_docs.PAGE.read_text("utf-8") == rmf_docs.page(), "run python tests/parsers/rmf/rmf_docs.py"


def test_the_real_files_are_the_ones_the_manifest_names() -> None:
    with (support.SAMPLES / "manifest.csv").open(encoding="utf-8") as file:
        named = {row["file"]: row for row in csv.DictReader(file)}
    assert set(named) == {p.name for p in support.INPUTS if p.parent == support.SAMPLES}
    for name, row in named.items():
        assert hashlib.sha256((support.SAMPLES / name).read_bytes()).hexdigest() == row["sha256"]
        assert (support.SAMPLES / f"LICENSE-{row['licence']}.txt").exists()
