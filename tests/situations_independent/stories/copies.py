"""A copy that takes every alias it gets and moves no more for it."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

TUESDAY = dt.datetime(2026, 3, 3)
CUT = TUESDAY + dt.timedelta(hours=12)
NIGHT = (1.0, 5.0)


def _shop(conn_extra_ms: tuple[float, float], *lacks: str) -> Shop:
    """A copy of volume KC002 with 60 buffers; longer connects by so much with 24 aliases, and with 40."""
    shop = Shop(
        TUESDAY, 36, [System("PRD1")], [Box("0000000XK923", model="985", miss_ms=0.5)],
        [Lcu("0010", 0x1000, "KC", volumes=8, rate=60), Lcu("0011", 0x1100, "KD")],
        aliases_of=lambda m, _, c: 16 if c.number == "0011" else 24 if m.start < CUT else 40,
        jobs=[Job("DASDCOPY", "PRD1", "KC002", "PROD.WAREHOUSE.FACTS", lambda m: 1.0 if m.within(*NIGHT) else 0.0, 1.0,
                  0.99, 0.98)],
        lacks=frozenset(lacks),
    )  # fmt: skip

    def copy(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if not m.within(*NIGHT):
            return
        w.conn_extra_ms = 0.2
        if v.volser == "KC002":
            w.requesters, w.read, w.sequential, w.hit, w.block = 60, 1.0, 0.98, 0.98, 224_000.0
            w.conn_extra_ms = conn_extra_ms[m.start >= CUT]

    shop.changes.append(copy)
    return shop


NOT_STATED = (
    Say("40 did no more than 24", "0010|KC00", (), more_aliases=True, at_least="medium"),
    Say("it is a queue all the same", "0010|KC00", (), verdict="enough"),
    Say("the other LCU finds its aliases", "0011|KD00", (), more_aliases=True),
    Say("a copy is read once", ".", ("more cache|larger cache|cache (is )?too small",)),
    Say("the copy is PRD1's own", "5[0-3]", ("other (partition|LPAR)s?",), at_least="medium"),
)
NO_USE = (r"will not help|won't help|can't be \w+|cannot|may give nothing",)


@situation
def copy_fills_links() -> Situation:
    """A copy with 60 buffers takes what it gets: 13,400 reads of 224 KB a second are all that the box's links carry.

    In the first night the pool has 24 aliases, in the second 40. The copy moves as much in both; with 40 each of its
    reads takes 3.1 ms in place of 1.9. All others find an alias. More aliases lengthen the queue in the links.
    """
    return Situation(
        "copy_fills_links", copy_fills_links.__doc__ or "", _shop((1.07, 2.26)),
        must=(Say("the links are what limits it", "XK923|0010|KC00", ("link|host adapter|port",)),),
        must_not=NOT_STATED,
    )  # fmt: skip


@situation
def copy_without_74_8() -> Situation:
    """The same, but there is no 74.8 to say that links are full. It is enough that 16 more aliases brought nothing."""
    return Situation(
        "copy_without_74_8", copy_without_74_8.__doc__ or "", _shop((1.07, 2.26), "74.8"),
        must=(Say("the pool is full, and more is no use or is unknown", "0010|KC00", NO_USE),), must_not=NOT_STATED,
    )  # fmt: skip


@situation
def copy_fills_channels() -> Situation:
    """A copy of 26,000 reads of 224 KB a second fills four channels of 16 Gb/s; the box has links enough, but no 74.8.

    In the first night the pool has 24 aliases, in the second 40. The copy moves as much in both; with 40 each of its
    reads takes 1.6 ms in place of 1.0. Type 73 has the channels 94 % full, and all of it is PRD1's.
    """
    return Situation(
        "copy_fills_channels", copy_fills_channels.__doc__ or "", _shop((0.16, 0.78), "74.8"),
        must=(Say("the channels are what limits it", "5[0-3]|0010|KC00", ("channel",)),), must_not=NOT_STATED,
    )  # fmt: skip
