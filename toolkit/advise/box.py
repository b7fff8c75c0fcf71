"""The box behind volumes and subsystems: how rules find it, name it, and read its curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from iosq.toolkit.advise.window import LOCAL

# names that rules use for what the views of toolkit/sql/views/ hold
BOX_OF = """box_of AS (
    SELECT subsystem, box, serial, control_unit_type AS type FROM main.box_subsystem
)"""
VOLUME_BOX = f"""{BOX_OF}, volume_box AS (
    SELECT platform, system, volume, box, serial, control_unit_type AS type FROM main.volume_box
)"""
CURVE = f"""{VOLUME_BOX}, served AS (
    SELECT box, box_interval_start, serial, control_unit_type AS type, platform, system, volume, interval_start,
           interval_s, utc_offset_s, io_rate, wait_ms, service_ms, in_service, queue_length, lcu, is_hyperpav,
           read_ratio, exposures, {LOCAL}
    FROM main.box_volume_interval
), box_interval AS (
    SELECT box, interval_start, io_rate AS rate, in_service AS in_box, queue_length AS queued, volumes, read_ratio
    FROM main.box_interval
), curve AS (
    SELECT box, points, in_service_max AS in_box_max, in_service_min AS in_box_low, io_rate_max AS rate_max,
           io_rate_min AS rate_low, queue_length_max AS queued_max, elasticity_ratio AS elasticity, fit_ratio AS fit,
           spread_ratio
    FROM main.box_curve
)"""
POINTS_MIN = 5
# a box whose number of I/Os hardly varied says nothing about other numbers
VARIED_MIN = 1.3
# elasticities this wide apart say nothing
ANYTHING = 0.9


def opening(name: str) -> str:
    """A box's name at the beginning of a sentence."""
    return name[:1].upper() + name[1:]


def elasticity_bounds(row: Mapping[str, Any]) -> tuple[float, float] | None:
    """Two standard errors around the elasticity of a row of `curve`, within 0..1; None where it was not measured."""
    return None if _unmeasured(row) else _around(row, (row["points"] - 2) ** -0.5)


def elasticity_scatter(row: Mapping[str, Any]) -> tuple[float, float] | None:
    """As far around the elasticity as single intervals scatter, within 0..1: what one interval's own work may have.

    None where it was not measured, or anything is possible.
    """
    if _unmeasured(row):
        return None
    low, high = _around(row, 1.0)
    return (low, high) if high - low < ANYTHING else None


def _unmeasured(row: Mapping[str, Any]) -> bool:
    few = row["elasticity"] is None or row["points"] < POINTS_MIN
    return bool(few or row["in_box_max"] < VARIED_MIN * row["in_box_low"])


def _around(row: Mapping[str, Any], share: float) -> tuple[float, float]:
    unexplained = max(1.0 - (row["fit"] or 0.0), 0.0)
    error = 2 * row["spread_ratio"] * unexplained**0.5 * share
    return (_ratio(row["elasticity"] - error), _ratio(row["elasticity"] + error))


def _ratio(value: float) -> float:
    return min(max(value, 0.0), 1.0)
