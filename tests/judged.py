"""What a rule makes of rows of its query, without a lake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

from iosq.toolkit.advise.finding import Finding, Known, Rule


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


def judged(
    rule: Rule, rows: Sequence[Mapping[str, Any]], settings: Mapping[str, float] | None = None
) -> Iterable[Finding]:
    """Its findings about rows as its query gives them; a decision table adds its own columns first."""
    limits, con = rule.limits(settings), _connection()
    if rule.asked is rule.question:
        return list(rule.judge([dict(row) for row in rows], limits, Known()))
    names = dict.fromkeys(name for row in rows for name in row)
    con.register("given", pa.table({n: [row.get(n) for row in rows] for n in names}))
    asked = replace(rule.asked, sql=rule.asked.sql.replace(rule.question.sql, "SELECT * FROM given"))
    used = {n: limits[n] for n in asked.asked_with if f"${n}" in asked.sql}
    return list(rule.judge(con.execute(asked.sql, used).to_arrow_table().to_pylist(), limits, Known()))
