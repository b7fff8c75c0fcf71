"""Values without a blank between them: parted where their columns leave one way, else no value and an issue."""

from typing import Any

import pytest
import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st
from rmf_layouts import NUMBERS, pages
from test_rmf_damage import page

IOQ = (support.SAMPLES / "ioq-superpav-zosv2r2.txt").read_text()
ENDS = {name: end for *_, name, end, _width, _digits in NUMBERS}
STARTS = dict(zip(ENDS, [48, *ENDS.values()], strict=False))  # the LCU stands in 45 to 48


def over(line: str, *texts: tuple[int, str]) -> str:
    """A line with texts at places (from 0) of what was there."""
    for start, text in texts:
        line = line.ljust(start)[:start] + text + line[start + len(text) :]
    return line


def device(*texts: tuple[int, str], **changes: object) -> support.Result:
    lines = page(**changes)
    return support.read(pages([*lines[:-1], over(lines[-1], *texts)]))


def known(result: support.Result) -> list[str]:
    return [i.message for i in result.lost() if i.code in ("bad_number", "bad_text")]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        ([(44, "001012345.678")], {"lcu": "0010", "activity_rate": 12345.678}),
        ([(44, "101012345.678")], {"lcu": "1010", "activity_rate": 12345.678}),
        ([(50, "123.4561234510000")], {"activity_rate": 123.456, "resp_ms": 12345, "iosq_ms": 10000}),
        ([(39, "12.5H0010")], {"pav": 12.5, "pav_mark": "H", "lcu": "0010"}),
        ([(32, "VOL001112.5H0010")], {"volser": "VOL001", "pav": 112.5, "lcu": "0010"}),
        ([(44, "001012345.67812345")], {"lcu": "0010", "activity_rate": 12345.678, "resp_ms": 12345}),
    ],
)
def test_columns_of_known_width_are_parted(texts: list[tuple[int, str]], values: dict[str, Any]) -> None:
    result = device(*texts)
    (row,) = result.rows["rmf_dasd_device"]
    assert {name: row[name] for name in values} == values
    assert not known(result)


@pytest.mark.parametrize(
    ("texts", "lost"),
    [
        ([(44, "00X012345.678")], {"lcu", "activity_rate"}),
        ([(44, "00100")], {"lcu"}),
        ([(32, "VOLSERX")], {"volser"}),
        ([(50, "1234.5123.4 ")], {"activity_rate", "resp_ms"}),
    ],
)
def test_what_cannot_be_parted_gives_no_value_and_an_issue(texts: list[tuple[int, str]], lost: set[str]) -> None:
    result = device(*texts)
    (row,) = result.rows["rmf_dasd_device"]
    assert not {name for name in lost if row[name] is not None}
    assert len(known(result)) == 1


def test_the_total_of_a_busy_unit_says_that_rows_are_missing() -> None:
    lines = page()
    total = over(lines[-1], (0, " " * 44 + "001015534.872"), (39, "LCU"))
    result = support.read(pages([*lines, total]))
    (row,) = result.rows["rmf_dasd_total"]
    assert (row["total"], row["id"], row["activity_rate"]) == ("LCU", "0010", 15534.872)
    assert "rows_missing" in result.codes()


@pytest.mark.parametrize(
    ("printed", "changed", "values"),
    [
        ("   0.00  27.1  2.034   22", "   0.001127.1  2.034   22", (0.0, 1127.1, 2.034, 22)),
        ("   0.00  27.1  2.034   22", "   0.00  27.1102.034   22", (0.0, 27.1, 102.034, 22)),
        ("   0.00  27.1  2.034   22", "   0.00  27.1  2.0341022", (0.0, 27.1, None, None)),
    ],
)
def test_decimals_part_the_queues_of_a_unit(printed: str, changed: str, values: tuple[float | None, ...]) -> None:
    result = support.read(IOQ.replace(printed, changed).encode())
    row = next(r for r in result.rows["rmf_ioq_lcu"] if r["lcu"] == "0041" and r["path"] == "*")
    assert (row["queue_length"], row["css_ms"], row["hpav_wait_ratio"], row["hpav_max"]) == values
    assert bool(known(result)) == (None in values)


@st.composite
def number(draw: st.DrawFn, room: int) -> str:
    """A number as wide as there is room up to the column in front of it."""
    whole = str(draw(st.integers(0, 10 ** max(1, room - 2))))[:room]
    decimals = draw(st.integers(0, max(0, room - len(whole) - 1)))
    return f"{whole}.{draw(st.text('0123456789', min_size=decimals, max_size=decimals))}" if decimals else whole


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_number_is_ever_invented(data: st.DataObject) -> None:
    texts = {name: data.draw(number(end - STARTS[name])) for name, end in ENDS.items()}
    result = device(*[(STARTS[n], f"{t:>{ENDS[n] - STARTS[n]}}") for n, t in texts.items()])
    (row,) = result.rows["rmf_dasd_device"]
    wrong = {n: (t, row[n]) for n, t in texts.items() if row[n] is not None and row[n] != float(t)}
    assert not wrong
    assert known(result) or all(row[n] is not None for n in texts)
