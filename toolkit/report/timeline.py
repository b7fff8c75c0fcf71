"""Local time in rows and on axes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from iosq.toolkit.rows import NewRow, Row

if TYPE_CHECKING:
    import altair as alt

# read and drawn as if it were UTC, so that no browser moves local times to its own zone
PARSE_LOCAL = "utc:'%Y-%m-%dT%H:%M:%S'"


def parsed(rows: Sequence[Row], *names: str) -> alt.InlineData:
    """Rows as chart data, the named columns read as local instants."""
    import altair as alt

    known = dict.fromkeys(names or ("t",), PARSE_LOCAL)
    return alt.InlineData(values=[dict(r) for r in rows], format=alt.JsonDataFormat(parse=known))


def axis(rows: Sequence[Row]) -> NewRow:
    """Arguments of a time axis: local time, whatever the zone of the reader."""
    import altair as alt

    days = {str(r["t"])[:10] for r in rows}
    label = f"local time, {next(iter(days))}" if len(days) == 1 else "local time"
    look: NewRow = {"labelFlush": False, "labelOverlap": True, "labelSeparation": 6, "tickCount": 12}
    if len(days) == 1:
        look["format"] = "%H:%M"
    return {"title": label, "scale": alt.Scale(type="utc", nice=False), "axis": alt.Axis(**look)}


def when(text: str) -> str:
    """`2026-03-02T09:15:00` as `09:15 on 2026-03-02`."""
    return f"{text[11:16]} on {text[:10]}"


def at(row: Row) -> str:
    """The instant of a row with `t`, to the minute."""
    return str(row["t"])[:16].replace("T", " ")


def ends(row: Row) -> str:
    """When the step of a row with `t` and `step_s` ends."""
    end = dt.datetime.fromisoformat(row["t"]) + dt.timedelta(seconds=int(row["step_s"]))
    return f"{end:%Y-%m-%dT%H:%M:%S}"


def closed(rows: Sequence[Row], subject: str = "") -> list[NewRow]:
    """Rows in order of subject and time, so that a line keeps its last value to the end of the step and then breaks.

    Behind the last row of every unbroken run follow a copy at the end of its step and one without numbers.
    """
    found: list[NewRow] = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        found.append(dict(row))
        end = ends(row)
        if after is None or after["t"] != end or (subject and after[subject] != row[subject]):
            found += [{**row, "t": end}, {k: None if isinstance(v, float) else v for k, v in {**row, "t": end}.items()}]
    return found
