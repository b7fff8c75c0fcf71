"""A box is full: what waits in the host would wait inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import Subject, box, lcu_or_storage, lcus, listed, waits
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed as in_words
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import ZVM_CHANNELS, by_platform
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        bounds = elasticity_bounds(members[0])
        is_filled = members[0]["in_service_max"] >= limits["inside"]
        is_flat = bounds is not None and bounds[1] <= limits["elasticity"] and _stands_still(members[0])
        if bounds is not None and is_filled and is_flat and not _is_shared_way(members[0], limits):
            yield _finding(members, bounds, limits)


def _stands_still(first: Row) -> bool:
    """The rate itself must have risen much less than the number in the box, whatever the service times say."""
    return bool(
        first["io_rate_max"] / first["io_rate_min"] <= (first["in_service_max"] / first["in_service_min"]) ** 0.5
    )


def _may_be_way(first: Row, limits: Mapping[str, float]) -> bool:
    """Whether what grew is time on the way: channels, ports or links explain it as well as the box does."""
    return (first["way_growth_ratio"] or 0.0) >= limits["way_growth"]


def _is_shared_way(first: Row, limits: Mapping[str, float]) -> bool:
    """Whether other boxes slow down with it: two boxes don't fill up together, but all I/Os may pass one director."""
    return _may_be_way(first, limits) and first["elsewhere_ratio"] >= limits["elsewhere"]


def _doubt(first: Row) -> str:
    """What else would look the same, and the records that would tell."""
    records = listed(first["untold_records"])
    smf = f"ingest type {in_words(records)} of the same time" if records else "look at types 73, 74.7 and 74.8 then"
    told = by_platform(first["platform"], smf, f"look at the channels ({ZVM_CHANNELS})")
    return (
        f". But {share(min(first['way_growth_ratio'], 1))} of what service time grew by is pend and connect: full "
        f"channels, ports or links on the way would do the same; first {told} to rule them out"
    )


def _finding(members: list[Row], bounds: tuple[float, float], limits: Mapping[str, float]) -> Finding:
    first = members[0]
    # a volume that also queues while the box has room waits for something else
    stuck = [m for m in members if m["lost_s"] > 0 and (m["queue_else"] or 0.0) < limits["queue_else"]]
    subject = box(first)
    is_unsure = _may_be_way(first, limits)
    grown = max(first["io_rate_max"] / first["io_rate_min"] - 1, 0)
    rise = f"rises by {share(grown)}" if grown else "does not rise"
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"{subject.opening} is full ({period(first)}): with {human_number(first['in_service_min'])} to "
            f"{human_number(first['in_service_max'])} I/Os inside its rate {rise}, while up to "
            f"{human_number(first['queue_length_max'])} more wait in the host"
        ),
        advice=(
            "Aliases will not help: response would hardly change, the wait only moves into the box. Take work off "
            "it, spread it over time, or get more arms or a faster box (iosq advise migrate)"
            f"{_doubt(first) if is_unsure else ''}"
        ),
        numbers=(
            Number("rate, most", first["io_rate_max"], "per s"),
            Number(f"rate, with {first['in_service_min']:.1f} in the box", first["io_rate_min"], "per s"),
            Number("I/Os in the box, most", first["in_service_max"], "I/Os"),
            Number("I/Os queued in the host, most", first["queue_length_max"], "I/Os"),
            Number("rate gained per cent more in the box, low bound", bounds[0], "%"),
            Number("rate gained per cent more in the box, high bound", bounds[1], "%"),
            Number("volumes that wait only then", len({m["volume"] for m in stuck})),
        ),
        sql=_shown(first),
        when=episode(first),
        lost_s=sum(m["lost_s"] for m in stuck),
        confidence="high" if len(members) > 1 and not is_unsure else "medium",
        effect=_effect(members, bounds),
        covers=waits((m["volume"], m["system"]) for m in stuck) | _slow_paths(members) | _late(members),
        aliases=Aliases("wont_help"),
    )


def _slow_paths(members: list[Row]) -> frozenset[tuple[str, Subject]]:
    """A full box answers late; the way to it is as good as ever."""
    each = {(m["system"], lcu) for m in members for lcu in listed(m["slow_lcus"])}
    rules = ("slow_path", "pend_unexplained")
    return frozenset((rule, lcus([lcu], system)) for system, lcu in each for rule in rules)


def _late(members: list[Row]) -> frozenset[tuple[str, Subject]]:
    """Disconnect that is long while the box is full: its arms, or NVS, are what is full."""
    each = {(m["system"], lcu) for m in members if m["disc_lcus"] is not None for lcu in m["disc_lcus"].split("|")}
    return frozenset(
        ("disc_unexplained", lcu_or_storage({"system": system, "lcu": lcu}, [system])) for system, lcu in each
    )


def _effect(members: list[Row], bounds: tuple[float, float]) -> Effect:
    """Enough aliases for all that wait: the box gains what its curve gives, and nobody waits outside."""
    first = members[0]
    rate = sum(m["rate_sum"] for m in members)
    now = sum(m["wait_sum"] + m["rate_sum"] * m["service_ms"] for m in members) / rate
    fuller = 1 + first["queue_length_max"] / first["in_service_max"]
    high, low = (now * fuller**-e for e in bounds)
    basis = "the same requests, all of them in the box, at the rate its measured curve gives"
    return Effect("response with any number of aliases", "ms", now, (low + high) / 2, low, high, basis)


def _shown(r: Row) -> str:
    return (
        "SELECT interval_start, io_rate, in_service - device_busy AS in_service, queue_length, response_ms "
        f"FROM box_interval WHERE box = {literal(r['box'])} ORDER BY in_service - device_busy DESC"
    )
