"""A dear fault that began at a comparable load and goes on is one to act on; laws over random situations."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest
from advise_rows import database, volume
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise import causes
from iosq.toolkit.advise.causes import LIMITS, Loads
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.severity import Recurrence
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.sql.engine import Connection

NAMES = ("V0", "V1", "V2")
QUARTER, HOUR = dt.timedelta(minutes=15), dt.timedelta(hours=1)
LIMIT = LIMITS.limits()
ORDER = ("note", "watch", "act")
STATES = st.lists(st.sampled_from(["good", "bad", "quiet", "quick", "idle"]), min_size=1, max_size=24)


def rows_of(states: Sequence[str], rate: float = 100.0, rise: float = 4.0) -> list[dict[str, Any]]:
    """Three volumes in quarter hours: 0.7 ms of service, longer when bad; little load when quiet, twice when quick."""
    rates = {"quiet": rate / 50, "quick": rate * 2, "idle": 0.0}
    return [
        volume(n, name, rate=rates.get(state, rate), disc=rise if state == "bad" else 0.3, conn=0.2)
        for n, state in enumerate(states) for name in NAMES
    ]  # fmt: skip


def fault(rows: Sequence[dict[str, Any]], severity: str = "watch", **more: Any) -> Finding:
    """The finding about its bad intervals, which lose 10 hours a day."""
    bad = sorted({r["interval_start"] + HOUR for r in rows if r["disc_ms"] > 1})
    when = Episode(bad[0], bad[-1] + QUARTER, len(bad), len({start.date() for start in bad}))
    given_too = {"when": when, "code": "disc_unexplained", "lost_s": 36000.0, "confidence": "medium"} | more
    subject = Subject("volumes", NAMES, ("SYSA",))
    return Finding(severity, subject, "It is slow", "Look at the box", (), "", **given_too)  # type: ignore[arg-type]


def measured(rows: Sequence[dict[str, Any]]) -> Connection:
    return database(asks=causes.QUESTION.sql, volume_interval=rows)


def recurrence(con: Connection, rows: Sequence[dict[str, Any]], days: int = 1) -> Recurrence:
    start, end = min(r["interval_start"] for r in rows) + HOUR, max(r["interval_start"] for r in rows) + HOUR + QUARTER
    where = {"platform": "z/OS", "lcu": "0010", "device": None, "box": "AB1", "pav": "HyperPAV", "is_mirrored": None}
    seen = {"system": "SYSA", "is_named": True, "seen_start": start, "seen_end": end} | where
    places = Places([seen | {"volume": name} for name in NAMES])
    return Recurrence(days, places, Loads(con), {"disc_unexplained"}, LIMIT)


def weighed(rows: Sequence[dict[str, Any]], days: int = 1, **more: Any) -> Finding:
    return recurrence(measured(rows), rows, days).weighed(fault(rows, **more))


GOOD, BAD = ["good"] * 8, ["bad"] * 8


def test_what_began_and_goes_on_is_to_act_on() -> None:
    found = weighed(rows_of(GOOD + BAD))
    assert found.severity == "act"
    assert "a comparable rate an I/O took 0.7 ms of service before, 4.4 ms since" in found.whole_text
    began = found.details.partition(": ")[0]
    assert weighed(rows_of(GOOD + BAD), details=began).details == began


@pytest.mark.parametrize(
    ("why", "states", "more"),
    [
        ("it was always so", BAD, {}),
        ("no such load before", ["quiet"] * 8 + BAD, {}),
        ("unsure", GOOD + BAD, {"confidence": "low"}),
        ("no fault", GOOD + BAD, {"code": "channel_busy"}),
        ("it comes and goes", [*GOOD, "bad", *GOOD, "bad"], {}),
    ],
)
def test_what_is_no_fault_that_began_stays(why: str, states: list[str], more: dict[str, Any]) -> None:
    found = weighed(rows_of(states), **more)
    assert (found.severity, "It began" in found.whole_text) == ("watch", False), why


def test_a_cheap_fault_that_began_is_watched_and_says_when() -> None:
    found = weighed(rows_of(GOOD + BAD), lost_s=14399.0)
    assert found.severity == "watch" and "It began" in found.whole_text


@settings(max_examples=25, deadline=None)
@given(STATES.map(lambda s: ["good" if x == "bad" else x for x in s]), st.sampled_from(["watch", "act"]))
def test_a_single_interval_at_the_end_is_never_to_act_on(before: list[str], severity: str) -> None:
    found = weighed(rows_of([*before, "bad"]), severity=severity)
    assert found.severity == "watch" and "It began" not in found.whole_text


@settings(max_examples=25, deadline=None)
@given(STATES, st.sampled_from([["good"] * 4, ["idle"] * 97, ["quiet"] * 97]))
def test_a_fault_that_ended_is_never_to_act_on(states: list[str], after: list[str]) -> None:
    """The same load is well since, or a day is without that load, with few I/Os or none."""
    # twice the load between bad intervals makes their mean a load that did not come back
    between = ["good" if state == "quick" else state for state in states]
    found = weighed(rows_of(GOOD + between + BAD + after))
    assert found.severity == "watch" and "It began" not in found.whole_text


@settings(max_examples=25, deadline=None)
@given(STATES.map(lambda s: [*s, "bad"]), st.integers(1, 24), st.floats(20, 500), st.floats(2, 20))
def test_more_of_the_same_never_lowers(states: list[str], more: int, rate: float, rise: float) -> None:
    first, then = (weighed(rows_of(states + ["bad"] * n, rate, rise)) for n in (0, more))
    assert ORDER.index(then.severity) >= ORDER.index(first.severity)


@settings(max_examples=15, deadline=None)
@given(STATES.map(lambda s: [*s, "bad"]), st.randoms())
def test_the_order_of_arrival_is_nothing(states: list[str], random: Any) -> None:
    rows = rows_of(GOOD + states)
    mixed = random.sample(rows, len(rows))
    assert weighed(rows) == weighed(mixed)


@pytest.mark.parametrize(("grown", "severity"), [(6.0, "watch"), (1.0, "act")])
def test_a_volume_whose_rate_rose_is_named_in_what_began(grown: float, severity: str) -> None:
    """A month without such a day: what goes on need not come back, unless the rate of one volume explains it."""
    rows = rows_of(GOOD + BAD)
    for r in rows:
        if r["volume"] == "V0":
            r["io_rate"] *= 0.3 * (grown if r["disc_ms"] > 1 else 1.0)
    found = weighed(rows, 30)
    assert found.severity == severity and ("It began" in found.whole_text) is (grown == 1)


@pytest.mark.parametrize(("worst", "text"), [(6.0, "It grows: an I/O took 0.7 ms"), (2.0, "It began at")])
def test_what_gets_worse_from_day_to_day_grows(worst: float, text: str) -> None:
    """A quarter of an hour of every four: two days without it, then eight with 2 ms first and the worst in the end."""
    steps = [0.3] * 12 + [2 + (worst - 2) * n / 47 for n in range(48)]
    rows = [volume(16 * n, name, rate=100.0, disc=disc, conn=0.2) for n, disc in enumerate(steps) for name in NAMES]
    found = weighed(rows, days=10)
    assert found.severity == "act" and text in found.whole_text
