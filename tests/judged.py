"""What a rule makes of rows of its query, without a lake."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

from iosq.toolkit.advise.finding import Finding, Known, Rule
from iosq.toolkit.predict.evidence import Evidence
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.sql.catalog import needed

_LACKING = re.compile(r'Referenced column "(\w+)" not found')
PLACE = "place_of_row"
_ANSWERS: dict[str, list[NewRow]] = {}  # most tests change columns that few tables read
_UNKNOWN: defaultdict[str, set[str]] = defaultdict(set)  # by SQL: what it reads and rows lacked


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


def judged(
    rule: Rule, rows: Sequence[Mapping[str, Any]], settings: Mapping[str, float] | None = None
) -> Iterable[Finding]:
    """Its findings about rows as its query gives them; a decision table adds its own columns first."""
    limits = rule.limits(settings)
    unknown = dict.fromkeys(c.name for question in rule.questions.values() for c in question.columns)
    wide = [{**unknown, **row} for row in rows]
    if rule.questions.keys() > rule.joined.keys():
        # evidence has columns of views, which document them
        every = {c.name: None for q in rule.questions.values() for v in needed(q.sql) for c in v.columns}
        wide = [{**every, **row} for row in wide]
        subjects = [{**row, "outcome": 0} for row in _asked(rule, _subjects(rule, wide), limits)]
        return list(rule.judge(subjects, limits, Known(), Flat(wide)))
    return list(rule.judge(_asked(rule, wide, limits), limits, Known()))


def _asked(rule: Rule, rows: Sequence[Row], limits: Mapping[str, float]) -> list[NewRow]:
    """The rows with the values and the outcome that the decision table adds."""
    sql = rule.asked.sql.replace(rule.question.sql, "SELECT * FROM given")
    named = frozenset(re.findall(r"\w+", sql))
    names = dict.fromkeys(name for row in rows for name in row)
    read = {n: tuple(row.get(n) for row in rows) for n in names if n in named}
    used = tuple((n, limits[n]) for n in rule.asked.asked_with if f"${n}" in sql)
    return [{**dict.fromkeys(names), **rows[added[PLACE]], **added} for added in _answer(sql, used, read, len(rows))]


def _answer(sql: str, used: Iterable[tuple[str, float]], read: Mapping[str, Sequence[Any]], size: int) -> list[NewRow]:
    """What a decision table makes of the columns that it reads; columns they lack are unknown."""
    key = repr((sql, used, read, size))
    while key not in _ANSWERS:
        given = {**dict.fromkeys(_UNKNOWN[sql], (None,) * size), **read, PLACE: range(size)}
        con = _connection()
        con.register("given", pa.table({n: pa.array(values) for n, values in given.items()}))
        try:
            _ANSWERS[key] = con.execute(sql, dict(used)).to_arrow_table().to_pylist()
        except duckdb.BinderException as error:
            lacking = _LACKING.search(str(error))
            if lacking is None or lacking[1] in given:
                raise
            _UNKNOWN[sql].add(lacking[1])
    return _ANSWERS[key]


class Flat(Evidence):
    """Evidence in the rows themselves: each has all that is known, with the names of the rule's questions."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        super().__init__({})
        self._rows = rows

    def joined(self, rows: Sequence[Row], keys: Mapping[str, Sequence[str]]) -> list[Row]:  # noqa: ARG002
        """As they are: they have the columns of all questions."""
        return list(rows)

    def rows(self, name: str, **of: Any) -> Sequence[dict[str, Any]]:
        """The rows of one question: of volumes the first each, of trials those that there are."""
        shaped = [_shaped(name, row, of) for row in self._rows]
        found = [row for row in shaped if all(row[key] == value for key, value in of.items() if key in row)]
        if name in ("member", "closed_member"):
            found = list({(row["system"], row["volume"]): row for row in found if row["volume"] is not None}.values())
        return [row for row in found if row.get("trial_start") is not None] if name.endswith("trial") else found


def _shaped(name: str, row: Mapping[str, Any], of: Mapping[str, Any]) -> dict[str, Any]:
    """The row with columns that mean something else in other questions."""
    if name == "member" and "own_wait_ms" in row:
        return {**row, "wait_ms": row["own_wait_ms"], "cmr_ms": row["own_cmr_ms"]}
    if name != "path":
        return dict(row)
    names = {"css": "css_delay", "busy": "cu_busy_delay", "cmr": "cmr", "above": "way_above", "service": "service"}
    then = {f"{long}_ms": row[f"hour_{short}_ms"] for short, long in names.items()} if of["interval_start"] else {}
    return {**row, **then, "interval_start": of["interval_start"]}


def _subjects(rule: Rule, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One row of each subject and interval, as the rule's query gives them."""
    if rule.code != "closed_load":
        own = ("volume",) if rule.code == "pav_add_alias" else ()
        keys = [(row["interval_start"], *(row[name] for name in own)) for row in rows]
        return [row for at, row in enumerate(rows) if keys[at] not in keys[:at]]
    pools = ({"platform": row["pool_platform"], "system": row["pool_system"]} for row in rows)
    subjects = (
        {**row, **pool, "box": None if row["pool"] else row["box"]} for row, pool in zip(rows, pools, strict=True)
    )
    return list({(row["pool"], row["box"], row["interval_start"]): row for row in subjects}.values())
