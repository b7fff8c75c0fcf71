"""Situations of z/VM in a computer room: several reports of one hour, aliases, channels, what is no DASD."""

from tests.situations_independent.cp import HEADING, Device, Listing, Report
from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.monitor import Base, Free, Monitor
from tests.situations_independent.stories.cp import FOREIGN, QUIET, made

CACHE = " DIR  ADDR VOLSER   IO/S %READ %RDHIT %WRHIT ICL/S BYP/S"
CHANNELS = (
    " Path      <- Total for System -> <-Own Partition-> <---- Bytes/s ---->",
    "           Bus       Work             Work",
    " ID   Shrd Cycles    Units            Units            Write      Read",
)
LOG = tuple(f" {word} {line[1:]}" for word, line in zip(("Interval", "End Time"), HEADING, strict=True))


@situation
def cp_classic_pav_queue() -> Situation:
    """A base of 110 I/Os a second and two aliases of 100 and 90, 8 ms each: 2.6 wait, 8.7 ms for each of the 300.

    The listing prints the wait over the base's own rate, 31.6 ms of response; that of the volume is 16.7.
    """
    parts = (0.2, 2.8, 5.0)
    base = Device("A100", "LNX001", 110.0, parts, 2.6)
    aliases = [Device(f"A1F{n}", "LNX001", 100.0 - 10 * n, parts, type="->A100") for n in range(2)]
    return made(
        "cp_classic_pav_queue", cp_classic_pav_queue.__doc__, Listing(lambda _: [base, *aliases, *QUIET]),
        Say("three exposures are too few", "LNX001", ("queue",), more_aliases=True, severity="act"),
        Say("of the volume, not of its base", "LNX001", ("queue",), figure=("effect now", 16.0, 17.4)),
    )  # fmt: skip


@situation
def cp_cache_misses() -> Situation:
    """Four volumes of random reads: 35 % of reads hit, disconnect is 6 ms; four others hit 98 %."""

    def rows(_: int) -> list[Report]:
        missing = [f" 2107 A10{n} RND00{n}  150.0    90     35    100    .0    .0" for n in range(4)]
        hitting = [f" 2107 A20{n} USR00{n}   25.0    60     98    100    .0    .0" for n in range(4)]
        return [Report("FCX111", "INTERIM CACHE", "Overall CU-Cache Performance", (CACHE, *missing, *hitting))]

    random = [Device(f"A10{n}", f"RND00{n}", 150.0, (0.1, 6.0, 0.4), reads=90) for n in range(4)]
    return made(
        "cp_cache_misses", cp_cache_misses.__doc__, Listing(lambda _: [*random, *QUIET], reports=rows),
        Say("reads miss the cache", "RND00|2107|VMTEST1", ("hit|miss", "35 %|0.35|65 %")),
        never=(Say("nothing queues", "RND00", more_aliases=True), Say("they hit", "USR00", severity="act")),
    )  # fmt: skip


@situation
def cp_channels_full() -> Situation:
    """From ten on four FICON channels are 93 % busy, half of it from other partitions; all volumes pend and connect."""

    def load(at: int) -> list[Report]:
        busy, own = (93, 47) if at >= 6 else (34, 17)
        rows = [f" 2{n}   Yes       5       {busy}               {own}             1.5M     22.5M" for n in range(4)]
        return [Report("FCX215", "INTERIM FCHANNEL", "FICON Channel Load", (*CHANNELS, *rows))]

    def devices(at: int) -> list[Device]:
        parts = (3.5, 0.1, 2.4) if at >= 6 else (0.2, 0.1, 0.8)
        return [Device(f"A10{n}", f"LNX00{n}", 90.0 + n, parts, 0.3 if at >= 6 else 0.0) for n in range(8)]

    return made(
        "cp_channels_full", cp_channels_full.__doc__, Listing(devices, reports=load),
        Say("the channels are full", r"\b2[0-3]\b|VMTEST1", ("channel", "93 %"), severity="act"),
        never=(Say("an alias needs the same channel", "LNX00", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_reserved_in_details() -> Situation:
    """The details of A100 (FCX110) say that it was found reserved 45 % of the time; it pends 12 of 13 ms all day."""

    def details(_: int) -> list[Report]:
        lines = (
            "", " Detailed Analysis for Device A100 ( SYSTEM )",
            " Device type :  3390-9      Function pend.:   12.0ms      Device busy   :   52%",
            " VOLSER      :  SHR001      Disconnected  :     .2ms      I/O contention:   40%",
            " SSCH rate/s :    40.0      Connected     :     .8ms      Reserved      :   45%",
            " Status: SHARABLE",
        )  # fmt: skip
        return [Report("FCX110", "INTERIM DEVICE A100", "Detailed Analysis for Device", lines)]

    held = Device("A100", "SHR001", 40.0, (12.0, 0.2, 0.8), 0.9)
    return made(
        "cp_reserved_in_details", cp_reserved_in_details.__doc__, Listing(lambda _: [held, *QUIET], reports=details),
        Say("it is reserved, and how much is known", "SHR001", ("reserve", "45 %"), severity="act"),
        never=(Say("an alias waits for the same reserve", "SHR001", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_two_reports_of_one_hour() -> Situation:
    """Pages of ten minutes, behind them the log (FCX168) of the same two hours: each interval counts once."""
    hot = Device("A100", "LNX001", 110.0, (0.2, 2.8, 5.0), 4.0)

    def log(at: int) -> list[Report]:
        ends = [f"{9 + n // 6:02}:{n % 6}0:00" for n in range(1, 13)]
        rows = [f" {end} {hot.line()[1:]}" for end in ends]
        return [Report("FCX168", "DEVLOG", "General I/O Device Load and Performance", (*LOG, *rows), 12)] * (at == 11)

    return Situation(
        "cp_two_reports_of_one_hour", cp_two_reports_of_one_hour.__doc__ or "",
        Listing(lambda _: [hot, *QUIET], reports=log),
        (
            Say("it queues", "LNX001", ("queue",), severity="act"),
            Say("in twelve intervals", "LNX001", (), figure=(r"bad intervals: (\d+)", 12, 12)),
        ),
        FOREIGN, once=(Say("one finding", "LNX001", severity="act"),),
    )  # fmt: skip


@situation
def cp_monitor_stopped() -> Situation:
    """Samples 10 to 13 are missing; from the fifteenth interval on HPV000 disconnects 6 ms, 0.3 before."""

    def devices(at: int) -> list[Base]:
        return [Base(f"2B0{n}", f"HPV00{n}", 60.0, (0.15, 6.0 if at > 14 and not n else 0.3, 0.5)) for n in range(6)]

    return Situation(
        "cp_monitor_stopped", cp_monitor_stopped.__doc__ or "", Monitor(devices, stopped=range(10, 14)),
        (Say("disconnect rose", "HPV000|2B00", ("disc",), figure=(r"(\d+\.?\d*) ms", 5.7, 6.3)),),
        (*FOREIGN, Say("they are well", "^HPV00[1-5]", severity="act"), Say("not aliases", "HPV0", more_aliases=True)),
    )  # fmt: skip


@situation
def cp_free_aliases_unused() -> Situation:
    """Six of eight HyperPAV aliases are always free and no search fails; HPV000 uses none, and two I/Os wait for it."""

    def devices(_: int) -> list[Base]:
        busy = Base("2B00", "HPV000", 180.0, (0.2, 0.3, 4.5), 3.0, 2)
        return [busy, *(Base(f"2B0{n}", f"HPV00{n}", 40.0, (0.2, 0.3, 0.5), 0.0, 2, 0.1) for n in range(1, 5))]

    return Situation(
        "cp_free_aliases_unused", cp_free_aliases_unused.__doc__ or "",
        Monitor(devices, lambda _: [Free(2, "2105", 5, 8, 20.0, 0.0, 6)]),
        (Say("it waits although aliases are free", "HPV000|2B00", ("queue|wait", "free|unused|does not use")),),
        (*FOREIGN, Say("aliases are free", ".", more_aliases=True)),
    )  # fmt: skip


@situation
def cp_tape_among_disks() -> Situation:
    """Two tape drives at 60 ms of connect time, one found busy, among four quiet disks: nothing is wrong with disks."""
    drives = [Device(f"0C0{n}", "TSM001", 14.0, (0.2, 0.3, 60.0), 0.2, type="3590") for n in range(2)]
    return made(
        "cp_tape_among_disks", cp_tape_among_disks.__doc__, Listing(lambda _: [*drives, *QUIET]),
        never=(
            Say("a tape drive is no volume", "TSM001|0C0", severity="act"),
            Say("no alias for tape", "TSM001|0C0", more_aliases=True),
            Say("the disks are well", "USR00", severity="watch"),
        ),
    )  # fmt: skip
