"""Columns that can identify a site: `columns.csv` has a rule and its reason for every text column."""

import re
from fnmatch import fnmatchcase
from functools import cache
from typing import Literal, NamedTuple, cast, get_args

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.rows import csv_rows

Kind = Literal["keep", "volser", "system", "name", "dsn", "words", "serial", "hex", "lcu", "text"]
_WORD = re.compile(r"[A-Za-z]{3,}")


class Rule(NamedTuple):
    """Columns whose name, or `table.name`, matches `pattern` are of this kind; the first matching rule applies."""

    pattern: str
    kind: Kind
    reason: str


def _rows(name: str) -> list[dict[str, str]]:
    return csv_rows(__package__, name)


@cache
def rules() -> tuple[Rule, ...]:
    """All rules in order."""
    found = [Rule(r["pattern"], cast(Kind, r["kind"]), r["reason"]) for r in _rows("columns.csv")]
    assert {r.kind for r in found} <= set(get_args(Kind))
    return tuple(found)


@cache
def words() -> frozenset[str]:
    """Words too common to identify a site, which stay in free text and are ignored by the proof.

    The words of `words.csv`, and all words without digits in titles, column names and meanings of tables.
    """
    texts = (text for t in tables().values() for c in t.columns for text in (t.title, c.name, c.meaning))
    known = {word.upper() for text in texts for word in _WORD.findall(text)}
    return frozenset(known | {r["word"] for r in _rows("words.csv")})


@cache
def rule_of(table: str, column: str) -> Rule | None:
    """The rule for a column; None if there is none."""
    names = (f"{table}.{column}", column)
    return next((r for r in rules() if any(fnmatchcase(n, r.pattern) for n in names)), None)


def replaced(table: Table) -> dict[str, Kind]:
    """The columns of a table to replace, with their kind; a column without a rule counts as a name."""
    found: dict[str, Kind] = {}
    for column in (c.name for c in table.columns if c.type == "varchar"):
        rule = rule_of(table.name, column)
        if rule is None or rule.kind != "keep":
            found[column] = rule.kind if rule else "name"
    return found
