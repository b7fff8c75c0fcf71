"""What commands that give advice share: findings about the part of a lake that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from iosq.toolkit.cli.session import LakeOption, open_lake

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

    from iosq.toolkit.advise.engine import Settings
    from iosq.toolkit.advise.finding import Finding, Known, Topic
    from iosq.toolkit.report.narrowed import Narrowed
    from iosq.toolkit.sql.filter import Filter

T = TypeVar("T")


def advice(
    lake: LakeOption, where: Filter, limits: Settings, topic: Topic = "all", known: Known | None = None
) -> list[Finding]:
    """Findings over the span asked for, about the systems, LCUs and volumes asked for; most urgent first.

    Rules read all of the span: volumes of a box are solved together, and a part of them would be no box.

    Raises:
        RequestError: nothing is left of the lake, or the lake can't tell what a machine needs.
    """
    from iosq.toolkit.advise import run
    from iosq.toolkit.advise.part import findings_of_part

    return asked(
        lake,
        where,
        lambda con: run(con, limits, topic, known),
        lambda found, part: findings_of_part(found, part, limits, topic),
    )


def part_asked_for(lake: LakeOption, where: Filter, limits: Settings) -> Narrowed | None:
    """What a report is narrowed to, with its findings; None for all of the lake."""
    from iosq.toolkit.report.narrowed import Narrowed
    from iosq.toolkit.sql.left import described

    return Narrowed(described(where), advice(lake, where, limits)) if where else None


def asked(
    lake: LakeOption,
    where: Filter,
    of_all: Callable[[duckdb.DuckDBPyConnection], list[T]],
    of_part: Callable[[list[T], duckdb.DuckDBPyConnection], list[T]],
) -> list[T]:
    """What is found in all of the span, and of it what is about the part asked for.

    Raises:
        RequestError: the lake, or what is left of it, has nothing to find anything in.
    """
    from iosq.toolkit.advise.held import held
    from iosq.toolkit.report.quality import require

    part = open_lake(lake, where=where)
    require(part)
    with held(open_lake(lake, where=where.span()) if where.named() else part) as con:
        found = of_all(con)
    return of_part(found, part) if where.named() else found
