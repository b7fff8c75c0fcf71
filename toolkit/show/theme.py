"""Colours and fonts of all charts, on the page and in files."""

from collections.abc import Iterable
from typing import Any, TypeAlias, Union

from iosq.toolkit.late import alt
from iosq.toolkit.rows import Row

Picture: TypeAlias = Union["alt.Chart", "alt.LayerChart", "alt.VConcatChart", "alt.HConcatChart"]
# an altair.Chart or LayerChart, whose methods are typed too loosely for a union to help
Drawing: TypeAlias = Any

# Okabe and Ito, "Color Universal Design" (2008): distinct with any colour vision
VERMILION, ORANGE, BLUE, SKY, GREEN, PINK = "#D55E00", "#E69F00", "#0072B2", "#56B4E9", "#009E73", "#CC79A7"
# lighter than Okabe and Ito's: dark to light in stacking order, to be distinct in greyscale print
PARTS = {"IOSQ": VERMILION, "pend": ORANGE, "disc": BLUE, "conn": "#9AD0F0"}
WAIT, SERVICE = VERMILION, BLUE
OTHERS = "#A9A9A9"
COLOURS = (BLUE, VERMILION, GREEN, PINK, ORANGE, SKY, OTHERS)
HIGHLIGHTS = (VERMILION, BLUE, GREEN, PINK)
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
INK, FAINT, RULE, PAPER = "#1A1A1A", "#E3E3E3", "#8C8C8C", "#FFFFFF"
# slow is dark, or bright on a dark background
HEAT = ("#FFF7D6", "#FEC44F", "#EC7014", "#8C2D04")
# replacements on a dark background; blue and vermilion are lighter for contrast of lines and text
DARK = {
    INK: "#E8E8E8",
    FAINT: "#34383F",
    PAPER: "#16181C",
    OTHERS: "#6F757D",
    VERMILION: "#F07F2E",
    BLUE: "#3A8FD0",
    GREEN: "#2BBF93",
    **dict(zip(HEAT, ("#2A241C", "#7A4A12", "#D9701A", "#FFD98A"), strict=True)),
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
WIDTH, HEIGHT = 640, 220
_LETTERS_PER_PIXEL = 115 / 960


def inline(rows: Iterable[Row], parse: Row | None = None) -> Drawing:
    """Rows as the data of a chart; `parse`: data types by column.

    A dictionary, because Altair validates each value of its `InlineData`, and a tuple, because it copies a list for
    each layer; both take longer than everything else in a chart of some thousand rows.
    """
    return {"values": tuple(dict(r) for r in rows)} | ({"format": {"type": "json", "parse": parse}} if parse else {})


def themed(chart: Drawing) -> Drawing:
    """The chart in the toolkit's style, with its data inside the specification."""
    ink = {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12}
    axis = {
        "titleFontWeight": 600,
        "gridColor": FAINT,
        "domainColor": RULE,
        "tickColor": RULE,
        "labelLimit": 240,
        "labelSeparation": 6,
    }
    legend = {"orient": "top", "titleOrient": "left", "labelLimit": 320, "symbolSize": 140, "symbolOpacity": 1}
    return chart.configure(
        font=FONT,
        background=PAPER,
        padding=12,
        axis=ink | axis,
        axisTemporal={"format": {"hours": "%H:%M", "minutes": "%H:%M"}},  # days and months keep their own
        legend=ink | legend,
        title={"anchor": "start", "fontSize": 15, "color": INK, "subtitleColor": INK, "subtitleFontSize": 12},
        view={"stroke": None},
        text={"fontSize": 12, "color": INK, "font": FONT},
    )


def finished(chart: Drawing, title: str, *notes: str, width: int = WIDTH) -> Picture:
    """The chart in the toolkit's style, with the main conclusion as title, and notes as subtitle."""
    stated = [note for note in notes if note]
    # full texts, for pages that wrap them themselves
    whole = {"title": title, "notes": stated}
    made: Picture = themed(chart.properties(title=heading(title, *stated, width=width), usermeta=whole))
    return made


def heading(title: str, *notes: str, width: int = WIDTH) -> Row:
    """The title and subtitle of a chart, wrapped to a width in pixels."""
    import textwrap

    letters = int(width * _LETTERS_PER_PIXEL)
    lines = [line for note in notes for line in textwrap.wrap(note, int(1.15 * letters))]
    return {"text": textwrap.wrap(title, letters) or [title], "subtitle": lines, "anchor": "start"}
