"""Other systems' reserves."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import TUESDAY, aliases, heavy, no_aliases
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work


@situation
def reserve_by_a_system_seven_minutes_later() -> Situation:
    """PRD2 reserves SHR002 from 10:00 to 11:00, a job that runs on it; its intervals begin seven minutes later.

    PRD1 pends 12 ms there; no other volume and no other hour does.
    """

    def held(m: Moment, s: System, v: Volume, w: Work) -> None:
        middle = m.start + dt.timedelta(seconds=m.seconds / 2)
        if v.volser == "SHR002" and middle.hour == 10:
            w.rate = 60.0 if s.sid == "PRD1" else 40.0
            w.held_ms = 12.0 if s.sid == "PRD1" else 0.0
            w.reserved = 0.5 if s.sid == "PRD2" else 0.0

    def moments(s: System) -> list[Moment]:
        first = TUESDAY.replace(hour=9, minute=7 if s.sid == "PRD2" else 0)
        return [Moment(first + dt.timedelta(minutes=15 * n), 900) for n in range(8)]

    shop = Shop(
        TUESDAY.replace(hour=9), 2, [System("PRD1"), System("PRD2", share=0.6)], [Box("KD401", ranks=2)],
        [Lcu("0050", 0x5000, "SHR", volumes=6, aliases=16)], changes=[held], moments_of=moments,
    )  # fmt: skip
    return Situation(
        "reserve_by_a_system_seven_minutes_later",
        "PRD2 reserves a volume; its intervals start seven minutes after those of PRD1",
        shop,
        (
            Say("SHR002 is reserved by PRD2", "SHR002", (r"(?i)reserv", "PRD2")),
            Say("12 ms", "SHR002", (r"(?i)reserv",), figure=(r"(\d+\.?\d*) ms", 10.5, 13)),
        ),
        (no_aliases(r"0050|SHR0"),),
    )


@situation
def reserve_of_an_unread_system_and_a_shortage() -> Situation:
    """Two causes: SHR001 is reserved by TST9, which isn't read, 14:00-16:00; LCU 0051 is short of aliases at 10:30."""

    def both(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "SHR001":
            w.rate = 70.0
            if m.within(14, 16):
                w.held_ms = 8.0 if s.sid == "PRD1" else 0.0
                w.reserved = 0.4 if s.sid == "TST9" else 0.0
        if v.lcu == 1:
            heavy(m, s, v, w)
            w.rate *= 1.0 if s.sid == "PRD1" else 0.0

    lcus = [
        Lcu("0050", 0x5000, "SHR", volumes=6, aliases=16),
        Lcu("0051", 0x5100, "SHO", volumes=8, aliases=3, rate=760),
    ]
    systems = [System("PRD1"), System("TST9", share=0.2, read=False)]
    return Situation(
        "reserve_of_an_unread_system_and_a_shortage",
        "A system that isn't read reserves a volume; another LCU is short of aliases",
        Shop(TUESDAY, 24, systems, [Box("KD402", ranks=2)], lcus, changes=[both]),
        (
            Say("SHR001 is reserved by a system without data", "SHR001", (r"(?i)reserv", r"(?i)not |missing|unknown")),
            aliases("0051"),
        ),
        (no_aliases(r"0050|SHR0"),),
    )
