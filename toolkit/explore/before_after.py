"""The panel before and after: hours to select by a brush, and the comparison in sentences."""

from __future__ import annotations

import iosq
from iosq.toolkit.late import alt
from iosq.toolkit.report.timeline import axis, moment, parsed
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.theme import BLUE, Drawing, themed
from iosq.toolkit.sql.questions import load

HOURS = load(__package__, "hours.sql")
_CHANGE = ("kind", "system", "subject", "measure", "before", "after", "difference", "low", "high", "verdict")
MOST = 1000


def hours(lake: iosq.Lake) -> list[NewRow]:
    """I/O rate and response time by hour."""
    rows = ({**row, "t": row["t"].isoformat()} for row in lake.sql(HOURS.sql).to_dicts())
    return [{**row, "until": row["t"][:14] + "59:59", "step_s": 3600} for row in rows]


def strip(rows: list[NewRow], title: str) -> Drawing:
    """A bar per hour; a brush selects a time."""
    drawn = (
        alt.Chart(parsed(rows, "t", "until"))
        .mark_rect(color=BLUE)
        .encode(
            x=alt.X("t:T", **axis(rows)),
            x2="until:T",
            y=alt.Y("response_ms:Q", title="ms per I/O", axis=alt.Axis(tickCount=3)),
            y2=alt.datum(0),
            tooltip=[
                moment(rows),
                alt.Tooltip("response_ms:Q", title="response, ms", format=".2f"),
                alt.Tooltip("io_rate:Q", title="I/Os per s", format=",.0f"),
            ],
        )
        .add_params(alt.selection_interval(name="time", encodings=["x"]))
        .properties(width="container", height=70, title=title)
    )
    return themed(drawn)


def compared(before: iosq.Lake, after: iosq.Lake) -> tuple[list[str], list[NewRow]]:
    """The result of `iosq compare`: sentences with notes, and rows of the table, changes first."""
    found = iosq.compare(before, after)
    rows = [{name: getattr(change, name) for name in _CHANGE} for change in found.changes[:MOST]]
    return [*found.lines(), *(f"note: {note}" for note in found.notes)], rows
