"""Where exposures and aliases are short, or only look so."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
BOX = Box("0000000XK901", miss_ms=6.0)
NO_ADDRESS = "256|no (room|address)|address(es)? (is|are)? ?(full|left)|SuperPAV|larger volumes|fewer"


@situation
def hot_data_set() -> Situation:
    """One index is 80 % of the I/O of a volume with a base and one alias; ten tasks ask for it from 10 to 11:30.

    Two are served at a time and eight wait, so IOSQ is four times the service time. The service itself is good. A
    queue is to be seen, and 42.6 says whose it is.
    """
    shop = Shop(
        MONDAY + dt.timedelta(days=1), 24, [System("PRD1"), System("PRD2", share=0.5)], [BOX],
        [Lcu("0010", 0x1000, "DA"), Lcu("0011", 0x1100, "DD", pav="static", exposures=2, rate=40)],
        jobs=[Job("LEDGERU", "PRD1", "DD001", "PROD.LEDGER.INDEX", lambda m: 0.8 if m.within(10, 11.5) else 0.1)],
    )  # fmt: skip

    def ten_tasks(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "DD001" and s.sid == "PRD1" and m.within(10, 11.5):
            w.requesters, w.hit = 10, 0.75

    shop.changes.append(ten_tasks)
    return Situation(
        "hot_data_set", hot_data_set.__doc__ or "", shop,
        must=(
            Say("eight I/Os wait for one of two exposures", "DD001", ("alias|HyperPAV|exposure",), more_aliases=True),
            Say("42.6 names the data set or its job", "DD001", ("LEDGER",)),
        ),
        must_not=(
            Say("DD001 has a queue of 8", "DD001", (), verdict="enough"),
            Say("nothing is wrong in the HyperPAV LCU", "^.*(DA00|0010)", (), more_aliases=True),
            Say("nothing is idle", ".", ("idle",)),
        ),
    )  # fmt: skip


@situation
def month_end_hour() -> Situation:
    """Thirty-five days; a volume with four exposures is asked by sixteen tasks in one hour: the evening of 31
    March. On all other days it does a few I/Os. The close of the month has to be done in that hour.
    """
    end = dt.date(2026, 3, 31)
    shop = Shop(
        MONDAY, 35 * 24, [System("PRD1", interval_s=3600), System("PRD2", share=0.4, interval_s=3600)], [BOX],
        [Lcu("0010", 0x1000, "EA", volumes=4), Lcu("0011", 0x1100, "EE", volumes=6, pav="static", rate=60)],
        kept=lambda m: 8 <= m.start.hour < 22,
    )  # fmt: skip

    def close_of_month(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "EE004" and s.sid == "PRD1" and m.start.date() == end and m.start.hour == 20:
            w.requesters, w.hit = 16, 0.72

    shop.changes.append(close_of_month)
    return Situation(
        "month_end_hour", month_end_hour.__doc__ or "", shop,
        must=(Say("twelve I/Os wait in the hour that counts", "EE004", (), more_aliases=True),),
        must_not=(
            Say("the month's end needs them all", "EE004", (), verdict="enough"),
            Say("the month's end needs them all", "EE004", (), verdict="too_many"),
            Say("it is not idle", "EE004", ("idle",)),
        ),
        later=(
            Say("service is longer because more reads miss, so a fifth exposure fills nothing", "EE004",
                ("more than that add less",)),
        ),
    )  # fmt: skip


@situation
def addresses_full() -> Situation:
    """An LCU of 248 bases and 8 HyperPAV aliases: 256 addresses, no room for more. From 10 to 11 the pool is dry.

    The cure is not a number of aliases: bases have to go elsewhere (larger volumes, another LCU), or SuperPAV lets the
    LCU borrow.
    """
    shop = Shop(
        dt.datetime(2026, 3, 4, 9), 3, [System("PRD1")], [BOX],
        [Lcu("0010", 0x1000, "FA", volumes=248, aliases=8, rate=3), Lcu("0011", 0x1200, "FB", volumes=12)],
    )  # fmt: skip

    def many_tasks(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and int(v.volser[2:]) < 3 and m.within(10, 11):
            w.requesters, w.hit = 6, 0.72

    shop.changes.append(many_tasks)
    return Situation(
        "addresses_full", addresses_full.__doc__ or "", shop,
        must=(
            Say("15 are asked for, 8 there", "0010", ("alias|HyperPAV",)),
            Say("there is no address left", "0010", (NO_ADDRESS,)),
        ),
        must_not=(
            Say("the pool is dry", "0010", (), verdict="enough"),
            Say("the pool is dry", "0010", (), verdict="too_many"),
            Say("define aliases, and not a word about addresses", "0010", (), more_aliases=True,
                lacking="256|address|SuperPAV|larger volumes"),
        ),
    )  # fmt: skip


@situation
def wlm_moves_aliases() -> Situation:
    """Static aliases under WLM (dynamic PAV), two systems. WLM of PRD2 takes four exposures of FF000 for FF005.

    Aliases are bound in the control unit, so PRD1 loses them too: from 9 to 11 FF000 has two where it needs five. On
    PRD1 FF005 seems to have far too many; PRD2 needs all of them. HyperPAV ends this.
    """
    shop = Shop(
        dt.datetime(2026, 3, 5), 24, [System("PRD1"), System("PRD2")], [BOX],
        [Lcu("0010", 0x1000, "FF", volumes=6, pav="static", exposures=6, rate=80)],
    )  # fmt: skip

    def stolen(m: Moment, s: System, v: Volume, w: Work) -> None:
        if not m.within(9, 11):
            return
        w.alias_moved = v.volser in ("FF000", "FF005")
        if v.volser == "FF000":
            w.exposures = 2
            if s.sid == "PRD1":
                w.requesters, w.hit = 6, 0.72
        if v.volser == "FF005":
            w.exposures = 10
            if s.sid == "PRD2":
                w.requesters, w.hit = 11, 0.72
            else:
                w.rate = 2.0

    shop.changes.append(stolen)
    return Situation(
        "wlm_moves_aliases", wlm_moves_aliases.__doc__ or "", shop,
        must=(Say("four of six wait on PRD1", "FF000", ("alias|HyperPAV|WLM",)),),
        must_not=(
            Say("PRD2 needs them", "FF005", (), verdict="too_many"),
            Say("four wait", "FF000", (), verdict="enough"),
            Say("four wait", "FF000", (), verdict="too_many"),
        ),
        later=(Say("FF005 does five times as much with ten at the same service", "FF000", (), verdict="wont_help"),),
    )  # fmt: skip


@situation
def pool_uneven() -> Situation:
    """Three days, a pool of 20 aliases. PRD1 never uses more than two; on PRD2 the afternoon's batch has 18 at once.

    Aliases of a pool are there for both. Who looks at PRD1 alone calls the pool ten times too large.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3), 72, [System("PRD1"), System("PRD2", interval_s=900)], [BOX],
        [Lcu("0013", 0x1300, "GA", volumes=8, aliases=20, rate=60)],
    )  # fmt: skip

    def batch(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD2" and m.within(14, 16) and v.volser in ("GA000", "GA001"):
            w.requesters, w.hit = 10, 0.72

    shop.changes.append(batch)
    return Situation(
        "pool_uneven", pool_uneven.__doc__ or "", shop,
        must_not=(
            Say("PRD2 uses 18 of 20", "0013|GA00", ("too (many|large)|give back|take away|fewer aliases|remove",)),
            Say("PRD2 uses 18 of 20", "0013|GA00", (), verdict="too_many"),
            Say("no I/O waits", "0013|GA00", (), more_aliases=True, severity="act"),
        ),
    )  # fmt: skip


@situation
def dry_without_78() -> Situation:
    """A HyperPAV pool of 8 is dry from 10 to 11:30 and I/Os wait; type 78.3 was not collected.

    The IOSQ of HyperPAV volumes says that aliases were short. How many there were is in 74.1 (SMF74HPC); how many were
    in use and how often one was refused only 78.3 has, and the advice should say so.
    """
    shop = Shop(
        dt.datetime(2026, 3, 4, 6), 12, [System("PRD1"), System("PRD2", share=0.5)], [BOX],
        [Lcu("0010", 0x1000, "HA", volumes=8, aliases=8), Lcu("0011", 0x1100, "HB", volumes=6)],
        lacks=frozenset({"78.3"}),
    )  # fmt: skip

    def rush(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD1" and v.volser in ("HA001", "HA002", "HA005") and m.within(10, 11.5):
            w.requesters, w.hit = 8, 0.72

    shop.changes.append(rush)
    return Situation(
        "dry_without_78", dry_without_78.__doc__ or "", shop,
        must=(Say("21 asked, 8 there; and 78.3 is missing", "0010|HA00", ("78",), at_most="medium"),),
        must_not=(
            Say("I/Os wait", "0010|HA00", (), verdict="enough"),
            Say("I/Os wait", "0010|HA00", (), verdict="too_many"),
            Say("more aliases help here", "0010|HA00", (), verdict="wont_help"),
        ),
    )  # fmt: skip


@situation
def two_troubles_three_clocks() -> Situation:
    """Three systems with intervals of 1, 5 and 15 minutes, three hours.

    For six minutes from 10:04 twenty tasks of PRD1 find a pool of 8 aliases, and from 11:30 a query of PRD3 reads
    another pool's only busy rank at 30 ms. Both are to be found, each with its own cure.
    """
    shop = Shop(
        dt.datetime(2026, 3, 4, 9, 30), 3,
        [System("PRD1", interval_s=60), System("PRD2", interval_s=300), System("PRD3", interval_s=900)],
        [Box("0000000XK901", gathered_by="PRD3", miss_ms=6.0)],
        [Lcu("0010", 0x1000, "KA", volumes=4, aliases=8), Lcu("0011", 0x1100, "KB", volumes=4, aliases=40)],
        rank_share=lambda _, p, n: 1.0 if n == 0 or p == 0 else 0.004,
    )  # fmt: skip

    def both(m: Moment, s: System, v: Volume, w: Work) -> None:
        minute = (m.hour - 10) * 60
        if s.sid == "PRD1" and v.volser == "KA002" and 4 <= minute < 10:
            w.requesters, w.hit = 20, 0.72
        if v.lcu == 1 and m.hour >= 11.5:
            w.miss_ms = 30
            if s.sid == "PRD3":
                w.rate, w.hit, w.read = 260.0, 0.5, 0.9

    shop.changes.append(both)
    return Situation(
        "two_troubles_three_clocks", two_troubles_three_clocks.__doc__ or "", shop,
        must=(
            Say("twelve of twenty wait", "0010|KA002", ("alias",), more_aliases=True),
            Say("a rank answers in 30 ms", "0020|0011|KB00|0001", ("rank|extent pool|array|back.?end|disks",)),
        ),
        must_not=(
            Say("the rank is slow, not the pool dry", "0011|KB00", (), more_aliases=True),
            Say("twelve wait", "0010|KA002", (), verdict="enough"),
        ),
        later=(Say("20 are outstanding and 12 wait, each minute", "0010", (r"\b122 I/Os|\b66 wait",)),),
    )  # fmt: skip
