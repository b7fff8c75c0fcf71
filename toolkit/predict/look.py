"""What all what-if charts share: colours, type, and lines with their interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from iosq.toolkit.predict.answer import Picture

# Okabe and Ito, "Color Universal Design" (2008): told apart with any colour vision
WAIT, SERVICE, GREEN, PINK, YELLOW = "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00"
COLOURS = (SERVICE, WAIT, GREEN, PINK, YELLOW, "#56B4E9", "#A9A9A9")
INK, FAINT = "#1A1A1A", "#E3E3E3"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
WIDTH, HEIGHT = 640, 220


def finite(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows as a chart can hold them: what is infinite is missing."""
    return [{name: _finite(value) for name, value in row.items()} for row in rows]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finished(chart: Any, title: str, *notes: str) -> Picture:
    """The chart with its finding as title, notes below it, and the toolkit's look."""
    made: Picture = (
        chart.properties(
            title={"text": title, "subtitle": list(notes), "anchor": "start", "fontSize": 15, "subtitleColor": INK}
        )
        .configure(font=FONT, background="#FFFFFF", padding=12)
        .configure_axis(gridColor=FAINT, labelColor=INK, titleColor=INK, labelFontSize=12, titleFontSize=12)
        .configure_view(stroke=None)
        .configure_legend(labelFontSize=12, titleFontSize=12, orient="top", labelLimit=320, symbolOpacity=1)
    )
    return made


def over_time(rows: list[dict[str, Any]], names: Mapping[str, str], y_title: str, x_title: str) -> Any:
    """Lines over the column `time` of `rows`; `names` maps columns to what the legend calls them."""
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
