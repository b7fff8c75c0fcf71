"""What happened during the span to boxes, systems, mirrors and volumes, and mustn't be taken for how things are."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
OVER = r"\b(since|until|no longer|already|last|ended|over|moved|gone|renamed)\b"
HOURLY = [System("PRD1", interval_s=3600), System("PRD2", share=0.4, interval_s=3600)]
BACK_END = "rank|extent pool|back.?end|array|disks|arms"
CACHE = ("more cache|larger cache|cache (is )?too small",)


def _day(n: float) -> dt.datetime:
    """A moment by days since the first Monday."""
    return MONDAY + dt.timedelta(days=n)


def _kept(m: Moment) -> bool:
    return m.start.hour in (3, 9, 10, 11, 15)


@situation
def destages_held_back() -> Situation:
    """Five weeks. On 17 and 18 March a fault of the microcode stopped destages for seconds at a time; it was fixed.

    A fifth of all writes of the box waited 25 ms for NVS by day. Before and after, none does, at the same load and at
    as many tracks destaged. It is to be seen when it was; nothing is to be bought for two days of 35 that are over.
    """
    shop = Shop(
        MONDAY, 35 * 24, HOURLY, [Box("0000000XK981", nvs_gb=4), Box("0000000XK982")],
        [Lcu("0010", 0x1000, "MC", volumes=4, aliases=40, rate=90),
         Lcu("0011", 0x1100, "MD", volumes=3, box=1, aliases=24)],
        kept=lambda m: m.start.hour in (3, 9, 10, 15),
    )  # fmt: skip

    def fault(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and _day(15) <= m.start < _day(17) and m.within(8, 18):
            w.nvs_ratio = 0.2

    shop.changes.append(fault)
    return Situation(
        "destages_held_back", destages_held_back.__doc__ or "", shop,
        must=(
            Say("a fifth of the writes waited for NVS", "XK981|2010|0010|MC00", ("NVS",)),
            Say("it was on 17 and 18 March", "XK981|2010|0010|MC00", ("NVS", r"2026-03-1[78]|1[78] March")),
        ),
        must_not=(
            Say("two days of 35, and over", ".", (), severity="act", at_least="high"),
            Say("at the same load none waits on 33 days", ".", (r"(?<!not )\b(add|buy|order)\b[^.;:]{0,20}\bNVS",),
                severity="act"),
            Say("no I/O waits for exposures", ".", (), more_aliases=True),
            Say("the other box is well", "XK982|0011|MD00", (), severity="act"),
        ),
        later=(
            Say("as many are destaged on 33 other days, and no write waits", "XK981",
                ("(?<!at )its ceiling|can't destage",)),
        ),
    )  # fmt: skip


@situation
def system_added() -> Situation:
    """Three weeks. On the 16th PRD3 joins the sysplex and does as much on LCU 0011 as PRD1 and PRD2 together.

    Its volumes share a rank of seven arms: half busy before, 94 % since, and a read from disk takes 18 ms where it
    took 6. PRD1 and PRD2 work as they always did and are slower for it. An expert says who came.
    """
    systems = [System("PRD1", 0.6, 3600), System("PRD2", 0.4, 3600), System("PRD3", 1.0, 3600)]
    shop = Shop(
        MONDAY, 19 * 24, systems, [Box("0000000XK983"), Box("0000000XK984")],
        [Lcu("0010", 0x1000, "SJ", volumes=3, box=1, aliases=24),
         Lcu("0011", 0x1100, "SK", volumes=6, aliases=64, read=0.85)],
        kept=_kept, rank_share=lambda _, p, n: 1.0 if n == 0 or p == 0 else 0.004,
    )  # fmt: skip
    shop.moments_of = lambda s: [
        m for m in (Moment(_day(n / 24), 3600) for n in range(19 * 24))
        if _kept(m) and (s.sid != "PRD3" or m.start >= _day(14))
    ]  # fmt: skip
    whole = sum(v.weight for v in shop.members(1))

    def joined(m: Moment, s: System, v: Volume, w: Work) -> None:
        since = m.start >= _day(14)
        if s.sid == "PRD3" and not since:
            w.rate = 0.0
        elif v.lcu == 1 and m.within(9, 12):
            w.rate, w.hit, w.sequential, w.miss_ms = 2150 * v.weight / whole * s.share, 0.7, 0.0, 18.0 if since else 6.2

    shop.changes.append(joined)
    return Situation(
        "system_added", system_added.__doc__ or "", shop,
        must=(
            Say("one rank does 1100 reads a second", "XK983|0011|SK00|0001|0020", (BACK_END,)),
            Say("half of it is PRD3's, and new", "XK983|0011|SK00|0001|0020", (BACK_END, "PRD3")),
        ),
        must_not=(
            Say("the arms are full, not the pool", "0011|SK00", (), more_aliases=True),
            Say("the other box is well", "XK984|0010|SJ00", (), severity="act"),
            Say("30 % misses are random reads as before", ".", CACHE, severity="act"),
        ),
    )  # fmt: skip


@situation
def mirror_suspended() -> Situation:
    """Healthy. Two weeks; Metro Mirror costs each write 0.4 ms. It was suspended from the 9th to the 12th for work at
    the other site: no write was sent and none waited. For the hours of resynchronisation, the morning of the 12th,
    it was 3 ms. Since then it is 0.4 ms again.

    The three days without are no better state to go back to, and resynchronisation is over. Hits are as ever.
    """
    shop = Shop(
        MONDAY, 14 * 24, HOURLY, [Box("0000000XK985")],
        [Lcu("0010", 0x1000, "ZM", volumes=5, mirrored=True, read=0.6, rate=90, aliases=40),
         Lcu("0011", 0x1100, "ZN", volumes=3)],
        kept=_kept, mirrors=lambda m, c: c.mirrored and not _day(7) <= m.start < _day(10),
    )  # fmt: skip

    def copied(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            suspended = _day(7) <= m.start < _day(10)
            w.copy_ms = 0.0 if suspended else 3.0 if m.within(8, 12, _day(10).date()) else 0.4

    shop.changes.append(copied)
    return Situation(
        "mirror_suspended", mirror_suspended.__doc__ or "", shop,
        must_not=(
            Say("0.4 ms is what a mirror costs, and 3 ms are over", ".", (), severity="act", at_least="high"),
            Say("no write waited for NVS", ".", ("NVS (is )?(too )?(small|short|full)|wait(ed)? for NVS",),
                at_least="medium"),
            Say("hits are as ever", ".", CACHE),
            Say("disks are as ever", ".", (BACK_END,), severity="act"),
            Say("no I/O waits for exposures", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def zhyperlink_on() -> Situation:
    """Healthy. Two weeks; on the 9th zHyperLink is turned on for LCU 0011, and nine of ten reads that hit go over it.

    Normal I/O falls to a quarter: writes, and reads that miss as often as before. So its mean response doubles and
    its hit ratio falls to 66 %, while every single I/O takes what it took or far less.
    """
    shop = Shop(
        MONDAY, 14 * 24, HOURLY, [Box("0000000XK986", model="985", miss_ms=1.2)],
        [Lcu("0010", 0x1000, "YD", volumes=3), Lcu("0011", 0x1100, "YE", volumes=4, read=0.9, rate=800, aliases=24)],
        kept=_kept,
    )  # fmt: skip

    def turned_on(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            return
        w.hit, w.sequential = 0.95, 0.0
        if m.start >= _day(7):
            whole, hits, misses = w.rate, 0.9 * 0.95, 0.9 * 0.05
            left = 0.1 + misses + 0.1 * hits
            w.sync_rate, w.rate = whole * 0.9 * hits, whole * left
            w.read, w.hit = (misses + 0.1 * hits) / left, 0.1 * hits / (misses + 0.1 * hits)

    shop.changes.append(turned_on)
    return Situation(
        "zhyperlink_on", zhyperlink_on.__doc__ or "", shop,
        must_not=(
            Say("nothing is worse", ".", (), severity="act"),
            Say("what hits goes over zHyperLink, and no more reads miss than before", "YE00|0011|2011|XK986",
                ("hit|cache",), lacking="zHyperLink|synchronous", at_least="medium"),
            Say("it is read as much as before", "YE00", ("idle|unused",)),
            Say("no I/O waits", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def same_numbers() -> Situation:
    """PRD1 and PRD2 have I/O configurations of their own: LCU 0010, devices 1000 on, is another box on each of them.

    On PRD2 four aliases are there for twelve more I/Os each morning. The 16 of PRD1's LCU 0010 belong to a box that
    PRD2 has no path to.
    """
    shop = Shop(
        MONDAY, 3 * 24, [System("PRD1"), System("PRD2")],
        [Box("0000000XK988"), Box("0000000XK989", gathered_by="PRD2")],
        [Lcu("0010", 0x1000, "QR", volumes=4, rate=60, seen_by=("PRD1",)),
         Lcu("0010", 0x1000, "QS", volumes=4, rate=60, aliases=4, box=1, seen_by=("PRD2",))],
        kept=lambda m: 7 <= m.start.hour < 13,
    )  # fmt: skip

    def twelve(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD2" and v.volser in ("QS001", "QS003") and m.within(9, 12):
            w.requesters, w.hit = 7, 0.75

    shop.changes.append(twelve)
    return Situation(
        "same_numbers", same_numbers.__doc__ or "", shop,
        must=(Say("twelve asked, four there on PRD2", "PRD2", ("0010|QS00",), more_aliases=True),),
        must_not=(
            Say("PRD1's are in another box", "0010|QS00", ("PRD1",), more_aliases=True),
            Say("PRD1 lacks none", r"PRD1|QR00|XK988", (), more_aliases=True),
            Say("PRD1 is well", r"^(?!.*PRD2).*PRD1|QR00|XK988", (), severity="act"),
            Say("eight wait on PRD2", "0010.*PRD2|QS00", (), verdict="enough"),
            Say("eight wait on PRD2", "0010.*PRD2|QS00", (), verdict="wont_help"),
            Say("eight wait on PRD2", "0010.*PRD2|QS00", (), verdict="too_many"),
        ),
    )  # fmt: skip


@situation
def clocks_set_back() -> Situation:
    """Three days around 25 October 2026, when 3:00 becomes 2:00 again. Each night from 1 to 4 six programs use a
    volume with two exposures; that night it is four hours, two of them are called 2 o'clock.

    Four of six wait, in each hour, the doubled one too. Nothing ran twice and no other volume is concerned.
    """
    back = dt.datetime(2026, 10, 25, 3)
    systems = [System("PRD1", 1.0, 1800, offset_s=7200, set_back=back),
               System("PRD2", 0.5, 1800, offset_s=7200, set_back=back)]  # fmt: skip
    shop = Shop(
        dt.datetime(2026, 10, 24), 72, systems, [Box("0000000XK990")],
        [Lcu("0010", 0x1000, "TB", volumes=4, pav="static", exposures=2, rate=40),
         Lcu("0011", 0x1100, "TC", volumes=3)],
    )  # fmt: skip
    half_hours = [Moment(shop.start + dt.timedelta(minutes=30 * n), 1800) for n in range(144)]
    again = [Moment(m.start.replace(fold=1), 1800) for m in half_hours if m.within(2, 3, back.date())]
    first = half_hours.index(next(m for m in half_hours if m.start == back))
    shop.moments_of = lambda _: half_hours[:first] + again + half_hours[first:]

    def six(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "TB002" and s.sid == "PRD1" and m.within(1, 4):
            w.requesters, w.hit = 6, 0.75

    shop.changes.append(six)
    return Situation(
        "clocks_set_back", clocks_set_back.__doc__ or "", shop,
        must=(
            Say("four of six wait", "TB002", (), more_aliases=True),
            Say("the time is given, as the clock on the wall has it", "TB002", (r"\b0?[1-3]:\d\d",)),
        ),
        must_not=(
            Say("never more than six are outstanding", "TB002", (r"\b([7-9]|1\d)(\.\d+)? I/Os outstanding",)),
            Say("four wait", "TB002", (), verdict="enough"),
            Say("nothing ran twice", ".", ("twice|doubled|repeated|overlap",), severity="act"),
            Say("the others are well", "TB00[013]|0011|TC00", (), severity="act"),
            Say("the others are well", "TB00[013]|0011|TC00", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def relabelled() -> Situation:
    """Eleven days. On the 6th at noon volume OLD003 on 1003 is initialised anew as NEW003 for another application.

    Eight programs waited for its two exposures each morning, on OLD003. NEW003 has a tenth of the work and no queue.
    OLD003 isn't there any more: it is neither idle nor in want of aliases, and NEW003 has enough.
    """
    cut = _day(4.5)
    shop = Shop(
        MONDAY, 11 * 24, HOURLY, [Box("0000000XK987")],
        [Lcu("0010", 0x1000, "RL", volumes=4, pav="static", exposures=2, rate=30),
         Lcu("0011", 0x1100, "RM", volumes=3)], kept=lambda m: m.start.hour in (3, 8, 9, 10, 11, 15),
    )  # fmt: skip

    def renamed(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "RL003":
            w.volser = "OLD003" if m.start < cut else "NEW003"
            if s.sid == "PRD1" and m.start < cut and m.within(9, 12):
                w.requesters, w.hit = 8, 0.75

    shop.changes.append(renamed)
    return Situation(
        "relabelled", relabelled.__doc__ or "", shop,
        must=(Say("six of eight waited", "OLD003", ("wait|queue|IOSQ",)),),
        must_not=(
            Say("NEW003 has no queue", "NEW003", (), more_aliases=True),
            Say("it isn't there any more", "OLD003", (), more_aliases=True, lacking=OVER),
            Say("it isn't there any more", "OLD003", ("idle|unused",)),
            Say("it works", "NEW003", ("idle|unused",)),
            Say("the others are well", "RL00|0011|RM00", (), more_aliases=True),
        ),
    )  # fmt: skip
