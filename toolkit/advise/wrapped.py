"""Monitor samples whose I/O count has 16 bits only and wrapped: rates may be too low."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.records import ZVM, device_number
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "wrapped.sql")


def wrapped_counts(con: Connection) -> str:
    """A sentence for each system with such devices; empty where there are none."""
    return " ".join(map(_sentence, ask(con, QUESTION).to_pylist()))


def _sentence(r: Row) -> str:
    return (
        f"On {r['system']} the 16-bit I/O count of {plural(r['devices'], 'device')} ({device_number(r['device'], ZVM)} "
        f"most often) wrapped in {plural(r['wraps'], 'interval')}. The rate is too low where it wrapped twice: sample "
        "more often (view count_wrap)."
    )
