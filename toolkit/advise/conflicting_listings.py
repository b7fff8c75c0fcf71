"""Volumes with a contradictory measurement: notices with the findings, as they have no prediction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "conflicting_listings.sql")


def contradicted(con: Connection) -> str:
    """A sentence for each system with volumes busier than they can be; empty where none is.

    Args:
        con: a lake, or a part of it.
    """
    return " ".join(map(_notice, ask(con, QUESTION).to_pylist()))


def _notice(r: Row) -> str:
    who = "" if r["volumes"] == 1 else f" the worst of {r['volumes']:,} such volumes,"
    exposures = plural(round(r["exposures"]), "exposure")
    return (
        f"The measurement of volume {r['volume']} on {r['system']} contradicts itself:{who} "
        f"{human_number(r['in_service'])} I/Os in progress ({human_number(r['io_rate'])} a second of "
        f"{human_number(r['service_ms'])} ms service) on {exposures}, which hold one each "
        f"({spoken(r['local_start'], r['local_end'])}). Rate, times or exposures are recorded wrong, so "
        "such intervals have no prediction (view unfit_interval)."
    )
