"""Situations of z/OS in printed reports, with no records left."""

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.printed import Cache, Disk, Pool, Printed

QUIET = [Disk(f"0C00{n}", f"QUI00{n}", "0099", 80.0 + 4 * n) for n in range(5)]


@situation
def rmf_disconnect_long_all_day() -> Situation:
    """LCU 0052 disconnects for 12 ms at 120 I/Os a second in all two hours; the other LCUs for 0.1 and 0.4 ms."""
    slow = [Disk(f"0B20{n}", f"MIS00{n}", "0052", 40.0 + n, (0.0, 0.2, 12.0, 0.5)) for n in range(3)]
    fair = [Disk(f"0B10{n}", f"FAI00{n}", "0051", 60.0 + n, (0.0, 0.2, 0.4, 0.5)) for n in range(3)]
    return Situation(
        "rmf_disconnect_long_all_day", rmf_disconnect_long_all_day.__doc__ or "",
        Printed(lambda _: [*slow, *fair, *QUIET]),
        (
            Say("long, not risen", "0052", ("disconnect", "is long"), severity="watch",
                figure=(r"(\d+\.\d+) ms per I/O", 11.9, 12.1)),
        ),
        (Say("no alias shortens it", ".", more_aliases=True), Say("they are well", "0051|0099", ("disconnect",))),
    )  # fmt: skip


@situation
def rmf_fast_write_inhibited() -> Situation:
    """From eleven on subsystem 1800 inhibits DASD fast write: no write is fast, disconnect goes from 0.2 to 5 ms.

    The cache report has no overview of the devices, so no record says which volumes the subsystem has.
    """

    def disks(at: int) -> list[Disk]:
        times = (0.0, 0.2, 5.0 if at >= 4 else 0.2, 0.3)
        return [Disk(f"0B00{n}", f"FWO00{n}", "0042", 100.0 + n, times) for n in range(3)]

    return Situation(
        "rmf_fast_write_inhibited", rmf_fast_write_inhibited.__doc__ or "",
        Printed(disks, caches=lambda at: [Cache("1800", 200, 100, is_fast=at < 4)]),
        (
            Say("fast write is off since eleven", "1800", ("fast write is off", "11:00-12:00"), severity="act"),
            Say("what links the two", "0042", ("disconnect", "cache counts of subsystem 1800", "device overview")),
        ),
        (Say("aliases do not help", ".", more_aliases=True), Say("it does", "0042", ("no cache record covers it",))),
    )  # fmt: skip


@situation
def rmf_misses_of_an_unknown_lcu() -> Situation:
    """From eleven on 70 % of 900 reads a second hit in subsystem 1800, before 96 % of 320; no record has its volumes.

    Disconnect of LCU 0042 goes from 0.25 to 2 ms at that time.
    """

    def disks(at: int) -> list[Disk]:
        times = (0.0, 0.2, 2.0 if at >= 4 else 0.25, 0.3)
        return [Disk(f"0B00{n}", f"SEQ00{n}", "0042", 240.0 + n if at >= 4 else 100.0 + n, times) for n in range(4)]

    return Situation(
        "rmf_misses_of_an_unknown_lcu", rmf_misses_of_an_unknown_lcu.__doc__ or "",
        Printed(disks, caches=lambda at: [Cache("1800", *((900, 80, 0.7) if at >= 4 else (320, 80, 0.96)))]),
        (
            Say("fewer reads hit", "0042", ("disconnect", "subsystem 1800", "70 % of the reads", "96 % at other")),
        ),
        (Say("aliases do not help", ".", more_aliases=True),),
    )  # fmt: skip


@situation
def rmf_waits_with_free_aliases() -> Situation:
    """EXT001 does 700 I/Os a second with 4 ms IOSQ; HPAV WAIT is 0, and 9 aliases are the most in use: an extent."""
    hot = Disk("0B000", "EXT001", "0042", 700.0, (4.0, 0.2, 0.3, 1.5), "3.0H")
    cold = [Disk(f"0B00{n}", f"EXT00{n + 1}", "0042", 60.0) for n in range(1, 4)]
    return Situation(
        "rmf_waits_with_free_aliases", rmf_waits_with_free_aliases.__doc__ or "",
        Printed(lambda _: [hot, *cold], lambda _: [Pool("0042", 880.0, 0.0, 9)]),
        (Say("it waits with aliases free", "EXT001", ("extent", "free"), verdict="wont_help", severity="watch"),),
        (Say("aliases are free", "EXT|0042", more_aliases=True),),
    )  # fmt: skip
