"""Read hit ratio of every subsystem over time."""

from __future__ import annotations

from iosq.toolkit.report.hit_ratios import hit_chart

CHART = hit_chart(
    50,
    "read",
    "Reads found in cache, per subsystem (SSID), the 24 lowest at most, four of them in colour. A miss waits for "
    "the back end: disc. Where a step holds several intervals, a band shows their range.",
)
