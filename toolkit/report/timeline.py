"""Local time in rows and on axes."""

import datetime as dt
from collections.abc import Sequence

from iosq.toolkit.late import alt
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.theme import INK, Drawing, inline

# read and drawn as UTC, so that browsers don't convert local times to their own time zone
PARSE_LOCAL = "utc:'%Y-%m-%dT%H:%M:%S'"
_UNITS = ((86400, "day"), (3600, "h"), (60, "min"))


def parsed(rows: Sequence[Row], *names: str) -> Drawing:
    """Rows as chart data, the named columns read as local instants."""
    known = dict.fromkeys(names or ("t",), PARSE_LOCAL)
    return inline(rows, known)


def axis(rows: Sequence[Row]) -> NewRow:
    """Arguments of a time axis in the system's local time, in any zone of the reader; the title has the step length."""
    days = {str(r["t"])[:10] for r in rows}
    day = f", {next(iter(days))}" if len(days) == 1 else ""
    label = f"local time{day}, steps of {step(rows)}"
    look: NewRow = {"labelFlush": False, "labelOverlap": True, "labelSeparation": 6, "tickCount": 12}
    if len(days) == 1:
        look["format"] = "%H:%M"
    return {"title": label, "scale": alt.Scale(type="utc", nice=False), "axis": alt.Axis(**look)}


def step(rows: Sequence[Row]) -> str:
    """The length of a step: `15 min`, `8 h`, `7 days`."""
    seconds = int(rows[0]["step_s"])
    size, name = next((size, name) for size, name in _UNITS if seconds % size == 0)
    return plural(seconds // size, name) if name == "day" else f"{seconds // size} {name}"


def moment(rows: Sequence[Row]) -> "alt.Tooltip":
    """The tooltip with the start of a mark's step."""
    return alt.Tooltip("t:T", title=f"local time, {step(rows)} from", format="%Y-%m-%d %H:%M")


def hide(rows: Sequence[Row]) -> bool:
    """True if a step covers several intervals, so that its mean hides their peak."""
    return any(r["intervals"] > 1 for r in rows)


def with_band(stack: Drawing, rows: Sequence[Row], mean: str, least: str, most: str) -> Drawing:
    """A stack over time; if steps cover several intervals, with a band to their maximum and a line at their minimum.

    The sum of the stack in each step is the column `mean` of the rows.
    """
    if not hide(rows):
        return stack
    own = [{name: r[name] for name in ("t", mean, least, most)} for r in closed(rows)]
    base = alt.Chart(parsed(own)).encode(x="t:T")
    area = base.mark_area(interpolate="step-after", opacity=0.25, color=INK).encode(y=f"{mean}:Q", y2=f"{most}:Q")
    edges = [
        base.mark_line(interpolate="step-after", color=INK, invalid="break-paths-show-domains", **look).encode(
            y=f"{name}:Q"
        )
        for name, look in ((most, {"strokeWidth": 1.2}), (least, {"strokeWidth": 1, "strokeDash": [1, 2]}))
    ]
    # a layer of their own, so that instants of their rows are parsed only once
    return alt.layer(stack, alt.layer(area, *edges))


def week_line(base: Drawing, name: str) -> Drawing:
    """A dashed line at the values of the week before, from the column `name` of the chart's rows."""
    look = {"interpolate": "step-after", "color": INK, "strokeWidth": 1.2, "strokeDash": [5, 3]}
    # an axis needs a value: without any, an invisible line at 0
    found = base.transform_joinaggregate([{"op": "valid", "field": name, "as": "weeks"}]).transform_calculate(
        week=f"datum.weeks > 0 ? datum.{name} : 0"
    )
    unseen = alt.condition("datum.weeks > 0", alt.value(1), alt.value(0))
    return found.mark_line(**look, invalid="break-paths-show-domains").encode(x="t:T", y="week:Q", opacity=unseen)


def when(text: str) -> str:
    """`2026-03-02T09:15:00` as `09:15 on 2026-03-02`."""
    return f"{text[11:16]} on {text[:10]}"


def at(row: Row, name: str = "t") -> str:
    """The instant in a column of a row, to the minute."""
    return str(row[name])[:16].replace("T", " ")


def with_instants(rows: Sequence[Row]) -> list[NewRow]:
    """Each step with its start (`at`), and that of its worst interval (`most`)."""
    return [{**r, "at": at(r), "most": at(r, "most_at")} for r in rows]


def ends(row: Row) -> str:
    """The end of the step of a row with `t` and `step_s`."""
    end = dt.datetime.fromisoformat(row["t"]) + dt.timedelta(seconds=int(row["step_s"]))
    return f"{end:%Y-%m-%dT%H:%M:%S}"


def closed(rows: Sequence[Row], subject: str = "") -> list[NewRow]:
    """Rows by subject and time for step lines that extend to the end of the last step and break at gaps.

    Each unbroken run ends with a copy of its last row at the end of the step and a row without numbers.
    """
    found: list[NewRow] = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        found.append(dict(row))
        end = ends(row)
        if after is None or after["t"] != end or (subject and after[subject] != row[subject]):
            found += [{**row, "t": end}, {k: None if isinstance(v, float) else v for k, v in {**row, "t": end}.items()}]
    return found
