"""Pools of aliases: their LCUs by name, and the volumes that draw on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iosq.toolkit.advise.changed import before_and_since, moved_to, not_yet, queued, there_since
from iosq.toolkit.advise.finding import Aliases, Finding
from iosq.toolkit.predict.lake import weighted
from iosq.toolkit.predict.measured import SEEN, Work
from iosq.toolkit.predict.open_load import Load
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases


def lcus_of(row: Row) -> list[str]:
    """The LCUs of a pool, by name, from a row of `alias_pool`."""
    return sorted(row["lcu_names"].split("|"))


def pool_loads(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]


def pool_work(members: Sequence[Row], size: int) -> Work:
    """The same as one load, to be compared with other times; rows with `own_read_ratio` too."""
    rate = sum(m["io_rate"] for m in members)
    wait, service = (sum(m["io_rate"] * (m[name] or 0.0) for m in members) / rate for name in ("wait_ms", "service_ms"))
    reads = weighted((m["own_read_ratio"], m["io_rate"]) for m in members)
    return Work(size, rate, wait, service, reads, members[0]["interval_start"])


def now(r: Row) -> int:
    """Aliases the pool had last, which may be others than in the interval; rows as the question `pool_now`.

    None of them where no record tells how many.
    """
    return int((r["aliases"] if r["aliases_now"] is None else r["aliases_now"]) or 0)


def has_moved(r: Row) -> bool:
    """Whether the pool is in another box than in this interval."""
    return bool(r["other_start"] and r["interval_start"] <= r["other_start"])


def is_as_busy_since(r: Row, rate: float | None) -> bool:
    """Whether the pool has another size now, and as many I/Os came with that."""
    if r["aliases_now"] is None or r["aliases_now"] == r["aliases"] or not rate:
        return False
    return bool((r["since_rate"] or 0.0) >= SEEN * rate)


def settled(r: Row, wait: Finding, queue: float, then: Work) -> Finding:
    """A wait that ended with another size of the pool.

    Args:
        r: with the columns of the question `pool_now`.
        wait: what it was: text, subject and cost.
        queue: I/Os that waited.
        then: what the pool's volumes did.
    """
    more = "got" if now(r) > r["aliases"] else "has"
    since = f"Since {r['since_start']:%H:%M on %Y-%m-%d} it has {aliases(now(r))}"
    return replace(_ended(r, wait, queue, then, since, f"the aliases it {more} have"), confidence="high")


def moved(r: Row, wait: Finding, queue: float, then: Work | None) -> Finding:
    """A wait in another box than the pool is in: settled if as many I/Os came since, else not to be told yet.

    Args:
        r: with the columns of the question `pool_now`.
        wait: what it was: text, subject and cost.
        queue: I/Os that waited.
        then: what the pool's volumes did; None where none was measured.
    """
    since = f"since {r['moved_start']:%H:%M on %Y-%m-%d} it is in box {r['box_now']}"
    if then is None or r["moved_rate"] < SEEN * then.rate:
        bare = replace(wait, severity="watch", confidence="low", advice=not_yet(since), effect=None, curve=None)
        return replace(bare, hours=(), aliases=Aliases("cant_tell", now(r)))
    grown = now(r) > (r["aliases"] or 0)
    by = "the aliases it got, or the move, have" if grown else "the move has"
    return replace(_ended({**r, **there_since(r)}, wait, queue, then, f"S{since[1:]}", by), confidence="medium")


def _ended(r: Row, wait: Finding, queue: float, then: Work, since: str, by: str) -> Finding:
    """What is said of a wait after which as many I/Os came; `since` and `by`: from when on, and what ended it."""
    stays = _waits_on(then, r)
    looks = stays or moved_to(then.wait_ms, then.service_ms, r)
    return replace(
        wait,
        severity="watch" if looks else "note",
        advice=looks or f"Nothing is to be done: {by} settled it",
        numbers=before_and_since(r, queue, then.rate),
        effect=None,
        curve=None,
        hours=(),
        aliases=Aliases("wont_help" if stays else "enough", now(r)),
    ).also(f"{since}, as many I/Os came, and {queued(r['since_queue'] or 0.0)}")


def _waits_on(then: Work, r: Row) -> str:
    """Where to look, if most of the wait is still there though I/Os find an alias; else nothing."""
    left = 1e3 * (r["since_queue"] or 0.0) / r["since_rate"]
    if left < then.wait_ms / 2:
        return ""
    return (
        f"More aliases will not help (now {now(r)}): I/Os find one since, and wait all the same. Look for what else "
        "holds the volumes that wait: reserves of other systems, or data sets in use"
    )


def since(wait: Finding, r: Row, most: int | None) -> Finding:
    """A wait with fewer aliases than there are now, when no such work came since.

    Args:
        wait: what it was, and what it took.
        r: with the columns of the question `pool_now`.
        most: aliases that clear it at worst; None where no count is sure to.
    """
    size = now(r)
    told = f"since {r['since_start']:%H:%M on %Y-%m-%d} it has {aliases(size)} in place of {r['aliases']}"
    if most is not None and most <= size:
        advice = f"Nothing is to be done: {told}, and {most} clear such a wait. No such work came since to show it"
        return replace(wait, severity="note", advice=advice, hours=(), aliases=Aliases("enough", size))
    advice = f"Can't be told yet: {told}, and no such work came since. Measure it before the number is changed again"
    bare = replace(wait, severity="watch", confidence="low", advice=advice, effect=None, curve=None)
    return replace(bare, hours=(), aliases=Aliases("cant_tell", size))


def gone(r: Row) -> str:
    """A sentence where the pool had more once: nobody should design what has only to be undone."""
    if r["larger_aliases"] is None:
        return ""
    return f". It had {r['larger_aliases']} until {r['larger_until']:%H:%M on %Y-%m-%d}: look first why they are gone"


def elsewhere(row: Row, system: str) -> str:
    """A sentence where another system has a larger pool of the same LCU: its addresses are there already.

    Args:
        row: with `other_system`, `other_aliases` and `other_high_water`.
        system: whose pool is too small.
    """
    if row["other_system"] is None:
        return ""
    most = row["other_high_water"]
    used = "" if most is None else f", at most {most} of them in use at once"
    return (
        f". {row['other_system']} has {aliases(row['other_aliases'])} in this LCU{used}: define the same addresses to "
        f"{system} first; no new ones are needed for that"
    )


def no_room(row: Row, count: int, size: int) -> str:
    """Where to go in place of more aliases than the LCU has addresses for; empty where they fit.

    Args:
        row: with `free_addresses` (None: not known, or a group, which has those of all its LCUs) and `other_aliases`,
            which another system has there already.
        count: how many more.
        size: aliases of the pool now.
    """
    free = row["free_addresses"]
    if free is None or count <= max(free, (row["other_aliases"] or 0) - size):
        return ""
    return (
        f"Of the 256 addresses of the LCU {max(free, 0)} are free: put the data on fewer, larger volumes, move volumes "
        "to another LCU, or let it borrow aliases (SuperPAV)"
    )
