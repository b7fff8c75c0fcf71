"""What the panels ask and show, without a browser."""

import ast
import datetime as dt
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

import iosq
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.errors import RequestError
from iosq.toolkit.explore import drill, health, launch, serve, statement, what_if
from iosq.toolkit.explore.source import Source, span_of, started
from iosq.toolkit.report.chart import named
from iosq.toolkit.sql.macros import expanded
from iosq.types import Answer
from tests.command import invoked


def brush(begin: str, end: str) -> dict[str, dict[str, list[float]]]:
    ends = (dt.datetime.fromisoformat(at).replace(tzinfo=dt.UTC).timestamp() * 1000 for at in (begin, end))
    return {"time": {"t": list(ends)}}


def test_a_brush_is_extended_to_whole_hours() -> None:
    assert span_of(brush("2025-11-18T08:20", "2025-11-18T09:40")) == "2025-11-18T08:00..2025-11-18T10:00"
    assert span_of(brush("2025-11-18T09:40", "2025-11-18T08:20")) == "2025-11-18T08:00..2025-11-18T10:00"
    assert span_of(brush("2025-11-18T08:00", "2025-11-18T09:00")) == "2025-11-18T08:00..2025-11-18T09:00"
    assert span_of({}) == span_of({"time": {}}) == ""


def test_the_app_starts_with_what_the_command_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("lake", "2025-11-18", None, ["SYSA"], ["0011"], ["DB2003"], utc=True)
    for name, value in source.setting.items():
        monkeypatch.setenv(name, value)
    assert started() == source


def test_commands_carry_the_filters_and_a_brush_takes_the_place_of_the_times(troubled: Path) -> None:
    source = Source(str(troubled), since="2025-11-18", system=["SYSA"])
    assert shlex.split(source.command(["advise"])) == [
        "iosq", "advise", "--lake", str(troubled), "--since", "2025-11-18", "--system", "SYSA",
    ]  # fmt: skip
    narrowed = source.command(["sql", "SELECT 'a b'"], "2025-11-18T08:00..T10:00", volume="DB2003", system="SYSB")
    assert shlex.split(narrowed)[2:] == [
        "SELECT 'a b'", "--lake", str(troubled), "--since", "2025-11-18T08:00", "--until", "2025-11-18T10:00",
        "--system", "SYSB", "--volume", "DB2003",
    ]  # fmt: skip


def test_a_cell_has_the_colour_of_the_rule_that_costs_most(troubled: Path) -> None:
    lake = iosq.open(troubled)
    cells = {(c["place"], c["t"]): c for c in health.cells(lake)}
    assert {place for place, _ in cells} == {"box AB121", "box CD472", "system SYSA", "system SYSB"}
    night = cells["box AB121", "2025-11-18T02:00:00"]
    assert night["reason"] == "wait in the host (IOSQ)"
    assert "BAT009 (pav_add_alias)" in night["why"]
    assert cells["box CD472", "2025-11-18T01:00:00"]["reason"] == health.WITHIN
    waits = lake.sql(
        """SELECT sum(io_rate * interval_s * wait_ms) / 1000 AS s FROM volume_interval
        WHERE queue_length >= 0.5 AND wait_ms >= 0.1 * response_ms AND local_start >= '2025-11-18 02:00'
        AND local_start < '2025-11-18 03:00' AND lcu IN ('0010', '0011', '0012')"""
    ).item()
    assert night["worst_s"] == pytest.approx(waits)


def test_a_limit_of_the_site_changes_the_colour(troubled: Path) -> None:
    lax = iosq.open(troubled, thresholds={"pav_add_alias": {"queue_length": 1e6}})
    assert "wait in the host (IOSQ)" not in {c["reason"] for c in health.cells(lax)}


@pytest.mark.parametrize(
    ("words", "limits", "seconds"),
    [
        (
            "rank",
            {"rank_saturated": {"read_rate": 5, "always_ms": 0}},  # all of the read time is above such limits
            # and goes on with fewer reads
            """SELECT sum(read_rate * read_ms * interval_s) / 1000 FROM rank_interval JOIN (
                SELECT box, rank, min(interval_start) AS begun FROM rank_interval
                WHERE read_rate >= 5 OR read_rate * read_ms >= 500 GROUP BY box, rank
            ) USING (box, rank) WHERE interval_start >= begun""",
        ),
        (
            "path",
            {"slow_path": {"io_rate": 0, "above_ms": 0, "above_factor": 1}},
            """SELECT sum(io_rate * interval_s * (cmr_ms - CASE WHEN cmr_ms >= own_ms THEN own_ms ELSE others_ms END))
            / 1000 FROM lcu_usual_cmr WHERE cmr_ms >= own_ms OR cmr_ms >= others_ms""",
        ),
    ],
)
def test_paths_and_ranks_are_rated_by_the_limits_of_their_rules(
    troubled: Path, words: str, limits: dict[str, dict[str, float]], seconds: str
) -> None:
    lake = iosq.open(troubled, thresholds=limits)
    (reason,) = (r for r in health.REASONS if r.name == words)
    rows = [row for asked, given in health.questions(lake).items() for row in lake.sql(asked.sql, **given).to_dicts()]
    assert health.seconds(rows, reason) == pytest.approx(lake.sql(seconds).item())
    assert any(f"({reason.rule})" in cell["why"] for cell in health.cells(lake))


def test_the_command_of_the_grid_gives_its_rows(troubled: Path) -> None:
    lake = iosq.open(troubled)
    for asked, limits in health.questions(lake).items():
        words = shlex.split(Source(str(troubled)).command(["sql", asked.spelled(**limits)]))[1:]
        done = invoked([*words, "--format", "csv"])
        assert done.exit_code == 0
        assert len(done.stdout.splitlines()) == 1 + lake.sql(asked.sql, **limits).height


def test_the_grid_is_asked_once_for_each_state_of_the_lake(troubled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[iosq.Lake] = []
    monkeypatch.setattr(health, "cells", lambda lake: asked.append(lake) or [])
    monkeypatch.setenv(*next(iter(Source(str(troubled)).setting.items())))
    serve.load()
    health.known_cells(iosq.open(troubled))
    assert len(asked) == 1
    health.known_cells(iosq.open(troubled, since="2025-11-19"))
    assert len(asked) == 2


def test_a_chart_says_what_it_rests_on_in_lines_that_wrap_by_themselves(troubled: Path) -> None:
    drawn = drill.drawn(iosq.open(troubled), "response_over_time")
    assert not isinstance(drawn, str)
    scope, about = drawn.usermeta["notes"]
    assert about == named("response_over_time").about
    assert len(scope) > 140
    assert "\n" not in scope


def test_findings_of_a_time_overlap_it() -> None:
    at = dt.datetime(2025, 11, 18, 8)
    always = Finding("act", volume("A"), "", "", (), "", 1.0)
    then = replace(always, when=Episode(at, at + dt.timedelta(hours=2), 8, 1))
    assert health.within([always, then], "2025-11-18T09:00..T12:00") == [always, then]
    assert health.within([always, then], "2025-11-18T10:00..T12:00") == [always]
    assert health.within([always, then], "2025-11-18T06:00..T08:00") == [always]
    assert health.within([always, then], "") == [always, then]


def test_neighbours_share_a_pool_or_paths_and_never_the_volume_itself(troubled: Path) -> None:
    lake = iosq.open(troubled)
    found = drill.neighbours(lake, "BAT009", "SYSA").rows
    assert ("BAT009", "SYSA") not in {(r["volume"], r["system"]) for r in found}
    same = {r["volume"] for r in found if r["lcu"] == "0011" and r["system"] == "SYSA"}
    assert same == {f"BAT{n:03}" for n in range(24)} - {"BAT009"}
    pools = lake.sql("SELECT DISTINCT volume, extent_pool FROM volume_interval WHERE extent_pool IS NOT NULL").rows()
    (own,) = {pool for name, pool in pools if name == "BAT009"}
    in_pool = {r["volume"] for r in found if r["shares"].startswith(f"extent pool {own}")}
    assert same <= in_pool
    ranks = lake.sql("SELECT DISTINCT rank FROM rank_interval WHERE box = 'AB121' AND extent_pool = $pool", pool=own)
    assert {r["ranks"] for r in found if r["volume"] in same} == {", ".join(sorted(ranks["rank"]))}


@pytest.mark.parametrize("name", drill.TABLES.values())
def test_every_table_of_a_volume_can_be_asked(troubled: Path, name: str) -> None:
    asked = {"volume": "DB2003", "system": "SYSA"}
    assert drill.rows_of(Source(str(troubled)).part(**drill.narrowing(name, asked)), name).rows


def test_an_unstable_or_unidentifiable_count_has_no_number() -> None:
    row = {"aliases": 1, "now": False, "stable": True, "identifiable": False, "response_ms": None, "wait_ms": None}
    rows = [
        row | {"response_low_ms": 1.0, "response_high_ms": 3.0},
        row | {"aliases": 0, "stable": False, "response_low_ms": None, "response_high_ms": None},
        row | {"aliases": 2, "now": True, "identifiable": True, "response_ms": 2.0, "response_low_ms": 1.5,
               "response_high_ms": 2.5, "wait_ms": 0.5},
    ]  # fmt: skip
    answer = Answer(tuple(rows), ())
    assert what_if.chosen(answer, 1) == [
        "1 alias: response not identifiable: between 1 and 3 ms",
        "2 aliases (now): response 2 ms (1.5 to 2.5), of it IOSQ 0.5 ms",
    ]
    assert len(what_if.chosen(answer, 2)) == 1
    assert what_if.chosen(answer, 0)[0] == "0 aliases: more arrives than can be served"
    assert (what_if.today(answer), what_if.today(Answer(tuple(rows[:2]), ()))) == (2, 1)


def test_a_curve_over_growth_ends_with_what_the_boxes_carry(troubled: Path) -> None:
    lake = iosq.open(troubled)
    now = what_if.migrate(lake, "ds8100", 1.0).common
    rows = what_if.over_growth(lake, "ds8100", now["boxes"])
    (today,) = (row for row in rows if row["growth"] == 1)
    assert today["response_ms"] == pytest.approx(now["box_response_ms"])
    responses = [row["response_ms"] for row in rows]
    assert responses == sorted(responses)
    assert 1 < len(rows) < len(what_if.GROWTHS)
    assert not isinstance(what_if.growth_curve(rows), str)
    assert "no curve" in str(what_if.growth_curve(rows[:1]))


def test_the_load_of_an_lcu_moves_to_a_box_of_the_lake(troubled: Path) -> None:
    placed = iosq.open(troubled).sql("SELECT lcu, box FROM volume_box WHERE lcu > '' ORDER BY lcu")
    lcu, here = placed.row(0)
    lake = iosq.open(troubled, lcu=lcu)
    other = next(name for name in what_if.targets(lake) if name not in (*what_if.machines(), here))
    now = what_if.migrate(lake, other, 1.0).common
    rows = what_if.over_growth(lake, other, now.get("boxes"))
    assert [row["growth"] for row in rows] == list(what_if.GROWTHS)
    assert rows[2]["response_low_ms"] == pytest.approx(now["box_response_low_ms"])


@pytest.mark.parametrize("form", statement.FORMS.values())
def test_a_result_is_a_file_of_each_form(troubled: Path, form: str) -> None:
    content = statement.written(iosq.open(troubled), "SELECT volume FROM volume_interval LIMIT 3", form)()
    assert content.startswith({"csv": b"volume\n", "xlsx": b"PK", "parquet": b"PAR1"}[form])


def test_a_statement_that_writes_is_refused(troubled: Path) -> None:
    with pytest.raises(RequestError, match="not allowed"):
        statement.rows(iosq.open(troubled), "CREATE TABLE t AS SELECT 1")


def test_the_server_is_on_this_machine_and_behind_a_token() -> None:
    for command in (launch.command(None, 2718, browser=False), launch.command(Path("mine.py"), None, browser=True)):
        assert command[command.index("--host") + 1] == "127.0.0.1"
        assert "--token" in command
        assert not {"--no-token", "--proxy", "--allow-origins"} & set(command)


def test_a_lake_that_cannot_be_read_does_not_keep_the_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*next(iter(Source(str(tmp_path / "none")).setting.items())))
    serve.load()


def test_edit_opens_a_copy_and_keeps_what_was_changed(
    troubled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def run(words: list[str], **more: object) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(launch.subprocess, "run", run)
    mine = tmp_path / "mine.py"
    launch.explore(Source(str(troubled)), edit=mine)
    assert mine.read_text() == launch.APP.read_text()
    assert (tmp_path / "app.css").is_file()
    assert asked[0][3:5] == ["edit", str(mine)]
    mine.write_text("changed")
    launch.explore(Source(str(troubled)), edit=mine)
    assert mine.read_text() == "changed"
    with pytest.raises(RequestError, match="name another file"):
        launch.explore(Source(str(troubled)), edit=tmp_path / "none" / "mine.py")


def test_without_marimo_the_extra_is_named(troubled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(RequestError, match=r"iosq\[explore\]"):
        launch.explore(Source(str(troubled)))


def test_a_variable_of_the_app_is_defined_in_one_cell() -> None:
    """What marimo requires of an app: names that two cells give back make it refuse to run."""
    cells = [node for node in ast.parse(launch.APP.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    given = [
        name.id
        for cell in cells
        for node in ast.walk(cell)
        if isinstance(node, ast.Return) and node.value
        for name in ast.walk(node.value)
        if isinstance(name, ast.Name)
    ]
    assert len(given) == len(set(given)) > 20


def test_hours_rated_when_records_arrived_are_those_rated_anew(troubled: Path) -> None:
    """Limits next to the shipped ones rate the same intervals, all of them when they are asked."""
    lake = iosq.open(troubled)
    near = iosq.open(troubled, thresholds={"pav_add_alias": {"queue_length": 0.5 + 1e-9}})
    for asked, limits in health.questions(lake).items():
        anew = next(given for question, given in health.questions(near).items() if question == asked)
        assert_frame_equal(lake.sql(asked.sql, **limits), near.sql(asked.sql, **anew))
    (limits,) = (given for question, given in health.questions(lake).items() if question.name == "explore_health")
    assert lake.sql(f"SELECT {expanded('{{ as_shipped() }}', 'limits')}", **limits).item()


def test_sums_by_day_are_those_of_the_intervals_that_a_filter_leaves(troubled: Path) -> None:
    sums = "SELECT sum(ios), sum(lost_s), sum(wait_s), sum(unknown_s) FROM _volume_day"
    intervals = """SELECT sum(io_rate * interval_s), sum(io_rate * interval_s * (response_ms - conn_ms)) / 1000,
        sum(io_rate * interval_s * wait_ms) / 1000, NULL FROM volume_interval WHERE response_ms IS NOT NULL"""
    units = "SELECT sum(ios), sum(lost) / 1000, sum(wait) / 1000, NULL FROM _unit_interval"
    lakes = [iosq.open(troubled), iosq.open(troubled, since="2025-11-18T09:30"), iosq.open(troubled, volume="BAT009")]
    found = [[lake.sql(text).row(0) for text in (sums, intervals, units)] for lake in lakes]
    for by_day, expected, by_unit in found:
        assert by_day == pytest.approx(expected) and by_unit == pytest.approx(expected)
    assert len({expected[0] for _, expected, _ in found}) == len(lakes)
