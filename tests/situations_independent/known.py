"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG = {
    "system_added": "the system that came and doubled the load of a rank isn't named",
    "zhyperlink_on": "reads that hit and went over to zHyperLink are missed in the hit ratio",
    "rebuild_hour": "one hour of a rank that rebuilds is taken for its load",
}
