"""The four parts of a response time: one order, one colour each, on every chart; and those of a week before."""

import datetime as dt
from collections.abc import Iterable, Sequence

from iosq.toolkit.late import alt
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.theme import OTHERS, PARTS

# columns of the macro response_parts and their labels; unknown is the time outside the known parts
KNOWN = {"iosq": "IOSQ", "pend": "pend", "disc": "disc", "conn": "conn"}
NAMES = {**KNOWN, "unknown": "unknown"}
_WEEK = dt.timedelta(days=7)


def parts(row: Row) -> dict[str, float]:
    """The known parts and the unknown rest by column; their sum is the response time."""
    return {name: float(row[name]) for name in NAMES if row[name] is not None}


def largest(row: Row) -> tuple[str, float]:
    """The label of the largest part and its share; `unknown` if the unexplained time is largest."""
    known = parts(row) or {"unknown": 0.0}
    name = max(known, key=lambda n: known[n])
    return NAMES[name], known[name] / (sum(known.values()) or 1)


def shares(row: Row) -> str:
    """Shares of a response time: `IOSQ 46 %, pend 4 %, disc 6 %, conn 45 %`."""
    whole = sum(parts(row).values()) or 1.0
    # omit shares of 0 % if some I/Os lack parts: they hold for the other I/Os only
    least = 0.005 * whole if row["unknown"] else 0.0
    return ", ".join(f"{NAMES[n]} {100 * ms / whole:.0f} %" for n, ms in parts(row).items() if ms >= least)


def long_form(rows: Sequence[Row], keys: Sequence[str]) -> list[NewRow]:
    """One row per part that any row knows, with its name, `ms` and `place` in the stack."""
    drawn = [name for name in NAMES if any(row[name] is not None for row in rows)]
    return [
        {**{k: row[k] for k in keys}, "part": NAMES[name], "ms": row[name], "place": place}
        for row in rows
        for place, name in enumerate(drawn)
    ]


def colours(rows: Sequence[Row] = ()) -> dict[str, str]:
    """The colour of each part in order of the stack; the unknown rest only if a row has it."""
    return {**PARTS, **({NAMES["unknown"]: OTHERS} if any(row["unknown"] for row in rows) else {})}


def part_colour(rows: Sequence[Row] = ()) -> "alt.Color":
    """The colour of a part, with a legend in order of the stack."""
    shown = colours(rows)
    return alt.Color(
        "part:N",
        scale=alt.Scale(domain=list(shown), range=list(shown.values())),
        legend=alt.Legend(title=None, symbolType="square"),
    )


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
