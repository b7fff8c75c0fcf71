"""What programs and other systems do to volumes."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

BOX = Box("0000000XK905")


@situation
def single_thread() -> Situation:
    """A night job reads record by record, one I/O at a time, from 23:30 to 5: 500 a second on one volume at 2 ms.

    There is no IOSQ, so aliases change nothing; the job is as long as its I/Os one after another. Fewer misses, more
    buffers, or running pieces in parallel shorten it.
    """

    def night(m: Moment) -> bool:
        return m.hour >= 23.5 or m.hour < 5

    shop = Shop(
        dt.datetime(2026, 3, 3, 18), 14, [System("PRD1"), System("PRD2", share=0.5)], [BOX],
        [Lcu("0010", 0x1000, "QA"), Lcu("0011", 0x1100, "QB", pav="static", exposures=3, rate=50)],
        jobs=[Job("NIGHTUPD", "PRD1", "QB003", "PROD.POLICY.BASE", lambda m: 1.0 if night(m) else 0.0, 0.9, 0.55)],
    )  # fmt: skip

    def alone(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "QB003" and night(m):
            if s.sid == "PRD1":
                w.requesters, w.read, w.hit, w.sequential, w.miss_ms = 1, 0.9, 0.55, 0.0, 4.2
            else:
                w.rate = 0.0

    shop.changes.append(alone)
    return Situation(
        "single_thread", single_thread.__doc__ or "", shop,
        must=(Say("one job, one I/O at a time, or its misses", "QB003",
                  ("NIGHTUPD|one I/O at a time|single|one at a time|one after|closed|random|miss",)),),
        must_not=(
            Say("there is no IOSQ", "QB003|0011", (), more_aliases=True),
            Say("500 I/Os a second", "QB003", ("idle",)),
        ),
    )  # fmt: skip


@situation
def foreign_reserve() -> Situation:
    """A system whose SMF is not at hand reserves volume RB002 for seconds at a time, from 13:00 to 13:45 on two days.

    On PRD1 and PRD2 pend is 18 ms, all of it device busy delay; neither reserves the volume itself. Exposures fill up
    with I/Os that wait for the reserve to end, and some queue. Find who reserves, convert to GRS; no aliases.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3), 48, [System("PRD1"), System("PRD2", share=0.6), System("TST9", 0.05, read=False)],
        [BOX], [Lcu("0010", 0x1000, "RA"), Lcu("0011", 0x1100, "RB", pav="static", exposures=3, rate=70)],
    )  # fmt: skip

    def held(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "RB002" and m.within(13, 13.75):
            if s.sid == "TST9":
                w.rate, w.reserved = 5.0, 0.35
            else:
                w.held_ms, w.rate = 18.0, 130.0 * s.share

    shop.changes.append(held)
    return Situation(
        "foreign_reserve", foreign_reserve.__doc__ or "", shop,
        must=(Say("another system holds the volume", "RB002", ("reserve|another system|other system|device busy",)),),
        must_not=(Say("aliases wait for the reserve too", "RB002|0011", (), more_aliases=True),),
    )  # fmt: skip


@situation
def backup_reserve() -> Situation:
    """Healthy. The backup on PRD1 holds a reserve on each volume of LCU 0011 from 1 to 3, a third of the time, in turn.

    No I/O waits for it: no device busy delay anywhere, PRD2 hardly works there at night. %RESV of 33 looks ill and
    costs nothing.
    """
    shop = Shop(
        dt.datetime(2026, 3, 4), 24, [System("PRD1"), System("PRD2", share=0.3)], [BOX],
        [Lcu("0010", 0x1000, "SA"), Lcu("0011", 0x1100, "SB", rate=50)],
    )  # fmt: skip

    def backup(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 1 and m.within(1, 3):
            if s.sid == "PRD1":
                w.reserved, w.rate, w.sequential, w.read, w.block = 0.33, 120.0, 0.97, 0.99, 56_000.0
            else:
                w.rate = 0.2

    shop.changes.append(backup)
    return Situation(
        "backup_reserve", backup_reserve.__doc__ or "", shop,
        must_not=(
            Say("no I/O waits for the reserve", "0011|SB00", ("reserve",), severity="act"),
            Say("no I/O waits for the reserve", "0011|SB00", ("reserve",), at_least="high"),
            Say("no I/O queues", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def tape_not_disk() -> Situation:
    """Healthy disks, and eight tape drives at 40 blocks a second with 7.7 ms of connect and 4.5 of disconnect.

    That is how tape is. Their times are no disk's, drives have no aliases, and mounts pending are no trouble here.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3), 24, [System("PRD1"), System("PRD2", share=0.6)], [BOX],
        [Lcu("0010", 0x1000, "TA"), Lcu("0011", 0x1100, "TB", pav="static")], drives=8,
    )  # fmt: skip
    return Situation(
        "tape_not_disk", tape_not_disk.__doc__ or "", shop,
        must_not=(
            Say("a tape drive is no volume", "T0000|058|LCU 0001", ()),
            Say("the disks are well", ".", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def one_system_without_zhpf() -> Situation:
    """PRD2 came up with zHPF off: on the volumes that it shares with PRD1 its I/Os connect for 0.55 ms, not 0.1."""
    shop = Shop(
        dt.datetime(2026, 3, 3, 8), 6,
        [System("PRD1"), System("PRD2", 0.9, channels=("60", "61", "62", "63"), zhpf=False)],
        [Box("0000000XK906", "982", miss_ms=0.8)],
        [Lcu("0010", 0x1000, "ZA", 8, rate=150), Lcu("0011", 0x1100, "ZB", 8)], profile=lambda _: 1.0,
    )  # fmt: skip

    def slow(_: Moment, s: System, __: Volume, w: Work) -> None:
        w.conn_extra_ms = 0.0 if s.zhpf else 0.45

    shop.changes.append(slow)
    return Situation(
        "one_system_without_zhpf", one_system_without_zhpf.__doc__ or "", shop,
        must=(Say("the host's setting", "PRD2", ("zHPF", "D IOS,ZHPF", "PRD1"), severity="watch"),),
        must_not=(Say("no alias shortens connect", ".", (), more_aliases=True),),
    )  # fmt: skip
