"""Words that stand for a cause, days, and what is changed in an hour."""

import datetime as dt

from tests.situations_independent.expected import Say
from tests.situations_independent.shop import Moment, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
TUESDAY = MONDAY + dt.timedelta(days=1)
DISKS = r"(?i)\b(rank|array|disks?|back.?end|extent pool|disconnect)"
MIRROR = r"(?i)mirror|remote.?cop|replicat|pprc|copy (wait|link)|secondary"


def no_aliases(about: str, why: str = "aliases do not cure it") -> Say:
    """Nothing asks for aliases there."""
    return Say(why, about, more_aliases=True)


def no_act(about: str, why: str) -> Say:
    """Nothing is urgent there."""
    return Say(why, about, severity="act")


def aliases(about: str, why: str = "the pool is too small at a normal service time") -> Say:
    """Aliases are asked for, as something to do."""
    return Say(why, about, more_aliases=True, severity="act")


def heavy(_: Moment, __: System, ___: Volume, w: Work) -> None:
    """Prefetch of a database: 90 KB per I/O, and 85 % of the reads hit."""
    w.block, w.hit = 90000.0, 0.85
