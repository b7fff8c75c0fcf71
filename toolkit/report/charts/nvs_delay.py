"""Writes delayed for lack of NVS, by subsystem over time."""

from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.line_chart import draw as draw_lines
from iosq.toolkit.report.line_chart import extremes
from iosq.toolkit.report.timeline import at, when
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.theme import Drawing


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    worst = max(rows, key=lambda r: (float(r["most"]), r["subsystem"]))
    count = worst["troubled"]
    if not count:
        return "No write waited for room in NVS"
    return (
        f"Writes waited for room in NVS in {plural(count, 'subsystem')}, at most "
        f"{100 * worst['most']:.1f} % of them, in {worst['subsystem']} at {when(worst['most_at'])}"
    )


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    delayed = {str(r["subsystem"]): float(r["delayed"]) for r in rows if r["delayed"]}
    marked = sorted(delayed, key=lambda name: (-delayed[name], name))
    top = max(0.01, 1.05 * max(float(r["most"]) for r in rows))
    return draw_lines(rows, marked, "delayed_ratio", "writes delayed by NVS", ".0%", (0.0, top))


def summary(rows: Rows) -> Rows:
    """The worst interval of each subsystem."""
    worst = extremes(rows, "subsystem", "most", max)
    return [{**r, "worst": 100 * r["most"], "at": at(r, "most_at")} for r in worst]
