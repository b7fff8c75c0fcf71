"""Megabytes read and written per second over all channels, over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Rows
from iosq.toolkit.report.timeline import at, axis, closed, moment, parsed, when, with_band
from iosq.toolkit.show.records import ZVM_BYTES
from iosq.toolkit.show.theme import BLUE, ORANGE, PAPER, Drawing

_NAMES = {"read_mb": "read", "write_mb": "written"}


def _title(rows: Rows) -> str:
    top = max(rows, key=lambda r: float(r["most_mb"]))
    moved = f"{top['most_read_mb']:,.0f} MB/s read and {top['most_write_mb']:,.0f} MB/s written"
    return f"Most data moved at {when(top['most_at'])}: {moved}"


def _draw(rows: Rows) -> Drawing:
    import altair as alt

    values = [
        {"t": r["t"], "what": label, "mb": r[name], "place": place}
        for r in closed(rows)
        for place, (name, label) in enumerate(_NAMES.items())
    ]
    colour = alt.Scale(domain=list(_NAMES.values()), range=[BLUE, ORANGE])
    stack = (
        alt.Chart(parsed(values))
        .mark_area(interpolate="step-after", stroke=PAPER, strokeWidth=0.5)
        .encode(
            x=alt.X("t:T", **axis(rows)),
            y=alt.Y("mb:Q", title="MB/s over all channels", stack="zero"),
            color=alt.Color("what:N", scale=colour, legend=alt.Legend(title=None, symbolType="square")),
            order=alt.Order("place:Q"),
            tooltip=[moment(rows), "what:N", alt.Tooltip("mb:Q", format=",.1f", title="MB/s")],
        )
    )
    totals = [{**r, "mean_mb": r["read_mb"] + r["write_mb"]} for r in rows]
    return with_band(stack, totals, "mean_mb", "least_mb", "most_mb").properties(height=200)


CHART = Chart(
    number=85,
    name="data_rate",
    about=(
        "Bytes each system moved over its channels, all systems together, in millions per second; tape and everything "
        "else on channels is part of it. Where a step holds several intervals, the grey above it reaches to the one "
        "that moved most, and the dotted line is the one that moved least."
    ),
    missing="The lake has no channel measurements (type 73) that count bytes.",
    zvm=f"The lake has no channel measurements that count bytes: ingest {ZVM_BYTES}.",
    columns={
        "at": ("Local time", None),
        "read_mb": ("Read MB/s", 1),
        "write_mb": ("Written MB/s", 1),
        "most_mb": ("Highest interval, MB/s", 1),
        "most": ("It began, local time", None),
    },
    summary=lambda rows: [{**r, "at": at(r), "most": at(r, "most_at")} for r in rows],
    title=_title,
    draw=_draw,
)
