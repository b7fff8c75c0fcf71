"""The data set and job behind a queue, in findings about one."""

from __future__ import annotations

from typing import Any

import pytest

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import Subject, lcus, volume, volumes
from iosq.toolkit.advise.top_waiter import NO_RECORDS, named
from tests.toolkit.advise.advise_rows import Row, at, database
from tests.toolkit.advise.advise_rows import volume as measured


def data_set(interval: int, name: str, wait: float, job: str = "JOBA", volser: str = "VOL001", **more: Any) -> Row:
    """A row of `dataset_interval`: 45,000 I/Os in the quarter hour, half of the volume's."""
    row: Row = {"interval_start": at(interval), "data_set": name, "job": job, "volser": volser, "wait_ms": wait}
    return row | {"io_count": 45_000, "response_ms": wait + 1} | more


def finding(subject: Subject, code: str = "queue") -> Finding:
    return Finding("act", subject, "It waits", "", (), "", 1.0, code=code)


def stated(found: Finding, site: dict[str, dict[str, float]] | None = None, **rows: list[Row]) -> str:
    with database(**rows) as con:
        return named(con, [found], ["queue"], site)[0].whole_text


TWO = [measured(n, name, wait=10.0) for n in range(4) for name in ("VOL001", "VOL002")]


def test_the_data_set_that_makes_most_of_the_wait_is_named_with_its_job() -> None:
    hot = [data_set(n, "PROD.INDEX", 16.0) for n in range(4)] + [data_set(0, "PROD.LOG", 4.0, "JOBB")]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=hot)
    assert text == "It waits. 80 % of the time waited is that of data set PROD.INDEX, job JOBA (42.6)"


def test_nothing_is_named_where_no_data_set_makes_half_of_it() -> None:
    rows: dict[str, list[Row]] = {"volume_interval": TWO, "dataset_interval": [data_set(0, "PROD.INDEX", 9.0)]}
    rows["dataset_interval"] += [data_set(n, f"PROD.D{n}", 9.0) for n in range(1, 4)]
    assert stated(finding(volume("VOL001", "SYSA")), **rows) == "It waits"
    lower = {"top_waiter": {"share": 0.1}}
    assert "% of the time waited" in stated(finding(volume("VOL001", "SYSA")), lower, **rows)


def test_a_job_with_many_data_sets_is_named_where_none_of_these_makes_half() -> None:
    hot = [data_set(n, f"SORT.WK{w}", 4.0, "SORTBIG") for n in range(4) for w in range(4)]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=hot)
    assert text == "It waits. 80 % of the time waited is that of job SORTBIG, 4 data sets (42.6)"
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


def test_where_no_42_6_was_collected_one_finding_says_what_it_would_give() -> None:
    both = [finding(volume(name, "SYSA")) for name in ("VOL001", "VOL002")]
    with database(volume_interval=TWO) as con:
        assert [f.whole_text for f in named(con, both, ["queue"])] == [f"It waits. {NO_RECORDS}", "It waits"]
        assert [f.whole_text for f in named(con, both, ["other"])] == ["It waits", "It waits"], "not about a queue"
    with database(volume_interval=[r | {"platform": "z/VM"} for r in TWO]) as con:
        assert named(con, both, ["queue"])[0].whole_text == "It waits", "z/VM has no such record"


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


def test_a_job_that_ran_while_nothing_waited_is_not_named() -> None:
    calm = [measured(n, wait=10.0 if n < 2 else 0.0) for n in range(4)]
    jobs = [used(n, "NIGHTJOB", 0.03) for n in (2, 3)] + [used(n, "DAYJOB", 0.02) for n in (0, 1)]
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=calm, job_volume_interval=jobs)
    assert "67 % of the connect time then is that of job DAYJOB" in text


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
        assert text.endswith("70 % of the time waited is that of data set PROD.STRIPE on volume VOL001 and 1 more, "
                             "job JOB0 and others (42.6)")  # fmt: skip


def test_only_while_data_sets_were_recorded() -> None:
    """42.6 was collected in the first of four quarter hours: the rest is no wait of others."""
    text = stated(finding(volume("VOL001", "SYSA")), volume_interval=TWO, dataset_interval=[data_set(0, "A.B", 16.0)])
    assert text.startswith("It waits. 80 % of the time waited is that of data set A.B")


@pytest.mark.parametrize("code, reported", [("queue", True), ("slow_path", False)])
def test_only_findings_about_a_queue_name_it(code: str, reported: bool) -> None:
    with database(volume_interval=TWO, dataset_interval=[data_set(0, "A.B", 16.0)]) as con:
        (found,) = named(con, [finding(volume("VOL001"), code)], ["queue"])
    assert ("A.B" in found.whole_text) == reported


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
