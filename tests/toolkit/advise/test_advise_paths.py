"""What is ill on the way to a control unit and what only looks so: path, port, control unit, others' work."""

import datetime as dt
from typing import Any

import pytest
from advise_rows import Row, applied, at, busy_path, channel, database, path, taken, volume
from hypothesis import given
from hypothesis import strategies as st

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.path import columns, is_bottleneck
from iosq.toolkit.advise.subject import lcus
from tests.judged import judged

RULES = {r.code: r for r in all_rules()}
HOURS = range(10)


def found(code: str, **tables: Any) -> list[Finding]:
    return applied(RULES[code], tables)


def by_path(late_ms: float, *names: str, others_ms: float = 0.1) -> list[Row]:
    """Paths of LCU 0011 that take the same I/Os; the first is late in the last three quarter hours."""
    return [
        taken(n, "0011", name, 50.0) | {"cmr_ms": late_ms if name == names[0] and n > 6 else others_ms}
        for n in HOURS for name in names
    ]  # fmt: skip


def ports(attached: str, **more: Any) -> list[Row]:
    return [
        {"interval_start": at(n), "director": "0061", "port": p, "kind": "channel", "attached": a, "error_count": 0.0}
        | (more if a == attached and n > 6 else {})
        for n in HOURS for p, a in (("05", "51"), ("06", "52"))
    ]  # fmt: skip


def test_the_path_that_is_late_is_named_with_its_port() -> None:
    tables: Row = {"lcu_interval": path(1.1), "lcu_path_interval": by_path(2.1, "152", "150", "151")}
    (finding,) = found("slow_path", **tables, director_port_interval=ports("52", error_count=7.0, frame_pacing_ms=1.6))
    assert (
        "channel path 152 of SYSA, where it answers after 2.10 ms, and after 0.10 ms on its 2 others"
        in finding.whole_text
    )
    assert "waited 1.60 ms for a buffer at port 06 of director 0061 with 21 errors" in finding.whole_text
    assert "First check port 06 of director 0061" in finding.advice
    assert "take channel path 152 of SYSA offline" in finding.advice
    # errors are of optics and cables; frames that wait without any are not
    (paced,) = found("slow_path", **tables, director_port_interval=ports("52", frame_pacing_ms=0.05))
    assert "optics" in finding.advice and "optics" not in paced.advice and "buffer credits" in paced.advice
    # the port of another path is not the cause
    (elsewhere,) = found("slow_path", **tables, director_port_interval=ports("51", error_count=7.0))
    assert "director" not in elsewhere.whole_text and "channel path 152" in elsewhere.whole_text


def every_port(then: Row, usual: Row, others: Row) -> list[Row]:
    """Three ports: what 05 shows in the slow quarter hours and at other times, and what 06 and 07 show then."""
    return [
        {"interval_start": at(n), "director": "0061", "port": p, "kind": "channel", "attached": a}
        | (usual if n <= 6 else then if p == "05" else others)
        for n in HOURS for p, a in (("05", "51"), ("06", "52"), ("07", "53"))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("then", "usual", "others", "stated"),
    [
        # nothing shows the port from what it is at other times, or from the others, or from chance
        ({"error_count": 7.0}, {"error_count": 7.0}, {"error_count": 0.0}, None),
        ({"error_count": 7.0}, {"error_count": 0.0}, {"error_count": 7.0}, None),
        ({"error_count": 1.0, "frame_pacing_ms": 5e-5}, {}, {}, None),
        ({"frame_pacing_ms": 0.4}, {"frame_pacing_ms": 0.4}, {"frame_pacing_ms": 0.0}, None),
        ({"frame_pacing_ms": 0.4}, {"frame_pacing_ms": 0.0}, {"frame_pacing_ms": 0.4}, None),
        # what is as usual isn't reported next to what is not
        ({"error_count": 7.0, "frame_pacing_ms": 5e-5}, {}, {}, "Port 05 of director 0061 had 21 errors"),
        ({"error_count": 1.0, "frame_pacing_ms": 0.4}, {}, {}, "waited 0.40 ms for a buffer at port 05 of director"),
    ],
)
def test_a_port_is_named_for_what_is_more_than_usual_and_than_at_others(
    then: Row, usual: Row, others: Row, stated: str | None
) -> None:
    tables: Row = {"lcu_interval": path(1.1), "lcu_path_interval": by_path(1.1, "151", "152", "153", others_ms=1.0)}
    (finding,) = found("slow_path", **tables, director_port_interval=every_port(then, usual, others))
    assert ("port 05" in finding.advice) == bool(stated) and (stated or "path to LCU") in finding.whole_text
    assert ("errors" in finding.whole_text) == ("errors" in (stated or "")) and "0.00 ms" not in finding.whole_text


def test_a_path_counts_by_its_delay_times_its_rate() -> None:
    """In the slow hours eight I/Os a second wait 100 ms each: 0.8 at all times, below the rate that a mean needs."""
    rows = [r | {"io_rate": 8.0} if r["cmr_ms"] > 1 else r for r in path(100.0)]
    (finding,) = found("slow_path", lcu_interval=rows)
    assert finding.lost_s == pytest.approx(8 * 0.0999 * 2700)
    assert found("slow_path", lcu_interval=[r | {"io_rate": 4.0} if r["cmr_ms"] > 1 else r for r in rows]) == []


def test_what_ends_on_one_system_before_it_begins_on_the_other_is_two_findings() -> None:
    """Two systems of two sites: after a swap it is the other one that is far away."""
    late = path(1.1)
    here = [r | {"system": "SYSB", "cmr_ms": 1.2 - r["cmr_ms"]} for r in late]
    assert {f.subject.systems for f in found("slow_path", lcu_interval=late + here)} == {("SYSA",), ("SYSB",)}
    same = [r | {"system": "SYSB"} for r in late]
    assert [f.subject.systems for f in found("slow_path", lcu_interval=late + same)] == [("SYSA", "SYSB")]


def test_no_path_is_blamed_where_all_are_late_or_there_is_one() -> None:
    for rows in (by_path(1.1, "152", "150", others_ms=1.0), by_path(1.1, "152"), []):
        (finding,) = found("slow_path", lcu_interval=path(1.1), lcu_path_interval=rows)
        assert "channel path" not in finding.whole_text + finding.advice


@pytest.mark.parametrize(("box", "other_ms", "paths", "is_named"), [
    ("AB2", 0.1, ("150", "152"), True), ("AB1", 0.1, ("150", "152"), False), ("AB2", 1.1, ("150", "152"), False),
    ("AB2", 0.1, ("150",), False),
])  # fmt: skip
def test_a_box_that_answers_over_the_same_channels_clears_them(
    box: str, other_ms: float, paths: tuple[str, ...], is_named: bool
) -> None:
    slow = path(1.1, other=other_ms)
    other = [taken(n, "0012", name) for n in HOURS for name in paths]
    homes = [{"lcu": "0011", "box": "AB1"}, {"lcu": "0012", "box": box}]
    ways = by_path(1.1, "152", "150", others_ms=1.0) + other
    (finding, *_) = found("slow_path", lcu_interval=slow, lcu_path_interval=ways, lcu_box=homes)
    assert ("box AB2 answers as fast as ever over the same channels" in finding.advice) == is_named


@pytest.mark.parametrize(
    ("then", "usual", "box", "is_named"),
    [(400.0, 20.0, "AB1", True), (400.0, 20.0, "AB2", False), (400.0, 300.0, "AB1", False), (90.0, 5.0, "AB1", False)],
)
def test_another_system_that_does_far_more_on_the_control_unit_is_named(
    then: float, usual: float, box: str, is_named: bool
) -> None:
    """Far more than usual, and more than all of the slow system; LCU 0011 of another box is another control unit."""
    other: Row = {"system": "SYSB", "lcu": "0011"}
    loads = [volume(n, "OTH001", rate=then if n > 6 else usual, **other) for n in HOURS]
    homes = [{"lcu": "0011", "box": "AB1"}, {**other, "box": box}]
    (finding,) = found("slow_path", lcu_interval=path(1.1), lcu_box=homes, volume_interval=loads)
    who = "System SYSB, which shares the control unit, did 400 I/Os per s then, 20 at other times"
    assert (who in finding.details) == is_named == ("what ran on SYSB" in finding.advice)


@pytest.mark.parametrize(("before", "is_named"), [("150", True), ("152", False)])
def test_other_channels_than_before_are_named(before: str, is_named: bool) -> None:
    slow = path(1.1)
    first = next(n for n, r in enumerate(r for r in slow if r["lcu"] == "0011") if r["cmr_ms"] > 1)
    ways = [taken(n, "0011", before if n < first else "152") for n in HOURS]
    (finding,) = found("slow_path", lcu_interval=slow, lcu_path_interval=ways)
    assert ("The channels are 152 now, and were 150" in finding.advice) == is_named


@pytest.mark.parametrize(("ratio", "is_reported"), [(0.17, True), (0.01, False), (None, False)])
def test_a_busy_control_unit_is_stated_to_be_busy(ratio: float | None, is_reported: bool) -> None:
    rows = [r | {"cu_busy_ratio": ratio, "cu_busy_delay_ms": 0.6} for r in path(1.1)]
    (finding,) = found("slow_path", lcu_interval=rows)
    assert (
        "17 % of the starts meet a busy control unit, which delays a start by 0.60 ms" in finding.whole_text
    ) == is_reported
    assert ("lengthen the queue in the control unit" in finding.advice) == is_reported


def shared(own: float, **more: Any) -> dict[str, list[Row]]:
    """Full channels, `own` of whose use is this system's, and a command response that is long with them."""
    tables = busy_path(partition_busy_ratio=0.9 * own, **more)
    late = [r | {"cmr_ms": 0.8 if n > 6 else 0.1} for n, r in zip(HOURS, tables["lcu_interval"], strict=True)]
    return tables | {"lcu_interval": late}


def test_channels_that_others_fill_are_not_emptied_here() -> None:
    (finding,) = found("channel_busy", **shared(0.02))
    assert "Other partitions fill them: SYSA has 2 % of that use" in finding.whole_text
    assert (
        "find the partition and the job that fill them" in finding.advice
        and "have programs move more" not in finding.advice
    )
    (mine,) = found("channel_busy", **shared(0.9))
    assert "Other partitions" not in mine.text and "have programs move more" in mine.advice
    (unexplained,) = found("channel_busy", **busy_path())
    assert "Other partitions" not in unexplained.text


def slowed(before: float, since: int, until: int = 99) -> list[Finding]:
    """Findings of full channels at 4 Gb/s for some hours, and at `before` in the others."""
    tables = shared(0.9)
    speed = [
        r | {"speed_bits_rate": 4e9 if at(since) <= r["interval_start"] < at(until) else before}
        for r in tables["channel_interval"]
    ]
    paths = [r | {"online": True} for r in tables["lcu_path_interval"]]
    return run(database(**(tables | {"channel_interval": speed, "lcu_path_interval": paths})))


@pytest.mark.parametrize(("before", "since", "reported"), [(16e9, 5, True), (2e9, 5, False), (16e9, 99, False)])
def test_a_link_that_ran_faster_before_is_to_be_repaired(before: float, since: int, reported: bool) -> None:
    """It is why its channels are full then, at hours 7 to 9; no link is slower since that always was, or never."""
    found = slowed(before, since)
    speed = [f for f in found if f.code == "channel_speed"]
    assert [f.severity for f in speed] == reported * ["act"]
    assert bool(speed and "Channels 51, 55 and 56 of SYSA run at 4 Gb/s" in speed[0].text) == reported
    assert ([f.code for f in found if f.severity != "note"] == ["channel_speed"]) == reported, "with the symptom in it"


def test_a_link_that_is_fast_again_is_noted() -> None:
    (finding,) = [f for f in slowed(16e9, 2, 5) if f.code == "channel_speed"]
    assert finding.severity == "note" and "as fast as before since" in finding.advice


def test_where_bytes_fill_the_link_they_are_counted() -> None:
    moved = {"write_bytes_rate": 7.6e8, "read_bytes_rate": 0.0, "partition_read_bytes_rate": 0.0}
    (finding,) = found("channel_busy", **busy_path(busy_ratio=0.3, **moved, partition_write_bytes_rate=7.6e6))
    assert "full (" in finding.text and "SYSA has 1 % of that use" in finding.whole_text


def test_the_systems_read_are_added_up() -> None:
    tables = shared(0.02)
    both = {name: rows + [r | {"system": "SYSB"} for r in rows] for name, rows in tables.items()}
    one, other = found("channel_busy", **both)
    assert "the 2 systems read (SYSA, SYSB) together 4 %" in one.whole_text and "SYSB has 2 %" in other.whole_text


def test_a_slow_path_is_a_symptom_where_it_is_slow_with_the_channel_only() -> None:
    (finding,) = found("channel_busy", **shared(0.02))
    assert ("slow_path", lcus(["0070"], "SYSA")) in finding.covers
    tables = shared(0.02)
    longer = [r | {"cmr_ms": 0.8} if 2 <= n < 5 else r for n, r in enumerate(tables["lcu_interval"])]
    (also,) = found("channel_busy", **(tables | {"lcu_interval": longer}))
    assert not [code for code, _ in also.covers if code == "slow_path"]


def test_full_channels_come_first_where_no_record_gives_which_lcus_they_lead_to() -> None:
    tables = shared(0.9) | {"lcu_path_interval": []}
    both = {name: rows + [r | {"system": "SYSB"} for r in rows] for name, rows in tables.items()}
    (full,) = (f for f in run(database(**both)) if f.code in ("channel_busy", "slow_path"))
    one, other = full.parts
    for finding, system in ((one, "SYSA"), (other, "SYSB")):
        assert (finding.code, finding.severity, finding.confidence) == ("channel_busy", "act", "medium")
        assert (
            f"of {system}" in finding.whole_text
            and "The path to LCU 0070 is slow at the same time" in finding.whole_text
        )
        assert "First see whether LCU 0070 is reached over them (type 78.3 shows it). If so, " in finding.advice
        assert "If not, look at the box's host adapter" in finding.advice
    # slow at other times too: the channels are not all of it
    longer = [r | {"cmr_ms": 0.8} if 2 <= n < 5 else r for n, r in enumerate(tables["lcu_interval"])]
    codes = {f.code for f in run(database(**(tables | {"lcu_interval": longer})))}
    assert {"channel_busy", "slow_path"} <= codes
    # answers as ever while they are full: nothing links them
    (calm,) = found("channel_busy", **(busy_path() | {"lcu_path_interval": []}))
    assert calm.severity == "note" and "Which volumes they lead to isn't recorded" in calm.whole_text


def test_a_finding_is_left_out_where_each_system_has_a_cause_of_its_own() -> None:
    tables = shared(0.02)
    both = {name: rows + [r | {"system": "SYSB"} for r in rows] for name, rows in tables.items()}
    assert [f for f in applied(RULES["slow_path"], both) if f.subject == lcus(["0070"], "SYSA", "SYSB")]
    assert "slow_path" not in {f.code for f in run(database(**both))}
    # SYSB's channels have room: its path is slow for another reason
    both["channel_interval"] = [
        r | {"busy_ratio": 0.2} if r.get("system") == "SYSB" else r for r in both["channel_interval"]
    ]
    assert "slow_path" in {f.code for f in run(database(**both))}


@pytest.mark.parametrize(("exchange_ms", "is_way"), [(None, True), (0.0, True), (0.05, True), (0.1, False)])
def test_the_way_is_measured_against_the_time_that_is_reported(exchange_ms: float | None, is_way: bool) -> None:
    """0.6 ms in the channel subsystem of 0.6 to 0.7 that an alias is held: nine tenths are 0.54 to 0.63."""
    row: Row = {"css_delay_ms": 0.6, "cu_busy_delay_ms": None, "cmr_ms": None, "exchange_ms": exchange_ms}
    assert is_bottleneck(row, {"path_ms": 0.5, "path_share": 0.9}) == is_way


@given(
    css=st.floats(0, 50), busy=st.floats(0, 50), cmr=st.floats(0, 50), exchange=st.floats(0, 50), above=st.floats(0, 50)
)
def test_a_part_never_exceeds_its_whole(css: float, busy: float, cmr: float, exchange: float, above: float) -> None:
    row: Row = {"css_delay_ms": css, "cu_busy_delay_ms": busy, "cmr_ms": cmr, "exchange_ms": exchange}
    names = ("channel_paths", "cmr_low_ms", "cmr_high_ms", "open_exchanges", "path_rate")
    made = columns(row | dict.fromkeys(names) | {"way_above_ms": above})
    assert made["path_holds_ms"] is None or made["path_delay_ms"] <= made["path_holds_ms"]


def test_what_no_one_knows_the_share_of_is_expected_in_the_middle() -> None:
    """Half of a disconnect past the cache may go."""
    at = dt.datetime(2026, 3, 2)
    row = {"volser": "VOL001", "subsystem": "0011", "passed": 9.0, "slow_writes": None, "ios": 9.0, "writes": 0.0}
    row |= {"peak_rate": 9.0, "longest_s": 7200.0, "window_start": at, "window_end": at + dt.timedelta(hours=2)}
    row |= {"bad_intervals": 8, "runs": 1, "first_start": at, "last_end": at + dt.timedelta(hours=2), "bad_days": 1}
    row |= {"disc_ms": 4.0}
    (miss,), (unknown,) = (
        [f.effect for f in judged(RULES["cache_bypass"], [r])] for r in (row, row | {"disc_ms": None})
    )
    assert miss is not None and (miss.low, miss.value, miss.high) == (0.0, 2.0, 4.0)
    assert unknown is None


@pytest.mark.parametrize(("other", "is_uneven"), [(0.15, True), (0.6, False)])
def test_a_full_channel_next_to_idle_ones_of_the_same_volumes_needs_no_more_channels(
    other: float, is_uneven: bool
) -> None:
    own: Row = {"platform": "z/VM", "system": "VMSYS"}
    rows = [
        volume(n, f"VOL00{v}", rate=50.0, pend=3.0 if n >= 8 else 0.2, device=f"0A20{v}", lcu=None) | own
        for n in range(12)
        for v in range(4)
    ]
    busy = {"30": 0.95, "31": other, "32": other}
    uses = [channel(n, path, used if n >= 8 else 0.4) | own for n in range(12) for path, used in busy.items()]
    ways = [own | {"volume": f"VOL00{v}", "channels": "30|31|32"} for v in range(4)]

    (f,) = found("slow_path", volume_interval=rows, channel_interval=uses, volume_channel=ways)
    assert ("has most of the load and 31 and 32 hardly any" in f.advice) == is_uneven
    assert ("No channel need be added" in f.advice) == is_uneven == ("Add channels" not in f.advice)
