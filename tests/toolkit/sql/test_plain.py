"""Rows that the engine gives itself are those that come through Arrow, whatever kinds their columns have."""

import io
from collections.abc import Callable

import duckdb
import pytest

from iosq.toolkit.show.clock import Clock
from iosq.toolkit.sql import plain
from iosq.toolkit.sql.export import export
from iosq.toolkit.sql.guard import rows, stream

BINARY = "from_hex('00FF1B')"
# an expression of each kind: NULL and what is next to the ends of a kind as well
SAME = {
    "BOOLEAN": ("true", "false"),
    "TINYINT": ("-128", "127"), "UTINYINT": ("0", "255"),
    "SMALLINT": ("-32768", "32767"), "USMALLINT": ("0", "65535"),
    "INTEGER": ("-2147483648", "2147483647"), "UINTEGER": ("0", "4294967295"),
    "BIGINT": ("-9223372036854775808", "9223372036854775807"), "UBIGINT": ("0", "18446744073709551615"),
    "HUGEINT": ("0", "-1", "170141183460469231731687303715884105727", "-170141183460469231731687303715884105727"),
    "DECIMAL(4,2)": ("1.5", "-99.99", "0"), "DECIMAL(9,0)": ("5",), "DECIMAL(18,6)": ("1.000001",),
    "DECIMAL(38,10)": ("1234567890123456789012345678.0123456789", "-0.0000000001"),
    "FLOAT": ("0.1", "'nan'", "'inf'", "-0.0", "1e-45"),
    "DOUBLE": ("0.1", "'nan'", "'-inf'", "-0.0", "5e-324", "1e308"),
    "DATE": ("'2025-01-02'", "'0001-01-01'", "'9999-12-31'"),
    "TIMESTAMP": ("'2025-01-02 03:04:05.123456'", "'2025-01-02'", "'0001-01-01'", "'9999-12-31 23:59:59.999999'"),
    "VARCHAR": ("''", "'a,\"b\"'", "'=1+1'", "chr(27) || '[31m'", "chr(0)", "'ä😀'", "chr(8238)",
                "'a' || chr(13) || chr(10)"),
    "BLOB": (BINARY, "''"),
}  # fmt: skip
# what only Arrow can say as it was before
OTHER = (
    "340282366920938463463374607431768211455::UHUGEINT", "TIMESTAMP_S '2025-01-02 03:04:05'",
    "TIMESTAMP_MS '2025-01-02 03:04:05.123'", "TIMESTAMP_NS '2025-01-02 03:04:05.123456'",
    "TIMESTAMPTZ '2025-01-02 03:04:05+01'", "TIME '03:04:05.123456'", "TIME '24:00:00'", "TIMETZ '03:04:05+01'",
    "INTERVAL 3 DAY", "uuid '00000000-0000-0000-0000-000000000001'", "'101'::BIT", "'a'::ENUM('a', 'b')",
    "[1, NULL]", "[1.5::HUGEINT]", "{'a': 1, 'b': 'x'}", "MAP{'a': 1}", "[1, 2]::INTEGER[2]", "union_value(a := 1)",
    "'{}'::JSON", "1::BIGNUM", "[{'a': [TIMESTAMP '2025-01-01']}]",
)  # fmt: skip
CASES = [f"({value})::{kind}" for kind, values in SAME.items() for value in ("NULL", *values)]
ALL = [*CASES, *OTHER, *(f"NULL::{kind}" for kind in ("TIME", "UUID", "INTEGER[]"))]


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:")


def is_plain(con: duckdb.DuckDBPyConnection, value: str) -> bool:
    return plain.Columns(con.execute(f"SELECT {value} AS value")).are_plain


def as_arrow(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[object, str]:
    with stream(con, sql) as reader:
        return list(reader.schema.names), repr(list(plain.of_arrow(reader)))


@pytest.mark.parametrize("value", ALL)
def test_every_kind_has_the_values_of_arrow(con: duckdb.DuckDBPyConnection, value: str) -> None:
    sql = f"SELECT {value} AS value, 1 AS value, {value} IS NULL FROM range(2)"
    with rows(con, sql) as (names, found):
        assert (list(names), repr(list(found))) == as_arrow(con, sql)
    assert is_plain(con, value) == (value in CASES)


@pytest.mark.parametrize("sql", ["EXPLAIN SELECT 1", "DESCRIBE SELECT 1 AS a", "SUMMARIZE SELECT 1 AS a", "SHOW TABLES",
                                 "SELECT 1 WHERE false", "SELECT sum(1) WHERE false", "SELECT NULL"])  # fmt: skip
def test_answers_that_are_no_rows_of_tables(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    with rows(con, sql) as (names, found):
        assert (list(names), repr(list(found))) == as_arrow(con, sql)


@pytest.mark.parametrize("form", ["table", "csv", "json", "xlsx"])
@pytest.mark.parametrize("clock", [None, Clock({"c"})])
def test_what_is_written_is_the_same_to_the_byte(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, form: str, clock: Clock | None
) -> None:
    def written(sql: str) -> bytes:
        target = io.BytesIO()
        export(con, sql, form=form, target=target, clock=clock)
        return target.getvalue()

    asked = [f"SELECT {value} AS c, sum(n) AS bytes FROM range(3) AS r(n)" for value in CASES]
    found = [written(sql) for sql in asked]
    monkeypatch.setattr(plain.Columns, "are_plain", False)
    assert [written(sql) for sql in asked] == found


@pytest.mark.parametrize("count", [0, 1, plain.FETCHED - 1, plain.FETCHED, plain.FETCHED + 1, 3 * plain.FETCHED])
def test_all_rows_come_in_order(con: duckdb.DuckDBPyConnection, count: int) -> None:
    with rows(con, f"SELECT n, n::HUGEINT, 'V' || n FROM range({count}) AS r(n) WHERE n % 3 <> 1") as (_, found):
        assert list(found) == [(n, n, f"V{n}") for n in range(count) if n % 3 != 1]


def test_a_time_that_python_has_none_for_is_reported_as_the_engine_does(con: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT DATE '12025-01-02' AS a, TIMESTAMP '0044-01-02 (BC) 03:04:05' AS b"
    for form, given in (("csv", b"a,b\r\n12025-01-02,0044-01-02 (BC) 03:04:05"), ("json", b"12025-01-02")):
        target = io.BytesIO()
        export(con, sql, form=form, target=target)
        assert given.replace(b"\r", b"") in target.getvalue().replace(b"\r", b"")


@pytest.mark.parametrize("value", [*CASES, "repeat('x', 1000)", "from_hex(repeat('00', 1000))"])
def test_memory_is_counted_as_arrow_holds_it(con: duckdb.DuckDBPyConnection, value: str) -> None:
    sql = f"SELECT {value} AS value FROM range(8000)"
    columns = plain.Columns(con.execute(sql))
    with stream(con, sql) as reader:
        held = reader.read_all().nbytes
    assert held * 0.85 <= columns.nbytes(con.fetchall()) + 1000 <= held * 1.15 + 2000


def test_rows_are_taken_a_part_at_a_time(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    counted: Callable[..., float] = plain.Columns.nbytes
    monkeypatch.setattr(plain.Columns, "nbytes", lambda self, part: sizes.append(len(part)) or counted(self, part))
    with rows(con, "SELECT n FROM range(1000000000) AS r(n)") as (_, found):
        assert next(iter(found)) == (0,)
    assert sizes == [plain.FETCHED]
