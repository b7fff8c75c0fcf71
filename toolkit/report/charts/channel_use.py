"""Mean and peak utilisation of each channel path."""

from iosq.toolkit.late import alt
from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.timeline import at, when
from iosq.toolkit.show.theme import BLUE, INK, Drawing, inline


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    top = rows[0]
    return (
        f"{top['path']} ({top['type']}) is the busiest: {100 * top['peak_ratio']:.0f} % at {when(top['peak_at'])}, "
        f"{100 * top['mean_ratio']:.0f} % in the mean of the span"
    )


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    ratio = alt.Axis(format=".0%", tickCount=6)
    base = alt.Chart(inline(rows)).encode(y=alt.Y("path:N", sort=[str(r["path"]) for r in rows], title=None))
    tooltip: list[str | alt.Tooltip] = ["path:N", "type:N"]
    tooltip += [
        alt.Tooltip("peak_ratio:Q", format=".1%", title="worst interval"),
        alt.Tooltip("mean_ratio:Q", format=".1%", title="mean"),
    ]
    top = max(float(r["peak_ratio"]) for r in rows)
    x = alt.X("peak_ratio:Q", title="busy", axis=ratio, scale=alt.Scale(domain=[0, min(1.0, 1.1 * top)], nice=False))
    bars = base.mark_bar(height=10, color=BLUE).encode(x=x, tooltip=tooltip)
    ticks = base.mark_tick(color=INK, thickness=2.5, size=16).encode(x="mean_ratio:Q")
    return alt.layer(bars, ticks).properties(height=18 * len(rows))


def summary(rows: Rows) -> Rows:
    """Each path in percent."""
    return [{**r, "peak": 100 * r["peak_ratio"], "at": at(r, "peak_at"), "mean": 100 * r["mean_ratio"]} for r in rows]
