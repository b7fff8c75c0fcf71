"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG = {
    "zhyperlink_on": "reads that hit and went over to zHyperLink are missed in the hit ratio",
}
