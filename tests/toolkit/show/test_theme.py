"""The look of charts."""

import re

import altair as alt
import vl_convert

from iosq.toolkit.report.timeline import parsed
from iosq.toolkit.show.theme import themed


def test_a_time_axis_has_24_hours() -> None:
    rows = [{"t": f"2025-11-{day}T{hour:02}:15:00", "ms": hour} for day in (18, 19) for hour in range(24)]
    x = alt.X("t:T", scale=alt.Scale(type="utc"))
    drawn = themed(alt.Chart(parsed(rows)).mark_line().encode(x=x, y="ms:Q").properties(width=900))
    svg = vl_convert.vegalite_to_svg(drawn.to_dict())
    labels = re.findall(r">([^<>]+)</text>", svg)
    assert {"06:00", "18:00", "Wed 19"} <= set(labels)
    assert not [text for text in labels if text.endswith(("AM", "PM"))]
