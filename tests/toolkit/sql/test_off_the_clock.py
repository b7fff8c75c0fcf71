"""What is measured some seconds or some lengths next to the devices is paired by the middle of the interval."""

import datetime as dt
from itertools import accumulate, combinations
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_lake import START, Lake, all_rows, cache_device, one
from view_rows import over

Row = dict[str, Any]


def after(minutes: float, seconds: float = 0) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes, seconds=seconds)


def path(start: dt.datetime, taken_rate: float, lcu: str = "0012") -> Row:
    at = {"interval_start": start, "interval_s": 300.0, "lcu": lcu, "channel_path": "55"}
    return at | {"taken_rate": taken_rate, "cmr_ms": taken_rate / 100}


@pytest.mark.parametrize(("taken", "expected"), [((None, None), 4.0), ((10.0, 30.0), 5.0)])
def test_means_of_an_lcu_are_weighted_by_starts_or_else_by_time(
    taken: tuple[float | None, float | None], expected: float
) -> None:
    """2 and 6 ms: as long, and one of them with three times the starts."""
    queues = [
        {"interval_start": after(7.5 * n), "path_taken_rate": rate, "css_delay_ms": ms}
        | {"interval_s": 450.0, "lcu": "0012"}
        for n, (rate, ms) in enumerate(zip(taken, (2.0, 6.0), strict=True))
    ]
    places = [{"interval_start": START, "other_start": q["interval_start"], "other_s": 450.0} for q in queues]
    con = over(("lcu_on_device_clock",), lcu_queue=queues, device_alignment=places)
    assert one(con, "SELECT * FROM lcu_on_device_clock")["css_delay_ms"] == pytest.approx(expected)


def test_paths_stand_on_the_clock_of_the_devices() -> None:
    measured = [{"interval_start": START}, {"interval_start": after(15)}]
    con = over(
        ("device_alignment", "lcu_path_on_device_clock"),
        measured_interval=measured,
        lcu_interval=[m | {"lcu": "0012"} for m in measured],
        lcu_path_interval=[path(after(5 * n, 8), r) for n, r in enumerate((10.0, 20.0, 30.0))]
        + [path(after(0, 8), 2.0, lcu="00FF")],
    )
    row = one(con, "SELECT * FROM lcu_path_on_device_clock WHERE lcu = '0012'")
    assert (row["interval_start"], row["taken_rate"]) == (START, pytest.approx(20))
    # 10 x 0.1 + 20 x 0.2 + 30 x 0.3 ms over 60 I/Os
    assert row["cmr_ms"] == pytest.approx(14 / 60)
    own = one(con, "SELECT * FROM lcu_path_on_device_clock WHERE lcu = '00FF'")
    assert (own["interval_start"], own["taken_rate"]) == (after(0, 8), 2), "an LCU without devices"


def written(ssid: str, start: dt.datetime, seconds: float, delayed: float, destage_rate: float) -> Row:
    at = {"subsystem": ssid, "interval_start": start, "interval_s": seconds, "write_count": 1000.0}
    return at | {"nvs_delay_count": delayed, "destage_rate": destage_rate}


def of_boxes(rows: list[Row]) -> list[Row]:
    boxes = [{"subsystem": s, "box": "AB121"} for s in ("1800", "1900", "1A00")]
    con = over(("cache_box_alignment", "box_nvs_interval"), cache_subsystem_interval=rows, box_subsystem=boxes)
    return all_rows(con, "SELECT * FROM box_nvs_interval ORDER BY interval_start")


def test_subsystems_of_a_box_gathered_seconds_apart_are_one_interval_of_the_box() -> None:
    rows = [written("1800", after(15 * n), 900, 10, 1) for n in range(2)]
    rows += [written("1900", after(15 * n, 11), 900, 30, 2) for n in range(2)]
    rows += [written("1A00", after(5 * n, -4), 300, 1, 1 + n % 3) for n in range(6)]
    found = of_boxes(rows)
    assert [(r["interval_start"], r["interval_s"]) for r in found] == [(START, 900), (after(15), 900)]
    assert [(r["nvs_delay_count"], r["write_count"], r["subsystem"]) for r in found] == [(43, 5000, "1800")] * 2
    # 1 + 2 tracks a second, and the mean of 1, 2 and 3
    assert [r["destage_rate"] for r in found] == [pytest.approx(5), pytest.approx(5)]
    assert [r["steady_ratio"] for r in found] == [pytest.approx(43 / 5000)] * 2, "both at the ceiling, side by side"


def test_statistics_that_nothing_surrounds_stand_for_themselves() -> None:
    found = of_boxes([written("1800", START, 900, 10, 1), written("1900", after(180), 900, 20, 1)])
    assert [(r["interval_start"], r["nvs_delay_count"]) for r in found] == [(START, 10), (after(180), 20)]


class Gathered(NamedTuple):
    """Cache statistics that follow one another: length and start in seconds, how many, counts a second."""

    ssid: str
    length: int
    begin: int
    count: int
    rate: float

    def intervals(self) -> list[tuple[int, int]]:
        """Start and length; every other one is a hundredth longer."""
        lengths = [self.length + n % 2 * (self.length // 100) for n in range(self.count)]
        return [(self.begin + start, length) for start, length in zip(accumulate([0, *lengths]), lengths, strict=False)]


GATHERED = st.lists(
    st.builds(
        Gathered,
        ssid=st.sampled_from(("1800", "1900", "1A00")),
        length=st.sampled_from((60, 300, 420, 900, 1800)),
        begin=st.one_of(st.sampled_from((0, 1, 29)), st.integers(0, 4000)),
        count=st.integers(1, 5),
        rate=st.floats(1, 1000),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda g: g.ssid,
)


@settings(max_examples=8, deadline=None)
@given(GATHERED)
def test_a_boxs_writes_are_neither_lost_nor_counted_twice(gathered: list[Gathered]) -> None:
    rows = [
        written(g.ssid, after(0, start), length, 0.1 * g.rate * length, g.rate) | {"write_count": g.rate * length}
        for g in gathered for start, length in g.intervals()
    ]  # fmt: skip
    found = of_boxes(rows)
    for count in ("nvs_delay_count", "write_count"):
        assert sum(r[count] for r in found) == pytest.approx(sum(r[count] for r in rows))
    assert {round(r["nvs_delay_ratio"], 9) for r in found} == {0.1}
    sums = [sum(g.rate for g in some) for n in range(len(gathered)) for some in combinations(gathered, n + 1)]
    assert all(any(r["destage_rate"] == pytest.approx(s) for s in sums) for r in found)


@settings(max_examples=3, deadline=None)
@given(GATHERED)
def test_steady_ranks_and_pools_of_old_boxes_are_steady_in_every_row(gathered: list[Gathered]) -> None:
    """74.5 reports them by subsystem, each on its own clock."""
    lake = Lake()
    for g in gathered:
        for start, length in g.intervals():
            common = {"interval_start": after(0, start), "interval_s": float(length)}
            record = lake.cache([cache_device("2208")], ssid=g.ssid, cint=length, common=common,
                                control={"NEDSEQN": "0000000YT111"})  # fmt: skip
            ios = g.rate * length
            own = common | {"record_id": record, "R7451DVN": "2208", "R7451SCS": 0}
            rank = {"R7451RID": 9, "R7451HSS": 512, "R7451RRQ": ios, "R7451RRT": 4 * ios, "R7451SR": ios}
            pool = {"R7452XID": 3, "R7452PRO": ios, "R7452PRT": ios / 4, "R7452PBR": ios / 4, "R7451INC": 0}
            lake.add("smf74_5_raid_extent_pool", **own, R7451FLG=1, **rank)
            lake.add("smf74_5_raid_extent_pool", **own, section_index=2, R7451FLG=2, **pool)
    con, rates = lake.connect(), {g.ssid: g.rate for g in gathered}
    present: dict[dt.datetime, set[str]] = {}
    for row in all_rows(con, "SELECT DISTINCT box_interval_start, subsystem FROM cache_box_alignment"):
        present.setdefault(row["box_interval_start"], set()).add(row["subsystem"])
    for view, size in (("rank_interval", 512), ("extent_pool_interval", 131072 / 4)):
        found = all_rows(con, f"SELECT interval_start, read_rate, read_ms, read_bytes_rate FROM {view}")
        assert {r["interval_start"] for r in found} == present.keys()
        for row in found:
            rate = sum(rates[ssid] for ssid in present[row["interval_start"]])
            assert (row["read_rate"], row["read_ms"]) == (pytest.approx(rate), pytest.approx(4))
            assert row["read_bytes_rate"] == pytest.approx(size * rate)


def aliases(lcu: str, start: dt.datetime, **known: Any) -> Row:
    return {"lcu": lcu, "interval_start": start, "alias_group": "0001", "alias_io_count": 1000.0} | known


@pytest.mark.parametrize("seconds", [0, 8, -3])
def test_a_pool_is_one_row_though_one_of_its_lcus_has_no_devices(seconds: int) -> None:
    """Its numbers stand on the clock of the system's devices like the others', not seconds next to them."""
    starts = (START, after(15))
    known = [aliases(lcu, s + dt.timedelta(seconds=seconds), alias_denied_count=d) for s in starts
            for lcu, d in (("0012", 5.0), ("0013", 7.0))]  # fmt: skip
    con = over(
        ("device_alignment", "lcu_on_device_clock", "lcu_interval", "lcu_alias_interval",
         "alias_pool_interval"),
        measured_interval=[{"interval_start": s} for s in starts],
        device_interval=[{"interval_start": s, "lcu": "0012", "io_rate": 10.0, "online": True} for s in starts],
        lcu_extra=known,
    )  # fmt: skip
    found = all_rows(con, "SELECT interval_start, lcus, alias_io_count, alias_denied_count FROM alias_pool_interval")
    assert [tuple(r.values()) for r in sorted(found, key=lambda r: r["interval_start"])] == [
        (s, 2, 2000, 12) for s in starts
    ]
