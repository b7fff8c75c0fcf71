"""What looks bad and costs nothing, and what looks small and costs most."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)


@situation
def slow_but_rare() -> Situation:
    """Healthy. A volume with last year's listings is read once in five seconds, from cold disks, at 60 ms.

    It has the worst response of the site and 0.01 I/Os in progress. no one would spend an hour on it.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK941")],
        [Lcu("0010", 0x1000, "VA"), Lcu("0011", 0x1100, "VB", pav="static", exposures=2, rate=40)],
    )  # fmt: skip

    def listings(_m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "VB003":
            w.rate, w.read, w.hit, w.sequential, w.miss_ms = 0.2 * (s.sid == "PRD1"), 1.0, 0.0, 0.0, 60.0

    shop.changes.append(listings)
    return Situation(
        "slow_but_rare", slow_but_rare.__doc__ or "", shop,
        must_not=(
            Say("one I/O in five seconds", "VB003", (), severity="act"),
            Say("one I/O in five seconds", ".", ("cache (is )?too small|more cache",)),
            Say("nothing else is wrong", ".", (), severity="act"),
            Say("no I/O waits", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def small_wait_costs_most() -> Situation:
    """HV001 has two exposures and does 3500 I/Os a second from 8 to 18, IOSQ 0.5 ms; LV004 waits 15 ms, three a second.

    By IOSQ per I/O LV004 comes first. By I/Os waiting HV001 has nearly two at any moment, LV004 one in twenty.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.1)], [Box("0000000XK942")],
        [Lcu("0010", 0x1000, "HV", pav="static", exposures=2, rate=30),
         Lcu("0011", 0x1100, "LV", pav="static", exposures=2, rate=10)],
    )  # fmt: skip

    def day(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD1" and m.within(8, 18):
            if v.volser == "HV001":
                w.rate, w.hit = 3500.0, 0.95
            if v.volser == "LV004":
                w.rate, w.iosq_ms = 3.0, 15.0

    shop.changes.append(day)
    return Situation(
        "small_wait_costs_most", small_wait_costs_most.__doc__ or "", shop,
        must=(Say("two wait all day, and more than half of the response is IOSQ", "HV001", (), more_aliases=True),),
        must_not=(
            Say("0.05 I/Os wait", "LV004", (), severity="act"),
            Say("two wait", "HV001", (), verdict="enough"),
            Say("two wait", "HV001", (), verdict="too_many"),
            Say("disks, paths and box are at ease", "HV001|0010", (), verdict="wont_help"),
        ),
    )  # fmt: skip


@situation
def old_and_well() -> Situation:
    """Healthy. Two older boxes with spinning disks, 6.5 ms per miss, hits at 92 %, mirrored over a few km (0.35 ms).

    Responses of 0.7 ms at all hours, three systems, pools used to a third, static volumes to a tenth. It is what such
    boxes do, and nothing has changed for the worse.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.7), System("PRD3", share=0.3, interval_s=1800)],
        [Box("0000000XK943", model="951", miss_ms=6.5), Box("0000000XK944", model="951", miss_ms=6.5)],
        [Lcu("0010", 0x1000, "WA", mirrored=True, rate=700), Lcu("0011", 0x1100, "WB", rate=200),
         Lcu("0012", 0x1200, "WC", box=1, pav="static", mirrored=True, rate=150)],
    )  # fmt: skip

    def old(_m: Moment, _s: System, v: Volume, w: Work) -> None:
        w.hit = 0.92
        w.copy_ms = 0.35 if shop.lcus[v.lcu].mirrored else 0.0

    shop.changes.append(old)
    return Situation(
        "old_and_well", old_and_well.__doc__ or "", shop,
        must_not=(
            Say("nothing is to be done", ".", (), severity="act"),
            Say("nothing waits", ".", (), more_aliases=True),
            Say("92 % is what such a load has", ".", ("cache (is )?too small|more cache",), at_least="medium"),
        ),
    )  # fmt: skip


@situation
def rebuild_hour() -> Situation:
    """Thirty-five days; on 17 March from 11 to 12 a failed disk is rebuilt, and reads from its rank take 45 ms.

    Before and after it is 4 ms. It shows, it is over, and no configuration is wrong: an incident, not a bottleneck.
    """
    shop = Shop(
        MONDAY, 35 * 24, [System("PRD1", interval_s=3600), System("PRD2", share=0.4, interval_s=3600)],
        [Box("0000000XK945")],
        [Lcu("0010", 0x1000, "BA", aliases=48), Lcu("0011", 0x1100, "BB", volumes=4, aliases=24)],
        kept=lambda m: 9 <= m.start.hour < 15, rank_share=lambda _, p, n: 1.0 if n == 0 or p else 0.004,
    )  # fmt: skip

    def rebuild(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.start == dt.datetime(2026, 3, 17, 11):
            w.miss_ms = 45.0

    shop.changes.append(rebuild)
    return Situation(
        "rebuild_hour", rebuild_hour.__doc__ or "", shop,
        must=(Say("the hour is to be seen", "0010|XK945|BA00|0000",
                  ("rank|extent pool|back.?end|array|miss|disconnect",)),),
        must_not=(
            Say("one hour of 35 days, and over", ".", (), severity="act", at_least="high"),
            Say("the pool lends a tenth", ".", (), more_aliases=True),
            Say("hits are as ever", ".", ("cache (is )?too small|more cache",)),
            Say("LCU 0011 has other disks", "0011|BB00", ("rank|back.?end|miss",), severity="act"),
        ),
        later=(
            Say("25 reads and 25 writes a second take 4 ms on 34 other days, so it is not the load", "0000",
                ("saturated|overload|move the busiest",), "rebuil|spare|degraded|failed|not (of )?(the|its) load"),
        ),
    )  # fmt: skip
