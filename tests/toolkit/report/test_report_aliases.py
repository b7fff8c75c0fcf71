"""The table of all volumes and pools, and the aliases each hour takes."""

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from report_page import Page

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.finding import Aliases, Effect, Hour, Number
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.report import hours
from iosq.toolkit.report.table import Filled, Rows, fill, rows_of, tables
from iosq.toolkit.report.write import write
from iosq.toolkit.sql.guard import query

TABLE = next(t for t in tables() if t.name == "aliases")
HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US
MIDNIGHT = 20_000 * DAY_US


@pytest.fixture(scope="module")
def found(page: Page) -> list[Finding]:
    return page.found


@pytest.fixture(scope="module")
def rows(page: Page, found: list[Finding]) -> Rows:
    return rows_of(page.con, TABLE, found)


@pytest.fixture(scope="module")
def filled(page: Page, found: list[Finding]) -> Filled:
    return fill(page.con, TABLE, found)


def test_every_volume_and_pool_has_a_row(page: Page, rows: Rows, found: list[Finding]) -> None:
    assert len(rows) == len(verdicts(page.con, found))
    volumes = {r["subject"] for r in rows if r["kind"] == "volume"}
    listed = query(page.con, "SELECT volume || ' on ' || system AS name FROM pav_candidate").to_pylist()
    assert volumes == {r["name"] for r in listed}
    assert {"LCU 0011 on SYSA", "LCU 0011 on SYSB"} <= {r["subject"] for r in rows}


def test_the_numbers_of_a_row_are_those_of_the_views_and_of_its_finding(
    page: Page, rows: Rows, found: list[Finding]
) -> None:
    row = next(r for r in rows if r["subject"] == "DB2003 on SYSA")
    finding = next(f for f in found if str(f.subject) == "DB2003 on SYSA")
    assert finding.effect and finding.aliases
    sql = "SELECT * FROM pav_candidate WHERE volume = 'DB2003' AND system = 'SYSA'"
    view = query(page.con, sql).to_pylist()[0]
    assert row["verdict"] == "add"
    assert (row["aliases_needed"], row["aliases_needed_high"]) == (finding.aliases.fewest, finding.aliases.most)
    assert row["aliases_likely"] == finding.aliases.likely
    assert row["predicted_ms"] == finding.effect.value
    assert row["why"] == "A volume waits for a free exposure"
    assert row["lcu"] == view["lcu"]
    # threads of the engine add fractions in any order
    assert (row["wait_ms"], row["wait_p95_ms"]) == pytest.approx((view["wait_ms"], view["wait_p95_ms"]))


def test_an_effect_on_something_else_is_no_response(page: Page, found: list[Finding]) -> None:
    subject = "LCU 0011 on SYSA"
    own = next(f for f in found if str(f.subject) == subject)
    denied = replace(own, effect=Effect("I/Os denied an alias", "I/Os", 7.0, 0.0, 0.0, 0.0, ""))
    open_end = replace(own, effect=Effect("response at the peak", "ms", 7.0, 4.0, 1.0, 7.0, "", identifiable=False))

    def response(finding: Finding) -> list[float | None]:
        made = rows_of(page.con, TABLE, [finding, *(f for f in found if f is not own)])
        row = next(r for r in made if r["subject"] == subject)
        return [row[n] for n in ("response_ms", "predicted_ms", "predicted_low_ms", "predicted_high_ms")]

    # as measured in the peak interval
    assert response(denied)[0] == pytest.approx(response(replace(own, effect=None))[0])
    assert response(denied)[1:] == [None] * 3
    # no value between bounds is likelier than another
    assert response(open_end) == [7.0, None, 1.0, 7.0]


def test_the_page_lists_what_needs_attention_and_counts_the_rest(filled: Filled, rows: Rows) -> None:
    enough = [r for r in rows if r["verdict"] == "enough"]
    spare = [r for r in rows if r["verdict"] == "too many" and r["kind"] == "volume"]
    assert enough and spare
    names = {cells[0].text for cells in filled.rows}
    assert not names & {r["subject"] for r in [*enough, *spare]}
    pooled, boxed = ([r for r in rows if r["cause"] == c] for c in ("LCU 0011 on SYSA", "box 2107-941 CD472"))
    assert {r["lcu"] for r in pooled} == {"0011"}, "their pool is the one line about them"
    assert {r["verdict"] for r in boxed} == {"won't help"}
    for count, cause in ((len(pooled), "LCU 0011 on SYSA"), (len(boxed), "box 2107-941 CD472")):
        assert f"{count} volumes explained by {cause}" in filled.counted
    assert filled.total == len(rows) - len(enough) - len(spare) - len(pooled) - len(boxed)
    volumes = sum(r["kind"] == "volume" for r in enough)
    counted = f"{len(enough) - volumes} LCUs with enough, {volumes} volumes with enough"
    assert f"Not listed: {counted}, {len(spare)} volumes with too many" in filled.counted


def test_its_names_lead_to_their_pages(page: Page) -> None:
    table = re.search(r'<h3 id="table-aliases">.*?</section>', page.html, re.DOTALL)
    assert table
    for name in ("lcu-0011-SYSA", "volume-DB2003-SYSA"):
        assert f'<a href="#{name}">' in table[0]


def test_the_workbook_has_all_rows_and_all_columns(page: Page, rows: Rows, tmp_path: Path) -> None:
    write(page.con, tmp_path / "r.xlsx", "xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx")[TABLE.title.replace(":", "")]
    cells = list(sheet.iter_rows(values_only=True))
    assert list(cells[0]) == [heading for heading, _ in TABLE.columns.values()]
    assert [row[0] for row in cells[1:]] == [r["subject"] for r in rows]
    assert "enough" in {row[1] for row in cells[1:]}


def at(clock: float, fewest: int | None, most: int | None, day: int = 0) -> Hour:
    start = MIDNIGHT + day * DAY_US + int(clock * HOUR_US)
    begin, end = (dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=us) for us in (start, start + HOUR_US // 4))
    return Hour(begin, end, 2.0, 1.5, fewest, most)


def finding(*day: Hour, mean: int | None = 0, now: int | None = 1) -> Finding:
    numbers = () if mean is None else (Number(hours.MEAN, mean),)
    aliases = None if now is None else Aliases("add", now, 1, 1)
    return Finding("act", volume("A", "S"), "", "", numbers, "", 0.0, hours=day, aliases=aliases)


@pytest.mark.parametrize(
    "given, words",
    [
        (
            finding(at(9.5, 3, 3), at(10.75, 3, 4)),
            "Takes 3 to 4 aliases (now 1) at 09:00-11:00; the mean of the span would ask for none",
        ),
        (
            finding(at(1, 1, 1), at(9, 1, 1, day=-1), mean=2, now=None),
            "Takes 1 alias at 01:00-02:00 and 09:00-10:00; the mean of the span would ask for 2",
        ),
        (
            finding(*(at(2 * n, 2, None) for n in range(4)), mean=None),
            "Takes 2 aliases or more (now 1) in 4 hours of the day",
        ),
        (
            finding(at(23.75, None, None), mean=None),
            "No count of aliases clears the wait at 23:00-24:00",
        ),
    ],
)
def test_the_sentence_over_the_hours(given: Finding, words: str) -> None:
    assert hours.in_words(given) == words


def test_a_bar_reaches_as_far_as_its_count() -> None:
    # day before, so later by the clock although earlier
    bars = hours.bars([at(9, 1, 2, day=-1), at(1, 2, 4), at(10, 3, None), at(11, None, None)])
    assert [(b.words, b.sure, b.most) for b in bars] == [
        ("2 to 4 aliases", 50.0, 50.0),
        ("1 to 2 aliases", 25.0, 25.0),
        ("3 aliases or more", 75.0, 25.0),
        ("no count clears it", 0.0, 100.0),
    ]


def test_a_rule_names_what_the_sentence_quotes(page: Page, found: list[Finding]) -> None:
    first = next(f for f in found if f.hours and f.code == "pav_add_alias")
    assert hours.MEAN in {n.name for n in first.numbers}
    assert page.html.count('<table class="hours">') == sum(bool(f.hours) for f in found)
    assert page.html.count(f"<h3>{hours.in_words(first)}</h3>") == 1
