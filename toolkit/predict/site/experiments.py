"""The changes in a lake."""

import datetime as dt
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from iosq.toolkit.predict import lake
from iosq.toolkit.predict.work import WHOLE
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

CHANGES, PEAKS = load(__package__, "experiments.sql"), load(__package__, "peaks.sql")
BUSIEST = {"start": None, "is_utc": False}  # parameters of `PEAKS` if no interval is named
Before = Callable[[dt.datetime], AbstractContextManager["Connection"]]
"""Opens the lake with only the intervals before a time (UTC)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A changed value of one or more subjects: number of exposures or aliases, the box, or the rate of a box.

    `start` and `end`: first interval with the new value and with the next one, UTC.
    """

    kind: str
    platform: str
    system: str
    subjects: tuple[str, ...]
    before: str
    after: str
    start: dt.datetime
    end: dt.datetime | None
    utc_offset_s: int | None

    @property
    def subject(self) -> str:
        return ", ".join(self.subjects)

    def covers(self, at: dt.datetime) -> bool:
        """True for an interval with the value after the change."""
        return at >= self.start and (self.end is None or at < self.end)


def statement() -> str:
    """SQL that names the views read by `answer`."""
    return f"{lake.statement()} {CHANGES.sql} {PEAKS.sql}"


def changes(con: Connection) -> list[Change]:
    """The last change of each subject between two values, latest first; volumes that move together are one change."""
    found: dict[tuple[object, ...], Change] = {}
    for row in ask(con, CHANGES, fraction=WHOLE).to_pylist():
        names = ("kind", "platform", "system", "value_before", "value_after")
        own = row["change_start"] if row["kind"] == "box" else row["subject"]
        key = (*(row[name] for name in names), own)
        known = found.get(key)
        if known is None:
            found[key] = _change(row["subject"].split("|"), row)
        elif row["kind"] == "box":
            found[key] = _change((*known.subjects, row["subject"]), row)
    return list(found.values())


def _change(subjects: Sequence[str], row: dict[str, object]) -> Change:
    names = ("value_before", "value_after", "change_start", "change_end", "utc_offset_s")
    return Change(row["kind"], row["platform"], row["system"], tuple(subjects), *(row[n] for n in names))  # type: ignore[arg-type]
