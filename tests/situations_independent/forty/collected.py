"""Records that are missing, or there twice."""

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import MONDAY, TUESDAY, aliases, heavy, no_aliases
from tests.situations_independent.phases import Phases
from tests.situations_independent.shop import Box, Lcu, Shop, System

ONE = [System("PRD1")]
SHORT = Lcu("0070", 0x7000, "PRA", volumes=8, aliases=3, rate=1120)


@situation
def nights_are_missing() -> Situation:
    """Dumps of the nights of five days were overwritten: 18:00 to 06:00 is missing each day; a pool is short by day.

    Mended after the first run: missing intervals are counted in the header of all advice, 192 here, not in a finding.
    """
    lcu = Lcu("0070", 0x7000, "PRA", volumes=5, aliases=2, rate=900)
    shop = Shop(MONDAY, 114, ONE, [Box("KF601", ranks=2)], [lcu], changes=[heavy])
    shop.kept = lambda m: 6 <= m.hour < 18
    return Situation(
        "nights_are_missing",
        "SMF data of the nights are missing; an LCU is short of aliases every day",
        shop,
        (aliases("0070"),),
    )


@situation
def no_queuing_records() -> Situation:
    """78.3 isn't collected. The volumes of a HyperPAV LCU queue 1 ms in the peak, and service is as short as ever.

    Mended: "type 78 subtype 3" names the record as well as 78.3.
    """
    shop = Shop(TUESDAY.replace(hour=9), 2, ONE, [Box("KF602", ranks=2)], [SHORT], changes=[heavy])
    shop.lacks = frozenset({"78.3"})
    return Situation(
        "no_queuing_records",
        "Volumes of a HyperPAV LCU queue, and type 78.3 is missing",
        shop,
        (
            Say("78.3 is missing", "", (r"78(\.| subtype )3",)),
            Say("I/Os queue", r"0070|PRA0", (r"(?i)IOSQ|queue|wait",), at_most="medium"),
        ),
    )


@situation
def overlapping_dumps() -> Situation:
    """Dumps of 00:00-14:00 and of 10:00-24:00 overlap by the morning peak; the hours there count once.

    The pool of 3 aliases is short at 10:30 and at 15:00.
    """
    box = [Box("KF603", ranks=2)]
    first = Shop(TUESDAY, 14, ONE, box, [SHORT], changes=[heavy])
    second = Shop(TUESDAY.replace(hour=10), 14, ONE, box, [SHORT], changes=[heavy])
    return Situation(
        "overlapping_dumps",
        "Two dumps hold the same four hours; the pool is short at two peaks of the day",
        Phases((first, second)),
        (aliases("0070"),),
        (no_aliases("PRA0", "the pool is one, not its volumes"),),
        once=(Say("one shortage, one finding", "0070", more_aliases=True),),
    )
