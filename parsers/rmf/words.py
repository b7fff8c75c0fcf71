"""Headings as tuples of words in one short form, whichever way a release or a format spells them."""

from __future__ import annotations

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
    """Words a heading may carry in front of those that name its column."""
    return frozenset(_raw()["filler"]["words"])


@lru_cache(8192)
def words(text: str) -> Words:
    """`Device Number`, `DEV NUM` and `dev. number` all give `("DEV", "NUM")`; punctuation parts words."""
    same: dict[str, str] = _raw()["same"]
    return tuple(same.get(w, w) for w in _WORD.findall(text.upper()))
