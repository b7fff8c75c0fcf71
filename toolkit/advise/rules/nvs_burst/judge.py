"""NVS overflows in bursts that the box could destage over the interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.overload import Overload, held_back, overloads
from iosq.toolkit.advise.subject import box
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_bytes

ADVICE = "Spread the burst over a few minutes if its job can, else add NVS; nothing else in the box is short"


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(o) for o in overloads(rows) if o.bursts)


def _finding(o: Overload) -> Finding:
    worst, subject = max(o.bursts, key=lambda r: r["nvs_delay_count"]), box(o.first)
    room = worst["nvs_delay_count"] * TRACK_BYTES
    times = "once" if len(o.bursts) == 1 else f"{len(o.bursts)} times"
    held = held_back(worst)
    would = f"In {plural(worst['as_busy_free'], 'interval')} as busy none waited" if held else _room(room)
    return Finding(
        severity="note",
        subject=subject,
        text=(
            f"Writes to {subject} {'wait for NVS' if held else 'come in bursts: NVS was full'} {times} (worst "
            f"{spoken(worst['local_start'], worst['local_end'])}), but over the interval the box destaged "
            f"{worst['destage_rate']:,.0f} tracks/s without running at its ceiling. {would}"
        ),
        advice="First ask what was different then (nvs_delay): buy nothing before that is known" if held else ADVICE,
        numbers=(
            Number("writes delayed", o.delayed, "writes"),
            Number("intervals with a burst", len(o.bursts)),
            Number("delayed, worst interval", 100 * worst["nvs_delay_count"] / worst["write_count"], "%"),
            Number("destage, worst interval", worst["destage_rate"], "tracks/s"),
            Number("destage, most in any interval", worst["destage_rate_max"], "tracks/s"),
            Number("room for the worst burst, at most", room, "bytes"),
            Number("NVS", worst["nvs_bytes"] or None, "bytes"),
            Number("delay per write, worst interval", o.per_write("lost_s"), "ms"),
        ),
        sql=(
            "SELECT interval_start, subsystem, nvs_delay_count, write_rate, destage_rate FROM cache_subsystem_interval "
            f"WHERE serial = {literal(o.first['serial'] or '')} AND nvs_delay_count > 0 ORDER BY nvs_delay_count DESC"
        ),
        lost_s=0.0,  # counted by nvs_delay
        confidence="low" if held else "medium",
        effect=_effect(o),
    )


def _effect(o: Overload) -> Effect | None:
    """With room for all of them no write waits."""
    now, high = o.per_write("lost_s"), o.per_write("lost_high_s")
    if now is None or high is None:
        return None
    basis = (
        "with room for every delayed write of that interval at once nothing waits; how the burst is spread over "
        "the interval isn't recorded, so less may do"
    )
    return Effect("delay per write, worst interval", "ms", now, 0.0, 0.0, high, basis)


def _room(room: float) -> str:
    return f"More NVS would absorb them: {human_bytes(room)} would do for the worst"
