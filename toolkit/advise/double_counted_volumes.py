"""Extent pools with contradicting sources: notices with the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "double_counted_volumes.sql")


def double_counted(con: Connection) -> str:
    """A sentence for each box whose volumes and extent pools contradict each other; empty where none do.

    Args:
        con: a lake, or a part of it.
    """
    return " ".join(map(_notice, ask(con, QUESTION).to_pylist()))


def _notice(r: Row) -> str:
    long, short = human_number(r["long_ms"]), human_number(r["short_ms"])
    by_pool = r["back_end_source"] == "extent pool"
    pool, own = (long, short) if by_pool else (short, long)
    worst = f", the worst of {r['pools']} pools" if r["pools"] > 1 else ""
    return (
        f"Records contradict each other about the disks of extent pool {r['extent_pool']} of box {r['box']}{worst}: a "
        f"read takes {pool} ms by the pool's own record, {own} ms by its volumes' (type 74.5), first "
        f"{spoken(r['local_start'], r['local_end'])}. The longer time counts for read misses "
        "(view disconnect_interval)."
    )
