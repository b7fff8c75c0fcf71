"""Where the time goes in the box."""

import datetime as dt
import math

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

TUESDAY = dt.datetime(2026, 3, 3)


@situation
def copy_distance() -> Situation:
    """Metro Mirror over 100 km, five days. Every write waits 2.4 ms for the second box; read hits are 98 %.

    The links to the secondary say 2.4 ms per send. NVS is never short, ranks and channels are at ease. It has always
    been so; the answer is distance, or writing less often, not cache and not aliases.
    """
    shop = Shop(
        TUESDAY - dt.timedelta(days=1), 5 * 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK901")],
        [Lcu("0010", 0x1000, "BA", mirrored=True, read=0.55), Lcu("0011", 0x1100, "BB", mirrored=True, read=0.6)],
        kept=lambda m: 8 <= m.start.hour < 18,
    )  # fmt: skip

    def far(_m: Moment, _s: System, _v: Volume, w: Work) -> None:
        w.copy_ms, w.hit = 2.4, 0.98

    shop.changes.append(far)
    return Situation(
        "copy_distance", copy_distance.__doc__ or "", shop,
        must=(Say("writes wait for the second box", "XK901|0010|0011|BA|BB",
                  ("replicat|remote copy|mirror|PPRC|second box|secondary",)),),
        must_not=(
            Say("hits are 98 %", ".", ("more cache|larger cache|cache (is )?too small",)),
            Say("no I/O waits for an exposure", ".", (), more_aliases=True),
            Say("NVS takes every write", ".", ("NVS (is|was) full|more NVS",)),
        ),
    )  # fmt: skip


@situation
def saturated_rank() -> Situation:
    """An extent pool without striping: the volumes of LCU 0012 live on one rank of eight disks.

    From 9 to 12 queries read 20 % of their data past the cache; the rank does 700 reads and its destages a second and
    takes 32 ms for a read where it takes 5. Other pools of the box are well. The aliases suffice.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.6)], [Box("0000000XK902", miss_ms=5.0)],
        [Lcu("0010", 0x1000, "CA"), Lcu("0012", 0x1200, "CC", rate=110, aliases=64)],
        rank_share=lambda _, p, n: 1.0 if p == 0 or n == 0 else 0.004,
    )  # fmt: skip

    def queries(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 1 and m.within(9, 12):
            w.hit, w.miss_ms, w.read = 0.66, 32.0, 0.85
            w.rate = 240 * v.weight * s.share

    shop.changes.append(queries)
    return Situation(
        "saturated_rank", saturated_rank.__doc__ or "", shop,
        must=(Say("one rank does it all at 32 ms", "0001|0020|0012|CC00",
                  ("rank|extent pool|array|disks are|spread|rebalance|back.?end",)),),
        must_not=(
            Say("the aliases suffice", "0012|CC00", (), more_aliases=True),
            Say("the other pool is well", "0010|CA00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def box_ceiling() -> Situation:
    """An old box that completes 6000 I/Os a second and no more; three hours of 5-minute intervals, load rising to 9000.

    Above the ceiling the rate stays and all parts of the service grow, with hits as high as ever and channels a third
    busy. Static aliases fill up behind it, and more of them would only move the queue into the box.
    """
    shop = Shop(
        TUESDAY + dt.timedelta(hours=9), 3, [System("PRD1", interval_s=300), System("PRD2", interval_s=300)],
        [Box("0000000XOLD1", model="800", miss_ms=7.0, cache_gb=32, nvs_gb=2)],
        [Lcu(f"001{n}", 0x1000 + 256 * n, f"O{'ABCD'[n]}", volumes=8, box=0, pav="static", exposures=2, rate=1)
         for n in range(4)],
    )  # fmt: skip
    whole = sum(v.weight for v in shop.volumes) * 2

    def full(m: Moment, _s: System, v: Volume, w: Work) -> None:
        asked = 1500 + (m.hour - 9) * 2600
        over = max(asked - 5445, 0)
        done = asked - over + 555 * (1 - math.exp(-over / 800))
        # beyond the knee programs that find no room in the box wait in it
        line = done / 6050 / (1 - done / 6050) if not over else 9 + over / 100
        w.rate, w.hit, w.miss_ms = done * v.weight / whole, 0.96, 7.0
        w.cmr_ms, w.conn_extra_ms, w.disc_extra_ms = 0.15 + 0.02 * line, 0.05 + 0.03 * line, 0.08 * line

    shop.changes.append(full)
    return Situation(
        "box_ceiling", box_ceiling.__doc__ or "", shop,
        must=(Say("rate stands still and time grows", "XOLD1|001[0-3]",
                  ("ceiling|saturat|limit|at most|no more than|control unit|reached what|capacity",)),),
        must_not=(
            Say("the box is full", "XOLD1|O[ABCD]0|001", (), more_aliases=True, at_least="medium"),
            Say("hits are 96 %", "XOLD1|O[ABCD]0|001", ("more cache|cache (is )?too small",), severity="act"),
        ),
        later=(Say("the box is full, no link is ill", "001[0-3]", ("director or its links",), severity="act"),),
    )  # fmt: skip


@situation
def nvs_flood() -> Situation:
    """A nightly load writes 300 MB/s sequentially from 2 to 4 to a box with 2 GB NVS; a third of all writes wait 25 ms.

    It is the box's NVS, so online volumes of another LCU wait as well. The load is to be slowed, spread or moved, or
    the box needs more NVS and disks; aliases have no part in it.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.7)], [Box("0000000XK903", nvs_gb=2)],
        [Lcu("0010", 0x1000, "NA", rate=90, aliases=40), Lcu("0011", 0x1100, "NB", rate=70, aliases=40)],
        jobs=[Job("DBLOAD01", "PRD1", "NB003", "PROD.DB.LOAD.OUT", lambda m: 0.97 if m.within(2, 4) else 0.0, 0.1,
                  0.9, 0.95)],
    )  # fmt: skip

    def load(m: Moment, s: System, v: Volume, w: Work) -> None:
        if not m.within(2, 4):
            return
        w.nvs_ratio, w.miss_ms = 0.33, 10.0
        if v.volser == "NB003" and s.sid == "PRD1":
            w.requesters, w.read, w.sequential, w.block = 24, 0.08, 0.95, 112_000.0

    shop.changes.append(load)
    return Situation(
        "nvs_flood", nvs_flood.__doc__ or "", shop,
        must=(
            Say("a third of the writes wait for NVS", "XK903|201[01]|001[01]|N[AB]00", ("NVS",)),
            Say("a sequential load floods it", "XK903|201[01]|001[01]|N[AB]00", ("sequential|DBLOAD01|NB003",)),
        ),
        must_not=(
            Say("aliases do not empty NVS", "NA00|0010", (), more_aliases=True),
            Say("they share a box, not an idle one", ".", ("idle",)),
        ),
    )  # fmt: skip


@situation
def random_reader() -> Situation:
    """From 9 to 11 a job reads a data set at random on PP002 and misses four of five times; the others hit as before.

    The volume's hit ratio falls from 96 to 61 %. More cache would not hold what is read once; 42.6 says whose reads
    they are.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.6)], [Box("0000000XK904")],
        [Lcu("0010", 0x1000, "PP", rate=130, aliases=32)],
        jobs=[
            Job("ADHOC1", "PRD1", "PP002", "USER.ADHOC.HISTORY", lambda m: 0.55 if m.within(9, 11) else 0.0, 1.0, 0.2,
                disc_ms=3.2),
            Job("CICSPA", "PRD1", "PP002", "PROD.CICS.MASTER", lambda _: 0.3, 0.75, 0.96, disc_ms=0.12),
        ],
    )  # fmt: skip

    def reads(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "PP002" and s.sid == "PRD1" and m.within(9, 11):
            w.rate, w.hit, w.read, w.sequential = 420.0, 0.5, 0.88, 0.0

    shop.changes.append(reads)
    return Situation(
        "random_reader", random_reader.__doc__ or "", shop,
        must=(Say("the job that misses", "PP002|0010|XK904", ("ADHOC",)),),
        must_not=(
            Say("one job misses", ".", ("cache is too small|buy (more )?cache|larger cache",), lacking="ADHOC"),
            Say("aliases suffice", ".", (), more_aliases=True),
        ),
    )  # fmt: skip
