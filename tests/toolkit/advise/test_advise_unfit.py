"""Volumes that another system holds, and measurements that contradict themselves: what follows of more aliases."""

from itertools import pairwise

import numpy as np
import pytest
from advise_rows import Row, at, box, database, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.against import spoken
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.data_quality import missing_records, notice, question
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_lake import volume_answer
from iosq.toolkit.sql.engine import Connection

VIEWS = ("pav_candidate",)
RULES = {r.code: r for r in all_rules()}
ALIASES = ("pav_add_alias", "closed_load", "reserve_contention")
ASKED = " ".join(RULES[code].sql for code in ALIASES)
NO_HELP = "liases will not help"
QUEUE = 0.5


def working(n: int, name: str, *, busy: float, inside: float, queue: float, exposures: float, **more: object) -> Row:
    """This many I/Os in progress and queued; `busy`: device busy delay, ms; the rest of the service is 1.6."""
    service = busy + 1.6
    rate = 1e3 * inside / service
    return volume(n, name, rate=rate, wait=1e3 * queue / rate, pend=busy + 0.2, disc=1.0, conn=0.4, cmr_ms=0.1,
                  device_busy_ms=busy, exposures=exposures, is_hyperpav=False, **more)  # fmt: skip


def held(n: int, **more: float) -> Row:
    """1.97 I/Os in progress on 2 exposures, 2.16 queued; of 7.6 ms service 6 wait for another system's reserve."""
    return working(n, "VOL001", **({"busy": 6.0, "inside": 1.97, "queue": 2.16, "exposures": 2.0} | more))


def situations(seed: int, volumes: int = 30, intervals: int = 6) -> list[Row]:
    """Volumes at random: held or not, always or at times, full or not, more than full, waiting or not."""
    rng = np.random.default_rng(seed)
    rows = []
    for v in range(volumes):
        exposures, busy = float(rng.integers(1, 5)), rng.choice([0.0, 0.3, 1.0, 6.0])
        held_at, load = rng.random(intervals) < rng.choice([0.0, 0.5, 1.0]), rng.choice([0.5, 0.95, 1.0, 3.0])
        for n in range(intervals):
            queue = float(rng.choice([0.0, 1.0, 5.0]))
            now = busy if held_at[n] else 0.0
            row = working(n, f"V{v:05}", busy=now, inside=load * exposures, queue=queue, exposures=exposures)
            rows.append(row | {"lcu": f"{v:04X}"})
    return rows


def about_aliases(con: Connection) -> list[Finding]:
    """What these rules say, whatever covers it."""
    return [f for code in ALIASES for f in apply(con, RULES[code])]


def names(f: Finding) -> set[Subject]:
    return {s for s in f.subject.each if s.kind == "volume"}


def test_no_two_findings_to_act_on_exclude_each_other() -> None:
    """None says of a volume that aliases help, and another one that they don't, about the same hours."""
    rows = situations(1)
    con = database(VIEWS, volume_interval=rows)
    every = run(con)
    found = [f for f in every if f.severity == "act"]
    give = [f for f in found if f.aliases and f.aliases.verdict == "add"]
    deny = [f for f in found if NO_HELP in f.advice and f"{NO_HELP} in these hours" not in f.advice]
    assert give and deny, "both kinds of advice are given"
    assert not {s for f in give for s in names(f)} & {s for f in deny for s in names(f)}
    full = {r["volume"] for r in rows if r["in_service"] > 1.2 * r["exposures"]}
    sound = {r["volume"] for r in rows if r["in_service"] <= r["exposures"]}
    predicted = {n for f in found if f.effect for s in names(f) for n in s.names}
    assert full - sound and not predicted & (full - sound), "of what contradicts itself nothing is predicted"
    for r in verdicts(con, every):
        assert r["kind"] != "volume" or r["names"][0] in sound or r["verdict"] != "add"


def test_a_closed_workload_on_a_reserved_volume_is_not_given_aliases() -> None:
    rows = [held(n) for n in range(6)]
    con = database(VIEWS, volume_interval=rows)
    (f,) = about_aliases(con)
    assert f.code == "reserve_contention" and f.advice.startswith("Turn") and NO_HELP in f.advice
    (row,) = verdicts(con, [f])
    assert (row["verdict"], row["why"]) == ("wont_help", "reserve_contention")
    (alone,) = verdicts(con, [])
    assert alone["verdict"] == "wont_help" and "another system, CP or SET THROTTLE holds the volume" in alone["why"]


def test_a_long_queue_does_not_hide_a_reserve() -> None:
    """6 of 7.6 ms service, 50 I/Os queued: a thirtieth of the response, and all of the queue waits for the release."""
    rows = [held(n, queue=50.0) for n in range(6)]
    assert [f.code for f in about_aliases(database(VIEWS, asks=ASKED, volume_interval=rows))] == ["reserve_contention"]


def test_hours_without_the_reserve_are_judged_by_themselves() -> None:
    """Held for an hour and a half, closed work without a reserve for another: both are stated, each of its hours."""
    rows = [held(n) if n < 6 else held(n, busy=0.0) for n in range(12)]
    found = {f.code: f for f in about_aliases(database(VIEWS, asks=ASKED, volume_interval=rows))}
    assert f"{NO_HELP} in these hours" in found["reserve_contention"].advice
    assert "10:30-12:00" in found["closed_load"].text


def simulated(rows: list[Row]) -> tuple[Answer, str]:
    con = database(VIEWS, volume_interval=rows)
    answer = volume_answer(con, "VOL001", "SYSA", Asked())
    return answer, " ".join(answer.conclusions)


@pytest.mark.parametrize(("inside", "queue"), [(1.2, 0.6), (1.97, 2.16), (1.97, 30.0)])
def test_a_what_if_of_a_held_volume_names_no_count(inside: float, queue: float) -> None:
    """Open or closed: what the finding says, and only what was measured."""
    rows = [held(n, inside=inside, queue=queue) for n in range(4)]
    answer, stated = simulated(rows)
    assert "aliases will not help: another system or guest holds it" in stated and "clear" not in stated
    assert [(r["aliases"], r["remark"]) for r in answer.rows] == [(1, "now, aliases will not help")]
    con = database(VIEWS, volume_interval=rows)
    found = about_aliases(con)
    reported = spoken(found, verdicts(con, found), [Subject("volume", ("VOL001",), ("SYSA",))])
    assert reported and reported["verdict"] == "wont_help" and reported["why"] == "reserve_contention"


def test_a_what_if_asks_about_the_hours_without_the_reserve() -> None:
    answer, stated = simulated([held(0), held(1), *(held(n, busy=0.0, queue=1.0) for n in (2, 3))])
    assert "holds it" not in stated and len(answer.rows) > 2
    assert next(r for r in answer.rows if r["now"])["service_ms"] == pytest.approx(1.6)


def test_what_contradicts_itself_is_reported_and_not_predicted_from() -> None:
    """885 I/Os a second of 7.59 ms are 6.72 in progress; 2 exposures hold 2."""
    rows = [held(n, busy=0.0, inside=6.72, queue=2.16) for n in range(4)]
    con = database(VIEWS, volume_interval=rows)
    assert not about_aliases(con)
    (row,) = verdicts(con, [])
    assert (row["verdict"], row["aliases_needed"]) == ("cant_tell", None) and "contradicts itself" in row["why"]
    assert "volume VOL001 on SYSA contradicts itself: 6.72 I/Os in progress" in missing_records(con, "pav")
    answer, stated = simulated(rows)
    assert "unknown: the measurement contradicts itself" in stated and "6.72 in progress, and 2 exposures" in stated
    assert [r["remark"] for r in answer.rows] == ["now, unknown"]


def test_a_reserve_in_a_contradiction_is_reported_without_an_effect() -> None:
    """No other system is seen to hold it: worth a look, and no word on what the response would be."""
    (f,) = about_aliases(database(asks=ASKED, volume_interval=[held(n, inside=6.72) for n in range(4)]))
    assert (f.severity, f.effect, f.confidence) == ("watch", None, "low") and "recorded wrong" in f.whole_text


def marked(rows: list[Row], mark: str) -> list[bool]:
    con = database(asks="unfit_interval", volume_interval=rows)
    found = dict(con.execute(f"SELECT interval_start, {mark} FROM unfit_interval").fetchall())
    return [bool(found.get(r["interval_start"])) for r in rows]


@pytest.mark.parametrize(
    ("inside", "exposures", "more", "expected"),
    [
        (2.0, 2.0, {}, False),
        (2.2, 2.0, {}, False),  # ten per cent are within what listings and clocks leave open
        (2.5, 2.0, {}, True),
        (1.5, 1.0, {}, True),
        (2.5, 2.0, {"is_hyperpav": True}, False),  # sampled
        (2.5, 1.6, {}, False),  # aliases came or went
        (2.5, None, {}, False),  # unknown
    ],
)
def test_more_than_exposures_hold(inside: float, exposures: float | None, more: Row, expected: bool) -> None:
    row = working(0, "VOL001", busy=0.0, inside=inside, queue=1.0, exposures=1.0) | {"exposures": exposures, **more}
    assert marked([row], "is_overfull") == [expected]


def test_aliases_that_moved_are_no_contradiction() -> None:
    """2.5 in progress on 2 exposures, next to an interval with 4: the change may have come within either."""
    counts = [2.0, 2.0, 4.0, 2.0, 2.0]
    rows = [held(n, busy=0.0, inside=2.5, exposures=count) for n, count in enumerate(counts)]
    assert marked(rows, "is_overfull") == [True, False, False, False, True]


@pytest.mark.parametrize(("busy", "expected"), [(0.0, False), (0.3, False), (0.45, False), (0.55, True), (6.0, True)])
def test_a_reserve_is_a_good_part_of_the_service(busy: float, expected: bool) -> None:
    assert marked([held(0, busy=busy)], "is_held") == [expected]


def test_the_more_a_reserve_takes_the_less_aliases_are_advised() -> None:
    """A law: with more device busy delay, and all else the same, no volume that was refused aliases is given some."""
    days = [[held(n, busy=busy) for n in range(4)] for busy in (0, 1, 3)]
    rule = RULES["closed_load"]
    given = [bool(apply(database(asks=rule.sql, volume_interval=rows), rule)) for rows in days]
    assert given[0] and all(before or not after for before, after in pairwise(given))


@pytest.mark.parametrize(
    ("own", "others", "is_stated"),
    [(8, 0, True), (16, 0, False), (15, 0, False), (8, 16, False), (0, 8, False), (0, 0, False)],
    ids=["stop", "all there", "one lacks", "another system goes on", "the other has no devices", "none"],
)
def test_cache_records_that_stop_before_the_devices_are_a_notice(own: int, others: int, is_stated: bool) -> None:
    caches = [box("2010", None) | {"interval_start": at(n)} for n in range(own)]
    caches += [box("2010", None) | {"interval_start": at(n), "system": "SYSB"} for n in range(others)]
    measured = [{"interval_start": at(n)} for n in range(16)]
    asked = question("stopped_records").sql
    with database(asks=asked, cache_subsystem_interval=caches, measured_interval=measured) as con:
        text = notice(con, "stopped_records")
    assert ("Cache records of SYSA stop: they are there for 09:00-11:00 on 2026-03-02 only" in text) is is_stated
