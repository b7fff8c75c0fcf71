"""Predicted effect of more aliases on wait and response: the prediction behind a finding."""

from collections.abc import Sequence
from typing import Any

from iosq.toolkit.advise import Finding
from iosq.toolkit.late import alt
from iosq.toolkit.report.budget import pick
from iosq.toolkit.report.chart import WIDTH, Rows
from iosq.toolkit.report.effect import COLUMNS, MARKS, RESPONSE, WAIT, in_words, points, stated, with_curve
from iosq.toolkit.report.line_chart import dashed
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.theme import INK, PAPER, PARTS, Drawing, heading, inline

# more panels would fill a page
_PANELS = 3
_COLOURS = {RESPONSE: "#0072B2", WAIT: PARTS["IOSQ"]}
_ROOM = 1.35
# marks with a label line of their own; the others share one
_APART = (MARKS[0], MARKS[5], MARKS[1], MARKS[4])
_DASHES = {RESPONSE: [1, 0], WAIT: [6, 3]}


def from_findings(found: Sequence[Finding]) -> list[NewRow]:
    """The points of the first findings with a curve, with the finding's subject and the result in words."""
    first = [f for f, _ in with_curve(found)]
    return [
        {"subject": str(f.subject), "words": in_words(curve, stated(f)), "counted": curve.counted,
         **dict(zip(COLUMNS, point, strict=True))}
        for f, curve in with_curve(pick(first, _PANELS))
        for point in points(curve, stated(f))
    ]  # fmt: skip


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    return f"{rows[0]['subject']}: {rows[0]['words']}"


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    panels: list[Drawing] = []
    for subject in dict.fromkeys(str(r["subject"]) for r in rows):
        own = [r for r in rows if r["subject"] == subject]
        look = panel(inline([{k: r[k] for k in COLUMNS} for r in own]), own[0]["counted"])
        panels.append(look.properties(title=heading(title(own), width=WIDTH)) if panels else look)
    return panels[0] if len(panels) == 1 else alt.vconcat(*panels)


def panel(data: Any, counted: str) -> Drawing:
    """The picture of one curve: two lines with their bands, and a rule at each count that matters.

    `data`: rows with the keys of `effect.COLUMNS`, as Altair takes them. `counted`: the title of their axis.
    """
    names = list(_COLOURS)
    scale = alt.Scale(domain=names, range=list(_COLOURS.values()))
    x = alt.X(
        "count:Q",
        title=counted,
        axis=alt.Axis(tickMinStep=1, format="d", grid=False),
        scale=alt.Scale(zero=False, nice=False, padding=24),
    )
    base = alt.Chart(data).encode(x=x, color=alt.Color("line:N", scale=scale, legend=dashed()))
    y = alt.Y("ms:Q", title="ms per I/O at the peak", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6))
    dash = alt.StrokeDash("line:N", scale=alt.Scale(domain=names, range=list(_DASHES.values())), legend=dashed())
    # invisible marks that make the axis long enough for the names above the lines
    room = base.transform_calculate(room=f"{_ROOM} * datum.high").mark_point(opacity=0).encode(y="room:Q")
    band = base.mark_area(opacity=0.22).encode(y=alt.Y("low:Q"), y2="high:Q")
    line = (
        base.mark_line(strokeWidth=2.5, point={"size": 45})
        .transform_calculate(worst="isValid(datum.limit) ? datum.limit : format(datum.high, '.3~g')")
        .encode(y=y, strokeDash=dash, tooltip=_tooltip())
    )
    edge = base.mark_line(strokeWidth=0.8)
    low = edge.encode(y="low:Q", opacity=alt.value(0.7))
    # a band without limit has no visible upper edge; omitting its rows would leave the axis without a domain
    unseen = alt.condition("isValid(datum.limit)", alt.value(0), alt.value(0.7))
    high = edge.encode(y="high:Q", detail="limit:N", opacity=unseen)
    return alt.layer(*_marks(data, x), room, band, low, high, line).properties(height=220)


def _marks(data: Any, x: Any) -> list[Drawing]:
    """A rule and a label at each marked count; labels are stacked, so neighbours do not overlap."""

    def by_mark(*values: Any) -> Any:
        other, *own = values
        each = [f"datum.mark === '{name}' ? {value} : " for name, value in zip(_APART, own, strict=False)]
        return alt.ExprRef("".join(each) + str(other))

    base = alt.Chart(data).transform_filter("isValid(datum.mark)").encode(x=x)
    look = {
        "align": alt.ExprRef("datum.side"),
        "dx": alt.ExprRef("datum.side === 'left' ? 5 : -5"),
        "dy": by_mark(15, 30, 30, 0, 45),
        "fontWeight": 600,
    }
    # white halo, because on narrow paper a name overlaps the next rule
    names = [base.mark_text(**look, stroke=PAPER, strokeWidth=4), base.mark_text(**look)]
    rule = base.mark_rule(color=INK, strokeWidth=1.2, strokeDash=by_mark([5, 3], [1, 0], [1, 0], [2, 3]))
    return [rule, *(name.encode(y=alt.value(8), text="mark:N") for name in names)]


def _tooltip() -> list[Any]:
    return [
        alt.Tooltip("count:Q", title="aliases"),
        "line:N",
        alt.Tooltip("ms:Q", format=".3~g", title="ms"),
        alt.Tooltip("low:Q", format=".3~g", title="at best, ms"),
        alt.Tooltip("worst:N", title="at worst, ms"),
        alt.Tooltip("rate:Q", format=",.0f", title="I/Os per s"),
    ]
