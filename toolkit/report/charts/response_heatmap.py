"""Lost time by volume and time."""

from iosq.toolkit.late import alt
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.chart import LABEL, Rows
from iosq.toolkit.report.line_chart import extremes
from iosq.toolkit.report.timeline import at, axis, ends, moment, parsed, when
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.show.theme import HEAT, Drawing

_MOST = 30  # the same number as in the query


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    worst = max(rows, key=lambda r: float(r["most_ms"]))
    shown = len({r[LABEL] for r in rows})
    lead = f"Of the {_MOST} volumes that lose most time " if shown == _MOST else ""
    return f"{lead}{worst[LABEL]} lost most per I/O: {human_number(worst['most_ms'])} ms at {when(worst['most_at'])}"


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
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


def summary(rows: Rows) -> Rows:
    """The worst interval of each volume, the volume with most lost time first."""
    worst = [{**r, "at": at(r, "most_at")} for r in extremes(rows, LABEL, "most_ms", max)]
    return sorted(worst, key=lambda r: -float(r["lost_s"]))
