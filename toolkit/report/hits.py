"""Hit ratios by subsystem: one query and one title for reads and writes."""

from __future__ import annotations

from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.lines import mean_by
from iosq.toolkit.report.timeline import stepped, when


def hit_sql(kind: str) -> str:
    """The query for `read` or `write`: one row per step and subsystem."""
    return f"""
WITH {stepped("cache_subsystem_interval")}
SELECT t, subsystem, max(step_s) AS step_s, sum({kind}_hit_count) / sum({kind}_count) AS hit_ratio,
       sum({kind}_count) AS ios
FROM local
WHERE {kind}_count > 0
GROUP BY t, subsystem
ORDER BY subsystem, t
"""


def lowest(rows: Rows) -> list[str]:
    """The four subsystems with the lowest mean, lowest first."""
    means = mean_by(rows, "subsystem", "hit_ratio")
    return sorted(means, key=lambda name: (round(means[name], 4), name))[:4]


def hit_title(rows: Rows, kind: str) -> str:
    """What the lines say, in a sentence."""
    worst = min(rows, key=lambda r: (float(r["hit_ratio"]), r["subsystem"], r["t"]))
    if worst["hit_ratio"] >= 0.995:
        return f"Practically every {kind} hits the cache: at least {100 * worst['hit_ratio']:.1f} % in every subsystem"
    return (
        f"{kind.capitalize()} hits were lowest in subsystem {worst['subsystem']}: "
        f"{100 * worst['hit_ratio']:.0f} % at {when(worst['t'])}"
    )
