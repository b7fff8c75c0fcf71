"""Megabytes read and written per second over all channels, over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Rows
from iosq.toolkit.report.timeline import at, axis, closed, parsed, when
from iosq.toolkit.show.records import ZVM_BYTES
from iosq.toolkit.show.theme import BLUE, ORANGE, PAPER, Drawing

_NAMES = {"read_mb": "read", "write_mb": "written"}


def _title(rows: Rows) -> str:
    top = max(rows, key=lambda r: float(r["read_mb"] + r["write_mb"]))
    return (
        f"Most data moved at {when(top['t'])}: {top['read_mb']:,.0f} MB/s read and {top['write_mb']:,.0f} MB/s written"
    )


def _draw(rows: Rows) -> Drawing:
    import altair as alt

    values = [
        {"t": r["t"], "what": label, "mb": r[name], "place": place}
        for r in closed(rows)
        for place, (name, label) in enumerate(_NAMES.items())
    ]
    colour = alt.Scale(domain=list(_NAMES.values()), range=[BLUE, ORANGE])
    return (
        alt.Chart(parsed(values))
        .mark_area(interpolate="step-after", stroke=PAPER, strokeWidth=0.5)
        .encode(
            x=alt.X("t:T", **axis(rows)),
            y=alt.Y("mb:Q", title="MB/s over all channels", stack="zero"),
            color=alt.Color("what:N", scale=colour, legend=alt.Legend(title=None, symbolType="square")),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("t:T", title="local time", format="%Y-%m-%d %H:%M"),
                "what:N",
                alt.Tooltip("mb:Q", format=",.1f", title="MB/s"),
            ],
        )
        .properties(height=200)
    )


CHART = Chart(
    number=85,
    name="data_rate",
    about=(
        "Bytes each system moved over its channels, all systems together, in millions per second; tape and everything "
        "else on channels is part of it."
    ),
    missing="The lake has no channel measurements (type 73) that count bytes.",
    zvm=f"The lake has no channel measurements that count bytes: {ZVM_BYTES} tells them.",
    columns={"at": ("Local time", None), "read_mb": ("Read MB/s", 1), "write_mb": ("Written MB/s", 1)},
    summary=lambda rows: [{**r, "at": at(r)} for r in rows],
    title=_title,
    draw=_draw,
)
