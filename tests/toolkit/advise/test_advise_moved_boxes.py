"""Volumes in another box since: response and read hits there against those before, as far as loads are comparable."""

import random

import pytest
from advise_rows import Row, applied, box, cached, database, volume
from test_advise_pend import RULES

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding

BOXES = [box("2010", "00000AB121"), box("3010", "00000CD472")]
RATES = (50.0, 100.0, 400.0)


def rows(after: float, *, rates: tuple[float, ...] = RATES, hits: float = 0.8, extra: int = 0) -> list[Row]:
    """Sixteen intervals in each box; disconnect grows with the rate, and is `after` times that in the second one."""
    return [
        volume(n, f"V{v}", rate=rate, pend=0.0, conn=0.0, disc=rate / 100 * (after if late else 1.0),
               subsystem="3010" if late else "2010", read_ratio=0.5, read_hit_ratio=hits if late else 0.95)
        for n in range(32 + extra) for v in range(3) for late in [n >= 16]
        for rate in [rates[n % len(rates)] if late else RATES[n % len(RATES)]]
    ]  # fmt: skip


def found(given: list[Row]) -> Finding:
    (finding,) = applied(RULES["volumes_moved"], {"volume_interval": given, "cache_subsystem_interval": BOXES})
    return finding


def test_a_slower_box_is_one_to_watch_with_its_numbers() -> None:
    f = found(rows(2.0))
    assert f.severity == "watch" and f.advice.startswith("See what the new box has less of")
    assert "takes 6.12 ms since the move, 3.06 ms before; disc grew most. 80 % of reads hit, 95 % before" in f.details


def test_a_place_that_is_far_from_one_system_and_near_to_another_is_two_findings() -> None:
    """A swap to the other site: their mean would be as before."""
    both = [r | {"system": s} for s, after in (("SYSA", 2.0), ("SYSB", 0.1)) for r in rows(after)]
    tables = {"volume_interval": both, "cache_subsystem_interval": BOXES}
    slower, other = sorted(applied(RULES["volumes_moved"], tables), key=lambda f: f.subject.systems)
    assert (slower.severity, slower.subject.systems) == ("watch", ("SYSA",)) and "6.12 ms since" in slower.details
    assert (other.severity, other.subject.systems) == ("note", ("SYSB",)) and "0.31 ms since" in other.details
    both = [r | {"system": s} for s in ("SYSA", "SYSB") for r in rows(2.0)]
    assert applied(RULES["volumes_moved"], tables | {"volume_interval": both})[0].subject.systems == ("SYSA", "SYSB")


def test_more_work_is_no_slower_box_and_other_work_is_not_compared() -> None:
    busier, other = found(rows(1.0, rates=(400.0,))), found(rows(2.0, rates=(4000.0,)))
    assert busier.severity == "note" and "takes 4.00 ms since the move, 4.00 ms before" in busier.details
    assert other.severity == "note" and other.advice.startswith("Compare the same hours") and not other.details


@pytest.mark.parametrize("is_begun", [True, False])
def test_a_mirror_that_begins_or_ends_has_the_response_before_and_since(is_begun: bool) -> None:
    given = [r | {"subsystem": "2010"} for r in rows(2.0)]
    pairs = [
        cached(r["volume"], interval_start=r["interval_start"], write_rate=9.0, mirrored_track_rate=4.0 * is_on)
        for i, r in enumerate(given) for is_on in [(i >= 48) == is_begun]
    ]  # fmt: skip
    tables = {"volume_interval": given, "cache_subsystem_interval": BOXES, "cache_interval": pairs}
    (f,) = applied(RULES["volumes_moved"], tables)
    assert f.severity == ("note" if is_begun else "act")
    assert "takes 6.12 ms since the change, 3.06 ms before" in f.details
    assert f.advice.startswith("See whether the difference" if is_begun else "Resume the remote copy")


@pytest.mark.parametrize("is_lost", [True, False])
def test_volumes_that_lost_their_pool_are_the_cause_of_their_waits(is_lost: bool) -> None:
    """At the same rates; where they had no pool before either, the waits have another cause."""
    rows = [
        volume(n, f"V{v}", rate=2000.0, conn=0.1, disc=0.0, pend=0.1, wait=0.8 if n >= 16 else 0.0,
               is_hyperpav=is_lost and n < 16, exposures=None if is_lost and n < 16 else 1.0)
        for n in range(32) for v in range(4)
    ]  # fmt: skip
    found = [f for f in run(database(("pav_candidate",), volume_interval=rows)) if f.severity != "note"]
    assert {f.code for f in found} == {"volumes_moved" if is_lost else "pav_add_alias"}
    assert {f.severity for f in found} == {"act"}
    if is_lost:
        assert found[0].advice.startswith("Turn HyperPAV on again: SETIOS HYPERPAV=YES") and found[0].lost_s > 0
        assert "That is why V0, V1, V2 and V3 on SYSA queue in the host" in found[0].details


@pytest.mark.parametrize("seed", range(2))
def test_neither_order_nor_more_of_the_same_changes_the_finding(seed: int) -> None:
    rng = random.Random(seed)
    after, shuffled = rng.uniform(1.6, 9.0), rows(3.0)
    rng.shuffle(shuffled)
    assert found(shuffled) == found(rows(3.0))
    assert [found(rows(after, extra=extra)).severity for extra in (0, 9, 30)] == ["watch"] * 3


def mirrored(given: list[Row], cache: list[Row]) -> list[Finding]:
    return applied(RULES["volumes_moved"], {"volume_interval": given, "cache_interval": cache})


@pytest.mark.parametrize(("since", "says"), [("suspended", True), ("full duplex", False), (None, False)])
def test_volumes_whose_mirror_was_stopped_are_named(since: str | None, says: bool) -> None:
    """A pair in one interval of two comes and goes; no pair at all is none that stopped."""
    given = [volume(n, f"V{v}") for n in range(8) for v in range(3)]
    cache = [
        cached(r["volume"], interval_start=r["interval_start"], write_rate=9.0, mirrored_track_rate=0.0,
               mirror_state="full duplex" if n < 12 or (since is None and n % 2) else since)
        for n, r in enumerate(given)
    ]  # fmt: skip
    found = mirrored(given, cache)
    assert [f.text for f in found] == ["3 volumes lost their mirror at 10:00 on 2026-03-02"] * says


@pytest.mark.parametrize(("times", "severity"), [(1, "watch"), (2, "watch"), (3, "note")])
def test_a_mirror_that_was_suspended_is_watched_unless_it_is_so_again_and_again(times: int, severity: str) -> None:
    given = [volume(n, "V0") for n in range(20)]
    cache = [
        cached("V0", interval_start=r["interval_start"], write_rate=9.0, mirrored_track_rate=0.0,
               mirror_state="suspended" if n % 6 in (3, 4) and n < 6 * times else "full duplex")
        for n, r in enumerate(given)
    ]  # fmt: skip
    found = mirrored(given, cache)
    assert [f.severity for f in found] == [severity] * times
    assert all("mirrored again since" in f.text for f in found)


@pytest.mark.parametrize("lost", [range(0), range(5, 7)])
def test_volumes_that_get_a_mirror_are_one_note(lost: range) -> None:
    """Pending or duplex; one that is suspended and comes back is no new one."""
    given = [volume(n, f"V{v}") for n in range(8) for v in range(3)]
    cache = [
        cached(r["volume"], interval_start=r["interval_start"], write_rate=9.0,
               mirrored_track_rate=4.0 * (n >= 3 and n not in lost),
               mirror_state=None if n < 3 else "suspended" if n in lost else "pending" if n < 4 else "full duplex")
        for r in given for n in [given.index(r) // 3]
    ]  # fmt: skip
    found = mirrored(given, cache)
    assert ("note", "3 volumes got a mirror at 09:45 on 2026-03-02") in [(f.severity, f.text) for f in found]
    assert len(found) == 1 + bool(lost)
