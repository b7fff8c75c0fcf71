"""Listings that lack rows, by the totals that they print themselves: said beside the findings and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "totals.sql")


def do_not_add_up(con: Connection) -> str:
    """A sentence for each system whose listings contradict their own totals; empty where none does.

    Args:
        con: a lake, or a part of it.
    """
    return " ".join(map(_said, ask(con, QUESTION).to_pylist()))


def _said(r: Row) -> str:
    fault = "lacks rows, or prints a wrong total" if r["short"] == r["totals"] else "contradicts its own totals"
    rows = "devices" if r["total"] == "devices" else "paths"
    owner = f"{'alias management group' if r['total'].endswith('group') else 'LCU'} {r['id']}"
    printed, found = (human_number(r[name], 4) for name in ("printed_rate", "rows_rate"))
    worst = f"the worst of {r['totals']:,} totals that don't add up: " if r["totals"] > 1 else ""
    return (
        f"A listing of {r['system']} {fault}: for {owner} it prints {printed} I/Os a second in all, and {rows} of "
        f"{found} ({worst}view listing_total)."
    )
