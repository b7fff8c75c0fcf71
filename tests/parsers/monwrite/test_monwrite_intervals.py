"""Intervals of monitor samples: neither files nor mixed systems change them, an IPL ends them."""

from collections.abc import Iterable
from datetime import timedelta
from functools import cache as once
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_lake import answered
from mon_support import Read, database, device, encode, file, minute

from iosq.toolkit.advise.data_quality import notice

# all other views are made of these
VIEWS = ("device_interval", "cache_interval", "lcu_extra", "system_clock")
EAST, SUMMER = -18000, -14400
Rows = dict[str, list[dict[str, Any]]]


def configuration(i: int = 0, name: str = "VMA", zone: int = EAST, ipl: int = -600) -> bytes:
    return encode("D1R4", minute(i), SYSTMID=name, SYSZONE=zone, SYSTODST=minute(ipl))


def activity(i: int, ios: int, sid: int = 1) -> bytes:
    counts = {"SCGSSCH": ios, "SCGCOUNT": ios, "SCMCNTIM": 8 * ios, "SCMDDTIM": 4 * ios, "SCMFPTIM": ios}
    counts = {name: count % 2**32 for name, count in counts.items()}
    return encode("D6R3", minute(i), RDEVSID=sid, RDEVDEV=f"A10{sid}", RDEVSER=f"VOL00{sid}", RDEVHPPL=1, **counts)


def cache(i: int, reads: int, ssid: str) -> bytes:
    return encode("D6R4", minute(i), RDEVSID=1, PSFLEN=192, ssid=ssid, read_normal=reads, write_normal=reads)


def pool(i: int, tries: int, ssid: str) -> bytes:
    return encode("D6R28", minute(i), HPPOOLNM=1, HPPTOKEN=ssid, HPPNALIS=4, HPPTRIES=tries)


def samples(i: int, speed: int, ssid: str = "2105") -> list[bytes]:
    n = 60 * speed * i
    return [activity(i, 3 * n), activity(i, n, sid=2), cache(i, n, ssid), pool(i, n, ssid)]


def devices() -> list[bytes]:
    return [device(1, "A101", "VOL001", pool=1), device(2, "A102", "VOL002", pool=1)]


def rows(*files: bytes) -> Rows:
    """The rows of the views, in an order of their own and without the file they came in."""
    con = database(*files)
    return {view: ordered(answered(con, f"SELECT * FROM {view}")) for view in VIEWS}


def intervals(*files: bytes) -> list[dict[str, Any]]:
    """The rows of device_interval in the order of time."""
    return answered(database(*files), "SELECT * FROM device_interval ORDER BY interval_start")


def ordered(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(({k: v for k, v in r.items() if k not in ("file_id", "place")} for r in found), key=str)


def history() -> list[bytes]:
    """A quarter of an hour of a system: its zone changes, and later it is started anew."""
    before = [r for i in range(4) for r in samples(i, 40)]
    changed = [r for i in range(4, 8) for r in samples(i, 40)]
    after = [r for i in range(9, 12) for r in samples(i, 50)]
    return [
        configuration(), *devices(), *before, configuration(4, zone=SUMMER), *changed,
        configuration(9, zone=SUMMER, ipl=8), *after,
    ]  # fmt: skip


WHOLE = history()
# samples of two systems
ONE = [[configuration(0, "VMA"), *(devices() if i == 0 else []), *samples(i, 40)] for i in range(4)]
TWO = [[configuration(0, "VMB", zone=0), *(devices() if i == 0 else []), *samples(i, 7, "3105")] for i in range(4)]


@once
def of_whole() -> Rows:
    return rows(file(WHOLE))


@once
def of_each() -> tuple[Rows, Rows]:
    return rows(file(chain(*ONE))), rows(file(chain(*TWO)))


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_a_file_split_at_any_record_gives_the_same_rows_in_any_order_of_arrival(data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(1, len(WHOLE) - 1), max_size=5))
    edges = [0, *sorted(cuts), len(WHOLE)]
    pieces = [file(WHOLE[a:b]) for a, b in pairwise(edges)]
    assert rows(*data.draw(st.permutations(pieces))) == of_whole()


def test_every_view_has_rows_of_the_file_that_is_split() -> None:
    found = of_whole()
    assert all(found.values())
    assert len(found["device_interval"]) == 2 * (7 + 2)


@given(st.lists(st.booleans(), max_size=20))
@settings(max_examples=8, deadline=None)
def test_mixed_systems_give_the_rows_that_each_gives_alone(turns: list[bool]) -> None:
    alone = of_each()
    left, mixed = [list(ONE), list(TWO)], []
    for turn in turns:
        mixed += left[turn].pop(0) if left[turn] else []
    mixed += chain(*left[0], *left[1])
    found = rows(file(mixed))
    for view in VIEWS:
        assert found[view] == ordered(alone[0][view] + alone[1][view]), view


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(1, 5))
@settings(max_examples=8, deadline=None)
def test_no_interval_spans_an_ipl_whatever_the_counters_are(old: int, new: int, at: int) -> None:
    samples = [activity(i, (new if i >= at else old) + 600 * i) for i in range(7)]
    started = encode("D1R4", minute(at), SYSTMID="VMA", SYSTODST=minute(at) - timedelta(seconds=30))
    found = intervals(file([configuration(), *devices(), *samples[:at], started, *samples[at:]]))
    assert [r["interval_start"] for r in found] == [minute(i) for i in range(6) if i != at - 1]
    assert {(r["interval_s"], r["io_rate"]) for r in found} == {(60, 10)}


def test_each_interval_has_the_zone_in_force_when_it_began() -> None:
    read = Read(file(WHOLE))
    assert [r["utc_offset_s"] for r in read.rows("mon_d1r4")] == [EAST, SUMMER, SUMMER]
    offsets = {r["interval_start"]: r["utc_offset_s"] for r in intervals(file(WHOLE))}
    assert offsets == {minute(i): EAST if i < 4 else SUMMER for i in (*range(7), 9, 10)}


def test_an_ipl_is_known_from_a_later_configuration_record() -> None:
    late = [configuration(), *devices(), activity(0, 0), activity(1, 600), configuration(3, ipl=2)]
    found = intervals(file([*late, activity(3, 900)]), file([activity(2, 800)]))
    assert [r["interval_start"] for r in found] == [minute(0), minute(2)]


def test_samples_of_an_unknown_system_are_kept_apart_by_file() -> None:
    named = [file([configuration(0, name)]) for name in ("VMA", "VMB")]
    one, two = file([activity(0, 0), activity(1, 600)]), file([activity(2, 1200), activity(3, 1800)])
    found = intervals(*named, one, two)
    assert [(r["system"], r["interval_start"]) for r in found] == [(None, minute(0)), (None, minute(2))]
    (issue,) = Read(one).issues
    assert (issue.code, issue.count) == ("mon.system", 2)


def test_files_missing_between_samples_make_no_long_interval() -> None:
    at = [0, 1, 2, 5, 6, 70, 71]
    con = database(file([configuration(), *devices(), *(activity(i, 600 * i) for i in at)]))
    found = answered(con, "SELECT * FROM device_interval ORDER BY interval_start")
    assert [r["interval_s"] for r in found] == [60, 60, 180, 60, 60]
    assert {r["io_rate"] for r in found} == {10}
    (quality,) = answered(con, "SELECT longest_gap_s, unmeasured_s FROM data_quality")
    assert quality == {"longest_gap_s": 64 * 60, "unmeasured_s": 64 * 60}


@pytest.mark.parametrize(("hours", "count"), [(24, 1), (25, 0)])
def test_samples_more_than_a_day_apart_make_no_interval(hours: int, count: int) -> None:
    found = intervals(file([configuration(), *devices(), activity(0, 0)]), file([activity(60 * hours, 600)]))
    assert len(found) == count


def short(i: int, starts: int) -> bytes:
    return encode("D6R3", minute(i), RDEVSID=1, RDEVDEV="A101", RDEVSER="VOL001", SCMSSCH=starts)


def test_a_short_count_that_wraps_is_an_issue() -> None:
    counts = (65000, 65500, 464, 400)
    read = Read(file([configuration(), *(short(i, n) for i, n in enumerate(counts))]))
    assert [(i.code, i.count) for i in read.issues] == [("mon.wrap", 2)]
    restarted = [configuration(), short(0, 65000), configuration(1, ipl=1), short(1, 10)]
    assert Read(file(restarted)).issues == []
    assert Read(file([configuration(), activity(0, 9), activity(1, 5)])).issues == []


@pytest.mark.parametrize("turned", [False, True])
def test_a_short_count_that_wraps_between_two_files_is_found_in_any_order(turned: bool) -> None:
    one = file([configuration(), short(0, 65000), short(1, 65500)])
    other = file([short(2, 464), short(3, 500)])
    assert not any(i.code == "mon.wrap" for data in (one, other) for i in Read(data).issues)
    con = database(*((other, one) if turned else (one, other)))
    assert answered(con, "SELECT device, wraps, first_start FROM count_wrap") == [
        {"device": "0A101", "wraps": 1, "first_start": minute(1)}
    ]
    assert notice(con, "wrapped").startswith("On VMA the 16-bit I/O count of 1 device (A101 most often) wrapped in 1")


def test_long_counts_and_an_ipl_are_no_wrap() -> None:
    long = [activity(i, n) for i, n in enumerate((9, 5, 4))]
    con = database(file([configuration(), *long, short(4, 9)]), file([configuration(5, ipl=5), short(6, 5)]))
    assert not notice(con, "wrapped")
