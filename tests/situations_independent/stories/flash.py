"""Boxes whose I/Os take some tenths of a millisecond: what is short elsewhere doubles them."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MIDNIGHT = dt.datetime(2026, 3, 4)


@situation
def flash_disconnects_for_longer() -> Situation:
    """From 6 to 12 each I/O disconnects 0.25 ms longer, hits and rate as before; at night most reads miss elsewhere."""

    def longer(m: Moment, _: System, v: Volume, w: Work) -> None:
        w.rate = 300.0
        w.disc_extra_ms = 0.25 if m.within(6, 12) and v.lcu == 0 else 0.0
        w.hit -= 0.9 if m.within(1, 3) and v.lcu == 1 else 0.0

    flash = Box("0000000XF101", miss_ms=0.3)
    shop = Shop(
        MIDNIGHT, 14, [System("PRD1")], [flash],
        [Lcu("0050", 0x5000, "FLA", aliases=8), Lcu("0051", 0x5100, "FLB", aliases=8)], changes=[longer],
    )  # fmt: skip
    return Situation(
        "flash_disconnects_for_longer", flash_disconnects_for_longer.__doc__ or "", shop,
        must=(Say("it doubles the response", "0050|FLA", ("disconnect", "06:00-12:00", "nor NVS")),),
        must_not=(Say("that is other work", "0051|FLB", ("Disconnect of",)),),
    )  # fmt: skip
