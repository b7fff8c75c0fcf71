"""What makes a lake's measurements doubtful as a whole: said beside the findings and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.advise import beside, clocks, contradicted, disks, totals

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTIONS = (totals.QUESTION, clocks.QUESTION, beside.QUESTION, contradicted.QUESTION, disks.QUESTION)


def doubts(con: Connection) -> str:
    """Sentences about listings that lack rows or a clock, what is left out, and what contradicts itself; or nothing."""
    told = (
        totals.do_not_add_up(con), clocks.without_offset(con), beside.left_out(con), contradicted.contradicted(con),
        disks.disks_told_twice(con),
    )  # fmt: skip
    return " ".join(text for text in told if text)
