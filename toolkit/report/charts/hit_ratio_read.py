"""Read hit ratio of every subsystem over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Rows
from iosq.toolkit.report.hit_ratios import COLUMNS, hit_title, lowest, lowest_of_each
from iosq.toolkit.report.line_chart import Lines, draw, floor_of
from iosq.toolkit.show.theme import Drawing


def _draw(rows: Rows) -> Drawing:
    look = Lines("hit_ratio", "read hits per read", "%", "subsystem", 200, floor_of(rows, "least"))
    return draw(rows, look, lowest(rows))


CHART = Chart(
    number=50,
    name="hit_ratio_read",
    about=(
        "Reads found in cache, per subsystem (SSID), the 24 lowest at most, four of them in colour. A miss waits for "
        "the back end: disc. Where a step holds several intervals, a band shows their range."
    ),
    missing="The lake has no cache statistics (type 74.5) with reads.",
    zvm="",
    columns=COLUMNS,
    summary=lowest_of_each,
    title=lambda rows: hit_title(rows, "read"),
    draw=_draw,
)
