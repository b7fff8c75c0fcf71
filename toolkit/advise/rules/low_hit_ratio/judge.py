"""A volume reads past the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, Row
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import a_day
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for r in rows:
        share = r["disc_s"] / r["response_s"]
        yield Finding(
            severity="watch",
            subject=volume(r["volser"]),
            text=(
                f"Volume {r['volser']} finds only {100 * r['hit_ratio']:.0f} % of its reads in cache "
                f"(its subsystem {r['subsystem']}: {100 * r['subsystem_ratio']:.0f} %); {100 * share:.0f} % of its "
                f"response time is disconnect, {1000 * r['disc_s'] / r['ios']:.1f} ms per I/O"
            ),
            advice=(
                "Aliases will not help. First look at what reads it; then keep its data in host buffers, or place it "
                "on flash. A low ratio alone is no reason to buy cache"
            ),
            numbers=(
                Number("read hit ratio", 100 * r["hit_ratio"], "%"),
                Number("read hit ratio of the subsystem", 100 * r["subsystem_ratio"], "%"),
                Number("read misses", r["misses"], "I/Os"),
                Number("disconnect per I/O", 1000 * r["disc_s"] / r["ios"], "ms"),
                Number("sequential share", None if r["sequential_ratio"] is None else 100 * r["sequential_ratio"], "%"),
            ),
            sql=f"SELECT * FROM cache_interval WHERE volser = {literal(r['volser'])} ORDER BY interval_start",
            lost_s=a_day(r["disc_s"], r["span_s"]),
            confidence="medium",
            effect=_effect(r),
        )


def _effect(r: Row) -> Effect:
    """If it hit like its neighbours: misses fall in proportion, and disconnect with them, at most."""
    now = 1000 * r["disc_s"] / r["ios"]
    best = now * min((1 - r["subsystem_ratio"]) / (1 - r["hit_ratio"]), 1.0)
    basis = "bounds: between no hit more and the hit ratio of its subsystem; whether it reads anything twice isn't told"
    return Effect("disconnect per I/O", "ms", now, (now + best) / 2, best, now, basis, identifiable=False)
