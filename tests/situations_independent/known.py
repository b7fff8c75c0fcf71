"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG: dict[str, str] = {
    "cp_paging_volumes_full": "four findings about aliases: what FCX109 prints of paging space is in no rule",
    "cp_paging_volumes_busy": "four findings about aliases: what FCX109 prints of paging space is in no rule",
}
