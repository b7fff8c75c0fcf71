"""A volume reads past the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.questions import load


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if r["worst_s"] >= limits["worst_s"])


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    share, disc_ms = r["disc_s"] / r["response_s"], 1000 * r["disc_s"] / r["ios"]
    return Finding(
        severity="watch",
        subject=volume(r["volser"]),
        text=(
            f"Volume {r['volser']} finds only {_percent(r['hit_ratio'])} of its reads in cache ({period(r)})"
            f"{_beside(r)}; {_percent(share)} of its response time then is disconnect, {disc_ms:.1f} ms per I/O"
        ),
        advice=(
            f"Aliases will not help. First {_cheap(r, limits)}look at {_reader(r)}; keep its data in host buffers, or "
            "place it on flash. A low ratio alone is no reason to buy cache"
        ),
        numbers=(
            percent("read hit ratio, these intervals", r["hit_ratio"]),
            Number("read hit ratio of the subsystem, these intervals", _of_hundred(r["subsystem_ratio"]), "%"),
            Number("read misses, these intervals", r["misses"], "I/Os"),
            Number("disconnect per I/O, these intervals", disc_ms, "ms"),
            Number("disconnect in the worst run, all I/Os", r["worst_s"], "s"),
            Number("sequential share", _of_hundred(r["sequential_ratio"]), "%"),
            Number("disconnect of all data sets that is that of the first", _of_hundred(r["data_set_ratio"]), "%"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r, limits),
        when=episode(r),
        lost_s=r["disc_s"],
        confidence="medium",
        effect=_effect(r),
    )


def _beside(r: Row) -> str:
    """What its whole subsystem finds in the same intervals."""
    ratio, subsystem = r["subsystem_ratio"], r["subsystem"]
    if ratio is None:
        return ""
    if _is_alike(r):
        return f", as does its whole subsystem {subsystem} ({_percent(ratio)})"
    return f", while its whole subsystem {subsystem} finds {_percent(ratio)} then"


def _cheap(r: Row, limits: Mapping[str, float]) -> str:
    """What costs nothing to look at where I/Os go past the cache."""
    passed, slow = r["passed_ratio"] or 0.0, r["slow_ratio"] or 0.0
    told = [f"{_percent(passed)} of its I/Os inhibit or bypass the cache"] * (passed >= limits["passed_ratio"])
    told += [f"{_percent(slow)} of its writes are no fast writes"] * (slow >= limits["slow_write_ratio"])
    if not told:
        return ""
    return (
        f"see whether it is meant to go past the cache then (cache_bypass: {' and '.join(told)}): its storage class, "
        "pinned data, the job. Else "
    )


def _is_alike(r: Row) -> bool:
    """Whether its subsystem finds no more, by what people are told."""
    return r["subsystem_ratio"] is not None and round(100 * r["subsystem_ratio"]) <= round(100 * r["hit_ratio"])


def _reader(r: Row) -> str:
    """Who reads the volume, where the records of data sets (42.6) tell."""
    if not r["data_set"]:
        return "what reads it then"
    job = f" of job {r['job']}" if r["job"] else ""
    share = _percent(r["data_set_ratio"])
    return (
        f"data set {r['data_set']}{job}, which has {share} of the disconnect time of all data sets on the volume then"
    )


def _shown(r: Row, limits: Mapping[str, float]) -> str:
    """Who used the volume in the worst run, where that is known; else all intervals of the finding, then each."""
    if r["data_set"]:
        run = {"start": str(r["window_start"]), "end": str(r["window_end"])}
        return load(__package__, "data_sets.sql").spelled(volser=r["volser"], **run)
    return load(__package__, "intervals.sql").spelled(volser=r["volser"], **limits)


def _effect(r: Row) -> Effect:
    """If it hit like its neighbours: misses fall in proportion, and disconnect with them, at most."""
    now, others = 1000 * r["disc_s"] / r["ios"], None if _is_alike(r) else r["subsystem_ratio"]
    best = 0.0 if others is None else now * min((1 - others) / (1 - r["hit_ratio"]), 1.0)
    why = "is no better" if _is_alike(r) else "isn't known"
    most = (
        f"all of them, as the hit ratio of its subsystem {why}"
        if others is None
        else "the hit ratio of its subsystem then"
    )
    basis = f"bounds: between no hit more and {most}; whether it reads anything twice isn't told"
    return Effect("disconnect per I/O", "ms", now, (now + best) / 2, best, now, basis, identifiable=False)


def _percent(ratio: float) -> str:
    return share(ratio)


def _of_hundred(ratio: float | None) -> float | None:
    return None if ratio is None else 100 * ratio
