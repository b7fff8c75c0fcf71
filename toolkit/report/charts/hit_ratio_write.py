"""Write hit ratio of every subsystem over time."""

from __future__ import annotations

from iosq.toolkit.report.hit_ratios import hit_chart

CHART = hit_chart(
    51,
    "write",
    "Writes that hit, per subsystem (SSID), the 24 lowest at most, four of them in colour. Normally near 100 %: "
    "full NVS makes writes miss. Where a step holds several intervals, a band shows their range.",
)
