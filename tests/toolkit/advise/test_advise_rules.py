"""Every rule on planted rows: what it finds, in numbers, and what it leaves alone."""

from typing import Any

import pytest
from advise_rows import applied, at, box, cached, candidate, database, delay, pool, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.sql.questions import ask, load

RULES = {r.code: r for r in all_rules()}


def found(code: str, settings: dict[str, float] | None = None, **tables: Any) -> list[Finding]:
    return applied(RULES[code], tables, settings)


def numbers(finding: Finding) -> dict[str, Any]:
    return {n.name: n.value for n in finding.numbers}


def test_a_dry_pool_is_found_with_its_window_and_cost() -> None:
    rows = [pool(0), *[pool(n, denied=1000) for n in (4, 5, 6)], pool(8)]
    (finding,) = found("alias_pool_dry", lcu_interval=rows)
    assert finding.text == "LCU 0011 ran out of HyperPAV aliases on SYSA (10:00-10:45 on 2026-03-02)"
    named = ("refusals per I/O, worst interval and LCU", "volumes that waited at once, most")
    assert [numbers(finding)[name] for name in (*named, "IOSQ of an LCU, worst interval")] == [0.1, 3, 2.0]
    assert "at least 2 more aliases" in finding.advice
    assert "(now 4)" in finding.advice
    # two I/Os waited for three quarter hours of five
    assert finding.lost_s == pytest.approx(2 * 2700)
    assert numbers(finding)["I/Os without an alias, whole span"] == 3000


def test_a_few_refusals_are_no_finding_and_no_type_78_is_none_either() -> None:
    assert found("alias_pool_dry", lcu_interval=[pool(0, denied=200)]) == []
    assert found("alias_pool_dry", lcu_interval=[pool(0, denied=200)], settings={"denied_ratio": 0.01})
    assert found("alias_pool_dry", lcu_interval=[pool(0, alias_io_count=None, alias_denied_ratio=None)]) == []


def test_separate_bad_times_are_counted_and_the_worst_named() -> None:
    rows = [pool(0, denied=500), pool(4, denied=900), pool(5, denied=900), pool(9, denied=500)]
    (finding,) = found("alias_pool_dry", lcu_interval=rows)
    assert "(3 times, worst 10:00-10:30 on 2026-03-02)" in finding.whole_text


def test_one_quiet_interval_does_not_end_a_bad_time_two_do() -> None:
    (finding,) = found("alias_pool_dry", lcu_interval=[pool(4, denied=900), pool(6, denied=900)])
    assert "(10:00-10:45 on" in finding.whole_text
    (finding,) = found("alias_pool_dry", lcu_interval=[pool(4, denied=900), pool(7, denied=900)])
    assert "2 times" in finding.whole_text


def test_a_waiting_volume_gets_the_aliases_it_lacks() -> None:
    rows = [volume(n, wait=wait, exposures=2.0) for n, wait in enumerate([0.0, 20.0, 10.0, 0.0])]
    (finding,) = found("pav_add_alias", pav_candidate=[candidate()], volume_interval=rows)
    assert finding.text == "Volume VOL001 waits on SYSA (09:15-09:45 on 2026-03-02): 20.0 ms IOSQ at the peak"
    named = ("IOSQ share of response, whole span", "queue, peak interval")
    assert [numbers(finding)[name] for name in named] == [pytest.approx(100 * 30 / 34), 2.0]
    assert finding.advice.startswith("Give it at least 1 more alias (now 1)")
    assert finding.lost_s == pytest.approx((2 + 1) * 900)


@pytest.mark.parametrize(
    "other, load",
    [({"verdict": "enough"}, {}), ({"is_hyperpav": True}, {}), ({}, {"rate": 20.0}), ({}, {"disc": 200.0})],
    ids=["enough", "HyperPAV", "short queue", "time elsewhere"],
)
def test_a_volume_that_aliases_of_its_own_would_not_help_is_left_alone(
    other: dict[str, Any], load: dict[str, Any]
) -> None:
    rows = [volume(1, **{"wait": 20.0} | load)]
    assert found("pav_add_alias", pav_candidate=[candidate(**other)], volume_interval=rows) == []


def test_hyperpav_volumes_that_wait_unexplained_are_one_finding_per_lcu() -> None:
    rows = [volume(1, f"VOL00{n}", wait=20.0, is_hyperpav=True) for n in range(3)]
    (finding,) = found("hyperpav_wait", volume_interval=rows)
    assert "3 HyperPAV volumes of LCU 0010 wait on SYSA" in finding.whole_text
    assert finding.lost_s == pytest.approx(3 * 2 * 900)
    reported = [{"interval_start": at(n), "lcu": "0010", "alias_denied_ratio": 0.0} for n in (1, 9)]
    assert found("hyperpav_wait", volume_interval=rows, lcu_extra=reported[:1]) == []
    assert found("hyperpav_wait", volume_interval=rows, lcu_extra=reported[1:]), (
        "a record of another hour is no evidence"
    )


@pytest.mark.parametrize(
    ("volumes", "wait", "named"), [(6, 2.0, 6), (2, 2.0, 0), (20, 0.3, 0), (1, 6.0, 1), (7, 1.0, 7)]
)
def test_a_wait_spread_over_a_pool_is_one_of_the_pool(volumes: int, wait: float, named: int) -> None:
    """Of 100 I/Os per s and volume: 0.5 of all queue at once, and each waits for a quarter of its response."""
    rows = [volume(1, f"VOL00{n}", rate=100.0, wait=wait, is_hyperpav=True) for n in range(volumes)]
    seen = found("hyperpav_wait", volume_interval=rows)
    assert [len(f.about) for f in seen] == [named] * bool(named)


@pytest.mark.parametrize(("aliases", "text", "severity"), [(3, "have 8 in all", "act"), (9, "Collect SMF", "watch")])
def test_bases_and_aliases_nearly_always_in_use_are_evidence(aliases: int, text: str, severity: str) -> None:
    """5.4 I/Os in progress at three bases: 5.4 + 2 * sqrt(5.4) make room for 11 of them."""
    rows = [volume(1, f"VOL00{n}", wait=20.0, is_hyperpav=True, in_service=1.8) for n in range(3)]
    pool = [{"interval_start": at(1), "lcu": "0010", "hyperpav_aliases": aliases}]
    (finding,) = found("hyperpav_wait", volume_interval=rows, lcu_interval=pool)
    assert finding.severity == severity and text in finding.advice


def test_subsystems_of_one_box_are_one_finding_that_names_the_worst() -> None:
    rows = [delay(n, s, d) for n, d in ((0, 0.0), (1, 100.0)) for s in ("3020", "3021", "3022")]
    rows += [delay(2, "3021", 120.0), delay(2, "2010", 0.0)]
    boxes = [box(s, "0000000CD472") for s in ("3020", "3021", "3022")] + [box("2010", "0000000AB121")]
    (finding,) = found("nvs_delay", nvs_delay=rows, cache_subsystem_interval=boxes)
    assert finding.whole_text.partition(". Destage")[0] == (
        "NVS of box 2107-961 CD472 was full (09:15-09:45 on 2026-03-02). Writes to subsystems 3020, 3021 and 3022 "
        "waited, up to 12 % of those to 3021. By estimate a write waited 3.6 ms (between 2.4 and 4.8)"
    )
    assert numbers(finding)["fast writes delayed, whole box"] == 420
    assert "IN ('3020', '3021', '3022')" in finding.sql


def test_without_a_serial_every_subsystem_stands_for_itself() -> None:
    rows = [delay(1, s, 100.0, delay_ms_per_write=None) for s in ("3020", "3021")]
    both = found("nvs_delay", nvs_delay=rows, cache_subsystem_interval=[box("3020", None)])
    assert [str(f.subject) for f in both] == ["subsystem 3020", "subsystem 3021"]
    assert "is unknown without device records" in both[0].whole_text
    assert found("nvs_delay", nvs_delay=[delay(1, "3020", 2.0)]) == []


@pytest.mark.parametrize(
    ("method", "reason"),
    [("several boxes", "id in several boxes"), ("more I/Os than counted", "more I/Os than the box counted"),
     ("no device data", "without device records of its volumes at that time")],
)  # fmt: skip
def test_a_delay_that_is_not_reported_says_why(method: str, reason: str) -> None:
    unknown = {f"delay_ms_per_write{bound}": None for bound in ("", "_low", "_high")}
    rows = [delay(1, "3020", 100.0, **unknown, method=method), delay(2, "3020")]
    (finding,) = found("nvs_delay", nvs_delay=rows)
    assert reason in finding.whole_text and finding.effect is None, (
        "intervals without a delayed write give no cost of one"
    )


def test_a_heading_names_six_subsystems_at_most() -> None:
    names = [f"30{number:02}" for number in range(24)]
    rows = [delay(1, name, 40.0) for name in names]
    (finding,) = found(
        "nvs_delay", nvs_delay=rows, cache_subsystem_interval=[box(name, "0000000AB121") for name in names]
    )
    assert "Writes to subsystems 3000, 3001, 3002, 3003, 3004, 3005 and 18 more waited" in finding.whole_text
    assert all(name in finding.sql for name in names)


@pytest.mark.parametrize("wait", [0.0, 3.0, 30.0])
def test_no_queue_hides_the_misses_that_make_it(wait: float) -> None:
    """Hits fall and service takes 2.55 ms in place of 0.85: the queue is a part of that finding, response as before."""
    row = {"rate": 330.0, "subsystem": "2010", "read_ratio": 0.8, "conn": 0.4, "is_hyperpav": False}
    rows = [volume(n, wait=min(wait, 0.1), disc=0.25, read_hit_ratio=0.94, **row) for n in range(8)]
    rows += [volume(n, wait=wait, disc=1.95, read_hit_ratio=0.48, **row) for n in range(8, 20)]
    with database(cache_interval=[cached(interval_start=at(n)) for n in range(20)], volume_interval=rows) as con:
        cause, note = run(con)
    assert [cause.code, note.code] == ["low_hit_ratio", "time_breakdown"]
    assert cause.effect is not None
    before = 0.85 + min(wait, 0.1)
    assert (cause.effect.now, cause.effect.low, cause.effect.high) == pytest.approx((2.55 + wait, before, before))


def test_a_volume_past_the_cache_is_compared_with_its_subsystem() -> None:
    others = [cached(f"OK{n}", hits=1000.0, device=f"0101{n}") for n in range(3)]
    seen = {"subsystem": "2010", "read_ratio": 0.8, "read_hit_ratio": 0.4}
    rows = [volume(0, disc=4.0, conn=0.6, **seen), *(volume(n, disc=0.1, **seen) for n in range(1, 90))]
    (finding,) = found("low_hit_ratio", cache_interval=[cached(), *others], volume_interval=rows)
    assert finding.whole_text == (
        "Volume VOL001 finds only 40 % of its reads in cache (09:00-09:15 on 2026-03-02). Of the reads of "
        "other volumes in subsystem 2010, 100 % hit then. Disconnect is 83 % of its service time then, 4.0 ms per I/O"
    )
    assert finding.severity == "watch"
    assert finding.lost_s == pytest.approx(0.4 * 900)


@pytest.mark.parametrize(
    "other",
    [{"read_hit_ratio": 0.9}, {"disc": 0.1}, {"read_ratio": 0.005}, {"disc": 4.0, "rate": 5.0}],
    ids=["good ratio", "time elsewhere", "hardly read", "hardly any time"],
)
def test_a_low_ratio_alone_is_no_finding(other: dict[str, Any]) -> None:
    row = {"disc": 4.0, "subsystem": "2010", "read_ratio": 0.8, "read_hit_ratio": 0.4} | other
    assert found("low_hit_ratio", cache_interval=[cached()], volume_interval=[volume(0, **row)]) == []


def test_where_the_time_goes_is_weighted_by_ios() -> None:
    rows = [volume(0, "A", rate=300.0, wait=4.0), volume(0, "B", rate=100.0)]
    (finding,) = found("time_breakdown", volume_interval=rows)
    # (300 * 5 + 100 * 1) / 400 = 4 ms, of it 3 ms IOSQ
    assert finding.whole_text == (
        "Over all 2 volumes an I/O takes 4.00 ms; the largest part is IOSQ (host queue). "
        "IOSQ 75 %, pend 5 %, disc 12 %, conn 8 %"
    )
    assert found("time_breakdown", volume_interval=[]) == []
    rows.append(volume(0, "C", rate=500.0, wait=9.0) | {"conn_ms": None})
    (more,) = found("time_breakdown", volume_interval=rows)
    # with 500 of 10 ms whose parts are not all known
    assert more.text == "Over all 3 volumes an I/O takes 7.33 ms; the largest part, known of 2, is IOSQ (host queue)"
    rows[-1] |= {"response_ms": None}
    (less,) = found("time_breakdown", volume_interval=rows)
    assert less.text == finding.text.replace("all 2 volumes", "2 of 3 volumes")
    for part in ("wait_ms", "pend_ms", "disc_ms", "conn_ms"):
        assert found("time_breakdown", volume_interval=[r | {part: None} for r in rows]) == [], "no part is taken for 0"
    assert found("time_breakdown", volume_interval=[volume(0, rate=0.1)]) == [], "hardly any I/O is no headline"


def test_names_from_dumps_stay_text_in_the_query_of_a_finding() -> None:
    name = "O'B\"<;"
    con = database(pav_candidate=[candidate(name)], volume_interval=[volume(1, name, wait=20.0)])
    (finding,) = apply(con, RULES["pav_add_alias"])
    assert at(1) in con.execute(finding.sql).fetchall()[0]


def test_findings_come_most_urgent_first() -> None:
    con = database(
        lcu_interval=[pool(1, denied=1000)],
        pav_candidate=[candidate()],
        volume_interval=[volume(1, wait=40.0), volume(1, "VOL002", disc=5.0, read_ratio=0.8, read_hit_ratio=0.4)],
        cache_interval=[cached("VOL002")],
    )
    every = run(con)
    codes = [f.code for f in every]
    assert codes == ["pav_add_alias", "alias_pool_dry", "low_hit_ratio", "time_breakdown"]
    assert every[-1].advice == "Begin with the findings to act on or to watch"
    assert [f.code for f in run(con, {"pav_add_alias": {"queue_length": 9.0}})] == codes[1:]


def test_an_empty_lake_gives_no_finding() -> None:
    assert run(database()) == []


def queued(css: float, cmr: float) -> dict[str, Any]:
    """A dry pool of 1,000 I/Os a second, 5 of them open, and the paths they take."""
    where = {"interval_start": at(4), "lcu": "0011"}
    paths = [where | {"channel_path": p, "taken_rate": 500.0, "cmr_ms": cmr} for p in ("91", "90")]
    way = {"css_delay_ms": css, "cu_busy_delay_ms": 0.0, "open_exchanges": 5.0, "path_taken_rate": 1000.0}
    return {"lcu_interval": [pool(4, denied=1000, **way)], "lcu_path_interval": paths}


def test_a_pool_whose_ios_wait_on_the_way_gets_no_more_aliases() -> None:
    (css,) = found("alias_pool_dry", **queued(27.0, 0.2))
    assert css.advice.startswith("Check channels 90, 91")
    assert css.advice.endswith(
        "aliases will not help: 27.0 of the 32.0 ms that an I/O holds an alias are CSS delay, the wait for a free path"
    )
    assert css.aliases is not None and css.aliases.verdict == "wont_help" and css.curve is None
    assert numbers(css)["open exchanges then, mean"] == 5
    (cmr,) = found("alias_pool_dry", **queued(0.2, 3.0))
    assert "3.0 of the 5.2 ms that an I/O holds an alias are command response time (CMR) (3.0" in cmr.advice
    # 1.2 of 5.2 ms is less than a third; half a millisecond is nothing to speak of
    for way in ((0.2, 1.0), (0.3, 0.2)):
        assert "at least 2 more aliases" in found("alias_pool_dry", **queued(*way))[0].advice


@pytest.mark.parametrize(("bytes_rate", "reported"), [(760e6, "95 % full"), (840e6, "100 % full"), (1.2e9, None)])
def test_no_link_is_more_than_full(bytes_rate: float, reported: str | None) -> None:
    """A line of 8 Gb/s carries some bytes more than 800 million; twice as many are no measurement of it."""
    moved = {"box": "AB121", "link": "0030", "link_type": "8 Gb/s Fibre Channel", "operation": "host read"}
    rows = [moved | {"interval_start": at(n), "bytes_rate": bytes_rate, "operation_rate": 1e4} for n in range(4)]
    assert [reported in f.whole_text for f in found("link_full", link_interval=rows)] == ([True] if reported else [])


def test_links_that_are_full_at_once_are_one_finding() -> None:
    moved = {"box": "AB121", "link_type": "8 Gb/s Fibre Channel", "operation": "host read", "operation_rate": 1e4}
    rows = [
        moved | {"link": name, "interval_start": at(n), "bytes_rate": 7.6e8 if n >= since else 1e8}
        for name, since in (("0030", 0), ("0031", 0), ("0130", 3)) for n in range(6)
    ]  # fmt: skip
    texts = sorted(f.text for f in found("link_full", link_interval=rows))
    assert [t.partition(" (")[0] for t in texts] == [
        "Link 0130 of box AB121 is up to 95 % full", "Links 0030 and 0031 of box AB121 are up to 95 % full"
    ]  # fmt: skip


@pytest.mark.parametrize(("operations", "is_full"), [(("host read", "scsi read"), True), (("scsi read",), False),
                                                     (("host write", "copy receive"), True),
                                                     (("host read", "host write"), False)])  # fmt: skip
def test_a_link_is_filled_by_all_that_it_moves_one_way(operations: tuple[str, ...], is_full: bool) -> None:
    moved = {"box": "AB121", "link": "0030", "link_type": "8 Gb/s Fibre Channel", "bytes_rate": 4.2e8}
    rows = [
        moved | {"interval_start": at(n), "operation": o, "operation_rate": 1e4} for n in range(4) for o in operations
    ]
    assert bool(found("link_full", link_interval=rows)) is is_full


def test_the_numbers_of_a_small_cache_begin_with_its_worst_interval() -> None:
    poor = {0: 1, 1: 3, 2: 2}
    rows = [
        cached(f"V{n}", hits=100.0 if n < count else 900.0, read_rate=10.0, interval_start=at(interval))
        for interval, count in poor.items()
        for n in range(4)
    ]
    shown = load("iosq.toolkit.advise.rules.cache_too_small", "shown.sql")
    asked = {"hit_ratio": 0.5, "read_rate": 1.0, "box": "00000AA001", "part": ""}
    with database(cache_interval=rows, cache_subsystem_interval=[box("2010", "00000AA001")]) as con:
        boxes = con.execute("SELECT box FROM box_subsystem").fetchall()
        found = ask(con, shown, **{**asked, "box": boxes[0][0]}).to_pylist()
    assert [(r["poor_volumes"], r["busy_volumes"]) for r in found] == [(3, 4), (2, 4), (1, 4)]
