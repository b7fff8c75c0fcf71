"""Open a lake for queries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from iosq.lake import Lake
from iosq.narrowing import Names, When, narrowing
from iosq.settings import lake_path


def open(
    path: str | Path | None = None,
    *,
    since: When | None = None,
    until: When | None = None,
    system: Names | None = None,
    lcu: Names | None = None,
    volume: Names | None = None,
    thresholds: Mapping[str, Mapping[str, float]] | None = None,
    utc: bool = False,
    spark: str | None = None,
) -> Lake:
    """Open a lake, or a part of it, for queries. No rows are read before the first query.

    Args:
        path: the lake's folder; without it `$IOSQ_LAKE`, then `lake` of iosq.toml, then `./lake`.
        since: intervals that start then or later: a date, a local time of the measuring system, or UTC with Z.
        until: intervals that start before then; a date includes that day.
        system: only these systems, one name or several.
        lcu: only these LCUs, in hexadecimal digits.
        volume: only these volumes, by volume serial.
        thresholds: thresholds of rules in place of those of iosq.toml, by rule and name.
        utc: advice, reports and charts show times in UTC instead of local time.
        spark: the Spark master, such as `local[4]` or `spark://HOST:7077`, that runs `sql`, `arrow`, `export`,
            `findings`, `advise` and `report` in place of DuckDB; empty for the master in Spark's own settings.

    Raises:
        LakeError: there is no lake.
        RequestError: a value is invalid.
    """
    from iosq.toolkit.lake.manifest import require

    where, place = narrowing(since, until, system, lcu, volume), lake_path(path)
    require(place.absolute())
    return Lake(place, where, thresholds, utc=utc, spark=spark)
