"""The rows of `iosq validate`, and its page for the documentation, from scores and checks."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.predict.validation import UNPUBLISHED
from iosq.toolkit.rows import NewRow
from iosq.toolkit.units import human_number
from tests.studies import catalog
from tests.studies.check import Check
from tests.validate.harness import ALL
from tests.validate.render import render_markdown
from tests.validate.run import Point, predicted_vs_measured, validate
from tests.validate.score import Limit, Score
from tests.validate.zvm_pav import NAME as PAV

STATISTICS = ("mean", "median", "p90", "worst", "right", "coverage")
UNPREDICTED = "not modelled"


def rows(study: str) -> list[NewRow]:
    """Everything `iosq validate` shows of a study."""
    points = predicted_vs_measured() if study == PAV else []
    found = [*map(score_row, validate([study])), *map(fact_row, checks(study)), *map(cell_row, points)]
    return [{name: _rounded(value) for name, value in row.items()} for row in found]


def checks(study: str) -> list[Check]:
    """Every published number of a study with the model's, where they are compared one by one."""
    return [] if study == PAV else catalog.study(study).checks()


def cell_row(point: Point) -> NewRow:
    """A point of the chart."""
    return {"kind": "cell", "study": PAV, **vars(point)}


def _rounded(value: object) -> object:
    """Six digits: the rest differs from processor to processor."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def score_row(score: Score) -> NewRow:
    """A line of errors."""
    names = ("study", "protocol", "model", "quantity", "subset", "cells")
    row = {"kind": "score"} | {name: getattr(score, name) for name in names}
    row |= {name: score.statistics.get(name) for name in STATISTICS}
    row |= {"bar": ", ".join(map(_bar, score.limits)) or None, "met": score.met, "stretched": score.stretched}
    row |= {f"covered_{level}_percent": covered for level, covered in score.coverage.get(ALL, {}).items()}
    return row | {f"of {machine}": value for machine, value in score.by_machine.items()}


def fact_row(check: Check) -> NewRow:
    """A published number with the model's."""
    names = ("study", "subject", "unit", "predicted", "published")
    error = None if check.error_ratio is None else 100 * check.error_ratio
    row = {"kind": "fact"} | {name: getattr(check, name) for name in names}
    return row | {"error_percent": error, "role": check.role, "note": check.note or _missing(check)}


def _missing(check: Check) -> str:
    if check.published is None:
        return UNPUBLISHED
    return UNPREDICTED if check.predicted is None else ""


def _bar(limit: Limit) -> str:
    sign = ">=" if limit.at_least else "<="
    return f"{limit.statistic} {sign} {limit.bar:g} ({limit.stretch:g})"


def markdown(scores: Sequence[Score], checks: Sequence[Check]) -> str:
    """The page."""
    parts = [
        "# Validation\n\nWritten by `python -m tests.validate`; do not edit. Errors in percent of the published value, "
        "on cells the model was not calibrated on.\n",
        render_markdown(scores).rstrip() + "\n",
        *(["## Published numbers one by one\n"] if checks else []),
    ]
    for study in dict.fromkeys(check.study for check in checks):
        parts.append(f"### {study}, number by number\n\n{_facts_table([c for c in checks if c.study == study])}\n")
    return "\n".join(parts)


def _facts_table(checks: Sequence[Check]) -> str:
    lines = ["| subject | unit | predicted | published | error % | role | note |", "|---|---|---:|---:|---:|---|---|"]
    for check in checks:
        fact = fact_row(check)
        error = "" if fact["error_percent"] is None else f"{fact['error_percent']:.1f}"
        predicted = UNPREDICTED if check.predicted is None else human_number(check.predicted)
        published = UNPUBLISHED if check.published is None else human_number(check.published)
        cells = (check.subject, check.unit, predicted, published, error, check.role, check.note)
        lines.append(f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |")
    return "\n".join(lines)
