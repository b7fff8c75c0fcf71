"""Response time of the volumes that lose most time, stacked into its parts."""

from iosq.toolkit.late import alt
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.chart import LABEL, Rows
from iosq.toolkit.report.response_parts import largest, long_form, part_colour
from iosq.toolkit.show.theme import PAPER, Drawing, inline


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    top = rows[0]
    name, share = largest(top)
    waiting = [r for r in rows if largest(r)[0] == "IOSQ"]
    if top["lost_s"] is None:
        return f"{top[LABEL]}: {top['response_ms']:.1f} ms per I/O, {100 * share:.0f} % of it {name}; conn is not known"
    also = f"; IOSQ is also the largest part of {len(waiting) - 1} more" if name == "IOSQ" and len(waiting) > 1 else ""
    return f"{top[LABEL]} loses most time: {100 * share:.0f} % of its response time is {name}{also}"


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    # room for the number behind the longest bar
    room = alt.Scale(domainMax=1.15 * max(float(r["response_ms"]) for r in rows), nice=False)
    y = alt.Y(f"{LABEL}:N", sort=[str(r[LABEL]) for r in rows], title=None)
    bars = (
        alt.Chart(inline(long_form([{**r, "page": volume_id(r)} for r in rows], (LABEL, "page"))))
        .mark_bar(cursor="pointer", stroke=PAPER, strokeWidth=0.7)
        .encode(
            y=y,
            x=alt.X("ms:Q", title="response time per I/O, ms", stack="zero", scale=room, axis=alt.Axis(tickCount=6)),
            color=part_colour(rows),
            order=alt.Order("place:Q"),
            tooltip=[f"{LABEL}:N", "part:N", alt.Tooltip("ms:Q", format=".3f", title="ms per I/O")],
        )
    )
    numbers = [{**{k: r[k] for k in (LABEL, "response_ms")}, "text": f"{r['response_ms']:.2f}"} for r in rows]
    ends = alt.Chart(inline(numbers)).mark_text(align="left", dx=5).encode(y=y, x="response_ms:Q", text="text:N")
    return alt.layer(bars, ends).properties(height=22 * len(rows))
