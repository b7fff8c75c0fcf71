"""One event that several measurements show, aliases that are idle next door, trouble that returns by the clock."""

from __future__ import annotations

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

TUESDAY = dt.datetime(2026, 3, 3)
BOXES = [Box("0000000XM101"), Box("0000000XM102")]


@situation
def half_of_the_cache_fails() -> Situation:
    """At 10:00 half the cache of box XM101 fails: 55 % of reads hit, the box answers 0.7 ms later, a pool runs dry.

    Box XM102, over the same channels, is as quick as ever. It is one event: its symptoms belong into one finding.
    """
    lcus = [
        Lcu("0010", 0x1000, "CA", aliases=8, rate=400),
        Lcu("0011", 0x1100, "CB", aliases=12, rate=250),
        Lcu("0012", 0x1200, "CC", volumes=4, box=1),
    ]
    shop = Shop(TUESDAY.replace(hour=6), 9, [System("PRD1")], BOXES, lcus, profile=lambda _: 1.0)

    def fail(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu < 2 and m.hour >= 10:
            w.hit, w.miss_ms, w.cmr_ms = 0.55, 9.0, w.cmr_ms + 0.7

    shop.changes.append(fail)
    cause = Say("hits fell", "XM101", ("Read hits", "10:00", "LCU 0010.* longer for the control unit"), severity="act")
    return Situation(
        "half_of_the_cache_fails", half_of_the_cache_fails.__doc__ or "", shop, (cause,),
        (
            Say("no path is at fault", ".", ("^slow_path",)),
            Say("aliases wait as well", "0010|0011|CA00|CB00", (), more_aliases=True),
            Say("the other box is well", "0012|CC00|XM102", (), severity="act"),
        ),
        pav_first=cause, once=(Say("one event", "XM101|0010|0011", (), severity="act"),),
    )  # fmt: skip


@situation
def idle_aliases_next_door() -> Situation:
    """LCU 0010 has 2 aliases for 8 programs from 10 to 12; LCU 0011 of the same box never uses 31 of its 32."""
    lcus = [
        Lcu("0010", 0x1000, "NA", aliases=2, rate=90),
        Lcu("0011", 0x1100, "NB", aliases=32, rate=20),
        Lcu("0012", 0x1200, "NC", volumes=4, box=1, aliases=40, rate=20),
    ]
    shop = Shop(TUESDAY.replace(hour=8), 6, [System("PRD1")], BOXES, lcus, profile=lambda _: 0.3)

    def four(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.volser in ("NA001", "NA002") and m.within(10, 12):
            w.requesters, w.hit = 4, 0.8

    shop.changes.append(four)
    return Situation(
        "idle_aliases_next_door", idle_aliases_next_door.__doc__ or "", shop,
        (
            Say("they lack four", "0010|NA00", ("LCU 0011", r"\b31 aliases", "SuperPAV"), more_aliases=True,
                figure=(r"(\d+) more aliases", 3, 6)),
        ),
        (Say("that is another box", "0010|NA00", ("0012",)),),
    )  # fmt: skip


@situation
def job_every_six_hours() -> Situation:
    """Two days. A job starts at 0, 6, 12 and 18 o'clock; for half an hour twelve programs find four aliases."""
    lcus = [Lcu("0010", 0x1000, "SA", volumes=4, aliases=4, rate=100), Lcu("0011", 0x1100, "SB", volumes=2, box=1)]
    shop = Shop(TUESDAY, 48, [System("PRD1")], BOXES, lcus)

    def job(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.volser in ("SA001", "SA003") and m.start.hour % 6 == 0 and m.start.minute < 30:
            w.requesters, w.hit = 6, 0.8

    shop.changes.append(job)
    return Situation(
        "job_every_six_hours", job_every_six_hours.__doc__ or "", shop,
        (Say("it comes back every six hours", "0010|SA00", ("every 6 hours",), more_aliases=True),),
        (Say("the other box is well", "0011|SB00", (), severity="act"),),
    )  # fmt: skip


@situation
def backup_grows_into_the_morning() -> Situation:
    """Twelve days. A backup of LCU 0010 begins at 2 and ends at 4, half an hour later each day, on the last at 9:30.

    From 7 on programs read LCU 0011 of the same box; when the backup runs then, their disks take five times as long.
    """
    lcus = [Lcu("0010", 0x1000, "BK", volumes=4, aliases=24, rate=50), Lcu("0011", 0x1100, "ON", volumes=3, rate=300)]
    shop = Shop(
        TUESDAY, 12 * 24, [System("PRD1", interval_s=1800)], BOXES[:1], lcus, kept=lambda m: 1 <= m.start.hour < 11,
        profile=lambda m: 1.0 if m.within(7, 18) else 0.03,
    )  # fmt: skip

    def backup(m: Moment, _s: System, v: Volume, w: Work) -> None:
        is_on = m.within(2, 4 + (m.start - TUESDAY).days / 2)
        if v.lcu == 0 and is_on:
            w.rate, w.sequential, w.block, w.read = 900.0, 0.9, 50_000.0, 1.0
        elif v.lcu == 1:
            w.hit, w.miss_ms = 0.85, w.miss_ms * (5 if is_on else 1)

    shop.changes.append(backup)
    cause = Say(
        "the backup runs into the morning", "XM101|0011|ON00",
        ("BK000 and 3 more volumes", "grows", "04:00 on 2026-03-03", "09:30 on 2026-03-14", "since 2026-03-10"),
    )  # fmt: skip
    return Situation(
        "backup_grows_into_the_morning",
        backup_grows_into_the_morning.__doc__ or "",
        shop,
        (cause,),
        (Say("no alias is lacking", ".", (), more_aliases=True),),
    )
