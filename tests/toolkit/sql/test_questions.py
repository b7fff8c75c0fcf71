"""Questions: what a wrong header gets, parameters by name, runs of bad intervals; every shipped one is sound."""

import datetime as dt
import re
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.rows import Row
from iosq.toolkit.sql import guard
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import SHIMS
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.questions import Question, ask, ask_all, load, parse, shipped
from iosq.toolkit.sql.raw import raw_view

HEAD = "-- title: Title\n-- grain: one row\n"
LIMIT = "-- parameter $limit DOUBLE [per second]: Least rate\n"
WHOLE = HEAD + LIMIT + "-- column a INTEGER []: meaning\n"
EXAMPLES: dict[str, Any] = {
    "DOUBLE": 1.0, "BIGINT": 1, "INTEGER": 1, "VARCHAR": "x", "BOOLEAN": True, "DATE": dt.date(2026, 3, 2),
    "TIMESTAMP": dt.datetime(2026, 3, 2),
}  # fmt: skip
# what DuckDB takes and Spark doesn't: it wants a length for VARCHAR and has no order inside string_agg
ONLY_DUCKDB = (
    r"\bQUALIFY\b|GROUP\s+BY\s+ALL|FILTER\s*\(|\bstruct_pack\b|:=|[^/]//[^/]|\bquantile|\bepoch_us\b|\bto_seconds\b|"
    r"\bmake_timestamp\b|\bstrftime\b|\blist\s*\(|\bmedian\s*\(|\barg_m(?:ax|in)\b|\?|\bVARCHAR\b|\bstring_agg\b|"
    r"\bunnest\s*\("
)

# Spark takes the arguments of ltrim the other way round
IN_VIEWS = r"\b[lr]?trim\s*\([^()]*,"


def made(tmp_path: Path, text: str) -> Question:
    (tmp_path / "one.sql").write_text(text)
    return parse(tmp_path / "one.sql")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SELECT 1 AS a", "one.sql: the header lacks title, grain"),
        (HEAD + "-- colum a INTEGER []: x\nSELECT 1 AS a", "one.sql: header line 3"),
        (HEAD + "SELECT 1 AS a WHERE 2 > $limit", r"one.sql: parameter \$limit is not in the header"),
        (WHOLE + "SELECT 1 AS a", r"one.sql: parameter \$limit is not in the SQL"),
        (WHOLE.replace("DOUBLE", "NUMBER") + "SELECT 1 AS a", "one.sql: column limit has type 'NUMBER'"),
    ],
)
def test_a_wrong_question_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(LakeError, match=complaint):
        made(tmp_path, text)


def test_parameters_are_bound_by_name(tmp_path: Path) -> None:
    question = made(tmp_path, WHOLE + "SELECT 1 AS a WHERE 2 > $limit AND $limit > 0")
    con = duckdb.connect()
    assert ask(con, question, limit=1.0).to_pylist() == [{"a": 1}]
    assert ask(con, question, limit=3.0).num_rows == 0
    for wrong in ({}, {"limit": 1.0, "least": 2.0}):
        with pytest.raises(TypeError, match="question one takes limit"):
            ask(con, question, **wrong)


WORST = (
    HEAD + 'WITH bad AS (SELECT * FROM given), worst AS ({{ worst_run("bad", "system, volume") }}) SELECT * FROM worst'
)


def minute(number: int) -> dt.datetime:
    return dt.datetime(2026, 3, 2) + number * dt.timedelta(minutes=1)


def stamp(number: int) -> str:
    return f"TIMESTAMP '{minute(number)}'"


def worst_of(intervals: list[tuple[int, int]]) -> list[Row]:
    """The worst run of these minutes with what they lost."""
    con = duckdb.connect()
    for shim in SHIMS:
        con.execute(shim)
    rows = ", ".join(f"('S', 'V', {stamp(at)}, {stamp(at + 1)}, {lost})" for at, lost in intervals)
    con.execute(
        f"CREATE TABLE given AS SELECT * FROM (VALUES {rows}) AS t(system, volume, local_start, local_end, lost)"
    )
    with tempfile.TemporaryDirectory() as folder:
        return ask(con, made(Path(folder), WORST)).to_pylist()


@pytest.mark.parametrize(
    ("hours", "every"),
    [
        ((0, 6, 12, 18), 6), ((0, 6.2, 12, 18, 42, 48, 54), 6), ((0, 6, 12), None), ((0, 24, 48, 72), 24),
        ((0, 4, 12, 13, 24), None), ((0, 1, 2, 3, 4), 1), ((0, 1.25, 2.5, 3.75), None), ((0, 24, 48), 24),
        ((0, 24), None), ((0, 24, 30, 48), None), ((11, 14, 17, 35, 38, 41, 59, 62, 65), None),
        ((0, 168), 168), ((0, 168, 336), 168), ((0, 48, 168), None), ((0, 24, 48, 120, 144, 168, 192), 24),
        (tuple(n / 6 for n in range(7)), 1 / 6), (tuple(n / 6 for n in range(6)), None),
    ],
)  # fmt: skip
def test_runs_that_come_at_one_distance_several_times_a_day_have_it(
    hours: tuple[float, ...], every: float | None
) -> None:
    (answer,) = worst_of([(round(60 * hour), 1) for hour in hours])
    assert answer["every_h"] == every


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), min_size=1, unique_by=lambda x: x[0]))
def test_the_worst_run_is_the_one_that_lost_most(intervals: list[tuple[int, int]]) -> None:
    runs: list[list[tuple[int, int]]] = []
    for at, lost in sorted(intervals):
        # one good interval doesn't end a run
        if runs and at - runs[-1][-1][0] <= 2:
            runs[-1].append((at, lost))
        else:
            runs.append([(at, lost)])
    worst = max(runs, key=lambda run: (sum(lost for _, lost in run), -run[0][0]))
    (answer,) = worst_of(intervals)
    assert answer == {
        "system": "S", "volume": "V", "window_start": minute(worst[0][0]), "window_end": minute(worst[-1][0] + 1),
        "bad_intervals": len(intervals), "runs": len(runs), "lost": sum(lost for _, lost in intervals),
        "first_start": minute(runs[0][0][0]), "last_end": minute(runs[-1][-1][0] + 1),
        "every_h": answer["every_h"],
        "bad_days": len({minute(at).date() for at, _ in intervals}),
        "worst_lost": sum(lost for _, lost in worst),
        "longest_s": max(len(run) for run in runs) * (minute(1) - minute(0)).total_seconds(),
    }  # fmt: skip


# a column is documented once: in the view or the question that has it first
DOCUMENTED = {(c.name, c.type) for about in (*views(), *shipped()) for c in about.columns}


@pytest.fixture(scope="module")
def empty() -> duckdb.DuckDBPyConnection:
    """Tables with the columns that views promise: they keep it (test_catalog), and bind at once."""
    con = duckdb.connect()
    for shim in SHIMS:
        con.execute(shim)
    for view in views():
        con.execute(f"CREATE TABLE {view.name} ({', '.join(f'{c.name} {c.type}' for c in view.columns)})")
    con.execute(raw_view(tables()["smf74_1_record"], ()))
    return con


@pytest.mark.parametrize("question", list(shipped()), ids=lambda q: q.name)
def test_shipped_questions_give_what_their_header_says(empty: duckdb.DuckDBPyConnection, question: Question) -> None:
    values = {p.name: EXAMPLES[p.type] for p in question.parameters}
    answer = query(empty, f"DESCRIBE {question.sql}", values).to_pylist()
    answers = [(r["column_name"], r["column_type"]) for r in answer]
    own = [(c.name, c.type) for c in question.columns]
    assert [a for a in answers if a in own] == own, "its own columns, in order"
    assert set(answers) <= DOCUMENTED, (
        "what is in no header, of this question or of a view or question that means the same"
    )
    assert all(c.meaning for c in (*question.columns, *question.parameters))


def test_no_text_is_longer_than_people_read() -> None:
    texts = [(q.name, q.sql) for q in shipped()] + [(f"{v.name} {s.name}", s.sql) for v in views() for s in v.sources]
    assert {name: len(sql) for name, sql in texts if len(sql) > 20_000} == {}


@pytest.mark.parametrize("question", [q for q in shipped() if "ROLLUP" in q.sql], ids=lambda q: q.name)
def test_sums_of_nothing_have_no_row(empty: duckdb.DuckDBPyConnection, question: Question) -> None:
    """Engines differ in whether ROLLUP has a row for them."""
    assert not ask(empty, question, **{p.name: EXAMPLES[p.type] for p in question.parameters}).num_rows


@pytest.mark.parametrize("question", list(shipped()), ids=lambda q: q.name)
def test_shipped_questions_run_elsewhere_too(question: Question) -> None:
    text = re.sub(r"--[^\n]*|'(?:[^']|'')*'", "", question.sql)
    assert not (found := re.findall(ONLY_DUCKDB, text, re.IGNORECASE)), f"{question.file} uses {found}"


@pytest.mark.parametrize("view", views(), ids=lambda v: v.name)
def test_views_run_elsewhere_too(view: View) -> None:
    for source in view.sources:
        text = re.sub(r"--[^\n]*|'(?:[^']|'')*'", "''", source.sql)
        found = re.findall(f"{ONLY_DUCKDB}|{IN_VIEWS}", text, re.IGNORECASE)
        assert not found, f"{view.name}/{source.file} uses {found}"


OR_0 = re.compile(r"greatest\((?:[^(),]|\((?:[^()]|\([^()]*\))*\))*, 0\)")
KNOWN = re.compile("_us|interval_s")  # instants and lengths: every row has them


def test_an_unknown_value_is_no_0() -> None:
    """`greatest(NULL, 0)` is 0 on every engine: `at_least_0` keeps what is unknown."""
    texts = [source.sql for view in views() for source in view.sources] + [q.sql for q in shipped()]
    assert [found for text in texts for found in OR_0.findall(text) if not KNOWN.search(found)] == []


def test_what_only_duckdb_takes_is_met() -> None:
    for sql in (
        "SELECT a // 2",
        "SELECT a FROM b QUALIFY 1",
        "SELECT median(a)",
        "SELECT arg_max(a, b)",
        "SELECT struct_pack(b := 1)",
        "a > ?",
        "CAST(a AS VARCHAR)",
        "string_agg(a, '' ORDER BY b)",
        "SELECT unnest(['a'])",
    ):
        assert re.search(ONLY_DUCKDB, sql), sql
    assert not re.search(ONLY_DUCKDB, "SELECT a / 2 FROM b GROUP BY a")
    assert re.search(IN_VIEWS, "ltrim(a, '')")
    assert not re.search(IN_VIEWS, "CAST(a AS STRING), trim(LEADING '' FROM a), trim(a)")


def test_a_question_spelled_out_asks_what_its_parameters_ask(tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_text(
        "-- title: T\n-- grain: one row\n-- parameter $name VARCHAR []: N\n"
        "-- parameter $least DOUBLE []: L\n-- column a VARCHAR []: A\nSELECT $name AS a,\n    $least AS b\n"
    )
    question = parse(file)
    text = question.spelled(name="O'Hara $least", least=0.25)
    assert text == "SELECT 'O''Hara $least' AS a, 0.25 AS b"
    with pytest.raises(KeyError):
        question.spelled(name="x")


def test_several_at_once_answer_as_each_alone() -> None:
    sql = "SELECT $least AS least, sum(range * 0.1e0) AS added FROM range(20000) WHERE range >= $least"
    texts = {name: (sql, {"least": least}) for name, least in (("few", 19_000), ("most", 7), ("all", 0))}
    counted: list[int] = []
    with duckdb.connect(config={"threads": 1}) as con:
        together = guard.queries(con, texts, counted.append)
        assert counted == [1, 2, 3]
        assert together == {name: guard.query(con, text, given) for name, (text, given) in texts.items()}
        with pytest.raises(RequestError, match="no table or view nowhere"):
            guard.queries(con, {**texts, "wrong": ("SELECT * FROM nowhere", {})}, counted.append)
        with pytest.raises(RequestError, match="is not allowed here"):
            guard.queries(con, {"wrong": ("CREATE TABLE kept AS SELECT 1", {})}, counted.append)
        assert guard.query(con, "SELECT 1 AS one").num_rows == 1


def test_no_parameter_is_missing_where_several_are_asked() -> None:
    with duckdb.connect() as con, pytest.raises(TypeError, match="missing or not known"):
        ask_all(con, {"one": (load("iosq.toolkit.advise", "top_waiter.sql"), {})}, print)
