"""z/VM: queues in the control unit, full channels of FCX161, one paging volume of several, hits that fall at noon."""

from tests.situations_independent.cp import Area, Device, Listing, Report
from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.monitor import Base, Free, Monitor
from tests.situations_independent.stories.cp import QUIET, made
from tests.situations_independent.stories.floor import CACHE

LOAD = (
    "       < Chan-Group > < %Busy > <-------------------- Channel %Busy Distribution ------------------->",
    " CHPID Descr  Qual    Cur  Ave   0-10  11-20  21-30  31-40  41-50  51-60  61-70  71-80  81-90 91-100",
)
ASKED = Say("FCX161 is there", ".", (r"ingest [^.]*FCX161",))


@situation
def cp_control_unit_queue() -> Situation:
    """From ten on twelve of eighteen volumes pend for 5.4 ms, 5 of them in the queue of the control unit (CUWt)."""

    def devices(at: int) -> list[Device]:
        pend, queue = (5.4, 5.0) if at >= 6 else (0.3, 0.0)
        held = [Device(f"0B{n:02X}", f"LNX0{n:02}", 80.0 + n, (pend, 0.4, 0.6), cu_wait=queue) for n in range(12)]
        return [*held, *(Device(f"0C{n:02X}", f"LNY0{n:02}", 40.0 + n) for n in range(6))]

    return made(
        "cp_control_unit_queue", cp_control_unit_queue.__doc__, Listing(devices),
        Say("it waits in the control unit", "LNX000|VMTEST1", ("control unit", "12 of 18", "10:00"), severity="act",
            figure=(r"in the control unit[^;:]*: (\d+\.?\d*)", 4.9, 5.1)),
        Say("quick volumes are left out", "LNX000|VMTEST1", (), figure=(r"pend for (\d+\.\d+) ms", 5.3, 5.5)),
        never=(Say("an alias waits as well", ".", more_aliases=True), ASKED),
    )  # fmt: skip


@situation
def cp_channels_by_distribution() -> Situation:
    """From ten on FCX161 prints channels 30 and 31 at 93 % busy; all volumes pend for 2.5 ms and connect for 4."""

    def load(at: int) -> list[Report]:
        busy, band = (93, 9) if at >= 6 else (40, 3)
        shares = "".join(f"{100 * (n == band):7}" for n in range(10))
        rows = [f" {path}    FICON  Shrd   {busy:4} {busy:4}{shares}" for path in ("30", "31")]
        return [Report("FCX161", "INTERIM LCHANNEL", "Channel Load and Distribution", (*LOAD, *rows))]

    def devices(at: int) -> list[Device]:
        parts = (2.5, 0.3, 4.0) if at >= 6 else (0.2, 0.3, 1.5)
        return [Device(f"0A{n:02X}", f"LNX00{n}", 100.0 + n, parts, 0.8 if at >= 6 else 0.0) for n in range(6)]

    return made(
        "cp_channels_by_distribution", cp_channels_by_distribution.__doc__, Listing(devices, reports=load),
        Say("these channels", "VMTEST1", ("channels 30 and 31[^.]*93 %", "pend"), severity="act"),
        never=(Say("an alias needs the same channel", ".", more_aliases=True), ASKED),
    )  # fmt: skip


@situation
def cp_one_paging_volume() -> Situation:
    """Of three paging volumes one does 250 of 290 pages a second and three I/Os queue there; space is 45 % full."""
    pages = [("0900", "VMPG01", 78, 250.0, 3.2), ("0901", "VMPG02", 30, 20.0, 0.0), ("0902", "VMPG03", 27, 20.0, 0.0)]
    busy = [Device(addr, label, rate, (0.3, 0.8, 2.9), queued) for addr, label, _, rate, queued in pages]
    areas = [Area(addr, label, used, rate, queued, 20) for addr, label, used, rate, queued in pages]
    return made(
        "cp_one_paging_volume", cp_one_paging_volume.__doc__, Listing(lambda _: [*busy, *QUIET], lambda _: areas),
        Say("it is named", "VMPG01", (r"VMPG01 \(0900\)", "250 of 290", "spread"), severity="act",
            figure=(r"queued for (\d+\.\d) ms", 12.7, 12.9)),
        never=(Say("it is quick", "VMPG0[23]", severity="act"),),
    )  # fmt: skip


def _since_ten(hits: int, write_hits: int, bypassed: float = 0.0) -> Listing:
    """At ten disconnect of six volumes rises from 0.4 to 5 ms, and hits and bypassing reads a second become these."""

    def rows(at: int) -> list[Report]:
        shares = f"{hits if at >= 6 else 95:5}    {write_hits if at >= 6 else 100:3}"
        passed = f"{bypassed if at >= 6 else 0.0:6.1f}"
        bad = [f" 0100 0B0{n} HIT00{n}  120.0    80  {shares}    .0{passed}" for n in range(6)]
        well = [f" 0200 0C0{n} WEL00{n}   40.0    80     95    100    .0    .0" for n in range(4)]
        return [Report("FCX111", "INTERIM CACHE", "Overall CU-Cache Performance", (CACHE, *bad, *well))]

    def devices(at: int) -> list[Device]:
        disc = 5.0 if at >= 6 else 0.4
        bad = [Device(f"0B0{n}", f"HIT00{n}", 120.0, (0.2, disc, 0.6), reads=80) for n in range(6)]
        return [*bad, *(Device(f"0C0{n}", f"WEL00{n}", 40.0, reads=80) for n in range(4))]

    return Listing(devices, reports=rows)


@situation
def cp_hits_fall_at_ten() -> Situation:
    """At ten the hits of six volumes fall from 95 to 50 % and disconnect rises from 0.4 to 5 ms, to the end."""
    return made(
        "cp_hits_fall_at_ten", cp_hits_fall_at_ten.__doc__, _since_ten(50, 100),
        Say("what fell, and when", "0100|HIT00", ("hits", "from 95 % to 50 %", "10:00"), severity="act"),
        never=(Say("nothing queues", ".", more_aliases=True), Say("today is the comparison", ".", ("a day when",))),
    )  # fmt: skip


@situation
def cp_write_hits_fall_at_ten() -> Situation:
    """At ten a third of the writes to six volumes no longer hit, disconnect is 5 ms in place of 0.4; reads hit."""
    return made(
        "cp_write_hits_fall_at_ten", cp_write_hits_fall_at_ten.__doc__, _since_ten(95, 66),
        Say("NVS has no room", "HIT00", ("waited for NVS", "Write hits fell to 66 %"),
            lacking="possible causes|own measurements"),
        never=(Say("nothing queues", ".", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_no_write_hits_since_ten() -> Situation:
    """At ten no write to six volumes hits any longer, disconnect is 5 ms in place of 0.4; reads hit as before."""
    return made(
        "cp_no_write_hits_since_ten", cp_no_write_hits_since_ten.__doc__, _since_ten(95, 0),
        Say("fast write is off", "HIT00", ("Fast write seems off", "Write hits fell to 0 %", "QUERY DASDFW"),
            lacking="possible causes|own measurements"),
        never=(Say("nothing queues", ".", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_all_reads_bypass_since_ten() -> Situation:
    """At ten all 96 reads a second of each of six volumes bypass the cache, to the end, and disconnect is 5 ms."""
    return made(
        "cp_all_reads_bypass_since_ten", cp_all_reads_bypass_since_ten.__doc__, _since_ten(0, 100, 96.0),
        Say("caching is off", "HIT00", ("caching off", "QUERY CACHE", "95 % hit at such rates"), severity="act"),
        never=(Say("nothing queues", ".", more_aliases=True),),
    )  # fmt: skip


@situation
def cp_all_hit_since_ten() -> Situation:
    """At ten disconnect of six volumes rises from 0.4 to 5 ms, and reads and writes hit as before."""
    return made(
        "cp_all_hit_since_ten", cp_all_hit_since_ten.__doc__, _since_ten(95, 100),
        Say("the box is slow", "HIT00", ("disconnect", "Read misses are not the cause", "slow back end")),
        never=(Say("writes find room", "HIT00", ("NVS",)),),
    )  # fmt: skip


@situation
def cp_requests_not_eligible() -> Situation:
    """Monitor file. Five of eight aliases are free at any time; of HPV003's 300 I/Os a second CP sends none to one."""

    def devices(_: int) -> list[Base]:
        quick = [Base(f"2B0{n}", f"HPV00{n}", 60.0, (0.2, 0.5, 0.5), 0.0, 2, 0.1) for n in range(3)]
        return [*quick, Base("2B03", "HPV003", 300.0, (0.2, 0.4, 2.4), 2.0, 2, 0.0, ineligible=250.0)]

    return made(
        "cp_requests_not_eligible", cp_requests_not_eligible.__doc__,
        Monitor(devices, lambda _: [Free(2, "2105", 4, 8, 60.0, 0.0, 5)]),
        Say("CP can't send them to an alias", "HPV003", ("free aliases", "PAVINELG", "minidisks")),
        never=(
            Say("aliases are free", ".", more_aliases=True), Say("words of z/OS", ".", ("data set|smaller extents",)),
        ),
    )  # fmt: skip
