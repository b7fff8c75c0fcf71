"""Alias use of each pool, and if I/Os found no free alias."""

from iosq.toolkit.late import alt
from iosq.toolkit.report.anchors import anchor
from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.timeline import when
from iosq.toolkit.rows import Row
from iosq.toolkit.show.theme import INK, PARTS, Drawing, inline
from iosq.toolkit.units import human_number

_STATES = ("found every alias", "some I/Os found none")


def title(rows: Rows) -> str:
    """The title: the main result, in numbers."""
    exhausted = [r for r in rows if r["dry_intervals"]]
    if not exhausted:
        return "No alias pool refused an I/O"
    worst = exhausted[0]
    often = f"{worst['dry_intervals']} of {worst['intervals']} intervals"
    return f"{worst['pool']} refused I/Os an alias in {often}{_most(worst)}"


def _most(row: Row) -> str:
    """The ratio of the worst interval, if the source of the pool reports one."""
    if row["denied_ratio"] is None:
        return ""
    return f": up to {human_number(row['denied_ratio'], 2)} refusals per HyperPAV I/O, at {when(row['denied_at'])}"


def _note(row: Row) -> str:
    pool = f" of {row['aliases']}" if row["aliases"] is not None else ""
    denied = f", {human_number(row['denied_ratio'], 2)} refusals per I/O" if row["dry_intervals"] else ""
    return f"{row['high_water']}{pool}{denied}"


def draw(rows: Rows) -> Drawing:
    """The chart of the rows."""
    values = [{**r, "text": _note(r), "state": _STATES[bool(r["dry_intervals"])],
               "page": anchor("lcu", r["lcu"], r["system"]),
               "end": max(r["high_water"], r["aliases"] or 0)} for r in rows]  # fmt: skip
    room = alt.Scale(domainMax=1.35 * max(v["end"] for v in values), nice=False)
    base = alt.Chart(inline(values)).encode(y=alt.Y("pool:N", sort=[str(r["pool"]) for r in rows], title=None))
    bars = base.mark_bar(height=12, cursor="pointer").encode(
        x=alt.X(
            "high_water:Q",
            title="HyperPAV aliases",
            scale=room,
            axis=alt.Axis(tickCount=8, tickMinStep=1),
        ),
        color=alt.Color(
            "state:N",
            scale=alt.Scale(domain=list(_STATES), range=[PARTS["conn"], PARTS["IOSQ"]]),
            legend=alt.Legend(title=None, symbolType="square"),
        ),
        tooltip=["pool:N", "high_water:Q", "aliases:Q", "dry_intervals:Q", "intervals:Q"],
    )
    ticks = base.mark_tick(color=INK, thickness=2.5, size=18).encode(x="aliases:Q")
    notes = base.mark_text(align="left", dx=8).encode(x="end:Q", text="text:N")
    return alt.layer(bars, ticks, notes).properties(height=24 * len(rows))


def summary(rows: Rows) -> Rows:
    """A row per pool; the ratio is 0 if the source reports none."""
    return [{**r, "denied_ratio": r["denied_ratio"] or 0} for r in rows]
