"""Compute the parts of a statement once: Spark inlines a part wherever it is named.

If the parts of `WITH a AS (…), b AS (…)` name one another twice each, they are computed 2, 4, 8 … times, and planning
alone takes minutes. Parts named more than once are computed before the rest is planned.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FEW_BYTES = 4 << 20  # rows of a part that the driver may hold
_VALUE_BYTES = 16  # of one, about
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|\w+|[(),]", re.DOTALL)
_SILENT = ("'", '"', "--", "/*")


@dataclass(frozen=True, slots=True)
class Part:
    """One `name AS (…)` of a WITH, the bounds of its parentheses, and the end of its scope."""

    name: str
    begin: int
    end: int
    until: int


def planned(spark: SparkSession, sql: str, args: dict[str, object] | list[object] | None = None) -> DataFrame:
    """The result of a SELECT; parts that it names more than once are computed first."""
    made: list[str] = []

    def part(body: str) -> str:
        made.append(f"part_{uuid.uuid4().hex}")
        keep(spark, spark.sql(body, args=args), made[-1])
        return made[-1]

    rows = spark.sql(in_steps(sql, part), args=args)
    for name in made:  # the plan has them
        spark.catalog.dropTempView(name)
    return rows


def keep(spark: SparkSession, rows: DataFrame, name: str) -> None:
    """Compute rows and name them; a small result moves to the driver, since Spark plans for the largest size."""
    folder = spark.sparkContext.getCheckpointDir()
    kept = rows.checkpoint(eager=False) if folder else rows.localCheckpoint(eager=False)  # counting computes them
    if kept.count() * len(kept.columns) * _VALUE_BYTES <= FEW_BYTES:
        kept = spark.createDataFrame(kept.toArrow(), kept.schema)
    kept.createOrReplaceTempView(name)


def in_steps(sql: str, keep: Callable[[str], str]) -> str:
    """The statement with each part that is named more than once replaced by rows that are there.

    Args:
        sql: one SELECT.
        keep: given the SELECT of a part, keeps its rows; gives the name of a table that has them.
    """
    done: list[str] = []  # prefix of the rest of the statement: parts that it may name
    replaced: list[tuple[Part, str]] = []
    for number, part in enumerate(found := list(parts(sql))):
        if number and found[number - 1].until != part.until:
            done.clear()
        body = sql[part.begin : part.end]
        if _times(part.name, sql[part.end : part.until]) > 1:
            own = f"WITH {', '.join(done)} SELECT * FROM ({body})" if done else body
            body = f"SELECT * FROM {keep(own)}"
            replaced.append((part, body))
        done.append(f"{part.name} AS ({body})")
    for part, body in reversed(replaced):
        sql = f"{sql[: part.begin]}{body}{sql[part.end :]}"
    return sql


def _times(name: str, sql: str) -> int:
    """Number of times that a text reads from a name."""
    return len(re.findall(rf"\b(?:FROM|JOIN)\s+{name}\b", sql, re.IGNORECASE))


def parts(sql: str) -> Iterator[Part]:
    """The parts of every WITH that is not in the reach of another, in their order."""
    words = [m for m in _TOKEN.finditer(sql) if not m[0].startswith(_SILENT)]
    closing, place = _closing(words), 0
    while place < len(words):
        if words[place][0].upper() != "WITH" or not _is_part(words, place + 1, closing):
            place += 1
            continue
        end = min((to for at, to in closing.items() if at < place < to), default=len(words))
        until = words[end].start() if end < len(words) else len(sql)
        while _is_part(words, place + 1, closing):
            opened, closed = place + 3, closing[place + 3]
            yield Part(words[place + 1][0], words[opened].end(), words[closed].start(), until)
            place = closed + 1
            if place == len(words) or words[place][0] != ",":
                break
        place = end


def _is_part(words: list[re.Match[str]], place: int, closing: dict[int, int]) -> bool:
    """True if `name AS (` begins there, and ends."""
    return place + 2 in closing and words[place + 1][0].upper() == "AS"


def _closing(words: list[re.Match[str]]) -> dict[int, int]:
    """Closing position of each parenthesis."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for place, word in enumerate(words):
        if word[0] == "(":
            opened.append(place)
        elif word[0] == ")" and opened:
            found[opened.pop()] = place
    return found
