"""Paging volumes are named as such in every finding about volumes: they are moved and drained in another way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "paging.sql")
RULE = "paging_volumes"
_WORDS = {ZVM: "CP pages to {}", "": "Page data sets are on {}"}
_READS = "A page that is read stays in storage, so host buffers and cache don't help. Add "
_RESERVE = "Keep it as a reserve: room for paging is meant to be free"
_MORE = {ZVM: _READS + "paging volumes, or storage", "": _READS + "local page data sets on other volumes, or storage"}
# rules whose advice is about data of jobs, and what to do where there is none
_INSTEAD = {"low_hit_ratio": _MORE, "cache_bypass": _MORE, "same_extent": _MORE, "idle_volume": {"": _RESERVE}}


def named(con: Connection, found: Sequence[Finding]) -> list[Finding]:
    """The findings; those about volumes name the paging volumes among them."""
    if not any(f.subject.kind in ("volume", "volumes") for f in found):
        return list(found)
    rows = ask(con, QUESTION).to_pylist()
    by_system: dict[tuple[str, str], set[str]] = defaultdict(set)
    for r in rows:
        by_system[r["platform"], r["system"]].add(r["volser"])
    return [_named(f, by_system) if f.code != RULE else f for f in found]


def _named(f: Finding, by_system: dict[tuple[str, str], set[str]]) -> Finding:
    """The finding with a sentence for each platform on which some of its volumes are paging volumes.

    Where all are, no advice about data of jobs is left.
    """
    paging: dict[str, set[str]] = defaultdict(set)
    for (platform, system), volumes in by_system.items():
        if f.subject.kind in ("volume", "volumes") and system in (f.subject.systems or (system,)):
            paging[platform] |= volumes & {*f.subject.names}
    for platform, volumes in sorted(paging.items()):
        if volumes:
            f = f.also(_WORDS.get(platform, _WORDS[""]).format(listed(sorted(volumes))))
        if volumes and volumes == {*f.subject.names} and f.code in _INSTEAD:
            instead = _INSTEAD[f.code]
            f = replace(f, advice=instead.get(platform, instead[""]))
    return f
