"""The overview panel: hours of each box and system rated by thresholds of rules, and findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

import iosq
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.errors import IosqError
from iosq.toolkit.late import alt
from iosq.toolkit.report.timeline import at, axis, moment, parsed
from iosq.toolkit.rows import NewRow, Row, grouped
from iosq.toolkit.show.numbers import human_number, plural
from iosq.toolkit.show.theme import BLUE, FAINT, GREEN, INK, ORANGE, PINK, VERMILION, Drawing, themed
from iosq.toolkit.sql.filter import span as read_span
from iosq.toolkit.sql.questions import Question, load

WITHIN = "within the limits"


@dataclass(frozen=True)
class Reason:
    """A colour of the grid: a rule, and the query whose rows with this name exceed its thresholds."""

    name: str
    rule: str
    words: str
    colour: str
    of: str = "volume"
    question: str = "health.sql"


REASONS = (
    Reason("wait", "pav_add_alias", "wait in the host (IOSQ)", VERMILION),
    Reason("miss", "low_hit_ratio", "read misses (disc)", BLUE),
    Reason("nvs", "nvs_delay", "writes delayed by NVS (disc)", GREEN),
    Reason("busy", "reserve_contention", "device busy (reserve)", PINK),
    Reason("path", "slow_path", "slow path (CMR or pend)", ORANGE, "LCU", "health_paths.sql"),
    Reason("rank", "rank_saturated", "slow reads from disk (rank)", INK, "rank", "health_ranks.sql"),
)


def questions(lake: iosq.Lake) -> dict[Question, dict[str, float]]:
    """The queries behind the grid, each with the thresholds of its rules."""
    found: dict[str, dict[str, float]] = {}
    rules = {rule.code: rule for rule in all_rules()}
    for reason in REASONS:
        found.setdefault(reason.question, {}).update(rules[reason.rule].limits(lake.thresholds.get(reason.rule)))
    loaded = {load(__package__, file): limits for file, limits in found.items()}
    return {asked: {name: limits[name] for name in sorted(asked.asked_with)} for asked, limits in loaded.items()}


def cells(lake: iosq.Lake) -> list[NewRow]:
    """The cells of the grid, boxes before systems."""
    rows = [row for asked, limits in questions(lake).items() for row in lake.sql(asked.sql, **limits).to_dicts()]
    return [cell for kind in ("box", "system") for cell in _rated(kind, rows)]


_LOCK = Lock()
_KNOWN: dict[str, list[NewRow]] = {}


def known_cells(lake: iosq.Lake) -> list[NewRow]:
    """The cells of the grid, computed once for each state of a lake and shared by all pages."""
    files = lake.sql("SELECT file_id FROM lake_files ORDER BY file_id").rows()
    state = repr((lake.path, lake.where, lake.utc, lake.thresholds, files))
    with _LOCK:
        if state not in _KNOWN:
            _KNOWN.clear()
            _KNOWN[state] = cells(lake)
        return _KNOWN[state]


def _rated(kind: str, rows: Sequence[Row]) -> Iterator[NewRow]:
    places = grouped((r for r in rows if r[kind] is not None), lambda r: (r[kind], r["t"].isoformat()))
    for (name, t), own in sorted(places.items()):
        reason = max(REASONS, key=lambda r: seconds(own, r))
        worst = seconds(own, reason)
        total = [row for row in own if row["reason"] is None]
        yield {
            "place": f"{kind} {name}", "t": t, "until": t[:14] + "59:59", "step_s": 3600, "worst_s": worst,
            "ios": sum(r["ios"] for r in total), "lost_s": sum(r["lost_s"] or 0 for r in total),
            "reason": reason.words if worst else WITHIN, "why": "; ".join(_why(own)) or WITHIN,
        }  # fmt: skip


def seconds(rows: Sequence[Row], reason: Reason) -> float:
    """The time lost above the thresholds of a reason, s."""
    return sum((row["lost_s"] or 0.0 for row in rows if row["reason"] == reason.name), 0.0)


def _why(rows: Sequence[Row]) -> Iterator[str]:
    """A sentence per reason, most lost time first."""
    for reason in sorted(REASONS, key=lambda r: -seconds(rows, r)):
        if lost := seconds(rows, reason):
            own = [row for row in rows if row["reason"] == reason.name]
            most = max(own, key=lambda r: r["lost_s"] or 0.0)["worst"]
            subjects = plural(sum(r["subjects"] for r in own), reason.of)
            yield f"{subjects}: {reason.words} {human_number(lost)} s, most {most} ({reason.rule})"


def grid(rows: Sequence[Row]) -> Drawing:
    """The chart of hours by place; a brush selects a time."""
    seen = {row["reason"] for row in rows}
    colours = {WITHIN: FAINT} | {r.words: r.colour for r in REASONS if r.words in seen}
    drawn = (
        alt.Chart(parsed(rows, "t", "until"))
        .mark_rect()
        .encode(
            x=alt.X("t:T", **axis(rows)),
            x2="until:T",
            y=alt.Y("place:N", title=None, sort=list(dict.fromkeys(r["place"] for r in rows))),
            color=alt.Color(
                "reason:N",
                scale=alt.Scale(domain=[*colours], range=[*colours.values()]),
                legend=alt.Legend(title=None, orient="top", columns=1),
            ),
            opacity=alt.Opacity("worst_s:Q", scale=alt.Scale(type="sqrt", range=[0.45, 1]), legend=None),
            tooltip=[
                "place:N",
                moment(rows),
                alt.Tooltip("why:N", title="reason"),
                alt.Tooltip("ios:Q", title="I/Os", format=",.0f"),
                alt.Tooltip("lost_s:Q", title="lost, s", format=",.0f"),
            ],
        )
        .add_params(alt.selection_interval(name="time", encodings=["x"]))
        .properties(width="container", height=alt.Step(22))
    )
    return themed(drawn)


def worst_hours(rows: Sequence[Row], most: int = 10) -> list[str]:
    """The worst hours above a threshold, in sentences, as an alternative to the grid."""
    bad = sorted((r for r in rows if r["worst_s"]), key=lambda r: -r["worst_s"])[:most]
    return [f"{r['place']}, {at(r)}: {r['why']}" for r in bad]


def found(lake: iosq.Lake) -> iosq.Findings | str:
    """The findings of a lake, or a sentence that says why there are none."""
    try:
        return lake.findings()
    except IosqError as error:
        return str(error)


def within(found: Sequence[iosq.Finding], span: str) -> list[iosq.Finding]:
    """The findings about a time, including those about the whole span."""
    if not span:
        return list(found)
    asked = read_span(span)
    begin, end = (instant.at if instant else None for instant in (asked.since, asked.until))
    return [
        f
        for f in found
        if f.when is None or ((end is None or f.when.whole.start < end) and (begin is None or f.when.whole.end > begin))
    ]
