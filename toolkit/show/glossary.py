"""The glossary: one term per thing, in `glossary.csv`."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from iosq.toolkit.rows import csv_rows


class Term(NamedTuple):
    """A term, its synonyms (separated by commas), the column that holds it, and its meaning."""

    term: str
    also: str
    columns: str
    meaning: str

    @property
    def named(self) -> str:
        """`disc (disconnect time)`."""
        return f"{self.term} ({self.also})" if self.also else self.term


@cache
def terms() -> tuple[Term, ...]:
    """Every term in alphabetical order."""
    rows = csv_rows(__package__, "glossary.csv")
    return tuple(sorted((Term(**row) for row in rows), key=lambda t: t.term.lower()))


def pattern(word: str) -> re.Pattern[str]:
    """Matches names and texts that have a word with this beginning."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(word.strip())}", re.IGNORECASE)


def matching(word: str) -> list[Term]:
    """Terms with that word: first in their name, then in their meaning."""
    found = pattern(word)
    named = [t for t in terms() if found.search(f"{t.term} {t.also}")]
    return named or [t for t in terms() if found.search(t.meaning)]


def is_term(word: str) -> bool:
    """True if a word is a term, or another word for one."""
    return any(word.lower() in (t.term.lower(), *t.also.lower().split(", ")) for t in terms())
