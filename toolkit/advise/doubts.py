"""Doubts about the measurements of a lake as a whole: notices with the findings and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.advise import beside, clocks, contradicted, disks, totals, twins, wrapped

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTIONS = tuple(m.QUESTION for m in (totals, clocks, beside, contradicted, disks, twins, wrapped))


def doubts(con: Connection) -> str:
    """Sentences about listings without rows or a clock, contradictions, duplicates and wrapped counts; or nothing."""
    notices = (
        totals.do_not_add_up(con), clocks.without_offset(con), beside.left_out(con), contradicted.contradicted(con),
        disks.double_counted(con), twins.duplicate_volsers(con), wrapped.wrapped_counts(con),
    )  # fmt: skip
    return " ".join(text for text in notices if text)
