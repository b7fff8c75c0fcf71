"""Colours and type of all charts."""

from __future__ import annotations

from typing import Any, TypeAlias

# an altair.Chart or LayerChart: their methods are typed so loosely that a union of them helps no one
Drawing: TypeAlias = Any

# Okabe and Ito, "Color Universal Design" (2008): told apart with any colour vision. Chosen from dark to light in the
# order of stacking, so that the parts stay apart in a grey print.
PARTS = {"IOSQ": "#D55E00", "pend": "#E69F00", "disc": "#0072B2", "conn": "#9AD0F0"}
HIGHLIGHTS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7")
OTHERS = "#A9A9A9"
INK, FAINT = "#1A1A1A", "#E3E3E3"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# read and drawn as if it were UTC, so that no browser moves local times to its own zone
PARSE_LOCAL = "utc:'%Y-%m-%dT%H:%M:%S'"


def styled(chart: Drawing) -> Drawing:
    """The chart with the toolkit's look; data stays inside the specification."""
    axis = {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 600,
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": FAINT,
        "domainColor": "#8C8C8C",
        "tickColor": "#8C8C8C",
        "labelLimit": 240,
    }
    legend = {"labelFontSize": 12, "titleFontSize": 12, "orient": "top", "titleOrient": "left", "labelLimit": 320}
    return chart.configure(
        font=FONT,
        background="#FFFFFF",
        axis=axis,
        legend={**legend, "labelColor": INK, "titleColor": INK, "symbolSize": 140},
        view={"stroke": None},
        text={"fontSize": 12, "color": INK, "font": FONT},
    )
