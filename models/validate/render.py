"""The validation table as Markdown."""

from collections.abc import Sequence

from iosq.models.validate.run import validate
from iosq.models.validate.score import Limit, Score

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


def render_markdown(scores: Sequence[Score] | None = None) -> str:
    """One table per study, errors and shares in percent, a line per protocol, model and subset.

    Args:
        scores: what `validate()` returned; None runs it.
    """
    table = list(scores) if scores is not None else validate()
    names = dict.fromkeys(score.study for score in table)
    return "\n\n".join(_study(name, [score for score in table if score.study == name]) for name in names) + "\n"


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
