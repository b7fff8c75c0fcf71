"""What listings give to the promised views: roles, waits and the published study."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from fcx_support import GOLDEN, ROOT, database
from memory_lake import answered

from iosq.parsers.fcx import study

QUERY = (ROOT / "parsers/fcx/study/zvm_pav.sql").read_text()


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    return answered(con, sql)


@pytest.fixture(scope="module")
def devices() -> dict[str, dict[str, Any]]:
    con = database((GOLDEN / "fcx108.txt").read_bytes())
    return {r["device"]: r for r in rows(con, "SELECT * FROM device_interval")}


@pytest.mark.parametrize("last", ["A17F", "A100"])
def test_a_range_of_the_configuration_gives_its_volumes_their_channels(last: str) -> None:
    load, configuration = ((GOLDEN / f"{name}.txt").read_text() for name in ("fcx108", "fcx131"))
    con = database(f"{load}\n{configuration.replace('A100-A17F', f'A100-{last}')}".encode())
    found = rows(con, "SELECT DISTINCT device, channels FROM volume_channel JOIN volume_interval USING (volume)")
    within = rows(con, f"SELECT DISTINCT device FROM volume_interval WHERE device BETWEEN '0A100' AND '0{last}'")
    assert {r["device"]: r["channels"] for r in found} == {r["device"]: "20|21|22|23" for r in within}


def test_base_and_alias_of_the_worked_example(devices: dict[str, dict[str, Any]]) -> None:
    con = database((GOLDEN / "fcx108.txt").read_bytes())
    (volume,) = rows(con, "SELECT * FROM volume_interval WHERE volume = 'VOL001'")
    assert volume["io_rate"] == 150
    assert volume["service_ms"] == pytest.approx(17 / 3)
    assert volume["queue_length"] == pytest.approx(0.4), "the queue as printed"
    assert volume["response_ms"] == pytest.approx(17 / 3 + 1000 * 0.4 / 150), "over the rate of base and alias"
    assert volume["idle_aliases"] == 0
    idle = (
        (GOLDEN / "fcx108.txt")
        .read_text()
        .replace("0   4    50.0    .0    .6   5.4", "0   4      .0    .0    .6   5.4")
    )
    assert rows(database(idle.encode()), "SELECT volume, idle_aliases FROM volume_interval ORDER BY volume")[:2] == [
        {"volume": "VOL001", "idle_aliases": 1},
        {"volume": "VOL002", "idle_aliases": None},
    ]
    assert [devices[d]["role"] for d in ("0A100", "0A180", "0A101")] == ["base", "alias", "single"]
    assert [devices[d]["base_device"] for d in ("0A100", "0A180")] == ["0A100"] * 2
    assert [devices[d]["exposures"] for d in ("0A100", "0A180", "0A101")] == [2, None, 1]


def test_units_and_missing_values(devices: dict[str, dict[str, Any]]) -> None:
    base, idle, tape = devices["0A100"], devices["0A102"], devices["00C00"]
    assert (base["wait_ms"], base["service_ms"], base["response_ms"], base["wait_source"]) == (4, 5, 9, "sampled")
    assert (base["queue_length"], base["in_service"]) == (0.4, 0.5)
    assert base["busy_ratio"] == pytest.approx(100 * (base["disc_ms"] + base["conn_ms"]) / 1000), (
        "pending time is no use"
    )
    assert (base["volser"], base["device_type"], base["platform"]) == ("VOL001", "3390-3", "z/VM")
    assert (idle["io_rate"], idle["wait_ms"], idle["response_ms"]) == (0, None, None)
    assert (tape["volser"], tape["device_class"]) == (None, "tape")
    assert devices["0A101"]["io_rate"] == 1200


def _page(*printed: str) -> str:
    """A page with these rows."""
    page = (GOLDEN / "fcx108.txt").read_text().split("\n\n1FCX")[0].split("\n")[:9]
    return "\n".join([*page, *printed, ""])


def _fcx108(*printed: str) -> dict[str, dict[str, Any]]:
    """Volumes of a page with these rows."""
    return {r["volume"]: r for r in rows(database(_page(*printed).encode()), "SELECT * FROM volume_interval")}


def _row(descr: str, rate: str = "60.0", times: str = "", queue: str = ".0", rest: str = "54   50") -> str:
    avoid, pend, disc, conn, serv, resp, wait = (times or ".0 .2 5.8 3.0 9.0 9.0 .0").split()
    cells = [f"{rate:>8}", f"{avoid:>5}", *(f"{t:>5}" for t in (pend, disc, conn, serv, resp, wait)), f"{queue:>5}"]
    return f" {descr:<24}  2   4" + " ".join(cells) + f" {rest:>9}    0     0   ....   ...."


def test_the_printed_queue_is_spread_over_the_rate_of_base_and_aliases() -> None:
    aliases = [_row(f"A18{n} ->A100 LNX001", "40.0") for n in (0, 1)]
    for response in ("59.0", "30.4", "....", "11.0"):  # over the base's rate, over the volume's, none, neither
        base = _row("A100 3390-9 LNX001 CP", times=f".0 .2 5.8 3.0 9.0 {response} .0", queue="3.0")
        volume = _fcx108(base, *aliases)["LNX001"]
        assert volume["io_rate"] == 140 and volume["queue_length"] == pytest.approx(3.0, abs=0.01)
        assert volume["wait_ms"] == pytest.approx(3000 / 140, abs=0.05)
        assert volume["response_ms"] == volume["service_ms"] + volume["wait_ms"]
        assert volume["wait_source"] == "sampled"


def test_without_a_printed_queue_the_response_of_the_base_is_over_its_own_rate() -> None:
    base = _row("A100 3390-9 LNX001 CP", times=".0 .2 5.8 3.0 9.0 59.0 .0", queue="....")
    volume = _fcx108(base, _row("A180 ->A100 LNX001", "40.0"))["LNX001"]
    assert (volume["queue_length"], volume["wait_ms"]) == pytest.approx((3.0, 30.0))
    assert volume["wait_source"] == "reported"


def test_what_the_listing_prints_of_a_device_reaches_its_volume() -> None:
    volumes = _fcx108(
        _row("A100 3390-9 LNX001 CP", times="1.5 .2 5.8 3.0 9.0 9.0 .4", rest="54   31"),
        _row("0A10 9336   EDEV01 CP", times=".0 .... .... .... 4.1 4.3 ....", rest="14   .."),
        _row("A200 3390-9 LNX002 CP", rate="12345678"),
    )
    assert (volumes["LNX001"]["read_ratio"], volumes["LNX001"]["cu_queue_ms"]) == (0.31, 0.4)
    assert volumes["LNX001"]["mdc_avoided_rate"] == 1.5
    assert (volumes["EDEV01"]["busy_ratio"], volumes["EDEV01"]["read_ratio"]) == (0.14, None)
    assert volumes["EDEV01"]["response_ms"] == pytest.approx(4.3)
    assert volumes["LNX002"]["io_rate"] is None and volumes["LNX002"]["busy_ratio"] == 0.54
    assert (volumes["LNX002"]["service_ms"], volumes["LNX002"]["read_ratio"]) == (9.0, 0.5)


def test_devices_never_merge_under_the_name_of_the_guest_they_are_dedicated_to() -> None:
    own = [_row(f"B10{n} 3390-A LNXDB2", f"{n + 1}0.0") for n in range(3)]
    volumes = _fcx108(*own, _row("B180 ->B102 LNXDB2", "5.0"), _row("A100 3390-9 LNX001 CP"))
    rates = {name: v["io_rate"] for name, v in volumes.items()}
    assert rates == {"B100": 10, "B101": 20, "B102": 35, "LNX001": 60}
    assert _fcx108(own[0])["LNXDB2"]["io_rate"] == 10


def test_a_volume_with_one_unread_rate_has_no_rate() -> None:
    volume = _fcx108(_row("A100 3390-9 LNX001 CP", queue="3.0"), _row("A180 ->A100 LNX001", "12345678"))["LNX001"]
    assert (volume["io_rate"], volume["wait_ms"], volume["response_ms"]) == (None, None, None)
    assert (volume["service_ms"], volume["addresses"]) == (9.0, 2)


def test_addresses_of_a_pool_without_a_label_are_no_volumes() -> None:
    pool = [_row(f"E1F{n} 3390-A", "118") for n in range(4)]
    base = _row("E100 3390-A LNX001 CP", "120", ".0 .2 .6 1.0 1.8 20.0 .0", "6.0")
    volumes = _fcx108(base, *pool, _row("2E18 3390-9 >TSTUSR1"))
    assert set(volumes) == {"LNX001", "2E18"}
    assert volumes["LNX001"]["queue_length"] == 6.0 and volumes["LNX001"]["exposures"] is None
    assert volumes["LNX001"]["is_hyperpav"], "a pool of unknown size"
    assert _fcx108(base)["LNX001"]["is_hyperpav"] is None
    assert _fcx108(base, _row("E1F0 3390-A        CP", "118")).keys() == {"LNX001"}, "CP is no label"


@pytest.mark.parametrize(
    ("queue", "aliases", "size"), [("6.0", 2, (False, 1.0)), (".0", 2, (None, None)), ("6.0", 1, (None, None))]
)
def test_what_queues_when_the_addresses_of_its_pool_do_nothing_has_one_exposure(
    queue: str, aliases: int, size: object
) -> None:
    """One address may be any DASD without a label."""
    base, pool = (
        _row("E100 3390-A LNX001 CP", "120", queue=queue),
        [_row(f"E1F{n} 3390-A", "59") for n in range(aliases)],
    )
    later = _page(base).replace("06 00:00", "06 00:10").replace("05 23:50", "06 00:00")
    con = database(f"{_page(base, *pool)}\n{later}".encode())
    found = rows(con, "SELECT is_hyperpav, exposures FROM volume_interval ORDER BY interval_start")
    assert [tuple(r.values()) for r in found] == [(True, None), size]


@pytest.mark.parametrize(
    ("printed", "class_"),
    [("3390-9", "dasd"), ("9336", "dasd"), ("3590", "tape"), ("3490", "tape"), ("OSA", "communication"),
     ("3270", "graphics"), ("3211", "unit_record"), ("CONS", "other"), ("", None)],
)  # fmt: skip
def test_a_volume_is_what_the_listing_does_not_call_something_else(printed: str, class_: str | None) -> None:
    for report in ("fcx108", "fcx168"):
        text = (GOLDEN / f"{report}.txt").read_text().replace("A100 3390-3", f"A100 {printed:6}")
        con = database(text.replace("A180 ->A100", "A180 3390-3").encode())
        (found,) = rows(con, "SELECT DISTINCT device_class FROM device_interval WHERE device = '0A100'")
        assert found["device_class"] == class_
        volumes = rows(con, "SELECT DISTINCT device FROM volume_interval WHERE device = '0A100'")
        assert bool(volumes) == (class_ in ("dasd", None))


def test_a_log_and_its_mean_are_not_counted_twice() -> None:
    con = database((GOLDEN / "fcx168.txt").read_bytes(), (GOLDEN / "fcx108.txt").read_bytes())
    found = rows(con, "SELECT source, io_rate FROM device_interval WHERE device = '0A100' ORDER BY interval_start")
    assert found == [{"source": "fcx168", "io_rate": r} for r in (100, 150, 200)]
    (twice,) = rows(con, "SELECT count(*) - count(DISTINCT (system, interval_start, device)) AS n FROM device_interval")
    assert twice["n"] == 0


def test_the_same_listing_under_two_names_adds_nothing() -> None:
    data = (GOLDEN / "fcx108.txt").read_bytes()
    count = "SELECT count(*) FROM device_interval"
    assert database(data, data).execute(count).fetchall() == database(data).execute(count).fetchall()


@pytest.mark.parametrize(("label", "found"), [("VOL901", [("z/VM", 2)]), ("VOL001", [])])
def test_other_volumes_at_the_same_time_are_another_system(label: str, found: list[tuple[str, int]]) -> None:
    data = (GOLDEN / "fcx108.txt").read_bytes()
    con = database(data, data.replace(b"VOL001", label.encode()))
    assert con.execute("SELECT platform, devices FROM conflicting_interval").fetchall() == found


def test_cache_and_channel_rows() -> None:
    reports = ("fcx111", "fcx161", "fcx215")
    con = database(*[(GOLDEN / f"{name}.txt").read_bytes() for name in reports])
    cached = rows(con, "SELECT * FROM cache_interval ORDER BY device")[0]
    assert (cached["subsystem"], cached["read_ratio"], cached["read_hit_ratio"]) == ("2105", 0.67, 0.92)
    assert cached["read_rate"] == pytest.approx(100.5)
    writes = cached["write_rate"] * cached["interval_s"]
    shown = cached["write_count"], cached["write_hit_count"]
    assert shown == pytest.approx((writes, writes * cached["write_hit_ratio"])) and writes > 0
    paths = rows(con, "SELECT * FROM channel_interval ORDER BY channel_path")
    assert [(p["source"], p["busy_ratio"], p["partition_busy_ratio"]) for p in paths] == [
        ("fcx215+fcx161", 0.34, 0.12),
        ("fcx215", 0.10, 0.10),
    ]
    assert paths[0]["read_bytes_rate"] == 22.5e6


def _load_alone(cur: int, average: int) -> list[dict[str, Any]]:
    """What FCX161 gives for a channel with 10 % of samples up to 10 % busy, 20 % from 11 to 20, 70 % from 21 to 30."""
    text = (GOLDEN / "fcx161.txt").read_text().replace(" 34    12 ", f"{cur:3}{average:6} ")
    return rows(database(text.encode()), "SELECT type, interval_s, busy_ratio FROM channel_interval")


# their mean is 16.9 to 26, and a percent more or less as they are rounded
@pytest.mark.parametrize("average", [16, 22, 27])
def test_the_last_sample_is_not_taken_for_the_page(average: int) -> None:
    assert _load_alone(94, average) == [{"type": "FICON", "interval_s": 600, "busy_ratio": average / 100}]


@pytest.mark.parametrize("average", [12, 15, 28, 94])
def test_a_mean_that_the_bands_do_not_allow_is_of_another_span(average: int) -> None:
    assert _load_alone(22, average) == [{"type": "FICON", "interval_s": 600, "busy_ratio": None}]


def test_a_type_given_for_an_hour_is_that_of_each_quarter() -> None:
    page = (GOLDEN / "fcx215.txt").read_text()
    parts = [("23:00:00", "23:15:00"), ("23:15:00", "23:30:00"), ("23:30:00", "23:45:00"), ("23:45:00", "00:00:00")]
    quarters = [
        page.replace("03/05 23:50:00", f"03/05 {a}").replace("03/06 00:00:00  ", f"03/0{6 if b < a else 5} {b}  ")
        .replace("  600 Secs 00:10:00", "  900 Secs 00:15:00").encode()
        for a, b in parts
    ]  # fmt: skip
    hour = (GOLDEN / "fcx161.txt").read_text().replace("23:50:00", "23:00:00")
    hour = hour.replace("   600 Secs 00:10:00", "  3600 Secs 01:00:00")
    found = rows(
        database(*quarters, hour.encode()),
        "SELECT channel_path, type, source, count(*) AS n, sum(interval_s) AS s FROM channel_interval "
        "GROUP BY ALL ORDER BY 1",
    )
    assert [tuple(row.values()) for row in found] == [
        ("20", "FICON", "fcx215+fcx161", 4, 3600),
        ("21", None, "fcx215", 4, 3600),
    ]


def test_the_shorter_of_two_spans_around_a_time_gives_the_type() -> None:
    near = (GOLDEN / "fcx161.txt").read_text()
    hour = near.replace("23:50:00", "23:00:00").replace("   600 Secs 00:10:00", "  3600 Secs 01:00:00")
    pages = [near, hour.replace("FICON     Shrd", "ESCON     Shrd"), (GOLDEN / "fcx215.txt").read_text()]
    con = database(*[page.encode() for page in pages])
    asked = "SELECT type FROM channel_interval WHERE channel_path = '20' AND source = 'fcx215+fcx161'"
    assert rows(con, asked) == [{"type": "FICON"}]


def test_every_column_a_report_says_it_feeds_is_given() -> None:
    from iosq.parsers.fcx import knowledge

    given = "\n".join(p.read_text() for v in (ROOT / "toolkit/sql/views").iterdir() for p in v.glob("fcx*.sql"))
    for name in ("fcx108", "fcx168", "fcx111", "fcx161", "fcx215"):
        for known in knowledge.reports()[name].columns:
            for column in filter(None, known.view.split(", ")):
                assert f"-- formula {column}:" in given, (name, known.name)


def test_the_published_study_comes_back(study_listings: list[Path]) -> None:
    con = database(*[p.read_bytes() for p in study_listings])
    found = {r[:4]: r[4:] for r in con.execute(QUERY).fetchall()}
    expected = {
        (f"{c.suite} {c.controller}", c.read_pct, c.workers, c.aliases): (c.rate, c.service_ms, c.response_ms)
        for c in study.published()
    }
    assert len(expected) == 420
    assert found == expected


def test_without_dropping_the_disturbed_minutes_the_study_does_not_come_back(study_listings: list[Path]) -> None:
    con = database(study_listings[0].read_bytes())
    whole = QUERY.replace("WHERE n.minute > 1 AND n.minute < n.minutes", "")
    rates = {(f"{c.suite} {c.controller}", c.read_pct, c.workers, c.aliases): c.rate for c in study.published()}
    assert all(r[4] < 0.95 * rates[r[:4]] for r in con.execute(whole).fetchall())


def test_minidisks_and_paging_volumes_have_views_of_their_own() -> None:
    detail = Path(__file__).with_name("fcx110_page.txt").read_bytes()
    con = database(detail, (GOLDEN / "fcx109.txt").read_bytes())
    (device,) = rows(con, "SELECT * FROM device_detail_interval")
    assert (device["volser"], device["reserved_ratio"], device["paths"]) == ("PGQ001", 0.35, "20 21")
    disks = rows(con, "SELECT * FROM minidisk_interval ORDER BY extent_start")
    assert [(d["volser"], d["userid"], d["io_rate"], d["mload_ms"]) for d in disks] == [
        ("PGQ001", "LINUXQ1", 2.5, None),
        ("PGQ001", "SYSTEM", None, 6.1),
    ]
    page, spool = rows(con, "SELECT * FROM paging_volume_interval ORDER BY device")
    assert (page["volser"], page["area"], page["used_ratio"], page["page_read_rate"]) == ("PAGE01", "PAGE", 0.23, 6.2)
    assert (spool["volser"], spool["queue_length"], spool["page_service_ms"]) == ("SPOL01", 1, 1.1)


@pytest.mark.parametrize("report", ["fcx111", "fcx176", "fcx177"])
def test_every_cache_report_gives_cache_rows_and_none_twice(report: str) -> None:
    data = (GOLDEN / f"{report}.txt").read_bytes()
    (only,) = rows(database(data), "SELECT * FROM cache_interval WHERE device = '0A100'")
    assert (only["source"], only["read_ratio"], only["read_hit_ratio"]) == (report, 0.67, 0.92)
    both = rows(database(data, (GOLDEN / "fcx111.txt").read_bytes()), "SELECT source, device FROM cache_interval")
    assert {r["source"] for r in both} == {"fcx111"} and len(both) == len({r["device"] for r in both})
