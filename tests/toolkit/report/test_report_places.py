"""Pages of LCUs, boxes and volumes: which there are, what they say, how they are found, and how large they may get."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from advise_rows import box, candidate, database, pool, volume
from report_page import Page, carried

from iosq.parsers import registry
from iosq.toolkit.advise import Finding, run
from iosq.toolkit.advise.subject import Subject, lcus
from iosq.toolkit.advise.subject import volume as volume_named
from iosq.toolkit.report import budget
from iosq.toolkit.report.anchors import anchor
from iosq.toolkit.report.drill import Drill, drill
from iosq.toolkit.report.table import tables
from iosq.toolkit.report.write import write
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import select
from iosq.toolkit.sql.guard import query


def pages(con: duckdb.DuckDBPyConnection) -> Drill:
    return drill(con, run(con))


@pytest.fixture(scope="module")
def found(page: Page) -> tuple[Drill, Finding]:
    """The pages of the sample lake, and one of its findings."""
    findings = page.found
    return drill(page.con, findings), findings[0]


def small(**more: Any) -> duckdb.DuckDBPyConnection:
    """Two LCUs of one box on two systems, one of them also used by the second system."""
    rows = [
        *(volume(n, "A00001", rate=100, wait=8.0, exposures=3.0, subsystem="2010") for n in range(4)),
        *(volume(n, "A00002", rate=300, subsystem="2010") for n in range(4)),
        *(volume(n, "B00001", rate=50, lcu="0011", subsystem="2011") for n in range(4)),
        *(volume(n, "A00002", rate=100, system="SYSB", subsystem="2010") for n in range(4)),
    ]
    caches = [box("2010", "0000000AB121"), box("2011", "0000000AB121")]
    return database(volume_interval=rows, cache_subsystem_interval=caches, **more)


def numbers(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    made = pages(con)
    place = next(p.place for p in [*made.boxes, *made.lcus] if p.place.id == name)
    return {n: f"{c.text} {unit}".rstrip() for n, c, unit in place.numbers}


def test_every_box_and_lcu_of_every_system_has_a_page() -> None:
    made = pages(small())
    assert [p.place.id for p in made.boxes] == ["box-AB121"]
    assert [p.place.id for p in made.lcus] == ["lcu-0010-SYSA", "lcu-0010-SYSB", "lcu-0011-SYSA"]
    assert [c.id for c in made.boxes[0].children] == [p.place.id for p in made.lcus]
    assert {p.parent.id for p in made.lcus if p.parent} == {"box-AB121"}


def test_the_numbers_of_an_lcu_and_of_its_box_are_those_of_its_volumes() -> None:
    seen = numbers(small(), "lcu-0010-SYSA")
    # 100 I/Os per s at 9 ms and 300 at 1 ms
    assert (seen["I/O rate, mean"], seen["Response, mean"], seen["of it IOSQ"]) == ("400.0 per s", "3.00 ms", "2.00 ms")
    assert (seen["Volumes"], seen["Static aliases, sum"]) == ("2", "2")
    whole = numbers(small(), "box-AB121")
    assert whole["I/O rate, mean"] == "550.0 per s"
    assert whole["Subsystems (SSIDs)"] == "2010, 2011"
    assert whole["Read hits"] == "90.0 %"


def test_hyperpav_numbers_come_from_type_78() -> None:
    seen = numbers(small(lcu_interval=[pool(n, lcu="0010", denied=100 * n) for n in range(4)]), "lcu-0010-SYSA")
    assert seen["HyperPAV aliases configured"] == seen["HyperPAV aliases in use, most"] == "4"
    assert (seen["Times an I/O found no alias"], seen["the same per I/O, worst interval"]) == ("600", "0.030")


def test_an_idle_interval_counts_as_time() -> None:
    rows = [volume(n, rate=100 if n else 0, response_ms=1.0 if n else None) for n in range(4)]
    assert numbers(database(volume_interval=rows), "lcu-0010-SYSA")["I/O rate, mean"] == "75.0 per s"


def test_volumes_without_lcu_are_a_page_of_their_system() -> None:
    rows = [volume(n, "PAV000", wait=20.0, platform="z/VM", system="ESSF20", lcu=None) for n in range(3)]
    made = pages(database(volume_interval=rows))
    assert [(p.id, p.name) for p in made.loose] == [("system-ESSF20", "Volumes of ESSF20")]
    assert "lcu IS NULL" in made.lcus[0].place.sql


def test_the_same_names_on_two_platforms_are_two_places() -> None:
    rows = [volume(n, platform=platform) for n in range(2) for platform in ("z/OS", "z/VM")]
    made = pages(database(volume_interval=rows))
    assert [p.place.id for p in made.lcus] == ["lcu-0010-SYSA", "lcu-0010-SYSA-z%2FVM"]


def test_findings_lead_to_what_they_are_about_and_back() -> None:
    con = small(pav_candidate=[candidate("A00001")])
    found, made = run(con), pages(con)
    first = next(f for f in found if f.code == "pav_add_alias")
    assert [link.id for link in made.links.about(first)] == ["volume-A00001-SYSA"]
    about = {p.place.id: {f.code for _, f in p.findings} for p in [*made.boxes, *made.lcus]}
    assert about["box-AB121"] == about["lcu-0010-SYSA"] == {"pav_add_alias"}
    assert about["lcu-0010-SYSB"] == about["lcu-0011-SYSA"] == set()


@pytest.mark.parametrize("subject", [lcus(["0011"], "SYSA", "SYSB"), lcus(["0011"], "SYSA"), lcus(["0021"])], ids=str)
def test_an_lcu_is_found_by_every_name_findings_call_it(found: tuple[Drill, Finding], subject: Subject) -> None:
    finding = replace(found[1], subject=subject)
    assert sorted(link.id for link in found[0].links.about(finding)) == [
        anchor("lcu", subject.names[0], s) for s in subject.systems or ("SYSA", "SYSB")
    ]


def test_volumes_with_one_finding_are_each_linked_and_so_is_what_they_are_in(found: tuple[Drill, Finding]) -> None:
    finding = replace(found[1], subject=Subject("volumes", ("DB2003", "BAT001", "ZZZ999"), ("SYSA", "SYSZ")))
    links = found[0].links.about(finding)
    assert [link.id for link in links] == [
        "lcu-0012-SYSA", "lcu-0011-SYSA", "volume-DB2003-SYSA", "volume-BAT001-SYSA",
    ]  # fmt: skip


def test_channels_lead_to_the_lcus_whose_volumes_wait_for_them(found: tuple[Drill, Finding]) -> None:
    covers = frozenset(
        (code, volume_named(name, "SYSA"))
        for code, name in (("pav_add_alias", "DB2003"), ("pav_add_alias", "DB2001"), ("x", "BAT001"))
    )
    finding = replace(found[1], subject=Subject("channel", ("11", "12"), ("SYSA",)), covers=covers)
    assert [link.id for link in found[0].links.about(finding)] == ["lcu-0012-SYSA"]
    assert found[0].links.about(replace(finding, covers=frozenset())) == []


def test_a_group_leads_to_each_of_its_lcus(found: tuple[Drill, Finding]) -> None:
    links = found[0].links
    group = replace(found[1], subject=lcus(["0011", "0012"], "SYSA"))
    assert [link.id for link in links.about(group)] == ["lcu-0011-SYSA", "lcu-0012-SYSA"]
    assert links.cell("subject", {"kind": "lcu", "names": ["0012", "0011"], "systems": ["SYSB"]}) == "lcu-0012-SYSB"
    assert links.cell("subject", {"kind": "volume", "names": ["DB2003"], "systems": ["SYSA"]}) == "volume-DB2003-SYSA"


def test_systems_without_lcus_are_called_systems(tmp_path: Path) -> None:
    rows = [volume(n, "LX0001", lcu=None, platform="z/VM", system="VM1") for n in range(3)]
    con = database(volume_interval=rows)
    assert (pages(con).title, pages(small()).title) == ("Systems", "LCUs and boxes")
    write(con, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text("utf-8").split("<body>")[1].split("<script>")[0]
    assert "LCUs" not in text.split('id="places"')[1].split("</section>")[0]
    # a column of dashes has no information
    assert '<button type="button">SSID</button>' not in text
    assert '<button type="button">Response ms</button>' in text


def test_every_link_of_the_page_leads_somewhere(page: Page) -> None:
    targets = set(re.findall(r' id="([^"]+)"', page.html))
    data = carried(page.html, "places-data")
    names = [c["name"] for c in data["columns"]]
    rows = [dict(zip(names, row, strict=True)) for own in data["volumes"].values() for row in own]
    volumes = {anchor("volume", r["volume"], r["system"]) for r in rows}
    assert len(volumes) == len(rows) == 239
    wanted = set(re.findall(r'href="#([^"]+)"', page.html.split("<script>", 1)[0] + page.html.split("</style>")[1]))
    assert len(wanted) > 60
    assert wanted <= targets | volumes
    assert set(data["series"]) <= targets | volumes


def test_names_from_dumps_are_safe_in_addresses() -> None:
    assert anchor("volume", "A#B$C", "<\"'>") == "volume-A%23B%24C-%3C%22'%3E"


def rows_of(places: int, volumes: int) -> list[dict[str, Any]]:
    return [{"volume": f"V{n:05}", "system": "SYSA", "place": f"P{n % places}"} for n in range(places * volumes)]


def test_charts_over_time_are_for_the_volumes_that_matter() -> None:
    chosen = budget.choose(rows_of(3, 50))
    assert [r["volume"] for r in chosen] == [f"V{n:05}" for n in range(3 * budget.SERIES_PER_PLACE)]
    assert len(budget.choose(rows_of(100, 50))) == budget.SERIES_MOST


def test_volumes_with_findings_are_never_left_out() -> None:
    last = rows_of(100, 50)[-1]
    chosen = budget.choose(rows_of(100, 50), [anchor("volume", last["volume"], "SYSA")])
    assert (chosen[0], len(chosen)) == (last, budget.SERIES_MOST)
    many = rows_of(1, 500)
    assert len(budget.choose(many, [anchor("volume", r["volume"], "SYSA") for r in many])) == budget.SERIES_MOST


def many(volumes: int, intervals: int) -> duckdb.DuckDBPyConnection:
    """A lake of as many volumes, 256 in an LCU, each with its own numbers."""
    con = database(volume_interval=[volume(0, storage_group="SG", subsystem="2010")])
    con.execute(
        "INSERT INTO volume_interval SELECT volume_interval.* REPLACE (printf('V%05d', v) AS volume, "
        "printf('%04X', v // 256) AS lcu, interval_start + to_minutes(CAST(15 * i AS INTEGER)) AS interval_start, "
        "100 + 97.123 * sin(v + i) AS io_rate, 0.501 + 0.4567 * sin(v * i) AS wait_ms, "
        "1.501 + 0.4567 * sin(v * i) AS response_ms) "
        f"FROM volume_interval, range(1, {volumes + 1}) a (v), range({intervals}) b (i)"
    )
    for view in (v for v in views() if v.layer == "summed" and v.reads.isdisjoint(registry.tables())):
        con.execute(f"CREATE OR REPLACE TABLE {view.name} AS {select(con, view)}")
    return con


def test_a_large_lake_makes_a_page_that_can_be_mailed(tmp_path: Path) -> None:
    con = many(20_000, 4)
    write(con, tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    assert len(html) < 3e6
    assert "Charts over time are kept for 300 of 20,001 volumes" in html
    assert html.count('<tr><td><a href="#lcu-') == 79


def test_rows_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iosq.toolkit.report.drill.ROWS_MOST", 2)
    made = pages(small())
    assert [(p.volumes, p.listed) for p in made.lcus] == [(2, 2), (1, 0), (1, 0)]
    assert sum(map(len, made.data["volumes"].values())) == 2


def test_an_lcu_beyond_the_limit_has_a_page_without_charts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("iosq.toolkit.report.drill.LCU_SERIES_MOST", 1)
    write(small(), tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    assert re.findall(r'data-series="([^"]+)"', html) == ["box-AB121", "lcu-0010-SYSA"]
    assert html.count("kept for the LCUs that lose most") == 2


def test_the_table_of_volumes_keeps_its_details_to_the_pages(page: Page) -> None:
    table = tables()[0]
    row = query(page.con, table.sql).to_pylist()[0]
    assert set(table.columns) & set(table.details) == set()
    assert {*table.columns, *table.details} == set(row)


def test_without_volumes_there_is_no_section(tmp_path: Path) -> None:
    write(database(cache_subsystem_interval=[box("2010", "0000000AB121")]), tmp_path / "r.html")
    assert 'href="#places"' not in (tmp_path / "r.html").read_text("utf-8")
