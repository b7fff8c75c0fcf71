"""One cause is one finding: of several LCUs, of several volumes, and of the queue behind it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import pytest
from advise_rows import Row, at, box, database, delay, path, pool, volume

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Curve, Finding
from iosq.toolkit.advise.grouped import apart, as_one, grouped
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import Subject, lcus

HOURS, LATE = range(16), range(8, 12)


def _held(n: int, v: int, volumes: int) -> Row:
    on = n in LATE and v < volumes
    return volume(n, f"V{v}", rate=60.0, pend=12.2 if on else 0.2, wait=10.0 if on else 0.0, cmr_ms=0.1, lcu="0011",
                  device_busy_ms=12.0 if on else 0.0, is_hyperpav=True)  # fmt: skip


def _named(found: list[Finding], code: str) -> list[Finding]:
    return [f for f in found if f.code == code]


def test_volumes_held_at_once_are_one_finding() -> None:
    rows = [_held(n, v, 5) for n in HOURS for v in range(10)]
    (f,) = _named(run(database(volume_interval=rows)), "reserve_contention")
    assert str(f.subject) == "V0, V1, V2, V3, V4 on SYSA"
    assert "Another system holds volume V0 while SYSA needs it (11:00-12:00" in f.text
    assert f.text.endswith("also volumes V1, V2 and 2 more")
    assert [p.subject.names for p in f.parts] == [("V0",), ("V1",), ("V2",), ("V3",), ("V4",)]
    assert f.lost_s == pytest.approx(sum(p.lost_s for p in f.parts))
    assert "device busy delay, worst interval, V4 on SYSA" in [n.name for n in f.numbers]


def test_parts_without_details_add_no_empty_sentence() -> None:
    rows = [_held(n, v, 5) for n in HOURS for v in range(10)]
    (f,) = _named(run(database(volume_interval=rows)), "reserve_contention")
    first, *others = f.parts
    parts = [first, *(replace(p, details="", advice=f"{n}. {p.advice}") for n, p in enumerate(others))]
    assert ". . " not in as_one(parts).details


def test_the_query_of_one_finding_shows_all_of_its_subjects() -> None:
    con = database(volume_interval=[_held(n, v, 2) for n in HOURS for v in range(6)])
    (f,) = _named(run(con), "reserve_contention")
    shown = con.execute(f.sql).fetchall()
    assert shown == [row for p in f.parts for row in con.execute(p.sql).fetchall()] and len(f.parts) == 2


def test_volumes_held_at_other_times_are_two() -> None:
    rows = [_held(n, v, 1) for n in HOURS for v in range(6)]
    other = [_held((n + 6) % 16, 0, 1) | {"volume": "V8", "volser": "V8"} for n in HOURS]
    other = [r | {"interval_start": volume(n)["interval_start"]} for n, r in zip(HOURS, other, strict=True)]
    assert len(_named(run(database(volume_interval=rows + other)), "reserve_contention")) == 2


def test_volumes_held_for_unequal_times_are_one_finding() -> None:
    late = {n: n + 1 for n in HOURS}
    rows = [_held(n if v else late[n], v, 2) | _times(n) for n in HOURS for v in range(6)]
    (f,) = _named(run(database(volume_interval=rows)), "reserve_contention")
    assert f.when and f.subject.names == ("V0", "V1")
    assert (f.when.first_seen, f.when.last_seen) == (
        min(p.when.first_seen for p in f.parts if p.when), max(p.when.last_seen for p in f.parts if p.when)
    )  # fmt: skip


def _times(n: int) -> Row:
    return {name: volume(n)[name] for name in ("interval_start", "local_start", "local_end") if name in volume(n)}


def test_full_nvs_of_subsystems_of_unknown_boxes_at_once_is_one_finding() -> None:
    rows = [delay(n, f"20{s}0", 300.0 if 8 <= n < 12 else 0.0) for n in HOURS for s in range(3)]
    boxes = [box(f"20{s}0", None) for s in range(3)]
    (f,) = _named(run(database(nvs_delay=rows, cache_subsystem_interval=boxes)), "nvs_delay")
    assert f.subject.names == ("2000", "2010", "2020") and f.text.endswith("also subsystem 2010 and subsystem 2020")


def test_lcus_that_answer_late_at_once_are_one_finding() -> None:
    rows = path(3.0)
    rows += [r | {"lcu": lcu} for r in rows if r["lcu"] == "0011" for lcu in ("0013", "0014", "0015")]
    (f,) = _named(run(database(lcu_interval=rows)), "slow_path")
    assert f.subject.names == ("0011", "0013", "0014", "0015") and f.text.startswith("The path to LCU 0011 is slow on")
    assert f.text.endswith("also LCUs 0013, 0014 and 1 more")
    assert f.details.count("Response with the path as usual: ") == 1
    assert "LCU 0013 on SYSA, LCU 0014 on SYSA and 1 more: Response with" in f.details


def test_lcus_that_answer_late_at_other_times_are_two() -> None:
    rows = path(3.0)
    rows += [
        r | {"lcu": "0013", "cmr_ms": 3.0 if n < 8 else 0.1}
        for n, r in enumerate(r for r in rows if r["lcu"] == "0011")
    ]
    assert len(_named(run(database(lcu_interval=rows)), "slow_path")) == 2


def test_like_findings_keep_their_counts_and_curves() -> None:
    """Each count is an answer; a filter leaves of a finding those that it asks for."""
    like = [_like(name, "too_many") for name in "ABC"]
    (f,) = grouped(like, Places([]), {"overlap": 0.5})
    assert [p.subject.names[0] for p in apart([f])] == ["A", "B", "C"]
    assert f.advice == "LCU A: Take 3 away. Do the same for the others, each by its own numbers"
    assert as_one(f.parts[1:]).subject.names == ("B", "C")
    curve = Curve("aliases", 1, (), "")
    (f,) = grouped([replace(f, curve=curve) for f in like], Places([]), {"overlap": 0.5})
    assert f.curve is None and [p.curve for p in f.parts] == 3 * [curve]
    for other in (replace(like[0], severity="act"), replace(like[0], form="has too few")):
        assert len(grouped([*like, other], Places([]), {"overlap": 0.5})) == 2


@pytest.mark.parametrize(("names", "does", "count", "shared"), [
    (("V0", "V0"), "disconnect for longer", 1, True), (("V0", "V0"), "queue in the host", 1, False),
    (("V0", "V1"), "disconnect for longer", 1, False),
])  # fmt: skip
def test_the_same_volumes_slow_on_several_systems_are_in_what_these_share(
    names: Sequence[str], does: str, count: int, shared: bool
) -> None:
    where = zip(names, ("SYSA", "SYSB"), strict=True)
    like = [replace(_like(n, "slow"), subject=Subject("volume", (n,), (system,)), does=does) for n, system in where]
    found = grouped(like, Places([]), {"overlap": 0.5})
    assert len(found) == count and ("it is in what they share" in found[0].details) == shared


@pytest.mark.parametrize(("lcus", "are_all"), [("AB", True), ("ABC", False)])
def test_lcus_that_are_all_of_a_system_are_stated_as_such(lcus: str, are_all: bool) -> None:
    where = {"platform": "z/OS", "system": "SYSA", "box": "", "is_named": False, "device": None, "pav": None}
    seen = {"is_mirrored": None, "seen_start": at(0), "seen_end": at(9)}
    rows = [{**where, **seen, "volume": f"V{c}", "lcu": c} for c in lcus]
    like = [replace(_like(c, "slow"), subject=Subject("lcu", (c,), ("SYSA",)), does="connect for longer") for c in "AB"]
    (f,) = grouped(like, Places(rows), {"overlap": 0.5})
    assert ("All LCUs of SYSA have it at once" in f.details) == are_all


@pytest.mark.parametrize(("other", "count"), [("1.52", 1), ("1.53", 2)])
def test_a_channel_that_two_systems_share_is_one_finding(other: str, count: int) -> None:
    pairs = ("1.52", "SYSA"), (other, "SYSB")
    like = [replace(_like(n, "busy"), subject=Subject("channel", (n,), (system,))) for n, system in pairs]
    assert len(grouped(like, Places([]), {"overlap": 0.5})) == count


def _like(name: str, code: str) -> Finding:
    size = 2 + len(name) + "ABC".find(name)
    words = f"LCU {name} has {size}", f"Take {size} away"
    return Finding("note", lcus([name]), *words, (), "", 0.0, code=code, form="has take away")


def test_a_queue_behind_a_reserve_belongs_to_it() -> None:
    rows = [_held(n, v, 1) for n in HOURS for v in range(4)]
    found = run(database(volume_interval=rows))
    (reserve,) = _named(found, "reserve_contention")
    assert "That is why LCU 0011 on SYSA queues in the host: " in reserve.details
    assert not _named(found, "hyperpav_wait")


def test_a_pool_whose_aliases_wait_for_a_release_belongs_to_the_reserve() -> None:
    """One volume in eight is held for an hour; its I/Os hold as many aliases as those of all others together."""
    rows, dry = [], []
    for n in HOURS:
        wait, busy = (1.0, 6.0) if n in LATE else (0.0, 0.0)
        more = {"rate": 900.0, "wait": wait, "lcu": "0011", "is_hyperpav": True, "read_ratio": 0.7, "cmr_ms": 0.1}
        held = volume(n, "V0", pend=0.2 + busy, device_busy_ms=busy, **more)
        rows += [held, *(volume(n, f"V{v}", device_busy_ms=0.0, **more) for v in range(1, 8))]
        queue = {"queue_length": 7.2 * wait, "wait_ms": wait, "waiting_devices": 8 if wait else 0}
        dry.append(pool(n, denied=9000.0 * wait, **queue))
    refused = [{name: r[name] for name in ("interval_start", "lcu", "alias_denied_ratio")} for r in dry]
    found = run(database(("pav_candidate",), volume_interval=rows, lcu_interval=dry, lcu_extra=refused))
    (reserve,) = _named(found, "reserve_contention")
    assert "That is why LCU 0011 on SYSA queues in the host: " in reserve.details
    assert not [f for f in found if f.code in ("alias_pool_dry", "closed_load")]


def test_a_queue_at_other_times_has_its_own_finding() -> None:
    rows = [_held(n, v, 1) for n in HOURS for v in range(4)]
    rows += [
        volume(n, "V7", rate=60.0, wait=20.0 if n in range(2, 6) else 0.0, lcu="0011", is_hyperpav=True) for n in HOURS
    ]
    assert _named(run(database(volume_interval=rows)), "hyperpav_wait")


@pytest.mark.parametrize("worse", ["0001", "0002"])
def test_ranks_that_are_slow_at_once_are_one_finding(worse: str) -> None:
    """One carried as much load before, the other did not: the one that loses more shows what it is."""
    late, least = range(8, 12), {"0001": 100.0, "0002": 50.0}
    rows: list[Row] = [
        {"box": "AB1", "rank": rank, "extent_pool": "0000", "interval_start": volume(n)["interval_start"],
         "read_rate": 100.0 if n in late else usual, "read_ms": (40.0 if rank == worse else 20.0) if n in late else 2.0,
         "write_rate": 10.0}
        for n in HOURS for rank, usual in least.items()
    ]  # fmt: skip
    with database(rank_interval=rows, volume_interval=[volume(n) for n in HOURS]) as con:
        (f,) = _named(run(con), "rank_saturated")
    assert ("was slow" in f.text) == (worse == "0001")


@pytest.mark.parametrize(("late", "together"), [(0, True), (1, False)])
def test_volumes_that_queue_at_one_minute_of_each_hour_are_one_finding(late: int, together: bool) -> None:
    """Which hour is the worst of each is chance; with one that queues a quarter of an hour later nothing is common."""
    rows = [
        volume(n, f"V{v}", rate=300.0, wait=3.0 + (n + v) % 5 if (n - late * (v == 3)) % 4 == 0 else 0.0, exposures=1.0,
               is_hyperpav=False)
        for n in range(32) for v in range(4)
    ]  # fmt: skip
    (f,) = _named(run(database(("pav_candidate",), volume_interval=rows)), "pav_add_alias")
    assert f.subject.names == ("V0", "V1", "V2", "V3")
    assert f.advice.startswith("Stagger what starts at :00 of the hour on all of them") == together


@pytest.mark.parametrize(
    ("bad", "length", "severity"),
    [
        (range(8), 32, "watch"),  # 20 minutes, and good for an hour since
        (range(16), 48, "act"),
        (range(8), 9, "act"),  # all that was measured
        ([*range(4), *range(20, 24)], 32, "act"),
    ],
)
def test_one_short_run_is_one_event_however_short_its_intervals(bad: Sequence[int], length: int, severity: str) -> None:
    start = volume(0)["interval_start"]
    rows = [
        volume(0, f"V{v}", rate=400.0, wait=8.0 if n in bad else 0.0, exposures=1.0, is_hyperpav=False)
        | {"interval_start": start + n * dt.timedelta(seconds=150), "interval_s": 150.0}
        for n in range(length) for v in range(4)
    ]  # fmt: skip
    measured = [{"interval_start": r["interval_start"], "interval_s": 150.0} for r in rows[::4]]
    con = database(("pav_candidate",), volume_interval=rows, measured_interval=measured)
    (f,) = _named(run(con), "pav_add_alias")
    assert f.severity == severity and ("for 20 min only" in f.details) == (severity == "watch")
