"""Add the values of a week before to the steps of a chart."""

import datetime as dt
from collections.abc import Iterable, Sequence

from iosq.toolkit.report.response_parts import parts
from iosq.toolkit.rows import NewRow, Row

_WEEK = dt.timedelta(days=7)


def with_week(rows: Sequence[Row], earlier: Iterable[Row]) -> list[NewRow]:
    """Rows with response (`week_ms`) and rate (`week_rate`) of the step a week before; None if it is missing.

    `rows`: rows with `t`, an instant or its text, `step_s`, the parts of the response, and `rate` if known.
    """
    known = {(r["t"], r["step_s"]): r for r in earlier}
    return [_row(r, known.get((_before(r["t"]), r["step_s"]))) for r in rows]


def _row(row: Row, before: Row | None) -> NewRow:
    measured = list(parts(before).values()) if before else []
    return {**row, "week_ms": sum(measured) if measured else None, "week_rate": before.get("rate") if before else None}


def _before(t: dt.datetime | str) -> dt.datetime | str:
    if isinstance(t, str):
        return (dt.datetime.fromisoformat(t) - _WEEK).isoformat()
    return t - _WEEK
