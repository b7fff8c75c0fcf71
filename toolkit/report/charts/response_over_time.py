"""Where the response time of all volumes goes, over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Row, Rows
from iosq.toolkit.report.parts import NAMES, PART_MS, long_form, part_colour
from iosq.toolkit.report.style import Drawing
from iosq.toolkit.report.timeline import axis, closed, parsed, stepped, when

SQL = f"""
WITH {stepped("volume_interval")}
SELECT t, max(step_s) AS step_s, {PART_MS}, sum(io_rate * interval_s) AS ios
FROM local
WHERE io_rate > 0 AND response_ms IS NOT NULL
GROUP BY t
ORDER BY t
"""


def _title(rows: Rows) -> str:
    def response(row: Row) -> float:
        return float(sum(row[name] for name in NAMES))

    worst = max(rows, key=response)
    whole = response(worst) or 1.0
    shares = ", ".join(f"{shown} {100 * worst[name] / whole:.0f} %" for name, shown in NAMES.items())
    return f"I/Os took longest at {when(worst['t'])}: {whole:.1f} ms, of it {shares}"


def _draw(rows: Rows) -> Drawing:
    import altair as alt

    return (
        alt.Chart(parsed(long_form(closed(rows), ("t",))))
        .mark_area(interpolate="step-after", stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("t:T", **axis(rows)),
            y=alt.Y("ms:Q", title="response time per I/O, ms", stack="zero"),
            color=part_colour(),
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
    about="Mean of all volumes and systems, weighted by I/Os; each system in its own local time.",
    missing="The lake has no volume with a measured response time.",
    sql=SQL,
    title=_title,
    draw=_draw,
)
