"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG: dict[str, str] = {
    "cp_monitor_stopped": "the mean disconnect of the system's storage is given, of the one slow volume its share only",
}
