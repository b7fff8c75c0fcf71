"""What the page says, from sample lakes and from rows written by hand."""

import datetime as dt
import json
import re
from html import unescape
from html.parser import HTMLParser
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from advise_rows import at, box, candidate, database, delay, pool, volume
from report_page import Page, carried

import iosq
from iosq.toolkit.advise import run
from iosq.toolkit.advise.grouped import apart
from iosq.toolkit.errors import RequestError
from iosq.toolkit.report import quality
from iosq.toolkit.report.budget import pick
from iosq.toolkit.report.chart import Chart, charts, render, rows_of
from iosq.toolkit.report.table import fill, tables
from iosq.toolkit.report.table import rows_of as report_rows
from iosq.toolkit.report.write import write
from iosq.toolkit.sql.filter import Filter, instant
from iosq.toolkit.sql.guard import query
from tests.length import tried
from tests.once import KEPT

# one chart draws findings: on the page it stands with each of them
OWN = [c for c in charts() if c.sql]


@pytest.fixture
def copy(page: Page) -> duckdb.DuckDBPyConnection:
    return page.con


class Outline(HTMLParser):
    """Headings, ids, labels, addresses and whether every tag is closed."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"


def specs(html: str) -> list[dict[str, object]]:
    return [carried(html, name) for name in re.findall(r'id="(spec-\w+)"', html)]


def test_the_page_opens_with_the_planted_troubles(page: Page) -> None:
    kinds = [
        r"LCU 0011 ran out of HyperPAV aliases on SYSA \(.*0[1-3]:\d\d on 2025-11-18\)",
        r"NVS of box 2107-941 CD472 was full \(20:00-21:30 on 2025-11-18\)",
        r"Volume DB2003 waits on SYSA \(09:15-11:00 on 2025-11-18\): \d+.\d ms IOSQ at the peak",
        r"Volume ONL007 finds only 5\d % of its reads in cache",
        r"Over all 120 volumes an I/O takes \d.\d\d ms; the largest part is",
    ]
    assert len(page.findings) == len(kinds)
    for kind in kinds:
        assert sum(bool(re.search(kind, text)) for text in page.findings) == 1, (kind, page.findings)
    for text in page.findings:
        assert text in unescape(page.html)
    assert re.search(r"3020, 3021 and 3022 waited, up to \d+ % of those to 3021", page.html)


def test_a_finding_shows_when_it_was_seen(page: Page) -> None:
    _, text = page.html.split('<p class="text">NVS of box 2107-941 CD472 was full')
    assert "First seen 20:00 on 2025-11-18, last 21:30 on 2025-11-18." in text.split('<p class="text">')[0]


def test_volumes_of_a_dry_pool_are_not_listed_one_by_one(page: Page) -> None:
    assert not any(re.search(r"BAT\d\d\d", text) for text in page.findings)


def test_the_same_lake_gives_the_same_bytes(page: Page, tmp_path: Path) -> None:
    """Of tables of all views, as `page` is, and of the lake itself."""
    KEPT.clear()
    write(iosq.open(page.path.with_name("lake")).connection(), tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.path.read_bytes()


def test_the_footer_has_version_and_time_of_creation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for epoch, shown in (("1763424000", "2025-11-18 00:00"), ("", rf"{dt.datetime.now(dt.UTC):%Y-%m-%d} \d\d:\d\d")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        write(database(volume_interval=[volume(0)]), tmp_path / "r.html")
        text = (tmp_path / "r.html").read_text("utf-8")
        assert re.search(rf"Written by iosq {re.escape(version('iosq'))} on {shown} UTC", text)


def test_the_page_of_a_day_is_mailed_without_a_thought(page: Page) -> None:
    # half of it is the drawing library; rows of charts are packed
    assert page.path.stat().st_size < 2.4e6


def test_nothing_is_fetched_and_every_tag_closes(page: Page) -> None:
    outline = Outline(page.html)
    assert outline.open == []
    addresses = [v for _, attrs in outline.tags for k, v in attrs.items() if k in ("src", "href", "action", "srcset")]
    assert addresses
    assert all(a and (a.startswith("#") or a == "data:,") for a in addresses)
    assert page.html.count("vegaEmbed(") < 20
    style = re.search(r"<style>(.*?)</style>", page.html, re.DOTALL)
    assert style
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_it_can_be_read_without_eyes(page: Page) -> None:
    outline = Outline(page.html)
    tags = [t for t, _ in outline.tags]
    assert ("html", {"lang": "en"}) in outline.tags
    assert tags.count("h1") == tags.count("title") == tags.count("main") == 1
    levels = [int(t[1]) for t in tags if re.fullmatch(r"h[1-6]", t)]
    assert all(b - a <= 1 for a, b in pairwise(levels))
    ids = [a["id"] for _, a in outline.tags if "id" in a]
    assert len(ids) == len(set(ids))
    drawn = [a for _, a in outline.tags if a.get("class") == "chart"]
    assert len(drawn) == len(OWN) + sum(f.curve is not None for f in page.found)
    assert all(a["role"] == "img" and len(a["aria-label"] or "") > 40 for a in drawn)


def test_every_chart_is_there_in_numbers_too(page: Page) -> None:
    """For who can't see it, and for readers whose browser runs no scripts."""
    for chart in OWN:
        figure = re.search(rf'<figure id="{chart.name}">.*?</figure>', page.html, re.DOTALL)
        assert figure, chart.name
        numbers = re.search(r'<details class="in-numbers">.*?</details>', figure[0], re.DOTALL)
        assert numbers, chart.name
        rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in numbers[0].split("<tr>")[2:]]
        assert 1 < len(rows) <= 100, chart.name
        assert all(len(row) == len(chart.columns) for row in rows), chart.name
    effects = page.html.count('<figure class="effect">')
    assert page.html.count('class="in-numbers"') == len(OWN) + effects


def test_the_policy_lets_run_what_the_page_holds(page: Page) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page.html)
    assert policy
    assert "unsafe-eval" not in policy[1]
    assert unescape(policy[1]).startswith("default-src 'none'; script-src 'sha256-")
    assert policy[1].count("sha256-") == page.html.count("<script>") == 3


def test_the_page_holds_all_rows_of_a_table(page: Page) -> None:
    data = carried(page.html, "rows-volumes")
    assert len(data["rows"]) == 239
    assert all(len(row) == len(data["columns"]) for row in data["rows"])


def test_every_finding_and_table_shows_a_query_that_runs(page: Page) -> None:
    for finding in page.found:
        assert query(page.con, finding.sql).num_rows > 0
    shown = re.findall(r"<pre><code>(.*?)</code></pre>", page.html, re.DOTALL)
    pages = page.html.count('<article class="place"') - 1
    assert pages == 14
    assert len(shown) == len(page.found) + len(OWN) + sum(bool(t.sql) for t in tables()) + pages
    for text in shown:
        query(page.con, f"EXPLAIN {unescape(text)}")


def test_the_line_on_data_quality_counts_what_is_missing(page: Page) -> None:
    line = re.search(r'<p class="quality">(.*?)</p>', page.html)
    assert line
    assert "2 systems (SYSA and SYSB), up to 120 volumes each, 00:45-21:30 on 2025-11-18 local time (+01:00)" in line[1]
    # 24 intervals between the night and the morning, 32 between the morning and the evening, on each system
    assert "intervals of 15 min, 112 missing" in line[1]
    assert "Input read with 1 loss of data (lake_issues has them)" in line[1]


def test_a_part_of_the_lake_is_called_filtered(page: Page, tmp_path: Path) -> None:
    where = Filter(instant("2025-11-18T09:15"), instant("2025-11-18T10:45"), ("SYSA",), ("0012",))
    con = iosq.open(page.path.with_name("lake")).connection(where=where)
    write(con, tmp_path / "r.html", narrowed="LCU 0012 of SYSA", findings=[])
    lines = re.findall(r"<p(?: class=\"quality\")?>(Filtered to .*?)</p>", (tmp_path / "r.html").read_text("utf-8"))
    assert len(lines) == 2
    # in local time, as the filter: SYSA is an hour east of UTC
    span = "09:15-10:45 on 2025-11-18 local time (+01:00)"
    sentence = f"Filtered to LCU 0012 of SYSA. 1 system (SYSA), 16 volumes, {span}"
    assert all(line.startswith(sentence) for line in lines)
    assert "Filtered to" not in page.html


def test_findings_are_counted_by_urgency(page: Page) -> None:
    found = page.found
    acts, notes = (sum(f.severity == s for f in found) for s in ("act", "note"))
    summary = re.search(r"<p class=\"about\">(\d+) findings: (.*?); the most urgent first", page.html)
    assert summary
    assert summary[1] == str(len(found))
    assert summary[2].startswith(f"{acts} to act on, ")
    assert summary[2].endswith(f"{notes} note{'s' if notes > 1 else ''}")
    assert page.html.count("<strong>Do first:</strong>") == 1


def test_values_that_no_machine_measures_are_counted_at_the_head(tmp_path: Path) -> None:
    left_out = {"view_name": "device_interval", "column_name": "reserved_ratio", "found": -1.0, "file_id": "0"}
    left_out |= {"least": 0.0, "most": 1.01, "system": "SYSA"}
    given = {"system": "SYSA", "span_start": at(0), "span_end": at(3), "intervals": 3, "missing_intervals": 0,
            "interval_s": 900.0, "span_s": 2700.0}  # fmt: skip
    columns = [{**left_out, "column_name": name} for name in ("wait_ms", "queue_length", "response_ms")]
    other = {**left_out, "system": "SYSB"}
    issue = {"file_id": "0", "code": "bad_length", "severity": "error", "count": 2, "message": "bad"}
    lake = database(
        volume_interval=[volume(0)], impossible_value=[*columns, other], data_quality=[given], lake_issues=[issue]
    )
    write(lake, tmp_path / "r")
    html = (tmp_path / "r").read_text("utf-8")
    assert "Input read with 2 errors" in html
    assert "2 rows with values that no machine measures" in html


def test_what_advice_rests_on_reports_lost_rows() -> None:
    given = {"system": "SYSA", "span_start": at(0), "span_end": at(3), "intervals": 3, "missing_intervals": 0,
            "interval_s": 900.0, "span_s": 2700.0}  # fmt: skip
    issues = [
        {"file_id": "0", "code": "bad_number", "severity": s, "count": 4} for s in ("data_loss", "info", "data_loss")
    ]
    whole, lost = (
        quality.heading(database(volume_interval=[volume(0)], data_quality=[given], lake_issues=met))
        for met in (issues[1:2], issues)
    )
    assert whole.endswith("none missing.") and "lost at ingest" not in whole
    assert "none missing. Data was lost at ingest (8 issues of the lake): iosq sql" in lost


def hostile(*names: str) -> duckdb.DuckDBPyConnection:
    """Each name as that of a volume, a system, a storage group, an LCU, a box and an issue."""
    return database(
        volume_interval=[
            volume(n, name, wait=20.0 * n, system=name, storage_group=name) for name in names for n in range(3)
        ],
        pav_candidate=[candidate(name, system=name, lcu=name) for name in names],
        lcu_interval=[pool(1, denied=1000, lcu=name, system=name) for name in names],
        nvs_delay=[delay(1, name, 100.0) for name in names],
        cache_subsystem_interval=[box(name, name) for name in names],
        lake_issues=[{"file_id": "0", "code": n, "severity": "error", "count": 1, "message": n} for n in names],
        data_quality=[{"system": name, "span_start": at(0), "span_end": at(3), "intervals": 3, "missing_intervals": 0,
                       "interval_s": 900.0, "span_s": 2700.0} for name in names],
    )  # fmt: skip


NAMES = ("<B>&\"'", "</script><script>x()", "<!--<script>", "{{ 7 * 7 }}", "'; SELECT 1 --")


def test_text_from_dumps_is_only_text(tmp_path: Path) -> None:
    """All of them on one page: a name that gets out of its place is found among others too."""
    con = hostile(*NAMES)
    given = {(code, name) for f in run(con) for name in NAMES for code in [f.code] if name in f.whole_text}
    assert all(len({code for code, of in given if of == name}) >= 3 for name in NAMES), given
    write(con, tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    outline = Outline(html)
    assert outline.open == []
    assert not {"b"} & {t for t, _ in outline.tags}
    drawn = [json.dumps(s, ensure_ascii=False).replace('\\"', '"') for s in specs(html)]
    for name in NAMES:
        own = Outline(html.replace(name, ""))
        assert [t for t, _ in own.tags] == [t for t, _ in outline.tags], name
        assert any(name in spec for spec in drawn), name
    assert "49" not in {c.strip() for c in re.findall(r"<td[^>]*>(.*?)</td>", html)}


def test_a_chart_without_data_is_left_out_with_a_reason(tmp_path: Path) -> None:
    write(database(volume_interval=[volume(0), volume(1)]), tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    left = re.findall(r'<p class="left-out"><strong>(.*?)</p>', html)
    assert len(left) == 6
    assert any("no alias statistics (type 78.3 or an I/O queuing listing, with HyperPAV)" in text for text in left)
    assert len(specs(html)) == len(OWN) - 6


def test_cache_statistics_alone_make_a_page(tmp_path: Path) -> None:
    rows = [box("2010", "0000000AB121") | {"write_count": 5.0, "write_hit_count": 5.0, "nvs_delay_count": 0.0}]
    assert write(database(cache_subsystem_interval=rows), tmp_path / "r.html") == []
    html = (tmp_path / "r.html").read_text("utf-8")
    assert "No rule found a trouble" in html
    assert len(specs(html)) == 3


def test_a_lake_with_nothing_to_report_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"the lake is empty.*ingest SMF dumps"):
        write(database(), tmp_path / "r.html")
    only_tape = database(lake_files=[{"kind": "smf"}], lake_records=[{"kind": "94.1", "decoded": 1}])
    with pytest.raises(RequestError, match=r"It holds 94\.1"):
        write(only_tape, tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_a_page_that_can_not_be_written_is_a_request_error(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"can.t be written"):
        write(database(volume_interval=[volume(0)]), tmp_path / "nowhere" / "r.html")


def test_zvm_volumes_have_a_page(tmp_path: Path) -> None:
    rows = [volume(n, "PAV000", wait=20.0, platform="z/VM", system="ESSF20", lcu=None) for n in range(3)]
    chosen = [candidate("PAV000", platform="z/VM", system="ESSF20", lcu=None)]
    con = database(volume_interval=rows, pav_candidate=chosen)
    findings = write(con, tmp_path / "r.html")
    assert findings[0].startswith("Volume PAV000 waits on ESSF20")
    page = (tmp_path / "r.html").read_text("utf-8")
    outside = re.sub(r"<(script|style)\b.*?</\1>|<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert not re.findall(r"SMF|types? \d|74\.\d|78\.3|42\.6|SuperPAV|RMF|IOSQ|LCU", outside)
    write(con, tmp_path / "r.xlsx", "xlsx")
    sheets = openpyxl.load_workbook(tmp_path / "r.xlsx").worksheets
    heads = [sheet.title for sheet in sheets] + [str(cell.value) for sheet in sheets for cell in sheet[1]]
    assert "CP queue ms" in heads and not re.findall(r"IOSQ|LCU", " ".join(heads))
    assert "ingest LCHANNEL (FCX161) or FCHANNEL (FCX215)" in outside
    assert 'id="table-volumes"' in outside and 'id="table-data_sets"' not in outside
    with pytest.raises(RequestError, match="nothing to show: z/VM has no such measurements"):
        render("nvs_delay", con)


def test_a_site_sets_its_own_thresholds(tmp_path: Path) -> None:
    con = database(lcu_interval=[pool(0, denied=200)])
    assert write(con, tmp_path / "r.html") == []
    assert len(write(con, tmp_path / "r.html", settings={"alias_pool_dry": {"denied_ratio": 0.01}})) == 1


def test_each_kind_of_trouble_comes_before_the_second_of_one() -> None:
    con = database(
        volume_interval=[volume(1, f"V{n}", wait=20.0) for n in range(6)],
        pav_candidate=[candidate(f"V{n}") for n in range(6)],
        nvs_delay=[delay(1, "3020", 100.0)],
    )
    found = apart(run(con))
    assert [f.code for f in found] == ["pav_add_alias"] * 6 + ["nvs_delay", "time_breakdown"]
    chosen = [f.code for f in pick(found)]
    # three of the six, so that the others have a place, and in order of urgency
    assert chosen == ["pav_add_alias"] * 3 + ["nvs_delay", "time_breakdown"]


def test_systems_keep_their_own_local_time() -> None:
    rows = [volume(0, "A", utc_offset_s=3600), volume(0, "B", system="SYSB", utc_offset_s=-18000)]
    chart = next(c for c in charts() if c.name == "response_over_time")
    found = rows_of(database(asks=chart.sql, volume_interval=rows), chart)
    assert [r["t"] for r in found] == ["2026-03-02T03:00:00", "2026-03-02T09:00:00"]


@pytest.mark.parametrize("intervals, step", [(96, 900), (200, 1800), (96 * 7, 7200), (96 * 365 * 3, 2_592_000)])
def test_long_spans_are_drawn_in_longer_steps(intervals: int, step: int) -> None:
    rows = [volume(n) for n in (0, 1, intervals - 1)]
    chart = next(c for c in charts() if c.name == "response_over_time")
    assert {r["step_s"] for r in rows_of(database(asks=chart.sql, volume_interval=rows), chart)} == {step}


CENTURIES = [{"interval_start": at(0).replace(year=2099)}, {"interval_start": at(0).replace(year=1971)}]
LENGTHS = [{"interval_s": 0.0}, {"interval_s": 2_678_400.0}]


@pytest.mark.parametrize("damaged", tried([CENTURIES[0], LENGTHS[0]], [*CENTURIES, *LENGTHS]))
def test_a_row_of_another_century_or_length_stops_no_page(tmp_path: Path, damaged: dict[str, Any]) -> None:
    """Found by search: no step was long enough, and a system without a length had no number of missing intervals."""
    rows = [volume(n, lcu="0010") for n in range(4)] + [volume(1, "BAD", system="SYSB", lcu="0010") | damaged]
    given = {"span_start": at(0), "span_end": at(3), "intervals": 3, "missing_intervals": 0, "interval_s": 900.0}
    given |= {"span_s": 2700.0}
    without = {"missing_intervals": None, "interval_s": damaged.get("interval_s", 900.0)}
    quality = [given | {"system": "SYSA"}, given | without | {"system": "SYSB"}]
    write(database(volume_interval=rows, data_quality=quality), tmp_path / "r.html")
    assert "2 systems" in (tmp_path / "r.html").read_text("utf-8")


@pytest.mark.parametrize("chart", charts(), ids=lambda c: c.name)
def test_every_chart_can_be_drawn_alone(copy: duckdb.DuckDBPyConnection, chart: Chart, tmp_path: Path) -> None:
    render(chart.name, copy).save(tmp_path / "chart.svg")
    svg = (tmp_path / "chart.svg").read_text("utf-8")
    assert svg.startswith("<svg")
    assert svg.count("<path") > 10


def test_a_chart_needs_no_snapshot(page: Page) -> None:
    title = render("alias_use", page.con).to_dict()["title"]["text"]
    assert " ".join(title).startswith("SYSA LCU 0011 refused I/Os an alias in ")


def test_a_chart_names_its_scope_and_how_to_read_it(page: Page) -> None:
    lake = iosq.open(page.path.with_name("lake"))
    below = [" ".join(chart("response_by_volume").to_dict()["title"]["subtitle"]) for chart in (
        lake.chart, iosq.open(lake.path, system="SYSA", until="2025-11-18T12:00").chart)]  # fmt: skip
    assert below[0].startswith("2 systems (SYSA and SYSB), ") and "intervals of 15 min" in below[0]
    assert below[1].startswith("Filtered to system SYSA, intervals that start before 2025-11-18 12:00. 1 system (SYSA)")
    assert all("most on top" in text for text in below)


def test_a_page_in_utc_says_so_everywhere(tmp_path: Path) -> None:
    write(database(volume_interval=[volume(0), volume(1)]), tmp_path / "r.html", utc=True)
    html = (tmp_path / "r.html").read_text("utf-8")
    assert "local time" not in html
    assert "Times in it are UTC" in html
    assert "--lake DIR --utc" in html


def test_a_comparison_has_the_means_of_the_report(page: Page) -> None:
    """Two commands, one question: what a volume or LCU did, over all the lake."""
    lake = iosq.open(page.path.with_name("lake"))
    given = {
        (kind, row["system"], row[kind]): row
        for table in tables()
        if (kind := {"volumes": "volume", "lcus": "lcu"}.get(table.name, ""))
        for row in report_rows(page.con, table, ())
    }
    compared = 0
    for change in iosq.compare(lake, lake).changes:
        row = given.get((change.kind, change.system, change.subject))
        if row and change.part == "all" and change.measure in row:
            assert change.before == pytest.approx(row[change.measure], rel=1e-6, abs=1e-9), change
            compared += 1
    assert compared > 500


def test_an_unknown_chart_is_named_with_the_nearest() -> None:
    with pytest.raises(RequestError, match=r"no chart nvs_delays.*nvs_delay"):
        render("nvs_delays", database())
    with pytest.raises(RequestError, match="nothing to show"):
        render("nvs_delay", database())


def test_charts_and_tables_agree_with_the_views(page: Page) -> None:
    wanted = query(
        page.con,
        "SELECT sum(io_rate * wait_ms * interval_s) / sum(io_rate * interval_s) AS w FROM volume_interval "
        "WHERE volume = 'DB2003' AND system = 'SYSA'",
    ).to_pylist()[0]["w"]
    chart = next(c for c in charts() if c.name == "response_by_volume")
    row = next(r for r in rows_of(page.con, chart) if r["label"] == "DB2003 on SYSA")
    assert row["iosq"] == pytest.approx(wanted, rel=1e-4)
    volumes = fill(page.con, tables()[0])
    cells = next(r for r in volumes.rows if (r[0].text, r[1].text) == ("DB2003", "SYSA"))
    assert cells[7].text == f"{wanted:.2f}"
    assert volumes.total == 239
