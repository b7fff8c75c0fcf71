"""Situations of z/VM, each as a system programmer of CP would see it in the listings of Performance Toolkit."""

from collections.abc import Callable
from dataclasses import replace

from tests.situations_independent.cp import Area, Device, Listing
from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.monitor import Base, Free, Monitor
from tests.situations_independent.phases import Together, Written

# never right for a z/VM system: words of z/OS, and records that CP does not write
FOREIGN = (
    Say("CP has no IOSQ", ".", ("(?-i:IOSQ)",)),
    Say("CP writes no SMF", ".", (r"type 7[0-9]|\b74\.[0-9]|78\.3|42\.6",)),
)
QUIET = [Device(f"A20{n}", f"USR00{n}", 25.0 + n) for n in range(4)]


def made(name: str, story: str | None, shop: Written, *must: Say, never: tuple[Say, ...] = ()) -> Situation:
    """A situation of z/VM."""
    return Situation(name, story or "", shop, must=must, must_not=(*FOREIGN, *never))


@situation
def cp_emulated_disk() -> Situation:
    """A 9336 on FCP with three I/Os queued all the morning; 28 ms service each."""
    edev = Device("0A10", "EDEV01", 70.0, None, 3.0, "9336", service=28.0)
    return made(
        "cp_emulated_disk", cp_emulated_disk.__doc__, Listing(lambda _: [edev, *QUIET]),
        Say("the queue is on an emulated device, behind FCP", "EDEV01", ("emulated", "FCP", "queue"), severity="act"),
        never=(Say("an EDEV takes no alias", "EDEV01", more_aliases=True),),
    )  # fmt: skip


def _longer(*devices: Device) -> Callable[[int], list[Device]]:
    """Disconnect of these is 8 ms in five intervals, next to quiet volumes."""
    return lambda n: [*(replace(d, parts=(0.1, 8.0 if 4 <= n < 9 else 0.5, 0.3)) for d in devices), *QUIET]


@situation
def cp_emulated_disks_disconnect() -> Situation:
    """Two EDEVs disconnect for 8 ms in place of 0.5: CP has no cache records of SCSI LUNs."""
    edevs = [Device(f"0A1{n}", f"EDEV0{n}", 70.0, type="9336") for n in range(2)]
    return made(
        "cp_emulated_disks_disconnect", cp_emulated_disks_disconnect.__doc__, Listing(_longer(*edevs), intervals=18),
        Say("look behind FCP", "EDEV0[01]", ("disconnect", "SCSI LUNs", "FCP paths")),
        never=(Say("there is none", "EDEV0[01]", ("FCX111|D6R4",)),),
    )  # fmt: skip


@situation
def cp_spool_volume_disconnects() -> Situation:
    """A volume that FCX109 has as spool space disconnects for 8 ms in place of 0.5."""
    spool = Area("A100", "SPL001", 40, 30.0, 0.0, 8, "SPOOL")
    return made(
        "cp_spool_volume_disconnects", cp_spool_volume_disconnects.__doc__,
        Listing(_longer(Device("A100", "SPL001", 70.0)), lambda _: [spool], intervals=18),
        Say("what it is for", "SPL001", ("disconnect", "CP spools to SPL001")),
        never=(Say("it is not for paging", "SPL001", ("CP pages to",)),),
    )  # fmt: skip


@situation
def cp_throttled_volume() -> Situation:
    """SET THROTTLE holds a volume at 20 I/Os a second: fourteen a second are delayed and 2.5 wait. Service is 1 ms."""
    held = Device("A100", "THR001", 20.0, (0.1, 0.2, 0.7), 2.5, throttle=(20.0, 14.0))
    return made(
        "cp_throttled_volume", cp_throttled_volume.__doc__, Listing(lambda _: [held, *QUIET]),
        Say("the wait is what SET THROTTLE makes", "THR001", ("SET THROTTLE",), severity="act"),
        never=(Say("an alias changes no throttle", "THR001", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_throttle_lifted() -> Situation:
    """A throttle holds a volume for 40 minutes, 8 I/Os wait; then it is lifted, and 1.2 of three times as many wait."""

    def devices(at: int) -> list[Device]:
        held = Device("A100", "THR002", 100.0, (0.1, 2.0, 0.5), 8.0, throttle=(100.0, 40.0))
        return [held if at < 4 else Device("A100", "THR002", 300.0, (0.1, 2.0, 0.5), 1.2 if at < 9 else 0.0), *QUIET]

    return made(
        "cp_throttle_lifted", cp_throttle_lifted.__doc__, Listing(devices),
        Say("the queue since then is for exposures", "THR002", ("09:40-10:30", "4.0 ms"), more_aliases=True),
        never=(Say("a throttled hour is no peak", "THR002", ("80.0 ms queued",), more_aliases=True),),
    )  # fmt: skip


@situation
def cp_minidisk_cache_works() -> Situation:
    """CMS disks: 180 of 200 requests a second come from minidisk cache, what is left are writes of 10 ms."""
    cms = Device("A100", "CMS001", 20.0, (0.2, 8.0, 2.0), reads=15, avoided=180.0)
    return made(
        "cp_minidisk_cache_works", cp_minidisk_cache_works.__doc__, Listing(lambda _: [cms, *QUIET]),
        Say("minidisk cache saves nine of ten requests", "CMS001", ("minidisk cache", "180", "90 %")),
        never=(
            Say("nothing queues", "CMS001", more_aliases=True),
            Say("MDC is on", "CMS001", ("minidisk cache.*(off|enable|turn on)",)),
        ),
    )  # fmt: skip


@situation
def cp_minidisk_cache_off() -> Situation:
    """Source disks, 95 % reads, 80 a second at 6 ms: nothing is avoided, so minidisk cache is off for them."""
    source = Device("A100", "SRC001", 80.0, (0.2, 4.8, 1.0), reads=95)
    return made(
        "cp_minidisk_cache_off", cp_minidisk_cache_off.__doc__, Listing(lambda _: [source, *QUIET]),
        Say("minidisk cache would serve reads", "SRC001", ("minidisk cache", "SET MDCACHE|MDC")),
    )  # fmt: skip


@situation
def cp_paging_volumes_full() -> Situation:
    """Four paging volumes 88 % full: CP finds blocks of 2 pages, writes page by page, six I/Os queue on each."""
    names = [(f"A10{n}", f"VMPG0{n}") for n in range(4)]
    slow = [Device(addr, label, 120.0, (0.2, 1.0, 6.0), 6.0, reads=45) for addr, label in names]
    areas = [Area(addr, label, 88, 600.0, 6.0, 2) for addr, label in names]
    return made(
        "cp_paging_volumes_full", cp_paging_volumes_full.__doc__, Listing(lambda _: [*slow, *QUIET], lambda _: areas),
        Say("it is one matter: paging space", "VMPG00", ("paging", "88 %", "block", "space"), severity="act"),
        never=(
            Say("a fuller paging volume needs space, not an alias", "^VMPG0", more_aliases=True),
            Say("one finding, not four", "^VMPG0. on", ("wait",)),
        ),
    )  # fmt: skip


@situation
def cp_paging_volumes_busy() -> Situation:
    """The same queue, but the volumes are 20 % full and blocks are large: more volumes, or aliases from z/VM 6.4 on."""
    names = [(f"A10{n}", f"VMPG0{n}") for n in range(4)]
    slow = [Device(addr, label, 120.0, (0.2, 1.0, 6.0), 6.0, reads=45) for addr, label in names]
    areas = [Area(addr, label, 20, 600.0, 6.0, 20) for addr, label in names]
    return made(
        "cp_paging_volumes_busy", cp_paging_volumes_busy.__doc__, Listing(lambda _: [*slow, *QUIET], lambda _: areas),
        Say("aliases for paging volumes came with 6.4", "VMPG00", ("paging", "6.4", "alias")),
        never=(Say("one finding, not four", "^VMPG0. on", ("wait",)),),
    )  # fmt: skip


@situation
def cp_reserved_all_day() -> Situation:
    """A guest cluster holds a volume all day: pend is 40 of 41 ms in every interval, the other volumes have 0.1."""
    held = Device("A100", "SHR001", 20.0, (40.0, 0.1, 0.9), 0.7)
    return made(
        "cp_reserved_all_day", cp_reserved_all_day.__doc__, Listing(lambda _: [held, *QUIET]),
        Say("pend is nearly all of the service: a reserve", "SHR001", ("reserve", "pend"), severity="act"),
        never=(Say("an alias waits for the same reserve", "SHR001", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_errors_recovered() -> Situation:
    """From ten on CP recovers 18 I/Os to a volume from errors each interval: pend goes from 0.2 to 2.4 ms."""

    def devices(at: int) -> list[Device]:
        parts, count = ((2.4, 0.1, 1.8), 18) if at >= 6 else ((0.2, 0.1, 0.3), 0)
        return [Device("A100", "ERR001", 60.0, parts, recovered=count), *QUIET]

    return made(
        "cp_errors_recovered", cp_errors_recovered.__doc__, Listing(devices),
        Say("it has errors", "ERR001", ("recovery from errors", "108", "EREP"), lacking="reserve|Recov SSCH"),
        never=(Say("an alias has the same errors", "ERR001", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_base_queues() -> Situation:
    """One Linux volume without alias: a dozen guests' threads, 110 I/Os a second of 8 ms; four are queued in CP."""
    base = Device("A100", "LNX001", 110.0, (0.2, 2.8, 5.0), 4.0, reads=45)
    return made(
        "cp_base_queues", cp_base_queues.__doc__, Listing(lambda _: [base, *QUIET]),
        Say("I/Os are queued in CP for one exposure", "LNX001", ("queued in CP|CP queue",)),
        never=(Say("it queues", "LNX001", verdict="enough"),),
    )  # fmt: skip


@situation
def cp_quiet_morning() -> Situation:
    """Four volumes of half a millisecond, nothing queues."""
    return made(
        "cp_quiet_morning", cp_quiet_morning.__doc__, Listing(lambda _: QUIET),
        never=(
            Say("there is nothing to act on", ".", severity="act"),
            Say("there is nothing to look at", ".", severity="watch"),
        ),
    )  # fmt: skip


@situation
def cp_slow_disconnect() -> Situation:
    """A volume of reads whose I/Os disconnect for 15 of 17 ms after ten, 2 before; nothing queues, no cache page."""

    def devices(at: int) -> list[Device]:
        disc = 15.0 if at >= 6 else 1.0
        return [Device("A100", "DB0001", 40.0, (0.2, disc, 1.8), 0.1 if at >= 6 else 0.0, reads=80), *QUIET]

    return made(
        "cp_slow_disconnect", cp_slow_disconnect.__doc__, Listing(devices),
        Say("disconnect time is the part that grew", "DB0001", ("disc",)),
        never=(Say("no alias shortens disconnect", "DB0001", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_lost_paths() -> Situation:
    """From ten on four of twelve volumes have 1 path of 4: pend goes from 0.2 to 9 ms at once, and I/Os queue by it."""

    def devices(at: int) -> list[Device]:
        cut = at >= 6
        parts = (9.0 if cut else 0.2, 0.2, 0.6)
        lost = [Device(f"A10{n}", f"LNX10{n}", 104.0 + n, parts, 1.0 * cut, paths=1 if cut else 4) for n in range(4)]
        return [*lost, *(Device(f"A30{n}", f"QTA30{n}", 25.0 + n) for n in range(8))]

    cause = Say("paths were lost", "LNX10[0-3]", ("path", "4", "10:00"), lacking="reserve", severity="act")
    return Situation(
        "cp_lost_paths", cp_lost_paths.__doc__ or "", Listing(devices), (cause,),
        (
            *FOREIGN, Say("a path is gone, no system holds them", "LNX10", ("reserves",)),
            Say("no alias is lacking", "LNX10", more_aliases=True),
        ),
        once=(Say("one cause, one finding", "LNX10"),),
    )  # fmt: skip


@situation
def cp_emulated_disks_lose_a_path() -> Situation:
    """From ten on four EDEVs have one path of two: an I/O takes 9 ms in place of 1.6 at the same rate."""

    def devices(at: int) -> list[Device]:
        conn, queued, paths = (9.0, 0.9, 1) if at >= 6 else (1.6, 0.0, 2)
        edev = Device("E100", "SCS000", 90.0, (0.0, 0.0, conn), queued, "9336", paths=paths)
        return [*(replace(edev, addr=f"E10{n}", label=f"SCS00{n}", rate=90.0 + n) for n in range(4)), *QUIET]

    return made(
        "cp_emulated_disks_lose_a_path", cp_emulated_disks_lose_a_path.__doc__, Listing(devices),
        Say("a path is gone", "SCS00[0-3]", ("lost paths", "1 then, 2 at", "10:00"), lacking="larger blocks",
            severity="act"),
        never=(
            Say("an EDEV takes no alias", "SCS00", more_aliases=True),
            Say("nor do all volumes together gain", ".", ("aliases (can|may)",)),
        ),
    )  # fmt: skip


@situation
def cp_repaired_at_ten() -> Situation:
    """Three volumes pend for 8 ms from the first interval on; since ten for 0.2, at the same rate: it was repaired."""

    def devices(at: int) -> list[Device]:
        parts = (8.0 if at < 6 else 0.2, 0.2, 0.6)
        bad = [Device(f"A10{n}", f"REP00{n}", 100.0 + n, parts, 0.6 * (at < 6)) for n in range(3)]
        return [*bad, *(Device(f"A30{n}", f"QTA30{n}", 25.0 + n) for n in range(6))]

    return Situation(
        "cp_repaired_at_ten", cp_repaired_at_ten.__doc__ or "", Listing(devices),
        (Say("it ended at ten", "REP00[0-2]", ("pend", "ended at 10:00"), severity="watch"),),
        (*FOREIGN, Say("it is over", "REP", severity="act"), Say("no alias is lacking", "REP", more_aliases=True)),
        once=(Say("one cause, one finding", "REP00"),),
    )  # fmt: skip


@situation
def cp_moved_to_another_device() -> Situation:
    """LNX005 is A105 and disconnects for 6 ms until ten, then it is B205 and quick, at the same rate."""

    def devices(at: int) -> list[Device]:
        old = at < 6
        parts, queued = ((0.1, 6.0, 0.9), 1.5) if old else ((0.1, 0.2, 0.4), 0.0)
        return [Device("A105" if old else "B205", "LNX005", 120.0 - at % 3, parts, queued), *QUIET]

    return Situation(
        "cp_moved_to_another_device", cp_moved_to_another_device.__doc__ or "", Listing(devices),
        (
            Say("it moved at ten", "LNX005", ("moved", "A105", "B205", "10:00"), severity="note"),
            Say("the move ended it", "VMTEST1|LNX005", ("disconnect", "B205 at 10:00", "since then"), severity="note"),
        ),
        (*FOREIGN, Say("it is over", "LNX005|VMTEST1", severity="act"), Say("disconnect fell", ".", ("rose",))),
    )  # fmt: skip


@situation
def cp_queue_in_all_intervals() -> Situation:
    """A volume 90 % busy at 820 I/Os a second, four queued all two hours; the listing does not show its aliases."""

    def devices(at: int) -> list[Device]:
        rate = 820 * (0.95, 1.0, 1.05, 0.98, 1.02)[at % 5]
        return [Device("A100", "LNX001", rate, (0.1, 0.1, 0.9), 0.0049 * rate), *QUIET]

    return made(
        "cp_queue_in_all_intervals", cp_queue_in_all_intervals.__doc__, Listing(devices),
        Say("it waits all the time, and an alias takes I/Os", "LNX001", ("No record shows how many it has",),
            more_aliases=True, severity="act", figure=(r"bad intervals: (\d+)", 12, 12)),
        never=(Say("all of an unknown number are busy", "LNX001", ("closed workload queues",)),),
    )  # fmt: skip


@situation
def cp_back_end_gets_slow() -> Situation:
    """Six volumes at a constant 180 I/Os a second: disconnect goes from 1.2 to 4.8 ms, and so their queues grow."""

    def devices(at: int) -> list[Device]:
        disc = (1.2, 1.2, 1.8, 2.4, 3.0, 3.6, 4.2)[at] if at < 7 else 4.8
        queued = (0.0, 0.0, 0.2, 0.4, 1.0, 2.0, 3.0)[at] if at < 7 else 5.0
        return [*(Device(f"A10{n}", f"SAT00{n}", 180.0, (0.3, disc, 0.2), queued) for n in range(6)), *QUIET]

    return made(
        "cp_back_end_gets_slow", cp_back_end_gets_slow.__doc__, Listing(devices),
        Say("the back end is the cause", "SAT00|TSTVM|VM", ("disconnect", "That is why SAT000"), severity="act"),
        never=(
            Say("the rate is as before", "SAT", more_aliases=True),
            Say("no other cause", "SAT", ("closed workload",)),
        ),
    )  # fmt: skip


@situation
def cp_alias_lost_at_ten() -> Situation:
    """A volume has an alias until 10:00, and half a tenth of an I/O waits; then none at the same rate, and 2.4 wait."""
    parts = (0.2, 0.8, 2.4)

    def devices(at: int) -> list[Device]:
        if at >= 6:
            return [Device("A100", "LST001", 250.0 + at, parts, 2.4), *QUIET]
        alias = Device("A180", "LST001", 112.0 + at, parts, type="->A100")
        return [Device("A100", "LST001", 140.0, parts, 0.1), alias, *QUIET]

    return made(
        "cp_alias_lost_at_ten", cp_alias_lost_at_ten.__doc__, Listing(devices),
        Say("give back the one that is gone", "LST001", ("give it 1 alias", "it had 1 until 10:00"), severity="act"),
    )  # fmt: skip


@situation
def cp_control_unit_of_a_few() -> Situation:
    """From 10:00 on I/Os to four of eleven volumes queue 3.6 ms in their control unit; the others are quick."""

    def devices(at: int) -> list[Device]:
        slow, cu_wait = ((3.9, 0.3, 0.6), 3.6) if at >= 6 else ((0.2, 0.3, 0.6), 0.0)
        few = [Device(f"A10{n}", f"CUA00{n}", 70.0 + n, slow, cu_wait=cu_wait) for n in range(4)]
        return [*few, *(Device(f"A30{n}", f"CUB00{n}", 60.0 + n) for n in range(3)), *QUIET]

    return made(
        "cp_control_unit_of_a_few", cp_control_unit_of_a_few.__doc__, Listing(devices),
        Say("they queue in the control unit", "CUA00|VMTEST1", ("control unit", "3.60? ms"), severity="act"),
        never=(Say("no system holds them", "CUA00", ("reserve",)), Say("no alias helps", "CUA00", more_aliases=True)),
    )  # fmt: skip


@situation
def cp_paging_volumes_added() -> Situation:
    """One paging volume queues from 09:00 to 09:30; two are added then, and the same pages make no queue since."""

    def volumes(at: int) -> list[tuple[str, float, float]]:
        return [("0", 200.0, 2.5), ("1", 40.0, 0.0)] if at < 3 else [(str(n), 60.0 + n, 0.0) for n in range(4)]

    def devices(at: int) -> list[Device]:
        return [*(Device(f"A70{n}", f"PAGE0{n}", rate, (0.2, 1.0, 2.8), q) for n, rate, q in volumes(at)), *QUIET]

    def areas(at: int) -> list[Area]:
        return [Area(f"A70{n}", f"PAGE0{n}", 80, rate, q, 8) for n, rate, q in volumes(at)]

    return made(
        "cp_paging_volumes_added", cp_paging_volumes_added.__doc__, Listing(devices, areas),
        Say("it is over since two were added", "PAGE00", ("4 paging volumes", "2 did then")),
        never=(Say("nothing is urgent", "PAGE0", severity="act"),),
    )  # fmt: skip


@situation
def cp_path_lost_unnoticed() -> Situation:
    """From ten on four volumes have three paths of four, and are as quick as before."""

    def devices(at: int) -> list[Device]:
        return [*(Device(f"A10{n}", f"LNX10{n}", 150.0 + n, paths=3 if at >= 6 else 4) for n in range(4)), *QUIET]

    return made(
        "cp_path_lost_unnoticed", cp_path_lost_unnoticed.__doc__, Listing(devices),
        Say("a path of four is gone", "LNX10[0-3]", ("3 of 4 left", "10:00", "A100"), severity="watch"),
        never=(Say("nothing is slow", ".", (), severity="act"), Say("they kept theirs", "USR00", ("paths",))),
    )  # fmt: skip


@situation
def cp_monitor_sees_a_path_less() -> Situation:
    """From ten on a path to LSS 2105 is gone, its volumes pend for 1.4 ms in place of 0.15; others are quick."""

    def devices(at: int) -> list[Base]:
        pend, paths = (1.4, 3) if at >= 12 else (0.15, 4)
        bad = [Base(f"2B0{n}", f"HPV00{n}", 250.0 + n, (pend, 0.3, 0.4), 0.0, 2, 0.5, paths=paths) for n in range(5)]
        return [*bad, *(Base(f"2C0{n}", f"QUI00{n}", 30.0 + n, (0.15, 0.3, 0.5)) for n in range(4))]

    return made(
        "cp_monitor_sees_a_path_less", cp_monitor_sees_a_path_less.__doc__,
        Monitor(devices, lambda _: [Free(2, "2105", 5, 4, 500.0, 0.0, 3)]),
        Say("which control unit lost it", "HPV00[0-4]", ("lost channel paths", "2105", "3 then, 4 at"), severity="act"),
        never=(Say("no alias is lacking", "HPV00|2105", more_aliases=True), Say("they are well", "QUI00", ("path",))),
    )  # fmt: skip


@situation
def cp_other_system_fills_the_control_unit() -> Situation:
    """VMTEST9 does 45 times its I/Os on LSS 2105 from 09:40 to 10:20; VMTEST2 waits for the same LSS, 1.4 of 2.6 ms."""

    def waiting(at: int) -> list[Base]:
        parts = (1.4, 1.3, 0.5) if 8 <= at < 16 else (0.15, 0.3, 0.4)
        slow = [Base(f"2B0{n}", f"HPV00{n}", 150.0 + n, parts, 0.0, 2, 0.5) for n in range(5)]
        return [*slow, *(Base(f"2C0{n}", f"QUI00{n}", 30.0 + n, (0.15, 0.3, 0.5)) for n in range(4))]

    def filling(at: int) -> list[Base]:
        rate = 900.0 if 8 <= at < 16 else 20.0
        return [Base(f"2B1{n}", f"OTH00{n}", rate + n, (0.3, 0.3, 0.5), 0.0, 3, 0.5) for n in range(5)]

    systems = Together((
        Monitor(waiting, lambda _: [Free(2, "2105", 5, 8, 100.0, 0.0, 3)]),
        Monitor(filling, lambda _: [Free(3, "2105", 5, 8, 100.0, 0.0, 3)], system="VMTEST9"),
    ))  # fmt: skip
    return made(
        "cp_other_system_fills_the_control_unit", cp_other_system_fills_the_control_unit.__doc__, systems,
        Say("VMTEST9 is who", "2105", ("VMTEST9, which shares the control unit", "4,510 I/Os per s", "2105")),
        never=(Say("no alias is lacking", ".", more_aliases=True), Say("they are well", "QUI00", severity="act")),
    )  # fmt: skip
