"""A box with more writes, more NVS or faster destage: known answers, and laws whatever was measured."""

import datetime as dt
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import nvs_box
from iosq.toolkit.predict.nvs import OPTIONS, Burst
from iosq.toolkit.predict.nvs_box import Case, Interval
from iosq.toolkit.sql.questions import ask

START = dt.datetime(2025, 11, 18, 20)
SIZE = 1000.0 * TRACK_BYTES
RUN_S = 1800.0  # of writes that wait, without an end


def _interval(delayed: float = 9000.0, *, steady: bool = True, **more: float | None) -> Interval:
    """900 s with 100 writes/s and 50 tracks/s destaged."""
    row = {
        "interval_start": START, "interval_s": 900.0, "write_count": 90000.0, "nvs_delay_count": delayed,
        "destage_rate": 50.0, "destage_rate_max": 50.0, "nvs_bytes": SIZE, "as_busy_free": None, "lost_s": 90.0,
        "is_steady": steady, "is_refused": False, "run_s": RUN_S,
    }  # fmt: skip
    return Interval({**row, **more}, "3021", [])


def _case(then: Interval, more_bytes: float | None = None, **asked: float) -> Case:
    return Case(then, nvs_box.change_of(then, Burst(**asked)), more_bytes)


def _late(then: Interval, **asked: float) -> nvs_box.Bounds:
    return _case(then, **asked).delays


LOADS = st.builds(_interval, st.floats(0, 90000), steady=st.booleans())
GROWTH = st.floats(0.01, 50)


def test_at_the_ceiling_every_added_write_waits_and_none_more_gets_through() -> None:
    """10 of 100 writes/s find no room, so 90 are served at once: of 200, 110 wait, and 100 get through as measured."""
    then = _interval()
    twice = _case(then, growth=2)
    late = twice.delays
    assert (late.value, late.low, late.high) == (110, 20, 110)
    assert twice.carried_rate == 100
    assert twice.full_after_s() == pytest.approx(1000 / 110)
    assert _case(then).full_after_s() == pytest.approx(100)
    assert _late(then, destage_rate=100).value == 0
    assert _late(then, growth=0.9).value == pytest.approx(0)


def test_room_that_is_added_takes_an_overload_as_far_as_it_goes() -> None:
    """10 writes/s without room for 1,800 s are 18,000 tracks: 18 sizes; what fills sooner delays the rest of them."""
    then = _interval()
    for sizes, late in ((1, 10.0), (10, 5.0), (18.9, 10 * (1 - 17.9 / 18)), (19, 0.0), (1000, 0.0)):
        roomy = _late(then, nvs_bytes=sizes * SIZE)
        assert roomy.value == roomy.low == roomy.high == pytest.approx(late)
        after = _case(then, SIZE, nvs_bytes=sizes * SIZE).full_after_s()
        assert after == pytest.approx(sizes * 100), "filled by all that finds no room, however much there is"
    assert _case(then, 0.9 * SIZE, nvs_bytes=18 * SIZE).verdict == "more NVS only delays the overflow"
    assert _case(then, 2 * SIZE, nvs_bytes=18 * SIZE).verdict == "more NVS absorbs it"
    assert _case(then, SIZE, nvs_bytes=19 * SIZE).verdict == "absorbed"


NVS = """
CREATE TABLE box_nvs_interval AS SELECT
    'AB123' AS box, CAST('2025-11-18 20:00' AS TIMESTAMP) + to_minutes(n.minute) AS interval_start, 0 AS utc_offset_s,
    900.0 AS interval_s, n.late AS nvs_delay_count, n.late + 100 AS write_count, n.late + 100 AS late_write_count,
    5.0 AS destage_rate, 5.0 AS destage_rate_max, NULL AS as_busy_free, n.steady AS steady_ratio,
    NULL AS nvs_bytes, NULL AS lost_s, NULL AS lost_low_s, NULL AS lost_high_s, NULL AS coverage_ratio,
    NULL AS unknown_reason
FROM (VALUES {}) AS n (minute, late, steady)
"""


def boxes(*intervals: tuple[int, float, float]) -> list[dict[str, Any]]:
    """The worst interval first, of intervals as minute, delayed writes and their share at the destage ceiling."""
    con = duckdb.connect(config={"threads": 1})
    con.execute("CREATE MACRO unix_micros(instant) AS epoch_us(instant)")
    con.execute(NVS.format(", ".join(map(str, intervals))))
    return ask(con, nvs_box.BOXES, delayed_ratio=0.5, refused_ratio=0.95, refused_times=2).to_pylist()


def test_an_overload_lasts_as_long_as_writes_wait_without_an_end() -> None:
    late = {0: 0.0, 15: 5.0, 30: 9.0, 45: 4.0, 60: 0.0, 75: 7.0, 120: 8.0}
    found = {row["nvs_delay_count"]: row["run_s"] for row in boxes(*((at, n, 0.0) for at, n in late.items()))}
    assert found == {0: 900, 5: 2700, 9: 2700, 4: 2700, 7: 900, 8: 900}


def test_a_steady_overload_is_worse_than_a_burst_with_more_delayed_writes() -> None:
    found = boxes((0, 90.0, 0.4), (15, 10.0, 0.6), (30, 20.0, 0.6))
    assert [(row["nvs_delay_count"], row["is_steady"]) for row in found] == [(20, True), (10, True), (90, False)]


def test_a_burst_grows_by_its_share_at_least_and_by_all_that_is_added_at_most() -> None:
    then = _interval(steady=False)
    late = _late(then, growth=2)
    assert (late.value, late.low, late.high) == (110, 20, 110)
    assert _case(then, growth=2).full_after_s() is None
    assert _case(then, 9000 * TRACK_BYTES).verdict == "more NVS absorbs it"
    assert _case(then, 8999 * TRACK_BYTES).verdict == "more NVS absorbs a part of it"
    assert _late(then, nvs_bytes=10 * SIZE).high == 0  # a track for each of the 9,000
    assert _late(then, nvs_bytes=9.9 * SIZE).high > 0
    assert _case(_interval(steady=False, as_busy_free=5), SIZE, growth=2).verdict == "not identifiable"


@given(LOADS)
def test_today_is_what_was_measured(then: Interval) -> None:
    late = _late(then)
    assert late.value == late.low == late.high == then.row["nvs_delay_count"] / 900


@given(LOADS, GROWTH, GROWTH)
def test_more_writes_never_wait_less(then: Interval, one: float, other: float) -> None:
    few, many = (_late(then, growth=g) for g in sorted((one, other)))
    for name in ("value", "low", "high"):
        assert getattr(few, name) <= getattr(many, name) + 1e-9
    assert 0 <= many.low <= many.value <= many.high <= max(one, other) * 100 + 1e-9


@given(LOADS, GROWTH, GROWTH, GROWTH)
def test_more_nvs_and_faster_destage_never_delay_more(then: Interval, growth: float, one: float, other: float) -> None:
    less, more = sorted((one, other))
    for few, many in (
        (_late(then, growth=growth, nvs_bytes=less * SIZE), _late(then, growth=growth, nvs_bytes=more * SIZE)),
        (_late(then, growth=growth, destage_rate=50 * less), _late(then, growth=growth, destage_rate=50 * more)),
    ):
        assert many.value <= few.value + 1e-9
        assert many.high <= few.high + 1e-9


@pytest.mark.parametrize("option", nvs_box.MEASURED)
def test_what_the_lake_has_measured_is_not_asked_for(option: str) -> None:
    with pytest.raises(RequestError, match=OPTIONS[option]):
        nvs_box.change_of(_interval(), Burst(**{option: 0.5}))


@pytest.mark.parametrize(("missing", "asked"), [("nvs_bytes", "nvs_bytes"), ("destage_rate_max", "destage_rate")])
def test_a_number_to_compare_with_must_be_there(missing: str, asked: str) -> None:
    with pytest.raises(RequestError, match="leave it out"):
        nvs_box.change_of(_interval(**{missing: None}), Burst(**{asked: 5.0}))


def test_a_subsystem_counts_what_lies_within_its_boxs_interval() -> None:
    """Some seconds off the box's clock it is the same interval; a quarter of an hour later another."""
    own = [
        {"interval_start": START + dt.timedelta(seconds=late), "interval_s": 900.0, "write_count": 1800.0}
        for late in (-897, 3, 903)
    ]
    assert Interval(_interval().row, "3021", own).own_rate == 2
