"""The drill panel: from a box to its LCUs, volumes and a volume's neighbours, by filtered queries of the report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import iosq
from iosq.toolkit.errors import IosqError
from iosq.toolkit.report import places
from iosq.toolkit.report.chart import named
from iosq.toolkit.report.table import filled_columns
from iosq.toolkit.report.table import named as table_named
from iosq.toolkit.rows import Row
from iosq.toolkit.show.theme import Drawing
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.sql.questions import load

NEIGHBOURS = load(__package__, "neighbours.sql")
# columns of the lists
_PLACE = ("io_rate", "response_ms", "wait_ms", "pend_ms", "disc_ms", "conn_ms", "lost_h", "volumes")
_WORST = ("volume", "system", "lost_s", "response_ms", "iosq", "pend", "disc", "conn", "unknown", "ios")
# charts and tables of the report, by their name in the app
CHARTS = {
    "Response by component": "response_over_time",
    "Rate and response": "rate_response",
    "Read hits": "hit_ratio_read",
    "Write hits": "hit_ratio_write",
    "NVS": "nvs_delay",
    "Aliases in use": "alias_use",
    "Channel paths": "channel_use",
}
TABLES = {
    "Data sets and jobs": "data_sets",
    "Cache and NVS": "subsystems",
    "Paths": "lcu_paths",
    "Channels": "channels",
    "Ports": "director_ports",
    "Ranks": "ranks",
    "Extent pools": "extent_pools",
}


@dataclass(frozen=True)
class Listing:
    """Rows, and their SQL without filters."""

    rows: Sequence[Row]
    sql: str


def boxes(lake: iosq.Lake) -> Listing:
    """The boxes in cache records."""
    return _asked(lake, places.BOXES.sql, ("box", "control_unit_type", *_PLACE, "subsystems"))


def lcus(lake: iosq.Lake, box: str = "") -> Listing:
    """The LCUs of each system, in one box or all."""
    found = _asked(lake, places.LCUS.sql, ("unit", "system", "box", *_PLACE, "aliases", "high_water", "denied"))
    return Listing([r for r in found.rows if not box or r["box"] == box], found.sql)


def worst(lake: iosq.Lake, most: int = 10) -> Listing:
    """The volumes with most lost time: rows of a chart of the report."""
    found = _asked(lake, chart_sql("response_by_volume"), _WORST)
    return Listing(found.rows[:most], found.sql)


def rows_of(lake: iosq.Lake, name: str) -> Listing:
    """The rows of a table of the report, by heading; columns without a value are left out."""
    table = table_named(name)
    found = _asked(lake, table.sql, list(table.columns))
    return Listing([{table.columns[n][0]: value for n, value in row.items()} for row in found.rows], table.sql)


def neighbours(lake: iosq.Lake, volume: str, system: str) -> Listing:
    """The other volumes that share a pool, an LCU or paths; `lake` must not be filtered to the volume."""
    asked = {"volume": volume, "system": system}
    found = _asked(lake, NEIGHBOURS.sql, [c.name for c in NEIGHBOURS.columns], **asked)
    return Listing(found.rows, NEIGHBOURS.spelled(**asked))


def narrowing(name: str, asked: Mapping[str, str]) -> Mapping[str, str]:
    """The filters of a table about a volume: those of `asked` that its views support."""
    reads = [view for view in views() if re.search(rf"\b{view.name}\b", table_named(name).sql)]
    missed = {option for view in reads for option in Filter(volumes=("V",), systems=("S",)).misses(view)}
    return {key: value for key, value in asked.items() if f"--{key}" not in missed}


def drawn(lake: iosq.Lake, name: str) -> Drawing | str:
    """A chart of the report about a part of the lake, or a sentence that says why there is none."""
    try:
        return lake.chart(name)
    except IosqError as error:
        return str(error)


def chart_sql(name: str) -> str:
    """The SQL of a chart."""
    return named(name).sql


def _asked(lake: iosq.Lake, sql: str, names: Sequence[str], **parameters: str) -> Listing:
    """The rows of a query with those of the columns that have a value."""
    rows = lake.sql(sql, **parameters).to_dicts()
    known = filled_columns(names, rows)
    return Listing([{name: row[name] for name in known} for row in rows], sql)
