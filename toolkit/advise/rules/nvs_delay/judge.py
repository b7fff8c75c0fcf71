"""Writes wait because NVS is full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.rules.nvs_delay.overload import Overload, filled_s, kind, late_rate, overloads
from iosq.toolkit.advise.subject import box, listed, waits_of
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed as in_words
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import unread, untimed
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(o, limits) for o in overloads(rows))


def _finding(o: Overload, limits: Mapping[str, float]) -> Finding:
    r, subject = o.first, box(o.first, "subsystem")
    missing, why = (
        unread(r["coverage_ratio"], limits["read_ratio"]) if r["peak_ms"] is not None else "",
        kind(o, limits),
    )
    asked = ", ".join(literal(name) for name in listed(r["subsystems"]))
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"NVS of {subject} was full ({period(r)}): {_which(r)}, {_cost(r)}{f'; {missing}' if missing else ''}. "
            f"{why.text}"
        ),
        advice=f"{why.advice}. Aliases will not help here",
        numbers=_numbers(o, bool(missing)),
        sql=(
            "SELECT interval_start, subsystem, nvs_delay_count, nvs_delay_ratio, delay_ms_per_write "
            f"FROM nvs_delay WHERE subsystem IN ({asked}) AND nvs_delay_count > 0 "
            f"ORDER BY CASE WHEN subsystem = {literal(r['subsystem'])} THEN 0 ELSE 1 END, nvs_delay_ratio DESC"
        ),
        when=episode(r),
        lost_s=r["box_lost_s"] or 0.0,
        confidence="low" if missing else "medium",
        effect=_effect(r),
        # volumes that wait in the host only because their I/Os stay in the box for so long
        covers=waits_of(r["waiting"], r["waiting_on"]) if o.steady else frozenset(),
    )


def _numbers(o: Overload, is_part: bool) -> tuple[Number, ...]:
    r, worst = o.first, o.worst
    return (
        Number("fast writes delayed, whole box", r["box_delayed"], "writes"),
        Number("intervals with a full NVS", r["bad_intervals"]),
        Number(f"delayed in {r['subsystem']}, worst interval", 100 * r["peak_ratio"], "%"),
        Number("delay per write, worst interval", r["peak_ms"], "ms"),
        Number("delay per write, low bound", r["peak_low_ms"], "ms"),
        Number("delay per write, high bound", r["peak_high_ms"], "ms"),
        percent("share of disconnect time", r["disc_share_ratio"]),
        percent("of the I/Os, by the systems read", r["coverage_ratio"] if is_part else None),
        percent("NVS pinned", r["pinned_ratio"] or None),
        Number("destage, worst interval", worst["destage_rate"], "tracks/s"),
        Number("destage, most in any interval", worst["destage_rate_max"], "tracks/s"),
        Number("writes without room in NVS, worst interval", late_rate(worst), "per s"),
        Number("NVS", worst["nvs_bytes"] or None, "bytes"),
        Number("twice the NVS full after", filled_s(worst) if o.steady else None, "s"),
        Number("room for the worst burst, at most", None if o.steady or not o.bursts else _room(worst), "bytes"),
    )


def _room(worst: Row) -> float:
    """What all delayed writes of an interval take at once."""
    return float(worst["nvs_delay_count"] * TRACK_BYTES)


def _cost(r: Row) -> str:
    if r["peak_ms"] is None:
        return f"what it cost {untimed(r['untold'])}"
    low, high = f"{r['peak_low_ms']:.1f}", f"{r['peak_high_ms']:.1f}"
    bounds = f" (between {low} and {high})" if low != high else ""
    return f"by estimate {r['peak_ms']:.1f} ms per write{bounds}"


def _which(r: Row) -> str:
    delayed, names = f"up to {share(r['peak_ratio'])}", listed(r["subsystems"])
    if len(names) == 1:
        return f"{delayed} of the writes to subsystem {names[0]} waited"
    return f"writes to subsystems {in_words(names)} waited, most of them to {r['subsystem']}, {delayed} of its writes"


def _effect(r: Row) -> Effect | None:
    """What a write gains where none has to wait for room."""
    if r["peak_ms"] is None:
        return None
    left = max(r["peak_ms"] - r["peak_low_ms"], 0.0)
    basis = "all of the delay goes if no write waits; how long they wait is an estimate"
    return Effect("delay per write, worst interval", "ms", r["peak_ms"], 0.0, 0.0, left, basis)
