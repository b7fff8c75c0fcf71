"""Lost time by volume and time."""

from __future__ import annotations

from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.chart import LABEL, Chart, Rows
from iosq.toolkit.report.line_chart import extremes
from iosq.toolkit.report.timeline import at, axis, ends, moment, parsed, when
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.show.theme import HEAT, Drawing

_MOST = 30  # the same number as in the query


def _title(rows: Rows) -> str:
    worst = max(rows, key=lambda r: float(r["most_ms"]))
    shown = len({r[LABEL] for r in rows})
    of_them = f"Of the {_MOST} volumes that lose most time " if shown == _MOST else ""
    return f"{of_them}{worst[LABEL]} lost most per I/O: {human_number(worst['most_ms'])} ms at {when(worst['most_at'])}"


def _draw(rows: Rows) -> Drawing:
    import altair as alt

    order = list(dict.fromkeys(str(r[LABEL]) for r in rows))
    slow = sorted(float(r["most_ms"]) for r in rows)
    # one interval of an idle volume may be a hundred times slower than all others
    top = slow[int(0.99 * (len(slow) - 1))]
    cells = [{**r, "until": ends(r), "most_at": at(r, "most_at"), "page": volume_id(r)} for r in rows]
    return (
        alt.Chart(parsed(cells, "t", "until"))
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X("t:T", **axis(rows)),
            x2="until:T",
            y=alt.Y(f"{LABEL}:N", sort=order, title=None, axis=alt.Axis(grid=False)),
            color=alt.Color(
                "most_ms:Q",
                title="ms lost per I/O",
                scale=alt.Scale(range=list(HEAT), domain=[0, top], clamp=True),
                legend=alt.Legend(gradientLength=150, tickCount=4, titleOrient="top"),
            ),
            tooltip=[
                f"{LABEL}:N",
                moment(rows),
                alt.Tooltip("lost_ms:Q", format=".2f", title="ms lost per I/O, mean"),
                alt.Tooltip("most_ms:Q", format=".2f", title="in the worst interval"),
                alt.Tooltip("most_at:N", title="which began"),
                alt.Tooltip("most_rate:Q", format=",.0f", title="with I/Os per s"),
            ],
        )
        .properties(height=15 * len(order))
    )


CHART = Chart(
    number=30,
    name="response_heatmap",
    about=(
        "Response time without conn of the 30 volumes that lose most time, most on top: of each step its worst "
        "interval. Darker is slower (brighter on a dark screen), blank is no I/O, the slowest hundredth of the cells "
        "share the last colour. A band over many volumes points at what they share: a pool, a box, a path."
    ),
    missing="The lake has no volume whose response and connect time are known.",
    columns={
        LABEL: ("Volume", None),
        "lost_s": ("Lost, s", 0),
        "most_ms": ("Worst, ms lost per I/O", 2),
        "most_rate": ("I/Os per s then", 1),
        "at": ("At, local time", None),
    },
    summary=lambda rows: sorted(
        ({**r, "at": at(r, "most_at")} for r in extremes(rows, LABEL, "most_ms", max)),
        key=lambda r: -float(r["lost_s"]),
    ),
    title=_title,
    draw=_draw,
)
