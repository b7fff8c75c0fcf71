"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG = {
    "queue_and_copy": "aliases that would help are not told beside a wait for remote copy that stays",
    "rebuild_hour": "one hour of a rank that rebuilds is taken for its load",
}
