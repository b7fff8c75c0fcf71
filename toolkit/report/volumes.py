"""How volumes are named on the page."""

from __future__ import annotations

LABEL = "label"


def labelled() -> str:
    """A common table expression `labelled`: `volume_interval` with a `label`, unique per platform, system and volume.

    The system is part of it as soon as the lake holds several: a wait belongs to the system that waits, and equal
    volsers of two systems may be two volumes.
    """
    return """systems AS (
    SELECT count(*) AS systems FROM (SELECT DISTINCT platform, system FROM volume_interval) AS s
), labelled AS (
    SELECT v.*, CASE WHEN s.systems > 1 THEN v.volume || ' on ' || v.system ELSE v.volume END AS label
    FROM volume_interval v CROSS JOIN systems s
)"""
