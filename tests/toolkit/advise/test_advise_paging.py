"""Paging volumes of z/OS: the rule about them, and their name in findings of other rules."""

import duckdb
import pytest
from advise_rows import Row, applied, at, database, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding, Subject
from iosq.toolkit.advise.paging import QUESTION, named

RULES = {r.code: r for r in all_rules()}
NAMES = ("PAG001", "PAG002")
PAGED: Row = {"area": "PAGE", "page_write_rate": 900.0}


def page_data_set(interval: int, name: str, kind: str = "LOCAL", used: float = 0.1, io_rate: float = 100.0) -> Row:
    row: Row = {"system": "SYSA", "interval_start": at(interval), "device": f"0{name[2:]}", "volser": name}
    row |= {"area": "PAGE", "data_set": f"PAGE.{name}.{kind}", "page_data_set_type": kind, "source": "smf75.1"}
    return row | {"used_ratio": used, "total_page_rate": 900.0, "io_rate": io_rate}


def day(queue: float = 6.0, **of: object) -> dict[str, list[Row]]:
    volumes = [
        volume(n, name, rate=120.0, wait=queue / 0.12, conn=6.0, device=f"0{name[2:]}")
        for n in range(4)
        for name in NAMES
    ]
    areas = [page_data_set(n, name, **of) for n in range(4) for name in NAMES]  # type: ignore[arg-type]
    return {"volume_interval": volumes, "paging_volume_interval": areas}


def advice(rows: dict[str, list[Row]]) -> str:
    (finding,) = applied(RULES["paging_volumes"], rows)
    assert finding.subject.names == NAMES
    assert not any(word in finding.whole_text + finding.advice for word in ("CP", "minidisk"))
    return f"{finding.text}. {finding.advice}"


def test_slow_page_volumes_are_one_finding() -> None:
    assert advice(day()).startswith("2 paging volumes of SYSA are slow")
    assert "Spread page data sets over more volumes" in advice(day())
    assert "Add local page data sets" in advice(day(used=0.35))


def test_disconnect_of_a_slow_page_volume_belongs_to_it() -> None:
    slow = [(n, name, n in range(8, 12) and name == "PAG001") for n in range(16) for name in NAMES]
    volumes = [
        volume(n, name, rate=230.0 if on else 60.0, wait=20.0 if on else 0.0, disc=5.0 if on else 0.3,
               conn=3.0 if on else 0.4, device=f"0{name[2:]}")
        for n, name, on in slow
    ]  # fmt: skip
    areas = [page_data_set(n, name, io_rate=200.0) for n, name, _ in slow]
    found = run(database(volume_interval=volumes, paging_volume_interval=areas))
    assert [f.code for f in found] == ["paging_volumes", "time_breakdown"]
    assert "That is why LCU 0010 on SYSA disconnects for longer: " in found[0].details


def test_local_page_data_sets_that_are_nearly_full_are_found_without_a_queue() -> None:
    full = advice(day(queue=0.1, used=0.75))
    assert full.startswith("Local page data sets of SYSA are 75 % in use") and "PAGEADD" in full
    assert applied(RULES["paging_volumes"], day(queue=0.1, used=0.65)) == []


def test_page_space_is_reported_where_only_its_own_records_are_read() -> None:
    areas = [row | {"interval_s": 900.0} for row in day(used=0.75)["paging_volume_interval"]]
    assert advice({"paging_volume_interval": areas}).startswith("Local page data sets of SYSA are 75 % in use")


def test_page_space_that_grows_says_when_it_is_full_and_the_fullest_run_is_the_worst() -> None:
    """Two hours at midday and midnight of three days have more than all others; 10 points come each day."""
    used = [0.45 + 0.1 * (n // 24) + 0.2 * (n % 24 in {12, 13}) for n in range(72)]
    rows = {"volume_interval": [], "paging_volume_interval": []}
    for n, ratio in enumerate(used):
        rows["volume_interval"] += [volume(4 * n, name, wait=0.0, device=f"0{name[2:]}") for name in NAMES]
        rows["paging_volume_interval"] += [page_data_set(4 * n, name, used=ratio) for name in NAMES]
    text = advice(rows)
    assert text.startswith("Local page data sets of SYSA are 85 % in use, full in 36 h (4 ")
    assert "worst 21:00-21:15 on 2026-03-04" in text and "Find the address space whose slots grow" in text


def test_time_until_page_space_is_full_is_at_the_pace_since_it_began_to_fill() -> None:
    """Nine hours at 30 %, give or take a little, then ten points an hour."""
    used = [0.3 + 0.002 * (n % 3 - 1) + 0.025 * max(n - 36, 0) for n in range(61)]
    each = [(n, name, ratio) for n, ratio in enumerate(used) for name in NAMES]
    rows = {
        "volume_interval": [volume(n, name, wait=0.0, device=f"0{name[2:]}") for n, name, _ in each],
        "paging_volume_interval": [page_data_set(n, name, used=ratio) for n, name, ratio in each],
    }
    text = advice(rows)
    assert text.startswith("Local page data sets of SYSA are 90 % in use, full in 59 min")


@pytest.mark.parametrize(("flat", "gone"), [(0, True), (12, True), (12, False)])
def test_page_space_of_cp_says_which_volume_is_gone_and_only_what_still_grows_is_full_soon(
    flat: int, gone: bool
) -> None:
    """Less than a day is measured: what has not grown for hours gets no time until full."""
    used = [0.6] * 12 + [0.8 + 0.01 * n for n in range(12)] + [0.92] * flat
    cp = {"platform": "z/VM", "system": "VMSYS"}
    there = [(n, name) for n in range(len(used)) for name in NAMES if n < 12 or name == "PAG001" or not gone]
    areas = [
        {**cp, "interval_start": at(n), "device": f"0{v[2:]}", "area": "PAGE", "used_ratio": used[n]} for n, v in there
    ]
    volumes = [volume(n, name, wait=0.0, device=f"0{name[2:]}", lcu=None) | cp for n, name in there]
    (f,) = applied(RULES["paging_volumes"], {"volume_interval": volumes, "paging_volume_interval": areas})
    assert ("full in" in f.text) == (flat == 0)
    assert ("No record has PAG002 since 2026-03-02 12:00" in f.details) == gone == ("bring them back" in f.advice)


@pytest.mark.parametrize(("rate", "conn", "is_more"), [(900.0, 6.0, False), (4000.0, 6.0, True), (4000.0, 12.0, False)])
def test_more_pages_at_the_same_service_are_too_little_memory(rate: float, conn: float, is_more: bool) -> None:
    """Half of the intervals queue; what they do more, and whether each I/O takes longer, is what differs."""
    rows = {"volume_interval": [], "paging_volume_interval": []}
    for n, name in ((n, name) for n in range(8) for name in NAMES):
        late = n >= 4
        own = {"wait": 50.0 if late else 0.0, "conn": conn if late else 6.0, "device": f"0{name[2:]}"}
        rows["volume_interval"].append(volume(n, name, rate=120.0, **own))
        more = {"total_page_rate": rate if late else 900.0}
        rows["paging_volume_interval"].append(page_data_set(n, name) | more)
    assert advice(rows).startswith("2 paging volumes of SYSA are slow")
    assert ("Find out what took memory then" in advice(rows)) == (rate > 900.0)
    assert ("only shorten the queue" in advice(rows)) == is_more
    # what makes I/Os longer as well is found on its own
    (finding,) = applied(RULES["paging_volumes"], rows)
    assert ("disc_unexplained" in finding.explains) == (is_more or rate == 900.0)


def test_page_space_in_use_is_a_share_of_all_slots_and_the_fullest_is_named() -> None:
    rows = day()
    for row in rows["paging_volume_interval"]:
        row |= {"used_ratio": 0.9, "slots": 900} if row["volser"] == "PAG001" else {"used_ratio": 0.1, "slots": 100}
    (finding,) = applied(RULES["paging_volumes"], rows)
    assert "82 % in use, PAGE.PAG001.LOCAL with 90 %" in finding.whole_text


def test_a_plpa_data_set_is_full_by_design() -> None:
    assert applied(RULES["paging_volumes"], day(queue=0.1, used=0.99, kind="PLPA")) == []


def test_a_volume_whose_queue_is_that_of_other_data_is_no_matter_of_paging() -> None:
    assert applied(RULES["paging_volumes"], day(io_rate=30.0)) == []


def test_a_minidisk_that_keeps_a_page_volume_busy_is_to_be_moved() -> None:
    """The guest does 90 of 120 I/Os per s, or 30."""
    areas = [{**row, "platform": "z/VM", "data_set": None, "io_rate": None} for row in day()["paging_volume_interval"]]
    volumes = [{**row, "platform": "z/VM"} for row in day()["volume_interval"]]
    for rate, code in ((90.0, "pav_add_alias"), (30.0, "paging_volumes")):
        guest = [
            {"platform": "z/VM", "interval_start": at(n), "device": f"0{name[2:]}", "userid": "LNX1", "io_rate": rate}
            for n in range(4)
            for name in NAMES
        ]
        rows = {"volume_interval": volumes, "paging_volume_interval": areas, "minidisk_interval": guest}
        with database(["pav_candidate"], **rows) as con:
            found = [f for f in run(con) if {*f.subject.names} & {*NAMES}]
        assert [f.code for f in found] == [code]
        assert found[0].advice.startswith("Move all but paging off it, or give") == (rate > 60)


def test_a_finding_about_a_volume_names_its_page_data_sets() -> None:
    with database(["pav_candidate"], **day(io_rate=30.0)) as con:
        found = [f for f in run(con) if {*f.subject.names} & {*NAMES}]
    assert found and all("Page data sets are on PAG001" in f.whole_text for f in found if "PAG001" in f.subject.names)
    with database(["pav_candidate"], volume_interval=day()["volume_interval"]) as con:
        assert not any("Page data sets" in f.whole_text for f in run(con))


QUEUES = ("closed_load", "pav_add_alias")
DATA = ("low_hit_ratio", "cache_bypass", "same_extent", "idle_volume")


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return database(asks=QUESTION.sql, paging_volume_interval=day()["paging_volume_interval"])


def about(con: duckdb.DuckDBPyConnection, code: str, *volumes: str) -> Finding:
    """What a rule found, after `paging` named it; PAG001 and PAG002 have page data sets."""
    subject = Subject("volumes", volumes, systems=("SYSA",))
    stated = Finding("warning", subject, "It waits", "For data", (), "", 1.0, code=code)
    (found,) = named(con, [stated], {code: RULES[code].paging})
    return found


@pytest.mark.parametrize("code", sorted(RULES.keys() - {"paging_volumes"}))
def test_whatever_a_rule_finds_of_a_paging_volume_names_it_as_one(con: duckdb.DuckDBPyConnection, code: str) -> None:
    alone, mixed, other = (about(con, code, *names) for names in (("PAG001",), ("PAG001", "DB2003"), ("DB2003",)))
    assert all("Page data sets are on PAG001" in f.whole_text for f in (alone, mixed))
    assert "Page data sets" not in other.whole_text
    assert (mixed.advice, other.advice) == ("For data", "For data")
    assert (alone.advice == "For data") == (code not in {*DATA, *QUEUES})


@pytest.mark.parametrize("code", DATA)
def test_no_advice_for_data_of_jobs_is_given_for_a_paging_volume(con: duckdb.DuckDBPyConnection, code: str) -> None:
    advice = about(con, code, *NAMES).advice
    assert ("reserve" in advice) if code == "idle_volume" else ("local page data sets on other volumes" in advice)


@pytest.mark.parametrize("is_full", [True, False])
def test_a_spool_volume_whose_others_are_full_needs_room_first(is_full: bool) -> None:
    cp: Row = {"platform": "z/VM", "system": "SYSA", "interval_start": at(0), "area": "SPOL"}
    areas = [cp | {"volser": v, "used_ratio": r} for v, r in (("SPL001", 1.0 if is_full else 0.9), ("SPL002", 0.4))]
    with database(asks=QUESTION.sql, paging_volume_interval=areas) as con:
        f = about(con, "pav_add_alias", "SPL002")
    assert "CP spools to SPL002" in f.details
    assert f.advice.startswith("First add spool volumes, or purge spool files: SPL001 is full") == is_full


@pytest.mark.parametrize(("spooled", "is_why"), [(1200.0, True), (400.0, False)])
def test_spool_on_a_paging_volume_is_moved_away(spooled: float, is_why: bool) -> None:
    """Only while its pages are as many as those that are paged there."""
    cp: Row = {"platform": "z/VM", "system": "VMSYS"}
    areas = [
        {**cp, "interval_start": at(n), "device": f"0{v[2:]}", "volser": v, "used_ratio": 0.3, "block_pages": 20.0}
        | ({"area": "SPOL", "spool_write_rate": spooled if n >= 4 else 4.0} if is_spool else PAGED)
        for n in range(8) for v, is_spool in (("PAG001", False), ("PAG001", True), ("PAG002", False))
    ]  # fmt: skip
    volumes = [
        volume(n, v, rate=120.0, wait=50.0 * (n >= 4 and v == "PAG001"), conn=6.0, device=f"0{v[2:]}", lcu=None) | cp
        for n in range(8) for v in NAMES
    ]  # fmt: skip
    (f,) = applied(RULES["paging_volumes"], {"volume_interval": volumes, "paging_volume_interval": areas})
    words = f"First move spool space off PAG001: CP spools up to {spooled:,.0f} pages per s there, 4 at quiet times"
    assert (words in f.advice) == is_why


@pytest.mark.parametrize("pages", [0.0, 900.0])
def test_a_spool_volume_that_holds_pages_is_one_of_paging(pages: float) -> None:
    cp: Row = {"platform": "z/VM", "system": "SYSA"}
    areas = [
        {**cp, "interval_start": at(n), "device": f"0{v[2:]}", "volser": v, "used_ratio": 1.0, "page_read_rate": 0.0}
        | (PAGED if v == "PAG001" else
           {"area": "SPOL", "page_write_rate": pages, "spool_read_rate": 30.0, "spool_write_rate": 30.0})
        for n in range(8) for v in NAMES
    ]  # fmt: skip
    volumes = [
        volume(n, v, rate=120.0, wait=50.0 * (v == "PAG002"), conn=6.0, device=f"0{v[2:]}", lcu=None) | cp
        for n in range(8) for v in NAMES
    ]  # fmt: skip
    rows = {"volume_interval": volumes, "paging_volume_interval": areas}
    (f,) = applied(RULES["paging_volumes"], rows)
    assert f.subject.names == (("PAG002",) if pages else ("PAG001",))
    assert ("CP pages to the spool space of PAG002 too" in f.details) == bool(pages)
    with database(asks=QUESTION.sql, paging_volume_interval=areas) as con:
        assert f"CP {'pages' if pages else 'spools'} to PAG002" in about(con, "pav_add_alias", "PAG002").details


@pytest.mark.parametrize("kind", ["lcu", "box", "subsystem"])
@pytest.mark.parametrize(("volumes", "is_named"), [(("PAG001",), True), (("PAG001", "DB2003"), False)])
def test_what_has_volumes_of_all_kinds_names_page_data_sets_where_it_is_about_these_alone(
    con: duckdb.DuckDBPyConnection, kind: str, volumes: tuple[str, ...], is_named: bool
) -> None:
    here = frozenset({Subject("volume", volumes, systems=("SYSA",))})
    stated = Finding("watch", Subject(kind, ("0010",), ("SYSA",)), "It is long", "For all", (), "", 1.0, about=here)  # type: ignore[arg-type]
    (found,) = named(con, [stated], {})
    assert ("Page data sets are on PAG001" in found.whole_text) == is_named
