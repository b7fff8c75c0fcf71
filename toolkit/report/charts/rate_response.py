"""Rate against response: busy and slow, or only slow."""

import math
from typing import Any

from iosq.toolkit.late import alt
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.chart import LABEL, Rows
from iosq.toolkit.report.response_parts import colours, largest, part_colour
from iosq.toolkit.show.theme import PAPER, Drawing, inline

_SHAPES = ("triangle-up", "diamond", "square", "circle", "cross")


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    slow = max(rows, key=lambda r: float(r["response_ms"]))
    busy = max(rows, key=lambda r: float(r["io_rate"]))
    if slow[LABEL] == busy[LABEL]:
        return f"{slow[LABEL]} is the busiest and the slowest volume of the span: {slow['response_ms']:.1f} ms per I/O"
    return (
        f"Slowest over the span: {slow[LABEL]}, {slow['response_ms']:.1f} ms at {slow['io_rate']:,.0f} I/Os per s; "
        f"busiest: {busy[LABEL]}, {busy['response_ms']:.1f} ms at {busy['io_rate']:,.0f}"
    )


def _named(rows: Rows) -> set[str]:
    """Labels of the volumes to name, few enough not to overlap: the slowest, the busiest, most lost time, by cause."""
    chosen = [max(rows, key=lambda r: float(r[k] or 0)) for k in ("response_ms", "io_rate", "lost_s")]
    for part in ("IOSQ", "disc"):
        chosen += [r for r in rows if largest(r)[0] == part][:1]
    return {str(r[LABEL]) for r in chosen}


def _log(rows: Rows, name: str) -> Any:
    """A logarithmic scale with some room at both ends."""
    values = [float(r[name]) for r in rows]
    return alt.Scale(type="log", domain=[min(values) * 0.8, max(values) * 1.3], nice=False)


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    named, kinds = _named(rows), list(colours(rows))
    points = [
        {**{k: r[k] for k in (LABEL, "io_rate", "response_ms", "lost_s")}, "part": largest(r)[0], "page": volume_id(r),
         "size": r["lost_s"] or 0, "text": str(r[LABEL]) if str(r[LABEL]) in named else ""}
        for r in rows
    ]  # fmt: skip
    base = alt.Chart(inline(points)).encode(
        x=alt.X("io_rate:Q", title="I/Os per s, mean over the span", scale=_log(rows, "io_rate")),
        y=alt.Y("response_ms:Q", title="response time per I/O, ms", scale=_log(rows, "response_ms")),
    )
    dots = base.mark_point(cursor="pointer", filled=True, opacity=0.75, stroke=PAPER, strokeWidth=0.5).encode(
        color=part_colour(rows).title("largest part"),
        shape=alt.Shape("part:N", scale=alt.Scale(domain=kinds, range=list(_SHAPES[: len(kinds)]))),
        size=alt.Size("size:Q", scale=alt.Scale(range=[30, 500]), legend=None),
        tooltip=[
            f"{LABEL}:N",
            alt.Tooltip("io_rate:Q", format=",.1f", title="I/Os per s"),
            alt.Tooltip("response_ms:Q", format=".2f", title="ms per I/O"),
            alt.Tooltip("part:N", title="largest part"),
        ],
    )
    return alt.layer(dots, *_names(base, rows)).properties(height=380)


def _names(base: Drawing, rows: Rows) -> list[Drawing]:
    """Names on a white halo, because on narrow paper they overlap other marks."""
    rates = [float(r["io_rate"]) for r in rows]
    # marks right of the middle of the axis have their label on the left
    side = f"datum.io_rate > {math.sqrt(min(rates) * max(rates))}"
    place = {"align": alt.ExprRef(f"{side} ? 'right' : 'left'"), "dx": alt.ExprRef(f"{side} ? -11 : 11"), "dy": -7}
    halo = base.mark_text(**place, fontWeight=600, stroke=PAPER, strokeWidth=4)
    return [mark.encode(text="text:N") for mark in (halo, base.mark_text(**place, fontWeight=600))]
