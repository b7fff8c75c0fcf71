"""Lines over time, as several what-ifs draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iosq.toolkit.rows import Row
from iosq.toolkit.show.theme import COLOURS, HEIGHT, PINK, WIDTH, Drawing


def over_time(rows: Sequence[Row], names: Mapping[str, str], y_title: str, x_title: str) -> Drawing:
    """Lines over the column `time` of `rows`; `names` maps columns to legend labels."""
    import altair as alt

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
