"""Parts of the response time of all volumes, over time."""

from iosq.toolkit.late import alt
from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.response_parts import NAMES, long_form, part_colour, parts, shares
from iosq.toolkit.report.timeline import axis, closed, moment, parsed, week_line, when, with_band, with_instants
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.show.theme import PAPER, Drawing


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    worst = max(rows, key=lambda r: float(r["most_ms"] or 0))
    made_of = shares({name: worst[f"most_{name}"] for name in NAMES})
    return f"I/Os took longest at {when(worst['most_at'])}: {human_number(worst['most_ms'])} ms, of it {made_of}"


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    stack = (
        alt.Chart(parsed(long_form(closed(rows), ("t",))))
        .mark_area(interpolate="step-after", stroke=PAPER, strokeWidth=0.5)
        .encode(
            x=alt.X("t:T", **axis(rows)),
            y=alt.Y("ms:Q", title="response time per I/O, ms", stack="zero"),
            color=part_colour(rows),
            order=alt.Order("place:Q"),
            tooltip=[moment(rows), "part:N", alt.Tooltip("ms:Q", format=".3f", title="ms per I/O")],
        )
    )
    values = [{**r, "mean_ms": sum(parts(r).values())} for r in rows]
    banded = with_band(stack, values, "mean_ms", "least_ms", "most_ms")
    if any(r["week_ms"] is not None for r in rows):
        own = [{"t": r["t"], "week_ms": r["week_ms"]} for r in closed(rows)]
        banded = alt.layer(banded, week_line(alt.Chart(parsed(own)), "week_ms"))
    return banded.properties(height=230)


summary = with_instants
