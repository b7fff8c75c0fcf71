"""A load that grows from day to day is stated in findings about load."""

import datetime as dt
from collections.abc import Sequence

import pytest
from advise_rows import at, database, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.causes import LIMITS
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.growth import named
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import Subject, lcus
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.sql.questions import ask

RULES = {r.code: r for r in all_rules()}
RISING = (100.0, 110.0, 120.0, 130.0, 140.0)


def details(
    rates: Sequence[float], code: str = "queue", *, nights: Sequence[float] = (), hours: int = 1, hits: float = 0.0,
    waits: Sequence[float] = (), first: int = 0,
) -> str:  # fmt: skip
    """Of a finding about the last day's first hours; two volumes do these rates by day, and those of `nights` later.

    `hits` is what their read hit ratio changes by from day to day, `waits` the wait on each. `first`: the day on which
    the trouble began.
    """
    rows = [
        volume(96 * day + n + hour, name, rate=rate, wait=waits[day] if waits and not hour else 0.0)
        | {"read_ratio": 0.5, "read_hit_ratio": 0.97 + hits * day}
        for hour, each in ((0, rates), (48, nights))
        for day, rate in enumerate(each) for n in range(4) for name in ("VOL001", "VOL002")
    ]  # fmt: skip
    start = at(96 * (len(rates) - 1)) + dt.timedelta(hours=1)
    when = Episode(start, start + dt.timedelta(hours=hours), 4, 1, first=at(96 * first))
    f = Finding("act", lcus(["0010"], "SYSA"), "It waits", "", (), "", 1.0, code=code, when=when)
    with database(volume_interval=rows) as con:
        places = Places(ask(con, RULES["volumes_moved"].question).to_pylist())
        return named(con, [f], {"queue": "I/Os", "miss": "disconnect"}, places, LIMITS.limits(), len(rates))[0].details


def test_a_load_that_grows_is_stated_from_the_first_day_to_the_last() -> None:
    grown = "The load grows: 200 I/Os per s at these hours on 2026-03-02, 280 on 2026-03-06"
    assert details(RISING) == details(RISING, nights=(900.0,) * 5) == grown
    assert details((100.0, 120.0, 110.0, 130.0, 140.0)) == grown, "a day that falls a little behind"
    assert details(RISING, hours=30) == grown, "no day before the first"


@pytest.mark.parametrize(
    "rates",
    [
        RISING[1:],
        (100.0, 105.0, 110.0, 115.0, 120.0),
        (100.0,) * 4 + (140.0,),
        (100.0, 150.0, 110.0, 105.0, 140.0),
        (100.0, 101.0, 900.0, 901.0, 902.0),
        (100.0, 101.0, 102.0, 500.0, 620.0),
    ],
    ids=["few days", "little", "once", "up and down", "a step", "a step at midday"],
)
def test_other_loads_are_not(rates: Sequence[float]) -> None:
    assert "grows" not in details(rates, nights=RISING)
    assert not details(RISING, "slow_path"), "a rule about no load"


@pytest.mark.parametrize(
    ("code", "hits", "is_stated"), [("miss", -0.03, True), ("queue", -0.03, False), ("miss", 0.0, False)]
)
def test_read_hits_that_fall_are_stated_where_misses_cost(code: str, hits: float, is_stated: bool) -> None:
    fall = "Read hits fall: 97 % at these hours on 2026-03-02, 85 % on 2026-03-06"
    assert details((100.0,) * 5, code, hits=hits) == fall * is_stated


def test_use_of_channels_that_grows_is_stated_too() -> None:
    """Two channels, each as busy as the other; a third grows less, and one of another system has their name."""
    rows = [
        {"system": system, "channel_path": name, "interval_start": at(96 * day), "busy_ratio": base + rise * day}
        for system, name, base, rise in (
            ("SYSA", "50", 0.4, 0.05), ("SYSA", "51", 0.4, 0.05), ("SYSA", "52", 0.4, 0.0), ("SYSB", "50", 0.1, 0.1),
        ) for day in range(5)
    ]  # fmt: skip
    start = at(4 * 96) + dt.timedelta(hours=1)
    when = Episode(start, start + dt.timedelta(hours=1), 4, 1)
    full = Subject("channel", ("50", "51"), ("SYSA",))
    f = Finding("act", full, "They are full", "", (), "", 1.0, code="queue", when=when)
    with database(channel_interval=rows) as con:
        (grown,) = named(con, [f], {"queue": "I/Os"}, Places([]), LIMITS.limits(), 5)
    assert grown.details == "Channel use grows: 40 % at these hours on 2026-03-02, 60 % on 2026-03-06"


@pytest.mark.parametrize(
    ("waits", "first", "before", "since"),
    [
        ((1.0, 1.1, 1.0, 5.0, 5.2), 0, 2.03, 6.1), ((5.0, 5.2, 1.0, 1.1, 1.0), 0, 6.1, 2.03),
        ((1.0, 1.1, 1.0, 5.0, 5.2), 3, None, None), ((1.0, 1.0, 1.2, 1.4, 1.4), 0, None, None),
        ((1.0, 5.0, 1.0, 5.0, 5.0), 0, None, None),
    ],
    ids=["worse", "better", "began then", "little", "comes and goes"],
)  # fmt: skip
def test_a_response_that_changed_within_a_trouble_is_stated(
    waits: Sequence[float], first: int, before: float | None, since: float | None
) -> None:
    text = details((100.0,) * 5, waits=waits, first=first)
    last, began = ("2026-03-04", "2026-03-05") if before == 2.03 else ("2026-03-03", "2026-03-04")
    changed = f"At these hours an I/O took {before} ms until {last}, and {since} ms since {began}"
    assert text == (changed if before else "")


HOUR = f"{at(136) + dt.timedelta(hours=1):%H:%M} on 2026-03-03"


def stepped(before: float, since: float, *, busier: float = 1.0, odd: Sequence[int] = ()) -> Finding:
    """A finding about all hours of two days, whose waits change in the second; in `odd` hours they are as before."""
    rows = [
        volume(n, rate=busier * 100 if n >= 136 else 100.0, wait=since if n >= 136 and n // 4 not in odd else before)
        for n in range(192)
    ]
    when = Episode(at(0), at(192), 192, 2)
    f = Finding("act", lcus(["0010"], "SYSA"), "It waits", "Define an alias", (), "", 1.0, code="path", when=when)
    with database(volume_interval=rows) as con:
        places = Places(ask(con, RULES["volumes_moved"].question).to_pylist())
        return named(con, [f], {}, places, LIMITS.limits(), 5)[0]


def test_what_changed_in_the_middle_of_a_day_is_to_be_found_out_first() -> None:
    worse = stepped(1.0, 5.0)
    assert worse.advice == f"Find out what changed at {HOUR}. If that is to stay: define an alias"
    assert worse.details == f"At these hours an I/O took 2 ms until {HOUR}, and 6 ms since"
    busier = stepped(1.0, 5.0, busier=2.0)
    assert busier.advice == f"Find out what does more I/Os since {HOUR}. If that is to stay: define an alias"
    assert busier.details == f"{worse.details}, at 100 I/Os per s before and 200 since"
    better = stepped(5.0, 1.0)
    assert (
        better.advice
        == f"See what is left since {HOUR}: 2 ms an I/O in place of 6. If that is too long: define an alias"
    )


def test_a_rate_that_changed_is_stated_where_the_response_did_not() -> None:
    assert stepped(1.0, 1.0, busier=2.0).details == f"At these hours 100 I/Os per s came until {HOUR}, and 200 since"
    assert stepped(1.0, 1.2).details == "", "little"


@pytest.mark.parametrize(("odd", "is_stated"), [((40,), True), ((38, 40, 42), False)])
def test_one_hour_of_ten_may_be_otherwise(odd: Sequence[int], is_stated: bool) -> None:
    assert (HOUR in stepped(1.0, 5.0, odd=odd).details) == is_stated
