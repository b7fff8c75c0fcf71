"""Paging and spool volumes are named as such in every finding about volumes: they are drained in another way."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

QUESTION = load(__package__, "paging.sql")
RULE = "paging_volumes"
_WORDS, _SPOOL = {ZVM: "CP pages to {}", "": "Page data sets are on {}"}, "CP spools to {}"
_READS = "A page that is read stays in storage, so host buffers and cache don't help. Add "
_RESERVE = "Keep it as a reserve: room for paging is meant to be free"
_MORE = {ZVM: _READS + "paging volumes, or storage", "": _READS + "local page data sets on other volumes, or storage"}
_ALONE = "Move all but paging off it"
# rules that find paging volumes which queue for other work
_QUEUES = ("pav_add_alias", "closed_load")
# rules whose advice is about data of jobs, and what to do where there is none
_INSTEAD = {"low_hit_ratio": _MORE, "cache_bypass": _MORE, "same_extent": _MORE, "idle_volume": {"": _RESERVE}}


def named(con: Connection, found: Sequence[Finding]) -> list[Finding]:
    """The findings; those about volumes name the paging volumes among them."""
    if not any(f.subject.kind in ("volume", "volumes") for f in found):
        return list(found)
    by_use: dict[tuple[str, str, bool], set[str]] = defaultdict(set)
    for r in ask(con, QUESTION).to_pylist():
        by_use[r["platform"], r["system"], r["is_spool"]].add(r["volser"])
    return [_named(f, by_use) if f.code != RULE else f for f in found]


def _named(f: Finding, by_use: dict[tuple[str, str, bool], set[str]]) -> Finding:
    """The finding with a sentence for each platform and use, if some of its volumes are paging or spool volumes.

    Where all are for paging, no advice about data of jobs is left.
    """
    own: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for (platform, system, is_spool), volumes in by_use.items():
        if f.subject.kind in ("volume", "volumes") and system in (f.subject.systems or (system,)):
            own[platform, is_spool] |= volumes & {*f.subject.names}
    for (platform, is_spool), volumes in sorted(own.items()):
        if volumes:
            words = _SPOOL if is_spool else _WORDS.get(platform, _WORDS[""])
            f = f.also(words.format(listed(sorted(volumes))))
        if volumes and not is_spool and volumes == {*f.subject.names}:
            f = _advised(f, platform)
    return f


def _advised(f: Finding, platform: str) -> Finding:
    if f.code in _QUEUES:
        return f.advised(f"{_ALONE}, or {f.advice[:1].lower()}{f.advice[1:]}")
    instead = _INSTEAD.get(f.code)
    return replace(f, advice=instead.get(platform, instead[""])) if instead else f
