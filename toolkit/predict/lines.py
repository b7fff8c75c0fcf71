"""Line charts that several what-ifs share: over time, or with an uncertainty band."""

from collections.abc import Mapping, Sequence

from iosq.toolkit.late import alt
from iosq.toolkit.rows import Row
from iosq.toolkit.show.theme import COLOURS, HEIGHT, PINK, WIDTH, Drawing


def banded(values: Sequence[Row], names: Sequence[str], title: str, points: bool = True, **channels: object) -> Drawing:
    """A line within its band: columns of value, low and high end; `channels`: Altair encodings of both."""
    value, low, high = names
    chart = alt.Chart(alt.InlineData(values=values))
    band = chart.mark_area(opacity=0.2).encode(y=alt.Y(f"{low}:Q", title=title), y2=f"{high}:Q", **channels)
    line = chart.mark_line(point=points).encode(y=alt.Y(f"{value}:Q", title=title), **channels)
    return alt.layer(band, line).properties(width=WIDTH, height=HEIGHT)


def over_time(rows: Sequence[Row], names: Mapping[str, str], y_title: str, x_title: str) -> Drawing:
    """Lines over the column `time` of `rows`; `names` maps columns to legend labels."""
    long = [{"time": r["time"], "what": label, "value": r[name]} for r in rows for name, label in names.items()]
    lines = (
        alt.Chart(alt.InlineData(values=long))
        .mark_line(strokeWidth=2, color=PINK)
        .encode(
            x=alt.X("time:Q", title=x_title),
            y=alt.Y("value:Q", title=y_title, scale=alt.Scale(zero=True)),
        )
        .properties(width=WIDTH, height=HEIGHT)
    )
    if len(names) == 1:
        return lines
    scale = alt.Scale(domain=list(names.values()), range=list(COLOURS[: len(names)]))
    return lines.encode(color=alt.Color("what:N", sort=list(names.values()), scale=scale, title=None))
