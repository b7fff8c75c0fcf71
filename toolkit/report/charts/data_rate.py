"""Megabytes read and written per second over all channels, over time."""

from iosq.toolkit.late import alt
from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.timeline import axis, closed, moment, parsed, when, with_band, with_instants
from iosq.toolkit.show.theme import BLUE, ORANGE, PAPER, Drawing

_NAMES = {"read_mb": "read", "write_mb": "written"}


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    top = max(rows, key=lambda r: float(r["most_mb"]))
    moved = f"{top['most_read_mb']:,.0f} MB/s read and {top['most_write_mb']:,.0f} MB/s written"
    return f"Most data moved at {when(top['most_at'])}: {moved}"


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
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


summary = with_instants
