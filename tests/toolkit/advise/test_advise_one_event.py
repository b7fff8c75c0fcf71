"""One event is one finding: systems that wait for each other, a change and what follows from it."""

import random
from dataclasses import replace

import pytest
from advise_rows import Row, applied, box, database, pool, volume
from test_advise_causes import DRY, Fixed, load, weighed
from test_advise_pend import RULES

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding

WAITING, LATE, WELL, NEVER = range(8, 16), range(20, 28), range(32), range(0)
VMA: Row = {"platform": "z/VM", "system": "VMA", "lcu": None}


def held(system: str, *, waits: range = NEVER, holds: range = NEVER) -> list[Row]:
    """A volume that waits 6 ms for its device at some times, and that the system has reserved at some times."""
    return [
        volume(n, system=system, pend=0.2 + 6.0 * (n in waits), device_busy_ms=6.0 * (n in waits),
               reserved_ratio=0.3 * (n in holds)) for n in WELL
    ]  # fmt: skip


def contention(*rows: list[Row]) -> list[Finding]:
    every = [r for one in rows for r in one]
    random.Random(len(every)).shuffle(every)
    return applied(RULES["reserve_contention"], {"volume_interval": every})


@pytest.mark.parametrize(
    ("third", "text"), [(False, "SYSA and SYSB have volume VOL001 reserved while the other needs it"),
                        (True, "System SYSC has volume VOL001 reserved while SYSA and SYSB need it")]
)  # fmt: skip
def test_systems_that_wait_at_once_are_one_finding(third: bool, text: str) -> None:
    pair = [held(system, waits=WAITING, holds=NEVER if third else WAITING) for system in ("SYSA", "SYSB")]
    (f,) = contention(*pair, *[held("SYSC", holds=WAITING)] * third)
    assert f.text.startswith(text) and f.subject.systems == ("SYSA", "SYSB")
    assert f.lost_s == pytest.approx(2 * 8 * 900 * 100 * 6e-3) and f.effect and "on SYSA" in f.effect.what


def test_systems_that_wait_one_after_the_other_are_two_findings() -> None:
    found = contention(held("SYSA", waits=WAITING, holds=LATE), held("SYSB", waits=LATE, holds=WAITING))
    assert {f.text.split(" (")[0] for f in found} == {
        "System SYSB has volume VOL001 reserved while SYSA needs it",
        "System SYSA has volume VOL001 reserved while SYSB needs it",
    }


@pytest.mark.parametrize(("pend", "names"), [(0.2, True), (9.0, False)])
def test_a_guests_ios_are_those_of_its_host_only_if_they_wait_as_long(pend: float, names: bool) -> None:
    """At equal rates; what reserves the volume does not wait for it."""
    host = [volume(n, **VMA, pend=9.2 if n in WAITING else 0.2, device="0A100") for n in WELL]
    others = [volume(n, f"V{v}", **VMA, device="0A200") for n in WELL for v in range(4)]
    zos = [r | {"pend_ms": pend} for r in held("PRD1", holds=WAITING)]
    found = [f for f in contention(host, others, zos) if f.subject.names == ("VOL001",)]
    assert [("PRD1 has volume" in f.text) for f in found] == [names]


def after_a_move(slower: float, later: float = 0.0) -> list[Finding]:
    """Of eight volumes that move to another box, where each I/O waits so much longer for the control unit, or later."""
    above = [(slower if n >= 16 else 0.0) + (later if n >= 32 else 0.0) for n in range(48)]
    volumes = [
        volume(n, f"V{v}", lcu="0011", subsystem="2010" if n < 16 else "3010", rate=300.0, cmr_ms=0.1 + more,
               pend=0.2 + more, read_ratio=0.5, read_hit_ratio=0.95)
        for n, more in enumerate(above) for v in range(8)
    ]  # fmt: skip
    units = [pool(n, io_rate=2400.0, response_ms=1.0 + more, cmr_ms=0.1 + more) for n, more in enumerate(above)]
    boxes = [box("2010", "00000AB121"), box("3010", "00000CD472")]
    found = run(database(volume_interval=volumes, lcu_interval=units, cache_subsystem_interval=boxes))
    return [f for f in found if f.code in ("volumes_moved", "slow_path")]


def test_a_move_belongs_to_what_it_made_slow() -> None:
    (f,) = after_a_move(0.8)
    assert (f.code, f.severity) == ("slow_path", "act") and "since the move" in f.details
    assert f.advice.startswith("Look first at the change it began after: 8 volumes moved from box AB121 to box CD472")
    assert {(f.code, f.severity) for f in after_a_move(0.0, 0.8)} == {("volumes_moved", "note"), ("slow_path", "act")}


def test_one_volume_that_waits_since_the_pool_was_lost_is_enough() -> None:
    """Though the mean of all is hardly longer."""
    rows = [
        volume(n, f"V{v}", rate=300.0, conn=0.1, disc=0.0, pend=0.1, wait=3.0 if n >= 16 and v == 3 else 0.0,
               is_hyperpav=n < 16, exposures=None if n < 16 else 1.0)
        for n in range(32) for v in range(16)
    ]  # fmt: skip
    found = run(database(("pav_candidate",), volume_interval=rows))
    changed = [f for f in found if f.severity != "note"]
    assert [(f.code, f.severity) for f in changed] == [("volumes_moved", "act")]
    assert "That is why V3 on SYSA queues in the host" in changed[0].details


@pytest.mark.parametrize(("rates", "is_one"), [((900.0, 100.0), True), ((400.0, 400.0), False)])
def test_one_volume_that_makes_all_wait_is_to_be_looked_at_first(rates: tuple[float, ...], is_one: bool) -> None:
    both = [load(1.0, rate) | {"volume": f"V{n}"} for n, rate in enumerate(rates)]
    f = weighed(replace(DRY, lost_s=6e4), 1, Fixed(*both))
    assert ("Volume V0 did 900 I/Os per s then, usually 100" in f.details) == is_one and f.severity == "act"
    assert f.advice.startswith("Find out what runs on V0 then: limit or move it. If it has to run then: ") == is_one
