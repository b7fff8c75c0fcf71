"""What a time asked for cuts: intervals that began before it are left out, those that begin in it are taken whole."""

import datetime as dt
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from sql_lake import START, Lake, all_rows

from iosq.toolkit.sql.edges import in_words
from iosq.toolkit.sql.filter import Filter, Instant

OFFSET_S = 3600
MINUTES = st.integers(min_value=0, max_value=180)


def row(system: str, minute: int, length: int) -> dict[str, object]:
    start = START + dt.timedelta(minutes=minute)
    return {"system": system, "interval_start": start, "interval_s": 60.0 * length, "utc_offset_s": OFFSET_S}


def at(minute: int, *, is_utc: bool) -> Instant:
    moment = START + dt.timedelta(minutes=minute)
    return Instant(moment if is_utc else moment + dt.timedelta(seconds=OFFSET_S), is_utc)


def cut(rows: Sequence[dict[str, object]], where: Filter) -> str:
    return in_words(where, lambda _: rows)


@given(st.lists(st.tuples(MINUTES, st.integers(1, 60)), max_size=8), MINUTES, st.integers(1, 90), st.booleans())
def test_no_interval_is_left_out_or_reaches_further_unsaid(
    spans: list[tuple[int, int]], since: int, length: int, is_utc: bool
) -> None:
    until = since + length
    rows = [row(f"SYS{n}", *span) for n, span in enumerate(spans)]
    text = cut(rows, Filter(at(since, is_utc=is_utc), at(until, is_utc=is_utc)))
    for n, (start, minutes) in enumerate(spans):
        least, end = 0.05 * minutes, start + minutes
        began = start < since - least and since + least < end
        ends = not began and start < until - least and until + least < end
        parts = [part for part in text.split("; ") if f"SYS{n}" in part]
        assert ["which began before" in part for part in parts] == [True] * began + [False] * ends, text


def test_ends_that_cut_nothing_are_not_talked_about() -> None:
    rows = [row("SYSA", minute, 15) for minute in range(0, 120, 15)]
    assert cut(rows, Filter(at(15, is_utc=False), at(60, is_utc=False))) == ""
    assert cut(rows, Filter()) == ""


def test_the_question_is_about_all_intervals_near_an_end() -> None:
    lake = Lake()
    for record, system in enumerate(("SYSA", "SYSB"), 1):
        lake.control(record=record, system=system)
        lake.device("2208", record=record, system=system)
    con, where = lake.connect(), Filter(at(5, is_utc=True))
    clocks = "from 2026-03-02 09:00 to 2026-03-02 09:15"
    both = in_words(where, lambda sql: all_rows(con, sql))
    assert both == f"not the interval of SYSA and SYSB {clocks}, which began before"
    one = in_words(Filter(where.since, systems=("SYSB",)), lambda sql: all_rows(con, sql))
    assert one == f"not the interval of SYSB {clocks}, which began before"
