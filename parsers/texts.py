"""Describes inputs that no reader recognises: binary, unknown text, or a known text format (`texts.toml`)."""

import re
from functools import cache
from typing import NamedTuple

from iosq.parsers.listing.lines import decode, is_ebcdic
from iosq.toolkit.rows import toml

_BINARY = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_SUPPORTED = "`iosq ingest --help` lists the kinds of input"


class Unread(NamedTuple):
    """Kind of an unsupported input, and the remedy."""

    what: str
    remedy: str


def unread(head: bytes) -> Unread:
    """Describe an unsupported input by its first bytes."""
    code_pages = ("ebcdic", "ascii") if is_ebcdic(head) else ("ascii", "ebcdic")
    text = next((text for page in code_pages if not _BINARY.search(text := decode(head, page))), None)
    if text is None:
        return Unread("is not a kind of input that iosq reads", f"was it transferred in binary? {_SUPPORTED}")
    for name, pattern, instead in _known():
        if found := pattern.search(text):
            word = found[1][:60] if pattern.groups else ""
            return Unread(f"is {name.replace('{1}', word)}, which iosq does not read", instead)
    return Unread("is text, but not a listing or XML that iosq reads", _SUPPORTED)


@cache
def _known() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    raw = toml("iosq.parsers", "texts.toml")
    return tuple((t["name"], re.compile(t["pattern"], re.MULTILINE), t["instead"]) for t in raw["text"])
