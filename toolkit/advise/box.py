"""The box behind volumes and subsystems: how rules find it, name it, and read its curve."""

from __future__ import annotations

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


def opening(name: str) -> str:
    """A box's name at the beginning of a sentence."""
    return name[:1].upper() + name[1:]
