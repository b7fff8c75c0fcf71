"""The page of `iosq validate` for the documentation: `python -m tests.validation_page FILE.md [STUDY]`."""

import sys
from collections.abc import Sequence
from pathlib import Path

import vl_convert as vlc

from iosq.models.studies.check import Check
from iosq.models.validate import Limit, Score, predicted_vs_measured
from iosq.models.validate.zvm_pav import NAME as PAV
from iosq.toolkit.predict.validation import chart, fact, known, run
from iosq.toolkit.units import human_number

_HEAD = (
    "protocol",
    "model",
    "what",
    "cells",
    "n",
    "mean",
    "median",
    "p90",
    "worst",
    "right",
    "in interval",
    "bar",
    "met",
)
_COLUMNS = ("mean", "median", "p90", "worst", "right", "coverage")
_MISSING = "–"


def render_markdown(scores: Sequence[Score]) -> str:
    """One table per study, errors and shares in percent, a line per protocol, model and subset."""
    names = dict.fromkeys(score.study for score in scores)
    return "\n\n".join(_study(name, [score for score in scores if score.study == name]) for name in names) + "\n"


def _study(name: str, scores: Sequence[Score]) -> str:
    machines = list(dict.fromkeys(machine for score in scores for machine in score.by_machine))
    head = [*_HEAD, *machines]
    rule = ["---"] * 4 + ["---:"] * 7 + ["---"] * 2 + ["---:"] * len(machines)
    rows = [head, rule, *(_cells(score, machines) for score in scores)]
    return f"### {name}\n\n" + _table(rows) + _intervals(scores)


def _intervals(scores: Sequence[Score]) -> str:
    """How many measured rates lie in the stated intervals, by protocol and box; nothing where none is stated."""
    stated = [score for score in scores if score.coverage and score.quantity == "rate"]
    if not stated:
        return ""
    levels = sorted({level for score in stated for inside in score.coverage.values() for level in inside})
    head = [*_HEAD[:2], "cells", "boxes", *(f"{level} % interval" for level in levels)]
    rule = ["---"] * 4 + ["---:"] * len(levels)
    rows = [
        [score.protocol, score.model, score.subset, box, *(_number(inside.get(level)) for level in levels)]
        for score in stated
        for box, inside in score.coverage.items()
    ]
    return "\n\nPercent of measured rates inside the stated intervals:\n\n" + _table([head, rule, *rows])


def _table(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cells(score: Score, machines: Sequence[str]) -> list[str]:
    numbers = [_number(score.statistics.get(column)) for column in _COLUMNS]
    bars = ", ".join(_limit(limit) for limit in score.limits) or _MISSING
    per_machine = [_number(score.by_machine.get(machine)) for machine in machines]
    return [
        score.protocol,
        score.model,
        score.quantity,
        score.subset,
        str(score.cells),
        *numbers,
        bars,
        _verdict(score),
        *per_machine,
    ]


def _limit(limit: Limit) -> str:
    sign = "≥" if limit.at_least else "≤"
    stretch = f" (stretch {limit.stretch:g})" if limit.stretch is not None else ""
    return f"{limit.statistic} {sign} {limit.bar:g}{stretch}"


def _verdict(score: Score) -> str:
    if score.met is None:
        return _MISSING
    return "stretch" if score.stretched else "yes" if score.met else "no"


def _number(value: float | None) -> str:
    return _MISSING if value is None else f"{value:.1f}"


def page(target: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write the page of these studies (all where none is named); the same bytes every time on one machine.

    The chart of the PAV study goes next to it, with the ending .svg, if that study is on the page.
    """
    scores, checks = run(names)
    if PAV not in known(names):
        target.write_text(_markdown(scores, checks, None), "utf-8")
        return [target]

    picture = target.with_suffix(".svg")
    picture.write_text(vlc.vegalite_to_svg(chart(predicted_vs_measured()).to_json()), "utf-8")
    target.write_text(_markdown(scores, checks, picture.name), "utf-8")
    return [target, picture]


def _markdown(scores: Sequence[Score], checks: Sequence[Check], drawn: str | None) -> str:
    picture = f"\n\n![Predicted against measured]({drawn})" if drawn else ""
    parts = [
        "# Validation\n\nWritten by `python -m tests.validation_page`; do not edit. Errors in percent of the "
        f"published value, on cells the model was not calibrated on.{picture}\n",
        render_markdown(scores).rstrip() + "\n",
        *(["## Published numbers one by one\n"] if checks else []),
    ]
    for study in dict.fromkeys(check.study for check in checks):
        parts.append(f"### {study}, number by number\n\n{_facts_table([c for c in checks if c.study == study])}\n")
    return "\n".join(parts)


def _facts_table(checks: Sequence[Check]) -> str:
    lines = ["| subject | unit | predicted | published | error % | role | note |", "|---|---|---:|---:|---:|---|---|"]
    for check in checks:
        row = fact(check)
        error = "" if row["error_percent"] is None else f"{row['error_percent']:.1f}"
        predicted = "not modelled" if check.predicted is None else human_number(check.predicted)
        cells = (check.subject, check.unit, predicted, human_number(check.published), error, check.role, check.note)
        lines.append(f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    page(Path(sys.argv[1]), sys.argv[2:])
