"""What is unknown because records are missing: notices with the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.advise.data_quality import QUESTIONS, warnings_about
from iosq.toolkit.advise.finding import Topic
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.show.records import ZVM_CACHE, ZVM_DEVICES, by_platform
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "missing_records.sql")
ASKED = tuple(q.sql for q in (QUESTION, *QUESTIONS))
# more LCUs than these are counted, not named
NAMED = 6


def missing_records(con: Connection, topic: Topic) -> str:
    """Sentences about record types that a topic needs and the lake lacks, and about listings that lack rows or a clock.

    Empty where nothing lacks.

    Args:
        con: a lake, or a part of it.
        topic: what advice is asked about.
    """
    (row,) = ask(con, QUESTION).to_pylist()
    devices = "" if row["volume_rows"] else _devices(row["platform"])
    cache = _cache(row) if topic in ("all", "nvs") else ""
    pools = _pools(row) if topic in ("all", "pav") else ""
    groups = _groups(row) if topic in ("all", "pav") else ""
    return " ".join(text for text in (devices, _boxes(row), cache, pools, groups, warnings_about(con)) if text)


def _devices(platform: str | None) -> str:
    missing = by_platform(platform, "SMF 74.1 (or a device listing)", ZVM_DEVICES)
    return f"No per-volume analysis: {missing} for this period is missing."


def _boxes(r: Row) -> str:
    """Ids of more than one box: they do not separate the cache statistics of two sites."""
    if not r["subsystems"]:
        return ""
    ids, boxes = r["subsystems"].split("|"), sorted(set(r["boxes"].split("|")))
    which = listed(ids) if len(ids) <= NAMED else f"{len(ids)} ids, {ids[0]} the first"
    return (
        f"Subsystem ids {which} are used by more than one box ({listed(boxes)}). Cache and NVS data can't be "
        "attributed reliably. Load each site into its own lake."
    )


def _cache(r: Row) -> str:
    if r["cache_rows"] or (r["volume_rows"] and not r["volumes"]):
        return ""
    missing = by_platform(r["platform"], "SMF 74.5 (or a cache report)", ZVM_CACHE)
    return f"No cache and NVS analysis: {missing} for this period is missing."


def _pools(r: Row) -> str:
    names = r["pools"].split("|") if r["pools"] else []
    if not names:
        return ""
    which = lcus(names) if len(names) <= NAMED else f"{len(names)} LCUs"
    return f"HyperPAV alias usage of {which} is unknown: SMF 78.3 (or the I/O queuing report) is missing."


def _groups(r: Row) -> str:
    """Groups whose LCUs stand behind the place where a listing was cut off."""
    names = r["cut_groups"].split("|") if r["cut_groups"] else []
    if not names:
        return ""
    which = listed(names) if len(names) <= NAMED else f"{len(names)} groups"
    groups = "alias management group" if len(names) == 1 else "alias management groups"
    refused = f", up to {human_number(r['cut_refusals'], 2)} refusals per I/O" if r["cut_refusals"] else ""
    rate = f"{human_number(r['cut_rate'])} I/Os a second"
    return (
        f"The I/O queuing report is truncated: it has no LCU of {groups} {which} ({rate}{refused}), so their alias "
        "usage is unknown (view alias_group_interval)."
    )
