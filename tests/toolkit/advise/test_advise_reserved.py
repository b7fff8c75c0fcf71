"""Pools whose I/Os wait for volumes that another system holds."""

from typing import Any

import pytest
from advise_rows import Row, applied, at, pool, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding

RULES = {r.code: r for r in all_rules()}
VOLUMES = 8


def served(busy: float, *, held: int, rate: float, wait: float) -> list[Row]:
    """Eight volumes of a pool, 1 ms of service each; the first ones wait `busy` ms for another system's release too."""
    more = {"lcu": "0011", "is_hyperpav": True, "exposures": None, "read_ratio": 0.7, "cmr_ms": 0.1}
    return [
        volume(0, f"VOL{n:03}", rate=rate, wait=wait, pend=0.2 + (busy if n < held else 0.0), disc=0.5, conn=0.3,
               device_busy_ms=busy if n < held else 0.0, **more)
        for n in range(VOLUMES)
    ]  # fmt: skip


def about(code: str, rows: list[Row], **more: Any) -> Any:
    queue = sum(r["io_rate"] * r["wait_ms"] for r in rows) / 1e3
    dry = pool(0, denied=9000, queue_length=queue, wait_ms=rows[0]["wait_ms"], waiting_devices=VOLUMES, **more)
    (finding,) = applied(RULES[code], {"volume_interval": rows, "lcu_interval": [dry]}, None, None)
    return finding


@pytest.mark.parametrize(
    ("busy", "held", "reported"), [(0.0, 0, False), (0.4, 8, False), (6.0, 1, True), (6.0, 8, True)]
)
def test_no_aliases_are_defined_for_i_os_that_wait_for_another_systems_release(
    busy: float, held: int, reported: bool
) -> None:
    """One volume in eight is enough: its I/Os hold as many aliases as those of all others together."""
    finding = about("alias_pool_dry", served(busy, held=held, rate=900.0, wait=1.0))
    assert (finding.aliases.verdict == "cant_tell") is reported
    assert finding.advice.startswith("End the reserves of other systems first: the findings about VOL000") is reported
    assert ("Define" in finding.advice) is not reported
    assert finding.effect is None or not reported


def test_hours_without_a_reserve_are_judged_by_themselves() -> None:
    """The pool is dry at eight because of a reserve, with a longer queue, and at ten without one."""
    held, free = served(6.0, held=8, rate=900.0, wait=9.0), served(0.0, held=0, rate=1300.0, wait=1.0)
    rows = held + [r | {"interval_start": at(8)} for r in free]
    dry = [
        pool(n, denied=9000, queue_length=sum(r["io_rate"] * r["wait_ms"] for r in mine) / 1e3, wait_ms=wait,
             waiting_devices=VOLUMES)
        for n, mine, wait in ((0, held, 9.0), (8, free, 1.0))
    ]  # fmt: skip
    (finding,) = applied(RULES["alias_pool_dry"], {"volume_interval": rows, "lcu_interval": dry})
    assert finding.aliases and finding.aliases.verdict == "add"
    assert finding.advice.startswith("Define")


def test_a_closed_workload_of_reserved_volumes_gets_no_count() -> None:
    """Forty requesters, twelve of them served: nearly all that an alias does is to wait."""
    rows = served(6.0, held=8, rate=12 / 8 / 7.0 * 1e3, wait=7.0 * 28 / 12)
    finding = about("closed_load", rows, hyperpav_aliases=4, alias_high_water=4)
    assert finding.aliases.verdict == "cant_tell"
    assert "I/Os hold an alias for 7 ms, 6 of it waiting for a release" in finding.advice


def _job(name: str, source: str, hours: range, volser: str = "VOL001") -> tuple[str, list[Row]]:
    """A job of SYSB that uses a volume in some quarter hours, by type 30 or 42.6."""
    rows = [{"interval_start": at(n), "job": name, "volser": volser, "system": "SYSB"} for n in hours]
    return {"30": "job_volume_interval", "42.6": "dataset_interval"}[source], rows


@pytest.mark.parametrize("source", ["30", "42.6"])
@pytest.mark.parametrize(
    ("jobs", "named"),
    [
        ({"ONLINE": range(24), "COPY": range(8, 12)}, "COPY"),
        ({"ONLINE": range(24), "LATER": range(12, 20)}, "ONLINE"),
        ({"ONLINE": range(24), "BRIEF": range(8, 9)}, "ONLINE"),
        ({"LATER": range(12, 20)}, None),
    ],
)
def test_the_job_that_uses_a_volume_while_it_is_reserved_is_named(
    jobs: dict[str, range], named: str | None, source: str
) -> None:
    """Who uses it just then, before who does all day; no job that uses it at other times only, or another volume."""
    rows = [
        volume(n, pend=9.0 if 8 <= n < 12 else 0.2, device_busy_ms=8.0 if 8 <= n < 12 else 0.0, cmr_ms=0.1)
        for n in range(24)
    ]  # fmt: skip
    rows += [r | {"system": "SYSB", "reserved_ratio": 0.05 * r["device_busy_ms"], "device_busy_ms": 0.0} for r in rows]
    table = [row for name, hours in jobs.items() for row in _job(name, source, hours)[1]]
    table += _job("OTHER", source, range(8, 12), "VOL002")[1]
    (f,) = applied(RULES["reserve_contention"], {"volume_interval": rows, _job("", source, range(0))[0]: table})
    assert f.subject.systems == ("SYSA",) and "System SYSB has volume VOL001 reserved" in f.text
    assert (f"Most likely job {named} of SYSB reserves it" in f.details) == bool(named)
    assert (f"Turn the RESERVE of job {named} into" in f.advice) == bool(named)


@pytest.mark.parametrize(("other", "is_found"), [(96, True), (95, False), (192, False)])
def test_a_short_reserve_at_the_same_time_of_the_next_day_is_watched(other: int, is_found: bool) -> None:
    """In one quarter hour a day, with few I/Os."""
    rows = [volume(n, rate=5.0, pend=20.2 if n in (0, other) else 0.2, device_busy_ms=20.0 if n in (0, other) else 0.0)
            for n in (0, *range(90, 100), *range(188, 196))]  # fmt: skip
    assert [f.severity for f in applied(RULES["reserve_contention"], {"volume_interval": rows})] == ["watch"] * is_found


def found(given: list[Row]) -> list[Finding]:
    return applied(RULES["reserve_contention"], {"volume_interval": given})


@pytest.mark.parametrize(("busy", "usual", "named"), [(400.0, 20.0, True), (400.0, 300.0, False), (30.0, 0.0, False)])
def test_another_system_that_works_on_it_just_then_is_named(busy: float, usual: float, named: bool) -> None:
    """Of 1 ms each, so that 400 I/Os per s keep the device busy for much of the time."""
    mine = [volume(n, pend=4.2 if n < 4 else 0.2, device_busy_ms=4.0 * (n < 4)) for n in range(12)]
    other = [volume(n, system="SYSB", rate=busy if n < 4 else usual, device_busy_ms=0.0) for n in range(12)]
    (finding,) = found(mine + other)
    assert ("wait on SYSA while SYSB uses it" in finding.text) == named
    assert ("Move the work of SYSB" in finding.advice) == named
    assert ("SYSB does 400 I/Os per s to it then, 20 in most" in finding.details) == named


def test_one_label_at_two_device_numbers_may_be_two_disks() -> None:
    """Labels such as USER01 are on many systems."""
    mine = [volume(n, pend=4.2 if n < 4 else 0.2, platform="z/VM", device="02B00") for n in range(12)]
    rest = [volume(n, f"VOL{m}", platform="z/VM", device=f"02C0{m}") for n in range(12) for m in range(5)]
    other = [
        volume(n, system="SYSB", platform="z/VM", device="07D00", rate=400.0 if n < 4 else 20.0) for n in range(12)
    ]
    (finding,) = found(mine + rest + other)
    assert finding.confidence == "low" and finding.severity == "watch"
    assert finding.advice.startswith("First see whether it is one disk, 2B00 of SYSA and 7D00 of SYSB")
    (same,) = found(mine + rest + [r | {"device": "02B00"} for r in other])
    assert same.confidence == "medium" and same.advice.startswith("Move the work of SYSB")


@pytest.mark.parametrize(
    ("own", "rate", "when", "severity"),
    [(0.4, 30.0, range(12), "note"), (0.4, 300.0, range(12), "watch"), (0.05, 30.0, range(12), "act"),
     (0.4, 30.0, range(4), "act")],
)  # fmt: skip
def test_systems_that_always_reserve_in_turn_are_left_alone(
    own: float, rate: float, when: range, severity: str
) -> None:
    """As with a JES2 checkpoint; one that waits only at some hours, or reserves nothing itself, waits for others."""
    mine = [volume(n, rate=rate, device_busy_ms=2.0 * (n in when), pend=2.2, reserved_ratio=own) for n in range(12)]
    (finding,) = found(mine)
    assert finding.severity == severity
