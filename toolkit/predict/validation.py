"""Compare the models with published studies: rows of `iosq validate` and its chart."""

from collections.abc import Callable, Sequence

from iosq.models.studies import catalog
from iosq.models.studies.check import Check
from iosq.models.validate import Limit, Score, predicted_vs_measured, studies, validate
from iosq.models.validate.harness import ALL
from iosq.models.validate.run import Point
from iosq.models.validate.zvm_pav import NAME as PAV
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict.answer import Answer, table
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.theme import GREEN, INK, SERVICE, WAIT, Picture, finished

STATISTICS = ("mean", "median", "p90", "worst", "right", "coverage")
_BAR = "bar (stretch)"
Progress = Callable[[str], None]


def answer(names: Sequence[str], progress: Progress = lambda _: None) -> Answer:
    """Scores, followed by every published number with the predicted one and the defective cells, study by study.

    `progress`: called with each study's name before its models run. RequestError for an unknown study.
    """
    scores, checks = run(names, progress)
    points = predicted_vs_measured() if not names or PAV in known(names) else []
    rows = [_score(score) for score in scores] + [fact(check) for check in checks]
    rows += [_cell(point) for point in points if point.role == "defective"]
    draw = (lambda: chart(points)) if points else None
    return Answer(tuple(rows), _conclusions(scores), {}, draw)


def run(names: Sequence[str], progress: Progress = lambda _: None) -> tuple[list[Score], list[Check]]:
    """Scores and checks of these studies, or of all if none is named."""
    scores, checks = [], []
    for name in stages.each("studies", known(names)):
        progress(name)
        scores += validate([name])
        checks += [] if name == PAV else catalog.studies()[name].checks()
    return scores, checks


def text(found: Answer, brief: bool = False) -> str:
    """Tables as text, one per study: the scores, the published numbers, the defective cells.

    `brief`: only the scores with an acceptance limit; the first score of a study without one.
    """
    parts = []
    for kind, heading in (("score", "errors in percent"), ("fact", "published numbers"), ("cell", "defective cells")):
        rows = [row for row in found.rows if row["kind"] == kind and (kind == "score" or not brief)]
        for study in dict.fromkeys(row["study"] for row in rows):
            of_study = [_flat(row) for row in rows if row["study"] == study]
            with_bar = [row for row in of_study if row[_BAR] != "-"] or of_study[:1] if brief else of_study
            parts.append(f"{study}: {heading}\n{table(with_bar)}")
    return "\n\n".join(parts)


def chart(points: Sequence[Point]) -> Picture:
    """Predicted against measured rate of all 420 cells, both axes logarithmic."""
    rows = [dict(vars(p)) for p in points]
    scored = [p for p in points if p.role == "scored"]
    near = sum(abs(p.predicted_rate / p.measured_rate - 1) <= 0.1 for p in scored) / len(scored)
    rates = [rate for p in points for rate in (p.measured_rate, p.predicted_rate)]
    scale = alt.Scale(type="log", domain=[0.8 * min(rates), 1.25 * max(rates)], nice=False)
    data = alt.InlineData(values=rows)
    machines = list(dict.fromkeys(p.machine for p in points))
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


def known(names: Sequence[str]) -> list[str]:
    """The requested names, or all; RequestError for an unknown one."""
    every = studies()
    unknown = [name for name in names if name not in every]
    if unknown:
        raise RequestError(f"unknown study {unknown[0]!r}", place="STUDY", remedy=f"choose from {', '.join(every)}")
    return list(names or every)


def _score(score: Score) -> NewRow:
    names = ("study", "protocol", "model", "quantity", "subset", "cells")
    row = {"kind": "score"} | {name: getattr(score, name) for name in names}
    row |= {name: score.statistics.get(name) for name in STATISTICS}
    row |= {"bar": ", ".join(map(_bar, score.limits)) or None, "met": score.met, "stretched": score.stretched}
    row |= {f"covered_{level}_percent": covered for level, covered in score.coverage.get(ALL, {}).items()}
    return row | {f"of {machine}": value for machine, value in score.by_machine.items()}


def fact(check: Check) -> NewRow:
    """A row with a published number and the predicted one."""
    names = ("study", "subject", "unit", "predicted", "published")
    error = None if check.error_ratio is None else 100 * check.error_ratio
    row = {"kind": "fact"} | {name: getattr(check, name) for name in names}
    return row | {"error_percent": error, "role": check.role, "note": check.note}


def _cell(point: Point) -> NewRow:
    error = 100 * (point.predicted_rate / point.measured_rate - 1)
    row = {name: value for name, value in vars(point).items() if name != "role"}
    return {"kind": "cell", "study": PAV} | row | {"error_percent": error}


def _flat(row: Row) -> NewRow:
    """One line of the table: verdict in a word, no repeated values."""
    left_out = ("kind", "study", "stretched", "coverage", "met", "bar")
    flat = {name: value for name, value in row.items() if name not in left_out}
    if "bar" in row:
        verdict = "-" if row["met"] is None else "stretch" if row["stretched"] else "yes" if row["met"] else "no"
        flat |= {_BAR: row["bar"] or "-", "met": verdict}
    return flat


def _bar(limit: Limit) -> str:
    sign = ">=" if limit.at_least else "<="
    return f"{limit.statistic} {sign} {limit.bar:g} ({limit.stretch:g})"


def _conclusions(scores: Sequence[Score]) -> tuple[str, ...]:
    barred = [score for score in scores if score.met is not None]
    missed = [f"{s.protocol} {s.quantity} {s.subset}" for s in barred if not s.met]
    if not barred:
        return ()
    stretched = sum(bool(score.stretched) for score in barred)
    text = f"{len(barred) - len(missed)} of {len(barred)} bars met, {stretched} stretch goals"
    return (text + (f"; missed: {', '.join(missed)}" if missed else ""),)
