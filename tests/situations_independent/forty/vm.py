"""z/VM: pages of Performance Toolkit, and monitor files."""

from tests.situations_independent.cp import Area, Device, Listing
from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import no_act, no_aliases
from tests.situations_independent.monitor import Base, Free, Monitor

DISC = r"(?i)disconnect|disc\b|service time|back.?end|disks?\b"


def _quiet(first: int = 0x2A00, count: int = 4, label: str = "QUI") -> list[Device]:
    return [Device(f"{first + n:04X}", f"{label}{n:03d}", 40 + 9 * n, (0.1, 0.2, 0.3)) for n in range(count)]


@situation
def vm_array_slow_and_queue() -> Situation:
    """From 10:00 the disks of VMU000-VMU003 are slow: disconnect 0.3 to 9 ms at the same rate; I/Os queue by that.

    Busy: 90/s of 9.5 ms, 85 %; before 4 %.
    """

    def devices(at: int) -> list[Device]:
        slow = at >= 6
        parts, queued = ((0.1, 9.0, 0.4), 1.6) if slow else ((0.1, 0.3, 0.4), 0.0)
        return [Device(f"1A{n:02X}", f"VMU{n:03d}", 90.0 - n, parts, queued) for n in range(4)] + _quiet()

    cause = Say("the disks became slow", r"VMU00[0-3]|1A0[0-3]", (DISC,))
    return Situation(
        "vm_array_slow_and_queue",
        "Four volumes' disks become slow at 10:00 and queues form at an unchanged rate",
        Listing(devices),
        (cause,),
        (no_aliases(r"VMU0|1A0", "the queue comes of the slow disks"), no_act("QUI0", "they are well")),
    )


@situation
def vm_page_space_full_and_slow_volume() -> Situation:
    """Two causes: page space is 93 % full, so that CP finds blocks of 1 page; user volume VMU001 disconnects 8 ms."""

    def devices(_: int) -> list[Device]:
        pages = [Device(f"3A0{n}", f"PAGE0{n}", 70.0, (0.1, 0.4, 0.6), 0.3) for n in range(3)]
        return [Device("1A01", "VMU001", 55.0, (0.1, 8.0, 0.5)), *pages, *_quiet()]

    def areas(_: int) -> list[Area]:
        return [Area(f"3A0{n}", f"PAGE0{n}", 93, 210.0, 0.3, 1) for n in range(3)]

    return Situation(
        "vm_page_space_full_and_slow_volume",
        "Page space is nearly full, and a user volume has slow disks",
        Listing(devices, areas),
        (
            Say("page space is nearly full", "", (r"(?i)pag(e|ing)", r"9[23]")),
            Say("VMU001 disconnects 8 ms", "VMU001|1A01", (r"(?i)disc",), figure=(r"(\d+\.?\d*) ms", 7.5, 8.5)),
        ),
        (no_aliases("VMU001|1A01"),),
    )


@situation
def vm_minidisk_cache_switched_off() -> Situation:
    """Minidisk cache saves VMU001 180 of 240 I/Os a second until 10:00; then it is set off, and all go to the disk."""

    def devices(at: int) -> list[Device]:
        on = at < 6
        rate, avoided, queued = (60.0, 180.0, 0.0) if on else (240.0, 0.0, 0.7)
        return [Device("1A01", "VMU001", rate, (0.1, 1.8, 0.6), queued, reads=92, avoided=avoided), *_quiet()]

    return Situation(
        "vm_minidisk_cache_switched_off",
        "The minidisk cache no longer saves I/Os of a volume from 10:00 on",
        Listing(devices),
        (Say("minidisk cache stopped", r"VMU001|1A01", (r"(?i)minidisk cache|MDC",)),),
        (Say("no aliases before the cache is on again", "VMU001|1A01", more_aliases=True, severity="act"),),
    )


@situation
def vm_one_hot_volume() -> Situation:
    """VMU002 does 620 I/Os a second of 1.5 ms, 93 % busy on its one address, and 3.5 wait; disks answer in 0.3 ms."""

    def devices(_: int) -> list[Device]:
        return [Device("1A02", "VMU002", 620.0, (0.1, 0.3, 1.1), 3.5), *_quiet()]

    return Situation(
        "vm_one_hot_volume",
        "One volume is busy 93 % of the time, and I/Os queue for its address",
        Listing(devices),
        (
            Say("it queues", "VMU002|1A02", (r"(?i)queue|wait", r"(?i)alias|PAV|spread")),
            Say("3.5 I/Os, or 5.6 ms", "VMU002|1A02", (), figure=(r"(\d+\.\d+) (?:ms|I/Os)", 3.3, 6.0)),
        ),
        (no_act("QUI0", "they are well"),),
    )


@situation
def vm_throttled_and_reserved() -> Situation:
    """Two causes: SET THROTTLE delays 35 I/Os a second of VMU003; VMU004 pends 7 ms, held by a system elsewhere."""

    def devices(_: int) -> list[Device]:
        slow = Device("1A04", "VMU004", 45.0, (7.0, 0.2, 0.4))
        return [Device("1A03", "VMU003", 80.0, (0.1, 0.3, 0.4), 1.2, throttle=(80.0, 35.0)), slow, *_quiet()]

    return Situation(
        "vm_throttled_and_reserved",
        "A throttle holds one volume back, pending time another",
        Listing(devices),
        (
            Say("it is throttled", "VMU003|1A03", (r"(?i)throttl",)),
            Say("it pends", "VMU004|1A04", (r"(?i)pend",), figure=(r"(\d+\.?\d*) ms", 6.5, 7.5)),
        ),
        (no_aliases("VMU00[34]|1A0[34]", "neither lacks an address"),),
    )


@situation
def vm_one_bad_interval() -> Situation:
    """One of 36 intervals, a flash copy of a whole volume, has a queue of 5 I/Os; all others none.

    Mended after the first run: aliases "if it comes back" are no act.
    """

    def devices(at: int) -> list[Device]:
        return [Device("1A02", "VMU002", 150.0, (0.1, 0.3, 0.5), 5.0 if at == 20 else 0.0), *_quiet()]

    return Situation(
        "vm_one_bad_interval",
        "One interval of six hours has a queue",
        Listing(devices, intervals=36),
        (),
        (Say("one interval is never an act", "", severity="act"),),
    )


@situation
def vm_pool_dry_after_move() -> Situation:
    """Monitor file. From 10:00 on a guest doubles its work: pool 2 (SSID 2105) of 4 aliases fails 30 % of searches.

    Pool 3 of the same size has no failure and little work. Mended: the share of failed searches is a number of the
    finding, no longer in its headline.
    """

    def devices(at: int) -> list[Base]:
        rate, queued, aliased = (500.0, 1.5, 0.35) if at >= 12 else (240.0, 0.0, 0.15)
        busy = [Base(f"2B0{n}", f"HPV00{n}", rate, (0.15, 0.4, 1.8), queued, 2, aliased) for n in range(4)]
        return busy + [Base(f"2C0{n}", f"EAS00{n}", 30.0, (0.15, 0.3, 0.5), 0.0, 3) for n in range(3)]

    def pools(at: int) -> list[Free]:
        late = at >= 12
        short = Free(2, "2105", 4, 4, 900.0 if late else 200.0, 0.3 if late else 0.0, 0 if late else 1)
        return [short, Free(3, "2106", 3, 4, 4.0, 0.0, 4)]

    return Situation(
        "vm_pool_dry_after_move",
        "A pool of HyperPAV aliases of z/VM runs dry from 10:00 on",
        Monitor(devices, pools),
        (
            Say("the pool has no free alias", r"2105|HPV0|pool 2", (r"(?i)alias",)),
            Say(
                "30 % of the searches fail",
                r"2105|HPV0|pool 2",
                (),
                figure=(r"worst interval[^:;]*: (0\.\d+)", 0.27, 0.33),
            ),
        ),
        (no_aliases(r"2106|EAS0|pool 3", "that pool has aliases free"),),
    )


@situation
def vm_group_slow_in_monitor() -> Situation:
    """Monitor file. HPV000 and HPV001 disconnect 7 ms in each interval, their six neighbours 0.3 ms; no cache data.

    With no records of the cache nothing explains it, and it is not the rate: all do 60 I/Os a second.
    """

    def devices(_: int) -> list[Base]:
        return [Base(f"2B0{n}", f"HPV00{n}", 60.0 + n, (0.15, 7.0 if n < 2 else 0.3, 0.5), 0.0, 2) for n in range(8)]

    return Situation(
        "vm_group_slow_in_monitor",
        "Two volumes disconnect for 7 ms all the time, their neighbours do not",
        Monitor(devices),
        (
            Say("they disconnect", "HPV00[01]|2B0[01]", (r"(?i)disc",)),
            Say("7 ms", "HPV00[01]|2B0[01]", (r"(?i)disc",), figure=(r"(\d+\.?\d*) ms", 6.7, 7.3)),
        ),
        (no_aliases("HPV0|2B0"), no_act("HPV00[2-7] ?$", "they are well")),
    )
