"""Counts and rates: rounding never raises an issue; a wrong length, or a wrong number, always does."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_laws import START, fitted

from iosq.parsers.api import Batch, Issue
from iosq.parsers.listing.laws import Law, lawful, laws
from iosq.parsers.registry import tables

TABLE = "rmf_cache_overview"
RATES = st.floats(0, 2e5) | st.floats(0, 20)
COUNTS = [law for of in laws().values() for law in of if law.kind == "count"]


def issues(table: str, rows: list[dict[str, object]], seconds: float = 900.0) -> list[Issue]:
    names = ["system", "subsystem", "device", "kind", *(name for law in laws()[table] for name in law.names)]
    common = {"system": "SYSA", "subsystem": "1800", "interval_start": START, "interval_s": seconds}
    full = [common | {"line": line, **row} for line, row in enumerate(rows, 1)]
    types = {n: pa.string() if n in names[:4] else pa.float64() for n in [*names, "interval_s"]}
    schema = pa.schema([*types.items(), ("interval_start", pa.timestamp("us")), ("line", pa.int64())])
    return [i for i in lawful([Batch(table, pa.RecordBatch.from_pylist(full, schema=schema))]) if isinstance(i, Issue)]


def pair(rate: float, seconds: float, *, cut: bool = False) -> dict[str, object]:
    return {"read_count": fitted(round(rate * seconds), 8, 1, cut=cut), "read_rate": fitted(rate, 6, 1, cut=cut)}


@settings(deadline=None)
@given(st.lists(RATES, min_size=1, max_size=8), st.sampled_from([60.0, 600.0, 899.998, 3600.0]), st.booleans())
def test_what_is_rounded_or_cut_in_print_is_no_contradiction(rates: list[float], seconds: float, cut: bool) -> None:
    assert not issues(TABLE, [pair(rate, seconds, cut=cut) for rate in rates], seconds)


@settings(deadline=None)
@given(st.integers(10, 400).map(lambda n: n + 0.3), st.sampled_from([0.25, 0.5, 2.0, 4.0]))
def test_a_length_misread_is_reported_with_the_first_row(rate: float, factor: float) -> None:
    rows = [{"read_count": 0.0, "read_rate": 0.0}, pair(rate, 900.0), pair(2 * rate, 900.0)]
    (issue,) = issues(TABLE, rows, 900.0 * factor)
    assert (issue.code, issue.severity, issue.offset, issue.count) == ("contradiction", "notice", 2, 2)
    assert "read_rate" in issue.message and f"{900 * factor:g} s" in issue.message


@pytest.mark.parametrize("law", COUNTS, ids=lambda law: law.left)
def test_each_count_is_held_against_its_rate(law: Law) -> None:
    table, (name, rate) = law.table, law.names
    assert issues(table, [{name: 9000.0, rate: 10.0}]) == []
    assert [i.code for i in issues(table, [{name: 900.0, rate: 10.0}, {name: None, rate: 10.0}])] == ["contradiction"]
    assert {name, rate} <= {c.name for c in tables()[table].columns}


def test_without_a_length_nothing_is_reported() -> None:
    assert issues(TABLE, [{"read_count": 900.0, "read_rate": 10.0, "interval_s": None}]) == []
