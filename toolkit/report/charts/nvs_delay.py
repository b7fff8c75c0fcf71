"""Writes delayed for lack of NVS, by subsystem over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Rows
from iosq.toolkit.report.line_chart import Lines, draw, extremes
from iosq.toolkit.report.timeline import at, when
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.theme import Drawing


def _title(rows: Rows) -> str:
    worst = max(rows, key=lambda r: (float(r["most"]), r["subsystem"]))
    count = worst["troubled"]
    if not count:
        return "No write waited for room in NVS"
    return (
        f"Writes waited for room in NVS in {plural(count, 'subsystem')}, at most "
        f"{100 * worst['most']:.1f} % of them, in {worst['subsystem']} at {when(worst['most_at'])}"
    )


def _draw(rows: Rows) -> Drawing:
    delayed = {str(r["subsystem"]): float(r["delayed"]) for r in rows if r["delayed"]}
    marked = sorted(delayed, key=lambda name: (-delayed[name], name))
    top = max(0.01, 1.05 * max(float(r["most"]) for r in rows))
    look = Lines("delayed_ratio", "writes delayed by NVS", ".0%", "subsystem", 200, (0.0, top))
    return draw(rows, look, marked)


CHART = Chart(
    number=60,
    name="nvs_delay",
    about=(
        "Fast writes that found no room in non-volatile storage, per write (R745DFWB over writes). Each waits for a "
        "destage; the estimate of that time is in the table of subsystems. The 24 worst subsystems at most. "
        "Where a step holds several intervals, a band shows their range."
    ),
    missing="The lake has no cache statistics (type 74.5) with writes.",
    zvm="",
    columns={
        "subsystem": ("Subsystem", None),
        "delayed": ("Writes delayed", 0),
        "worst": ("Worst, % of writes", 1),
        "at": ("At, local time", None),
    },
    summary=lambda rows: [
        {**r, "worst": 100 * r["most"], "at": at(r, "most_at")} for r in extremes(rows, "subsystem", "most", max)
    ],
    title=_title,
    draw=_draw,
)
