"""An interval printed again in a listing, as after clocks are set back: one printing counts, with an issue."""

import datetime as dt
from typing import Any

import duckdb
from fcx_support import Read, database
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_lake import answered

NIGHT = dt.datetime(2025, 10, 26, 2, 0)


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    return answered(con, sql)


def pages(starts: list[int], aliases: list[int], seconds: int = 60, first: int = 1, system: str = "VMSYS1") -> bytes:
    """A log with a page per interval: base A100 of 100 I/Os a second in all, shared with a number of aliases."""
    text = []
    for number, (start, many) in enumerate(zip(starts, aliases, strict=True), first):
        begin, end = (NIGHT + dt.timedelta(seconds=s) for s in (start, start + seconds))
        rate = 10 * (1 + many) + number / 10
        text += [
            f"1FCX168  Run {end:%Y/%m/%d %H:%M:%S}          INTERIM DEVLOG      Page {number:4}",
            f" From {begin:%Y/%m/%d %H:%M:%S}        {system}",
            f" To   {end:%Y/%m/%d %H:%M:%S}        CPU 2084-C24   SN 00000",
            f" For  {seconds:6} Secs 00:01:00        z/VM   V.5.2.0",
            " <-- Device Descr. --> Mdisk Pa- <-- Rate/s -> <---------- Time (msec) ---------->",
            " Addr Type   Label/ID  Links ths     I/O Avoid  Pend  Disc  Conn  Serv  Resp  CUWt",
            *(
                f" {address} {kind:6} VOL001        0   4   {rate:5.1f}    .0    .2   2.6    .3   3.1   3.1    .0"
                for address, kind in [("A100", "3390-3"), *((f"A1{80 + n}", "->A100") for n in range(many))]
            ),
        ]
    return "\n".join([*text, ""]).encode()


CASE = st.tuples(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=9),
    st.integers(0, 25),
    st.integers(0, 9),
)


@given(st.lists(CASE, min_size=1, max_size=20))
@settings(max_examples=5, deadline=None)
def test_a_volumes_row_of_an_interval_comes_from_one_page(
    cases: list[tuple[list[tuple[int, int]], int, int]],
) -> None:
    """Times go back, stand still and come again, seconds apart or not, in one listing or two: pages never mix."""
    known, listings = {}, [b"", b""]
    for number, (spans, late, cut) in enumerate(cases):
        starts = [60 * minute + (late if n >= cut else 0) for n, (minute, _) in enumerate(spans)]
        aliases = [many for _, many in spans]
        for system, place in (f"ONE{number}", 0), (f"TWO{number}", 1):
            known[system] = {round(n / 10 + 10 * (1 + many), 1): many for n, many in enumerate(aliases, 1)}
            listings[0] += pages(starts[:cut], aliases[:cut], system=system)
            listings[place] += pages(starts[cut:], aliases[cut:], system=system, first=1 + cut)
    found = rows(
        database(*listings), "SELECT system, io_rate, coalesce(exposures, 1) AS exposures FROM volume_interval"
    )
    assert {r["system"] for r in found} == known.keys()
    for row in found:
        each = round(row["io_rate"] / row["exposures"], 1)
        assert known[row["system"]][each] == row["exposures"] - 1


def test_the_second_printing_is_kept_without_time_and_reported() -> None:
    minutes, aliases = [0, 1, 2, 0, 1, 2, 3], [0, 0, 0, 1, 1, 1, 1]
    read = Read(pages([60 * m for m in minutes], aliases))
    known = [(i.code, i.severity, i.record) for i in read.issues]
    assert known == [("fcx.repeat", "data_loss", 1 + 21 + 8 * n) for n in range(3)]
    assert "2025-10-26 02:01:00" in read.issues[1].message
    starts = [r["interval_start"] and r["interval_start"].minute for r in read.rows("fcx168")]
    assert starts == [0, 1, 2] + [None] * 6 + [3, 3]
    assert [r["interval_start"].minute for r in read.rows("fcx_page")] == minutes, "pages say what they print"


def test_an_hour_printed_twice_in_succession_is_reported_by_its_devices() -> None:
    read = Read(pages([0, 0, 3600], [0, 2, 2], seconds=3600))
    assert [i.code for i in read.issues] == ["fcx.repeat"]
    assert [r["interval_start"] and r["interval_start"].hour for r in read.rows("fcx168")] == [2] + [None] * 3 + [3] * 3


def test_copies_and_further_pages_of_an_interval_are_no_repetition() -> None:
    twice = pages([0, 60], [1, 1]) * 2
    assert Read(twice).issues == []
    first, second = (pages([0], [0]).replace(b"A100", address) for address in (b"A100", b"A101"))
    assert Read(first + second + first.replace(b"A100", b"A102")).issues == []
    parts = first + pages([60], [0]) + second  # another interval between: still devices of their own
    assert Read(parts).issues == []


def spans(*minutes: tuple[int, int]) -> Read:
    """What pages from one minute to another of the same devices are read as."""
    made = (pages([60 * a], [1], seconds=60 * (b - a), first=n) for n, (a, b) in enumerate(minutes, 1))
    return Read(b"".join(made))


def test_pages_that_grow_from_one_start_are_reported_as_what_they_are() -> None:
    read = spans((0, 5), (0, 10), (0, 15), (0, 20))
    assert [(i.code, i.severity, i.record) for i in read.issues] == [
        ("fcx.cumulative", "data_loss", 1 + 8 * n) for n in (1, 2, 3)
    ]
    assert "the page to 2025-10-26 02:10:00 begins when line 1 ff. does: a growing mean" in read.issues[0].message
    assert "DEVLOG (FCX168)" in read.issues[0].message and "clocks" not in read.issues[1].message
    assert [r["interval_start"] is None for r in read.rows("fcx168")] == [False] * 2 + [True] * 6


def test_pages_that_overlap_are_reported_and_parts_of_a_whole_are_not() -> None:
    (issue,) = spans((0, 10), (5, 15)).issues
    assert (issue.code, issue.severity, issue.record) == ("fcx.overlap", "notice", 9)
    assert (
        "2025-10-26 02:05:00 ff. overlaps line 1 ff. by 300 s: one of them counts if it holds the middle"
        in issue.message
    )
    assert spans((0, 5), (5, 10), (10, 15), (0, 15)).issues == [], "a mean of what is printed"
    assert spans((0, 15), (0, 5), (5, 10)).issues == [], "and one that stands before it"
    assert Read(pages([0, 59, 119], [1, 1, 1])).issues == [], "seconds apart"
