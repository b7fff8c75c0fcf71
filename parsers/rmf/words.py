"""Normalises headings to tuples of short words, independent of release and format."""

import re
from functools import cache, lru_cache

from iosq.toolkit.rows import NewRow, toml

Words = tuple[str, ...]

_WORD = re.compile(r"[A-Z0-9]+|%|#")


@cache
def _raw() -> NewRow:
    return toml("iosq.parsers.rmf", "words.toml")


@cache
def filler() -> frozenset[str]:
    """Words that a heading may have in front of those that name its column."""
    return frozenset(_raw()["filler"]["words"])


@lru_cache(8192)
def words(text: str) -> Words:
    """Split into normalised words: `Device Number`, `DEV NUM` and `dev. number` all become `("DEV", "NUM")`."""
    same: dict[str, str] = _raw()["same"]
    return tuple(same.get(w, w) for w in _WORD.findall(text.upper()))
