"""NVS overflows in bursts: the box could destage them over the interval, or was at its ceiling for no longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.overload import Overload, held_back, overloads
from iosq.toolkit.advise.subject import box, rows_of_box
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.units import human_bytes

ADVICE = "Spread the burst over a few minutes if its job can, else add NVS; nothing else in the box is short"

CEILING = (
    "Spread the burst over a few minutes if its job can: that helps either way. Shorter intervals, or a longer span, "
    "show whether the box ever destages more: buy neither NVS nor disks before that is known"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(o) for o in overloads(rows) if o.bursts)


def _finding(o: Overload) -> Finding:
    worst, subject = max(o.bursts, key=lambda r: r["nvs_delay_count"]), box(o.first)
    fast = max((r for r in o.bursts if r["at_ceiling"]), key=lambda r: r["destage_rate"], default=None)
    is_told = not held_back(worst) and fast is None
    return Finding(
        severity="note",
        subject=subject,
        text=_text(o, worst, fast),
        advice=_advice(worst, fast),
        numbers=_numbers(o, worst),
        sql=(
            "SELECT interval_start, subsystem, nvs_delay_count, write_rate, destage_rate FROM cache_subsystem_interval "
            f"WHERE {rows_of_box(o.first)} AND nvs_delay_count > 0 ORDER BY nvs_delay_count DESC"
        ),
        lost_s=0.0,  # counted by nvs_delay
        confidence="medium" if is_told else "low",
        effect=_effect(o, fast),
    )


def _text(o: Overload, worst: Row, fast: Row | None) -> str:
    held, subject = held_back(worst), box(o.first)
    times = "once" if len(o.bursts) == 1 else f"{len(o.bursts)} times"
    what = "wait for NVS" if held else "come in bursts: NVS was full"
    text = f"Writes to {subject} {what} {times} (worst {spoken(worst['local_start'], worst['local_end'])})"
    if fast is not None:
        return (
            f"{text}, while the box destaged up to {fast['destage_rate']:,.0f} tracks/s; in no interval did it destage "
            f"more than {fast['destage_rate_max']:,.0f}. That may be its ceiling, so whether NVS or destage is short "
            "can't be told"
        )
    would = f"In {plural(worst['as_busy_free'], 'interval')} as busy none waited" if held else _room(_bytes(worst))
    return (
        f"{text}, but over the interval the box destaged {worst['destage_rate']:,.0f} tracks/s without running at its "
        f"ceiling. {would}"
    )


def _advice(worst: Row, fast: Row | None) -> str:
    if held_back(worst):
        return "First ask what was different then (nvs_delay): buy nothing before that is known"
    return ADVICE if fast is None else CEILING


def _numbers(o: Overload, worst: Row) -> tuple[Number, ...]:
    return (
        Number("writes delayed", o.delayed, "writes"),
        Number("intervals with a burst", len(o.bursts)),
        Number("delayed, worst interval", 100 * worst["nvs_delay_count"] / worst["write_count"], "%"),
        Number("destage, worst interval", worst["destage_rate"], "tracks/s"),
        Number("destage, most in any interval", worst["destage_rate_max"], "tracks/s"),
        Number("room for the worst burst, at most", _bytes(worst), "bytes"),
        Number("NVS", worst["nvs_bytes"] or None, "bytes"),
        Number("delay per write, worst interval", o.per_write("lost_s"), "ms"),
    )


def _effect(o: Overload, fast: Row | None) -> Effect | None:
    """With room for all of them no write waits; at a ceiling less room gains nothing that is known."""
    now, high = o.per_write("lost_s"), o.per_write("lost_high_s")
    if now is None or high is None:
        return None
    basis = (
        "with room for every delayed write of that interval at once nothing waits; how the burst is spread over "
        "the interval isn't recorded, so less may do"
    )
    if fast is not None:
        basis = "bounds: room for every delayed write at once, or destage is the limit; shorter intervals would tell"
    return Effect(
        "delay per write, worst interval", "ms", now, 0.0 if fast is None else now, 0.0, high, basis,
        identifiable=fast is None,
    )  # fmt: skip


def _bytes(worst: Row) -> float:
    """What all delayed writes of an interval take at once."""
    return float(worst["nvs_delay_count"] * TRACK_BYTES)


def _room(room: float) -> str:
    return f"More NVS would absorb them: {human_bytes(room)} would do for the worst"
