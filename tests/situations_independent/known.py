"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG: dict[str, str] = {
    "cp_channels_full": "slow_path asks to check the channels and does not name those that channel_busy calls full",
    "cp_monitor_stopped": "the mean disconnect of the system's storage is given, of the one slow volume its share only",
}
