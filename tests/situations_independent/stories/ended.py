"""What ended with a change that the same lake shows: it is named, and nothing is left to do."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.phases import Phases
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

NOON = dt.datetime(2026, 3, 4, 12)
ONE = [System("PRD1")]


def _calm(why: str, about: str = ".") -> tuple[Say, ...]:
    """Nothing is urgent, or to be watched."""
    return tuple(Say(why, about, severity=severity) for severity in ("act", "watch"))


@situation
def missing_box_left_at_noon() -> Situation:
    """30 % of an LCU's reads miss until noon, those of another do not; then its volumes are in another box and hit."""

    def misses(m: Moment, _: System, v: Volume, w: Work) -> None:
        w.rate = 140.0
        if v.volser.startswith("GON") and m.start < NOON:
            w.hit = 0.7

    boxes = [Box("0000000XN101"), Box("0000000XN102")]
    stays = Lcu("0051", 0x5100, "STY", volumes=6)
    old = Lcu("0050", 0x5000, "GON", volumes=6)
    new = replace(old, number="0052", first=0x5200, box=1)
    before = Shop(NOON - dt.timedelta(hours=2), 2, ONE, boxes, [old, stays], changes=[misses])
    after = Shop(NOON, 2, ONE, boxes, [stays, new], changes=[misses])
    return Situation(
        "missing_box_left_at_noon", missing_box_left_at_noon.__doc__ or "", Phases((before, after)),
        must=(Say("what ended it is named", "XN101|2050", ("hit", "moved", "XN102")),),
        must_not=_calm("they are elsewhere and well", "XN10|0050|2050|GON"),
    )  # fmt: skip
