"""Line chart over time of many subsystems: the few that matter in colour, the rest in grey."""

from collections.abc import Callable, Sequence
from typing import Any

from iosq.toolkit.late import alt
from iosq.toolkit.report.chart import Rows
from iosq.toolkit.report.timeline import axis, closed, hide, moment, parsed
from iosq.toolkit.rows import NewRow, Row, grouped
from iosq.toolkit.show.theme import DASHES, HIGHLIGHTS, OTHERS, Drawing


def draw(rows: Rows, marked: Sequence[str], value: str, title: str, form: str, domain: tuple[float, float]) -> Drawing:
    """One line per subsystem; those in `marked` (at most four) get colours, dashes and a place in the legend.

    `value`: its column; `title`, `form` and `domain`: of its axis. If a step covers several intervals, a band extends
    from `least` to `most` of the rows.
    """
    chosen = list(marked)[: len(HIGHLIGHTS)]
    others = "others"
    names = [*chosen, others] if any(r["subsystem"] not in chosen for r in rows) else chosen
    values = [
        {**r, "shown": r["subsystem"] if r["subsystem"] in chosen else others,
         "place": len(chosen) - chosen.index(r["subsystem"]) if r["subsystem"] in chosen else 0}
        for r in closed(rows, "subsystem")
    ]  # fmt: skip
    colours = [*HIGHLIGHTS[: len(chosen)], OTHERS][: len(names)]
    dashes = [*DASHES[: len(chosen)], DASHES[0]][: len(names)]
    base = alt.Chart(parsed(sorted(values, key=lambda r: (r["place"], r["subsystem"])))).encode(
        x=alt.X("t:T", **axis(rows)),
        detail="subsystem:N",
        color=alt.Color("shown:N", scale=alt.Scale(domain=names, range=colours), legend=dashed()),
    )
    scale = alt.Scale(domain=list(domain), clamp=True)
    y: NewRow = {"title": title, "axis": alt.Axis(format=form), "scale": scale}
    line = base.mark_line(interpolate="step-after", strokeWidth=2, invalid="break-paths-show-domains").encode(
        y=alt.Y(f"{value}:Q", **y),
        strokeDash=alt.StrokeDash("shown:N", scale=alt.Scale(domain=names, range=dashes), legend=dashed()),
        tooltip=[
            "subsystem:N",
            moment(rows),
            alt.Tooltip(f"{value}:Q", format=form, title=title),
        ],
    )
    around = base.transform_filter(alt.datum.shown != others).mark_area(interpolate="step-after", opacity=0.14)
    band = [around.encode(y=alt.Y("least:Q", **y), y2="most:Q")] if hide(rows) else []
    return alt.layer(*band, line).properties(height=200)


def dashed() -> Any:
    """A legend with lines long enough to show their dashes."""
    return alt.Legend(title=None, symbolType="stroke", symbolSize=900, symbolStrokeWidth=2.5)


def extremes(rows: Rows, subject: str, value: str, of: Callable[..., Row]) -> list[Row]:
    """For each subject the row with the lowest (`min`) or highest (`max`) value, most extreme first."""
    groups = grouped(rows, lambda r: str(r[subject]))
    found = [of(own, key=lambda r: float(r[value])) for own in groups.values()]
    return sorted(found, key=lambda r: (-float(r[value]) if of is max else float(r[value]), str(r[subject])))


def floor_of(rows: Rows, value: str) -> tuple[float, float]:
    """The domain of a ratio's axis: from the smallest value rounded down to a tenth, at most 0.8, to 1."""
    lowest = min(float(r[value]) for r in rows)
    return min(0.8, int(10 * lowest) / 10), 1.0
