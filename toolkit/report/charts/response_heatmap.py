"""Which volumes lost time when."""

from __future__ import annotations

from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.chart import LABEL, Chart, Rows
from iosq.toolkit.report.line_chart import extremes
from iosq.toolkit.report.timeline import at, axis, ends, parsed, when
from iosq.toolkit.show.theme import HEAT, Drawing


def _title(rows: Rows) -> str:
    worst = max(rows, key=lambda r: float(r["lost_ms"]))
    return f"{worst[LABEL]} lost most per I/O: {worst['lost_ms']:.1f} ms at {when(worst['t'])}"


def _draw(rows: Rows) -> Drawing:
    import altair as alt

    order = list(dict.fromkeys(str(r[LABEL]) for r in rows))
    slow = sorted(float(r["lost_ms"]) for r in rows)
    # one interval of an idle volume may be a hundred times slower than all others
    top = slow[int(0.99 * (len(slow) - 1))]
    cells = [{**r, "until": ends(r), "page": volume_id(r)} for r in rows]
    return (
        alt.Chart(parsed(cells, "t", "until"))
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X("t:T", **axis(rows)),
            x2="until:T",
            y=alt.Y(f"{LABEL}:N", sort=order, title=None, axis=alt.Axis(grid=False)),
            color=alt.Color(
                "lost_ms:Q",
                title="ms lost per I/O",
                scale=alt.Scale(range=list(HEAT), domain=[0, top], clamp=True),
                legend=alt.Legend(gradientLength=150, tickCount=4, titleOrient="top"),
            ),
            tooltip=[
                f"{LABEL}:N",
                alt.Tooltip("t:T", title="local time", format="%Y-%m-%d %H:%M"),
                alt.Tooltip("lost_ms:Q", format=".2f", title="ms lost per I/O"),
                alt.Tooltip("io_rate:Q", format=",.0f", title="I/Os per s"),
            ],
        )
        .properties(height=15 * len(order))
    )


CHART = Chart(
    number=30,
    name="response_heatmap",
    about=(
        "Response time without conn of the 30 volumes that lose most time, most on top; darker is slower (brighter on "
        "a dark screen), blank is no I/O, the slowest hundredth of the cells share the last colour. A band over many "
        "volumes points at what they share: a pool, a box, a path. A click on a cell opens the page of its volume."
    ),
    missing="The lake has no volume whose response and connect time are known.",
    columns={
        LABEL: ("Volume", None),
        "lost_s": ("Lost, s", 0),
        "lost_ms": ("Worst, ms lost per I/O", 2),
        "io_rate": ("I/Os per s then", 1),
        "at": ("At, local time", None),
    },
    summary=lambda rows: sorted(
        ({**r, "at": at(r)} for r in extremes(rows, LABEL, "lost_ms", max)), key=lambda r: -float(r["lost_s"])
    ),
    title=_title,
    draw=_draw,
)
