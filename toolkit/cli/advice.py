"""What commands that give advice share: findings about the part of a lake that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.cli.session import LakeOption, open_lake

if TYPE_CHECKING:
    from iosq.toolkit.advise.engine import Settings
    from iosq.toolkit.advise.finding import Finding, Known, Topic
    from iosq.toolkit.sql.filter import Filter


def advice(
    lake: LakeOption, where: Filter, limits: Settings, topic: Topic = "all", known: Known | None = None
) -> list[Finding]:
    """Findings over the span asked for, about the systems, LCUs and volumes asked for; most urgent first.

    Rules read all of the span: volumes of a box are solved together, and a part of them would be no box.

    Raises:
        RequestError: nothing is left of the lake, or the lake can't tell what a machine needs.
    """
    from iosq.toolkit.advise import run
    from iosq.toolkit.advise.held import held
    from iosq.toolkit.advise.narrow import narrowed

    part = open_lake(lake, where=where)
    with held(open_lake(lake, where=where.span()) if where.named() else part) as con:
        found = run(con, limits, topic, known)
    return narrowed(found, part, limits, topic) if where.named() else found
