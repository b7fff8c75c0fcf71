"""What looks idle or ill and is neither."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)


@situation
def zhyperlink() -> Situation:
    """Thirty-five days. Volumes of LCU 0011 are read over zHyperLink, 900 a second; normal I/O is one in three seconds.

    By SSCH they look idle. One of them, YB005, really has no I/O of either kind from anybody.
    """
    shop = Shop(
        MONDAY, 35 * 24, [System("PRD1", interval_s=1800), System("PRD2", share=0.5, interval_s=1800)],
        [Box("0000000XK910", model="985", miss_ms=0.4)],
        [Lcu("0010", 0x1000, "YA", volumes=4), Lcu("0011", 0x1100, "YB", volumes=6)],
        kept=lambda m: m.start.hour in (3, 10, 15) and m.start.minute == 0,
    )  # fmt: skip

    def links(_m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 1:
            w.rate, w.sync_rate = 0.003, 900.0 * s.share * v.weight
        if v.volser == "YB005":
            w.rate = w.sync_rate = 0.0

    shop.changes.append(links)
    return Situation(
        "zhyperlink", zhyperlink.__doc__ or "", shop,
        must=(Say("no I/O of any kind in 35 days", "YB005", ("idle|no I/O|unused|not used",)),),
        must_not=(
            Say("read 900 times a second", "YB00[0-4]", ("idle|unused|not used",)),
            Say("as no I/O needs them", "YB00[0-4]|0011", (), verdict="too_many", at_least="high"),
        ),
    )  # fmt: skip


@situation
def busy_elsewhere() -> Situation:
    """Volumes ZB000 to ZB002 do nothing on PRD1 and PRD2; a system whose SMF is not at hand reads and writes them.

    The box's own counters (74.5) count 100 I/Os a second there. Thirty-five days, three intervals a day.
    """
    shop = Shop(
        MONDAY, 35 * 24,
        [System("PRD1", interval_s=900), System("PRD2", 0.5, 900), System("DEV1", 1.0, 900, read=False)],
        [Box("0000000XK911")], [Lcu("0010", 0x1000, "ZA", volumes=4), Lcu("0011", 0x1100, "ZB", volumes=5)],
        kept=lambda m: m.start.hour in (4, 11, 16) and m.start.minute == 0,
    )  # fmt: skip

    def elsewhere(_m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser in ("ZB000", "ZB001", "ZB002") and s.sid != "DEV1":
            w.rate = 0.0

    shop.changes.append(elsewhere)
    return Situation(
        "busy_elsewhere", busy_elsewhere.__doc__ or "", shop,
        must_not=(Say("somebody else uses them", "ZB00", ("idle|unused|not used",), "other|else|not read"),
                  Say("somebody else uses them", "ZB00", ("idle|unused",), at_least="high")),
    )  # fmt: skip


@situation
def idle_without_74_5() -> Situation:
    """One system's SMF of three hours, no cache records. Volume IB002 has no I/O there.

    Whether anybody else uses it cannot be known. Nothing may be called idle with any certainty from this.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3, 9), 3, [System("PRD1", interval_s=300), System("PRD2", read=False)],
        [Box("0000000XK912")], [Lcu("0010", 0x1000, "IB", volumes=8)], lacks=frozenset({"74.5", "74.8", "73"}),
    )  # fmt: skip

    def unused(_m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "IB002" and s.sid == "PRD1":
            w.rate = 0.0

    shop.changes.append(unused)
    return Situation(
        "idle_without_74_5", idle_without_74_5.__doc__ or "", shop,
        must_not=(
            Say("three hours of one system prove nothing", "IB002", ("idle|unused",), at_least="medium"),
            Say("three hours of one system prove nothing", ".", ("too (many|large)",), at_least="medium"),
        ),
    )  # fmt: skip


@situation
def flashcopy_window() -> Situation:
    """Healthy. FlashCopy and dump from 2 to 3:30: sequential reads of 56 KB at a rate limited by the tape drives.

    Connect times treble and the response with them, first writes after the FlashCopy wait 0.8 ms, tracks are staged
    ahead. Every backup looks so; no work that matters waits.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3), 48, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK913")],
        [Lcu("0010", 0x1000, "JA", aliases=24), Lcu("0011", 0x1100, "JB", aliases=24, rate=80)],
        jobs=[Job("DSSDUMP", "PRD1", "JA002", "SYS1.VTOCIX.VJA002", lambda m: 0.9 if m.within(2, 3.5) else 0.0, 1.0,
                  0.99, 0.98)],
    )  # fmt: skip

    def dump(m: Moment, s: System, _v: Volume, w: Work) -> None:
        if not m.within(2, 3.5):
            return
        w.copy_ms = 0.8
        if s.sid == "PRD1":
            w.rate, w.sequential, w.read, w.block = 150.0, 0.95, 0.95, 56_000.0

    shop.changes.append(dump)
    return Situation(
        "flashcopy_window", flashcopy_window.__doc__ or "", shop,
        must_not=(
            Say("no I/O waits", ".", (), more_aliases=True),
            Say("a backup is no trouble", ".", (), severity="act"),
            Say("sequential reads are staged", ".", ("cache (is )?too small|low hit",)),
        ),
    )  # fmt: skip


@situation
def busy_and_well() -> Situation:
    """Healthy and heavily used: 20,000 I/Os a second, a pool used to one half, channels at a third, hits at 97 %.

    No I/O was refused an alias, IOSQ is nil, the service is 0.35 ms. Nothing is to be done.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3, 7), 12, [System("PRD1", interval_s=300), System("PRD2", share=0.9, interval_s=900)],
        [Box("0000000XK914", model="985", miss_ms=0.6)],
        [Lcu("0010", 0x1000, "LA", volumes=8, aliases=16, rate=2200), Lcu("0011", 0x1100, "LB", volumes=6, rate=300)],
    )  # fmt: skip
    return Situation(
        "busy_and_well", busy_and_well.__doc__ or "", shop,
        must_not=(Say("nothing is to be done", ".", (), severity="act"),
                  Say("nothing waits", ".", (), more_aliases=True)),
    )  # fmt: skip
