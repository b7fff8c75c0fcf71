"""Doubts about the measurements of a lake as a whole: notices with the findings and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.advise import (
    clocks,
    conflicting_listings,
    double_counted_volumes,
    duplicate_volsers,
    superseded_listings,
    totals,
    wrapped,
)

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

_NOTICES = {
    totals.QUESTION: totals.do_not_add_up,
    clocks.QUESTION: clocks.without_offset,
    superseded_listings.QUESTION: superseded_listings.left_out,
    conflicting_listings.QUESTION: conflicting_listings.contradicted,
    double_counted_volumes.QUESTION: double_counted_volumes.double_counted,
    duplicate_volsers.QUESTION: duplicate_volsers.duplicate_volsers,
    wrapped.QUESTION: wrapped.wrapped_counts,
}
QUESTIONS = tuple(_NOTICES)


def warnings_about(con: Connection) -> str:
    """Sentences about listings without rows or a clock, contradictions, duplicates and wrapped counts; or nothing."""
    return " ".join(filter(None, (notice(con) for notice in _NOTICES.values())))
