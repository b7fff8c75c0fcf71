"""What was changed during the span: aliases given or taken, work that grew, moved or ended."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import SATURDAY, Box, Job, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
TWO_WEEKS, THREE_WEEKS = MONDAY + dt.timedelta(days=14), MONDAY + dt.timedelta(days=21)
OVER = r"\b(since|until|no longer|already|last|ended|over)\b"
HOURLY = [System("PRD1", interval_s=3600), System("PRD2", share=0.4, interval_s=3600)]
DISKS, SEEK_MS = 7, 6.0


def _kept(m: Moment) -> bool:
    """A night hour and four of the day, enough to see what changes."""
    return m.start.hour in (3, 9, 10, 11, 15)


def _morning(m: Moment) -> bool:
    return m.within(9, 12) and m.weekday < SATURDAY


@situation
def aliases_given_already() -> Situation:
    """Four weeks. HA002 has one alias and four programs each morning, two of them wait; on the 23rd it gets two more.

    Since then all four are served, the rate has doubled and no I/O waits. It was cured a week ago.
    """
    shop = Shop(
        MONDAY, 28 * 24, HOURLY, [Box("0000000XK971")],
        [Lcu("0010", 0x1000, "HA", volumes=4, pav="static", exposures=2, rate=40),
         Lcu("0011", 0x1100, "HB", volumes=3)], kept=_kept,
    )  # fmt: skip

    def four(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "HA002":
            w.exposures = 2 if m.start < THREE_WEEKS else 4
            if s.sid == "PRD1" and _morning(m):
                w.requesters, w.hit = 4, 0.75

    shop.changes.append(four)
    return Situation(
        "aliases_given_already", aliases_given_already.__doc__ or "", shop,
        must_not=(
            Say("it has them, and no I/O waits any more", "HA002|0010", (), more_aliases=True),
            Say("it is cured", "HA002|0010", (), severity="act", lacking=OVER),
            Say("two more have doubled the rate", "HA002", (), verdict="wont_help"),
            Say("all four are at work each morning", "HA002", (), verdict="too_many"),
            Say("LCU 0011 is well", "0011|HB00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def aliases_no_gain() -> Situation:
    """Four weeks. The six volumes of LCU 0011 lie on one rank of seven arms; ten programs each read at random by night.

    Three arms of four were at work behind four exposures each; since the 16th there are eight, and reads wait in the
    rank rather than in z/OS: 11 % more I/Os, each in nearly twice the time. Two of ten still wait for an exposure.
    """
    shop = Shop(
        MONDAY, 28 * 24, HOURLY, [Box("0000000XK972")],
        [Lcu("0010", 0x1000, "VN", volumes=3, aliases=24),
         Lcu("0011", 0x1100, "VO", pav="static", exposures=4, rate=30)],
        kept=lambda m: m.start.hour in (2, 3, 10, 15), rank_share=lambda _, p, n: 1.0 if n == 0 or p == 0 else 0.004,
    )  # fmt: skip

    def ten(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            return
        w.exposures = 4 if m.start < TWO_WEEKS else 8
        if not m.within(2, 4):
            return
        at_once = 6 * w.exposures * 0.97
        w.miss_ms = SEEK_MS * (at_once + DISKS - 1) / DISKS  # arms that are visited at random
        if s.sid == "PRD1":
            w.requesters, w.read, w.hit, w.sequential = 10, 0.97, 0.4, 0.0
        else:
            w.rate = 0.0

    shop.changes.append(ten)
    return Situation(
        "aliases_no_gain", aliases_no_gain.__doc__ or "", shop,
        must=(Say("reads wait for the arms of one rank", "XK972|0011|VO00|0001|0020",
                  ("rank|extent pool|array|back.?end|disks|arms",)),),
        must_not=(
            Say("twice as many gave a ninth", "VO00|0011", (), more_aliases=True, at_least="medium"),
            Say("two of ten wait", "VO00|0011", (), verdict="enough"),
            Say("LCU 0010 is well", "0010|VN00", (), severity="act"),
        ),
        later=(
            Say("there are seven, and what they gave was measured", "VO00|0011", (r"\bnow 3\b|measure once",)),
        ),
    )  # fmt: skip


@situation
def pool_raised() -> Situation:
    """Four weeks. Each morning twelve programs use two volumes; the pool has four aliases, and since the 16th 24.

    Six of twelve waited for two weeks; now none does, and the rate has doubled. Ten aliases are in use each morning.
    """
    shop = Shop(
        MONDAY, 28 * 24, HOURLY, [Box("0000000XK973")],
        [Lcu("0010", 0x1000, "PR", volumes=4, rate=40), Lcu("0011", 0x1100, "PS", volumes=3)], kept=_kept,
        aliases_of=lambda m, _, c: c.aliases if c.number == "0011" else 4 if m.start < TWO_WEEKS else 24,
    )  # fmt: skip

    def twelve(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD1" and v.volser in ("PR001", "PR003") and _morning(m):
            w.requesters, w.hit = 6, 0.75

    shop.changes.append(twelve)
    return Situation(
        "pool_raised", pool_raised.__doc__ or "", shop,
        must_not=(
            Say("it has 24, and no I/O waits any more", "0010|PR00", (), more_aliases=True),
            Say("it is cured", "0010|PR00", (), severity="act", lacking=OVER),
            Say("20 more have doubled the rate", "0010|PR00", (), verdict="wont_help"),
            Say("four were too few", "0010|PR00", (r"\bto [0-4] (HyperPAV )?alias",)),
            Say("LCU 0011 is well", "0011|PS00", (), severity="act"),
        ),
        later=(Say("measured on ten mornings since", "0010|PR00", ("can\'t be \\w+|measure the same work",)),),
    )  # fmt: skip


@situation
def pool_cut() -> Situation:
    """Four weeks. Fourteen programs use two volumes each morning. The pool had 24 aliases; since the 16th it has six.

    Somebody activated an old I/O configuration. No I/O waited before; since then six of fourteen wait, and half the
    rate is gone.
    """
    shop = Shop(
        MONDAY, 28 * 24, HOURLY, [Box("0000000XK974")],
        [Lcu("0010", 0x1000, "LC", volumes=4, rate=40), Lcu("0011", 0x1100, "LE", volumes=3)], kept=_kept,
        aliases_of=lambda m, _, c: c.aliases if c.number == "0011" else 24 if m.start < TWO_WEEKS else 6,
    )  # fmt: skip

    def fourteen(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD1" and v.volser in ("LC001", "LC003") and _morning(m):
            w.requesters, w.hit = 7, 0.75

    shop.changes.append(fourteen)
    return Situation(
        "pool_cut", pool_cut.__doc__ or "", shop,
        must=(
            Say("twelve asked, six there", "0010|LC00", (), more_aliases=True),
            Say("it had 24, and lost them", "0010|LC00", (r"(?<![-:])\b24 (HyperPAV )?alias|(from|of|had|were) 24\b",)),
        ),
        must_not=(
            Say("six of fourteen wait", "0010|LC00", (), verdict="enough"),
            Say("six of fourteen wait", "0010|LC00", (), verdict="too_many"),
            Say("with 24 they did twice as much", "0010|LC00", (), verdict="wont_help"),
            Say("LCU 0011 is well", "0011|LE00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def grown_into_wait() -> Situation:
    """Five weeks. Four volumes do 3600 I/Os a second each at 10, and 3 % more each day; the pool has six aliases.

    For three weeks they are enough. In the last days all six are in use and up to 18 I/Os wait at any moment, longer
    than they are served. It will not become less.
    """
    shop = Shop(
        MONDAY, 33 * 24, HOURLY, [Box("0000000XK975", model="985", miss_ms=1.0)],
        [Lcu("0010", 0x1000, "GW", volumes=4, aliases=6, rate=40), Lcu("0011", 0x1100, "GX", volumes=3)], kept=_kept,
    )  # fmt: skip

    def growing(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and s.sid == "PRD1" and _morning(m):
            w.rate, w.hit = 3600.0 * 1.03 ** (m.start - MONDAY).days, 0.97

    shop.changes.append(growing)
    return Situation(
        "grown_into_wait", grown_into_wait.__doc__ or "", shop,
        must=(Say("all six are in use, and I/Os wait", "0010|GW00", (), more_aliases=True),),
        must_not=(
            Say("they were enough last month", "0010|GW00", (), verdict="enough"),
            Say("they were enough last month", "0010|GW00", (), verdict="too_many"),
            Say("box, channels and disks are at ease", "0010|GW00", (), verdict="wont_help"),
            Say("LCU 0011 is well", "0011|GX00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def batch_ended() -> Situation:
    """Five weeks. For the first two a conversion ran each night with eight tasks on EN003, which has two exposures.

    It was done on 15 March; the volume has had a little online work since. It must report that six waited; whether it
    matters depends on whether the conversion comes back, so it has to be reported when it was.
    """
    shop = Shop(
        MONDAY, 35 * 24, HOURLY, [Box("0000000XK976")],
        [Lcu("0010", 0x1000, "EN", volumes=4, pav="static", exposures=2, rate=30),
         Lcu("0011", 0x1100, "EO", volumes=3)],
        kept=lambda m: m.start.hour in (2, 3, 10, 15),
    )  # fmt: skip

    def conversion(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "EN003" and s.sid == "PRD1" and m.start < TWO_WEEKS and m.within(2, 4):
            w.requesters, w.hit = 8, 0.75

    shop.changes.append(conversion)
    when = OVER + r"|2026-03-(0\d|1[0-5])|\b\d\d? March"
    return Situation(
        "batch_ended", batch_ended.__doc__ or "", shop,
        must=(Say("six of eight waited", "EN003", ("wait|queue|IOSQ",)),),
        must_not=(
            Say("three weeks without", "EN003", (), more_aliases=True, lacking=when),
            Say("six waited", "EN003", (), verdict="too_many"),
            Say("it is in use", "EN00", ("idle|unused",)),
            Say("the others are well", "EN00[0-2]|0011|EO00", (), more_aliases=True),
        ),
        later=(
            Say("when it was worst doesn't show that it is over", "EN003", (), more_aliases=True, severity="act",
                lacking=OVER),
        ),
    )  # fmt: skip


@situation
def job_moved_to_day() -> Situation:
    """Four weeks. A job with eight tasks on JD002 ran from 2 to 4; since the 16th it runs from 9 to 11, working days.

    Six of eight wait, then as now. A reader of the night's finding only looks at the wrong hours.
    """
    shop = Shop(
        MONDAY, 28 * 24, HOURLY, [Box("0000000XK977")],
        [Lcu("0010", 0x1000, "JD", volumes=4, pav="static", exposures=2, rate=30),
         Lcu("0011", 0x1100, "JE", volumes=3)],
        kept=lambda m: m.start.hour in (2, 3, 9, 10, 15),
        jobs=[Job("BILLING", "PRD1", "JD002", "PROD.BILLING.MASTER", lambda m: 0.95 * _billing(m))],
    )  # fmt: skip

    def eight(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "JD002" and s.sid == "PRD1" and _billing(m):
            w.requesters, w.hit = 8, 0.75

    shop.changes.append(eight)
    day = r"\b(0?9|10|11):\d\d"
    return Situation(
        "job_moved_to_day", job_moved_to_day.__doc__ or "", shop,
        must=(
            Say("six of eight wait", "JD002", (), more_aliases=True),
            Say("it is by day now", "JD002", (day,)),
            Say("42.6 names the job", "JD002", ("BILLING",)),
        ),
        must_not=(
            Say("it is by day now", "JD002", (r"\b0?[234]:\d\d",), more_aliases=True, lacking=day),
            Say("six wait", "JD002", (), verdict="enough"),
            Say("six wait", "JD002", (), verdict="wont_help"),
        ),
    )  # fmt: skip


def _billing(m: Moment) -> bool:
    """Whether the job runs, by its old hours or by its new ones."""
    begin = 2 if m.start < TWO_WEEKS else 9
    return m.within(begin, begin + 2) and m.weekday < SATURDAY
