"""The models compared with the published studies: rows of `iosq validate` and its chart.

The comparison takes minutes, so its results are data: `models/validation/`, a file for each study, made by
`python -m tests.validate` in a checkout. Tests compute them again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.output import table
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.theme import GREEN, INK, SERVICE, WAIT, finished

if TYPE_CHECKING:
    from iosq.toolkit.show.theme import Picture

UNPUBLISHED = "no number published"


def answer(names: Sequence[str]) -> Answer:
    """Scores, then every published number with the model's, then the defective cells, study by study.

    Args:
        names: studies, or none for all.

    Raises:
        RequestError: an unknown study.
    """
    every = [row for name in _known(names) for row in results(name)]
    points = [row for row in every if row["kind"] == "cell"]
    scores = [row for row in every if row["kind"] == "score"]
    rows = scores + [row for row in every if row["kind"] == "fact"]
    rows += [_defective(point) for point in points if point["role"] == "defective"]
    draw = (lambda: chart(points)) if points else None
    return Answer(tuple(rows), _conclusions(scores), {}, draw)


def studies() -> list[str]:
    """Names of the studies."""
    found = (files("iosq.models") / "validation").iterdir()
    return sorted(path.name.removesuffix(".json") for path in found if path.name.endswith(".json"))


def results(study: str) -> list[NewRow]:
    """Of kind `score`, `fact` (a published number and the model's) or `cell` (a point of the chart)."""
    rows: list[NewRow] = json.loads((files("iosq.models") / "validation" / f"{study}.json").read_text("utf-8"))
    return rows


def text(found: Answer) -> str:
    """For people: the scores as one table per study, then the published numbers, then the defective cells."""
    parts = []
    for kind, heading in (("score", "errors in percent"), ("fact", "published numbers"), ("cell", "defective cells")):
        rows = [row for row in found.rows if row["kind"] == kind]
        for study in dict.fromkeys(row["study"] for row in rows):
            of_study = [
                {n: v for n, v in row.items() if n not in ("kind", "study")} for row in rows if row["study"] == study
            ]
            parts.append(f"{study}: {heading}\n{table([_flat(row) for row in of_study])}")
    return "\n\n".join(parts)


def chart(points: Sequence[NewRow]) -> Picture:
    """Predicted against measured rate of all 420 cells, both axes logarithmic."""
    import altair as alt

    scored = [p for p in points if p["role"] == "scored"]
    near = sum(abs(p["predicted_rate"] / p["measured_rate"] - 1) <= 0.1 for p in scored) / len(scored)
    rates = [rate for p in points for rate in (p["measured_rate"], p["predicted_rate"])]
    scale = alt.Scale(type="log", domain=[0.8 * min(rates), 1.25 * max(rates)], nice=False)
    data = alt.InlineData(values=list(points))
    machines = list(dict.fromkeys(p["machine"] for p in points))
    colour = alt.Color("machine:N", title=None, scale=alt.Scale(domain=machines, range=[SERVICE, WAIT, GREEN]))
    roles = ["scored", "calibration", "defective"]
    shape = alt.Shape("role:N", title=None, scale=alt.Scale(domain=roles, range=["circle", "cross", "triangle-up"]))
    x_title = "measured rate (I/Os per s and volume)"
    x = alt.X("measured_rate:Q", title=x_title, scale=scale)
    y_title = "predicted rate (I/Os per s and volume)"
    dots = (
        alt.Chart(data)
        .mark_point(size=45, opacity=0.8)
        .encode(x=x, y=alt.Y("predicted_rate:Q", title=y_title, scale=scale), color=colour, shape=shape)
    )
    spread = (
        alt.Chart(data).mark_rule(opacity=0.25).encode(x=x, y=alt.Y("low:Q", title=y_title), y2="high:Q", color=colour)
    )
    ends = alt.InlineData(values=[{"at": 0.8 * min(rates)}, {"at": 1.25 * max(rates)}])
    line = alt.Chart(ends).mark_line(color=INK, strokeDash=[4, 4]).encode(x=alt.X("at:Q", title=x_title), y="at:Q")
    layers = alt.layer(line.encode(y=alt.Y("at:Q", title=y_title)), spread, dots).properties(width=560, height=560)
    return finished(
        layers,
        f"{100 * near:.0f} % of {len(scored)} cells are predicted within 10 % from 15 measured runs per box",
        "z/VM PAV study, 420 cells: 3 boxes, 4 read mixes, 1 to 20 workers, 0 to 4 aliases",
        "lines: stated 90 % intervals; dashed: predicted = measured; crosses: the runs the model was given",
    )


def _known(names: Sequence[str]) -> list[str]:
    """The names asked for, or all; RequestError for an unknown one."""
    known = studies()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise RequestError(f"unknown study {unknown[0]!r}", place="STUDY", remedy=f"choose from {', '.join(known)}")
    return list(names or known)


def _defective(point: NewRow) -> NewRow:
    error = 100 * (point["predicted_rate"] / point["measured_rate"] - 1)
    return {name: value for name, value in point.items() if name != "role"} | {"error_percent": error}


def _flat(row: NewRow) -> NewRow:
    """One line of the table: a verdict in a word, no repeated number, and a mark if nothing is published."""
    left_out = ("stretched", "coverage", "met", "bar")
    flat = {name: value for name, value in row.items() if name not in left_out}
    if "bar" in row:
        verdict = "-" if row["met"] is None else "stretch" if row["stretched"] else "yes" if row["met"] else "no"
        flat |= {"bar (stretch)": row["bar"] or "-", "met": verdict}
    if flat.get("published", 0.0) is None:
        flat["published"] = UNPUBLISHED
    return flat


def _conclusions(scores: Sequence[NewRow]) -> tuple[str, ...]:
    barred = [score for score in scores if score["met"] is not None]
    missed = [f"{s['protocol']} {s['quantity']} {s['subset']}" for s in barred if not s["met"]]
    if not barred:
        return ()
    stretched = sum(bool(score["stretched"]) for score in barred)
    text = f"{len(barred) - len(missed)} of {len(barred)} bars met, {stretched} stretch goals"
    return (text + (f"; missed: {', '.join(missed)}" if missed else ""),)
