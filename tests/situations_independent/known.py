"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG: dict[str, str] = {
    "path_repaired_at_eight": "a path that was slow until 08:00 and is as quick as the others since is still an act",
    "vm_page_space_full_and_slow_volume": "a z/VM volume whose disconnect is long at all hours is not found",
    "vm_group_slow_in_monitor": "z/VM volumes whose disconnect is long at all hours are not found",
}
