"""The four parts of a response time: one order, one colour each, on every chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from iosq.toolkit.report.timeline import when
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.theme import PARTS

if TYPE_CHECKING:
    import altair as alt

# columns of a query and the names readers know
NAMES = {"iosq": "IOSQ", "pend": "pend", "disc": "disc", "conn": "conn"}


def largest(row: Row) -> tuple[str, float]:
    """The name of the largest part and its share of all four."""
    name = max(NAMES, key=lambda n: row[n])
    return NAMES[name], row[name] / (sum(row[n] for n in NAMES) or 1)


def slowest(rows: Sequence[Row]) -> str:
    """When I/Os took longest, and of what that time was made; `rows` have `t` and the parts."""

    def response(row: Row) -> float:
        return float(sum(row[name] for name in NAMES))

    worst = max(rows, key=response)
    whole = response(worst) or 1.0
    shares = ", ".join(f"{shown} {100 * worst[name] / whole:.0f} %" for name, shown in NAMES.items())
    return f"I/Os took longest at {when(worst['t'])}: {whole:.1f} ms, of it {shares}"


def long_form(rows: Sequence[Row], keys: Sequence[str]) -> list[NewRow]:
    """One row per part, with its name, `ms` and `place` in the stack."""
    return [
        {**{k: row[k] for k in keys}, "part": shown, "ms": row[name], "place": place}
        for row in rows
        for place, (name, shown) in enumerate(NAMES.items())
    ]


def part_colour() -> alt.Color:
    """The colour of a part, with a legend in order of the stack."""
    import altair as alt

    return alt.Color(
        "part:N",
        scale=alt.Scale(domain=list(PARTS), range=list(PARTS.values())),
        legend=alt.Legend(title=None, symbolType="square"),
    )
