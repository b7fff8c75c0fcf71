"""What rules' questions answer on planted days, told in a few numbers; and whether a change of one shows in them.

A golden (`tests/toolkit/advise/golden/answers.csv`) holds the numbers, so that what shows here fails there. A changed
question is asked of days that are there already, in this process: hundreds of changes in the time of one run of tests.
"""

from __future__ import annotations

import csv
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from iosq.toolkit.advise.catalog import all_rules, question_texts
from iosq.toolkit.advise.finding import Rule
from iosq.toolkit.advise.memory import lake
from iosq.toolkit.advise.score import PLANS
from iosq.toolkit.errors import IosqError
from iosq.toolkit.sample.day import make_day
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.materialise import materialised
from iosq.toolkit.sql.questions import ask, parse
from iosq.toolkit.sql.raw import quoted

TEST = "tests/toolkit/advise/test_advise_score.py::test_every_question_says_what_it_said_before"
RULES = Path("toolkit/advise/rules")
_OPEN = ExitStack()  # days stay until the process ends
HEADING = ("plan", "question", "column", "rows", "known", "least", "most", "sum", "in order")


def hold(golden: Path, found: Sequence[tuple[str, ...]]) -> None:
    """Hold lines against a golden; after a change that is meant, `IOSQ_GOLDEN=write` renews it."""
    lines = [HEADING, *found]
    if os.environ.get("IOSQ_GOLDEN") == "write":
        with golden.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows(lines)
    with golden.open(encoding="utf-8", newline="") as kept:
        assert lines == [tuple(line) for line in csv.reader(kept)]


def told(answer: pa.Table) -> Iterator[tuple[str, ...]]:
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
    """What the views say that are tables there, in the order in which these keep their rows: columns with values."""
    made = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    for name in sorted(made & {v.name for v in views()}):
        rows = con.execute(f"SELECT * FROM {quoted(name)}").to_arrow_table()
        yield from ((day, name, *line) for line in told(rows) if line[2] != "0")


def asked(con: duckdb.DuckDBPyConnection, rule: Rule, sql: str | None = None) -> list[tuple[str, ...]]:
    """What a rule's question answers, or another one with the same header; how it failed, if it did."""
    question = rule.question
    if sql is not None:
        with tempfile.TemporaryDirectory() as folder:
            (file := Path(folder, "query.sql")).write_text(sql, "utf-8")
            question = parse(file)
    limits = rule.limits(None)
    return list(told(ask(con, question, **{name: limits[name] for name in question.asked_with})))


def lines(plan: str, con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, ...]]:
    """The golden's lines of one day."""
    for rule in all_rules():
        if rule.question.name == rule.code:
            yield from ((plan, rule.code, *line) for line in asked(con, rule))


@cache
def _days() -> Mapping[str, duckdb.DuckDBPyConnection]:
    """The planted days, made once for this process."""
    return {plan: _OPEN.enter_context(materialised(lake(make_day(1, plan=plan)), question_texts())) for plan in PLANS}


def shows(path: Path, text: str) -> bool:
    """Whether the question of a rule, as the text of its file would have it, answers otherwise on a planted day."""
    rule = next((r for r in all_rules() if RULES / r.code / "query.sql" == path), None)
    if rule is None or rule.question.name != rule.code:
        return False
    for con, before in _before(rule.code):
        try:
            if asked(con, rule, text) != before:
                return True
        except IosqError:
            return True
    return False


@cache
def _before(code: str) -> list[tuple[duckdb.DuckDBPyConnection, list[tuple[str, ...]]]]:
    """Each planted day with what the question of a rule answers there."""
    (rule,) = (r for r in all_rules() if r.code == code)
    return [(con, asked(con, rule)) for con in _days().values()]
