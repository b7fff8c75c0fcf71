"""Checks as text for people: one line each, errors in percent, and the means per role."""

from collections.abc import Sequence
from statistics import median

from iosq.models.studies.catalog import Study
from iosq.models.studies.check import Check
from iosq.models.validate import validate
from iosq.toolkit.units import human_number

HEADER = "| what | predicted | published | unit | error | role |\n|---|---|---|---|---|---|"


def markdown(study: Study) -> str:
    """A section with the study's title, one table row per check, and a line of scores."""
    checks = study.checks()
    lines = [
        f"### {study.name}",
        "",
        study.title,
        "",
        HEADER,
        *map(_row, checks),
        "",
        summary(checks),
        *_covered(study),
    ]
    return "\n".join(lines)


def _covered(study: Study) -> list[str]:
    """How many scored numbers are inside the interval that the others make; nothing for a study of a few."""
    shares = [score.statistics["coverage"] for score in validate([study.name]) if "coverage" in score.statistics]
    return [
        f"Leave-one-out: {share:.0f} % of the scored are inside the 90 % interval by the misfit of all others."
        for share in shares
    ]


def summary(checks: Sequence[Check]) -> str:
    """Mean, median and worst error of the scored rows, and how many rows play which role."""
    errors = sorted(abs(c.error_ratio) for c in checks if c.role == "scored" and c.error_ratio is not None)
    counts = {role: sum(c.role == role for c in checks) for role in ("calibration", "scored", "unpredicted")}
    stated = [c for c in checks if c.role == "direction"]
    parts = [f"{count} {role}" for role, count in counts.items()]
    parts.append(f"{sum(c.predicted == 1 for c in stated)} of {len(stated)} directions hold")
    if errors:
        middle, worst = median(errors), errors[-1]
        parts.append(
            f"error of the scored: mean {sum(errors) / len(errors):.1%}, median {middle:.1%}, worst {worst:.1%}"
        )
    return "; ".join(parts) + "."


def error_text(check: Check) -> str:
    """The error as a signed percentage, a direction as holds or fails, empty where there is nothing to compare."""
    if check.role == "direction":
        return "holds" if check.predicted == 1 else "FAILS"
    return "" if check.error_ratio is None else f"{check.error_ratio + 0.0:+.1%}".replace("-0.0%", "+0.0%")


def _row(check: Check) -> str:
    is_direction = check.role == "direction"
    predicted, published = (
        "" if is_direction or value is None else human_number(round(value, 9), 4)
        for value in (check.predicted, check.published)
    )
    what = check.subject + (f" *({check.note})*" if check.note else "")
    unit = "" if is_direction else check.unit
    return f"| {what} | {predicted} | {published} | {unit} | {error_text(check)} | {check.role} |"
