"""Read hit ratio of every subsystem over time."""

from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.line_chart import draw as draw_lines
from iosq.toolkit.report.line_chart import extremes, floor_of
from iosq.toolkit.report.timeline import at, when
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.theme import Drawing


def draw(rows: Rows, kind: str = "read") -> Drawing:
    """The chart of one kind: read or write."""
    return draw_lines(rows, lowest(rows), "hit_ratio", f"{kind} hits per {kind}", "%", floor_of(rows, "least"))


def lowest(rows: Rows) -> list[str]:
    """The four subsystems with the lowest ratio over the span, lowest first."""
    ratios = {str(r["subsystem"]): float(r["whole_ratio"]) for r in rows}
    return sorted(ratios, key=lambda name: (ratios[name], name))[:4]


def summary(rows: Rows) -> list[NewRow]:
    """Each subsystem's ratio over the whole span, and its worst interval."""
    return [
        {**r, "whole": 100 * r["whole_ratio"], "worst": 100 * r["least"], "at": at(r, "least_at")}
        for r in extremes(rows, "subsystem", "least", min)
    ]


def title(rows: Rows, kind: str = "read") -> str:
    """The title of the chart: the main result."""
    name = lowest(rows)[0]
    worst = min((r for r in rows if r["subsystem"] == name), key=lambda r: (float(r["least"]), r["t"]))
    whole = worst["whole_ratio"]
    if whole >= 0.995:
        return f"Practically every {kind} hits the cache: at least {100 * whole:.1f} % in every subsystem"
    return (
        f"{kind.capitalize()} hits are lowest in subsystem {name}: {100 * whole:.0f} % over the whole span, "
        f"{100 * worst['least']:.0f} % at {when(worst['least_at'])}"
    )
