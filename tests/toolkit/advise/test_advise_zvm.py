"""Rules about what only z/VM measures, from rows."""

from typing import Any

import pytest
from advise_rows import Row, applied, at, channel, database, pool, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import volume as volume_named
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import pav_lake
from iosq.toolkit.predict.pav_box import Asked

RULES = {r.code: r for r in all_rules()}
ZVM: Row = {"platform": "z/VM", "system": "VMSYS", "lcu": None, "exposures": 1.0}
QUICK: Row = {"pend": 0.1, "disc": 0.1, "conn": 0.3}


def test_pend_without_device_busy_is_not_compared_with_pend() -> None:
    """Pend is the same at all times, and the last intervals lack which part of it is device busy."""
    rows = [
        volume(n, f"VOL00{v}", rate=50.0, pend=5.0, device_busy_ms=4.8 if n < 8 else None, **ZVM)
        for n in range(12)
        for v in range(3)
    ]
    rule = next(r for r in all_rules() if r.code == "slow_path")
    assert applied(rule, {"volume_interval": rows}) == []
    risen = [row | {"pend_ms": 5.0 + 15.0 * (n >= 24)} for n, row in enumerate(rows)]
    (finding,) = applied(rule, {"volume_interval": risen})
    assert "pend for 20.00 ms, at best for 5.00 ms" in finding.details
    assert "Device busy isn't recorded" in finding.details


def test_full_channels_of_a_system_without_lcus_hold_its_slow_path() -> None:
    rows = [
        volume(n, f"VOL00{v}", rate=50.0, pend=3.0 if n >= 8 else 0.2, device=f"0A20{v}", **ZVM)
        for n in range(12)
        for v in range(4)
    ]
    full = [channel(n, "30", 0.95 if n >= 8 else 0.3) | {"platform": "z/VM", "system": "VMSYS"} for n in range(12)]
    (finding,) = (f for f in run(database(volume_interval=rows, channel_interval=full), topic="pav"))
    assert (finding.code, finding.severity) == ("slow_path", "act")
    assert finding.text.startswith("Channel 30 of VMSYS is up to 95 % busy: pend is long")


def test_channels_of_volumes_show_whose_data_waits_there() -> None:
    """Two of five volumes are behind a full channel: without their paths they are too few to be slow together."""
    rows = [
        volume(n, f"VOL00{v}", rate=50.0, pend=p, conn=c, device=f"0A20{v}", **ZVM)
        for n in range(12)
        for v in range(5)
        for p, c in ([(3.0, 1.9)] if n >= 8 and v < 2 else [(0.2, 0.5)])
    ]
    busy = [(n, path, 0.95 if n >= 8 and path == "30" else 0.3) for n in range(12) for path in ("30", "31")]
    uses = [channel(*one) | {"platform": "z/VM", "system": "VMSYS"} for one in busy]
    own = {"platform": "z/VM", "system": "VMSYS"}
    paths = [own | {"volume": f"VOL00{v}", "channels": "30" if v < 2 else "31"} for v in range(5)]
    (alone,) = (f for f in run(database(volume_interval=rows, channel_interval=uses)) if f.severity != "note")
    assert (alone.code, alone.severity) == ("channel_busy", "watch")
    assert "Which volumes they lead to isn't recorded" in alone.whole_text
    tables = {"volume_interval": rows, "channel_interval": uses, "volume_channel": paths}
    (led,) = applied(RULES["channel_busy"], tables)
    assert "They lead to volumes VOL000, VOL001" in led.whole_text
    (finding,) = (f for f in run(database(**tables)) if f.severity != "note")
    assert (finding.code, finding.severity) == ("slow_path", "act")
    assert finding.text.startswith("Channel 30 of VMSYS is up to 95 % busy: pend is long")
    assert "They are reached over channel 30. Connect is 1.90 ms, at best 0.50 ms" in finding.details
    (unmeasured,) = applied(RULES["slow_path"], tables)
    assert unmeasured.effect and unmeasured.effect.low == pytest.approx(unmeasured.effect.high - 1.4)


@pytest.mark.parametrize("rate", [None, 0.0, 80.0])
def test_requests_that_no_alias_may_serve_are_counted(rate: float | None) -> None:
    base = {**ZVM, "lcu": "0011", "device": "0A200", "exposures": None, "is_hyperpav": True}
    waits = [volume(n, wait=5.0, **base) for n in range(4)]
    pools = [pool(n, alias_high_water=2) | {"platform": "z/VM", "system": "VMSYS"} for n in range(4)]
    known = {"platform": "z/VM", "system": "VMSYS", "device": "0A200", "ineligible_rate": rate}
    counts = [known | {"interval_start": at(n)} for n in range(4)]
    tables = {"volume_interval": waits, "lcu_interval": pools, "alias_ineligible_interval": counts}
    (finding,) = applied(RULES["same_extent"], tables)
    assert ("80 requests per second of VOL001 to the base only" in finding.whole_text) == bool(rate)
    assert ("First see how many requests" in finding.advice) == (not rate)


def emulated(interval: int, queue: float, device_type: str = "9336", **more: Any) -> Row:
    """A device on FCP: nothing is known of the parts of its service."""
    row = volume(interval, "EDEV01", rate=50.0, wait=20 * queue, device="00A10", device_type=device_type, **ZVM)
    return row | {"service_ms": 20.0, "response_ms": 20.0 + 20 * queue, "in_service": 1.0, **more}


def neighbour(interval: int) -> Row:
    return volume(interval, "CKD001", rate=30.0, device="0A200", device_type="3390-9", **QUICK, **ZVM)


def found(code: str, *rows: Row) -> list[Finding]:
    return applied(RULES[code], {"volume_interval": list(rows)})


def day(*of: Row) -> dict[str, list[Row]]:
    return {"volume_interval": [*of, *(neighbour(n) for n in range(4))]}


def cut(*paths: int | None) -> list[Row]:
    """A quiet volume by its channel paths online, hour by hour, and one that keeps its paths."""
    return [row for n, count in enumerate(paths) for row in (neighbour(n) | {"volume": "CUT001", "paths": count},
                                                             neighbour(n) | {"paths": 4})]  # fmt: skip


def test_a_volume_on_another_device_with_fewer_paths_lost_none() -> None:
    rows = cut(8, 4, 4)
    assert found("paths_lost", *rows)
    assert not found("paths_lost", *(row | {"device": "9999"} if n in (2, 4) else row for n, row in enumerate(rows)))


@pytest.mark.parametrize("unknown", [{}, {"service_ms": None, "response_ms": None, "in_service": None}])
def test_an_emulated_device_that_queues_is_a_matter_of_fcp_paths(unknown: Row) -> None:
    """The monitor has no service time of such a device."""
    (finding,) = found("queue_no_alias", *(emulated(n, 3.0 if n else 0.1) | unknown for n in range(4)))
    assert finding.text.startswith(
        "I/Os queue 60.0 ms for emulated device EDEV01 (9336 at 0A10) on VMSYS (09:15-10:00 on 2026-03-02)"
    )
    assert all(word in finding.advice for word in ("FCP paths", "D6R24", "Aliases are not possible"))
    assert finding.aliases is not None and finding.aliases.verdict == "wont_help"
    assert finding.lost_s == 3 * 3.0 * 900


@pytest.mark.parametrize("queue", [0.0, 0.4])
def test_a_short_queue_of_an_emulated_device_is_left_alone(queue: float) -> None:
    assert found("queue_no_alias", *(emulated(n, queue) for n in range(4))) == []


@pytest.mark.parametrize("device_type", ["3390-9", "3380", "9345", None])
def test_devices_that_take_aliases_are_left_to_the_other_rules(device_type: str | None) -> None:
    assert found("queue_no_alias", *(emulated(n, 3.0, device_type) for n in range(4))) == []


@pytest.mark.parametrize("device_type", ["9336", "9336-10", "3370", "FBA"])
def test_no_rule_asks_for_aliases_of_a_device_that_takes_none(device_type: str) -> None:
    with database(["pav_candidate"], **day(*(emulated(n, 3.0, device_type) for n in range(4)))) as con:
        (row,) = con.execute("SELECT verdict, reason FROM pav_candidate WHERE volume = 'EDEV01'").fetchall()
        findings = run(con, topic="pav")
    assert row[0] == "will_not_help" and row[1].startswith(f"a device of type {device_type} takes no aliases")
    assert [f.code for f in findings] == ["queue_no_alias"]


def test_the_what_if_refuses_a_device_that_takes_no_aliases() -> None:
    rows = day(*(emulated(n, 3.0) for n in range(4)))
    with database(**rows) as con, pytest.raises(RequestError, match="type 9336, which takes no aliases"):
        pav_lake.volume_answer(con, "EDEV01", None, Asked())


@pytest.mark.parametrize(("exposures", "now"), [(None, None), (1.0, 0), (3.0, 2)])
def test_the_number_of_aliases_is_unknown_where_no_listing_shows_roles(
    exposures: float | None, now: int | None
) -> None:
    known = ZVM | {"exposures": exposures}
    waits = [volume(n, "QUE001", rate=240.0, wait=10.0 * n, device="0B100", **QUICK, **known) for n in range(4)]
    rows = [*waits, *(neighbour(n) for n in range(4))]
    with database(["pav_candidate"], volume_interval=rows) as con:
        (finding,) = (f for f in run(con, topic="pav") if f.code == "pav_add_alias")
        (known,) = con.execute("SELECT exposures FROM pav_candidate WHERE volume = 'QUE001'").fetchone() or (0,)
    assert known == exposures
    assert finding.aliases is not None and finding.aliases.now == now
    assert ("No record shows how many it has" if now is None else f"(now {now})") in finding.advice
    assert finding.curve is not None and finding.curve.is_now_known == (now is not None)
    assert any(n.name.startswith("exposures") and n.value for n in finding.numbers) == (now is not None)


@pytest.mark.parametrize(("exposures", "now"), [(None, None), (1.0, 0)])
def test_a_workload_is_called_closed_only_where_its_exposures_are_known(
    exposures: float | None, now: int | None
) -> None:
    busy = {"rate": 950.0, "wait": 2.0, "pend": 0.2, "disc": 0.2, "conn": 0.6}
    waits = [volume(n, "BAT001", **busy, device="0B100", **ZVM | {"exposures": exposures}) for n in range(4)]
    rows = [*waits, *(neighbour(n) for n in range(4))]
    with database(["pav_candidate"], volume_interval=rows) as con:
        (finding,) = run(con, topic="pav")
    assert finding.code == ("pav_add_alias" if now is None else "closed_load")
    assert finding.aliases is not None and finding.aliases.now == now
    assert ("No record shows how many it has" in finding.advice) == (now is None)
    assert ("(now 0)" in finding.advice) == (now == 0)


def test_a_what_if_asks_for_the_exposures_that_no_row_shows() -> None:
    rows = [volume(n, "QUE001", rate=240.0, wait=10.0 * n, **QUICK, **ZVM | {"exposures": None}) for n in range(4)]
    rows += [neighbour(n) for n in range(4)]
    with database(volume_interval=rows) as con:
        with pytest.raises(RequestError, match=r"aliases of QUE001 is unknown.*D6R3") as refused:
            pav_lake.volume_answer(con, "QUE001", None, Asked())
        answer = pav_lake.volume_answer(con, "QUE001", None, Asked(exposures=3))
    assert "--exposures" in str(refused.value)
    assert [row["aliases"] for row in answer.rows if row["now"]] == [2]


def test_a_what_if_about_a_pool_that_nothing_shows_names_the_record_to_collect() -> None:
    base = ZVM | {"exposures": None, "is_hyperpav": True}
    rows = [volume(n, "HYP001", rate=240.0, wait=10.0 * n, **QUICK, **base) for n in range(4)]
    with database(volume_interval=rows) as con, pytest.raises(RequestError, match=r"pool size of .* unknown.*D6R28"):
        pav_lake.volume_answer(con, "HYP001", None, Asked())


def throttled(interval: int, queue: float, delayed: float | None) -> Row:
    return volume(interval, "THR001", rate=20.0, wait=50 * queue, device_type="3390-9", conn=2.8, **ZVM) | {
        "throttle_delay_rate": delayed
    }


def test_a_throttle_is_named_as_the_cause_of_the_wait() -> None:
    with database(["pav_candidate"], **day(*(throttled(n, 2.5, 14.0) for n in range(4)))) as con:
        findings = [f for f in run(con) if "THR001" in f.subject.names]
    (finding,) = findings
    assert finding.text.startswith("SET THROTTLE delays I/Os to volume THR001 on VMSYS (09:00-10:00")
    assert finding.aliases is not None and finding.aliases.verdict == "wont_help"


@pytest.mark.parametrize(("delayed", "unfit"), [(14.0, "throttled"), (0.0, None), (None, None)])
def test_a_what_if_names_the_throttle(delayed: float | None, unfit: str | None) -> None:
    rows = day(*(throttled(n, 2.5, delayed) for n in range(4)))
    with database(**rows) as con:
        answer = pav_lake.volume_answer(con, "THR001", None, Asked())
    assert answer.common.get("unfit") == unfit
    assert any("SET THROTTLE delays 14 I/Os per s" in text for text in answer.conclusions) == (unfit is not None)


def test_a_throttled_volume_of_unknown_aliases_has_no_count_now() -> None:
    rows = day(*(throttled(n, 2.5, 14.0) | {"exposures": None} for n in range(4)))
    with database(**rows) as con:
        answer = pav_lake.volume_answer(con, "THR001", None, Asked())
    assert [row["aliases"] for row in answer.rows] == [None]


@pytest.mark.parametrize("delayed", [0.0, None])
def test_without_delayed_ios_the_queue_is_a_matter_of_exposures(delayed: float | None) -> None:
    assert found("queue_no_alias", *(throttled(n, 2.5, delayed) for n in range(4))) == []


def test_a_volume_that_queues_without_the_throttle_too_keeps_its_other_finding() -> None:
    (finding,) = found("queue_no_alias", *(throttled(n, 2.5, 14.0 if n else 0.0) for n in range(4)))
    assert finding.covers == frozenset()


@pytest.mark.parametrize(
    ("contention", "ms", "code"),
    [
        (0.49, 23.5, "queue_no_alias"), (0.02, 23.5, "pav_add_alias"), (None, 23.5, "pav_add_alias"),
        (None, 240.0, "queue_no_alias"),
    ],
)  # fmt: skip
def test_a_request_that_waits_while_the_device_is_free_needs_no_alias(
    contention: float | None, ms: float, code: str
) -> None:
    """A law: a request waits for an exposure only while one is busy. Where five wait, no sample is needed to show it.

    A queue of about half an I/O is now shorter and now longer, which ends nothing.
    """
    known: Row = {"platform": "z/VM", "system": "VMSYS", "device": "0A200"}
    wait = [volume(n, "GPFS01", rate=21.0 + n % 2, wait=ms, **QUICK, **ZVM, device="0A200") for n in range(8)]
    details = [known | {"interval_start": at(n), "contention_ratio": contention} for n in range(8)]
    shares = [
        known | {"interval_start": at(0), "userid": u, "virtual_device": "0400", "io_rate": 7.0}
        for u in ("LNX2", "LNX1")
    ]
    tables = {"volume_interval": wait, "device_detail_interval": details, "minidisk_interval": shares}
    with database(["pav_candidate"], **tables) as con:
        (finding,) = (f for f in run(con, topic="pav") if f.severity != "note")
    assert finding.code == code
    held = "(09:00-11:00 on 2026-03-02)" in finding.text and "LNX1 0400 and LNX2 0400" in finding.details
    assert held == (code == "queue_no_alias")


@pytest.mark.parametrize(
    ("changes", "there"),
    [
        ({}, True),
        ({"platform": "z/OS"}, False),
        ({"service_ms": 1.2}, False),
        ({"exposures": 2.0}, False),
        ({"wait_ms": 0.3, "response_ms": 1.9}, False),
    ],
)
def test_a_busy_device_without_a_queue_in_cp_is_watched(changes: Row, there: bool) -> None:
    rows = [volume(n, "DED001", rate=598.0, pend=0.2, disc=0.5, conn=0.9, **ZVM) | changes for n in range(8)]
    used = {"in_service": rows[0]["io_rate"] * rows[0]["service_ms"] / 1000}
    found_then = found("queue_no_alias", *(r | used for r in rows))
    assert [f.severity for f in found_then] == ["watch"] * there
    assert found("queue_no_alias", *(r | used for r in rows[:3])) == []
    more = volume(9, "DED001", rate=900.0, pend=0.2, disc=0.5, conn=0.9, **ZVM) | {"in_service": 1.44}
    assert found("queue_no_alias", *(r | used for r in rows), more) == []


def test_a_busy_device_of_an_unknown_queue_is_watched_and_has_no_what_if() -> None:
    unknown = {"wait_ms": None, "queue_length": None, "response_ms": None}
    rows = [volume(n, "UNK001", rate=450.0, conn=1.4, **ZVM) | unknown for n in range(8)]
    (finding,) = found("queue_no_alias", *rows)
    assert finding.text.startswith("Volume UNK001 on VMSYS is up to 94 % busy, its queue unknown")
    assert (finding.severity, finding.aliases and finding.aliases.verdict) == ("watch", "cant_tell")
    with database(**day(*rows)) as con, pytest.raises(RequestError, match="UNK001 is unknown: no record shows its"):
        pav_lake.volume_answer(con, "UNK001", None, Asked())
    # one interval that shows a queue of 0 is what is known
    seen = volume(8, "UNK001", rate=450.0, conn=1.4, **ZVM)
    assert "without a queue in CP" in found("queue_no_alias", *rows, seen)[0].text


def cached(name: str, rate: float, avoided: float | None, reads: float | None) -> list[Row]:
    return [
        volume(n, name, rate=rate, **QUICK, **ZVM) | {"mdc_avoided_rate": avoided, "read_ratio": reads}
        for n in range(4)
    ]


def test_what_minidisk_cache_saves_is_one_note_of_a_system() -> None:
    (finding,) = found("minidisk_cache", *cached("CMS001", 20.0, 180.0, 0.15), *cached("CMS002", 40.0, 60.0, 0.4))
    assert finding.whole_text == (
        "Minidisk cache answers 80 % of the requests to 2 volumes (CMS001 first) on VMSYS. It answers 240 of 300 "
        "requests per s. The I/Os left to CMS001: 15 % reads and disconnect 0.1 ms"
    )
    assert finding.severity == "note"


def test_a_volume_of_reads_without_any_saving_is_looked_at() -> None:
    (finding,) = found("minidisk_cache", *cached("SRC001", 80.0, 0.0, 0.95), *cached("LNX001", 80.0, 0.0, 0.6))
    assert finding.whole_text == (
        "Minidisk cache avoids no I/O to volume SRC001 on VMSYS. Reads are 95 % of 80 I/Os per s"
    )
    assert "SET MDCACHE" in finding.advice and finding.severity == "note"


@pytest.mark.parametrize(
    ("rate", "avoided", "reads"), [(80.0, None, 0.95), (80.0, 0.0, None), (3.0, 4.0, 0.5), (80.0, 20.0, 0.95)]
)
def test_nothing_is_claimed_of_what_is_unknown_small_or_in_part(
    rate: float, avoided: float | None, reads: float | None
) -> None:
    assert found("minidisk_cache", *cached("ANY001", rate, avoided, reads)) == []


@pytest.mark.parametrize(("avoided", "share"), [(0.0, "none"), (24.0, "only 10 %")])
def test_minidisk_cache_that_fails_is_named_in_place_of_the_queue(avoided: float, share: str) -> None:
    before, since = cached("CMS001", 60.0, 180.0, 0.9)[:2], cached("CMS001", 240.0 - avoided, avoided, 0.9)[2:]
    (finding,) = found("minidisk_cache", *before, *since)
    assert f"answers {share} of the requests to volume CMS001 on VMSYS since 09:30" in finding.text
    assert "180 of 240 requests" in finding.details
    assert finding.severity == "act" and {code for code, _ in finding.covers} == {"pav_add_alias", "closed_load"}
    assert finding.explains == {"disc_unexplained"} and finding.when and finding.when.intervals == 2


def test_minidisk_cache_is_no_cause_where_nothing_is_asked_for_since() -> None:
    before, since = cached("CMS001", 60.0, 180.0, 0.9)[:2], cached("CMS001", 20.0, 0.0, 0.9)[2:]
    assert not any(f.severity == "act" for f in found("minidisk_cache", *before, *since))


def held(interval: int, pend: float, **more: Any) -> Row:
    return volume(interval, "SHR001", rate=20.0, wait=35.0, pend=pend, disc=0.1, conn=0.9, **ZVM, **more)


def neighbours(pend: float = 0.1) -> list[Row]:
    return [volume(n, f"CKD00{k}", pend=pend, disc=0.1, conn=0.3, **ZVM) for n in range(4) for k in range(3)]


def test_a_reserve_that_lasts_all_day_is_found_by_the_volumes_around() -> None:
    (finding,) = found("reserve_contention", *(held(n, 40.0, reserved_ratio=0.98) for n in range(4)), *neighbours())
    assert "up to 40.0 ms in place of the usual 0.1" in finding.whole_text
    assert "VMSYS found it reserved in 98 % of the samples" in finding.details


@pytest.mark.parametrize(("own", "others"), [(40.0, 30.0), (0.9, 0.1)])
def test_pend_that_others_have_too_or_that_is_a_part_of_the_service_is_no_reserve(own: float, others: float) -> None:
    assert found("reserve_contention", *(held(n, own) for n in range(4)), *neighbours(others)) == []


@pytest.mark.parametrize(
    ("busy", "more", "severities"),
    [(0.3, {}, ["watch"]), (0.95, {}, []), (0.95, {"reserved_ratio": 0.3}, ["act"])],
)
def test_a_little_pend_of_two_volumes_is_a_reserve_only_where_one_is_recorded(
    busy: float, more: Row, severities: list[str]
) -> None:
    """Neither behind a full channel, nor to be acted on where a path or error recovery may be the cause."""
    parts = {"rate": 50.0, "disc": 0.1, "conn": 2.0, **ZVM}
    rows = [
        volume(n, f"VOL00{v}", pend=1.2 if n >= 8 and v < 2 else 0.2, device=f"0A20{v}", **parts, **more)
        for n in range(12)
        for v in range(6)
    ]
    channels = [channel(n, "30", busy if n >= 8 else 0.3) | {"platform": "z/VM", "system": "VMSYS"} for n in range(12)]
    made = run(database(volume_interval=rows, channel_interval=channels))
    assert [f.severity for f in made if f.code == "reserve_contention"] == severities


def paging(interval: int, name: str, queue: float) -> Row:
    row = volume(
        interval, name, rate=120.0, wait=queue / 0.12, pend=0.2, disc=1.0, conn=6.0, device=f"0{name[2:]}", **ZVM
    )
    return row | {"device_type": "3390-9"}


def area(interval: int, name: str, used: float | None, block: float | None) -> Row:
    row: Row = {"platform": "z/VM", "system": "VMSYS", "interval_start": at(interval), "device": f"0{name[2:]}"}
    return row | {
        "area": "PAGE",
        "used_ratio": used,
        "block_pages": block,
        "page_read_rate": 300.0,
        "page_write_rate": 300.0,
    }


def slow_paging(used: float | None, block: float | None, queue: float = 6.0) -> dict[str, list[Row]]:
    names = ("PGA100", "PGA101", "PGA102")
    areas = [area(n, name, used, block) for n in range(4) for name in names]
    return day(*(paging(n, name, queue) for n in range(4) for name in names)) | {"paging_volume_interval": areas}


@pytest.mark.parametrize(
    ("used", "block", "advice"),
    [
        (0.88, 2.0, "Add page space"),
        (0.2, 2.0, "Add paging volumes of the same size"),
        (0.2, 20.0, "Add paging volumes, or aliases for these: CP uses them for paging from z/VM 6.4 on"),
        (None, None, "Look at page space and block size first"),
    ],
)
def test_slow_paging_volumes_are_one_finding(used: float | None, block: float | None, advice: str) -> None:
    with database(["pav_candidate"], **slow_paging(used, block)) as con:
        (finding,) = [f for f in run(con, topic="pav") if "PGA100" in f.subject.names]
    assert finding.code == "paging_volumes" and finding.advice.startswith(advice)
    assert finding.subject.names == ("PGA100", "PGA101", "PGA102")
    assert finding.text == "3 paging volumes of VMSYS are slow (09:00-10:00 on 2026-03-02)"
    assert ("88 % in use" in finding.whole_text) == (used == 0.88) and ("block size" in finding.whole_text) == (
        block is not None
    )
    assert finding.lost_s == 4 * 3 * 6.0 * 900


@pytest.mark.parametrize(("rate", "is_itself"), [(120.0, True), (30.0, False)])
def test_a_paging_volume_that_is_slower_than_the_others_at_the_same_load_is_replaced(
    rate: float, is_itself: bool
) -> None:
    """Its disconnect at all hours makes its queue in some; others with a quarter of the load show nothing."""
    quick, late = {"disc_ms": 0.1, "service_ms": 1.3}, {"disc_ms": 9.0, "service_ms": 10.2}
    queue = {"wait_ms": 20.0, "queue_length": 2.4, "response_ms": 30.2}
    rows = slow_paging(0.4, 20.0, 0.0)
    for r in rows["volume_interval"]:
        if r["volume"] == "PGA100":
            r |= late | (queue if r["interval_start"] == at(3) else {})
        else:
            r |= quick | {"io_rate": rate}
    (finding,) = applied(RULES["paging_volumes"], rows)
    assert finding.advice.startswith("Take it out of paging (DRAIN)") == is_itself
    assert ("queue_no_alias" in {code for code, _ in finding.covers}) == is_itself  # whatever the device is
    assert (("disc_unexplained", volume_named("PGA100", "VMSYS")) in finding.covers) == is_itself


@pytest.mark.parametrize(("view", "rate", "named"), [
    ("paging_volume_interval", 30.0, True), ("paging_interval", 30.0, True), ("paging_volume_interval", 3.0, False),
])  # fmt: skip
def test_guests_that_interrupt_paging_are_moved_before_anything_else(view: str, rate: float, named: bool) -> None:
    """30 of the 120 I/Os per s of one of three."""
    rows = slow_paging(0.2 if view == "paging_volume_interval" else None, None, 0.0)
    areas = rows.pop("paging_volume_interval")
    counted = [r | {"interference_rate": rate * (r["device"] == "0A100")} for r in areas]
    if view == "paging_interval":
        counted = [{k: v for k, v in r.items() if k not in ("area", "used_ratio", "block_pages")} for r in counted]
    for r in rows["volume_interval"]:
        if r["volume"] == "PGA100":
            r |= {"wait_ms": 20.0, "queue_length": 2.4, "response_ms": 27.2}
    (finding,) = applied(RULES["paging_volumes"], rows | {view: counted})
    assert (f"Move the minidisks of guests off PGA100: {rate:.0f} of their I/Os" in finding.advice) == named
    assert f"FROM {view}" in finding.sql


def test_volumes_that_the_monitor_counts_pages_of_are_paging_volumes_too() -> None:
    rows = slow_paging(None, None)
    pages = [{**row, "start_rate": 100.0} for row in rows.pop("paging_volume_interval")]
    counted = [{k: v for k, v in row.items() if k not in ("area", "used_ratio", "block_pages")} for row in pages]
    (finding,) = applied(RULES["paging_volumes"], rows | {"paging_interval": counted})
    assert finding.advice.startswith("Look at page space and block size first")


def test_paging_volumes_without_a_queue_are_left_alone() -> None:
    assert applied(RULES["paging_volumes"], slow_paging(0.88, 2.0, queue=0.2)) == []


def test_page_space_that_is_nearly_full_is_found_without_a_queue() -> None:
    (finding,) = applied(RULES["paging_volumes"], slow_paging(0.93, 1.0, queue=0.2))
    assert finding.text.startswith("Page space of VMSYS is 93 % in use") and "1 page" in finding.details
    assert finding.severity == "act"


@pytest.mark.parametrize(("used", "severity"), [(0.3, "watch"), (None, "watch"), (0.93, "act")])
def test_a_queue_that_ended_leaves_nothing_to_do_only_where_space_is_left(used: float | None, severity: str) -> None:
    """As many pages since, for twice as long as the queue lasted."""
    rows = slow_paging(used, 20.0)
    rows["volume_interval"] = [paging(n, "PGA100", 6.0 * (n < 1)) for n in range(4)]
    (finding,) = applied(RULES["paging_volumes"], rows)
    assert (finding.severity, "Do nothing now" in finding.advice) == (severity, severity == "watch")
    assert finding.advice.startswith("Add page space") == (severity == "act")
