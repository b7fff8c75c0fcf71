"""Whatever the statement says: nothing is written, nothing outside the lake is read, errors are one line."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from sql_lake import FILES, ISSUES, Lake, all_tables, cache_device

from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.sql import guard
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.guard import query

OPEN: dict[str, Path] = {}


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    root = tmp_path_factory.mktemp("lake")
    lake = Lake()
    lake.control()
    lake.device("2208")
    lake.cache([cache_device("2208", DRCR=10, DCRH=5)])
    made = lake.open(root)
    (root / "manifest.sqlite").write_text("manifest secret")
    (root / "stranger.parquet").write_bytes((root / "smf74_1_device_data.parquet").read_bytes())
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.csv").write_text("a,b\n1,2\n")
    OPEN.update(root=root, outside=outside)
    yield made
    made.close()


def state() -> dict[str, bytes]:
    return {str(p): p.read_bytes() for folder in OPEN.values() for p in sorted(folder.rglob("*")) if p.is_file()}


ESCAPES = [
    "COPY (SELECT 1) TO '{root}/new.csv'",
    "COPY (SELECT 1 AS a) TO '{root}/smf74_1_device_data.parquet' (FORMAT parquet)",
    "COPY lake_files FROM '{outside}/secret.csv'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv('{outside}/secret.csv')",
    "SELECT * FROM '{outside}/secret.csv'",
    "SELECT * FROM read_text('{root}/manifest.sqlite')",
    "SELECT * FROM read_blob('{root}/manifest.sqlite')",
    "SELECT * FROM read_json('{root}/manifest.sqlite')",
    "SELECT * FROM read_parquet('{root}/stranger.parquet')",
    "SELECT * FROM read_parquet('{root}/*.parquet')",
    "SELECT * FROM parquet_metadata('{root}/stranger.parquet')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM glob('{root}/**')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM read_duckdb('{root}/manifest.sqlite')",
    "SELECT * FROM read_csv('https://example.com/x.csv')",
    "SELECT * FROM query('COPY (SELECT 1) TO ''{root}/q.csv''')",
    "SELECT * FROM query('SELECT * FROM read_text(''{root}/manifest.sqlite'')')",
    "SELECT * FROM query_table('{outside}/secret.csv')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''/etc/passwd'')'))",
    "ATTACH '{root}/other.duckdb'",
    "ATTACH '{root}/manifest.sqlite' (TYPE sqlite)",
    "DETACH memory",
    "USE memory",
    "CREATE TABLE t AS SELECT 1",
    "CREATE VIEW t AS SELECT 1",
    "CREATE TEMP TABLE t AS SELECT 1",
    "CREATE OR REPLACE VIEW device_interval AS SELECT 1",
    "CREATE MACRO f() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "DROP VIEW device_interval",
    "ALTER TABLE lake_files RENAME TO x",
    "INSERT INTO lake_files SELECT * FROM lake_files",
    "UPDATE lake_files SET bytes = 0",
    "DELETE FROM lake_files",
    "MERGE INTO lake_files USING lake_files AS s ON TRUE WHEN MATCHED THEN DELETE",
    "WITH gone AS (DELETE FROM lake_files RETURNING *) SELECT * FROM gone",
    "WITH more AS (INSERT INTO lake_files SELECT * FROM lake_files RETURNING *) SELECT * FROM more",
    "EXPLAIN ANALYZE WITH gone AS (DELETE FROM lake_files RETURNING *) SELECT * FROM gone",
    "EXPLAIN ANALYZE DELETE FROM lake_files",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{root}/explained.csv'",
    "EXPLAIN (ANALYZE, FORMAT json) DELETE FROM lake_files",
    "/* note */ EXPLAIN ANALYZE DELETE FROM lake_files",
    "-- note\nEXPLAIN ANALYZE DELETE FROM lake_files",
    "EXPLAIN/**/ANALYZE DELETE FROM lake_files",
    "TRUNCATE lake_files",
    "INSTALL httpfs",
    "LOAD httpfs",
    "FORCE INSTALL spatial FROM 'http://example.com'",
    "SET enable_external_access = true",
    "SET GLOBAL allowed_paths = ['/etc/passwd']",
    "SET VARIABLE x = 1",
    "RESET lock_configuration",
    "SET lock_configuration = false",
    "PRAGMA enable_profiling",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "EXPORT DATABASE '{root}/dump'",
    "IMPORT DATABASE '{root}/dump'",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "BEGIN",
    "COMMIT",
    "CHECKPOINT",
    "VACUUM",
    "SELECT * FROM enable_logging('QueryLog', storage := 'file', storage_config := {{'path': '{root}/log'}})",
    "SELECT * FROM enable_profiling(save_location := '{root}/profile.json')",
    "SELECT * FROM enable_profiling(save_location := '{root}/profile.txt')",
    "SELECT * FROM \"enable_profiling\" (save_location := '{root}/profile.txt')",
    "SELECT * FROM enable_profiling /* note */ (save_location := '{root}/profile.txt')",
    "/* note */ PRAGMA database_list",
    "SELECT * FROM force_checkpoint()",
    "SELECT * FROM register_external_resource_type('t', 'k', 'f', 'f', 'f', 'f', 'f')",
    "SELECT * FROM create_external_resource('t', MAP {{'a': 'b'}})",
    "SELECT * FROM destroy_external_resource('f', 1)",
    "SELECT * FROM read_single_csv_file('/etc/passwd')",
    "SELECT * FROM read_single_parquet_file('{root}/stranger.parquet')",
    "SELECT getenv('HOME')",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP VIEW device_interval",
    "COMMIT; DELETE FROM lake_files",
    "SELECT * FROM read_ndjson('{outside}/secret.csv')",
    "SELECT * FROM '{root}/manifest.sqlite'",
    'SELECT * FROM "{outside}/secret.csv"',
    "FROM (FROM '{outside}/secret.csv')",
    "SELECT (SELECT count(*) FROM read_csv('{outside}/secret.csv'))",
    "SELECT * FROM read_text('{root}/../' || 'outside0/secret.csv')",
    "SELECT * FROM sqlite_scan('{root}/manifest.sqlite', 'file')",
    "SELECT * FROM parquet_schema('/etc/passwd')",
    "SELECT * FROM parquet_kv_metadata('{root}/stranger.parquet')",
    "PIVOT (SELECT * FROM read_csv('{outside}/secret.csv')) ON a USING count(*)",
    "S\u0435LECT 1",
    "SELECT 1\uff1b DROP VIEW device_interval",
    "/* /* nested */ */ DELETE FROM lake_files",
    "SELECT $$ $$; DELETE FROM lake_files",
    "SELECT '--'; DELETE FROM lake_files --'",
    "\u00a0DELETE FROM lake_files",
    "DEALLOCATE p",
    "COMMENT ON VIEW device_interval IS 'x'",
    # names that comments, texts and quotes hide from whoever does not read as the engine does
    "SELECT 1 AS \"--\", * FROM enable_profiling(save_location := '{outside}/p.txt')",
    'SELECT 1 AS "/*", * FROM enable_profiling(save_location := \'{outside}/p.txt\') AS "*/"',
    "SELECT 1 AS \"'\", * FROM enable_profiling(save_location := '{outside}/p.txt') AS \"'\"",
    "SELECT $$'$$, * FROM enable_profiling(save_location := $${outside}/p.txt$$)",
    "SELECT E'\\'', * FROM enable_profiling(save_location := '{outside}/p.txt') --'",
    "SELECT * FROM system . main . \"Enable_Profiling\" -- (\n(save_location := '{outside}/p.txt')",
    "SELECT 1 AS \"--\", * FROM enable_logging('QueryLog', storage_path := '{root}/log')",
    # statements that are texts of another one
    "SELECT * FROM query('SELECT * FROM enable_profiling(save_location := ''{outside}/p.txt'')')",
    "SELECT * FROM query('SELECT * FROM enable_' || 'profiling(save_location := ''{outside}/p.txt'')')",
    "SELECT * FROM query('SELECT * FROM enable_'\n'profiling(save_location := ''{outside}/p.txt'')')",
    "SELECT * FROM query(E'SELECT * FROM \\x65nable_profiling(save_location := \\'{outside}/p.txt\\')')",
    "SELECT * FROM \"query\" /* ' */ ($$SELECT * FROM enable_profiling(save_location := '{outside}/p.txt')$$)",
    "SELECT * FROM query('SELECT * FROM query(''SELECT * FROM enable_profiling()'')')",
    "SELECT * FROM query($1)",
    "EXPLAIN SELECT * FROM query('SELECT * FROM enable_profiling(save_location := ''{outside}/p.txt'')')",
    "SELECT json_serialize_plan('SELECT * FROM enable_profiling(save_location := ''{outside}/p.txt'')')",
    "SELECT list_transform(['SELECT * FROM enable_profiling()'], lambda x: json_serialize_plan(x))",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM enable_profiling()'))",
    # what ends the process, or changes what it keeps in memory
    "SELECT * FROM pandas_scan(NULL)",
    "SELECT * FROM arrow_scan(NULL, NULL, NULL)",
    "SELECT * FROM truncate_duckdb_logs()",
    "SELECT * FROM checkpoint()",
    "SELECT write_log('x')",
    # other ways to a file
    "SELECT * FROM parquet_bloom_probe('{root}/stranger.parquet', 'device', 'x')",
    "SELECT * FROM parquet_full_metadata('{root}/stranger.parquet')",
    "SELECT * FROM read_parquet('{root}/smf74_1_device_data.parquet/../stranger.parquet')",
    "SELECT * FROM read_text('file://{root}/manifest.sqlite')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM '/dev/stdin'",
    "SELECT * FROM query_table(['lake_files', '{outside}/secret.csv'])",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM which_secret('s3://x', 's3')",
    "DESCRIBE SELECT * FROM read_csv('{outside}/secret.csv')",
    "SUMMARIZE '{outside}/secret.csv'",
    "SELECT * INTO x FROM lake_files",
    "FROM lake_files SELECT * INTO OUTFILE '{outside}/x'",
    "SELECT 1 UNION ALL (COPY (SELECT 1) TO '{outside}/x.csv')",
    "EXPLAIN (ANALYZE true) COPY (SELECT 1) TO '{outside}/x.csv'",
    "PIVOT lake_files ON kind IN ('x') USING count(*); COPY (SELECT 1) TO '{outside}/x.csv'",
    "SELECT * FROM parquet_page_index('{root}/stranger.parquet')",
    "SELECT * FROM add_grammar_extension('{outside}/secret.csv')",
    "EXPLAIN (FORMAT /* ) SELECT 1 -- */ json) COPY (SELECT 1) TO '{outside}/x.csv'",
    "EXPLAIN (FORMAT json /*) SELECT 1 -- */\n) COPY (SELECT 1) TO '{outside}/x.csv'",
    "CREATE TYPE pivot AS ENUM ('a'); SELECT 1",
    "CREATE TABLE x AS PIVOT lake_files ON kind USING count(*)",
    "WITH x AS (PIVOT lake_files ON kind USING count(*)) INSERT INTO device SELECT * FROM x",
    "",
    "  -- nothing\n",
]
# functions of the engine that give rows and only read, as far as files go those of the lake
READING = """
    duckdb_approx_database_count duckdb_columns duckdb_connection_count duckdb_constraints duckdb_coordinate_systems
    duckdb_available_metrics duckdb_dialects duckdb_eviction_queues duckdb_extension_repositories
    duckdb_external_resource_types duckdb_grammar_extensions duckdb_secret_type_parameters duckdb_triggers
    duckdb_live_query_metrics parquet_page_index
    read_single_csv_file read_single_json_file read_single_parquet_file
    duckdb_databases duckdb_dependencies duckdb_extensions duckdb_external_file_cache duckdb_functions duckdb_indexes
    duckdb_keywords duckdb_log_contexts duckdb_logs duckdb_memory duckdb_optimizers duckdb_prepared_statements
    duckdb_schemas duckdb_secret_types duckdb_secrets duckdb_sequences duckdb_settings duckdb_table_sample duckdb_tables
    duckdb_temporary_files duckdb_types duckdb_variables duckdb_views generate_series glob icu_calendar_names json_each
    json_tree parquet_bloom_probe parquet_file_metadata parquet_full_metadata parquet_kv_metadata parquet_metadata
    parquet_scan parquet_schema pg_timezone_names pragma_collations pragma_database_size pragma_metadata_info
    pragma_platform pragma_show pragma_storage_info pragma_table_info pragma_user_agent pragma_version query query_table
    range read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects
    read_json_objects_auto read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text repeat repeat_row
    seq_scan sniff_csv summary test_all_types test_vector_types unnest which_secret"""


def test_a_function_that_gives_rows_is_known_to_read_or_refused(con: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'"
    names = {name for (name,) in duckdb.connect().execute(asked).fetchall()}
    for name in sorted(names - set(READING.split())):
        with pytest.raises(RequestError, match="is not allowed here"):
            query(con, f"SELECT * FROM {name}()")


def test_enough_escapes_are_tried() -> None:
    assert len(set(ESCAPES)) >= 80


@pytest.mark.parametrize("statement", ESCAPES)
def test_escape_is_refused(con: duckdb.DuckDBPyConnection, statement: str) -> None:
    before = state()
    with pytest.raises(RequestError) as refused:
        query(con, statement.format(**OPEN))
    assert "\n" not in str(refused.value)
    assert "Traceback" not in str(refused.value)
    assert state() == before
    assert query(con, "SELECT count(*) AS n FROM lake_files").to_pylist() == [{"n": 1}]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('{outside}/secret.csv')",
        "SELECT * FROM read_text('{root}/manifest.sqlite')",
        "COPY (SELECT 1) TO '{outside}/x.csv'",
        "ATTACH '{outside}/x.duckdb'",
        "SET enable_external_access = true",
        "SET threads = 3",
    ],
)
def test_files_and_settings_are_locked_without_any_check(con: duckdb.DuckDBPyConnection, statement: str) -> None:
    with pytest.raises(duckdb.Error):
        con.execute(statement.format(**OPEN))


@pytest.mark.parametrize("statement", ["CREATE TABLE t AS SELECT 1", "DELETE FROM u", "INSERT INTO u VALUES (1)"])
def test_a_transaction_alone_only_reads(statement: str) -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE u AS SELECT 1 AS a")
    con.execute("BEGIN TRANSACTION READ ONLY")
    with pytest.raises(duckdb.Error):
        con.execute(statement)


def test_the_check_alone_refuses_what_writes() -> None:
    con = duckdb.connect()
    for statement in ("DELETE FROM u", "COPY (SELECT 1) TO 'x.csv'", "SET threads = 1", "SELECT * FROM checkpoint()"):
        with pytest.raises(RequestError, match="is not allowed here"):
            guard.check(con, statement)


def test_variables_of_the_program_are_no_tables(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "python_secret", pa.table({"a": [1]}), raising=False)
    with pytest.raises(RequestError, match="there is no table or view python_secret"):
        query(con, "SELECT * FROM python_secret")


ALLOWED = [
    "SELECT 1 AS one",
    "FROM device_interval",
    "TABLE lake_files",
    "VALUES (1), (2)",
    "WITH a AS (SELECT 1 AS x) SELECT * FROM a",
    "DESCRIBE device_interval",
    "SHOW TABLES",
    "SUMMARIZE device_interval",
    "EXPLAIN SELECT * FROM device_interval",
    "EXPLAIN ANALYZE SELECT * FROM device_interval",
    "EXPLAIN (FORMAT json) SELECT 1",
    "-- why\nSELECT 1;",
    "SELECT * FROM query('SELECT ''a'' AS b')",
    "SELECT query FROM (SELECT 1 AS query)",
    "SELECT 'enable_profiling()' AS a -- enable_profiling()",
    "SELECT count(*) FROM duckdb_columns()",
    "PIVOT device_interval ON device USING count(*)",
    "FROM (PIVOT device_interval ON device USING count(*)); -- all",
    "EXPLAIN (FORMAT /* ) of text */ json) SELECT 1",
]


@pytest.mark.parametrize("statement", ALLOWED)
def test_reading_is_allowed(con: duckdb.DuckDBPyConnection, statement: str) -> None:
    assert query(con, statement).num_rows > 0


def test_parameters(con: duckdb.DuckDBPyConnection) -> None:
    answer = query(con, "SELECT device FROM device_interval WHERE device = ? AND io_rate > ?", ["02208", 1])
    assert answer.to_pylist() == [{"device": "02208"}]


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("SELECT * FROM device_intervall", "did you mean device_interval"),
        ("SELECT * FROM volumes_interval", "volume_interval"),
        ("SELECT wait_mss FROM device_interval", "wait_ms"),
        ("SELECT d.io_rat FROM device_interval d", "io_rate"),
        ("SELECT resp FROM volume_interval", "did you mean response_ms"),
        ("SELECT system, box FROM volume_interval", "no column box in this query; .*box_volume_interval.* have it"),
        ("SELECT SMF74SSC FROM device_interval", "no column SMF74SSC in this query; smf74_1_device_data has it"),
        ("SELECT * FROM qqqqqqqqqqqqq", "lake_views lists the views"),
        ('SELECT volume FROM volume_interval WHERE volume = "DB2003"', "a text goes in single quotes: 'DB2003'"),
        ("SELEC 1", "SELEC"),
    ],
)
def test_mistakes_are_reported_in_one_line_with_the_nearest_name(
    con: duckdb.DuckDBPyConnection, statement: str, hint: str
) -> None:
    with pytest.raises(RequestError, match=hint) as given:
        query(con, statement)
    assert "\n" not in str(given.value)


def test_a_failed_query_does_not_spoil_the_next(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(RequestError):
        query(con, "SELECT CAST('x' AS INTEGER)")
    assert query(con, "SELECT 1 AS a").to_pylist() == [{"a": 1}]


def test_spilling_goes_to_a_private_folder(con: duckdb.DuckDBPyConnection) -> None:
    folder = query(con, "SELECT current_setting('temp_directory') AS t").to_pylist()[0]["t"]
    assert not str(folder).startswith(str(OPEN["root"]))
    assert "iosq-spill-" in folder


_LONG = f"SELECT {', '.join(map(str, range(90)))},"


@pytest.mark.parametrize("before", ["", "SELECT 1 AS a, ", "SELECT 1 AS a,\n  ", f"{_LONG}\n", f"{_LONG} "])
@pytest.mark.parametrize("after", ["", " FROM x", f" FROM {'x' * 200}"])
def test_a_syntax_error_gives_its_place_in_a_long_line_too(before: str, after: str) -> None:
    statement = f"{before}){after}"
    given = before.splitlines() or [""]
    if before.endswith("\n"):
        given.append("")
    with pytest.raises(RequestError) as one:
        query(duckdb.connect(), statement)
    assert one.value.place == f"line {len(given)}, column {len(given[-1]) + 1}"


def test_a_file_that_went_meanwhile_is_no_damage(tmp_path: Path) -> None:
    """Prune and compact remove files that a question has found listed a moment before."""
    lake = Lake()
    lake.device("2208")
    con = lake.open(tmp_path, asks="SELECT 1 FROM smf74_1_device_data")
    file = tmp_path / "smf74_1_device_data.parquet"
    file.unlink()
    given = "the lake changed while it was read; try again"
    with pytest.raises(LakeError, match=given):
        query(con, "SELECT SMF74NUM FROM smf74_1_device_data")
    about = {"lake_files": FILES, "lake_issues": ISSUES}
    with pytest.raises(LakeError, match=given):
        connect(all_tables().values(), {"smf74_1_device_data": [file]}, about, root=tmp_path, only=())
