"""A HyperPAV pool is many times larger than anybody ever needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import is_whole_month, rests_on
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases, plural
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for r in rows:
        if r["high_water"] is None or r["denied"] != 0:
            continue
        keep = _keep(r, limits)
        spare = r["aliases"] - keep
        # what a lending LCU needs is told by its whole group only
        told = r["hours"] >= limits["hours"] and (r["alias_group"] or not r["lends"])
        if told and spare >= limits["spare"] and r["aliases"] >= limits["times"] * keep:
            yield _finding(r, keep, limits)


def _keep(r: Row, limits: Mapping[str, float]) -> int:
    return max(int(limits["headroom"] * (r["high_water"] + r["borrowed"]) + 0.999), int(limits["floor"]))


def _finding(r: Row, keep: int, limits: Mapping[str, float]) -> Finding:
    headroom, month = limits["headroom"], is_whole_month(r, limits["month"])
    longer = "" if r["has_month_end"] else ". Don't hurry: first read a month with its end"
    span = f"{plural(r['intervals'], 'interval')} ({rests_on(r)})"
    most = headroom * (r["high_water"] + r["borrowed"])
    why = f"{headroom:g} times the most ever in use" if keep - 1 < most else "the least any pool should have"
    waste = r["high_water"] + r["borrowed"]
    spare, names = r["aliases"] - keep, r["lcu_names"].split("|")
    subject = lcus(names)
    pool = f"The SuperPAV group of {subject}" if r["alias_group"] else f"The HyperPAV pool of {subject}"
    together = ", the high waters of its LCUs added up," if len(names) > 1 else ""
    where = ", from whichever of its LCUs needs the addresses" if len(names) > 1 else ""
    return Finding(
        severity="note",
        subject=subject,
        text=(
            f"{pool} has {r['aliases']} aliases; at most {waste}{together} {'was' if waste == 1 else 'were'} in use at "
            f"once in {span}, and no I/O was denied one"
        ),
        advice=(
            f"You could take {aliases(spare)} away{where}: that leaves {keep}, {why}. "
            f"Nothing gets faster by it; it makes room for volumes{longer}"
        ),
        numbers=(
            Number("aliases configured", r["aliases"]),
            Number("aliases in use, high water", r["high_water"]),
            Number("aliases borrowed, high water", r["borrowed"] if r["lends"] else None),
            Number("aliases in use by one base, high water", r["per_base"]),
            Number("I/Os without an alias", r["denied"], "I/Os"),
            Number("HyperPAV I/Os", r["requests"], "I/Os"),
            Number("aliases to keep", keep),
        ),
        sql=(
            "SELECT system, interval_start, lcu, alias_high_water, hyperpav_aliases, alias_denied_count FROM "
            f"lcu_interval WHERE lcu IN ({', '.join(literal(name) for name in names)}) ORDER BY alias_high_water DESC"
        ),
        lost_s=0.0,
        aliases=Aliases("too_many", r["aliases"], keep, keep),
        confidence="high" if month else "medium",
        effect=Effect(
            "I/Os denied an alias", "I/Os", 0.0, 0.0, 0.0, 0.0,
            "the high water counts every moment, not interval means: a pool above it is never dry at this load",
        ),
    )  # fmt: skip
