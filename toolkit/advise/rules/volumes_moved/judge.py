"""Volumes are in another LCU or box than before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Known, Number
from iosq.toolkit.advise.places import Place, Places
from iosq.toolkit.advise.subject import volumes
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed, plural
from iosq.toolkit.sql.raw import literal

NAMED = 6


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    together: dict[object, list[tuple[Place, Place]]] = defaultdict(list)
    for before, after in Places(rows).moves():
        together[before.where, after.where, after.start].append((before, after))
    return map(_finding, together.values())


def _finding(moves: list[tuple[Place, Place]]) -> Finding:
    """About volumes that moved from one place to another at one time."""
    before, after = moves[0]
    subject = volumes((now.volume for _, now in moves), (now.system for _, now in moves))
    names = (
        listed(subject.names[:NAMED]) if len(subject.names) <= NAMED else f"{', '.join(subject.names[:NAMED])} and more"
    )
    return Finding(
        severity="note",
        subject=subject,
        text=(
            f"{plural(len(subject.names), 'volume')} moved {before.difference(after)} at {after.since} "
            f"({names}; seen by {listed(subject.systems)})"
        ),
        advice="Compare response times before and after at the same load (iosq compare)",
        numbers=(Number("volumes", len(subject.names)),),
        sql=(
            "SELECT system, volume, lcu, is_hyperpav, interval_start, response_ms FROM volume_interval "
            f"WHERE volume = {literal(subject.names[0])} ORDER BY system, interval_start"
        ),
        lost_s=0.0,
    )
