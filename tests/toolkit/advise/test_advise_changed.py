"""A volume that got exposures since it waited (open load): what was measured with them counts."""

import pytest
from advise_rows import Row, applied, box, database, volume

from iosq.toolkit.advise import before_after
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Aliases, Finding
from iosq.toolkit.predict import pav_lake
from iosq.toolkit.predict.pav_box import Asked

RULE = next(r for r in all_rules() if r.code == "pav_add_alias")


def waiting(intervals: range, exposures: float, wait: float = 10.0, rate: float = 300.0) -> list[Row]:
    return [volume(n, rate=rate, wait=wait, conn=1.8, exposures=exposures) for n in intervals]


def stated(*parts: list[Row], **tables: list[Row]) -> Finding:
    seen = [row for part in parts for row in part]
    worst = max(seen, key=lambda r: r["queue_length"])
    candidate = {
        "volume": "VOL001", "lcu": "0010", "verdict": "add", "exposures": worst["exposures"],
        "peak_start": worst["interval_start"], "is_hyperpav": False, "wait_share_ratio": 0.5, "io_rate": 200.0,
        "wait_ms": 5.0, "response_ms": 7.0,
    }  # fmt: skip
    (finding,) = applied(RULE, {"volume_interval": seen, "pav_candidate": [candidate], **tables})
    return finding


BEFORE = waiting(range(4), 1.0)
NOW = waiting(range(4, 8), 1.0)


def test_a_wait_that_ended_with_the_exposures_it_got_asks_for_nothing() -> None:
    finding = stated(BEFORE, waiting(range(4, 8), 3.0, wait=0.0))
    assert (finding.severity, finding.aliases) == ("note", Aliases("enough", 2))
    assert {n.name: n.value for n in finding.numbers}["queued in the host, before"] == 3
    assert "it has 3 exposures, the I/O rate was comparable, and no I/O waits" in finding.advice


def slower(rows: list[Row], disc: float) -> list[Row]:
    return [r | {n: r[n] + disc for n in ("disc_ms", "service_ms", "response_ms")} for r in rows]


@pytest.mark.parametrize(
    ("disc", "severity"), [(0.0, "note"), (4.9, "note"), (5.1, "watch"), (9.6, "watch"), (11.0, "watch")]
)
def test_a_wait_that_only_moved_into_the_box_is_not_settled(disc: float, severity: str) -> None:
    """2.5 ms and 10 in the host before; without a queue and that much disconnect more since."""
    finding = stated(BEFORE, slower(waiting(range(4, 8), 3.0, wait=0.0, rate=320.0), disc))
    assert (finding.severity, finding.aliases) == (severity, Aliases("enough", 2))
    assert finding.advice.startswith("Do nothing") == (severity == "note")
    assert (f"Response is {2.5 + disc:.3g} ms since, and was 12.5" in finding.advice) == (severity == "watch")
    assert ("most of the wait" in finding.advice) == (disc == 5.1)


def boxed(rows: list[Row], subsystem: str) -> list[Row]:
    return [row | {"subsystem": subsystem} for row in rows]


BOXES = [box("2010", "00000AB121"), box("3010", "00000CD472")]


def test_what_a_faster_box_did_is_not_stated_of_aliases_alone() -> None:
    seen = boxed(BEFORE, "2010") + boxed(waiting(range(4, 8), 3.0, wait=0.0), "3010")
    finding = stated(seen, cache_subsystem_interval=BOXES)
    assert finding.advice.startswith("Do nothing: the added aliases or the move to box CD472 ended the wait")


@pytest.mark.parametrize(
    ("since", "severity", "verdict", "words"),
    [
        (waiting(range(4, 8), 1.0, wait=0.0), "note", "wont_help", "Do nothing: the move ended the wait"),
        (
            slower(waiting(range(4, 8), 1.0, wait=0.0), 9.6),
            "watch",
            "wont_help",
            "the wait only moved there",
        ),
        (waiting(range(4, 8), 1.0, wait=0.0, rate=20.0), "watch", "cant_tell", "no such work came"),
        (waiting(range(4, 8), 1.0, wait=4.0), "act", "add", "Give it"),
    ],
    ids=["settled", "moved into the box", "unseen", "waits there"],
)
def test_what_waited_in_another_box_is_reported_of_the_one_it_is_in(
    since: list[Row], severity: str, verdict: str, words: str
) -> None:
    """As many exposures in both boxes; it was reported to get aliases for what it had waited in the old one."""
    finding = stated(boxed(BEFORE, "2010") + boxed(since, "3010"), cache_subsystem_interval=BOXES)
    assert (finding.severity, finding.aliases and finding.aliases.verdict) == (severity, verdict)
    assert words in finding.advice
    if verdict == "add":
        assert finding.effect and finding.effect.now == pytest.approx(6.5), "the wait in the box it is in"
    else:
        assert "since 10:00 on 2026-03-02 it is in box CD472" in f"{finding.whole_text} {finding.advice}".replace(
            "Since", "since"
        )


def test_a_what_if_asks_about_the_box_that_the_volume_is_in() -> None:
    rows = boxed(BEFORE, "2010") + boxed(waiting(range(4, 8), 1.0, wait=0.0), "3010")
    con = database(volume_interval=rows, cache_subsystem_interval=BOXES)
    answer = pav_lake.volume_answer(con, "VOL001", "SYSA", Asked())
    assert [row["wait_ms"] for row in answer.rows if row["now"]] == [0.0] and answer.common["box"] == "CD472"


def test_what_it_had_before_is_stated_whatever_it_takes() -> None:
    """Fewer I/Os came then, so that nothing was measured of these."""
    finding = stated(waiting(range(4), 9.0, wait=0.0, rate=100.0), NOW)
    assert "as measured" not in finding.advice
    assert "aliases are gone: it had 8 until 10:00 on 2026-03-02. If intended, give it" in finding.advice


def test_what_was_measured_in_another_box_is_no_measurement() -> None:
    """With two aliases in the fast box 0.9 ms; the slow one serves as slowly with them."""
    fast = [r | {"conn_ms": 0.2, "service_ms": 0.9, "response_ms": 0.9} for r in waiting(range(-4, 0), 3.0, wait=0.0)]
    same, other = (
        stated(boxed(fast, subsystem), boxed(NOW, "3010"), cache_subsystem_interval=BOXES)
        for subsystem in ("3010", "2010")
    )
    assert "as measured" in same.advice and "as measured" not in other.advice
    assert same.effect and other.effect and same.effect.value == pytest.approx(0.9)
    assert other.effect.low >= 2.5 * 0.99
    seen = boxed(fast, "2010") + boxed(NOW, "3010")
    con = database(volume_interval=seen, cache_subsystem_interval=BOXES)
    answer = pav_lake.volume_answer(con, "VOL001", "SYSA", Asked())
    assert not any(row["measured"] for row in answer.rows if not row["now"])


@pytest.mark.parametrize("days", [0, 2])
def test_a_volume_that_is_gone_or_rests_asks_for_no_haste(days: int) -> None:
    """Another volume is measured on, for two days or none."""
    ours = [r | {"exposures": 1.0} for r in waiting(range(4), 1.0)]
    others = [volume(n, "VOL002", lcu="0020") for n in range(96 * days + 4)]
    idle = [volume(n, rate=0.0, exposures=1.0) | {"response_ms": None} for n in range(4, 96 * days + 4)]
    gone, resting = stated(ours, others), stated(ours, idle, others)
    assert gone.aliases is not None
    assert (gone.severity, gone.aliases.verdict) == (("note", "enough") if days else ("act", "add"))
    assert ("no record names it since 10:00 on 2026-03-02" in gone.advice) == bool(days)
    assert resting.severity == "act"
    assert ("It has done no I/O since 10:00 on 2026-03-02" in resting.advice) == bool(days)


@pytest.mark.parametrize(
    ("since", "verdict"),
    [
        (waiting(range(4, 8), 3.0, wait=0.0, rate=9.0), "cant_tell"),  # no such work came
        (waiting(range(4, 8), 3.0, wait=5.0), "add"),  # it waits still
        (waiting(range(4, 8), 1.0, wait=0.0), "add"),  # nothing was changed
        ([*waiting(range(-4, 0), 3.0, wait=0.0, rate=9.0), *waiting(range(4, 8), 3.0, wait=0.0, rate=9.0)], "add"),
    ],
    ids=["unseen", "waits", "unchanged", "come and go"],
)
def test_anything_less_leaves_the_wait_to_be_reported(since: list[Row], verdict: str) -> None:
    finding = stated(BEFORE, since)
    assert finding.aliases is not None and finding.aliases.verdict == verdict
    assert finding.severity == ("act" if verdict == "add" else "watch")


def test_what_waits_still_is_asked_about_with_the_exposures_there_are_now() -> None:
    before, since = stated(BEFORE), stated(BEFORE, waiting(range(4, 8), 2.0, wait=5.0))
    assert before.aliases and since.aliases and since.aliases.fewest
    assert (before.aliases.now, since.aliases.now) == (0, 1)
    assert since.aliases.fewest > 1
    assert "(now 0)" in before.advice
    assert "(now 1)" in since.advice
    assert {n.name: n.value for n in since.numbers}["exposures, the base included"] == 2
    assert "5.0 ms IOSQ at the peak" in since.text


@pytest.mark.parametrize(
    ("tried", "most"),
    [
        (waiting(range(-4, 0), 2.0, wait=0.0), 1),
        (waiting(range(-4, 0), 2.0, wait=0.0, rate=450.0), 1),
        (waiting(range(-8, -4), 3.0, wait=0.0) + waiting(range(-4, 0), 2.0, wait=0.0, rate=450.0), 1),
        (waiting(range(-4, 0), 2.0, wait=0.0, rate=150.0), None),  # less came
        (waiting(range(-4, 0), 2.0, wait=4.0), None),  # it waited with them
        ([row | {"interval_s": 60.0} for row in waiting(range(-4, 0), 2.0, wait=0.0)], None),  # too short a time
        ([row | {"conn_ms": 0.2, "service_ms": 0.9} for row in waiting(range(-4, 0), 1.0, wait=0.0)], None),
    ],
    ids=["as much", "more", "fewest", "less work", "waits", "short", "same count"],
)
def test_exposures_taken_away_that_were_enough_are_what_it_needs(tried: list[Row], most: int | None) -> None:
    finding = stated(tried, NOW)
    assert finding.aliases
    if most is None:
        assert "as measured" not in finding.advice
        return
    assert (finding.aliases.most, finding.aliases.likely) == (most, most)
    assert f"gone: it had {most} until 10:00 on 2026-03-02. If intended, give it" in finding.advice
    assert f"with {most} the same I/O rate hardly waited, as measured" in finding.advice
    assert finding.effect is not None and finding.effect.value == pytest.approx(2.5)


def test_the_what_if_says_of_exposures_taken_away_what_advice_says() -> None:
    seen = [*waiting(range(-4, 0), 2.0, wait=0.0, rate=450.0), *NOW]
    finding = stated(seen)
    answer = pav_lake.volume_answer(database(volume_interval=seen), "VOL001", "SYSA", Asked())
    assert finding.curve is not None
    rows = {row["aliases"]: row for row in answer.rows}
    for step in finding.curve.steps:
        if step.count in rows:
            assert rows[step.count]["response_high_ms"] == pytest.approx(step.response_ms.high)
            assert rows[step.count]["io_rate"] == pytest.approx(step.io_rate.value) == pytest.approx(300)
    assert rows[1]["measured"] and rows[1]["clears_wait"]


def test_a_volume_of_unknown_exposures_is_taken_to_have_its_base_only() -> None:
    """With two there was no gain; whether the one that waits has two is not known."""
    tried = {
        "since_exposures": 2.0, "is_new": True, "before_exposures": 1.0, "before_outstanding": 4.0, "in_service": 1.0,
        "queue_length": 3.0, "since_rate": 100.0, "before_rate": 100.0,
    }  # fmt: skip
    assert before_after.is_without_gain(tried | {"exposures": 2.0}, 1.05)
    assert not before_after.is_without_gain(tried | {"exposures": None}, 1.05)
