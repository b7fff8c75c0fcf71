"""What was lost is reported: with more records, with less time, by volumes that miss together, and on z/VM."""

from typing import Any

import numpy as np
import pytest
from advise_rows import Row, applied, at, box, cached, delay, path, volume
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from tests.scoring.lacking import TYPES
from tests.scoring.measured import tables
from tests.scoring.site import LCUS, Site, lcu_name, volumes_of
from tests.scoring.tables import lake

RULES = {r.code: r for r in all_rules()}
ZVM: Row = {"platform": "z/VM", "system": "VMPROD", "lcu": None}


def found(code: str, **rows: list[Row]) -> list[Finding]:
    return applied(RULES[code], rows)


@given(lcu=st.integers(0, LCUS - 1), late_ms=st.floats(4, 30), begin=st.integers(8, 80), seed=st.integers(0, 2**31))
@settings(max_examples=2, deadline=None)
def test_records_of_healthy_caches_take_no_loss_away(lcu: int, late_ms: float, begin: int, seed: int) -> None:
    """Writes of an LCU wait for what no record names: each record type more leaves it reported, and as large."""
    site, volumes = Site(900, 96, np.random.default_rng(seed)), list(volumes_of(lcu))
    site.rate[:, volumes, begin : begin + 6] *= 2
    site.late_ms[volumes, begin : begin + 6] = late_ms
    lost = [_lost(site, without, lcu) for without in (TYPES, ("74.5",), (), ("74.8",))]
    assert lost[0] > 0 and min(lost) >= 0.9 * lost[0]


def _lost(site: Site, without: tuple[str, ...], lcu: int) -> float:
    rule = RULES["disc_unexplained"]
    with lake(tables(site, set(without)), [q.sql for q in (rule.question, *rule.questions.values())]) as con:
        reported = apply(con, rule)
    return sum(f.lost_s for f in reported if lcu_name(lcu) in f.subject.names)


def covered(disc: float, hits: float, **more: Any) -> dict[str, list[Row]]:
    """Ten quarter hours of a volume with cache records; disconnect and hits change in the last three."""
    hours, seen = range(10), {"subsystem": "2010", "read_ratio": 0.7, "nvs_delay_rate": 0.0}
    rows = [volume(n, disc=disc if n > 6 else 0.2, read_hit_ratio=hits if n > 6 else 0.95, **seen) for n in hours]
    parts = [
        {"interval_start": at(n), "volume": "VOL001", "subsystem": "2010", "io_rate": 100.0, "miss_ms": 0.2}
        | {"disc_ms": r["disc_ms"], "nvs_ms": 0.0, "nvs_high_ms": 0.0, "replication_ms": 0.0, "miss_high_ms": 0.2}
        | {"replication_high_ms": 0.0, "is_mirrored": False, "back_end_ms": 4.0}
        | more
        for n, r in zip(hours, rows, strict=True)
    ]
    return {"volume_interval": rows, "disconnect_interval": parts}


def test_disconnect_that_is_neither_misses_nor_nvs_nor_a_mirror_is_reported_as_that() -> None:
    """2.0 - 0.2 ms above the usual, 100 I/Os per s for 45 minutes: 486 s."""
    (f,) = found("disc_unexplained", **covered(2.0, 0.95))
    assert "Neither read misses nor NVS nor a second box explain the 1.8 ms above the usual" in f.whole_text
    assert "copy services" in f.advice and f.lost_s == pytest.approx(486)


@pytest.mark.parametrize("follows", [True, False])
def test_disconnect_that_follows_the_load_is_a_box_near_its_limit(follows: bool) -> None:
    """Each interval has more I/Os than the one before; without the order of the load it is a fault of some hours."""
    tables, rates = covered(2.0, 0.95), [100.0 + 40 * n for n in range(40)]
    row, part = tables["volume_interval"][0], tables["disconnect_interval"][0]
    order = rates if follows else rates[::-1]
    tables = {
        name: [
            one | {"interval_start": at(n), "io_rate": order[n], "disc_ms": 400 / (1700 - rates[n])} for n in range(40)
        ]
        for name, one in (("volume_interval", row), ("disconnect_interval", part))
    }
    (f,) = found("disc_unexplained", **tables)
    assert ("It follows the load of the box: 5.21 ms at 1,600 I/Os per s" in f.details) == follows
    assert f.advice.startswith("The box nears a limit" if follows else "Look at the box's copy services")


@pytest.mark.parametrize(("since", "named"), [(7, True), (2, False), (0, False)])
def test_a_system_without_records_that_came_with_the_misses_is_named(since: int, named: bool) -> None:
    """Not one that was there an hour before, or always."""
    tables = covered(2.0, 0.85)
    for part in tables["disconnect_interval"][7:]:
        part |= {"miss_ms": 1.9, "miss_high_ms": 1.9}
    shares = [delay(n, "2010", 0.0) | {"coverage_ratio": 0.5 if n >= since else 1.0} for n in range(10)]
    (f,) = found("disc_unexplained", **tables, nvs_delay=shares)
    assert ("the systems read do 50 % since" in f.details) == named
    assert f.advice.startswith("Find the system that came then" if named else "Find what reads past the cache")


def test_larger_ios_are_no_trouble_where_the_cache_explains_none_of_it_either() -> None:
    """Connect grows by 2.0 ms, disconnect by 1.8: what is read in long runs, and hits."""
    tables = covered(2.0, 0.99)
    for row in tables["volume_interval"][7:]:
        row |= {"conn_ms": 2.3, "service_ms": 4.5, "response_ms": 4.5}
    (f,) = found("disc_unexplained", **tables)
    assert (f.severity, f.effect) == ("note", None) and f.text.endswith("the I/Os were larger")
    # misses stay what they are, however large the I/Os
    for part in tables["disconnect_interval"][7:]:
        part |= {"miss_ms": 1.9, "miss_high_ms": 1.9}
    (f,) = found("disc_unexplained", **tables)
    assert f.severity == "watch" and "Read misses make" in f.details


def next_to_many(disc: float, **more: Any) -> dict[str, list[Row]]:
    """The same volume next to one of 9,900 I/Os a second in its LCU that is as ever."""
    tables = covered(disc, 0.95, **more)
    tables["volume_interval"] += [volume(n, "VOL002", rate=9900.0, disc=0.2) for n in range(10)]
    return tables


def test_a_volume_speaks_where_its_lcu_is_as_ever() -> None:
    """15.2 ms less 0.2 of misses and 0.2 as usual, 100 I/Os per s for 45 minutes: 3,996 s. The LCU rises by 0.15 ms."""
    (f,) = found("disc_unexplained", **next_to_many(15.2))
    assert f.subject.names == ("VOL001",) and "volume VOL001 alone in LCU 0010" in f.whole_text
    assert f.lost_s == pytest.approx(3996)
    # misses explain it; what they take is unknown; it is no more than volumes vary
    assert found("disc_unexplained", **next_to_many(15.2, miss_ms=14.8, miss_high_ms=14.8)) == []
    assert found("disc_unexplained", **next_to_many(15.2, back_end_ms=None, miss_ms=0.0)) == []
    assert found("disc_unexplained", **next_to_many(2.0)) == []


QUICK = {"miss_ms": 0.2, "miss_high_ms": 0.2}


def test_half_of_a_pool_may_be_slow_while_its_mean_is_not() -> None:
    """Reads from the disks of one volume take four times as long; its pool as a whole is quick."""
    tables = next_to_many(15.2, miss_ms=14.8, miss_high_ms=14.8)
    for n, part in enumerate(tables["disconnect_interval"]):
        part |= {"back_end_ms": 16.0, "box": "AB1", "extent_pool": "0000"} if n > 6 else QUICK
    (f,) = found("disc_unexplained", **tables)
    assert "The mean of the extent pool hides that" in f.whole_text and "array or a drive" in f.advice
    pools = [
        {"interval_start": at(n), "box": "AB1", "extent_pool": "0000", "read_rate": 100.0, "read_ms": ms}
        for n, ms in enumerate([4.0] * 7 + [16.0] * 3)
    ]
    assert found("disc_unexplained", **tables, extent_pool_interval=pools) == [], "rank_saturated reports a slow pool"


def test_what_is_long_all_day_shows_next_to_quicker_volumes() -> None:
    """One of five volumes has 5 ms that nothing explains in every interval; the others have none."""
    tables = covered(5.2, 0.95)
    for row in (*tables["volume_interval"], *tables["disconnect_interval"]):
        row["disc_ms"] = 5.2
    for name in ("VOL002", "VOL003", "VOL004", "VOL005"):
        for n in range(10):
            tables["volume_interval"].append(
                tables["volume_interval"][n] | {"volume": name, "volser": name, "disc_ms": 0.2}
            )
            tables["disconnect_interval"].append(tables["disconnect_interval"][n] | {"volume": name, "disc_ms": 0.2})
    (f,) = found("disc_unexplained", **tables)
    assert (
        f.subject.names == ("VOL001",)
        and "is long on SYSA" in f.whole_text
        and "0.20 ms on the quicker volumes of the LCU" in f.whole_text
    )


def test_a_rise_that_is_a_small_part_of_the_response_is_reported_if_it_lasts() -> None:
    tables = covered(2.0, 0.95)
    tables["volume_interval"] = [r | {"service_ms": 40.0, "response_ms": 40.0} for r in tables["volume_interval"]]
    (f,) = found("disc_unexplained", **tables)
    assert f.lost_s == pytest.approx(486), "as where it is most of the response"


def test_without_the_time_of_the_back_end_its_record_is_asked_for() -> None:
    (f,) = found("disc_unexplained", **covered(2.0, 0.95, back_end_ms=None, miss_ms=0.0))
    assert "The time of its back end is not recorded" in f.whole_text
    assert "Ingest type 74.8" in f.advice and "Read misses are not the cause" in f.advice


def test_without_the_time_of_the_back_end_hits_that_fell_are_the_cause() -> None:
    (f,) = found("disc_unexplained", **covered(2.0, 0.85, back_end_ms=None, miss_ms=0.0))
    assert f.text.startswith("Read hits fell: ") and "Read hits are 85 %, and 95 %" in f.details
    assert f.advice.startswith("Find what reads past the cache then")


@pytest.mark.parametrize(("zos", "delayed", "cause"), [
    (False, 9.0, "Writes waited for NVS: "), (True, 9.0, ""), (False, 0.001, "Disconnect "),
])  # fmt: skip
def test_delayed_writes_that_no_other_rule_finds_are_a_finding_here(zos: bool, delayed: float, cause: str) -> None:
    """On z/OS `nvs_delay` reports them; of D6R4 only volumes have counts."""
    tables = covered(2.0, 0.95)
    for r in tables["volume_interval"]:
        r |= ({} if zos else ZVM) | {"nvs_delay_rate": delayed * (r["disc_ms"] > 1)}
    for r in tables["disconnect_interval"]:
        r["nvs_high_ms"] = max(r["disc_ms"] - 0.2, 0.0)
    reported = found("disc_unexplained", **tables)
    assert [f.text.startswith(cause) for f in reported] == [True] * bool(cause)
    assert ("up to 1.8 ms" in "".join(f.details for f in reported)) == cause.startswith("Writes")


def test_volumes_that_read_past_the_cache_are_left_to_their_own_rules() -> None:
    assert found("disc_unexplained", **covered(2.0, 0.5)) == []


@pytest.mark.parametrize(("slow", "count"), [(21.0, 1), (0.5, 0)], ids=["21 ms", "0.5 ms"])
def test_one_quarter_hour_is_reported_if_it_is_deep(slow: float, count: int) -> None:
    """100 I/Os per s, 900 s: 20.9 ms cost 1,881 s, which is more than half an I/O for 20 minutes (600 s)."""
    hours = [r | {"response_ms": 1.0 + r["cmr_ms"]} for r in path(slow)]
    one = [r | ({"cmr_ms": 0.1} if r["interval_start"] > at(7) else {}) for r in hours]
    assert len(found("slow_path", lcu_interval=one)) == count
    assert len(found("slow_path", lcu_interval=hours)) == 1, "three of them last long enough"


def hits(subsystem: str, names: str, poor: range) -> list[Row]:
    """Ten quarter hours of volumes that miss in some of them."""
    return [
        volume(n, name, disc=4.0 if n in poor else 0.4, subsystem=subsystem, read_ratio=0.8,
               read_hit_ratio=0.5 if n in poor else 0.95)
        for n in range(10) for name in names.split()
    ]  # fmt: skip


def test_volumes_of_a_subsystem_that_miss_together_are_one_finding() -> None:
    rows = hits("2010", "A1 A2 A3 A4", range(4, 8)) + hits("2011", "B1 B2 B3 B4", range(0))
    boxes = [box("2010", "00000AB121"), box("2011", "00000AB121")]
    (f,) = found("cache_too_small", volume_interval=rows, cache_subsystem_interval=boxes)
    assert f.text.startswith("Read hits of subsystem 2010 of box 2107-961 AB121 are only 50 % (10:00-11:00")
    assert {s.names for _, s in f.covers} == {("A1",), ("A2",), ("A3",), ("A4",)} and f.subject.kind == "subsystem"
    both = rows + hits("2011", "B5 B6 B7 B8 B9", range(4, 8))
    (f,) = found("cache_too_small", volume_interval=[r for r in both if r["volume"][0] == "A" or r["volume"] > "B4"],
                 cache_subsystem_interval=boxes)  # fmt: skip
    assert f.subject.kind == "box", "where all of the box miss, it is one finding about the box"


def test_a_listing_without_a_box_has_its_subsystem() -> None:
    (f,) = found("cache_too_small", volume_interval=[r | ZVM for r in hits("0001", "A1 A2 A3 A4", range(4, 8))])
    assert f.text.startswith("Read hits of subsystem 0001 are only 50 %") and "Up to 4 of 4" in f.whole_text


def test_a_volume_is_compared_with_its_subsystem_in_the_same_intervals() -> None:
    rows = hits("2010", "A1", range(4, 8))
    counts = [
        cached(name, hits=(400.0 if n in range(4, 8) else 1000.0), interval_start=at(n), device=name)
        for n in range(10) for name in ("A1", "A2")
    ]  # fmt: skip
    (f,) = found("low_hit_ratio", volume_interval=rows, cache_interval=counts)
    assert "other volumes in subsystem 2010, 40 % hit then" in f.whole_text, "82 % over the span"


def zvm(**late: float) -> list[Row]:
    """Four volumes of a z/VM listing; three get slower in the last four of ten quarter hours."""
    names = [f"LNX{n}" for n in range(4)]
    return [
        volume(n, name, **(late if n > 5 and name < "LNX3" else {}), **ZVM) for n in range(10) for name in names
    ]  # fmt: skip


def test_pend_of_most_volumes_is_the_path_where_nothing_gives_more() -> None:
    """3.0 in place of 0.2 ms on three of four: 2.3 ms in the mean, 400 I/Os per s for an hour make 3,024 s."""
    (f,) = found("slow_path", volume_interval=zvm(pend=3.0))
    assert (
        "The path to volumes LNX0 and 2 more is slow on VMPROD" in f.whole_text
        and "at best for 0.20 ms" in f.whole_text
    )
    assert f.lost_s == pytest.approx(3024) and "LCHANNEL" in f.advice and f.confidence == "medium"
    assert found("reserve_contention", volume_interval=zvm(pend=3.0)) == []
    alone = [r | ({"pend_ms": 3.0} if r["volume"] == "LNX0" and r["interval_start"] > at(5) else {}) for r in zvm()]
    assert found("slow_path", volume_interval=alone) == [], "one volume may be held by another system"


def test_disconnect_of_a_system_without_lcus_is_that_of_the_volumes_that_rose() -> None:
    (f,) = found("disc_unexplained", volume_interval=zvm(disc=9.0))
    assert f.text == "Disconnect of 3 of 4 volumes of VMPROD is long (10:30-11:30 on 2026-03-02)"
    assert f.subject.names == ("LNX0", "LNX1", "LNX2") and "9.00 ms per I/O" in f.details
    assert "FCX111" in f.advice and "SMF" not in f.advice + f.text
