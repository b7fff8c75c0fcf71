"""Totals are checked against the rows they sum up: missing rows are reported, rounding and copies are not."""

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.api import Batch, Issue
from iosq.parsers.listing.laws import lawful
from iosq.parsers.listing.totals import Sum, Totals, sums

START = dt.datetime(2026, 3, 2, 9)
COMMON = {"system": "SYSA", "interval_start": START, "interval_s": 900.0}
TEXT = ("total", "id", "device", "lcu", "storage_group", "message", "scope", "amg", "path", "cu", "status", "iop",
        "volser", "list", "subsystem", "rank", "kind")  # fmt: skip
NUMBERS = tuple(dict.fromkeys(name for law in sums() for name in law.columns))
SCHEMA = pa.schema(
    [("system", pa.string()), ("interval_start", pa.timestamp("us")), ("interval_s", pa.float64())]
    + [("line", pa.int64())] + [(n, pa.string()) for n in TEXT] + [(n, pa.float64()) for n in NUMBERS]
)  # fmt: skip
# a row and a total of each law, without their values
EXAMPLES: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {
    0: ({"lcu": "0042"}, {"total": "LCU", "id": "0042"}),
    1: ({"storage_group": "SGA", "lcu": "0042"}, {"total": "STORAGE GROUP", "id": "SGA"}),
    2: ({"scope": "LCU", "lcu": "0042"}, {"scope": "LCU", "lcu": "0042", "path": "*"}),
    3: ({"scope": "AMG", "amg": "00000001"}, {"scope": "AMG", "amg": "00000001", "path": "*"}),
    4: ({"scope": "LCU", "path": "*", "amg": "00000001"}, {"scope": "AMG", "path": "*", "amg": "00000001"}),
    5: ({}, {"iop": "SYS"}),
    6: ({"list": "OVERVIEW", "subsystem": "1800"}, {"list": "OVERVIEW", "subsystem": "1800", "volser": "*ALL"}),
    7: ({"subsystem": "1800"}, {"subsystem": "1800", "kind": "TOTAL"}),
    8: ({"subsystem": "1800"}, {"subsystem": "1800", "rank": "*ALL"}),
    9: ({"lcu": "0042"}, {"lcu": "0042"}),
}
ALL = [pytest.param(law, *EXAMPLES[at], id=f"{law.whole}-{'-'.join(law.by)}-{at}") for at, law in enumerate(sums())]


def rows_of(law: Sum, row: dict[str, Any], values: list[float], first: int = 1) -> list[dict[str, Any]]:
    return [
        COMMON | row | {law.member[0]: f"{at:04X}", "line": first + at} | dict.fromkeys(law.columns, value)
        for at, value in enumerate(values)
    ]


def known(law: Sum, parts: list[list[dict[str, Any]]], wholes: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    totals = Totals()
    for part in parts:
        totals.rows(law.parts, pa.Table.from_pylist(part, schema=SCHEMA))
    totals.rows(law.whole, pa.Table.from_pylist(wholes, schema=SCHEMA))
    return [(i.code, i.offset, i.count) for i in totals.issues()]


def total(law: Sum, line: dict[str, Any], value: float, at: int = 900, **more: Any) -> dict[str, Any]:
    return COMMON | line | {"line": at} | dict.fromkeys(law.columns, value) | more


RATES = st.lists(st.integers(0, 2_000_000), min_size=1, max_size=20)


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(range(len(sums()))), RATES, st.integers(0, 3), st.integers(0, 20), st.booleans())
def test_rounding_copies_and_pages_raise_no_issue(
    at: int, rates: list[int], decimals: int, cut: int, copy: bool
) -> None:
    law, row, line = sums()[at], *EXAMPLES[at]
    printed = [round(rate / 1000, decimals) for rate in rates]
    pages = rows_of(law, row, printed)
    parts = [pages[:cut], pages[cut:]] + ([rows_of(law, row, printed, 200)] if copy else [])
    assert known(law, [p for p in parts if p], [total(law, line, round(sum(rates) / 1000, decimals))]) == []


@pytest.mark.parametrize(("law", "row", "line"), ALL)
@pytest.mark.parametrize(
    ("kept", "value", "found"),
    [
        (4, 40.02, []),
        (4, 40.7, [("rows_missing", 900, 1)]),
        (3, 40.0, [("rows_missing", 900, 1)]),
        (4, 30.0, [("contradiction", 900, 1)]),
    ],
)
def test_what_does_not_add_up_is_reported(
    law: Sum, row: dict[str, Any], line: dict[str, Any], kept: int, value: float, found: list[Any]
) -> None:
    assert known(law, [rows_of(law, row, [10.01, 9.99, 10.01, 9.99][:kept])], [total(law, line, value)]) == found


@pytest.mark.parametrize(("law", "row", "line"), ALL)
def test_totals_are_compared_with_rows_of_their_interval_and_system_only(
    law: Sum, row: dict[str, Any], line: dict[str, Any]
) -> None:
    """A copy of an interval further on adds nothing; an interval without any row has no issue."""
    later, other = {"interval_start": START + dt.timedelta(hours=1)}, {"system": "SYSB"}
    pages = [
        rows_of(law, row, [1.5, 2.5]),
        rows_of(law, row | later, [5.5, 2.5], 11),
        rows_of(law, row | other, [7.5], 21),
        rows_of(law, row, [1.5, 2.5], 31),
    ]
    wholes = [total(law, line, 4.0), total(law, line, 8.0, **later), total(law, line, 7.5, **other)]
    alone = total(law, line, 99.0, system="SYSC")
    assert known(law, pages, [*wholes, *wholes, alone]) == []
    assert known(law, pages, [*wholes, *wholes, total(law, line, 9.0, 905, **other)]) == []  # the first counts
    wrong = [total(law, line, 5.0, 901), total(law, line, 9.0, 902, **later)]
    assert known(law, pages, [wrong[1], wrong[0], wholes[2]]) == [("rows_missing", 901, 2)]


@pytest.mark.parametrize(("law", "row", "line"), ALL)
def test_an_interval_that_goes_on_behind_another_is_added_up(
    law: Sum, row: dict[str, Any], line: dict[str, Any]
) -> None:
    later = rows_of(law, row | {"interval_start": START + dt.timedelta(hours=1)}, [5.5], 11)
    begun, ended = rows_of(law, row, [1.5, 2.5, 8.0])[:2], rows_of(law, row, [1.5, 2.5, 8.0])[2:]
    assert known(law, [begun, later, ended], [total(law, line, 12.0)]) == []
    assert known(law, [begun, later, ended], [total(law, line, 40.0)]) == [("rows_missing", 900, 1)]


def test_a_row_of_unknown_rate_may_be_what_a_total_has_more() -> None:
    law, row, line = sums()[0], *EXAMPLES[0]
    rows = rows_of(law, row, [10.0, 10.0])
    unknown = rows_of(law, row, [0.0], 50)[0] | {"device": "00FF", "activity_rate": None}
    whole = total(law, line, 30.0)
    assert known(law, [[*rows, unknown]], [whole]) == []
    assert known(law, [[*rows, unknown | {"message": "OFFLINE"}]], [whole]) == [("rows_missing", 900, 1)]
    assert known(law, [[*rows, unknown]], [total(law, line, 5.0)]) == [("contradiction", 900, 1)], "never less"


def test_both_sides_are_named_in_the_issue() -> None:
    law, row, line = sums()[4], *EXAMPLES[4]
    given = [*rows_of(law, row, [775.49]), total(law, line, 1158.1)]
    batch = Batch(law.whole, pa.RecordBatch.from_pylist(given, schema=SCHEMA))
    issues = [i for i in lawful([batch]) if isinstance(i, Issue)]
    assert [(i.severity, i.message) for i in issues] == [
        (
            "notice",
            "rmf_ioq_lcu: AMG 00000001: taken_rate is 1158.1, its 1 LCU has 775.49: rows are missing, or the total is "
            "wrong: both are kept",
        )
    ]
