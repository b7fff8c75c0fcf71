"""Where the response time of all volumes goes, over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Rows
from iosq.toolkit.report.response_parts import long_form, part_colour, slowest
from iosq.toolkit.report.timeline import at, axis, closed, parsed
from iosq.toolkit.show.theme import PAPER, Drawing


def _draw(rows: Rows) -> Drawing:
    import altair as alt

    return (
        alt.Chart(parsed(long_form(closed(rows), ("t",))))
        .mark_area(interpolate="step-after", stroke=PAPER, strokeWidth=0.5)
        .encode(
            x=alt.X("t:T", **axis(rows)),
            y=alt.Y("ms:Q", title="response time per I/O, ms", stack="zero"),
            color=part_colour(rows),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("t:T", title="local time", format="%Y-%m-%d %H:%M"),
                "part:N",
                alt.Tooltip("ms:Q", format=".3f", title="ms per I/O"),
            ],
        )
        .properties(height=230)
    )


CHART = Chart(
    number=20,
    name="response_over_time",
    about="Mean of all volumes and systems, weighted by I/Os.",
    missing="The lake has no volume with a measured response time.",
    columns={
        "at": ("Local time", None),
        "iosq": ("IOSQ ms", 2),
        "pend": ("pend ms", 2),
        "disc": ("disc ms", 2),
        "conn": ("conn ms", 2),
        "ios": ("I/Os", 0),
    },
    summary=lambda rows: [{**r, "at": at(r)} for r in rows],
    title=slowest,
    draw=_draw,
)
