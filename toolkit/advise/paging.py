"""Paging and spool volumes are named as such in every finding about volumes: they are drained in another way."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

QUESTION = load(__package__, "paging.sql")
_WORDS, _SPOOL = {ZVM: "CP pages to {}", "": "Page data sets are on {}"}, "CP spools to {}"
_READS = "A page that is read stays in storage, so host buffers and cache don't help. Add "
_ROOM = "First add spool volumes, or purge spool files: {} {} full, so that CP spools to what is left"
_RESERVE = "Keep it as a reserve: room for paging is meant to be free"
_MORE = {ZVM: _READS + "paging volumes, or storage", "": _READS + "local page data sets on other volumes, or storage"}
_ALONE = "Move all but paging off it"
# `paging` in the header of a rule: its findings are about paging itself, or its advice about a paging volume is for one
# that queues for other work, is read, or is idle
ITSELF, QUEUES, _INSTEAD = "itself", "queues", {"read": _MORE, "idle": {"": _RESERVE}}
KINDS = (ITSELF, QUEUES, *_INSTEAD)
VOLUMES = ("volume", "volumes")


def named(con: Connection, found: Sequence[Finding], kinds: Mapping[str, str]) -> list[Finding]:
    """The findings; those about volumes name the paging volumes among them. `kinds`: of rules, see `KINDS`."""
    if not any(map(_volumes, found)):
        return list(found)
    by_use: dict[tuple[str, str, bool], set[str]] = defaultdict(set)
    full: dict[str, set[str]] = defaultdict(set)
    for r in ask(con, QUESTION).to_pylist():
        by_use[r["platform"], r["system"], r["is_spool"]].add(r["volser"])
        full[r["system"]] |= {r["volser"]} if r["is_spool"] and r["is_full"] else set()
    kinds_of = [kinds.get(f.code, "") for f in found]
    return [f if kind == ITSELF else _named(f, kind, by_use, full) for f, kind in zip(found, kinds_of, strict=True)]


def _named(
    f: Finding, kind: str, by_use: Mapping[tuple[str, str, bool], set[str]], full: Mapping[str, set[str]]
) -> Finding:
    """The finding with a sentence for each platform and use, if some of its volumes are paging or spool volumes.

    Where all are for paging, no advice about data of jobs is left. Where the other spool volumes are `full`, these
    need room and not aliases.
    """
    own: dict[tuple[str, bool], set[str]] = defaultdict(set)
    names = _volumes(f)
    for (platform, system, is_spool), volumes in by_use.items():
        if system in (f.subject.systems or (system,)):
            own[platform, is_spool] |= volumes & names
    for (platform, is_spool), volumes in sorted(own.items()):
        # an LCU or a box has volumes of all kinds
        if not volumes or (f.subject.kind not in VOLUMES and volumes != names):
            continue
        words = _SPOOL if is_spool else _WORDS.get(platform, _WORDS[""])
        f = f.also(words.format(listed(sorted(volumes))))
        if not is_spool and volumes == names:
            f = _advised(f, kind, platform)
        others = set().union(*(full.get(system, ()) for system in f.subject.systems)) - volumes
        if is_spool and others and kind == QUEUES:
            are = "is" if len(others) == 1 else "are"
            f = f.after(_ROOM.format(listed(sorted(others)), are), "If it waits then too")
    return f


def _volumes(f: Finding) -> set[str]:
    return {name for s in f.places if s.kind in VOLUMES for name in s.names}


def _advised(f: Finding, kind: str, platform: str) -> Finding:
    if kind == QUEUES:
        return f.advised(f"{_ALONE}, or {f.advice[:1].lower()}{f.advice[1:]}")
    instead = _INSTEAD.get(kind)
    return replace(f, advice=instead.get(platform, instead[""])) if instead else f
