"""All volumes of a box read past its cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.subject import Subject, box, listed, volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.questions import load
from iosq.toolkit.units import human_bytes

WHOLE = (
    "Aliases will not help. First compare with a day when it was better. More cache helps only if the same "
    "data is read again; a box of flash does whatever is read"
)
PART = (
    "Aliases will not help. First look at what reads these volumes then: the box's other subsystems have the same "
    "cache and don't hit as poorly, so it is their work, or caching is switched off for them; more cache is not the "
    "first cure"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if r["worst_s"] >= limits["worst_s"])


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    subject = box(r, "subsystem" if r["part"] else "box")
    disc_ms = 1000 * r["disc_s"] / r["ios"]
    return Finding(
        severity="watch",
        subject=subject,
        text=_text(r, subject, disc_ms),
        advice=PART if r["part"] else WHOLE,
        numbers=(
            percent("read hit ratio, busy volumes, these intervals", r["hit_ratio"]),
            Number("volumes below the threshold, most at once", r["poor"]),
            Number("volumes with reads to speak of", r["busy"]),
            Number("cache", r["cache_bytes"] or None, "bytes"),
            Number("sequential share", 100 * (r["sequential_ratio"] or 0.0), "%"),
            Number("disconnect per I/O, these intervals", disc_ms, "ms"),
            Number("disconnect in the worst run, all I/Os", r["worst_s"], "s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r, limits),
        when=episode(r),
        lost_s=r["disc_s"],
        confidence="medium",
        effect=Effect(
            "disconnect per I/O" if r["part"] else "disconnect per I/O with twice the cache",
            "ms", disc_ms, 0.75 * disc_ms, 0.5 * disc_ms, disc_ms,
            "bounds: nothing is read again, or misses halve; which of them isn't identifiable from hit ratios of one "
            "cache size. A day with half the cache in use (or another work load) would settle it",
            identifiable=False,
        ),
        covers=frozenset(("low_hit_ratio", volume(name)) for name in listed(r["volumes"])),
    )  # fmt: skip


def _text(r: Row, subject: Subject, disc_ms: float) -> str:
    size = f" ({human_bytes(r['cache_bytes'])} of cache)" if r["cache_bytes"] else ""
    disc = share(r["disc_s"] / r["response_s"])
    return (
        f"{_opening(r, subject)}{size} finds only {share(r['hit_ratio'])} of all reads in cache ({period(r)}), and "
        f"up to {r['poor']} of {r['busy']} busy volumes{_else(r)} hit poorly: {disc} of the response time then "
        f"is disconnect, {disc_ms:.1f} ms per I/O"
    )


def _opening(r: Row, subject: Subject) -> str:
    return f"Subsystem {r['part']} of {subject}" if r["part"] else subject.opening


def _else(r: Row) -> str:
    return " of it, and not those of the whole box," if r["part"] else ""


def _shown(r: Row, limits: Mapping[str, float]) -> str:
    """The box's busy volumes, interval by interval: the one in which most of them hit poorly first."""
    return load(__package__, "shown.sql").spelled(box=r["box"], part=r["part"], **limits)
