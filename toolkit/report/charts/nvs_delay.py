"""Writes delayed for lack of NVS, by subsystem over time."""

from __future__ import annotations

from iosq.toolkit.report.chart import Chart, Rows
from iosq.toolkit.report.lines import Lines, draw, mean_by
from iosq.toolkit.report.style import Drawing
from iosq.toolkit.report.timeline import stepped, when

SQL = f"""
WITH {stepped("cache_subsystem_interval")}
SELECT t, subsystem, max(step_s) AS step_s, sum(nvs_delay_count) / sum(write_count) AS delayed_ratio,
       sum(nvs_delay_count) AS delayed
FROM local
WHERE write_count > 0 AND nvs_delay_count IS NOT NULL
GROUP BY t, subsystem
ORDER BY subsystem, t
"""


def _title(rows: Rows) -> str:
    worst = max(rows, key=lambda r: (float(r["delayed_ratio"]), r["subsystem"]))
    hit = sorted({r["subsystem"] for r in rows if r["delayed"]})
    if not hit:
        return "No write waited for room in NVS"
    return (
        f"Writes waited for room in NVS in {len(hit)} subsystem{'s' if len(hit) > 1 else ''}, at most "
        f"{100 * worst['delayed_ratio']:.1f} % of them, in {worst['subsystem']} at {when(worst['t'])}"
    )


def _draw(rows: Rows) -> Drawing:
    means = mean_by(rows, "subsystem", "delayed_ratio")
    marked = sorted((n for n in means if means[n] > 0), key=lambda n: (-round(means[n], 6), n))
    top = max(0.01, 1.05 * max(float(r["delayed_ratio"]) for r in rows))
    look = Lines("delayed_ratio", "writes delayed by NVS", ".0%", "subsystem", "subsystems", 200, (0.0, top))
    return draw(rows, look, marked)


CHART = Chart(
    number=60,
    name="nvs_delay",
    about=(
        "Fast writes that found no room in non-volatile storage, per write (R745DFWB over writes). Each waits for a "
        "destage; the estimate of that time is in the table of subsystems."
    ),
    missing="The lake has no cache statistics (type 74.5) with writes.",
    sql=SQL,
    title=_title,
    draw=_draw,
)
