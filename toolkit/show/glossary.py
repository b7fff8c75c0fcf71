"""The glossary: one term per thing, in `glossary.csv`."""

import re
from functools import cache
from typing import NamedTuple

from iosq.toolkit.rows import csv_rows


class Term(NamedTuple):
    """A term, its synonyms (separated by commas), the columns with its values, and its meaning."""

    term: str
    also: str
    columns: str
    meaning: str

    @property
    def named(self) -> str:
        """The term with its synonyms: `disc (disconnect time)`."""
        return f"{self.term} ({self.also})" if self.also else self.term


@cache
def terms() -> tuple[Term, ...]:
    """All terms in alphabetical order."""
    rows = csv_rows(__package__, "glossary.csv")
    return tuple(sorted((Term(**row) for row in rows), key=lambda t: t.term.lower()))


def pattern(word: str) -> re.Pattern[str]:
    """A pattern that matches texts with a word that starts like this."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(word.strip())}", re.IGNORECASE)


def matching(word: str) -> list[Term]:
    """Terms with that word in their name, or else in their meaning."""
    found = pattern(word)
    named = [t for t in terms() if found.search(f"{t.term} {t.also}")]
    return named or [t for t in terms() if found.search(t.meaning)]


def is_term(word: str) -> bool:
    """True if the word is a term or a synonym."""
    return any(word.lower() in (t.term.lower(), *t.also.lower().split(", ")) for t in terms())
