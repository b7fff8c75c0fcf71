"""Tape drives that are all allocated, and whether mounts hold them."""

from advise_rows import Row, at, database

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding


def drive(interval: int, device: str, allocated: float, pending: float, mounts: int = 0) -> Row:
    return {
        "platform": "z/OS", "system": "SYSA", "interval_start": at(interval), "interval_s": 900.0, "utc_offset_s": 3600,
        "device": device, "device_class": "tape", "device_type": "3590", "online": True, "allocated_ratio": allocated,
        "mount_pending_ratio": pending, "mount_count": mounts,
    }  # fmt: skip


def found(*shares: tuple[float, float], drives: int = 4, system: str = "SYSA") -> list[Finding]:
    """For drives that are each allocated, and have a mount pending, for such shares of the intervals."""
    rows = [
        drive(n, f"0{0x500 + d:X}", allocated, pending, 3)
        for n, (allocated, pending) in enumerate(shares)
        for d in range(drives)
    ]
    return [f for f in run(database(device_interval=[{**r, "system": system} for r in rows])) if "tape" in f.code]


def test_mounts_that_hold_the_drives_are_the_cause() -> None:
    (finding,) = found(*[(1.0, 0.75)] * 4, (0.25, 0.0))
    assert finding.whole_text == (
        "All 4 tape drives (type 3590) of SYSA were allocated (09:00-10:00 on 2026-03-02). "
        "3.0 of them waited for a mount at any moment"
    )
    assert finding.advice.startswith("Look why mounts take so long: operators, robots,")
    assert finding.advice.endswith("Some were free at other hours: move jobs there first")
    numbers = {n.name: n.value for n in finding.numbers}
    # Little's law: three drives for 3,600 s are 10,800 s of pending mounts, 48 of them
    assert (numbers["mounts then"], numbers["a mount took"]) == (48, 225)
    assert numbers["drives free in the quietest interval"] == 3


def test_drives_that_jobs_hold_are_too_few() -> None:
    (finding,) = found(*[(1.0, 0.1)] * 4)
    assert "then add drives" in finding.advice and "at other hours" not in finding.advice


def test_a_free_drive_or_a_moment_is_no_shortage() -> None:
    assert found(*[(0.9, 0.5)] * 8) == []
    assert found(*[(1.0, 0.5)] * 3, (0.2, 0.0), (0.2, 0.0), (1.0, 0.5)) == []


def test_a_single_drive_in_use_is_no_shortage() -> None:
    assert found(*[(1.0, 0.0)] * 8, drives=1) == []
    assert [f.text.split(" (")[0] for f in found(*[(1.0, 0.0)] * 8, drives=2)] == ["All 2 tape drives"]


def slow_mounts(pending: float, *, drives: int = 8, mounts: int = 3, usual: float = 0.01) -> list[Finding]:
    """Five hours in the midst of as long without such waits; of each drive, allocated for half of the time."""
    shares = [(0.5, pending if 4 <= n < 24 else usual) for n in range(40)]
    rows = [
        drive(n, f"0{0x500 + d:X}", allocated, share, mounts)
        for n, (allocated, share) in enumerate(shares)
        for d in range(drives)
    ]
    return [f for f in run(database(device_interval=rows)) if "tape" in f.code]


def test_mounts_that_take_longer_than_usual_are_found_though_drives_are_free() -> None:
    (finding,) = slow_mounts(0.25)
    assert finding.text == "Tape mounts of SYSA take long on drives of type 3590 (10:00-15:00 on 2026-03-02)"
    # two drives for 900 s are 1,800 s of pending mounts, 24 of them
    assert "2.0 drives wait for a mount (of 8)" in finding.details and "A mount takes 75 s" in finding.details
    assert finding.severity == "watch" and "4 drives are free then" in finding.advice


def test_mounts_that_always_take_as_long_or_are_many_or_short_are_left_alone() -> None:
    assert slow_mounts(0.25, usual=0.1) == slow_mounts(0.1) == slow_mounts(0.25, mounts=8) == []


def test_drives_that_are_gone_and_a_slow_library_are_why() -> None:
    """Two drives are online before, or come later; the library counts its mounts by the hour."""
    rows = [drive(n, f"0{0x500 + d:X}", 0.5, 0.25 if 4 <= n < 24 else 0.01, 3) for n in range(40) for d in range(8)]
    for there, is_gone in ((range(4), True), (range(24, 40), False)):
        more = [drive(n, f"0{0x508 + d:X}", 0.5, 0.01, 3) for n in there for d in range(2)]
        (f,) = [f for f in run(database(device_interval=rows + more)) if "tape" in f.code]
        assert f.advice.startswith("First bring drives 0508, 0509 online") == is_gone != ("are free" in f.advice)
    for slow, advice in (
        (240.0, "Have library L1121 looked at"),
        (50.0, "Find out what mounts wait for at these hours: an"),
    ):
        hours = [
            {"interval_start": at(4 * n), "interval_s": 3600.0, "utc_offset_s": 3600, "library": "00L1121",
             "mount_count": 9, "mount_s": slow if 1 <= n < 6 else 45.0} for n in range(10)
        ]  # fmt: skip
        (f,) = [f for f in run(database(device_interval=rows, tape_library_interval=hours)) if "tape" in f.code]
        assert f.advice.startswith(advice) and "45 s at other hours" in f.details


def test_full_drives_that_wait_for_mounts_are_one_finding() -> None:
    (finding,) = found(*[(1.0, 0.75)] * 8, *[(0.25, 0.01)] * 8)
    assert finding.code == "tape_mounts_slow" and "Nearly all drives are allocated then" in finding.advice
