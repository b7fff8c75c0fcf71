"""Text for a section without rows: the records that would fill it, in terms of the platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.report.quality import NEEDED
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    from iosq.toolkit.report.chart import Chart
    from iosq.toolkit.report.table import Table

NEVER = "z/VM has no such measurements"
WHOLE, PART = "The lake has no", "The part of the lake that is shown has no"
GATHERED = "They are listed under the system that gathered them."


def only_zvm(con: Connection) -> bool:
    """True if all measurements that the page needs are from z/VM."""
    every = " UNION ".join(f"SELECT platform FROM {view}" for view in NEEDED)
    return {row["platform"] for row in query(con, every).to_pylist()} == {ZVM}


def absent(section: Chart | Table, *, zvm: bool, part: bool) -> str:
    """The sentence shown for a section without rows; empty if the section is left out.

    If only z/VM was measured, `zvm` replaces `missing`: empty where z/VM has no such data, None for the same. `part`:
    only a part of the lake is shown; the rest of it may have the records.
    """
    text = section.zvm if zvm and section.zvm is not None else section.missing
    if not part or WHOLE not in text:
        return text
    return f"{text.replace(WHOLE, PART)}{f' {GATHERED}' if 'cache statistics' in text else ''}"
