"""Compute common table expressions once, because Spark inlines them wherever they are named.

If each part of `WITH a AS (…), b AS (…)` names the previous one twice, they are computed 2, 4, 8 … times, and planning
alone takes minutes. Parts named more than once are computed before the rest is planned.
"""

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FEW_BYTES = 4 << 20  # maximum size of a part's rows in the driver
_VALUE_BYTES = 16  # approximate size of one value
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|\w+|[(),]", re.DOTALL)
_SILENT = ("'", '"', "--", "/*")


@dataclass(frozen=True, slots=True)
class Part:
    """One `name AS (…)` of a WITH, with the positions of its body and the end of its scope."""

    name: str
    begin: int
    end: int
    until: int


def planned(spark: "SparkSession", sql: str, args: dict[str, object] | list[object] | None = None) -> "DataFrame":
    """The result of a SELECT; parts that it names more than once are computed first."""
    made: list[str] = []

    def part(body: str) -> str:
        made.append(f"part_{uuid.uuid4().hex}")
        keep(spark, spark.sql(body, args=args), made[-1])
        return made[-1]

    rows = spark.sql(in_steps(sql, part), args=args)
    for name in made:  # the plan already has their rows
        spark.catalog.dropTempView(name)
    return rows


def keep(spark: "SparkSession", rows: "DataFrame", name: str) -> None:
    """Compute rows and register them; small results move to the driver, because Spark assumes a large size."""
    folder = spark.sparkContext.getCheckpointDir()
    kept = rows.checkpoint(eager=False) if folder else rows.localCheckpoint(eager=False)  # computed by count()
    if kept.count() * len(kept.columns) * _VALUE_BYTES <= FEW_BYTES:
        kept = spark.createDataFrame(kept.toArrow(), kept.schema)
    kept.createOrReplaceTempView(name)


def in_steps(sql: str, keep: Callable[[str], str]) -> str:
    """The statement with each part that is named more than once replaced by computed rows.

    `keep`: computes the SELECT of a part; returns the name of a table with its rows.
    """
    done: list[str] = []  # earlier parts, which later ones may name
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
    return len(re.findall(rf"\b(?:FROM|JOIN)\s+{name}\b", sql, re.IGNORECASE))


def parts(sql: str) -> Iterator[Part]:
    """The parts of every WITH that is not nested in another, in order."""
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
    """True if `name AS (` starts at this word, with a closing parenthesis."""
    return place + 2 in closing and words[place + 1][0].upper() == "AS"


def _closing(words: list[re.Match[str]]) -> dict[int, int]:
    """Position of the closing parenthesis by position of the opening one."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for place, word in enumerate(words):
        if word[0] == "(":
            opened.append(place)
        elif word[0] == ")" and opened:
            found[opened.pop()] = place
    return found
