"""Delays with one cause, or with two at once, that another cause resembles."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

TUESDAY = dt.datetime(2026, 3, 3)
CACHE = ("more cache|larger cache|cache (is )?too small",)
COPY = ("replicat|remote copy|mirror|PPRC|second box|secondary",)
NIGHT = (1.0, 5.0)


@situation
def queue_and_copy() -> Situation:
    """A mirrored volume with two exposures; every write waits 3 ms for the second box, at any hour.

    From 13 to 15 eight programs write to it, so six wait on top. Neither trouble hides the other: exposures end the
    IOSQ, and after that each write still takes its 3 ms.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK921")],
        [Lcu("0010", 0x1000, "QC", mirrored=True, pav="static", exposures=2, rate=40, read=0.6),
         Lcu("0011", 0x1100, "QD")],
    )  # fmt: skip

    def both(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            w.copy_ms, w.hit = 3.0, 0.97
        if v.volser == "QC003" and s.sid == "PRD1" and m.within(13, 15):
            w.requesters, w.read = 8, 0.2

    shop.changes.append(both)
    return Situation(
        "queue_and_copy", queue_and_copy.__doc__ or "", shop,
        must=(
            Say("six of eight wait for an exposure", "QC003|0010", ("alias|HyperPAV|exposure",), more_aliases=True),
            Say("writes wait for the second box", "XK921|0010|QC00", COPY),
        ),
        must_not=(
            Say("six wait", "QC003", (), verdict="enough"),
            Say("six wait", "QC003", (), verdict="too_many"),
            Say("3 ms with two or with eight", "QC003", (), verdict="wont_help"),
            Say("hits are 97 %", ".", CACHE),
            Say("LCU 0011 isn't mirrored and is well", "0011|QD00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def cold_scan() -> Situation:
    """From 1 to 5 a program scans a year's history on CS004 from slow disks: 1400 reads a second, 97 % sequential.

    Prestaging cannot keep ahead of two buffers: what misses waits 30 ms. No job reads these tracks twice, so no cache
    would hold them. There is no IOSQ.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK922")],
        [Lcu("0010", 0x1000, "CR", aliases=32), Lcu("0011", 0x1100, "CS", aliases=32, rate=40)],
        rank_share=lambda _, p, n: 1.0 if n == 0 or p == 0 else 0.004,
        jobs=[Job("HISTSCAN", "PRD1", "CS004", "PROD.HISTORY.Y2025", lambda m: 0.98 if m.within(*NIGHT) else 0.0, 1.0,
                  0.3, 0.97)],
    )  # fmt: skip

    def scan(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "CS004" and m.within(*NIGHT):
            w.miss_ms = 30.0
            if s.sid == "PRD1":
                w.requesters, w.read, w.sequential, w.hit, w.block = 2, 1.0, 0.97, 0.3, 56_000.0
            else:
                w.rate = 0.0

    shop.changes.append(scan)
    return Situation(
        "cold_scan", cold_scan.__doc__ or "", shop,
        must=(Say("the disks are what the scan waits for", "CS004|0011|XK922|0001|0020",
                  ("sequential|rank|back.?end|extent pool|disks|HISTSCAN",)),),
        must_not=(
            Say("nothing is read twice", ".", CACHE),
            Say("there is no IOSQ", ".", (), more_aliases=True),
            Say("the other LCU is well", "0010|CR00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def cmr_one_channel() -> Situation:
    """From 8 to 18 command response over channel 51 is 2.5 ms, to four LCUs of two boxes; over 50, 52 and 53 it is 0.1.

    Both boxes are well by their other paths. What they have in common is the channel, its cable and its switch port.
    No director records are at hand.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK924"), Box("0000000XK925")],
        [Lcu(f"001{n}", 0x1000 + 256 * n, f"P{'ABCD'[n]}", box=n // 2, aliases=32, volumes=4) for n in range(4)],
        path_ms=lambda m, c: 2.4 if c == "51" and m.within(8, 18) else 0.0,
    )  # fmt: skip

    def cable(m: Moment, _s: System, _v: Volume, w: Work) -> None:
        if m.within(8, 18):
            w.cmr_ms += 2.4 / 4

    shop.changes.append(cable)
    return Situation(
        "cmr_one_channel", cmr_one_channel.__doc__ or "", shop,
        must=(Say("channel 51 alone is slow", "51|001[0-3]|P[ABCD]00", (r"\b1?51\b",)),),
        must_not=(
            Say("both boxes are well by other paths", ".", ("control unit (is|was) busy|busy control unit",),
                severity="act"),
            Say("it follows no distance", ".", (r"\bdistance\b|\bkm\b",), r"\b1?51\b", at_least="medium"),
            Say("no I/O waits for exposures", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def reserve_of_known() -> Situation:
    """PRD2 holds a reserve on RK002 45 % of the time from 10 to 12; both systems' SMF is at hand.

    PRD1 waits 14 ms of device busy delay for each of 100 I/Os a second. It is known who: 74.1 of PRD2 has the
    reserved time. Convert it to a GRS enqueue; the pool of 24 lends two.
    """
    shop = Shop(
        TUESDAY, 36, [System("PRD1"), System("PRD2", share=0.4)], [Box("0000000XK926")],
        [Lcu("0010", 0x1000, "RJ"), Lcu("0011", 0x1100, "RK", aliases=24, rate=60)],
    )  # fmt: skip

    def held(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "RK002" and m.within(10, 12):
            if s.sid == "PRD2":
                w.rate, w.reserved = 30.0, 0.45
            else:
                w.rate, w.held_ms = 100.0, 14.0

    shop.changes.append(held)
    return Situation(
        "reserve_of_known", reserve_of_known.__doc__ or "", shop,
        must=(
            Say("PRD2 holds it, PRD1 waits", "RK002", ("reserve", "PRD2")),
            Say("14 ms of device busy delay", "RK002", ("device busy|reserve", "PRD1")),
        ),
        must_not=(
            Say("the pool lends two of 24", ".", (), more_aliases=True),
            Say("only one volume is held", "RK00[013-9]|RJ00", ("reserve",), severity="act"),
        ),
    )  # fmt: skip
