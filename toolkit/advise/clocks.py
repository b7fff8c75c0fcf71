"""Listings without an offset from UTC on boxes of systems that have one: notices with the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.clock import spoken
from iosq.toolkit.show.numbers import listed, plural
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "clocks.sql")
NAMED = 3  # boxes; more are counted


def without_offset(con: Connection) -> str:
    """A sentence or two for each such system; empty where every system's offset is known, or no one's is.

    Args:
        con: a lake, or a part of it.
    """
    return " ".join(map(_notice, ask(con, QUESTION).to_pylist()))


def _notice(r: Row) -> str:
    begins = f"The listing of {r['system']} has no offset from UTC"
    if not r["boxes"]:
        return (
            f"{begins}. For boxes and shared volumes {spoken(r['assumed_offset_s'])} is assumed, as of other systems "
            "on the same boxes that cover the same local hours."
        )
    boxes = r["boxes"].split("|")
    which = listed(boxes) if len(boxes) <= NAMED else f"{boxes[0]} and {plural(len(boxes) - 1, 'box', 'boxes')} more"
    return (
        f"{begins}, and its hours differ from those of others on its boxes. Its I/Os are not added to other systems', "
        f"and its part of a box is a box of its own ({which}). Ingest a small SMF dump of {r['system']} to settle it."
    )
