"""The data set and job behind a queue, in findings about one."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import Subject, lcus, volume, volumes
from iosq.toolkit.advise.top_waiter import AMOUNTS, NO_RECORDS, QUESTION, WORK, named
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask
from tests.toolkit.advise.advise_rows import Row, at, database
from tests.toolkit.advise.advise_rows import volume as measured

MOVED = next(rule.question for rule in all_rules() if rule.code == "volumes_moved")
ASKED = f"{QUESTION.sql} {MOVED.sql}"


def data_set(interval: int, name: str, wait: float, job: str = "JOBA", volser: str = "VOL001", **more: Any) -> Row:
    """A row of `dataset_interval`: 45,000 I/Os in the quarter hour, half of the volume's."""
    row: Row = {"interval_start": at(interval), "data_set": name, "job": job, "volser": volser, "wait_ms": wait}
    return row | {"io_count": 45_000, "response_ms": wait + 1} | more


def finding(subject: Subject, code: str = "queue", when: Episode | None = None) -> Finding:
    return Finding("act", subject, "It waits", "", (), "", 1.0, code=code, when=when)


def during(*intervals: int, days: int = 1) -> Episode:
    """The quarter hours, local time; also on the days before."""
    start, *_, end = (at(n) + dt.timedelta(hours=1) for n in (intervals[0], intervals[-1] + 1))
    return Episode(start, end, len(intervals), days, first=start - dt.timedelta(days=days - 1))


def every(con: Connection, found: list[Finding], site: dict[str, dict[str, float]] | None = None) -> list[str]:
    """The words of findings about all kinds of work."""
    return [f.whole_text for f in answered(con, found, site)]


def answered(con: Connection, found: list[Finding], site: dict[str, dict[str, float]] | None = None) -> list[Finding]:
    places = Places(ask(con, MOVED).to_pylist())
    return named(con, found, {"queue": "waited"} | {name: name for name in WORK}, places, site)


def stated(found: Finding, site: dict[str, dict[str, float]] | None = None, **rows: list[Row]) -> str:
    with database(asks=ASKED, **rows) as con:
        return every(con, [found], site)[0]


TWO = [measured(n, name, wait=10.0) for n in range(4) for name in ("VOL001", "VOL002")]


def test_the_data_set_that_makes_most_of_the_wait_is_named_with_its_job() -> None:
    hot = [data_set(n, "PROD.INDEX", 16.0) for n in range(4)] + [data_set(0, "PROD.LOG", 4.0, "JOBB")]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=hot)
    assert text == "It waits. 80 % of the time waited then is that of data set PROD.INDEX, job JOBA (42.6)"


def test_nothing_is_named_where_no_data_set_makes_half_of_it() -> None:
    rows: dict[str, list[Row]] = {"volume_interval": TWO, "dataset_interval": [data_set(0, "PROD.INDEX", 9.0)]}
    rows["dataset_interval"] += [data_set(n, f"PROD.D{n}", 9.0) for n in range(1, 4)]
    assert stated(finding(volume("VOL001", "SYSA")), **rows) == "It waits"
    lower = {"top_waiter": {"share": 0.1}}
    assert "% of the time waited" in stated(finding(volume("VOL001", "SYSA")), lower, **rows)


def test_a_job_with_many_data_sets_is_named_where_none_of_these_makes_half() -> None:
    hot = [data_set(n, f"SORT.WK{w}", 4.0, "SORTBIG") for n in range(4) for w in range(4)]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=hot)
    assert text == "It waits. 80 % of the time waited then is that of job SORTBIG, 4 data sets (42.6)"
    others = [r | {"job": f"JOB{n}"} for n, r in enumerate(hot)]
    assert stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=others) == "It waits"


def minidisk(interval: int, guest: str, rate: float) -> Row:
    """A row of `minidisk_interval`; the volume does 100 I/Os a second."""
    row: Row = {"platform": "z/VM", "interval_start": at(interval), "userid": guest, "volser": "VOL001"}
    return row | {"io_rate": rate, "virtual_device": "0200", "extent_start": len(guest)}


@pytest.mark.parametrize(("rate", "guest"), [(80.0, "LINUX1"), (30.0, "")])
def test_the_guest_with_most_of_the_io_is_named_on_zvm(rate: float, guest: str) -> None:
    volumes = [r | {"platform": "z/VM", "io_rate": 100.0} for r in TWO]
    rows = [minidisk(n, *of) for n in range(4) for of in (("LINUX1", rate), ("CMSUSER", 10.0))]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=volumes, minidisk_interval=rows)
    assert text == f"It waits{'. 80 % of the I/Os then are those of guest LINUX1 (FCX110)' * bool(guest)}"


def test_who_waits_for_anothers_work_is_called_so_and_a_second_one_is_named() -> None:
    volumes = [r | {"platform": "z/VM", "io_rate": 100.0} for r in TWO]
    rows = [minidisk(n, *of) for n in range(4) for of in (("LINUX1", 60.0), ("CMSUSER", 35.0), ("MAINT", 5.0))]
    text = stated(finding(volume("VOL001", "SYSA"), "I/Os"), volume_interval=volumes, minidisk_interval=rows)
    assert text == (
        "It waits. Waiting for it: 60 % of the I/Os then are those of guest LINUX1 (FCX110); "
        "35 % are those of guest CMSUSER (FCX110)"
    )


def test_where_no_42_6_was_collected_one_finding_says_what_it_would_give() -> None:
    both = [finding(volume(name, "SYSA")) for name in ("VOL001", "VOL002")]
    with database(asks=ASKED, volume_interval=TWO) as con:
        assert every(con, both) == [f"It waits. {NO_RECORDS}", "It waits"]
    with database(asks=ASKED, volume_interval=[r | {"platform": "z/VM"} for r in TWO]) as con:
        assert every(con, both)[0] == "It waits", "z/VM has no such record"


def used(interval: int, job: str, ratio: float, volser: str = "VOL001", dd: str = "MASTER") -> Row:
    """A row of `job_volume_interval`; the volume itself is connected 3 % of the time."""
    row: Row = {"interval_start": at(interval), "job": job, "volser": volser, "dd": dd, "device": "00A11"}
    return row | {"connect_ratio": ratio, "excp_count": 9000}


def test_without_42_6_the_job_with_most_of_the_connect_time_is_named() -> None:
    jobs = [used(n, "PAYROLL", 0.024) for n in range(4)] + [used(n, "OTHER", 0.003) for n in range(4)]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, job_volume_interval=jobs)
    assert text == "It waits. 80 % of the connect time then is that of job PAYROLL, DD MASTER (30)"
    pool = stated(finding(lcus(["0010"], "SYSA")), volume_interval=TWO, job_volume_interval=jobs)
    assert pool == f"It waits. {NO_RECORDS}", "of the other volume it has none"


@pytest.mark.parametrize(
    ("hours", "name"), [((0, 1), "67 % of the connect time then is that of job DAYJOB"), ((2, 3), "100 %")]
)
def test_only_what_ran_in_the_time_of_the_finding_counts(hours: tuple[int, ...], name: str) -> None:
    jobs = [used(n, "NIGHTJOB", 0.03) for n in (2, 3)] + [used(n, "DAYJOB", 0.02) for n in (0, 1)]
    about = finding(volume("VOL001", "SYSA"), when=during(*hours))
    assert name in stated(about, volume_interval=TWO, job_volume_interval=jobs)


# of 90,000 I/Os of an interval, 30 % writes, 0.3 ms connect and 0.5 ms disconnect
MIXED = [measured(n, wait=10.0, read_ratio=0.7) for n in range(-96, 4)]
MINE = {"conn_ms": 0.3, "disc_ms": 0.5, "read_ratio": 0.7}


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize(
    ("usual", "days", "words"),
    [
        (0, 1, "none at other times"),
        (9_000, 1, "5 times its usual {}"),
        (40_000, 1, "as usual"),
        (9_000, 2, "none at other times"),
    ],
)
def test_its_amount_at_other_times_is_named(work: str, usual: int, days: int, words: str) -> None:
    """Half of all work of any kind in an hour; before it some on the day before, at that hour or all day long."""
    before = range(-96, -92) if days > 1 else range(-96, 0)
    rows = [data_set(n, "A.B", 10.0, **MINE) for n in range(4)] + [data_set(-20, "A.C", 10.0, "OTHER", **MINE)]
    rows += [data_set(n, "A.B", 10.0, **MINE | {"io_count": usual}) for n in before if usual]
    about = finding(volume("VOL001", "SYSA"), work, during(0, 1, 2, 3, days=days))
    text = stated(about, volume_interval=MIXED, dataset_interval=rows)
    assert f"50 % of the {WORK[work]} then" in text
    assert text.endswith(f"data set A.B, job JOBA (42.6), {words.format(WORK[work] if work in AMOUNTS else 'I/Os')}")


@pytest.mark.parametrize(("first", "words"), [(-192, "as usual"), (0, "4 times its usual I/Os")])
def test_what_grew_with_all_others_is_compared_with_the_same_hours_before(first: int, words: str) -> None:
    """Its share is the same at all times. It does four times as much at these hours as at others; before, the same."""
    rate = {n: 100.0 if n >= first and n % 96 < 4 else 25.0 for n in range(-192, 4)}
    volumes = [measured(n, wait=10.0, rate=r) for n, r in rate.items()]
    rows = [data_set(n, "A.B", 10.0, io_count=int(600 * r)) for n, r in rate.items()]
    when = during(0, 1, 2, 3)
    text = stated(finding(volume("VOL001", "SYSA"), when=when), volume_interval=volumes, dataset_interval=rows)
    assert text == f"It waits. 67 % of the time waited then is that of data set A.B, job JOBA (42.6), {words}"


@pytest.mark.parametrize(("usual", "is_named"), [(900, True), (20_000, False)])
def test_less_than_half_is_named_where_it_usually_is_not_there(usual: int, is_named: bool) -> None:
    rows = [data_set(n, "A.B", 10.0, io_count=30_000 if n >= 0 else usual) for n in range(-96, 4)]
    about = finding(volume("VOL001", "SYSA"), when=during(0, 1, 2, 3))
    assert ("33 % of the time waited" in stated(about, volume_interval=MIXED, dataset_interval=rows)) == is_named


def test_what_was_not_recorded_counts_as_wait_of_others() -> None:
    """Of a pool of two volumes one data set has 40 %; of its own volume 80 %."""
    rows: dict[str, list[Row]] = {"volume_interval": TWO}
    rows["dataset_interval"] = [data_set(n, "PROD.INDEX", 16.0) for n in range(4)]
    assert stated(finding(lcus(["0010"], "SYSA")), **rows) == "It waits"
    assert stated(finding(lcus(["0011"], "SYSA")), **rows) == "It waits"
    assert stated(finding(volume("VOL001", "SYSB")), **rows) == "It waits"


def test_a_data_set_on_several_volumes_is_one() -> None:
    rows: dict[str, list[Row]] = {"volume_interval": TWO}
    rows["dataset_interval"] = [
        data_set(n, "PROD.STRIPE", 14.0, f"JOB{n}", volser) for n in range(4) for volser in ("VOL001", "VOL002")
    ]
    for subject in (lcus(["0010"], "SYSA"), volumes(["VOL001", "VOL002"], ["SYSA"])):
        text = stated(finding(subject), **rows)
        assert "70 % of the time waited then is that of data set PROD.STRIPE on volume VOL001 and 1 more, job " in text
        assert text.endswith("JOB0 and others (42.6)")


def test_only_while_data_sets_were_recorded() -> None:
    """42.6 was collected in the first of four quarter hours: the rest is no wait of others."""
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=[data_set(0, "A.B", 16.0)])
    assert text.startswith("It waits. 80 % of the time waited then is that of data set A.B")


def test_rules_about_queues_are_asked() -> None:
    """A HyperPAV volume that waits while aliases are free, by a rule that says `queue = true`."""
    waits = [measured(n, wait=10.0, is_hyperpav=True) for n in range(4)]
    pool = [{"interval_start": at(n), "lcu": "0010", "alias_denied_count": 0.0, "alias_io_count": 1e4,
             "alias_high_water": 1, "hyperpav_aliases": 4} for n in range(4)]  # fmt: skip
    with database(
        volume_interval=waits, lcu_interval=pool, dataset_interval=[data_set(n, "A.B", 16.0) for n in range(4)]
    ) as con:
        (found,) = (f for f in run(con) if f.code == "same_extent")
    assert "data set A.B, job JOBA" in found.whole_text


@pytest.mark.parametrize(
    ("part", "usual", "first"),
    [(0.77, 0.0, "Move the work of "), (0.77, 0.5, ""), (0.97, 0.0, "See whether the work of "), (0.4, 0.0, "")],
)
@pytest.mark.parametrize("guests", [True, False])
def test_work_that_is_there_only_then_comes_before_aliases(guests: bool, part: float, usual: float, first: str) -> None:
    """A guest or a job with most of the I/Os of a queue, others next to it."""
    volumes = [
        measured(n, wait=10.0) | ({"platform": "z/VM", "io_rate": 100.0} if guests else {}) for n in range(-96, 4)
    ]
    shares = {n: part if n >= 0 else usual for n in range(-96, 4)}
    if guests:
        rows = [
            minidisk(n, *of) for n, p in shares.items() for of in (("BACKUP", 100 * p), ("DB", 100 - 100 * p)) if of[1]
        ]
    else:
        jobs = [(n, *of) for n, p in shares.items() for of in (("BACKUP", p), ("DB", 1 - p)) if of[1]]
        rows = [data_set(n, f"{j}.A", 10.0, j, io_count=90_000 * p) for n, j, p in jobs]
    table = {"minidisk_interval" if guests else "dataset_interval": rows}
    about = replace(finding(volume("VOL001", "SYSA"), when=during(0, 1, 2, 3)), advice="Give it an alias")
    with database(asks=ASKED, volume_interval=volumes, **table) as con:
        (found,) = answered(con, [about])
    assert found.advice.startswith(first or "Give it") and ("BACKUP" in found.advice) == bool(first)
    assert found.advice.casefold().endswith("give it an alias")


@pytest.mark.parametrize(
    ("work", "part", "first"),
    [
        (
            "disconnect",
            0.8,
            "Move the work of job BACKUP, 4 data sets (42.6) to another hour. If it must run then: move",
        ),
        ("writes", 0.97, "Move the work of job BACKUP, 4 data sets (42.6) to another hour, or let it do less at once"),
        ("I/Os", 0.8, "Move volumes"),
    ],
)
def test_work_that_fills_a_place_comes_before_the_place(work: str, part: float, first: str) -> None:
    """Those who wait for another's work are to be helped, not moved."""
    rows = [
        data_set(n, f"{j}.{i}", 0.0, j, **MINE | {"io_count": 22_500 * p})
        for n in range(-96, 4) for j, p in (("BACKUP", part * (n >= 0)), ("DB", 1 - part)) if p for i in range(4)
    ]  # fmt: skip
    about = replace(finding(volume("VOL001", "SYSA"), work, during(0, 1, 2, 3)), advice="Move volumes")
    with database(asks=ASKED, volume_interval=MIXED, dataset_interval=rows) as con:
        (found,) = answered(con, [about])
    assert found.advice.startswith(first)


@pytest.mark.parametrize("usual", [900.0, 9.0])
def test_a_system_that_does_far_more_than_usually_is_named_where_no_record_names_a_user(usual: float) -> None:
    mine = [measured(n, rate=100.0, disc=2.0) for n in range(16)]
    theirs = [measured(n, system="SYSB", rate=900.0 if n >= 12 else usual, disc=2.0) for n in range(16)]
    when = during(*range(12, 16))
    text = stated(finding(volume("VOL001"), "disconnect", when), volume_interval=mine + theirs)
    assert ("90 % of the disconnect time then is that of system SYSB, 100 times its usual I/Os" in text) == (usual < 10)
