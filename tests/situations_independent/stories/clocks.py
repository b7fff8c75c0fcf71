"""Hours and intervals: over midnight, short and long ones, and the month's end."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
END = dt.date(2026, 3, 31)
WEST_S = -5 * 3600


@situation
def over_midnight() -> Situation:
    """Local time is five hours behind UTC. Each night from 23:00 to 01:30 twenty programs find a pool of eight aliases.

    One trouble a night, not one per date; by UTC it would be 04:00 to 06:30. By day the pool is at ease.
    """

    def late(m: Moment) -> bool:
        return m.hour >= 23 or m.hour < 1.5

    shop = Shop(
        MONDAY + dt.timedelta(hours=12), 48,
        [System("PRD1", offset_s=WEST_S), System("PRD2", share=0.5, offset_s=WEST_S)], [Box("0000000XK961")],
        [Lcu("0010", 0x1000, "MI", aliases=8, rate=40), Lcu("0011", 0x1100, "MJ")],
    )  # fmt: skip

    def twenty(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD1" and v.volser in ("MI001", "MI004") and late(m):
            w.requesters, w.hit = 10, 0.75

    shop.changes.append(twenty)
    return Situation(
        "over_midnight", over_midnight.__doc__ or "", shop,
        must=(
            Say("18 asked, 8 there", "0010|MI00", (), more_aliases=True),
            Say("the time is given, as the clock on the wall has it", "0010|MI00", (r"\b(22|23|0?0|0?1):\d\d",)),
        ),
        must_not=(
            Say("no I/O waits by day", "0010|MI00", (r"\b(0?[3-9]|1\d|20|21):\d\d",), more_aliases=True),
            Say("the pool is dry", "0010|MI00", (), verdict="enough"),
            Say("the pool is dry", "0010|MI00", (), verdict="too_many"),
            Say("LCU 0011 is well", "0011|MJ00", (), severity="act"),
        ),
    )  # fmt: skip


def _morning(name: str, story: str, interval_s: int) -> Situation:
    """Eight programs for two exposures from 9 to 12, whatever the interval."""
    shop = Shop(
        MONDAY + dt.timedelta(hours=8), 5,
        [System("PRD1", interval_s=interval_s), System("PRD2", share=0.5, interval_s=interval_s)],
        [Box("0000000XK962")],
        [Lcu("0010", 0x1000, "SE", volumes=4, pav="static", exposures=2, rate=40),
         Lcu("0011", 0x1100, "SF", volumes=3)],
    )  # fmt: skip

    def eight(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "SE001" and s.sid == "PRD1" and m.within(9, 12):
            w.requesters, w.hit = 8, 0.75

    shop.changes.append(eight)
    return Situation(
        name, story, shop,
        must=(Say("six of eight wait, three hours long", "SE001", (), more_aliases=True),),
        must_not=(
            Say("six wait", "SE001", (), verdict="enough"),
            Say("six wait", "SE001", (), verdict="wont_help"),
            Say("the others are well", "SE00[023]|SF00|0011", (), more_aliases=True),
            Say("five hours are too little to say so", ".", (), verdict="too_many", at_least="high"),
        ),
    )  # fmt: skip


@situation
def minute_intervals() -> Situation:
    """Intervals of one minute: eight programs for two exposures from 9 to 12; the load of `half_hour_intervals`."""
    return _morning("minute_intervals", minute_intervals.__doc__ or "", 60)


@situation
def half_hour_intervals() -> Situation:
    """Intervals of half an hour: the same load as in `minute_intervals`, so the same advice."""
    return _morning("half_hour_intervals", half_hour_intervals.__doc__ or "", 1800)


@situation
def month_end_needs_all() -> Situation:
    """Thirty-five days; static volumes with eight exposures each. NE004 has all at work on 31 March, 20 to 22.

    No I/O waits then, just because there are eight. On all other days, and on the other volumes always, one would do.
    """
    shop = Shop(
        MONDAY, 35 * 24, [System("PRD1", interval_s=3600), System("PRD2", share=0.4, interval_s=3600)],
        [Box("0000000XK963")],
        [Lcu("0010", 0x1000, "ND", volumes=4), Lcu("0011", 0x1100, "NE", pav="static", exposures=8, rate=60)],
        kept=lambda m: m.start.hour in (9, 10, 14, 20, 21),
    )  # fmt: skip

    def close_of_month(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "NE004" and s.sid == "PRD1" and m.start.date() == END and m.start.hour >= 20:
            w.requesters, w.hit = 8, 0.8

    shop.changes.append(close_of_month)
    return Situation(
        "month_end_needs_all", month_end_needs_all.__doc__ or "", shop,
        must=(Say("never more than one of eight at work", "NE00[0-35]|0011", (), verdict="too_many"),),
        must_not=(
            Say("the month's end needs all eight", "NE004", (), verdict="too_many"),
            Say("no I/O waits", "NE00|0011", (), more_aliases=True, severity="act"),
            Say("they are in use", "NE00", ("idle|unused",)),
        ),
    )  # fmt: skip
