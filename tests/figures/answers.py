"""What views and rules' questions say of a day, in a few numbers for each column: goldens hold them."""

import csv
import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.questions import ask
from iosq.toolkit.sql.raw import quoted
from tests.held import held

HEADING = ("plan", "question", "column", "rows", "known", "least", "most", "sum", "in order")


def hold(golden: Path, found: Sequence[tuple[str, ...]]) -> None:
    """Hold lines of numbers against a golden."""
    csv.writer(text := io.StringIO(), lineterminator="\n").writerows([HEADING, *found])
    held(golden, text.getvalue())


def reported(answer: pa.Table) -> Iterator[tuple[str, ...]]:
    """Each column in numbers: how many rows and values, the least, the most, their sum, and one made of their order."""
    for name in answer.column_names:
        known = answer[name].drop_null()
        yield (name, str(answer.num_rows), str(len(known)), *_numbers(known))


def _numbers(known: pa.ChunkedArray) -> tuple[str, ...]:
    kind = known.type
    if len(known) and (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        values = known.cast(pa.float64(), safe=False).to_numpy()
        weighted = np.arange(1, len(values) + 1) @ values / len(values)
        return tuple(f"{v:.6g}" for v in (values.min(), values.max(), values.sum(), weighted))
    texts = [str(v) for v in known.to_pylist()]
    return (
        min(texts, default=""),
        max(texts, default=""),
        str(sum(map(len, texts))),
        str(zlib.crc32("\n".join(texts).encode())),
    )


def of_views(day: str, con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, ...]]:
    """What the views say that are there, their rows sorted: engines may give them in any order. Columns with values."""
    relations = "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views()"
    made = {name for (name,) in con.execute(relations).fetchall()}
    for name in sorted(made & {v.name for v in views()}):
        rows = con.execute(f"SELECT * FROM {quoted(name)} ORDER BY ALL").to_arrow_table()
        yield from ((day, name, *line) for line in reported(rows) if line[2] != "0")


def lines(plan: str, con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, ...]]:
    """What the questions of all rules answer, each by its rule's limits."""
    found = {q.name: (q, rule.limits(None)) for rule in all_rules() for q in (rule.question, *rule.questions.values())}
    for name, (question, limits) in found.items():
        answer = ask(con, question, **{name: limits[name] for name in question.asked_with})
        yield from ((plan, name, *line) for line in reported(answer))
