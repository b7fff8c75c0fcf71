"""Listings that tell no offset from UTC, beside systems of the same boxes that do: said beside the findings."""

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
    return " ".join(map(_said, ask(con, QUESTION).to_pylist()))


def _said(r: Row) -> str:
    begins = f"The listing of {r['system']} tells no offset from UTC"
    if not r["boxes"]:
        return (
            f"{begins}: where boxes and shared volumes are added up it is taken to be {spoken(r['assumed_offset_s'])}, "
            "as of the systems on the same boxes, whose measurements cover the same hours of local time."
        )
    boxes = r["boxes"].split("|")
    which = listed(boxes) if len(boxes) <= NAMED else f"{boxes[0]} and {plural(len(boxes) - 1, 'box', 'boxes')} more"
    return (
        f"{begins}, and its hours are not those of others on its boxes: its I/Os are added to no other system's, "
        f"and its part of a box is told as a box of its own ({which}). A small SMF dump of {r['system']} settles it."
    )
